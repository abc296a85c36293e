"""D-optimality in symbols: ``ln det M``; subset selection at equal proportions; for two categories ``-ln(n Var)``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from rropt.symbolic.objectives import estimator_variance
from rropt.symbolic.objectives.a_c_contrasts import NO_THEOREM, subsets
from rropt.symbolic.objectives.goal import Goal
from rropt.symbolic.objectives.information_matrix import information
from rropt.symbolic.posing import Form

IS_OF_INFORMATION = True


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the logarithm of the determinant of M, unevaluated: ``doit`` computes it."""
    return Goal(sp.log(sp.Determinant(information(P.tolist(), population))))


def form(problem: Any) -> Form | str:
    """Return ``ln k - (k - 1) ln v`` at equal proportions (``v``: n Var of a unit contrast)."""
    found = subsets(problem)
    k = problem.region.inputs
    if k == 2 and problem.region.has_one_level and not problem.region.outputs:
        one = estimator_variance.any_outputs(problem, (False, True), problem.population[1], 1)
        return replace(one, value=-sp.log(one.value))
    if found is not None:
        return Form(sp.log(k) - (k - 1) * sp.log(sp.factor(found[1])), **found[2])
    return NO_THEOREM
