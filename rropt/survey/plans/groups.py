"""Plans of groups: respondents for a difference between two groups, and their allocation to strata.

*A difference.* With devices ``lambda_g(pi) = low_g + d_g pi`` and equal groups the normal test has the power b at
significance a for about ``n = (z_a sqrt(v_0) + z_b sqrt(v_1))^2/(pi_1 - pi_2)^2``, v_0 and v_1 the sums of the
variances per respondent at the common and at the true prevalences. Where the exact test is within reach its power at n
is summed over all pairs of counts, and n grows from there until that is enough.

*Strata.* The variance of ``sum_h W_h pi_h`` from n_h respondents of stratum h is ``sum_h W_h^2 s_h^2/n_h``, s_h^2 the
variance per respondent. The n_h that make it least at a given sum are whole numbers n_h >= 1 for which no move of one
respondent to another stratum makes it less: it is a sum of convex functions of one number each, so that no other
allocation is better either (Neyman 1934; in whole numbers: Wright 2012). Moves are compared in fractions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, sqrt

import numpy as np

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational, rational_where
from rropt.core.limits import MAX_ANSWERS
from rropt.core.results import Result, says
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import exact_confidence, two_sided_quantile
from rropt.survey.estimates.intervals import binary_reduction
from rropt.survey.groups.two_samples import Sample, equality_test, orderings
from rropt.survey.plans.finite import asked_variance

_MOST_EXACT = 150  # respondents of a group up to which the power of the exact test is summed: seconds
_MOST_STRATA = 10_000


@dataclass(frozen=True, slots=True)
class DifferencePlan(Result):
    """Respondents of each of two groups for a test of equal prevalences.

    Attributes:
        n: of each group.
        power: the probability that equality is rejected at the true prevalences.
        asked: the power that was asked for.
        significance: the significance of the two-sided test.
        prevalences: the true ones.
        exact: whether it is the power of the exact unconditional test; else that of the normal test, approximate.
    """

    n: int
    power: float
    asked: Fraction
    significance: Fraction
    prevalences: tuple[Fraction, Fraction]
    exact: bool

    SAYS = says(
        n="respondents of each group",
        power="power",
        asked="asked for",
        significance="significance, two-sided",
        prevalences="true prevalences",
        exact="power of the exact test (otherwise approximate)",
    )


@dataclass(frozen=True, slots=True)
class StrataPlan(Result):
    """Respondents of each stratum, the best whole numbers.

    Attributes:
        sizes: n_h.
        variance: the variance of the estimated prevalence of the population, exact at the guessed prevalences.
        proportional: the variance with the same number of respondents in proportion to the strata.
    """

    sizes: tuple[int, ...]
    variance: Fraction
    proportional: Fraction

    SAYS = says(
        n="respondents",
        sizes="of each stratum",
        variance="variance of the estimate",
        proportional="with respondents in proportion to the strata",
    )

    @property
    def n(self) -> int:
        """All respondents."""
        return sum(self.sizes)


def plan_difference(
    mechanism: Mechanism, prevalences: Sequence[object], power: object = "0.8", significance: object = "0.05"
) -> DifferencePlan:
    """Return how many respondents each of two groups needs to distinguish two prevalences.

    Args:
        mechanism: binary, the device of both groups.
        prevalences: the two prevalences to distinguish.
        power: in (significance, 1).
        significance: the significance of the two-sided test of equality.

    Raises:
        InvalidParameterError: equal prevalences, or a parameter out of range.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_difference(named_mechanism("warner:3/4"), ["1/10", "9/10"])
    >>> plan.n, round(plan.power, 3), plan.exact
    (26, 0.817, True)
    """
    pair = _prevalences(prevalences)
    if len(pair) != 2 or pair[0] == pair[1]:
        raise InvalidParameterError(
            f"the groups are not two that differ: received {shown(list(map(str, pair)))}; allowed are two different "
            "prevalences, such as 0.1,0.2"
        )
    goal, level = exact_confidence(power, "power"), exact_confidence(significance, "significance")
    if goal <= level:
        raise InvalidParameterError(
            f"the power is out of range: received {goal}; allowed is more than the significance {level}"
        )
    reduction = binary_reduction(mechanism)
    ends = reduction.share(Fraction(0)), reduction.share(Fraction(1))
    z_level = float(two_sided_quantile(1 - level)[1])
    z_power = float(two_sided_quantile(abs(2 * goal - 1))[1] if goal != Fraction(1, 2) else 0)
    z_power = z_power if goal >= Fraction(1, 2) else -z_power
    null, true = _spreads(pair, ends)
    gap = abs(float(pair[0] - pair[1]))
    n = max(2, ceil(((z_level * sqrt(null) + z_power * sqrt(true)) / gap) ** 2))
    if n > MAX_ANSWERS:
        raise InvalidParameterError(f"the difference is too small: received prevalences that need {n} respondents")
    while n <= _MOST_EXACT:
        reached = _exact_power(n, ends, pair, level)
        if reached >= goal:
            return DifferencePlan(n, reached, goal, level, pair, exact=True)
        n += 1
    from scipy.special import ndtr

    approximate = float(ndtr((gap * sqrt(n) - z_level * sqrt(null)) / sqrt(true)))
    return DifferencePlan(n, approximate, goal, level, pair, exact=False)


def _spreads(pair: tuple[Fraction, ...], ends: tuple[Fraction, Fraction]) -> tuple[float, float]:
    """Return the sums of the variances per respondent at the mean prevalence, and at the true ones."""
    low, slope = ends[0], ends[1] - ends[0]

    def spread(prevalence: Fraction) -> Fraction:
        share = low + slope * prevalence
        return share * (1 - share) / slope**2

    return float(2 * spread((pair[0] + pair[1]) / 2)), float(spread(pair[0]) + spread(pair[1]))


def _exact_power(n: int, ends: tuple[Fraction, Fraction], pair: tuple[Fraction, ...], level: Fraction) -> float:
    """Return the probability that the exact test rejects: counts are rejected from a critical statistic on."""
    from scipy.stats import binom

    some = Sample(n, 0, *ends)
    scores = orderings(some, some)
    values = np.unique(scores)

    def is_rejected(place: int) -> bool:
        one, two = np.argwhere(scores == values[place])[0]
        return equality_test(Sample(n, int(one), *ends), Sample(n, int(two), *ends)).p <= float(level)

    least = bisect_left(range(len(values)), True, key=is_rejected)  # p falls as the statistic grows
    if least == len(values):
        return 0.0
    laws = [binom.pmf(np.arange(n + 1), n, float(ends[0] + (ends[1] - ends[0]) * p)) for p in pair]
    return float(laws[0] @ (scores >= values[least]) @ laws[1])


def plan_strata(
    mechanism: Mechanism,
    shares: Sequence[object],
    prevalences: Sequence[object],
    *,
    n: object | None = None,
    variance: object | None = None,
    standard_error: object | None = None,
) -> StrataPlan:
    """Return how many respondents each stratum gets, so that the variance is least or the number is.

    Args:
        mechanism: binary, the device of all.
        shares: W_h, of the strata in the population; they sum to 1.
        prevalences: guesses, by stratum.
        n: all respondents; or
        variance, standard_error: that the estimate of the population's prevalence may have: the least number is sought.

    Raises:
        InvalidParameterError: a parameter out of range, both goals, or fewer respondents than strata.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_strata(named_mechanism("warner:1"), ["9/10", "1/10"], ["1/100", "1/2"], n=100)
    >>> plan.sizes, plan.variance < plan.proportional
    ((64, 36), True)
    """
    weights = [rational(share, name=f"shares[{h}]") for h, share in enumerate(shares)]
    guesses = _prevalences(prevalences)
    if not 0 < len(weights) <= _MOST_STRATA or len(guesses) != len(weights) or min(weights) <= 0 or sum(weights) != 1:
        raise InvalidParameterError(
            f"the strata do not fit: received shares {shown(list(map(str, weights)))} and {len(guesses)} prevalences; "
            "allowed are positive shares with the sum 1, and a prevalence for each"
        )
    goal = asked_variance(variance, standard_error)
    if (n is None) == (goal is None):
        raise InvalidParameterError("the goal is missing, or given twice: give n, a variance or a standard error")
    reduction = binary_reduction(mechanism)
    chances = [reduction.share(guess) for guess in guesses]
    spreads = [w * w * x * (1 - x) * reduction.slope**2 for w, x in zip(weights, chances, strict=True)]
    sizes = _allocated(spreads, answer_count(n, "n", least=len(weights))) if goal is None else _least(spreads, goal)
    total = sum(sizes)
    proportional = _variance(spreads, _allocated([w * w for w in weights], total))
    return StrataPlan(tuple(sizes), _variance(spreads, sizes), proportional)


def _prevalences(values: Sequence[object]) -> tuple[Fraction, ...]:
    return tuple(rational_where(x, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence") for x in values)


def _variance(spreads: Sequence[Fraction], sizes: Sequence[int]) -> Fraction:
    return sum((a / size for a, size in zip(spreads, sizes, strict=True)), Fraction(0))


def _least(spreads: Sequence[Fraction], goal: Fraction) -> list[int]:
    """Return the allocation of the least number of respondents whose variance is at most the goal."""
    strata = len(spreads)
    roots = sum(sqrt(a) for a in spreads)
    high = max(strata, floor(roots**2 / float(goal)) + 2 * strata + 1)
    if high > MAX_ANSWERS:
        raise InvalidParameterError(f"the variance is too small: received {shown(str(goal))}; it needs {high} answers")
    # it works at high: each n_h is then above its share by one at least
    fewer = range(strata, high)
    n = strata + bisect_left(fewer, True, key=lambda n: _variance(spreads, _allocated(spreads, n)) <= goal)
    return _allocated(spreads, n)


def _allocated(spreads: Sequence[Fraction], n: int) -> list[int]:
    """Return the best n_h >= 1 with the sum n."""
    roots = np.sqrt([float(a) for a in spreads])
    total = float(roots.sum()) or 1.0
    sizes = [max(1, floor(n * float(root) / total)) for root in roots]
    while sum(sizes) != n or _moved(spreads, sizes):
        if sum(sizes) < n:
            sizes[_best_gain(spreads, sizes)] += 1
        elif sum(sizes) > n:
            sizes[_least_loss(spreads, sizes)] -= 1
    return sizes


def _best_gain(spreads: Sequence[Fraction], sizes: Sequence[int]) -> int:
    return max(range(len(sizes)), key=lambda h: spreads[h] / (sizes[h] * (sizes[h] + 1)))


def _least_loss(spreads: Sequence[Fraction], sizes: Sequence[int]) -> int:
    more = [h for h, size in enumerate(sizes) if size > 1]
    return min(more, key=lambda h: spreads[h] / (sizes[h] * (sizes[h] - 1)))


def _moved(spreads: Sequence[Fraction], sizes: list[int]) -> bool:
    """Move one respondent where that makes the variance less; return whether it did."""
    if all(size == 1 for size in sizes):
        return False
    to, of = _best_gain(spreads, sizes), _least_loss(spreads, sizes)
    gain = spreads[to] / (sizes[to] * (sizes[to] + 1))
    if to == of or gain <= spreads[of] / (sizes[of] * (sizes[of] - 1)):
        return False
    sizes[to] += 1
    sizes[of] -= 1
    return True
