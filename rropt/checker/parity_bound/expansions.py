"""Expansions of functions of p on a cell at a point c, as ``f = w^a (l log w + v(w))``.

If c is an endpoint of the cell, w > 0 is the distance from it, and a, l and the coefficients of v are exact constants.
The expansion is valid at the points of the cell other than c. It is never evaluated at c, which may be 0 or 1. If c is
the midpoint of the cell, w = p - c, a = l = 0, and the coefficients are intervals.

v is a Taylor expansion with a remainder: ``v(w) = z_0 + z_1 w + ... + z_(k-1) w^(k-1) + w^k s``. For every w of an
interval W, s lies in ``rest`` and v lies in ``value``. The coefficients belong to a field: exact constants
(``Constants``) or intervals (``Arithmetic``).
"""

from fractions import Fraction
from functools import reduce
from math import ceil, factorial
from typing import Any, NamedTuple

from ..documents import Rejected
from ..intervals import INFINITY, ZERO, Arithmetic, Interval
from ..polynomials import Quotient
from .constants import Constants


class Series(NamedTuple):
    """The function v: its coefficients, the interval of its remainder, its range."""

    z: tuple[Any, ...]
    rest: Interval
    value: Interval


class SeriesAlgebra:
    """Operations on series over a common interval W."""

    def __init__(self, arithmetic: Arithmetic, field: Any, w: Interval, order: int) -> None:
        self.arithmetic, self.field, self.w, self.order = arithmetic, field, w, order

    def bounds(self, z: tuple[Any, ...], rest: Interval) -> Interval:
        """Return an interval that contains ``z_0 + z_1 w + ... + w^k s``, by Horner's rule."""
        a, total = self.arithmetic, rest
        for coefficient in reversed(z):
            total = a.add(self.field.interval(coefficient), a.multiply(self.w, total))
        return total

    def linear(self, constant: Any, slope: Fraction) -> Series:
        """Return the series of ``constant + slope w``."""
        z = (constant, self.field.of(slope), *[self.field.of(Fraction(0))] * self.order)[: self.order]
        rest = self.arithmetic.of(slope) if self.order == 1 else self.arithmetic.zero
        return Series(z, rest, self.bounds(z, rest))

    def cut(self, f: Series, k: int) -> Series:
        """Return the series with at most k coefficients; the other terms go into the remainder."""
        return Series(f.z[:k], self.bounds(f.z[k:], f.rest), f.value)

    def add(self, f: Series, g: Series) -> Series:
        """Return f + g: coefficients, remainders and ranges are added."""
        a, k = self.arithmetic, min(len(f.z), len(g.z))
        f, g = self.cut(f, k), self.cut(g, k)
        return self._met(tuple(map(self.field.add, f.z, g.z)), a.add(f.rest, g.rest), a.add(f.value, g.value))

    def multiply(self, f: Series, g: Series) -> Series:
        """Return the product f g: ``(P + w^k s)(Q + w^k t) = P Q + w^k (s (Q + w^k t) + P t)``."""
        a, k = self.arithmetic, min(len(f.z), len(g.z))
        f, g = self.cut(f, k), self.cut(g, k)
        z = [self.field.of(Fraction(0))] * (2 * k)
        for i, x in enumerate(f.z):
            for j, y in enumerate(g.z):
                z[i + j] = self.field.add(z[i + j], self.field.multiply(x, y))
        cross = a.add(a.multiply(f.rest, g.value), a.multiply(self.bounds(f.z, a.zero), g.rest))
        return self._met(tuple(z[:k]), a.add(self.bounds(tuple(z[k:]), a.zero), cross), a.multiply(f.value, g.value))

    def negative(self, f: Series) -> Series:
        """Return -f."""
        a = self.arithmetic
        return Series(tuple(map(self.field.negative, f.z)), a.negative(f.rest), a.negative(f.value))

    def composed(self, kind: str, exponent: Fraction, f: Series) -> Series:
        """Return phi(f), phi = exp, log or a power: ``sum_(j<k) phi_j(z_0) u^j + phi_k(x) u^k``, u = f - z_0.

        phi_j is the j-th derivative divided by j!. The last one is taken at a point x between z_0 and f (Lagrange's
        remainder).
        """
        a, k = self.arithmetic, len(f.z)
        value = _derivative(a, kind, exponent, 0, f.value)
        between = a.hull(f.value, self.field.interval(f.z[0])) if k else f.value
        if not k or (kind != "exp" and between[0] <= 0 and (exponent != -1 or between[1] >= 0)):
            return Series((), value, value)  # only the range is known, or phi may not be smooth between z_0 and f
        slope = Series(f.z[1:], f.rest, self.bounds(f.z[1:], f.rest))  # u/w
        steep = _derivative(a, kind, exponent, k, between)
        result = Series((), steep, steep)
        for j in reversed(range(k)):  # Horner's rule: phi_j + u (phi_(j+1) + u (...))
            below = self.multiply(slope, result)
            z = (_derivative(self.field, kind, exponent, j, f.z[0]), *below.z)
            result = Series(z, below.rest, self.bounds(z, below.rest))
        return result._replace(value=a.meet(value, result.value))

    def _met(self, z: tuple[Any, ...], rest: Interval, value: Interval) -> Series:
        """Return a series; its range is the intersection of ``value`` with the bounds of the coefficients."""
        return Series(z, rest, self.arithmetic.meet(value, self.bounds(z, rest)))


def _derivative(field: Any, kind: str, exponent: Fraction, j: int, x: Any) -> Any:
    """Return ``phi^(j)(x)/j!`` in a field."""
    if kind == "exp":
        return field.multiply(field.of(Fraction(1, factorial(j))), field.exp(x))
    if kind == "log" and j == 0:
        return field.log(x)
    factor = Fraction((-1) ** (j - 1), j) if kind == "log" else Fraction(1)
    for i in range(j if kind == "power" else 0):
        factor *= (exponent - i) / (i + 1)
    return field.multiply(field.of(factor), field.power(x, exponent - j))


_ONE = Fraction(1)


class Expansion(NamedTuple):
    """The function f: its exponent a, the factor l of log w, the series v."""

    a: Quotient
    log: Quotient
    v: Series


class Expansions:
    """The algebra of functions on one cell, expanded at ``"low"``, ``"high"`` or ``"middle"``."""

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
        """Return a rational number as an expansion."""
        return self.constant(self.constants.of(x))

    def constant(self, x: Quotient) -> Expansion:
        """Return a constant as an expansion."""
        return self._linear(x if self.is_end else self.constants.interval(x), Fraction(0))

    def add(self, f: Expansion, g: Expansion) -> Expansion:
        """Return f + g, with the smaller of the two exponents."""
        f, g, apart = self._ordered(f, g)
        if apart[0]:
            return self._normal(f._replace(v=self.series.add(f.v, self._lowered(g, apart))))
        return self._normal(Expansion(f.a, self.constants.add(f.log, g.log), self.series.add(f.v, g.v)))

    def negative(self, f: Expansion) -> Expansion:
        """Return -f."""
        return Expansion(f.a, self.constants.negative(f.log), self.series.negative(f.v))

    def multiply(self, f: Expansion, g: Expansion) -> Expansion:
        """Return the product f g.

        ``l log w (y_0 + w t) = l y_0 log w + w (l t log w)``: the last part is a series with coefficient 0 and a
        remainder.
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
        """Return e^f: ``w^l e^v`` if a = 0; otherwise from bounds of ``w^a (l log w + v)``, with exponent 0."""
        sign = self.constants.sign(f.a)
        if sign < 0:
            value = self.arithmetic.multiply(self._scale(f.a), self._without_log(f).v.value)
            f = Expansion(self.zero, self.zero, Series((), value, value))
        elif sign > 0:
            f = Expansion(self.zero, self.zero, self._lowered(f, f.a))
        return self._normal(Expansion(f.log, self.zero, self.series.composed("exp", Fraction(0), f.v)))

    def least(self, f: Expansion, g: Expansion) -> Expansion:
        """Return the pointwise minimum: f or g if one is smaller on the whole cell, otherwise an enclosure of both."""
        f, g, apart = self._ordered(self._without_log(f), self._without_log(g))
        v = self._lowered(g, apart) if apart[0] else g.v
        if f.v.value[1] <= v.value[0]:
            return f
        if v.value[1] <= f.v.value[0]:
            return g
        low, high = map(min, f.v.value, v.value)
        return Expansion(f.a, self.zero, Series((), (low, high), (low, high)))

    def range(self, f: Expansion) -> Interval:
        """Return an interval that contains ``f/w^a``, which has the sign of f."""
        return self._without_log(f).v.value

    def _linear(self, constant: Quotient | Interval, slope: Fraction) -> Expansion:
        return self._normal(Expansion(self.zero, self.zero, self.series.linear(constant, slope)))

    def _ordered(self, f: Expansion, g: Expansion) -> tuple[Expansion, Expansion, Quotient]:
        """Return the two expansions, the one with the smaller exponent first, and the difference of the exponents."""
        apart = self.constants.add(g.a, self.constants.negative(f.a))
        return (g, f, self.constants.negative(apart)) if self.constants.sign(apart) < 0 else (f, g, apart)

    def _normal(self, f: Expansion) -> Expansion:
        """Return f with leading zero coefficients removed: ``w^a (w v) = w^(a+1) v``."""
        a = self.arithmetic
        while self.is_end and not f.log[0] and f.v.z and not f.v.z[0][0]:
            z = f.v.z[1:]
            value = a.multiply(f.v.value, self._scale(self.constants.of(-_ONE)))
            v = Series(z, f.v.rest, a.meet(value, self.series.bounds(z, f.v.rest)))
            f = Expansion(self.constants.add(f.a, self.constants.of(_ONE)), self.zero, v)
        return f

    def _without_log(self, f: Expansion) -> Expansion:
        """Return f with the logarithm moved into the range of v."""
        if not f.log[0]:
            return f
        a = self.arithmetic
        value = a.add(f.v.value, a.multiply(self.constants.interval(f.log), self._log_scale(self.zero)))
        return Expansion(f.a, self.zero, Series((), value, value))

    def _lowered(self, f: Expansion, d: Quotient) -> Series:
        """Return ``w^d (l log w + v)``, d > 0, as a series: its coefficients below w^d are 0."""
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
        """Return an interval that contains w^d for 0 < w <= width: increasing for d > 0, decreasing for d < 0."""
        a, sign = self.arithmetic, self.constants.sign(d)
        low, high = a.exp(a.multiply(self.constants.interval(d), self.log_width))
        return (ZERO, high) if sign > 0 else (low, INFINITY) if sign < 0 else a.unit

    def _log_scale(self, d: Quotient) -> Interval:
        """Return an interval that contains w^d log w <= 0; for d > 0 its minimum is -1/(e d), at log w = -1/d."""
        a, x = self.arithmetic, self.constants.interval(d)
        power = a.multiply(x, self.log_width)
        at_width = a.multiply(a.exp(power), self.log_width)
        if self.constants.sign(d) <= 0:
            return INFINITY.copy_negate(), at_width[1]
        if power[1] <= -1:
            return at_width[0], ZERO
        return a.negative(a.inverse(a.multiply(x, a.exp(a.unit))))[0], ZERO
