"""Exact numbers from floats: a private mechanism below the level, and a dual that holds on all rays above it.

*The mechanism.* Weights are put back on ``sum_r theta_r r = 1`` in fractions (two corrections relative to their size),
shrunk a little, and what is left, nearly constant, is added to one output. It is private by an exact test.

*The dual.* Entries are rounded, and alpha is moved along pi until the inequality holds on every ray: only the rays that
may decide are worked out in fractions.

*The estimator.* A float estimator is rounded and made unbiased exactly by a change on k outputs. Its variance is
that of the efficient one up to the square of the error of floats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import frexp
from typing import TYPE_CHECKING

from rropt.certificates.rays import RayDual, Rows
from rropt.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt.solvers.engine.rays import Exponents, excess_pairs, float_rows, ray_row

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.solvers.engine.criteria import Array

_BITS = 64  # of entries of a dual and an estimator, relative to the largest
_WEIGHT_BITS = 120  # of weights: after two corrections their sums are right to about 1e-30
_NEGLIGIBLE = 1e-14  # weights below, relative to the largest, are roundings of 0
_SHRINKS = [Fraction(1, 10**p) for p in (18, 15, 13, 11, 9, 7, 5)]  # tried in turn
_NEAR = 1e-11  # rays within so much of the largest violation, relative, are worked out exactly


def rounded(x: float, largest: float, bits: int = _BITS) -> Fraction:
    """Return a float rounded to so many bits of the largest of its kind."""
    exponent = bits - frexp(largest or 1.0)[1]
    unit = Fraction(2) ** exponent
    return round(Fraction(x) * unit) / unit


def rounded_matrix(rows: Array) -> list[list[Fraction]]:
    """Return a matrix of floats in fractions, to ``_BITS`` bits of its largest entry."""
    import numpy as np

    largest = float(np.abs(rows).max())
    return [[rounded(float(x), largest) for x in row] for row in rows]


def with_zero_columns(rows: Array) -> tuple[tuple[Fraction, ...], ...]:
    """Return a matrix in fractions whose last row makes every column sum to 0."""
    *first, _ = rounded_matrix(rows)
    last = [-sum(column, Fraction(0)) for column in zip(*first, strict=True)]
    return tuple(map(tuple, [*first, last]))


def exact_mechanism(
    rays: Sequence[Exponents],
    weights: Array,
    gamma: Fraction,
    population: Sequence[Fraction],
    is_private: Callable[[Mechanism], bool],
    moments: Callable[[NDArray[np.intp]], Array],
    negligible: float,
) -> Mechanism | None:
    """Return a private mechanism with rows along few of the rays; None if there is none.

    Args:
        rays: exponents.
        weights: w_r, the probability of each ray's output, floats.
        gamma: exp(epsilon) at the level below.
        population: pi.
        is_private: the exact test.
        moments: of the rays with these indices, shape (n, p): their weighted sums stay what they are.
        negligible: rays with a smaller weight, relative to the largest, are left out.
    """
    import numpy as np
    from scipy.optimize import nnls

    kept = np.flatnonzero(weights > _NEGLIGIBLE * weights.max())
    columns = moments(kept)
    columns = columns / np.maximum(np.abs(columns).max(0), 1e-300)
    fewer = nnls(columns.T, columns.T @ weights[kept])[0]
    chosen = np.flatnonzero(fewer > negligible * fewer.max())
    rows = [ray_row(rays[int(kept[i])], gamma) for i in chosen]
    theta = [Fraction(float(fewer[i])) / dot(row, population) for i, row in zip(chosen, rows, strict=True)]
    floats = np.array([[float(x) for x in row] for row in rows])
    for _ in range(3):
        sums = (
            sum((t * x for t, x in zip(theta, column, strict=True)), Fraction(0)) for column in zip(*rows, strict=True)
        )
        left = np.array([float(1 - total) for total in sums])
        size = np.array([float(t) for t in theta])
        change = np.linalg.lstsq((floats * size[:, None]).T @ floats, left, rcond=None)[0]
        theta = [t + t * Fraction(float(x)) for t, x in zip(theta, floats @ change, strict=True)]
    if min(theta) < 0:
        return None
    unit = Fraction(2) ** (_WEIGHT_BITS - frexp(float(max(theta)))[1])
    for shrink in _SHRINKS:
        short = [int(t * (1 - shrink) * unit) / unit for t in theta]
        made = [[t * x for x in row] for t, row in zip(short, rows, strict=True) if t]
        rest = [1 - sum(column, Fraction(0)) for column in zip(*made, strict=True)]
        if min(rest) < 0:
            continue
        largest = max(range(len(made)), key=lambda i: max(made[i]))
        made[largest] = [x + y for x, y in zip(made[largest], rest, strict=True)]  # nearly constant: no excess grows
        mechanism = Mechanism(made)
        if is_private(mechanism):
            return mechanism
    return None


def lifted(
    dual: RayDual,
    rays: Sequence[Exponents],
    gamma: Fraction,
    population: Sequence[Fraction],
    phi: Callable[[list[Fraction]], Fraction],
    float_phi: Array,
) -> RayDual:
    """Return the dual with alpha moved along pi, as little as the inequality needs on every ray.

    Args:
        dual: alpha, beta and W, exact.
        rays: exponents of all rays.
        gamma: the level above.
        population: pi, without zeros.
        phi: the left side of the inequality at a row, exact or from above.
        float_phi: phi of each ray with ``r.pi = 1``, in floats.
    """
    import numpy as np

    shares = [float(x) for x in population]
    rows, excesses = float_rows(rays, float(gamma), shares)
    g = rows @ np.array([float(x) for x in dual.alpha])
    if dual.beta is not None:
        beta = dual.beta
        g = g + excesses @ np.array([float(beta[j][i]) for j, i in excess_pairs(len(shares))])
    violation = float_phi - g
    near = _NEAR * float(np.abs(float_phi).max() + np.abs(g).max())
    needed: Fraction | None = None
    for i in np.flatnonzero(violation >= violation.max() - near):
        row = ray_row(rays[int(i)], gamma)
        over = (phi(row) - dual.at(row, gamma)) / dot(row, population)
        needed = over if needed is None else max(needed, over)
    assert needed is not None
    # rounded up to a unit far below what floats resolve, so that alpha has short fractions
    unit = Fraction(2) ** (_BITS + 16 - frexp(float(max(map(abs, dual.alpha))) or 1.0)[1])
    lift = -((-needed * unit).__floor__()) / unit
    return dual._replace(alpha=tuple(a + lift * x for a, x in zip(dual.alpha, population, strict=True)))


def unbiased_estimator(
    mechanism: Mechanism, population: Sequence[Fraction], targets: Rows
) -> list[list[Fraction]] | None:
    """Return A with ``A P = C`` exactly and about the least variance, shape (r, m); None where none is found.

    The efficient estimator ``C M^+ P^T diag(1/lambda)`` in floats, rounded, and what is left of the equation put on k
    outputs that identify the population.
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
    floats = (target @ np.linalg.pinv(weighted)) / np.sqrt(chances)
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
    estimator: Rows, mechanism: Mechanism, population: Sequence[Fraction], targets: Rows
) -> list[list[Fraction]]:
    """Return ``A diag(lambda) A^T - (C pi)(C pi)^T``, exactly."""
    chances = mechanism.apply(population)
    weighted = [[x * p for x, p in zip(row, chances, strict=True)] for row in estimator]
    squares = fractions_of(flint_matrix(weighted) * flint_matrix(estimator).transpose())
    means = [dot(row, population) for row in targets]
    return [[x - a * b for x, b in zip(row, means, strict=True)] for row, a in zip(squares, means, strict=True)]
