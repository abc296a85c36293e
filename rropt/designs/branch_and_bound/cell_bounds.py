"""Lower bounds for the cells of branch and bound: the convex program over mixtures of generators (``cells``).

A primal-dual interior-point method solves the program, which has one or two dozen variables. At every step, adding a
multiple of pi to the multiplier alpha makes the inequality of a cell true, and this gives a bound. The best bound is
kept. The numbers are floats, and no certificate relies on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rropt.designs.engine.interior_point import room

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_STEPS, _CENTRE, _DAMPING, _DONE = 60, 0.1, 0.95, 1e-13  # of the interior-point method
_ROOM = 1e-11  # relative margin with which a dual of another cell must satisfy the inequality
_NEVER = 1e-13  # rows with a smaller sum are outputs that never occur
_SINGULAR = 1e12  # condition number of an information matrix above which floats are unreliable
_MISSED = 1e-7  # a cell whose conditions fail by more may be empty
_EMPTY = 1e-9  # margin of a proof that a cell is empty


class Task(NamedTuple):
    """The objective and the region in floats.

    Attributes:
        gamma: the largest ratio of two entries of a row, at the upper level.
        pi: the distribution of the categories, shape (k,).
        target: B, shape (k, s): the identity for a trace, one column for a contrast.
        constant: the number that the objective subtracts from ``tr B^T M^-1 B``.
        answers: the number m of outputs.
        bounds: lower and upper bounds on the entries, each of shape (m, k); None if there are no such bounds.
    """

    gamma: float
    pi: Array
    target: Array
    constant: float
    answers: int
    bounds: tuple[Array, Array] | None

    @property
    def alike(self) -> bool:
        """Whether the outputs are interchangeable: all have the same bounds."""
        return self.bounds is None or all(bool((rows == rows[0]).all()) for rows in self.bounds)


@dataclass(frozen=True, eq=False)
class FloatDual:
    """W, alpha and beta of a cell, and the bound that they prove."""

    w: Array
    alpha: Array
    beta: Array
    bound: float


def objective(task: Task, rows: Array) -> float:
    """Return the objective of a mechanism; infinity if its information matrix is nearly singular."""
    rows = rows[rows.sum(1) > _NEVER]
    information = (rows / (rows @ task.pi)[:, None]).T @ rows
    if np.linalg.cond(information) > _SINGULAR:
        return float("inf")
    return float(np.trace(task.target.T @ np.linalg.solve(information, task.target))) - task.constant


def _excess(task: Task, cones: Array, w: Array, alpha: Array, beta: Array) -> Array:
    """Return, for each generator, the multiple of pi to add to alpha for equality in the inequality of a cell."""
    means = cones @ task.pi
    slopes = (cones * (alpha + beta)[:, None, :]).sum(2)
    out: Array = ((cones @ w) ** 2).sum(2) / means**2 - slopes / means
    return out


def holds(task: Task, cones: Array, dual: FloatDual) -> bool:
    """Return whether a dual satisfies the inequality of a cell in a cell, with a small margin."""
    room = _ROOM * (np.abs(dual.alpha).sum() + np.abs(dual.beta).max(initial=0.0))
    return bool(_excess(task, cones, dual.w, dual.alpha, dual.beta).max() <= -room)


def _total(task: Task, alpha: Array, beta: Array) -> float:
    """Return the bound B of a dual, ``sum alpha + sum_ij max(beta_ij least_ij, beta_ij most_ij)``."""
    if task.bounds is None:
        return float(alpha.sum())
    return float(alpha.sum() + np.where(beta > 0, beta * task.bounds[1], beta * task.bounds[0]).sum())


def with_room(task: Task, dual: FloatDual, goal: float) -> FloatDual:
    """Increase alpha until the dual proves no more than the goal, so it is feasible in more cells."""
    along, reached = float((task.target * dual.w).sum()), _total(task, dual.alpha, dual.beta)
    if reached < 0:
        return FloatDual(dual.w, dual.alpha - reached / 2 * task.pi, dual.beta, dual.bound)
    if not along or goal <= -task.constant:
        return dual
    more = along**2 / (goal + task.constant) - reached
    return FloatDual(dual.w, dual.alpha + more * task.pi, dual.beta, goal) if more > 0 else dual


def lifted(task: Task, cones: Array, w: Array, alpha: Array, beta: Array) -> FloatDual:
    """Add the smallest multiple of pi to alpha that makes the dual feasible in a cell, and compute its bound.

    The bound is infinite if B becomes negative: the cell is then empty.
    """
    alpha = alpha + _excess(task, cones, w, alpha, beta).max() * task.pi
    reached, along = _total(task, alpha, beta), float((task.target * w).sum())
    if reached < -_EMPTY * (np.abs(alpha).sum() + np.abs(beta).sum()):
        return FloatDual(w, alpha, beta, float("inf"))
    bound = along**2 / reached - task.constant if reached > 0 else -float("inf")
    return FloatDual(w, alpha, beta, bound)


def solved(task: Task, cones: Array) -> tuple[FloatDual, Array]:
    """Return the best dual found for a cell, and the mixture w of shape (m, k), or (0, 0) if the cell is empty."""
    try:
        with np.errstate(all="ignore"):
            dual, w, failure = _interior_point(task, cones)
    except np.linalg.LinAlgError:  # the cones are too narrow for floats
        nothing = np.zeros_like(task.target), np.zeros(len(task.pi)), np.zeros(cones.shape[::2])
        return FloatDual(*nothing, -task.constant), np.ones(cones.shape[:2])
    if failure > _MISSED:
        empty = _emptiness(task, cones)
        if empty is not None:
            return empty, np.zeros((0, 0))
    return dual, w


def _conditions(task: Task, rays: Array, owners: NDArray[np.int_]) -> tuple[Array, Array, int]:
    """Return A and b of the conditions ``A (w, slacks) = b``, and the number of lower bounds among them."""
    n, k = rays.shape
    if task.bounds is None:
        return rays.T, np.ones(k), 0
    least, most = (rows.ravel() for rows in task.bounds)
    low, high = least > 0, most < 1
    sums = np.zeros((len(least), n))
    for j in range(n):
        sums[owners[j] * k : (owners[j] + 1) * k, j] = rays[j]
    nl, nh = int(low.sum()), int(high.sum())
    conditions = np.zeros((k + nl + nh, n + nl + nh))
    conditions[:k, :n], conditions[k : k + nl, :n], conditions[k + nl :, :n] = rays.T, sums[low], sums[high]
    conditions[k : k + nl, n : n + nl], conditions[k + nl :, n + nl :] = -np.eye(nl), np.eye(nh)
    return conditions, np.concatenate([np.ones(k), least[low], most[high]]), nl


def _multipliers(task: Task, y: Array, lows: int) -> tuple[Array, Array]:
    """Return alpha and beta, from the multipliers y of the conditions."""
    k = len(task.pi)
    beta = np.zeros((task.answers, k))
    if task.bounds is not None:
        flat = beta.ravel()
        flat[task.bounds[0].ravel() > 0] += np.minimum(y[k : k + lows], 0)
        flat[task.bounds[1].ravel() < 1] += np.maximum(y[k + lows :], 0)
    return y[:k], beta


def _interior_point(task: Task, cones: Array) -> tuple[FloatDual, Array, float]:
    """Return the best dual found, the mixture w, and the largest violation of the conditions."""
    m, k, _ = cones.shape
    means = cones @ task.pi
    rays, owners = (cones / means[:, :, None]).reshape(m * k, k), np.repeat(np.arange(m), k)
    conditions, right, lows = _conditions(task, rays, owners)
    n, size = m * k, conditions.shape[1]
    x = np.full(size, 1.0 / n)
    root = np.linalg.solve((rays * x[:n, None]).T @ rays, task.target)
    scale = float((task.target * root).sum())
    z, y = np.full(size, scale), np.zeros(len(right))
    best = lifted(task, cones, root, np.zeros(k), np.zeros((m, k)))
    for _ in range(_STEPS):
        try:
            inverse = np.linalg.inv((rays * x[:n, None]).T @ rays)
        except np.linalg.LinAlgError:
            break
        root = inverse @ task.target
        moved = rays @ root
        gradient, curvature = np.zeros(size), np.diag(z / x)
        gradient[:n] = -(moved**2).sum(1)
        curvature[:n, :n] += 2 * (rays @ inverse @ rays.T) * (moved @ moved.T)
        stationary, missed, mu = gradient - conditions.T @ y - z, conditions @ x - right, float(x @ z) / size
        value = float((task.target * root).sum())
        found = lifted(task, cones, root, *_multipliers(task, -y, lows))
        best = found if found.bound > best.bound else best
        if (
            best.bound == np.inf
            or not value
            or (max(np.abs(missed).max(), np.abs(stationary).max() / abs(value), mu * size / abs(value)) < _DONE)
        ):
            break
        rest = x * z - _CENTRE * mu
        whole = np.block([[curvature, -conditions.T], [conditions, np.zeros((len(right),) * 2)]])
        try:
            step = np.linalg.solve(whole, np.concatenate([-stationary - rest / x, -missed]))
        except np.linalg.LinAlgError:
            break
        dx, dy = step[:size], step[size:]
        dz = (-rest - z * dx) / x
        length = min(room(x, dx, _DAMPING), room(z, dz, _DAMPING))
        if not np.isfinite(length) or not np.isfinite(step).all():
            break
        x, y, z = x + length * dx, y + length * dy, z + length * dz
    w = x[:n].reshape(m, k) / means
    return best, w, float(np.abs(conditions @ x - right).max())


def _emptiness(task: Task, cones: Array) -> FloatDual | None:
    """Return a dual with W = 0 that proves that the cell contains no mechanism; None if no such dual is found."""
    from scipy.optimize import linprog

    m, k, _ = cones.shape
    owners = np.repeat(np.arange(m), k)
    rays = (cones / (cones @ task.pi)[:, :, None]).reshape(m * k, k)
    conditions, right, lows = _conditions(task, rays, owners)
    # Farkas' lemma: minimize right . y subject to y . conditions >= 0 in every column
    found = linprog(right, A_ub=-conditions.T, b_ub=np.zeros(conditions.shape[1]), bounds=(-1, 1), method="highs")
    if found.status != 0 or found.fun >= -_EMPTY:
        return None
    alpha, beta = _multipliers(task, found.x, lows)
    dual = lifted(task, cones, np.zeros_like(task.target), alpha, beta)
    return dual if dual.bound == np.inf else None
