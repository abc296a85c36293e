"""Outputs drawn for the rows of a table: DuckDB calls for each row what stands in the place of its answer.

That is the next of the outputs that were drawn for its category in advance, by ``Randomizer.randomize_many``, exactly
and with the operating system's randomness. Each output is used once and in no other row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.errors import FileAccessError, FileFormatError, InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.files import shown_path
from rropt.mechanisms import Mechanism
from rropt.responses.codes import Codes
from rropt.responses.counting import Reading
from rropt.responses.sources import DuckDBSource, refusals
from rropt.sampling import Randomizer

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation, Expression

    from rropt.responses.randomizing import Outputs, Randomizing

_DRAWN = 1 << 18  # outputs drawn in advance for all categories together, and at least so many for one:
_LEAST_DRAWN = 256
_DUCKDB = {"string": "varchar", "int64": "bigint", "float64": "double", "boolean": "boolean"}
_MOST_OUTPUTS = 2**31 - 1  # DuckDB's integers, in which outputs are handed over


class Draws:
    """Outputs drawn in advance, by category; a category's own are used in order, each once."""

    def __init__(
        self,
        mechanism: Mechanism,
        codes: Codes,
        names: Outputs | None,
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
        self._next: dict[int, int] = {}  # how many are drawn next for a category: twice as many each time
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
        size = self._next.get(code, _LEAST_DRAWN)
        self._next[code] = min(2 * size, self._size)
        true = np.full(size, code)
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
def drawing(
    source: DuckDBSource, how: Randomizing, progress: Callable[[int], object] | None
) -> Iterator[tuple[DuckDBPyRelation, list[Draws]]]:
    """Give the relation whose questions are randomized, and what draws them."""
    from duckdb import ColumnExpression, FunctionExpression, SQLExpression

    connection = source.connection
    assert connection is not None
    names = how.outputs
    largest = max(mechanism.outputs for mechanism in how.mechanisms)
    if names is None and largest > _MOST_OUTPUTS:
        raise InvalidParameterError(
            f"one answer has too many outputs: received a mechanism with {largest}; allowed are {_MOST_OUTPUTS}; where "
            "it asks several questions, give a column for each (columns=[...], --columns)"
        )
    random = None if how.seed is None else np.random.default_rng(how.seed)
    draws = [
        Draws(mechanism, how.asked.codes, names, random, progress if question == 0 else None)
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
def told_in_our_words(source: DuckDBSource, output: str, draws: Sequence[Draws]) -> Iterator[None]:
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


def require_draws(draws: Sequence[Draws], reading: Reading) -> None:
    """Require one draw for each row and question: otherwise the file is not published."""
    if any(drawn.count != reading.rows for drawn in draws):
        raise UnsupportedProblemError(
            f"the answers were not drawn one by one: {reading.rows} rows, {[drawn.count for drawn in draws]} draws; "
            "the file changed while it was read, or this version of DuckDB calls a function once for several rows; "
            "nothing was written"
        )
