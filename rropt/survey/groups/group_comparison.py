"""Compare the groups of a survey: proportions, intervals (pointwise and simultaneous), differences and tests.

* Intervals. The guaranteed kind is ``exact`` (Clopper and Pearson) if the group used one device and its estimate is a
  function of a binomial count; otherwise it is ``hoeffding``. The ``normal`` interval is reported too, without a
  guarantee. The simultaneous intervals for one proportion in all G groups use Bonferroni: each has confidence
  ``1 - alpha/G``.
* Differences. Test and intervals of a difference come from one method, so an interval contains 0 if and only if the
  test does not reject. If the estimates of both groups are functions of binomial counts under one device, this is the
  score test and its inversion (``score_tests``), or on request the unconditional exact test and its inversion
  (``two_samples``), if the groups are small enough. Otherwise it is Wald's, with the plug-in standard error; a group
  whose plug-in standard error is 0, because its debiased responses are all equal, has no such test. Adjusted p-values
  and simultaneous intervals use Bonferroni.
* The test that all groups are equal is chi-squared, with the variances at the common prevalence where all groups have
  binomial counts under one device. For two groups it is the test of the difference. If every difference has an exact
  test, it is the smallest adjusted p-value of the differences, which is valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, inf, log, nextafter, sqrt

from rropt.answers.respondents import Answers
from rropt.core.errors import InvalidParameterError, one_of
from rropt.core.exact import exact_confidence
from rropt.core.exact.numbers import square_root
from rropt.core.mappings import ReadOnlyMapping
from rropt.inference.contingency_tables import estimate_cells
from rropt.inference.differences import (
    DIFFERENCE_TESTS,
    MOST_DIFFERENCES,
    Difference,
    Ends,
    Test,
    bonferroni,
    p_value,
    quantile,
)
from rropt.inference.distributions import two_sided_quantile
from rropt.inference.exact_tests import MOST_CELLS, BinomialSample, chi_squared, exact_tests
from rropt.inference.interval_kinds import interval_kind
from rropt.inference.score_tests import score_intervals, score_p_values, score_statistics
from rropt.inference.simultaneous import squared_ranges
from rropt.inference.subset_estimates import Share, SubsetAnswers, Weights, subset_shares
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.survey.groups.shares import GroupShare, ShareComparison


def compare_groups(
    name: str,
    groups: Mapping[str, Sequence[Answers]] | Mapping[str, SubsetAnswers],
    confidence: object = "0.95",
    *,
    categories: Sequence[str] | None = None,
    reference: Sequence[object] | None = None,
    test: str = "score",
) -> tuple[ShareComparison, ...]:
    """Compare the proportions of one question between groups.

    A question with two categories has one comparison, that of the second category. Otherwise every category has one.

    Args:
        name: the name of the question.
        groups: maps the name of a group to the responses of its members, by device. All are responses to one question.
            For mechanisms that output subsets, maps it to the group's ``SubsetAnswers``.
        confidence: the confidence of the intervals.
        categories: the names of the categories.
        reference: the reference distribution, only for responses that are subsets: see ``subset_shares``.
        test: the method of the differences of groups with one device: ``"score"`` or ``"exact"``.

    Raises:
        InvalidParameterError: the test is unknown, or the responses are to several questions or to questions of
            different sizes.

    >>> from rropt.answers.respondents import answers_of_counts
    >>> from rropt.mechanisms import named_mechanism
    >>> device = named_mechanism("crosswise:1/4")
    >>> both = {"men": [answers_of_counts(device, [56, 99])], "women": [answers_of_counts(device, [56, 99])]}
    >>> (found,) = compare_groups("plagiarism", both)
    >>> print(found.groups[0].estimate, found.differences[0].estimate, found.differences[0].p)
    69/310 0 1.0
    """
    level, method = exact_confidence(confidence), one_of(test, DIFFERENCE_TESTS, "`test`")
    known: dict[tuple[int, ...], Sequence[Share]] = {}  # groups that share their responses share their intervals
    by_group = []
    for answers in groups.values():
        key = (id(answers),) if isinstance(answers, SubsetAnswers) else tuple(map(id, answers))
        by_group.append(known.get(key) or known.setdefault(key, _shares(answers, reference)))
    k = len(by_group[0]) if by_group else 0
    if any(len(shares) != k for shares in by_group) or not k:
        raise InvalidParameterError(
            f"the groups did not answer one question: received questions with {sorted(map(len, by_group))} "
            "categories; allowed is one, the same for all"
        )
    found = []
    for category in [1] if k == 2 else range(k):
        title = name if k == 2 else f"{name}: {category if categories is None else categories[category]}"
        found.append(_comparison(title, list(groups), [shares[category] for shares in by_group], level, method))
    return tuple(found)


def _shares(answers: Sequence[Answers] | SubsetAnswers, reference: Sequence[object] | None) -> Sequence[Share]:
    """Return the proportion of each category in one group."""
    if isinstance(answers, SubsetAnswers):
        return subset_shares(answers, reference)
    if any(one.questions != 1 for one in answers):
        raise InvalidParameterError(
            f"the groups did not answer one question: received {[one.questions for one in answers]} questions; "
            "allowed is one, the same for all"
        )
    if len(answers) == 1:
        return _shares_of_device(answers[0].mechanism.factors[0], tuple(answers[0].histogram().tolist()))
    table = estimate_cells(list(answers), exact=True)
    columns = zip(table.estimate, table.variances, squared_ranges(table), strict=True)
    return [Share(table.n, Fraction(p), Fraction(v), float(square), None) for p, v, square in columns]


@lru_cache(maxsize=1024)
def _shares_of_device(mechanism: Mechanism, counts: tuple[int, ...]) -> tuple[Share, ...]:
    """Return the proportions of the categories; groups with equal counts share them, and so their intervals."""
    places, weights = _weights(mechanism)
    return tuple(each.share([counts[place] for place in places]) for each in weights)


@lru_cache(maxsize=1024)
def _weights(mechanism: Mechanism) -> tuple[list[int], list[Weights]]:
    """Return the outputs that the mechanism can give, and their weights for each category."""
    places = [place for place, row in enumerate(mechanism.matrix) if any(row)]
    inverse = left_inverse(mechanism, reference_population(mechanism, None))
    return places, [Weights.of([row[place] for place in places]) for row in inverse]


def _interval(share: Share, kind: str, confidence: Fraction) -> Ends:
    """Return the confidence interval of a kind (exact, hoeffding or normal), cut to [0, 1]."""
    if kind == "exact":
        assert share.sample is not None
        hits, low, high = share.sample.hits, share.sample.low, share.sample.high
        ends = interval_kind("exact").ends(hits, share.n, confidence)
        lower, upper = sorted((end - low) / (high - low) for end in ends)
        return (
            _within_unit_interval(nextafter(float(lower), -inf)),
            _within_unit_interval(nextafter(float(upper), inf)),
        )
    if kind == "hoeffding":
        half = sqrt(log(2 / float(1 - confidence)) / 2 * share.square)
    else:
        half = float(two_sided_quantile(confidence)[1]) * square_root(share.variance)
    return _within_unit_interval(float(share.estimate) - half), _within_unit_interval(float(share.estimate) + half)


def _within_unit_interval(end: float) -> float:
    return min(max(end, 0.0), 1.0)


def _comparison(
    name: str, names: Sequence[str], shares: Sequence[Share], confidence: Fraction, method: str
) -> ShareComparison:
    each = 1 - (1 - confidence) / len(shares)
    groups = []
    made: dict[int, tuple[float, ReadOnlyMapping[str, Ends], ReadOnlyMapping[str, Ends]]] = {}
    for group, share in zip(names, shares, strict=True):
        kinds = ("normal", "exact" if share.sample is not None else "hoeffding")
        if id(share) not in made:
            own, at_once = (
                ReadOnlyMapping({kind: _interval(share, kind, level) for kind in kinds}) for level in (confidence, each)
            )
            made[id(share)] = square_root(share.variance), own, at_once
        groups.append(GroupShare(group, share.n, share.estimate, *made[id(share)], share.sample))
    differences = _differences(groups, confidence, method) if comb(len(groups), 2) <= MOST_DIFFERENCES else ()
    is_exact = bool(differences) and all(each.method == "exact" for each in differences)
    return ShareComparison(
        name,
        confidence,
        tuple(groups),
        differences,
        None if is_exact else _equality(shares, differences),
        min(one.adjusted for one in differences) if is_exact else None,
    )


def _differences(groups: Sequence[GroupShare], confidence: Fraction, method: str) -> tuple[Difference, ...]:
    """Return the differences of all pairs of groups, each with the test and the intervals of one method."""
    pairs = list(combinations(groups, 2))
    levels = confidence, 1 - (1 - confidence) / max(len(pairs), 1)
    methods = [_method(one.sample, other.sample, method) for one, other in pairs]
    results: dict[int, tuple[float, Ends | None, Ends | None]] = {}
    for kind, test in (("score", _score), ("exact", _exact)):
        places = [place for place, own in enumerate(methods) if own == kind]
        samples = [(one.sample, other.sample) for one, other in (pairs[place] for place in places)]
        results |= zip(places, test(samples, levels), strict=True)  # type: ignore[arg-type]
    found = []
    for place, (one, other) in enumerate(pairs):
        value, error = one.estimate - other.estimate, sqrt(one.standard_error**2 + other.standard_error**2)
        is_measured = one.standard_error > 0 and other.standard_error > 0
        wald = _wald(float(value), error, levels) if is_measured else (1.0, None, None)
        p, own, at_once = results.get(place, wald)
        found.append(Difference(one.group, other.group, value, error, methods[place], own, at_once, p, p))
    adjusted = bonferroni([each.p for each in found]).tolist()
    return tuple(replace(each, adjusted=p) for each, p in zip(found, adjusted, strict=True))


def _method(first: BinomialSample | None, second: BinomialSample | None, asked: str) -> str:
    """Return the method of a difference: that which is asked for, or another one if it does not apply."""
    if first is None or second is None or (first.low, first.high) != (second.low, second.high):
        return "Wald"
    return "score" if first.n * second.n > MOST_CELLS else asked


_Levels = tuple[Fraction, Fraction]
_Tested = tuple[float, Ends | None, Ends | None]  # the p-value, the interval and the simultaneous one


def _score(pairs: Sequence[tuple[BinomialSample, BinomialSample]], levels: _Levels) -> Iterator[_Tested]:
    own, at_once = (score_intervals(pairs, level) for level in levels)
    yield from zip(score_p_values(pairs), own, at_once, strict=True)


def _exact(pairs: Sequence[tuple[BinomialSample, BinomialSample]], levels: _Levels) -> Iterator[_Tested]:
    own = exact_tests(pairs, levels[0])
    at_once = own if levels[0] == levels[1] else exact_tests(pairs, levels[1])
    yield from ((one.p, one.interval, other.interval) for one, other in zip(own, at_once, strict=True))


def _wald(value: float, error: float, levels: _Levels) -> _Tested:
    own, at_once = ((value - half, value + half) for half in (quantile(level) * error for level in levels))
    return p_value(value / error), own, at_once


def _equality(shares: Sequence[Share], differences: Sequence[Difference]) -> Test | None:
    """Return the approximate test that all groups are equal; for two groups, that of their difference."""
    samples = [share.sample for share in shares]
    devices = {None if sample is None else (sample.low, sample.high) for sample in samples}
    has_one_device = len(devices) == 1 and None not in devices
    if len(shares) == 2 and has_one_device:
        (z,) = score_statistics([(samples[0], samples[1])])  # type: ignore[list-item]
        return Test.of("all equal", float(z) ** 2, 1)
    return chi_squared([(s.n, s.estimate, s.variance, s.sample if has_one_device else None) for s in shares])
