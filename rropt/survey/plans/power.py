"""The power of a test that the prevalence is a given one, and the number of answers that a power needs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text
from rropt.core.exact.brackets import ball
from rropt.core.exact.numbers import square_root
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import (
    FIRST_PRECISION,
    LAST_PRECISION,
    at_most,
    exact_confidence,
    normal_quantile,
)
from rropt.survey.plans.exact_power import exact_power, plan_exact_power
from rropt.survey.plans.plan import Plan, Question, exact_prevalence, last_words, least_number, share_at, slope


def power(
    mechanism: Mechanism,
    n: object,
    *,
    prevalence: object,
    null: object = 0,
    significance: object = Fraction(1, 20),
    sided: str = "one",
    test: str = "exact",
) -> float:
    """Return the probability that n respondents reject the null prevalence if the true one is ``prevalence``.

    With ``lambda_0, lambda_1`` the shares of answers 1 at the null and at the true prevalence, a the significance
    (a/2 on each side when two-sided), and the side that of the alternative when one-sided:

    * exact: reject when the count Y has ``Pr(Y or more extreme | lambda_0) <= a``; power is the binomial probability of
      that under lambda_1. The error of the first kind is at most the significance, for every n.
    * normal: reject when the estimate passes ``z_{1-a}`` standard errors of the null, ``s_0``; power is
      ``Phi((|pi_1 - pi_0| - z s_0)/s_1)``, plus the far side when two-sided (as R's package rr has it).

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        n: number of answers.
        prevalence: the true prevalence pi_1, exact, in [0, 1].
        null: the prevalence pi_0 that is tested, different from pi_1.
        significance: exact, in (0, 1/2].
        sided: ``"one"`` or ``"two"``.
        test: ``"exact"`` or ``"normal"``.

    Returns:
        The power, rounded from an enclosure.

    Raises:
        InvalidParameterError: a parameter outside its domain, or the same prevalence twice.
        InfeasibleError: p00 + p11 = 1.

    Source: Blair, Imai and Zhou (2015), section 4 (normal).

    >>> from rropt.mechanisms import named_mechanism
    >>> die = named_mechanism("forced:2/3,1/6,1/6")
    >>> for test in ("normal", "exact"):
    ...     print(test, round(power(die, 200, prevalence="1/5", significance="0.01", test=test), 7))
    normal 0.9868872
    exact 0.9831306
    """
    question = _question(mechanism, prevalence, null, significance, sided)
    total = answer_count(n, "n", least=1)
    return exact_power(question, total) if _is_exact(test) else NormalTest.of(question).power(total)


def plan_power(
    mechanism: Mechanism,
    *,
    prevalence: object,
    goal: object = Fraction(4, 5),
    null: object = 0,
    significance: object = Fraction(1, 20),
    sided: str = "one",
    test: str = "exact",
) -> Plan:
    """Return the smallest n with power (see ``power``) at least ``goal``.

    The normal power grows with n: n is the least number, and every larger one serves too. The power of the exact test
    moves up and down, because its critical count is whole: there n is the least number from which on every n serves.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        prevalence: the true prevalence pi_1, exact, in [0, 1].
        goal: the power, exact, in (0, 1).
        null: the prevalence pi_0 that is tested, different from pi_1.
        significance: exact, in (0, 1/2].
        sided: ``"one"`` or ``"two"``.
        test: ``"exact"`` or ``"normal"``.

    Raises:
        InvalidParameterError: a parameter outside its domain, or the same prevalence twice.
        InfeasibleError: more than 10^15 answers are needed.

    >>> from rropt.mechanisms import named_mechanism
    >>> die = named_mechanism("forced:2/3,1/6,1/6")
    >>> for test in ("normal", "exact"):
    ...     plan = plan_power(die, prevalence="1/5", goal="0.9", significance="0.01", test=test)
    ...     print(test, plan.n, round(plan.achieved, 6))
    normal 119 0.90009
    exact 135 0.907443
    """
    question = _question(mechanism, prevalence, null, significance, sided)
    target = exact_confidence(goal, "power")
    exact = _is_exact(test)
    n, least = plan_exact_power(question, target) if exact else (NormalTest.of(question).least(target), True)
    level = decimal_text(exact_confidence(significance, "significance"))
    text = (
        f"the power of the {sided}-sided {test} test of prevalence {null} at significance {level} against {prevalence} "
        f"is at least {target}"
    )
    text += " for n and every larger number of answers" if exact else ""
    text += last_words(n, "less", least=least, searched=exact)
    achieved = exact_power(question, n) if exact else NormalTest.of(question).power(n)
    return Plan(n=n, goal="power", achieved=achieved, definition=text, least=least)


def _question(mechanism: Mechanism, prevalence: object, null: object, significance: object, sided: str) -> Question:
    slope(mechanism)  # refuses p00 + p11 = 1
    truth, tested = exact_prevalence(prevalence), exact_prevalence(null, "null")
    if truth == tested:
        raise InvalidParameterError(
            f"the prevalence equals the null: received {truth} twice; a power needs two different prevalences"
        )
    level = tested_level(significance, sided)
    return Question.of(share_at(mechanism, tested), share_at(mechanism, truth), level, two_sided=sided == "two")


def tested_level(significance: object, sided: str) -> Fraction:
    """Return the significance of a test, checked.

    Raises:
        InvalidParameterError: a significance outside (0, 1/2], or another word than one and two.
    """
    level = exact_confidence(significance, "significance")
    if 2 * level > 1:
        raise InvalidParameterError(
            f"significance is out of range: received {shown(significance)}; allowed is 0 < significance <= 1/2"
        )
    if sided not in ("one", "two"):
        raise InvalidParameterError(f"sided is unknown: received {shown(sided)}; allowed are one and two")
    return level


def _is_exact(test: str) -> bool:
    if test not in ("exact", "normal"):
        raise InvalidParameterError(f"test is unknown: received {shown(test)}; allowed are exact and normal")
    return test == "exact"


class NormalTest(NamedTuple):
    """A test of an estimate by its normal approximation.

    Attributes:
        distance: D > 0, of the truth from the null.
        null, truth: the variances V_0 and V_1 of the estimate, times n.
        tail: the most probability of rejecting at the null on one side.
        two_sided: whether the test rejects on both sides.
    """

    distance: Fraction
    null: Fraction
    truth: Fraction
    tail: Fraction
    two_sided: bool

    @classmethod
    def of(cls, question: Question) -> NormalTest:
        """Return the test of a share; the slope of the mechanism cancels."""
        null, truth = question.null, question.truth
        spreads = null * (1 - null), truth * (1 - truth)
        return cls(truth - null, *spreads, question.tail, question.two_sided)

    def power(self, n: int) -> float:
        """Return ``Phi((D - z s_0)/s_1)``, plus ``Phi((-D - z s_0)/s_1)`` when two-sided, rounded; s_i^2 = V_i/n."""
        from flint import ctx

        with ctx.workprec(2 * FIRST_PRECISION):
            return float(self._reached(n).mid())

    def least(self, goal: Fraction) -> int:
        """Return the least n with a power of at least ``goal``.

        The power grows with n: with ``a, b = (+-D sqrt(n) - z s_0)/s_1`` its derivative is a positive multiple of
        ``phi(a)``, or of ``phi(a) - phi(b)`` with ``|b| >= |a|`` when two-sided.
        """

        def works(n: int) -> bool:  # the miss is at most 1 - goal; a tie to 600 decimals is none
            return at_most(lambda: 1 - self._reached(n), 1 - goal, LAST_PRECISION) is True

        null, truth = (Fraction(square_root(variance)) for variance in (self.null, self.truth))
        reach = normal_quantile(1 - self.tail)[1] * null + normal_quantile(goal)[1] * truth
        return least_number(works, int((reach / self.distance) ** 2))

    def _reached(self, n: int) -> Any:
        from flint import arb

        z = arb(2).sqrt() * ball(1 - 2 * self.tail).erfinv()
        null, truth = (ball(variance / n).sqrt() for variance in (self.null, self.truth))
        distance = ball(self.distance)
        reached = _normal_cdf(distance - z * null, truth)
        return reached + _normal_cdf(-distance - z * null, truth) if self.two_sided else reached


def _normal_cdf(difference: Any, deviation: Any) -> Any:
    """Return ``Phi(difference / deviation)``, also at deviation 0."""
    from flint import arb

    if deviation == 0:
        return arb(1) if difference > 0 else arb(0) if difference < 0 else arb(0).union(arb(1))
    return (1 + (difference / (arb(2).sqrt() * deviation)).erf()) / 2
