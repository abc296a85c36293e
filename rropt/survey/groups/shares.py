"""Estimates of one proportion in each group, without weights, and their comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.inference.differences import Difference, Ends, Test
from rropt.inference.exact_tests import BinomialSample
from rropt.survey.groups.compared_groups import ComparedGroups


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
class ShareComparison(Result, SequenceOf, ComparedGroups):
    """One proportion compared over all groups.

    Attributes:
        name: the name of the proportion: its question, followed by the category if the question has more than two.
        confidence: the confidence of the intervals.
        groups: the proportion in each group.
        differences: the difference of each pair of groups; empty for more than 5000 pairs.
        test: the approximate test of equality, chi-squared; ``None`` for a single group, or if a group's responses are
            all equal.
        equality: the p-value of the exact test of equality; ``None`` if a difference has no exact test.
    """

    name: str
    confidence: Fraction
    groups: tuple[GroupShare, ...]
    differences: tuple[Difference, ...]
    test: Test | None
    equality: float | None = None

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
