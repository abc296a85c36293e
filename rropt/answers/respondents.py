"""Responses to several questions, as one row for each respondent or as a histogram, checked before any computation.

An ``Answers`` object has the responses of respondents who used one device. A survey with different devices is a list of
such objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any, TypeAlias

from rropt.answers.array_equality import EqualByArrays
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.lazy import NDArray
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ANSWERS
from rropt.core.results import Result, labelled
from rropt.core.visible import size_text, with_noun
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.columns import listed, required_list
from rropt.mechanisms.question_selection import product_of

Counts: TypeAlias = "NDArray[np.int64]"

MISSING = -1  # in an array of responses: the question was not answered

# The largest number of cells of one table of floats. 2^26 cells (26 yes/no questions) need half a gigabyte, and a
# transform needs four such arrays. 40 yes/no questions would need 8 TiB.
MAX_CELLS = 1 << 26
_FLOAT = 8  # bytes of a float


@dataclass(frozen=True, slots=True, eq=False)
class Answers(Result, EqualByArrays):
    """The responses to n questions of respondents who all used one device for each question.

    Use ``answers_of_rows`` or ``answers_of_counts`` to create an object.

    Attributes:
        mechanism: the product of the questions' devices, question 0 first.
        rows: the responses as integers, shape (respondents, n); or ``None``.
        counts: the number of times each combination of outputs occurred, shape (m,), little-endian like the outputs of
            the product; or ``None``. Exactly one of ``rows`` and ``counts`` is given.
        excluded: the number of respondents excluded because they did not answer every question.
    """

    mechanism: ProductMechanism
    rows: NDArray[np.integer[Any]] | None
    counts: NDArray[np.int64] | None
    excluded: int = 0

    LABELS = labelled(n="respondents", excluded="left out", mechanism="devices")

    @classmethod
    def recompute(
        cls,
        mechanism: ProductMechanism,
        rows: NDArray[np.integer[Any]] | None,
        counts: NDArray[np.int64] | None,
        excluded: int,
    ) -> Answers:
        """Rebuild the responses from the fields of a record, with all checks."""
        if (rows is None) == (counts is None) or excluded < 0:
            raise InvalidParameterError(
                f"answers are rows or counts: received {shown(rows)}, {shown(counts)} and {excluded} left out"
            )
        made = answers_of_counts(mechanism, counts) if rows is None else answers_of_rows(mechanism, rows)
        return replace(made, excluded=excluded)

    @property
    def n(self) -> int:
        """The number of respondents."""
        # exactly one of rows and counts is given
        return len(self.rows) if self.counts is None else int(self.counts.sum())  # type: ignore[arg-type]

    @property
    def questions(self) -> int:
        """The number of questions."""
        return len(self.mechanism.factors)

    def devices(self, questions: Sequence[int]) -> tuple[Mechanism, ...]:
        """Return the devices of some questions."""
        return tuple(self.mechanism.factors[question] for question in questions)

    def histogram(self, questions: Sequence[int] | None = None) -> Counts:
        """Return the number of times each combination of outputs of some questions occurred; the first varies fastest.

        Raises:
            UnsupportedProblemError: there are more combinations than fit into memory.
        """
        every = range(self.questions)
        chosen = tuple(every if questions is None else questions)
        sizes = [device.outputs for device in self.mechanism.factors]
        cells = prod(sizes[question] for question in chosen)
        require_cells(cells, len(chosen))
        if self.counts is not None:
            return np.ascontiguousarray(summed_over(self.counts, sizes, chosen))
        assert self.rows is not None
        index: NDArray[np.integer[Any]] = np.zeros(
            len(self.rows), np.int64 if cells > np.iinfo(np.int32).max else np.int32
        )
        for question in reversed(chosen):
            index = index * sizes[question] + self.rows[:, question].astype(index.dtype)
        return np.bincount(index, minlength=cells)


def answers_of_rows(mechanism: Mechanism, rows: Any, *, missing: str = "refuse") -> Answers:
    """Create responses from a table with one row for each respondent and one column for each question.

    Args:
        mechanism: the product of the questions' devices.
        rows: integers of shape (respondents, n), column l in 0..m_l - 1; ``None`` or -1 for a missing response.
        missing: ``"refuse"`` raises an error; ``"exclude"`` excludes respondents who did not answer every question.
            Whether the exclusion biases an estimate depends on their reasons. ``excluded`` counts them.

    Raises:
        InvalidParameterError: rows have unequal lengths, values are invalid, or responses are missing.

    >>> from rropt.mechanisms import named_mechanism
    >>> answers_of_rows(named_mechanism("bits:3/4*2"), [[0, 1], [1, 1], [None, 0]], missing="exclude").histogram()
    array([0, 0, 1, 1])
    """
    product = product_of(mechanism)
    one_of(missing, ("refuse", "exclude"), "missing")
    array = _integers(rows, len(product.factors))
    gaps = np.flatnonzero((array == MISSING).any(axis=1)) if array.size and array.min() < 0 else np.zeros(0, int)
    if gaps.size and missing == "refuse":
        raise InvalidParameterError(
            f"answers are missing: received {gaps.size} of {len(array)} respondents without an answer to every "
            f"question, the first in row {gaps[0]}; to leave them out say so: missing='exclude'"
        )
    if gaps.size:
        array = np.delete(array, gaps, axis=0)
    if not len(array):
        raise InvalidParameterError("no respondent answered every question: received no row of answers; give one")
    for question, device in enumerate(product.factors):
        _require_answers(array[:, question], question, device)
    return Answers(product, array, None, int(gaps.size))


def answers_of_counts(mechanism: Mechanism, counts: Any) -> Answers:
    """Create responses from a histogram.

    Args:
        mechanism: the product of the questions' devices.
        counts: the number of times each combination of outputs occurred, shape (m,), integers >= 0, little-endian: for
            n yes/no questions, combination x has index ``sum_l x_l 2^l``.

    Raises:
        InvalidParameterError: the counts are not m integers >= 0, all counts are 0, or a combination that the mechanism
            never outputs has a positive count.
    """
    product = product_of(mechanism)
    require_cells(product.outputs, len(product.factors))
    try:
        array = np.asarray(counts)
    except ValueError:  # rows of different lengths
        array = np.array(None)
    if array.dtype.kind not in "iu" or array.shape != (product.outputs,):
        raise InvalidParameterError(
            f"counts do not fit the mechanism: received an array of shape {array.shape} and type {array.dtype}; "
            f"allowed are {product.outputs} integers, one for each combination of answers, zeros included"
        )
    if array.min() < 0 or not 0 < int(array.sum(dtype=object)) <= MAX_ANSWERS:
        raise InvalidParameterError(
            f"counts are out of range: received numbers from {array.min()} to {array.max()}; allowed are integers >= 0 "
            f"with a sum from 1 to {MAX_ANSWERS}"
        )
    made = Answers(product, None, array.astype(np.int64))
    for question, device in enumerate(product.factors):
        if not all(map(any, device.matrix)):  # the device never gives some output
            _require_answers(np.flatnonzero(made.histogram([question])), question, device)
    return made


def groups_of(answers: Answers | Sequence[Answers]) -> tuple[Answers, ...]:
    """Return the groups of respondents, each with one device, and check that all have the same questions.

    Raises:
        InvalidParameterError: there is no group, or the questions of the groups have different numbers of categories.
    """
    groups = (answers,) if isinstance(answers, Answers) else tuple(listed(answers) or ())
    if not groups or not all(isinstance(group, Answers) for group in groups):
        raise InvalidParameterError(
            f"answers are of another kind: received {shown(answers)}; allowed are Answers or a list of them; make them "
            "with answers_of_rows or answers_of_counts"
        )
    sizes = [[device.inputs for device in group.mechanism.factors] for group in groups]
    if any(other != sizes[0] for other in sizes):
        raise InvalidParameterError(
            "the groups of respondents answered different questions: received questions with different numbers of "
            f"categories, {shown(sizes)}; allowed are different devices for the same questions"
        )
    return groups


def require_cells(cells: int, questions: int) -> None:
    """Raise ``UnsupportedProblemError`` if a table has too many cells for memory, with advice in the message."""
    if cells > MAX_CELLS:
        memory = f"{size_text(cells * _FLOAT >> 30)} GiB for each array of floats"
        raise UnsupportedProblemError(
            f"the joint distribution of {questions} questions has too many cells: received {size_text(cells)}, which "
            f"need {memory}; at most {MAX_CELLS} are held; estimate marginals of fewer questions: "
            "estimate_marginals(answers, 2), or `marginals=2`"
        )


def summed_over(cells: NDArray[Any], sizes: Sequence[int], places: Sequence[int]) -> NDArray[Any]:
    """Return the marginal of a table for the questions ``places``, in this order; the first varies fastest."""
    last = len(sizes) - 1  # the last axis is question 0
    summed = cells.reshape(tuple(sizes)[::-1]).sum(axis=tuple(last - q for q in range(len(sizes)) if q not in places))
    left = sorted(places, reverse=True)  # the questions of the remaining axes
    return np.asarray(summed).transpose([left.index(q) for q in reversed(places)]).ravel()


def exact_shares(histogram: Counts, n: int) -> list[Fraction]:
    """Return the proportions of a histogram."""
    return [Fraction(count, n) for count in histogram.tolist()]


def _integers(rows: Any, questions: int) -> NDArray[np.integer[Any]]:
    """Return rows as an array of integers, with -1 for missing responses."""
    if isinstance(rows, np.ndarray) and rows.dtype.kind in "iub":
        array = rows.astype(np.uint8) if rows.dtype.kind == "b" else rows
    else:
        allowed = "a list of rows, each a list of answers"
        answers = [
            required_list(row, f"row {i}", allowed) for i, row in enumerate(required_list(rows, "`rows`", allowed))
        ]
        lengths = {len(row) for row in answers}
        if lengths - {questions}:
            wrong = next(i for i, row in enumerate(answers) if len(row) != questions)
            raise InvalidParameterError(
                f"a row has another length: received {with_noun(len(answers[wrong]), 'answer')} in row {wrong}; "
                f"allowed are {questions}, one to each question (None where there is none)"
            )
        for i, row in enumerate(answers):
            for value in row:
                if value is not None and (isinstance(value, float) or not hasattr(value, "__index__")):
                    raise InvalidParameterError(
                        f"an answer is no integer: received {shown(value)} in row {i}; allowed are integers from 0"
                    )
        array = np.array([[MISSING if x is None else x for x in row] for row in answers], np.int64)
        array = array.reshape(len(answers), questions)
    if array.ndim != 2 or array.shape[1] != questions:
        raise InvalidParameterError(
            f"the answers do not fit the questions: received shape {array.shape}; allowed is (rows, {questions})"
        )
    return array


def _require_answers(column: NDArray[np.integer[Any]], question: int, device: Mechanism) -> None:
    """Raise if a question has invalid responses, or responses that its device never gives."""
    if column.min() < 0 or column.max() >= device.outputs:
        row = int(np.flatnonzero((column < 0) | (column >= device.outputs))[0])
        allowed = "0 and 1" if device.outputs == 2 else f"0 to {device.outputs - 1}"
        raise InvalidParameterError(
            f"an answer to question {question} is out of range: received {column[row]} in row {row}; allowed are "
            f"{allowed}"
        )
    for i, chances in enumerate(device.matrix):
        if not any(chances) and (column == i).any():
            raise InvalidParameterError(
                f"answer {i} to question {question} is impossible under its device: received it, and row {i} of the "
                "device is zero; check the device and the order of the questions"
            )
