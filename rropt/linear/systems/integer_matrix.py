"""Sparse matrices of Python integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = [
    "IndexArray",
    "IntegerArray",
    "IntegerMatrix",
    "append_units",
    "entries_of_rows",
    "integer_array",
    "starts_of",
]

IndexArray: TypeAlias = npt.NDArray[np.int64]
IntegerArray: TypeAlias = npt.NDArray[np.object_]
ScalarT = TypeVar("ScalarT", bound=np.generic)


def integer_array(values: Iterable[int]) -> IntegerArray:
    """Return the integers as an object array, so that numpy never rounds nor overflows them."""
    exact = list(values)
    array: IntegerArray = np.empty(len(exact), dtype=object)
    array[:] = exact
    return array


@dataclass(frozen=True, slots=True, eq=False)
class IntegerMatrix:
    """A sparse integer matrix by rows: row i holds `values[k]` in column `columns[k]`, starts[i] <= k < starts[i+1].

    Attributes:
        shape: `(m, n)`.
        starts: shape `(m + 1,)`, nondecreasing from 0 to the number of nonzeros.
        columns: column of each entry.
        values: the entries, Python integers.
    """

    shape: tuple[int, int]
    starts: IndexArray
    columns: IndexArray
    values: IntegerArray

    @classmethod
    def from_rows(cls, rows: Sequence[tuple[Sequence[int], Sequence[int]]], width: int) -> IntegerMatrix:
        """Build from one pair (columns, values) per row, in O(nonzeros)."""
        starts = starts_of(len(columns) for columns, _ in rows)
        columns = np.fromiter((j for row, _ in rows for j in row), dtype=np.int64, count=int(starts[-1]))
        values = integer_array(value for _, row in rows for value in row)
        return cls((len(rows), width), starts, columns, values)

    @property
    def row_of_entry(self) -> IndexArray:
        """The row of each stored entry."""
        return np.repeat(np.arange(self.shape[0], dtype=np.int64), np.diff(self.starts))

    def times(self, vector: IntegerArray) -> IntegerArray:
        """Return the exact product with a vector of shape `(n,)`, in O(nonzeros) integer products."""
        product: IntegerArray = np.zeros(self.shape[0], dtype=object)
        filled = np.flatnonzero(np.diff(self.starts))
        if filled.size:
            product[filled] = np.add.reduceat(self.values * vector[self.columns], self.starts[filled])
        return product

    def transpose(self) -> IntegerMatrix:
        """Return the transpose, in O(nonzeros log nonzeros)."""
        order = np.argsort(self.columns, kind="stable")
        starts = starts_of(np.bincount(self.columns, minlength=self.shape[1]))
        return IntegerMatrix(self.shape[::-1], starts, self.row_of_entry[order], self.values[order])

    def submatrix(self, rows: IndexArray, columns: IndexArray) -> IntegerMatrix:
        """Return the block of the given rows and (distinct) columns, in their order."""
        position = np.full(self.shape[1], -1, dtype=np.int64)
        position[columns] = np.arange(columns.size)
        chosen, entries = entries_of_rows(self.starts, rows)
        owner = np.repeat(np.arange(rows.size), np.diff(chosen))
        kept = position[self.columns[entries]] >= 0
        starts = starts_of(np.bincount(owner[kept], minlength=rows.size))
        entries = entries[kept]
        return IntegerMatrix((rows.size, columns.size), starts, position[self.columns[entries]], self.values[entries])

    def with_units(self, rows: IndexArray, values: IntegerArray) -> IntegerMatrix:
        """Append columns with a single entry: the k-th new one holds `values[k]` in row `rows[k]`."""
        starts, columns, entries = append_units(self.starts, self.columns, self.values, self.shape[1], rows, values)
        return IntegerMatrix((self.shape[0], self.shape[1] + len(rows)), starts, columns, entries)

    def row(self, i: int) -> tuple[IndexArray, IntegerArray]:
        """Return the columns and the values of row i."""
        part = slice(self.starts[i], self.starts[i + 1])
        return self.columns[part], self.values[part]

    def dense(self) -> list[list[int]]:
        """Return the matrix as a list of rows."""
        table = [[0] * self.shape[1] for _ in range(self.shape[0])]
        for i, j, value in zip(self.row_of_entry.tolist(), self.columns.tolist(), self.values.tolist(), strict=True):
            table[i][j] += value
        return table


def starts_of(lengths: Iterable[int] | IndexArray) -> IndexArray:
    """Return where the rows of the given lengths start, and the end of the last one."""
    counted = np.fromiter(lengths, dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counted)])


def entries_of_rows(starts: IndexArray, rows: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Return the starts of the chosen rows among themselves, and the positions of their entries in the whole."""
    lengths = starts[rows + 1] - starts[rows]
    chosen = starts_of(lengths)
    return chosen, np.arange(chosen[-1]) + np.repeat(starts[rows] - chosen[:-1], lengths)


def append_units(
    starts: IndexArray,
    columns: IndexArray,
    values: npt.NDArray[ScalarT],
    width: int,
    rows: IndexArray,
    units: npt.NDArray[ScalarT],
) -> tuple[IndexArray, IndexArray, npt.NDArray[ScalarT]]:
    """Append columns with a single entry to a matrix by rows, whatever the type of its entries."""
    added = np.bincount(rows, minlength=len(starts) - 1)
    order = np.argsort(rows, kind="stable")  # rows that end at one place (empty ones) must not mix
    ends = starts[rows[order] + 1]
    return (
        starts + starts_of(added),
        np.insert(columns, ends, width + order),
        np.insert(values, ends, units[order]),
    )
