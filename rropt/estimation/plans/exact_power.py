"""Power of the exact binomial test: a critical count, and the probability of reaching it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.estimation.balls import ball
from rropt.estimation.plans.float_power import clearly_reached, power_falls
from rropt.estimation.plans.searches import least_lasting, least_number
from rropt.estimation.plans.shares import Question
from rropt.estimation.quantiles import normal_quantile
from rropt.estimation.tails import affordable, exact_tail, tail_at_most, upper_tail
from rropt.estimation.universal import critical_share, lower_tail_lasts
from rropt.tolerances import FIRST_PRECISION, SCAN_DEEP_LIMIT, SCAN_DEPTH, TAIL_PRECISION

__all__ = ["critical_count", "exact_power", "plan_exact_power"]


def critical_count(n: int, null: Fraction, tail: Fraction) -> int:
    """Return the least k with ``Pr(Y >= k) <= tail`` for Y binomial (n, null); n + 1 when no count is significant."""

    def significant(k: int) -> bool:
        return tail_at_most(k, n, null, tail) is True

    deviation = math.sqrt(n * float(null) * float(1 - null))
    z = float(normal_quantile(1 - tail)[1])
    low = high = min(max(round(n * null) + math.ceil(z * deviation), 0), n + 1)
    step = 1
    while not significant(high):
        low, high, step = high, min(high + step, n + 1), 2 * step
    step = 1
    while low > 0 and significant(low):
        low, high, step = max(low - step, 0), low, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if significant(middle) else (middle, high)
    return high


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
    enough = least_number(proved, guess)
    if min(question.tail, goal, 1 - goal) < SCAN_DEPTH:
        return least_lasting(enough, lambda n: _reaches(question, n, goal), np.arange, _never, SCAN_DEEP_LIMIT)
    return least_lasting(
        enough,
        lambda n: _reaches(question, n, goal),
        lambda low, high: power_falls(question, low, high),
        lambda numbers: clearly_reached(question, numbers, goal),
    )


def _never(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.zeros(len(numbers), dtype=np.bool_)


def _critical_counts(question: Question, n: int) -> tuple[int, int | None]:
    """Return the least significant count of answers 1, and of answers 0 when the test is two-sided."""
    upper = critical_count(n, question.null, question.tail)
    return upper, critical_count(n, 1 - question.null, question.tail) if question.two_sided else None


def _rejection(question: Question, n: int, counts: tuple[int, int | None]) -> Any:
    upper, lower = counts
    reached = upper_tail(upper, n, question.truth)
    return reached if lower is None else reached + upper_tail(lower, n, 1 - question.truth)


def _reaches(question: Question, n: int, goal: Fraction) -> bool:
    """Decide whether the power is at least ``goal``; a tie of a large n that stays undecided counts as no."""
    from flint import ctx

    counts = _critical_counts(question, n)
    precision = FIRST_PRECISION
    while precision <= TAIL_PRECISION:
        with ctx.workprec(precision):
            value, target = _rejection(question, n, counts), ball(goal)
            if value >= target:
                return True
            if value < target:
                return False
        precision *= 2
    if not affordable(n, question.truth):
        return False
    upper, lower = counts
    exact = exact_tail(upper, n, question.truth)
    return exact + (exact_tail(lower, n, 1 - question.truth) if lower is not None else 0) >= goal
