"""Exact sparse Gauss elimination down to a small dense rest."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq, fmpq_mat

from rropt.linear.systems.integer_matrix import IntegerMatrix
from rropt.tolerances import DENSE_FILL, DENSE_REST

__all__ = ["Elimination", "Pivot"]


@dataclass(slots=True)
class Pivot:
    """One step: the row and column of the pivot, its value, and what was done with it."""

    row: int
    column: int
    value: Any
    rest: dict[int, Any]  # the other entries of the pivot row
    multipliers: list[tuple[int, Any]] = field(default_factory=list)  # (row, factor) eliminated with it


class Elimination:
    """A sparse matrix after exact elimination: the pivots in order, and the rest as rows of dictionaries.

    The pivot is taken from the shortest row or column, where its other line is shortest (Markowitz). The elimination
    stops when the rest is small or full; dense arrays are faster from there.

    Attributes:
        pivots: the steps.
        rows, columns: entries by row, and the rows of each column, of what is left.
        rest_rows, rest_columns: the rows and columns that are left and not empty.
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        self.rows: list[dict[int, Any]] = [{} for _ in range(matrix.shape[0])]
        self.columns: list[set[int]] = [set() for _ in range(matrix.shape[1])]
        for i, j, value in zip(
            matrix.row_of_entry.tolist(), matrix.columns.tolist(), matrix.values.tolist(), strict=True
        ):
            if value:
                self.rows[i][j] = fmpq(value)
                self.columns[j].add(i)
        self.pivots: list[Pivot] = []
        self.rest_rows = {i for i, row in enumerate(self.rows) if row}
        self.rest_columns = {j for j, column in enumerate(self.columns) if column}
        self._nonzeros = sum(map(len, self.rows))
        self._heap = [(len(row), 0, i) for i, row in enumerate(self.rows) if row]
        self._heap += [(len(column), 1, j) for j, column in enumerate(self.columns) if column]
        heapq.heapify(self._heap)
        while not self._is_dense():
            self._eliminate(*self._choose())

    def _is_dense(self) -> bool:
        small = min(len(self.rest_rows), len(self.rest_columns))
        return small <= DENSE_REST or self._nonzeros >= DENSE_FILL * len(self.rest_rows) * len(self.rest_columns)

    def _choose(self) -> tuple[int, int]:
        while True:
            length, is_column, index = heapq.heappop(self._heap)
            line = self.columns[index] if is_column else self.rows[index]
            active = index in (self.rest_columns if is_column else self.rest_rows)
            if not active or len(line) != length:
                continue  # an outdated heap entry
            if is_column:
                return min(line, key=lambda i: len(self.rows[i])), index
            return index, min(line, key=lambda j: len(self.columns[j]))

    def _eliminate(self, i: int, j: int) -> None:
        row = self.rows[i]
        self._drop_row(i)
        pivot = Pivot(i, j, row.pop(j), row)
        for other in self.columns[j]:
            self._subtract(other, pivot)
        self.pivots.append(pivot)
        self.columns[j] = set()
        self.rest_columns.discard(j)

    def _drop_row(self, i: int) -> None:
        row = self.rows[i]
        self.rest_rows.discard(i)
        self._nonzeros -= len(row)
        for j in row:
            column = self.columns[j]
            column.discard(i)
            if column:
                heapq.heappush(self._heap, (len(column), 1, j))
            else:
                self.rest_columns.discard(j)

    def _subtract(self, other: int, pivot: Pivot) -> None:
        target = self.rows[other]
        factor = target.pop(pivot.column) / pivot.value
        self._nonzeros -= 1
        pivot.multipliers.append((other, factor))
        for j, value in pivot.rest.items():
            present = target.get(j)
            changed = -factor * value if present is None else present - factor * value
            if present is None:
                self._fill(other, j)
            elif changed == 0:
                self._cancel(other, j)
                continue
            target[j] = changed
        if target:
            heapq.heappush(self._heap, (len(target), 0, other))
        else:
            self.rest_rows.discard(other)

    def _fill(self, i: int, j: int) -> None:
        self.columns[j].add(i)
        self.rest_columns.add(j)
        self._nonzeros += 1
        heapq.heappush(self._heap, (len(self.columns[j]), 1, j))

    def _cancel(self, i: int, j: int) -> None:
        del self.rows[i][j]
        self._nonzeros -= 1
        column = self.columns[j]
        column.discard(i)
        if column:
            heapq.heappush(self._heap, (len(column), 1, j))
        else:
            self.rest_columns.discard(j)

    def rest(self) -> tuple[list[int], list[int], Any]:
        """Return the rows and columns that are left, and their block as an `fmpq_mat`."""
        rows, columns = sorted(self.rest_rows), sorted(self.rest_columns)
        zero = fmpq(0)
        entries = [self.rows[i].get(j, zero) for i in rows for j in columns]
        return rows, columns, fmpq_mat(len(rows), len(columns), entries)
