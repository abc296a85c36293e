"""The power of a test of the prevalence, and the sample size for a given power.

The exact binomial test rejects from a critical count on. Its power is the probability of reaching that count; floats
compute it for many n at once, and enclosures decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text
from rropt.core.exact.brackets import ball
from rropt.core.exact.numbers import square_root
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.counts import answer_count, least_integer
from rropt.survey.estimates.distributions import (
    FIRST_PRECISION,
    LAST_PRECISION,
    TAIL_PRECISION,
    affordable,
    at_most,
    critical_share,
    exact_confidence,
    exact_tail,
    lower_tail_lasts,
    normal_quantile,
    tail_at_most,
    upper_tail,
)
from rropt.survey.plans.plan import (
    SCAN_LIMIT,
    SCAN_MARGIN,
    Plan,
    Question,
    exact_prevalence,
    last_words,
    least_lasting,
    least_number,
    share_at,
    slope,
)

_FLOAT_BISECTIONS = 26  # of an interval of about 2/sqrt(n): to a hundredth of 1/n at n = 10^9
# scipy.special was found wrong altogether for some tails below 10^-30 of 10^6 answers: where a significance, a power or
# a miss is below _SCAN_DEPTH the search in floats ends at _SCAN_DEEP_LIMIT.
_SCAN_DEPTH = Fraction(1, 10**12)
_SCAN_DEEP_LIMIT = 10**4

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

# The critical count lies in [n t, n t + 2] for 2 n KL(t | null) = z^2 (universal inequalities); t is rounded by less.
_ROUNDING = 0.1


def critical_count(n: int, null: Fraction, tail: Fraction) -> int:
    """Return the least k with ``Pr(Y >= k) <= tail`` for Y binomial (n, null); n + 1 when no count is significant."""

    deviation = math.sqrt(n * float(null) * float(1 - null))
    guess = round(n * null) + math.ceil(float(normal_quantile(1 - tail)[1]) * deviation)
    return least_integer(lambda k: tail_at_most(k, n, null, tail) is True, guess, 0, n + 1)


def exact_power(question: Question, n: int) -> float:
    """Return the power of the exact test with n answers, rounded from an enclosure."""
    from flint import ctx

    counts = _critical_counts(question, n)
    with ctx.workprec(2 * FIRST_PRECISION):
        return float(_rejection(question, n, counts).mid())


def plan_exact_power(question: Question, goal: Fraction) -> tuple[int, bool]:
    """Return the least N whose power is at least ``goal`` for every n >= N, and whether it is the least.

    One n proves all larger ones: with t such that counts from ``n t + 1`` on are significant, and
    ``Pr(Y <= n (t + 2/n) - 1 | lambda_1) <= 1 - goal``, both by the universal inequalities, which last as n grows.
    """
    square, quantile = normal_quantile(1 - question.tail)[1] ** 2, normal_quantile(goal)[1]

    def proved(n: int) -> bool:
        t = critical_share(question.null, n, square)
        # the critical count is at most ceil(n t + 1) <= n t + 2, so that counts up to n t + 1 may be too few
        return t is not None and lower_tail_lasts(t + Fraction(2, n), n, question.truth, quantile)

    guess = int(square / (question.truth - question.null) ** 2)
    return least_lasting(
        least_number(proved, guess),
        lambda n: _reaches(question, n, goal),
        lambda low, high: power_falls(question, low, high),
        lambda numbers: clearly_reached(question, numbers, goal),
        _SCAN_DEEP_LIMIT if min(question.tail, goal, 1 - goal) < _SCAN_DEPTH else SCAN_LIMIT,
    )


def _critical_counts(question: Question, n: int) -> tuple[int, int | None]:
    """Return the least significant count of answers 1, and of answers 0 when the test is two-sided."""
    upper = critical_count(n, question.null, question.tail)
    return upper, critical_count(n, 1 - question.null, question.tail) if question.two_sided else None


def _rejection(question: Question, n: int, counts: tuple[int, int | None]) -> Any:
    upper, lower = counts
    reached = upper_tail(upper, n, question.truth)
    return reached if lower is None else reached + upper_tail(lower, n, 1 - question.truth)


def _reaches(question: Question, n: int, goal: Fraction) -> bool:
    """Decide whether the power is at least ``goal``; an undecided tie at a large n counts as no."""
    counts = _critical_counts(question, n)
    missed = at_most(lambda: 1 - _rejection(question, n, counts), 1 - goal, TAIL_PRECISION)
    if missed is not None:
        return missed
    if not affordable(n, question.truth):
        return False
    upper, lower = counts
    exact = exact_tail(upper, n, question.truth)
    return exact + (exact_tail(lower, n, 1 - question.truth) if lower is not None else 0) >= goal


def clearly_reached(question: Question, numbers: Numbers, goal: Fraction) -> NDArray[np.bool_]:
    """Return the numbers n at which floats show that the power is at least ``goal``.

    Compared is what is small: above 1/2 not the power but the miss, 1 - power. Near a goal of 0.999999 the powers of
    two neighbours n differ in the thirteenth digit, the misses in the seventh.
    """
    counts = _float_counts(numbers, question.null, question.tail)
    other: Floats | float = 0.0
    if question.two_sided:
        below = _float_counts(numbers, 1 - question.null, question.tail)
        other = _upper_tails(below, numbers, 1 - question.truth)
    if 2 * goal > 1:  # Pr(Y < k) = Pr(n - Y >= n - k + 1)
        missed = _upper_tails(numbers - counts + 1, numbers, 1 - question.truth)
        return np.asarray(missed * (1 + SCAN_MARGIN) <= float(1 - goal) + other * (1 - SCAN_MARGIN))
    reached = _upper_tails(counts, numbers, question.truth) + other
    return np.asarray(reached * (1 - SCAN_MARGIN) >= float(goal))


def power_falls(question: Question, low: int, high: int) -> Numbers:
    """Return the numbers of [low, high) at which a critical count grows, and few others.

    For a fixed count k ``Pr(Y >= k)`` grows with n, so that the power falls only where a critical count grows.
    """
    found = [_growths(low, high, question.null, question.tail)]
    if question.two_sided:
        found.append(_growths(low, high, 1 - question.null, question.tail))
    return np.concatenate(found)


def _growths(low: int, high: int, null: Fraction, tail: Fraction) -> Numbers:
    """Return the n of [low, high) at which the critical count grows to a k: the least with Pr(Y >= k - 1) > tail."""
    first, last = _float_counts(np.array([low, high - 1]), null, tail).tolist()
    counts = np.arange(max(first - 1, 1), last + 1, dtype=np.int64)  # a clearly significant count may be one too many
    knots, critical = _critical_knots(low, high - 1, null, tail)
    below, above = (
        np.clip(np.interp(counts + shift, critical, knots).astype(np.int64) + step, low - 1, high)
        for shift, step in ((-2 - _ROUNDING, -1), (_ROUNDING, 2))
    )
    above = _bisected(below, above, lambda n: _upper_tails(counts - 1, n, null) > float(tail) * (1 - SCAN_MARGIN))
    found = [above]
    while len(above):  # the next number too where floats do not tell
        doubtful = _upper_tails(counts - 1, above, null) <= float(tail) * (1 + SCAN_MARGIN)
        counts, above = counts[doubtful & (above < high)], above[doubtful & (above < high)] + 1
        found.append(above)
    numbers = np.concatenate(found)
    return numbers[numbers < high]


def _float_counts(numbers: Numbers, null: Fraction, tail: Fraction) -> Numbers:
    """Return the least counts that are clearly significant (rarely one too large)."""
    nearly = np.interp(numbers, *_critical_knots(int(numbers.min()), int(numbers.max()), null, tail))
    below, above = (
        np.clip(np.floor(nearly + shift).astype(np.int64), -1, numbers + 1) for shift in (-_ROUNDING - 1, _ROUNDING + 3)
    )
    return _bisected(below, above, lambda k: _upper_tails(k, numbers, null) <= float(tail) * (1 - SCAN_MARGIN))


def _bisected(below: Numbers, above: Numbers, passed: Callable[[Numbers], NDArray[np.bool_]]) -> Numbers:
    """Return the least integers that pass, which lie above ``below`` and at most at ``above``."""
    while (above - below > 1).any():
        middle = (below + above + 1) // 2  # ``above`` itself where that is settled
        high = passed(middle)
        below, above = np.where(high, below, middle), np.where(high, middle, above)
    return above


def _critical_knots(low: int, high: int, null: Fraction, tail: Fraction) -> tuple[Numbers, Floats]:
    """Return numbers from low to high, and n t for each; between them n t deviates from a line by at most z/4000."""
    stride = max(math.isqrt(low) * math.isqrt(math.isqrt(low)) // 8, 1)
    knots = np.append(np.arange(low, high, stride, dtype=np.int64), high)
    return knots, knots * _critical_shares(knots, float(null), float(normal_quantile(1 - tail)[1]))


def _critical_shares(numbers: Numbers, null: float, z: float) -> Floats:
    """Return t >= null with ``2 n KL(t | null) = z^2``, or 1, by bisection."""
    low = np.full(len(numbers), null)
    if null == 0:
        return low
    high = np.minimum(null + z / (2 * np.sqrt(numbers)), 1.0)  # Pinsker: KL(t | p) >= 2 (t - p)^2
    for _ in range(_FLOAT_BISECTIONS):
        middle = (low + high) / 2
        with np.errstate(all="ignore"):  # log 0 at the ends
            rest = np.where(middle < 1, (1 - middle) * np.log((1 - middle) / (1 - null)), 0.0)
            passed = 2 * numbers * (middle * np.log(middle / null) + rest) >= z * z
        low, high = np.where(passed, low, middle), np.where(passed, middle, high)
    return high


def _upper_tails(counts: Numbers, numbers: Numbers, share: Fraction) -> Floats:
    """Return ``Pr(Y >= count)`` for Y binomial (n, share)."""
    from scipy.special import betainc, betaincc

    hits, misses = np.maximum(counts, 1), np.maximum(numbers - counts + 1, 1)
    with np.errstate(all="ignore"):  # near a share of 1 only betaincc keeps its digits
        inner = betainc(hits, misses, float(share)) if 2 * share <= 1 else betaincc(misses, hits, float(1 - share))
    return np.asarray(np.where(counts <= 0, 1.0, np.where(counts > numbers, 0.0, inner)), dtype=np.float64)


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

    With ``lambda_0, lambda_1`` the proportions of answers 1 at the null and at the true prevalence, a the significance
    (a/2 on each side when two-sided), and the side that of the alternative when one-sided:

    * exact: reject when the count Y has ``Pr(Y or more extreme | lambda_0) <= a``; power is the binomial probability of
      that under lambda_1. The error of the first kind is at most the significance, for every n.
    * normal: reject when the estimate passes ``z_{1-a}`` standard errors of the null, ``s_0``; power is
      ``Phi((|pi_1 - pi_0| - z s_0)/s_1)``, plus the far side when two-sided (as R's package rr has it).

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        n: the number of responses.
        prevalence: the true prevalence pi_1, exact, in [0, 1].
        null: the prevalence pi_0 under the null hypothesis, different from pi_1.
        significance: exact, in (0, 1/2].
        sided: ``"one"`` or ``"two"``.
        test: ``"exact"`` or ``"normal"``.

    Returns:
        The power, rounded from an enclosure.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or the null equals the true prevalence.
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

    The normal power increases in n: the result is the least sufficient n, and every larger n suffices too. The power of
    the exact test is not monotone, because its critical count is an integer: the result is the least n from which every
    n suffices.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        prevalence: the true prevalence pi_1, exact, in [0, 1].
        goal: the power, exact, in (0, 1).
        null: the prevalence pi_0 under the null hypothesis, different from pi_1.
        significance: exact, in (0, 1/2].
        sided: ``"one"`` or ``"two"``.
        test: ``"exact"`` or ``"normal"``.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or the null equals the true prevalence.
        InfeasibleError: more than 10^15 responses are needed.

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
        """Return the test of a proportion; the slope of the mechanism cancels."""
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
