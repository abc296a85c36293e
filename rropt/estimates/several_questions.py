"""Estimates of several questions at once: the joint distribution, or all marginals of some order, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from rropt.answers.array_equality import EqualByArrays
from rropt.answers.respondents import Answers, groups_of
from rropt.core.errors import InvalidParameterError, names_of, shown
from rropt.core.exact import both_texts, decimal_text, exact_confidence
from rropt.core.exact.display import is_in_full
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, Table
from rropt.core.visible import visible, with_noun
from rropt.estimates.conclusions import Concluded, share_sentence
from rropt.inference.contingency_tables import Cells, Floats, TableEstimate, estimate_cells, estimate_marginals
from rropt.inference.interval_kinds import empty_remark, ends_text, is_empty, places_of, share_text
from rropt.inference.joint_likelihood import MAX_LIKELY_CELLS, Likelihood, estimate_joint
from rropt.inference.simultaneous import simultaneous_intervals
from rropt.mechanisms import ProductMechanism, question_levels
from rropt.mechanisms.levels_of_questions import QuestionLevels
from rropt.mechanisms.words import several_devices

_SHOWN_CELLS = 64  # the largest number of cells of a printed table; the JSON output has all cells
_SEARCHED = 1 << 12  # up to this many cells, marginals have maximum likelihood estimates from the joint distribution
INTERVAL_KINDS = ("normal", "hoeffding")
_CONCLUDED = 12  # sentences of a conclusion
_TOGETHER = " of all cells together"
RECOMMENDED = "hoeffding"  # its coverage is proved; `plan_answers` plans with the same kind
_SHOWN = {False: [RECOMMENDED], True: [RECOMMENDED, "normal"]}  # the kinds to print, by `all_intervals`


@dataclass(frozen=True, slots=True, eq=False)
class QuestionsTable(Result, EqualByArrays):
    """The estimates of one table of several questions, with their intervals.

    Attributes:
        questions: the questions of the table; the first varies fastest.
        sizes: the number of categories of each question.
        estimate: the unbiased estimate of each cell; floats for a large table.
        constrained_estimate: the maximum likelihood estimate; ``None`` if there are too many cells.
        standard_error: the plug-in standard error of each unbiased estimate.
        intervals: by kind, the simultaneous intervals for all cells of all tables, cut to [0, 1], shape (cells, 2).
        titles: the names of the questions; empty if they are numbered.
        categories: for each question the names of its categories; empty if they are numbered.
    """

    questions: tuple[int, ...]
    sizes: tuple[int, ...]
    estimate: Cells
    constrained_estimate: Cells | None
    standard_error: Floats
    intervals: Mapping[str, Floats]
    titles: tuple[str, ...]
    categories: tuple[tuple[str, ...], ...]

    def checked(self) -> None:
        """Raise if the number of cells, or of names, in a file does not agree with its questions."""
        likely = () if self.constrained_estimate is None else (self.constrained_estimate,)
        lengths = {len(column) for column in (self.estimate, self.standard_error, *likely)}
        shapes = {kind: ends.shape for kind, ends in self.intervals.items()}
        if lengths != {prod(self.sizes)} or shapes != dict.fromkeys(INTERVAL_KINDS, (prod(self.sizes), 2)):
            raise InvalidParameterError(
                f"the table does not fit its questions: received {with_noun(len(self.estimate), 'cell')}; allowed are "
                f"{prod(self.sizes)}, each with its standard error and intervals {' and '.join(INTERVAL_KINDS)}"
            )
        named = len(self.sizes) == len(self.categories) == len(self.questions) and all(
            len(names) in (0, size) for names, size in zip(self.categories, self.sizes, strict=True)
        )
        if len(self.titles) not in (0, len(self.questions)) or not named:
            raise InvalidParameterError(
                f"the names do not fit the questions: received {with_noun(len(self.titles), 'name')} of questions and "
                f"{[len(names) for names in self.categories]} names of categories; allowed are none, or one for each "
                f"of {len(self.questions)} questions and {list(self.sizes)} categories"
            )

    @property
    def title(self) -> str:
        """The names of the questions, or their numbers."""
        numbers = ", ".join(map(str, self.questions))
        return ", ".join(self.titles) or f"Question{'s' * (len(self.questions) > 1)} {numbers}"

    def rows(self, *, all_intervals: bool = False) -> list[tuple[str, ...]]:
        """Return the printed table, the header first, with numbers rounded to the precision of the standard errors.

        Args:
            all_intervals: whether to add a column for every kind of interval or only for the recommended one.
        """
        kinds = _SHOWN[bool(all_intervals)]
        places = places_of(map(float, self.standard_error))
        likely = () if self.constrained_estimate is None else ("most likely",)
        found = [("answers", "unbiased", "standard error", *(f"{kind} interval" for kind in kinds), *likely)]
        cells = len(self.estimate)
        printed = cells if is_in_full() else min(cells, _SHOWN_CELLS)
        for cell in range(printed):
            numbers = [self.estimate[cell], float(self.standard_error[cell])]
            most = () if self.constrained_estimate is None else (share_text(self.constrained_estimate[cell], places),)
            ends = (map(float, self.intervals[kind][cell]) for kind in kinds)
            own = [share_text(number, places) for number in numbers]
            own += [ends_text(low, high, places, float(self.estimate[cell])) for low, high in ends]
            found.append((self.place(cell), *own, *most))
        if printed < cells:
            found.append((f"and {cells - printed} more", *[""] * (len(found[0]) - 1)))
        return found

    def empty(self, kind: str) -> list[str]:
        """Return the names of the cells whose interval contains no possible value."""
        ends = self.intervals[kind]
        return [
            f"{self.title}, answer {self.place(cell)}"
            for cell in ((ends[:, 0] >= 1) | (ends[:, 1] <= 0)).nonzero()[0].tolist()
            if is_empty(float(ends[cell, 0]), float(ends[cell, 1]), float(self.estimate[cell]))
        ]

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each cell: estimate, standard error, interval for all cells together."""
        rows = []
        ends = self.intervals[RECOMMENDED]
        for cell in range(len(self.estimate)):
            low, high = map(float, ends[cell])
            if is_empty(low, high, self.estimate[cell]):
                low = high = float("nan")
            numbers: dict[str, Any] = {"estimate": float(self.estimate[cell])}
            numbers |= {"standard_error": float(self.standard_error[cell]), "low": low, "high": high}
            if self.constrained_estimate is not None:
                numbers["most_likely"] = float(self.constrained_estimate[cell])
            rows.append({"table": self.title, "cell": self.place(cell), **numbers})
        return rows

    def place(self, cell: int) -> str:
        """Return the categories of a cell, one of each question."""
        found = []
        for names, size in zip(self.categories, self.sizes, strict=True):
            cell, digit = divmod(cell, size)
            found.append(names[digit] if names else str(digit))
        return (", " if any(self.categories) else " ").join(found)


@dataclass(frozen=True, slots=True)
class QuestionsDevice(Result):
    """A product of devices, its words, and the number of respondents who used it."""

    name: str | None
    in_words: str
    epsilon: QuestionLevels
    n: int


@dataclass(frozen=True, slots=True)
class QuestionsEstimate(Result, Concluded):
    """The unbiased and the maximum likelihood estimates of tables of several questions.

    Attributes:
        n: the number of respondents.
        excluded: the number of excluded respondents.
        devices: the products of devices.
        condition: the condition number, the largest factor by which errors of proportions can grow.
        likelihood_gap: the gap of the maximum likelihood joint distribution; ``None`` if there are too many cells.
        confidence: the confidence of the intervals, for all cells at once.
        marginals: the number of questions of each table; ``None`` for one table of all questions.
        guarantees: the guarantees of the intervals of each kind.
        tables: the joint distribution, or the marginals.
        remarks: the remarks on the estimates, as sentences.
        joint: the maximum likelihood joint distribution with the responses. It is not part of the JSON output, so it is
            ``None`` for an object read from a file.
        mechanisms: the product of devices of each group; empty for an object read from a file.
        all_intervals: whether to print the intervals of every kind or only the recommended one.
    """

    n: int
    excluded: int
    devices: tuple[QuestionsDevice, ...]
    condition: Fraction
    likelihood_gap: Fraction | None
    confidence: Fraction
    marginals: int | None
    guarantees: Mapping[str, str]
    tables: tuple[QuestionsTable, ...]
    remarks: tuple[str, ...]
    joint: Likelihood | None = field(default=None, compare=False, repr=False)
    mechanisms: tuple[ProductMechanism, ...] = field(default=(), compare=False, repr=False)
    all_intervals: bool = field(default=False, compare=False, repr=False)

    ANSWER = ("n", "estimate=_estimates")

    @property
    def _estimates(self) -> Any:
        found = {table.title: tuple(map(float, table.estimate)) for table in self.tables}
        return next(iter(found.values())) if len(found) == 1 else found

    def checked(self) -> None:
        """Raise if the devices, tables or guarantees in a file do not fit together."""
        is_single = self.marginals is None and len(self.tables) == 1
        fits = is_single or (self.marginals is not None and bool(self.tables))
        if not (self.devices and fits and set(self.guarantees) == set(INTERVAL_KINDS)):
            raise InvalidParameterError(
                f"the tables of several questions do not fit: received {with_noun(len(self.devices), 'device')}, "
                f"{len(self.tables)} "
                f"tables, marginals = {self.marginals}, and guarantees of {shown(list(self.guarantees))}; "
                f"allowed are devices, one table without marginals, and guarantees of {' and '.join(INTERVAL_KINDS)}"
            )

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return a sentence on each table: of one yes/no question the proportion of yes, else the largest estimate.

        The intervals hold for all cells of all tables together, so the largest may be chosen.

        Args:
            unit, population: not used.
        """
        told = []
        for table in self.tables[:_CONCLUDED]:
            cells = [*range(len(table.estimate))]
            largest = max(cells, key=lambda cell: table.estimate[cell])
            cell = 1 if table.sizes == (2,) else largest
            number = "answer " * (not any(table.categories))
            name = f"{visible(table.title)}, {number}{visible(table.place(cell))}"
            name = name if table.sizes == (2,) else f"The largest estimate is that of {name}"
            low, high = map(float, table.intervals[RECOMMENDED][cell])
            told.append(share_sentence(name, table.estimate[cell], (low, high), self.confidence, of=_TOGETHER))
        more = len(self.tables) - len(told)
        return " ".join([*told, *[f"The tables have {more} more."] * bool(more)])

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the mechanism, its privacy levels, the responses, the guarantees."""
        told = ("device", several_devices([(device.name or "", device.in_words) for device in self.devices]))
        rows = [told, ("mechanism", self.devices[0].name or "product")]
        if len(self.devices) > 1:
            rows = [told, ("mechanisms", f"{len(self.devices)} different ones; epsilon of the most revealing one")]
        for name in ("whole_answer", "worst_question"):
            largest = max((getattr(device.epsilon, name) for device in self.devices), key=float)
            rows.append((name.replace("_", " "), f"epsilon = {both_texts(largest, 6)}"))
        grow = both_texts(self.condition, 6)
        percent = f"{decimal_text(100 * self.confidence)} % for all cells"
        kinds = _SHOWN[bool(self.all_intervals)]
        said = [(f"{kind} intervals", f"{percent}. {self.guarantees[kind]}") for kind in kinds]
        said[0] = (said[0][0], f"recommended, since coverage is proved: {said[0][1]}")
        return [
            *rows,
            ("answers", f"n = {self.n}, {self.excluded} excluded"),
            ("condition number", f"{grow}: the largest factor by which errors of proportions can grow"),
            *said,
        ]

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each cell of each table: n, estimate, standard error, interval for all cells together."""
        rows = []
        for table in self.tables:
            for row in table.frame_rows():
                place = {"table": row.pop("table"), "cell": row.pop("cell")}
                rows.append({**place, "n": self.n, **row})
        return rows

    def as_tables(self) -> list[Table]:
        """Return a table of estimates for each set of questions, and ``lines``."""
        found: list[Table] = []
        for table in self.tables:
            header, *rows = table.rows(all_intervals=self.all_intervals)
            found.append((table.title, header, rows))
        return [*found, ("", None, self.lines())]


def _remarks(
    tables: Sequence[TableEstimate], joint: Likelihood | None, printed: Sequence[QuestionsTable], kinds: list[str]
) -> tuple[str, ...]:
    found = [remark for table in tables for remark in table.remarks()]
    if joint is None:
        found.append("the joint distribution has too many cells for a most likely estimate: only unbiased estimates")
    else:
        found += joint.remarks()
    for kind in kinds:
        found += empty_remark([name for table in printed for name in table.empty(kind)], kind)
    return tuple(dict.fromkeys(found))


def estimate_questions(
    answers: Answers | Sequence[Answers],
    *,
    marginals: int | None = None,
    confidence: object = Fraction(19, 20),
    all_intervals: bool = False,
    titles: Sequence[str] = (),
) -> QuestionsEstimate:
    """Return the unbiased estimates of several questions and, for few cells, the maximum likelihood estimate.

    Args:
        answers: the responses of respondents, by mechanism.
        marginals: the number k of questions of each table; all tables of k questions are estimated. If omitted, there
            is one table of all questions.
        confidence: the confidence of the intervals, for all cells of all tables at once.
        all_intervals: whether to print the intervals of every kind or only the recommended one.
        titles: the names of the questions, which the result prints; empty for numbers. The names of the categories are
            those of the devices.

    Raises:
        InvalidParameterError: as for ``estimate_marginals``, and for titles that are not one text for each question.
        UnsupportedProblemError: there are too many cells or tables.

    >>> from rropt.survey import answers_of_counts
    >>> from rropt.mechanisms import named_mechanism
    >>> found = estimate_questions(answers_of_counts(named_mechanism("bits:3/4*2"), [40, 30, 20, 10]), marginals=1)
    >>> [[str(share) for share in table.estimate] for table in found.tables]
    [['7/10', '3/10'], ['9/10', '1/10']]
    """
    groups, level = tuple(groups_of(answers)), exact_confidence(confidence)
    tables = (estimate_cells(groups),) if marginals is None else estimate_marginals(groups, marginals)
    names, asked = names_of(titles, "titles"), len(groups[0].mechanism.factors)
    if len(names) not in (0, asked):
        raise InvalidParameterError(
            f"`titles` do not fit the questions: received {len(names)}; allowed are none, or one for each of {asked} "
            "questions"
        )
    cells = groups[0].mechanism.inputs
    few = cells <= (MAX_LIKELY_CELLS if marginals is None else _SEARCHED)
    joint = estimate_joint(groups) if few else None
    intervals = {kind: simultaneous_intervals(tables, level, kind=kind) for kind in INTERVAL_KINDS}
    questions = len(tables[0].questions)
    printed = tuple(
        QuestionsTable(
            questions=table.questions,
            sizes=table.sizes,
            estimate=table.estimate,
            constrained_estimate=None if joint is None else joint.marginal(table.questions),
            standard_error=table.standard_errors,
            intervals=ReadOnlyMapping({kind: found.cut(i) for kind, found in intervals.items()}),
            titles=tuple(names[question] for question in table.questions) if names else (),
            categories=tuple(device.categories for device in groups[0].devices(table.questions)),
        )
        for i, table in enumerate(tables)
    )
    return QuestionsEstimate(
        n=sum(group.n for group in groups),
        excluded=sum(group.excluded for group in groups),
        devices=tuple(
            QuestionsDevice(g.mechanism.name, g.mechanism.in_words(), question_levels(g.mechanism), g.n) for g in groups
        ),
        condition=max(group.mechanism.condition(questions=questions) for group in groups),
        likelihood_gap=None if joint is None else joint.likelihood_gap,
        confidence=level,
        marginals=marginals,
        guarantees=ReadOnlyMapping({kind: found.guarantee for kind, found in intervals.items()}),
        tables=printed,
        remarks=_remarks(tables, joint, printed, _SHOWN[bool(all_intervals)]),
        joint=joint,
        mechanisms=tuple(group.mechanism for group in groups),
        all_intervals=all_intervals,
    )
