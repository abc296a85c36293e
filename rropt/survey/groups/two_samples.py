"""Two groups: the unconditional test of equal prevalences, its p-value certified, and the normal test.

Group g brings Y_g answers of n_g, binomial with ``lambda_g = low_g + pi (high_g - low_g)`` where pi is the prevalence
and the device of the group gives low and high: both lie inside [0, 1], and often far inside. Under equality pi is
unknown, so the p-value of an ordering T is

    p = max over 0 <= pi <= 1 of f(pi),    f(pi) = Pr(T(Y_1, Y_2) >= T(observed) | pi).

T is the squared score statistic ``(pi_1 - pi_2)^2 / sum_g l_g (1 - l_g)/(n_g d_g^2)``, d = high - low, l_g at the
pooled prevalence cut to [0, 1] (Suissa and Shuster 1985; Barnard's test for other orderings). For every ordering this
p-value is valid: ``Pr(p <= alpha) <= alpha`` whatever pi is.

The ordering is taken in floats: cells within 1e-9 of a tie count as ties, which can only make p larger, and every p of
an ordering with more ties is valid too. ``greatest_chances`` encloses the maximum (last section).

*One device.* Then T is ``(i n_2 - j n_1)^2/(n_1 n_2 N l (1 - l))`` with N = n_1 + n_2 and l = (i + j)/N cut to the
range of lambda, right to a few units. For fixed i it falls in j up to ``i n_2/n_1`` and rises from there, so that its
ends are found by bisection: with y = j/n_2 > x = i/n_1 and V(l) = l (1 - l), the sign of its slope is that of ``2 V(l)
- V'(l) (l - x)`` where l is not cut, and V is concave, so this is at least ``V(l) + V(x) >= 0``. Two devices have no
such rule.

*The maximum*, for many pairs of groups together: ``f(pi) = Pr((Y_1, Y_2) in R | pi)`` for a set R of pairs of counts.

*A polynomial and its rest.* When pi moves by t from a centre c, the ratio of the distributions is a product of ``1 + d
t psi`` over all answers, with ``E psi = 0`` and ``E psi^2 = 1/(l (1 - l))`` at c: the terms of its expansion in t are
orthogonal. So f is a polynomial of degree K in t and a rest, by Cauchy and Schwarz at most ``sqrt(f(c) e^s
s^(K+1)/(K+1)!)`` with ``s = t^2 sum_g n_g d_g^2/(l_g (1 - l_g))``: ``sum over k > K of s^k/k!``, from above. The first
intervals have s of at most about 1, their halves a quarter of that. On each, f is summed at K + 1 Chebyshev points;
the polynomial through the sums is off by at most ``(1 + L) rest + L noise``, where the sums are right within noise and
``L <= 1 + (2/pi) log(K + 1)`` is Lebesgue's constant (Rivlin 1974). It is taken at M Chebyshev points, which its
deviation from any constant exceeds by a factor of at most ``1/cos(pi K/(2 M))`` (Ehlich and Zeller 1964). Intervals
that could hold more than the greatest value found are halved.

*Rounding.* A distribution is summed in a window that leaves out at most ``2 exp(-60)`` (Bernstein), as products of
ratios away from the mode and divided by its sum: a number behind which stand K rounded operations on nonnegative
doubles has a relative error below ``(1 + 2^-52)^K - 1``; 8 for each count of the windows are more than there are.
Differences of two sums, in the gaps of R, have that error absolutely. The odds of an answer are off by some 10^-15 of
themselves, which moves f by ``|df/dlog odds| <= sqrt(f n)/2`` times that. ``noise`` is all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby
from math import ceil, cos, exp, factorial, log2, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InvalidParameterError
from rropt.core.results import Result, says

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

_WIDTH = 1e-4  # relative, of the enclosure: a p-value is said with fewer digits
_FLOOR = 1e-16  # and absolute
_SPARE = 1e-6  # relative, of s: right - left of at most 2^23 intervals loses 24 of 53 bits, and s has its square
_HALVINGS = 12
_FAR = 60.0
_OUTSIDE = 4 * exp(-_FAR)
_BLOCK = 1 << 16  # numbers that are worked on at once
_UNIT = 2.0**-52
_DEGREE = 10
_NODES = _DEGREE + 1
_LEBESGUE = 2.6  # 1 + (2/pi) log(K + 1) is 2.53
_POINTS = 1024
_EXCESS = 1 / cos(pi * _DEGREE / (2 * _POINTS)) - 1


def _chebyshev(count: int) -> Floats:
    """Return T_0, .., T_K at the zeros of T_count, shape (K + 1, count)."""
    angles = np.outer(np.arange(_NODES), 2 * np.arange(count) + 1) % (4 * count)
    found: Floats = np.cos(angles * (pi / (2 * count)))
    return found


_WHERE = np.where(np.arange(_NODES) == _DEGREE // 2, 0.0, _chebyshev(_NODES)[1])
# from the values at the nodes to those at the points, shape (K + 1, M)
_MESH = (_chebyshev(_NODES).T * np.array([1.0] + [2.0] * _DEGREE) / _NODES) @ _chebyshev(_POINTS)


@dataclass(frozen=True, slots=True)
class PairSet:
    """A set R of pairs (i, j): ``j < below[i]``, ``j >= above[i]``, and (i, a, b) apart from both: ``a <= j < b``."""

    below: Places
    above: Places
    gaps: tuple[tuple[int, int, int], ...] = ()

    @property
    def everything(self) -> bool:
        """Whether it leaves no pair out."""
        return bool((self.below >= self.above).all())

    @property
    def most_gaps(self) -> int:
        """How many gaps a row has at most."""
        return max((len(list(same)) for _, same in groupby(self.gaps, lambda gap: gap[0])), default=0)


def greatest_chances(tasks: Sequence[tuple[Sample, Sample, PairSet]]) -> list[tuple[float, float]]:
    """Return an enclosure of ``max over pi of f(pi)`` for each pair of groups with its set, rows for the first group.

    Its ends differ by less than ``_WIDTH`` of it, ``_FLOOR`` and what rounding needs. The distributions of a group at a
    prevalence are computed once for all pairs.
    """
    searches = [_Search(*task) for task in tasks]
    for count in sorted({search.count for search in searches}):
        _run([search for search in searches if search.count == count], count)
    return [(search.best, min(search.upper, 1.0)) for search in searches]


def _run(searches: Sequence[_Search], count: int) -> None:
    """Search in ``count`` intervals of angles, whose squared sine is pi, and in halves of them."""
    for halving in range(_HALVINGS + 1):
        places = np.unique(np.concatenate([search.open for search in searches]))
        for laws in _blocks(searches, places, count):
            for search in searches:
                search.look(laws)
        for search in searches:
            search.narrow(last=halving == _HALVINGS)
        count *= 2


class _Laws:
    """The distributions of groups at the nodes of some intervals, computed when first asked for."""

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
        """Return the first counts of the windows, shape (nodes,), and the distributions on them, shape (nodes,
        width)."""
        key = (sample.n, sample.low, sample.high)
        if key not in self._laws:
            self._laws[key] = _law(sample, self.points[0].ravel(), self.points[1].ravel())
        return self._laws[key]

    def sums(self, sample: Sample) -> Floats:
        """Return the probabilities of the first counts of the windows and of the others, shape (2, nodes, width +
        1)."""
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
    """The search for the maximum of one f: the value reached, a bound where it was given up, and what is open."""

    def __init__(self, first: Sample, second: Sample, pairs: PairSet) -> None:
        self.first, self.second, self.pairs, self.most_gaps = first, second, pairs, pairs.most_gaps
        self.best = self.upper = float(pairs.everything)
        grid = np.linspace(0.01, 0.99, 33)
        most = float((_information(first, second, grid, 1 - grid) * grid * (1 - grid)).max())
        self.count = 2 ** ceil(log2(max(pi / 2 * sqrt(most), 1.0)))
        self.open = np.arange(0 if pairs.everything else self.count)
        self.found: list[tuple[Floats, Floats]] = []

    def look(self, laws: _Laws) -> None:
        """Bound f on the open intervals among those of the distributions."""
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
        # once more the constant times the noise for the sums of the mesh
        bounds = tops + (tops - bottoms) / 2 * _EXCESS + (1 + _LEBESGUE) * rest + 2 * _LEBESGUE * noise
        self.best = max(self.best, float((values.max(axis=1) - noise).max()))
        self.found.append((bounds, 8 * noise))

    def narrow(self, *, last: bool) -> None:
        """Halve the intervals that could hold more than was reached; give up the others, or all."""
        if not self.found:
            return
        bounds, noise = (np.concatenate(found) for found in zip(*self.found, strict=True))
        wide = ~(bounds <= self.best * (1 + _WIDTH) + _FLOOR + noise) & (not last)
        self.upper = max(self.upper, float(bounds[~wide].max(initial=0.0)))
        self.open = (2 * self.open[wide][:, None] + np.arange(2)).ravel()
        self.found = []

    def _values(self, laws: _Laws, nodes: Places) -> tuple[Floats, float]:
        """Return f at nodes, and a bound of the relative error of its sums of products."""
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
    """Return lambda and 1 - lambda at pi and 1 - pi, both with a relative error of a few units."""
    low, high = sample.low, sample.high
    return float(low) * others + float(high) * shares, float(1 - low) * others + float(1 - high) * shares


def _information(first: Sample, second: Sample, shares: Floats, others: Floats) -> Floats:
    """Return Fisher's information of both groups about pi."""
    found = np.zeros_like(shares)
    for sample in (first, second):
        chance, other = _ends(sample, shares, others)
        found += sample.n * float(sample.high - sample.low) ** 2 / (chance * other)
    return found


def _width(sample: Sample, shares: Floats, others: Floats) -> int:
    """Return how many counts about the mean hold all but ``2 exp(-60)`` of binomial laws: Bernstein's inequality."""
    chance, other = _ends(sample, shares, others)
    variance = sample.n * float((chance * other).max())
    reach = ceil(_FAR / 3 + sqrt(_FAR * _FAR / 9 + 2 * _FAR * variance)) + 2
    return min(sample.n + 1, 2 * reach + 1)


def _law(sample: Sample, shares: Floats, others: Floats) -> tuple[Places, Floats]:
    """Return the first counts of the windows, and the binomial distributions on them: products of ratios away from the
    mode."""
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


MOST_CELLS = 10**6  # n_1 n_2 up to which the p-value is exact
_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Sample(Result):
    """The answers of one group that speak for the trait.

    Attributes:
        n, hits: n answers, ``hits`` of them.
        low, high: the probability of such an answer at the prevalences 0 and 1; high may lie below low.
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
    """Return T at all pairs of counts, shape (n_1 + 1, n_2 + 1), equalized where nearly equal."""
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
    from scipy.special import chdtrc  # scipy.stats takes half a second and 60 MB to import

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
    return statistic, len(groups) - 1, float(chdtrc(len(groups) - 1, statistic))
