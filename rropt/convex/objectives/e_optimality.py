"""E-optimality: minimize the largest eigenvalue of n Cov, ``1/lambda_min(B)``, over weights of rows."""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.goal import Goal
from rropt.convex.objectives.information_matrix import basis_of, information
from rropt.convex.regions import Array, Rows


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the largest eigenvalue; the basis stays orthonormal."""

    def size(listed: Array) -> float:
        return float(np.linalg.norm(basis_of(listed, pi), 2))

    B = information(rows, pi, lambda own, factor: own.T / np.linalg.norm(factor, 2))
    return Goal(cp.inv_pos(cp.lambda_min(B)), rows.of(lambda listed: size(listed) ** -2, name="unit", pos=True))
