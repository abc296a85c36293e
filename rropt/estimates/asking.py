"""From ``Responses`` to ``Estimates``: proportions, means and contrasts, in any sample and by groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np

from rropt.answers.data_columns import Ints, Labels, column, joined_labels, levels_of, numbered
from rropt.answers.respondents import Answers, answers_of_counts, answers_of_rows
from rropt.answers.response_counts import require_possible
from rropt.answers.responses import Responses
from rropt.answers.scores import Scores, category_scores, combined_scores, number_scores
from rropt.core.argument_checks import clear_calls_beside
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.visible import with_noun
from rropt.estimates.counted_estimates import contrast_name, count_rows, estimates_of_counts
from rropt.estimates.estimate_bases import TablesBasis
from rropt.estimates.estimate_remarks import mean_remarks, missing_remark, share_remarks
from rropt.estimates.estimate_rows import GroupedRespondents, Head, cell_names, share_head
from rropt.estimates.estimated import SIMPLE, Estimate, Estimates
from rropt.estimates.finite_estimates import estimates_of_population
from rropt.estimates.late_texts import LateTexts
from rropt.estimates.question_estimates import QuestionsTable, likelihood_remarks, rows_of_tables, searched_joint
from rropt.inference.contingency_tables import TableEstimate, estimate_cells
from rropt.inference.contrasts import contrast_scores
from rropt.inference.count_estimates import Estimate as CountEstimate
from rropt.inference.count_estimates import estimate_of_counts, exact_contrast
from rropt.inference.drawn_samples import drawn
from rropt.inference.finite_populations import finite_population
from rropt.inference.joint_likelihood import MAX_LIKELY_CELLS, Likelihood, estimate_joint
from rropt.inference.subset_estimates import GivenSets, set_scores
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.subsets import Subsets

MOST_CELLS = 4096  # of a joint table by group, or in a complex survey
_MOST_TABLES = 2000


class _Grouped(NamedTuple):
    """The groups of the rows.

    Attributes:
        number: the group of each row; -1 for none.
        names: the names of the groups; empty without groups.
        by: the columns that define them.
    """

    number: Ints
    names: list[str]
    by: tuple[str, ...]


_ASKED_ELSEWHERE = {
    **dict.fromkeys(("yes", "n"), "write the counts in the order of the outputs: estimate([n - yes, yes], mechanism)"),
    **dict.fromkeys(("confidence", "alpha"), "ask the result: estimate(...).conf_int(confidence=0.9)"),
    **dict.fromkeys(("data", "by", "weights"), "give rows to Responses(values, mechanism, data=...)"),
}


@clear_calls_beside(_ASKED_ELSEWHERE)
def estimate(
    counts: Any,
    mechanism: Mechanism | str,
    *,
    labels: Sequence[object] | None = None,
    categories: Sequence[object] | None = None,
    population: object = None,
    contrast: Sequence[object] | None = None,
) -> Estimates:
    """Estimate the proportions of the categories from counts of responses; with a mechanism for numbers, their mean.

    For responses in rows, with groups, weights or several questions, use ``Responses(values, mechanism, data=...)``.

    Args:
        counts: the number of times each output occurred: a list in the order of the outputs, or a mapping from labels
            to counts, such as ``Series.value_counts()`` of pandas.
        mechanism: the mechanism, or its text form such as ``"warner:3/4"``.
        labels: the responses as they are written, in the order of the outputs: the keys of a mapping.
        categories: the names of the true categories.
        population: the number N of people of whom the respondents are a simple random sample without replacement.
        contrast: instead of the proportions, one linear combination of them, shape (k,).

    Returns:
        The estimates: unbiased fractions, which may lie outside [0, 1], with plug-in standard errors. For a yes/no
        question it is the proportion of the second category alone.

    Raises:
        InvalidParameterError: the counts or names do not fit the mechanism.
        InfeasibleError: the mechanism does not determine the proportions.

    >>> found = estimate([60, 40], "warner:3/4")
    >>> found.estimate, round(found.se, 4)
    (Fraction(3, 10), 0.098)
    """
    responses = Responses.from_counts(counts, mechanism, labels=labels, categories=categories, population=population)
    if contrast is not None:
        return responses.contrast(contrast)
    return responses.mean() if responses.devices[0][0].output_values else responses.proportions()


def proportions(
    self: Responses, by: Any = None, *, marginals: int | None = None, pool: str = "respondents"
) -> Estimates:
    """Estimate the proportion of each category; of a yes/no question that of the second category alone.

    Args:
        self: the responses.
        by: the column, or list of columns, that defines groups.
        marginals: of several questions, the number k of questions of each table; all tables of k questions are
            estimated. ``None`` for the joint table of all questions; 1 for each question by itself.
        pool: how the estimates from several mechanisms are combined: by the numbers of their ``respondents``, or by
            their ``precision``, the number of respondents divided by the variance of one response at the uniform
            distribution (the sum over all cells).

    Returns:
        The estimates: unbiased, hence possibly outside [0, 1]. For a simple random sample they are fractions with
        plug-in standard errors (divisor n); in a complex survey Hajek's, with linearized or replicated variances.

    Raises:
        InvalidParameterError: the columns do not fit, or a group has no response.
        InfeasibleError: the mechanism does not determine the proportions.
        UnsupportedProblemError: a joint table has too many cells, or a complex survey is pooled by precision.
    """
    one_of(pool, ("respondents", "precision"), "`pool`")
    if self.counts is not None:
        if by is not None or marginals not in (None, 1):
            raise InvalidParameterError("counts have no groups and one question: make the responses from columns")
        if self.population is not None:
            return _of_population(self)
        return estimates_of_counts(_counted(self))
    size = len(self.questions)
    order = (size if self.is_joint else 1) if marginals is None else marginals
    if type(order) is not int or not 1 <= order <= size or comb(size, order) > _MOST_TABLES:
        raise InvalidParameterError(
            f"the marginals do not fit: received tables of {shown(order)} of {with_noun(size, 'question')}; allowed "
            f"are 1 to {size}, and at most {_MOST_TABLES} tables"
        )
    if order > 1 and not self.is_joint:
        raise InvalidParameterError("questions that are not asked together have no joint table: leave out `marginals`")
    sets = list(combinations(range(size), order))
    grouped = _groups(self, by)
    if pool == "precision" and len(self.devices) > 1:
        return _pooled(self, sets, grouped)
    if self.sample is None and order > 1 and not grouped.names and not any(self.sets):
        return _of_tables(self, sets)
    rows, overall = list[Estimate](), list[Estimate]()
    for chosen in sets:
        own, together = _of_scores(self, chosen, grouped, len(sets) > 1)
        rows += own
        overall += together
    return _made(self, "proportions", rows, grouped.by, tuple(overall))


def mean(self: Responses, by: Any = None) -> Estimates:
    """Estimate the mean of a number, from the reports of a mechanism with numbers (``rropt.design.mean``).

    Args:
        self: the responses.
        by: the column, or list of columns, that defines groups.

    Returns:
        The estimates, with Student's t intervals and, for a simple random sample, intervals with proved coverage.

    Raises:
        InvalidParameterError: the mechanism has no numbers, or the columns do not fit.
    """
    device = self.devices[0][0]
    if len(self.questions) != 1 or len(self.devices) != 1 or not device.output_values:
        raise InvalidParameterError(
            "the mechanism has no numbers: received one of categories; ask for proportions, or give a mechanism that "
            "`rropt.design.mean` makes"
        )
    if self.population is not None:
        raise InvalidParameterError(
            f"a mean has no finite population of counts: received population {self.population}; give the reports of "
            "the respondents, with data=Sample(..., fpc=N)"
        )
    if self.counts is not None:
        codes, n = np.arange(device.outputs), np.array(self.counts, np.int64)
        codes, by_counts = codes[n > 0], n[n > 0]
        scores = number_scores(self.questions[0], device, codes)
        head = partial(_head, self, scores.names[0], (0,))
        everybody = GroupedRespondents(np.zeros(len(codes), np.int64), (), by_counts)
        return _made(self, "mean", everybody.estimates(scores, (0,), "mean", head), ())
    grouped = _groups(self, by)
    first, respondents = _respondents(self, grouped, (0,))
    scores = number_scores(self.questions[0], device, self.codes[0][first])
    head = partial(_head, self, scores.names[0], (0,))
    rows, overall = _answering(respondents, scores.at >= 0).estimates_with_overall(scores, (0,), "mean", head)
    return _made(self, "mean", rows, grouped.by, overall)


def contrast(self: Responses, weights: Sequence[object], by: Any = None) -> Estimates:
    """Estimate a linear combination of the proportions, also one that only several mechanisms determine together.

    Args:
        self: the responses.
        weights: c, shape (k,): the weight of each category, or of each cell of the joint table of several questions
            (the first question varies fastest).
        by: the column, or list of columns, that defines groups.

    Raises:
        InvalidParameterError: the weights or columns do not fit.
        InfeasibleError: the mechanisms together do not determine the combination.

    >>> decks = {"A": "unrelated:7/10,3/10", "B": "unrelated:3/10,3/10"}
    >>> told = Responses([1, 0, 1, 0, 1, 0], decks, assigned=["A", "A", "A", "B", "B", "B"])
    >>> told.contrast([0, 1]).estimate == told.proportions().estimate
    False
    """
    k = prod(one.inputs for one in self.devices[0])
    c = exact_contrast(weights, k)
    name = contrast_name(c)
    if self.population is not None:
        return _of_population(self, (c[0], c[-1]))
    if self.counts is not None:
        return estimates_of_counts(_counted(self), contrast=c)
    grouped = _groups(self, by)
    questions = tuple(range(len(self.questions)))
    first, respondents = _respondents(self, grouped, questions)
    if any(self.sets) or len(self.devices) == 1:
        scores = combined_scores(_scores(self, questions, first), name, c)
        answering, head = _answering(respondents, scores.at >= 0), partial(_head, self, name, questions)
        rows, overall = answering.estimates_with_overall(scores, (0,), "contrast", head)
        return _made(self, "contrast", rows, grouped.by, overall)
    devices = [own[0] if len(own) == 1 else Mechanism(ProductMechanism(own).matrix) for own in self.devices]
    codes, device = _joint_codes(self, questions, first), self.device[first]

    def made(whom: GroupedRespondents) -> list[Estimate]:
        told = (whom.group, whom.weighted, whom.weight, whom.names or ["all"])
        scores = contrast_scores(name, devices, device, codes, c, *told)
        head = partial(_head, self, name, questions)
        return whom.estimates(scores, (0,), "contrast", head, device)

    rows, overall = _answering(respondents, codes >= 0).with_overall(made)
    return _made(self, "contrast", rows, grouped.by, overall)


def likelihood(self: Responses) -> Likelihood:
    """Return the most likely distribution of the categories, or of the cells of the joint table of several questions.

    Args:
        self: the responses of a simple random sample; those of several mechanisms count together.

    Returns:
        The distribution, within the simplex, beside the unbiased estimate; with a proved bound of what any other
        distribution can gain (``likelihood_gap``), and its ``certificate``.

    Raises:
        InvalidParameterError: nobody answered all questions.
        UnsupportedProblemError: there is a complex sample, a response is a set, or there are too many cells.

    >>> found = Responses.from_counts([90, 10], "warner:5/6").likelihood()
    >>> [str(share) for share in found.population], found.likelihood_gap
    (['1', '0'], Fraction(0, 1))
    """
    if self.sample is not None or self.population is not None:
        raise UnsupportedProblemError(
            "a complex survey has no likelihood: received a sample with its design, or a finite population; ask for "
            "`proportions`"
        )
    if any(self.sets) or (self.counts is not None and Subsets.of(self.devices[0][0]) is not None):
        raise UnsupportedProblemError("responses that are sets have no table of cells: ask for `proportions`")
    if self.counts is not None:
        return estimate_joint(answers_of_counts(ProductMechanism(self.devices[0]), self.counts))
    return estimate_joint(_answers(self))


# what the rows are grouped by


def _groups(self: Responses, by: Any) -> _Grouped:
    """Return the group of each row; rows outside the domain have none."""
    if by is None or (isinstance(by, list | tuple) and not len(by)):
        return _Grouped(np.where(self.included, 0, -1), [], ())
    is_list = isinstance(by, list | tuple) and all(isinstance(one, str) or hasattr(one, "__array__") for one in by)
    parts = list(by) if is_list and self.data is not None else [by]
    labels = joined_labels([Labels(column(self.data, one, "by"), levels_of(self.data, one)) for one in parts])
    if len(labels.numbers) != self.rows:
        raise InvalidParameterError(
            f"the columns have different numbers of rows: received by {len(labels.numbers)}, responses {self.rows}; "
            "give each row a value"
        )
    names = tuple(one if isinstance(one, str) else str(getattr(one, "name", None) or "group") for one in parts)
    return _Grouped(np.where(self.included, labels.numbers, -1), labels.texts, names)


def _respondents(self: Responses, grouped: _Grouped, questions: Sequence[int]) -> tuple[Ints, GroupedRespondents]:
    """Return the first row of each kind of equal respondents, and the kinds."""
    columns = [grouped.number, self.device, *(self.codes[q] for q in questions)]
    if self.sample is not None:
        columns.append(self.sample.unit)
    first, of_row = numbered(*columns)
    own = grouped.number[first], tuple(grouped.names), np.bincount(of_row, minlength=len(first))
    return first, GroupedRespondents(*own, *(() if self.sample is None else drawn(self.sample, first, of_row)))


def _answering(respondents: GroupedRespondents, is_given: Any) -> GroupedRespondents:
    """Return the respondents in the groups in which somebody responded."""
    if not ((respondents.group >= 0) & is_given).any():
        raise InvalidParameterError(
            "nobody in a group responded: received no response; name other columns, or a larger domain"
        )
    return respondents.answering(is_given)


def _joint_codes(self: Responses, questions: Sequence[int], first: Ints) -> Ints:
    """Return the combination of the responses of each kind, the first question varying fastest; -1 for none."""
    codes = [self.codes[q][first] for q in questions]
    sizes = [max(one[q].outputs for one in self.devices) for q in questions]
    strides = np.cumprod([1, *sizes[:-1]]).tolist()
    whole = np.logical_and.reduce([one >= 0 for one in codes])
    total = sum(stride * one for stride, one in zip(strides, codes, strict=True))
    return np.where(whole, total, -1)


# scores


def _scores(self: Responses, questions: Sequence[int], first: Ints) -> Scores:
    """Return the scores of the categories of a question, or of the cells of several."""
    codes = [self.codes[q][first] for q in questions]
    if any(self.sets[q] for q in questions):
        (question,) = questions
        return set_scores(_cells(self, [question]), _given_sets(self, question, codes[0]))
    devices = [tuple(own[q] for q in questions) for own in self.devices]
    cells = prod(one.inputs for one in devices[0])
    if cells > MOST_CELLS:
        raise UnsupportedProblemError(
            f"a table has too many cells: received {cells}; at most {MOST_CELLS} are estimated by group or with "
            "weights; ask for `marginals` of fewer questions"
        )
    return category_scores(_cells(self, questions), devices, self.device[first], codes)


def _given_sets(self: Responses, question: int, codes: Ints) -> GivenSets:
    """Return the responses that are sets of the categories."""
    if len(self.devices) > 1:
        raise UnsupportedProblemError("responses that are sets are of one mechanism: received several; give one")
    subsets = Subsets.of(self.devices[0][question])
    assert subsets is not None
    return GivenSets(subsets, self.sets[question], codes)


def _cells(self: Responses, questions: Sequence[int]) -> list[str]:
    """Return the names of the categories, or of the cells of a table; the first question varies fastest."""
    devices = (self.devices[0][q] for q in questions)
    return cell_names([device.categories or tuple(map(str, range(device.inputs))) for device in devices])


# rows


def _of_scores(
    self: Responses, questions: tuple[int, ...], grouped: _Grouped, is_one_of_several: bool
) -> tuple[list[Estimate], tuple[Estimate, ...]]:
    """Return the estimates of one question, or of one table, in each group, and in all groups together."""
    if self.sample is None and not grouped.names and len(questions) == 1 and len(self.devices) == 1:
        (q,) = questions
        device = self.devices[0][q]
        if not self.sets[q]:
            own = self.codes[q][self.included & (self.codes[q] >= 0)]
            counts = tuple(np.bincount(own, minlength=device.outputs).tolist())
            title = self.questions[q]
            found = estimate_of_counts(device, require_possible(device, counts), None)
            return count_rows(found, title, is_one_of_several=is_one_of_several), ()
    first, respondents = _respondents(self, grouped, questions)
    sizes, title = [self.devices[0][q].inputs for q in questions], ", ".join(self.questions[q] for q in questions)
    if self.sample is None and any(self.sets[q] for q in questions):
        (question,), names = questions, _cells(self, questions)
        columns = tuple(range(len(names)))
        head = share_head(title, names, columns, are_several=is_one_of_several)
        given = _given_sets(self, question, self.codes[question][first])
        answering = _answering(respondents, given.at >= 0)
        return answering.with_overall(lambda whom: whom.set_estimates(given, columns, head))
    scores = _scores(self, questions, first)
    columns = (1,) if sizes == [2] else tuple(range(len(scores.names)))
    head = share_head(title, scores.names, columns, are_several=is_one_of_several)
    answering = _answering(respondents, scores.at >= 0)
    return answering.estimates_with_overall(scores, columns, "proportion", head)


def _head(
    self: Responses, name: str, questions: Sequence[int], group: str | None, column_number: int
) -> dict[str, Any]:
    """Return the name of a mean or a contrast, its question and group."""
    return {"name": group or name, "question": ", ".join(self.questions[q] for q in questions), "group": group}


def _counted(self: Responses) -> CountEstimate:
    """Return the estimate of a distribution from its counts."""
    assert self.counts is not None
    device = self.devices[0][0]
    return estimate_of_counts(device, require_possible(device, self.counts), None)


def _of_population(self: Responses, contrast: tuple[Fraction, Fraction] | None = None) -> Estimates:
    """Return the proportion with a trait in a finite population, or a contrast of it, from counts."""
    device, counts, population = self.devices[0][0], self.counts, self.population
    assert counts is not None
    assert population is not None
    found = finite_population(device, counts, population)
    return estimates_of_population(found, device, self.questions[0], contrast=contrast)


def _of_tables(self: Responses, sets: Sequence[tuple[int, ...]]) -> Estimates:
    """Return the joint tables of a simple random sample: their histograms are transformed, never the rows."""
    answers = _answers(self)
    joint = searched_joint(answers, is_one_table=len(sets) == 1)
    found = [
        QuestionsTable(
            ", ".join(self.questions[q] for q in chosen),
            _cells(self, chosen),
            estimate_cells(answers, chosen),
            None if joint is None else joint.marginal(chosen),
        )
        for chosen in sets
    ]
    made = _made(self, "proportions", rows_of_tables(found), ())
    return replace(made, joint=joint, remarks_=(*made.remarks_, *likelihood_remarks(joint)))


def _pooled(self: Responses, sets: Sequence[tuple[int, ...]], grouped: _Grouped) -> Estimates:
    """Return the estimates from several mechanisms in a simple random sample, weighted by their precision."""
    if self.sample is not None:
        raise UnsupportedProblemError(
            "a complex survey is not pooled by precision: received pool='precision' with a Sample; ask for "
            "`contrast(weights)`, in which several mechanisms have the least variance"
        )
    if any(self.sets):
        raise UnsupportedProblemError("responses that are sets are of one mechanism: received several; give one")
    rows = _pooled_rows(self, sets, grouped.number, grouped.names)
    overall = _pooled_rows(self, sets, np.minimum(grouped.number, 0), []) if grouped.names else []
    return _made(self, "proportions", rows, grouped.by, tuple(overall))


def _pooled_rows(self: Responses, sets: Sequence[tuple[int, ...]], group: Ints, names: Sequence[str]) -> list[Estimate]:
    """Return the rows of each table in each group in which somebody answered; without names of everybody."""
    found: list[tuple[TableEstimate, Head, str | None, Any]] = []
    for chosen in sets:
        title, cells = ", ".join(self.questions[q] for q in chosen), _cells(self, chosen)
        columns = (1,) if len(cells) == 2 else tuple(range(len(cells)))
        head = share_head(title, cells, columns, are_several=len(sets) > 1)
        whole = np.logical_and.reduce([self.codes[q] >= 0 for q in chosen])
        for g, name in enumerate(names or [None]):
            if not (own := whole & (group == g)).any():
                continue
            answers, likely = _answers_of(self, chosen, own), None
            if not names and len(sets) == 1 and len(cells) <= MAX_LIKELY_CELLS:
                likely = estimate_joint(answers).population
            found.append((estimate_cells(answers, weights="precision"), head, name, likely))
    if not found:
        raise InvalidParameterError("nobody in a group responded: received no response; name other columns")
    texts = tuple((head(None, 1)["question"], name or "") for _, head, name, _ in found) if names else ()
    basis, rows, start = TablesBasis(tuple(table for table, *_ in found), texts), [], 0
    for table, head, name, likely in found:
        errors, size = table.standard_errors, len(table.estimate)
        for cell in (1,) if size == 2 else range(size):
            value = table.estimate[cell]
            more = {"most_likely": None if likely is None else likely[cell], "basis": basis, "place": start + cell}
            own_head = head(name, cell) | more
            exact = value if isinstance(value, Fraction) else float(value)
            rows.append(Estimate(own_head.pop("name"), exact, float(errors[cell]), table.n, **own_head))
        start += size
    return rows


def _answers_of(self: Responses, questions: Sequence[int], own: Any) -> list[Answers]:
    """Return the responses of some respondents to some questions, by mechanism."""
    found = []
    for number, devices in enumerate(self.devices):
        mine = own & (self.device == number)
        if mine.any():
            codes = np.stack([self.codes[q][mine] for q in questions], axis=1)
            found.append(answers_of_rows(ProductMechanism([devices[q] for q in questions]), codes))
    return found


def _answers(self: Responses) -> list[Answers]:
    """Return the responses of those who answered every question, by mechanism."""
    whole = np.logical_and.reduce([one >= 0 for one in self.codes]) & self.included
    found = _answers_of(self, range(len(self.questions)), whole)
    if not found:
        raise InvalidParameterError("nobody answered all questions: received no complete response; ask for `marginals`")
    return found


def _made(
    self: Responses, kind: str, rows: Sequence[Estimate], by: tuple[str, ...], overall: tuple[Estimate, ...] = ()
) -> Estimates:
    missing = tuple(int(((one < 0) & self.included).sum()) for one in self.codes)
    missing = missing if any(missing) else ()

    def remarks() -> list[str]:
        told = list(share_remarks(rows)) if kind == "proportions" else []
        told += mean_remarks(rows, overall) if kind == "mean" else []
        return [*told, *missing_remark(sum(missing), is_domain=self.sample is not None)]

    sample = SIMPLE if self.sample is None else self.sample.in_words()
    more: dict[str, Any] = {"overall": overall, "missing": missing, "mechanisms": self.mechanisms}
    return Estimates(kind, tuple(rows), tuple(self.questions), by, "", sample, LateTexts(remarks), **more)
