"""The choice between the ways to solve a square system exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rropt.linear.systems.dense_factors import DenseFactors
from rropt.linear.systems.elimination_factors import EliminationFactors
from rropt.linear.systems.errors import SingularMatrixError
from rropt.linear.systems.float_factors import FloatFactors, NoConvergenceError
from rropt.linear.systems.integer_matrix import IntegerArray, IntegerMatrix
from rropt.linear.systems.rational_vector import RationalVector
from rropt.tolerances import DENSE_ORDER

__all__ = ["Factors", "factorise"]


class Factors(Protocol):
    """A nonsingular square integer matrix, prepared for exact solutions."""

    def solve(self, rhs: IntegerArray) -> RationalVector:
        """Return x with `A x = rhs`."""
        ...

    def solve_transposed(self, rhs: IntegerArray) -> RationalVector:
        """Return y with `A^T y = rhs`."""
        ...


class _SparseFactors:
    """Float factors as long as they serve, rational elimination from then on."""

    def __init__(self, matrix: IntegerMatrix) -> None:
        self._matrix = matrix
        self._factors: Factors
        try:
            self._factors = FloatFactors(matrix)
        except NoConvergenceError:
            self._factors = EliminationFactors(matrix)

    def solve(self, rhs: IntegerArray) -> RationalVector:
        return self._with_fallback(lambda factors: factors.solve(rhs))

    def solve_transposed(self, rhs: IntegerArray) -> RationalVector:
        return self._with_fallback(lambda factors: factors.solve_transposed(rhs))

    def _with_fallback(self, solve: Callable[[Factors], RationalVector]) -> RationalVector:
        try:
            return solve(self._factors)
        except NoConvergenceError:
            self._factors = EliminationFactors(self._matrix)
            return solve(self._factors)


def factorise(matrix: IntegerMatrix) -> Factors:
    """Prepare a square integer matrix for exact solutions with several right-hand sides.

    Small matrices go to FLINT; large ones to a float LU with exact lifting, and, when that fails, to exact sparse
    elimination. Every route returns the same exact vectors.

    Raises:
        SingularMatrixError: the matrix is singular or not square; here, or at the first solution.
    """
    if matrix.shape[0] != matrix.shape[1]:
        raise SingularMatrixError(
            f"the system has no unique solution: received a matrix of shape {matrix.shape}; allowed are square "
            "matrices; see independent_block for a part that is"
        )
    return DenseFactors(matrix) if matrix.shape[0] <= DENSE_ORDER else _SparseFactors(matrix)
