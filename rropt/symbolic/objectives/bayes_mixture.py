"""The mean of an objective over several distributions of the categories, in symbols."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import sympy as sp

from rropt.symbolic.objectives import module_of
from rropt.symbolic.objectives.goal import Goal, Values, total
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import exact, exacts

IS_OF_INFORMATION = True


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return ``sum_b w_b f(P, pi_b)``; each distribution has further unknowns of its own."""
    posed = import_module(module_of(objective.objective)).pose
    goals = []
    for number, shares in enumerate(objective.populations):
        named = {"name": f"z{number}"} if hasattr(objective.objective, "targets") and not _is_sum(objective) else {}
        goals.append(posed(objective.objective, P, exacts(shares), **named))

    def completed(values: Values) -> Values:
        found: dict[sp.Symbol, sp.Expr] = {}
        for goal in goals:
            found |= goal.completed(values) if goal.completed is not None else {}
        return found

    value = total(exact(w) * goal.value for w, goal in zip(objective.weights, goals, strict=True))
    return Goal(value, tuple(one for goal in goals for one in goal.relations), completed)


def _is_sum(objective: Any) -> bool:
    return bool(objective.objective.on_rays(objective.mean, 2).is_sum)


def form(problem: Any) -> Form | str:
    """Return why there is no form."""
    return "no closed form of a mean over several distributions"
