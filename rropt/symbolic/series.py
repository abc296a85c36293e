"""One-sided limits by power series with real exponents, in a number of steps that is known beforehand.

``sp.limit`` may run for minutes. Here an expression in t becomes ``sum_i c_i t^(e_i) + O(t^r)`` as t -> 0+, with real
exponents e_i, and coefficients c_i that may contain ``log t``. Every coefficient is kept twice: as an expression, and
as a number of 60 digits, which decides whether it is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import mpmath as mp
import sympy as sp

DIGITS = 60
_LOG_T = sp.Symbol("log_t", negative=True)
_AT = -137  # the number that stands for log t where a coefficient is compared with 0
_LARGEST_EXPONENT = 2.5  # terms with larger exponents are dropped
_MOST_TERMS = 24
_ZERO = 1e-9  # an exponent, kept as a float beside its exact form, is 0 if it is smaller
_MOST_OPERATIONS = 3000  # of one coefficient


class NoSeriesError(Exception):
    """The expression has no series of this form, or too few of its terms are known."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient as an expression and as a number."""

    exact: Any
    number: Any

    @classmethod
    def of(cls, exact: Any) -> Coefficient:
        """Evaluate an expression that contains no variable except ``log t``."""
        with mp.workdps(DIGITS):
            value = sp.N(exact.subs(_LOG_T, _AT), DIGITS)
            if not value.is_Float and not value.is_Rational:
                raise NoSeriesError
            return cls(exact, mp.mpf(str(value)))

    @property
    def is_zero(self) -> bool:
        """Whether the number is 0 up to rounding, which is far below 1e-30 at the digits of the twin."""
        return bool(abs(self.number) < mp.mpf(10) ** -30)


@dataclass(frozen=True, slots=True)
class PowerSeries:
    """``sum c_i t^(e_i) + O(t^rest)``; terms by exponent, ascending."""

    terms: tuple[tuple[Any, float, Coefficient], ...]  # exponent, the same as a float, coefficient
    rest: float = inf

    @classmethod
    def of(cls, terms: list[tuple[Any, float, Coefficient]], rest: float = inf) -> PowerSeries:
        """Add terms of equal exponents, and drop zeros and what exceeds the limits."""
        merged: dict[float, tuple[Any, float, Coefficient]] = {}
        for exponent, size, c in terms:
            key = round(size, 10)
            if key in merged:
                other = merged[key][2]
                c = Coefficient(other.exact + c.exact, other.number + c.number)
            merged[key] = exponent, size, c
        rest = min(rest, _LARGEST_EXPONENT + min([0.0, *merged]))
        kept = sorted((one for key, one in merged.items() if key < rest and not one[2].is_zero), key=lambda x: x[1])
        if len(kept) > _MOST_TERMS:
            rest, kept = kept[_MOST_TERMS][1], kept[:_MOST_TERMS]
        return cls(tuple(kept), rest)

    @classmethod
    def constant(cls, exact: Any) -> PowerSeries:
        """Return the series of a number."""
        return cls.of([(sp.Integer(0), 0.0, Coefficient.of(exact))])

    @property
    def leading(self) -> tuple[Any, float, Coefficient]:
        """The term with the least exponent."""
        if not self.terms:
            raise NoSeriesError
        return self.terms[0]

    def __add__(self, other: PowerSeries) -> PowerSeries:
        return PowerSeries.of([*self.terms, *other.terms], min(self.rest, other.rest))

    def __mul__(self, other: PowerSeries) -> PowerSeries:
        if not self.terms or not other.terms:
            least = [each.terms[0][1] if each.terms else each.rest for each in (self, other)]
            return PowerSeries.of([], min(self.rest + least[1], other.rest + least[0]))
        made = [
            (a + b, x + y, Coefficient(c.exact * d.exact, c.number * d.number))
            for a, x, c in self.terms
            for b, y, d in other.terms
        ]
        return PowerSeries.of(made, min(self.rest + other.terms[0][1], other.rest + self.terms[0][1]))

    def split(self) -> tuple[Any, float, Coefficient, PowerSeries]:
        """Return e, e as a float, c and u with the series ``c t^e (1 + u)``."""
        exponent, size, c = self.leading
        inverse = Coefficient(1 / c.exact, 1 / c.number)
        moved = [
            (a - exponent, x - size, Coefficient(d.exact * inverse.exact, d.number * inverse.number))
            for a, x, d in self.terms[1:]
        ]
        return exponent, size, c, PowerSeries.of(moved, self.rest - size)

    def composed(self, coefficient: Callable[[int], Any]) -> PowerSeries:
        """Return ``1 + sum_(n >= 1) c_n u^n`` for this series u of positive exponents, with numbers c_n."""
        found = PowerSeries.constant(sp.Integer(1))
        if not self.terms:
            return PowerSeries.of(list(found.terms), self.rest)
        if self.terms[0][1] <= 0:
            raise NoSeriesError
        power, n = self, 1
        while power.terms and power.terms[0][1] < found.rest:
            found += power * PowerSeries.constant(coefficient(n))
            power, n = power * self, n + 1
        left = power.terms[0][1] if power.terms else power.rest
        return PowerSeries.of(list(found.terms), min(found.rest, left))


def leading_term(expression: Any, t: Any) -> tuple[Any, float, Coefficient]:
    """Return e, e as a float and c with ``expression ~ c t^e`` as t -> 0+; c may contain ``log t``.

    Raises:
        NoSeriesError: none is found.
    """
    return series(expression, t).leading


def limit_at_zero(expression: Any, t: Any) -> Any | None:
    """Return the finite limit at t -> 0+ if the series gives one, ``sp.oo`` if it is infinite, else ``None``."""
    try:
        with mp.workdps(DIGITS):
            _, size, c = leading_term(expression, t)
    except (NoSeriesError, ArithmeticError, TypeError, ValueError):
        return None
    if abs(size) < _ZERO:
        return None if c.exact.has(_LOG_T) else c.exact
    return sp.oo if size < 0 else sp.Integer(0)


def series(expression: Any, t: Any) -> PowerSeries:
    """Return the series of an expression of ``+ * ^ exp log`` in t.

    Raises:
        NoSeriesError: another function occurs, or a power has a negative base.
    """
    if not expression.has(t):
        return PowerSeries.constant(expression)
    if expression == t:
        return PowerSeries.of([(sp.Integer(1), 1.0, Coefficient(sp.Integer(1), mp.mpf(1)))])
    if expression.is_Add or expression.is_Mul:
        parts = [series(part, t) for part in expression.args]
        found = parts[0]
        for part in parts[1:]:
            found = found + part if expression.is_Add else found * part
        return _short(found)
    if expression.func == sp.exp:
        return _short(_exponential(series(expression.args[0], t)))
    if expression.func == sp.log:
        return _short(_logarithm(series(expression.args[0], t)))
    if expression.is_Pow:
        base, exponent = expression.args
        if exponent.has(t):
            return _short(_exponential(series(exponent, t) * _logarithm(series(base, t))))
        return _short(_power(series(base, t), exponent))
    raise NoSeriesError


def _short(found: PowerSeries) -> PowerSeries:
    if any(c.exact.count_ops() > _MOST_OPERATIONS for *_, c in found.terms):
        raise NoSeriesError
    return found


def _power(base: PowerSeries, exponent: Any) -> PowerSeries:
    number = Coefficient.of(exponent).number
    e, size, c, u = base.split()
    if c.number <= 0 and not exponent.is_Integer:
        raise NoSeriesError
    first = Coefficient(c.exact**exponent, c.number ** (int(exponent) if exponent.is_Integer else number))
    rest = u.composed(lambda n: sp.ff(exponent, n) / sp.factorial(n))
    return PowerSeries.of([(e * exponent, size * float(number), first)]) * rest


def _exponential(given: PowerSeries) -> PowerSeries:
    if given.rest <= 0 or (given.terms and given.terms[0][1] < -_ZERO):
        raise NoSeriesError
    flat = [one for one in given.terms if abs(one[1]) < _ZERO]
    u = PowerSeries.of([one for one in given.terms if abs(one[1]) >= _ZERO], given.rest)
    first = PowerSeries.constant(sp.Integer(1))
    for *_, c in flat:
        exact = sp.expand(c.exact)
        slope = exact.coeff(_LOG_T, 1)
        free = exact - slope * _LOG_T
        if free.has(_LOG_T) or slope.has(_LOG_T):
            raise NoSeriesError
        power, factor = Coefficient.of(slope), Coefficient.of(sp.exp(free))
        first = PowerSeries.of([(slope, float(power.number), factor)])
    return first * u.composed(lambda n: 1 / sp.factorial(n))


def _logarithm(given: PowerSeries) -> PowerSeries:
    e, size, c, u = given.split()
    if c.number <= 0 or c.exact.has(_LOG_T):
        raise NoSeriesError
    first = Coefficient(sp.log(c.exact) + e * _LOG_T, mp.log(c.number) + mp.mpf(size) * _AT)
    if abs(size) > _ZERO:
        first = Coefficient.of(first.exact)
    one = PowerSeries.of([(sp.Integer(0), 0.0, Coefficient(sp.Integer(1), mp.mpf(1)))])
    logarithm = u.composed(lambda n: sp.Rational((-1) ** (n + 1), n))
    return PowerSeries.of([(sp.Integer(0), 0.0, first)]) + logarithm + one * PowerSeries.constant(sp.Integer(-1))
