"""A-, c-optimality and sums of contrasts: minimize ``tr C Cov C^T = tr (C U) B^-1 (C U)^T`` over weights of rows.

A is C = I, c has one row. With ``B = sum_r w_r l_r l_r^T`` for the lines l_r of the rows (``information``),
``tr X^T B^-1 X`` is the least ``sum_r |b_r|^2/w_r`` over estimates b_r with ``sum_r l_r b_r^T = X``: second-order
cones, which solvers of floats treat more accurately than the semidefinite cone of ``matrix_frac(X, B)``.
"""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.goal import Goal
from rropt.convex.objectives.information_matrix import basis_of, lines_of
from rropt.convex.regions import Array, Rows, contrasts, numbers


def targets(objective: dict[str, Any], k: int) -> Array:
    """Return the matrix C of the linear functions of the proportions whose variances are added."""
    if objective["kind"] == "a-optimal":
        return np.eye(k)
    return np.array([numbers(line) for line in objective.get("contrasts") or [objective["contrast"]]])


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the sum of the variances of the targets."""
    return of_targets(targets(objective, len(pi)), rows, pi)


def of_targets(C: Array, rows: Rows, pi: Array) -> Goal:
    """Return ``tr C Cov C^T``."""
    k, n = len(pi), len(rows)
    wanted = np.asarray(np.linalg.qr(C @ contrasts(k), "r")).T  # X of fewest columns: only X X^T matters
    count = wanted.shape[1]

    def own(listed: Array) -> Array:
        return np.asarray(np.linalg.solve(basis_of(listed, pi), lines_of(listed, pi).T))

    def ends(listed: Array) -> Array:
        return np.asarray(np.linalg.solve(basis_of(listed, pi), wanted))

    def size(listed: Array) -> float:
        return float(np.linalg.norm(ends(listed))) or 1.0

    w, squares = rows.weights, cp.Variable(n, nonneg=True, name="squares")
    estimates = cp.Variable((n, count), name="estimates")
    lines = rows.of(own, k - 1, n, name="lines")
    X = rows.of(lambda listed: ends(listed) / size(listed), k - 1, count, name="targets")
    curved = cp.SOC(squares + w, cp.hstack([2 * estimates, cp.reshape(squares - w, (n, 1), order="C")]), axis=1)
    unit = rows.of(lambda listed: size(listed) ** 2, name="unit", pos=True)
    return Goal(cp.sum(squares), unit, 0.0, (lines @ estimates == X, curved))
