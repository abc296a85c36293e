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

from rropt.privacy.parity_bounds.intervals import Interval, Jet, meet

__all__ = ["Bound", "Lower", "at_one", "at_zero", "finite_low", "inside", "ratio"]

Lower = Fraction | float  # a float only when it is infinite

_ONE, _TWO, _HALF = Interval.of(1), Interval.of(2), Interval.of(Fraction(1, 2))
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


def inside(x: Interval, h: Jet, middle: Interval, at_middle: Jet) -> Bound:
    """Return the bound on a box inside (0, 1).

    Args:
        x, h: the box, and h over it.
        middle, at_middle: a point of the box, and h there.
    """
    if h.value.low >= 1:
        return Bound(math.inf)
    if not h.value.low > 0:
        return Bound(_LEAST)
    values = ratio(x, h.value)
    lower = finite_low(values)
    if not h.value.high < 1:
        return Bound(lower)
    spread, variance = h.value * (_ONE - h.value), x * (_ONE - x)
    g = _slope_sign(x, h, middle, at_middle)
    if g.low > 0:
        return Bound(lower, "rising")
    if g.high < 0:
        return Bound(lower, "falling")
    slope = values * g / (spread * variance)
    if slope.is_bounded:
        lower = max(lower, finite_low(ratio(middle, at_middle.value) + slope * (x - middle)))
    return Bound(lower)


def _slope_sign(x: Interval, h: Jet, middle: Interval, at_middle: Jet) -> Interval:
    """Return G = h' p (1-p) - h (1-h), as it stands and by the mean value theorem: G' = h'' p (1-p) + 2 h' (h - p)."""
    g = h.slope * x * (_ONE - x) - h.value * (_ONE - h.value)
    if not (h.bend.is_bounded and h.slope.is_bounded and at_middle.slope.is_bounded):
        return g
    away = x - middle
    rise = meet(h.value - x, at_middle.value - middle + (h.slope - _ONE) * away)  # h - p, small where F is near 1
    slope = h.bend * x * (_ONE - x) + _TWO * h.slope * rise
    m = at_middle
    return meet(g, m.slope * middle * (_ONE - middle) - m.value * (_ONE - m.value) + slope * away)


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


def at_one(x: Interval, h: Jet, kernel: Interval) -> Bound:
    """Return the bound on a box [a, 1], a > 0.

    Args:
        x, h: the box, and h over it.
        kernel: an interval around (1-h(p))/(1-p): h', or better if there is.
    """
    if h.value.low >= 1:
        return Bound(math.inf)
    kernel, value = kernel.clipped(), h.value.clipped()
    if kernel.is_zero:
        return Bound(_LEAST)
    lower = finite_low(value / (x * kernel))
    if not (h.value.low > 0 and h.slope.low > 0):
        return Bound(lower)
    sign = value * kernel - h.slope * x * kernel + _HALF * h.bend * value * x
    return Bound(lower, _trend(-sign))


def _trend(sign: Interval) -> str:
    return "rising" if sign.low > 0 else "falling" if sign.high < 0 else ""
