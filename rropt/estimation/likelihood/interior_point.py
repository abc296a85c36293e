"""A primal-dual interior point method for the likelihood of a mixing distribution: a proposal in floats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["propose"]

_BARRIER_END = 1e-15  # complementarity at which the interior point method ends: the resolution of its floats
_BARRIER_SHRINK = 0.1  # target of one step: a tenth of the present complementarity
_BARRIER_STEPS = 200  # 15 to 40 are usual; the rest is for counts of very different size
_STEP_TO_BOUNDARY = 0.99  # share of the step to the boundary that is taken

Array = NDArray[np.float64]


def propose(matrix: Array, shares: Array) -> Array:
    """Return a float approximation of the population that maximises ``sum_i f_i log (P x)_i`` over the simplex.

    Solved as ``min F(x) = -sum_i f_i log (P x)_i + sum_j x_j`` over x >= 0: since f sums to 1, the minimum has
    ``x . grad F = sum x - 1 = 0``, so it lies on the simplex and the constraint costs nothing. F is convex and
    self-concordant where f is bounded below. Optimality: ``s = grad F(x) >= 0, x_j s_j = 0``; each step is Newton's
    for ``grad F(x) = s, x_j s_j = mu`` with mu a tenth of the present mean of x_j s_j.

    EM, mirror descent and quasi-Newton methods stall on this problem between gaps of 1e-5 and 1e-7; this one needs
    15 to 40 steps of one Cholesky factorisation of order k.

    Args:
        matrix: P, shape (m, k), rows with a positive share only.
        shares: f, shape (m,), positive, sum 1.

    Source: Boyd and Vandenberghe, Convex Optimization (2004), section 11.7.
    """
    k = matrix.shape[1]
    x = np.full(k, 1.0 / k)
    s = np.ones(k)
    for _ in range(_BARRIER_STEPS):
        fitted = matrix @ x
        gradient = 1.0 - matrix.T @ (shares / fitted)
        complementarity = float(x @ s) / k
        if complementarity < _BARRIER_END and float(np.abs(gradient - s) @ x) < _BARRIER_END:
            break
        step, slack_step = _direction(matrix, shares, fitted, gradient, x, s, _BARRIER_SHRINK * complementarity)
        length = min(1.0, _STEP_TO_BOUNDARY * _to_boundary(x, step), _STEP_TO_BOUNDARY * _to_boundary(s, slack_step))
        following = x + length * step
        if not (np.isfinite(following).all() and (following > 0).all()):
            break  # the resolution of floats is reached: what is at hand is the proposal
        x, s = following, np.maximum(s + length * slack_step, np.finfo(float).tiny)
    result: Array = x / x.sum()
    return result


def _direction(
    matrix: Array, shares: Array, fitted: Array, gradient: Array, x: Array, s: Array, target: float
) -> tuple[Array, Array]:
    """Return Newton's step: ``(H + diag(s/x)) dx = mu/x - grad F``, ``ds = (mu - s dx)/x - s``, scaled by x."""
    scaled = matrix * (np.sqrt(shares) / fitted)[:, None] * np.sqrt(x / s)  # symmetric scaling by sqrt(x/s)
    left = scaled.T @ scaled
    left[np.diag_indices_from(left)] += 1.0
    right = (target / x - gradient) * np.sqrt(x / s)
    try:
        step = np.asarray(np.linalg.solve(left, right) * np.sqrt(x / s), dtype=np.float64)
    except np.linalg.LinAlgError:
        step = np.full_like(x, np.nan)
    return step, (target - s * step) / x - s


def _to_boundary(point: Array, step: Array) -> float:
    """Return the largest t with ``point + t step >= 0``."""
    falling = step < 0
    return float(np.min(-point[falling] / step[falling])) if falling.any() else np.inf
