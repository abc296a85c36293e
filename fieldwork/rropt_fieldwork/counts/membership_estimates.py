"""Estimates from aggregated counts of memberships: proportions, joint intervals, and categories above a threshold.

If c_x of n reports contain category x, then c_x is Binomial(n, M_x) with ``M_x = m + (p - m) pi_x``. Here p is the
probability that a report contains the true category, and m is the probability that it contains any given other
category. The statement holds for every distribution pi.

* *Estimate*: ``(c_x/n - m)/(p - m)`` is unbiased. Its plug-in standard error is the standard error of c_x/n divided by
  p - m.
* *Joint intervals*: Clopper-Pearson intervals for M_x at level alpha/k, mapped to pi_x. By Bonferroni's inequality
  their joint confidence is at least the stated one, under any dependence.
* *Heavy hitters*: the exact p-value of the hypothesis ``pi_x <= theta`` is ``Pr(Bin(n, m + (p - m) theta) >= c_x)``.
  Holm's procedure over all categories bounds the probability of any false claim by alpha, under any dependence.

The code computes tails and quantiles only for the distinct values of c_x, so a million categories take milliseconds.

Memberships do not determine the likelihood of set responses: two data sets with the same memberships can have different
likelihoods. They do not determine the covariance of two categories either. Operations that need these quantities raise
an error.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import decimal_text, rational_where
from rropt.core.exact.display import rounded
from rropt.core.exact.numbers import whole_where
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ANSWERS
from rropt.core.results import Result, Table, labelled
from rropt.core.results.result_frames import row_with
from rropt.core.visible import all_of, visible
from rropt.estimates.conclusions import Concluded, largest_sentence, share_of_people, share_sentence, unit_in_all
from rropt.inference.differences import holm
from rropt.inference.distributions import lower_probability, upper_probability
from rropt.inference.interval_kinds import empty_remark, ends_text, is_empty, places_of
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.families import MembershipMechanism, as_memberships
from rropt_fieldwork.counts.aggregated_counts import AggregatedCounts, counts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

_ROOM = 1e-9  # endpoints are moved outwards by this fraction of their distance to 0 or 1, to cover rounding errors
_LISTED = 20  # number of categories in the summary


@dataclass(frozen=True, slots=True)
class MembershipEstimate(Result, Concluded):
    """The proportions of all categories from counts of memberships.

    Attributes:
        mechanism: the mechanism that produced the responses, which are sets of categories.
        n: the number of responses.
        memberships: c, the number of responses that contain each category, shape (k,).
        confidence: the joint confidence of all intervals.
    """

    mechanism: Mechanism
    n: int
    memberships: tuple[int, ...]
    confidence: Fraction

    ANSWER = ("n", "estimate", "standard_errors")
    LABELS: ClassVar[Mapping[str, str]] = labelled(
        n="responses",
        mechanism="mechanism",
        confidence="confidence of all intervals together",
        estimate="unbiased estimate of each category",
        standard_errors="standard error of each, plug-in",
        nonnegative_estimate="nearest distribution",
        intervals="joint intervals of Clopper and Pearson",
        device_in_words="",
        constrained_estimate="",
        likelihood="",
    )

    def checked(self) -> None:
        """Raise an error if the numbers in a file contradict each other."""
        n, k = self.n, self.mechanism.inputs
        fits = as_memberships(self.mechanism) is not None and 0 < n <= MAX_ANSWERS and 0 < self.confidence < 1
        if not fits or len(self.memberships) != k or not all(0 <= c <= n for c in self.memberships):
            raise FileFormatError(
                f"the memberships do not fit: received n = {shown(n)}, {shown(list(self.memberships))}, confidence "
                f"{shown(self.confidence)}; allowed are {k} whole numbers from 0 to n of a mechanism that outputs sets "
                "of categories, and a confidence between 0 and 1"
            )

    @property
    def device_in_words(self) -> str:
        """The device in words."""
        return self.mechanism.in_words()

    @property
    def sets(self) -> MembershipMechanism:
        """The mechanism as a ``MembershipMechanism``, whose outputs are sets of categories."""
        found = as_memberships(self.mechanism)
        assert found is not None  # `estimate_counts` creates this class for such mechanisms only
        return found

    @property
    def estimate(self) -> tuple[Fraction, ...]:
        """``(c_x/n - m)/(p - m)``, shape (k,): unbiased, possibly outside [0, 1]."""
        sets, n = self.sets, self.n
        scale, miss = 1 / ((sets.hit - sets.miss) * n), sets.miss / (sets.hit - sets.miss)
        known = {c: c * scale - miss for c in set(self.memberships)}
        return tuple(known[c] for c in self.memberships)

    @property
    def standard_errors(self) -> tuple[float, ...]:
        """The plug-in standard error of each category, shape (k,)."""
        found: list[float] = self.errors().tolist()
        return tuple(found)

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """The joint intervals, shape (k, 2), within [0, 1]."""
        low, high = self.ends()
        return tuple(zip(low.tolist(), high.tolist(), strict=True))

    @property
    def nonnegative_estimate(self) -> tuple[float, ...]:
        """The distribution nearest to the unbiased estimate, shape (k,): nonnegative, with sum 1, and not unbiased."""
        found: list[float] = nearest_distribution(self.values()).tolist()
        return tuple(found)

    @property
    def constrained_estimate(self) -> None:
        """None: memberships do not determine the likelihood."""
        return None

    @property
    def likelihood(self) -> str:
        """Why there is no maximum likelihood estimate."""
        return "memberships do not determine the likelihood of set responses"

    def values(self) -> Floats:
        """Return the unbiased estimates as floats."""
        sets = self.sets
        return (np.array(self.memberships) / self.n - float(sets.miss)) / float(sets.hit - sets.miss)

    def errors(self) -> Floats:
        """Return the plug-in standard errors as floats."""
        rate = np.array(self.memberships) / self.n
        return np.asarray(np.sqrt(rate * (1 - rate) / self.n) / float(self.sets.hit - self.sets.miss))

    def ends(self) -> tuple[Floats, Floats]:
        """Return the lower and the upper endpoints of the joint intervals."""
        alpha = float(1 - self.confidence) / len(self.memberships)
        values, places = np.unique(np.array(self.memberships), return_inverse=True)
        low, high = clopper_pearson(values, self.n, alpha)
        sets = self.sets
        ends = [(each - float(sets.miss)) / float(sets.hit - sets.miss) for each in (low, high)]
        return np.clip(ends[0], 0, 1)[places], np.clip(ends[1], 0, 1)[places]

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each category: estimate, standard error, joint interval, and the nearest distribution.

        An interval that contains no possible proportion has no endpoints.
        """
        nearest = nearest_distribution(self.values())
        columns = (each.tolist() for each in (self.values(), self.errors(), *self.ends(), nearest))
        rows = []
        for x, (value, error, low, high, near) in enumerate(zip(*columns, strict=True)):
            first, last = (None, None) if is_empty(low, high, value) else (low, high)
            numbers = {"estimate": value, "standard_error": error, "low_at_once": first, "high_at_once": last}
            rows.append({"category": self._names(x), "n": self.n, **numbers, "nonnegative": near})
        return rows

    def _names(self, x: int) -> str:
        return self.mechanism.categories[x] if self.mechanism.categories else self.mechanism.category(x)

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the category with the largest estimate in a sentence, with the interval for all categories together.

        Args:
            unit: the people in the plural.
            population: their number N, of which the respondents are a simple random sample.
        """
        values, (low, high) = self.values(), self.ends()
        first = int(np.argmax(values))
        if (tied := np.flatnonzero(values == values[first])).size > 1:
            return largest_sentence([visible(self._names(x)) for x in tied.tolist()])
        ends = None if is_empty(low[first], high[first], values[first]) else (float(low[first]), float(high[first]))
        return share_sentence(
            f"The largest estimate is that of {visible(self._names(first))}",
            float(values[first]),
            ends,
            self.confidence,
            of=f" of {all_of(len(values), 'categories')} together",
            unit=unit_in_all(unit, population),
            people=share_of_people(float(values[first]), ends, unit, population),
        )

    def remarks(self) -> tuple[str, ...]:
        """Return the remark on intervals that contain no possible prevalence."""
        low, high = self.ends()
        values = self.values()
        empty = [
            self.mechanism.category(x)
            for x in (low == high).nonzero()[0].tolist()  # the intervals are cut to [0, 1]
            if is_empty(low[x], high[x], values[x])
        ]
        return empty_remark(empty, "joint")

    def lines(self) -> list[tuple[str, str]]:
        """Return what holds for all categories."""
        return [
            ("device", self.device_in_words),
            ("mechanism", self.mechanism.headline),
            ("responses", str(self.n)),
            ("likelihood", f"not given: {self.likelihood}"),
        ]

    def as_tables(self) -> list[Table]:
        """Return the table of the categories, of many the largest estimates alone, and the lines."""
        title, header, rows = self.category_table(_LISTED)
        named = f"{title} (--csv FILE writes all)" if title else ""
        return [(named, header, rows), ("About the estimates", None, self.lines())]

    def category_table(self, most: int) -> Table:
        """Return the table of at most so many categories: of more, those with the largest estimates first."""
        values, errors, (low, high) = self.values(), self.errors(), self.ends()
        k, places = len(values), places_of(errors.tolist())
        digits = 6 if places is None else places
        order = np.argsort(-values, kind="stable")[:most].tolist() if k > most else range(k)
        nearest = nearest_distribution(values)
        level = decimal_text(100 * self.confidence)
        header = ("category", "estimate", "standard error", f"{level} % interval, all {k} at once", "never negative")
        rows = [
            (
                visible(self._names(x)),
                rounded(values[x], digits),
                rounded(errors[x], digits),
                ends_text(low[x], high[x], digits, values[x]),
                rounded(nearest[x], digits),
            )
            for x in order
        ]
        return f"The {len(rows)} largest of {k} estimates" * (len(rows) < k), header, rows


def nearest_distribution(values: Floats) -> Floats:
    """Return the distribution with the least sum of squared distances to given numbers, ``max(0, value - t)``.

    The number t is the only one with which these have the sum 1. With the values in descending order, it is
    ``(v_1 + ... + v_j - 1)/j`` for the last j at which this is below v_j.

    Source: Duchi, Shalev-Shwartz, Singer and Chandra (2008), figure 1.

    >>> import numpy as np
    >>> nearest_distribution(np.array([0.75, 0.5, -0.5])).tolist()
    [0.625, 0.375, 0.0]
    """
    ordered = np.sort(values)[::-1]
    thresholds = (np.cumsum(ordered) - 1) / np.arange(1, len(values) + 1)
    kept = int(np.flatnonzero(ordered > thresholds)[-1])
    return np.asarray(np.maximum(values - thresholds[kept], 0.0))


def clopper_pearson(counts: Integers, n: int, alpha: float) -> tuple[Floats, Floats]:
    """Return the endpoints of two-sided Clopper-Pearson intervals at level alpha, moved outwards by 1e-9.

    >>> import numpy as np
    >>> low, high = clopper_pearson(np.array([0, 3]), 10, 0.05)
    >>> [round(float(x), 4) for x in (*low, *high)]
    [0.0, 0.0667, 0.3085, 0.6525]
    """
    low, high = lower_probability(n, counts, alpha / 2), upper_probability(n, counts, alpha / 2)
    return low * (1 - _ROOM), 1 - (1 - high) * (1 - _ROOM)


def _fraction(value: object, name: str) -> Fraction:
    return rational_where(value, lambda x: 0 < x < 1, f"0 < {name} < 1", name=name)


def estimate_counts(
    counts: AggregatedCounts | str | os.PathLike[str],
    *,
    confidence: object = "0.95",
    likelihood: bool = False,
) -> Any:
    """Estimate the distribution of the categories from aggregated counts.

    Args:
        counts: the result of ``count`` or ``merge``, or the name of its file.
        confidence: the joint confidence of all intervals, in (0, 1).
        likelihood: whether to compute the maximum likelihood estimate as well.

    Returns:
        A ``MembershipEstimate`` for memberships, and an ``Estimate`` for outputs.

    Raises:
        UnsupportedProblemError: the likelihood is requested, but the counts do not determine it.
        InvalidParameterError: there are no responses.

    >>> from rropt.mechanisms.families import AllSubsets, BlockMechanism
    >>> import rropt, rropt_fieldwork
    >>> pairs = BlockMechanism(AllSubsets(3, 2), 3)
    >>> counts = rropt_fieldwork.count([[True, True, False], [False, True, True]], pairs, shard="a")
    >>> [str(share) for share in estimate_counts(counts).estimate]
    ['-1/4', '3/2', '-1/4']
    """
    found = counts_of(counts)
    level = _fraction(confidence, "confidence")
    if not found.n:
        raise InvalidParameterError("there is nothing to estimate: received counts of 0 responses; count some")
    if found.counted == "outputs":
        from rropt.inference import estimate

        return estimate(found.mechanism, found.counts)
    if likelihood:
        raise UnsupportedProblemError(
            "the most likely proportions are not determined: received memberships, which two sets of responses with "
            "different likelihoods may share; estimate from the responses with `rropt estimate DATA`"
        )
    return MembershipEstimate(found.mechanism, found.n, found.counts, level)


@dataclass(frozen=True, slots=True)
class HeavyHitters(Result):
    """The categories whose proportion exceeds a threshold, with a familywise error rate.

    Attributes:
        threshold: theta.
        level: alpha, an upper bound of the probability that the list contains any category whose proportion is at most
            theta.
        n: the number of responses.
        tested: the number of categories tested.
        categories: the categories whose proportion exceeds the threshold, in order of their p-values.
        p_values: their p-values, adjusted by Holm's procedure.
        detectable: the proportion that the test detects with a power of about 80 %.
        names: the names of these categories, if the mechanism has names.
    """

    threshold: Fraction
    level: Fraction
    n: int
    tested: int
    categories: tuple[int, ...]
    p_values: tuple[float, ...]
    detectable: float
    names: tuple[str, ...] = ()

    ANSWER = ("categories", "names", "threshold")
    LABELS: ClassVar[Mapping[str, str]] = labelled(
        threshold="proportion that is exceeded",
        level="familywise error rate, at most",
        n="responses",
        tested="categories tested",
        categories="categories that exceed it",
        names="their names",
        p_values="p-values adjusted by Holm's procedure",
        detectable="proportion found with a chance of about 80 %",
    )

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each category that exceeds the threshold: its adjusted p-value."""
        names = self.names or tuple(map(str, self.categories))
        return [
            row_with(category=name, p_adjusted=p, threshold=self.threshold)
            for name, p in zip(names, self.p_values, strict=True)
        ]


_POWER_QUANTILE = 0.8416212335729143  # the 0.8 quantile of the standard normal distribution


def heavy_hitters(
    counts: AggregatedCounts | str | os.PathLike[str],
    threshold: object,
    *,
    level: object = "0.05",
    candidates: Sequence[int] | None = None,
) -> HeavyHitters:
    """Find the categories whose proportion exceeds a threshold.

    Args:
        counts: counts of memberships, or the name of their file.
        threshold: theta, 0 <= theta < 1.
        level: the familywise error rate, in (0, 1).
        candidates: the categories to test, which must be chosen before anybody sees the responses; all by default.

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
    found_ones = exceeding(sets, np.array(found.counts)[places], places, found.n, threshold, level)
    named = found.mechanism.categories
    return replace(found_ones, names=tuple(named[x] for x in found_ones.categories) if named else ())


def exceeding(
    sets: MembershipMechanism, hits: Integers, places: Integers, n: int, threshold: object, level: object
) -> HeavyHitters:
    """Test by Holm's procedure which categories exceed theta; ``hits`` of n responses contain those in ``places``."""
    from scipy.special import betainc
    from scipy.stats import norm

    theta = rational_where(threshold, lambda x: 0 <= x < 1, "0 <= threshold < 1", name="threshold")
    alpha = _fraction(level, "level")
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
    error = (rate * (1 - rate) / n) ** 0.5 / float(sets.hit - sets.miss)
    quantile = float(norm.isf(float(alpha) / len(places)))
    return HeavyHitters(
        theta,
        alpha,
        n,
        len(places),
        tuple(places[order][kept].tolist()),
        tuple(adjusted[kept].tolist()),
        float(theta) + (quantile + _POWER_QUANTILE) * error,
    )
