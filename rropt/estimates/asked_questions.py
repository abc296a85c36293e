"""Estimates from random questions: each respondent answered j of N yes/no questions; blanks are not asked.

Each question, or each set of at most j questions, is estimated from the respondents who were asked it. Given the sets
that were drawn, they are a simple random sample, and their reports are randomized response on the cells of the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.answers.respondents import answers_of_counts
from rropt.answers.response_codes import MISSING
from rropt.answers.table_reports import ColumnRead, TableReading
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact.numbers import whole_where
from rropt.core.visible import with_noun
from rropt.estimates.counted import Counted
from rropt.estimates.estimate_remarks import share_remarks
from rropt.estimates.estimate_rows import cell_names
from rropt.estimates.estimated import Estimates
from rropt.estimates.question_estimates import QuestionsTable, rows_of_tables
from rropt.inference.contingency_tables import TableEstimate, estimate_cells
from rropt.mechanisms import ProductMechanism, RandomQuestions

if TYPE_CHECKING:
    from rropt.inference.linearization import Ints

_MOST_TABLES = 10_000


def estimate_random_questions(
    counted: Counted,
    mechanism: RandomQuestions,
    *,
    marginals: int | None = None,
    confidence: Fraction,
) -> tuple[Estimates, TableReading]:
    """Return the estimates of all questions, or of all sets of some of them, and the report on the table.

    Args:
        counted: the respondents, counted by all questions.
        mechanism: the random questions.
        marginals: the number of questions of each table, at most j; by default 1.
        confidence: the confidence of the intervals.

    Raises:
        FileFormatError: a respondent answered more than j questions.
        InvalidParameterError: the questions of a table are never asked together, or nobody was asked one.
        UnsupportedProblemError: there are too many tables.
    """
    order = 1 if marginals is None else whole_where(marginals, 1, mechanism.asked, name="`marginals`")
    tables = comb(mechanism.questions, order)
    if tables > _MOST_TABLES:
        raise UnsupportedProblemError(
            f"there are too many tables of {order} questions: received {tables}; allowed are {_MOST_TABLES}; ask for "
            "tables of fewer questions"
        )
    questions = range(mechanism.questions)
    (kinds,) = counted.kinds
    codes = np.stack([kinds.codes[question] for question in questions], axis=1)
    n = kinds.columns["n"].astype(np.int64)
    answered = (codes != MISSING).sum(axis=1)
    if (most := int(answered.max(initial=0))) > mechanism.asked:
        many = int(n[answered > mechanism.asked].sum())
        raise FileFormatError(
            f"respondents answered more questions than they were asked: received {with_noun(most, 'answer')} of one, "
            f"and {many} with more than {mechanism.asked}; the mechanism asks {mechanism.asked} of "
            f"{mechanism.questions}; check the mechanism, and leave blank what is not asked"
        )
    whole = answered == mechanism.asked
    if not whole.any():
        raise FileFormatError(
            f"no respondent answered all questions that they were asked: received at most {with_noun(most, 'answer')} "
            f"of one, and the mechanism asks {mechanism.asked} of {with_noun(mechanism.questions, 'question')}; check "
            "the mechanism, and the texts for missing answers"
        )
    gaps = int(n[~whole].sum())
    reading = counted.reading
    found = [
        _table(mechanism, codes[whole], n[whole], chosen, counted.titles) for chosen in combinations(questions, order)
    ]
    estimate = _made(mechanism, found, int(n[whole].sum()), gaps, confidence, counted)
    return estimate, replace(reading, left_out=gaps, columns=_asked_of(reading, codes[whole], n[whole]))


def _asked_of(reading: TableReading, codes: Ints, n: Ints) -> tuple[ColumnRead, ...]:
    """Return the number of answers to each question; blanks of questions that were not asked are not missing."""
    answers = ((codes != MISSING) * n[:, None]).sum(axis=0)
    return tuple(ColumnRead(one.column, int(number), 0) for one, number in zip(reading.questions, answers, strict=True))


def _table(
    mechanism: RandomQuestions, codes: Ints, n: Ints, chosen: Sequence[int], titles: Sequence[str]
) -> tuple[Sequence[int], TableEstimate]:
    """Return the estimate of the cells of some questions, from those who were asked all of them."""
    own = codes[:, chosen]
    whole = (own != MISSING).all(axis=1)
    counts = np.zeros(1 << len(chosen), np.int64)
    np.add.at(counts, own[whole] @ (1 << np.arange(len(chosen))), n[whole])
    if not counts.any():
        raise InvalidParameterError(
            f"nobody was asked {shown(' and '.join(titles[question] for question in chosen))}: received no answer; "
            "more respondents, or tables of fewer questions, have one"
        )
    device = ProductMechanism([mechanism.together(len(chosen))])
    return chosen, estimate_cells(answers_of_counts(device, counts))


def _made(
    mechanism: RandomQuestions,
    found: Sequence[tuple[Sequence[int], TableEstimate]],
    n: int,
    excluded: int,
    confidence: Fraction,
    counted: Counted,
) -> Estimates:
    """Return the result of random questions."""
    named = [("0", "1") if names is None else tuple(names) for names in counted.labels]
    order = len(found[0][0])
    rows = rows_of_tables(
        [
            QuestionsTable(
                ", ".join(counted.titles[question] for question in chosen),
                cell_names([named[question] for question in chosen]),
                table,
            )
            for chosen, table in found
        ]
    )
    numbers = [table.n for _, table in found]
    asks = "each question was" if order == 1 else f"each {order} questions were"
    remarks = [f"{asks} asked of {min(numbers)} to {max(numbers)} of the {n} respondents; blanks are not asked"]
    remarks += share_remarks(rows, confidence)
    if excluded:
        were = "was" if excluded == 1 else "were"
        remarks.append(
            f"{with_noun(excluded, 'respondent')} who answered fewer than {mechanism.asked} {were} left out: the "
            "estimates are biased if whether people answer depends on their answers"
        )
    texts = tuple(counted.titles), (), ""
    more: dict[str, Any] = {"confidence": confidence, "mechanisms": (mechanism,)}
    return Estimates("proportions", tuple(rows), *texts, remarks_=tuple(remarks), **more)
