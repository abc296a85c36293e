"""Exact sparse Gaussian elimination: solutions, the rank, and a maximal nonsingular block."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq, fmpq_mat

from rropt.core.errors import RroptError
from rropt.core.linear.integer_matrix import IntegerArray, IntegerMatrix, RationalMatrix, integer_rows
from rropt.core.linear.rational_vectors import RationalVector

# The elimination stops when the remaining block is this full (dictionaries are slower than dense arrays) ...
_DENSE_FILL = 0.3
# ... or this small.
_DENSE_REST = 24


class SingularMatrixError(RroptError, ArithmeticError):
    """The matrix of a square system is singular: the system has no solution, or several."""

    @classmethod
    def of(cls, shape: tuple[int, int]) -> SingularMatrixError:
        """Return the error for a matrix of the given shape."""
        return cls(
            f"the system has no unique solution: received a singular matrix of shape {shape}; allowed are square "
            "nonsingular matrices; see independent_block for a part that is"
        )


@dataclass(slots=True)
class Pivot:
    """One elimination step: the row and column of the pivot, its value, and the row operations."""

    row: int
    column: int
    value: Any
    rest: dict[int, Any]  # the other entries of the pivot row
    multipliers: list[tuple[int, Any]] = field(default_factory=list)  # (row, factor) of each row operation


class Elimination:
    """A sparse matrix after exact elimination: the pivots in order, and the remaining block as dictionaries by row.

    The pivot is an entry of the shortest row or column; among these entries, the one whose other line is shortest
    (Markowitz). The elimination stops when the remaining block is small or dense, where dense arrays are faster.

    Attributes:
        pivots: the elimination steps.
        rows, columns: the remaining entries of each row, and the remaining rows of each column.
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        self.pivots: list[Pivot] = []
        self.rows: list[dict[int, Any]] = [{} for _ in range(matrix.shape[0])]
        self.columns: list[set[int]] = [set() for _ in range(matrix.shape[1])]
        places = zip(matrix.row_of_entry.tolist(), matrix.columns.tolist(), matrix.values.tolist(), strict=True)
        for i, j, value in places:
            self.rows[i][j] = fmpq(value)
            self.columns[j].add(i)
        self._nonzeros = sum(map(len, self.rows))
        self._lines: list[Sequence[Collection[int]]] = [self.rows, self.columns]
        self._left: tuple[set[int], set[int]] = (set(), set())  # nonempty rows, nonempty columns
        self._heap: list[tuple[int, int, int]] = []
        for kind, lines in enumerate(self._lines):
            for index in range(len(lines)):
                self._touch(kind, index)
        while not self._is_dense():
            self._eliminate(*self._choose())

    def _touch(self, kind: int, index: int) -> None:
        """Record the new length of a row (kind 0) or column (kind 1)."""
        length = len(self._lines[kind][index])
        if length:
            self._left[kind].add(index)
            heapq.heappush(self._heap, (length, kind, index))
        else:
            self._left[kind].discard(index)

    def _is_dense(self) -> bool:
        rows, columns = map(len, self._left)
        return min(rows, columns) <= _DENSE_REST or self._nonzeros >= _DENSE_FILL * rows * columns

    def _choose(self) -> tuple[int, int]:
        while True:
            length, kind, index = heapq.heappop(self._heap)
            line = self._lines[kind][index]
            if len(line) != length:
                continue  # an outdated heap entry
            other = min(line, key=lambda k: len(self._lines[1 - kind][k]))
            return (other, index) if kind else (index, other)

    def _eliminate(self, i: int, j: int) -> None:
        row, self.rows[i] = self.rows[i], {}
        self._nonzeros -= len(row)
        self._touch(0, i)
        for k in row:
            self.columns[k].discard(i)
        pivot = Pivot(i, j, row.pop(j), row)
        for other in self.columns[j]:
            self._subtract(other, pivot)
        self.pivots.append(pivot)
        self.columns[j] = set()
        for k in (j, *row):
            self._touch(1, k)

    def _subtract(self, other: int, pivot: Pivot) -> None:
        target = self.rows[other]
        before = len(target)
        factor = target.pop(pivot.column) / pivot.value
        pivot.multipliers.append((other, factor))
        for j, value in pivot.rest.items():
            present = target.get(j)
            changed = -factor * value if present is None else present - factor * value
            if changed == 0:
                del target[j]
                self.columns[j].discard(other)
            else:
                target[j] = changed
                self.columns[j].add(other)
        self._nonzeros += len(target) - before
        self._touch(0, other)

    def rest(self) -> tuple[list[int], list[int], Any]:
        """Return the remaining rows and columns, and their block as an `fmpq_mat`."""
        rows, columns = map(sorted, self._left)
        zero = fmpq(0)
        entries = [self.rows[i].get(j, zero) for i in rows for j in columns]
        return rows, columns, fmpq_mat(len(rows), len(columns), entries)


class EliminationFactors:
    """A factorization of a square sparse integer matrix with exact rational factors.

    Singletons and short rows are eliminated in rational arithmetic (Markowitz pivots). FLINT solves the remaining dense
    block. The method uses no floats, so the condition number does not matter; its cost depends on the fill-in.

    Cost: O(fill) rational operations, and O(r^3) for a remaining block of order r.

    Raises:
        SingularMatrixError: the matrix is singular.

    Source: Markowitz (1957); Dixon (1982) for the dense block.
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        work = Elimination(matrix)
        self._order = matrix.shape[0]
        self._pivots = work.pivots
        self._rows, self._columns, self._rest = work.rest()
        missing = self._order - len(self._pivots)
        if len(self._rows) != missing or len(self._columns) != missing or self._rest.rank() < missing:
            raise SingularMatrixError.of(matrix.shape)

    def solve(self, rhs: IntegerArray, *, transposed: bool = False) -> RationalVector:
        """Solve `A x = rhs`, or `A^T x = rhs`: forward through the pivots, the dense block, then backward."""
        if transposed:
            return self._solve_transposed(rhs)
        b = [fmpq(value) for value in rhs.tolist()]
        for pivot in self._pivots:
            if b[pivot.row]:
                for i, factor in pivot.multipliers:
                    b[i] -= factor * b[pivot.row]
        x = [fmpq(0)] * self._order
        self._solve_rest(self._rest, [b[i] for i in self._rows], self._columns, x)
        for pivot in reversed(self._pivots):
            x[pivot.column] = (b[pivot.row] - sum(v * x[j] for j, v in pivot.rest.items())) / pivot.value
        return _common(x)

    def _solve_transposed(self, rhs: IntegerArray) -> RationalVector:
        c = [fmpq(value) for value in rhs.tolist()]
        y = [fmpq(0)] * self._order
        for pivot in self._pivots:
            y[pivot.row] = c[pivot.column] / pivot.value
            if y[pivot.row]:
                for j, value in pivot.rest.items():
                    c[j] -= value * y[pivot.row]
        self._solve_rest(self._rest.transpose(), [c[j] for j in self._columns], self._rows, y)
        for pivot in reversed(self._pivots):
            y[pivot.row] -= sum(factor * y[i] for i, factor in pivot.multipliers)
        return _common(y)

    @staticmethod
    def _solve_rest(rest: Any, rhs: list[Any], places: list[int], out: list[Any]) -> None:
        if places:
            solution = rest.solve(fmpq_mat(len(rhs), 1, rhs))
            for place, value in zip(places, solution.entries(), strict=True):
                out[place] = value


def _common(values: list[Any]) -> RationalVector:
    if not values:
        return RationalVector(())
    numerators, denominator = fmpq_mat(len(values), 1, values).numer_denom()
    return RationalVector(tuple(map(int, numerators.entries())), int(denominator))


def rank(matrix: RationalMatrix) -> int:
    """Return the exact rank of a rational matrix.

    Args:
        matrix: m rows, each a mapping from column to entry or a sequence of entries, `int` or `Fraction`.

    Returns:
        The number of pivots plus the rank of the dense block, by sparse exact elimination: O(fill), then cubic in the
        order of the dense block.

    Raises:
        InvalidParameterError: an entry is not exact, or the rows differ in length.

    Example:
        >>> rank([[1, 2], [2, 4]])
        1
    """
    work = Elimination(integer_rows(matrix)[0])
    return len(work.pivots) + int(work.rest()[2].rank())


def independent_block(matrix: IntegerMatrix) -> tuple[list[int], list[int]]:
    """Return the rows and columns of a maximal nonsingular square block, both sorted.

    The block consists of the pivots of the elimination, and of a nonsingular block of the dense remainder, which the
    reduced echelon form yields. The cost is that of `EliminationFactors`.
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
