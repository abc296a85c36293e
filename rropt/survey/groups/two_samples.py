"""Test that two groups have equal prevalences: the unconditional exact test with certified p-values, and a normal test.

Group g has n_g respondents, and Y_g of them give the output that indicates the trait. Y_g is binomial with probability
``lambda_g = low_g + pi (high_g - low_g)``. Here pi is the prevalence, and the device of the group determines low and
high, which lie in [0, 1] and are often far from 0 and 1. If the prevalences are equal, their common value pi is still
unknown. The p-value of an ordering T is therefore

    p = max over 0 <= pi <= 1 of f(pi),    f(pi) = Pr(T(Y_1, Y_2) >= T(observed) | pi).

The ordering is the squared score statistic ``T = (pi_1 - pi_2)^2 / sum_g l_g (1 - l_g)/(n_g d_g^2)``. Here d = high -
low, and l_g is lambda_g at the pooled prevalence, cut to [0, 1] (Suissa and Shuster 1985; Barnard's test uses other
orderings). The p-value is valid for every ordering: ``Pr(p <= alpha) <= alpha`` for every pi.

The code computes the ordering in floating point and treats pairs of counts within a relative 1e-9 of a tie as ties.
Additional ties can only increase p, and the resulting p-value is valid too. ``largest_probabilities`` encloses the
maximum of f; the last two sections explain how.

*Both groups used one device.* Let N = n_1 + n_2, and let l be (i + j)/N cut to the range of lambda. The statistic is
then ``T = (i n_2 - j n_1)^2/(n_1 n_2 N l (1 - l))``. Floating point evaluates it with a relative error of a few units
in the last place. For fixed i, T is nonincreasing in j up to ``j = i n_2/n_1`` and nondecreasing from there on.
Bisection therefore finds the set of j with T at least as large as observed.

Proof. Let ``y = j/n_2 > x = i/n_1`` and ``V(l) = l (1 - l)``. Where l is not cut, the slope of T has the sign of
``2 V(l) - V'(l) (l - x)``. Because V is concave, this is at least ``V(l) + V(x) >= 0``. Two different devices have no
such rule.

*The maximum of f.* Many pairs of groups are treated together. For a set R of pairs of counts,
``f(pi) = Pr((Y_1, Y_2) in R | pi)``.

*A polynomial and a remainder.*

1. If pi moves from a centre c by t, the ratio of the two distributions is a product over all responses of factors
   ``1 + d t psi``. At c, ``E psi = 0`` and ``E psi^2 = 1/(l (1 - l))``. The terms of the expansion in t are orthogonal.
2. So f is a polynomial of degree K in t plus a remainder. Let ``s = t^2 sum_g n_g d_g^2/(l_g (1 - l_g))``. The
   Cauchy-Schwarz inequality and ``sum over k > K of s^k/k! <= e^s s^(K+1)/(K+1)!`` bound the remainder by
   ``sqrt(f(c) e^s s^(K+1)/(K+1)!)``.
3. The search begins with intervals of pi on which s is at most about 1. Halving an interval divides s by about 4.
4. On each interval the code sums f at K + 1 Chebyshev points, with an error of at most ``noise``. The polynomial
   through these sums differs from f by at most ``(1 + L) remainder + L noise``. Here L is Lebesgue's constant, and
   ``L <= 1 + (2/pi) log(K + 1)`` (Rivlin 1974).
5. The code evaluates this polynomial at M Chebyshev points. Its deviation from any constant on the whole interval is at
   most ``1/cos(pi K/(2 M))`` times its deviation on these points (Ehlich and Zeller 1964).
6. The code halves every interval whose upper bound exceeds the greatest value found so far.

*Rounding.*

1. A distribution is summed in a window that omits a probability of at most ``2 exp(-60)`` (Bernstein's inequality). Its
   terms are products of ratios, starting at the mode, divided by their sum.
2. A number that results from K rounded operations on nonnegative doubles has a relative error below
   ``(1 + 2^-52)^K - 1``. The code uses fewer than 8 operations for each count of the windows and charges 8.
3. Differences of two sums occur in the gaps of R. There the bound applies as an absolute error.
4. The computed odds of an output have a relative error of some 10^-15. This changes f by at most that error times
   ``|df/dlog odds| <= sqrt(f n)/2``.

``noise`` is the sum of all these errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, cos, exp, factorial, log2, pi, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.results import Result
from rropt.survey.groups.differences import Test

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_WIDTH = 1e-4  # relative width of the enclosure; printed p-values have fewer digits
_FLOOR = 1e-16  # absolute width of the enclosure
_SPARE = 1e-6  # relative, for s: right - left of at most 2^23 intervals loses 24 of 53 bits, and s contains its square
_HALVINGS = 12
_FAR = 60.0
_OUTSIDE = 4 * exp(-_FAR)
_BLOCK = 1 << 16  # numbers processed at once
_UNIT = 2.0**-52
_DEGREE = 10
_NODES = _DEGREE + 1
_LEBESGUE = 2.6  # 1 + (2/pi) log(K + 1) is 2.53
_POINTS = 1024
_EXCESS = 1 / cos(pi * _DEGREE / (2 * _POINTS)) - 1


def _chebyshev(count: int) -> Floats:
    """Return the Chebyshev polynomials T_0, ..., T_K at the zeros of T_count, shape (K + 1, count)."""
    angles = np.outer(np.arange(_NODES), 2 * np.arange(count) + 1) % (4 * count)
    found: Floats = np.cos(angles * (pi / (2 * count)))
    return found


_WHERE = np.where(np.arange(_NODES) == _DEGREE // 2, 0.0, _chebyshev(_NODES)[1])
# maps the values at the nodes to the values at the points, shape (K + 1, M)
_MESH = (_chebyshev(_NODES).T * np.array([1.0] + [2.0] * _DEGREE) / _NODES) @ _chebyshev(_POINTS)


@dataclass(frozen=True, slots=True)
class PairSet:
    """A set R of pairs (i, j): those with ``j < below[i]``, those with ``j >= above[i]``, and for each gap (i, a, b)
    those with ``a <= j < b``."""

    below: Places
    above: Places
    gaps: tuple[tuple[int, int, int], ...] = ()


def largest_probabilities(tasks: Sequence[tuple[Sample, Sample, PairSet]]) -> list[tuple[float, float]]:
    """Return an enclosure of ``max over pi of f(pi)`` for each pair of groups with its set R.

    The rows of a set belong to the first group. The two bounds of an enclosure differ by less than ``_WIDTH`` times the
    maximum, plus ``_FLOOR``, plus the allowance for rounding. All pairs share the distributions of a group at a
    prevalence, so each distribution is computed once.
    """
    searches = [_Search(*task) for task in tasks]
    for count in sorted({search.count for search in searches}):
        _run([search for search in searches if search.count == count], count)
    return [(search.best, min(search.upper, 1.0)) for search in searches]


def _run(searches: Sequence[_Search], count: int) -> None:
    """Search ``count`` intervals of the angle whose squared sine is pi, and then halves of those that stay open."""
    for halving in range(_HALVINGS + 1):
        places = np.unique(np.concatenate([search.open for search in searches]))
        for laws in _blocks(searches, places, count):
            for search in searches:
                search.bound_open_intervals(laws)
        for search in searches:
            search.narrow(last=halving == _HALVINGS)
        count *= 2


class _Laws:
    """The distributions of the groups at the nodes of some intervals, computed on first use."""

    def __init__(self, places: Places, count: int) -> None:
        angles = np.stack([places, places + 1]) / count * (pi / 2)
        left, right = angles
        ends = np.stack([np.sin(left), np.cos(left), np.sin(right), np.cos(right)])[:, :, None] ** 2
        self.places = places
        self.points = ends[:2] * (1 - _WHERE) / 2 + ends[2:] * (1 + _WHERE) / 2  # pi and 1 - pi at the nodes
        self.squares: Floats = (np.sin(right - left) * np.sin(right + left)) ** 2 / 4  # t^2
        self._laws: dict[tuple[int, Fraction, Fraction], tuple[Places, Floats]] = {}
        self._sums: dict[tuple[int, Fraction, Fraction], Floats] = {}

    def law(self, sample: Sample) -> tuple[Places, Floats]:
        """Return the binomial distributions of a group at the nodes, each on its window of counts.

        Returns:
            The first count of each window, shape (nodes,), and the probabilities on it, shape (nodes, width).
        """
        key = (sample.n, sample.low, sample.high)
        if key not in self._laws:
            self._laws[key] = _law(sample, self.points[0].ravel(), self.points[1].ravel())
        return self._laws[key]

    def sums(self, sample: Sample) -> Floats:
        """Return the probabilities of the first c counts of each window, and of the counts from c on, for every c.

        The shape is (2, nodes, width + 1).
        """
        key = (sample.n, sample.low, sample.high)
        if key not in self._sums:
            _, laws = self.law(sample)
            self._sums[key] = sums = np.zeros((2, len(laws), laws.shape[1] + 1))
            np.cumsum(laws, axis=1, out=sums[0, :, 1:])
            sums[1, :, :-1] = np.cumsum(laws[:, ::-1], axis=1)[:, ::-1]
        return self._sums[key]


def _blocks(searches: Sequence[_Search], places: Places, count: int) -> Iterator[_Laws]:
    if not len(places):
        return
    widest = _Laws(places[np.abs(places - count // 2).argmin()][None], count).points[:, 0]
    width = max(_width(sample, *widest) for search in searches for sample in (search.first, search.second))
    step = 1 + _BLOCK // (_NODES * width)
    for start in range(0, len(places), step):
        yield _Laws(places[start : start + step], count)


class _Search:
    """The search for the maximum of one f: the greatest value found, an upper bound on the closed intervals, and the
    open intervals."""

    def __init__(self, first: Sample, second: Sample, pairs: PairSet) -> None:
        self.first, self.second, self.pairs = first, second, pairs
        self.most_gaps = max(Counter(i for i, _, _ in pairs.gaps).values(), default=0)  # of one row
        has_all = bool((pairs.below >= pairs.above).all())
        self.best = self.upper = float(has_all)
        grid = np.linspace(0.01, 0.99, 33)
        most = float((_information(first, second, grid, 1 - grid) * grid * (1 - grid)).max())
        self.count = 2 ** ceil(log2(max(pi / 2 * sqrt(most), 1.0)))
        self.open = np.arange(0 if has_all else self.count)
        self.found: list[tuple[Floats, Floats]] = []

    def bound_open_intervals(self, laws: _Laws) -> None:
        """Bound f on the open intervals whose distributions are in ``laws``."""
        start, stop = np.searchsorted(self.open, [laws.places[0], laws.places[-1] + 1])
        chosen = np.searchsorted(laws.places, self.open[start:stop])
        if not len(chosen):
            return
        values, slack = self._values(laws, (chosen[:, None] * _NODES + np.arange(_NODES)).ravel())
        values = values.reshape(-1, _NODES)
        most = values.max(axis=1) * (1 + slack) + _OUTSIDE
        noise = most * slack + slack * self.most_gaps + _OUTSIDE
        noise += np.sqrt(most * (self.first.n + self.second.n)) * 64 * _UNIT
        middle = laws.points[:, chosen, _DEGREE // 2]
        s = laws.squares[chosen] * _information(self.first, self.second, *middle) * (1 + _SPARE)
        rest = np.sqrt((values[:, _DEGREE // 2] + noise) * np.exp(s) * s**_NODES / factorial(_NODES))
        mesh = values @ _MESH
        tops, bottoms = mesh.max(axis=1), mesh.min(axis=1)
        # one more noise times the constant, for the rounding of the sums on the mesh
        bounds = tops + (tops - bottoms) / 2 * _EXCESS + (1 + _LEBESGUE) * rest + 2 * _LEBESGUE * noise
        self.best = max(self.best, float((values.max(axis=1) - noise).max()))
        self.found.append((bounds, 8 * noise))

    def narrow(self, *, last: bool) -> None:
        """Halve the intervals whose bound exceeds the value found, and close the others; close all if ``last``."""
        if not self.found:
            return
        bounds, noise = (np.concatenate(found) for found in zip(*self.found, strict=True))
        wide = ~(bounds <= self.best * (1 + _WIDTH) + _FLOOR + noise) & (not last)
        self.upper = max(self.upper, float(bounds[~wide].max(initial=0.0)))
        self.open = (2 * self.open[wide][:, None] + np.arange(2)).ravel()
        self.found = []

    def _values(self, laws: _Laws, nodes: Places) -> tuple[Floats, float]:
        """Return f at the nodes, and a bound on the relative error of its sums of products."""
        (rows, weights), (columns, _) = laws.law(self.first), laws.law(self.second)
        sums = laws.sums(self.second)
        if len(nodes) < len(rows):
            rows, weights, columns, sums = rows[nodes], weights[nodes], columns[nodes], sums[:, nodes]
        width, last = weights.shape[1], sums.shape[2] - 1
        counts = rows[:, None] + np.arange(width)
        chances = np.zeros_like(weights)
        for ends, table in zip((self.pairs.below, self.pairs.above), sums, strict=True):
            chances += np.take_along_axis(table, np.clip(ends[counts] - columns[:, None], 0, last), axis=1)
        each = np.arange(len(rows))
        for i, low, high in self.pairs.gaps:
            place = i - rows
            held = (place >= 0) & (place < width)
            a, b = (np.clip(end - columns, 0, last) for end in (low, high))
            chances[each[held], place[held]] += np.maximum(sums[0, each, b] - sums[0, each, a], 0.0)[held]
        return (weights * chances).sum(axis=1), 8 * (width + last + 64) * _UNIT


def _ends(sample: Sample, shares: Floats, others: Floats) -> tuple[Floats, Floats]:
    """Return lambda and 1 - lambda at prevalences pi, given pi and 1 - pi; relative error a few units in the last
    place."""
    low, high = sample.low, sample.high
    return float(low) * others + float(high) * shares, float(1 - low) * others + float(1 - high) * shares


def _information(first: Sample, second: Sample, shares: Floats, others: Floats) -> Floats:
    """Return the Fisher information of both groups about pi."""
    found = np.zeros_like(shares)
    for sample in (first, second):
        chance, other = _ends(sample, shares, others)
        found += sample.n * float(sample.high - sample.low) ** 2 / (chance * other)
    return found


def _width(sample: Sample, shares: Floats, others: Floats) -> int:
    """Return the number of counts around the mean that leave out a probability of at most ``2 exp(-60)``.

    The bound is Bernstein's inequality for the binomial distributions at the given prevalences.
    """
    chance, other = _ends(sample, shares, others)
    variance = sample.n * float((chance * other).max())
    reach = ceil(_FAR / 3 + sqrt(_FAR * _FAR / 9 + 2 * _FAR * variance)) + 2
    return min(sample.n + 1, 2 * reach + 1)


def _law(sample: Sample, shares: Floats, others: Floats) -> tuple[Places, Floats]:
    """Return the binomial distributions of a group, each on its window of counts, and the first count of each window.

    The probabilities are products of ratios, starting at the mode, divided by their sum.
    """
    chance, other = _ends(sample, shares, others)
    n, mean, width = sample.n, np.floor(sample.n * chance).astype(np.int64), _width(sample, shares, others)
    starts = np.clip(mean - width // 2, 0, n + 1 - width)
    counts = starts[:, None] + np.arange(width - 1)
    ratios = (n - counts) / (counts + 1.0) * (chance / other)[:, None]
    above = counts >= mean[:, None]
    laws = np.ones((len(shares), width))
    np.cumprod(np.where(above, ratios, 1.0), axis=1, out=laws[:, 1:])
    laws[:, :-1] *= np.cumprod(np.where(above, 1.0, 1 / ratios)[:, ::-1], axis=1)[:, ::-1]
    laws /= laws.sum(axis=1)[:, None]
    return starts, laws


MOST_CELLS = 10**6  # the p-value is exact if n_1 n_2 is at most this
_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Sample(Result):
    """The binomial count of one group: the number of responses that indicate the trait.

    Attributes:
        n: the number of respondents.
        hits: the number of respondents whose response indicates the trait.
        low: the probability of such a response at the prevalence 0.
        high: the probability of such a response at the prevalence 1, which can be less than ``low``.
    """

    n: int
    hits: int
    low: Fraction
    high: Fraction

    @property
    def estimate(self) -> Fraction:
        """The unbiased estimate of the prevalence."""
        return (Fraction(self.hits, self.n) - self.low) / (self.high - self.low)


class EqualityTest(NamedTuple):
    """The result of the two-sided test that two prevalences are equal.

    Attributes:
        p: the p-value; for the exact test, the upper bound of its enclosure.
        lower: the lower bound of the enclosure; for the normal test, p.
        exact: whether ``Pr(p <= alpha) <= alpha`` is proved for every prevalence; otherwise p is approximate.
    """

    p: float
    lower: float
    exact: bool


def equality_tests(samples: Sequence[Sample]) -> list[EqualityTest]:
    """Return the tests of all pairs of groups, in the order of ``itertools.combinations``.

    A test is exact (unconditional) if ``n_1 n_2 <= 10^6``, and normal otherwise.

    >>> direct = Fraction(0), Fraction(1)
    >>> (test,) = equality_tests([Sample(10, 7, *direct), Sample(10, 2, *direct)])
    >>> round(test.p, 4), test.exact, test.p - test.lower < 1e-5
    (0.0414, True, True)
    """
    found, tasks = [], []
    for first, second in combinations(samples, 2):
        found.append(normal_test(sqrt(score(first, second))))
        if first.n * second.n <= MOST_CELLS:
            one, two = (second, first) if first.n > second.n else (first, second)
            tasks.append((len(found) - 1, (one, two, at_least_as_large(one, two))))
    enclosures = largest_probabilities([task for _, task in tasks])
    for (place, _), (lower, upper) in zip(tasks, enclosures, strict=True):
        found[place] = EqualityTest(upper, lower, exact=True)
    return found


def normal_test(z: float) -> EqualityTest:
    """Return the approximate test whose statistic z is the absolute difference divided by its standard error."""
    from scipy.special import erfc

    p = float(erfc(z / sqrt(2)))
    return EqualityTest(p, p, exact=False)


def score(first: Sample, second: Sample) -> float:
    """Return T of the observed counts; it is infinite if the variance at the pooled prevalence is 0."""
    return float(_scores(first, second, np.array([first.hits]), np.array([second.hits]))[0, 0])


def statistic_values(first: Sample, second: Sample) -> Floats:
    """Return T at all pairs of counts, shape (n_1 + 1, n_2 + 1), rounded so that near ties become ties."""
    found = _scores(first, second, np.arange(first.n + 1), np.arange(second.n + 1))
    finite = np.isfinite(found)
    found[finite] = [float(f"{x:.8g}") for x in found[finite]]
    return found


def _scores(first: Sample, second: Sample, hits: NDArray[Any], other_hits: NDArray[Any]) -> Floats:
    """Return T for all pairs of counts.

    The variance of a response is ``low (1 - low) (1 - pi) + high (1 - high) pi + d^2 pi (1 - pi)``. This form has no
    subtraction of close numbers.
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


def at_least_as_large(first: Sample, second: Sample) -> PairSet:
    """Return the set of pairs of counts with T at least as large as observed."""
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
    least = rows * second.n // first.n + 1  # T is nondecreasing in j from here on
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
) -> Test | None:
    """Return the chi-squared test of equality: ``sum (pi_g - mean)^2/v_g``, its degrees of freedom and its p-value.

    Args:
        groups: for each group n, the estimate, the plug-in variance and the binomial count, if there is one. If there
            is one, v_g is the variance at the common proportion of all groups; otherwise it is the plug-in variance.

    Returns:
        The test, or ``None`` for a single group or if some v_g is 0.
    """
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
    return Test.of("all equal", statistic, len(groups) - 1)
