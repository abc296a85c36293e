"""Power by the normal approximation, enclosed in balls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.estimation.balls import ball
from rropt.estimation.plans.searches import least_number
from rropt.estimation.plans.shares import Question
from rropt.estimation.quantiles import normal_quantile
from rropt.estimation.roots import square_root
from rropt.tolerances import FIRST_PRECISION, LAST_PRECISION

__all__ = ["normal_power", "plan_normal_power"]


def normal_power(question: Question, n: int) -> float:
    """Return ``Phi((D - z s_0)/s_1)``, plus ``Phi((-D - z s_0)/s_1)`` when two-sided, rounded.

    On the scale of shares: ``D = lambda_1 - lambda_0, s_i = sqrt(lambda_i (1 - lambda_i)/n)``; the slope of the
    mechanism cancels.
    """
    from flint import ctx

    with ctx.workprec(2 * FIRST_PRECISION):
        return float(_power(question, n).mid())


def plan_normal_power(question: Question, goal: Fraction) -> int:
    """Return the least n with normal power at least ``goal``.

    The power grows with n: with ``a, b = (+-D sqrt(n) - z s_0)/s_1`` its derivative is a positive multiple of
    ``phi(a)``, or of ``phi(a) - phi(b)`` with ``|b| >= |a|`` when two-sided.
    """

    def works(n: int) -> bool:
        from flint import ctx

        precision = FIRST_PRECISION
        while precision <= LAST_PRECISION:
            with ctx.workprec(precision):
                value, target = _power(question, n), ball(goal)
                if value >= target:
                    return True
                if value < target:
                    return False
            precision *= 2
        return False  # a tie to 600 decimals

    return least_number(works, _guess(question, goal))


def _power(question: Question, n: int) -> Any:
    from flint import arb

    root = arb(2).sqrt()
    z = root * ball(1 - 2 * question.tail).erfinv()
    null, truth = (ball(share * (1 - share) / n).sqrt() for share in (question.null, question.truth))
    distance = ball(question.truth - question.null)
    reached = _normal_cdf(distance - z * null, truth)
    return reached + _normal_cdf(-distance - z * null, truth) if question.two_sided else reached


def _normal_cdf(difference: Any, deviation: Any) -> Any:
    """Return ``Phi(difference / deviation)``, also at deviation 0."""
    from flint import arb

    if deviation == 0:
        return arb(1) if difference > 0 else arb(0) if difference < 0 else arb(0).union(arb(1))
    return (1 + (difference / (arb(2).sqrt() * deviation)).erf()) / 2


def _guess(question: Question, goal: Fraction) -> int:
    """Return n near ``((z_a s_0 + z_b s_1)/D)^2`` for standard deviations per answer."""
    null, truth = (Fraction(square_root(share * (1 - share))) for share in (question.null, question.truth))
    reach = normal_quantile(1 - question.tail)[1] * null + normal_quantile(goal)[1] * truth
    return int((reach / (question.truth - question.null)) ** 2)
