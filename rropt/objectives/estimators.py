"""Exact numbers from floats: unbiased estimators, their covariance, and rounding towards what is proved.

A float estimator is rounded and made unbiased exactly by a change on k outputs. Its variance is that of the efficient
one up to the square of the error of floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import frexp, isqrt
from typing import TYPE_CHECKING

from rropt.core.exact.brackets import Bracket, ball, bracket
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

Matrix = Sequence[Sequence[Fraction]]

BITS = 64  # of entries of a dual and an estimator, relative to the largest
ROOT_BITS = 112  # of entries of a factor: finer than the error of an estimator in floats, squared
DIGITS = 40  # of logarithms of determinants, and significant digits of an end of a bracket


def rounded(x: float, largest: float, bits: int = BITS) -> Fraction:
    """Return a float rounded to the given number of bits of the largest of its kind."""
    exponent = bits - frexp(largest or 1.0)[1]
    unit = Fraction(2) ** exponent
    return round(Fraction(x) * unit) / unit


def rounded_matrix(rows: Array) -> list[list[Fraction]]:
    """Return a matrix of floats in fractions, to ``BITS`` bits of its largest entry."""
    import numpy as np

    largest = float(np.abs(rows).max())
    return [[rounded(float(x), largest) for x in row] for row in rows]


def with_zero_columns(rows: Array) -> tuple[tuple[Fraction, ...], ...]:
    """Return a matrix in fractions whose last row makes every column sum to 0."""
    *first, _ = rounded_matrix(rows)
    last = [-sum(column, Fraction(0)) for column in zip(*first, strict=True)]
    return tuple(map(tuple, [*first, last]))


def unbiased_estimator(
    mechanism: Mechanism, population: Sequence[Fraction], targets: Matrix, near: Array | None = None
) -> list[list[Fraction]] | None:
    """Return A with ``A P = C`` exactly and about the least variance, shape (r, m); None where none is found.

    The efficient estimator ``C M^+ P^T diag(1/lambda)`` in floats, rounded, and what is left of the equation put on k
    outputs that identify the population.

    Args:
        near: an estimator in floats to begin with in its place.
    """
    import numpy as np
    from scipy.linalg import qr

    if mechanism.outputs < mechanism.inputs:
        return None
    p = mechanism.to_numpy()
    pi = np.array([float(x) for x in population])
    chances = p @ pi
    weighted = p / np.sqrt(chances)[:, None]
    target = np.array([[float(x) for x in row] for row in targets])
    floats = (target @ np.linalg.pinv(weighted)) / np.sqrt(chances) if near is None else near
    if not np.isfinite(floats).all():
        return None
    exact = rounded_matrix(floats)
    _, triangle, order = qr(weighted.T, mode="economic", pivoting=True)
    k = mechanism.inputs
    if abs(triangle[k - 1, k - 1]) <= 1e-14 * abs(triangle[0, 0]):
        return None
    basis = sorted(int(i) for i in order[:k])
    rows = [mechanism.row(i) for i in basis]
    left = flint_matrix(targets) - flint_matrix(exact) * flint_matrix(mechanism.matrix)
    change = fractions_of(left * flint_matrix(rows).inv())
    for line, moves in zip(exact, change, strict=True):
        for i, x in zip(basis, moves, strict=True):
            line[i] += x
    return exact


def covariance_of(
    estimator: Matrix, mechanism: Mechanism, population: Sequence[Fraction], targets: Matrix
) -> list[list[Fraction]]:
    """Return ``A diag(lambda) A^T - (C pi)(C pi)^T``, exactly."""
    chances = mechanism.apply(population)
    weighted = [[x * p for x, p in zip(row, chances, strict=True)] for row in estimator]
    squares = fractions_of(flint_matrix(weighted) * flint_matrix(estimator).transpose())
    means = [dot(row, population) for row in targets]
    return [[x - a * b for x, b in zip(row, means, strict=True)] for row, a in zip(squares, means, strict=True)]


def lower_root(matrix: Matrix) -> list[list[Fraction]] | None:
    """Return a lower triangular F with ``F F^T`` nearly the matrix; None where it is not positive definite.

    Entries are rounded to ``ROOT_BITS`` bits of the largest.
    """
    bits = ROOT_BITS - frexp(float(max(row[i] for i, row in enumerate(matrix))))[1] // 2
    unit = Fraction(2) ** bits
    found: list[list[Fraction]] = []
    for i, row in enumerate(matrix):
        line: list[Fraction] = []
        for j, other in enumerate(found):
            line.append(Fraction(round((row[j] - dot(line, other[:j])) / other[j] * unit)) / unit)
        square = (row[i] - dot(line, line)) * unit**2
        if square < 1:
            return None
        line.append(isqrt(int(square)) / unit)
        found.append(line)
    return [line + [Fraction(0)] * (len(matrix) - len(line)) for line in found]


def is_dominant(matrix: Matrix) -> bool:
    """Return whether each diagonal entry is at least the sum of the absolute values next to it."""
    return all(
        row[i] >= sum((abs(x) for j, x in enumerate(row) if j != i), Fraction(0)) for i, row in enumerate(matrix)
    )


def rounded_up(x: Fraction, digits: int = DIGITS) -> Fraction:
    """Return a number rounded up to the given number of significant digits; as it is where it is no longer than
    that."""
    if len(str(x.denominator)) <= digits:
        return x
    unit = Fraction(2) ** (4 * digits - frexp(float(x))[1])
    return -((-x * unit).__floor__()) / unit


def log_of(numbers: Sequence[Fraction]) -> Bracket:
    """Return an enclosure of ``sum ln x``."""
    from flint import arb, ctx

    with ctx.workprec(4 * DIGITS + 64):
        total = arb(0)
        for x in numbers:
            total += ball(abs(x)).log()
        return bracket(total)


def ball_log(x: Fraction) -> Fraction:
    """Return a rational within about 1e-50 of ln x, relative."""
    return log_of([x]).upper


def spare(x: Fraction) -> Fraction:
    """Return the room that a logarithm of ``DIGITS`` digits needs."""
    return (1 + abs(x)) / Fraction(10) ** (DIGITS - 4)
