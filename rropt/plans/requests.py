"""What a plan is asked for, in records: a goal, what is assumed, the rules of intervals and tests, who is asked.

``PlanRequest`` and ``AnswersPlanRequest`` join them to the arguments of a function, which passes the parts on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from rropt.mechanisms import Mechanism
from rropt.plans.sample_conditions import SampleConditions


@dataclass(frozen=True, kw_only=True)
class PlanGoal:
    """The goal of a plan, or the number of respondents whose precision is wanted.

    Attributes:
        margin: the half-width of the interval.
        power: the power of the test.
        variance, standard_error: those of the unbiased estimate.
        n: the number of respondents.
    """

    margin: object = None
    power: object = None
    variance: object = None
    standard_error: object = None
    n: object = None


@dataclass(frozen=True, kw_only=True)
class PlanAssumptions:
    """What a plan assumes of the true answers, and which of their proportions it plans.

    Attributes:
        prevalence: the guessed prevalence.
        population: the guessed distribution, or ``"uniform"``.
        contrast: a contrast of the proportions of one question.
        questions: the questions of one joint marginal.
        marginals: the number of questions of every marginal.
    """

    prevalence: object = None
    population: Any = None
    contrast: Sequence[object] | None = None
    questions: Sequence[int] | None = None
    marginals: int | None = None


@dataclass(frozen=True, kw_only=True)
class InferenceRules:
    """The rules of the intervals and tests that will be computed.

    Attributes:
        confidence: of the interval.
        interval: its kind.
        null: the value under the null hypothesis.
        significance: of the test.
        sided: ``"one"`` or ``"two"``.
        test: ``"exact"`` or ``"normal"``.
    """

    confidence: object = None
    interval: str | None = None
    null: object = None
    significance: object = None
    sided: str | None = None
    test: str | None = None


@dataclass(frozen=True, kw_only=True)
class FiniteSurvey:
    """How a finite population is asked.

    Attributes:
        surveyed: whether the survey is a census.
        cards_without_replacement: whether one deck is dealt to all respondents.
        middle: the proportion of cards 2 of the smallest deck of cards 1, 2, 3.
    """

    surveyed: bool = False
    cards_without_replacement: bool = False
    middle: object = None


@dataclass(frozen=True, kw_only=True)
class PlannedParts:
    """The parts of the population that a plan compares or adds up.

    Attributes:
        groups: the prevalences of two groups that are to be distinguished.
        strata: a pair (proportion of the population, prevalence) for each stratum, or its text.
        fast: with strata, whether to leave out the twins: the comparison with SymPy and CVXPY.
    """

    groups: Sequence[object] | None = None
    strata: Sequence[Any] | None = None
    fast: bool = False


@dataclass(frozen=True)
class AnswersPlanRequest(SampleConditions, InferenceRules, PlanAssumptions, PlanGoal):
    """The arguments of ``plan_answers``, which describes them."""

    mechanism: Mechanism | str


@dataclass(frozen=True)
class PlanRequest(PlannedParts, FiniteSurvey, SampleConditions, InferenceRules, PlanAssumptions, PlanGoal):
    """The arguments of ``rropt.plan``, which describes them."""

    mechanism: Mechanism | str | None = None
    _: KW_ONLY
    epsilon: object = None
    delta: object = 0
