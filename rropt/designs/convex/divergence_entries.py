"""Optimal decisions under bounds on Renyi divergences: a convex program in the entries of the mechanism.

If ``phi(p) = max_d L_d.p``, outputs with the same best decision d are merged without loss, so one output for each d is
enough. Let C be the bound on the sum of ``y (x/y)^a`` over the outputs.

    maximize sum_d L_d.p_d   subject to   P >= 0, columns of P sum to 1,
    sum_d t_d <= 1,   p_dj <= C^(1/a) t_d^(1/a) p_dl^(1 - 1/a)   for every order a > 1 and pair (j, l),

and ``sum_d p_dj log(p_dj/p_dl) <= D`` at the order 1. The bound is a linear program: tangents of the divergences at
the ratios of the solution, and at some others, give linear functions below ``alpha.p + sum beta h(p)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING, Any

from rropt.designs.convex import load_cvxpy
from rropt.designs.convex.column_weights import ROOM, is_answered
from rropt.designs.convex.divergence_conditions import Condition, Conditions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_ROUNDS = 12  # of orders of zCDP
_VIOLATED = 1e-9  # smaller relative violations of zCDP add no order
_RATIOS = 25  # of the tangents in addition to those at the solution
_REACH, _EXPONENT = 4.0, 8.0  # their largest logarithm, and its largest product with the order
_STEEPEST = 1e9  # ratios of the solution beyond this, or below its inverse, get no tangent


def solved_in_entries(
    decisions: Sequence[Sequence[Fraction]], conditions: Conditions, shares: Array
) -> tuple[Array | None, float | None]:
    """Return the rows of a nearly optimal mechanism, and an upper bound on the optimum; None for what was not found.

    Args:
        decisions: the rows L_d.
        conditions: those of the region; orders of zCDP are added to them.
        shares: pi.
    """
    import numpy as np

    gains = np.array([[float(x) for x in row] for row in decisions])
    size = float(np.abs(gains).max()) or 1.0
    rows = None
    for _ in range(_ROUNDS):
        found = _solved(gains / size, conditions.listed)
        if found is None:
            break
        rows = found
        if not conditions.extended(rows, _VIOLATED, 0.0):
            break
    if rows is None:
        return None, None
    bound = _bound(gains / size, rows, conditions.listed, shares)
    return rows, None if bound is None else bound * size


def _solved(gains: Array, listed: Sequence[Condition]) -> Array | None:
    """Return the rows of the optimal mechanism, scaled so that the columns sum to 1, or None."""
    import numpy as np

    cp = load_cvxpy()
    p = cp.Variable(gains.shape, nonneg=True)
    limits = [cp.sum(p, axis=0) == 1]
    for each in listed:
        x, y, a = p[:, each.j], p[:, each.other], each.order
        if a == 1:
            limits.append(cp.sum(cp.kl_div(x, y)) <= each.room)
            continue
        t = cp.Variable(len(gains), nonneg=True)
        scale = exp(-log(each.room + 1) / a)
        limits += [cp.sum(t) <= 1, cp.PowCone3D(t, y, scale * x, np.full(len(gains), 1 / a))]
    if not is_answered(cp.Problem(cp.Maximize(cp.sum(cp.multiply(gains, p))), limits)):
        return None
    rows = np.maximum(p.value, 1e-30)
    return np.asarray(rows / rows.sum(0))


def _bound(gains: Array, rows: Array, listed: Sequence[Condition], shares: Array) -> float | None:
    """Return the optimum of the linear program of tangents, raised until its inequalities are true in floats.

    The program minimizes ``sum alpha + sum beta_c``. For every decision, each ``beta_c h_c`` is replaced by a
    combination of its tangents with weights that sum to beta_c, and the linear function is at least L_d.
    """
    import numpy as np

    cp = load_cvxpy()
    (m, k), q = gains.shape, len(listed)
    alpha, beta = cp.Variable(k), cp.Variable(q, nonneg=True)
    lines: list[Array] = []
    for each in listed:
        reach = min(_REACH, _EXPONENT / each.order)
        others = np.exp(np.linspace(-reach, reach, _RATIOS))
        own = rows[:, each.j] / rows[:, each.other]
        ratios = np.concatenate([own[(own < _STEEPEST) & (own > 1 / _STEEPEST)], others])
        slope, fall, _ = each.tangent(ratios)
        line = np.zeros((len(ratios), k))
        line[:, each.j] = slope
        line[:, each.other] = -fall
        lines.append(line)
    parts: list[list[Any]] = [[cp.Variable(len(line), nonneg=True) for line in lines] for _ in range(m)]
    limits = []
    for gain, part in zip(gains, parts, strict=True):
        limits.append(alpha + sum(line.T @ x for line, x in zip(lines, part, strict=True)) >= gain)
        limits += [cp.sum(x) <= beta[n] for n, x in enumerate(part)]
    if not is_answered(cp.Problem(cp.Minimize(cp.sum(alpha) + cp.sum(beta)), limits)):
        return None
    a = np.asarray(alpha.value)
    weights = [[np.maximum(x.value, 0) for x in part] for part in parts]
    b = np.array([max(float(part[n].sum()) for part in weights) for n in range(q)])
    missing = 0.0
    for gain, part in zip(gains, weights, strict=True):
        below = a + sum(x @ line for line, x in zip(lines, part, strict=True))
        sizes = np.abs(a) + sum(x @ np.abs(line) for line, x in zip(lines, part, strict=True)) + np.abs(gain)
        missing = max(missing, float(((gain - below + ROOM * sizes) / shares).max()))
    return float(a.sum() + b.sum() + missing + ROOM * (np.abs(a).sum() + b.sum()))
