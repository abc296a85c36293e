"""Exact rational functions of a few parameters: quotients of polynomials in lowest terms (python-flint).

The last name of a ring is gamma. A monomial is a tuple of exponents, one for each name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.core.lazy import flint

Polynomial = Any  # an ``fmpq_mpoly`` of a ring
Exponents = tuple[int, ...]


class ParameterRing:
    """Polynomials in some names; rings with equally many names share their polynomials."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        generators = [f"x{i}" for i in range(len(self.names))]
        self.context = flint.fmpq_mpoly_ctx.get(generators, flint.Ordering.lex)
        self.generators = self.context.gens()
        self.zero, self.one = self.context.from_dict({}), self.constant(Fraction(1))

    def constant(self, value: Fraction) -> Polynomial:
        """Return a constant polynomial."""
        return self.context.from_dict({(0,) * len(self.names): as_flint(value)} if value else {})

    def of(self, terms: Mapping[Exponents, Any]) -> Polynomial:
        """Return the polynomial with these coefficients, FLINT rationals."""
        return self.context.from_dict(dict(terms))

    def number(self, value: Fraction | int) -> RationalFunction:
        """Return a constant."""
        return RationalFunction(self.constant(Fraction(value)), self.one)

    def name(self, name: str) -> RationalFunction:
        """Return the quotient that is a single name."""
        return RationalFunction(self.generators[self.names.index(name)], self.one)


def terms_of(polynomial: Polynomial) -> dict[Exponents, Any]:
    """Return the nonzero coefficients of a polynomial by exponents, FLINT rationals."""
    return {tuple(map(int, key)): value for key, value in polynomial.to_dict().items()}


def has_negative(polynomial: Polynomial) -> bool:
    """Return whether a coefficient is negative."""
    return any(value < 0 for value in polynomial.coeffs())


@dataclass(frozen=True, slots=True)
class RationalFunction:
    """A quotient of polynomials. Sums and products are in lowest terms, with a denominator of leading coefficient 1."""

    above: Polynomial
    below: Polynomial

    def reduced(self) -> RationalFunction:
        """Return the quotient in lowest terms."""
        above, below = self.above, self.below
        if not below.is_constant():
            common = above.gcd(below)
            if not common.is_constant():
                above, below = above / common, below / common
        lead = below.leading_coefficient()
        return RationalFunction(above, below) if lead == 1 else RationalFunction(above / lead, below / lead)

    def __add__(self, other: RationalFunction) -> RationalFunction:
        if self.below == other.below:
            return RationalFunction(self.above + other.above, self.below).reduced()
        return RationalFunction(self.above * other.below + other.above * self.below, self.below * other.below).reduced()

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.above, self.below)

    def __sub__(self, other: RationalFunction) -> RationalFunction:
        return self + -other

    def __mul__(self, other: RationalFunction) -> RationalFunction:
        return RationalFunction(self.above * other.above, self.below * other.below).reduced()

    def __truediv__(self, other: RationalFunction) -> RationalFunction:
        return RationalFunction(self.above * other.below, self.below * other.above).reduced()

    def __bool__(self) -> bool:
        return bool(self.above)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RationalFunction) and self.above == other.above and self.below == other.below

    def __hash__(self) -> int:
        return hash(str(self.above))

    def __call__(self, point: Sequence[Any]) -> Fraction:
        """Return the value at a point, a FLINT rational for each name."""
        return as_fraction(self.above(*point) / self.below(*point))

    def composed(self, values: Sequence[RationalFunction], ring: ParameterRing) -> RationalFunction:
        """Return the quotient with each name replaced by a quotient of a ring.

        Each polynomial is multiplied by the denominators of the values, to the powers that occur.
        """
        above, over = _composed(self.above, values, ring)
        below, under = _composed(self.below, values, ring)
        return RationalFunction(above * under, below * over).reduced()

    def only(self, index: int) -> bool:
        """Return whether a name of the ring occurs."""
        return bool(self.above.degrees()[index] > 0 or self.below.degrees()[index] > 0)


def _composed(
    polynomial: Polynomial, values: Sequence[RationalFunction], ring: ParameterRing
) -> tuple[Polynomial, Polynomial]:
    """Return numerator and denominator of a polynomial with each name replaced."""
    if not polynomial:
        return ring.zero, ring.one
    degrees = [int(d) for d in polynomial.degrees()]
    powers = []
    for value, degree in zip(values, degrees, strict=True):
        ups, downs = [ring.one], [ring.one]
        for _ in range(degree):
            ups.append(ups[-1] * value.above)
            downs.append(downs[-1] * value.below)
        powers.append([up * downs[degree - e] for e, up in enumerate(ups)])
    total, over = ring.zero, ring.one
    for exponents, coefficient in terms_of(polynomial).items():
        product = ring.one * coefficient
        for e, listed in zip(exponents, powers, strict=True):
            product = product * listed[e]
        total = total + product
    for value, degree in zip(values, degrees, strict=True):
        for _ in range(degree):
            over = over * value.below
    return total, over


def solved(
    rows: Sequence[Sequence[RationalFunction]], right: Sequence[RationalFunction]
) -> list[RationalFunction] | None:
    """Return the solution of a square system; None if its matrix is singular."""
    lines = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size = len(lines)
    for i in range(size):
        pivot = next((j for j in range(i, size) if lines[j][i]), None)
        if pivot is None:
            return None
        lines[i], lines[pivot] = lines[pivot], lines[i]
        lead = lines[i][i]
        lines[i] = [x / lead if x else x for x in lines[i]]
        for j in range(size):
            if j != i and (factor := lines[j][i]):
                lines[j] = [x - factor * y if y else x for x, y in zip(lines[j], lines[i], strict=True)]
    return [line[-1] for line in lines]


def least_common_multiple(polynomials: Sequence[Polynomial], ring: ParameterRing) -> Polynomial:
    """Return the least common multiple of polynomials, up to a constant."""
    found = ring.one
    for polynomial in polynomials:
        found = found * (polynomial / found.gcd(polynomial))
    return found
