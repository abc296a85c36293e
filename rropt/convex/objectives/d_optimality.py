"""D-optimality: maximize ``log det M = log det B + log k`` over weights of rows.

For ``u = 1/sqrt(k)`` the matrix of M in the basis (U, u) has ``u^T M^-1 u = 1/k`` beside B.
"""

from __future__ import annotations

from math import log
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.goal import Goal
from rropt.convex.objectives.information_matrix import basis_of, information
from rropt.convex.regions import Array, Rows


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the logarithm of the determinant; the basis of the rows adds a constant."""
    B = information(rows, pi, lambda own, factor: np.linalg.solve(factor, own.T))

    def shift(listed: Array) -> float:
        return 2 * float(np.log(np.diag(basis_of(listed, pi))).sum()) + log(len(pi))

    return Goal(cp.log_det(B), shift=rows.of(shift, name="shift"))
