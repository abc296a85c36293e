"""Check a randomized table before it appears: the input is read once more, beside what was written.

Python's ``csv`` reads text files here, strictly, and not DuckDB, which read them for the output. A column that DuckDB
takes for another one is thus found, whatever the reason. The check compares the number of rows, the counts of the true
answers, and each value of the columns that are kept. It also refuses a kept column that has the true answers of a
question in any writing, or values that recur and each belong to one answer. True answers stay in memory, and in no
message.

A column determines the answers if each of its values belongs to one answer. Numbers of respondents determine them too,
in every table, and reveal nothing. So values have to recur: ``_Pair.relation`` says how often. No number of rows is too
small for the check, since true answers in few rows are true answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.normal_form import normal, normal_caseless
from rropt.survey.tables.response_codes import Codes
from rropt.survey.tables.sources import BLANKS, Source

_BLOCK = 1 << 13  # rows that are compared at once
_ROWS_A_VALUE = 5  # values that are rarer on average have one answer each by chance, as numbers of respondents do
_FEW_VALUES, _ROWS_OF_FEW = 10, 2  # so few values are codes or bands also if they are rarer, as in a short table
_NUMBER = re.compile(r"[+-]?([0-9]{1,20}([.][0-9]{0,20})?|[.][0-9]{1,20})([eE][+-]?[0-9]{1,3})?", re.ASCII)  # by value
_TRUTH = {"true": Fraction(1), "false": Fraction(0)}  # as Codes reads them
_MOST_VALUES = (
    1000  # of a kept column that may determine the answers: a follow-up question, or several answers in one text
)


@dataclass(frozen=True, slots=True)
class WrittenColumn:
    """A column of the output.

    Attributes:
        title: its name.
        place: the position of the column of the input that it comes from.
        question: the number of the question whose responses it has; ``None``: it is kept as it is.
    """

    title: str
    place: int
    question: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """The rows that were written, read again.

    Attributes:
        rows: the rows, without the header.
        types: DuckDB's types of the columns that were written.
        are_texts: whether the values are texts, or else Python's values of these types.
    """

    rows: Iterable[Sequence[Any]]
    types: Sequence[Any]
    are_texts: bool = True


def check_output(
    source: Source,
    columns: Sequence[WrittenColumn],
    codes: Sequence[Codes],
    counts: Sequence[Mapping[int, int]],
    written: Written,
) -> None:
    """Compare the output with the input.

    Args:
        source: the input.
        columns: the columns of the output, in its order.
        codes: for each question the codes of the values in its column.
        counts: for each question the count of each code, as DuckDB has counted them.
        written: the output.

    Raises:
        FileFormatError: the output is not what Python's ``csv`` reads in the input.
        InvalidParameterError: a kept column has the true answers of a question.
    """
    questions = {place: column.question for place, column in enumerate(columns) if column.question is not None}
    kept = [place for place, column in enumerate(columns) if column.question is None]
    answers: dict[int, Counter[Any]] = {place: Counter() for place in questions}
    pairs = [
        _Pair(one, place, codes[question], len(counts[question]))
        for one in kept
        for place, question in questions.items()
    ]
    total, outputs = 0, iter(written.rows)
    for block in _given(source, columns, written):
        total += len(block[0])
        other = list(islice(outputs, len(block[0])))
        if len(other) < len(block[0]) or {len(row) for row in other} != {len(columns)}:
            raise _difference("the number of its rows")
        made = list(zip(*other, strict=True))
        for place in questions:
            answers[place].update(block[place])
        for place in kept:
            if block[place] != made[place] and list(map(_plain, block[place])) != list(map(_plain, made[place])):
                raise _difference(f"the column {shown(columns[place].title)}")
        for pair in pairs:
            pair.add(block[pair.kept], block[pair.question])
    if next(outputs, None) is not None:
        raise _difference("the number of its rows")
    for place, question in questions.items():
        found: Counter[int] = Counter()
        for value, n in answers[place].items():
            found[codes[question][value]] += n
        if found != Counter(counts[question]):
            raise _difference(f"the counts of the answers to {shown(columns[place].title)}")
    for pair in pairs:
        if total and (relation := pair.relation(total, counts[questions[pair.question]])):
            raise InvalidParameterError(
                f"a column to keep has the true answers: received {shown(columns[pair.kept].title)}, {relation} "
                f"the answers to {shown(columns[pair.question].title)} in all {total} rows; leave it out of the "
                "columns to keep; nothing was written"
            )


class _Pair:
    """A kept column and a question, at these places of the output, and what their values have in common."""

    def __init__(self, kept: int, question: int, codes: Codes, most: int) -> None:
        self.kept, self.question, self.is_equal = kept, question, True
        self._codes, self._most = codes, max(most, _MOST_VALUES)  # most: the number of categories
        self._answers: dict[Any, int] | None = {}  # the code of the answer by the value of the kept column

    def add(self, kept: Sequence[Any], answers: Sequence[Any]) -> None:
        """Take in the values of some rows."""
        if not self.is_equal and self._answers is None:
            return
        for value, answer in set(zip(kept, answers, strict=True)):
            own = _read(value)
            self.is_equal = self.is_equal and _seen(own) == _seen(_read(answer))
            if self._answers is not None:
                code = self._codes[answer]
                if self._answers.setdefault(own, code) != code or len(self._answers) > self._most:
                    self._answers = None
            elif not self.is_equal:
                return

    def relation(self, rows: int, counts: Mapping[int, int]) -> str:
        """Return how the kept column gives away the answers; "" if it does not, or only as any number of a row does.

        A column with as many values as there are answers is a recoding of them. One with more values is refused if
        they recur, or if all who gave one of the answers, five or half of the rows, have one value: a follow-up
        question, which is blank after "no", with a different text in each other row.

        Args:
            rows: the number of rows.
            counts: the number of rows by the code of the answer.
        """
        if self.is_equal:
            return "which is equal to"
        found = self._answers or {}
        values = Counter(found.values())  # the number of values by the code of the answer
        if len(values) < 2:
            return ""
        if len(found) == len(values):
            return "which is in one-to-one correspondence to"
        each = _ROWS_OF_FEW if len(found) <= _FEW_VALUES else _ROWS_A_VALUE
        alone = [counts[code] for code, number in values.items() if number == 1]
        is_follow_up = any(n >= _ROWS_A_VALUE or 2 * n >= rows for n in alone)
        return "which determines" if rows >= each * len(found) or is_follow_up else ""


def _plain(value: Any) -> Any:
    """Return a text without surrounding blanks and with uniform line ends; "" for a missing value."""
    if isinstance(value, str):
        return value.strip(BLANKS).replace("\r\n", "\n").replace("\r", "\n")
    return "" if value is None or value != value else value  # NaN is not equal to itself


def _read(value: Any) -> Any:
    """Return a value as its readers see it: letters may be composed or decomposed."""
    own = _plain(value)
    return normal(own) if isinstance(own, str) else own


def _seen(own: Any) -> Any:
    """Return a value as people see it: texts in any case, and numbers in any form, such as 1 and 1.0."""
    if not isinstance(own, str):
        return own
    text = normal_caseless(own)
    return Fraction(own) if _NUMBER.fullmatch(own) else _TRUTH.get(text, text)


def _given(source: Source, columns: Sequence[WrittenColumn], written: Written) -> Iterator[list[Sequence[Any]]]:
    """Yield the columns of some rows of the input at a time, in the order of the output."""
    places = [column.place for column in columns]
    for part in source.parts or (source,):
        if part.blocks is None:
            yield from _from_relation(source, part, places, written)
            continue
        partition = [value for _, value in part.input.partition] if source.parts else []
        for rows in part.blocks():
            if rows:
                own = [*zip(*rows, strict=True), *([value] * len(rows) for value in partition)]
                yield [own[place] for place in places]


def _from_relation(
    source: Source, part: Source, places: Sequence[int], written: Written
) -> Iterator[list[Sequence[Any]]]:
    """Yield columns of a table that is no text, as values of the types that were written, or as texts of them."""
    from duckdb import ColumnExpression, ConstantExpression

    assert source.connection is not None
    relation = part.relation if part.relation is not None else part.opened(source.connection).relation
    own = [ColumnExpression(name) for name in relation.columns]
    own += [ConstantExpression(value) for _, value in part.input.partition] if source.parts else []
    chosen = []
    for i, place in enumerate(places):
        value = own[place].cast(source.relation.types[place]).cast(written.types[i])
        chosen.append((value.cast("VARCHAR") if written.are_texts else value).alias(f"c{i}"))
    rows = relation.select(*chosen).iter_rows()
    while block := list(islice(rows, _BLOCK)):
        yield list(zip(*block, strict=True))


def _difference(where: str) -> FileFormatError:
    return FileFormatError(
        f"the output is not what the data say: {where} differs when Python's csv reads the data, so that true answers "
        "may stand in other columns; nothing was written; save the data as CSV with commas and double quotation marks"
    )
