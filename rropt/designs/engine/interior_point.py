"""Optimize the weights of rays by an interior-point method, in floats, for every objective (``criteria``).

Let ``s = r.pi``, let ``w_r`` be the probability of the output of ray r, and let the columns of ``L`` be an orthonormal
basis of the contrasts. With ``c_r = L^T r/s`` and ``h_r`` the excesses of ``r/s``, weights are feasible iff

    w >= 0,   sum_r w_r = 1,   sum_r w_r c_r = 0,   sum_r w_r h_r <= delta (one for each condition).

The weights are the Lagrange multipliers of the dual problem: minimize ``b.v - psi(Y)`` subject to ``phi_Y(c_r) <= F_r
v`` and ``beta >= 0``, where v = (a_0, a, beta), F_r = (1, c_r, h_r) and b = (1, 0, delta). Each iteration takes a
Newton step for the optimality conditions with ``w_r z_r = mu``, where z are the slacks. The value of mu follows
Mehrotra's predictor-corrector rule.

Two details reduce the relative error from 1e-9 to 1e-14. After each step the weights are projected onto the equations,
with corrections relative to their size. Square roots of nearly singular matrices use a lower bound on the eigenvalues
instead of failing. No certificate depends on the accuracy of this method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array, RayCriterion

CLOSED = 1e-15  # the relative gap at which the method stops unless another is given
_STEPS, _IDLE, _NEAR = 150, 5, 1e-7
_FEASIBLE = 1e-12  # tolerated error of the sums of weights: the exact rounding removes smaller errors
_LEAST_CENTRE, _MOST_CENTRE = 1e-4, 0.5
_DAMPING = 0.99
_COVERED = 0.995  # fraction of the distance to the boundary that a step covers


class Program(NamedTuple):
    """The data of the optimization problem over rays, in floats.

    Attributes:
        c: contrasts, shape (n, d). The last rows are zero, one for each condition beta_t >= 0.
        affine: F, shape (n, p). The last rows belong to the same conditions.
        right: b, shape (p,).
    """

    c: Array
    affine: Array
    right: Array


class Iterate(NamedTuple):
    """An iterate of the method: weights w, slacks z, and the dual variables Y and v."""

    w: Array
    z: Array
    y: Array
    v: Array


def program(c: Array, excesses: Array, deltas: Array) -> Program:
    """Return the program for rays with these contrasts and excesses (one column per condition with delta > 0)."""
    n, d, q = *c.shape, excesses.shape[1]
    affine = np.zeros((n + q, 1 + d + q))
    affine[:n] = np.column_stack([np.ones(n), c, excesses])
    affine[n:, 1 + d :] = np.eye(q)
    return Program(np.vstack([c, np.zeros((q, d))]), affine, np.concatenate([[1.0], np.zeros(d), deltas]))


def interior_point(given: Program, criterion: RayCriterion, weights: Array, precision: float = CLOSED) -> Iterate:
    """Run the interior-point method, and return the best iterate.

    Args:
        given: the program.
        criterion: the objective.
        weights: positive weights of the rays and the conditions.
        precision: a smaller relative gap ends the iteration.
    """
    c, affine, right = given
    w = np.array(weights)
    y = criterion.start(w)
    v = np.zeros(len(right))
    q = len(right) - 1 - c.shape[1]
    values = criterion.values(y)
    size = float(np.abs(values).max()) or 1.0
    v[0], v[1 + c.shape[1] :] = 2 * size, size / max(1, q)
    point = Iterate(w, affine @ v - values, y, v)
    with np.errstate(all="ignore"):
        return _descent(given, criterion, point, precision)


def _descent(given: Program, criterion: RayCriterion, point: Iterate, precision: float) -> Iterate:
    """Iterate, and return the best weights and the best Y and v.

    These may belong to different iterates, because rounding errors can spoil either of them in the last steps.
    """
    best, reached, proved, idle = point, np.inf, -np.inf, 0
    for _ in range(_STEPS):
        value, bound = ends(given, criterion, point)
        idle += 1
        if criterion.is_joint:  # the value of the weights depends on Y
            if value - bound < reached - proved:
                best, reached, proved, idle = point, value, bound, 0
        elif value < reached:
            best, reached, idle = best._replace(w=point.w), value, 0
        if bound > proved and not criterion.is_joint:
            best, proved, idle = best._replace(y=point.y, v=point.v, z=point.z), bound, 0
        # both may be 0
        gap = (reached - proved) / max(abs(proved), abs(reached), 1e-300)
        if gap < precision or (idle > _IDLE and gap < _NEAR):
            break
        try:
            step = _linearised(given, criterion, point)
            mu = criterion.complementarity(point.w, point.z, point.y)
            ahead = _moved(criterion, point, step(0.0))
            left = criterion.complementarity(ahead.w, ahead.z, ahead.y) / mu
            point = _moved(criterion, point, step(min(max(left**3, _LEAST_CENTRE), _MOST_CENTRE) * mu))
            w = balanced(given, point.w)
            point = point if w is None else point._replace(w=w)
        except ValueError:  # floating-point breakdown: a singular matrix, or entries that are not finite
            break
        if not np.isfinite(point.w).all() or not np.isfinite(point.v).all():
            break
    return best


def ends(given: Program, criterion: RayCriterion, point: Iterate) -> tuple[float, float]:
    """Return the value of the weights, and the bound from Y and v with a_0 raised until the inequality holds."""
    (_, affine, right), (w, _, y, v) = given, point
    is_feasible = np.abs(affine.T @ w - right).max() < _FEASIBLE
    try:
        value = criterion.reached(w, y) if is_feasible else np.inf
    except np.linalg.LinAlgError:  # the information matrix is singular in floats
        value = np.inf
    lift = max(0.0, float((criterion.values(y) - affine @ v).max()))
    bound = float(right @ v) + lift
    return value, criterion.proved(y, bound) if bound > 0 or criterion.takes_any_bound else -np.inf


def _linearised(given: Program, criterion: RayCriterion, point: Iterate) -> Callable[[float], Iterate]:
    """Return the Newton step toward ``w_r z_r = mu``, as a function of mu.

    The step solves ``(P + J^T diag(w/z) J) x = r``, where J is the derivative of -z with respect to x = (Y, v), r are
    the residuals of the other conditions, and ``P = R^T R`` is the curvature. The entries of w/z differ by up to thirty
    orders of magnitude, so the function factors a square root of the matrix by QR and never forms the matrix. QR is
    accurate for each row if the rows are sorted by decreasing size.
    """
    from scipy.linalg import solve_triangular

    (_, affine, right), (w, z, y, v) = given, point
    excess = z - (affine @ v - criterion.values(y))
    slopes, root_of_curvature = criterion.derivatives(w, y)
    free = slopes.shape[1]
    curvature = np.pad(root_of_curvature, ((0, 0), (0, affine.shape[1])))
    jacobian = np.hstack([slopes, -affine])
    rows = np.vstack([jacobian * np.sqrt(w / z)[:, None], curvature])
    scale = 1 / np.sqrt((rows**2).sum(0))
    order = np.argsort(-np.abs(rows).max(1), kind="stable")
    root = np.asarray(np.linalg.qr(rows[order] * scale, mode="r"))  # R^T R is the scaled matrix of the step

    def step(mu: float) -> Iterate:
        rest = np.concatenate([criterion.residual(w, y, mu), affine.T @ w - right])
        push = (mu - w * z + w * excess) / z
        left = target = rest - jacobian.T @ push
        x = np.zeros_like(target)
        for _ in range(3):  # two steps of iterative refinement restore the small entries
            x = x + scale * solve_triangular(root, solve_triangular(root, left * scale, trans="T"))
            along = w / z * (jacobian @ x)
            left = target - jacobian.T @ along - curvature.T @ (curvature @ x)
        return Iterate(push + along, -excess - jacobian @ x, criterion.whole_step(y, x[:free], mu), x[free:])

    return step


def _moved(criterion: RayCriterion, point: Iterate, change: Iterate) -> Iterate:
    """Return the point after the longest damped step that keeps the weights, slacks and matrices positive."""
    length = min(room(point.w, change.w, _DAMPING), room(point.z, change.z, _DAMPING))
    length = min(length, criterion.room(point.y, change.y))
    return Iterate(*(x + length * dx for x, dx in zip(point, change, strict=True)))


def balanced(given: Program, w: Array) -> Array | None:
    """Return weights ``w (1 + F u)`` that satisfy the equations, with u minimal; None if one is not positive."""
    affine, right = given.affine, given.right
    rows = affine * np.sqrt(w)[:, None]
    change = np.linalg.lstsq(rows.T @ rows, right - affine.T @ w, rcond=None)[0]
    factor = 1 + affine @ change
    return None if factor.min() <= 0 else np.asarray(w * factor)


def room(x: Array, dx: Array, damping: float = _COVERED) -> float:
    """Return the largest step length, at most 1, with which x remains positive."""
    return float(min(1.0, damping * np.min(-x[dx < 0] / dx[dx < 0], initial=np.inf)))
