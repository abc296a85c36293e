"""``rropt.plan``: the arguments decide which function answers, as in the command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt.core.exact import Delta, rational
from rropt.core.exact.numbers import plain_integer, whole_where
from rropt.core.limits import MAX_ANSWERS
from rropt.core.record_arguments import as_record, given_fields, takes
from rropt.mechanisms import Mechanism, RandomQuestions
from rropt.mechanisms.imports import required_mechanism
from rropt.plans.requests import (
    FiniteSurvey,
    InferenceRules,
    PlanAssumptions,
    PlanGoal,
    PlannedParts,
    PlanRequest,
)
from rropt.plans.sample_conditions import SampleConditions

if TYPE_CHECKING:
    from rropt.designs import Solution


@takes(PlanRequest)
def plan(request: PlanRequest) -> Any:
    """Return the number of respondents for a goal, or what n respondents achieve.

    The arguments decide which plan this is:

    * ``mechanism`` and one goal, or ``n``: ``plan_answers`` (``MechanismPlan``).
    * ``epsilon`` (and ``delta``) with ``prevalence`` in place of the mechanism: the same for the certified optimal
      design at this level.
    * a ``mechanism`` with numbers (``rropt.design.mean``): ``plan_mean``, for the mean of the numbers
      (``MeanPlan``).
    * a ``mechanism`` of random questions (``ask:10,1,3``): ``plan_random_questions``, for each prevalence
      (``RandomQuestionsPlan``).
    * ``population`` as one number N, ``surveyed`` or ``cards_without_replacement``: ``plan_survey``; ``middle`` with
      ``epsilon``: ``plan_deck`` (``SurveyPlan``).
    * ``groups``: ``plan_difference``; ``strata``: ``plan_strata``.

    Args:
        mechanism: the mechanism, or its text form.
        epsilon, delta: the level, instead of a mechanism.
        margin, power, variance, standard_error: the goal.
        n: the number of respondents.
        prevalence, population, contrast, questions, marginals: the guess, and what is planned, as for
            ``plan_answers``; ``population`` may be the size N of a finite population: of each group (or two numbers,
            one for each), with ``regions`` of each region, and of all strata together.
        confidence, interval, null, significance, sided, test: as for ``plan_answers``.
        design_effect, cluster_size, intraclass_correlation, response_rate, regions, simultaneous: what is known of the
            sample, as for ``SampleConditions``: clusters, nonresponse, and regions with estimates of their own.
        surveyed: whether the survey is a census.
        cards_without_replacement: whether one deck is dealt to all respondents.
        middle: the proportion of cards 2 of the smallest deck of cards 1, 2, 3.
        groups: the prevalences of two groups that are to be distinguished.
        strata: a pair (proportion of the population, prevalence) for each stratum, or its text, such as
            ``"0.9:0.1"``.
        fast: with ``strata``, whether to leave out the twins: the comparison with SymPy and CVXPY.

    Returns:
        One of the plans named above; of ``MechanismPlan``, ``found.n`` is the number of respondents.

    Raises:
        InvalidParameterError: arguments do not belong together.
        Also as the functions named above.

    >>> plan("warner:3/4", margin="0.05").found.n, plan("warner:3/4", groups=["0.1", "0.5"]).n
    (1574, 95)
    """
    mechanism, epsilon, delta = request.mechanism, request.epsilon, request.delta
    goal, assumed = as_record(request, PlanGoal), as_record(request, PlanAssumptions)
    rules, sample = as_record(request, InferenceRules), as_record(request, SampleConditions)
    finite, parts = as_record(request, FiniteSurvey), as_record(request, PlannedParts)
    is_level = {"delta": delta} if Delta.of(delta) != Delta.of(0) else {}
    asked = given_fields(goal, assumed, rules, sample, finite, parts) | is_level

    def only(whose: str, *used: str) -> dict[str, Any]:
        """Return what is given of some arguments, and refuse all others."""
        why = f"a plan of {whose} uses {', '.join(f'`{name}`' for name in used)}"
        every = (one.name for record in (goal, assumed, rules) for one in fields(record))
        refuse_given(asked, why, *(name for name in (*every, "groups", "strata", "delta") if name not in used))
        return {name: asked[name] for name in used if name in asked}

    if not asked.keys().isdisjoint(("groups", "strata")):
        refuse_given(asked, "groups and strata are sampled", "surveyed", "cards_without_replacement", "middle")
        if mechanism is None:
            raise InvalidParameterError("a plan of groups has a mechanism: received a level; give the mechanism")
        return _plan_of_parts(required_mechanism(mechanism), parts, sample, only)
    if finite.middle is not None:
        refuse_given(asked, "the deck of `middle` is always dealt without replacement", "cards_without_replacement")
    size = _size_of_population(assumed.population)
    if isinstance(size, int) or not asked.keys().isdisjoint(("surveyed", "cards_without_replacement", "middle")):
        if not isinstance(size, int) or finite != FiniteSurvey():
            conditions = [one.name for one in fields(SampleConditions)]
            why = "a census, and cards dealt from one deck, have no conditions of a sample"
            refuse_given(asked, why, *conditions)
        return _plan_of_finite(mechanism, epsilon, size, finite, only, sample)
    made = None if mechanism is None else required_mechanism(mechanism)
    is_joint = not asked.keys().isdisjoint(("questions", "marginals"))
    if made is not None and made.output_values and epsilon is None and not is_joint:
        from rropt.plans.mean_plans import plan_mean

        own = ("margin", "variance", "standard_error", "n", "population", "confidence")
        return plan_mean(made, **only("the mean of a number", *own), sample=sample)
    if isinstance(made, RandomQuestions) and epsilon is None:
        from rropt.plans.asked_plans import plan_random_questions

        why = "each of the random questions is planned by itself"
        refuse_given(asked, why, "questions", "marginals", "contrast", "population", "delta")
        return plan_random_questions(made, goal, assumed, rules, sample)
    from rropt.plans.goals import plan_request

    if (mechanism is None) == (epsilon is None):
        raise InvalidParameterError(
            "a plan has neither a mechanism nor a level, or both: give `mechanism=M` or `epsilon=E`"
        )
    if made is None:
        made = optimal_design(epsilon, delta, assumed.prevalence).mechanism.named("optimal design")
    else:
        refuse_given(asked, "`delta` belongs to the optimal design of a level", "delta")
    return plan_request(made, goal, assumed, rules, sample)


Only = Callable[..., dict[str, Any]]


def _size_of_population(population: Any) -> Any:
    """Return the size N of a finite population, if it is one number."""
    is_text = isinstance(population, str) and population.strip().isdecimal()
    return int(rational(population, name="`population`")) if is_text else plain_integer(population)


def _plan_of_parts(mechanism: Mechanism, parts: PlannedParts, sample: SampleConditions, only: Only) -> Any:
    """Return the plan of two groups, or of strata."""
    from rropt.plans.group_plans import plan_difference, plan_strata

    if parts.groups is not None:
        own = ("power", "margin", "n", "significance", "confidence", "population")
        given = only("two groups", "groups", *own)
        return plan_difference(mechanism, given.pop("groups"), **given, sample=sample)
    goals = ("n", "margin", "variance", "standard_error", "confidence", "population")
    given = only("strata", "strata", *goals)
    listed = given.pop("strata")
    pairs = [each.split(":") if isinstance(each, str) else each for each in listed] if _is_list(listed) else []
    if not pairs or not all(_is_list(pair) and len(pair) == 2 for pair in pairs):
        raise InvalidParameterError(
            f"`strata` are no shares and prevalences: received {shown(listed)}; allowed is W:P,W:P,.., such as "
            "0.9:0.1,0.1:0.5"
        )
    shares, prevalences = zip(*pairs, strict=True)
    return plan_strata(mechanism, shares, prevalences, fast=parts.fast, sample=sample, **given)


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _plan_of_finite(
    mechanism: Mechanism | str | None,
    epsilon: object,
    size: Any,
    finite: FiniteSurvey,
    only: Only,
    sample: SampleConditions,
) -> Any:
    """Return the plan of a finite population."""
    from rropt.plans.finite_plans import plan_deck, plan_survey

    middle = finite.middle
    goals = (
        ("variance", "standard_error", "margin", "n", "confidence", "interval")
        if middle is None
        else ("variance", "standard_error")
    )
    given = only("a finite population", *goals, "prevalence", "population")
    if (middle is None) == (mechanism is None):
        raise InvalidParameterError(
            "a finite population is planned with a mechanism (`mechanism=M`), or with a level and `middle=P2`: "
            "give one of the two"
        )
    if (size is None) == (middle is None and not finite.surveyed):
        raise InvalidParameterError(
            "the population is ambiguous: give `population=N`, of which a sample is drawn, or `surveyed`; `middle` "
            "is for a fully surveyed one"
        )
    if mechanism is None:
        return plan_deck(epsilon, middle=middle, **given)
    given["population"] = None if size is None else whole_where(size, 2, MAX_ANSWERS, name="`population`")
    dealt = finite.cards_without_replacement
    return plan_survey(required_mechanism(mechanism), **given, cards_without_replacement=dealt, sample=sample)


def optimal_design(epsilon: object, delta: object = 0, prevalence: object = None) -> Solution:
    """Return the certified optimal design of a level, for which ``plan`` plans."""
    from rropt.designs import Problem
    from rropt.designs.solving import solve

    if prevalence is None:
        raise InvalidParameterError(
            "the optimal design of a level depends on the prevalence: give `prevalence=PI`, or `mechanism=M`"
        )
    return solve(Problem.binary(prevalence, epsilon=epsilon, delta=delta), "all", fast=True)
