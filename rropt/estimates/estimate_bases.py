"""What estimates are computed from: each basis gives values, variances, intervals and comparisons at any confidence.

``CountsBasis`` has the counts of one question and one device, ``GroupsBasis`` scores of a simple random sample in
groups, ``TablesBasis`` joint tables, and ``DesignBasis`` scores in a complex survey; ``DeltaBasis`` has functions of
other estimates. ``Stored`` has the numbers of a file. A place is the number of an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, log, sqrt
from typing import Any, NamedTuple

from rropt.answers.data_columns import Floats
from rropt.answers.scores import Scores
from rropt.core.errors import InvalidParameterError
from rropt.core.exact.numbers import dot, square_root
from rropt.core.lazy import numpy as np
from rropt.core.visible import with_noun
from rropt.inference.contingency_tables import TableEstimate
from rropt.inference.count_estimates import Estimate as CountEstimate
from rropt.inference.differences import MOST_DIFFERENCES, Difference, Test, bonferroni, p_value, quantile
from rropt.inference.exact_tests import MOST_CELLS, BinomialSample, chi_squared, exact_tests
from rropt.inference.hypothesis_tests import value_test
from rropt.inference.interval_estimates import (
    Interval,
    LinearReduction,
    intervals_of,
    normal_interval,
    reduced_interval,
)
from rropt.inference.interval_kinds import INTERVAL_KINDS
from rropt.inference.proportion_intervals import PROPORTION_INTERVALS, proportion_intervals, t_quantile
from rropt.inference.sample_domains import Domains, Moments
from rropt.inference.score_tests import score_intervals, score_p_values, score_statistics
from rropt.inference.simple_means import SimpleMeans
from rropt.inference.simultaneous import squared_ranges

Ends = tuple[Any, Any]
_ALL = tuple(INTERVAL_KINDS)
LARGEST_LOGIT = 700.0  # whose exponential is a float
_MOST_IN_ALL = 100_000  # differences of all categories of all tables
BINOMIAL = ("exact", *(name for name in _ALL if name != "exact"))
EFFICIENT = INTERVAL_KINDS["normal"]._replace(  # around the maximum likelihood estimate
    name="efficient",
    guarantee="no guarantee at any n: around the most likely value, by the information there; coverage tends to the "
    "nominal one as n grows where all proportions are inside (0, 1), and no estimator has a narrower one then",
)


@lru_cache(maxsize=4096)
def _t_quantile(freedom: float, alpha: float) -> float:
    """Return the two-sided quantile of Student's t, which many groups share."""
    return float(t_quantile(np.array([freedom]), alpha)[0])


class Combined(NamedTuple):
    """A linear combination of estimates: its value, variance and degrees of freedom (None: normal)."""

    value: Any
    variance: Any
    freedom: float | None


class EstimateBasis:
    """What a sequence of estimates is computed from.

    ``has_covariance`` says whether estimates of one basis have a covariance.
    """

    has_covariance = True

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        raise NotImplementedError

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval; ``None`` if the sample has none."""
        raise NotImplementedError

    def shared(self, place: int) -> Any:
        """Return a key that estimates with equal numbers share, and so their intervals."""
        return place

    def is_left(self, place: int) -> bool:
        """Return whether some difference of an estimate is not tested, as its responses are all equal."""
        return False

    def interval(self, place: int, kind: str, confidence: Fraction) -> Interval | None:
        """Return an interval with its own guarantee; ``None`` if it is that of its kind."""
        return None

    def exact_p(self, place: int, value: Fraction) -> float | None:
        """Return the exact two-sided p-value of a value of an estimated number; ``None`` without an exact test."""
        return None

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        raise NotImplementedError

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of estimates, by place."""
        raise NotImplementedError

    def differences(self, places: Sequence[int], confidence: Fraction, test: str) -> Sequence[Difference]:
        """Return the differences of all pairs of estimates of one number in several groups."""
        raise NotImplementedError

    def equality(self, places: Sequence[int], test: str) -> Test | None:
        """Return the test that the estimates of one number in several groups are equal."""
        raise NotImplementedError


class Stored(EstimateBasis):
    """The intervals of a file, which has them at one confidence only.

    Args:
        intervals: the intervals of each estimate, by kind.
        simultaneous: the recommended interval of each estimate that holds for all of them together, by kind.
        confidence: the confidence.
        comparisons: the differences of groups and the tests that they are equal, as the file has them.
        totals: the estimates of totals, by place.
        known: the covariance of the estimates, ``None`` where it is not known; empty without one.
    """

    def __init__(
        self,
        intervals: Sequence[Mapping[str, Ends]],
        simultaneous: Sequence[Mapping[str, Ends]],
        confidence: Fraction,
        comparisons: Mapping[str, Any],
        totals: Mapping[int, Any],
        known: Sequence[Sequence[Any]] = (),
    ) -> None:
        self.known, self.has_covariance = known, bool(known)
        self._confidence, self.comparisons, self.totals = confidence, comparisons, totals
        self._intervals, self._simultaneous = intervals, simultaneous

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        return tuple(self._intervals[place])

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        if confidence == 1 - (1 - self._confidence) / len(self._intervals) and kind in self._simultaneous[place]:
            return self._simultaneous[place][kind]
        if confidence != self._confidence:
            raise _left_out(f"intervals at the confidence {float(confidence):g}, but at {float(self._confidence):g}")
        return self._intervals[place][kind]

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        V = [[self.known[one][other] for other in places] for one in places] if self.known else [[None]]
        if any(value is None for own in V for value in own):
            raise _left_out("covariance of these estimates")
        exact = all(isinstance(value, Fraction) for own in V for value in own)
        return np.array(V, object if exact else np.float64)

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of estimates."""
        raise _left_out("combinations")

    def differences(self, places: Sequence[int], confidence: Fraction, test: str) -> Sequence[Difference]:
        """Return the differences of all pairs of groups."""
        raise _left_out("differences of groups that can be computed again")

    def equality(self, places: Sequence[int], test: str) -> Test | None:
        """Return the test that the groups are equal."""
        raise _left_out("tests of groups that can be computed again")


def _left_out(what: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"a file of estimates has no {what}: received a result that was read from one; compute it again from its data"
    )


@dataclass(frozen=True, eq=False)
class CountsBasis(EstimateBasis):
    """The counts of the responses to one question and one device.

    Attributes:
        found: the estimate of the distribution.
        contrasts: for each estimate its linear combination of the categories.
    """

    found: CountEstimate
    contrasts: tuple[tuple[Fraction, ...], ...]
    _cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def _intervals(self, place: int, confidence: Fraction) -> Mapping[str, Any]:
        key = place, confidence
        if key not in self._cache:
            c = self.contrasts[place]
            self._cache[key] = intervals_of(self.found, c, confidence)
            if self._efficient is not None:
                variance = dot(c, [dot(line, c) for line in self._efficient])
                centre = dot(c, self.found.constrained_estimate)
                efficient = normal_interval(centre, variance, self.found.n, confidence, c, EFFICIENT)
                self._cache[key] = {**self._cache[key], EFFICIENT.name: efficient}
        made: Mapping[str, Any] = self._cache[key]
        return made

    @cached_property
    def _efficient(self) -> Any:
        """The covariance of the maximum likelihood estimate, if there are more outputs than categories."""
        device = self.found.mechanism
        return self.found.efficient_covariance() if device.outputs > device.inputs else None

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        known = self._intervals(place, Fraction(19, 20))
        return tuple(kind for kind in (*BINOMIAL, EFFICIENT.name) if kind in known)

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        one = self._intervals(place, confidence)[kind]
        return one.lower, one.upper

    def exact_p(self, place: int, value: Fraction) -> float | None:
        """Return the exact two-sided p-value of a value of an estimated number; ``None`` without an exact test."""
        c = self.contrasts[place]
        if "exact" not in self.kinds(place) or not min(c) <= value <= max(c):
            return None
        return value_test(self.found, value, contrast=c, kind="exact")

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        V = np.array(self.found.covariance(), object)
        C = np.array([self.contrasts[place] for place in places], object)
        return C @ V @ C.T

    def _contrast(self, weights: Mapping[int, Fraction]) -> tuple[Fraction, ...]:
        rows = [[w * x for x in self.contrasts[place]] for place, w in weights.items()]
        return tuple(sum(own, Fraction(0)) for own in zip(*rows, strict=True))

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of estimates."""
        c = self._contrast(weights)
        return Combined(self.found.value(c), self.found.variance(c), None)

    def with_contrast(self, weights: Mapping[int, Fraction]) -> CountsBasis:
        """Return the basis of one linear combination."""
        return CountsBasis(self.found, (self._contrast(weights),))


@dataclass(frozen=True, eq=False)
class GroupsBasis(EstimateBasis):
    """Scores of a simple random sample in groups; the columns vary fastest.

    Attributes:
        means: the means of the scores.
        covariances: a function from the number of a group to the exact covariance of all columns in it.
        groups: the names of the groups.
        columns: the columns that are estimated.
        estimand: ``proportion``, ``mean`` or ``contrast``.
        limits: the range of the estimated number.
        reach: the largest difference of two scores.
    """

    means: SimpleMeans
    covariances: Callable[[int], Any]
    groups: tuple[str, ...]
    columns: tuple[int, ...]
    estimand: str
    limits: tuple[float, float] = (0.0, 1.0)
    reach: float = 0.0
    _cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    def _at(self, place: int) -> tuple[int, int]:
        g, k = divmod(place, len(self.columns))
        return g, self.columns[k]

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        g, k = self._at(place)
        if self.estimand == "mean":
            return ("t", "guaranteed") if self.means.n[g] > 1 else ("guaranteed",)
        if self.estimand == "contrast":
            return ("normal",)
        return BINOMIAL if self.means.samples[g, k] is not None else ("hoeffding", "normal")

    def shared(self, place: int) -> Any:
        """Return a key that estimates with equal numbers share, and so their intervals."""
        return self._shared[place]

    @cached_property
    def _shared(self) -> list[Any]:
        samples = self.means.samples[:, list(self.columns)].ravel().tolist()
        return [place if one is None else id(one) for place, one in enumerate(samples)]

    def is_left(self, place: int) -> bool:
        """Return whether some difference of an estimate is not tested, as its responses are all equal."""
        g, k = self._at(place)
        if self.means.variance[g, k]:
            return False
        if k not in self._cache:
            samples = [None if one is None else (one.low, one.high) for one in self.means.samples[:, k].tolist()]
            self._cache[k] = len(samples) > 1, set(samples)
        are_several, devices = self._cache[k]
        return bool(are_several and (None in devices or len(devices) > 1))

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        g, k = self._at(place)
        value, variance, n = self.means.value[g, k], self.means.variance[g, k], int(self.means.n[g])
        low, high = self.limits
        if kind in ("t", "guaranteed"):
            return self._of_number(g, kind, float(1 - confidence))
        if kind == "hoeffding":
            half = sqrt(log(2 / float(1 - confidence)) / 2 * float(self.means.square[g, k]))
            return _cut(float(value) - half, float(value) + half, low, high)
        sample: BinomialSample | None = self.means.samples[g, k]
        key = (n, value if sample is None else sample.hits, variance if sample is None else None, k, kind, confidence)
        if key not in self._cache:  # groups of equal counts share their intervals
            limits = Fraction(low), Fraction(high)
            if sample is None:
                one = normal_interval(value, variance, n, confidence, limits)
            else:
                slope = 1 / (sample.high - sample.low)
                reduction = LinearReduction(-sample.low * slope, slope, *limits)
                one = reduced_interval(INTERVAL_KINDS[kind], reduction, sample.hits, n, confidence)
            self._cache[key] = one.lower, one.upper
        ends: Ends = self._cache[key]
        return ends

    def _of_number(self, g: int, kind: str, alpha: float) -> Ends | None:
        """Return the interval of a mean: Student's t, or the shorter one of Hoeffding and empirical Bernstein."""
        n, mean, variance = int(self.means.n[g]), float(self.means.value[g, 0]), self.means.variance[g, 0]
        if kind == "t":
            half = float(t_quantile(np.array([float(n - 1)]), alpha)[0]) * sqrt(variance)
            return mean - half, mean + half
        reach, term = self.reach, log(8 / alpha)
        half = reach * sqrt(log(4 / alpha) / (2 * n))
        if variance is not None:
            half = min(half, sqrt(2 * float(variance * n) * term / n) + 7 * reach * term / (3 * (n - 1)))
        return _cut(mean - half, mean + half, *self.limits)

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        if self.estimand != "proportion":  # one column, and independent groups
            return np.diag([self.means.variance[self._at(place)] or Fraction(0) for place in places])
        V = np.full((len(places), len(places)), Fraction(0), object)
        at = [self._at(place) for place in places]
        for g in {g for g, _ in at}:
            own = [i for i, (group, _) in enumerate(at) if group == g]
            columns = [at[i][1] for i in own]
            V[np.ix_(own, own)] = self.covariances(g)[np.ix_(columns, columns)]
        return V

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of estimates."""
        places = list(weights)
        w = np.array([weights[place] for place in places], object)
        value = sum(weights[p] * self.means.value[self._at(p)] for p in places)
        freedom = None
        if self.estimand == "mean":
            parts = [float(weights[p] ** 2 * (self.means.variance[self._at(p)] or 0)) for p in places]
            below = sum(x * x / (self.means.n[self._at(p)[0]] - 1) for x, p in zip(parts, places, strict=True) if x)
            freedom = sum(parts) ** 2 / below if below else 0.0
        return Combined(value, w @ self.covariance(places) @ w, freedom)

    def _rows(self, places: Sequence[int]) -> list[_Row]:
        found = []
        for place in places:
            g, k = self._at(place)
            value, variance = self.means.value[g, k], self.means.variance[g, k]
            error = None if variance is None else square_root(variance)
            found.append(_Row(self.groups[g], int(self.means.n[g]), value, variance, error, self.means.samples[g, k]))
        return found

    def differences(self, places: Sequence[int], confidence: Fraction, test: str) -> Sequence[Difference]:
        """Return the differences of all pairs of groups."""
        key = tuple(places), confidence, test
        if key not in self._cache:
            rows = self._rows(places)
            is_mean = self.estimand == "mean"
            self._cache[key] = _welch(rows, confidence) if is_mean else independent_differences(rows, confidence, test)
        found: Sequence[Difference] = self._cache[key]
        return found

    def equality(self, places: Sequence[int], test: str) -> Test | None:
        """Return the test that the groups are equal."""
        key = tuple(places), "equality"
        if key not in self._cache:
            self._cache[key] = (
                _equal_means(self._rows(places)) if self.estimand == "mean" else self._chi_squared(places)
            )
        found: Test | None = self._cache[key]
        return found

    def _chi_squared(self, places: Sequence[int]) -> Test | None:
        samples = [self.means.samples[self._at(place)] for place in places]
        devices = {id(each): each and (each.low, each.high) for each in samples}  # a fraction is slow to hash
        has_one_device = len(set(devices.values())) == 1 and None not in devices.values()
        if len(samples) == 2 and has_one_device:
            (z,) = score_statistics([(samples[0], samples[1])])
            return Test.of("all equal", float(z) ** 2, 1)
        n, value, variance = self.means.n, self.means.value, self.means.variance
        return chi_squared(
            (int(n[g]), value[g, k], variance[g, k], sample if has_one_device else None)
            for (g, k), sample in zip(map(self._at, places), samples, strict=True)
        )


class _Row(NamedTuple):
    group: str
    n: int
    value: Fraction
    variance: Any
    error: float | None
    sample: BinomialSample | None


def independent_differences(rows: Sequence[_Row], confidence: Fraction, test: str) -> tuple[Difference, ...]:
    """Return the differences of independent groups: by the score or exact test of binomial counts, else by Wald's."""
    pairs = list(combinations(rows, 2))
    levels = confidence, 1 - (1 - confidence) / max(len(pairs), 1)
    methods = [_method(one.sample, other.sample, test) for one, other in pairs]
    results: dict[int, tuple[float, Any, Any]] = {}
    for kind in ("score", "exact"):
        places = [place for place, own in enumerate(methods) if own == kind]
        samples: Any = [(pairs[place][0].sample, pairs[place][1].sample) for place in places]
        if not places:
            continue
        if kind == "score":
            own, wide = (score_intervals(samples, level) for level in levels)
            told = list(zip(score_p_values(samples), own, wide, strict=True))
        else:
            both = [exact_tests(samples, level) for level in levels]
            told = [(one.p, one.interval, other.interval) for one, other in zip(*both, strict=True)]
        results |= dict(zip(places, told, strict=True))
    found: list[tuple[Any, ...]] = []
    for place, (one, other) in enumerate(pairs):
        gap, error = one.value - other.value, sqrt((one.error or 0) ** 2 + (other.error or 0) ** 2)
        if place not in results:
            halves = [quantile(level) * error for level in levels]
            near, far = ((float(gap) - half, float(gap) + half) for half in halves)
            is_tested = bool(one.error and other.error)
            results[place] = (p_value(float(gap) / error), near, far) if is_tested else (1.0, None, None)
        found.append((one.group, other.group, gap, error, methods[place], results[place]))
    adjusted = bonferroni([each[-1][0] for each in found]).tolist()
    return tuple(
        Difference(a, b, gap, error, method, own, wide, p, after)
        for (a, b, gap, error, method, (p, own, wide)), after in zip(found, adjusted, strict=True)
    )


def _method(first: BinomialSample | None, second: BinomialSample | None, asked: str) -> str:
    """Return the method of a difference: that which is asked for, or another one if it does not apply."""
    if first is None or second is None or (first.low, first.high) != (second.low, second.high):
        return "Wald"
    return "score" if first.n * second.n > MOST_CELLS else asked


def _welch(rows: Sequence[_Row], confidence: Fraction) -> tuple[Difference, ...]:
    """Return Welch's t-tests of independent means, with Satterthwaite's degrees of freedom as they are."""
    from scipy.special import stdtr

    if any(not one.error for one in rows):
        return ()
    pairs = list(combinations(rows, 2))
    squares = np.array([[float(one.error or 0) ** 2 for one in pair] for pair in pairs])
    below = np.array([[one.n - 1 for one in pair] for pair in pairs])
    freedom = squares.sum(axis=1) ** 2 / (squares**2 / below).sum(axis=1)
    error, gap = np.sqrt(squares.sum(axis=1)), np.array([float(one.value - other.value) for one, other in pairs])
    p = 2 * stdtr(freedom, -np.abs(gap) / error)
    levels = confidence, 1 - (1 - confidence) / len(pairs)
    alone, wide = (t_quantile(freedom, float(1 - level)) * error for level in levels)
    columns = (x.tolist() for x in (gap, error, alone, wide, p, bonferroni(p), freedom))
    return tuple(
        Difference(one.group, other.group, d, e, "Welch", (d - h, d + h), (d - w, d + w), own, after, f)
        for (one, other), d, e, h, w, own, after, f in zip(pairs, *columns, strict=True)
    )


def _equal_means(rows: Sequence[_Row]) -> Test | None:
    """Return Wald's F test that the means of independent groups are equal."""
    freedom, k = sum(one.n for one in rows) - len(rows), len(rows) - 1
    if freedom < 1 or any(not one.error for one in rows):
        return None
    w = 1 / np.array([float(one.error or 0) ** 2 for one in rows])
    means = np.array([float(one.value) for one in rows])
    return Test.of("all equal", float(w @ (means - w @ means / w.sum()) ** 2) / k, k, freedom)


@dataclass(frozen=True, eq=False)
class TablesBasis(EstimateBasis):
    """Tables of the cells of some questions in a simple random sample, perhaps by group.

    Attributes:
        tables: the tables.
        groups: the questions and the group of each table; empty without groups.
    """

    tables: tuple[TableEstimate, ...]
    groups: tuple[tuple[str, str], ...] = ()

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *np.cumsum([len(one.estimate) for one in self.tables]).tolist()]

    @cached_property
    def _squares(self) -> list[Floats]:
        return [squared_ranges(one) for one in self.tables]

    def _at(self, place: int) -> tuple[int, int]:
        table = int(np.searchsorted(self._starts, place, side="right")) - 1
        return table, place - self._starts[table]

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        return ("hoeffding", "normal")

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        table, cell = self._at(place)
        one = self.tables[table]
        value = float(one.estimate[cell])
        if kind == "hoeffding":
            half = sqrt(log(2 / float(1 - confidence)) / 2 * float(self._squares[table][cell]))
        else:
            half = quantile(confidence) * float(one.standard_errors[cell])
        return _cut(value - half, value + half, 0.0, 1.0)

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        at = [self._at(place) for place in places]
        tables = {self.groups[table][0] if self.groups else table for table, _ in at}
        if len(tables) > 1:
            raise InvalidParameterError(
                "the covariance of several tables is not computed: received estimates of "
                f"{with_noun(len(tables), 'table')}; ask for their joint table"
            )

        blocks = {t: [i for i, (table, _) in enumerate(at) if table == t] for t, _ in at}  # groups are independent
        found = {t: self.tables[t].covariances([at[i][1] for i in own]) for t, own in blocks.items()}
        exact = all(own.dtype == object for own in found.values())
        V = np.full((len(at), len(at)), Fraction(0), object) if exact else np.zeros((len(at), len(at)))
        for t, own in blocks.items():
            V[np.ix_(own, own)] = found[t]
        return V

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of estimates."""
        places = list(weights)
        V = self.covariance(places)
        w = np.array([weights[place] if V.dtype == object else float(weights[place]) for place in places], V.dtype)
        values = [self.tables[t].estimate[cell] for t, cell in map(self._at, places)]
        return Combined(sum(a * b for a, b in zip(w.tolist(), values, strict=True)), w @ V @ w, None)

    def _rows(self, places: Sequence[int]) -> list[_Row]:
        found = []
        for t, cell in map(self._at, places):
            one = self.tables[t]
            value, variance = one.estimate[cell], one.variances[cell]
            error = float(one.standard_errors[cell])
            found.append(_Row(self.groups[t][1], one.n, value, variance, error, None))
        return found

    def differences(self, places: Sequence[int], confidence: Fraction, test: str) -> Sequence[Difference]:
        """Return the differences of all pairs of groups."""
        return independent_differences(self._rows(places), confidence, test)

    def equality(self, places: Sequence[int], test: str) -> Test | None:
        """Return the test that the groups are equal."""
        return chi_squared([(one.n, one.value, one.variance, None) for one in self._rows(places)])


@dataclass(frozen=True, eq=False)
class DesignBasis(EstimateBasis):
    """Scores in the groups of a complex survey; the columns vary fastest.

    Attributes:
        domains: the groups.
        scores: the scores.
        columns: the columns that are estimated.
        estimand: ``proportion``, ``mean`` or ``contrast``.
        is_total: whether totals are estimated, and not means.
    """

    domains: Domains
    scores: Scores
    columns: tuple[int, ...]
    estimand: str
    is_total: bool = False
    _cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def z(self, column: int) -> Floats:
        """Return the score of each row."""
        return self.scores.table[:, column][self.scores.at]  # of rows without a response it is not used

    def noise(self, column: int) -> Floats | None:
        """Return the estimated variance of the device of each row; ``None`` for indicators."""
        return None if self.scores.noise is None else self.scores.noise[:, column][self.scores.at]

    def moments(self, column: int) -> Moments:
        """Return the estimates of a column in all groups."""
        key = "moments", column
        if key not in self._cache:
            estimate = self.domains.totals if self.is_total else self.domains.means
            self._cache[key] = estimate(self.z(column), self.noise(column))
        found: Moments = self._cache[key]
        return found

    def _means(self, column: int) -> Moments:
        """Return the means of a column in all groups, also where totals are estimated."""
        if not self.is_total:
            return self.moments(column)
        key = "means", column
        if key not in self._cache:
            self._cache[key] = self.domains.means(self.z(column))
        found: Moments = self._cache[key]
        return found

    def design_effects(self, column: int) -> Floats:
        """Return the variance divided by that of as many draws with replacement; NaN where it is not known."""
        key = "effects", column
        if key not in self._cache:
            spread, n = self.domains.spread(self.z(column)), self.domains.n
            simple = spread / np.maximum(n - 1, 1)
            known = (simple > 0) & (n > 1)
            effects = self.moments(column).variance / np.where(known, simple, 1.0)
            self._cache[key] = np.where(known, effects, np.nan)
        found: Floats = self._cache[key]
        return found

    def totals(self) -> DesignBasis:
        """Return the basis of the totals."""
        if "totals" not in self._cache:
            self._cache["totals"] = DesignBasis(self.domains, self.scores, self.columns, self.estimand, is_total=True)
        found: DesignBasis = self._cache["totals"]
        return found

    def _at(self, place: int) -> tuple[int, int]:
        g, k = divmod(place, len(self.columns))
        return g, self.columns[k]

    def is_left(self, place: int) -> bool:
        """Return whether some difference of an estimate is not tested, as its responses are all equal."""
        return len(self.domains.groups) > 1

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        g, k = self._at(place)
        if self.domains.freedom[g] < 1:
            return ()
        if self.is_total:
            return ("beta", "t")
        if self.estimand != "proportion":
            return ("t",)
        found = self._intervals(k, Fraction(19, 20))
        return tuple(kind for kind in PROPORTION_INTERVALS if not np.isnan(found[kind][0][g] + found[kind][1][g]))

    def _intervals(self, column: int, confidence: Fraction) -> Mapping[str, tuple[Floats, Floats]]:
        key = column, confidence
        if key not in self._cache:
            low, high = (
                self.domains.mean(one[:, column][self.scores.at]) for one in (self.scores.low, self.scores.high)
            )
            found = self._means(column)
            numbers = found.value, found.variance, self.domains.n, self.domains.freedom, low, high
            self._cache[key] = proportion_intervals(*numbers, confidence, self.domains.is_census)[0]
        made: Mapping[str, tuple[Floats, Floats]] = self._cache[key]
        return made

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        g, k = self._at(place)
        if kind == "t":
            found, freedom = self.moments(k), self.domains.freedom[g : g + 1]
            half = _t_quantile(float(freedom[0]), float(1 - confidence)) * sqrt(max(found.variance[g], 0.0))
            ends = float(found.value[g]) - half, float(found.value[g]) + half
            return _cut(*ends, *self.scores.limits) if self.estimand == "contrast" else ends
        low, high = (float(one[g]) for one in self._intervals(k, confidence)[kind])
        return self._total_ends(g, k, low, high, confidence) if self.is_total else (low, high)

    def _total_ends(self, g: int, k: int, low: float, high: float, confidence: Fraction) -> Ends:
        """Return the interval of a total from that of its proportion (the method of variance estimates recovery).

        The distances from the total to the ends W low and W high become ``sqrt(d^2 + q^2 (V_T - W^2 V_p))``: the second
        term is what the error of the sum W of the weights adds. A number of people is not negative.

        Source: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.
        """
        W, own, q = float(self.domains.weight[g]), self._means(k), self.domains.freedom[g : g + 1]
        value, variance = float(self.moments(k).value[g]), float(self.moments(k).variance[g])
        quantile_of_t = _t_quantile(float(q[0]), float(1 - confidence))
        added = max(quantile_of_t**2 * (variance - W**2 * float(own.variance[g])), 0.0)
        below, above = max(value - W * low, 0.0), max(W * high - value, 0.0)
        return max(W * low + below - sqrt(below**2 + added), 0.0), W * high - above + sqrt(above**2 + added)

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        if self.is_total:
            raise InvalidParameterError("the covariance of totals is not computed; ask for that of the proportions")
        chosen = np.array(list(places), np.int64)
        if self.estimand == "proportion":
            return self.domains.joint_covariance([self.z(k) for k in self.columns], chosen)
        (k,) = self.columns
        return self.domains.covariance(self.z(k), self.noise(k))[np.ix_(chosen, chosen)]

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of estimates."""
        places = list(weights)
        groups = sorted({self._at(place)[0] for place in places})
        w = np.array([float(weights[place]) for place in places])
        value = sum(float(self.moments(k).value[g]) * x for (g, k), x in zip(map(self._at, places), w, strict=True))
        return Combined(value, max(float(w @ self.covariance(places) @ w), 0.0), float(self.domains.joined(*groups)))

    def _column(self, places: Sequence[int]) -> int:
        """Return the column of estimates of one number in all groups."""
        columns = {self._at(place)[1] for place in places}
        if len(columns) > 1 or len(places) != len(self.domains.groups):
            raise InvalidParameterError("groups are compared in one number; choose a category")
        return columns.pop()

    def differences(self, places: Sequence[int], confidence: Fraction, test: str) -> Sequence[Difference]:
        """Return the differences of all pairs of groups."""
        k = self._column(places)
        z, noise = self.z(k), self.noise(k)
        return self.domains.differences(self.domains.values(z), self.domains.covariance(z, noise), confidence)

    def equality(self, places: Sequence[int], test: str) -> Test | None:
        """Return the test that the groups are equal."""
        k = self._column(places)
        z, noise = self.z(k), self.noise(k)
        return self.domains.equality(self.domains.values(z), self.domains.covariance(z, noise))


@dataclass(frozen=True, eq=False)
class DifferencesBasis(EstimateBasis):
    """Differences of pairs of groups, computed at each confidence by another basis.

    Attributes:
        basis: the basis of the groups.
        sets: for each compared number the places of its groups.
        test: the test that was asked for.
    """

    basis: EstimateBasis
    sets: tuple[tuple[int, ...], ...]
    test: str
    _cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def found(self, confidence: Fraction) -> Sequence[Difference]:
        """Return all differences."""
        if confidence not in self._cache:
            made = (self.basis.differences(places, confidence, self.test) for places in self.sets)
            self._cache[confidence] = [one for own in made for one in own]
        listed: Sequence[Difference] = self._cache[confidence]
        return listed

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        one = self.found(Fraction(19, 20))[place]
        return () if one.interval is None else (one.method,)

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        return self.found(confidence)[place].interval


@dataclass(frozen=True, eq=False)
class WaldBasis(EstimateBasis):
    """One estimate with a normal or Student's t interval.

    Attributes:
        one: the estimate.
        limits: the range of the estimated number; ``None`` without limits.
    """

    one: Combined
    limits: tuple[float, float] | None = None

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        return ("normal",) if self.one.freedom is None else ("t",) if self.one.freedom > 0 else ()

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        half = quantile(confidence, self.one.freedom) * root(self.one.variance)
        ends = float(self.one.value) - half, float(self.one.value) + half
        return ends if self.limits is None else _cut(*ends, *self.limits)

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        return np.array([[self.one.variance]])


@dataclass(frozen=True, eq=False)
class DeltaBasis(EstimateBasis):
    """Functions of other estimates, whose errors follow by the delta method: marginal effects, predictions, models.

    Attributes:
        values, slopes: the functions at the estimate, and their derivatives, shape (functions, p).
        errors: their standard errors.
        is_logit: which intervals are on the logit scale.
        parameters: the covariance of the p estimates.
        freedom: the degrees of freedom; ``None`` for the normal distribution.
        has_points: whether a standard error of 0 gives an interval of one point; otherwise it gives none.
    """

    values: Floats
    slopes: Floats
    errors: Floats
    is_logit: Any
    parameters: Floats
    freedom: int | None
    has_points: bool

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kind of the interval of a function; none without degrees of freedom."""
        if self.freedom == 0 or not (self.has_points or self.errors[place] > 0):
            return ()
        return ("logit" if self.is_logit[place] else "normal" if self.freedom is None else "t",)

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        own, reach = slice(place, place + 1), quantile(confidence, self.freedom)
        low, high = delta_ends(self.values[own], self.errors[own], reach, self.is_logit[own])
        return float(low[0]), float(high[0])

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some functions."""
        own = self.slopes[list(places)]
        return own @ self.parameters @ own.T

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of functions."""
        places, w = list(weights), np.array([float(x) for x in weights.values()])
        variance = float(w @ self.covariance(places) @ w)
        return Combined(float(w @ self.values[places]), max(variance, 0.0), self.freedom)


def delta_ends(values: Any, errors: Any, reach: float, is_logit: Any) -> tuple[Floats, Floats]:
    """Return the endpoints of intervals by the delta method.

    Args:
        values, errors: the estimates and their standard errors.
        reach: the quantile of the distribution.
        is_logit: which intervals are on the logit scale; their estimates lie strictly inside [0, 1].
    """
    with np.errstate(invalid="ignore"):  # without degrees of freedom, an error of 0 gives no interval
        reach = reach * errors
    q = np.where(is_logit, values, 0.5)
    odds, step = q / (1 - q), np.exp(np.minimum(reach / (q * (1 - q)), LARGEST_LOGIT))
    low, high = odds / (odds + step), odds / (odds + 1 / step)  # a product of both overflows
    return np.where(is_logit, low, values - reach), np.where(is_logit, high, values + reach)


def root(variance: Fraction | float) -> float:
    """Return the square root of a variance, correctly rounded if it is exact."""
    return square_root(variance) if isinstance(variance, Fraction) else sqrt(max(variance, 0.0))


def _cut(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    """Return an interval cut to a range; one outside becomes the nearer end of it."""
    return min(max(low, least), most), max(min(high, most), least)


def too_many_pairs(groups: int, numbers: int = 1) -> bool:
    """Return whether the pairs of groups are not compared, in some numbers of a result."""
    return comb(groups, 2) > MOST_DIFFERENCES or comb(groups, 2) * numbers > _MOST_IN_ALL
