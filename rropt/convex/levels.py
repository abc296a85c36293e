"""Linear design problems under several levels, a metric or bounds of entries: the conditions tight at a vertex."""

from __future__ import annotations

from typing import Any

import cvxpy as cp

from rropt.convex import extremes
from rropt.convex.designs.parametric.every_level import costs_of
from rropt.convex.programs import Label, LabelledProgram, entries_of, private, tight
from rropt.convex.regions import limits_of


def active(problem: Any, seed: int = 0) -> frozenset[Label]:
    """Return the conditions that are tight at a vertex of the linear program over the entries.

    Raises:
        UnsupportedProblemError: the objective is not linear in the entries, or there are too many of them.
    """
    costs, is_minimised = costs_of(problem)
    m, k = costs.shape
    P = entries_of(m, k)
    goal = cp.sum(cp.multiply(costs if is_minimised else -costs, P))
    limits = limits_of(problem.region.to_dict(), k)
    return tight(LabelledProgram(goal, [cp.sum(P, axis=0) == 1], private(P, limits)), seed)


def beyond_floats(problem: Any) -> str:
    """Return why solvers in floats may find another vertex at an extreme level; empty if they do not."""
    return extremes.beyond_floats(problem.to_dict())
