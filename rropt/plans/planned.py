"""A goal for any mechanism or level: ``rropt.plan`` calls the function of its kind."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import given_fields
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.exact import Epsilon
from rropt.mechanisms import Mechanism, RandomQuestions
from rropt.mechanisms.imports import required_mechanism
from rropt.plans.requests import InferenceRules, PlanAssumptions, PlanGoal
from rropt.plans.sample_conditions import Conditions, require_conditions
from rropt.privacy.level_base import Level

if TYPE_CHECKING:
    from rropt.designs import Solution
    from rropt.plans.goals import MechanismPlan
    from rropt.plans.mean_plans import MeanPlan


def planned(
    mechanism: Mechanism | str | Level | Epsilon,
    goal: PlanGoal,
    assumed: PlanAssumptions,
    rules: InferenceRules,
    sample: Conditions,
) -> MechanismPlan | MeanPlan:
    """Return the plan of a goal; the class of the mechanism decides which function computes it.

    Args:
        mechanism: the mechanism, its text form, or the level of the optimal design.
        goal: the goal, or the number of respondents.
        assumed: the prevalence or the proportions, and what is planned of them.
        rules: of the intervals and tests.
        sample: the conditions of the sample.

    Raises:
        InvalidParameterError: an argument does not belong to the goal or to the mechanism.
        Also as the function of the mechanism.
    """
    require_conditions(sample)
    made = mechanism_at(mechanism, assumed.prevalence)
    asked = given_fields(goal, assumed, rules)
    is_joint = not asked.keys().isdisjoint(("questions", "marginals"))
    if made.output_values and not is_joint:
        from rropt.plans.mean_plans import plan_mean

        own = ("margin", "variance", "standard_error", "n", "population", "confidence")
        why = f"a plan of the mean of a number uses {', '.join(f'`{name}`' for name in own)}"
        every = (one.name for record in (goal, assumed, rules) for one in fields(record))
        refuse_given(asked, why, *(name for name in every if name not in own))
        return plan_mean(made, **{name: asked[name] for name in own if name in asked}, sample=sample)
    if isinstance(made, RandomQuestions):
        why = "each of the random questions is planned by itself"
        refuse_given(asked, why, "questions", "marginals", "contrast", "population")
    from rropt.plans.goals import plan_request

    return plan_request(made, goal, assumed, rules, sample)


def mechanism_at(mechanism: Mechanism | str | Level | Epsilon, prevalence: object) -> Mechanism:
    """Return a mechanism: of a level, the optimal design at a prevalence."""
    if isinstance(mechanism, Level | Epsilon):
        return optimal_design(mechanism, prevalence).mechanism.named("optimal design")
    return required_mechanism(mechanism)


def optimal_design(level: Level | Epsilon, prevalence: object) -> Solution:
    """Return the certified optimal design of a level, for which a plan is made."""
    from rropt.designs import Problem
    from rropt.designs.solving import solve

    if prevalence is None:
        raise InvalidParameterError(
            "the optimal design of a level depends on the prevalence: give `prevalence=PI`, or a mechanism"
        )
    own: dict[str, Any] = {"epsilon": level} if isinstance(level, Epsilon) else {"level": level}
    return solve(Problem.binary(prevalence, **own), "all", fast=True)


def shares_and_prevalences(strata: object) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return the shares and the prevalences of strata that are pairs, or texts such as ``"0.9:0.1"``."""
    listed = strata if isinstance(strata, list | tuple) else []
    pairs = [each.split(":") if isinstance(each, str) else each for each in listed]
    if not pairs or not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
        raise InvalidParameterError(
            f"`strata` are not proportions and prevalences: received {shown(strata)}; allowed is W:P,W:P,.., such as "
            "0.9:0.1,0.1:0.5"
        )
    shares, prevalences = zip(*pairs, strict=True)
    return shares, prevalences
