"""Objectives of third parties.

A ``ConvexSum`` needs nothing more: its ``of_row`` is evaluated at the rows. A function of the information has a twin if
its class defines ``in_cvxpy(M)``, an expression in the k x k information M, concave if it is maximized and convex if
it is minimized.
"""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.goal import Goal, sum_of
from rropt.convex.regions import Array, Rows
from rropt.core.errors import UnsupportedProblemError


def goal(objective: Any, rows: Rows, pi: Array) -> Goal:
    """Return the objective of a third party.

    Args:
        objective: the objective itself: its JSON does not define it.
        rows: the rows.
        pi: the proportions.

    Raises:
        UnsupportedProblemError: the class has neither ``of_row`` nor ``in_cvxpy``.
    """
    if hasattr(objective, "of_row"):
        return sum_of(rows, lambda r: np.array([float(objective.of_row([*row], [*pi])) for row in r]))
    if not hasattr(objective, "in_cvxpy"):
        is_of_matrix = hasattr(objective, "of_information")
        missing = "no in_cvxpy(M)" if is_of_matrix else "neither of_row(row, population) nor in_cvxpy(M)"
        raise UnsupportedProblemError(f"the objective {objective.kind} defines {missing}")
    k = len(pi)

    def squares(listed: Array) -> Array:
        chances = listed @ pi
        if chances.min() <= 0:
            raise UnsupportedProblemError("a row has probability 0 at these proportions")
        return np.asarray(np.einsum("ni,nj,n->ijn", listed, listed, 1 / chances).reshape(k * k, -1))

    M = cp.reshape(rows.of(squares, k * k, len(rows), name="information") @ rows.weights, (k, k), order="C")
    return Goal(objective.in_cvxpy((M + M.T) / 2))
