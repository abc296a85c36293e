"""Exact sparse matrices of Python integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

IndexArray: TypeAlias = npt.NDArray[np.int64]
IntegerArray: TypeAlias = npt.NDArray[np.object_]


def integer_array(values: Iterable[int]) -> IntegerArray:
    """Return the integers as an object array: NumPy neither rounds its entries nor lets them overflow."""
    exact = list(values)
    array: IntegerArray = np.empty(len(exact), dtype=object)
    array[:] = exact
    return array


@dataclass(frozen=True, slots=True, eq=False)
class IntegerMatrix:
    """A sparse integer matrix in row form: row i has `values[k]` in column `columns[k]`, starts[i] <= k < starts[i+1].

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
        """Build a matrix from one pair (columns, values) per row, without zeros, in O(nonzeros)."""
        owner = np.repeat(np.arange(len(rows)), [len(columns) for columns, _ in rows])
        columns = np.fromiter((j for row, _ in rows for j in row), dtype=np.int64, count=owner.size)
        values = integer_array(value for _, row in rows for value in row)
        stored = np.flatnonzero(values)
        starts = starts_of(np.bincount(owner[stored], minlength=len(rows)))
        return cls((len(rows), width), starts, columns[stored], values[stored])

    @classmethod
    def identity(cls, order: int) -> IntegerMatrix:
        """Return the identity matrix."""
        places = np.arange(order, dtype=np.int64)
        return cls((order, order), np.arange(order + 1, dtype=np.int64), places, integer_array([1] * order))

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
        """Return the block of the given rows and (distinct) columns, in the given order."""
        position = np.full(self.shape[1], -1, dtype=np.int64)
        position[columns] = np.arange(columns.size)
        part = self.rows(rows)
        kept = position[part.columns] >= 0
        starts = starts_of(np.bincount(part.row_of_entry[kept], minlength=rows.size))
        return IntegerMatrix((rows.size, columns.size), starts, position[part.columns[kept]], part.values[kept])

    def product(self, other: IntegerMatrix) -> IntegerMatrix:
        """Return the exact product with another matrix, in O(t log t) for t products of entries."""
        starts, entries = entries_of_rows(other.starts, self.columns)
        rows, columns = np.repeat(self.row_of_entry, np.diff(starts)), other.columns[entries]
        order = np.lexsort((columns, rows))
        rows, columns = rows[order], columns[order]
        values = (np.repeat(self.values, np.diff(starts)) * other.values[entries])[order]
        first = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(columns, prepend=-1))
        sums = np.add.reduceat(values, first) if first.size else values
        kept = np.asarray(sums != 0, dtype=np.bool_)
        places = first[kept]
        lengths = np.bincount(rows[places], minlength=self.shape[0])
        return IntegerMatrix((self.shape[0], other.shape[1]), starts_of(lengths), columns[places], sums[kept])

    def stacked(self, below: IntegerMatrix) -> IntegerMatrix:
        """Return this matrix with the rows of another one, of the same width, below it."""
        return IntegerMatrix(
            (self.shape[0] + below.shape[0], self.shape[1]),
            np.concatenate([self.starts, self.starts[-1] + below.starts[1:]]),
            np.concatenate([self.columns, below.columns]),
            np.concatenate([self.values, below.values]),
        )

    def rows(self, chosen: IndexArray) -> IntegerMatrix:
        """Return the matrix of the chosen rows, in the given order."""
        starts, entries = entries_of_rows(self.starts, chosen)
        return IntegerMatrix((chosen.size, self.shape[1]), starts, self.columns[entries], self.values[entries])

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
    """Return the start positions of rows with the given lengths, and the end of the last row."""
    counted = np.fromiter(lengths, dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counted)])


def entries_of_rows(starts: IndexArray, rows: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Return the start positions of the chosen rows in a matrix of these rows, and their entries' old positions."""
    lengths = starts[rows + 1] - starts[rows]
    chosen = starts_of(lengths)
    return chosen, np.arange(chosen[-1]) + np.repeat(starts[rows] - chosen[:-1], lengths)
