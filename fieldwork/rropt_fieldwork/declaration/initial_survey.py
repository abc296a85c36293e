"""``rropt survey init``: a declaration with the columns of the data, in which everything is left to be decided.

Nothing is guessed: the file lists each column with its type and its values, and says what the user must write.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rropt.answers.response_codes import NO_ANSWER, codes_of_values
from rropt.core.errors import FileFormatError, InvalidParameterError, names_of, shown
from rropt.core.normal_form import named_in, normal
from rropt.core.results import Result, Table, labelled
from rropt.core.visible import visible, with_noun
from rropt_fieldwork.declaration.survey_declaration import UNKNOWN, Question, Survey
from rropt_fieldwork.reading.kinds import Texts
from rropt_fieldwork.reading.reading_options import PLACE
from rropt_fieldwork.reading.sources import VIEW, Source, distinct
from rropt_fieldwork.reading.table import header_of, table_of

_MOST_COLUMNS = 1000
_MOST_LISTED = 12  # values of a column that are listed
_MOST_NAMED = 1000  # texts of a question
_LONGEST_LIST = 48  # characters of the listed values
_AT_ONCE = 20  # columns whose values are counted in one reading
_TEXT, _WHOLE, _NUMBERS, _COMMAS = "texts", "whole numbers", "numbers", "numbers with commas"
_TYPES = {"BOOLEAN": "truth values", "DATE": "dates", "DOUBLE": _NUMBERS, "FLOAT": _NUMBERS, "TIME": "times"}

_KEYS = """
Decide which columns describe the sample, and delete the # before their lines:
weights = "{0}"      # the sampling weight of each row
strata = "{0}"
clusters = "{0}"     # the primary sampling units
fpc = "{0}"          # the finite population of each stratum, a column or a number
Decide which rows count, and which texts are no answers:
where = "{0}"        # the finished responses, such as finished = 'yes'
missing = ["{0}"]    # such as "refused"; an empty cell is always missing"""
_PART = """
Decide which columns are randomized questions, and write these lines below for each of them, without the #:
[questions.COLUMN]
question = "{0}"     # its wording
label = "{0}"        # a short name for reports, such as "Used an illegal drug"
categories = ["{0}"] # the responses as the data write them, in the order of the device
device = "{0}"       # a mechanism such as warner:3/4, a file, direct, or the column that names the devices"""


@dataclass(frozen=True, slots=True)
class ListedColumn(Result):
    """A column of the data, as ``rropt survey init`` lists it.

    Attributes:
        column: its name.
        type: what its values are: whole numbers, numbers, numbers with commas, texts, truth values, dates, or times.
        different: the number of different values, without empty cells.
        empty: the number of empty cells.
        values: its values, if they are at most 12; of long ones the first. Empty for more values.
        label: its label or wording, if the file has one.
    """

    column: str
    type: str
    different: int
    empty: int
    values: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class ListedTable(Result):
    """The columns of a table with their types and values, perhaps with a declaration that is to be decided.

    Attributes:
        rows: the number of rows; of a table that states how it is read, of those that are selected.
        columns: the columns.
        survey: what ``init_survey`` declares: the data, and the questions that were named; ``?`` stands for what must
            be decided. ``None`` without a declaration.
        text: the text of the declaration, with the list of columns and what must be decided as comments.
    """

    rows: int
    columns: tuple[ListedColumn, ...] = ()
    survey: Survey | None = None
    text: str = ""

    LABELS: ClassVar = labelled(rows="rows", questions="questions", columns="")

    @property
    def questions(self) -> tuple[str, ...]:
        """The names of the columns that were named as questions."""
        return () if self.survey is None else tuple(self.survey.questions)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs: the number of rows, and the questions of a declaration."""
        return [each for each in Result.lines(self) if self.survey is not None or each[0] != "questions"]

    def as_tables(self) -> list[Table]:
        """Return the numbers, and each column with its type and its values."""
        return [("", None, self.lines()), ("Columns", *table_of_columns(self.columns))]


def init_survey(data: Any, *, folder: str = "", questions: str | Sequence[str] = ()) -> ListedTable:
    """Write the first declaration of a survey from the columns of its data, as ``rropt survey init`` does.

    Nothing is guessed. The text lists each column with its type, the number of its different values, and its empty
    cells, and has a comment for each decision. Questions that are named have their own parts, with the texts of the
    column as categories; their order and the device are left to be decided.

    Args:
        data: the path of a file with a row for each respondent, or its table.
        folder: the folder of the declaration, to which it names the data.
        questions: the columns of the questions. Each has at least two texts, or one text beside empty cells (a tick
            box, whose empty cells are an answer).

    Raises:
        FileFormatError: the data cannot be read, have no header, or a question has too few texts.
        InvalidParameterError: the data have no such column.
    """
    rows = table_of(data)
    rows.require_only("all rows are listed, as they are", *PLACE, "header_rows")
    path, asked = os.fspath(rows.data), rows.reading
    if path == "-":
        raise InvalidParameterError("the data of a survey are a file: received standard input; give its name")
    rows = table_of(path, asked)
    how: dict[str, Any] = {"unweighted": True, "engine": None}
    header = rows.found((), header_of, width=None, **how)
    header = header if Path(path).is_dir() else distinct(header)  # of a folder, its names may state a column again
    times = Counter(map(normal, header))
    names = tuple(name for name in header if times[normal(name)] == 1)  # no command can name the others
    if len(header) > _MOST_COLUMNS or not all(header) or not names:
        raise FileFormatError(
            f"the header of {shown(path)} is not usable: received {with_noun(len(header), 'name')}, "
            f"{len(header) - sum(map(bool, header))} of them empty, {len(names)} of them once; allowed are 1 to "
            f"{_MOST_COLUMNS} names, none of them empty; correct its first line"
        )
    chosen = _chosen(names, questions)
    found = rows.found(names, partial(_described, names, chosen), whole=True, **how)
    asked_of = {key: value for key, value in asked.given.items() if value != 1}
    parts, told = dict[str, Question](), dict[tuple[str, ...], str]()
    for name in chosen:
        parts[name], remarks = _question(name, found.texts[name], found.columns[name])
        told |= {("questions", name, key): remark for key, remark in remarks.items()}
    repeated = {name: times[normal(name)] for name in header if times[normal(name)] > 1}
    others = (ListedColumn(name, f"{n} columns of this name: rename them", 0, 0, "") for name, n in repeated.items())
    columns = [*found.columns.values(), *others]
    told |= {
        (): _comment(columns, found.rows, found.weight),
        ("title",): "of the report",
        ("unit",): "who the survey is about, such as employees",
        ("epsilon",): 'what respondents were promised for one question, such as "log(5)"; "none": nothing',
    }
    unknown: dict[str, Any] = dict.fromkeys(("title", "unit", "epsilon"), UNKNOWN)
    survey = Survey(**unknown, **asked_of, file=(os.path.relpath(path, folder or "."),), questions=parts)
    return ListedTable(found.rows, tuple(columns), survey, survey.to_toml(told))


def _chosen(names: Sequence[str], questions: Any) -> list[str]:
    """Return the columns of the questions as the data write them.

    Raises:
        InvalidParameterError: the data have no such column, or a column is named twice.
    """
    found: list[str] = []
    for name in names_of(questions, "questions"):
        known = named_in(name, names)
        if known is None:
            near = get_close_matches(name, names, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise InvalidParameterError(
                f"`questions` names no column of the data: received {shown(name)}; allowed are "
                f"{shown(', '.join(names[:20]))}{', ...' * (len(names) > 20)}{meant}"
            )
        if known in found:
            raise InvalidParameterError(f"`questions` names a column twice: received {shown(known)}; name it once")
        found.append(known)
    return found


@dataclass(frozen=True, slots=True)
class _Described:
    """The columns of a table, the texts of the questions, the number of rows, and the weight that a file declares."""

    columns: Mapping[str, ListedColumn]
    texts: Mapping[str, Sequence[str]]
    rows: int
    weight: str | None


def _described(names: Sequence[str], questions: Sequence[str], source: Source) -> _Described:
    columns, texts, rows = dict[str, ListedColumn](), dict[str, Sequence[str]](), 0
    for first in range(0, len(names), _AT_ONCE):
        some = names[first : first + _AT_ONCE]
        chosen: dict[str, str | int] = {f"x{place}": name for place, name in enumerate(some)}
        asked = [part for x, name in zip(chosen, some, strict=True) for part in _counts(source, x, name)]
        (counted,) = source.found(chosen, f"SELECT count(*), {', '.join(asked)} FROM {VIEW}", as_rows=True)
        rows, numbers = int(counted[0]), iter(map(int, counted[1:]))
        for name in some:
            different, filled, *forms = (next(numbers) for _ in range(5))
            stored = str(source.relation.types[source.place(name)])
            kind = _type(stored, filled, *forms)
            most = _MOST_NAMED if name in questions else _MOST_LISTED
            order, listed = source.orders.get(normal(name), ()), list[str]()
            if different <= most:
                listed = _texts(source, name, most, order)
            texts[name] = listed
            values = values_text(listed if different <= _MOST_LISTED else [])
            columns[name] = ListedColumn(
                name, kind, different, rows - filled, values, source.titles.get(normal(name), "")
            )
    return _Described(columns, texts, rows, source.weight)


def _counts(source: Source, x: str, name: str) -> list[str]:
    """Return the terms of the counts of different values, filled cells, whole numbers, numbers, and commas in them."""
    if source.value(name)[1] != "string":
        is_filled = f"{x} IS NOT NULL" + (f" AND NOT isnan({x})" if source.value(name)[1] == "float64" else "")
        return [f"count(DISTINCT {x}) FILTER ({is_filled})", f"count(*) FILTER ({is_filled})", "0", "0", "0"]
    text = f"nullif(nfc_normalize(trim({x}, ' \t\n\r\v\f')), '')"
    number = "[+-]?[0-9.,]*[0-9][0-9.,]*([eE][+-]?[0-9]+)?"
    forms = ("[+-]?[0-9]+", number, f"[^,]*,{number[5:]}")
    matches = (f"count(*) FILTER (regexp_full_match({text}, '{form}'))" for form in forms)
    return [f"count(DISTINCT {text})", f"count({text})", *matches]


def _type(stored: str, filled: int, whole: int, number: int, commas: int) -> str:
    """Return what the values of a column are; those of texts by their form."""
    if stored in ("VARCHAR", "BLOB") or stored.startswith("ENUM"):
        if number < filled or not filled:
            return _TEXT if filled else "empty"
        return _WHOLE if whole == filled else _COMMAS if commas else _NUMBERS
    if stored.startswith("DECIMAL"):
        return _WHOLE if stored.endswith(",0)") else _NUMBERS
    if stored.startswith("TIMESTAMP"):
        return "dates and times"
    return _TYPES.get(stored, _WHOLE if "INT" in stored else _TEXT)


def _texts(source: Source, name: str, most: int, order: Sequence[str]) -> list[str]:
    """Return the different texts of a column: in the order of its levels, of whole numbers, or of texts."""
    texts = Texts(as_written=True)
    codes_of_values(source.counted({"x": name}, most + len(NO_ANSWER) + 1)["x"], texts)
    listed = [text for text in texts.list if text]
    places = {normal(text): place for place, text in enumerate(order)}
    if all(text.isascii() and text.isdigit() for text in listed):
        return sorted(listed, key=int)
    return sorted(listed, key=lambda text: (places.get(normal(text), len(places)), normal(text)))


def values_text(texts: Sequence[str]) -> str:
    """Return the texts of a column as one text, at most some of them."""
    mark = " | " if any("," in text for text in texts) else ", "
    listed = mark.join(texts)
    if len(listed) <= _LONGEST_LIST:
        return listed
    kept = [text for place, text in enumerate(texts) if len(mark.join(texts[: place + 1])) <= _LONGEST_LIST - 6]
    return mark.join([*kept, "..."])


def _question(name: str, texts: Sequence[str], column: ListedColumn) -> tuple[Question, dict[str, str]]:
    """Return the part of a question that was named, and what its lines remark.

    Raises:
        FileFormatError: the column has too few or too many texts.
    """
    if column.different > _MOST_NAMED:
        raise FileFormatError(
            f"{shown(name)} is no question: received {column.different} different texts in it; allowed are "
            f"{_MOST_NAMED}; is it the right column?"
        )
    gone = [text for text in texts if text.lower() in NO_ANSWER]
    own = [text for text in texts if text not in gone]
    if not own and len(gone) == 1 and column.empty:
        own, gone = gone, []  # the box "None"
    is_tick_box = len(own) == 1 and column.empty > 0
    if len(own) < 2 and not is_tick_box:
        raise FileFormatError(
            f"{shown(name)} is no question: received {with_noun(len(own), 'text')} in it; allowed are at least "
            "two different responses, or one beside empty cells (a tick box)"
        )
    remarks = {
        "question": "the wording" + ", from the file" * bool(column.label),
        "device": "a mechanism such as warner:3/4, a file, direct, or the column that names the devices",
        "categories": f'the texts of the column: put them in the order of the device, and delete "{UNKNOWN}"'
        + f"; {', '.join(gone)} is left out: it stands for no answer" * bool(gone),
    }
    made = Question(device=UNKNOWN, wording=column.label or UNKNOWN)
    if not is_tick_box:
        return replace(made, categories=(UNKNOWN, *own)), remarks
    listed = f"write categories, both answers in the order of the device, such as no and {own[0]}"
    remarks["blank"] = f"a tick box: the answer for which an empty cell stands; {listed}"
    return replace(made, blank=UNKNOWN), remarks


def table_of_columns(columns: Sequence[ListedColumn]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the head and the rows of the table of columns; labels only if there are any."""
    head: tuple[str, ...] = ("column", "type", "different", "empty", "values")
    rows: list[tuple[str, ...]] = [
        (one.column, one.type, str(one.different), str(one.empty), one.values) for one in columns
    ]
    if not any(one.label for one in columns):
        return head, rows
    return (*head, "label"), [(*row, one.label) for row, one in zip(rows, columns, strict=True)]


def _comment(columns: Sequence[ListedColumn], rows: int, weight: str | None) -> str:
    """Return the comment above a declaration: the columns of the data, and what must be decided."""
    head, cells = table_of_columns(columns)
    table = [head, *(tuple(map(visible, row)) for row in cells)]
    widths = [max(len(row[place]) for row in table) for place in range(len(head))]
    listed = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    lines = [
        "The declaration of a survey. Nothing is guessed: decide what the comments ask for, and replace each "
        f'"{UNKNOWN}".',
        "",
        f"The {with_noun(len(columns), 'column')} of {with_noun(rows, 'row')}:",
        *listed,
        *_KEYS.format(UNKNOWN).splitlines(),
    ]
    if any(one.type == _COMMAS for one in columns):
        lines.append(f'decimal_mark = "{UNKNOWN}" # of numbers with commas: "," or "."')
    if weight is not None:
        own = visible(weight)
        lines.append(f"The file weights its cases by {own} (WEIGHT BY). Decide: weights = {own}, or unweighted = true")
    return "\n".join([*lines, *_PART.format(UNKNOWN).splitlines(), ""])
