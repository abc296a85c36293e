"""Proportions of each question in each group, from counted respondents without weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from rropt.answers.data_columns import Ints
from rropt.answers.respondent_kinds import RespondentKinds
from rropt.answers.response_codes import MISSING
from rropt.answers.scores import category_scores
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.visible import with_noun
from rropt.estimates.counted import Counted
from rropt.estimates.counted_respondents import estimates_of, respondents_of
from rropt.estimates.estimate_remarks import missing_remark, share_remarks
from rropt.estimates.estimate_rows import share_head
from rropt.estimates.estimated import Estimate, Estimates
from rropt.inference.subset_estimates import GivenSets
from rropt.mechanisms import Mechanism
from rropt.mechanisms.subsets import Subsets


def proportions_of_groups(counted: Counted, level: Fraction, test: str, *, is_stated: bool) -> Estimates:
    """Return the proportions of the categories of each question in each group; of two categories that of the second.

    Args:
        counted: the respondents.
        level: the confidence of the intervals.
        test: the test of the differences.
        is_stated: whether the caller states the test, which does not exist for every device.
    """
    rows: list[Estimate] = []
    overall: list[Estimate] = []
    for question, kinds in enumerate(counted.by_question):
        kinds.require_groups(counted.titles, counted.by, [question])
        devices, device = _different_devices(counted, kinds, question)
        codes = np.where(kinds.codes[question] == MISSING, -1, kinds.codes[question])
        names = _names(counted, question)
        scores = category_scores(names, [[one] for one in devices], device, [codes])
        columns = (1,) if len(names) == 2 else tuple(range(len(names)))
        head = share_head(counted.titles[question], names, columns, are_several=len(counted.titles) > 1)
        place = next(place for place, one in enumerate(counted.kinds) if one is kinds)
        respondents = respondents_of(counted, place, scores.at >= 0)
        own, together = respondents.estimates_with_overall(scores, columns, "proportion", head)
        rows, overall = rows + own, [*overall, *together]
    found = _made(counted, rows, overall, level, test)
    if is_stated and {one.method for each in found.compared() for one in each.differences} == {"Wald"}:
        raise InvalidParameterError(
            f"`test` is for groups that used one device, and proportions that follow from one count: received "
            f"{shown(test)}, where all differences have the Wald test; leave it out"
        )
    return found


def require_sets_fit(subsets: Subsets, titles: Sequence[str], labels: Sequence[Sequence[str] | None]) -> None:
    """Raise an error for several questions, or a wrong number of categories, of responses that are subsets."""
    k = subsets.mechanism.inputs
    if len(titles) != 1 or len(labels[0] or range(k)) != k:
        raise InvalidParameterError(
            f"the columns or categories do not fit the mechanism: received {with_noun(len(titles), 'column')} and "
            f"{len(labels[0] or range(k))} categories; allowed are one, and {k}, each answer a subset of them"
        )


def proportions_of_sets(
    counted: Counted, subsets: Subsets, level: Fraction, reference: Sequence[object] | None, test: str
) -> Estimates:
    """Return the proportions of the categories of a question whose responses are sets of them, in each group."""
    (kinds,), (title,), (labels,) = counted.kinds, counted.titles, counted.labels
    kinds.require_groups(counted.titles, counted.by, [0])
    codes = np.where(kinds.codes[0] == MISSING, -1, kinds.codes[0])
    names = labels or tuple(map(str, range(subsets.mechanism.inputs)))
    sets, columns = [counted.subsets[code] for code in range(len(counted.subsets))], tuple(range(len(names)))
    given = GivenSets(subsets, sets, codes)
    head = share_head(title, names, columns, are_several=False)
    rows, overall = respondents_of(counted, 0, codes >= 0).with_overall(
        lambda whom: whom.set_estimates(given, columns, head, reference)
    )
    return _made(counted, rows, overall, level, test)


def _names(counted: Counted, question: int) -> tuple[str, ...]:
    return counted.names_of(question) or tuple(map(str, range(counted.factors[question].inputs)))


def _different_devices(counted: Counted, kinds: RespondentKinds, question: int) -> tuple[list[Mechanism], Ints]:
    """Return the different devices of a question, and the number of the device of each kind of respondents."""
    numbers: dict[Mechanism, int] = {}
    of_name = [numbers.setdefault(counted.known[name].factors[question], len(numbers)) for name in kinds.devices]
    return list(numbers), np.array(of_name)[kinds.device]


def _made(
    counted: Counted, rows: Sequence[Estimate], overall: Sequence[Estimate], level: Fraction, test: str
) -> Estimates:
    missing = sum(counted.missing)
    found = estimates_of(
        counted, "proportions", rows, overall, lambda: (*share_remarks(rows, level), *missing_remark(missing)), level
    )
    return replace(found, difference_test=test)
