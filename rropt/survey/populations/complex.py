r"""Proportions and totals from a complex survey of randomized responses: weights, strata, clusters, finite populations.

Respondent i has weight w_i and the debiased response ``z_i = L e_{y_i}``, where L is the left inverse of the mechanism.
The expectation of z_i over the device is the indicator x_i of the category. A domain D is a group, restricted to those
of its members who responded. The estimates in a domain are:

* Proportion (Hajek): ``p = sum w z / W`` with ``W = sum_D w``. Its linearization is ``u_i = w_i (z_i - p)/W`` in D, and
  0 elsewhere.
* Total (Horvitz and Thompson): ``T = sum_D w z`` with ``u_i = w_i z_i``.

Let U_c be the sum of u over cluster c. Stratum h has N_h clusters, of which n_h were sampled, and ``f_h = n_h/N_h``.
Then

    ``B_h = (1 - f_h) n_h/(n_h - 1) sum_c (U_c - mean U)^2``.

**The device.** ``V = sum_h B_h`` is the variance of the survey applied to z. Without finite populations (f = 0) it
includes the randomization: respondents are randomized independently of each other, hence clusters are too, and the
spread of the U_c has both parts. With f > 0 the factor ``1 - f_h`` shrinks both parts. But the device is not a sample
from a finite population: even in a census (f = 1) its randomization remains. Given the sample, the variance due to the
device is ``sum (w_i/W)^2 v(x_i)``, where v(x) is the variance of one response. B_h contains the fraction ``1 - f_h`` of
it. Therefore

    ``V = sum_h (B_h + f_h D_h)``, ``D_h = sum_{i in h} (w_i/W)^2 (z_i^2 - z_i)``

is unbiased for the total (where W is omitted) of a stratified sample of completely observed clusters. Reason:
``E(z^2 - z | x) = v(x) + x^2 - x = v(x)``, because x is 0 or 1. Software for surveys without randomization returns
``sum_h B_h`` alone, which is too small by ``f_h`` times the variance due to the device. Here it is called
``shrunk_variance``. ``D = sum D_h`` is the part of V due to the device.

**A second stage.** If a fraction f_c of the respondents of each cluster is sampled, the second stage adds
``f_h sum_c (1 - f_c) n_c/(n_c - 1) sum_{i in c} (u_i - mean u)^2``. The device then contributes ``f_h f_c D_c``.

**A stratum with a single cluster** has no B_h. Its replacement depends on the rule:

* ``certainty`` replaces B_h by 0 (and keeps D_h in full).
* ``adjust`` uses ``(1 - f_h) U_c^2``, the squared distance from 0, which for a proportion is the mean over all
  respondents.
* ``average`` multiplies the sum of the other B_h by the number of all strata divided by the number of the others.

The rule replaces B_h only. The second stage of the stratum is observed and is added in full, as in R.

**The factor n_h/(n_h - 1)** makes B_h unbiased, as in Cochran. For equal weights and one device it gives
``l (1 - l)/((n - 1)(p00 + p11 - 1)^2)``, the unbiased estimator of the literature (Chaudhuri and Mukerjee 1988).

**Post-strata.** If the weights are adjusted to known totals of cells, there is no variance between cells. The
linearized value u_i is then replaced by its residual: u_i minus ``w_i`` times the weighted mean of ``u/w`` over its
cell. The mean is over all respondents of the cell, inside and outside D.

**Degrees of freedom**: the number of clusters minus the number of strata, counted over those that contain respondents
of D with positive weight. **Design effect**: ``V/(s^2/n)`` with ``s^2 = n/(n - 1) sum w (z - p)^2/W``. The denominator
is the variance of n draws with replacement that use the same device.

Source: Cochran (1977), chapters 10 and 11; Saerndal, Swensson and Wretman (1992), chapters 5 and 7. The R package
``survey`` (svymean, svytotal) returns ``sum B_h`` for the column z.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isnan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled
from rropt.survey.estimates.proportion_intervals import RECOMMENDED, proportion_intervals

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ends = tuple[float, float]

SINGLE_PSU_RULES = ("refuse", "certainty", "average", "adjust")
_WHOLE = 1 - 1e-7  # a sampled fraction of a stratum above this counts as a census, as in R's survey
_MOST_ENTRIES = 1 << 22  # the number of cell entries of all domains that are processed together


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
    )

    @property
    def recommended(self) -> Ends | None:
        """The recommended interval of the proportion; ``None`` without degrees of freedom."""
        return self.intervals.get(RECOMMENDED)


@dataclass(frozen=True, slots=True)
class Rows:
    """The respondents, grouped into kinds of equal respondents: each array has one entry for each kind.

    Attributes:
        positive: the number of respondents with a positive weight.
        weight, square: the sums of w and of w^2.
        stratum, cluster: the numbers of the stratum and of the cluster, from 0. Clusters are numbered over all strata.
            ``None`` for ``cluster``: each row is a cluster.
        post: the number of the cell of post-stratification; ``None`` without post-strata.
        group: the number of the group.
        answer: the row of the table of debiased responses; -1 for a missing response.
    """

    positive: Ints
    weight: Floats
    square: Floats
    stratum: Ints
    cluster: Ints | None
    post: Ints | None
    group: Ints
    answer: Ints

    def where(self, chosen: NDArray[np.bool_]) -> Rows:
        """Return the kinds that a mask selects."""
        return self.at(np.flatnonzero(chosen))

    def at(self, chosen: Ints) -> Rows:
        """Return the kinds with these indices."""
        cluster, post = (None if labels is None else labels[chosen] for labels in (self.cluster, self.post))
        numbers = self.positive[chosen], self.weight[chosen], self.square[chosen], self.stratum[chosen]
        return Rows(*numbers, cluster, post, self.group[chosen], self.answer[chosen])


@dataclass(frozen=True, slots=True)
class Sampling:
    """The sampling design of the survey.

    Attributes:
        units: n_h, the number of sampled clusters (or rows) of each stratum.
        fractions: f_h; 0 without a finite population.
        strata: the stratum of each cluster; ``None`` if each row is a cluster.
        within: n_c and f_c, the number of sampled rows of each cluster and the sampled fraction of the cluster;
            ``None`` if clusters are observed completely.
        single_psu: the rule for a stratum with a single PSU. ``refuse`` raises an error. ``certainty`` adds the
            variance due to the device only, as in a census of the stratum. ``average`` adds the mean contribution of
            the other strata. ``adjust`` adds the squared distance from 0.
    """

    units: Floats
    fractions: Floats
    strata: Ints | None = None
    within: tuple[Floats, Floats] | None = None
    single_psu: str = "refuse"

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Whether each stratum has only one sampled cluster although its population has more.

        Such a stratum has no estimate of B_h.
        """
        alone: NDArray[np.bool_] = (self.units == 1) & (self.fractions < _WHOLE)
        return alone


def weighted_shares(
    rows: Rows,
    sampling: Sampling,
    table: Floats,
    groups: Sequence[str],
    confidence: Fraction,
    ranges: tuple[Floats, Floats] | None = None,
) -> Iterator[tuple[WeightedShare, ...]]:
    """Yield for each category its proportion and its total in each group.

    Time and memory are linear in the number of rows and of groups. With post-strata they are linear in the number of
    rows of the cells that each group touches.

    Args:
        rows: the rows of one question.
        sampling: the sampling design.
        table: L^T, the debiased response for each output, shape (outputs, categories).
        groups: the names of the groups.
        confidence: the confidence of the intervals.
        ranges: for each output, the smallest and the largest debiased response of the device that gave it, two arrays
            of shape (outputs, categories). ``None`` takes them from the table, for a single device.

    Raises:
        InvalidParameterError: the weights of a group sum to 0, or no stratum has two clusters that would show the
            variance between clusters.
    """
    if sampling.single_psu == "average" and sampling.alone.all():
        raise InvalidParameterError(
            f"no stratum has two clusters: received {len(sampling.units)} with one each, of which there is no average; "
            "allowed are certainty and adjust"
        )
    domains = _Domains(rows, sampling, groups, confidence)
    low, high = ranges or (
        np.broadcast_to(table.min(axis=0), table.shape),
        np.broadcast_to(table.max(axis=0), table.shape),
    )
    for place, column in enumerate(table.T):
        yield domains.estimates(column, low[:, place], high[:, place])


class _Domains:
    """The respondents of each group who responded, with the counts and weights of each group."""

    def __init__(self, rows: Rows, sampling: Sampling, groups: Sequence[str], confidence: Fraction) -> None:
        self.sampling, self.groups, self.confidence = sampling, groups, confidence
        self.rows, self.own = rows, rows.where((rows.group >= 0) & (rows.answer >= 0))
        own, size = self.own, len(groups)
        self.weight = sums_by_index(own.group, own.weight, size)
        self.n = sums_by_index(own.group, own.positive, size)
        if not (self.weight > 0).all():
            empty = groups[int(np.argmin(self.weight > 0))]
            raise InvalidParameterError(
                f"weights sum to 0: received no positive weight among the answers of {shown(empty)}; leave the group "
                "out, or correct the weights"
            )
        positive = own.where(own.positive > 0)
        strata = _pairs(positive.group, positive.stratum).of(size)
        self.census = self._census()
        clusters = self.n if positive.cluster is None else _pairs(positive.group, positive.cluster).of(size)
        self.freedom = clusters - strata
        self.cells = None if rows.post is None else _Cells(rows)
        self._kept: list[_Part] = []

    def _census(self) -> NDArray[np.bool_]:
        """Return for each domain whether all of its strata, and all clusters in them, were observed completely."""
        own, sampling = self.own, self.sampling
        left = sampling.fractions[own.stratum] < _WHOLE
        if sampling.within is not None and own.cluster is not None:
            left |= sampling.within[1][own.cluster] < _WHOLE
        whole: NDArray[np.bool_] = sums_by_index(own.group, left, len(self.groups)) == 0
        return whole

    def parts(self) -> Iterator[_Part]:
        """Yield the rows of all domains, in blocks of domains that fit into memory."""
        if self._kept:
            yield from self._kept
            return
        if self.cells is None:
            chunks = [np.arange(len(self.own.group))]
        else:
            turn = (np.cumsum(self.cells.entries(self.own.group, len(self.groups))) // _MOST_ENTRIES)[self.own.group]
            chunks = [np.flatnonzero(turn == one) for one in np.unique(turn)]
        for chosen in chunks:
            part = _Part(self.own.at(chosen), self.sampling, self.cells, len(self.groups))
            if self.sampling.single_psu == "average" and not part.known[part.rows.group].all():
                lost = self.groups[part.rows.group[np.argmin(part.known[part.rows.group])]]
                raise InvalidParameterError(
                    f"no stratum has two clusters: received strata with one cluster alone in {shown(lost)}, of which "
                    "there is no average; leave the group out, or choose `single_psu=certainty` or `single_psu=adjust`"
                )
            if len(chunks) == 1:
                self._kept.append(part)
            yield part

    def estimates(self, column: Floats, low: Floats, high: Floats) -> tuple[WeightedShare, ...]:
        """Return the proportion and the total of a category in each domain."""
        own, size = self.own, len(self.groups)
        z = column[own.answer]
        total = sums_by_index(own.group, own.weight * z, size)
        share = total / self.weight
        least, most = (
            sums_by_index(own.group, own.weight * end[own.answer], size) / self.weight for end in (low, high)
        )
        spread = sums_by_index(own.group, own.weight * (z - share[own.group]) ** 2, size) / self.weight
        means, numbers = np.zeros((3, size)), np.zeros((3, size))
        for part in self.parts():
            z, weight = column[part.rows.answer], self.weight[part.rows.group]
            device = part.rows.square * (z * z - z)
            means += part.variances((z - share[part.rows.group]) / weight, device / weight**2)
            numbers += part.variances(z, device)
        intervals, effective = proportion_intervals(
            share, means[0], self.n, self.freedom, least, most, self.confidence, self.census
        )
        half = _t_quantiles(self.confidence, self.freedom)
        simple = spread / np.maximum(self.n - 1, 1)
        effect = np.where((simple > 0) & (self.n > 1), means[0] / np.where(simple > 0, simple, 1.0), np.nan)
        kinds = [(name, np.stack(pair, axis=1).tolist()) for name, pair in intervals.items()]
        columns = zip(
            self.groups,
            self.n.astype(np.int64).tolist(),
            self.weight.tolist(),
            _linearised(share, means, half),
            _linearised(total, numbers, half),
            self.freedom.astype(np.int64).tolist(),
            map(_known, effect.tolist()),
            map(_known, effective.tolist()),
            strict=True,
        )
        return tuple(
            WeightedShare(
                name, n, weight, mean, number, freedom, ratio, ReadOnlyMapping(_defined_intervals(kinds, place)), m
            )
            for place, (name, n, weight, mean, number, freedom, ratio, m) in enumerate(columns)
        )


def _defined_intervals(kinds: Sequence[tuple[str, list[list[float]]]], place: int) -> dict[str, Ends]:
    """Return the intervals of one domain, without those that are NaN."""
    found = {name: (ends[place][0], ends[place][1]) for name, ends in kinds}
    return {name: ends for name, ends in found.items() if not isnan(ends[0] + ends[1])}


def _linearised(values: Floats, variances: Floats, quantiles: Floats) -> list[Linearised]:
    halves = quantiles * np.sqrt(variances[0])
    intervals = zip((values - halves).tolist(), (values + halves).tolist(), strict=True)
    return [
        Linearised(value, whole, own, shrunk, None if isnan(ends[0]) else ends)
        for value, whole, own, shrunk, ends in zip(values.tolist(), *variances.tolist(), intervals, strict=True)
    ]


def _known(value: float) -> float | None:
    return None if isnan(value) else value


class _Pairs(NamedTuple):
    """The distinct pairs of two columns of integers, in order, and for each row the number of its pair."""

    first: Ints
    second: Ints
    row: Ints

    def of(self, size: int) -> Floats:
        """Return for each value of the first column the number of its pairs."""
        return sums_by_index(self.first, np.ones(len(self.first)), size)


def _pairs(first: Ints, second: Ints) -> _Pairs:
    width = int(second.max(initial=0)) + 1
    keys, row = np.unique(first * width + second, return_inverse=True)
    return _Pairs(keys // width, keys % width, row.ravel())


class _Cells:
    """The cells of post-stratification, with the weights of all respondents by cell and unit (cluster or stratum).

    Outside the domain u is 0, so the residual of a respondent there is minus the mean of the cell. For these
    respondents the estimates need only the sums of w and w^2 in each unit.

    Attributes:
        cell, unit: the distinct pairs, ordered by cell.
        weight, square: the sums of w and of w^2 of each pair.
        first, count: the index of the first pair of each cell, and the number of its pairs.
        total: the sum of the weights of each cell.
    """

    def __init__(self, rows: Rows) -> None:
        assert rows.post is not None
        pairs = _pairs(rows.post, rows.stratum if rows.cluster is None else rows.cluster)
        size = int(rows.post.max()) + 1
        self.cell, self.unit, self.post = pairs.first, pairs.second, rows.post
        self.weight, self.square = (
            sums_by_index(pairs.row, sums, len(pairs.first)) for sums in (rows.weight, rows.square)
        )
        self.count = np.bincount(pairs.first, minlength=size)
        self.first = np.cumsum(self.count) - self.count
        self.total = sums_by_index(rows.post, rows.weight, size)

    def entries(self, domain: Ints, size: int) -> Floats:
        """Return an upper bound of the number of (cell, unit) pairs that each domain touches."""
        return np.minimum(sums_by_index(domain, np.full(len(domain), self.count.max()), size), len(self.cell))

    def around(self, cells: _Pairs) -> tuple[Ints, Ints]:
        """Return all (cell, unit) pairs of the cell of each (domain, cell) pair.

        Returns:
            Two arrays of equal length: the index of the (domain, cell) pair, and the index of the (cell, unit) pair.
        """
        counts = self.count[cells.second]
        offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(np.arange(len(counts)), counts), np.repeat(self.first[cells.second], counts) + offsets


class _Part:
    """The rows of some domains and, with post-strata, the sums of the other rows in their cells.

    Attributes:
        rows: the rows of the domains.
        known: for each domain, whether some stratum has at least two clusters, which shows the variance between them.
    """

    def __init__(self, rows: Rows, sampling: Sampling, cells: _Cells | None, size: int) -> None:
        self.rows, self.sampling, self.cells, self.size = rows, sampling, cells, size
        domain, unit = rows.group, rows.stratum if rows.cluster is None else rows.cluster
        if cells is not None:
            assert rows.post is not None
            self.pairs = _pairs(domain, rows.post)
            self.pair, self.entry = cells.around(self.pairs)
            domain = np.concatenate([domain, self.pairs.first[self.pair]])
            unit = np.concatenate([unit, cells.unit[self.entry]])
        self.units = units = _pairs(domain, unit)
        is_cluster = rows.cluster is not None and sampling.strata is not None
        self.strata = _pairs(units.first, sampling.strata[units.second]) if is_cluster else units  # type: ignore[index]
        alone = sampling.alone[self.strata.second]
        if cells is None:  # count the strata in which the domain has rows
            seen, known = self.strata.of(size), sums_by_index(self.strata.first, ~alone, size)
        else:
            seen, known = (np.full(size, float(number)) for number in (len(sampling.alone), (~sampling.alone).sum()))
        self.known = known > 0
        self._scale = np.where(alone, 0.0, (seen / np.maximum(known, 1))[self.strata.first])
        fractions = sampling.fractions[self.strata.second]
        self._stage = replace(sampling, units=sampling.units[self.strata.second], fractions=fractions)

    def variances(self, u: Floats, device: Floats) -> Floats:
        """Return V, D and the shrunk variance (the sum of B and the second stage) of each domain, shape (3, domains).

        Args:
            u: the linearized values, divided by the weight.
            device: the contribution of the device to the variance, for each row.
        """
        rows, strata, f, number = self.rows, self.strata, self._stage.fractions, len(self.strata.first)
        own, size = self.units.row[: len(rows.group)], len(self.units.first)
        sums, squares = sums_by_index(own, rows.weight * u, size), sums_by_index(own, rows.square * u * u, size)
        if self.cells is not None:  # (u - mean)^2 = mean^2 + (u^2 - 2 u mean); the second part is 0 outside the domain
            cells, pairs = self.cells, self.pairs
            below = cells.total[pairs.second]
            mean = sums_by_index(pairs.row, rows.weight * u, len(below)) / np.where(below > 0, below, 1.0)
            around, rest = self.units.row[len(rows.group) :], mean[self.pair]
            sums -= sums_by_index(around, rest * cells.weight[self.entry], size)
            squares += sums_by_index(around, rest**2 * cells.square[self.entry], size)
            squares = np.maximum(squares - sums_by_index(own, 2 * rows.square * u * mean[pairs.row], size), 0.0)
        of_device = sums_by_index(own, device, size)
        second, left = np.zeros(number), of_device
        if strata is not self.units:
            if self.sampling.within is not None:
                within = (each[self.units.second] for each in self.sampling.within)
                units, fractions = within
                inside, kept = _variance_between_units(
                    sums, squares, replace(self.sampling, units=units, fractions=fractions)
                )
                second, left = sums_by_index(strata.row, inside, number), kept * of_device
            squares = sums_by_index(strata.row, sums**2, number)
            sums, left, of_device = (sums_by_index(strata.row, each, number) for each in (sums, left, of_device))
        between, _ = _variance_between_units(sums, squares, self._stage)
        if self.sampling.single_psu == "average":
            between = between * self._scale
        certain = self._stage.alone & (self.sampling.single_psu == "certainty")
        whole = between + f * second + np.where(certain, of_device - f * (of_device - left), f * left)
        parts = (whole, of_device, between + f * second)
        found: Floats = np.stack([sums_by_index(strata.first, part, self.size) for part in parts])
        found[0] = np.maximum(found[0], 0.0)
        return found


def sums_by_index(places: Ints, values: NDArray[np.generic], size: int) -> Floats:
    """Return the sums of the values by index, for the indices 0 to ``size - 1``."""
    sums: Floats = np.bincount(places, values, size).astype(np.float64)
    return sums


def _variance_between_units(sums: Floats, squares: Floats, stage: Sampling) -> tuple[Floats, Floats]:
    """Return B of each stratum, and the fraction of the device's variance that B does not contain."""
    n, f, alone = stage.units, stage.fractions, stage.alone
    spread = np.maximum(squares - sums * sums / n, 0.0) * n / np.maximum(n - 1, 1)
    if stage.single_psu == "adjust":
        spread = np.where(alone, squares, spread)
    return (1 - f) * spread, np.where(alone & (stage.single_psu == "certainty"), 1.0, f)


def _t_quantiles(confidence: Fraction, freedom: Floats) -> Floats:
    """Return the quantiles of Student's t distribution; NaN without degrees of freedom."""
    from scipy.special import stdtrit

    return np.where(freedom > 0, -stdtrit(np.maximum(freedom, 1.0), float((1 - confidence) / 2)), np.nan)
