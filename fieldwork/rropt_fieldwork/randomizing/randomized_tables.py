"""Randomize tables: read the true answers with DuckDB, draw each response with exact probabilities, write a new table.

DuckDB reads the columns of the questions, and ``draws`` draws an output for each row. The outputs are then put beside
the columns that are kept, which DuckDB reads once more. Nothing is published unless there are as many outputs as rows,
and unless a further reading finds the same rows (``output_checks``). The data may change between the readings. The
answers that were drawn from are therefore counted; and where rows are written beside columns that are kept, or in the
order of the data, a mark of each is held in memory (a byte or two a row), and the last reading compares it.

A table may be sorted by the answers, so its order would reveal them. Whole rows are therefore written in a random order
that is drawn from the operating system's randomness, unless the order is to be kept. DuckDB sorts the rows that are
written, in memory.

True answers are never written to disk: DuckDB has no folder for data that exceed memory, and a run without sufficient
memory ends with an error.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from rropt.answers import TableReading
from rropt.answers.respondent_kinds import kinds_by_question
from rropt.answers.response_codes import MISSING
from rropt.core.errors import (
    FileAccessError,
    FileFormatError,
    InvalidParameterError,
    UnsupportedProblemError,
    shown,
)
from rropt.core.exact import Epsilon, both_texts
from rropt.core.files import being_filled, shown_path
from rropt.core.normal_form import normal
from rropt.mechanisms import BitVectorMechanism, Mechanism, RandomQuestions
from rropt.mechanisms.subsets import BETWEEN, Subsets, require_names_of_sets, set_texts
from rropt_fieldwork.randomizing.draws import AskedDraws, Draws, Text, drawn_table, is_written_as_set
from rropt_fieldwork.randomizing.output_checks import CHANGED_ANSWERS, Written, WrittenColumn, check_output
from rropt_fieldwork.reading.counting import CountRequest, reading_of
from rropt_fieldwork.reading.duckdb_connection import column_of, pieces_of, rows_of
from rropt_fieldwork.reading.files_in_memory import CHUNK
from rropt_fieldwork.reading.kinds import kinds_of, question_blocks
from rropt_fieldwork.reading.layouts import unlimited_field_length
from rropt_fieldwork.reading.reading_options import PLACE
from rropt_fieldwork.reading.sources import VIEW, Source, reading_errors
from rropt_fieldwork.reading.table import table_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation, Expression
    from numpy.typing import NDArray


_PIECE = 1 << 20  # numbers that are compared, or sorted, at once
_MOST_PARTS = 256  # the values of a byte
_BITS, _NO_BITS = 64, np.uint64(0)  # of a random number
_DUCKDB = {"string": "varchar", "int64": "bigint", "float64": "double", "boolean": "boolean"}
_MOST_OUTPUTS = 2**31 - 1  # the largest DuckDB integer, the type in which outputs are passed


def random_places(rows: int, seed: int | None = None) -> NDArray[np.int64]:
    """Return the numbers 0, ..., rows - 1 in a random order; each order has the same probability.

    The rows get different random numbers of 64 bits, and are sorted by them.

    Args:
        rows: the number of rows.
        seed: the seed of a simulation; ``None``: the operating system's randomness.
    """
    for keys in _random_keys(rows, _of_seed(seed)):
        places = np.argsort(keys)
        if _are_different(keys, places):
            return places
    raise AssertionError("random numbers do not end")


def shuffled(outputs: Any, seed: int | None = None) -> Any:
    """Return the rows of an Arrow table in a random order; each order has the same probability.

    Small numbers are sorted as the last bits of random numbers whose other bits differ: a third of the time. Each of
    many rows is first put into one of some parts, drawn at random; to sort one part at a time takes less memory.
    """
    import pyarrow as pa

    rows = outputs.num_rows
    are_numbers = all(pa.types.is_integer(column.type) and not column.null_count for column in outputs.columns)
    widths = [column.type.bit_width for column in outputs.columns] if are_numbers else []
    if not are_numbers or sum(widths) + 2 * rows.bit_length() > _BITS:  # else many random numbers would be equal
        return outputs.take(random_places(rows, seed))
    random = _of_seed(seed)
    parts = min(1 << ((rows - 1) // _PIECE).bit_length(), _MOST_PARTS) if rows else 0
    drawn = _random_numbers(rows, random, np.uint8) & np.uint8(parts - 1) if parts > 1 else np.zeros(rows, np.uint8)
    found = [np.empty(rows, one.type.to_pandas_dtype()) for one in outputs.columns]
    start = 0
    for part in range(parts):
        for place, mixed in zip(found, _mixed(_rows_of(outputs, drawn, part), widths, random), strict=True):
            end = start + len(mixed)
            place[start:end] = mixed
        start = end
    return pa.table(dict(zip(outputs.column_names, found, strict=True)))


def _rows_of(outputs: Any, drawn: NDArray[np.uint8], part: int) -> list[NDArray[Any]]:
    """Return the columns of the rows of a part; batch by batch, as a mask of all rows takes as much memory as they."""
    chosen, start = [], 0
    for batch in outputs.to_batches():
        own = drawn[start : start + batch.num_rows] == part
        chosen.append([column.to_numpy()[own] for column in batch.columns])
        start += batch.num_rows
    return [np.concatenate(columns) for columns in zip(*chosen, strict=True)]


def _mixed(columns: Sequence[NDArray[Any]], widths: Sequence[int], random: np.random.Generator | None) -> list[Any]:
    """Return columns of small integers with their rows in a random order."""
    bits = np.uint64(sum(widths))
    for keys in _random_keys(len(columns[0]), random):
        keys >>= bits
        for column, width in zip(columns, widths, strict=True):
            keys <<= np.uint64(width)
            keys |= column
        keys.sort()
        if _are_different(keys, bits=bits):
            break
    found = []
    for column, width in zip(columns[::-1], widths[::-1], strict=True):
        found.append(keys.astype(column.dtype))  # the last bits
        keys >>= np.uint64(width)
    return found[::-1]


def _of_seed(seed: int | None) -> np.random.Generator | None:
    """Return the random numbers of an order; the outputs have the stream of the seed."""
    return None if seed is None else np.random.default_rng([seed, 1])


def _random_numbers(rows: int, random: np.random.Generator | None, kind: type[Any]) -> NDArray[Any]:
    """Return random numbers of all bits of a kind, by the operating system without a generator."""
    drawn, size = np.empty(rows, kind), np.dtype(kind).itemsize
    for start in range(0, rows, _PIECE):
        count = size * min(_PIECE, rows - start)
        piece = os.urandom(count) if random is None else random.bytes(count)
        drawn[start : start + _PIECE] = np.frombuffer(piece, kind)
    return drawn


def _random_keys(rows: int, random: np.random.Generator | None) -> Iterator[NDArray[np.uint64]]:
    """Yield random numbers of 64 bits, one for each row, until they are different: 10^7 are, but once in 10^5 times."""
    while True:
        yield _random_numbers(rows, random, np.uint64)


def _are_different(
    keys: NDArray[np.uint64], places: NDArray[np.int64] | None = None, bits: np.uint64 = _NO_BITS
) -> bool:
    """Return whether numbers are different without their last bits: sorted ones, or those that ``places`` sort.

    A copy of all takes memory, so that pieces are compared.
    """
    for start in range(0, len(keys), _PIECE):
        own = slice(start, start + _PIECE + 1)
        piece = (keys[own] if places is None else keys[places[own]]) >> bits
        if (piece[1:] == piece[:-1]).any():
            return False
    return True


def drawing(
    source: Source,
    how: Randomizing,
    rows: int,
    progress: Callable[[int], object] | None,
    counts: Sequence[Mapping[int, int]],
) -> tuple[DuckDBPyRelation, list[WrittenColumn], NDArray[np.int64] | None, list[NDArray[Any] | None]]:
    """Return the relation with randomized questions, its columns, the places that its rows were moved to, and marks.

    Args:
        source: the table.
        how: what is randomized.
        rows: the number of its rows.
        progress: called with the number of further rows that are drawn.
        counts: for each question the count of each code.

    Returns:
        The places are ``None`` if the order is kept, and empty if no columns are kept. The marks of the true answers
        of each question are ``None`` if no columns and no order are kept.

    Raises:
        UnsupportedProblemError: there are not as many outputs as rows.
        FileFormatError: outputs were drawn for other answers than those that were counted.
    """
    from duckdb import ColumnExpression

    connection = source.connection
    assert connection is not None
    titles = how.asked.titles
    asked = [source.place(place) for place in how.asked.places]
    kept = [source.place(name) for name in (source.names if how.keep is None else how.kept)]
    if how.keep is None:
        kept = [place for place in kept if place not in asked]
    elif set(kept) & set(asked):
        raise InvalidParameterError(_KEPT_AND_RANDOMIZED)
    outputs, draws = _drawn(source, how, progress, keeps_marks=bool(kept) or how.keep_order)
    require_one_for_each(outputs.num_rows, rows)
    for title, drawn, counted in zip(titles, draws, counts, strict=True):
        if Counter(dict(enumerate(drawn.counts.tolist()))) != Counter(counted):  # without regard to counts of 0
            raise FileFormatError(CHANGED_ANSWERS.format(shown(title)))
    names, marks = [drawn.names for drawn in draws], [drawn.marks for drawn in draws]
    places = None
    if not how.keep_order and not kept:
        outputs, places = shuffled(outputs, how.seed), np.zeros(0, np.int64)
    tables = {"draw": outputs}
    if not how.keep_order and kept:
        places = random_places(rows, how.seed)
        tables["place"] = {"place": places}
    relation, own = _beside(source.relation if kept else None, tables, connection)
    chosen: list[tuple[WrittenColumn, Expression]] = []
    for question, listed in enumerate(names):
        title = source.names[asked[question]] if source.has_header else titles[question]
        value = _written(ColumnExpression(own[f"draw{question}"]), listed, how.texts[question])
        chosen.append((WrittenColumn(title, asked[question], question), value))
    for column in [WrittenColumn(source.names[place], place) for place in dict.fromkeys(kept)]:
        chosen.append((column, column_of(source.relation.columns[column.place])))
    order = sorted(chosen, key=lambda each: each[0].place) if kept else chosen
    columns = [column for column, _ in order]
    if "place" not in own:
        return relation.select(*(value.alias(column.title) for column, value in order)), columns, places, marks
    values = [value.alias(f"c{i}") for i, (_, value) in enumerate(order)]
    placed = relation.select(*values, ColumnExpression(own["place"]).alias("place")).sort(ColumnExpression("place"))
    titled = (ColumnExpression(f"c{i}").alias(column.title) for i, column in enumerate(columns))
    return placed.select(*titled), columns, places, marks


def _drawn(
    source: Source, how: Randomizing, progress: Callable[[int], object] | None, *, keeps_marks: bool
) -> tuple[Any, list[Draws]]:
    """Return the outputs of each question as an Arrow table, and how they were drawn."""
    unnamed = [one.outputs for one, text in zip(how.mechanisms, how.texts, strict=True) if text is None]
    largest = max(unnamed, default=0)
    if largest > _MOST_OUTPUTS:
        raise InvalidParameterError(
            f"one answer has too many outputs: received a mechanism with {largest}; allowed are {_MOST_OUTPUTS}; where "
            "it asks several questions, give a column for each (`columns`)"
        )
    random = None if how.seed is None else np.random.default_rng(how.seed)
    each = zip(how.mechanisms, how.asked.codes, how.texts, strict=True)
    draws = [Draws(mechanism, codes, text, random, keeps_marks=keeps_marks) for mechanism, codes, text in each]
    together = None if how.some is None else AskedDraws(how.some, draws, random)
    answers = (source.value(place) for place in how.asked.places)
    asked = source.relation.select(
        *(value.cast(_DUCKDB[kind]).alias(f"q{i}") for i, (value, kind) in enumerate(answers))
    )
    return drawn_table(pieces_of(asked), draws, together, progress), draws


def _written(output: Expression, names: Sequence[str] | None, text: Text | None) -> Expression:
    """Return an output as it is written: the name of its number, a text, or an integer."""
    from duckdb import ConstantExpression, FunctionExpression

    if names is not None:
        return FunctionExpression("list_extract", ConstantExpression(list(names)), output.cast("BIGINT") + 1)
    return output.cast("INTEGER") if text is None else output


def _beside(
    relation: DuckDBPyRelation | None, tables: Mapping[str, Any], connection: DuckDBPyConnection
) -> tuple[DuckDBPyRelation, dict[str, str]]:
    """Return a relation with the columns of further tables beside its own, and their names there.

    Without a relation, those of the tables alone are returned.
    """
    known = {column.casefold() for column in (relation.columns if relation is not None else ())}
    mark = "_"
    while any(name.endswith(mark) for name in known):
        mark += "_"
    names: dict[str, str] = {}
    joined = []
    for title, table in tables.items():
        own = table if isinstance(table, dict) else {name: table.column(name) for name in table.column_names}
        names |= {name: name + mark for name in own}
        renamed = {name + mark: values for name, values in own.items()}
        connection.register(f"rropt_{title}", renamed if isinstance(table, dict) else type(table).from_pydict(renamed))
        joined.append(f"rropt_{title}")
    if relation is None:
        return connection.sql(f"SELECT * FROM {' POSITIONAL JOIN '.join(joined)}"), names
    beside: Any = relation.query(VIEW, f"SELECT * FROM {' POSITIONAL JOIN '.join([VIEW, *joined])}")
    return beside, names


@contextmanager
def readable_output_errors(source: Source, output: str) -> Iterator[None]:
    """Replace DuckDB's messages about the output file by messages of rropt."""
    import duckdb

    try:
        with reading_errors(source.name, source):
            yield
    except FileFormatError as error:
        cause = error.__context__
        if isinstance(cause, duckdb.IOException) and output:
            told = str(cause)
            space = any(word in told.lower() for word in ("no space", "too large", "disk quota", "write file"))
            reason = "no place is left, or the file may not become so large" if space else "it cannot be written"
            raise FileAccessError(f"cannot write {shown_path(output)}: {reason}; nothing was written") from None
        raise


def require_one_for_each(drawn: int, rows: int) -> None:
    """Require one output for each row; otherwise raise an error, so that nothing is published."""
    if drawn != rows:
        raise UnsupportedProblemError(
            f"the answers were not drawn one by one: {rows} rows, {drawn} draws; the file changed while it was read; "
            "nothing was written"
        )


_KEPT_AND_RANDOMIZED = "a column is kept and randomized: received it in both; allowed is one of them"
_MOST_NAMES = 4096  # the largest number of categories or outputs that have names

Advance = Callable[[int, int], object]  # called with the number of further draws and the number of all draws


@dataclass(frozen=True, slots=True)
class RandomizedTable:
    """The report on a table that was randomized.

    Attributes:
        reading: the report on the input.
        remarks: what the kept columns and the order of the rows reveal, as clauses (``Randomizing.remark``).
    """

    reading: TableReading
    remarks: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.reading.rows


@dataclass(frozen=True, slots=True)
class Randomizing:
    """The request to randomize.

    Attributes:
        mechanisms: the mechanism of each question, from which outputs are drawn.
        asked: the columns and the categories.
        texts: for each question the function that returns the text of an output; ``None``: outputs are numbers.
        keep: the columns to write unchanged; ``None``: all other columns.
        keep_anyway: columns to write unchanged, also if they reveal the true answers; the remark then says so.
        keep_order: whether the rows keep their order, which may reveal the true answers.
        seed: the seed of a simulation; ``None``: the operating system's randomness.
        some: the mechanism, if each respondent is asked some of the questions only; the others are left blank.
    """

    mechanisms: tuple[Mechanism, ...]
    asked: CountRequest
    texts: tuple[Text | None, ...]
    keep: tuple[str, ...] | None = ()
    seed: int | None = None
    some: RandomQuestions | None = None
    keep_anyway: tuple[str, ...] = ()
    keep_order: bool = False

    def __post_init__(self) -> None:
        if (self.keep != () or self.keep_anyway) and not self.asked.columns:
            raise InvalidParameterError(
                "columns are kept by name: received names of columns to keep, and none of a question; give `columns`"
            )
        if set(map(normal, self.kept)) & set(map(normal, self.asked.columns)):
            raise InvalidParameterError(_KEPT_AND_RANDOMIZED)

    @property
    def kept(self) -> tuple[str, ...]:
        """The names of the columns to write unchanged, as far as they are named."""
        return (*(self.keep or ()), *self.keep_anyway)

    def remark(self, epsilon: Epsilon, found: Sequence[str] = ()) -> str:
        """Return the remark on the outputs: the privacy level of each response, or that they are simulated.

        Args:
            epsilon: the privacy level.
            found: further remarks, on what the kept columns and the order of the rows reveal.
        """
        order = ("the rows have the order of the data, which reveals answers if rows were sorted or came in groups",)
        return "; ".join((self._level_remark(epsilon), *order * self.keep_order, *found))

    def _level_remark(self, epsilon: Epsilon) -> str:
        level = f"epsilon = {both_texts(epsilon)}"
        if self.seed is not None:
            told = "NOT private and not for real answers; the mechanism's"
            return f"SIMULATION from seed {self.seed}, {told} {level}"
        if epsilon.is_infinite:
            return f"{level}: some outputs exclude a category with certainty (`rropt privacy` reports delta)"
        return f"{level} for each answer; publish one run only"


def randomizing_of(
    mechanism: Mechanism,
    asked: CountRequest,
    *,
    outputs: Sequence[str] | None = None,
    keep: tuple[str, ...] | None = (),
    keep_anyway: tuple[str, ...] = (),
    keep_order: bool = False,
    seed: int | None = None,
) -> Randomizing:
    """Return the request to randomize a table: each question by its own device, or one question by the mechanism.

    Args:
        mechanism: the mechanism of one question, or a product.
        asked: the columns and the categories.
        outputs: the names of the outputs of a single question. ``None``: the names of the categories if there are as
            many outputs, otherwise the subsets of the categories if outputs are subsets, otherwise numbers.
        keep, keep_anyway, keep_order, seed: as in ``Randomizing``.

    Raises:
        InvalidParameterError: the columns, categories or outputs do not fit the mechanism.
        UnsupportedProblemError: there are too many outputs to name.
    """
    some = mechanism if isinstance(mechanism, RandomQuestions) else None
    if some is not None and (outputs is not None or not asked.columns):
        raise InvalidParameterError(
            "random questions are randomized in columns, one for each: received names of outputs, or no columns; give "
            "`columns` alone"
        )
    factors: tuple[Mechanism, ...] = (mechanism,)
    if some is not None or len(asked.titles) > 1:  # one question may be too large for a matrix
        factors = mechanism.factors if some is None else some.each().factors
    if len(factors) != len(asked.titles):
        raise InvalidParameterError(
            f"the columns do not fit the mechanism: received {len(asked.titles)}; allowed are {len(factors)}"
        )
    if outputs is not None and len(asked.titles) > 1:
        raise InvalidParameterError(
            f"names of outputs are for one question: received {shown(','.join(outputs))} for {len(asked.titles)} "
            "questions; leave them out"
        )
    texts = []
    for question, factor in enumerate(factors):
        given, what = asked.categories[question], f"categories of {asked.titles[question]}"
        what = what if len(asked.titles) > 1 else "categories"
        categories = None if given is None else _fitting(given, what, factor.inputs)
        texts.append(_text_of(factor, categories, outputs, is_one=len(asked.titles) == 1))
    return Randomizing(tuple(factors), asked, tuple(texts), keep, seed, some, keep_anyway, keep_order)


def _text_of(
    mechanism: Mechanism, categories: tuple[str, ...] | None, outputs: Sequence[str] | None, *, is_one: bool
) -> Text | None:
    """Return the function that returns the text of an output of a question; ``None``: outputs are numbers."""
    if is_written_as_set(mechanism):
        if outputs is not None:
            raise InvalidParameterError(
                f"responses that are sets have no names: received {shown(','.join(outputs))}; leave the outputs out"
            )
        if isinstance(mechanism, BitVectorMechanism):
            return lambda row: (row.view(np.uint8) + 48).tobytes().decode("ascii")
        return _set_text(categories, lambda row: np.flatnonzero(row).tolist())
    if outputs is None and mechanism.responses and (sets := set_texts(mechanism, categories or ())):
        require_names_of_sets(categories or ())
        return sets.__getitem__
    names = mechanism.responses or (categories if mechanism.outputs == mechanism.inputs else None)
    if outputs is not None:
        names = _fitting(outputs, "outputs", mechanism.outputs)
    elif names is None and is_one and (subsets := Subsets.of(mechanism)) is not None:
        return _set_text(categories, subsets.__getitem__)
    return None if names is None else names.__getitem__


def _set_text(categories: Sequence[str] | None, members: Callable[[Any], Iterable[int]]) -> Text:
    """Return the function that returns the text of a set: its categories, separated by ``BETWEEN``."""
    require_names_of_sets(categories or ())
    return lambda output: BETWEEN.join(str(j) if categories is None else categories[j] for j in members(output))


def _fitting(names: Sequence[str], what: str, number: int) -> tuple[str, ...]:
    if number > _MOST_NAMES:
        raise UnsupportedProblemError(
            f"{what} are too many to be named: received a mechanism with {number}; at most {_MOST_NAMES} are; write "
            "their numbers, from 0"
        )
    if (
        len(names) != number
        or len(set(map(normal, names))) != number
        or not all(names)
        or not all(map(str.isprintable, names))
    ):
        raise InvalidParameterError(
            f"{what} do not fit the mechanism: received {shown(','.join(names))}; allowed are {number} different "
            "names, separated by commas"
        )
    return tuple(names)


def randomize_file(data: Any, output: str, how: Randomizing, **options: Any) -> RandomizedTable:
    """Randomize a table and write it to a file, completely or not at all.

    The format is Parquet if the extension of the file is that of Parquet, and CSV otherwise.

    Args:
        data: a table, as for ``estimate_table``; of its reading, only the table of a database or the sheet is used.
        output: the path of a regular file. It must not be the input under any name, which the caller checks.
        how: the columns and mechanisms.
        options: as for ``randomized_rows``.

    Returns:
        The report on the table.

    Raises:
        FileFormatError: the table cannot be read, or contains an invalid answer; nothing is written.
        FileAccessError: the file cannot be written because of its permissions or because the disk is full.
    """
    kind = ".parquet" if output.lower().endswith((".parquet", ".pq")) else ".csv"
    with being_filled(output, suffix=kind) as made:

        def write(relation: DuckDBPyRelation, connection: DuckDBPyConnection) -> Written:
            names = relation.columns
            if len({name.casefold() for name in names}) < len(names):
                raise InvalidParameterError(
                    f"columns of a file differ in upper and lower case only: received {shown(', '.join(names))}; leave "
                    "one out (`keep`), or write CSV to standard output"
                )
            if kind == ".parquet":
                relation.to_parquet(str(made))
                return _written_parquet(str(made), connection)
            relation.to_csv(str(made), header=bool(how.asked.columns), use_tmp_file=False)
            return _written_csv(partial(made.open, encoding="utf-8", newline=""), relation, how)

        return randomized_rows(data, how, write, output=output, folders=[str(made.parent)], **options)


def _written_parquet(path: str, connection: DuckDBPyConnection) -> Written:
    """Return the rows of a Parquet file as texts."""
    from duckdb import FunctionExpression

    made = connection.read_parquet(path)
    texts = made.select(*(column_of(name).cast("VARCHAR") for name in made.columns))
    size = made.aggregate([FunctionExpression("count_star")])
    return Written(rows_of(texts), made.types, lambda: {len(made.types): int(next(iter(rows_of(size)))[0])})


def _written_csv(opened: Callable[[], TextIO], relation: DuckDBPyRelation, how: Randomizing) -> Written:
    """Return the rows of CSV that was written, whose texts may be long."""

    @contextmanager
    def read() -> Iterator[Iterator[list[str]]]:
        with opened() as stream, unlimited_field_length():
            found = csv.reader(stream, strict=True)
            if how.asked.columns:
                next(found)
            yield found

    def rows() -> Iterator[list[str]]:
        with read() as found:
            yield from found

    def sizes() -> Mapping[int, int]:
        with opened() as stream:
            lines = _number_of_lines(stream) if len(relation.columns) == 1 else None
        if lines is not None:
            return {1: lines - bool(how.asked.columns)}
        with read() as found:
            return Counter(map(len, found))

    return Written(rows(), ["VARCHAR"] * len(relation.columns), sizes)


def _number_of_lines(stream: TextIO) -> int | None:
    """Return the number of lines of a text of one column; ``None`` if a value may be more or less than a line.

    Python's ``csv`` takes 0.3 s for a million lines, and a count of line ends a thousandth of that.
    """
    count, before = 0, "\n"
    for piece in iter(partial(stream.read, CHUNK), ""):
        if any(mark in piece for mark in ('"', ",", "\r")) or "\n\n" in before + piece:
            return None
        count += piece.count("\n")
        before = piece[-1]
    return count + (before != "\n")


def randomized_csv(data: Any, how: Randomizing, stream: TextIO, **options: Any) -> RandomizedTable:
    """Randomize a table and write it to a stream as CSV; the options are those of ``randomized_rows``.

    The text is held in memory until it is checked.

    Raises:
        The exceptions of ``randomize_file``.
    """
    held = io.BytesIO()

    def text() -> TextIO:
        return io.TextIOWrapper(io.BytesIO(held.getvalue()), encoding="utf-8", newline="")  # shares the memory

    def write(relation: DuckDBPyRelation, _: DuckDBPyConnection) -> Written:
        from duckdb import SQLExpression

        # by their places: DuckDB takes the names of two columns, q and Q, for one
        texts = relation.select(*(SQLExpression(f"#{i}").cast("VARCHAR") for i in range(1, len(relation.columns) + 1)))
        nonlocal held
        held = io.BytesIO()
        lines = io.TextIOWrapper(held, encoding="utf-8", newline="")
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerows([relation.columns] if how.asked.columns else [])
        writer.writerows(rows_of(texts))
        lines.detach()  # flushed, and not closed
        return _written_csv(text, relation, how)

    report = randomized_rows(data, how, write, **options)
    for chunk in iter(partial(text().read, CHUNK), ""):
        stream.write(chunk)
    return report


def randomized_rows(
    data: Any,
    how: Randomizing,
    write: Callable[[DuckDBPyRelation, DuckDBPyConnection], Written],
    *,
    output: str = "",
    folders: Sequence[str] = (),
    progress: Advance | None = None,
) -> RandomizedTable:
    """Check a table, pass its randomized rows to ``write``, check what was written, and return the report on the table.

    Args:
        data, how: as for ``randomize_file``.
        write: a function of the DuckDB relation and its connection that returns what it has written.
        output: the file that it writes, for messages.
        folders: the folders that DuckDB may write to.
        progress: called with the number of further rows that are drawn and the number of all rows.

    Raises:
        The exceptions of ``randomize_file``. The caller then publishes nothing of what was written.
    """

    def work(source: Source) -> RandomizedTable:
        reading, counts = _checked(source, how)
        advance = None if progress is None else lambda done: progress(done, reading.rows)
        with reading_errors(source.name, source):
            relation, columns, places, marks = drawing(source, how, reading.rows, advance, counts)
        assert source.connection is not None
        with readable_output_errors(source, output):
            written = write(relation, source.connection)
        with reading_errors(source.name, source):
            allowed = {source.place(name) for name in how.keep_anyway}
            given: dict[str, Any] = {
                "places": places,
                "allowed": allowed,
                "names": how.asked.categories,
                "marks": marks,
            }
            found = check_output(source, columns, how.asked.codes, counts, written, **given)
        return RandomizedTable(reading, found)

    names, width = (*how.asked.names, *how.kept), len(how.asked.titles)
    whole = how.keep is None
    table = table_of(data)
    table.require_only("true answers are randomized as they are", *PLACE, "missing", "ignore_case")
    more: dict[str, Any] = {"folders": folders, "whole": whole, "unweighted": True, "engine": None}
    return table.found(names, work, width=width, **more)


def _checked(source: Source, how: Randomizing) -> tuple[TableReading, list[dict[int, int]]]:
    """Check that all values are valid answers; return the report, and the counts of the true answers by question."""
    if source.connection is None:
        raise InvalidParameterError(
            "a relation is read by the connection of its owner: received one; give a file or a table"
        )
    blocks = question_blocks({i: device.inputs for i, device in enumerate(how.mechanisms)})
    kinds = kinds_by_question(kinds_of(source, how.asked, blocks))
    totals = [one.total(question) for question, one in enumerate(kinds)]
    reading = reading_of(source, how.asked, totals, [mechanism.inputs for mechanism in how.mechanisms], left_out=0)
    if gaps := [question for question, codes in enumerate(totals) if codes.get(MISSING)]:
        known = how.asked.codes[gaps[0]]
        lines = source.rows_where(how.asked.places[gaps[0]], lambda value: known[value] == MISSING, known)
        raise FileFormatError(
            f"answers are missing: {totals[gaps[0]][MISSING]} of the data, first in {source.where(lines)}; a blank "
            "shows who did not answer: give blanks a category of the mechanism, or remove these rows"
        )
    return reading, totals  # the report has only the sum of the counts of true answers
