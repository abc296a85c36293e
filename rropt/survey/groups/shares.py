"""Estimates of one proportion in each group, without and with weights, and their comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from rropt.core.exact import decimal_text
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.inference.differences import Difference, Ends, Test
from rropt.inference.exact_tests import BinomialSample
from rropt.inference.proportion_intervals import RECOMMENDED
from rropt.survey.groups.compared_groups import ComparedGroups

Matrix = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class GroupShare(Result):
    """One proportion in one group.

    Attributes:
        group: the name of the group.
        n: the number of respondents in the group.
        estimate: the exact unbiased estimate; it can lie outside [0, 1].
        standard_error: the plug-in standard error.
        intervals: the confidence interval of each kind, cut to [0, 1], with the confidence applied to this group alone.
        simultaneous: the interval of each kind, cut to [0, 1], that is simultaneous over all groups.
        sample: the binomial count that determines the estimate, if there is one.
    """

    group: str
    n: int
    estimate: Fraction
    standard_error: float
    intervals: ReadOnlyMapping[str, Ends]
    simultaneous: ReadOnlyMapping[str, Ends]
    sample: BinomialSample | None

    ANSWER = ("group", "n", "estimate", "standard_error")
    LABELS = labelled(
        group="group",
        n="answers",
        estimate="unbiased estimate",
        standard_error="standard error",
        intervals="intervals",
        simultaneous="simultaneous intervals",
        unbiased_standard_error="standard error, variance over n - 1",
    )

    @property
    def unbiased_standard_error(self) -> float | None:
        """The root of ``n/(n - 1)`` times the plug-in variance, which is unbiased; None for one respondent.

        This also applies to several devices: the debiased responses z_i are independent and have the same mean, so
        ``sum (z_i - mean)^2/(n (n - 1))`` is unbiased even if their variances differ.
        """
        return self.standard_error * sqrt(self.n / (self.n - 1)) if self.n > 1 else None

    @property
    def recommended_kind(self) -> str:
        """The kind of the guaranteed interval: ``exact`` or ``hoeffding``."""
        return "exact" if self.sample is not None else "hoeffding"

    @property
    def recommended(self) -> Ends:
        """The guaranteed interval."""
        return self.intervals[self.recommended_kind]


@dataclass(frozen=True, slots=True)
class Linearised(Result):
    """An estimate with its variance by linearization.

    Attributes:
        value: the estimate.
        variance: V, which includes the sampling and the device.
        device_variance: D, the part of V due to the device, estimated without bias.
        shrunk_variance: the variance if the finite population correction is applied to the device too, as R's
            ``survey`` does with debiased responses; equal to ``variance`` without a finite population.
        interval: the interval from Student's t distribution, not cut at 0 and 1; ``None`` without degrees of freedom.
    """

    value: float
    variance: float
    device_variance: float
    shrunk_variance: float
    interval: Ends | None

    LABELS = labelled(
        value="estimate",
        standard_error="standard error",
        interval="t-interval",
        variance="variance",
        device_variance="of which the device",
        shrunk_variance="variance, the device shrunk too",
    )

    @property
    def standard_error(self) -> float:
        """The square root of the variance."""
        return sqrt(self.variance)

    def __str__(self) -> str:
        ends = "none" if self.interval is None else " to ".join(map(decimal_text, self.interval))
        error, effect = decimal_text(self.standard_error), decimal_text(sqrt(max(self.device_variance, 0.0)))
        return f"{decimal_text(self.value)} (standard error {error}, of the device {effect}; t-interval {ends})"


@dataclass(frozen=True, slots=True)
class WeightedShare(Result):
    """The estimates for one category in one group.

    Attributes:
        group: the name of the group.
        n: the number of responses with a positive weight.
        weight: the sum of the weights.
        share: Hajek's estimate of the proportion; it can lie outside [0, 1].
        total: Horvitz and Thompson's estimate of the number of people in the category.
        degrees_of_freedom: the number of clusters minus the number of strata.
        design_effect: the design effect of the proportion; ``None`` for a single response, or if all responses are
            equal.
        intervals: the intervals of the proportion by kind (``proportion_intervals``), in [0, 1] except for ``mean``;
            empty without degrees of freedom. Kinds that do not exist for these responses are omitted.
        effective_n: the effective sample size of Korn and Graubard; ``None`` without degrees of freedom.
    """

    group: str
    n: int
    weight: float
    share: Linearised
    total: Linearised
    degrees_of_freedom: int
    design_effect: float | None
    intervals: ReadOnlyMapping[str, Ends]
    effective_n: float | None

    ANSWER = ("group", "n", "estimate", "standard_error")
    LABELS = labelled(
        group="group",
        n="answers",
        weight="sum of weights",
        share="share (Hajek)",
        total="total (Horvitz-Thompson)",
        degrees_of_freedom="degrees of freedom",
        design_effect="design effect",
        intervals="confidence intervals of the proportion",
        recommended="recommended interval",
        effective_n="effective sample size",
        total_interval="interval of the total",
    )

    @property
    def estimate(self) -> float:
        """The proportion."""
        return self.share.value

    @property
    def standard_error(self) -> float:
        """The standard error of the proportion."""
        return self.share.standard_error

    @property
    def recommended_kind(self) -> str:
        """The kind of the recommended interval."""
        return RECOMMENDED

    @property
    def recommended(self) -> Ends | None:
        """The recommended interval of the proportion; ``None`` without degrees of freedom."""
        return self.intervals.get(RECOMMENDED)

    @property
    def total_interval(self) -> Ends | None:
        """The interval of the total, from the recommended one of the proportion; ``None`` without degrees of freedom.

        With the sum W of the weights and the proportion p, the total is ``W p``. Let [L, U] be the interval of p. If
        the total is no less precise than ``W p`` for a constant W, its interval is [W L, W U]: it has a width where all
        responses are equal, and a standard error of 0 measures nothing. Else the distances from the total to both ends
        become ``sqrt(d^2 + q^2 (V_T - W^2 V_p))``, where the second term is what the error of W adds, with Student's
        quantile q (the method of variance estimates recovery). A number of people is not negative.

        Source: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.
        """
        ends = self.recommended
        if ends is None or self.total.interval is None or self.share.interval is None:
            return None
        half, own = ((one.interval[1] - one.interval[0]) / 2 for one in (self.total, self.share) if one.interval)
        added = max(half**2 - (self.weight * own) ** 2, 0.0)
        low, high = (self.weight * end for end in ends)
        below, above = max(self.total.value - low, 0.0), max(high - self.total.value, 0.0)
        return max(low + below - sqrt(below**2 + added), 0.0), high - above + sqrt(above**2 + added)


@dataclass(frozen=True, slots=True)
class ShareComparison(Result, SequenceOf, ComparedGroups):
    """One proportion compared over all groups.

    Attributes:
        name: the name of the proportion: its question, followed by the category if the question has more than two.
        confidence: the confidence of the intervals.
        groups: the proportion in each group.
        differences: the difference of each pair of groups; empty for more than 5000 pairs, or with weights more than
            100 000 in all categories.
        test: the approximate test of equality, chi-squared, or with weights the adjusted Wald test; ``None`` for a
            single group, if a group's responses are all equal, or with weights if a group has no degrees of freedom or
            the covariance is singular.
        equality: the p-value of the exact test of equality; ``None`` if a difference has no exact test.
        total: with weights, the estimates of all groups together; ``None`` without groups.
        covariance: with weights, the covariance of the estimated proportions, in the order of the groups; ``None``
            without differences.
    """

    name: str
    confidence: Fraction
    groups: tuple[GroupShare, ...] | tuple[WeightedShare, ...]
    differences: tuple[Difference, ...]
    test: Test | None
    equality: float | None = None
    total: WeightedShare | None = None
    covariance: Matrix | None = None

    ITEMS = "groups"
    KEY = "group"
    ANSWER = ("name", "estimates")
    LABELS = labelled(name="share", confidence="confidence", equality="p that all are equal, exact")

    @property
    def compared(self) -> dict[str, Sequence[Difference]]:
        """The differences of the pairs of groups, by the proportion."""
        return {self.name: self.differences}

    @property
    def estimates(self) -> Mapping[str, Fraction | float]:
        """The estimate of each group."""
        return {one.group: one.estimate for one in self.groups}

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each group: n, estimate, standard error and recommended interval."""
        rows = []
        for one in self.groups:
            low, high = (None, None) if one.recommended is None else map(float, one.recommended)
            numbers = {"n": one.n, "estimate": float(one.estimate), "standard_error": one.standard_error}
            rows.append({"group": one.group, **numbers, "low": low, "high": high, "interval": one.recommended_kind})
        return rows

    @property
    def equality_p(self) -> float | None:
        """The p-value of the test that all groups are equal, exact or approximate; ``None`` if it was not tested."""
        return self.test.p_value if self.equality is None and self.test is not None else self.equality
