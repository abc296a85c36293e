"""The unconditional exact test of a difference of two prevalences under one device, and the interval that inverts it.

Group g has n_g respondents, and Y_g of them give the output that indicates the trait. Y_g is binomial with probability
``lambda_g = low + pi_g (high - low)``, where low < high belong to the device (``BinomialSample.oriented``). The tables
of counts are ordered by the signed score statistic of equal prevalences

    ``T = sign(i n_2 - j n_1) (i n_2 - j n_1)^2/(n_1 n_2 N l (1 - l))``,  ``N = n_1 + n_2``,

with l = (i + j)/N cut to [low, high]. T is nondecreasing in i and nonincreasing in j.

Proof. Let ``y = j/n_2 > x = i/n_1`` and ``V(l) = l (1 - l)``. Where l is not cut, the slope of T^2 in y has the sign of
``2 V(l) - V'(l) (l - x)``. Because V is concave, this is at least ``V(l) + V(x) >= 0``. By symmetry the same holds for
y < x and for x.

*The tests.* Let R be the set of tables with T at least as large as observed, and

    ``p_+(delta) = max Pr((Y_1, Y_2) in R | pi_1 - pi_2 <= delta)``.

Since R contains with (i, j) all tables with larger i or smaller j, its probability increases in lambda_1 and decreases
in lambda_2. So the maximum is attained where ``pi_1 - pi_2 = delta``, and p_+ is nondecreasing. It is a valid p-value
of the hypothesis that the difference is at most delta, since the sets R of all tables are nested. p_- is p_+ of the
groups in the other order, at -delta. The two-sided p-value of equal prevalences is ``2 min(p_+(0), p_-(0))``, at most
1. The interval at confidence 1 - alpha consists of all delta with ``p_+(delta) > alpha/2`` and ``p_-(delta) >
alpha/2``. Its coverage is at least 1 - alpha for all prevalences, and it contains 0 if and only if the p-value is
larger than alpha.

The code computes T in floating point and treats tables within a relative 1e-9 of the observed T as ties, which can only
increase p. ``largest_probabilities`` encloses the maximum; the last two sections explain how. The upper bound of the
enclosure is compared with alpha/2, and a limit is the last difference for which a bisection proved this.

Source: Barnard (1945); Suissa and Shuster (1985), J. R. Statist. Soc. A 148, 317-327; Chan and Zhang (1999), Biometrics
55, 1202-1209 (intervals from two one-sided tests).

*The maximum of f.* Let ``f(u)`` be the probability of R where both prevalences are affine functions of u in [0, 1].
Many pairs of groups are treated together.

*A polynomial and a remainder.*

1. If u moves from a centre c by t, the ratio of the two distributions is a product over all responses of factors
   ``1 + d t psi``. At c, ``E psi = 0`` and ``E psi^2 = 1/(l (1 - l))``. The terms of the expansion in t are orthogonal.
2. So f is a polynomial of degree K in t plus a remainder. Let ``s = t^2 sum_g n_g d_g^2/(l_g (1 - l_g))``. The
   Cauchy-Schwarz inequality and ``sum over k > K of s^k/k! <= e^s s^(K+1)/(K+1)!`` bound the remainder by
   ``sqrt(f(c) e^s s^(K+1)/(K+1)!)``.
3. The search begins with intervals of u on which s is at most about 1. Halving an interval divides s by about 4.
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
3. The computed odds of an output have a relative error of some 10^-15. This changes f by at most that error times
   ``|df/dlog odds| <= sqrt(f n)/2``.

``noise`` is the sum of all these errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import ceil, cos, exp, factorial, log2, pi, sqrt
from typing import Any, TypeAlias

from rropt.core.lazy import NDArray
from rropt.core.lazy import numpy as np
from rropt.inference.differences import Ends, Test

Floats: TypeAlias = "NDArray[np.float64]"
Places: TypeAlias = "NDArray[np.int64]"

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


@cache
def _nodes() -> tuple[Floats, Floats]:
    """Return the nodes, shape (K + 1,), and what maps values at them to values at the points, shape (K + 1, M)."""
    where = np.where(np.arange(_NODES) == _DEGREE // 2, 0.0, _chebyshev(_NODES)[1])
    return where, (_chebyshev(_NODES).T * np.array([1.0] + [2.0] * _DEGREE) / _NODES) @ _chebyshev(_POINTS)


def largest_probabilities(tasks: Sequence[tuple[BinomialSample, BinomialSample, Places]]) -> list[tuple[float, float]]:
    """Return an enclosure of ``max over u of f(u)`` for each pair of groups with its set R.

    ``R = {(i, j): j < below[i]}`` is given by ``below``, where i belongs to the first group; ``low`` and ``high`` of a
    sample are lambda at u = 0 and u = 1. The two bounds of an enclosure differ by less than ``_WIDTH`` times the
    maximum, plus ``_FLOOR``, plus the allowance for rounding. All pairs share the distributions of a group, so each
    distribution is computed once.
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
        where, _ = _nodes()
        self.points = ends[:2] * (1 - where) / 2 + ends[2:] * (1 + where) / 2  # pi and 1 - pi at the nodes
        self.squares: Floats = (np.sin(right - left) * np.sin(right + left)) ** 2 / 4  # t^2
        self._laws: dict[tuple[int, Fraction, Fraction], tuple[Places, Floats]] = {}
        self._sums: dict[tuple[int, Fraction, Fraction], Floats] = {}

    def law(self, sample: BinomialSample) -> tuple[Places, Floats]:
        """Return the binomial distributions of a group at the nodes, each on its window of counts.

        Returns:
            The first count of each window, shape (nodes,), and the probabilities on it, shape (nodes, width).
        """
        key = (sample.n, sample.low, sample.high)
        if key not in self._laws:
            self._laws[key] = _law(sample, self.points[0].ravel(), self.points[1].ravel())
        return self._laws[key]

    def sums(self, sample: BinomialSample) -> Floats:
        """Return the probabilities of the first c counts of each window for every c, shape (nodes, width + 1)."""
        key = (sample.n, sample.low, sample.high)
        if key not in self._sums:
            _, laws = self.law(sample)
            self._sums[key] = sums = np.zeros((len(laws), laws.shape[1] + 1))
            np.cumsum(laws, axis=1, out=sums[:, 1:])
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

    def __init__(self, first: BinomialSample, second: BinomialSample, below: Places) -> None:
        self.first, self.second, self.below = first, second, below
        has_all = bool((below > second.n).all())
        self.best = self.upper = float(has_all)
        # a rough maximum suffices: it decides the number of intervals to begin with, and no bound
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
        noise = most * slack + _OUTSIDE
        noise += np.sqrt(most * (self.first.n + self.second.n)) * 64 * _UNIT
        middle = laws.points[:, chosen, _DEGREE // 2]
        s = laws.squares[chosen] * _information(self.first, self.second, *middle) * (1 + _SPARE)
        rest = np.sqrt((values[:, _DEGREE // 2] + noise) * np.exp(s) * s**_NODES / factorial(_NODES))
        mesh = values @ _nodes()[1]
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
            rows, weights, columns, sums = rows[nodes], weights[nodes], columns[nodes], sums[nodes]
        width, last = weights.shape[1], sums.shape[1] - 1
        counts = rows[:, None] + np.arange(width)
        chances = np.take_along_axis(sums, np.clip(self.below[counts] - columns[:, None], 0, last), axis=1)
        return (weights * chances).sum(axis=1), 8 * (width + last + 64) * _UNIT


def _ends(sample: BinomialSample, shares: Floats, others: Floats) -> tuple[Floats, Floats]:
    """Return lambda and 1 - lambda at prevalences pi, given pi and 1 - pi; relative error a few units in the last
    place."""
    low, high = sample.low, sample.high
    return float(low) * others + float(high) * shares, float(1 - low) * others + float(1 - high) * shares


def _information(first: BinomialSample, second: BinomialSample, shares: Floats, others: Floats) -> Floats:
    """Return the Fisher information of both groups about pi."""
    found = np.zeros_like(shares)
    for sample in (first, second):
        chance, other = _ends(sample, shares, others)
        found += sample.n * float(sample.high - sample.low) ** 2 / (chance * other)
    return found


def _width(sample: BinomialSample, shares: Floats, others: Floats) -> int:
    """Return the number of counts around the mean that leave out a probability of at most ``2 exp(-60)``.

    The bound is Bernstein's inequality for the binomial distributions at the given prevalences.
    """
    chance, other = _ends(sample, shares, others)
    variance = sample.n * float((chance * other).max())
    reach = ceil(_FAR / 3 + sqrt(_FAR * _FAR / 9 + 2 * _FAR * variance)) + 2
    return min(sample.n + 1, 2 * reach + 1)


def _law(sample: BinomialSample, shares: Floats, others: Floats) -> tuple[Places, Floats]:
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


MOST_CELLS = 10**6  # the test is exact if n_1 n_2 is at most this
_TIE = 1e-9
_HALVINGS = 20  # of an interval of differences of length 1: a limit has six decimals
_JUST_ABOVE = 5e-324  # in place of a limit 0, since the difference 0 is rejected there


@dataclass(frozen=True, slots=True)
class BinomialSample:
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

    def oriented(self) -> BinomialSample:
        """Return the count of the responses whose probability increases in the prevalence."""
        return self if self.low < self.high else BinomialSample(self.n, self.n - self.hits, 1 - self.low, 1 - self.high)


@dataclass(frozen=True, slots=True)
class ExactTest:
    """The unconditional exact test of equal prevalences.

    Attributes:
        p: the two-sided p-value, from the upper bounds of the enclosures.
        lower: the same from the lower bounds.
        interval: the interval of the difference that contains 0 if and only if p is larger than 1 minus its confidence;
            ``None`` if no confidence was given.
    """

    p: float
    lower: float
    interval: Ends | None


def exact_tests(
    pairs: Sequence[tuple[BinomialSample, BinomialSample]], confidence: Fraction | None = None
) -> list[ExactTest]:
    """Return the exact tests of pairs of groups under one device, with the intervals of the difference.

    >>> direct = Fraction(0), Fraction(1)
    >>> (test,) = exact_tests([(BinomialSample(10, 7, *direct), BinomialSample(10, 2, *direct))], Fraction(19, 20))
    >>> round(test.p, 4), test.p - test.lower < 1e-5, [round(end, 3) for end in test.interval]
    (0.0414, True, [0.018, 0.815])
    """
    tails = [_Tail.of(*groups) for one, other in pairs for groups in ((one, other), (other, one))]
    at_zero = _enclosures(tails, [Fraction(0)] * len(tails))
    limits: list[float] = []
    if confidence is not None:
        limits = _limits(tails, [upper for _, upper in at_zero], (1 - confidence) / 2)
    found = []
    for place in range(0, len(tails), 2):
        both = at_zero[place : place + 2]
        p, lower = (min(1.0, 2 * min(bounds)) for bounds in ([one[1] for one in both], [one[0] for one in both]))
        ends = (limits[place], 0.0 - limits[place + 1]) if limits else None
        found.append(ExactTest(p, lower, ends))
    return found


@dataclass(frozen=True, slots=True)
class _Tail:
    """The one-sided tests that the first prevalence exceeds the second one by more than delta.

    Attributes:
        first, second: the groups, the smaller one first.
        below: the set R of tables, as for ``largest_probabilities``.
    """

    first: BinomialSample
    second: BinomialSample
    below: Places

    @classmethod
    def of(cls, first: BinomialSample, second: BinomialSample) -> _Tail:
        one, two = first.oriented(), second.oriented()
        if one.n > two.n:  # the difference of the complements in the other order is the same
            one, two = (BinomialSample(s.n, s.n - s.hits, 1 - s.high, 1 - s.low) for s in (two, one))
        return cls(one, two, at_least_as_large(one, two))

    def task(self, delta: Fraction) -> tuple[BinomialSample, BinomialSample, Places]:
        """Return the groups with lambda on the line of all prevalences whose difference is delta, -1 < delta < 1."""
        low, slope = self.first.low, self.first.high - self.first.low
        ends = [low + slope * pi for pi in (max(Fraction(0), -delta), min(Fraction(1), 1 - delta))]
        moved = [end + slope * delta for end in ends]
        return (
            replace(self.first, low=moved[0], high=moved[1]),
            replace(self.second, low=ends[0], high=ends[1]),
            self.below,
        )


def _enclosures(tails: Sequence[_Tail], deltas: Sequence[Fraction]) -> list[tuple[float, float]]:
    return largest_probabilities([tail.task(delta) for tail, delta in zip(tails, deltas, strict=True)])


def _limits(tails: Sequence[_Tail], at_zero: Sequence[float], level: Fraction) -> list[float]:
    """Return for each test the largest delta for which ``p_+(delta) <= level`` was proved, and -1 if there is none."""
    most = float(level)
    bounds = [(Fraction(0), Fraction(1)) if p <= most else (Fraction(-1), Fraction(0)) for p in at_zero]
    for _ in range(_HALVINGS):
        middles = [(low + high) / 2 for low, high in bounds]
        bounds = [
            (middle, high) if upper <= most else (low, middle)
            for (_, upper), middle, (low, high) in zip(_enclosures(tails, middles), middles, bounds, strict=True)
        ]
    return [float(low) or _JUST_ABOVE for low, _ in bounds]


def statistic_values(first: BinomialSample, second: BinomialSample) -> Floats:
    """Return T of all tables, shape (n_1 + 1, n_2 + 1), rounded so that near ties become ties."""
    found = _statistics(first, second, np.arange(first.n + 1)[:, None], np.arange(second.n + 1)[None, :])
    rounded: Floats = np.array([float(f"{x:.8g}") for x in found.ravel()]).reshape(found.shape)
    return rounded


def _statistics(first: BinomialSample, second: BinomialSample, hits: NDArray[Any], other_hits: NDArray[Any]) -> Floats:
    """Return T of tables of two groups that are oriented."""
    low, high, total, both = first.low, first.high, first.n + second.n, hits + other_hits
    shares = np.clip(both / total, float(low), float(high))
    others = np.clip((total - both) / total, float(1 - high), float(1 - low))
    difference = hits * float(second.n) - other_hits * float(first.n)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = difference * np.abs(difference) / (shares * others * (float(first.n) * second.n * total))
    return np.where(difference == 0, 0.0, found)


def at_least_as_large(first: BinomialSample, second: BinomialSample) -> Places:
    """Return for each i the number of j for which T of the table (i, j) is at least as large as observed.

    They are the j from 0 on, because T is nonincreasing in j: bisection finds their number.
    """
    observed = float(_statistics(first, second, np.array(first.hits), np.array(second.hits)))
    at = observed - _TIE * abs(observed)
    rows = np.arange(first.n + 1)
    start, stop = np.zeros_like(rows), np.full_like(rows, second.n + 1)
    while (start < stop).any():
        middle = np.minimum((start + stop) // 2, second.n)
        inside = (_statistics(first, second, rows, middle) >= at) & (start < stop)
        start, stop = np.where(inside, middle + 1, start), np.where(inside, stop, np.minimum(middle, stop))
    return start


def chi_squared(
    groups: Iterable[tuple[int, Fraction, Fraction, BinomialSample | None]],
) -> Test | None:
    """Return the chi-squared test of equality: ``sum (pi_g - mean)^2/v_g``, its degrees of freedom and its p-value.

    Args:
        groups: for each group n, the estimate, the plug-in variance and the binomial count, if there is one. If there
            is one, v_g is the variance at the common proportion of all groups; otherwise it is the plug-in variance.

    Returns:
        The test, or ``None`` for a single group or if some v_g is 0.
    """
    # groups of equal counts share their numbers, and a Fraction is slow to hash; a key for each group takes much memory
    distinct: dict[tuple[int, ...], int] = {}
    kinds: list[tuple[int, Fraction, Fraction, BinomialSample | None]] = []
    places: list[int] = []
    for group in groups:
        n, *others = group
        place = distinct.setdefault((n, *map(id, others)), len(distinct))
        if place == len(kinds):
            kinds.append(group)
        places.append(place)
    if len(places) < 2:
        return None
    times = Counter(places)
    common = sum((estimate * (n * times[place]) for place, (n, estimate, *_) in enumerate(kinds)), Fraction(0))
    common = min(max(common / sum(n * times[place] for place, (n, *_) in enumerate(kinds)), Fraction(0)), Fraction(1))
    numbers = []
    for _, estimate, variance, sample in kinds:
        if sample is not None:
            slope = sample.high - sample.low
            chance = sample.low + slope * common
            variance = chance * (1 - chance) / (sample.n * slope**2)
        numbers.append((float(estimate), float(variance)))
    if not all(variance for _, variance in numbers):
        return None
    values = [value for value, _ in numbers]
    weights = [1 / variance for _, variance in numbers]
    mean = sum(weights[place] * values[place] for place in places) / sum(weights[place] for place in places)
    statistic = sum(weights[place] * (values[place] - mean) ** 2 for place in places)
    return Test.of("all equal", statistic, len(places) - 1)
