"""The nullspace of a rational matrix."""

from __future__ import annotations

import math

from rropt.linear.systems.dense_factors import flint_matrix
from rropt.linear.systems.rational_matrix import RationalMatrix, integer_rows
from rropt.linear.systems.rational_vector import RationalVector

__all__ = ["nullspace"]


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
    basis, dimension = flint_matrix(integer_rows(matrix, width)[0]).nullspace()
    vectors = [[int(basis[i, j]) for i in range(basis.nrows())] for j in range(dimension)]
    return [_primitive(vector) for vector in vectors]


def _primitive(vector: list[int]) -> RationalVector:
    divisor = math.gcd(*vector)
    if next(value for value in vector if value) < 0:
        divisor = -divisor
    return RationalVector(tuple(value // divisor for value in vector))
