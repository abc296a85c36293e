"""Certificates of every level for tests."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.designs.parametric.level_pieces import certify_pieces, solve_pieces

ABSOLUTE = (("0", "1/4", "1/2"), ("1/2", "0", "1/4"), ("1", "1/4", "0"))
"""The absolute loss of three categories with the proportions 1/2, 1/4, 1/4: two answers up to gamma = 2 + sqrt(5)."""


def level_certificate(costs: Sequence[Sequence[str]] = ABSOLUTE, start: str = "1", stop: str | None = None) -> str:
    """Return the text of an accepted certificate for these costs of outputs and categories."""
    numbers = [[Fraction(cost) for cost in row] for row in costs]
    ends = Fraction(start), None if stop is None else Fraction(stop)
    return certify_pieces(numbers, solve_pieces(numbers, *ends), *ends).text
