"""What makes a matrix a mechanism: its form, its entries, its columns."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.errors import InvalidMechanismError, InvalidParameterError, shown
from rropt.exact import both_texts, rational
from rropt.limits import MAX_ENTRY_DIGITS, MAX_MATRIX_ENTRIES
from rropt.mechanisms.columns import exact_sum

Matrix = tuple[tuple[Fraction, ...], ...]


def stochastic_matrix(matrix: Any) -> Matrix:
    """Return the exact column-stochastic matrix of any form: nested sequences, a NumPy or a SymPy matrix.

    Raises:
        InvalidMechanismError: wrong shape, a negative entry, a column that does not sum to exactly 1.
        InvalidParameterError: an entry that is not a number.
    """
    entries = tuple(tuple(exact_entry(x, i, j) for j, x in enumerate(row)) for i, row in enumerate(matrix_rows(matrix)))
    _require_stochastic(entries)
    return entries


def matrix_rows(matrix: Any) -> list[list[Any]]:
    """Return the rows of a NumPy or SymPy matrix or of nested sequences: not empty, of equal length, not too many."""
    if hasattr(matrix, "tolist"):  # NumPy and SymPy matrices
        matrix = matrix.tolist()
    if isinstance(matrix, (str, bytes)) or not isinstance(matrix, Sequence) or not matrix:
        raise InvalidMechanismError(
            f"a mechanism is not of the form of a matrix: received {shown(matrix)}; "
            'give a list of rows such as [["2/3", "1/3"], ["1/3", "2/3"]]'
        )
    rows = []
    for i, row in enumerate(matrix):
        if isinstance(row, (str, bytes)) or not isinstance(row, Sequence) or not row:
            raise InvalidMechanismError(f"row {i} of the matrix is not a list of numbers: received {shown(row)}")
        rows.append(list(row))
    if len({len(row) for row in rows}) > 1:
        lengths = [len(row) for row in rows]
        raise InvalidMechanismError(
            f"the rows of the matrix differ in length: received {shown(lengths)}; make them equal"
        )
    if len(rows) * len(rows[0]) > MAX_MATRIX_ENTRIES:
        raise InvalidMechanismError(
            f"the matrix is too large: received shape ({len(rows)}, {len(rows[0])}); "
            f"at most {MAX_MATRIX_ENTRIES} entries are held explicitly"
        )
    return rows


def exact_entry(x: object, i: int, j: int) -> Fraction:
    """Return entry (i, j) of a matrix as an exact number.

    Raises:
        InvalidParameterError: it is none.
    """
    # the name of the entry is only made up when it is needed: matrices may have a million
    if type(x) is Fraction:
        return x
    try:
        return rational(x, digits=MAX_ENTRY_DIGITS)
    except InvalidParameterError:
        return rational(x, name=f"entry ({i}, {j})", digits=MAX_ENTRY_DIGITS)


def _require_stochastic(matrix: Matrix) -> None:
    for i, row in enumerate(matrix):
        for j, x in enumerate(row):
            if x.numerator < 0:
                raise InvalidMechanismError(f"entry ({i}, {j}) is negative: received {x}; probabilities are >= 0")
    for j, column in enumerate(zip(*matrix, strict=True)):
        total = exact_sum(column)
        if total != 1:
            raise InvalidMechanismError(
                f"column {j} does not sum to 1: received the sum {both_texts(total, 12)}; "
                'every column is a distribution over the outputs: write fractions such as "1/3"'
            )
