"""What a plan is asked for, in records: a goal, what is assumed, the rules of intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


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
