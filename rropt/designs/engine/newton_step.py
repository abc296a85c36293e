"""Compute the Newton step and the step length of the interior-point methods of this library."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

_DAMPING = 0.995  # fraction of the distance to the boundary that a step covers

_Step = tuple["Array", "Array", "Array"]  # the changes of x, w and z


def rooted_step(
    jacobian: Array, curvature: Array, w: Array, z: Array, excess: Array, rest: Array
) -> Callable[[float], _Step]:
    """Return the Newton step toward ``w_j z_j = mu``, as a function of mu.

    The step solves ``(P + J^T diag(w/z) J) x = r``. The entries of w/z differ by up to thirty orders of magnitude, so
    the function factors a square root of the matrix by QR and never forms the matrix. QR is accurate for each row if
    the rows are sorted by decreasing size.

    Args:
        jacobian: J, the derivative of -z with respect to x, shape (n, p).
        curvature: a matrix R with ``P = R^T R``, shape (q, p).
        w: the multipliers, shape (n,).
        z: the slacks, shape (n,).
        excess: the difference between z and the slack at the current point, shape (n,).
        rest: the residuals of the other conditions, shape (p,).
    """
    from scipy.linalg import solve_triangular

    rows = np.vstack([jacobian * np.sqrt(w / z)[:, None], curvature])
    scale = 1 / np.sqrt((rows**2).sum(0))
    order = np.argsort(-np.abs(rows).max(1), kind="stable")
    root = np.asarray(np.linalg.qr(rows[order] * scale, mode="r"))  # R^T R is the scaled matrix of the step

    def step(mu: float) -> _Step:
        push = (mu - w * z + w * excess) / z
        left = right = rest - jacobian.T @ push
        x = np.zeros_like(right)
        for _ in range(3):  # two steps of iterative refinement restore the small entries
            x = x + scale * solve_triangular(root, solve_triangular(root, left * scale, trans="T"))
            along = w / z * (jacobian @ x)
            left = right - jacobian.T @ along - curvature.T @ (curvature @ x)
        return x, push + along, -excess - jacobian @ x

    return step


def room(x: Array, dx: Array, damping: float = _DAMPING) -> float:
    """Return the largest step length, at most 1, with which x remains positive."""
    return float(min(1.0, damping * np.min(-x[dx < 0] / dx[dx < 0], initial=np.inf)))
