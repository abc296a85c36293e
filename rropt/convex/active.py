"""The active set of a problem that is linear in the weights of rows: traces, losses, payoffs, and sums over outputs.

    maximize or minimize  sum_r w_r phi(r),   sum_r w_r r = 1,   sum_r w_r max(0, r_j - gamma r_l) <= delta,   w >= 0.

All right sides are moved by random numbers of relative size ``_MOVED``, so that the solution is a vertex that is not
degenerate: as many rows have weight as there are equations and tight conditions. Only their names are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.columns import FROM, of_lines
from rropt.convex.objectives import user_defined
from rropt.convex.objectives.goal import number
from rropt.convex.objectives.trace import listed
from rropt.convex.posing import vertex_of
from rropt.convex.regions import Array, Limits, Rows, limits_of, named_edges, numbers, rows_of
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.active_sets import Active, ActiveRow

_MOVED = 1e-5
_POSITIVE = 1e-9  # of a weight and of a slack, relative to 1 and to delta: others have about the size _MOVED
LINEAR = ("trace", "loss", "payoff")
"""Kinds of objectives whose rows have labels: outputs or decisions."""
SUMS = (
    "total-variation",
    "chi-square",
    "kullback-leibler",
    "hellinger",
    "jensen-shannon",
    "alpha-divergence",
    "mutual-information",
)
"""Kinds of objectives that are sums over the outputs."""


def active_set(data: dict[str, Any], seed: int = 0, objective: Any = None) -> Active:
    """Return the active set of a problem.

    Args:
        data: the problem as JSON, at one level.
        seed: of the moves.
        objective: the objective itself, if it is one of a third party with ``of_row``.

    Raises:
        UnsupportedProblemError: the objective is not linear in weights of rows, the region has several levels, or a
            solver failed.
    """
    region = data["region"]
    k = int(region.get("region", region)["inputs"])
    limits = limits_of(region, k)
    if limits.bounds is not None or ("family" in region and region["family"] != "all"):
        raise UnsupportedProblemError("rows are listed without bounds of the entries")
    if not limits.has_one_level:
        return _under_levels(data, limits, objective, seed)
    outputs = region.get("outputs", "any")
    if k >= FROM and data["objective"]["kind"] in LINEAR and limits.levels[0].delta is None:
        return _generated(data, limits, outputs, seed)
    rows = rows_of(limits)
    labels, values = _values(data, rows, objective)
    _require_outputs(outputs, labels)
    return _vertex(rows, labels, values, -1 if _is_minimised(data["objective"], objective) else 1, seed)


def _require_outputs(outputs: Any, labels: Sequence[int]) -> None:
    """Require that the number of outputs is no restriction.

    Raises:
        UnsupportedProblemError: it is one.
    """
    if outputs != "any" and (not labels or int(outputs) < len(labels)):
        raise UnsupportedProblemError("not convex with a given number of outputs")


def _generated(data: dict[str, Any], limits: Limits, outputs: Any, seed: int) -> Active:
    """Return the active set of a linear objective of many categories, by the rows that are needed (``columns``)."""
    own, pi = data["objective"], _proportions(data["population"], limits.k)
    lines = _module(own["kind"]).lines(own, pi) * (-1.0 if _is_minimised(own, None) else 1.0)
    _require_outputs(outputs, range(len(lines)))
    sides = 1 + _MOVED * np.random.default_rng(seed).random(limits.k)
    labels, large, weights = of_lines(lines / (abs(lines).max() or 1.0), float(limits.levels[0].gamma.value), sides)
    kept = np.flatnonzero(weights > _POSITIVE)
    return Active(tuple(ActiveRow(int(labels[i]), tuple(map(int, large[i]))) for i in kept))


def _under_levels(data: dict[str, Any], limits: Limits, objective: Any, seed: int) -> Active:
    """Return the active set of a sum over the outputs under several levels."""
    if limits.curves or limits.is_relaxed or data["objective"]["kind"] in LINEAR:
        raise UnsupportedProblemError("rows are listed for sums over the outputs under finitely many levels")
    both = named_edges(limits.k, limits.levels)
    rows = Rows(limits, listed=np.array([row for row, _ in both]))
    values = _values(data, rows, objective)[1][0]
    rng, listed = np.random.default_rng(seed), rows.rows
    w = cp.Variable(len(listed), nonneg=True)
    conditions, slacks = [listed.T @ w == 1 + _MOVED * rng.random(limits.k)], []
    for n, level in enumerate(limits.levels):
        if level.delta is None:
            continue
        gamma, delta = float(level.gamma.value), float(level.delta.value)
        over = [np.maximum(0.0, listed[:, j] - gamma * listed[:, other]) / delta for j, other in level.pairs]
        slack = 1 + _MOVED * rng.random(len(over)) - np.array(over) @ w
        conditions.append(slack >= 0)
        slacks.append((n, level.pairs, slack))
    sign = -1 if _is_minimised(data["objective"], objective) else 1
    vertex_of(cp.Problem(cp.Maximize(sign * values / (abs(values).max() or 1.0) @ w), conditions))
    found = [ActiveRow(-1, both[i][1]) for i in np.flatnonzero(w.value > _POSITIVE)]
    tight = [
        (n, *pair) for n, pairs, slack in slacks for pair, x in zip(pairs, slack.value, strict=True) if x < _POSITIVE
    ]
    return Active(tuple(found), tuple(tight))


def _proportions(given: Any, k: int) -> Array:
    return np.full(k, 1 / k) if isinstance(given, dict) and "uniform" in given else listed(given)


def _is_minimised(own: dict[str, Any], objective: Any) -> bool:
    if hasattr(objective, "of_row"):
        return bool(objective.sense == "minimise")
    return own["kind"] == "loss" or (own["kind"] == "bayes" and _is_minimised(own["objective"], None))


def _values(data: dict[str, Any], rows: Rows, objective: Any) -> tuple[list[int], Array]:
    """Return the labels, and phi of each row with each label, shape (labels, n)."""
    own, k, given = data["objective"], rows.limits.k, data["population"]
    if own["kind"] not in (*LINEAR, *SUMS, "bayes") and not hasattr(objective, "of_row"):
        raise UnsupportedProblemError("the objective is not linear in the weights of rows")
    if isinstance(given, dict) and "uniform" not in given:
        raise UnsupportedProblemError("the worst case over several distributions is not linear in the weights")
    pi = _proportions(given, k)
    if own["kind"] in LINEAR:
        lines = _module(own["kind"]).lines(own, pi)
        return list(range(len(lines))), lines @ rows.rows.T
    return [], _phi(own, rows, pi, objective)[None, :]


def _phi(own: dict[str, Any], rows: Rows, pi: Array, objective: Any) -> Array:
    """Return phi of each row."""
    if own["kind"] == "bayes":
        parts = [_phi(own["objective"], rows, np.array(numbers(each)), objective) for each in own["populations"]]
        return np.asarray(np.array(numbers(own["weights"])) @ parts)
    if own["kind"] in LINEAR:
        payoffs = _module(own["kind"]).lines(own, pi) @ rows.rows.T
        if own["kind"] == "payoff":
            return np.asarray(payoffs.max(0))
    if own["kind"] in SUMS:
        goal = _module(own["kind"]).goal(own, rows, pi)
    elif hasattr(objective, "of_row"):
        goal = user_defined.goal(objective, rows, pi)
    else:
        raise UnsupportedProblemError("the objective is not linear in the weights of rows")
    return np.asarray(number(goal.unit) * goal.expression.args[0].value).ravel()


def _module(kind: str) -> Any:
    from rropt.convex.designs.problem import _module as module_of

    return module_of(kind)


def _vertex(rows: Rows, labels: list[int], values: Array, sign: int, seed: int) -> Active:
    """Solve the moved program, and return what is positive and what is tight."""
    rng = np.random.default_rng(seed)
    (level,) = rows.limits.levels
    listed, k, count = rows.rows, rows.limits.k, len(values)
    gamma = float(level.gamma.value)
    used = _distinct(np.asarray(rows.powers), gamma, has_delta=level.delta is not None)
    listed, values = listed[used], values[:, used] * sign / (abs(values[:, used]).max() or 1.0)
    w = cp.Variable((count, len(listed)), nonneg=True)
    total = cp.sum(w, axis=0)
    conditions = _columns(listed, total, gamma, _MOVED * rng.random(k), has_delta=level.delta is not None)
    pairs = level.pairs if level.delta is not None else []
    slack = None
    if pairs:
        delta = float(level.delta.value)
        over = np.array([np.maximum(0.0, listed[:, j] - gamma * listed[:, other]) for j, other in pairs]) / delta
        slack = 1 + _MOVED * rng.random(len(pairs)) - over @ total
        conditions.append(slack >= 0)
    program = cp.Problem(cp.Maximize(cp.sum(cp.multiply(values, w))), conditions)
    vertex_of(program)
    powers = np.asarray(rows.powers)[used]
    found = [
        ActiveRow(labels[i] if labels else -1, _exponents(powers[r], gamma))
        for i, r in np.argwhere(w.value > _POSITIVE)
    ]
    tight = [pair for pair, x in zip(pairs, slack.value, strict=True) if x < _POSITIVE] if slack is not None else []
    return Active(tuple(found), tuple(tight))


def _columns(listed: Array, total: Any, gamma: float, moves: Array, *, has_delta: bool) -> list[Any]:
    """Return the equations ``sum_r w_r r = 1``, moved.

    At delta = 0 the rows are 1 and ``1/gamma``: near ``gamma = 1`` they differ by less than the moves, and by less than
    a solver distinguishes. So the number t of small entries in a column is an unknown, which is equal for all columns.
    """
    if has_delta or gamma == 1:
        return [listed.T @ total == 1 + moves]
    t = cp.Variable()
    is_small = (listed < (1 + 1 / gamma) / 2).astype(float)
    return [is_small.T @ total == t + moves, cp.sum(total) == 1 + (1 - 1 / gamma) * t]


def _distinct(powers: Array, gamma: float, *, has_delta: bool) -> Array:
    """Return the places of the edges: at gamma = 1 rows with the same zeros are equal.

    The constant row is no edge at delta = 0: it is a row and its complement, divided by ``1 + gamma``.
    """
    if not has_delta:
        return np.flatnonzero(powers.min(1) < powers.max(1))
    if gamma != 1:
        return np.arange(len(powers))
    return np.asarray(np.unique(np.isfinite(powers), axis=0, return_index=True)[1])


def _exponents(powers: Array, gamma: float) -> tuple[int | None, ...]:
    least = powers[np.isfinite(powers)].min()
    return tuple((0 if gamma == 1 else int(x - least)) if np.isfinite(x) else None for x in powers)
