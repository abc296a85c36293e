"""Estimates of several questions at once: their joint distribution, or all tables of some of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.answers.respondents import Answers, groups_of
from rropt.core.errors import InvalidParameterError, names_of
from rropt.core.exact import exact_confidence
from rropt.estimates.counted_estimates import count_rows
from rropt.estimates.estimate_bases import TablesBasis
from rropt.estimates.estimate_remarks import share_remarks
from rropt.estimates.estimate_rows import cell_names
from rropt.estimates.estimated import Estimate, Estimates
from rropt.estimates.late_texts import LateTexts
from rropt.inference.contingency_tables import Cells, TableEstimate, estimate_cells, estimate_marginals, excluded_remark
from rropt.inference.count_estimates import estimate_of_counts
from rropt.inference.joint_likelihood import MAX_LIKELY_CELLS, Likelihood, estimate_joint
from rropt.mechanisms import Mechanism

_SEARCHED = 1 << 12  # up to this many cells, marginals have maximum likelihood estimates from the joint distribution


class QuestionsTable(NamedTuple):
    """The table of some questions.

    Attributes:
        question: the names of the questions.
        cells: the names of the cells.
        table: the unbiased estimate.
        likely: the maximum likelihood estimate of each cell; ``None`` if it is not computed.
    """

    question: str
    cells: Sequence[str]
    table: TableEstimate
    likely: Cells | None = None


def rows_of_tables(found: Sequence[QuestionsTable]) -> list[Estimate]:
    """Return the estimates of the cells of all tables; of a yes/no question by itself that of the second category.

    Args:
        found: the tables.
    """
    joint = TablesBasis(tuple(one.table for one in found if not _is_counted(one.table)))
    rows: list[Estimate] = []
    start, are_several = 0, len(found) > 1
    for one in found:
        table = one.table
        if _is_counted(table):
            ((group,), (question,)) = table.groups, table.questions
            counts = tuple(map(int, group.histogram((question,))))
            counted = estimate_of_counts(group.mechanism.factors[question], counts, None)
            rows += count_rows(counted, one.question, is_one_of_several=are_several, likely=one.likely)
            continue
        errors, is_yes_no = table.standard_errors.tolist(), len(table.sizes) == 1 and len(one.cells) == 2
        for cell in (1,) if is_yes_no else range(len(one.cells)):
            name = one.cells[cell]
            full = one.question if is_yes_no else f"{one.question}: {name}"
            value = table.estimate[cell]
            more: dict[str, Any] = {"basis": joint, "place": start + cell}
            more["most_likely"] = None if one.likely is None else one.likely[cell]
            exact = value if isinstance(value, Fraction) else float(value)
            rows.append(
                Estimate(full if are_several else name, exact, errors[cell], table.n, one.question, name, **more)
            )
        start += len(one.cells)
    return rows


def _is_counted(table: TableEstimate) -> bool:
    """Return whether a table is of one question and one device, whose estimates follow from its counts."""
    return len(table.questions) == 1 and len(table.groups) == 1


def names_of_cells(devices: Sequence[Mechanism]) -> list[str]:
    """Return the names of the cells of a table of questions, from the categories of their devices."""
    return cell_names([one.categories or tuple(map(str, range(one.inputs))) for one in devices])


def estimate_questions(
    answers: Answers | Sequence[Answers],
    *,
    marginals: int | None = None,
    confidence: object = Fraction(19, 20),
    titles: Sequence[str] = (),
) -> Estimates:
    """Return the unbiased estimates of several questions and, for few cells, the maximum likelihood estimate.

    Args:
        answers: the responses of respondents, by mechanism.
        marginals: the number k of questions of each table; all tables of k questions are estimated. If omitted, there
            is one table of all questions.
        confidence: the confidence of the intervals.
        titles: the names of the questions; empty for numbers. The names of the categories are those of the devices.

    Returns:
        The estimates of the cells, the first question varying fastest. Each interval holds by itself;
        ``conf_int(simultaneous=True)`` has those that hold together.

    Raises:
        InvalidParameterError: as for ``estimate_marginals``, and for titles that are not one text for each question.
        UnsupportedProblemError: there are too many cells or tables.

    >>> from rropt.answers import answers_of_counts
    >>> from rropt.mechanisms import named_mechanism
    >>> found = estimate_questions(answers_of_counts(named_mechanism("bits:3/4*2"), [40, 30, 20, 10]), marginals=1)
    >>> [(one.name, str(one.estimate)) for one in found]
    [('question 0', '3/10'), ('question 1', '1/10')]
    """
    groups, level = tuple(groups_of(answers)), exact_confidence(confidence)
    tables = (estimate_cells(groups),) if marginals is None else estimate_marginals(groups, marginals)
    names, asked = names_of(titles, "titles"), len(groups[0].mechanism.factors)
    if len(names) not in (0, asked):
        raise InvalidParameterError(
            f"`titles` do not fit the questions: received {len(names)}; allowed are none, or one for each of {asked} "
            "questions"
        )
    names = names or tuple(f"question {q}" for q in range(asked))
    joint = searched_joint(groups, is_one_table=marginals is None)
    found = [
        QuestionsTable(
            ", ".join(names[q] for q in one.questions),
            names_of_cells(groups[0].devices(one.questions)),
            one,
            None if joint is None else joint.marginal(one.questions),
        )
        for one in tables
    ]
    rows, mechanisms = rows_of_tables(found), tuple(group.mechanism for group in groups)
    told = LateTexts(lambda: (*share_remarks(rows, level), *likelihood_remarks(joint), *excluded_remark(groups)))
    more: dict[str, Any] = {"confidence": level, "joint": joint}
    return Estimates("proportions", tuple(rows), names, (), remarks_=told, mechanisms=mechanisms, **more)


def searched_joint(groups: Sequence[Answers], *, is_one_table: bool) -> Likelihood | None:
    """Return the maximum likelihood distribution of all questions; ``None`` if it has too many cells.

    Args:
        groups: the responses, by mechanism.
        is_one_table: whether the joint table is estimated, or tables of some questions.
    """
    few = groups[0].mechanism.inputs <= (MAX_LIKELY_CELLS if is_one_table else _SEARCHED)
    return estimate_joint(groups) if few else None


def likelihood_remarks(joint: Likelihood | None) -> tuple[str, ...]:
    """Return the remarks on the most likely distribution of the cells, or that there is none."""
    if joint is None:
        return ("the joint distribution has too many cells for a most likely estimate: only unbiased estimates",)
    return joint.likelihood_remarks()
