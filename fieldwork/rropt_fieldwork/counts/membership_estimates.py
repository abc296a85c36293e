"""Estimates from aggregated counts of memberships: proportions, and the categories above a threshold.

* *Heavy hitters*: the exact p-value of the hypothesis ``pi_x <= theta`` is ``Pr(Bin(n, m + (p - m) theta) >= c_x)``,
  where c_x of n responses contain category x, p is the probability that a response contains the true category, and m
  that it contains any given other one. Holm's procedure over all categories bounds the probability of any false claim
  by alpha, under any dependence. Tails are computed only for the distinct values of c_x.
* ``rropt.estimates.estimates_of_memberships`` has the estimates and their intervals.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import decimal_text, exact_confidence, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.core.lazy import numpy as np
from rropt.core.visible import with_noun
from rropt.estimates import Estimates, estimates_of_counts, estimates_of_memberships, selected_memberships
from rropt.inference import estimate
from rropt.inference.differences import holm
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.families import MembershipMechanism, as_memberships
from rropt_fieldwork.counts.aggregated_counts import AggregatedCounts, counts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]


def nearest_distribution(values: Sequence[float]) -> Floats:
    """Return the distribution with the least sum of squared distances to given numbers, ``max(0, value - t)``.

    Estimates from memberships sum to 1 only about, and some are negative; this distribution is not unbiased.

    The number t is the only one with which these have the sum 1. With the values in descending order, it is
    ``(v_1 + ... + v_j - 1)/j`` for the last j at which this is below v_j.

    Source: Duchi, Shalev-Shwartz, Singer and Chandra (2008), figure 1.

    >>> nearest_distribution([0.75, 0.5, -0.5]).tolist()
    [0.625, 0.375, 0.0]
    """
    given = np.asarray(values, np.float64)
    ordered = np.sort(given)[::-1]
    thresholds = (np.cumsum(ordered) - 1) / np.arange(1, len(given) + 1)
    kept = int(np.flatnonzero(ordered > thresholds)[-1])
    return np.asarray(np.maximum(given - thresholds[kept], 0.0))


def _fraction(value: object, name: str) -> Fraction:
    return rational_where(value, lambda x: 0 < x < 1, f"0 < {name} < 1", name=name)


def estimate_counts(
    counts: AggregatedCounts | str | os.PathLike[str],
    *,
    confidence: object = "0.95",
    likelihood: bool = False,
) -> Estimates:
    """Estimate the distribution of the categories from aggregated counts.

    Args:
        counts: the result of ``count`` or ``merge``, or the name of its file.
        confidence: the confidence of the intervals, in (0, 1).
        likelihood: whether the maximum likelihood estimate is asked for, which memberships do not determine.

    Returns:
        The estimates. Each interval holds by itself; ``conf_int(simultaneous=True)`` has those that hold together.

    Raises:
        UnsupportedProblemError: the likelihood is requested, but the counts do not determine it.
        InvalidParameterError: there are no responses.

    >>> from rropt.mechanisms.families import AllSubsets, BlockMechanism
    >>> import rropt, rropt_fieldwork
    >>> pairs = BlockMechanism(AllSubsets(3, 2), 3)
    >>> counts = rropt_fieldwork.count([[True, True, False], [False, True, True]], pairs, shard="a")
    >>> [str(one.estimate) for one in estimate_counts(counts)]
    ['-1/4', '3/2', '-1/4']
    """
    found = counts_of(counts)
    level = exact_confidence(confidence)
    if not found.n:
        raise InvalidParameterError("there is nothing to estimate: received counts of 0 responses; count some")
    if found.counted == "outputs":
        return estimates_of_counts(estimate(found.mechanism, found.counts), confidence=level)
    if likelihood:
        raise UnsupportedProblemError(
            "the most likely proportions are not determined: received memberships, which two sets of responses with "
            "different likelihoods may share; estimate from the responses with `rropt estimate DATA`"
        )
    return estimates_of_memberships(found.mechanism, found.counts, found.n, confidence=level)


_POWER_QUANTILE = 0.8416212335729143  # the 0.8 quantile of the standard normal distribution


class Exceeding(NamedTuple):
    """The categories that a test finds above a threshold, of those tested.

    Attributes:
        places: the places of these categories among the tested ones, in order of their p-values.
        p_values: their p-values, adjusted by Holm's procedure.
    """

    places: Integers
    p_values: Floats


def heavy_hitters(
    counts: AggregatedCounts | str | os.PathLike[str],
    threshold: object,
    *,
    level: object = "0.05",
    candidates: Sequence[int] | None = None,
) -> Estimates:
    """Find the categories whose proportion exceeds a threshold.

    Args:
        counts: counts of memberships, or the name of their file.
        threshold: theta, 0 <= theta < 1.
        level: the familywise error rate, in (0, 1): an upper bound of the probability that the list contains any
            category whose proportion is at most theta.
        candidates: the categories to test, which must be chosen before anybody sees the responses; all by default.

    Returns:
        The proportions of these categories in order of their p-values, which are adjusted by Holm's procedure. A remark
        says how many were tested, and which proportion the test finds with a chance of about 80 %.

    Raises:
        UnsupportedProblemError: the counts are counts of outputs.
    """
    found = counts_of(counts)
    sets = as_memberships(found.mechanism)
    if found.counted != "memberships" or sets is None:
        raise UnsupportedProblemError(
            "heavy hitters are found from counts of memberships: received counts of outputs; use a block design"
        )
    places = np.arange(len(found.counts))
    if candidates is not None:
        listed = required_list(candidates, "`candidates`", "a list of categories")
        places = np.array(
            sorted({whole_where(x, 0, len(found.counts) - 1, name="a category of `candidates`") for x in listed}),
            np.int64,
        )
    if not len(places) or not 0 <= places.min() <= places.max() < len(found.counts):
        raise InvalidParameterError(f"a candidate is not a category: allowed are 0 to {len(found.counts) - 1}")
    theta, alpha = required_threshold(threshold), _fraction(level, "level")
    hits = np.array(found.counts)[places]
    kept, p_values = exceeding(sets, hits, found.n, theta, alpha)
    categories = places[kept].tolist()
    names = [found.mechanism.categories[x] if found.mechanism.categories else str(x) for x in categories]
    detected = detectable_proportion(sets, len(places), found.n, theta, alpha)
    about = (
        f"{with_noun(len(places), 'category', 'categories')} tested at a familywise error rate of "
        f"{decimal_text(alpha)}: {len(kept) or 'none'} above {decimal_text(theta)}; the test finds a proportion of "
        f"{decimal_text(detected, 3)} with a chance of about 80 %"
    )
    return selected_memberships(
        found.mechanism, hits[kept].tolist(), found.n, names, p_values.tolist(), [about], confidence_of(alpha)
    )


def confidence_of(alpha: Fraction) -> Fraction:
    """Return the confidence of the intervals beside a test with a familywise error rate alpha."""
    return 1 - alpha if alpha <= Fraction(1, 2) else exact_confidence("0.95")


def required_threshold(threshold: object) -> Fraction:
    """Return the proportion that categories are tested to exceed, in [0, 1)."""
    return rational_where(threshold, lambda x: 0 <= x < 1, "0 <= threshold < 1", name="threshold")


def exceeding(sets: MembershipMechanism, hits: Integers, n: int, theta: Fraction, alpha: Fraction) -> Exceeding:
    """Test by Holm's procedure which categories exceed theta.

    Args:
        sets: the mechanism.
        hits: the number of the n responses that contain each tested category.
        n: the number of responses.
        theta: the threshold.
        alpha: the familywise error rate.
    """
    from scipy.special import betainc

    if not n:
        raise InvalidParameterError("there is nothing to test: received 0 responses; give one at least")
    rate = float(sets.miss + (sets.hit - sets.miss) * theta)
    values, inverse = np.unique(hits, return_inverse=True)
    with np.errstate(all="ignore"):
        tails = np.where(values > 0, betainc(values.astype(float), n - values + 1.0, rate), 1.0)
    p_values = tails[inverse]
    order = np.argsort(p_values, kind="stable")
    adjusted = holm(p_values)[order]
    kept = adjusted <= float(alpha)
    return Exceeding(order[kept], adjusted[kept])


def detectable_proportion(sets: MembershipMechanism, tested: int, n: int, theta: Fraction, alpha: Fraction) -> float:
    """Return the proportion that the test of some categories finds with a chance of about 80 %.

    It is ``theta + (z_{1 - alpha/k} + z_0.8) sqrt(r (1 - r)/n)/(p - m)`` with ``r = m + (p - m) theta``.

    Args:
        sets: the mechanism.
        tested: k, the number of tested categories.
        n: the number of responses.
        theta: the threshold.
        alpha: the familywise error rate.
    """
    from scipy.stats import norm

    rate = float(sets.miss + (sets.hit - sets.miss) * theta)
    error = sqrt(rate * (1 - rate) / n) / float(sets.hit - sets.miss)
    return float(theta) + (float(norm.isf(float(alpha) / tested)) + _POWER_QUANTILE) * error
