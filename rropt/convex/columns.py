"""Column generation: programs over weights of rows for nine categories and more, at delta = 0.

There are ``2^k - 2`` rows of 1 and 1/gamma. A *master* program has few of them; its dual solution prices all others,
in chunks of an array, and the rows whose prices are violated most are added. With a violation of at most ``worst``, for
rows with ``r.q = 1``, prices raised by ``worst q`` are valid, so that the optimum is between the value of the master
and its value changed by ``worst``. The loop ends when both agree; without this bound a value would only be plausible.

*Linear objectives* need no list of rows for any k (``of_lines``): the best row of a label has its large entries where
``c_j - y_j`` is positive. The first master has the rows of which the optimum over the entries consists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import INACCURATE, Solved, vertex_of
from rropt.convex.regions import TOO_MANY, Array, Limits, Rows, contrasts, scaled
from rropt.core.errors import UnsupportedProblemError

FROM = 9
"""Categories from which rows are generated; for fewer, all of them are listed."""

MOST_BY_DEFAULT = {"sum": 15, "information": 9, "one target": 20}
MOST_ON_REQUEST = {"sum": 20, "information": 12, "one target": 65}
"""Largest k: what takes at most about two seconds, and what takes at most about a minute."""

_CHUNK = 1 << 15
_MOST_ROUNDS, _ADDED = 60, 60
_AGREED = 1e-9  # relative distance of the value and the bound at which the loop ends
_LEAST_WEIGHT = 1e-9  # of a row that stays in a master with many rows
_MANY = 600


def require_size(limits: Limits, kind: str, most: dict[str, int]) -> None:
    """Require that a problem is not too large.

    Raises:
        UnsupportedProblemError: it has delta > 0, several levels, or too many categories.
    """
    if limits.has_one_level and limits.levels[0].delta is None and most[kind] < limits.k <= MOST_ON_REQUEST[kind]:
        raise UnsupportedProblemError(f"{TOO_MANY} by default: to_cvxpy() generates them for k = {limits.k}")
    if not limits.has_one_level or limits.levels[0].delta is not None or limits.k > most[kind]:
        raise UnsupportedProblemError(TOO_MANY)


def all_rows(k: int, gamma: float) -> Iterator[tuple[Array, Array]]:
    """Yield the exponents and the entries of all rows, in chunks."""
    for first in range(1, (1 << k) - 1, _CHUNK):
        numbers = np.arange(first, min(first + _CHUNK, (1 << k) - 1))
        bits = (numbers[:, None] >> np.arange(k)) & 1
        yield bits - 1.0, np.where(bits == 1, 1.0, 1 / gamma)


def swept_rows(G: Array, y: Array, q: Array, gamma: float) -> Iterator[tuple[Array, Array]]:
    """Yield the rows among which the most violated one is, if there is one target g: no list of 2^k rows is needed.

    ``(g.r)^2/(r.q) - y.r`` is the largest ``sum_j (2 t g_j - t^2 q_j - y_j) r_j`` over t. For each t the best row has
    its large entries where the coefficient is positive, and each coefficient changes its sign at most twice.
    """
    (g,) = G.T
    roots = np.sqrt(np.maximum(g**2 - q * y, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.concatenate([(g - roots) / q, (g + roots) / q, y / (2 * g)])
    ends = np.unique(ends[np.isfinite(ends)])
    if not len(ends):
        return
    places = np.concatenate([[ends[0] - 1], (ends[1:] + ends[:-1]) / 2, ends, [ends[-1] + 1]])
    bits = np.unique((2 * np.outer(places, g) - np.outer(places**2, q) - y > 0).astype(int), axis=0)
    bits = bits[(bits.sum(1) > 0) & (bits.sum(1) < len(g))]
    if len(bits):
        yield bits - 1.0, np.where(bits == 1, 1.0, 1 / gamma)


def thresholds(k: int) -> Array:
    """Return the exponents of the first master for numbers: below a threshold, and above it."""
    above = [[float(j >= count) for j in range(k)] for count in range(1, k)]
    return np.array([*above, *(1 - np.array(above))]) - 1.0


def first_rows(mean: Array) -> Array:
    """Return the exponents of the first master: single categories, all but one, and the most frequent categories."""
    k = len(mean)
    order = np.argsort(-mean)
    found = {tuple(row) for row in (*np.eye(k), *(1 - np.eye(k)))}
    for count in range(2, k - 1):
        found |= {tuple(float(j in set(order[:count])) for j in range(k))}
        found |= {tuple(float((j - shift) % k < count) for j in range(k)) for shift in range(k)}
    return np.array(sorted(found)) - 1.0


def generated(
    limits: Limits,
    first: Array,
    solved: Callable[[Rows], tuple[Any, float, Callable[[Array], Array], Iterator[tuple[Array, Array]]]],
) -> tuple[Any, float]:
    """Return what a master program finds when no other row improves it, and the bound of its relative error.

    Args:
        limits: the level.
        first: the exponents of the first master.
        solved: a function of the rows of a master. It returns what it found, the size of the value, a function of other
            rows, shape (n, k), that returns by how much each violates its price, relative to ``r.q``, and the rows
            among which the most violated one is.
    """
    powers = first
    for _ in range(_MOST_ROUNDS):
        rows = Rows(limits, powers=powers)
        found, size, violation, others = solved(rows)
        candidates: list[tuple[Array, Array]] = []
        for exponents, entries in others:
            excess = violation(entries)
            best = np.argpartition(-excess, min(_ADDED, len(excess) - 1))[:_ADDED]
            candidates.append((excess[best], exponents[best]))
        if not candidates:
            return found, 0.0
        excess, exponents = (np.concatenate(part) for part in zip(*candidates, strict=True))
        worst = max(float(excess.max()), 0.0) / size
        known = {tuple(row) for row in powers}
        new = [exponents[i] for i in np.argsort(-excess)[:_ADDED] if excess[i] > 0 and tuple(exponents[i]) not in known]
        if worst < _AGREED or not new:
            return found, worst
        if len(powers) > _MANY:
            weights = np.asarray(rows.weights.value)
            powers = powers[weights > _LEAST_WEIGHT * weights.max()]
        powers = np.vstack([powers, new])
    raise UnsupportedProblemError(INACCURATE)


def of_lines(lines: Array, gamma: float, sides: Array) -> tuple[Array, Array, Array]:
    """Return the labels, the large entries and the weights of the rows of a vertex of a linear objective.

        maximize  sum_r w_r c_d(r).r,   sum_r w_r r = sides,   w >= 0,   rows r of 1 and 1/gamma

    Args:
        lines: the coefficients c of the entries of each label d, shape (labels, k).
        gamma: the level.
        sides: the right sides.

    Raises:
        UnsupportedProblemError: the solver failed, or the rows do not suffice after many rounds.
    """
    k = len(sides)
    labels, large = _rows_of_entries(lines, gamma, sides)
    for _ in range(_MOST_ROUNDS):
        rows = np.where(large, 1.0, 1 / gamma)
        w = cp.Variable(len(rows), nonneg=True)
        columns = rows.T @ w == sides
        value = vertex_of(cp.Problem(cp.Maximize((rows * lines[labels]).sum(1) @ w), [columns]))
        prices = np.asarray(columns.dual_value, dtype=float)
        prices = prices * (np.sign(prices @ sides) * np.sign(value) or 1.0)  # the sign depends on the sense
        over = lines - prices
        best = over > 0
        for place in np.flatnonzero((best.sum(1) == 0) | (best.sum(1) == k)):  # a constant row is no edge
            nearest = np.argmin(abs(over[place]))
            best[place, nearest] = not best[place, nearest]
        better = np.flatnonzero((over * np.where(best, 1.0, 1 / gamma)).sum(1) > _AGREED)
        known = {(int(label), tuple(row)) for label, row in zip(labels, large, strict=True)}
        new = [label for label in better if (int(label), tuple(best[label])) not in known]
        if not new:
            return labels, large, np.asarray(w.value)
        labels, large = np.concatenate([labels, new]), np.vstack([large, best[new]])
    raise UnsupportedProblemError(INACCURATE)


def _rows_of_entries(lines: Array, gamma: float, sides: Array) -> tuple[Array, Array]:
    """Return the first master: single categories, and the rows of which the best mechanism over the entries consists.

    A row with the least entry t is ``t + e`` with ``0 <= e <= (gamma - 1) t``. It is a sum of rows whose large entries
    are those where e exceeds a threshold.
    """
    m, k = lines.shape
    least, more = cp.Variable((m, 1), nonneg=True), cp.Variable((m, k), nonneg=True)
    goal = cp.sum(cp.multiply(lines, more)) + lines.sum(1) @ least[:, 0]
    own = [cp.sum(more, axis=0) + cp.sum(least) == sides, (gamma - 1) * least >= more]
    vertex_of(cp.Problem(cp.Maximize(goal), own))
    found = {(0, tuple(row)): None for row in np.eye(k, dtype=bool)}
    for label in np.flatnonzero(least.value[:, 0] > _LEAST_WEIGHT):
        part = more.value[label] / ((gamma - 1) * least.value[label, 0])
        steps = np.sort(part)
        for low, high in pairwise(steps):
            if high - low > _LEAST_WEIGHT:
                found[int(label), tuple(part > (low + high) / 2)] = None
    return np.array([label for label, _ in found]), np.array([row for _, row in found])


def of_sum(limits: Limits, mean: Array, pose: Callable[[Rows], Any]) -> tuple[Any, Solved]:
    """Return a problem that is a sum over outputs, over the rows that it needs, with its value.

    Args:
        limits: the level.
        mean: the proportions.
        pose: a function that poses the problem over rows; the goal has ``phi``.
    """
    k, gamma = limits.k, float(limits.levels[0].gamma.value)
    basis = contrasts(k)

    def solved(rows: Rows) -> tuple[Any, float, Callable[[Array], Array], Any]:
        posed = pose(rows)
        phi, sign = posed.goal.phi, -1.0 if posed.is_minimised else 1.0
        own = posed.solved()
        columns, contrast = (np.asarray(each.dual_value, dtype=float) for each in posed.conditions[:2])
        factor = scaled(rows.rows @ basis)[1]
        unit = float(getattr(posed.goal.unit, "value", posed.goal.unit))
        y = float(columns) * mean + basis @ np.linalg.solve(factor.T, contrast)
        turned = np.sign(float(columns)) * np.sign(own.value) if own.value else 1.0
        y = y * unit * turned  # the sign of a dual value depends on the sense: the prices add up to the value

        def violation(entries: Array) -> Array:
            return np.asarray(sign * (phi(entries) - entries @ y) / (entries @ mean))

        return (posed, own), abs(own.value) or 1.0, violation, all_rows(k, gamma)

    (posed, own), worst = generated(limits, first_rows(mean), solved)
    return posed, Solved(own.value, own.error + worst * abs(own.value), own.solver)


def of_information(
    limits: Limits, mean: Array, pose: Callable[[Rows], Any], prices: Callable[[Any, Array], tuple[Array, Array, Array]]
) -> tuple[Any, Solved]:
    """Return a problem of the Fisher information over the rows that it needs, with its value.

    Args:
        limits: the level.
        mean: the proportions.
        pose: a function that poses the problem over rows.
        prices: a function of the solved problem and its weights that returns q, G and y (``witnesses.prices_of``).
    """

    def solved(rows: Rows) -> tuple[Any, float, Callable[[Array], Array], Any]:
        posed = pose(rows)
        own = posed.solved()
        q, G, y = prices(posed, np.maximum(np.asarray(rows.weights.value), 0.0))

        def violation(entries: Array) -> Array:
            chances = entries @ q
            return np.asarray(((entries @ G) ** 2).sum(1) / chances**2 - (entries @ y) / chances)

        others = swept_rows(G, y, q, gamma) if G.shape[1] == 1 else all_rows(limits.k, gamma)
        return (posed, own), abs(float(y.sum())) or 1.0, violation, others

    gamma = float(limits.levels[0].gamma.value)
    first = first_rows(mean) if limits.k <= MOST_ON_REQUEST["information"] else thresholds(limits.k)
    (posed, own), worst = generated(limits, first, solved)
    return posed, Solved(own.value, own.error + 2 * worst * max(abs(own.value), 1.0), own.solver)
