"""Rational matrices as callers write them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from rropt.errors import InvalidParameterError, shown
from rropt.linear.systems.integer_matrix import IntegerMatrix

__all__ = ["RationalMatrix", "integer_rows"]

# Rows as dictionaries from column to entry (sparse) or as sequences (dense), entries exact.
RationalMatrix: TypeAlias = Sequence[Mapping[int, Fraction | int] | Sequence[Fraction | int]]


def integer_rows(matrix: RationalMatrix, width: int | None = None) -> tuple[IntegerMatrix, list[int]]:
    """Clear the denominators of a rational matrix row by row.

    Args:
        matrix: rows, each a mapping from column to entry or a sequence of entries; entries `int` or `Fraction`.
        width: the number of columns; needed only when every row is a mapping and the last columns may be empty.

    Returns:
        The integer matrix and the positive factor of each row: `integer[i] = factor[i] * matrix[i]`.

    Raises:
        InvalidParameterError: an entry is not exact, a column is out of range, or rows differ in length.
    """
    sparse = [_sparse_row(row, i) for i, row in enumerate(matrix)]
    lengths = {len(row) for row in matrix if not isinstance(row, Mapping)}
    largest = max((j for row in sparse for j in row), default=-1) + 1
    columns = max(lengths, default=largest) if width is None else width
    if largest > columns or len(lengths - {columns}) > 0:
        raise InvalidParameterError(
            f"the rows of the matrix do not fit together: received lengths {sorted(lengths)} and a last column "
            f"{largest - 1}; allowed are rows of one length, here {columns}; pad the short rows with zeros"
        )
    factors = [math.lcm(*(value.denominator for value in row.values())) for row in sparse]
    rows = [
        (tuple(row), tuple(value.numerator * (factor // value.denominator) for value in row.values()))
        for row, factor in zip(sparse, factors, strict=True)
    ]
    return IntegerMatrix.from_rows(rows, columns), factors


def _sparse_row(row: Mapping[int, Fraction | int] | Sequence[Fraction | int], i: int) -> dict[int, Fraction | int]:
    items = row.items() if isinstance(row, Mapping) else enumerate(row)
    entries = {j: value for j, value in items if value != 0}
    for j, value in entries.items():
        if not isinstance(value, int | Fraction) or j < 0:
            raise InvalidParameterError(
                f"entry ({i}, {j}) of the matrix is not usable: received {shown(value)}; allowed are int and Fraction "
                "at nonnegative columns; convert floats with Fraction(str(x))"
            )
    return entries
