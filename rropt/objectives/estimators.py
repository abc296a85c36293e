"""Exact numbers from floats: unbiased estimators, their covariance, and conservative rounding.

A float estimator is rounded and then made exactly unbiased by a change on k outputs. Its variance exceeds that of the
efficient estimator by an amount of the order of the squared floating-point error.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, frexp
from typing import TYPE_CHECKING

from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array

Matrix = Sequence[Sequence[Fraction]]

BITS = 64  # of the entries of a dual solution and of an estimator, relative to the largest entry
DIGITS = 40  # of logarithms of determinants, and significant digits of a bound
LOG_BITS = 200  # precision of the logarithms in formulas


def rounded_to_bits(x: float | Fraction, largest: float, bits: int = BITS) -> Fraction:
    """Return a number rounded to a given number of bits relative to the largest number of its kind."""
    exponent = bits - frexp(largest or 1.0)[1]
    unit = Fraction(2) ** exponent
    return round(Fraction(x) * unit) / unit


def raised_to_bits(x: float | Fraction, largest: float | Fraction, bits: int) -> Fraction:
    """Return a number rounded up to a multiple of ``2^-bits``, relative to the largest number of its kind."""
    unit = Fraction(2) ** (frexp(largest or 1.0)[1] - bits)
    return ceil(Fraction(x) / unit) * unit


def rounded_matrix(rows: Array) -> list[list[Fraction]]:
    """Convert a matrix of floats to fractions, rounded to ``BITS`` bits relative to its largest entry."""
    largest = float(np.abs(rows).max(initial=0))
    return [[rounded_to_bits(float(x), largest) for x in row] for row in rows]


def with_zero_columns(rows: Array, groups: Sequence[int] | None = None) -> tuple[tuple[Fraction, ...], ...]:
    """Convert a matrix of floats to fractions and replace its last row so that every column sums to 0.

    Args:
        rows: the matrix.
        groups: how often each row counts in the sums; by default once.
    """
    *first, last = rounded_matrix(rows)
    *often, of_last = map(Fraction, groups or [1] * len(rows))
    sums = ([line[j] for line in first] for j in range(len(last)))
    return tuple(map(tuple, [*first, [-dot(often, column) / of_last for column in sums]]))


def unbiased_estimator(
    mechanism: Mechanism, population: Sequence[Fraction], targets: Matrix, near: Array | None = None
) -> list[list[Fraction]] | None:
    """Return A with ``A P = C`` exactly and nearly minimal variance, shape (r, m); None if no such A is found.

    The efficient estimator ``C M^+ P^T diag(1/lambda)`` is computed in floats and rounded. The remaining error of the
    equation is corrected on k outputs that identify the distribution of the categories. Categories with equal columns
    and equal targets are estimated as one category.

    Args:
        near: an estimator in floats to start from instead.
    """
    from scipy.linalg import qr

    categories = list(zip(*mechanism.matrix, *targets, strict=True))
    firsts = [categories.index(each) for each in dict.fromkeys(categories)]
    k = len(firsts)
    if mechanism.outputs < k:
        return None
    chances = mechanism.to_numpy() @ np.array([float(x) for x in population])
    p, matrix = mechanism.to_numpy()[:, firsts], [[row[j] for j in firsts] for row in mechanism.matrix]
    targets = [[row[j] for j in firsts] for row in targets]
    weighted = p / np.sqrt(chances)[:, None]
    target = np.array([[float(x) for x in row] for row in targets])
    floats = (target @ np.linalg.pinv(weighted)) / np.sqrt(chances) if near is None else near
    if not np.isfinite(floats).all():
        return None
    exact = rounded_matrix(floats)
    _, triangle, order = qr(weighted.T, mode="economic", pivoting=True)
    # the columns are dependent up to rounding: no rows are a basis
    if abs(triangle[k - 1, k - 1]) <= 1e-14 * abs(triangle[0, 0]):
        return None
    basis = sorted(int(i) for i in order[:k])
    rows = [matrix[i] for i in basis]
    left = flint_matrix(targets) - flint_matrix(exact) * flint_matrix(matrix)
    change = fractions_of(left * flint_matrix(rows).inv())
    for line, moves in zip(exact, change, strict=True):
        for i, x in zip(basis, moves, strict=True):
            line[i] += x
    return exact


def covariance_of(
    estimator: Matrix, mechanism: Mechanism, population: Sequence[Fraction], targets: Matrix
) -> list[list[Fraction]]:
    """Return the exact covariance ``A diag(lambda) A^T - (C pi)(C pi)^T`` of an estimator A."""
    chances = mechanism.apply(population)
    weighted = [[x * p for x, p in zip(row, chances, strict=True)] for row in estimator]
    squares = fractions_of(flint_matrix(weighted) * flint_matrix(estimator).transpose())
    means = [dot(row, population) for row in targets]
    return [[x - a * b for x, b in zip(row, means, strict=True)] for row, a in zip(squares, means, strict=True)]


def rounded_up(x: Fraction, digits: int = DIGITS) -> Fraction:
    """Return a number rounded up to the given number of significant digits; a shorter number is unchanged."""
    if x.denominator < 10**digits:
        return x
    unit = Fraction(2) ** (4 * digits - frexp(float(x))[1])
    return -((-x * unit).__floor__()) / unit


def rounding_margin(x: Fraction) -> Fraction:
    """Return a margin for the rounding error of a logarithm with ``DIGITS`` digits."""
    return (1 + abs(x)) / Fraction(10) ** (DIGITS - 4)
