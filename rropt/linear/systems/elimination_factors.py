"""Exact solution of sparse systems by elimination in rational arithmetic."""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat

from rropt.linear.systems.elimination import Elimination
from rropt.linear.systems.errors import SingularMatrixError
from rropt.linear.systems.integer_matrix import IntegerArray, IntegerMatrix
from rropt.linear.systems.rational_vector import RationalVector

__all__ = ["EliminationFactors"]


class EliminationFactors:
    """A square sparse integer matrix with exact rational factors.

    Singletons and short rows are eliminated in rational arithmetic (Markowitz pivots), the dense rest is left to
    FLINT. It needs no float, so no condition number hurts it; it suffers only from fill.

    Cost: O(fill) rational operations, and O(r^3) for a rest of order r.

    Raises:
        SingularMatrixError: the matrix is singular.

    Source: Markowitz (1957); Dixon (1982) for the rest.
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        work = Elimination(matrix)
        self._order = matrix.shape[0]
        self._pivots = work.pivots
        self._rows, self._columns, self._rest = work.rest()
        missing = self._order - len(self._pivots)
        if len(self._rows) != missing or len(self._columns) != missing or self._rest.rank() < missing:
            raise SingularMatrixError(
                f"the system has no unique solution: received a singular matrix of order {self._order}; "
                "allowed are nonsingular matrices; see independent_block for a part that is"
            )

    def solve(self, rhs: IntegerArray) -> RationalVector:
        """Return x with `A x = rhs`: forward through the pivots, the rest, and back."""
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

    def solve_transposed(self, rhs: IntegerArray) -> RationalVector:
        """Return y with `A^T y = rhs`: the same factors in the opposite order."""
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
