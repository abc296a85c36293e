"""Improve the last digits of E-optimal designs by Newton's method, starting from the interior-point solution.

Let C be the information matrix. The range of the multiplier X of the constraint ``C >= t unit`` lies in the eigenspace
of the least eigenvalue of C. If this eigenvalue is multiple or nearly multiple, the relative error of the
interior-point method stays near 1e-11. Write ``X = F F^T``. The number of columns of F is the number of eigenvalues of
X that exceed the complementary eigenvalues of the slack ``C - t unit``. Restricted to the rays with positive weight,
the optimality conditions become equations:

    (C - t unit) F = 0,   abs(c F)^2 = F_r v on these rays,   <unit, X> = 1,   and the equations of the weights.

F is unique only up to a rotation, and the weights need not be unique. Hence the method takes the step of minimum norm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rropt.core.lazy import numpy as np
from rropt.designs.engine.interior_point import Iterate, Program, balanced, ends

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Eigenvalue, RayCriterion

_STEPS, _ROUNDING, _RANK = 10, 1e-7, 1e-11  # steps; tolerance for negative weights; relative tolerance of the rank
_LEAST = (1.0, 1e-2, 1e2, 1e-4)  # tried in turn: a weight is positive if it exceeds this multiple of its slack
_CLOSED = 1e-15  # with a smaller relative gap no polishing is needed
_MANY, _CLOSED_OF_MANY = 500, 1e-14  # with more rays, a trial takes seconds, and a larger gap is enough


def polished(given: Program, rough: RayCriterion, point: Iterate) -> Iterate:
    """Polish a point by Newton's method, and return the best weights and the best dual found.

    Args:
        given: the program.
        rough: the criterion, for which ``is_polished``.
        point: the solution of the interior-point method.
    """
    criterion = cast("Eigenvalue", rough)

    value, bound = ends(given, criterion, point)
    best, closed = point, _CLOSED if len(point.w) <= _MANY else _CLOSED_OF_MANY
    with np.errstate(all="ignore"):
        for least in _LEAST:
            if value - bound <= closed * value:
                break
            other = _newton(given, criterion, best, least)
            if other is None:
                continue
            own, proved = ends(given, criterion, other)
            if own < value:
                best, value = best._replace(w=other.w), own
            if proved > bound:
                best, bound = best._replace(y=other.y, v=other.v, z=other.z), proved
    return best


def _newton(given: Program, criterion: Eigenvalue, point: Iterate, least: float) -> Iterate | None:
    """Solve the equations by Newton's method from a point; return None if the method fails."""
    (c, affine, right), unit = given, criterion.unit
    information = (c * point.w[:, None]).T @ c
    t = 1 / criterion.reached(point.w, point.y)
    x = criterion.matrix(point.y)
    values, vectors = np.linalg.eigh(x)
    beside = np.abs((vectors * ((information - t * unit) @ vectors)).sum(0))
    is_kept = values > float(right @ point.v) * beside
    f = (vectors * np.sqrt(np.maximum(values, 0)))[:, is_kept]
    kept = np.flatnonzero(point.w * float(right @ point.v) > least * point.z)
    if not len(kept) or not is_kept.any():
        return None
    lines, rows, w, v = c[kept], affine[kept], point.w[kept], point.v
    (d, r), n, p = f.shape, len(kept), len(right)
    size = np.concatenate([np.ones(d * r), w, np.ones(p + 1)])
    for _ in range(_STEPS):
        moved, slack = lines @ f, (lines * w[:, None]).T @ lines - t * unit
        parts = [(slack @ f).ravel(), (moved**2).sum(1) - rows @ v, [(f * (unit @ f)).sum() - 1], rows.T @ w - right]
        by_w = (lines[:, :, None] * moved[:, None, :]).reshape(n, -1)
        equations = [
            np.hstack([np.kron(slack, np.eye(r)), by_w.T, np.zeros((d * r, p)), -(unit @ f).reshape(-1, 1)]),
            np.hstack([2 * by_w, np.zeros((n, n)), -rows, np.zeros((n, 1))]),
            np.append(2 * (unit @ f).ravel(), np.zeros(n + p + 1))[None, :],
            np.hstack([np.zeros((p, d * r)), rows.T, np.zeros((p, p + 1))]),
        ]
        try:
            change = size * np.linalg.lstsq(np.vstack(equations) * size, -np.concatenate(parts), rcond=_RANK)[0]
        except np.linalg.LinAlgError:  # the singular values do not converge, for example if numbers overflowed
            return None
        f = f + change[: d * r].reshape(d, r)
        w, v, t = w + change[d * r : d * r + n], v + change[d * r + n : -1], t + float(change[-1])
        if not np.isfinite(f).all():
            return None
    if not w.min() > -_ROUNDING:
        return None
    whole = np.zeros(len(point.w))
    whole[kept] = np.maximum(w, 0)
    whole = whole if (made := balanced(given, whole)) is None else made
    y = criterion.coordinates(f @ f.T, (c * whole[:, None]).T @ c - t * unit)
    return Iterate(whole, affine @ v - criterion.values(y), y, v)
