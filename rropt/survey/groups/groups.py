"""Groups of a survey next to each other: shares, intervals each by itself and all at once, equality, differences.

* Intervals. ``exact`` (Clopper and Pearson) where a group has one device and its estimate rests on a binomial count,
  otherwise ``hoeffding``; both are guaranteed. ``normal`` next to them has no guarantee. Simultaneous over the G groups
  of one share by Bonferroni: each at ``1 - alpha/G``.
* Differences. A guaranteed interval is ``[L_1 - U_2, U_1 - L_2]`` of two guaranteed intervals at ``1 - alpha/2``; all
  differences at once are those of the simultaneous intervals of the groups: one event, no further correction.
* Tests. Of a difference: the unconditional exact one (``two_samples``) where both groups have a binomial count and are
  small enough, otherwise the normal one. Of equality: chi-squared, approximate; and from exact tests of all differences
  the least p by Bonferroni, which is valid. Adjusted p of the differences: Holm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, lcm, log, nextafter, sqrt
from typing import NamedTuple

from rropt.core.errors import InvalidParameterError
from rropt.core.exact.numbers import square_root
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, says
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.survey.estimates.distributions import exact_confidence, two_sided_quantile
from rropt.survey.estimates.estimate import unit
from rropt.survey.estimates.interval_kinds import interval_kind
from rropt.survey.estimates.intervals import reduction_of
from rropt.survey.groups.subsets import SubsetAnswers, subset_shares
from rropt.survey.groups.two_samples import EqualityTest, Sample, chi_squared, equality_tests, holm, normal_test
from rropt.survey.questions.responses import Answers
from rropt.survey.questions.simultaneous import squared_ranges
from rropt.survey.questions.tables import estimate_cells

Ends = tuple[float, float]

_MOST_DIFFERENCES = 5000  # of one share: 100 groups


@dataclass(frozen=True, slots=True)
class GroupShare(Result):
    """One share in one group.

    Attributes:
        group: its name.
        n: answers.
        estimate: unbiased, exact; it may leave [0, 1].
        standard_error: plug-in.
        intervals: by kind, within [0, 1]: each by itself.
        simultaneous: by kind: all groups of this share at once.
        sample: the binomial count that the estimate rests on, where there is one.
    """

    group: str
    n: int
    estimate: Fraction
    standard_error: float
    intervals: ReadOnlyMapping[str, Ends]
    simultaneous: ReadOnlyMapping[str, Ends]
    sample: Sample | None

    SAYS = says(
        group="group",
        n="answers",
        estimate="unbiased estimate",
        standard_error="standard error",
        intervals="intervals",
        simultaneous="simultaneous intervals",
        unbiased_standard_error="standard error, variance over n - 1",
    )

    @property
    def unbiased_standard_error(self) -> float | None:
        """The root of ``n/(n - 1)`` times the plug-in variance, which is unbiased; None for one respondent.

        With several devices too: the debiased responses are independent with one mean, so that
        ``sum (z_i - mean)^2/(n (n - 1))`` is unbiased whatever the variance of each is.
        """
        return self.standard_error * sqrt(self.n / (self.n - 1)) if self.n > 1 else None

    @property
    def guaranteed(self) -> str:
        """The kind of its guaranteed interval."""
        return "exact" if self.sample is not None else "hoeffding"


@dataclass(frozen=True, slots=True)
class Difference(Result):
    """The difference of a proportion between two groups, the first less the second.

    Attributes:
        first, second: names of the groups.
        estimate, standard_error: of the difference.
        interval: guaranteed, by itself.
        simultaneous: guaranteed, all differences of this share at once.
        normal: approximate, by itself.
        test: that it is 0.
        adjusted: Holm's p-value among all differences of this share.
    """

    first: str
    second: str
    estimate: Fraction
    standard_error: float
    interval: Ends
    simultaneous: Ends
    normal: Ends
    test: EqualityTest
    adjusted: float

    SAYS = says(first="group", second="less group", estimate="difference", standard_error="standard error")


@dataclass(frozen=True, slots=True)
class ShareComparison(Result):
    """One share in all groups.

    Attributes:
        name: the name of the proportion: its question, and its category where there are more than two.
        confidence: the confidence of the intervals.
        groups: the proportion in each.
        differences: of each pair; none where there are more than 5000.
        chi_squared: the statistic of the approximate test of equality, its degrees of freedom and its p-value; ``None``
            for one group, or where a group's answers are all equal.
        equality: the p-value of the exact test of equality; ``None`` where a difference has no exact test.
    """

    name: str
    confidence: Fraction
    groups: tuple[GroupShare, ...]
    differences: tuple[Difference, ...]
    chi_squared: tuple[float, int, float] | None
    equality: float | None

    SAYS = says(name="share", confidence="confidence", equality="p that all are equal, exact")


def compare_groups(
    name: str,
    groups: Mapping[str, Sequence[Answers]] | Mapping[str, SubsetAnswers],
    confidence: object = "0.95",
    *,
    categories: Sequence[str] | None = None,
    reference: Sequence[object] | None = None,
) -> tuple[ShareComparison, ...]:
    """Return the proportions of one question in all groups: of two categories the second alone, otherwise each.

    Args:
        name: the name of the question.
        groups: by name the answers of its respondents, by device; each to one question. Or those that are subsets.
        confidence: the confidence of the intervals.
        categories: their names.
        reference: of answers that are subsets: see ``subset_shares``.

    Raises:
        InvalidParameterError: answers to several questions, or to questions of different sizes.

    >>> from rropt.survey.questions.responses import answers_of_counts
    >>> from rropt.mechanisms import named_mechanism
    >>> device = named_mechanism("crosswise:1/4")
    >>> both = {"men": [answers_of_counts(device, [56, 99])], "women": [answers_of_counts(device, [56, 99])]}
    >>> (found,) = compare_groups("plagiarism", both)
    >>> print(found.groups[0].estimate, found.differences[0].estimate, found.differences[0].test.p)
    69/310 0 1.0
    """
    level = exact_confidence(confidence)
    known: _Known = {}
    by_group = [_shares(answers, reference, known) for answers in groups.values()]
    k = len(by_group[0]) if by_group else 0
    if any(len(shares) != k for shares in by_group) or not k:
        raise InvalidParameterError(
            f"the groups did not answer one question: received questions with {sorted(map(len, by_group))} "
            "categories; allowed is one, the same for all"
        )
    found = []
    for category in [1] if k == 2 else range(k):
        title = name if k == 2 else f"{name}: {category if categories is None else categories[category]}"
        found.append(_comparison(title, list(groups), [shares[category] for shares in by_group], level))
    return tuple(found)


_Known = dict[tuple[Mechanism, tuple[int, ...]], "list[_Share]"]  # by device and counts


def _shares(
    answers: Sequence[Answers] | SubsetAnswers, reference: Sequence[object] | None, known: _Known
) -> list[_Share]:
    """Return the proportion of each category in one group; groups with the same device and counts have the same
    object."""
    if isinstance(answers, SubsetAnswers):
        n = answers.n
        return [
            _Share(n, share.estimate, share.variance, float(share.range) ** 2 / n, share.sample)
            for share in subset_shares(answers, reference)
        ]
    if any(one.questions != 1 for one in answers):
        raise InvalidParameterError(
            f"the groups did not answer one question: received {[one.questions for one in answers]} questions; "
            "allowed is one, the same for all"
        )
    if len(answers) == 1:
        device, counts = answers[0].mechanism.factors[0], tuple(answers[0].histogram().tolist())
        if (device, counts) not in known:
            known[device, counts] = _of_device(device).shares(counts)
        return known[device, counts]
    table = estimate_cells(list(answers), exact=True)
    columns = zip(table.estimate, table.variances, squared_ranges(table), strict=True)
    return [_Share(table.n, Fraction(p), Fraction(v), float(square), None) for p, v, square in columns]


class _Category(NamedTuple):
    """A category under one device: the row a of the left inverse, its range, and the count that it rests on.

    The row is ``numerators/denominator``. The count is that of some answers; ``share_of`` it at the endpoints 0 and 1.
    """

    numerators: tuple[int, ...]
    denominator: int
    range: Fraction
    answers: tuple[int, ...]
    shares_of_ends: tuple[Fraction, Fraction] | None


@dataclass(frozen=True, slots=True)
class _Device:
    """A device, with the common parts of the estimates of all groups that used it."""

    categories: tuple[_Category, ...]

    def shares(self, counts: Sequence[int]) -> list[_Share]:
        """Return the proportion of each category: ``a . N/n``, its plug-in variance ``(a^2 . N/n - (a . N/n)^2)/n``."""
        n, found = sum(counts), []
        given = [(place, count) for place, count in enumerate(counts) if count]
        for numerators, below, length, answers, ends in self.categories:
            first = sum(numerators[place] * count for place, count in given)
            second = sum(numerators[place] ** 2 * count for place, count in given)
            sample = None if ends is None else Sample(n, sum(counts[answer] for answer in answers), *ends)
            variance = Fraction(second * n - first * first, n**3 * below * below)
            found.append(_Share(n, Fraction(first, n * below), variance, float(length) ** 2 / n, sample))
        return found


@lru_cache(maxsize=1024)
def _of_device(mechanism: Mechanism) -> _Device:
    rows = left_inverse(mechanism, reference_population(mechanism, None))
    return _Device(tuple(_category(mechanism, row, category) for category, row in enumerate(rows)))


def _category(mechanism: Mechanism, row: Sequence[Fraction], category: int) -> _Category:
    below = lcm(*(weight.denominator for weight in row))
    reduction = reduction_of(mechanism, row, unit(category, mechanism.inputs))
    ends = None
    if reduction is not None and reduction.slope:
        ends = reduction.share(Fraction(0)), reduction.share(Fraction(1))
    numerators = tuple(int(weight * below) for weight in row)
    return _Category(numerators, below, max(row) - min(row), () if reduction is None else reduction.answers, ends)


class _Share(NamedTuple):
    """One proportion in one group, before its intervals."""

    n: int
    estimate: Fraction
    variance: Fraction
    square: float  # of the lengths of the intervals in which the terms of the estimate lie, summed, over n^2
    sample: Sample | None

    def ends(self, kind: str, confidence: Fraction) -> Ends:
        """Return an interval."""
        if kind == "exact":
            assert self.sample is not None
            hits, low, high = self.sample.hits, self.sample.low, self.sample.high
            ends = interval_kind("exact").ends(hits, self.n, confidence)
            lower, upper = sorted((end - low) / (high - low) for end in ends)
            return _cut(nextafter(_cut(float(lower)), -1)), _cut(nextafter(_cut(float(upper)), 2))
        if kind == "hoeffding":
            half = sqrt(log(2 / float(1 - confidence)) / 2 * self.square)
        else:
            half = float(two_sided_quantile(confidence)[1]) * square_root(self.variance)
        return _cut(float(self.estimate) - half), _cut(float(self.estimate) + half)


def _cut(end: float) -> float:
    return min(max(end, 0.0), 1.0)


def _comparison(name: str, names: Sequence[str], shares: Sequence[_Share], confidence: Fraction) -> ShareComparison:
    each = 1 - (1 - confidence) / len(shares)
    groups, halved = [], {}
    made: dict[int, tuple[float, ReadOnlyMapping[str, Ends], ReadOnlyMapping[str, Ends]]] = {}
    compared = comb(len(shares), 2) <= _MOST_DIFFERENCES
    for group, share in zip(names, shares, strict=True):
        kinds = ("normal", "exact" if share.sample is not None else "hoeffding")
        if id(share) not in made:
            own, at_once = (
                ReadOnlyMapping({kind: share.ends(kind, level) for kind in kinds}) for level in (confidence, each)
            )
            made[id(share)] = square_root(share.variance), own, at_once
        groups.append(GroupShare(group, share.n, share.estimate, *made[id(share)], share.sample))
        if compared:
            halved[group] = share.ends(kinds[1], 1 - (1 - confidence) / 2)
    differences = _differences(groups, halved, confidence)
    tests = [difference.test for difference in differences]
    equality = None
    if tests and all(test.exact for test in tests):
        equality = min(1.0, len(tests) * min(test.p for test in tests))
    return ShareComparison(
        name,
        confidence,
        tuple(groups),
        differences,
        chi_squared([(share.n, share.estimate, share.variance, share.sample) for share in shares]),
        equality,
    )


def _differences(
    groups: Sequence[GroupShare], halved: Mapping[str, Ends], confidence: Fraction
) -> tuple[Difference, ...]:
    if comb(len(groups), 2) > _MOST_DIFFERENCES:
        return ()
    pairs = list(combinations(groups, 2))
    z = float(two_sided_quantile(confidence)[1])
    tests = _tests(groups)
    adjusted = holm([test.p for test in tests])
    found = []
    for (one, other), test, p in zip(pairs, tests, adjusted, strict=True):
        value = one.estimate - other.estimate
        error = sqrt(one.standard_error**2 + other.standard_error**2)
        own = _less(halved[one.group], halved[other.group])
        at_once = _less(one.simultaneous[one.guaranteed], other.simultaneous[other.guaranteed])
        normal = (max(float(value) - z * error, -1.0), min(float(value) + z * error, 1.0))
        found.append(Difference(one.group, other.group, value, error, own, at_once, normal, test, p))
    return tuple(found)


def _less(one: Ends, other: Ends) -> Ends:
    return one[0] - other[1], one[1] - other[0]


def _tests(groups: Sequence[GroupShare]) -> list[EqualityTest]:
    """Return the tests of all pairs, on the counts of both groups if there are any."""
    counted = iter(equality_tests([group.sample for group in groups if group.sample is not None]))
    found = []
    for one, other in combinations(groups, 2):
        if one.sample is not None and other.sample is not None:
            found.append(next(counted))
        else:
            error = sqrt(one.standard_error**2 + other.standard_error**2)
            found.append(normal_test(abs(float(one.estimate - other.estimate)) / error if error else 0.0))
    return found
