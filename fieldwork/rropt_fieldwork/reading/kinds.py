"""Counts of responses: equal respondents are counted together, with the sums of their weights.

Two respondents are equal if they have the same stratum, cluster, cell of post-stratification, group, device and
responses, as they are stored. An engine counts them, and the few distinct values are interpreted afterwards, in the
same way for all engines: a response becomes a code (``response_codes``), other values become texts without surrounding
blanks. For each kind of equal respondents the estimates need only their number and the sums of w and w^2. Without
weights these are the number. Memory grows with the number of kinds, not with the number of rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rropt.answers.data_columns import Ints, numbered, places_of_levels
from rropt.answers.respondent_kinds import ALL, RespondentKinds
from rropt.answers.response_codes import MISSING, codes_of_values
from rropt.answers.table_reports import Gap
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import label_form, normal, text_of
from rropt.core.visible import with_noun
from rropt_fieldwork.reading.counting import MOST_CELLS, CountRequest, require_design, too_many_cells
from rropt_fieldwork.reading.sources import SELECTED, Source

if TYPE_CHECKING:
    pass

_MOST_TEXTS = 2 * MOST_CELLS  # the largest number of distinct texts of groups and devices, before blanks are removed
_MOST_KINDS = 5_000_000  # the largest number of kinds; with more, there are too many texts
_MOST_EXPECTED = 1 << 17  # questions are counted together, to read the table less often, up to this many kinds
_UNCLEAR = re.compile('[,"]')  # in one of several texts
# of Excel in any language, or Calc
_ERROR = re.compile("#[\u00a1\u00bf]?[A-Z\u00c0-\u00de0-9/]+[!?]|#N/[AD]|#NV|Err:5[0-9]{2}")


class _CountedKinds(RespondentKinds):
    """The kinds of equal respondents of a table, as an engine counts them.

    Args:
        source, asked: the table, its questions, groups and devices, and the sampling design.
        questions: the questions by whose responses the respondents are counted.
        texts: the texts of labels, groups and devices that are known.
        most: the number of kinds that is refused; ``None``: none is.
    """

    def __init__(
        self,
        source: Source,
        asked: CountRequest,
        questions: Sequence[int],
        texts: Mapping[str, Texts],
        most: int | None,
    ) -> None:
        sample = asked.sample
        answers, cells = {f"q{question}": asked.places[question] for question in questions}, asked.cells
        chosen: dict[str, str | int] = {**sample.labels, **cells, **answers}
        if sample.is_complex:  # a selection is a domain: the other rows remain members of their clusters
            marked = {**chosen, "k": SELECTED} if source.is_selected else chosen
            found = source.with_all_rows().summed(marked, sample.numbers)
        else:
            found = source.counted(chosen, most)
        columns: dict[str, Any] = dict(found)
        inside = np.asarray(columns.pop("k", np.ones(len(columns["n"]))), bool)
        self.inside = inside
        self.gaps: list[Gap] = []
        for name in chosen:  # one column at a time: the values of many kinds need much memory
            if name in texts:
                columns[name] = codes_of_values(columns[name], texts[name])
                continue
            question = int(name[1:])
            values, codes = columns[name], np.full(len(inside), MISSING, np.int64)
            codes[inside] = codes_of_values(values[inside], asked.codes[question])
            columns[name], gaps = codes, (codes == MISSING) & inside
            if gaps.any():
                self.gaps += gaps_of(asked.titles[question], map(text_of, values[gaps].tolist()), columns["n"][gaps])
        for name in ("positive", "weight", "square"):
            columns.setdefault(name, columns["n"])
        n = len(columns["n"])
        if not n:
            raise _no_answers(source)
        self.columns, self.texts = {name: np.asarray(column) for name, column in columns.items()}, texts
        self.codes: dict[int, Ints] = {question: columns[f"q{question}"] for question in questions}
        if n == most:
            raise _too_many_answers(n, asked, questions)
        if cells:
            self._set_cells(source, asked)
        else:
            self.cells, self.groups, self.devices = 1, [ALL], [""]
            self.group, self.device = np.where(inside, 0, -1), np.zeros(n, np.int64)

    def _set_cells(self, source: Source, asked: CountRequest) -> None:
        """Name the groups and devices, and number those of each kind."""
        cells, inside = asked.cells, self.inside
        first, cell = numbered(*(self.columns[name] for name in cells))
        self.cells = len(first)
        if self.cells > MOST_CELLS:
            raise too_many_cells(asked)
        for name, column in cells.items():
            require_no_errors(source, column, self.texts[name].list, asked.gaps.of_column(column))
        is_met = np.bincount(cell, inside, len(first)) > 0
        first = np.where(is_met, first, first[np.argmax(is_met)])  # devices and groups of selected rows alone
        numbers = {name: self.columns[name][first] for name in cells}
        is_lost, ranks = np.zeros(len(first), bool), []
        for i, column in enumerate(asked.by):
            name, listed = f"g{i}", self.texts[f"g{i}"].list
            known = {"", *map(label_form, asked.gaps.of_column(column))}
            forms = listed if known == {""} else map(label_form, listed)  # only no text has the form of none
            missing = np.array([form in known for form in forms], bool)
            is_lost |= missing[numbers[name]]
            ranks.append(_ranks(listed, order_of(source.orders.get(normal(column), ())))[numbers[name]])
            gaps = missing[self.columns[name]] & inside
            texts = map(listed.__getitem__, self.columns[name][gaps].tolist())
            self.gaps += gaps_of(column, texts, self.columns["n"][gaps])
        if is_lost.all():
            raise InvalidParameterError(
                f"no row has a group: received {with_noun(int(self.columns['n'][inside].sum()), 'row')} that miss a "
                f"value of {shown(', '.join(asked.by))}; name another column"
            )
        lists = [map(self.texts[f"g{i}"].list.__getitem__, numbers[f"g{i}"].tolist()) for i in range(len(ranks))]
        names = list(map(_group_name, zip(*lists, strict=True))) if ranks else [ALL] * len(first)
        order = np.lexsort(ranks[::-1]) if ranks else np.arange(len(first))
        ordered = map(names.__getitem__, order[~is_lost[order]].tolist())
        self.groups, group = _listed(
            (None if lost else name for name, lost in zip(names, is_lost.tolist(), strict=True)), ordered
        )
        devices = [self.texts["d"].list[number] for number in numbers["d"].tolist()] if "d" in cells else [""]
        self.devices, device = _listed(devices, sorted(devices, key=normal))
        device = device if "d" in cells else np.zeros(len(first), np.int64)
        self.group, self.device = np.where(inside, group[cell], -1), device[cell]


class AnswerCounts:
    """The counts of the responses to one question, without groups, devices and a sampling design, in plain Python.

    It has those attributes and methods of ``RespondentKinds`` that such data need: devices, texts, gaps and total.
    """

    def __init__(self, source: Source, asked: CountRequest) -> None:
        _require_questions(source, asked)
        found = source.values_of(asked.places[0], _MOST_KINDS)
        if not found:
            raise _no_answers(source)
        if len(found) == _MOST_KINDS:
            raise _too_many_answers(_MOST_KINDS, asked, [0])
        self.devices, self.texts = [""], dict[str, Texts]()
        self._total: Counter[int] = Counter()
        gaps: list[tuple[str, int]] = []
        for value, n in found:
            code = asked.codes[0][value]
            self._total[code] += n
            if code == MISSING:
                gaps.append((text_of(value), n))
        self.gaps = gaps_of(asked.titles[0], *zip(*gaps, strict=True)) if gaps else []

    def total(self, question: int) -> dict[int, int]:
        """Return the count of each code of the question."""
        assert question == 0
        return dict(sorted(self._total.items()))


def _no_answers(source: Source) -> FileFormatError:
    return FileFormatError(f"data are empty: {source.name} contains no answers; give one line for each respondent")


def _too_many_answers(n: int, asked: CountRequest, questions: Sequence[int]) -> FileFormatError:
    return FileFormatError(
        f"the data have too many different answers: received {n} different ones or more in "
        f"{shown(', '.join(asked.titles[question] for question in questions))}; is it the right column?"
    )


def _require_questions(source: Source, asked: CountRequest) -> None:
    """Raise an error if a file without a header has another number of columns, or rows miss what they need."""
    if not asked.columns and len(source.names) != len(asked.titles):
        raise FileFormatError(
            f"lines do not fit the questions: received {with_noun(len(source.names), 'answer')} a line, and the "
            f"mechanism asks {len(asked.titles)}; give a column for each question, name the columns that they stand in "
            "(`columns`), or, where one answer "
            "stands for all questions, its categories (`categories=0,1,2,3`)"
        )
    if asked.missing is not None:  # a row without its device or place in the sample
        require_design(source, asked)


def kinds_of(
    source: Source,
    asked: CountRequest,
    sets: Sequence[Sequence[int]],
    *,
    is_limited: bool = True,
) -> list[RespondentKinds]:
    """Count the respondents of a table by each set of questions; the table is read once for each set.

    All sets have the same groups, devices, strata and clusters, with the same numbers.

    Args:
        source, asked: the table, its questions, groups and devices, and the sampling design.
        sets: the questions that are counted together.
        is_limited: whether to refuse too many kinds, where the sample is not complex.
    """
    _require_questions(source, asked)
    sample, cells = asked.sample, asked.cells
    if sample.is_complex and cells:  # before any summation
        found = source.counted(cells, _MOST_TEXTS)
        different = set(zip(*(map(text_of, found[name].tolist()) for name in cells), strict=True))
        if len(different) > MOST_CELLS or len(found[next(iter(cells))]) == _MOST_TEXTS:
            raise too_many_cells(asked)
    texts = {name: Texts() for name in (*sample.labels, *cells)}
    most = _MOST_KINDS if is_limited and not sample.is_complex else None
    return [_CountedKinds(source, asked, one, texts, most) for one in sets]


def question_blocks(sizes: Mapping[int, int], cells: int = 1) -> list[tuple[int, ...]]:
    """Divide questions into blocks that are counted together, so that the table is read few times.

    Args:
        sizes: maps each question to the number of its outputs.
        cells: the number of combinations of groups and devices.
    """
    blocks: list[tuple[int, ...]] = []
    kinds = 0
    for question, size in sizes.items():
        kinds *= size + 1
        if not 0 < kinds <= _MOST_EXPECTED:
            blocks.append(())
            kinds = cells * (size + 1)
        blocks[-1] += (question,)
    return blocks


def order_of(levels: Sequence[str]) -> Callable[[str], tuple[int, str]]:
    """Return the sort key of a text: its place among ordered levels, or else behind them in the order of texts."""
    if not levels:
        return lambda text: (0, normal(text))
    places = places_of_levels(levels)
    return lambda text: (places.get(label_form(text), len(places)), normal(text))


def _ranks(texts: Sequence[str], key: Callable[[str], tuple[int, str]]) -> Ints:
    """Return the rank of each text in the order of their keys."""
    found = np.empty(len(texts), np.int64)
    found[sorted(range(len(texts)), key=[key(text) for text in texts].__getitem__)] = np.arange(len(texts))
    return found


def _group_name(group: tuple[str, ...]) -> str:
    """Return the texts of a group, separated by commas; a text that reads as something else has quotation marks."""

    if len(group) == 1:
        return group[0] or ALL

    def told(text: str) -> str:
        is_unclear = _UNCLEAR.search(text)
        return '"' + text.replace('"', '""') + '"' if is_unclear else text

    return ", ".join(map(told, group)) or ALL


def _listed(texts: Iterable[str | None], ordered: Iterable[str]) -> tuple[list[str], Ints]:
    """Return the different texts, in the order of a list of them, and the place of each text; -1 for ``None``."""
    places = {text: place for place, text in enumerate(dict.fromkeys(ordered))}
    return list(places), np.array([-1 if text is None else places[text] for text in texts], np.int64)


def gaps_of(column: str, texts: Iterable[str], numbers: Iterable[Any]) -> list[Gap]:
    """Return the missing values of a column by text, of rows or of kinds of rows, the most frequent first."""
    found: Counter[str] = Counter()
    for text, n in zip(texts, numbers, strict=False):  # a repeated 1 has no end
        found[text] += int(n)
    return [Gap(column, text, n) for text, n in sorted(found.items(), key=lambda each: (-each[1], each[0]))]


def missing_of(asked: CountRequest, kinds: Sequence[RespondentKinds | AnswerCounts]) -> dict[str, Any]:
    """Return the arguments of ``reading_of`` about missing values, of all questions."""
    of_groups = [gap for gap in kinds[0].gaps if gap.column in asked.by]
    of_questions = {(gap.column, gap.text): gap for one in kinds for gap in one.gaps if gap.column not in asked.by}
    levels = {}
    for i, column in enumerate(asked.by):
        known = {"", *map(label_form, asked.gaps.of_column(column))}
        levels[column] = [text for text in kinds[0].texts[f"g{i}"].list if label_form(text) not in known]
    return {"gaps": [*of_questions.values(), *of_groups], "groups": levels}


class Texts(dict[Any, int]):
    """The numbers from 0 of the texts of a column, by value, in the order in which the texts first occur.

    Texts that are the same to their readers have one number, whether their letters are composed or decomposed, and
    whether a whole number has a decimal point.

    Args:
        as_written: whether a whole number keeps its decimal point, as in a list of categories with 0.5 and 1.0.

    Attributes:
        list: the texts as the data have them, by number, whole numbers without a decimal point; of several the composed
            one, or else the first by code points.
    """

    def __init__(self, *, as_written: bool = False) -> None:
        super().__init__()
        self.list: list[str] = []
        self._as_written = as_written
        self._numbers: dict[str, int] = {}

    def __missing__(self, value: object) -> int:
        text = text_of(value)
        form = label_form(text)
        if not self._as_written and form != normal(text):  # 1 for 1.0
            text = form
        number = self[value] = self._numbers.setdefault(form, len(self.list))
        if number == len(self.list):
            self.list.append(text)
        self.list[number] = form if text == form else min(text, self.list[number], key=lambda one: (one != form, one))
        return number


def require_no_errors(source: Source, column: str, texts: Iterable[str], missing: Sequence[str] = ()) -> None:
    """Raise an error for texts of groups or levels that are errors of a spreadsheet, and no values.

    Args:
        source, column: the table, and the column.
        texts: the different texts of the column.
        missing: the texts that are named as missing values of the column.

    Raises:
        FileFormatError: a text such as ``#DIV/0!`` is not named as missing.
    """
    wrong = {text for text in texts if _ERROR.fullmatch(normal(text)) and normal(text) not in missing}
    if wrong:
        lines = source.rows_where(column, lambda value: text_of(value) in wrong)
        text, verb = min(wrong), "holds" if len(lines) == 1 else "hold"
        raise FileFormatError(
            f"{source.where(lines)} of the data {verb} no value in {shown(column)}, but an error of a spreadsheet, "
            f"such as {shown(text)}: correct it, or name it as missing (`missing={column}={text}`)"
        )
