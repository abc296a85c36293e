"""Formulas of staircase designs: rows ``theta_j S_j`` with entries of S_j equal to gamma or to 1, also as symbols.

An objective with a symbolic value at such a design defines ``Objective.staircase_value``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

LOG_BITS = 200  # precision of the logarithms in formulas


class StaircaseForm(NamedTuple):
    """A symbolic staircase design.

    Attributes:
        bits: for each row, the categories with entry gamma, as bits, shape (m, k).
        theta: the symbolic factors of the rows.
        gamma: exp(epsilon), a symbol.
        population: pi.
    """

    bits: Sequence[Sequence[int]]
    theta: Sequence[Any]
    gamma: Any
    population: Sequence[Fraction]

    def masses(self, population: Sequence[Fraction] | None = None) -> list[Any]:
        """Return for each row the probability of the categories with entry gamma, at pi or at another distribution."""
        shares = self.population if population is None else population
        rows = (sum((p for p, bit in zip(shares, b, strict=True) if bit), Fraction(0)) for b in self.bits)
        return [in_symbols(x) for x in rows]

    def means(self, population: Sequence[Fraction] | None = None) -> list[Any]:
        """Return ``S_j.pi`` for each row j."""
        return [1 + (self.gamma - 1) * q for q in self.masses(population)]


def in_symbols(number: Fraction) -> Any:
    """Return a fraction as a SymPy rational."""
    import sympy

    return sympy.Rational(number.numerator, number.denominator)
