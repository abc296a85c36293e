"""Plans as the tests use them: the plan for one goal, and a margin or a power at one n."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import rropt
from rropt.core.exact import Epsilon
from rropt.plans.goals import planned_quantity

CONDITIONS = [one.name for one in fields(rropt.plan.Conditions)]


def planned(mechanism: Any, **given: Any) -> Any:
    """Return the plan of a goal that is one of the arguments, by the function of ``rropt.plan`` for it.

    Args:
        mechanism: the mechanism.
        given: the goal, the arguments of its function, and the conditions of the sample.
    """
    sample = rropt.plan.Conditions(**{name: given.pop(name) for name in CONDITIONS if name in given})
    plan, asked = rropt.plan, {**given, "sample": sample}
    if (error := asked.pop("standard_error", None)) is not None:
        asked["se"] = error
    if isinstance(mechanism, str) and ":" not in mechanism:  # a level
        mechanism = Epsilon.of(mechanism)
    if "middle" in asked:
        return plan.deck(mechanism, **{name: value for name, value in asked.items() if name != "sample"})
    if "groups" in asked:
        return plan.groups(mechanism, asked.pop("groups"), **asked)
    if "strata" in asked:
        return plan.strata(mechanism, asked.pop("strata"), **asked)
    if asked.pop("surveyed", False) or isinstance(asked.get("population"), int):
        return plan.finite(mechanism, asked.pop("population", "census"), **asked)
    if "power" in asked or not {"null", "significance", "sided", "test"}.isdisjoint(asked):
        return plan.power(mechanism, **asked)
    return (plan.se if {"se", "variance"} & {*asked} else plan.margin)(mechanism, **asked)


def plan_margin(mechanism: Any, goal: object, kind: str | None = None, **options: Any) -> Any:
    """Return the plan for a margin."""
    return planned(mechanism, margin=goal, interval=kind, **options).found


def plan_power(mechanism: Any, goal: object = "4/5", **options: Any) -> Any:
    """Return the plan for a power."""
    return planned(mechanism, power=goal, **options).found


def plan_variance(mechanism: Any, goal: object, **options: Any) -> Any:
    """Return the plan for a variance."""
    return planned(mechanism, variance=goal, **options).found


def margin(mechanism: Any, n: int, kind: str | None = None, **options: Any) -> float:
    """Return the margin with n respondents."""
    return planned_quantity(mechanism, "margin", interval=kind, **options).at(n)


def power(mechanism: Any, n: int, **options: Any) -> float:
    """Return the power with n respondents."""
    return planned_quantity(mechanism, "power", **options).at(n)


def variance(mechanism: Any, n: int, **options: Any) -> Any:
    """Return the exact variance with n respondents."""
    return planned_quantity(mechanism, "variance", **options).value(n)


def marginal(questions: object) -> dict[str, object]:
    """Return the option of a plan that names the questions, or their number."""
    return {"marginals" if isinstance(questions, int) else "questions": questions}
