"""Interval arithmetic on the extended reals with outward rounding, and intervals of a function and its derivatives.

The ends are exact dyadic numbers of python-flint's ``arb`` or infinite; every operation rounds outwards. An interval
stands for the *finite* reals in it, so 0 times an infinite end is 0; only exactly 0 times an unbounded interval is
unknown. A ``Jet`` holds f, f' and f'' over one box: f' of a minimum that is not decided is the hull of both (enough
for the mean value theorem of Lipschitz functions), f'' is then unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from rropt.privacy.parity_bounds.algebraic_numbers import to_fraction
from rropt.tolerances import ENCLOSURE_MAX_BITS

__all__ = ["UNKNOWN", "Interval", "Jet", "extremum", "hull", "meet"]

_INFINITY = arb.pos_inf()
_HUGE, _TINY = arb(2) ** ENCLOSURE_MAX_BITS, arb(2) ** -ENCLOSURE_MAX_BITS
_ZERO = arb(0)


@dataclass(frozen=True, slots=True)
class Interval:
    """The closed interval [low, high], ``low <= high`` exact ``arb`` numbers, possibly infinite."""

    low: Any
    high: Any

    @classmethod
    def of(cls, value: Fraction | int) -> Interval:
        """Return the narrowest interval around a rational number."""
        exact = Fraction(value)
        return cls.around(arb(fmpq(exact.numerator, exact.denominator)))

    @classmethod
    def around(cls, ball: Any) -> Interval:
        """Return the interval of a ball; unknown if it is not a number."""
        return UNKNOWN if ball.is_nan() else cls(ball.lower(), ball.upper())

    @property
    def is_zero(self) -> bool:
        """Whether it is exactly 0."""
        return bool(self.low == 0 and self.high == 0)

    @property
    def is_bounded(self) -> bool:
        """Whether both ends are finite."""
        return bool(self.low.is_finite() and self.high.is_finite())

    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Return rationals around the interval, ``None`` when infinite or beyond 2^ENCLOSURE_MAX_BITS."""
        return _rational(self.low, -1), _rational(self.high, 1)

    def __add__(self, other: Interval) -> Interval:
        return Interval(_down(self.low + other.low), _up(self.high + other.high))

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Interval) -> Interval:
        return self + -other

    def __mul__(self, other: Interval) -> Interval:
        if (self.is_zero and not other.is_bounded) or (other.is_zero and not self.is_bounded):
            return UNKNOWN
        products = [_times(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(_least([_down(x) for x in products]), _most([_up(x) for x in products]))

    def __truediv__(self, other: Interval) -> Interval:
        return self * other.inverse()

    def inverse(self) -> Interval:
        """Return 1/x; a zero inside gives the whole line, a zero at an end an infinite end."""
        if self.is_zero or (self.low < 0 and self.high > 0):
            return UNKNOWN
        low = -_INFINITY if self.high == 0 else _down(1 / self.high)
        high = _INFINITY if self.low == 0 else _up(1 / self.low)
        return Interval(low, high)

    def positive_inverse(self) -> Interval:
        """Return 1/x of what is not negative; beside 0 it is infinite."""
        positive = self.clipped()
        return Interval(_INFINITY, _INFINITY) if positive.is_zero else positive.inverse()

    def square(self) -> Interval:
        """Return x^2."""
        product = self * self
        return Interval(_ZERO, product.high) if self.low <= 0 and self.high >= 0 else product

    def rising(self, function: Callable[[Any], Any]) -> Interval:
        """Return the image under a nondecreasing function of balls."""
        return Interval(_down(function(self.low)), _up(function(self.high)))

    def exp(self) -> Interval:
        """Return e^x."""
        return self.rising(lambda x: x.exp() if x.is_finite() else (_INFINITY if x > 0 else _ZERO))

    def log(self) -> Interval:
        """Return log x, with log 0 = -infinity; what lies below 0 is left out."""
        positive = self.clipped()
        return positive.rising(lambda x: -_INFINITY if x == 0 else x.log() if x.is_finite() else _INFINITY)

    def sqrt(self) -> Interval:
        """Return the square root; what lies below 0 is left out."""
        return self.clipped().rising(lambda x: x.sqrt() if x.is_finite() else _INFINITY)

    def clipped(self) -> Interval:
        """Return the part that is not negative."""
        return Interval(_most([self.low, _ZERO]), _most([self.high, _ZERO]))


def _rational(end: Any, side: int) -> Fraction | None:
    """Return an exact number as a fraction; a huge or tiny one outwards to the given side (``None``: infinite)."""
    if -_HUGE <= end <= _HUGE:
        if not -_TINY < end < _TINY:
            return to_fraction(end)
        outwards = end > 0 if side > 0 else end < 0
        return Fraction(side, 2**ENCLOSURE_MAX_BITS) if outwards else Fraction(0)
    positive = end > 0
    return None if positive == (side > 0) else Fraction(2) ** ENCLOSURE_MAX_BITS * (1 if positive else -1)


UNKNOWN = Interval(-_INFINITY, _INFINITY)


def hull(first: Interval, second: Interval) -> Interval:
    """Return the smallest interval around both."""
    return Interval(_least([first.low, second.low]), _most([first.high, second.high]))


def meet(first: Interval, second: Interval) -> Interval:
    """Return the common part of two intervals around one number."""
    return Interval(_most([first.low, second.low]), _least([first.high, second.high]))


def extremum(name: str, first: Interval, second: Interval) -> Interval:
    """Return the interval of ``min`` or ``max``."""
    choose = _least if name == "min" else _most
    return Interval(choose([first.low, second.low]), choose([first.high, second.high]))


def _down(ball: Any) -> Any:
    return -_INFINITY if ball.is_nan() else ball.lower()


def _up(ball: Any) -> Any:
    return _INFINITY if ball.is_nan() else ball.upper()


def _times(a: Any, b: Any) -> Any:
    return _ZERO if a == 0 or b == 0 else a * b


def _least(values: list[Any]) -> Any:
    result = values[0]
    for value in values[1:]:
        result = value if value < result else result
    return result


def _most(values: list[Any]) -> Any:
    return -_least([-value for value in values])


_TWO = Interval.of(2)


@dataclass(frozen=True, slots=True)
class Jet:
    """Intervals around f, f' and f'' over one box."""

    value: Interval
    slope: Interval
    bend: Interval

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.value + other.value, self.slope + other.slope, self.bend + other.bend)

    def __sub__(self, other: Jet) -> Jet:
        return Jet(self.value - other.value, self.slope - other.slope, self.bend - other.bend)

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.slope, -self.bend)

    def __mul__(self, other: Jet) -> Jet:
        f, g = self, other
        bend = f.bend * g.value + _TWO * f.slope * g.slope + f.value * g.bend
        return Jet(f.value * g.value, f.slope * g.value + f.value * g.slope, bend)

    def __truediv__(self, other: Jet) -> Jet:
        value = self.value / other.value
        slope = (self.slope - value * other.slope) / other.value
        return Jet(value, slope, (self.bend - _TWO * slope * other.slope - value * other.bend) / other.value)

    def through(self, value: Interval, first: Interval, second: Interval) -> Jet:
        """Return the jet of F(f) from F(f), F'(f) and F''(f) (chain rule); a constant stays constant."""
        if self.slope.is_zero and self.bend.is_zero:
            return Jet(value, self.slope, self.bend)
        return Jet(value, first * self.slope, first * self.bend + second * self.slope.square())

    def exp(self) -> Jet:
        """Return e^f."""
        value = self.value.exp()
        return self.through(value, value, value)

    def log(self) -> Jet:
        """Return log f, f >= 0."""
        inverse = self.value.positive_inverse()
        return self.through(self.value.log(), inverse, -inverse.square())

    def sqrt(self) -> Jet:
        """Return the square root of f >= 0."""
        root = self.value.sqrt()
        first = (_TWO * root).positive_inverse()
        return self.through(root, first, -(first / (_TWO * self.value.clipped())))

    def power(self, exponent: Fraction) -> Jet:
        """Return f^r, r rational; unless r is an integer, f >= 0."""
        r = Interval.of(exponent)
        first = r * _power(self.value, exponent - 1)
        second = r * Interval.of(exponent - 1) * _power(self.value, exponent - 2)
        return self.through(_power(self.value, exponent), first, second)

    def extremum(self, other: Jet, name: str, *, at_point: bool) -> Jet:
        """Return min(f, g) or max(f, g); at one point a tie says nothing about the slope beside it."""
        f, g = self, other
        if name == "max":
            return -((-f).extremum(-g, "min", at_point=at_point))
        if f.value.high < g.value.low or (not at_point and f.value.high <= g.value.low):
            return f
        if g.value.high < f.value.low or (not at_point and g.value.high <= f.value.low):
            return g
        return Jet(extremum("min", f.value, g.value), hull(f.slope, g.slope), UNKNOWN)


def _power(base: Interval, exponent: Fraction) -> Interval:
    if exponent == 0:
        return Interval.of(1)
    if exponent < 0:
        power = _power(base, -exponent)
        return power.inverse() if exponent.denominator == 1 else power.positive_inverse()
    r = fmpq(exponent.numerator, exponent.denominator)
    if exponent.denominator == 1 and exponent % 2 == 0:
        size = Interval(
            _ZERO if base.low <= 0 <= base.high else _least([abs(base.low), abs(base.high)]),
            _most([abs(base.low), abs(base.high)]),
        )
        return size.rising(lambda x: x**r if x.is_finite() else x)
    if exponent.denominator == 1:
        return base.rising(lambda x: x**r if x.is_finite() else x)
    return base.clipped().rising(lambda x: _ZERO if x == 0 else x ** arb(r) if x.is_finite() else x)
