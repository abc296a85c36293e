"""Closed forms of every level in CVXPY: their problems at single levels, and the tight conditions of linear ones."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cvxpy as cp

from rropt.convex.designs.parametric.every_level import costs_of
from rropt.convex.programs import Label, LabelledProgram, entries_of, private, tight
from rropt.convex.regions import limits_of
from rropt.core.errors import UnsupportedProblemError

MOST_CATEGORIES = 4  # of a linear program whose vertex is derived in symbols


def active(problem: Any, gamma: Fraction, seed: int = 0) -> frozenset[Label]:
    """Return the conditions that are tight at a vertex of a linear problem at a level.

    Raises:
        UnsupportedProblemError: there are too many categories.
    """
    costs, is_minimised = costs_of(problem)
    m, k = costs.shape
    if k > MOST_CATEGORIES:
        raise UnsupportedProblemError("too many categories for a vertex in symbols")
    slack = problem.to_dict()["region"]["delta"]
    region = {"kind": "differential-privacy", "epsilon": {"log": str(gamma)}, "delta": slack}
    P = entries_of(m, k)
    goal = cp.sum(cp.multiply(costs if is_minimised else -costs, P))
    return tight(LabelledProgram(goal, [cp.sum(P, axis=0) == 1], private(P, limits_of(region, k))), seed)
