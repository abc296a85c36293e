"""Two groups: the unconditional test of equal prevalences, its p-value certified, and the normal test.

Group g brings Y_g answers of n_g, binomial with ``lambda_g = low_g + pi (high_g - low_g)`` where pi is the prevalence
and the device of the group gives low and high: both lie inside [0, 1], and often far inside. Under equality pi is
unknown, so the p-value of an ordering T is

    p = max over 0 <= pi <= 1 of f(pi),    f(pi) = Pr(T(Y_1, Y_2) >= T(observed) | pi).

T is the squared score statistic ``(pi_1 - pi_2)^2 / sum_g l_g (1 - l_g)/(n_g d_g^2)``, d = high - low, l_g at the
pooled prevalence cut to [0, 1] (Suissa and Shuster 1985; Barnard's test for other orderings). For every ordering this
p-value is valid: ``Pr(p <= alpha) <= alpha`` whatever pi is.

*The enclosure.* f is a polynomial of degree n_1 + n_2. As a function of (lambda_1, lambda_2) its Bernstein coefficients
on the unit square are 1 where T is as large and 0 elsewhere; de Casteljau's steps carry them to the ranges of the
lambdas, and averages with hypergeometric weights to the diagonal pi_1 = pi_2. On an interval f lies between the least
and the largest coefficient and takes the first and the last one at the ends; intervals whose largest coefficient
exceeds the greatest value found are halved, again by de Casteljau. All of it is sums of products of nonnegative
doubles: with K rounded operations behind a number its relative error is below ``(1 + 2^-52)^K - 1``, by which the ends
are moved outwards. The ordering itself is taken in floats: cells within 1e-9 of a tie count as ties, which can only
make p larger, and every p of an ordering with more ties is valid too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.errors import InvalidParameterError
from rropt.results import Result, says

Floats = NDArray[np.float64]

MOST_CELLS = 10**6  # n_1 n_2 up to which the p-value is exact: half a second at 1000 x 1000
MOST_DEGREE = 10**4  # n_1 + n_2
_TIE = 1e-9
_WIDTH = 1e-4  # relative, of the enclosure
_HALVINGS = 24
_UNIT = 2.0**-52
_TINY = 1e-290  # products below it may have been lost; there are fewer than 10^10 of them


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
        exact: the unconditional test, or the normal one; ``None``: exact up to ``n_1 n_2 = 10^6`` and
            ``n_1 + n_2 = 10^4``.

    Raises:
        InvalidParameterError: exact was asked for beyond.

    >>> direct = Fraction(0), Fraction(1)
    >>> test = equality_test(Sample(10, 7, *direct), Sample(10, 2, *direct))
    >>> round(test.p, 4), test.exact, test.p - test.lower < 1e-5
    (0.0414, True, True)
    """
    possible = first.n * second.n <= MOST_CELLS and first.n + second.n <= MOST_DEGREE
    if exact and not possible:
        raise InvalidParameterError(
            f"the exact test is out of reach: received groups of {first.n} and {second.n}; allowed are n1 n2 <= "
            f"{MOST_CELLS} and n1 + n2 <= {MOST_DEGREE}; leave exact out for the normal approximation"
        )
    if not (possible if exact is None else exact):
        from scipy.special import erfc

        p = float(erfc(sqrt(score(first, second) / 2)))
        return EqualityTest(p, p, exact=False)
    lower, upper = _maximum(first, second)
    return EqualityTest(upper, lower, exact=True)


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
    """Return T for all pairs of counts."""
    estimates, weights, ends = [], [], []
    for sample, counts in ((first, hits), (second, other_hits)):
        low, slope = float(sample.low), float(sample.high - sample.low)
        estimates.append((counts / sample.n - low) / slope)
        weights.append(sample.n * slope * slope)
        ends.append((low, slope))
    one, two = estimates[0][:, None], estimates[1][None, :]
    pooled = np.clip((weights[0] * one + weights[1] * two) / (weights[0] + weights[1]), 0.0, 1.0)
    variance = np.zeros_like(pooled)
    for weight, (low, slope) in zip(weights, ends, strict=True):
        share = np.clip(low + slope * pooled, 0.0, 1.0)
        variance += share * (1 - share) / weight
    squares = (one - two) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(squares <= _UNIT * _UNIT, 0.0, squares / variance)
    return found


def _maximum(first: Sample, second: Sample) -> tuple[float, float]:
    """Return an enclosure of the maximum of f."""
    if first.n > second.n:
        first, second = second, first
    scores = _scores(first, second, np.arange(first.n + 1), np.arange(second.n + 1))
    at = scores[first.hits, second.hits]
    region = np.asarray(scores >= at * (1 - _TIE), np.float64)
    if region.all():
        return 1.0, 1.0
    degree = first.n + second.n
    if (first.low, first.high) == (second.low, second.high):  # one axis: average first, and cut the range after
        coefficients = _cut(_diagonal(region)[:, None], first)
    else:
        region = _cut(region, first)
        coefficients = _diagonal(np.ascontiguousarray(_cut(np.ascontiguousarray(region.T), second).T))[:, None]
    rounded = 8 * (degree + first.n + 8)
    best, upper = 0.0, 1.0
    for _ in range(_HALVINGS):
        best = max(best, float(coefficients[0].max()), float(coefficients[-1].max()))
        tops = coefficients.max(axis=0)
        upper = max(best, float(tops.max()))
        if upper <= best * (1 + _WIDTH):
            break
        coefficients = _halves(coefficients[:, tops > best * (1 + _WIDTH / 2)])
        rounded += 2 * degree
    # the upper end holds the intervals that were given up too, whose coefficients are at most best (1 + width / 2)
    upper = max(upper, best * (1 + _WIDTH / 2))
    slack = rounded * _UNIT
    # ends of the range that are no doubles were moved outwards by less than a unit: f moves by at most n times that
    lower = best * (1 - slack) - degree * _UNIT
    return max(lower, 0.0), min(upper * (1 + 2 * slack) + _TINY, 1.0)


def _diagonal(region: Floats) -> Floats:
    """Return ``c_s = sum_i h(i | s) C[i, s - i]``, h hypergeometric: the coefficients on the diagonal.

    The weights are products of ratios away from their largest, divided by their sum; n_1 is the smaller number.
    """
    n, m = region.shape[0] - 1, region.shape[1] - 1
    s = np.arange(n + m + 1, dtype=np.float64)[:, None]
    i = np.arange(n, dtype=np.float64)[None, :]
    above, below = (n - i) * (s - i), (i + 1) * (m - s + i + 1)  # h(i + 1)/h(i), whole numbers below 2^53
    mode = np.floor((n + 1) * (s + 1) / (n + m + 2))
    mode = np.clip(mode, np.maximum(0, s - m), np.minimum(n, s))
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.where(i >= mode, np.maximum(above, 0) / below, 1.0)
        down = np.where(i < mode, np.maximum(below, 0) / above, 1.0)
    up[~np.isfinite(up)] = 0.0
    down[~np.isfinite(down)] = 0.0
    weights = np.ones((n + m + 1, n + 1))
    weights[:, 1:] = np.cumprod(up, axis=1)
    weights[:, :-1] *= np.cumprod(down[:, ::-1], axis=1)[:, ::-1]
    places = np.arange(n + m + 1)[:, None] - np.arange(n + 1)[None, :]
    inside = (places >= 0) & (places <= m)
    weights *= inside
    chosen = region[np.arange(n + 1)[None, :], np.clip(places, 0, m)]
    found: Floats = (weights * chosen).sum(axis=1) / weights.sum(axis=1)
    return found


def _cut(coefficients: Floats, sample: Sample) -> Floats:
    """Return the Bernstein coefficients, along axis 0, on the range of lambda in the place of [0, 1]."""
    low, high = sorted((sample.low, sample.high))
    cut = coefficients.copy()
    n = len(cut) - 1
    top = min(float(high) * (1 + _UNIT), 1.0)
    if top < 1:
        for k in range(1, n + 1):
            cut[k:] = (1 - top) * cut[k - 1 : -1] + top * cut[k:]
    bottom = max(float(low) / top * (1 - 2 * _UNIT), 0.0)
    if bottom > 0:
        for k in range(1, n + 1):
            cut[: n + 1 - k] = (1 - bottom) * cut[: n + 1 - k] + bottom * cut[1 : n + 2 - k]
    return cut if sample.low <= sample.high else cut[::-1]


def _halves(coefficients: Floats) -> Floats:
    """Return the coefficients on both halves of each interval, a column for each."""
    left = coefficients.copy()
    right = np.empty_like(left)
    n = len(left) - 1
    right[n] = left[n]
    for k in range(1, n + 1):
        left[k:] = 0.5 * (left[k - 1 : -1] + left[k:])
        right[n - k] = left[n]
    return np.hstack([left, right])
