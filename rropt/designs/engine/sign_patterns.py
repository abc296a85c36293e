"""Optimal reports of a number, in floats: the cone program over rows of entries 1 and gamma, by column generation.

A report z given the number x_j has variance V_j. With weights u_r and ``m_r = u_r z_r`` of the rows r in {1, gamma}^k,

    minimize t   s.t.   sum u_r r = 1,   sum m_r r = x,   sum_r (m_r^2/u_r) r_j - x_j^2 <= t  for all j

is the minimax variance; for given proportions y the sum ``sum_j y_j V_j`` takes the place of t. One z for each row
is enough, since two outputs with one row merge to their mean. The multipliers y, b, a define ``q_j(z) = y_j z^2 - 2 b_j
z + a_j``, and a row of the program is missing if ``sum_j r_j q_j(z) < 0`` for some z. The worst row at z has gamma
where q_j(z) is negative. Hence 2k + 1 rows are looked at in each round, one for each interval between the roots
(checker/values_way.md). Clarabel solves the program; nothing here is trusted.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Pattern = tuple[bool, ...]  # True where the entry is gamma

_TOLERANCE = 1e-10  # of Clarabel: its multipliers are then right to nine digits
_VIOLATED = 3e-9  # a row with a larger violation enters; smaller ones are removed by raising a
_FIRST = 1e-5, 1e-4  # the same of the first rounds, whose multipliers only find rows
_ROUNDS = 40  # six are enough for 33 values, twelve for 65
_FEW = 12  # more values start from the solution for every second value
_USED = 1e-7  # rows with a smaller weight are not used
_ZERO = 1e-13  # a smaller coefficient of a parabola, whose y sum to 1, is a rounding error


class PatternWeights(NamedTuple):
    """A solution in floats.

    Attributes:
        patterns: the rows of positive weight.
        weights: u, one for each of them.
        values: z, one for each of them.
        y, b, a: the multipliers, shape (k,), with sum b = 0.
    """

    patterns: tuple[Pattern, ...]
    weights: Array
    values: Array
    y: Array
    b: Array
    a: Array


@lru_cache(maxsize=8)
def best_reports(x: tuple[float, ...], gamma: float, shares: tuple[float, ...] | None = None) -> PatternWeights | None:
    """Return the best reports of numbers; None if the solver fails.

    Args:
        x: the numbers, ascending, from -1 to 1.
        gamma: exp(epsilon).
        shares: the proportions y whose mean variance is minimized; None for the largest variance.
    """
    size = (gamma + 1) / (gamma - 1)  # about the largest z: the program has numbers of order 1
    numbers, start = np.array(x) / size, set[Pattern]()
    if len(x) > _FEW:
        kept = sorted({*range(0, len(x), 2), len(x) - 1})
        own = None if shares is None else tuple(np.bincount(np.searchsorted(kept, range(len(x))), shares).tolist())
        coarse = best_reports(tuple(x[j] for j in kept), gamma, own)
        start = set() if coarse is None else _lifted(coarse.patterns, kept, len(x))
    listed = start | _thresholds(len(x))
    own_shares = None if shares is None else np.array(shares)
    tolerance, room = _FIRST
    for _ in range(_ROUNDS):
        order = sorted(listed)
        found = _solved(numbers, np.where(np.array(order), gamma, 1.0), own_shares, tolerance)
        if found is None:
            return None
        u, m, dual = found
        violated = {row for row in _worst_rows(*dual, gamma, room) if row not in listed}
        if not violated and tolerance == _TOLERANCE:
            break
        if not violated:
            tolerance, room = _TOLERANCE, _VIOLATED
        listed |= violated | {row[::-1] for row in violated}
    used = u > _USED
    patterns = tuple(row for row, own in zip(order, used, strict=True) if own)
    y, b, a = _balanced(*dual)
    return PatternWeights(patterns, u[used], m[used] / u[used] * size, y, b * size, a * size**2)


def _thresholds(k: int) -> set[Pattern]:
    """Return the rows "above a threshold" and "below it", and those of a single value."""
    steps = {tuple(j >= i for j in range(k)) for i in range(k + 1)}
    return (
        steps | {tuple(not own for own in row) for row in steps} | {tuple(j == i for j in range(k)) for i in range(k)}
    )


def _lifted(patterns: tuple[Pattern, ...], kept: list[int], k: int) -> set[Pattern]:
    """Return rows of k values that agree with rows of some of them; values between take the entry on either side."""
    left = [max(t for t, j in enumerate(kept) if j <= i) for i in range(k)]
    right = [min(t for t, j in enumerate(kept) if j >= i) for i in range(k)]
    both = {*patterns, *(row[::-1] for row in patterns)}
    return {tuple(row[t] for t in side) for row in both for side in (left, right)}


def _solved(
    x: Array, rows: Array, y: Array | None, tolerance: float
) -> tuple[Array, Array, tuple[Array, Array, Array]] | None:
    """Solve the cone program over some rows; return u, m and (y, b, a)."""
    import clarabel
    from scipy import sparse

    n, k = rows.shape
    cost = np.zeros(3 * n + 1)
    zero, r, eye = sparse.csc_matrix((k, n)), sparse.csc_matrix(rows.T), sparse.identity(n, format="csc")
    none = sparse.csc_matrix((k, 1))
    blocks = [sparse.hstack([r, zero, zero, none]), sparse.hstack([zero, r, zero, none])]
    right = [np.ones(k), x]
    cones = [clarabel.ZeroConeT(2 * k)]
    if y is None:
        cost[-1] = 1
        blocks.append(sparse.hstack([zero, zero, r, sparse.csc_matrix(-np.ones((k, 1)))]))
        right.append(x**2)
        cones.append(clarabel.NonnegativeConeT(k))
    else:
        cost[2 * n : 3 * n] = rows @ y
        blocks.append(sparse.csc_matrix(([1.0], ([0], [3 * n])), shape=(1, 3 * n + 1)))  # t = 0
        right.append(np.zeros(1))
        cones.append(clarabel.ZeroConeT(1))
    none = sparse.csc_matrix((n, 1))
    square = sparse.vstack(  # (u + s, 2 m, u - s) in the cone of order 3
        [
            sparse.hstack([-eye, 0 * eye, -eye, none]),
            sparse.hstack([0 * eye, -2 * eye, 0 * eye, none]),
            sparse.hstack([-eye, 0 * eye, eye, none]),
        ]
    ).tocsr()[np.arange(3 * n).reshape(3, n).T.ravel()]
    blocks.append(square)
    right.append(np.zeros(3 * n))
    cones += [clarabel.SecondOrderConeT(3)] * n
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    A = sparse.vstack(blocks).tocsc()
    nothing = sparse.csc_matrix((3 * n + 1, 3 * n + 1))
    found = clarabel.DefaultSolver(nothing, cost, A, np.concatenate(right), cones, settings).solve()
    point, prices = np.array(found.x), np.array(found.z)
    if not (np.isfinite(point).all() and np.isfinite(prices).all()) or point[:n].max() <= 0:
        return None
    own = np.maximum(prices[2 * k : 3 * k], 0.0) if y is None else y
    return point[:n], point[n : 2 * n], (own / own.sum(), -prices[k : 2 * k] / 2, prices[:k])


def roots_of(y: Array, b: Array, a: Array) -> Array:
    """Return the real roots of all q_j, ascending."""
    found = []
    for yj, bj, aj in zip(y.tolist(), b.tolist(), a.tolist(), strict=True):
        if yj < _ZERO:  # a line, or nothing
            found += [aj / (2 * bj)] if abs(bj) > _ZERO else []
        elif (square := bj * bj - yj * aj) > 0:
            found += [(bj - square**0.5) / yj, (bj + square**0.5) / yj]
    return np.sort(np.array(found))


def _worst_rows(y: Array, b: Array, a: Array, gamma: float, room: float) -> list[Pattern]:
    """Return the rows of the intervals between the roots for which ``(b.r)^2 <= (a.r)(y.r)`` fails by some room."""
    roots = roots_of(y, b, a)
    if not len(roots):
        return []
    points = np.concatenate([[roots[0] - 1], (roots[1:] + roots[:-1]) / 2, [roots[-1] + 1]])[:, None]
    below = np.unique((y * points - 2 * b) * points + a < 0, axis=0)
    rows = np.where(below, gamma, 1.0)
    left = rows @ a - (rows @ b) ** 2 / (rows @ y)
    return [tuple(row.tolist()) for row in below[left < -room]]


def _balanced(y: Array, b: Array, a: Array) -> tuple[Array, Array, Array]:
    """Return the multipliers for z + m in place of z, with m such that the sum of b is 0."""
    m = -b.sum()
    return y, b + m * y, a + 2 * m * b + m * m * y
