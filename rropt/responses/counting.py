"""Counts of answer patterns by group and device: one relational expression, counted by DuckDB.

Each question's column becomes a code, 0..m-1 for an answer, -1 where it is missing, -2 where it is none of these; what
is grouped by is codes and the texts of groups and devices, so that memory does not grow with the number of rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.errors import FileFormatError, InvalidParameterError, shown
from rropt.responses.sources import Source
from rropt.results import Result, says

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation, Expression

MISSING, INVALID = -1, -2
_LARGEST = (1 << 22) - 1  # a numbered answer
_MOST_NAMES = 4096
_MOST_CELLS = 10_000  # groups times devices
_MOST_ROWS = 2_000_000  # of counts that groups and devices may have: above it their texts are too many
_SHOWN_LINES = 10

# How tables write that a question was not answered, in any case; an empty cell always says so.
NO_ANSWER = ("", "na", "nan", "none", "null", ".")


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be counted.

    Attributes:
        columns: of the questions, by name; none: a file without a header, whose columns are the questions.
        questions: how many.
        categories: the names of the answers, in order; ``None``: they are numbered 0, 1, ...
        missing: texts that say that a question was not answered; ``None``: ``NO_ANSWER`` in any case.
        by: columns of the groups.
        devices: the column that names each respondent's device.
    """

    columns: tuple[str, ...]
    questions: int
    categories: tuple[str, ...] | None = None
    missing: tuple[str, ...] | None = None
    by: tuple[str, ...] = ()
    devices: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All columns that are asked for."""
        return (*self.columns, *self.by, *((self.devices,) if self.devices is not None else ()))

    def titles(self) -> tuple[str, ...]:
        """Return what the questions are called."""
        return self.columns or tuple(f"question {place}" for place in range(self.questions))

    def code(self, source: Source, question: int) -> Expression:
        """Return a question's column as codes."""
        from duckdb import CaseExpression, ConstantExpression, FunctionExpression

        place = source.columns.index(source.column(self.columns[question])) if self.columns else question
        text, plain = source.text_at(place), source.plain(place)
        lowered = FunctionExpression("lower", text) if self.missing is None else text
        gaps = NO_ANSWER if self.missing is None else ("", *(each.strip() for each in self.missing))
        missing = lowered.isin(*map(ConstantExpression, dict.fromkeys(gaps)))
        if self.categories is None and self.missing is None and source.is_whole(place):  # no text of it is needed
            from duckdb import ColumnExpression

            column = ColumnExpression(source.columns[place])
            case = CaseExpression(column.isnull(), ConstantExpression(MISSING))
            answer = (column >= ConstantExpression(0)) & (column <= ConstantExpression(_LARGEST))
            return case.when(answer, column).otherwise(ConstantExpression(INVALID)).cast("INTEGER")
        if self.categories is None:
            number = FunctionExpression("regexp_full_match", text, ConstantExpression("0|[1-9][0-9]{0,6}"))
            value = CaseExpression(number, text).otherwise(ConstantExpression(str(_LARGEST + 1))).cast("INTEGER")
            # what is written as most people write it is found first: stripping and numbers cost ten times more
            case = CaseExpression(plain == ConstantExpression("0"), ConstantExpression(0))
            case = case.when(plain == ConstantExpression("1"), ConstantExpression(1))
            case = case.when(missing, ConstantExpression(MISSING)).when(value <= ConstantExpression(_LARGEST), value)
            return case.otherwise(ConstantExpression(INVALID)).cast("INTEGER")
        names = [name.strip() for name in self.categories]
        case = CaseExpression(plain == ConstantExpression(names[0]), ConstantExpression(0))
        pairs = [(plain, code) for code in range(1, len(names))] + [(text, code) for code in range(len(names))]
        for written, code in pairs:
            case = case.when(written == ConstantExpression(names[code]), ConstantExpression(code))
        return case.when(missing, ConstantExpression(MISSING)).otherwise(ConstantExpression(INVALID)).cast("INTEGER")


def checked_categories(categories: Sequence[str] | str | None) -> tuple[str, ...] | None:
    """Return the names of answers, different from each other.

    Raises:
        InvalidParameterError: fewer than two, equal ones, an empty one, or too many.
    """
    if categories is None:
        return None
    names = tuple(str(name).strip() for name in (categories.split(",") if isinstance(categories, str) else categories))
    if not 2 <= len(names) <= _MOST_NAMES or len(set(names)) != len(names) or not all(names):
        raise InvalidParameterError(
            f"categories are no names of answers: received {shown(','.join(names))}; allowed are 2 to {_MOST_NAMES} "
            "different names in the order of the mechanism's answers, such as no,yes"
        )
    return names


@dataclass(frozen=True, slots=True)
class QuestionRead(Result):
    """What was read of one question: how many answered it, and how many did not."""

    title: str
    answered: int
    missing: int


@dataclass(frozen=True, slots=True)
class Reading(Result):
    """What was read.

    Attributes:
        source: the file or table.
        rows: respondents.
        questions: what was read of each.
        left_out: respondents without an answer to every question, where all were counted together.
        remarks: what was decided in reading, as sentences.
    """

    source: str
    rows: int
    questions: tuple[QuestionRead, ...]
    left_out: int = 0
    remarks: tuple[str, ...] = ()

    SAYS = says(source="read", rows="respondents", left_out="left out", questions="")

    def text(self) -> str:
        """Return it as a sentence."""
        missing = [f"{each.title}: {each.missing} missing" for each in self.questions if each.missing]
        gaps = ", ".join(missing[:8]) + (", ..." if len(missing) > 8 else "")
        return f"{self.source}: {self.rows} rows; {gaps or 'no answer missing'}; none invalid"


class Cell(NamedTuple):
    """Respondents of one group with one device."""

    group: tuple[str, ...]
    device: str


Counts = Mapping[Cell, Mapping[tuple[int, ...], int]]


def count_patterns(source: Source, asked: Asked) -> Counts:
    """Return for each cell how often each pattern of codes of all questions was given."""
    return _counted(source, asked, [tuple(range(asked.questions))])[0]


def count_questions(source: Source, asked: Asked) -> list[Counts]:
    """Return the same for each question by itself, in one reading."""
    return _counted(source, asked, [(question,) for question in range(asked.questions)])


def _counted(source: Source, asked: Asked, sets: Sequence[tuple[int, ...]]) -> list[Counts]:
    groups = [f"g{i}" for i in range(len(asked.by))] + ["d"] * (asked.devices is not None)
    codes = [f"q{question}" for question in range(asked.questions)]
    chosen = [", ".join([*groups, *(codes[question] for question in one)]) for one in sets]
    if len(sets) == 1:
        shown_codes, grouping = codes, chosen[0]
    else:
        shown_codes, grouping = codes, f"GROUPING SETS ({', '.join(f'({one})' for one in chosen)})"
    statement = f"SELECT {', '.join([*groups, *shown_codes])}, count(*) FROM answers GROUP BY {grouping}"
    if groups:
        statement += f" LIMIT {_MOST_ROWS}"
    found: list[dict[Cell, dict[tuple[int, ...], int]]] = [{} for _ in sets]
    width = len(groups)
    rows = coded(source, asked).query(statement)
    for row in rows:
        texts, pattern, n = [text.strip() for text in row[:width]], row[width:-1], row[-1]
        own = tuple(texts[: len(asked.by)])
        cell = Cell(own, texts[-1] if asked.devices is not None else "")
        if len(sets) == 1:
            place, key = 0, tuple(pattern)
        else:  # the one question of its set has a code, the others have none
            place = next(question for question, code in enumerate(pattern) if code is not None)
            key = (pattern[place],)
        codes_of = found[place].setdefault(cell, {})
        codes_of[key] = codes_of.get(key, 0) + n  # texts that differ in blanks around them are one
        if len(found[place]) > _MOST_CELLS or (groups and len(rows) == _MOST_ROWS):
            raise FileFormatError(
                f"the groups and devices are too many: received more than {_MOST_CELLS} different texts in "
                f"{shown(', '.join((*asked.by, asked.devices or '')).strip(', '))}; are these the right columns?"
            )
    if not any(found):
        raise FileFormatError(f"data are empty: {source.name} holds no answers; give one line for each respondent")
    return [{cell: one[cell] for cell in sorted(one)} for one in found]


def coded(source: Source, asked: Asked, more: Mapping[str, Expression] | None = None) -> Source:
    """Return the table of codes q0, q1, ..., groups g0, g1, ..., devices d, and others by their names.

    Raises:
        FileFormatError: without names of columns, there are not as many columns as questions.
    """
    if not asked.names and len(source.columns) != asked.questions:
        raise FileFormatError(
            f"lines do not fit the questions: received {len(source.columns)} answer{'s' * (len(source.columns) > 1)} a "
            f"line, and the mechanism asks {asked.questions}; give a column for each question, name the columns that "
            f"they stand in (--columns), or, where one answer stands for all questions, its categories "
            "(--categories 0,1,2,3)"
        )
    chosen = [asked.code(source, question).alias(f"q{question}") for question in range(asked.questions)]
    texts = [*asked.by, *(() if asked.devices is None else (asked.devices,))]
    titles = [*(f"g{i}" for i in range(len(asked.by))), "d"]
    for name, title in zip(texts, titles, strict=False):
        chosen.append(source.plain(source.columns.index(source.column(name))).alias(title))
    chosen += [column.alias(name) for name, column in (more or {}).items()]
    relation: DuckDBPyRelation = source.relation.select(*chosen)
    return Source(source.name, relation, (), tuple(relation.columns), source.above, connection=source.connection)


def require_valid(source: Source, asked: Asked, question: int, codes: Mapping[int, int], outputs: int) -> None:
    """Refuse answers that are none: the first ten lines, how many, and nothing that stands in them.

    Args:
        source, asked: what was read.
        question: by number.
        codes: how often each code was given.
        outputs: how many answers the question has.

    Raises:
        FileFormatError: there are some.
    """
    wrong = sum(n for code, n in codes.items() if code == INVALID or code >= outputs)
    if not wrong:
        return
    lines = first_rows(source, asked, f"q{question} = {INVALID} OR q{question} >= {outputs}")
    names = asked.categories or [str(code) for code in range(outputs)]
    allowed = "0 and 1" if asked.categories is None and outputs == 2 else shown(", ".join(names))
    more = "" if wrong <= len(lines) else f", the first {len(lines)} of {wrong}"
    header = "" if asked.columns else ", or, if line 1 is a header, name its columns: --columns"
    raise FileFormatError(
        f"{source.where(lines)} of the data hold{'s' if len(lines) == 1 else ''} no answer to "
        f"{_title(asked, question)}{more} (the content is not repeated here): allowed are {allowed}; correct "
        f"{'it' if wrong == 1 else 'them'}, see --categories, or say with --missing which texts are no answers{header}"
    )


def _title(asked: Asked, question: int) -> str:
    return shown(asked.columns[question]) if asked.columns else f"question {question}"


def first_rows(source: Source, asked: Asked, condition: str) -> list[int]:
    """Return the first ten rows, from 1, that meet a condition on codes."""
    table = coded(source, asked)
    statement = (
        f"SELECT place FROM (SELECT *, row_number() OVER () AS place FROM answers) WHERE {condition} "
        f"ORDER BY place LIMIT {_SHOWN_LINES}"
    )
    return [row[0] for row in table.query(statement)]


def first_row_of(source: Source, asked: Asked, device: str) -> list[int]:
    """Return the first row whose device has a name."""
    from duckdb import ColumnExpression, ConstantExpression

    assert asked.devices is not None
    texts = source.relation.select(source.text(asked.devices).alias("d"))
    relation = texts.query("answers", "SELECT d, row_number() OVER () AS place FROM answers")
    assert relation is not None
    found = relation.filter(ColumnExpression("d") == ConstantExpression(device)).aggregate("min(place)").fetchall()
    return [found[0][0]]


def reading_of(source: Source, asked: Asked, counts: Sequence[Counts], *, left_out: int = 0) -> Reading:
    """Return the report of counts by question."""
    questions, rows = [], 0
    for title, one in zip(asked.titles(), counts, strict=True):
        rows = sum(sum(codes.values()) for codes in one.values())
        missing = sum(codes.get((MISSING,), 0) for codes in one.values())
        questions.append(QuestionRead(title, rows - missing, missing))
    return Reading(source.name, rows, tuple(questions), left_out, source.remarks)


def total(cells: Mapping[Any, Mapping[tuple[int, ...], int]], place: int = 0) -> dict[int, int]:
    """Return how often each code of a question was given in all cells."""
    found: dict[int, int] = {}
    for codes in cells.values():
        for pattern, n in codes.items():
            found[pattern[place]] = found.get(pattern[place], 0) + n
    return found
