"""Exact positive semidefiniteness by LDL^T."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from rropt.core.errors import InvalidParameterError
from rropt.core.linear.rational_vectors import RationalVector


@dataclass(frozen=True, slots=True)
class LDLT:
    """`A = L D L^T` with L unit lower triangular and D nonnegative: A is positive semidefinite.

    Attributes:
        lower: rows of L, shape `(n, n)`, ones on the diagonal.
        diagonal: D, shape `(n,)`, nonnegative. A is positive definite iff no entry is 0.
    """

    lower: tuple[tuple[Fraction, ...], ...]
    diagonal: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class NegativeDirection:
    """A vector v with `v^T A v = value < 0`: A is not positive semidefinite."""

    vector: RationalVector
    value: Fraction


def ldlt(matrix: Sequence[Sequence[Fraction | int]]) -> LDLT | NegativeDirection:
    """Decide exactly whether a symmetric rational matrix is positive semidefinite, and prove it.

    Elimination without pivoting. Let S be the Schur complement after the first j steps and s = S[j, j].
    s < 0 is a direction: solve L^T v = e_j, then `v^T A v = s`. When s = 0 and some S[i, j] = t is not 0, the form
    on span(e_i, e_j) is `S[i, i] a^2 + 2 t a b`, negative at a = 1, b = -(S[i, i] + 1) / (2 t), where it is -1. When
    s = 0 and the rest of the column is 0, the step is skipped. So no permutation is ever needed.

    Args:
        matrix: A, shape `(n, n)`, symmetric, entries `int` or `Fraction`.

    Returns:
        `LDLT` when A is positive semidefinite, else a `NegativeDirection`. Cost O(n^3) rational operations.

    Raises:
        InvalidParameterError: A is not square or not symmetric.

    Example:
        >>> ldlt([[2, 1], [1, 1]]).diagonal
        (Fraction(2, 1), Fraction(1, 2))
        >>> ldlt([[1, 2], [2, 1]]).value
        Fraction(-3, 1)
    """
    work = _symmetric(matrix)
    order = len(work)
    lower = [[fmpq(int(i == j)) for j in range(order)] for i in range(order)]
    diagonal: list[Fraction] = []
    for j in range(order):
        pivot = work[j][j]
        below = [i for i in range(j + 1, order) if work[i][j] != 0]
        if pivot < 0:
            return _negative(lower, {j: fmpq(1)}, pivot)
        if pivot == 0 and below:
            i = below[0]
            return _negative(lower, {i: fmpq(1), j: -(work[i][i] + 1) / (2 * work[i][j])}, fmpq(-1))
        diagonal.append(_fraction(pivot))
        for i in below:
            factor = lower[i][j] = work[i][j] / pivot
            for k in below:
                if k <= i:
                    work[i][k] -= factor * work[k][j]
    return LDLT(tuple(tuple(map(_fraction, row)) for row in lower), tuple(diagonal))


def _symmetric(matrix: Sequence[Sequence[Fraction | int]]) -> list[list[Any]]:
    order = len(matrix)
    if any(len(row) != order for row in matrix):
        raise InvalidParameterError(
            f"the matrix is not square: received {order} rows of lengths {sorted({len(row) for row in matrix})}; "
            "allowed are n rows of length n; check its shape"
        )
    for i in range(order):
        for j in range(i):
            if matrix[i][j] != matrix[j][i]:
                raise InvalidParameterError(
                    f"the matrix is not symmetric: received different entries at ({i}, {j}) and ({j}, {i}); allowed "
                    "are symmetric matrices; take (A + A^T) / 2 for the same quadratic form"
                )
    return [[fmpq(value.numerator, value.denominator) for value in row] for row in matrix]


def _negative(lower: list[list[Any]], target: dict[int, Any], value: Any) -> NegativeDirection:
    """Solve `L^T v = target` by back substitution from the last nonzero entry of the target."""
    order = len(lower)
    v = [target.get(i, fmpq(0)) for i in range(order)]
    for j in range(order - 1, -1, -1):
        v[j] -= sum((lower[i][j] * v[i] for i in range(j + 1, order) if lower[i][j] != 0 and v[i] != 0), fmpq(0))
    return NegativeDirection(RationalVector.of(map(_fraction, v)), _fraction(value))


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
