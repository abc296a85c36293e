"""Staircase designs in symbols: rows ``theta_j S_j``, S_j = gamma where a bit is set, else 1, at a symbol gamma.

An objective that has a value in symbols at such a design says so (``Objective.staircase_value``).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class StaircaseForm(NamedTuple):
    """A staircase design in symbols.

    Attributes:
        bits: of each row, shape (m, k).
        theta: the factors of the rows, in symbols.
        gamma: exp(epsilon), a symbol.
        population: pi.
    """

    bits: Sequence[Sequence[int]]
    theta: Sequence[Any]
    gamma: Any
    population: Sequence[Fraction]

    def masses(self, population: Sequence[Fraction] | None = None) -> list[Any]:
        """Return the proportion of the categories whose bit is set, of each row, at pi or at another population."""
        shares = self.population if population is None else population
        rows = (sum((p for p, bit in zip(shares, b, strict=True) if bit), Fraction(0)) for b in self.bits)
        return [in_symbols(x) for x in rows]

    def means(self, population: Sequence[Fraction] | None = None) -> list[Any]:
        """Return ``S_j.pi``."""
        return [1 + (self.gamma - 1) * q for q in self.masses(population)]


def in_symbols(number: Fraction) -> Any:
    """Return a rational of SymPy."""
    import sympy

    return sympy.Rational(number.numerator, number.denominator)
