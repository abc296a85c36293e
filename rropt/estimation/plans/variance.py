"""The variance of the unbiased estimate, and the number of answers that a variance needs."""

from __future__ import annotations

from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.estimation.counts import answer_count
from rropt.estimation.plans.plan import Plan, last_words
from rropt.estimation.plans.searches import ceiling
from rropt.estimation.plans.shares import planned_share, slope
from rropt.estimation.roots import finite_float
from rropt.exact import rational
from rropt.mechanisms import Mechanism


def variance(mechanism: Mechanism, n: object, *, prevalence: object | None = None) -> Fraction:
    """Return the variance of the unbiased estimate of the prevalence from n answers, exactly.

    ``lambda (1 - lambda) / (n (p00 + p11 - 1)^2)`` with lambda = Pr(answer 1) at the prevalence, or at the worst one.

    Raises:
        InvalidParameterError: n is not a count, or the prevalence is outside [0, 1].
        InfeasibleError: p00 + p11 = 1.

    Source: Holohan, Leith and Mason (2016), equation (6).

    >>> from rropt.mechanisms import named_mechanism
    >>> exact = variance(named_mechanism("forced:2/3,1/6,1/6"), 2435, prevalence="2551/9740")
    >>> exact, round(float(exact), 9)  # Nigeria: the square of the standard error 0.014413
    (Fraction(2999079, 14437662875), 0.000207726)
    """
    share, _ = planned_share(mechanism, prevalence)
    return share * (1 - share) / (answer_count(n, "n", least=1) * slope(mechanism) ** 2)


def plan_variance(mechanism: Mechanism, goal: object, *, prevalence: object | None = None) -> Plan:
    """Return the least n at which the variance of the unbiased estimate is at most ``goal``: an exact ceiling.

    Args:
        mechanism: a binary design with p00 + p11 != 1.
        goal: the variance, exact, positive (for a standard error s give its square).
        prevalence: the guess at which the variance is taken; the worst one when left out.

    Raises:
        InvalidParameterError: a variance <= 0.
        InfeasibleError: p00 + p11 = 1, or more than 10^15 answers are needed.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_variance(named_mechanism("warner:3/4"), "1/10000", prevalence="1/2")
    >>> plan.n, plan.achieved
    (10000, 0.0001)
    """
    most = rational(goal, name="variance")
    if most <= 0:
        raise InvalidParameterError(f"variance is out of range: received {shown(goal)}; allowed is a number > 0")
    share, where = planned_share(mechanism, prevalence)
    n = ceiling(share * (1 - share) / (most * slope(mechanism) ** 2))
    return Plan(
        n=n,
        goal="variance",
        achieved=finite_float(variance(mechanism, n, prevalence=prevalence)),
        definition=f"the variance of the unbiased estimate {where} is at most {most}{last_words(n, 'more')}",
    )
