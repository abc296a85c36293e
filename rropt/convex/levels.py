"""Linear design problems under several levels, a metric or bounds of entries: the conditions tight at a vertex."""

from __future__ import annotations

from typing import Any

import cvxpy as cp

from rropt.convex.designs.parametric.every_level import costs_of
from rropt.convex.programs import Label, LabelledProgram, entries_of, private, tight
from rropt.convex.regions import limits_of

_APART = 1.1e-5  # the size of the moves of conditions


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
    """Return why solvers in floats may find another vertex: numbers that differ too much; empty if they do not.

    Args:
        problem: a problem, or its record.
    """
    data = problem if isinstance(problem, dict) else problem.to_dict()
    region = data["region"]
    k = int(region.get("region", region)["inputs"])  # of bounds: that of the region inside
    for gamma, delta, _ in limits_of(region, k).levels:
        size = float(gamma.value)
        sizes = [size - 1, 1 / size]
        if delta is not None:
            sizes += [float(delta.value), 1 - float(delta.value)]
        if min(sizes) < _APART:
            return f"at an extreme level numbers are as small as {min(sizes):.2g}, which solvers do not tell from 0"
    return ""
