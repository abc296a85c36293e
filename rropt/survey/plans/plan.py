"""Common parts of sample size plans: the proportions of responses 1 that they use, and the search for the least n.

A plan consists of the sample size n, the condition that n satisfies, and the achieved value. It uses only two facts
about a mechanism: the proportions of responses 1 and the slope. If the condition is monotone in n, galloping and
bisection find the least n that satisfies it. Otherwise they find the least n from which on it is always satisfied.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError
from rropt.core.exact import decimal_text, rational_where
from rropt.core.exact.brackets import Bracket
from rropt.core.limits import MAX_ANSWERS
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.left_inverse import determinant
from rropt.survey.estimates.counts import least_integer
from rropt.survey.estimates.distributions import two_sided_quantile


@dataclass(frozen=True, slots=True)
class Plan(Result):
    """The number of respondents that a survey needs.

    Attributes:
        n: the number of respondents.
        goal: ``"margin"``, ``"power"`` or ``"variance"``.
        achieved: the margin, the power or the variance with n responses, as a decimal.
        definition: the condition that defines n, in words.
        least: whether n - 1 is proved to fail. For margins of exact intervals and the power of exact tests, which are
            not monotone in n, n is the least number from which on every number suffices. It is proved that n suffices,
            that n - 1 does not, and that every number beyond some bound suffices. The numbers between n and this bound
            were searched in floating point. For margins at small proportions, this search visits only numbers at which
            a count next to ``n share`` changes, because to first order margins decrease between them. Above 10^9
            responses the search is omitted and ``least`` is False; n and all larger numbers are then proved to
            suffice, but a smaller number may suffice too. The limit is 10^4 if the significance, the power or
            1 - power is below 10^-12.
    """

    n: int
    goal: str
    achieved: float
    definition: str
    least: bool = True

    LABELS = labelled(n="respondents", goal="goal", achieved="achieved", definition="condition", least="minimal")

    def __str__(self) -> str:
        sign = "least n" if self.least else "sufficient n"
        return f"{sign} = {self.n}: {self.goal} {decimal_text(self.achieved)}; {self.definition}"


def minimality_text(n: int, without: str, *, least: bool = True, searched: bool = False) -> str:
    """Return the end of a definition: the statement about n - 1, if n > 1, and which n were checked in floats only.

    Args:
        n: the number of respondents.
        without: what is wrong with the planned quantity at n - 1: ``more`` or ``less`` than the goal.
        least: whether n is proved to be the least.
        searched: whether the planned quantity is not monotone in n, so that a search was necessary.
    """
    if not least:
        return "; a smaller n may do"
    words = f", and at n - 1 it is {without}" if n > 1 else ""
    known = "n, n - 1 and all large numbers are" if n > 1 else "n and all large numbers are"
    return words + f" ({known} proved; numbers just above n were checked in floating point)" * searched


@dataclass(frozen=True, slots=True)
class Question:
    """A test of a binomial proportion, stated such that the alternative is greater than the null.

    Attributes:
        null, truth: the proportions lambda_0 < lambda_1. If the alternative is less than the null, they are the
            proportions of responses 0.
        tail: the largest probability of rejection on one side under the null: the significance, or half of it.
        two_sided: whether the test rejects on both sides.
    """

    null: Fraction
    truth: Fraction
    tail: Fraction
    two_sided: bool

    @classmethod
    def of(cls, null: Fraction, truth: Fraction, significance: Fraction, *, two_sided: bool) -> Question:
        """Return the test; if the alternative is less than the null, responses 0 and 1 are exchanged."""
        if truth < null:
            null, truth = 1 - null, 1 - truth
        return cls(null, truth, significance / 2 if two_sided else significance, two_sided)


def has_more_answers(mechanism: Mechanism) -> bool:
    """Return whether the device of a yes/no question has more than two outputs, such as Kuk's device."""
    mechanism = required_mechanism(mechanism)
    return mechanism.inputs == 2 and not mechanism.is_binary


def slope(mechanism: Mechanism) -> Fraction:
    """Return ``|p00 + p11 - 1|``, the change of the proportion of responses 1 if the prevalence changes by 1.

    Raises:
        InvalidMechanismError: the mechanism is not binary.
        InfeasibleError: the slope is 0.
    """
    mechanism = required_mechanism(mechanism)
    return abs(determinant(mechanism))


def share_at(mechanism: Mechanism, prevalence: Fraction) -> Fraction:
    """Return the proportion of responses 1 at a prevalence: ``lambda = (1 - pi)(1 - p00) + pi p11``."""
    return (1 - prevalence) * (1 - mechanism.p00) + prevalence * mechanism.p11


def planned_share(mechanism: Mechanism, prevalence: object | None) -> tuple[Fraction, str]:
    """Return the proportion of responses 1 that a plan assumes, and text that explains it.

    With a guessed prevalence it is the proportion at this prevalence. Without a guess it is the worst case: the
    attainable proportion nearest to 1/2, which maximizes ``lambda (1 - lambda)``.
    """
    mechanism = required_mechanism(mechanism)
    if prevalence is not None:
        guess = exact_prevalence(prevalence)
        return share_at(mechanism, guess), f"at the prevalence {guess}"
    low, high = sorted((1 - mechanism.p00, mechanism.p11))
    return min(max(Fraction(1, 2), low), high), "at the worst prevalence (proportion of response 1 nearest to 1/2)"


def exact_prevalence(value: object, name: str = "prevalence") -> Fraction:
    """Convert a prevalence to an exact number in [0, 1].

    Raises:
        InvalidParameterError: the value is not a number, or is outside [0, 1].
    """
    return rational_where(value, lambda pi: 0 <= pi <= 1, f"0 <= {name} <= 1", name=name)


# The margin of an exact interval and the power of an exact test are not monotone in n. Up to SCAN_LIMIT responses, the
# numbers between the universal bound and the least n are searched in floating point, in blocks of SCAN_WIDTH. A float
# within a relative SCAN_MARGIN of the goal decides nothing; ball arithmetic decides instead. The measured error of
# scipy.special is at most 4e-10 up to 10^10 responses, which leaves a factor of 25.
SCAN_LIMIT = 10**9
SCAN_WIDTH = 1 << 10  # the first block; later blocks double in size. Arrays have a few kilobytes.
SCAN_MARGIN = 1e-8

# Maps low and high to numbers in [low, high) that include every n that may fail although n - 1 works.
Falls = Callable[[int, int], NDArray[np.int64]]
# Maps numbers n to a mask: True if floats, with a margin for their errors, show that n works; False if undecided.
Clear = Callable[[NDArray[np.int64]], NDArray[np.bool_]]


def least_number(works: Callable[[int], bool], guess: int) -> int:
    """Return the least n >= 1 with ``works(n)``, for a property that stays true once it is true.

    The search evaluates both ``works(n)`` and, for n > 1, ``not works(n - 1)``.

    Raises:
        InfeasibleError: the least n is above 10^15.
    """
    step = max(min(guess, MAX_ANSWERS) // 1000, 1)
    return require_possible(least_integer(works, guess, 1, MAX_ANSWERS + 1, step))


def smallest_lasting_size(
    enough: int, works: Callable[[int], bool], falls: Falls, clear: Clear, limit: int = SCAN_LIMIT
) -> tuple[int, bool]:
    """Return the least N such that every n >= N works, and whether N is proved to be the least.

    Between two numbers of ``falls`` the property can only change from False to True. It is therefore enough to test
    these numbers, downwards from ``enough`` to the first that fails. The code proves that N works and N - 1 fails. For
    the numbers between N and ``enough`` it relies on floats where they are clear, and on ``works`` elsewhere.

    Args:
        enough: a number from which on every n is proved to work.
        works: decides one n rigorously.
        falls: returns the numbers at which the property may change from True to False.
        clear: returns a mask: True for each number that works according to floats, with a margin for their errors.
        limit: if ``enough`` is above this limit, there is no search; the result is ``enough`` and False.
    """
    if enough > limit:
        return enough, False
    above, high, width = enough, enough, SCAN_WIDTH
    while high > 1:
        low = max(high - width, 1)
        numbers = np.unique(np.append(falls(low, high), low))[::-1]
        sure = clear(numbers)
        for n, known in zip(numbers.tolist(), sure.tolist(), strict=True):
            if not known and not works(n):
                return _least_above(n, above, works), True
            above = n
        high, width = low, 2 * width if len(numbers) < SCAN_WIDTH else width
    return 1, True


def _least_above(low: int, high: int, works: Callable[[int], bool]) -> int:
    """Return the least n > low that works, given that low fails and that the property changes once up to high."""
    while not works(high):  # a float was wrong: continue upwards with the rigorous test
        low, high = high, high + 1
    return low + 1 + bisect_left(range(low + 1, high), True, key=works)


# Digits of quantiles and logarithms. A comparison that is undecided at 320 digits counts as a tie (none is known).
DIGITS = (20, 40, 80, 160, 320)


def least_multiple(multiplier: Callable[[int], Bracket], ratio: Fraction) -> int:
    """Return the least n >= 1 with ``n >= m ratio`` for a real number m.

    Args:
        multiplier: returns an enclosure of m to the given number of digits. Digits are added until both bounds give the
            same n.
        ratio: the ratio, exact, >= 0.

    Raises:
        InfeasibleError: n is above 10^15.
    """
    for digits in DIGITS:
        m = multiplier(digits)
        n = ceiling(m.upper * ratio)
        if ceiling(m.lower * ratio) == n:
            break
    return n


def squared_quantile(level: Fraction, digits: int) -> Bracket:
    """Return an enclosure of z^2 with ``Pr(|G| <= z) = level`` for a standard normal G."""
    low, high = two_sided_quantile(level, digits)
    return Bracket(low * low, high * high)


def ceiling(bound: Fraction) -> int:
    """Return the least n >= 1 with ``n >= bound``.

    Raises:
        InfeasibleError: the least n is above 10^15.
    """
    return require_possible(max(1, -(-bound.numerator // bound.denominator)))


def require_possible(n: int) -> int:
    """Return n, or raise InfeasibleError if it is above 10^15."""
    if n > MAX_ANSWERS:
        raise InfeasibleError(
            f"the plan is out of reach: more than {MAX_ANSWERS} respondents are needed; plan for less precision, or "
            f"use a mechanism "
            "with less privacy"
        )
    return n
