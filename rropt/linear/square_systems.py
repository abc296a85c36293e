"""Square rational systems and nullspaces: the choice between dense, float and sparse ways to solve exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from flint import fmpz_mat

from rropt.errors import InvalidParameterError
from rropt.linear.elimination import EliminationFactors, SingularMatrixError
from rropt.linear.integer_matrix import (
    IntegerArray,
    IntegerMatrix,
    RationalMatrix,
    RationalVector,
    integer_array,
    integer_rows,
)
from rropt.linear.lifting import FloatFactors, NoConvergenceError

# Up to this order FLINT's dense solver (a millisecond) beats the set-up of the sparse float route.
_DENSE_ORDER = 48


class Factors(Protocol):
    """A nonsingular square integer matrix, prepared for exact solutions."""

    def solve(self, rhs: IntegerArray, *, transposed: bool = False) -> RationalVector:
        """Return x with `A x = rhs`, or with `A^T x = rhs`."""
        ...


class DenseFactors:
    """A square integer matrix with exact solutions by FLINT (fraction-free elimination, or Dixon's p-adic lifting).

    Cost O(n^3) word operations and more with the length of the answer, which is at most that of the determinant.
    Source: Dixon, Exact solution of linear equations using p-adic expansions (1982).
    """

    def __init__(self, matrix: IntegerMatrix) -> None:
        self._shape = matrix.shape
        self._matrix = _flint_matrix(matrix)

    def solve(self, rhs: IntegerArray, *, transposed: bool = False) -> RationalVector:
        """Return x with `A x = rhs`, or with `A^T x = rhs`; raises SingularMatrixError."""
        matrix = self._matrix.transpose() if transposed else self._matrix
        try:
            solution = matrix.solve(fmpz_mat(len(rhs), 1, rhs.tolist()))
        except ZeroDivisionError:
            raise SingularMatrixError.of(self._shape) from None
        numerators, denominator = solution.numer_denom()
        return RationalVector(tuple(map(int, numerators.entries())), int(denominator))


class _SparseFactors:
    """Float factors as long as they serve, rational elimination from then on."""

    def __init__(self, matrix: IntegerMatrix) -> None:
        self._matrix = matrix
        self._factors: Factors
        try:
            self._factors = FloatFactors(matrix)
        except NoConvergenceError:
            self._factors = EliminationFactors(matrix)

    def solve(self, rhs: IntegerArray, *, transposed: bool = False) -> RationalVector:
        try:
            return self._factors.solve(rhs, transposed=transposed)
        except NoConvergenceError:
            self._factors = EliminationFactors(self._matrix)
            return self._factors.solve(rhs, transposed=transposed)


def factorise(matrix: IntegerMatrix) -> Factors:
    """Prepare a square integer matrix for exact solutions with several right-hand sides.

    Small matrices go to FLINT; large ones to a float LU with exact lifting, and, when that fails, to exact sparse
    elimination. Every route returns the same exact vectors.

    Raises:
        SingularMatrixError: the matrix is singular or not square; here, or at the first solution.
    """
    if matrix.shape[0] != matrix.shape[1]:
        raise SingularMatrixError.of(matrix.shape)
    return DenseFactors(matrix) if matrix.shape[0] <= _DENSE_ORDER else _SparseFactors(matrix)


def solve_square(matrix: RationalMatrix, rhs: Sequence[Fraction | int]) -> RationalVector:
    """Solve `A x = b` exactly for a nonsingular square rational matrix.

    Args:
        matrix: A, n rows, each a mapping from column to entry (sparse) or a sequence of n entries (dense);
            entries `int` or `Fraction`.
        rhs: b, shape `(n,)`, exact.

    Returns:
        x, shape `(n,)`: the exact solution, checked in integers.

    Raises:
        InvalidParameterError: the system is not square, or an entry is not exact.
        SingularMatrixError: A is singular.

    Example:
        >>> x = solve_square([[2, 1], [1, 3]], [1, Fraction(1, 2)])
        >>> [str(value) for value in x], [float(value) for value in x]
        (['1/2', '0'], [0.5, 0.0])
    """
    order = len(matrix)
    if len(rhs) != order:
        raise InvalidParameterError(
            f"the right-hand side does not fit: received {len(rhs)} entries for {order} rows; allowed is one per row; "
            "shorten or extend it"
        )
    right = RationalVector.of(rhs)
    integers, factors = integer_rows(matrix, order)
    scaled = integer_array(factor * value for factor, value in zip(factors, right.numerators, strict=True))
    solution = factorise(integers).solve(scaled)
    return RationalVector(solution.numerators, solution.denominator * right.denominator)


def nullspace(matrix: RationalMatrix, width: int | None = None) -> list[RationalVector]:
    """Return a basis of `{x : A x = 0}` in coprime integers, the first of them positive.

    Args:
        matrix: A, m rows, each a mapping from column to entry or a sequence of entries, `int` or `Fraction`.
        width: the number n of columns, when the rows do not tell it.

    Returns:
        n - rank(A) independent vectors of shape `(n,)`, from the reduced echelon form by FLINT: O(m n rank) on
        dense integers.

    Raises:
        InvalidParameterError: an entry is not exact, or rows differ in length.

    Example:
        >>> [[str(value) for value in x] for x in nullspace([[1, 2], [2, 4]])]
        [['2', '-1']]
    """
    basis, dimension = _flint_matrix(integer_rows(matrix, width)[0]).nullspace()
    vectors = [[int(basis[i, j]) for i in range(basis.nrows())] for j in range(dimension)]
    divisors = [math.gcd(*vector) * (1 if next(filter(None, vector)) > 0 else -1) for vector in vectors]
    return [RationalVector(tuple(x // d for x in vector)) for vector, d in zip(vectors, divisors, strict=True)]


def _flint_matrix(matrix: IntegerMatrix) -> Any:
    """Return the matrix as a dense `fmpz_mat`."""
    return fmpz_mat(*matrix.shape, [value for row in matrix.dense() for value in row])
