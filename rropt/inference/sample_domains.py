r"""Means and totals of scores in the groups of a complex survey of randomized responses, with one covariance.

Respondent i has weight w_i and the score z_i, whose expectation over the device is x_i: the indicator of a category, of
which the score is ``L e_{y_i}`` with the left inverse L of the mechanism, or the respondent's number. A domain D is a
group, restricted to those of its members who responded. The estimates in a domain, with their linearizations
(``linearization``), are:

* Proportion (Hajek): ``p = sum w z / W`` with ``W = sum_D w``. Its linearization is ``u_i = (z_i - p)/W`` in D, and 0
  elsewhere.
* Total (Horvitz and Thompson): ``T = sum_D w z`` with ``u_i = z_i``.
* Sum of means: where several devices determine a number together, it is the sum over the devices d of ``sum w z/W_d``,
  with ``u_i = (z_i - m_d)/W_d`` for a respondent of the device d, whose weighted mean is m_d.

**The device.** Without finite populations (f = 0) the variance of the survey applied to z includes the randomization:
respondents are randomized independently of each other, hence clusters are too, and the spread of their sums has both
parts. With f > 0 the factor ``1 - f`` shrinks both parts. But the device is not a sample from a finite population: even
in a census (f = 1) its randomization remains. Given the sample, the variance due to the device is
``sum (w_i/W)^2 v(x_i)``, where v(x) is the variance of one response. Therefore

    ``V = V_survey + sum_i o_i D_i``, ``D_i = (w_i/W)^2 (z_i^2 - z_i)``,

with o_i the fraction of the device's variance that V_survey omits (f_h for completely observed clusters), is unbiased
for the total (where W is omitted) of a stratified sample. Reason: ``E(z^2 - z | x) = v(x) + x^2 - x = v(x)``, because x
is 0 or 1. For a number, a table ``noise`` of the responses takes the place of ``z^2 - z``.

Software for surveys without randomization returns V_survey alone, which is too small by ``o`` times the
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

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from math import isnan
from typing import Any, NamedTuple

from rropt.answers.data_columns import sums_by_index
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.visible import with_noun
from rropt.inference.differences import Difference, Ends, Test, bonferroni
from rropt.inference.linearization import WHOLE, Floats, Ints, Sampled
from rropt.inference.proportion_intervals import t_quantile

_NOISE = 1e-7  # a smaller standard error is 0 up to the rounding of sums
_SINGULAR = 1e-12  # a smaller eigenvalue of a covariance, relative to its largest variance, is 0 up to rounding
_ROUNDING = 1e-12  # a smaller difference of proportions is 0 up to the rounding of sums


class Moments(NamedTuple):
    """An estimate in each group, with its variance; each has the shape (groups,).

    Attributes:
        value: the estimate.
        variance: V, which includes the sampling and the device.
        device: D, the part of V due to the device, estimated without bias.
        shrunk: the variance if the finite population correction is applied to the device too.
    """

    value: Floats
    variance: Floats
    device: Floats
    shrunk: Floats


class Domains:
    """The respondents of each group who responded, whose estimates share the counts and weights of the groups.

    Time and memory are linear in the number of rows and of groups. With post-strata they are linear in the number of
    units of the cells that each group touches.

    Args:
        sample: the sample, grouped into kinds of equal respondents: each array has one entry for each kind.
        positive: the number of respondents of each kind with a positive weight.
        group: the number of the group of each kind; negative for none.
        is_given: whether each kind responded.
        groups: the names of the groups.
        part: the number of the part of its group to which each kind belongs, such as its device, from 0. The estimates
            are then sums of the means over the parts. ``None`` for one part.

    Raises:
        InvalidParameterError: the weights of a group sum to 0, or no stratum has two clusters that would show the
            variance between clusters.
    """

    def __init__(
        self,
        sample: Sampled,
        positive: Ints,
        group: Ints,
        is_given: Any,
        groups: Sequence[str],
        part: Ints | None = None,
    ) -> None:
        self.sample, self.groups, self.rows = sample, tuple(groups), len(group)
        self.own = own = np.flatnonzero((group >= 0) & is_given)
        self.group, given, size = group[own], own[positive[own] > 0], len(groups)
        self.weight = sums_by_index(self.group, sample.weight[own], size)
        self.n = sums_by_index(self.group, positive[own], size)
        if not (self.weight > 0).all():
            empty = self.groups[int(np.argmin(self.weight > 0))]
            raise InvalidParameterError(
                f"weights sum to 0: received no positive weight among the answers of {shown(empty)}; leave the group "
                "out, or correct the weights"
            )
        self._of_parts(None if part is None else part[own])
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
        self.is_census = sums_by_index(self.group, left, size) == 0

    def _of_parts(self, part: Ints | None) -> None:
        """Number the cells of groups and parts that have a weight: the cell of each row, its group and its weight."""
        self._cell, self._owner, self._below = self.group, np.arange(len(self.groups)), self.weight
        self._has_weight = np.ones(len(self.groups), bool)
        if part is None:
            return
        weight = self.sample.weight[self.own]
        kept, cell = np.unique(self.group * (int(part.max()) + 1) + part, return_inverse=True)
        below = sums_by_index(cell, weight, len(kept))
        self._cell, self._owner = cell, kept // (int(part.max()) + 1)
        self._has_weight = below > 0
        self._below = np.where(below > 0, below, 1.0)  # a cell without weight adds nothing, and has scores of 0

    def _averaged(self, sample: Sampled) -> Floats | None:
        """Return the factor of each group under the rule ``average``, from the strata in which it has rows."""
        if sample.single_psu != "average" or sample.post is not None:  # with cells, groups are in all strata
            return None
        seen = _touched(self.group, sample.stratum[self.own], len(self.groups), len(sample.units))
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
        assert self.sample.replicates is not None
        return [self.sample.replicates.gram(self.own[self.group == g]) for g in range(len(self.groups))]

    # sums over the groups

    def _sum(self, values: Any) -> Floats:
        """Return the sums of values of the rows in groups over each group."""
        return sums_by_index(self.group, values, len(self.groups))

    def mean(self, x: Floats) -> Floats:
        """Return the weighted mean of a number of each row in each group."""
        return self._sum(self.sample.weight[self.own] * x[self.own]) / self.weight

    def spread(self, z: Floats) -> Floats:
        """Return the weighted mean squared distance of the scores from their mean, in each group."""
        return self._sum(self.sample.weight[self.own] * (z[self.own] - self.mean(z)[self.group]) ** 2) / self.weight

    def _part_means(self, z: Floats) -> Floats:
        """Return the weighted mean of the scores in each cell of groups and parts."""
        own = self.sample.weight[self.own] * z[self.own]
        return sums_by_index(self._cell, own, len(self._below)) / self._below

    def values(self, z: Floats) -> Floats:
        """Return the mean of the scores in each group, or the sum of the means over its parts."""
        return sums_by_index(self._owner, self._part_means(z), len(self.groups))

    def _influence(self, z: Floats) -> Floats:
        return np.asarray((z[self.own] - self._part_means(z)[self._cell]) / self._below[self._cell])

    def _linearized(self, values: Floats) -> Any:
        """Return the linearized variables, of which each row has one in its own group; shape (rows, groups)."""
        from scipy.sparse import csr_array

        ends = np.zeros(self.rows + 1, np.int64)
        ends[self.own + 1] = 1
        return csr_array((values, self.group, np.cumsum(ends)), (self.rows, len(self.groups)))

    def _device(self, z: Floats, noise: Floats | None) -> Floats:
        """Return the device's variance of each row in a group, times the sum of squared weights, for totals."""
        own = z[self.own] ** 2 - z[self.own] if noise is None else noise[self.own]
        return np.asarray(self.sample.square[self.own] * own)

    # estimates

    def means(self, z: Floats, noise: Floats | None = None) -> Moments:
        """Return the mean of a score in each group (Hajek), or the sum of the means over its parts.

        Args:
            z: the score of each row.
            noise: for each row a number whose mean, given the truth, is the variance of the score; ``None`` for
                indicators, of which it is ``z^2 - z``.
        """
        if self.sample.replicates is not None:
            shrunk = np.diag(self._replicated(z))
        else:
            u = self._linearized(self._influence(z))
            shrunk = np.maximum(self.sample.covariance(u, self._average, is_diagonal=True), 0.0)
        return self._moments(self.values(z), shrunk, self._device(z, noise) / self.weight[self.group] ** 2)

    def totals(self, z: Floats, noise: Floats | None = None) -> Moments:
        """Return the total of a score in each group (Horvitz and Thompson); arguments are those of ``means``."""
        if self.sample.replicates is not None:
            shrunk = np.diag(self._replicated(z, is_total=True))
        else:
            u = self._linearized(z[self.own])
            shrunk = np.maximum(self.sample.covariance(u, self._average, is_diagonal=True), 0.0)
        return self._moments(self.weight * self.mean(z), shrunk, self._device(z, noise))

    def _moments(self, value: Floats, shrunk: Floats, device: Floats) -> Moments:
        whole = shrunk
        if self.sample.replicates is None:
            whole = np.maximum(shrunk + self._sum(self.sample.omitted[self.own] * device), 0.0)
        return Moments(value, whole, self._sum(device), shrunk)

    def covariance(self, z: Floats, noise: Floats | None = None) -> Floats:
        """Return the covariance of the means of the groups, shape (groups, groups); arguments as in ``means``."""
        if self.sample.replicates is not None:
            return self._replicated(z)
        V = self.sample.covariance(self._linearized(self._influence(z)), self._average)
        own = self._sum(self.sample.omitted[self.own] * self._device(z, noise))
        return 0.5 * (V + V.T) + np.diag(own / self.weight**2)

    def joint_covariance(self, z: Sequence[Floats], chosen: Ints | None = None) -> Floats:
        """Return the covariance of the proportions of several categories in all groups.

        Args:
            z: for each category the score of each row.
            chosen: the estimates whose covariance is returned, as ``group * categories + category``; ``None`` for all.

        Returns:
            The covariance, shape (chosen, chosen).
        """
        from scipy.sparse import hstack

        G, K = len(self.groups), len(z)
        chosen = np.arange(G * K) if chosen is None else chosen
        group, category = np.divmod(chosen, K)
        columns = category * G + group
        if self.sample.replicates is not None:
            found, center = zip(*(self._replicate_values(one) for one in z), strict=True)
            return self.sample.replicates.covariance(np.hstack(found)[:, columns], np.concatenate(center)[columns])
        u = hstack([self._linearized(self._influence(one)) for one in z], format="csc")[:, columns]
        V = self.sample.covariance(u, None if self._average is None else self._average[group])
        V = 0.5 * (V + V.T)
        left = self.sample.omitted[self.own] * self.sample.square[self.own]
        if left.any():  # what a finite population correction must not shrink: E(z_j z_l | x) is x_j if j = l, else 0
            rows = np.stack([one[self.own] for one in z], 1)
            for g in np.unique(group).tolist():
                own, at = self.group == g, np.flatnonzero(group == g)
                D = (rows[own].T * left[own]) @ rows[own] - np.diag(left[own] @ rows[own])
                V[np.ix_(at, at)] += D[np.ix_(category[at], category[at])] / self.weight[g] ** 2
        return np.asarray(V)

    def _replicate_values(self, z: Floats, *, is_total: bool = False) -> tuple[Floats, Floats]:
        """Return the means (or totals) of the groups in each replicate, and those of the sample.

        Raises:
            InvalidParameterError: the weights of a group sum to 0 in a replicate.
        """
        replicates, size = self.sample.replicates, len(self.groups)
        assert replicates is not None
        if is_total:
            return replicates.sums(self.own, self.group, z[self.own], size), self.weight * self.mean(z)
        sums, below = (replicates.sums(self.own, self._cell, x, len(self._below)) for x in (z[self.own], None))
        below = np.where(self._has_weight, below, 1.0)
        if (empty := (np.abs(below) <= _ROUNDING * self._below).sum(axis=0)).any():
            cell = int(np.argmax(empty))
            of = "" if len(self._below) == size else "the responses of a device in "
            raise InvalidParameterError(
                f"replicate weights sum to 0: received {with_noun(int(empty[cell]), 'replicate')} without "
                f"{of}{shown(self.groups[int(self._owner[cell])])}, whose variance they cannot show; leave the group "
                "out, or join it with another one"
            )
        found = np.stack([sums_by_index(self._owner, row, size) for row in sums / below])
        return found, self.values(z)

    def _replicated(self, z: Floats, *, is_total: bool = False) -> Floats:
        """Return the covariance of the means (or totals) of the groups, from replicate weights."""
        assert self.sample.replicates is not None
        return self.sample.replicates.covariance(*self._replicate_values(z, is_total=is_total))

    # degrees of freedom

    def joined(self, *groups: int) -> int:
        """Return the degrees of freedom of several groups together."""
        chosen = list(groups)
        if self.sample.replicates is not None:
            return self.sample.replicates.freedom_of(np.sum([self._grams[g] for g in chosen], axis=0))
        touched = self._clusters
        clusters = self.n[chosen].sum() if touched is None else len(np.unique(touched[chosen].indices))
        return int(clusters) - len(np.unique(self._strata[chosen].indices))

    def pairs(self) -> tuple[Ints, Ints, Floats]:
        """Return all pairs of groups, and the degrees of freedom of both together; 0 if one of them has none."""
        first, second = np.array(list(combinations(range(len(self.groups)), 2)), np.int64).reshape(-1, 2).T
        if self.sample.replicates is not None:
            freedom = np.array([self.joined(i, j) for i, j in zip(first, second, strict=True)], np.float64)
        else:
            clusters, strata = self._common(self.n, self._clusters), self._common(None, self._strata)
            freedom = clusters[first, second] - strata[first, second]
        return first, second, np.where(np.minimum(self.freedom[first], self.freedom[second]) > 0, freedom, 0.0)

    def _common(self, n: Floats | None, touched: Any) -> Floats:
        """Return the number of clusters (or strata) that each pair of groups touches."""
        if touched is None:
            assert n is not None
            return n[:, None] + n[None]
        own = np.diff(touched.indptr).astype(np.float64)
        return np.asarray(own[:, None] + own[None] - (touched @ touched.T).toarray())

    # comparisons

    def differences(self, values: Floats, V: Floats, confidence: Any) -> tuple[Difference, ...]:
        """Return the differences of all pairs of groups, with tests and intervals by Student's t.

        Args:
            values: the estimate of each group.
            V: their covariance.
            confidence: the confidence of each interval, and of the simultaneous ones together.
        """
        from scipy.special import stdtr

        first, second, freedom = self.pairs()
        value = values[first] - values[second]
        value[np.abs(value) <= _ROUNDING] = 0.0
        error = np.sqrt(np.maximum(V[first, first] + V[second, second] - 2 * V[first, second], 0.0))
        is_measured = self._is_measured(V)
        is_known = (error <= _NOISE) & self.is_census[first] & self.is_census[second]  # by direct responses
        is_tested = (freedom > 0) & ((error > _NOISE) | is_known) & is_measured[first] & is_measured[second]
        p = np.where(is_tested, 2 * stdtr(np.maximum(freedom, 1.0), -_ratio(value, error)), 1.0)
        each = 1 - (1 - confidence) / len(value)
        alone, at_once = (
            np.where(is_tested, np.where(is_known, 0.0, t_quantile(freedom, float(1 - level)) * error), np.nan)
            for level in (confidence, each)
        )
        return tuple(
            Difference(
                self.groups[i], self.groups[j], d, e, "Wald", _ends(d, half), _ends(d, wide), one, adjusted, int(f)
            )
            for i, j, d, e, f, half, wide, one, adjusted in zip(
                *(x.tolist() for x in (first, second, value, error, freedom, alone, at_once, p)),
                bonferroni(p).tolist(),
                strict=True,
            )
        )

    def _is_measured(self, V: Floats) -> Any:
        """Return whether the variance of each group measures its error.

        A variance of 0 does not, since the responses are all equal, except for a census with direct responses.
        """
        return (np.sqrt(np.maximum(np.diag(V), 0.0)) > _NOISE) | self.is_census

    def equality(self, values: Floats, V: Floats) -> Test | None:
        """Return the adjusted Wald test that the estimates of all groups are equal; ``None`` if it does not exist."""
        k = len(values) - 1
        freedom = self.joined(*range(k + 1)) - k + 1
        C = V[1:, 1:] - V[:1, 1:] - V[1:, :1] + V[0, 0]
        gap = values[1:] - values[0]
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
