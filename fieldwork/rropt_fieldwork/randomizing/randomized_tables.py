"""Randomize tables: read the true answers with DuckDB, draw each response with exact probabilities, write a new table.

DuckDB reads the table in pieces and calls ``Draws`` for each row. The object returns the next of the outputs that
``Randomizer.randomize_many`` drew in advance for the category of the row. The draws are exact and use the operating
system's randomness. Each output is used in one row only. If DuckDB called the function once for several equal rows,
these rows would get the same response. The module therefore counts the draws, and publishes nothing unless there are as
many draws as rows.

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from secrets import randbelow
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from rropt.answers import TableReading
from rropt.answers.response_codes import MISSING
from rropt.core.errors import (
    FileAccessError,
    FileFormatError,
    InvalidParameterError,
    RroptError,
    UnsupportedProblemError,
    shown,
)
from rropt.core.exact import Epsilon, both_texts
from rropt.core.files import being_filled, shown_path
from rropt.core.normal_form import normal, text_of
from rropt.estimates.counted import kinds_by_question
from rropt.mechanisms import BitVectorMechanism, BlockMechanism, Mechanism, OrbitMechanism, RandomQuestions
from rropt.mechanisms.mechanism import BETWEEN, require_names_of_sets
from rropt.mechanisms.question_selection import product_of
from rropt.mechanisms.sampling import Randomizer
from rropt.mechanisms.subsets import Subsets, set_texts
from rropt_fieldwork.randomizing.output_checks import Written, WrittenColumn, check_output
from rropt_fieldwork.reading.counting import CountRequest, reading_of
from rropt_fieldwork.reading.duckdb_connection import column_of, rows_of
from rropt_fieldwork.reading.files_in_memory import CHUNK
from rropt_fieldwork.reading.kinds import kinds_of, question_blocks
from rropt_fieldwork.reading.layouts import unlimited_field_length
from rropt_fieldwork.reading.reading_options import PLACE
from rropt_fieldwork.reading.sources import VIEW, Source, reading_errors
from rropt_fieldwork.reading.table import table_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation, Expression
    from numpy.typing import NDArray


_DRAWN = 1 << 18  # the number of outputs drawn in advance for all categories together
_LEAST_DRAWN = 256  # the least number of outputs drawn in advance for one category
_FEW_SLOW = 4  # the same for outputs that are sets, and for orbits, whose arrangements are numbered
_MOST_LEAST = 1 << 20  # the largest number of outputs drawn in advance if there are many categories
_DUCKDB = {"string": "varchar", "int64": "bigint", "float64": "double", "boolean": "boolean"}
_PROGRESS = 1 << 12  # rows between two reports of progress
_CHANGED = "the data changed while they were read: a row contains no answer now; start again"
_MOST_OUTPUTS = 2**31 - 1  # the largest DuckDB integer, the type in which outputs are passed


class Draws:
    """Outputs of a question drawn in advance for each category, as they are written; each output is used once."""

    def __init__(self, how: Randomizing, question: int, random: Any, progress: Callable[[int], object] | None) -> None:
        mechanism = how.mechanisms[question]
        self.count = 0
        self.error: BaseException | None = None
        self._randomizer, self._inputs, self._text = Randomizer(mechanism), mechanism.inputs, how.texts[question]
        self._codes = how.asked.codes[question]
        self._grid = mechanism.input_values if mechanism.rounds else ()
        self._progress = progress
        self._below = partial(integer_below, random)
        self._random = random
        self._pool: dict[int, list[Any]] = {}
        self._are_sets = is_written_as_set(mechanism)
        is_slow = self._are_sets or isinstance(mechanism, OrbitMechanism)  # a drawing costs O(k)
        few = _FEW_SLOW if is_slow else _LEAST_DRAWN
        self._least = min(few, max(_MOST_LEAST // mechanism.inputs, 1))
        self._size = max(self._least, _DRAWN // mechanism.inputs)
        self._next: dict[int, int] = {}  # the number of outputs in the next draw for a category; it doubles each time
        self._progressed = 0

    def __call__(self, value: object, _row: int) -> Any:
        """Return the output that replaces a true answer."""
        try:
            code = self._codes[value]
            if self._grid and code >= 0:
                code = self._rounded(value, code)
            pool = self._pool.get(code) or self._filled(code)
            self.count += 1
            return pool.pop()
        except BaseException as error:  # DuckDB would raise its own message, which contains the argument
            self.error = error
            raise

    def _rounded(self, value: object, code: int) -> int:
        """Return the code of a neighbour of a number: the upper one with exactly the probability of no bias."""
        low = self._grid[code]
        if code + 1 == len(self._grid):
            return code
        part = (Fraction(text_of(value)) - low) / (self._grid[code + 1] - low)
        return code + (self._below(part.denominator) < part.numerator)

    def _filled(self, code: int) -> list[Any]:
        if not 0 <= code < self._inputs:
            raise FileFormatError(_CHANGED)
        size = self._next.get(code, self._least)
        self._next[code] = min(2 * size, self._size)
        true = np.full(size, code)
        if self._are_sets:
            sets, rng = self._randomizer, self._random
            parts = sets.randomize_sets(true) if rng is None else sets.simulate_sets(true, rng=rng)
            drawn = [row for part in parts for row in part]
        elif self._random is None:
            drawn = self._randomizer.randomize_many(true).tolist()
        else:
            drawn = self._randomizer.simulate_many(true, rng=self._random).tolist()
        self._pool[code] = drawn if self._text is None else list(map(self._text, drawn))
        if self._progress is not None:
            self._progress(self.count - self._progressed)
            self._progressed = self.count
        return self._pool[code]


def integer_below(random: Any, size: int) -> int:
    """Return a random integer from 0 to size - 1, of the operating system (``None``) or of a simulation."""
    if random is None:
        return randbelow(size)
    length = (size.bit_length() + 7) // 8
    bound = 256**length // size * size
    while (drawn := int.from_bytes(random.bytes(length), "big")) >= bound:
        pass
    return drawn % size


class AskedSets:
    """The questions that each respondent is asked, and whether the answers are true, drawn once for each row."""

    def __init__(self, mechanism: RandomQuestions, random: Any) -> None:
        self._mechanism, self._rows = mechanism, dict[int, list[Any]]()
        self._below = partial(integer_below, random)
        self._sets = mechanism.outputs >> mechanism.asked
        self._true, self._of = mechanism.truthful.as_integer_ratio()

    def drawn(self, row: int, question: int, code: int) -> int | None:
        """Return the report of a row on a question; ``None`` if it is not asked.

        All j answers are true with the same probability, otherwise each is a fair coin.
        """
        own = self._rows.get(row)
        if own is None:
            asked = self._mechanism.set_of(self._below(self._sets) << self._mechanism.asked)
            own = self._rows[row] = [frozenset(asked), self._below(self._of) < self._true, self._mechanism.questions]
        asked, is_true, left = own
        if left == 1:
            del self._rows[row]
        own[2] = left - 1
        if question not in asked:
            return None
        return code if is_true else self._below(2)


class AskedDraws(Draws):
    """The reports on one of several questions of which each respondent is asked some."""

    def __init__(self, how: Randomizing, question: int, sets: AskedSets, *options: Any) -> None:
        super().__init__(how, question, *options)
        self._sets, self._question = sets, question

    def __call__(self, value: object, row: int) -> Any:
        """Return the output that replaces a true answer, or ``None``."""
        try:
            code = self._codes[value]
            if code < 0:
                raise FileFormatError(_CHANGED)
            drawn = self._sets.drawn(row, self._question, code)
            self.count += 1
            if self._progress is not None and self.count - self._progressed >= _PROGRESS:
                self._progress(self.count - self._progressed)
                self._progressed = self.count
            return drawn if drawn is None or self._text is None else self._text(drawn)
        except BaseException as error:  # DuckDB would raise its own message, which contains the argument
            self.error = error
            raise


def random_places(rows: int, seed: int | None = None) -> NDArray[np.int64]:
    """Return the numbers 0, ..., rows - 1 in a random order; each order has the same probability.

    The rows get different random numbers of 64 bits, and are sorted by them. If two numbers are equal (in one of a
    million tables with 10^7 rows), all are drawn again.

    Args:
        rows: the number of rows.
        seed: the seed of a simulation; ``None``: the operating system's randomness.
    """
    random = None if seed is None else np.random.default_rng([seed, 1])  # the outputs have the stream of the seed
    while True:
        drawn = os.urandom(8 * rows) if random is None else random.bytes(8 * rows)
        keys = np.frombuffer(drawn, np.uint64)
        places = np.argsort(keys)
        if not (np.diff(keys[places]) == 0).any():
            return places


def _with_places(
    relation: DuckDBPyRelation, places: NDArray[np.int64], connection: DuckDBPyConnection
) -> tuple[DuckDBPyRelation, str]:
    """Return a relation with the place of each row in a further column, and the name of this column."""
    name = "place"
    while name in {column.casefold() for column in relation.columns}:
        name += "_"
    connection.register("rropt_places", {name: places})
    placed: Any = relation.query(VIEW, f"SELECT * FROM {VIEW} POSITIONAL JOIN rropt_places")
    return placed, name


def drawing(
    source: Source,
    how: Randomizing,
    progress: Callable[[int], object] | None,
    places: NDArray[np.int64] | None = None,
) -> tuple[DuckDBPyRelation, list[Draws], list[WrittenColumn]]:
    """Return the relation with randomized questions, the objects that draw the outputs, and the columns.

    The rows are sorted by ``places``, if these are given.
    """
    from duckdb import ColumnExpression, FunctionExpression, SQLExpression

    connection = source.connection
    assert connection is not None
    unnamed = [one.outputs for one, text in zip(how.mechanisms, how.texts, strict=True) if text is None]
    largest = max(unnamed, default=0)
    if largest > _MOST_OUTPUTS:
        raise InvalidParameterError(
            f"one answer has too many outputs: received a mechanism with {largest}; allowed are {_MOST_OUTPUTS}; where "
            "it asks several questions, give a column for each (`columns`)"
        )
    random = None if how.seed is None else np.random.default_rng(how.seed)
    titles = how.asked.titles
    sets = None if how.some is None else AskedSets(how.some, random)
    draws = []
    for question in range(len(titles)):
        options = (random, None if question else progress)
        draws.append(Draws(how, question, *options) if sets is None else AskedDraws(how, question, sets, *options))
    chosen: list[tuple[WrittenColumn, Expression]] = []
    own: dict[str, Any] = {} if sets is None else {"null_handling": "special"}  # a question that is not asked is NULL
    asked = [source.place(place) for place in how.asked.places]
    kept = [source.place(name) for name in (source.names if how.keep is None else how.kept)]
    if how.keep is None:
        kept = [place for place in kept if place not in asked]
    elif set(kept) & set(asked):
        raise InvalidParameterError(_KEPT_AND_RANDOMIZED)
    for question, drawn in enumerate(draws):
        answer, kind = source.value(how.asked.places[question])
        drawn_as = "integer" if how.texts[question] is None else "varchar"
        connection.create_function(
            f"draw{question}", drawn, [_DUCKDB[kind], "bigint"], drawn_as, side_effects=True, **own
        )
        value = FunctionExpression(f"draw{question}", answer, SQLExpression("row_number() OVER ()"))
        title = source.names[asked[question]] if source.has_header else titles[question]
        chosen.append((WrittenColumn(title, asked[question], question), value))
    for column in [WrittenColumn(source.names[place], place) for place in dict.fromkeys(kept)]:
        chosen.append((column, column_of(source.relation.columns[column.place])))
    order = sorted(chosen, key=lambda each: each[0].place) if kept else chosen
    columns = [column for column, _ in order]
    if places is None:
        relation = source.relation.select(*(value.alias(column.title) for column, value in order))
        return relation, draws, columns
    relation, place = _with_places(source.relation, places, connection)
    values = [value.alias(f"c{i}") for i, (_, value) in enumerate(order)]
    relation = relation.select(*values, ColumnExpression(place).alias("place")).sort(ColumnExpression("place"))
    titled = (ColumnExpression(f"c{i}").alias(column.title) for i, column in enumerate(columns))
    return relation.select(*titled), draws, columns


@contextmanager
def readable_output_errors(source: Source, output: str, draws: Sequence[Draws]) -> Iterator[None]:
    """Replace DuckDB's messages about the output file or a called function by messages of rropt."""
    import duckdb

    try:
        with reading_errors(source.name, source):
            yield
    except FileFormatError as error:
        for drawn in draws:
            if isinstance(drawn.error, RroptError | KeyboardInterrupt | MemoryError):
                raise drawn.error from None
        cause = error.__context__
        if isinstance(cause, duckdb.IOException) and output:
            told = str(cause)
            space = any(word in told.lower() for word in ("no space", "too large", "disk quota", "write file"))
            reason = "no place is left, or the file may not become so large" if space else "it cannot be written"
            raise FileAccessError(f"cannot write {shown_path(output)}: {reason}; nothing was written") from None
        raise


def require_draws(draws: Sequence[Draws], reading: TableReading) -> None:
    """Require one draw for each row and question; otherwise raise an error, so that nothing is published."""
    if any(drawn.count != reading.rows for drawn in draws):
        raise UnsupportedProblemError(
            f"the answers were not drawn one by one: {reading.rows} rows, {[drawn.count for drawn in draws]} draws; "
            "the file changed while it was read, or this version of DuckDB calls a function once for several rows; "
            "nothing was written"
        )


_KEPT_AND_RANDOMIZED = "a column is kept and randomized: received it in both; allowed is one of them"
_MOST_NAMES = 4096  # the largest number of categories or outputs that have names

Advance = Callable[[int, int], object]  # called with the number of further draws and the number of all draws
Text = Callable[[Any], str]  # the text of an output, which is a number or, if responses are sets, a row of bits


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
        factors = (product_of(mechanism) if some is None else some.each()).factors
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


def is_written_as_set(mechanism: Mechanism) -> bool:
    """Return whether a response is written as a set of categories or bits, since its number would be too long."""
    if isinstance(mechanism, BlockMechanism):
        return mechanism.outputs_are_sets()
    return isinstance(mechanism, BitVectorMechanism)


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

    made = connection.read_parquet(path)
    texts = made.select(*(column_of(name).cast("VARCHAR") for name in made.columns))
    return Written(rows_of(texts), made.types)


def _written_csv(opened: Callable[[], TextIO], relation: DuckDBPyRelation, how: Randomizing) -> Written:
    """Return the rows of CSV that was written, whose texts may be long."""

    def rows() -> Iterator[list[str]]:
        with opened() as stream, unlimited_field_length():
            found = csv.reader(stream, strict=True)
            if how.asked.columns:
                next(found)
            yield from found

    return Written(rows(), ["VARCHAR"] * len(relation.columns))


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
        places = None if how.keep_order else random_places(reading.rows, how.seed)
        relation, draws, columns = drawing(source, how, advance, places)
        assert source.connection is not None
        with readable_output_errors(source, output, draws):
            written = write(relation, source.connection)
        require_draws(draws, reading)
        with reading_errors(source.name, source):
            allowed = {source.place(name) for name in how.keep_anyway}
            given: dict[str, Any] = {"places": places, "allowed": allowed, "names": how.asked.categories}
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
