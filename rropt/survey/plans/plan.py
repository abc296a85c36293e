"""Common parts of plans: the proportions of responses 1 that they use, and the search for the least n.

A plan consists of the sample size, the condition that it is the least to meet, and the achieved value. It uses only two
facts about a mechanism: the proportions of responses 1 and the slope. Galloping and bisection find the least n with a
property if the property is monotone in n; otherwise they find the least n from which it always holds.
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
from rropt.core.results import Result, says
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.left_inverse import determinant
from rropt.survey.estimates.counts import least_integer
from rropt.survey.estimates.distributions import two_sided_quantile


@dataclass(frozen=True, slots=True)
class Plan(Result):
    """The number of respondents that a survey needs.

    Attributes:
        n: the number of responses.
        goal: ``"margin"``, ``"power"`` or ``"variance"``.
        achieved: the margin, the power or the variance with n answers, as a decimal.
        definition: the condition that n is the least to meet, in words.
        least: whether n - 1 fails (verified). The margin of exact intervals and the power of exact tests move up and
            down from one n to the next: for them n is the least number from which on every n serves. That n serves and
            n - 1 does not, and that every number beyond a bound serves, is proved; the stretch between n and that bound
            was searched in floats, for margins at small proportions only where a count next to ``n share`` changes,
            because to first order margins fall in between. Above 10^9 answers (10^4 where the
            significance, the power or its miss is below 10^-12) the search is left out and ``least`` is False: n and
            every larger number are proved to serve, and a smaller one may.
    """

    n: int
    goal: str
    achieved: float
    definition: str
    least: bool = True

    SAYS = says(n="respondents", goal="goal", achieved="achieved", definition="n is", least="minimal")

    def __str__(self) -> str:
        sign = "least n" if self.least else "sufficient n"
        return f"{sign} = {self.n}: {self.goal} {decimal_text(self.achieved)}; {self.definition}"


def last_words(n: int, without: str, *, least: bool = True, searched: bool = False) -> str:
    """Return the end of a definition: the statement about n - 1, if n > 1, and the steps that rest on floats.

    ``searched``: the planned quantity is not monotone in n.
    """
    if not least:
        return "; a smaller n may do"
    words = f", and at n - 1 it is {without}" if n > 1 else ""
    known = "n, n - 1 and all large numbers are" if n > 1 else "n and all large numbers are"
    return words + f" ({known} proved; those just above n were searched in floats)" * searched


@dataclass(frozen=True, slots=True)
class Question:
    """A test of a binomial share, turned so that the alternative lies above the null.

    Attributes:
        null, truth: the proportions lambda_0 < lambda_1; where the alternative lies below, answers 0 are counted
        instead.
        tail: the most probability of rejecting at the null on one side: the significance, or half of it.
        two_sided: whether the test rejects on both sides.
    """

    null: Fraction
    truth: Fraction
    tail: Fraction
    two_sided: bool

    @classmethod
    def of(cls, null: Fraction, truth: Fraction, significance: Fraction, *, two_sided: bool) -> Question:
        """Return the question with the alternative above the null."""
        if truth < null:
            null, truth = 1 - null, 1 - truth
        return cls(null, truth, significance / 2 if two_sided else significance, two_sided)


def has_more_answers(mechanism: Mechanism) -> bool:
    """Return whether a yes-or-no question has more than two answers, as Kuk's has."""
    mechanism = required_mechanism(mechanism)
    return mechanism.inputs == 2 and not mechanism.is_binary


def slope(mechanism: Mechanism) -> Fraction:
    """Return ``|p00 + p11 - 1|``, by which the proportion of answers 1 moves when the prevalence moves by 1.

    Raises:
        InvalidMechanismError: not binary.
        InfeasibleError: it is 0.
    """
    mechanism = required_mechanism(mechanism)
    return abs(determinant(mechanism))


def share_at(mechanism: Mechanism, prevalence: Fraction) -> Fraction:
    """Return ``lambda = Pr(answer 1) = (1 - pi)(1 - p00) + pi p11``."""
    return (1 - prevalence) * (1 - mechanism.p00) + prevalence * mechanism.p11


def planned_share(mechanism: Mechanism, prevalence: object | None) -> tuple[Fraction, str]:
    """Return the proportion of answers 1 that a plan reckons with, and where it comes from, in words.

    At a guessed prevalence its share; without a guess the reachable share nearest to 1/2, where ``lambda (1 - lambda)``
    is greatest: the worst case.
    """
    mechanism = required_mechanism(mechanism)
    if prevalence is not None:
        guess = exact_prevalence(prevalence)
        return share_at(mechanism, guess), f"at the prevalence {guess}"
    low, high = sorted((1 - mechanism.p00, mechanism.p11))
    return min(max(Fraction(1, 2), low), high), "at the worst prevalence (share of answers 1 nearest to 1/2)"


def exact_prevalence(value: object, name: str = "prevalence") -> Fraction:
    """Return a prevalence as an exact number in [0, 1].

    Raises:
        InvalidParameterError: another form, or outside [0, 1].
    """
    return rational_where(value, lambda pi: 0 <= pi <= 1, f"0 <= {name} <= 1", name=name)


# Where the margin or the power of whole answers moves up and down in n: up to so many answers the numbers between the
# universal bound and the least n are searched in floats, so many at a time. A float within SCAN_MARGIN of the goal
# (relative) decides nothing and is replaced by ball arithmetic: scipy.special was measured within 4e-10 up to 10^10
# answers, so that it is right with a factor of 25 to spare.
SCAN_LIMIT = 10**9
SCAN_WIDTH = 1 << 10  # at first, doubling: arrays of a few kilobytes
SCAN_MARGIN = 1e-8

# From low and high: numbers of [low, high) among which are all n that may fail although n - 1 works.
Falls = Callable[[int, int], NDArray[np.int64]]
# For many numbers n: whether floats, with a margin for their errors, show that n works; False where they do not tell.
Clear = Callable[[NDArray[np.int64]], NDArray[np.bool_]]


def least_number(works: Callable[[int], bool], guess: int) -> int:
    """Return the least n >= 1 with ``works(n)``, for a property that once true stays true.

    Both ``works(n)`` and, for n > 1, ``not works(n - 1)`` have been evaluated.

    Raises:
        InfeasibleError: it is above 10^15.
    """
    step = max(min(guess, MAX_ANSWERS) // 1000, 1)
    return require_possible(least_integer(works, guess, 1, MAX_ANSWERS + 1, step))


def least_lasting(
    enough: int, works: Callable[[int], bool], falls: Falls, clear: Clear, limit: int = SCAN_LIMIT
) -> tuple[int, bool]:
    """Return the least N such that every n >= N works, and True; or ``enough`` and False when that is above the limit.

    Between two numbers at which it may fall the property only rises, so that these alone are looked at, downwards from
    ``enough`` to the first that fails. That N works and N - 1 does not is decided rigorously; that the numbers between
    N and ``enough`` work rests on floats where these are clear, and on ``works`` elsewhere.

    Args:
        enough: a number from which on every n is proved to work.
        works: decides one n rigorously.
        falls: where it may fall.
        clear: whether floats decide.
        limit: up to where N is searched for.
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
    """Return the least n above low, which fails, that works; from low to high it begins to work once."""
    while not works(high):  # the floats were wrong: go up on rigorous ground
        low, high = high, high + 1
    return low + 1 + bisect_left(range(low + 1, high), True, key=works)


DIGITS = (20, 40, 80, 160, 320)  # of quantiles and logarithms: beyond it a comparison counts as a tie (none is known)


def least_multiple(multiplier: Callable[[int], Bracket], ratio: Fraction) -> int:
    """Return the least n >= 1 with ``n >= m ratio`` for a number m.

    Args:
        multiplier: an enclosure of m to the given number of digits; digits are added until both bounds give the same n.
        ratio: exact, >= 0.

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
    """Return an enclosure of z^2 with ``Pr(|G| <= z) = level``, G standard normal."""
    low, high = two_sided_quantile(level, digits)
    return Bracket(low * low, high * high)


def ceiling(bound: Fraction) -> int:
    """Return the least n >= 1 with ``n >= bound``.

    Raises:
        InfeasibleError: it is above 10^15.
    """
    return require_possible(max(1, -(-bound.numerator // bound.denominator)))


def require_possible(n: int) -> int:
    """Return n if it is at most 10^15."""
    if n > MAX_ANSWERS:
        raise InfeasibleError(
            f"the plan is out of reach: more than {MAX_ANSWERS} answers are needed; ask for less, or use a mechanism "
            "with less privacy"
        )
    return n
