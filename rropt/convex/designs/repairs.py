"""The nearest private mechanism in CVXPY: the largest change or the sum of changes (LP), or the sum of squares (QP)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.convex.programs import Block, Label, LabelledProgram, entries_of, numbers_of, private, tight
from rropt.convex.regions import entries, limits_of
from rropt.core.errors import one_of
from rropt.core.results.twins import Twin

NORMS: dict[str, Callable[[Any], Any]] = {
    "max": lambda change: cp.max(cp.abs(change)),
    "l1": lambda change: cp.sum(cp.abs(change)),
    "l2": cp.sum_squares,
}
"""The norms; ``l2`` is the sum of squared changes, which the exact linear programs do not minimize."""


_APART = 1e-8  # a distance below it is as small as the errors of solvers


def to_cvxpy(fixed: Any, norm: str | None = None) -> cp.Problem:
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


def cvxpy_twin(fixed: Any) -> Twin:
    """Return the least distance, compared with its proved bounds."""
    return compare(solve(to_cvxpy(fixed)), fixed.lower, fixed.loss, "a repair", size=1.0)


def active(fixed: Any, seed: int = 0) -> frozenset[Label]:
    """Return the conditions that are tight at a vertex: ``("up", i, j)`` is ``p_ij - q_ij <= t``, ``"down"`` minus it.

    There is one t for the largest change, and one for each entry for their sum.
    """
    Q = numbers_of(fixed.before.entries)
    m, k = Q.shape
    P = entries_of(m, k)
    t = cp.Variable() if fixed.norm == "max" else cp.Variable((m, k))
    places = [(i, j) for i in range(m) for j in range(k)]
    blocks = private(P, limits_of(fixed.region.to_dict(), k))
    for word, change in (("up", P - Q), ("down", Q - P)):
        blocks.append(Block([(word, *place) for place in places], cp.vec(t - change, order="C")))
    return tight(LabelledProgram(cp.sum(t), [cp.sum(P, axis=0) == 1], blocks), seed)


def beyond_floats(fixed: Any) -> str:
    """Return why solvers in floats find no tight conditions: a distance of the size of their errors; empty if not."""
    distance = float(fixed.loss)
    return f"the distance, ~{distance:.2g}, is below {_APART:g}, the errors of solvers" if distance < _APART else ""
