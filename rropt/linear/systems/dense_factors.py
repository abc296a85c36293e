"""Exact solution of small or full systems by FLINT."""

from __future__ import annotations

from typing import Any

from flint import fmpz_mat

from rropt.linear.systems.errors import SingularMatrixError
from rropt.linear.systems.integer_matrix import IntegerArray, IntegerMatrix
from rropt.linear.systems.rational_vector import RationalVector

__all__ = ["DenseFactors", "flint_matrix"]


def flint_matrix(matrix: IntegerMatrix) -> Any:
    """Return the matrix as a dense `fmpz_mat`."""
    return fmpz_mat(*matrix.shape, [value for row in matrix.dense() for value in row])


class DenseFactors:
    """A square integer matrix with exact solutions by FLINT (fraction-free elimination, or Dixon's p-adic lifting).

    Cost O(n^3) word operations and more with the length of the answer, which is at most that of the determinant.
    Source: Dixon, Exact solution of linear equations using p-adic expansions (1982).
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        self._order = matrix.shape[0]
        self._matrix = flint_matrix(matrix)

    def solve(self, rhs: IntegerArray) -> RationalVector:
        """Return x with `A x = rhs`; raises SingularMatrixError."""
        return self._solve(self._matrix, rhs)

    def solve_transposed(self, rhs: IntegerArray) -> RationalVector:
        """Return y with `A^T y = rhs`; raises SingularMatrixError."""
        return self._solve(self._matrix.transpose(), rhs)

    def _solve(self, matrix: Any, rhs: IntegerArray) -> RationalVector:
        try:
            solution = matrix.solve(fmpz_mat(self._order, 1, rhs.tolist()))
        except ZeroDivisionError:
            raise SingularMatrixError(
                f"the system has no unique solution: received a singular matrix of order {self._order}; "
                "allowed are nonsingular matrices; see independent_block for a part that is"
            ) from None
        numerators, denominator = solution.numer_denom()
        return RationalVector(tuple(map(int, numerators.entries())), int(denominator))
