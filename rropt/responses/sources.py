"""A table of answers as DuckDB reads it.

A file is untrusted. DuckDB is given one path and nothing else: it reads no other file, loads no extension, writes
nothing, not even to a temporary folder. Columns of CSV go by their place, so that a header never reaches a query;
other names and all values reach it as expressions, never as text. An error names a line and repeats nothing of it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rropt.errors import FileFormatError, InvalidParameterError, shown

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation, Expression

MEMORY = "3GB"  # of DuckDB: what it counts in is small, so that more means too many different texts
BLANKS = " \t\r\n\v\f\u00a0\ufeff"
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_LINE = re.compile(r"CSV Error on Line: (\d+)")


@dataclass(frozen=True, slots=True)
class Source:
    """A table that DuckDB reads.

    Attributes:
        name: what it is in messages.
        relation: the table, which is read anew by every query.
        names: its columns as people call them; of a file without a header none.
        columns: the names of the same columns in the relation.
        above: lines above the first row of a text file; ``None``: its rows have no lines.
        remarks: what was decided in reading it, as sentences.
        connection: that reads it; ``None`` for a relation, whose connection is its owner's.
    """

    name: str
    relation: DuckDBPyRelation
    names: tuple[str, ...]
    columns: tuple[str, ...]
    above: int | None
    remarks: tuple[str, ...] = ()
    connection: DuckDBPyConnection | None = None

    def column(self, name: str) -> str:
        """Return the name of a column in the relation.

        Raises:
            InvalidParameterError: none or several have that name; a similar one is suggested.
        """
        if self.names.count(name) == 1:
            return self.columns[self.names.index(name)]
        count = "more than one column" if name in self.names else "no column"
        near = difflib.get_close_matches(name, self.names, n=1, cutoff=0.6) if count == "no column" else []
        advice = f"did you mean {shown(near[0])}?" if near else "give the name of one column of the header"
        raise InvalidParameterError(
            f"a column does not fit the data: received {shown(name)}, and {count} of {len(self.names)} has that name; "
            f"the others are not repeated here, since a first line may hold answers; {advice}"
        )

    def text(self, name: str) -> Expression:
        """Return a column as text without blanks around it, '' where there is none; 1.0 and true are 1."""
        return self.text_at(self.columns.index(self.column(name)))

    def text_at(self, place: int) -> Expression:
        """Return the same of a column by its place."""
        from duckdb import CaseExpression, ColumnExpression, ConstantExpression, FunctionExpression

        column = ColumnExpression(self.columns[place])
        kind = str(self.relation.types[place])
        if kind in ("DOUBLE", "FLOAT") or kind.startswith("DECIMAL"):
            whole = (FunctionExpression("abs", column) < ConstantExpression(2**53)) & (
                FunctionExpression("floor", column) == column
            )
            number = CaseExpression(whole, column.cast("BIGINT").cast("VARCHAR"))
            column = number.otherwise(column.cast("VARCHAR"))
        elif kind == "BOOLEAN":
            column = column.cast("TINYINT")
        stripped = FunctionExpression("trim", column.cast("VARCHAR"), ConstantExpression(BLANKS))
        return CaseExpression(column.isnull(), ConstantExpression("")).otherwise(stripped)

    def plain(self, place: int) -> Expression:
        """Return a column as it is, as text, '' where there is none: quick, where few texts are stripped afterwards."""
        from duckdb import CaseExpression, ColumnExpression, ConstantExpression

        if str(self.relation.types[place]) != "VARCHAR":
            return self.text_at(place)
        column = ColumnExpression(self.columns[place])
        return CaseExpression(column.isnull(), ConstantExpression("")).otherwise(column)

    def is_whole(self, place: int) -> bool:
        """Return whether a column holds whole numbers as such."""
        return str(self.relation.types[place]).removeprefix("U") in _WHOLE

    def raw(self, name: str) -> Expression:
        """Return a column as it is."""
        from duckdb import ColumnExpression

        return ColumnExpression(self.column(name))

    def where(self, rows: Sequence[int]) -> str:
        """Return rows, counted from 1, as a message names them."""
        kind, above = ("row", 0) if self.above is None else ("line", self.above)
        return f"{kind}{'s' if len(rows) > 1 else ''} {', '.join(str(row + above) for row in rows)}"

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a statement about the table ``answers``, whose text holds no name and no value of it.

        Raises:
            FileFormatError: the table cannot be read to its end.
        """
        with refusals(self):
            found = self.relation.query("answers", statement)
            return [] if found is None else found.fetchall()

    def arrays(self, statement: str) -> dict[str, Any]:
        """Return the columns of what a statement about the table ``answers`` finds, as ``query``."""
        with refusals(self):
            found = self.relation.query("answers", statement)
            return {} if found is None else found.fetchnumpy()


class UnconvertedError(Exception):
    """Text that DuckDB does not take as it is."""


@contextmanager
def refusals(source: Source) -> Iterator[None]:
    """Turn what DuckDB says of a table, which may repeat its content, into one line that does not."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException:
        raise FileFormatError(
            f"the data have too many different texts: {source.name} needs more than {MEMORY} of memory to count; is "
            "it the right column that names the groups, the devices or the clusters?"
        ) from None
    except duckdb.Error as error:
        told = str(error)
        if "not utf-8" in told.lower() or "invalid unicode" in told.lower() or "invalid state" in told:
            raise UnconvertedError from None
        line = _LINE.search(told)
        if line is not None:
            values = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", told)
            wrong = f"has {values[2]} values, and {values[1]} are expected" if values else "is not CSV"
            advice = "check its quotation marks and separators"
            raise FileFormatError(
                f"line {line[1]} of the data {wrong} (its content is not repeated here): {advice}"
            ) from None
        raise FileFormatError(
            f"data cannot be read: {source.name} is damaged, or not of its format ({type(error).__name__}); make it "
            "again, or save it as CSV"
        ) from None


@contextmanager
def damage(name: str) -> Iterator[None]:
    """Turn what a reader says of a damaged file into one line."""
    try:
        yield
    except Exception as error:  # every reader has errors of its own
        raise FileFormatError(
            f"data cannot be read: {name} is damaged, or not of its format ({type(error).__name__}); make it again, or "
            "save it as CSV"
        ) from None


def connected(paths: Sequence[str], folders: Sequence[str] | None) -> DuckDBPyConnection:
    """Return a connection to no database that reads these files, writes to these folders, and nothing else."""
    import duckdb

    extensions = {"autoload_known_extensions": "false", "autoinstall_known_extensions": "false"}
    connection = duckdb.connect(":memory:", config={**extensions, "temp_directory": ""})
    connection.execute(f"SET memory_limit = '{MEMORY}'")
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET allowed_paths = ?", [list(paths)])
    connection.execute("SET allowed_directories = ?", [list(folders or ())])
    if folders is not None:  # rows are written in their order, each drawn once
        connection.execute("SET threads = 1")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection
