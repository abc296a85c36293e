"""Compare the groups of a survey: proportions, intervals (pointwise and simultaneous), differences and tests.

* Intervals. The guaranteed kind is ``exact`` (Clopper and Pearson) if the group used one device and its estimate is a
  function of a binomial count; otherwise it is ``hoeffding``. The ``normal`` interval is reported too, without a
  guarantee. The simultaneous intervals for one proportion in all G groups use Bonferroni: each has confidence
  ``1 - alpha/G``.
* Differences. From two guaranteed intervals at confidence ``1 - alpha/2``, the guaranteed interval of the difference is
  ``[L_1 - U_2, U_1 - L_2]``. The simultaneous intervals of all differences follow in the same way from the simultaneous
  intervals of the groups. They are valid on the same event, so they need no further correction.
* Tests of one difference. If both groups have a binomial count and are small enough, the test is the unconditional
  exact test (``two_samples``); otherwise it is the normal test. Holm's method adjusts the p-values of the differences.
* Tests of equality in all groups. The chi-squared test is approximate. If every difference has an exact test, the
  smallest of these p-values with Bonferroni's correction is a valid p-value of equality.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, inf, log, nextafter, sqrt

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import exact_confidence
from rropt.core.exact.numbers import square_root
from rropt.core.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.survey.estimates.distributions import two_sided_quantile
from rropt.survey.estimates.interval_kinds import interval_kind
from rropt.survey.groups.differences import MOST_DIFFERENCES, Difference, Ends, holm
from rropt.survey.groups.shares import GroupShare, ShareComparison
from rropt.survey.groups.subsets import Share, SubsetAnswers, Weights, subset_shares
from rropt.survey.groups.two_samples import chi_squared, equality_tests, normal_test
from rropt.survey.questions.responses import Answers
from rropt.survey.questions.simultaneous import squared_ranges
from rropt.survey.questions.tables import estimate_cells


def compare_groups(
    name: str,
    groups: Mapping[str, Sequence[Answers]] | Mapping[str, SubsetAnswers],
    confidence: object = "0.95",
    *,
    categories: Sequence[str] | None = None,
    reference: Sequence[object] | None = None,
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

    Raises:
        InvalidParameterError: the responses are to several questions, or to questions of different sizes.

    >>> from rropt.survey.questions.responses import answers_of_counts
    >>> from rropt.mechanisms import named_mechanism
    >>> device = named_mechanism("crosswise:1/4")
    >>> both = {"men": [answers_of_counts(device, [56, 99])], "women": [answers_of_counts(device, [56, 99])]}
    >>> (found,) = compare_groups("plagiarism", both)
    >>> print(found.groups[0].estimate, found.differences[0].estimate, found.differences[0].p)
    69/310 0 1.0
    """
    level = exact_confidence(confidence)
    by_group = [_shares(answers, reference) for answers in groups.values()]
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


def _comparison(name: str, names: Sequence[str], shares: Sequence[Share], confidence: Fraction) -> ShareComparison:
    each = 1 - (1 - confidence) / len(shares)
    groups, halved = [], {}
    made: dict[int, tuple[float, ReadOnlyMapping[str, Ends], ReadOnlyMapping[str, Ends]]] = {}
    compared = comb(len(shares), 2) <= MOST_DIFFERENCES
    for group, share in zip(names, shares, strict=True):
        kinds = ("normal", "exact" if share.sample is not None else "hoeffding")
        if id(share) not in made:
            own, at_once = (
                ReadOnlyMapping({kind: _interval(share, kind, level) for kind in kinds}) for level in (confidence, each)
            )
            made[id(share)] = square_root(share.variance), own, at_once
        groups.append(GroupShare(group, share.n, share.estimate, *made[id(share)], share.sample))
        if compared:
            halved[group] = _interval(share, kinds[1], 1 - (1 - confidence) / 2)
    differences = _differences(groups, halved) if compared else ()
    equality = None
    if differences and all(each.exact for each in differences):
        equality = min(1.0, len(differences) * min(each.p for each in differences))
    return ShareComparison(
        name,
        confidence,
        tuple(groups),
        differences,
        chi_squared([(share.n, share.estimate, share.variance, share.sample) for share in shares]),
        equality,
    )


def _differences(groups: Sequence[GroupShare], halved: Mapping[str, Ends]) -> tuple[Difference, ...]:
    exact = iter(equality_tests([group.sample for group in groups if group.sample is not None]))
    found = []
    for one, other in combinations(groups, 2):
        value = one.estimate - other.estimate
        error = sqrt(one.standard_error**2 + other.standard_error**2)
        if one.sample is not None and other.sample is not None:
            test = next(exact)
        else:
            test = normal_test(abs(float(value)) / error if error else 0.0)
        own = _difference_of_ends(halved[one.group], halved[other.group])
        at_once = _difference_of_ends(
            one.simultaneous[one.recommended_kind], other.simultaneous[other.recommended_kind]
        )
        found.append(Difference(one.group, other.group, value, error, own, at_once, test.p, test.exact, test.p))
    adjusted = holm([each.p for each in found]).tolist()
    return tuple(replace(each, adjusted=p) for each, p in zip(found, adjusted, strict=True))


def _difference_of_ends(one: Ends, other: Ends) -> Ends:
    return one[0] - other[1], one[1] - other[0]
