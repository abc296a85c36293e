"""Exact solution of a square rational system."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.errors import InvalidParameterError
from rropt.linear.systems.factors import factorise
from rropt.linear.systems.integer_matrix import integer_array
from rropt.linear.systems.rational_matrix import RationalMatrix, integer_rows
from rropt.linear.systems.rational_vector import RationalVector

__all__ = ["solve_square"]


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
