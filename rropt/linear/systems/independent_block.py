"""A largest set of independent rows and columns."""

from __future__ import annotations

from typing import Any

from flint import fmpq_mat

from rropt.linear.systems.elimination import Elimination
from rropt.linear.systems.integer_matrix import IntegerMatrix

__all__ = ["independent_block"]


def independent_block(matrix: IntegerMatrix) -> tuple[list[int], list[int]]:
    """Return rows and columns of a largest nonsingular square block, both sorted.

    The pivots of the elimination, and a nonsingular block of the dense rest from its reduced echelon form.
    Cost as for `EliminationFactors`.
    """
    work = Elimination(matrix)
    rows, columns, rest = work.rest()
    chosen = _echelon_columns(rest)
    kept = fmpq_mat(len(chosen), len(rows), [rest[i, j] for j in chosen for i in range(len(rows))])
    return (
        sorted([pivot.row for pivot in work.pivots] + [rows[i] for i in _echelon_columns(kept)]),
        sorted([pivot.column for pivot in work.pivots] + [columns[j] for j in chosen]),
    )


def _echelon_columns(matrix: Any) -> list[int]:
    reduced, rank = matrix.rref()
    found: list[int] = []
    for i in range(rank):
        start = found[-1] + 1 if found else 0
        found.append(next(j for j in range(start, matrix.ncols()) if reduced[i, j] != 0))
    return found
