"""Weighted proportions from tables: of the categories of a question, or of the cells of several, by group."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, prod

import numpy as np

from rropt.answers.response_codes import MISSING
from rropt.answers.scores import category_scores
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.estimates.counted import Counted
from rropt.estimates.counted_respondents import estimates_of, respondents_of
from rropt.estimates.estimate_remarks import missing_remark, share_remarks
from rropt.estimates.estimate_rows import cell_names, share_head
from rropt.estimates.estimated import Estimate, Estimates

MOST_CELLS = 4096  # the largest number of cells of a table of several questions
_MOST_TABLES = 2000


def sets_of_questions(titles: Sequence[str], marginals: object) -> list[tuple[int, ...]]:
    """Return the questions of each table of a weighted survey."""
    if type(marginals) is not int or not 1 <= marginals <= len(titles) or comb(len(titles), marginals) > _MOST_TABLES:
        raise InvalidParameterError(
            f"the marginals do not fit: received tables of {shown(marginals)} of {len(titles)} questions; allowed are "
            f"1 to {len(titles)}, and at most {_MOST_TABLES} tables"
        )
    return list(combinations(range(len(titles)), marginals))


def weighted_estimates(counted: Counted, confidence: Fraction) -> Estimates:
    """Estimate the proportions of each question, or of each table of several questions, in each group."""
    sets = [tuple(kinds.codes) for kinds in counted.kinds]
    rows: list[Estimate] = []
    overall: list[Estimate] = []
    for place, questions in enumerate(sets):
        own, all_together = _of_set(counted, place, questions, are_several=len(sets) > 1)
        rows += own
        overall += all_together
    known, missing = counted.samples[0][1].remarks, sum(counted.missing)

    def remarks() -> tuple[str, ...]:
        return (*known, *share_remarks(rows, confidence), *missing_remark(missing, is_domain=True))

    return estimates_of(counted, "proportions", rows, overall, remarks, confidence)


def _of_set(
    counted: Counted, place: int, questions: tuple[int, ...], *, are_several: bool
) -> tuple[list[Estimate], tuple[Estimate, ...]]:
    """Return the proportions of a question, or of a table of several, in each group and in all groups together."""
    kinds = counted.kinds[place]
    kinds.require_groups(counted.titles, counted.by, questions)
    devices = [[counted.known[name].factors[question] for question in questions] for name in kinds.devices]
    cells = prod(device.inputs for device in devices[0])
    if cells > MOST_CELLS:
        raise UnsupportedProblemError(
            f"a table has too many cells: received {cells}; at most {MOST_CELLS} are estimated with weights; ask for "
            "marginals of fewer questions"
        )
    codes = [np.where(kinds.codes[question] == MISSING, -1, kinds.codes[question]) for question in questions]
    listed = [counted.names_of(q) or tuple(map(str, range(counted.factors[q].inputs))) for q in questions]
    scores = category_scores(cell_names(listed), devices, kinds.device, codes)
    columns = (1,) if len(scores.names) == 2 and len(questions) == 1 else tuple(range(len(scores.names)))
    title = ", ".join(counted.titles[q] for q in questions)
    head = share_head(title, scores.names, columns, are_several=are_several)
    respondents = respondents_of(counted, place, scores.at >= 0)
    return respondents.estimates_with_overall(scores, columns, "proportion", head)
