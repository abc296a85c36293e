"""Lower bounds of ``F = (1-p) h(p) / (p (1-h(p)))`` over a box, from intervals around h, h' and h''.

Let X = [a, b] be the box. Every bound uses that ``p <= h(p) <= 1``, so that F >= 1.

* Inside (0, 1): ``F >= odds(inf h) / odds(b)``. ``F' = F G / (h (1-h) p (1-p))`` with ``G = h' p (1-p) - h (1-h)``:
  if G keeps its sign, F is monotone; else ``F >= F(mid) - sup abs(F') (b-a)/2``.
* At a = 0: h >= K p with K = inf h', so ``F >= (1-b) K / (1 - inf h)``. If h(0) = 0, then h = p K(p) with K in h'(X)
  and K' in h''(X)/2, F has the limit h'(0) and F' the sign of ``-K (1-h) + K' (1-h) (1-p) + h' K (1-p)``.
* At b = 1: h(1) = 1, since p <= h(p) <= 1. So ``1-h = (1-p) K(p)`` with K in h'(X) and K' in -h''(X)/2 as p falls;
  ``F = h / (p K)`` has the limit 1/h'(1), and -F' the sign of ``-h' p K + h K + h'' h p / 2``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.privacy.parity_bounds.intervals import Interval, Jet

__all__ = ["Bound", "Lower", "at_one", "at_zero", "finite_low", "inside", "ratio"]

Lower = Fraction | float  # a float only when it is infinite

_ONE, _HALF = Interval.of(1), Interval.of(Fraction(1, 2))
_LEAST = Fraction(1)


@dataclass(frozen=True, slots=True)
class Bound:
    """The least F can be on a box.

    Attributes:
        lower: a lower bound >= 1, infinite when h = 1 on the box.
        trend: ``"rising"``, ``"falling"`` or ``""``: F is strictly monotone on the box.
    """

    lower: Lower
    trend: str = ""


def finite_low(interval: Interval) -> Lower:
    """Return the lower end of an interval of values of F, at least 1."""
    if not interval.low > 1:
        return _LEAST
    low = interval.bounds()[0]
    return math.inf if not interval.low.is_finite() else _LEAST if low is None else max(_LEAST, low)


def ratio(x: Interval, h: Interval) -> Interval:
    """Return F over a box inside (0, 1) for 0 < h <= 1: rising in h and falling in p."""
    low = _odds(h.low) / _odds(x.high)
    high = _odds(h.high) / _odds(x.low)
    return Interval(low.low, high.high)


def _odds(end: Any) -> Interval:
    point = Interval(end, end)
    return point / (_ONE - point).clipped()  # at 1: infinite


def inside(x: Interval, h: Jet, middle: Interval) -> Bound:
    """Return the bound on a box inside (0, 1); ``middle`` encloses F at its midpoint."""
    if h.value.low >= 1:
        return Bound(math.inf)
    if not h.value.low > 0:
        return Bound(_LEAST)
    values = ratio(x, h.value)
    lower = finite_low(values)
    if not h.value.high < 1:
        return Bound(lower)
    spread, variance = h.value * (_ONE - h.value), x * (_ONE - x)
    g = h.slope * variance - spread
    if g.low > 0:
        return Bound(lower, "rising")
    if g.high < 0:
        return Bound(lower, "falling")
    slope = values * g / (spread * variance)
    if slope.is_bounded:
        half = Interval(x.low, x.low) * -_HALF + Interval(x.high, x.high) * _HALF
        size = Interval(-half.high, half.high)
        lower = max(lower, finite_low(middle + slope * size))
    return Bound(lower)


def at_zero(x: Interval, h: Jet, kernel: Interval, *, starts_at_zero: bool) -> Bound:
    """Return the bound on a box [0, b], b < 1.

    Args:
        x, h: the box, and h over it.
        kernel: an interval around h(p)/p, or its lower end a lower bound of it: h', or better if there is.
        starts_at_zero: h(0) = 0 is proved.
    """
    if h.value.low >= 1:
        return Bound(math.inf)
    kernel, rest = kernel.clipped(), _ONE - h.value.clipped()
    lower = finite_low((_ONE - x) * kernel / rest.clipped())
    if h.value.low > 0:
        lower = max(lower, finite_low(_odds(h.value.low) / _odds(x.high)))
    if not (starts_at_zero and h.slope.low > 0 and h.value.high < 1):
        return Bound(lower)
    sign = _HALF * h.bend * rest * (_ONE - x) + h.slope * kernel * (_ONE - x) - kernel * rest
    return Bound(lower, _trend(sign))


def at_one(x: Interval, h: Jet) -> Bound:
    """Return the bound on a box [a, 1], a > 0."""
    if h.value.low >= 1:
        return Bound(math.inf)
    kernel, value = h.slope.clipped(), h.value.clipped()
    if kernel.is_zero:
        return Bound(_LEAST)
    lower = finite_low(value / (x * kernel))
    if not (h.value.low > 0 and h.slope.low > 0):
        return Bound(lower)
    sign = value * kernel - h.slope * x * kernel + _HALF * h.bend * value * x
    return Bound(lower, _trend(-sign))


def _trend(sign: Interval) -> str:
    return "rising" if sign.low > 0 else "falling" if sign.high < 0 else ""
