"""Find the number of respondents for a goal, or what a number of respondents achieves, as ``rropt plan`` does.

``margin``, ``power`` and ``se`` plan one sample for any mechanism. ``groups`` plans two groups, ``strata`` the
allocation to strata, ``finite`` a sample without replacement or a census, and ``deck`` the deck of cards of a census.
``minimax`` returns the minimax risk over all mechanisms and estimators. ``Conditions`` describes the sample.

>>> import rropt
>>> rropt.plan.margin("warner:3/4", 0.05).n
1574
>>> round(rropt.plan.power("warner:3/4", prevalence="1/5", n=300).power, 3)
0.984
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal

from rropt.core.argument_checks import clear_calls, given_fields
from rropt.core.errors import refuse_given
from rropt.core.exact import Epsilon
from rropt.core.exact.numbers import whole_where
from rropt.core.limits import MAX_ANSWERS
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.plans.planned import planned, shares_and_prevalences
from rropt.plans.requests import InferenceRules, PlanAssumptions, PlanGoal
from rropt.plans.sample_conditions import SIMPLE_SAMPLE, require_conditions
from rropt.plans.sample_conditions import Conditions as Conditions
from rropt.privacy.level_arguments import given_level
from rropt.privacy.level_base import Level

if TYPE_CHECKING:
    from rropt.designs.minimax_risk import MinimaxRisk
    from rropt.plans.finite_plans import SurveyPlan
    from rropt.plans.goals import MechanismPlan
    from rropt.plans.group_plans import DifferencePlan, StrataPlan
    from rropt.plans.mean_plans import MeanPlan

__all__ = ["Conditions", "deck", "finite", "groups", "margin", "minimax", "power", "se", "strata"]


def __dir__() -> list[str]:
    """Return the names that a prompt completes."""
    return __all__


@clear_calls
def margin(
    mechanism: Mechanism | str | Level | Epsilon,
    margin: object = None,
    *,
    n: object = None,
    prevalence: object = None,
    population: Sequence[object] | str | None = None,
    contrast: Sequence[object] | None = None,
    questions: Sequence[int] | None = None,
    marginals: int | None = None,
    confidence: object = None,
    interval: str | None = None,
    sample: Conditions = SIMPLE_SAMPLE,
) -> MechanismPlan | MeanPlan:
    """Return the smallest number of respondents for a margin of error, or the margins that n respondents achieve.

    Args:
        mechanism: the mechanism of one or several questions, or its text form. A level (``rropt.log(3)``, or a level
            of ``rropt.privacy``) stands for its certified optimal design at the prevalence.
        margin: the half-width of the interval before it is cut to [0, 1]; for a mean, in the unit of the numbers.
        n: instead of a margin, the number of respondents.
        prevalence: the assumed prevalence, in [0, 1]; by default the one that needs the most respondents.
        population: for a contrast or several questions, the assumed distribution or ``"uniform"``; by default the one
            that needs the most respondents.
        contrast: the coefficients of a linear combination of the proportions of one question.
        questions, marginals: the questions of one joint marginal, or the number of questions of every marginal; by
            default all questions.
        confidence: the confidence level of the interval, 0.95 by default.
        interval: ``"exact"``, ``"wilson"``, ``"chebyshev"`` or ``"normal"``, by default exact; of a contrast normal; of
            several questions ``"hoeffding"`` (default) or normal, simultaneous for all cells.
        sample: clusters, nonresponse and regions.

    Returns:
        A ``MechanismPlan``; of a mechanism with numbers a ``MeanPlan``. ``n`` is the number of respondents; of random
        questions, ``asked_each`` is the number of those who are asked each one.

    Raises:
        InvalidParameterError: neither a margin nor n is given, or an argument does not apply to this plan.
        InfeasibleError: more than 10^15 respondents are needed.

    >>> margin("forced:2/3,1/6,1/6", "0.05", prevalence="1/4").n
    797
    """
    return planned(
        mechanism,
        PlanGoal(margin=margin, n=n),
        PlanAssumptions(
            prevalence=prevalence, population=population, contrast=contrast, questions=questions, marginals=marginals
        ),
        InferenceRules(confidence=confidence, interval=interval),
        sample,
    )


@clear_calls
def power(
    mechanism: Mechanism | str | Level | Epsilon,
    power: object = None,
    *,
    n: object = None,
    prevalence: object = None,
    null: object = 0,
    population: Sequence[object] | str | None = None,
    contrast: Sequence[object] | None = None,
    questions: Sequence[int] | None = None,
    significance: object = None,
    sided: str | None = None,
    test: str | None = None,
    sample: Conditions = SIMPLE_SAMPLE,
) -> MechanismPlan | MeanPlan:
    """Return the smallest number of respondents for the power of a test, or the power that n respondents achieve.

    Args:
        mechanism: as for ``margin``.
        power: the power of the test, in (significance, 1); 0.8 by default.
        n: instead of a power, the number of respondents.
        prevalence: the true prevalence; a yes-or-no question needs it.
        null: the prevalence, or the value of the contrast, under the null hypothesis.
        population, contrast, questions, sample: as for ``margin``.
        significance: the significance level of the test, 0.05 by default.
        sided: ``"one"`` (default) or ``"two"``.
        test: ``"exact"`` (default) or ``"normal"``; for a contrast or more than two outputs, normal.

    Raises:
        InvalidParameterError: an argument does not apply to this plan.
        InfeasibleError: more than 10^15 respondents are needed.

    >>> power("forced:2/3,1/6,1/6", "0.9", prevalence="1/5").n
    94
    """
    return planned(
        mechanism,
        PlanGoal(power="0.8" if power is None and n is None else power, n=n),
        PlanAssumptions(prevalence=prevalence, population=population, contrast=contrast, questions=questions),
        InferenceRules(null=null, significance=significance, sided=sided, test=test),
        sample,
    )


@clear_calls
def se(
    mechanism: Mechanism | str | Level | Epsilon,
    se: object = None,
    *,
    variance: object = None,
    n: object = None,
    prevalence: object = None,
    population: Sequence[object] | str | None = None,
    contrast: Sequence[object] | None = None,
    questions: Sequence[int] | None = None,
    marginals: int | None = None,
    sample: Conditions = SIMPLE_SAMPLE,
) -> MechanismPlan | MeanPlan:
    """Return the smallest number of respondents for a standard error, or the standard error that n respondents achieve.

    Args:
        mechanism: as for ``margin``.
        se: the standard error of the unbiased estimate.
        variance: instead, its square.
        n: instead of a goal, the number of respondents. For several questions, n beside a goal asks for the largest k
            such that n respondents reach the goal for every marginal of k questions.
        prevalence, population, contrast, questions, marginals, sample: as for ``margin``.

    Raises:
        InvalidParameterError: no goal is given, or an argument does not apply to this plan.
        InfeasibleError: more than 10^15 respondents are needed.

    >>> se("bits:3/4*3", "1/100", questions=[0, 2]).n
    20782
    """
    return planned(
        mechanism,
        PlanGoal(standard_error=se, variance=variance, n=n),
        PlanAssumptions(
            prevalence=prevalence, population=population, contrast=contrast, questions=questions, marginals=marginals
        ),
        InferenceRules(),
        sample,
    )


@clear_calls
def groups(
    mechanism: Mechanism | str,
    prevalences: Sequence[object],
    *,
    power: object = None,
    margin: object = None,
    n: object = None,
    significance: object = None,
    confidence: object = None,
    population: object = None,
    sample: Conditions = SIMPLE_SAMPLE,
) -> DifferencePlan:
    """Return the number of respondents that each of two groups needs for their difference, or what n achieve.

    Args:
        mechanism: the yes-or-no device of both groups.
        prevalences: the assumed prevalences of the two groups; for a power they must differ.
        power: the power of the two-sided test of equality; 0.8 if there is no other goal.
        margin: instead, the half-width of the interval of the difference.
        n: instead, the number of respondents of each group.
        significance: the significance level of the test, 0.05 by default.
        confidence: the confidence level of the interval, 0.95 by default.
        population: the number of people of each group, or two numbers, if they are sampled without replacement.
        sample: clusters, nonresponse and regions.

    Raises:
        InvalidParameterError: a goal is given twice, or an argument is out of range.
        InfeasibleError: even samples of all people of the groups do not reach the goal.

    >>> groups("warner:3/4", ["0.1", "0.5"]).n
    95
    """
    from rropt.plans.group_plans import plan_difference

    require_conditions(sample)
    return plan_difference(
        required_mechanism(mechanism),
        prevalences,
        power,
        significance,
        margin=margin,
        n=n,
        confidence=confidence,
        population=population,
        sample=sample,
    )


@clear_calls
def strata(
    mechanism: Mechanism | str,
    strata: Sequence[tuple[object, object] | str],
    *,
    n: object = None,
    margin: object = None,
    se: object = None,
    variance: object = None,
    confidence: object = None,
    population: object = None,
    sample: Conditions = SIMPLE_SAMPLE,
    fast: bool = False,
) -> StrataPlan:
    """Return the best allocation of n respondents to strata, or the smallest sample for a goal.

    Args:
        mechanism: the yes-or-no device of all respondents.
        strata: for each stratum its proportion of the population and its assumed prevalence, a pair or a text such as
            ``"0.9:0.1"``.
        n: the number of respondents of all strata.
        margin: instead, the half-width of the interval of the prevalence of the population.
        se, variance: instead, the standard error of its estimate, or its variance.
        confidence: the confidence level of the interval, 0.95 by default.
        population: the number of people of all strata, if they are sampled without replacement.
        sample: the design effect of each stratum, nonresponse and clusters.
        fast: whether to leave out the comparison with the same problem in SymPy and CVXPY.

    Raises:
        InvalidParameterError: not exactly one goal is given, or an argument is out of range.
        InfeasibleError: even samples of all people of the strata do not reach the goal.

    >>> strata("warner:1", [("9/10", "1/100"), ("1/10", "1/2")], n=100, fast=True).sizes
    (64, 36)
    """
    from rropt.plans.group_plans import plan_strata

    require_conditions(sample)
    own: dict[str, Any] = {"n": n, "margin": margin, "standard_error": se, "variance": variance}
    own |= {"confidence": confidence, "population": population}
    made = required_mechanism(mechanism)
    return plan_strata(made, *shares_and_prevalences(strata), **own, fast=fast, sample=sample)


@clear_calls
def finite(
    mechanism: Mechanism | str,
    population: int | Literal["census"],
    *,
    prevalence: object,
    margin: object = None,
    se: object = None,
    variance: object = None,
    n: object = None,
    confidence: object = None,
    interval: str | None = None,
    cards_without_replacement: bool = False,
    sample: Conditions = SIMPLE_SAMPLE,
) -> SurveyPlan:
    """Return the smallest number of respondents of a finite population for a goal, or what n achieve.

    Args:
        mechanism: a mechanism for one trait; for a deck that is dealt without replacement, its proportions of cards.
        population: the number of people of whom the respondents are sampled without replacement; or ``"census"``: all
            people are asked, and the plan is their number.
        prevalence: the assumed prevalence.
        margin: the half-width of the interval that ``rropt.estimate`` prints, before it is cut to [0, 1].
        se, variance: instead, the standard error, or its square.
        n: instead, the number of respondents.
        confidence: the confidence level of the interval, 0.95 by default.
        interval: ``"normal"``, instead of the interval with guaranteed coverage.
        cards_without_replacement: whether the cards are dealt without replacement from one deck of n cards.
        sample: clusters, nonresponse and regions; the population is then that of each region.

    Raises:
        InvalidParameterError: not exactly one goal is given, or an argument is out of range.
        InfeasibleError: even a sample of all people does not reach the goal.

    >>> finite("warner:3/4", 10000, prevalence="1/10", se="0.02").n
    2054
    """
    from rropt.plans.finite_plans import plan_survey

    require_conditions(sample)
    if isinstance(population, str) and population.strip() == "census":
        size = None
        refuse_given(
            given_fields(sample), "a census has no conditions of a sample", *(one.name for one in fields(sample))
        )
    else:
        size = whole_where(population, 2, MAX_ANSWERS, name="`population`")
    return plan_survey(
        required_mechanism(mechanism),
        variance,
        prevalence,
        standard_error=se,
        margin=margin,
        n=n,
        confidence=confidence,
        interval=interval,
        population=size,
        cards_without_replacement=cards_without_replacement,
        sample=sample,
    )


@clear_calls
def deck(
    epsilon: object,
    *,
    middle: object,
    prevalence: object,
    se: object = None,
    variance: object = None,
) -> SurveyPlan:
    """Return the smallest deck of cards 1, 2, 3 that a census deals to all respondents, one card for each.

    Args:
        epsilon: the epsilon of one response, > 0.
        middle: the proportion of the cards with number 2, in [0, 1).
        prevalence: the assumed prevalence.
        se, variance: the standard error of the estimate, or its variance.

    Raises:
        InvalidParameterError: not exactly one goal is given, or an argument is out of range.
        InfeasibleError: no such deck exists among the sizes tried.

    >>> deck("1/2", middle="1/100", prevalence="1/10", variance="1/10").deck
    (38, 1, 61)
    """
    from rropt.plans.finite_plans import plan_deck

    return plan_deck(epsilon, variance, prevalence, middle=middle, standard_error=se)


@clear_calls
def minimax(
    n: int,
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    progress: Callable[[str], None] | None = None,
) -> MinimaxRisk:
    """Return the minimax risk: the smallest worst-case mean squared error of a prevalence from n responses.

    The minimum is over all mechanisms at the level, also adaptive ones, and over all estimators, also biased ones.

    Args:
        n: the number of respondents, from 1 to 300; with delta > 0 up to 40.
        epsilon, delta: the level of one response.
        level: instead of epsilon, a level of ``rropt.privacy``.
        progress: called with a sentence now and then; above 100 respondents the search takes seconds.

    Raises:
        InvalidParameterError: epsilon is 0 or infinite, or n is out of range.
        CertificateError: no bracket with relative gap 1e-5 could be proved.

    >>> round(float(minimax(5, epsilon="log(5)").upper), 7)
    0.0524994
    """
    from rropt.designs.minimax_risk import minimax_risk

    budget, slack = given_level(epsilon, delta, level).one("minimax risks")
    return minimax_risk(budget, n, delta=slack, progress=progress)
