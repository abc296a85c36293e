"""E-optimality in symbols: the largest eigenvalue of ``M^-1 - pi pi^T``; subset selection at equal proportions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from rropt.symbolic.objectives import estimator_variance
from rropt.symbolic.objectives.a_c_contrasts import NO_THEOREM, subsets
from rropt.symbolic.objectives.goal import Goal
from rropt.symbolic.objectives.information_matrix import LargestEigenvalue, variances
from rropt.symbolic.posing import Form

IS_OF_INFORMATION = True


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the largest eigenvalue of n Cov, with ``Z = M^-1`` as further unknowns."""
    Z, goal = variances(P, population, sp.ImmutableMatrix(sp.eye(P.shape[1])))
    shares = sp.ImmutableMatrix(list(population))
    return goal._replace(value=LargestEigenvalue(Z - shares * shares.T))


def form(problem: Any) -> Form | str:
    """Return v, n Var of each unit contrast, at equal proportions; for two categories twice n Var of the second one."""
    if problem.region.inputs == 2 and problem.region.has_one_level and not problem.region.outputs:
        return estimator_variance.any_outputs(problem, (False, True), problem.population[1], 2)
    found = subsets(problem)
    return NO_THEOREM if found is None else Form(found[1], **found[2])
