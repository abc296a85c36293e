"""The nearest private mechanism in CVXPY: the largest change or the sum of changes (LP), or the sum of squares (QP)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.convex.regions import entries, limits_of
from rropt.core.errors import one_of
from rropt.core.results.twins import Twin
from rropt.designs.repairs import Repair

NORMS: dict[str, Callable[[Any], Any]] = {
    "max": lambda change: cp.max(cp.abs(change)),
    "l1": lambda change: cp.sum(cp.abs(change)),
    "l2": cp.sum_squares,
}
"""The norms; ``l2`` is the sum of squared changes, which the exact linear programs do not minimize."""


def to_cvxpy(fixed: Repair, norm: str | None = None) -> cp.Problem:
    """Return the program over the entries ``P``; the matrix is the Parameter ``matrix``.

    Args:
        fixed: the repair.
        norm: ``max``, ``l1`` or ``l2``; by default that of the repair.

    Raises:
        InvalidParameterError: the norm is unknown.
        UnsupportedProblemError: there are too many entries.
    """
    given = np.array([[float(x) for x in row] for row in fixed.before.entries])
    Q = cp.Parameter(given.shape, name="matrix", value=given)
    P, conditions = entries(len(given), limits := limits_of(fixed.region.to_dict(), given.shape[1]))
    distance = NORMS[one_of(norm or fixed.norm, NORMS, "norm")](P - Q)
    program = cp.Problem(cp.Minimize(distance), [*conditions, *limits.named])
    return explained(program, matrix="the given matrix")


def cvxpy_twin(fixed: Repair) -> Twin:
    """Return the least distance, compared with its proved bounds."""
    return compare(solve(to_cvxpy(fixed)), fixed.lower, fixed.loss, "a repair", size=1.0)
