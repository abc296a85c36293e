"""Staircase rows S in {1, gamma}^k, and the information of a mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .orders import Rows, inverse_times

F = Fraction
Bits = tuple[int, ...]
Numbers = list[Fraction]


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    """Return the scalar product."""
    return sum(map(lambda a, b: a * b, left, right), F(0))


def pattern(bits: Bits, gamma: Fraction) -> Numbers:
    """Return S in {1, gamma}^k."""
    return [gamma if bit else F(1) for bit in bits]


def inverse(rows: Rows) -> Rows | None:
    """Return the inverse of a square matrix."""
    return inverse_times([[F(int(i == j)) for j in range(len(rows))] for i in range(len(rows))], rows)


def information(rows: Rows, pi: Numbers) -> Rows:
    """Return ``sum_i p_i p_i^T / (p_i . pi)``."""
    k = range(len(pi))
    return [[sum((row[a] * row[b] / dot(row, pi) for row in rows), F(0)) for b in k] for a in k]
