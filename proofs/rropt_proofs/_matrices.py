"""Matrices of procedures, exact: an oracle that uses nothing of the library's mechanisms.

Rows are responses, columns are true categories and sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import inf

from rropt.claims.outcomes import value_text

Numbers = tuple[Fraction, ...]
Rows = tuple[Numbers, ...]


def matrix(rows: str | Sequence[Sequence[object]]) -> Rows:
    """Return an exact matrix, from rows of numbers or from text such as ``"1/2 1/4; 1/2 3/4"``."""
    listed = [part.split() for part in rows.split(";")] if isinstance(rows, str) else rows
    return tuple(tuple(Fraction(str(x)) for x in row) for row in listed)


def text(rows: Rows) -> str:
    """Return a matrix on one line, its rows in brackets."""
    return "[" + ", ".join("[" + ", ".join(map(value_text, row)) + "]" for row in rows) + "]"


def identity(size: int) -> Rows:
    """Return the identity matrix."""
    return tuple(tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size))


def binary(p00: Fraction, p11: Fraction) -> Rows:
    """Return the procedure with ``Pr(X = i | x = i) = p_ii`` for the truths 0 and 1."""
    return ((p00, 1 - p11), (1 - p00, p11))


def gamma_diagonal(gamma: Fraction, m: int, k: int) -> Rows:
    """Return the m x k matrix with gamma/(gamma + m - 1) on the diagonal and 1/(gamma + m - 1) elsewhere."""
    below = gamma + m - 1
    return tuple(tuple((gamma if i == j else Fraction(1)) / below for j in range(k)) for i in range(m))


def product(left: Rows, right: Rows) -> Rows:
    """Return the product of two matrices that fit."""
    columns = list(zip(*right, strict=True))
    return tuple(
        tuple(sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in columns) for row in left
    )


def kronecker(left: Rows, right: Rows) -> Rows:
    """Return the Kronecker product: the entries of the left matrix, each times the right one."""
    return tuple(tuple(x * y for x in row for y in other) for row in left for other in right)


def solution(rows: Rows, right: Numbers) -> Numbers:
    """Return the solution of a square linear system, by elimination without an exchange of rows.

    Raises:
        ZeroDivisionError: a pivot is 0.
    """
    work = [(*row, x) for row, x in zip(rows, right, strict=True)]
    for column in range(len(work)):
        pivot = tuple(x / work[column][column] for x in work[column])
        work = [
            pivot if i == column else tuple(x - row[column] * y for x, y in zip(row, pivot, strict=True))
            for i, row in enumerate(work)
        ]
    return tuple(row[-1] for row in work)


def determinant(rows: Rows) -> Fraction:
    """Return the determinant, by expansion along the first row."""
    if not rows:
        return Fraction(1)
    return sum(((-1) ** j * x * determinant(_minor(rows, 0, j)) for j, x in enumerate(rows[0])), Fraction(0))


def _minor(rows: Rows, i: int, j: int) -> Rows:
    """Return the matrix without row i and column j."""
    return tuple((*row[:j], *row[j + 1 :]) for u, row in enumerate(rows) if u != i)


def adjugate_inverse(rows: Rows) -> Rows:
    """Return the inverse as the adjugate over the determinant.

    Raises:
        ZeroDivisionError: the determinant is 0.
    """
    size, whole = range(len(rows)), determinant(rows)
    return tuple(tuple((-1) ** (i + j) * determinant(_minor(rows, j, i)) / whole for j in size) for i in size)


def trace(rows: Rows) -> Fraction:
    """Return the sum of the diagonal."""
    return sum((rows[i][i] for i in range(len(rows))), Fraction(0))


def is_tpm(rows: Rows) -> bool:
    """Return whether all entries are nonnegative and every column sums to 1."""
    return min(map(min, rows)) >= 0 and all(sum(column) == 1 for column in zip(*rows, strict=True))


def row_ratio(high: Fraction, low: Fraction) -> Fraction | float:
    """Return high/low with 0/0 = 1 and a/0 infinite."""
    if low:
        return high / low
    return inf if high else Fraction(1)


def row_parity(row: Numbers) -> Fraction | float:
    """Return the largest ratio of two entries of a row, over all pairs."""
    return max(row_ratio(x, y) for x in row for y in row)


@cache
def parity(rows: Rows) -> Fraction | float:
    """Return the parity: the largest row parity."""
    return max(map(row_parity, rows))
