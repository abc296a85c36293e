"""The step of every interior-point method of the library: a root of its matrix, and how long positivity lets it be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

_DAMPING = 0.995  # how much of the way to the boundary a step goes

_Step = tuple["Array", "Array", "Array"]  # the changes of x, w and z


def rooted_step(
    jacobian: Array, curvature: Array, w: Array, z: Array, excess: Array, rest: Array
) -> Callable[[float], _Step]:
    """Return the step from a point to ``w_j z_j = mu``, as a function of mu.

    It solves ``(P + J^T diag(w/z) J) x = r`` with a root of the matrix, as w/z ranges over thirty decades; QR is
    accurate in rows in order.

    Args:
        jacobian: J, the derivative of -z, shape (n, p).
        curvature: a root of P, shape (q, p).
        w: the multipliers, shape (n,).
        z: the slacks, shape (n,).
        excess: by how much z is more than it should be.
        rest: by how much the other conditions fail, shape (p,).
    """
    import numpy as np
    from scipy.linalg import solve_triangular

    rows = np.vstack([jacobian * np.sqrt(w / z)[:, None], curvature])
    scale = 1 / np.sqrt((rows**2).sum(0))
    order = np.argsort(-np.abs(rows).max(1), kind="stable")
    root = np.asarray(np.linalg.qr(rows[order] * scale, mode="r"))  # R^T R is the matrix of the step, scaled

    def step(mu: float) -> _Step:
        push = (mu - w * z + w * excess) / z
        left = right = rest - jacobian.T @ push
        x = np.zeros_like(right)
        for _ in range(3):  # two refinements: what QR has lost of the small parts
            x = x + scale * solve_triangular(root, solve_triangular(root, left * scale, trans="T"))
            along = w / z * (jacobian @ x)
            left = right - jacobian.T @ along - curvature.T @ (curvature @ x)
        return x, push + along, -excess - jacobian @ x

    return step


def room(x: Array, dx: Array, damping: float = _DAMPING) -> float:
    """Return how long a step may be, at most 1, for x to remain positive."""
    import numpy as np

    return float(min(1.0, damping * np.min(-x[dx < 0] / dx[dx < 0], initial=np.inf)))
