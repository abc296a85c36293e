"""The mean of a number from randomized reports: of all respondents, by group, and in complex surveys.

A report z of a mechanism with numbers (``Mechanism.valued``) has the mean ``E[z | x] = x``, whatever x is. So the mean
of the reports estimates the mean of the numbers without bias, and the variance of the reports includes both the
sampling and the device: ``s^2/n`` for a simple random sample. No reference distribution and no inverse are needed, and
any software for surveys computes the same from the column of reports (``svymean`` in R). Only finite populations need
the device: there the factor ``1 - f`` must not shrink its variance (``inference/domains.py``), of which ``sum_i d_i``
is an unbiased estimate for every d with ``sum_i p_ij d_i = V_j``, the variance of a report given the number x_j.

*Intervals.* ``t``: Student's t with the degrees of freedom of the design. ``guaranteed``: reports are between z_min and
z_max. So for independent respondents the smaller one of two half-widths has at least the coverage 1 - a at every n, as
each misses with probability at most a/2: ``(z_max - z_min) sqrt(ln(4/a)/(2 n))`` of Hoeffding, and the empirical
Bernstein one of Maurer and Pontil (2009), ``sqrt(2 s^2 ln(8/a)/n) + 7 (z_max - z_min) ln(8/a)/(3 (n - 1))``. The
interval is cut to the range of the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb, log, sqrt
from operator import attrgetter
from typing import Any

import numpy as np

from rropt.answers.response_codes import MISSING
from rropt.answers.scores import device_variances
from rropt.core.attached_methods import with_registered_methods
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text
from rropt.core.exact.display import p_in_words, rounded
from rropt.core.exact.numbers import dot
from rropt.core.results import Result, Table, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.core.visible import visible, with_noun
from rropt.inference.differences import MOST_DIFFERENCES, Difference, Test, bonferroni
from rropt.inference.interval_kinds import places_of
from rropt.inference.proportion_intervals import t_quantile
from rropt.inference.sample_domains import Domains
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.conclusions import Concluded
from rropt.survey.groups.compared_groups import ComparedGroups, difference_table, equality_text, group_table
from rropt.survey.groups.weighted_shares import compared
from rropt.survey.respondents.counted import Counted
from rropt.survey.respondents.respondent_kinds import ALL
from rropt.survey.respondents.sample_descriptions import SamplingDesign
from rropt.survey.respondents.table_reports import TableReading
from rropt.survey.table_estimates.weighted_estimates import TOTAL

Ends = tuple[float, float]
_NAMED = 3  # differences in a conclusion
_TESTS = {
    "Welch": "Welch: Student's t with Satterthwaite's degrees of freedom; all equal: Wald's F; approximate",
    "Wald": "Wald: t on the clusters less the strata of both groups; all equal: adjusted Wald; approximate",
}


@dataclass(frozen=True, slots=True)
class GroupMean(Result):
    """The estimated mean of a number in one group.

    Attributes:
        group: the name of the group.
        n: the number of reports, with weights of those with a positive weight.
        weight: the sum of the weights; n without weights.
        estimate: the mean of the reports, with weights Hajek's.
        standard_error: of sampling and device together; None for a single respondent or cluster.
        device_error: the part of the standard error that is due to the device.
        interval: the interval from Student's t; None without degrees of freedom.
        guaranteed: an interval with proved coverage at every n, for independent respondents; None with weights.
        degrees_of_freedom: of the interval.
    """

    group: str
    n: int
    weight: float
    estimate: float
    standard_error: float | None
    device_error: float
    interval: Ends | None
    guaranteed: Ends | None
    degrees_of_freedom: int

    LABELS = labelled(
        group="group",
        n="reports",
        estimate="estimated mean",
        standard_error="standard error",
        device_error="error of the device",
        interval="t-interval",
        guaranteed="guaranteed interval",
        degrees_of_freedom="degrees of freedom",
        design_effect="design effect",
        weight="sum of the weights",
    )

    @property
    def design_effect(self) -> float | None:
        """The variance divided by what the numbers alone would have: what the device costs in respondents."""
        if self.standard_error is None:
            return None
        own = self.standard_error**2 - self.device_error**2
        return self.standard_error**2 / own if own > 0 else None


@with_registered_methods
@dataclass(frozen=True, slots=True)
class MeanEstimates(Result, Concluded, SequenceOf, ComparedGroups):
    """The estimated mean of a number in each group.

    Attributes:
        column: the name of the number; empty for counts.
        by: the columns that define the groups.
        confidence: the confidence of each interval.
        mechanism: the mechanism, with the numbers of its inputs and outputs.
        groups: the estimate of each group; a single one of all respondents without groups.
        total: the estimate of all groups together; None without groups.
        differences: the difference of each pair of groups: Welch's t-test, in complex surveys Wald's; empty for one
            group, for very many, and if a group has no positive standard error.
        equality: the test that the means of all groups are equal; None without differences or degrees of freedom.
        reading: the report on the table; None for counts.
        design: the sampling design; None without weights, strata and clusters.
    """

    column: str
    by: tuple[str, ...]
    confidence: Fraction
    mechanism: Mechanism
    groups: tuple[GroupMean, ...]
    total: GroupMean | None = None
    differences: tuple[Difference, ...] = ()
    equality: Test | None = None
    reading: TableReading | None = field(default=None, kw_only=True)
    design: SamplingDesign | None = field(default=None, kw_only=True)

    ITEMS = "groups"
    KEY = "group"
    LABELS = labelled(
        estimate="estimated mean",
        standard_error="standard error",
        interval="t-interval",
        guaranteed="guaranteed interval",
        **dict.fromkeys(["column", "by", "confidence", "groups", "total", "differences", "equality"], ""),
    )

    @property
    def _whole(self) -> GroupMean:
        return self.groups[0] if self.total is None else self.total

    @property
    def n(self) -> int:
        """The number of reports."""
        return self._whole.n

    @property
    def estimate(self) -> float:
        """The estimated mean of all groups together."""
        return self._whole.estimate

    @property
    def standard_error(self) -> float | None:
        """Its standard error."""
        return self._whole.standard_error

    @property
    def interval(self) -> Ends | None:
        """Its interval from Student's t."""
        return self._whole.interval

    @property
    def guaranteed(self) -> Ends | None:
        """Its guaranteed interval."""
        return self._whole.guaranteed

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each group and one for all together: n, mean, standard error, and both intervals."""
        rows = []
        for one in (*self.groups, *([] if self.total is None else [self.total])):
            (low, high), (least, most) = (ends or (None, None) for ends in (one.interval, one.guaranteed))
            numbers = {"n": one.n, "weight": one.weight, "estimate": one.estimate, "standard_error": one.standard_error}
            numbers |= {"low": low, "high": high, "guaranteed_low": least, "guaranteed_high": most}
            more = {"device_error": one.device_error, "design_effect": one.design_effect}
            rows.append({"group": one.group, **numbers, **more, "degrees_of_freedom": one.degrees_of_freedom})
        return rows

    def as_tables(self) -> list[Table]:
        """Return the table of the groups, and what stands behind it."""
        ones = [*self.groups, *([self.total] if self.total is not None else [])]
        has_guarantee = any(one.guaranteed for one in ones)
        more: dict[str, Callable[[GroupMean], Any]] = {
            "of the device": attrgetter("device_error"),
            f"{decimal_text(100 * self.confidence)} % t-interval": attrgetter("interval"),
        }
        more |= {"guaranteed": attrgetter("guaranteed")} if has_guarantee else {}
        numbers = self.mechanism.categories
        about = [
            ("mechanism", self.mechanism.headline),
            ("numbers", f"{len(numbers)}, from {numbers[0]} to {numbers[-1]}"),
            ("estimator", "mean of the reports: unbiased whatever the numbers of the respondents are"),
            ("intervals", "each by itself and not jointly"),
            ("t-interval", "approximate: its coverage tends to the nominal one as n grows"),
            *([("guaranteed", "at least the nominal coverage at every n")] if has_guarantee else []),
            *(line for line in (self.design.lines() if self.design is not None else []) if line[0] != "method"),
        ]
        compared: list[Table] = []
        if self.differences:
            equal = equality_text(None, self.equality, len(self.groups))
            compared.append(difference_table("", equal, self.differences))
            about.append(("tests of differences", _TESTS[self.differences[0].method]))
            about.append(("differences at once", "intervals and p adjusted by Bonferroni, over the pairs of groups"))
        return [group_table("", "mean", ones, more), *compared, ("About the estimate", None, about)]

    @property
    def compared(self) -> dict[str, Sequence[Difference]]:
        """The differences of the pairs of groups, by the column of the number."""
        return {self.column: self.differences}

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the mean in words, and the differences of groups that the tests establish.

        Args:
            unit, population: not used: a mean is not a number of people.
        """
        whole, name = self._whole, visible(self.column) or "the number"
        places = places_of([whole.standard_error])
        told = [f"The mean of {name} is about {rounded(whole.estimate, places)}"]
        if whole.interval is not None:
            told[0] += f" ({decimal_text(100 * self.confidence)} % interval: {_ends_text(whole.interval, places)})"
        told[0] += "."
        level = 1 - self.confidence
        found = [one for one in sorted(self.differences, key=lambda one: one.adjusted) if one.adjusted <= level]
        for one in found[:_NAMED]:
            high, low = (one.first, one.second) if one.estimate > 0 else (one.second, one.first)
            by = rounded(abs(float(one.estimate)), places_of([one.standard_error]))
            p = f"approximate {p_in_words(one.adjusted)}, adjusted over the pairs of groups"
            told.append(f"{visible(high)} is above {visible(low)}, by about {by} ({p}).")
        tested = [one for one in self.differences if one.interval is not None]
        if tested and not found:
            least = decimal_text(min(one.adjusted for one in tested), 3)
            told.append(f"The tests do not establish a difference between groups (smallest adjusted p = {least}).")
        return " ".join(told)

    def remarks(self) -> tuple[str, ...]:
        """Return a remark on groups whose reports are all equal: their standard error is no measure of the error."""
        equal = [
            one
            for one in (*self.groups, self.total)
            if one is not None
            and one.standard_error is not None
            and one.standard_error <= 1e-9 * one.device_error  # weighted means of equal numbers differ in last digits
        ]
        if not equal:
            return ()
        where = f" in {shown(', '.join(one.group for one in equal))}" if self.by else ""
        own = equal[0].device_error
        device = f", of which the device alone has about {rounded(own, places_of([own]))}" if own else ""
        told = (
            f"the reports are all equal{where}: the standard error 0 and its t-interval state nothing about the error "
            f"of the mean{device}; check the reports"
        )
        if equal[0].guaranteed is not None:
            told += ", and use the guaranteed interval"
        left = len(self.groups) > 1 and any(one.interval is None for one in self.differences)
        told += "; differences of groups are not tested" * (len(self.groups) > 1 and not self.differences)
        return (told + "; the differences of these groups from others are not tested" * left,)


def _ends_text(ends: Ends | None, places: int | None) -> str:
    return "none" if ends is None else " to ".join(rounded(end, places) for end in ends)


def require_one_column(titles: Sequence[str]) -> None:
    """Raise an error for several columns, or none, of a mechanism with numbers."""
    if len(titles) != 1:
        raise InvalidParameterError(
            f"a mechanism with numbers is of one question: received {with_noun(len(titles), 'column')}; give one"
        )


def estimate_means(counted: Counted, mechanism: Mechanism, confidence: Fraction) -> MeanEstimates:
    """Estimate the mean of one question in each group; with weights in a complex survey."""
    (kinds,), (title,), by = counted.kinds, counted.titles, counted.by
    kinds.require_groups(counted.titles, by, [0])
    if counted.samples:
        (groups, total), compared, design = _weighted(counted, mechanism, confidence)
        more: dict[str, Any] = {"reading": counted.reading, "design": design}
        return MeanEstimates(title, by, confidence, mechanism, groups, total, *compared, **more)
    numbers: dict[str, Any] = {}
    for group, _, own in kinds.by_cell(kinds.codes[0] != MISSING):
        number = np.bincount(kinds.codes[0][own], kinds.columns["n"][own], mechanism.outputs).astype(np.int64)
        numbers[group] = numbers.get(group, 0) + number
    found = tuple(mean_of_counts(mechanism, counts.tolist(), confidence, group) for group, counts in numbers.items())
    whole = None
    if by:
        whole = mean_of_counts(mechanism, sum(numbers.values()).tolist(), confidence, TOTAL)
    compared = differences_of_means(found, confidence)
    return MeanEstimates(title, by, confidence, mechanism, found, whole, *compared, reading=counted.reading)


def differences_of_means(
    groups: Sequence[GroupMean], confidence: Fraction
) -> tuple[tuple[Difference, ...], Test | None]:
    """Return Welch's t-tests of independent groups, and the Wald test that all means are equal.

    With the standard errors s_1 and s_2, the degrees of freedom are Satterthwaite's, a fraction as a rule:
    ``(s_1^2 + s_2^2)^2/(s_1^4/(n_1 - 1) + s_2^4/(n_2 - 1))``. Groups of one report have no test.
    """
    from scipy.special import stdtr

    tested = [one for one in groups if one.standard_error]
    if len(groups) < 2 or comb(len(groups), 2) > MOST_DIFFERENCES or len(tested) < len(groups):
        return (), None
    pairs = list(combinations(tested, 2))
    squares = [[float(own.standard_error or 0) ** 2 for own in pair] for pair in pairs]
    below = [
        sum(s * s / (own.n - 1) for s, own in zip(both, pair, strict=True))
        for both, pair in zip(squares, pairs, strict=True)
    ]
    freedom = np.array([sum(both) ** 2 / one for both, one in zip(squares, below, strict=True)])
    error = np.sqrt(np.array([sum(both) for both in squares]))
    gap = np.array([first.estimate - second.estimate for first, second in pairs])
    p = 2 * stdtr(freedom, -np.abs(gap) / error)
    each = 1 - (1 - confidence) / len(pairs)
    alone, at_once = (t_quantile(freedom, float(1 - level)) * error for level in (confidence, each))
    found = tuple(
        Difference(first.group, second.group, d, e, "Welch", (d - h, d + h), (d - w, d + w), one, adjusted, f)
        for (first, second), d, e, h, w, one, adjusted, f in zip(
            pairs, *(x.tolist() for x in (gap, error, alone, at_once, p, bonferroni(p), freedom)), strict=True
        )
    )
    return found, _equal_means(tested)


def _equal_means(groups: Sequence[GroupMean]) -> Test | None:
    """Return Wald's F test that the means of independent groups are equal."""
    variances = np.array([float(one.standard_error or 0) ** 2 for one in groups])
    means, k = np.array([one.estimate for one in groups]), len(groups) - 1
    freedom = sum(one.n for one in groups) - len(groups)
    if freedom < 1:
        return None
    shares = 1 / variances
    center = shares @ means / shares.sum()
    return Test.of("all equal", float(shares @ (means - center) ** 2) / k, k, freedom)


def means_of_counts(mechanism: Mechanism, counts: Sequence[int], confidence: Fraction) -> MeanEstimates:
    """Return the estimated mean from the counts of the outputs."""
    return MeanEstimates("", (), confidence, mechanism, (mean_of_counts(mechanism, counts, confidence),))


def mean_of_counts(mechanism: Mechanism, counts: Sequence[int], confidence: Fraction, group: str = ALL) -> GroupMean:
    """Return the estimated mean of a simple random sample, from the counts of the outputs.

    Raises:
        InvalidParameterError: there are no reports.
    """
    n, z = sum(counts), mechanism.output_values
    if not n:
        raise InvalidParameterError("the mean of no report is asked for: received counts of 0; give the reports")
    mean = dot(z, counts) / n
    variance = dot([(value - mean) ** 2 for value in z], counts) / (n - 1) if n > 1 else None
    device = max(Fraction(0), dot(device_variances(mechanism), counts) / n)
    level = float(1 - confidence)
    error = None if variance is None else sqrt(variance / n)
    half = None if error is None else float(t_quantile(np.array([float(n - 1)]), level)[0]) * error
    return GroupMean(
        group,
        n,
        float(n),
        float(mean),
        error,
        sqrt(device / n),
        None if half is None else (float(mean) - half, float(mean) + half),
        _guaranteed(mechanism, float(mean), variance, n, level),
        n - 1,
    )


def _guaranteed(mechanism: Mechanism, mean: float, variance: Fraction | None, n: int, level: float) -> Ends:
    """Return the interval with proved coverage, cut to the range of the numbers."""
    reach = float(max(mechanism.output_values) - min(mechanism.output_values))
    half = reach * sqrt(log(4 / level) / (2 * n))
    if variance is not None:
        term = log(8 / level)
        half = min(half, sqrt(2 * float(variance) * term / n) + 7 * reach * term / (3 * (n - 1)))
    low, high = (float(end(mechanism.input_values)) for end in (min, max))
    return min(max(mean - half, low), high), max(min(mean + half, high), low)


def _weighted(
    counted: Counted, mechanism: Mechanism, confidence: Fraction
) -> tuple[
    tuple[tuple[GroupMean, ...], GroupMean | None],
    tuple[tuple[Difference, ...], Test | None],
    SamplingDesign,
]:
    """Return Hajek's estimates of the groups and of all groups, and their differences, with linearized variances."""
    (kinds,), ((drawn, design),) = counted.kinds, counted.samples
    answer = kinds.codes[0]
    used = np.unique(kinds.group[(answer != MISSING) & (kinds.group >= 0)])
    numbers = np.full(len(kinds.groups), -1)
    numbers[used] = np.arange(len(used))
    group = np.where(kinds.group >= 0, numbers[kinds.group], -1)
    groups = [kinds.groups[number] for number in used]
    positive = kinds.columns["positive"].astype(np.int64)
    z, device = (np.array(list(map(float, own))) for own in (mechanism.output_values, device_variances(mechanism)))

    z, noise = z[answer], device[answer]  # of a missing response they are not used

    def means(domains: Domains) -> tuple[GroupMean, ...]:
        found = domains.means(z, noise)
        error, part = np.sqrt(np.maximum(found.variance, 0.0)), np.sqrt(np.maximum(found.device, 0.0))
        half = t_quantile(domains.freedom, float(1 - confidence)) * error
        columns = (domains.n, domains.weight, found.value, error, part, half, domains.freedom)
        return tuple(
            GroupMean(name, int(n), w, m, e if f > 0 else None, d, (m - h, m + h) if f > 0 else None, None, int(f))
            for name, n, w, m, e, d, h, f in zip(domains.groups, *(x.tolist() for x in columns), strict=True)
        )

    is_given = answer != MISSING
    domains = Domains(drawn, positive, group, is_given, groups)
    own, total = means(domains), None
    found, equality, _ = compared(domains, z, confidence, noise)
    if counted.by:
        (total,) = means(Domains(drawn, positive, np.minimum(group, 0), is_given, [TOTAL]))
    return (own, total), (found, equality), design
