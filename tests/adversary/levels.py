"""Privacy levels as real numbers: the exact sign of a polynomial in gamma and delta, by balls and a zero test.

gamma = q^(a/b) or e^s, delta rational or e^r. Each monomial gamma^i delta^j is a rational times c^f e^t with q = c^n, n
as large as possible, and 0 <= f < 1. Powers c^f with distinct f are linearly independent over Q (x^b - c is
irreducible), the e^t with distinct rational t over the algebraic numbers (Lindemann, Weierstrass). So a polynomial
vanishes iff the coefficients collected by (f, t) do; otherwise balls of growing precision find its sign.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq, fmpz

# Bits of the balls: the first decides nearly everything, the zero test is asked before the third.
PRECISIONS = (128, 1024)


class Polynomial:
    """A polynomial in gamma and delta with rational coefficients, by the exponents (i, j)."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[tuple[int, int], Fraction | int]) -> None:
        self.terms = {key: Fraction(value) for key, value in terms.items() if value}

    def __add__(self, other: Polynomial | Fraction | int) -> Polynomial:
        terms = defaultdict(Fraction, self.terms)
        for key, value in _polynomial(other).terms.items():
            terms[key] += value
        return Polynomial(terms)

    def __sub__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self + _polynomial(other) * -1

    def __mul__(self, other: Polynomial | Fraction | int) -> Polynomial:
        terms: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for (i, j), c in self.terms.items():
            for (k, m), d in _polynomial(other).terms.items():
                terms[i + k, j + m] += c * d
        return Polynomial(terms)

    def at(self, gamma: Any, delta: Any) -> Any:
        """Return the value at two numbers."""
        return sum((c * gamma**i * delta**j for (i, j), c in self.terms.items()), start=Fraction(0))


def _polynomial(value: Polynomial | Fraction | int) -> Polynomial:
    return value if isinstance(value, Polynomial) else Polynomial({(0, 0): value})


ONE = Polynomial({(0, 0): 1})
GAMMA = Polynomial({(1, 0): 1})
DELTA = Polynomial({(0, 1): 1})


@dataclass(frozen=True)
class Level:
    """gamma = base^times (e^times where ``base`` is None), and delta = ``delta`` (exp(exponent) where it is None)."""

    base: Fraction | None
    times: Fraction
    delta: Fraction | None
    exponent: Fraction = Fraction(0)

    @property
    def gamma(self) -> Fraction | None:
        """gamma where the form shows that it is rational."""
        if self.times == 0:
            return Fraction(1)
        return self.base if self.times == 1 else None

    def sign(self, polynomial: Polynomial) -> int:
        """Return the exact sign of the polynomial at this level."""
        if self.gamma is not None and self.delta is not None:
            value = polynomial.at(self.gamma, self.delta)
            return (value > 0) - (value < 0)
        for precision in PRECISIONS:
            sign = self._ball_sign(polynomial, precision)
            if sign:
                return sign
        if self._vanishes(polynomial):
            return 0
        while True:  # ends: the value is not zero
            precision *= 2
            sign = self._ball_sign(polynomial, precision)
            if sign:
                return sign

    def is_above(self, bound: int) -> bool:
        """Whether gamma is certainly above a bound: by logarithms, gamma itself may be too large for a ball."""
        with ctx.workprec(PRECISIONS[-1]):
            return bool(_logarithm(self) > arb(bound).log())

    def _ball_sign(self, polynomial: Polynomial, precision: int) -> int:
        with ctx.workprec(precision):
            gamma, delta = _balls(self, precision)
            value = arb(0)
            for (i, j), c in polynomial.terms.items():
                value += _ball(c) * gamma**i * delta**j
            return 1 if value > 0 else -1 if value < 0 else 0

    def _vanishes(self, polynomial: Polynomial) -> bool:
        collected: dict[tuple[Fraction, Fraction], Fraction] = defaultdict(Fraction)
        for (i, j), c in polynomial.terms.items():
            radical, transcendental = Fraction(0), Fraction(0)
            if self.base is None:
                transcendental += self.times * i
            else:
                root, degree = _root(self.base)
                whole = math.floor(degree * self.times * i)
                radical = degree * self.times * i - whole
                c *= root**whole
            if self.delta is None:
                transcendental += self.exponent * j
            else:
                c *= self.delta**j
            collected[radical, transcendental] += c
        return not any(collected.values())


def _ball(x: Fraction) -> Any:
    return arb(fmpq(x.numerator, x.denominator))


def _logarithm(level: Level) -> Any:
    return _ball(level.times) if level.base is None else _ball(level.times) * _ball(level.base).log()


@lru_cache(maxsize=4096)
def _balls(level: Level, precision: int) -> tuple[Any, Any]:
    with ctx.workprec(precision):
        return _logarithm(level).exp(), _ball(level.exponent).exp() if level.delta is None else _ball(level.delta)


@lru_cache(maxsize=4096)
def _root(q: Fraction) -> tuple[Fraction, int]:
    """Return (c, n) with q = c^n, n as large as possible, q > 1."""
    for n in range(max(q.numerator.bit_length(), q.denominator.bit_length()), 1, -1):
        c = Fraction(int(fmpz(q.numerator).root(n)), int(fmpz(q.denominator).root(n)))
        if c**n == q:
            return c, n
    return q, 1
