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
from typing import TYPE_CHECKING

import numpy as np

from rropt.answers.respondents import answers_of_counts
from rropt.answers.response_codes import MISSING
from rropt.answers.table_reports import QuestionRead, TableReading
from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact.numbers import whole_where
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.visible import with_noun
from rropt.estimates.counted import Counted
from rropt.estimates.several_questions import (
    INTERVAL_KINDS,
    RECOMMENDED,
    QuestionsDevice,
    QuestionsEstimate,
    QuestionsTable,
)
from rropt.inference.contingency_tables import TableEstimate, estimate_cells
from rropt.inference.interval_kinds import empty_remark
from rropt.inference.simultaneous import simultaneous_intervals
from rropt.mechanisms import ProductMechanism, RandomQuestions
from rropt.mechanisms.levels_of_questions import QuestionLevels
from rropt.mechanisms.question_selection import product_of

if TYPE_CHECKING:
    from rropt.inference.linearization import Ints

_MOST_TABLES = 10_000
_LISTED = 64  # levels of differing questions


def estimate_random_questions(
    counted: Counted,
    mechanism: RandomQuestions,
    *,
    marginals: int | None = None,
    confidence: Fraction,
    all_intervals: bool = False,
) -> tuple[QuestionsEstimate, TableReading]:
    """Return the estimates of all questions, or of all sets of some of them, and the report on the table.

    Args:
        counted: the respondents, counted by all questions.
        mechanism: the random questions.
        marginals: the number of questions of each table, at most j; by default 1.
        confidence: the confidence of the intervals, for all cells of all tables at once.
        all_intervals: whether to print the intervals of every kind or only the recommended one.

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
    estimate = _printed(mechanism, found, int(n[whole].sum()), gaps, order, confidence, counted, all_intervals)
    return estimate, replace(reading, left_out=gaps, gaps=(), questions=_asked_of(reading, codes[whole], n[whole]))


def _asked_of(reading: TableReading, codes: Ints, n: Ints) -> tuple[QuestionRead, ...]:
    """Return the number of answers to each question; blanks of questions that were not asked are not missing."""
    answers = ((codes != MISSING) * n[:, None]).sum(axis=0)
    return tuple(
        replace(one, answered=int(number), missing=0) for one, number in zip(reading.questions, answers, strict=True)
    )


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


def _printed(
    mechanism: RandomQuestions,
    found: Sequence[tuple[Sequence[int], TableEstimate]],
    n: int,
    excluded: int,
    order: int,
    confidence: Fraction,
    counted: Counted,
    all_intervals: bool,
) -> QuestionsEstimate:
    intervals = {
        kind: simultaneous_intervals([one for _, one in found], confidence, kind=kind) for kind in INTERVAL_KINDS
    }
    named = [() if names is None else tuple(names) for names in counted.labels]
    tables = tuple(
        QuestionsTable(
            questions=tuple(chosen),
            sizes=(2,) * order,
            estimate=table.estimate,
            constrained_estimate=None,
            standard_error=table.standard_errors,
            intervals=ReadOnlyMapping({kind: own.cut(i) for kind, own in intervals.items()}),
            titles=tuple(counted.titles[question] for question in chosen),
            categories=tuple(named[question] for question in chosen),
        )
        for i, (chosen, table) in enumerate(found)
    )
    numbers = [table.n for _, table in found]
    asks = "each question was" if order == 1 else f"each {order} questions were"
    remarks = [f"{asks} asked of {min(numbers)} to {max(numbers)} of the {n} respondents; blanks are not asked"]
    remarks += [text for _, table in found for text in table.remarks()]
    for kind in [RECOMMENDED, *[each for each in INTERVAL_KINDS if each != RECOMMENDED][: int(all_intervals)]]:
        remarks += empty_remark([name for table in tables for name in table.empty(kind)], kind)
    if excluded:
        were = "was" if excluded == 1 else "were"
        remarks.append(
            f"{with_noun(excluded, 'respondent')} who answered fewer than {mechanism.asked} {were} left out: the "
            "estimates are biased if whether people answer depends on their answers"
        )
    level = mechanism.epsilon
    differing = (level,) * min(mechanism.questions, _LISTED)
    levels = QuestionLevels(level, (level,) * mechanism.questions, level, differing)
    return QuestionsEstimate(
        n=n,
        excluded=excluded,
        devices=(QuestionsDevice(mechanism.name, mechanism.in_words(), levels, n),),
        condition=product_of(mechanism.together(order)).condition(),
        likelihood_gap=None,
        confidence=confidence,
        marginals=order,
        guarantees=ReadOnlyMapping({kind: own.guarantee for kind, own in intervals.items()}),
        tables=tables,
        remarks=tuple(dict.fromkeys(remarks)),
        all_intervals=all_intervals,
    )
