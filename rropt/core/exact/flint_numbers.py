"""Conversions between ``Fraction`` and the rationals of FLINT, whose arithmetic is many times faster."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.core.lazy import flint


def as_flint(value: Fraction | int) -> Any:
    """Return a fraction or an integer as a FLINT rational.

    >>> as_flint(Fraction(3, 4))
    3/4
    """
    try:
        return flint.fmpq(value._numerator, value._denominator)  # type: ignore[union-attr]  # properties cost as much again
    except (TypeError, AttributeError):  # an integer, or parts of another integer type, as in Fraction(numpy.int64(3))
        return flint.fmpq(int(value.numerator), int(value.denominator))


def as_fraction(value: Any) -> Fraction:
    """Return a FLINT rational as a ``Fraction``; it is in lowest terms already, so they are not computed again.

    >>> from flint import fmpq
    >>> as_fraction(fmpq(6, 8))
    Fraction(3, 4)
    """
    found = object.__new__(Fraction)
    found._numerator, found._denominator = int(value.p), int(value.q)  # type: ignore[attr-defined]
    return found


def flint_matrix(rows: Sequence[Sequence[Fraction]]) -> Any:
    """Convert a matrix of fractions to FLINT."""
    return flint.fmpq_mat(len(rows), len(rows[0]), [as_flint(x) for row in rows for x in row])


def fractions_of(matrix: Any) -> tuple[tuple[Fraction, ...], ...]:
    """Return the rows of a FLINT matrix as fractions."""
    return tuple(tuple(as_fraction(x) for x in row) for row in matrix.tolist())


def whole_products(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the product ``L^T R`` of two matrices of integers.

    >>> whole_products([[1, 2], [0, 1]], [[3, 0], [1, 5]])
    [[3, 0], [7, 5]]
    """
    first, second = (
        flint.fmpz_mat(len(rows), len(rows[0]), [x for row in rows for x in row]) for rows in (left, right)
    )
    return [[*map(int, row)] for row in (first.transpose() * second).tolist()]
