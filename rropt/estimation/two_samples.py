"""Two groups: the unconditional test of equal prevalences, its p-value certified, and the normal test.

Group g brings Y_g answers of n_g, binomial with ``lambda_g = low_g + pi (high_g - low_g)`` where pi is the prevalence
and the device of the group gives low and high: both lie inside [0, 1], and often far inside. Under equality pi is
unknown, so the p-value of an ordering T is

    p = max over 0 <= pi <= 1 of f(pi),    f(pi) = Pr(T(Y_1, Y_2) >= T(observed) | pi).

T is the squared score statistic ``(pi_1 - pi_2)^2 / sum_g l_g (1 - l_g)/(n_g d_g^2)``, d = high - low, l_g at the
pooled prevalence cut to [0, 1] (Suissa and Shuster 1985; Barnard's test for other orderings). For every ordering this
p-value is valid: ``Pr(p <= alpha) <= alpha`` whatever pi is.

The ordering is taken in floats: cells within 1e-9 of a tie count as ties, which can only make p larger, and every p of
an ordering with more ties is valid too. The maximum is enclosed by ``greatest_tails``.

*One device.* Then T is ``(i n_2 - j n_1)^2/(n_1 n_2 N l (1 - l))`` with N = n_1 + n_2 and l = (i + j)/N cut to the
range of lambda, right to a few units. For fixed i it falls in j up to ``i n_2/n_1`` and rises from there, so that its
ends are found by bisection: with y = j/n_2 > x = i/n_1 and V(l) = l (1 - l), the sign of its slope is that of ``2 V(l)
- V'(l) (l - x)`` where l is not cut, and V is concave, so this is at least ``V(l) + V(x) >= 0``. Two devices have no
such rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.errors import InvalidParameterError
from rropt.estimation.greatest_tails import PairSet, greatest_chances
from rropt.results import Result, says

Floats = NDArray[np.float64]

MOST_CELLS = 10**6  # n_1 n_2 up to which the p-value is exact
_TIE = 1e-9
_BLOCK = 1 << 16  # numbers that are worked on at once
_UNIT = 2.0**-52


@dataclass(frozen=True, slots=True)
class Sample(Result):
    """The answers of one group that speak for the trait.

    Attributes:
        n, hits: n answers, ``hits`` of them.
        low, high: the chance of such an answer at the prevalences 0 and 1; high may lie below low.
    """

    n: int
    hits: int
    low: Fraction
    high: Fraction

    @property
    def estimate(self) -> Fraction:
        """The unbiased estimate of the prevalence."""
        return (Fraction(self.hits, self.n) - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class EqualityTest(Result):
    """The two-sided test that two prevalences are equal.

    Attributes:
        p: the p-value; of the exact test the upper end of its enclosure.
        lower: the lower end of the enclosure, p for the normal test.
        exact: whether ``Pr(p <= alpha) <= alpha`` is proved for every prevalence; otherwise p is approximate.
    """

    p: float
    lower: float
    exact: bool

    SAYS = says(p="p-value", lower="p-value, at least", exact="exact")


def equality_test(first: Sample, second: Sample, *, exact: bool | None = None) -> EqualityTest:
    """Return the two-sided test of equal prevalences.

    Args:
        first, second: the groups.
        exact: the unconditional test, or the normal one; ``None``: exact up to ``n_1 n_2 = 10^6``.

    Raises:
        InvalidParameterError: exact was asked for beyond.

    >>> direct = Fraction(0), Fraction(1)
    >>> test = equality_test(Sample(10, 7, *direct), Sample(10, 2, *direct))
    >>> round(test.p, 4), test.exact, test.p - test.lower < 1e-5
    (0.0414, True, True)
    """
    possible = first.n * second.n <= MOST_CELLS
    if exact and not possible:
        raise InvalidParameterError(
            f"the exact test is out of reach: received groups of {first.n} and {second.n}; allowed is n1 n2 <= "
            f"{MOST_CELLS}; leave exact out for the normal approximation"
        )
    return normal_test(sqrt(score(first, second))) if exact is False else equality_tests([first, second])[0]


def equality_tests(samples: Sequence[Sample]) -> list[EqualityTest]:
    """Return the tests of all pairs of groups, in the order of ``itertools.combinations``: exact as far as possible."""
    found, tasks = [], []
    for first, second in combinations(samples, 2):
        found.append(normal_test(sqrt(score(first, second))))
        if first.n * second.n <= MOST_CELLS:
            one, two = (second, first) if first.n > second.n else (first, second)
            tasks.append((len(found) - 1, (one, two, as_large(one, two))))
    enclosures = greatest_chances([task for _, task in tasks])
    for (place, _), (lower, upper) in zip(tasks, enclosures, strict=True):
        found[place] = EqualityTest(upper, lower, exact=True)
    return found


def normal_test(z: float) -> EqualityTest:
    """Return the approximate test from the absolute difference by its standard error."""
    from scipy.special import erfc

    p = float(erfc(z / sqrt(2)))
    return EqualityTest(p, p, exact=False)


def holm(values: Sequence[float]) -> list[float]:
    """Return the p-values of Holm (1979): the r-th smallest of m times m - r + 1, never falling."""
    adjusted, largest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        largest = max(largest, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = largest
    return adjusted


def score(first: Sample, second: Sample) -> float:
    """Return T of the observed answers; infinite where the pooled prevalence leaves no variance."""
    return float(_scores(first, second, np.array([first.hits]), np.array([second.hits]))[0, 0])


def orderings(first: Sample, second: Sample) -> Floats:
    """Return T at all pairs of counts, shape (n_1 + 1, n_2 + 1), equal where it is nearly so."""
    found = _scores(first, second, np.arange(first.n + 1), np.arange(second.n + 1))
    finite = np.isfinite(found)
    found[finite] = [float(f"{x:.8g}") for x in found[finite]]
    return found


def _scores(first: Sample, second: Sample, hits: NDArray[Any], other_hits: NDArray[Any]) -> Floats:
    """Return T for all pairs of counts.

    The variance of an answer is ``low (1 - low) (1 - pi) + high (1 - high) pi + d^2 pi (1 - pi)``, without differences.
    """
    if (first.low, first.high) == (second.low, second.high):
        return _scores_of_one_device(first, second, hits[:, None], other_hits[None, :])
    values, weights, ends = [], [], np.zeros(2)
    for sample, counts in ((first, hits), (second, other_hits)):
        slope = float(sample.high - sample.low)
        values.append((counts / sample.n - float(sample.low)) / slope)
        weights.append(sample.n * slope * slope)
        ends += [float(end * (1 - end)) / weights[-1] for end in (sample.low, sample.high)]
    one, two = values[0][:, None], values[1][None, :]
    total = weights[0] + weights[1]
    pooled = weights[0] / total * one + weights[1] / total * two
    np.minimum(np.maximum(pooled, 0.0, out=pooled), 1.0, out=pooled)
    variance = (1 / first.n + 1 / second.n) * pooled
    variance += ends[0]
    variance *= 1 - pooled
    pooled *= ends[1]
    variance += pooled
    squares: Floats = one - two
    squares *= squares
    equal = squares <= _UNIT * _UNIT
    with np.errstate(divide="ignore", invalid="ignore"):
        squares /= variance
    squares[equal] = 0.0
    return squares


def _scores_of_one_device(first: Sample, second: Sample, hits: NDArray[Any], other_hits: NDArray[Any]) -> Floats:
    low, high = sorted((first.low, first.high))
    total, both = first.n + second.n, hits + other_hits
    shares = np.clip(both / total, float(low), float(high))
    others = np.clip((total - both) / total, float(1 - high), float(1 - low))
    difference = hits * float(second.n) - other_hits * float(first.n)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = difference**2 / (shares * others * (float(first.n) * second.n * total))
    return np.where(difference == 0, 0.0, found)


def as_large(first: Sample, second: Sample) -> PairSet:
    """Return the pairs with T as large as observed."""
    at = score(first, second) * (1 - _TIE)
    if (first.low, first.high) == (second.low, second.high):
        return _with_one_device(first, second, at)
    columns = np.arange(second.n + 1)
    below, above, gaps = [], [], []
    for start in range(0, first.n + 1, rows := 1 + _BLOCK // len(columns)):
        inside = _scores(first, second, np.arange(start, min(start + rows, first.n + 1)), columns) >= at
        every = inside.all(axis=1)
        low = np.where(every, len(columns), inside.argmin(axis=1))
        high = np.where(every, len(columns), len(columns) - inside[:, ::-1].argmin(axis=1))
        for i in np.flatnonzero(inside.sum(axis=1) != low + len(columns) - high):
            turns = np.flatnonzero(np.diff(inside[i, low[i] : high[i]])) + 1 + low[i]
            gaps += [(start + int(i), int(a), int(b)) for a, b in zip(turns[::2], turns[1::2], strict=True)]
        below.append(low)
        above.append(high)
    return PairSet(np.concatenate(below), np.concatenate(above), tuple(gaps))


def _with_one_device(first: Sample, second: Sample, at: float) -> PairSet:
    rows = np.arange(first.n + 1)
    least = rows * second.n // first.n + 1  # from here on T rises
    found = []
    for falls, low, high in ((True, np.zeros_like(least), least), (False, least, np.full_like(least, second.n + 1))):
        start, stop = low, high
        while (start < stop).any():
            middle = np.minimum((start + stop) // 2, second.n)
            inside = _scores_of_one_device(first, second, rows, middle) >= at
            goes_on = (inside == falls) & (start < stop)
            start, stop = np.where(goes_on, middle + 1, start), np.where(goes_on, stop, np.minimum(middle, stop))
        found.append(start)
    return PairSet(found[0], found[1])


def chi_squared(
    groups: Sequence[tuple[int, Fraction, Fraction, Sample | None]],
) -> tuple[float, int, float] | None:
    """Return ``sum (pi_g - mean)^2/v_g``, its degrees of freedom and p; ``None`` of one group or where some v_g = 0.

    Args:
        groups: of each n, estimate, plug-in variance, count: v_g is the variance at the common share where there is a
            count, else plug-in.
    """
    from scipy.stats import chi2

    if len(groups) < 2:
        return None
    common = sum((estimate * n for n, estimate, _, _ in groups), Fraction(0)) / sum(n for n, _, _, _ in groups)
    common = min(max(common, Fraction(0)), Fraction(1))
    variances = []
    for _, _, variance, sample in groups:
        if sample is not None:
            slope = sample.high - sample.low
            chance = sample.low + slope * common
            variance = chance * (1 - chance) / (sample.n * slope**2)
        variances.append(float(variance))
    if not all(variances):
        return None
    values = [float(estimate) for _, estimate, _, _ in groups]
    weights = [1 / variance for variance in variances]
    mean = sum(w * x for w, x in zip(weights, values, strict=True)) / sum(weights)
    statistic = sum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True))
    return statistic, len(groups) - 1, float(chi2.sf(statistic, len(groups) - 1))
