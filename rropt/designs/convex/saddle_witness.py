"""The saddle point of minimax designs over a polytope of distributions by CVXPY (``saddle_designs``).

This computation is independent of the engine. For all proportions, W is a symmetric matrix (at the optimum
``W 1 = pi``), and the convex program is

    maximize  2 tr W - sum alpha - pi . pi   subject to   abs(S W)^2/(S . pi) <= alpha . S  for all staircase rows S,

with pi = sum_l x_l v_l over the vertices v_l. For a contrast c, a vector y replaces W, ``c . y`` replaces tr W, and
``(c . pi)^2`` replaces pi . pi. The multiplier of S is its weight in the mechanism.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from rropt.designs.convex import is_solved, load_cvxpy
from rropt.designs.engine.populations import SaddlePoint


def convex_saddle(gamma: float, vertices: Sequence[Sequence[float]], contrast: Sequence[float] | None) -> SaddlePoint:
    """Compute the saddle point by CVXPY.

    If the solver fails, return randomized response and the mean of the vertices.
    """
    import numpy as np

    cp = load_cvxpy()
    corners = np.array(vertices)
    count, k = corners.shape
    bits = list(product((0, 1), repeat=k))[1:-1]
    shares = cp.Variable(count, nonneg=True)
    alpha, pi = cp.Variable(k), corners.T @ shares
    if contrast is None:
        matrix = cp.Variable((k, k), symmetric=True)
        gain, less = cp.trace(matrix), cp.sum_squares(pi)
    else:
        c = np.array([contrast])
        matrix = cp.Variable((k, 1))
        gain, less = cp.sum(c @ matrix), cp.square(c @ pi)
    rows = 1 + (gamma - 1) * np.array(bits)
    conditions = [cp.quad_over_lin(row @ matrix, row @ pi) <= row @ alpha for row in rows]
    conditions.append(cp.sum(shares) == 1)
    if not is_solved(cp.Problem(cp.Maximize(2 * gain - cp.sum(alpha) - cp.sum(less)), conditions)):
        single = np.array([float(sum(row) == 1) for row in bits])
        return SaddlePoint(np.full(count, 1 / count), single, np.eye(k)[:, : matrix.shape[1]])
    theta = np.array([float(np.ravel(condition.dual_value)[0]) for condition in conditions[:-1]])
    found = np.maximum(shares.value, 0)
    return SaddlePoint(found / found.sum(), np.maximum(theta, 0), matrix.value)
