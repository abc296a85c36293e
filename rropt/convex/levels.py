"""Linear design problems under several levels, a metric or bounds of entries: the conditions tight at a vertex."""

from __future__ import annotations

from typing import Any

import cvxpy as cp

from rropt.convex.designs.parametric.every_level import costs_of
from rropt.convex.programs import Label, LabelledProgram, entries_of, private, tight
from rropt.convex.regions import limits_of

_APART = 1e-6  # a hundred times the error of a condition that a solver allows


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
    """Return why solvers in floats may find another vertex: numbers that differ too much; empty if they do not."""
    for gamma, delta, _ in limits_of(problem.region.to_dict(), problem.region.inputs).levels:
        slack = 0.0 if delta is None else float(delta.value)
        sizes = (float(gamma.value) - 1, 1 / float(gamma.value), slack, 1 - slack)
        if least := min((x for x in sizes if 0 < x < _APART), default=0.0):
            return f"at an extreme level numbers are as small as {least:.2g}, which solvers do not tell from 0"
    return ""
