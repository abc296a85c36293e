"""The matrix of a dictionary in scaled doubles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rropt.linear.routes.dictionary import Dictionary
from rropt.linear.routes.integer_form import BoolArray, IntegerForm
from rropt.linear.systems.integer_matrix import IndexArray, starts_of
from rropt.linear.systems.powers_of_two import FloatArray, equilibrate, lengths, scaled_floats, split
from rropt.tolerances import FLOAT_ENTRY_BITS

__all__ = ["FloatMatrix", "float_matrix", "plain_float_matrix"]


@dataclass(frozen=True, slots=True, eq=False)
class FloatMatrix:
    """The entries of a dictionary by rows: equation k expresses variable `row_variables[k]`, and so on.

    Entry (k, l) is multiplied by `2^(row_shift[k] + column_shift[l])`, which brings it close to 1.

    Attributes:
        row_variables, column_variables: numbered as in `Vertex`.
        bounded: mask of the rows that say something by themselves.
        starts, columns, values: the scaled entries by rows.
        row_shift, column_shift: the exponents.
        pivots: the number of exchanges that led to this dictionary.
    """

    row_variables: IndexArray
    column_variables: IndexArray
    bounded: BoolArray
    starts: IndexArray
    columns: IndexArray
    values: FloatArray
    row_shift: IndexArray
    column_shift: IndexArray
    pivots: int


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """A matrix before scaling: entry k is `mantissas[k] 2^exponents[k]`."""

    row_variables: IndexArray
    column_variables: IndexArray
    bounded: BoolArray
    starts: IndexArray
    columns: IndexArray
    mantissas: FloatArray
    exponents: IndexArray
    pivots: int = 0


def plain_float_matrix(form: IntegerForm) -> FloatMatrix:
    """Round and scale the matrix as it is: the dictionary `s = A x - b`. Cost O(entries)."""
    (m, n), matrix = form.matrix.shape, form.matrix
    x, s = np.arange(n, dtype=np.int64), np.arange(n, n + m, dtype=np.int64)
    return _scaled(_Entries(s, x, np.ones(m, dtype=np.bool_), matrix.starts, matrix.columns, *split(matrix.values)))


def float_matrix(dictionary: Dictionary) -> FloatMatrix:
    """Round and scale the entries of a dictionary, in O(entries)."""
    row_variables = np.array(sorted(dictionary.rows), dtype=np.int64)
    column_variables = np.array(sorted(dictionary.columns), dtype=np.int64)
    place = {variable: k for k, variable in enumerate(column_variables.tolist())}
    rows = [dictionary.rows[variable] for variable in row_variables.tolist()]
    starts = starts_of(len(row) for row in rows)
    columns = np.fromiter((place[c] for row in rows for c in row), dtype=np.int64, count=int(starts[-1]))
    bounded = ~dictionary.form.is_free[row_variables]
    bounded[np.searchsorted(row_variables, sorted(dictionary.implied))] = False
    split_values = _split_rationals([value for row in rows for value in row.values()])
    return _scaled(
        _Entries(row_variables, column_variables, bounded, starts, columns, *split_values, dictionary.pivots)
    )


def _scaled(entries: _Entries) -> FloatMatrix:
    """Scale by the rows that say something; the others follow with their largest entry close to 1."""
    shape = (len(entries.row_variables), len(entries.column_variables))
    columns, owner = entries.columns, np.repeat(np.arange(shape[0], dtype=np.int64), np.diff(entries.starts))
    sizes = lengths(entries.mantissas, entries.exponents)
    heard = entries.bounded[owner]
    row_shift, column_shift = equilibrate(shape, owner[heard], columns[heard], sizes[heard])
    top = np.zeros(shape[0])
    np.maximum.at(top, owner, sizes + column_shift[columns])
    row_shift = np.where(entries.bounded, row_shift, -np.ceil(top).astype(np.int64))
    return FloatMatrix(
        entries.row_variables,
        entries.column_variables,
        entries.bounded,
        entries.starts,
        columns,
        scaled_floats(entries.mantissas, entries.exponents, row_shift[owner] + column_shift[columns]),
        row_shift,
        column_shift,
        entries.pivots,
    )


def _split_rationals(values: list[Any]) -> tuple[FloatArray, IndexArray]:
    """Write each rational as `m 2^e` with m a double, whatever its numerator and denominator."""
    mantissas = np.empty(len(values), dtype=np.float64)
    exponents = np.zeros(len(values), dtype=np.int64)
    for k, value in enumerate(values):
        p, q = int(value.p), int(value.q)
        exponent = p.bit_length() - q.bit_length()
        if abs(exponent) < FLOAT_ENTRY_BITS:
            mantissas[k] = p / q  # correctly rounded by Python whatever the sizes
        else:
            mantissas[k], exponents[k] = (p << max(-exponent, 0)) / (q << max(exponent, 0)), exponent
    return mantissas, exponents
