"""Plans as the tests use them: the plan for one goal, and a margin or a power at one n."""

from __future__ import annotations

from typing import Any

from rropt.plans.goals import planned_quantity
from rropt.survey import plan_answers


def plan_margin(mechanism: Any, goal: object, kind: str | None = None, **options: Any) -> Any:
    """Return the plan for a margin."""
    return plan_answers(mechanism, margin=goal, interval=kind, **options).found


def plan_power(mechanism: Any, goal: object = "4/5", **options: Any) -> Any:
    """Return the plan for a power."""
    return plan_answers(mechanism, power=goal, **options).found


def plan_variance(mechanism: Any, goal: object, **options: Any) -> Any:
    """Return the plan for a variance."""
    return plan_answers(mechanism, variance=goal, **options).found


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
