r"""A contrast that the devices determine together, by group and in complex surveys.

It is a linear combination of the proportions of one question, or of the cells of the joint table of several questions,
which are counted as the categories of one (``_as_one_question``).

In group g, device d has the weighted proportions f_gd of its responses. The estimate is ``sum_d L_gd . f_gd`` with the
weights L of ``estimate_contrast``. It is a sum of means over the domains (g, d), so it is linearized as one: the row i
has ``u_i = (L_gd[y_i] - m_gd)/W_gd``, where W_gd is the weight of its domain and m_gd the mean of L. Replicate weights
compute the means anew in each replicate. This is what ``svyby`` and ``svycontrast`` of the R package ``survey`` do. In
finite populations the part of the devices that the correction removes is added back (``contrast_noise``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.response_codes import MISSING
from rropt.core.errors import InfeasibleError, shown
from rropt.core.exact import as_text, decimal_text
from rropt.core.results import Result, Table, labelled
from rropt.core.results.sequences import SequenceOf
from rropt.core.visible import visible
from rropt.inference.contrast_noise import CONTRAST_NOISE, noise_table
from rropt.inference.contrasts import contrast_weights, undetermined
from rropt.inference.count_estimates import exact_contrast
from rropt.inference.differences import (
    MOST_DIFFERENCES,
    Difference,
    Ends,
    Test,
    bonferroni,
    p_value,
    quantile,
)
from rropt.inference.interval_kinds import equal_remark
from rropt.inference.linearization import Floats, Ints, sums_by_index
from rropt.inference.proportion_intervals import t_quantile
from rropt.inference.sample_domains import Domains
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.words import devices_in_words
from rropt.survey.estimates.contrast_estimates import estimate_contrast
from rropt.survey.groups.compared_groups import ComparedGroups, difference_table, equality_text, group_table
from rropt.survey.groups.weighted_shares import compared
from rropt.survey.respondents.counted import Counted
from rropt.survey.respondents.respondent_kinds import RespondentKinds
from rropt.survey.respondents.sample_descriptions import SamplingDesign
from rropt.survey.respondents.table_reports import TableReading
from rropt.survey.table_estimates.weighted_estimates import TOTAL


@dataclass(frozen=True, slots=True)
class GroupContrast(Result):
    """The estimate of a contrast in one group.

    Attributes:
        group: the name of the group.
        n: the number of responses; with weights, of those with a positive weight.
        estimate: the unbiased estimate; with weights Hajek's for each device.
        standard_error: its standard error; None without degrees of freedom.
        interval: the normal interval; in a complex survey that of Student's t, None without degrees of freedom. It is
            cut to the possible values, from the least to the largest number of the contrast.
        degrees_of_freedom: with weights, the clusters less the strata of the group; None without weights.
    """

    group: str
    n: int
    estimate: Fraction | float
    standard_error: float | None
    interval: Ends | None
    degrees_of_freedom: int | None = None

    LABELS = labelled(group="group", n="responses", estimate="estimate", standard_error="standard error")


@dataclass(frozen=True, slots=True)
class GroupContrasts(Result, SequenceOf, ComparedGroups):
    """A contrast that the devices determine together, in each group.

    Attributes:
        reading: the report on the table.
        column: the column of the responses; of several the names, with commas between them.
        by: the columns that define the groups.
        contrast: the linear combination of the proportions, shape (k,).
        confidence: the confidence of each interval.
        mechanisms: the devices.
        groups: the estimate of each group; a single one of all respondents without groups.
        total: the estimate of all groups together; None without groups.
        differences: the difference of each pair of groups.
        equality: the test that all groups are equal, in complex surveys; None without it.
        design: the sampling design; None without weights, strata and clusters.
    """

    reading: TableReading
    column: str
    by: tuple[str, ...]
    contrast: tuple[Fraction, ...]
    confidence: Fraction
    mechanisms: tuple[Mechanism, ...]
    groups: tuple[GroupContrast, ...]
    total: GroupContrast | None = None
    differences: tuple[Difference, ...] = ()
    equality: Test | None = None
    design: SamplingDesign | None = None

    ITEMS = "groups"
    KEY = "group"
    ANSWER = ("contrast", "estimate=total.estimate", "standard_error=total.standard_error", "groups")
    LABELS = labelled(
        contrast="contrast", **dict.fromkeys(["groups", "total", "differences", "equality", "confidence"], "")
    )

    def as_tables(self) -> list[Table]:
        """Return the table of the groups and of their differences, and what stands behind it."""
        ones = [*self.groups, *([self.total] if self.total is not None else [])]
        about = [
            ("contrast", ",".join(map(as_text, self.contrast))),
            ("device", devices_in_words(self.mechanisms)),
            *([] if self.design is None else [("sample", self.design.sample)]),
            *([] if self.design is None or self.design.fractions is None else [("finite population", CONTRAST_NOISE)]),
        ]
        level = f"{decimal_text(100 * self.confidence)} % interval"
        tables = [group_table(visible(self.column), "estimate", ones, {level: attrgetter("interval")})]
        if self.differences:
            about.append(("p adjusted", "by Bonferroni, over the pairs of groups"))
            equal = equality_text(None, self.equality, len(self.groups))
            tables.append(difference_table("", equal, self.differences))
        return [*tables, ("", None, about)]

    @property
    def compared(self) -> dict[str, Sequence[Difference]]:
        """The differences of the pairs of groups, by the column of the responses."""
        return {self.column: self.differences}

    def remarks(self) -> tuple[str, ...]:
        """Return a remark on groups whose standard error is 0."""
        names = [one.group if self.by else self.column for one in self.groups if one.standard_error == 0]
        return equal_remark(names, are_left=any(one.interval is None for one in self.differences))

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each group: estimate, standard error and interval."""
        ones = [*self.groups, *([self.total] if self.total is not None else [])]
        return [
            {
                "group": one.group,
                "n": one.n,
                "estimate": float(one.estimate),
                "standard_error": one.standard_error,
                "low": None if one.interval is None else one.interval[0],
                "high": None if one.interval is None else one.interval[1],
            }
            for one in ones
        ]


def contrasts_of_groups(
    counted: Counted,
    contrast: Sequence[object],
    confidence: Fraction,
    reference: Sequence[object] | None = None,
) -> GroupContrasts:
    """Estimate a contrast that the devices of a table determine together, in each group.

    Args:
        counted: the respondents, counted by one question, or by several whose joint table has the contrast.
        contrast: c, shape (k,).
        confidence: the confidence of each interval.
        reference: the distribution at which the estimate has least variance, shape (k,); uniform by default.

    Raises:
        InfeasibleError: the devices of a group do not determine the contrast.
    """
    (kinds,), known, by = counted.kinds, counted.known, counted.by
    questions, mechanisms = range(len(counted.titles)), counted.mechanisms
    kinds.require_groups(counted.titles, by, questions)
    if len(questions) > 1:
        whole = np.logical_and.reduce([kinds.codes[question] != MISSING for question in questions])
        known = _as_one_question(kinds, known, whole)
    c = exact_contrast(contrast, mechanisms[0].inputs)
    found: Any
    if counted.samples:
        devices = [known[name].factors[0] for name in kinds.devices]
        found = _weighted(counted, devices, c, confidence, reference)
    else:
        counts = {
            group: [(device, own.tolist()) for device, own in devices]
            for group, devices in kinds.counts(0, known).items()
        }
        groups = tuple(_plain(name, own, c, confidence, reference) for name, own in counts.items())
        total = None
        if by:
            joined: dict[Mechanism, Any] = {}
            for own in counts.values():
                for device, numbers in own:
                    joined[device] = np.add(joined.get(device, 0), numbers)
            every = [(device, own.tolist()) for device, own in joined.items()]
            total = _plain(TOTAL, every, c, confidence, reference)
        found = groups, total, _independent(groups, confidence), None, None
    return GroupContrasts(counted.reading, ", ".join(counted.titles), by, c, confidence, mechanisms, *found)


def _as_one_question(
    kinds: RespondentKinds, known: Mapping[str, Mechanism], whole: NDArray[np.bool_]
) -> dict[str, Mechanism]:
    """Count the cells of several questions as the responses of question 0, and return the devices of the cells.

    The first question varies fastest. Respondents who did not answer every question have no response.
    """
    sizes = [device.outputs for device in next(iter(known.values())).factors]
    strides = np.cumprod([1, *sizes[:-1]])
    codes = sum(stride * kinds.codes[question] for question, stride in enumerate(strides.tolist()))
    kinds.codes[0] = np.where(whole, codes, MISSING)
    return {name: ProductMechanism([Mechanism(one.matrix)]) for name, one in known.items()}


def _cut(ends: Ends, c: Sequence[Fraction]) -> Ends:
    """Return an interval cut to the possible values of a contrast; one outside becomes the nearer end of them."""
    low, high = float(min(c)), float(max(c))
    return min(max(ends[0], low), high), max(min(ends[1], high), low)


def _plain(
    name: str,
    counts: Sequence[tuple[Mechanism, Sequence[int]]],
    c: Sequence[Fraction],
    confidence: Fraction,
    reference: Sequence[object] | None,
) -> GroupContrast:
    """Return the estimate of a group without weights."""
    try:
        found = estimate_contrast(counts, c, confidence, reference)
    except InfeasibleError as error:
        raise InfeasibleError(f"in the group {shown(name)}: {error}") from None
    ends = float(found.interval.lower), float(found.interval.upper)
    return GroupContrast(name, sum(found.n), found.estimate, found.standard_error, ends)


def _independent(groups: Sequence[GroupContrast], confidence: Fraction) -> tuple[Difference, ...]:
    """Return the Wald tests of independent groups, with normal quantiles; none of a group with standard error 0."""
    pairs = list(combinations(groups, 2))
    if not pairs or len(pairs) > MOST_DIFFERENCES:
        return ()
    gaps = [first.estimate - second.estimate for first, second in pairs]
    errors = [sqrt((first.standard_error or 0) ** 2 + (second.standard_error or 0) ** 2) for first, second in pairs]
    tested = [bool(first.standard_error and second.standard_error) for first, second in pairs]
    tests = [p_value(float(gap) / error) if own else 1.0 for gap, error, own in zip(gaps, errors, tested, strict=True)]
    alone, wide = quantile(confidence), quantile(1 - (1 - confidence) / len(pairs))
    return tuple(
        Difference(
            first.group,
            second.group,
            gap,
            error,
            "Wald",
            (float(gap) - alone * error, float(gap) + alone * error) if own else None,
            (float(gap) - wide * error, float(gap) + wide * error) if own else None,
            p,
            adjusted,
        )
        for (first, second), gap, error, own, p, adjusted in zip(
            pairs, gaps, errors, tested, tests, bonferroni(tests).tolist(), strict=True
        )
    )


def _with_responses(kinds: RespondentKinds, is_used: Any) -> tuple[Ints, Ints]:
    """Return the groups that have a response, and the place of each kind's group among them; -1 for no such group."""
    used = np.unique(kinds.group[is_used])
    numbers = np.full(len(kinds.groups), -1)
    numbers[used] = np.arange(len(used))
    return used, np.where(kinds.group >= 0, numbers[kinds.group], -1)


def _weighted(
    counted: Counted,
    devices: Sequence[Mechanism],
    c: Sequence[Fraction],
    confidence: Fraction,
    reference: Sequence[object] | None,
) -> tuple[Any, ...]:
    """Return the groups, all groups together, the differences, the test of equality, and the design."""
    (kinds,), ((drawn, design),), by = counted.kinds, counted.samples, counted.by
    distinct = list(dict.fromkeys(devices))
    device = np.array([distinct.index(one) for one in devices])[kinds.device]
    codes, positive = kinds.codes[0], kinds.columns["positive"].astype(np.int64)
    is_used = (codes != MISSING) & (kinds.group >= 0)
    P = np.zeros((len(distinct), max(one.outputs for one in distinct), len(c)))
    for place, one in enumerate(distinct):
        P[place, : one.outputs] = one.to_numpy()

    def domains(of: Ints, names: Sequence[str]) -> tuple[Domains, Floats, Floats]:
        """Return the groups, and the score of each kind with the part of the devices in its variance."""
        size = len(names) * len(distinct)
        cell = np.where(is_used, of * len(distinct) + device, 0)
        own = np.flatnonzero(is_used & (positive > 0))
        n = sums_by_index(cell[own], positive[own], size).astype(np.int64).reshape(len(names), -1)
        L, noise = np.zeros(len(codes)), np.zeros(len(codes))
        for place, name in enumerate(names):
            met = [d for d in range(len(distinct)) if n[place, d]]
            devices_met, sizes = [distinct[d] for d in met], n[place, met].tolist()
            found = contrast_weights(devices_met, sizes, c, reference) if met else None
            if found is None:
                raise undetermined(name if by else None, c, len(met))
            inside, tables = is_used & (of == place), np.zeros(P.shape[:2])
            for d, table in zip(met, found, strict=True):
                tables[d, : len(table)] = list(map(float, table))
            L[inside] = tables[device[inside], codes[inside]]
            if design.fractions is not None:
                sums = np.zeros(P.shape[:2])
                np.add.at(sums, (device[inside], codes[inside]), drawn.weight[inside])
                t = np.zeros(P.shape[:2])
                t[met], _ = noise_table(P[met], tables[met], sums[met])
                noise[inside] = t[device[inside], codes[inside]]
        return Domains(drawn, positive, of, is_used & (positive > 0), names, device), L, noise

    def estimates(own: Domains, z: Floats, noise: Floats) -> tuple[GroupContrast, ...]:
        found = own.means(z, noise)
        error = np.sqrt(np.maximum(found.variance, 0.0))
        half = t_quantile(own.freedom, float(1 - confidence)) * error
        columns = (own.n, found.value, error, half, own.freedom)
        return tuple(
            GroupContrast(name, int(n), m, e if f > 0 else None, _cut((m - h, m + h), c) if f > 0 else None, int(f))
            for name, n, m, e, h, f in zip(own.groups, *(x.tolist() for x in columns), strict=True)
        )

    used, group = _with_responses(kinds, is_used)
    made, z, noise = domains(group, [kinds.groups[number] for number in used])
    differences, equality, _ = compared(made, z, confidence, noise)
    whole = None
    if by:
        (whole,) = estimates(*domains(np.where(group >= 0, 0, -1), [TOTAL]))
    return estimates(made, z, noise), whole, differences, equality, design
