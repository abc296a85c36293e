"""Check a randomized table before it appears: the input is read once more, beside what was written.

Python's ``csv`` reads text files here, strictly, and not DuckDB, which read them for the output. A column that DuckDB
takes for another one is thus found, whatever the reason. The check compares the number of rows, the counts of the true
answers, and each row of the columns that are kept, by a hash at the place to which the row was moved. Where the rows
are compared, so are the true answers from which outputs were drawn: the data may have changed since. It also refuses a
kept column that belongs together with the true answers of a question (``kept_columns``). True answers stay in memory,
and in no message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rropt.answers.response_codes import Codes
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import BLANKS
from rropt_fieldwork.randomizing.draws import mark_of
from rropt_fieldwork.randomizing.kept_columns import EXACT, JointColumn, KeptColumn, RowOrder, few_runs, hashable, plain
from rropt_fieldwork.reading.duckdb_connection import column_of, rows_of
from rropt_fieldwork.reading.sources import Source

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation, Expression
    from numpy.typing import NDArray

_BLOCK = 1 << 13  # rows that are compared at once
CHANGED_ANSWERS = (
    "the data changed while they were read: the answers to {} are not those for which responses were drawn; nothing "
    "was written; start again when no program writes the data"
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
        sizes: a function that returns how many rows have each number of columns; ``None``: the rows are counted.
    """

    rows: Iterable[Sequence[Any]]
    types: Sequence[Any]
    sizes: Callable[[], Mapping[int, int]] | None = None
    are_texts: bool = True


def check_output(
    source: Source,
    columns: Sequence[WrittenColumn],
    codes: Sequence[Codes],
    counts: Sequence[Mapping[int, int]],
    written: Written,
    *,
    places: NDArray[np.int64] | None = None,
    allowed: Collection[int] = (),
    names: Sequence[Sequence[str] | None] = (),
    marks: Sequence[NDArray[Any] | None] = (),
) -> tuple[str, ...]:
    """Compare the output with the input.

    Args:
        source: the input.
        columns: the columns of the output, in its order.
        codes: for each question the codes of the values in its column.
        counts: for each question the count of each code, as DuckDB has counted them.
        written: the output.
        places: the row of the output, from 0, that each row of the input has become; ``None``: the order is kept. They
            are needed where columns are kept.
        allowed: the positions, in the input, of columns that are kept although they reveal the answers.
        names: for each question the names of the categories, or ``None``.
        marks: for each question the marks (``mark_of``) of the answers from which the outputs were drawn, row by row.

    Returns:
        Remarks on what the kept columns and the order of the rows reveal.

    Raises:
        FileFormatError: the output is not what Python's ``csv`` reads in the input, or an answer has changed.
        InvalidParameterError: a kept column has the true answers of a question, or follows from them.
    """
    questions = {place: column.question for place, column in enumerate(columns) if column.question is not None}
    kept = [place for place, column in enumerate(columns) if column.question is None]
    answers: dict[int, Counter[Any]] = {place: Counter() for place in questions}
    pairs = {
        (one, place): KeptColumn(codes[question], names[question] if names else None)
        for one in kept
        for place, question in questions.items()
    }
    joint = {one: JointColumn([codes[q] for q in questions.values()]) for one in kept if len(questions) > 1}
    orders = {one: RowOrder() for one in kept}
    runs = {} if places is not None else {place: _Runs(codes[question]) for place, question in questions.items()}
    rows = sum(counts[0].values())
    hashes = np.zeros(rows if kept else 0, np.int64)
    drawn = {place: held for place, q in questions.items() if marks and (held := marks[q]) is not None}
    total, changed = 0, ""
    if not kept and not runs:
        for counted in _answers(source, columns, written):
            for place, values in zip(questions, counted, strict=True):
                answers[place].update(values)
        total = sum(answers[next(iter(questions))].values())
    for block in _given(source, columns, written) if kept or runs else ():
        size = len(block[0])
        if total + size > rows:
            raise _difference("the number of its rows")
        for place, question in questions.items():
            answers[place].update(block[place])
            if place in drawn and not _are_the_same(codes[question], block[place], drawn[place][total : total + size]):
                changed = changed or shown(columns[place].title)
        for (one, place), pair in pairs.items():
            pair.add(block[one], block[place])
        for one, all_questions in joint.items():
            all_questions.add(block[one], [block[place] for place in questions])
        for one, order in orders.items():
            order.add(block[one])
        for place, run in runs.items():
            run.add(block[place])
        if kept:
            own = slice(total, total + size)
            hashes[own if places is None else places[own]] = _hashes([block[one] for one in kept])
        total += size
    _compare(written, len(columns), kept, hashes, [columns[one].title for one in kept], total, rows)
    for place, question in questions.items():
        _compare_counts(answers[place], codes[question], counts[question], columns[place].title)
    if changed:
        raise FileFormatError(CHANGED_ANSWERS.format(changed))
    remarks = _remarks_on_kept(columns, questions, pairs if total else {}, joint, total, allowed)
    for place, run in runs.items():
        if run.are_few():
            told = "so the order of the rows reveals them"
            remarks.append(f"neighbours often have the same answer to {shown(columns[place].title)}, {told}")
    if places is not None and (in_order := [shown(columns[one].title) for one in kept if orders[one].is_kept]):
        remarks.append(
            f"{', '.join(in_order)} restores the order of the data, which reveals the answers where rows were sorted "
            "or came in groups"
        )
    return tuple(remarks)


def _are_the_same(codes: Codes, values: Sequence[Any], marks: NDArray[Any]) -> bool:
    """Return whether the answers of some rows are those for which outputs were drawn."""
    mark = partial(mark_of, codes) if codes.grid else codes.__getitem__
    return np.array_equal(np.fromiter(map(mark, values), np.int64, len(values)), marks)


def _remarks_on_kept(
    columns: Sequence[WrittenColumn],
    questions: Mapping[int, int],
    pairs: Mapping[tuple[int, int], KeptColumn],
    joint: Mapping[int, JointColumn],
    total: int,
    allowed: Collection[int],
) -> list[str]:
    """Return a remark on each kept column that reveals answers and is kept anyway.

    Raises:
        InvalidParameterError: another kept column reveals answers.
    """
    remarks = []
    found_relations = [
        (one, f"{relation} the answers to {shown(columns[place].title)}", "all " * (relation in EXACT))
        for (one, place), pair in pairs.items()
        if (relation := pair.relation())
    ]
    known = {one for one, _, _ in found_relations}
    found_relations += [
        (one, f"nearly follows from the answers to the {len(questions)} questions together", "")
        for one, all_questions in joint.items()
        if one not in known and all_questions.follows()
    ]
    for one, relation, exact in found_relations:
        what = f"{shown(columns[one].title)}, which {relation}"
        if columns[one].place not in allowed:
            raise InvalidParameterError(
                f"a column to keep has the true answers: received {what} in {exact}{total} rows; leave it out of "
                "the columns to keep, or name it as one to keep anyway (`keep_anyway`); nothing was written"
            )
        remarks.append(f"kept anyway: {what}")
    return remarks


class _Runs:
    """The number of runs of equal answers in the order of the rows."""

    def __init__(self, codes: Codes) -> None:
        self._codes, self._last, self._runs = codes, -9, 0
        self._sizes: Counter[int] = Counter()

    def add(self, answers: Sequence[Any]) -> None:
        own = np.array([self._last, *map(self._codes.__getitem__, answers)])
        self._runs += int(np.count_nonzero(own[1:] != own[:-1]))
        self._sizes.update(own[1:].tolist())
        self._last = int(own[-1])

    def are_few(self) -> bool:
        return few_runs(self._runs, list(self._sizes.values()))


def _compare_counts(answers: Counter[Any], codes: Codes, counts: Mapping[int, int], title: str) -> None:
    """Refuse an output if the answers to a question have other counts than DuckDB's."""
    by_code: Counter[int] = Counter()
    for value, n in answers.items():
        by_code[codes[value]] += n
    if by_code != Counter(counts):
        raise _difference(f"the counts of the answers to {shown(title)}")


def _compare(
    written: Written,
    width: int,
    kept: Sequence[int],
    hashes: NDArray[np.int64],
    titles: Sequence[str],
    total: int,
    rows: int,
) -> None:
    """Compare the rows of the output with the hashes of those of the input, which are in the same order."""
    if not kept:
        _compare_size(written, width, total, rows)
        return
    made, outputs = 0, iter(written.rows)
    while other := list(islice(outputs, _BLOCK)):
        if {len(row) for row in other} != {width}:
            raise _difference("the number of its columns")
        if made + len(other) > rows:
            break
        columns = list(zip(*other, strict=True))
        own = _hashes([columns[one] for one in kept])
        if not np.array_equal(own, hashes[made : made + len(other)]):
            what = "columns" if len(titles) > 1 else "column"
            raise _difference(f"the {what} {', '.join(map(shown, titles))}")
        made += len(other)
    if not made == total == rows or other:
        raise _difference("the number of its rows")


def _compare_size(written: Written, width: int, total: int, rows: int) -> None:
    """Compare the numbers of columns and of rows of the output with those of the input."""
    sizes = Counter(map(len, written.rows)) if written.sizes is None else written.sizes()
    if set(sizes) - {width}:
        raise _difference("the number of its columns")
    if not sizes.get(width, 0) == total == rows:
        raise _difference("the number of its rows")


def _hashes(columns: Sequence[Sequence[Any]]) -> NDArray[np.int64]:
    """Return a hash of each row: of texts without surrounding blanks and with uniform line ends."""
    own = [
        [
            hashable(value) if not isinstance(value, str) else plain(value) if "\r" in value else value.strip(BLANKS)
            for value in column
        ]
        for column in columns
    ]
    return np.fromiter(map(hash, zip(*own, strict=True)), np.int64, len(own[0]))


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


def _answers(source: Source, columns: Sequence[WrittenColumn], written: Written) -> Iterator[list[Mapping[Any, int]]]:
    """Yield the counts of the values of each column of the output in some rows of the input at a time."""
    from duckdb import ColumnExpression, FunctionExpression

    places = [column.place for column in columns]
    for part in source.parts or (source,):
        if part.blocks is None:
            relation, values = _read_again(source, part, places, written)
            counted = FunctionExpression("count_star")
            groups = (relation.select(value.alias("x")).aggregate([ColumnExpression("x"), counted]) for value in values)
            yield [dict(rows_of(each)) for each in groups]
            continue
        partition = [value for _, value in part.input.partition] if source.parts else []
        for rows in part.blocks():
            if rows:
                width = len(rows[0])
                yield [
                    Counter(map(itemgetter(place), rows)) if place < width else {partition[place - width]: len(rows)}
                    for place in places
                ]


def _from_relation(
    source: Source, part: Source, places: Sequence[int], written: Written
) -> Iterator[list[Sequence[Any]]]:
    """Yield columns of a table that is no text, as values of the types that were written, or as texts of them."""
    relation, values = _read_again(source, part, places, written)
    rows = rows_of(relation.select(*(value.alias(f"c{i}") for i, value in enumerate(values))))
    while block := list(islice(rows, _BLOCK)):
        yield list(zip(*block, strict=True))


def _read_again(
    source: Source, part: Source, places: Sequence[int], written: Written
) -> tuple[DuckDBPyRelation, list[Expression]]:
    """Return a relation that reads a table again, and its values in the types that were written or as their texts."""
    from duckdb import ConstantExpression

    assert source.connection is not None
    relation = part.relation if part.relation is not None else part.opened(source.connection).relation
    own = [column_of(name) for name in relation.columns]
    own += [ConstantExpression(value) for _, value in part.input.partition] if source.parts else []
    chosen = []
    for i, place in enumerate(places):
        value = own[place].cast(source.relation.types[place]).cast(written.types[i])
        chosen.append(value.cast("VARCHAR") if written.are_texts else value)
    return relation, chosen


def _difference(where: str) -> FileFormatError:
    return FileFormatError(
        f"the output is not what the data say: {where} differs when Python's csv reads the data, so that true answers "
        "may stand in other columns; nothing was written; save the data as CSV with commas and double quotation marks"
    )
