r"""Shares and totals from a complex survey of randomized answers: weights, strata, clusters, finite populations.

Respondent i has weight w_i and the debiased answer ``z_i = L e_{y_i}``, L the left inverse of the mechanism: its
expectation over the device is the indicator x_i of the category. In a domain D (a group, and in it those who answered):

* share (Hajek) ``p = sum w z / W`` with ``W = sum_D w``; linearised ``u_i = w_i (z_i - p) / W`` in D, 0 elsewhere;
* total (Horvitz and Thompson) ``T = sum_D w z``; ``u_i = w_i z_i``.

With U_c the sum of u over cluster c of stratum h, of whose N_h clusters n_h were drawn (``f_h = n_h/N_h``),

    ``B_h = (1 - f_h) n_h/(n_h - 1) sum_c (U_c - mean U)^2``.

**The device.** ``V = sum_h B_h`` is the variance of the survey on z. Without finite populations (f = 0) the
randomization is inside of it: respondents are randomized independently of each other, hence so are clusters, and the
spread of the U_c has both parts. With f > 0 the factor ``1 - f_h`` shrinks both, but the device is no sample of
anything: it would randomize anew if all were asked (f = 1). Given the sample its variance is ``sum (w_i/W)^2 v(x_i)``,
v(x) that of an answer, of which B_h holds the part ``1 - f_h``; so

    ``V = sum_h (B_h + f_h D_h)``, ``D_h = sum_{i in h} (w_i/W)^2 (z_i^2 - z_i)``

(W left out for a total) is unbiased for the total of a stratified sample of clusters that are asked whole:
``E(z^2 - z | x) = v(x) + x^2 - x = v(x)``, since x is 0 or 1. ``sum_h B_h`` alone, which software for surveys of plain
answers returns, is too small by ``f_h`` times the device; it is ``shrunk_variance`` here. ``D = sum D_h`` is what V has
of the device.

**A second stage.** Respondents drawn within clusters (f_c of each) add
``f_h sum_c (1 - f_c) n_c/(n_c - 1) sum_{i in c} (u_i - mean u)^2``, and the device keeps ``f_h f_c D_c``.

**Post-strata.** Weights that were adjusted to the known totals of cells leave no variance between cells:
``u_i`` less ``w_i`` times the weighted mean of ``u/w`` over its cell, over all respondents, inside of D and outside.
Degrees of freedom: clusters less strata, of those with respondents of positive weight in D. Design effect:
``V / (s^2/n)``, ``s^2 = n/(n - 1) sum w (z - p)^2/W``: of n draws with replacement, answered by the same device.

Source: Cochran (1977), chapters 10 and 11; Saerndal, Swensson and Wretman (1992), chapters 5 and 7. ``sum B_h`` is what
R's ``survey`` (svymean, svytotal) finds of the column z.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from rropt.errors import InvalidParameterError, shown
from rropt.exact import decimal_text
from rropt.results import Result, says

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ends = tuple[float, float]

LONELY = ("refuse", "certainty", "average", "adjust")
_WHOLE = 1 - 1e-7  # of a stratum: all of it was asked, as R's survey has it


@dataclass(frozen=True, slots=True)
class Linearised(Result):
    """A number estimated by linearisation.

    Attributes:
        value: the estimate.
        variance: V: of the sample and of the device.
        device_variance: D: the device's part of it, unbiased.
        shrunk_variance: with the device shrunk by the finite population too, as R's ``survey`` on the debiased answers;
            equal to ``variance`` where there is no finite population.
        interval: by Student's t, not cut at 0 and 1; ``None`` without degrees of freedom.
    """

    value: float
    variance: float
    device_variance: float
    shrunk_variance: float
    interval: Ends | None

    SAYS = says(
        value="estimate",
        standard_error="standard error",
        interval="t-interval",
        variance="variance",
        device_variance="of which the device",
        shrunk_variance="variance, the device shrunk too",
    )

    @property
    def standard_error(self) -> float:
        """The root of the variance."""
        return sqrt(self.variance)

    def __str__(self) -> str:
        ends = "none" if self.interval is None else " to ".join(map(decimal_text, self.interval))
        error, effect = decimal_text(self.standard_error), decimal_text(sqrt(max(self.device_variance, 0.0)))
        return f"{decimal_text(self.value)} (standard error {error}, of the device {effect}; t-interval {ends})"


@dataclass(frozen=True, slots=True)
class WeightedShare(Result):
    """A category in one group.

    Attributes:
        group: its name.
        n: answers with a positive weight.
        weight: the sum of the weights.
        share: Hajek's estimate of the proportion; it may leave [0, 1].
        total: Horvitz and Thompson's estimate of the number.
        degrees_of_freedom: clusters less strata.
        design_effect: of the share; ``None`` for one answer, or where all are equal.
    """

    group: str
    n: int
    weight: float
    share: Linearised
    total: Linearised
    degrees_of_freedom: int
    design_effect: float | None

    SAYS = says(
        group="group",
        n="answers",
        weight="sum of weights",
        share="share (Hajek)",
        total="total (Horvitz-Thompson)",
        degrees_of_freedom="degrees of freedom",
        design_effect="design effect",
    )


@dataclass(frozen=True, slots=True)
class Rows:
    """Respondents, those that are alike added: one entry of each array for each kind.

    Attributes:
        positive: how many have a positive weight.
        weight, square: sums of w and of w^2.
        stratum, cluster: by number from 0; clusters number on through all strata. ``None``: each row is a cluster.
        post: the cell of post-stratification; ``None``: there are none.
        group: by number.
        answer: the row of the table of debiased answers; -1: none was given.
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
        """Return some of the kinds."""
        cluster, post = (None if labels is None else labels[chosen] for labels in (self.cluster, self.post))
        numbers = self.positive[chosen], self.weight[chosen], self.square[chosen], self.stratum[chosen]
        return Rows(*numbers, cluster, post, self.group[chosen], self.answer[chosen])


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the respondents were drawn.

    Attributes:
        units: n_h, clusters (or rows) of each stratum.
        fractions: f_h; 0 without a finite population.
        strata: of each cluster; ``None``: each row is a cluster.
        within: n_c and f_c, rows of each cluster and how much of it they are; ``None``: clusters were asked whole.
        lonely: what a stratum with one cluster adds: ``refuse``; ``certainty``: nothing but the device, as if it were
            all of its stratum; ``average``: as much as the mean of the others; ``adjust``: its square distance from 0.
    """

    units: Floats
    fractions: Floats
    strata: Ints | None = None
    within: tuple[Floats, Floats] | None = None
    lonely: str = "refuse"

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Strata with one cluster of several: nothing is known of the variance between their clusters."""
        lonely: NDArray[np.bool_] = (self.units == 1) & (self.fractions < _WHOLE)
        return lonely


def weighted_shares(
    rows: Rows, sampling: Sampling, table: Floats, groups: Sequence[str], confidence: Fraction
) -> Iterator[tuple[WeightedShare, ...]]:
    """Yield for each category its share and total in each group.

    Args:
        rows: of one question.
        sampling: how they were drawn.
        table: L^T: the debiased answer of each kind of answer, shape (answers, categories).
        groups: their names.
        confidence: of the intervals.

    Raises:
        InvalidParameterError: the weights of a group sum to 0, or no stratum says how its clusters vary.
    """
    if sampling.lonely == "average" and sampling.alone.all():
        raise InvalidParameterError(
            f"no stratum has two clusters: received {len(sampling.units)} with one each, of which there is no average; "
            "allowed are certainty and adjust"
        )
    domains = [_Domain(rows, sampling, number, name, confidence) for number, name in enumerate(groups)]
    for column in table.T:
        yield tuple(domain.estimate(column) for domain in domains)


class _Domain:
    """Those of a group who answered."""

    def __init__(self, rows: Rows, sampling: Sampling, number: int, name: str, confidence: Fraction) -> None:
        inside = (rows.group == number) & (rows.answer >= 0)
        self.name, self.sampling = name, sampling
        # outside of the domain u is 0, but not what is left of it when cells of post-stratification are taken off
        self.rows = rows.where(inside) if rows.post is None else rows
        self.inside = np.ones(len(self.rows.group)) if rows.post is None else inside.astype(np.float64)
        self.own = rows.where(inside)
        self.weight, self.n = float(self.own.weight.sum()), int(self.own.positive.sum())
        if not self.weight > 0:
            raise InvalidParameterError(
                f"weights sum to 0: received no positive weight among the answers of {shown(name)}; leave the group "
                "out, or correct the weights"
            )
        positive = self.own.where(self.own.positive > 0)
        strata = len(np.unique(positive.stratum))
        self.freedom = (self.n if positive.cluster is None else len(np.unique(positive.cluster))) - strata
        self.quantile = _t_quantile(confidence, self.freedom)

    def estimate(self, column: Floats) -> WeightedShare:
        """Return the share and the total of a category."""
        z = np.where(self.rows.answer >= 0, column[self.rows.answer], 0.0) * self.inside
        total = float((self.rows.weight * z).sum())
        share = total / self.weight
        spread = self.inside * (z - share)
        mean = self._linearised(share, spread / self.weight, z, self.weight)
        simple = float((self.rows.weight * spread**2).sum()) / self.weight / (self.n - 1) if self.n > 1 else 0.0
        effect = mean.variance / simple if simple > 0 else None
        number = self._linearised(total, z, z, 1.0)
        return WeightedShare(self.name, self.n, self.weight, mean, number, self.freedom, effect)

    def _linearised(self, value: float, u: Floats, z: Floats, scale: float) -> Linearised:
        device = self.rows.square * (z * z - z) / scale**2
        whole, own, shrunk = _variances(self.rows, self.sampling, u, device)
        half = None if self.quantile is None else self.quantile * sqrt(whole)
        return Linearised(value, whole, own, shrunk, None if half is None else (value - half, value + half))


def _variances(rows: Rows, sampling: Sampling, u: Floats, device: Floats) -> tuple[float, float, float]:
    """Return V, D and the sum of B for u (by unit of weight) and the device's part of each kind of row."""
    if rows.post is not None:
        cells = int(rows.post.max()) + 1
        below = added(rows.post, rows.weight, cells)
        mean = added(rows.post, rows.weight * u, cells) / np.where(below > 0, below, 1.0)
        u = u - mean[rows.post]
    strata, size = rows.stratum, len(sampling.units)
    sums, squares = rows.weight * u, rows.square * u * u
    second, left = np.zeros(size), added(strata, device, size)
    if rows.cluster is not None and sampling.strata is not None:
        clusters = len(sampling.strata)
        of_cluster = added(rows.cluster, sums, clusters)
        if sampling.within is not None:
            units, fractions = sampling.within
            own = added(rows.cluster, squares, clusters)
            inside, kept = _between(of_cluster, own, replace(sampling, units=units, fractions=fractions))
            second = added(sampling.strata, inside, size)
            left = added(sampling.strata, kept * added(rows.cluster, device, clusters), size)
        strata, sums, squares = sampling.strata, of_cluster, of_cluster**2
    between, kept = _between(added(strata, sums, size), added(strata, squares, size), sampling)
    whole, shrunk = between + kept * (second + left), between + sampling.fractions * second
    if sampling.lonely == "average":  # of the strata that are seen
        seen = np.ones(size, bool) if rows.post is not None else np.bincount(rows.stratum, minlength=size) > 0
        known = seen & ~sampling.alone
        scale = seen.sum() / max(known.sum(), 1)
        whole, shrunk = whole[known] * scale, shrunk[known] * scale
    return max(float(whole.sum()), 0.0), float(device.sum()), float(shrunk.sum())


def added(places: Ints, values: Floats | Ints, size: int) -> Floats:
    """Return the sums of the values of each place."""
    sums: Floats = np.bincount(places, values, size).astype(np.float64)
    return sums


def _between(sums: Floats, squares: Floats, stage: Sampling) -> tuple[Floats, Floats]:
    """Return B of each stratum, and how much of its device is to be added."""
    n, f, alone = stage.units, stage.fractions, stage.alone
    spread = np.maximum(squares - sums * sums / n, 0.0) * n / np.maximum(n - 1, 1)
    if stage.lonely == "adjust":
        spread = np.where(alone, squares, spread)
    return (1 - f) * spread, np.where(alone & (stage.lonely == "certainty"), 1.0, f)


def _t_quantile(confidence: Fraction, freedom: int) -> float | None:
    from scipy.special import stdtrit

    return -float(stdtrit(freedom, float((1 - confidence) / 2))) if freedom > 0 else None
