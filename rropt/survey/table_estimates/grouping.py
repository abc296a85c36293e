"""Estimates of each question in each group, from counted respondents without weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rropt.answers.respondents import Answers, answers_of_counts
from rropt.answers.response_codes import MISSING
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.visible import with_noun
from rropt.inference.subset_estimates import SubsetAnswers
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.subsets import Subsets
from rropt.survey.groups.group_comparison import compare_groups
from rropt.survey.groups.shares import ShareComparison
from rropt.survey.respondents.counted import Counted
from rropt.survey.respondents.respondent_kinds import RespondentKinds
from rropt.survey.table_estimates.group_estimates import GroupEstimates, counted_text, counted_texts


def estimates_of_groups(counted: Counted, level: Fraction, test: str, *, is_stated: bool) -> GroupEstimates:
    """Return the estimates of all questions in all groups.

    Args:
        counted: the respondents.
        level: the confidence of the intervals.
        test: the test of the differences.
        is_stated: whether the caller states the test, which does not exist for every device.
    """
    shares: list[ShareComparison] = []
    for question, (title, kinds) in enumerate(zip(counted.titles, counted.by_question, strict=True)):
        kinds.require_groups(counted.titles, counted.by, [question])
        groups = _groups(kinds, counted.known, question)
        shares += compare_groups(title, groups, level, categories=counted.names_of(question), test=test)
    if is_stated and {one.method for share in shares for one in share.differences} == {"Wald"}:
        raise InvalidParameterError(
            f"`test` is for groups that used one device, and proportions that follow from one count: received "
            f"{shown(test)}, where all differences have the Wald test; leave it out"
        )
    told = counted_texts(counted)
    return GroupEstimates(counted.reading, counted.by, level, counted.mechanisms, tuple(shares), told)


def require_sets_fit(subsets: Subsets, titles: Sequence[str], labels: Sequence[Sequence[str] | None]) -> None:
    """Raise an error for several questions, or a wrong number of categories, of responses that are subsets."""
    k = subsets.mechanism.inputs
    if len(titles) != 1 or len(labels[0] or range(k)) != k:
        raise InvalidParameterError(
            f"the columns or categories do not fit the mechanism: received {with_noun(len(titles), 'column')} and "
            f"{len(labels[0] or range(k))} categories; allowed are one, and {k}, each answer a subset of them"
        )


def estimates_of_subsets(
    counted: Counted, subsets: Subsets, level: Fraction, reference: Sequence[object] | None, test: str
) -> GroupEstimates:
    """Return the estimates of one question whose responses are subsets of the categories, in all groups."""
    (kinds,), (title,), (names,) = counted.kinds, counted.titles, counted.labels
    kinds.require_groups(counted.titles, counted.by, [0])
    groups = {}
    for group, _, own in kinds.by_cell(kinds.codes[0] != MISSING):
        given: dict[tuple[int, ...], int] = {}
        for code, number in zip(kinds.codes[0][own].tolist(), kinds.columns["n"][own].tolist(), strict=True):
            given[counted.subsets[code]] = given.get(counted.subsets[code], 0) + int(number)
        groups[group] = SubsetAnswers.of(subsets, given)
    options: dict[str, Any] = {"categories": names, "reference": reference, "test": test}
    shares = compare_groups(title, groups, level, **options)
    told = (counted_text(title, names, subsets.mechanism.inputs),)
    return GroupEstimates(counted.reading, counted.by, level, (subsets.mechanism,), shares, told)


def _groups(kinds: RespondentKinds, known: Mapping[str, Mechanism], question: int) -> dict[str, list[Answers]]:
    """Return the responses to a question, by group and device."""
    groups = kinds.counts(question, known)
    products: dict[int, ProductMechanism] = {}  # by device, which is slow to hash
    made: dict[tuple[int, bytes], Answers] = {}  # groups with equal counts share them, and so their estimates
    found: dict[str, list[Answers]] = {}
    for group, devices in groups.items():
        found[group] = own = []
        for device, counts in devices:
            product = products.get(id(device)) or products.setdefault(id(device), ProductMechanism([device]))
            key = id(device), counts.tobytes()
            own.append(made.get(key) or made.setdefault(key, answers_of_counts(product, counts)))
    return found
