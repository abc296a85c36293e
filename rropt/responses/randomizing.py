"""Randomized tables: true answers read by DuckDB, drawn answer by answer with exact probabilities, written anew.

DuckDB reads the table in pieces and calls for each row what stands in the place of its answer: the next of the outputs
that were drawn for that category in advance, by ``Randomizer.randomize_many``, exactly and with the operating system's
randomness. Each output is used once and in no other row. That there were as many draws as rows is counted, since a
function that were called once for equal rows would answer them alike: then nothing is published.

True answers are in memory only: DuckDB has no folder for what does not fit, and a run that cannot go on ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.errors import FileAccessError, FileFormatError, InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.estimation.answers import product_of
from rropt.exact import Epsilon, both_texts
from rropt.files import being_filled, shown_path
from rropt.mechanisms import Mechanism
from rropt.responses.counting import MISSING, Asked, Codes, Reading, count_questions, reading_of, require_valid
from rropt.responses.counting import total as total_of
from rropt.responses.readers import read
from rropt.responses.sources import DuckDBSource, refusals
from rropt.sampling import Randomizer

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation, Expression

_DRAWN = 1 << 18  # outputs drawn in advance for all categories together, and at least so many for one:
_LEAST_DRAWN = 256
_DUCKDB = {"string": "varchar", "int64": "bigint", "float64": "double", "boolean": "boolean"}
_MOST_OUTPUTS = 2**31 - 1  # DuckDB's integers, in which outputs are handed over

Advance = Callable[[int, int], object]  # how many more are drawn, and of all


@dataclass(frozen=True, slots=True)
class Randomizing:
    """What is to be randomized, and how.

    Attributes:
        mechanisms: of each question, as drawn.
        asked: columns and categories.
        outputs: names of the outputs, of one question; ``None``: the categories' names, or numbers.
        keep: columns that are written as they are; ``None``: all others.
        seed: of a simulation; ``None``: the operating system's randomness.
    """

    mechanisms: tuple[Mechanism, ...]
    asked: Asked
    outputs: tuple[str, ...] | None = None
    keep: tuple[str, ...] | None = ()
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.keep != () and not self.asked.columns:
            raise InvalidParameterError(
                "columns are kept by name: received --keep without --column or --columns; give it"
            )
        if self.keep is not None and set(self.keep) & set(self.asked.columns):
            raise InvalidParameterError("a column is kept and randomized: received it in both; allowed is one of them")

    def remark(self, epsilon: Epsilon) -> str:
        """Return what must be said of the outputs: the level of each answer, or that they are a simulation."""
        level = f"epsilon = {both_texts(epsilon)}"
        if self.seed is not None:
            told = "NOT private and not for real answers; the mechanism's"
            return f"SIMULATION from seed {self.seed}, {told} {level}"
        if epsilon.is_infinite:
            return f"{level}: some outputs exclude a category with certainty (`rropt privacy` tells delta)"
        return f"{level} for each answer; publish one run only"


def randomizing_of(mechanism: Mechanism, asked: Asked, **options: Any) -> Randomizing:
    """Return how the questions of a table are randomized: by a device each, or one question by the mechanism itself."""
    factors = (mechanism,) if asked.questions == 1 else product_of(mechanism).factors
    if len(factors) != asked.questions:
        raise InvalidParameterError(
            f"the columns do not fit the mechanism: received {asked.questions}; allowed are {len(factors)}"
        )
    return Randomizing(tuple(factors), asked, **options)


def randomize_file(data: Any, output: str, how: Randomizing, *, progress: Advance | None = None) -> Reading:
    """Randomize a table into a file, whole or not at all: Parquet where its name ends so, otherwise CSV.

    Args:
        data: a path, ``-``, or a table of pandas, Polars or Arrow.
        output: path of a regular file, which is not the input by any name (the caller looks at that).
        how: columns and mechanisms.
        progress: called with how many more rows are drawn, and how many there are.

    Returns:
        What was read.

    Raises:
        FileFormatError: the table cannot be read, or holds what is no answer; nothing is written.
        FileAccessError: the file cannot be written: no place, no permission.
    """
    kind = ".parquet" if output.lower().endswith((".parquet", ".pq")) else ".csv"
    with being_filled(output, suffix=kind) as made:

        def work(source: DuckDBSource) -> Reading:
            reading = _checked(source, how)
            with (
                _drawing(source, how, _of(progress, reading.rows)) as (relation, draws),
                _written(source, output, draws),
            ):
                if kind == ".parquet":
                    relation.to_parquet(str(made))
                else:
                    relation.to_csv(str(made), header=bool(how.asked.columns), use_tmp_file=False)
            _require_draws(draws, reading)
            return reading

        found: Reading = read(data, _names(how), work, width=how.asked.questions, folders=[str(made.parent)])
    return found


def randomized_rows(
    data: Any, how: Randomizing, take: Callable[[Sequence[str], Iterator[tuple[Any, ...]]], object]
) -> Reading:
    """Randomize a table and hand the names of its columns and the rows over, one by one.

    Raises:
        as ``randomize_file``.
    """

    def work(source: DuckDBSource) -> Reading:
        reading = _checked(source, how)
        with _drawing(source, how, None) as (relation, draws), _written(source, "", draws):
            take(relation.columns if how.asked.columns else (), relation.iter_rows())
        _require_draws(draws, reading)
        return reading

    found: Reading = read(data, _names(how), work, width=how.asked.questions, folders=[])
    return found


def _of(progress: Advance | None, rows: int) -> Callable[[int], object] | None:
    return None if progress is None else lambda done: progress(done, rows)


def _names(how: Randomizing) -> tuple[str, ...]:
    return (*how.asked.names, *(how.keep or ()))


def _checked(source: DuckDBSource, how: Randomizing) -> Reading:
    """Return what is there, all of it answers; the true ones are counted and forgotten."""
    if source.connection is None:
        raise InvalidParameterError(
            "a relation is read by the connection of its owner: received one; give a file or a table"
        )
    counts = count_questions(source, how.asked, {i: device.inputs for i, device in enumerate(how.mechanisms)})
    for question, mechanism in enumerate(how.mechanisms):
        codes = total_of(counts[question])
        require_valid(source, how.asked, question, codes, mechanism.inputs)
        if codes.get(MISSING):
            gap = how.asked.codes.values_of(range(MISSING, 0))
            lines = source.lines_of({how.asked.column(question): gap})
            raise FileFormatError(
                f"answers are missing: {codes[MISSING]} of the data, first in {source.where(lines)}; whether somebody "
                "answered may tell the answer: give the missing ones a category of the mechanism, or leave the rows out"
            )
    # of the counts of true answers only their sum leaves this function
    return reading_of(source, how.asked, counts)


class _Draws:
    """Outputs drawn in advance, by category; a category's own are used in order, each once."""

    def __init__(
        self,
        mechanism: Mechanism,
        codes: Codes,
        names: Sequence[Any] | None,
        random: Any,
        progress: Callable[[int], object] | None,
    ) -> None:
        self.count = 0
        self.error: BaseException | None = None
        self._randomizer, self._inputs, self._names = Randomizer(mechanism), mechanism.inputs, names
        self._codes = codes
        self._random, self._progress = random, progress
        self._pool: dict[int, list[Any]] = {}
        self._size = max(_LEAST_DRAWN, _DRAWN // mechanism.inputs)
        self._progressed = 0

    def __call__(self, value: object, _row: int) -> Any:
        """Return the output that stands in the place of an answer."""
        try:
            code = self._codes[value]
            pool = self._pool.get(code) or self._filled(code)
            self.count += 1
            return pool.pop()
        except BaseException as error:  # DuckDB would tell it in words of its own, with what it was called with
            self.error = error
            raise

    def _filled(self, code: int) -> list[Any]:
        if not 0 <= code < self._inputs:
            raise FileFormatError("the data changed while they were read: a row holds no answer now; start again")
        true = np.full(self._size, code)
        if self._random is None:
            drawn = self._randomizer.randomize_many(true)
        else:
            drawn = self._randomizer.simulate_many(true, seed=self._random)
        values = drawn.tolist()
        self._pool[code] = values if self._names is None else [self._names[output] for output in values]
        if self._progress is not None:
            self._progress(self.count - self._progressed)
            self._progressed = self.count
        return self._pool[code]


@contextmanager
def _drawing(
    source: DuckDBSource, how: Randomizing, progress: Callable[[int], object] | None
) -> Iterator[tuple[DuckDBPyRelation, list[_Draws]]]:
    """Give the relation whose questions are randomized, and what draws them."""
    from duckdb import ColumnExpression, FunctionExpression, SQLExpression

    connection = source.connection
    assert connection is not None
    names = how.outputs
    largest = max(mechanism.outputs for mechanism in how.mechanisms)
    if largest > _MOST_OUTPUTS:
        raise InvalidParameterError(
            f"one answer has too many outputs: received a mechanism with {largest}; allowed are {_MOST_OUTPUTS}; where "
            "it asks several questions, give a column for each (columns=[...], --columns)"
        )
    random = None if how.seed is None else np.random.default_rng(how.seed)
    draws = [
        _Draws(mechanism, how.asked.codes, names, random, progress if question == 0 else None)
        for question, mechanism in enumerate(how.mechanisms)
    ]
    chosen: list[tuple[int, Expression]] = []
    titles = how.asked.titles()
    kept = [name for name in source.names if name not in titles] if how.keep is None else how.keep
    try:
        for question, drawn in enumerate(draws):
            answer, kind = source.value(how.asked.column(question))
            drawn_as = "integer" if names is None else "varchar"
            connection.create_function(f"draw{question}", drawn, [_DUCKDB[kind], "bigint"], drawn_as, side_effects=True)
            value = FunctionExpression(f"draw{question}", answer, SQLExpression("row_number() OVER ()"))
            place = source.names.index(titles[question]) if how.asked.columns else question
            chosen.append((place, value.alias(titles[question])))
        for name in kept:
            place = source.names.index(name) if name in source.names else -1
            chosen.append((place, ColumnExpression(source.column(name)).alias(name)))
        order = sorted(chosen, key=lambda each: each[0]) if kept else chosen
        yield source.relation.select(*(expression for _, expression in order)), draws
    finally:
        for question in range(len(draws)):
            try:
                connection.remove_function(f"draw{question}")
            except Exception:  # it was not made
                break


@contextmanager
def _written(source: DuckDBSource, output: str, draws: Sequence[_Draws]) -> Iterator[None]:
    """Turn what DuckDB says of a file that it writes, or of what it calls, into our own words."""
    import duckdb

    try:
        with refusals(source.name):
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


def _require_draws(draws: Sequence[_Draws], reading: Reading) -> None:
    """Require one draw for each row and question: otherwise the file is not published."""
    if any(drawn.count != reading.rows for drawn in draws):
        raise UnsupportedProblemError(
            f"the answers were not drawn one by one: {reading.rows} rows, {[drawn.count for drawn in draws]} draws; "
            "the file changed while it was read, or this version of DuckDB calls a function once for several rows; "
            "nothing was written"
        )
