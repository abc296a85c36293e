"""The proportion and the total of a category in each group of a complex survey, with intervals and comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, isnan

import numpy as np

from rropt.core.mappings import ReadOnlyMapping
from rropt.inference.differences import MOST_DIFFERENCES, Difference, Ends, Test
from rropt.inference.linearization import Floats
from rropt.inference.proportion_intervals import proportion_intervals, t_quantile
from rropt.inference.sample_domains import Domains, Moments
from rropt.survey.groups.shares import Linearised, Matrix, WeightedShare


def weighted_shares(
    domains: Domains, z: Floats, confidence: Fraction, ranges: tuple[Floats, Floats]
) -> tuple[WeightedShare, ...]:
    """Return the proportion and the total of a category in each group.

    Args:
        domains: the groups.
        z: the debiased response of each row.
        confidence: the confidence of the intervals.
        ranges: for each row, the smallest and the largest debiased response of the device that gave it.
    """
    means, totals = domains.means(z), domains.totals(z)
    intervals, effective = proportion_intervals(
        means.value,
        means.variance,
        domains.n,
        domains.freedom,
        domains.mean(ranges[0]),
        domains.mean(ranges[1]),
        confidence,
        domains.is_census,
    )
    half = t_quantile(domains.freedom, float(1 - confidence))
    simple = domains.spread(z) / np.maximum(domains.n - 1, 1)
    effect = np.where((simple > 0) & (domains.n > 1), means.variance / np.where(simple > 0, simple, 1.0), np.nan)
    columns = (
        domains.groups,
        domains.n.astype(np.int64).tolist(),
        domains.weight.tolist(),
        _linearised(means, half),
        _linearised(totals, half),
        domains.freedom.astype(np.int64).tolist(),
        _known(effect),
        _defined_intervals(intervals, len(domains.groups)),
        _known(effective),
    )
    return tuple(WeightedShare(*one) for one in zip(*columns, strict=True))


def compared(
    domains: Domains, z: Floats, confidence: Fraction, noise: Floats | None = None
) -> tuple[tuple[Difference, ...], Test | None, Matrix | None]:
    """Return the differences of the groups, the test that all are equal, and the covariance of the estimates.

    One group has no differences, and too many are not compared. The arguments are those of ``Domains.means``.
    """
    if len(domains.groups) < 2 or comb(len(domains.groups), 2) > MOST_DIFFERENCES:
        return (), None, None
    values, V = domains.values(z), domains.covariance(z, noise)
    found = domains.differences(values, V, confidence)
    return found, domains.equality(values, V), tuple(map(tuple, V.tolist()))


def _defined_intervals(intervals: Mapping[str, tuple[Floats, Floats]], size: int) -> list[ReadOnlyMapping[str, Ends]]:
    """Return the intervals of each domain, without those that are NaN."""
    kinds = [(name, list(zip(low.tolist(), high.tolist(), strict=True))) for name, (low, high) in intervals.items()]
    return [
        ReadOnlyMapping({name: ends[place] for name, ends in kinds if not isnan(sum(ends[place]))})
        for place in range(size)
    ]


def _linearised(found: Moments, quantiles: Floats) -> list[Linearised]:
    halves = quantiles * np.sqrt(found.variance)
    numbers = (*found, found.value - halves, found.value + halves)
    return [
        Linearised(value, whole, own, shrunk, None if isnan(low) else (low, high))
        for value, whole, own, shrunk, low, high in zip(*(x.tolist() for x in numbers), strict=True)
    ]


def _known(values: Floats) -> list[float | None]:
    return [None if isnan(value) else value for value in values.tolist()]
