"""Functions of p on a cell, seen from a point c: ``f = w^a (l log w + v(w))``, v a Taylor expansion with a rest.

Seen from an end, w > 0 is the distance from it, a, l and the coefficients of v are exact constants, and f is meant at
the points of the cell other than c: it is never evaluated at c, which may be 0 or 1. Seen from the middle of the cell
w = p - c, a = l = 0, and the coefficients are intervals.
"""

from fractions import Fraction
from functools import reduce
from math import ceil
from typing import NamedTuple

from ..documents import Rejected
from ..intervals import INFINITY, ZERO, Interval
from ..polynomials import Quotient
from .constants import Constants
from .series import Series, SeriesAlgebra

_ONE = Fraction(1)


class Expansion(NamedTuple):
    """f: its exponent a, the factor l of log w, v."""

    a: Quotient
    log: Quotient
    v: Series


class Expansions:
    """The algebra of functions on one cell, seen from ``"low"``, ``"high"`` or ``"middle"``."""

    def __init__(self, constants: Constants, low: Fraction, high: Fraction, seen: str, order: int) -> None:
        a = self.arithmetic = constants.arithmetic
        self.constants, self.budget, self.zero = constants, constants.budget, constants.of(Fraction(0))
        self.is_end = seen != "middle"
        if high - low >= 1 or (not self.is_end and (low == 0 or high == 1)):
            raise Rejected("a cell of an expansion is all of (0, 1), or is seen from its middle beside 0 or 1")
        width = a.of((high - low) if self.is_end else (high - low) / 2)[1]
        field, least = (constants, ZERO) if self.is_end else (a, width.copy_negate())
        self.series = SeriesAlgebra(a, field, (least, width), order)
        self.log_width = a.log((width, width)) if self.is_end else a.zero
        start = {"low": low, "high": high, "middle": (low + high) / 2}[seen]
        self.prior = self._linear(self.series.field.of(start), Fraction(-1 if seen == "high" else 1))

    def of(self, x: Fraction) -> Expansion:
        """Return a rational number."""
        return self.constant(self.constants.of(x))

    def constant(self, x: Quotient) -> Expansion:
        """Return a constant."""
        return self._linear(x if self.is_end else self.constants.interval(x), Fraction(0))

    def add(self, f: Expansion, g: Expansion) -> Expansion:
        """Return the sum, with the lesser of the two exponents."""
        f, g, apart = self._ordered(f, g)
        if apart[0]:
            return self._normal(f._replace(v=self.series.add(f.v, self._lowered(g, apart))))
        return self._normal(Expansion(f.a, self.constants.add(f.log, g.log), self.series.add(f.v, g.v)))

    def negative(self, f: Expansion) -> Expansion:
        """Return -f."""
        return Expansion(f.a, self.constants.negative(f.log), self.series.negative(f.v))

    def multiply(self, f: Expansion, g: Expansion) -> Expansion:
        """Return the product.

        ``l log w (y_0 + w t) = l y_0 log w + w (l t log w)``: the last part has the coefficient 0 and a rest.
        """
        constants, a = self.constants, self.arithmetic
        if g.log[0]:
            f, g = g, f
        if f.log[0] and (g.log[0] or not g.v.z):
            f, g = self._without_log(f), self._without_log(g)
        v, log = self.series.multiply(f.v, g.v), f.log
        if f.log[0]:
            log = constants.multiply(f.log, g.v.z[0])
            steep = a.multiply(constants.interval(f.log), self.series.bounds(g.v.z[1:], g.v.rest))  # l t
            rest, value = (a.multiply(steep, self._log_scale(constants.of(Fraction(d)))) for d in (0, 1))
            if steep != a.zero:
                v = self.series.add(v, Series((self.zero,), rest, value))
        return self._normal(Expansion(constants.add(f.a, g.a), log, v))

    def power(self, f: Expansion, exponent: Fraction) -> Expansion:
        """Return f^r: ``w^(a r) v^r``."""
        if exponent.denominator == 1 and exponent >= 0:
            return reduce(self.multiply, [f] * exponent.numerator, self.of(_ONE))
        f = self._without_log(f)
        a = self.constants.multiply(f.a, self.constants.of(exponent))
        return self._normal(Expansion(a, self.zero, self.series.composed("power", exponent, f.v)))

    def log(self, f: Expansion) -> Expansion:
        """Return log f: ``a log w + log v``."""
        f = self._without_log(f)
        return self._normal(Expansion(self.zero, f.a, self.series.composed("log", Fraction(0), f.v)))

    def exp(self, f: Expansion) -> Expansion:
        """Return e^f: ``w^l e^v`` if a = 0; else what is known of ``w^a (l log w + v)`` with the exponent 0."""
        sign = self.constants.sign(f.a)
        if sign < 0:
            value = self.arithmetic.multiply(self._scale(f.a), self._without_log(f).v.value)
            f = Expansion(self.zero, self.zero, Series((), value, value))
        elif sign > 0:
            f = Expansion(self.zero, self.zero, self._lowered(f, f.a))
        return self._normal(Expansion(f.log, self.zero, self.series.composed("exp", Fraction(0), f.v)))

    def least(self, f: Expansion, g: Expansion) -> Expansion:
        """Return the lesser of two at every point: one of them, or what holds both."""
        f, g, apart = self._ordered(self._without_log(f), self._without_log(g))
        v = self._lowered(g, apart) if apart[0] else g.v
        if f.v.value[1] <= v.value[0]:
            return f
        if v.value[1] <= f.v.value[0]:
            return g
        low, high = map(min, f.v.value, v.value)
        return Expansion(f.a, self.zero, Series((), (low, high), (low, high)))

    def range(self, f: Expansion) -> Interval:
        """Return an interval around ``f/w^a``, which has the sign of f."""
        return self._without_log(f).v.value

    def _linear(self, constant: Quotient | Interval, slope: Fraction) -> Expansion:
        return self._normal(Expansion(self.zero, self.zero, self.series.linear(constant, slope)))

    def _ordered(self, f: Expansion, g: Expansion) -> tuple[Expansion, Expansion, Quotient]:
        """Return the two, that of lesser exponent first, and the difference of their exponents."""
        apart = self.constants.add(g.a, self.constants.negative(f.a))
        return (g, f, self.constants.negative(apart)) if self.constants.sign(apart) < 0 else (f, g, apart)

    def _normal(self, f: Expansion) -> Expansion:
        """Return f with z_0 other than 0, as far as coefficients are known: ``w^a (w v) = w^(a+1) v``."""
        a = self.arithmetic
        while self.is_end and not f.log[0] and f.v.z and not f.v.z[0][0]:
            z = f.v.z[1:]
            value = a.multiply(f.v.value, self._scale(self.constants.of(-_ONE)))
            v = Series(z, f.v.rest, a.meet(value, self.series.bounds(z, f.v.rest)))
            f = Expansion(self.constants.add(f.a, self.constants.of(_ONE)), self.zero, v)
        return f

    def _without_log(self, f: Expansion) -> Expansion:
        """Return f with the logarithm taken into the range of v."""
        if not f.log[0]:
            return f
        a = self.arithmetic
        value = a.add(f.v.value, a.multiply(self.constants.interval(f.log), self._log_scale(self.zero)))
        return Expansion(f.a, self.zero, Series((), value, value))

    def _lowered(self, f: Expansion, d: Quotient) -> Series:
        """Return ``w^d (l log w + v)``, d > 0: the coefficients below w^d are 0."""
        a, constants = self.arithmetic, self.constants
        most, order = constants.interval(d)[1], self.series.order
        n = order if most >= order else ceil(most)
        left = constants.add(d, constants.of(Fraction(-n)))
        if not left[0] and not f.log[0]:
            v = Series((self.zero,) * n + f.v.z, f.v.rest, a.multiply(self._scale(d), f.v.value))
            return self.series.cut(v, order)
        log = constants.interval(f.log)
        rest, value = (
            a.add(a.multiply(self._scale(e), f.v.value), a.multiply(log, self._log_scale(e))) for e in (left, d)
        )
        return Series((self.zero,) * n, rest, value)

    def _scale(self, d: Quotient) -> Interval:
        """Return an interval around w^d, w at most the width: increasing for d > 0, decreasing for d < 0."""
        a, sign = self.arithmetic, self.constants.sign(d)
        low, high = a.exp(a.multiply(self.constants.interval(d), self.log_width))
        return (ZERO, high) if sign > 0 else (low, INFINITY) if sign < 0 else a.unit

    def _log_scale(self, d: Quotient) -> Interval:
        """Return an interval around w^d log w: at most 0; for d > 0 it falls to -1/(e d) where log w = -1/d."""
        a, x = self.arithmetic, self.constants.interval(d)
        power = a.multiply(x, self.log_width)
        at_width = a.multiply(a.exp(power), self.log_width)
        if self.constants.sign(d) <= 0:
            return INFINITY.copy_negate(), at_width[1]
        if power[1] <= -1:
            return at_width[0], ZERO
        return a.negative(a.inverse(a.multiply(x, a.exp(a.unit))))[0], ZERO
