"""The power of a test of the prevalence, and the sample size for a given power.

The exact binomial test rejects if the count reaches a critical value. Its power is the probability of this event.
Floating point computes the power for many n at once. Where it cannot decide, exact enclosures do.
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
    at_most,
    critical_share,
    exact_confidence,
    exact_tail,
    is_tail_small,
    lower_tail_stays_small,
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
    least_number,
    minimality_text,
    share_at,
    slope,
    smallest_lasting_size,
)

_FLOAT_BISECTIONS = 26  # halve an interval of length about 2/sqrt(n) to a hundredth of 1/n at n = 10^9
# For n = 10^6, scipy.special returned completely wrong values of some tail probabilities below 10^-30. The search in
# floating point therefore ends at _SCAN_DEEP_LIMIT if the significance, the power or 1 - power is below _SCAN_DEPTH.
_SCAN_DEPTH = Fraction(1, 10**12)
_SCAN_DEEP_LIMIT = 10**4

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

# The critical count lies in [n t, n t + 2], where 2 n KL(t | null) = z^2 (universal inequalities). This constant bounds
# the rounding error of n t.
_ROUNDING = 0.1


def critical_count(n: int, null: Fraction, tail: Fraction) -> int:
    """Return the least k with ``Pr(Y >= k) <= tail`` for Y binomial (n, null), or n + 1 if no count is significant."""

    deviation = math.sqrt(n * float(null) * float(1 - null))
    guess = round(n * null) + math.ceil(float(normal_quantile(1 - tail)[1]) * deviation)
    return least_integer(lambda k: tail_at_most(k, n, null, tail) is True, guess, 0, n + 1)


def exact_power(question: Question, n: int) -> float:
    """Return the power of the exact test with n responses, rounded from an enclosure."""
    from flint import ctx

    counts = _critical_counts(question, n)
    with ctx.workprec(2 * FIRST_PRECISION):
        return float(_rejection(question, n, counts).mid())


def plan_exact_power(question: Question, goal: Fraction) -> tuple[int, bool]:
    """Return the least N such that every n >= N has power at least ``goal``, and whether N is proved to be the least.

    One n is enough to prove the property for all larger n. Choose t such that counts of ``n t + 1`` or more are
    significant. If ``Pr(Y <= n (t + 2/n) - 1 | lambda_1) <= 1 - goal``, the power at n is at least the goal. The
    universal inequalities establish both facts, and they remain valid as n increases.
    """
    square, quantile = normal_quantile(1 - question.tail)[1] ** 2, normal_quantile(goal)[1]

    def proved(n: int) -> bool:
        t = critical_share(question.null, n, square)
        # the critical count is at most ceil(n t + 1) <= n t + 2, so a count up to n t + 1 may not be significant
        return t is not None and lower_tail_stays_small(t + Fraction(2, n), n, question.truth, quantile)

    guess = int(square / (question.truth - question.null) ** 2)
    return smallest_lasting_size(
        least_number(proved, guess),
        lambda n: _reaches(question, n, goal),
        lambda low, high: power_falls(question, low, high),
        lambda numbers: clearly_reached(question, numbers, goal),
        _SCAN_DEEP_LIMIT if min(question.tail, goal, 1 - goal) < _SCAN_DEPTH else SCAN_LIMIT,
    )


def _critical_counts(question: Question, n: int) -> tuple[int, int | None]:
    """Return the critical count of responses 1 and, for a two-sided test, the critical count of responses 0."""
    upper = critical_count(n, question.null, question.tail)
    return upper, critical_count(n, 1 - question.null, question.tail) if question.two_sided else None


def _rejection(question: Question, n: int, counts: tuple[int, int | None]) -> Any:
    upper, lower = counts
    reached = upper_tail(upper, n, question.truth)
    return reached if lower is None else reached + upper_tail(lower, n, 1 - question.truth)


def _reaches(question: Question, n: int, goal: Fraction) -> bool:
    """Decide whether the power is at least ``goal``; a tie that is undecided at a large n counts as False."""
    counts = _critical_counts(question, n)
    missed = at_most(lambda: 1 - _rejection(question, n, counts), 1 - goal, TAIL_PRECISION)
    if missed is not None:
        return missed
    if not is_tail_small(n, question.truth):
        return False
    upper, lower = counts
    exact = exact_tail(upper, n, question.truth)
    return exact + (exact_tail(lower, n, 1 - question.truth) if lower is not None else 0) >= goal


def clearly_reached(question: Question, numbers: Numbers, goal: Fraction) -> NDArray[np.bool_]:
    """Return the mask of the n for which floating point proves that the power is at least ``goal``.

    For goals above 1/2 the code compares 1 - power, because it is the smaller number and is computed with a smaller
    absolute error. Near a goal of 0.999999, the powers of two consecutive n differ in the thirteenth digit, and the
    values of 1 - power differ in the seventh.
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
    """Return all n in [low, high) at which a critical count increases, and possibly a few other n.

    For a fixed count k, ``Pr(Y >= k)`` increases with n. The power can therefore decrease only where a critical count
    increases.
    """
    found = [_growths(low, high, question.null, question.tail)]
    if question.two_sided:
        found.append(_growths(low, high, 1 - question.null, question.tail))
    return np.concatenate(found)


def _growths(low: int, high: int, null: Fraction, tail: Fraction) -> Numbers:
    """Return the n in [low, high) at which the critical count becomes k: the least n with Pr(Y >= k - 1) > tail."""
    first, last = _float_counts(np.array([low, high - 1]), null, tail).tolist()
    counts = np.arange(max(first - 1, 1), last + 1, dtype=np.int64)  # the float critical count may be too large by one
    knots, critical = _critical_knots(low, high - 1, null, tail)
    below, above = (
        np.clip(np.interp(counts + shift, critical, knots).astype(np.int64) + step, low - 1, high)
        for shift, step in ((-2 - _ROUNDING, -1), (_ROUNDING, 2))
    )
    above = _bisected(below, above, lambda n: _upper_tails(counts - 1, n, null) > float(tail) * (1 - SCAN_MARGIN))
    found = [above]
    while len(above):  # also take the next n if floating point cannot decide
        doubtful = _upper_tails(counts - 1, above, null) <= float(tail) * (1 + SCAN_MARGIN)
        counts, above = counts[doubtful & (above < high)], above[doubtful & (above < high)] + 1
        found.append(above)
    numbers = np.concatenate(found)
    return numbers[numbers < high]


def _float_counts(numbers: Numbers, null: Fraction, tail: Fraction) -> Numbers:
    """Return the critical counts computed in floating point; in rare cases one is too large by 1."""
    nearly = np.interp(numbers, *_critical_knots(int(numbers.min()), int(numbers.max()), null, tail))
    below, above = (
        np.clip(np.floor(nearly + shift).astype(np.int64), -1, numbers + 1) for shift in (-_ROUNDING - 1, _ROUNDING + 3)
    )
    return _bisected(below, above, lambda k: _upper_tails(k, numbers, null) <= float(tail) * (1 - SCAN_MARGIN))


def _bisected(below: Numbers, above: Numbers, passed: Callable[[Numbers], NDArray[np.bool_]]) -> Numbers:
    """Return for each entry the least integer that passes, given that it is above ``below`` and at most ``above``."""
    while (above - below > 1).any():
        middle = (below + above + 1) // 2  # equals ``above`` for entries that are already decided
        high = passed(middle)
        below, above = np.where(high, below, middle), np.where(high, middle, above)
    return above


def _critical_knots(low: int, high: int, null: Fraction, tail: Fraction) -> tuple[Numbers, Floats]:
    """Return knots n from low to high, and n t at each knot.

    Between the knots, n t deviates from linear interpolation by at most z/4000.
    """
    stride = max(math.isqrt(low) * math.isqrt(math.isqrt(low)) // 8, 1)
    knots = np.append(np.arange(low, high, stride, dtype=np.int64), high)
    return knots, knots * _critical_shares(knots, float(null), float(normal_quantile(1 - tail)[1]))


def _critical_shares(numbers: Numbers, null: float, z: float) -> Floats:
    """Return the t >= null with ``2 n KL(t | null) = z^2``, or 1 if there is none, by bisection."""
    low = np.full(len(numbers), null)
    if null == 0:
        return low
    high = np.minimum(null + z / (2 * np.sqrt(numbers)), 1.0)  # Pinsker: KL(t | p) >= 2 (t - p)^2
    for _ in range(_FLOAT_BISECTIONS):
        middle = (low + high) / 2
        with np.errstate(all="ignore"):  # log 0 at the endpoints
            rest = np.where(middle < 1, (1 - middle) * np.log((1 - middle) / (1 - null)), 0.0)
            passed = 2 * numbers * (middle * np.log(middle / null) + rest) >= z * z
        low, high = np.where(passed, low, middle), np.where(passed, middle, high)
    return high


def _upper_tails(counts: Numbers, numbers: Numbers, share: Fraction) -> Floats:
    """Return ``Pr(Y >= count)`` for Y binomial (n, share)."""
    from scipy.special import betainc, betaincc

    hits, misses = np.maximum(counts, 1), np.maximum(numbers - counts + 1, 1)
    with np.errstate(all="ignore"):  # for shares near 1, only betaincc keeps full relative precision
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
    """Return the power: the probability that n respondents reject the null if the true value is ``prevalence``.

    Let ``lambda_0`` and ``lambda_1`` be the proportions of responses 1 at the null and at the true prevalence. Let a be
    the significance, or half of it for a two-sided test. A one-sided test rejects on the side of the alternative.

    * exact: the test rejects if the count Y has ``Pr(Y or more extreme | lambda_0) <= a``. The power is the binomial
      probability of rejection under lambda_1. The type I error is at most the significance, for every n.
    * normal: the test rejects if the estimate deviates from the null by more than ``z_{1-a} s_0``, where s_0 is the
      standard error under the null. The power is ``Phi((|pi_1 - pi_0| - z s_0)/s_1)``. For a two-sided test the
      probability of rejection on the opposite side is added, as in the R package rr.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        n: the number of responses.
        prevalence: the true prevalence pi_1, exact, in [0, 1].
        null: the prevalence pi_0 under the null hypothesis, different from pi_1.
        significance: the significance of the test, exact, in (0, 1/2].
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

    The normal power increases with n. For the normal test the result is therefore the least sufficient n, and every
    larger n suffices too. The power of the exact test is not monotone in n, because its critical count is an integer.
    For the exact test the result is the least N such that every n >= N suffices.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        prevalence: the true prevalence pi_1, exact, in [0, 1].
        goal: the power, exact, in (0, 1).
        null: the prevalence pi_0 under the null hypothesis, different from pi_1.
        significance: the significance of the test, exact, in (0, 1/2].
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
    text += " for n and every larger number of responses" if exact else ""
    text += minimality_text(n, "less", least=least, searched=exact)
    achieved = exact_power(question, n) if exact else NormalTest.of(question).power(n)
    return Plan(n=n, goal="power", achieved=achieved, definition=text, least=least)


def _question(mechanism: Mechanism, prevalence: object, null: object, significance: object, sided: str) -> Question:
    slope(mechanism)  # raises if p00 + p11 = 1
    truth, tested = exact_prevalence(prevalence), exact_prevalence(null, "null")
    if truth == tested:
        raise InvalidParameterError(
            f"the prevalence equals the null: received {truth} twice; a power needs two different prevalences"
        )
    level = tested_level(significance, sided)
    return Question.of(share_at(mechanism, tested), share_at(mechanism, truth), level, two_sided=sided == "two")


def tested_level(significance: object, sided: str) -> Fraction:
    """Check the significance of a test and return it as a fraction.

    Raises:
        InvalidParameterError: the significance is outside (0, 1/2], or ``sided`` is neither ``one`` nor ``two``.
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
    """A test of an unbiased estimate by its normal approximation.

    Attributes:
        distance: D > 0, the distance between the true value and the null.
        null, truth: V_0 and V_1, n times the variance of the estimate at the null and at the true value.
        tail: the largest probability of rejection on one side under the null.
        two_sided: whether the test rejects on both sides.
    """

    distance: Fraction
    null: Fraction
    truth: Fraction
    tail: Fraction
    two_sided: bool

    @classmethod
    def of(cls, question: Question) -> NormalTest:
        """Return the test of a proportion of responses 1; the slope of the mechanism cancels in the power."""
        null, truth = question.null, question.truth
        spreads = null * (1 - null), truth * (1 - truth)
        return cls(truth - null, *spreads, question.tail, question.two_sided)

    def power(self, n: int) -> float:
        """Return the power from its enclosure, with s_i^2 = V_i/n.

        It is ``Phi((D - z s_0)/s_1)``, plus ``Phi((-D - z s_0)/s_1)`` for a two-sided test.
        """
        from flint import ctx

        with ctx.workprec(2 * FIRST_PRECISION):
            return float(self._reached(n).mid())

    def least(self, goal: Fraction) -> int:
        """Return the least n with a power of at least ``goal``.

        The power increases with n. Proof: let ``a, b = (+-D sqrt(n) - z s_0)/s_1``. The derivative of the power is a
        positive multiple of ``phi(a)`` for a one-sided test. For a two-sided test it is a positive multiple of
        ``phi(a) - phi(b)``, which is nonnegative because ``|b| >= |a|``.
        """

        def works(n: int) -> bool:  # 1 - power is at most 1 - goal; a tie to 600 decimals counts as False
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
    """Return ``Phi(difference/deviation)``; for deviation 0, its limit."""
    from flint import arb

    if deviation == 0:
        return arb(1) if difference > 0 else arb(0) if difference < 0 else arb(0).union(arb(1))
    return (1 + (difference / (arb(2).sqrt() * deviation)).erf()) / 2
