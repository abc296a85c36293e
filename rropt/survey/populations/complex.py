r"""Proportions and totals of groups from a complex survey of randomized responses, and their differences.

Respondent i has weight w_i and the debiased response ``z_i = L e_{y_i}``, where L is the left inverse of the mechanism.
The expectation of z_i over the device is the indicator x_i of the category. A domain D is a group, restricted to those
of its members who responded. The estimates in a domain, with their linearizations (``linearization``), are:

* Proportion (Hajek): ``p = sum w z / W`` with ``W = sum_D w``. Its linearization is ``u_i = (z_i - p)/W`` in D, and 0
  elsewhere.
* Total (Horvitz and Thompson): ``T = sum_D w z`` with ``u_i = z_i``.

**The device.** Without finite populations (f = 0) the variance of the survey applied to z includes the randomization:
respondents are randomized independently of each other, hence clusters are too, and the spread of their sums has both
parts. With f > 0 the factor ``1 - f`` shrinks both parts. But the device is not a sample from a finite population: even
in a census (f = 1) its randomization remains. Given the sample, the variance due to the device is
``sum (w_i/W)^2 v(x_i)``, where v(x) is the variance of one response. Therefore

    ``V = V_survey + sum_i o_i D_i``, ``D_i = (w_i/W)^2 (z_i^2 - z_i)``,

with o_i the fraction of the device's variance that V_survey omits (f_h for completely observed clusters), is unbiased
for the total (where W is omitted) of a stratified sample. Reason: ``E(z^2 - z | x) = v(x) + x^2 - x = v(x)``, because x
is 0 or 1. Software for surveys without randomization returns V_survey alone, which is too small by ``o`` times the
variance due to the device. Here it is called ``shrunk_variance``. ``D = sum D_i`` is the part of V due to the device.

**The factor n_h/(n_h - 1)** makes V_survey unbiased, as in Cochran. For equal weights and one device it gives
``l (1 - l)/((n - 1)(p00 + p11 - 1)^2)``, the unbiased estimator of the literature (Chaudhuri and Mukerjee 1988).

**Degrees of freedom**: the number of clusters minus the number of strata, counted over those that contain respondents
of D with positive weight. **Design effect**: ``V/(s^2/n)`` with ``s^2 = n/(n - 1) sum w (z - p)^2/W``. The denominator
is the variance of n draws with replacement that use the same device.

**Replicate weights** (``replicates``) take the place of the linearization where the sample has them: the variances of
proportions and totals are those between replicates, and the degrees of freedom are a rank.

**Differences.** The covariance of the proportions of all groups is that of the columns u; a device adds to its diagonal
only, since a respondent belongs to one group. Tests use Student's t with the degrees of freedom of both groups
together; the test that all proportions are equal is the adjusted Wald test ``F = (d - k + 1)/(d k) W`` on k and
d - k + 1 degrees of freedom, where W is the quadratic form of k = G - 1 differences and d the degrees of freedom of all
groups (Korn and Graubard 1990).

Source: Cochran (1977), chapters 10 and 11; Saerndal, Swensson and Wretman (1992), chapters 5 and 7. The R package
``survey`` (svymean, svytotal) returns V_survey for the column z.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, isnan
from typing import Any

import numpy as np

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.mappings import ReadOnlyMapping
from rropt.inference.differences import MOST_DIFFERENCES, Difference, Ends, Test, bonferroni
from rropt.inference.linearization import WHOLE, Floats, Ints, Sampled, sums_by_index
from rropt.inference.proportion_intervals import proportion_intervals, t_quantile
from rropt.survey.groups.shares import Linearised, Matrix, WeightedShare

_NOISE = 1e-7  # a smaller standard error is 0 up to the rounding of sums
_SINGULAR = 1e-12  # a smaller eigenvalue of a covariance, relative to its largest variance, is 0 up to rounding
_ROUNDING = 1e-12  # a smaller difference of proportions is 0 up to the rounding of sums


class Domains:
    """The respondents of each group who responded, whose estimates share the counts and weights of the groups.

    Time and memory are linear in the number of rows and of groups. With post-strata they are linear in the number of
    units of the cells that each group touches.

    Args:
        sample: the sample, grouped into kinds of equal respondents: each array has one entry for each kind.
        positive: the number of respondents of each kind with a positive weight.
        group: the number of the group of each kind.
        answer: the row of the table of debiased responses of each kind; -1 for a missing response.
        groups: the names of the groups.
        confidence: the confidence of the intervals.

    Raises:
        InvalidParameterError: the weights of a group sum to 0, or no stratum has two clusters that would show the
            variance between clusters.
    """

    def __init__(
        self, sample: Sampled, positive: Ints, group: Ints, answer: Ints, groups: Sequence[str], confidence: Fraction
    ) -> None:
        self._sample, self._answer, self.groups, self.confidence = sample, answer, groups, confidence
        self._own = own = np.flatnonzero((group >= 0) & (answer >= 0))
        self._group, given, size = group[own], own[positive[own] > 0], len(groups)
        self.weight = sums_by_index(self._group, sample.weight[own], size)
        self.n = sums_by_index(self._group, positive[own], size)
        if not (self.weight > 0).all():
            empty = groups[int(np.argmin(self.weight > 0))]
            raise InvalidParameterError(
                f"weights sum to 0: received no positive weight among the answers of {shown(empty)}; leave the group "
                "out, or correct the weights"
            )
        self._strata = _touched(group[given], sample.stratum[given], size, len(sample.units))
        self._clusters = None
        if sample.cluster is not None and sample.strata is not None:
            self._clusters = _touched(group[given], sample.cluster[given], size, len(sample.strata))
        clusters = self.n if self._clusters is None else np.diff(self._clusters.indptr)
        self.freedom = clusters - np.diff(self._strata.indptr)
        if sample.replicates is not None:
            self.freedom = np.array([sample.replicates.freedom_of(gram) for gram in self._grams], np.float64)
        self._average = self._averaged(sample)
        left = sample.fractions[sample.stratum[own]] < WHOLE
        if sample.within is not None and sample.cluster is not None:
            left |= sample.within[1][sample.cluster[own]] < WHOLE
        self._is_census = sums_by_index(self._group, left, size) == 0

    def _averaged(self, sample: Sampled) -> Floats | None:
        """Return the factor of each group under the rule ``average``, from the strata in which it has rows."""
        if sample.single_psu != "average" or sample.post is not None:  # with cells, groups are in all strata
            return None
        seen = _touched(self._group, sample.stratum[self._own], len(self.groups), len(sample.units))
        known = seen @ (~sample.alone).astype(np.float64)
        if not known.all():
            lost = self.groups[int(np.argmin(known))]
            raise InvalidParameterError(
                f"no stratum has two clusters: received strata with one cluster alone in {shown(lost)}, of which "
                "there is no average; leave the group out, or choose `single_psu=certainty` or `single_psu=adjust`"
            )
        found: Floats = np.diff(seen.indptr) / known
        return found

    @cached_property
    def _grams(self) -> list[Floats]:
        """The products of the columns of replicate weights, over the rows of each group."""
        assert self._sample.replicates is not None
        return [self._sample.replicates.gram(self._own[self._group == g]) for g in range(len(self.groups))]

    def _replicated(self, z: Floats, *, is_total: bool = False) -> Floats:
        """Return the covariance of the proportions (or totals) of the groups, from replicate weights.

        Raises:
            InvalidParameterError: the weights of a group sum to 0 in a replicate.
        """
        replicates, size = self._sample.replicates, len(self.groups)
        assert replicates is not None
        found, own = replicates.sums(self._own, self._group, z, size), self.weight * self._share(z)
        if not is_total:
            below = replicates.sums(self._own, self._group, None, size)
            if (empty := (np.abs(below) <= _ROUNDING * self.weight).sum(axis=0)).any():
                raise InvalidParameterError(
                    f"replicate weights sum to 0: received {int(empty.max())} replicates without "
                    f"{shown(self.groups[int(np.argmax(empty))])}, whose variance they cannot show; leave the group "
                    "out, or join it with another one"
                )
            found, own = found / below, self._share(z)
        return replicates.covariance(found, own)

    def _linearized(self, values: Floats) -> Any:
        """Return the linearized variables, of which each row has one in its own group; shape (rows, groups)."""
        from scipy.sparse import csr_array

        ends = np.zeros(len(self._answer) + 1, np.int64)
        ends[self._own + 1] = 1
        return csr_array((values, self._group, np.cumsum(ends)), (len(self._answer), len(self.groups)))

    def _device(self, z: Floats, factor: Floats | float = 1.0) -> Floats:
        """Return the sums of the device's variance over each group, for totals."""
        return sums_by_index(self._group, factor * self._sample.square[self._own] * (z * z - z), len(self.groups))

    def _noise(self, variances: Floats) -> Floats:
        """Return the sums of given variances of the device over each group, for totals."""
        return sums_by_index(self._group, self._sample.square[self._own] * variances, len(self.groups))

    def _share(self, z: Floats) -> Floats:
        return sums_by_index(self._group, self._sample.weight[self._own] * z, len(self.groups)) / self.weight

    def _variances(self, values: Floats, z: Floats, below: Floats | float) -> Floats:
        """Return V, D and the shrunk variance of each group, shape (3, groups)."""
        shrunk = np.maximum(self._sample.covariance(self._linearized(values), self._average, is_diagonal=True), 0.0)
        whole = shrunk + self._device(z, self._sample.omitted[self._own]) / below
        return np.stack([np.maximum(whole, 0.0), self._device(z) / below, shrunk])

    def estimates(self, column: Floats, ranges: tuple[Floats, Floats] | None = None) -> tuple[WeightedShare, ...]:
        """Return the proportion and the total of a category in each group.

        Args:
            column: the debiased response of each output.
            ranges: for each output, the smallest and the largest debiased response of the device that gave it;
                ``None`` takes them from the column, for a single device.
        """
        low, high = ranges or (np.full(len(column), end) for end in (column.min(), column.max()))
        group, size, weight = self._group, len(self.groups), self._sample.weight[self._own]
        answer = self._answer[self._own]
        z = column[answer]
        share = self._share(z)
        gap = z - share[group]
        least, most = (sums_by_index(group, weight * end[answer], size) / self.weight for end in (low, high))
        spread = sums_by_index(group, weight * gap**2, size) / self.weight
        if self._sample.replicates is None:
            means, numbers = self._variances(gap / self.weight[group], z, self.weight**2), self._variances(z, z, 1.0)
        else:
            means, numbers = (
                np.stack([V, self._device(z) / below, V])
                for V, below in (
                    (np.diag(self._replicated(z)), self.weight**2),
                    (np.diag(self._replicated(z, is_total=True)), 1.0),
                )
            )
        intervals, effective = proportion_intervals(
            share, means[0], self.n, self.freedom, least, most, self.confidence, self._is_census
        )
        half = t_quantile(self.freedom, float(1 - self.confidence))
        simple = spread / np.maximum(self.n - 1, 1)
        effect = np.where((simple > 0) & (self.n > 1), means[0] / np.where(simple > 0, simple, 1.0), np.nan)
        columns = (
            self.groups,
            self.n.astype(np.int64).tolist(),
            self.weight.tolist(),
            _linearised(share, means, half),
            _linearised(self.weight * share, numbers, half),
            self.freedom.astype(np.int64).tolist(),
            _known(effect),
            _defined_intervals(intervals, size),
            _known(effective),
        )
        return tuple(WeightedShare(*one) for one in zip(*columns, strict=True))

    def means(self, z: Floats, device: Floats) -> list[tuple[Any, ...]]:
        """Return the mean of an unbiased report of a number in each group.

        Args:
            z: the report of each output.
            device: for each output a number whose mean, given the respondent's number, is the variance of the report.

        Returns:
            For each group its name, the number of reports, their weight, the mean, its standard error (None without
            degrees of freedom), the part of it due to the device, the t-interval and the degrees of freedom.
        """
        group, sample, answer = self._group, self._sample, self._answer[self._own]
        size, weight = len(self.groups), sample.weight[self._own]
        reports, noise = z[answer], sample.square[self._own] * device[answer] / self.weight[group] ** 2
        mean = sums_by_index(group, weight * reports, size) / self.weight
        if sample.replicates is None:
            values = (reports - mean[group]) / self.weight[group]
            shrunk = sample.covariance(self._linearized(values), self._average, is_diagonal=True)
            variance = np.maximum(shrunk, 0.0) + sums_by_index(group, sample.omitted[self._own] * noise, size)
        else:
            variance = np.diag(self._replicated(reports))
        error, part = np.sqrt(np.maximum(variance, 0.0)), np.sqrt(np.maximum(sums_by_index(group, noise, size), 0.0))
        half = t_quantile(self.freedom, float(1 - self.confidence)) * error
        columns = (mean, np.where(self.freedom > 0, error, np.nan), part, half, self.freedom)
        return [
            (name, int(n), w, m, None if isnan(e) else e, d, None if isnan(e) else _ends(m, h), int(f))
            for name, n, w, m, e, d, h, f in zip(
                self.groups, self.n.tolist(), self.weight.tolist(), *(x.tolist() for x in columns), strict=True
            )
        ]

    def differences(
        self, column: Floats, device: Floats | None = None
    ) -> tuple[tuple[Difference, ...], Test | None, Matrix | None]:
        """Return the differences of a category, the test that all are equal, and the covariance of the proportions.

        One group has no differences, and too many are not compared.

        Args:
            column: the debiased response of each output; or the report of a number, whose means are compared.
            device: for reports of a number, the variance of the device as for ``means``.
        """
        from scipy.special import stdtr

        if len(self.groups) < 2 or comb(len(self.groups), 2) > MOST_DIFFERENCES:
            return (), None, None
        z = column[self._answer[self._own]]
        share = self._share(z)
        if self._sample.replicates is not None:
            V = self._replicated(z)
        else:
            V = self._sample.covariance(
                self._linearized((z - share[self._group]) / self.weight[self._group]), self._average
            )
            left = self._sample.omitted[self._own]
            own = self._device(z, left) if device is None else self._noise(left * device[self._answer[self._own]])
            V = 0.5 * (V + V.T) + np.diag(own / self.weight**2)
        first, second = np.array(list(combinations(range(len(self.groups)), 2))).T
        value = share[first] - share[second]
        value[np.abs(value) <= _ROUNDING] = 0.0
        error = np.sqrt(np.maximum(V[first, first] + V[second, second] - 2 * V[first, second], 0.0))
        if self._sample.replicates is not None:
            freedom = np.array([self._joined(i, j) for i, j in zip(first, second, strict=True)], np.float64)
        else:
            clusters, strata = self._common(self.n, self._clusters), self._common(None, self._strata)
            freedom = clusters[first, second] - strata[first, second]
        freedom = np.where(np.minimum(self.freedom[first], self.freedom[second]) > 0, freedom, 0.0)
        is_measured = self._is_measured(V)
        is_known = (error <= _NOISE) & self._is_census[first] & self._is_census[second]  # by direct responses
        is_tested = (freedom > 0) & ((error > _NOISE) | is_known) & is_measured[first] & is_measured[second]
        p = np.where(is_tested, 2 * stdtr(np.maximum(freedom, 1.0), -_ratio(value, error)), 1.0)
        each = 1 - (1 - self.confidence) / len(value)
        alone, at_once = (
            np.where(is_tested, np.where(is_known, 0.0, t_quantile(freedom, float(1 - level)) * error), np.nan)
            for level in (self.confidence, each)
        )
        found = tuple(
            Difference(
                self.groups[i], self.groups[j], d, e, "Wald", _ends(d, half), _ends(d, wide), one, adjusted, int(f)
            )
            for i, j, d, e, f, half, wide, one, adjusted in zip(
                *(x.tolist() for x in (first, second, value, error, freedom, alone, at_once, p)),
                bonferroni(p).tolist(),
                strict=True,
            )
        )
        return found, self._equality(share, V), tuple(map(tuple, V.tolist()))

    def _is_measured(self, V: Floats) -> Any:
        """Return whether the variance of each group measures its error.

        A variance of 0 does not, since the responses are all equal, except for a census with direct responses.
        """
        return (np.sqrt(np.maximum(np.diag(V), 0.0)) > _NOISE) | self._is_census

    def _joined(self, *groups: int) -> int:
        """Return the degrees of freedom of several groups together, with replicate weights."""
        assert self._sample.replicates is not None
        return self._sample.replicates.freedom_of(np.sum([self._grams[g] for g in groups], axis=0))

    def _common(self, n: Floats | None, touched: Any) -> Floats:
        """Return the number of clusters (or strata) that each pair of groups touches."""
        if touched is None:
            assert n is not None
            return n[:, None] + n[None]
        own = np.diff(touched.indptr).astype(np.float64)
        return np.asarray(own[:, None] + own[None] - (touched @ touched.T).toarray())

    def _equality(self, share: Floats, V: Floats) -> Test | None:
        k, strata = len(share) - 1, len(np.unique(self._strata.indices))
        clusters = self.n.sum() if self._clusters is None else len(np.unique(self._clusters.indices))
        design = int(clusters) - strata
        if self._sample.replicates is not None:
            design = self._joined(*range(k + 1))
        freedom = design - k + 1
        C = V[1:, 1:] - V[:1, 1:] - V[1:, :1] + V[0, 0]
        gap = share[1:] - share[0]
        if not self._is_measured(V).all() or freedom < 1 or self.freedom.min() < 1:
            return None
        if not np.linalg.eigvalsh(C)[0] > _SINGULAR * max(np.diag(C)):
            return None
        F = float(gap @ np.linalg.solve(C, gap)) * freedom / ((freedom + k - 1) * k)
        return Test.of("all equal", F, k, freedom)


def _ratio(value: Floats, error: Floats) -> Floats:
    """Return the absolute values of t: infinite for a difference that is known and not 0."""
    has_error = error > _NOISE
    known = np.where(value == 0, 0.0, np.inf)
    return np.where(has_error, np.abs(value) / np.where(has_error, error, 1.0), known)


def _ends(value: float, half: float) -> Ends | None:
    return None if isnan(half) else (value - half, value + half)


def _touched(first: Ints, second: Ints, size: int, width: int) -> Any:
    """Return the sparse matrix that is 1 where the pair of two labels occurs."""
    from scipy.sparse import coo_array

    found = coo_array((np.ones(len(first)), (first, second)), (size, width)).tocsr()
    found.data[:] = 1.0
    return found


def _defined_intervals(intervals: Mapping[str, tuple[Floats, Floats]], size: int) -> list[ReadOnlyMapping[str, Ends]]:
    """Return the intervals of each domain, without those that are NaN."""
    kinds = [(name, list(zip(low.tolist(), high.tolist(), strict=True))) for name, (low, high) in intervals.items()]
    return [
        ReadOnlyMapping({name: ends[place] for name, ends in kinds if not isnan(sum(ends[place]))})
        for place in range(size)
    ]


def _linearised(values: Floats, variances: Floats, quantiles: Floats) -> list[Linearised]:
    halves = quantiles * np.sqrt(variances[0])
    intervals = zip((values - halves).tolist(), (values + halves).tolist(), strict=True)
    return [
        Linearised(value, whole, own, shrunk, None if isnan(ends[0]) else ends)
        for value, whole, own, shrunk, ends in zip(values.tolist(), *variances.tolist(), intervals, strict=True)
    ]


def _known(values: Floats) -> list[float | None]:
    return [None if isnan(value) else value for value in values.tolist()]
