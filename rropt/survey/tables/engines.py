"""Counting engines other than DuckDB, for data too large for one machine and for users of Polars.

An engine evaluates through Ibis the same expressions as DuckDB. It reads Parquet itself, with the rights of the user,
and has none of the restrictions of DuckDB's connection. A table of Ibis has any other source. Its rows have no order,
so messages do not report line numbers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.core.errors import (
    FileFormatError,
    InvalidParameterError,
    MissingExtraError,
    UnsupportedProblemError,
    shown,
)
from rropt.core.files import shown_path
from rropt.core.files.streams import is_stream
from rropt.survey.tables.inputs import first_bytes, paths_of, unreadable
from rropt.survey.tables.sources import Columns, Source, damage_errors

if TYPE_CHECKING:
    from ibis.expr.types import Column, Table
    from numpy.typing import NDArray


# The modules that an engine requires, and what to do if it does not start.
ENGINES = {
    "polars": (("polars", "pyarrow", "pandas"), "install it anew"),
    "pyspark": (("pyspark", "pyarrow", "pandas"), "it needs Java 17, such as Debian's openjdk-17-jre-headless"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class IbisSource(Source):
    """A table that an engine reads.

    Attributes:
        table: the Ibis table.
    """

    table: Table

    def found(self, chosen: Columns, ask: Callable[[Table], Table]) -> dict[str, NDArray[Any]]:
        """Return the columns of the result of an expression."""
        rows = self.table.select(**{name: _plain(self.table[self.place(column)]) for name, column in chosen.items()})
        connection = self.table.get_backend()
        options = {"engine": "streaming"} if connection.name == "polars" else {}
        with one_line_error(self.name, connection.name):
            found = connection.to_pyarrow(ask(rows), **options)
        arrays = {}
        for name in found.column_names:
            column = found[name]
            whole = column.null_count == 0 and column.type not in ("string", "large_string")
            arrays[name] = column.to_numpy() if whole else np.array([*column.to_pylist(), None], object)[:-1]
        return arrays


def _plain(column: Column) -> Column:
    """Return a column as texts, integers, floats or booleans."""
    kind = column.type()
    if kind.is_string() or kind.is_integer() or kind.is_floating() or kind.is_boolean():
        return column
    return column.cast("float64" if kind.is_decimal() and kind.scale else "string")


@contextmanager
def one_line_error(name: str, engine: str) -> Iterator[None]:
    """Replace an engine's message about a table, which may repeat its content, by a one-line message that does not."""
    from ibis.common.exceptions import IbisError

    with damage_errors(name, f"or {engine} does not read it", "leave the engine to DuckDB"):
        try:
            yield
        except IbisError as error:
            raise UnsupportedProblemError(
                f"{engine} cannot count: Ibis does not translate what is asked ({type(error).__name__}); allowed are "
                f"the engines {', '.join(('duckdb', *ENGINES))}, and others that Ibis serves as well"
            ) from None


def source_of(engine: Any, data: Any, table: str | None, sheet: str | int | None) -> IbisSource:
    """Open a table with an engine.

    Args:
        engine: ``polars``, ``pyspark``, or an Ibis connection.
        data: a path, a folder or an address of Parquet; or an Ibis table, which uses its own engine.
        table, sheet: refused: only DuckDB reads databases and workbooks.

    Raises:
        InvalidParameterError: there is no such engine.
        MissingExtraError: the engine is not installed.
        FileAccessError, FileFormatError: the file cannot be opened, or the engine does not read this format.
    """
    if type(data).__module__.startswith("ibis."):
        return _whole_table("the Ibis table", data)
    named = isinstance(engine, str)
    if engine not in ENGINES if named else not hasattr(engine, "to_pyarrow"):
        raise InvalidParameterError(
            f"no such engine: received {shown(engine)}; allowed are {', '.join(('duckdb', *ENGINES))}, and in Python "
            "connections and tables of Ibis"
        )
    if isinstance(data, list | tuple) and len(data) == 1:
        (data,) = data
    path = os.fspath(data) if isinstance(data, str | os.PathLike) else None
    if path in (None, "-") or table is not None or sheet is not None:
        given = "a table" if path is None else "standard input" if path == "-" else "a table of a database"
        given = given if sheet is None else "a sheet of a workbook"
        given = "several files" if path is None and paths_of(data) else given
        raise InvalidParameterError(
            f"{engine if named else engine.name} reads files: received {given}; name a file of Parquet, or "
            "leave the engine to DuckDB"
        )
    return _opened(connected(engine) if named else engine, path)


def connected(engine: str) -> Any:
    """Connect to an engine by its name."""
    needs, advice = ENGINES[engine]
    absent = [name for name in needs if find_spec(name) is None]
    if absent:
        raise MissingExtraError(
            f"the engine {engine} needs {', '.join(absent)}, not installed here: pip install 'rropt[{engine}]', or "
            "leave the engine to DuckDB"
        )
    try:
        import ibis

        if engine == "polars":
            return ibis.polars.connect()
        from pyspark.sql import SparkSession

        quiet = {"spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false"}
        session = SparkSession.builder.config(map=quiet).getOrCreate()
        return ibis.pyspark.connect(session)
    except Exception as error:
        raise MissingExtraError(
            f"the engine {engine} does not start ({type(error).__name__}): {advice}, or leave the engine to DuckDB"
        ) from None


def _opened(connection: Any, path: str) -> IbisSource:
    name, whole, more = shown_path(path), path, {}
    is_address = "://" in path
    try:
        is_folder = not is_address and Path(path).is_dir()
        is_parquet = is_address or is_folder or (not is_stream(path) and first_bytes(path).startswith(b"PAR1"))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    if not is_parquet:
        raise FileFormatError(
            f"{connection.name} reads Parquet: received {name}; save it as Parquet, give a table of Ibis in Python, or "
            "leave the engine to DuckDB, which reads other forms too"
        )
    with one_line_error(name, connection.name):
        if not is_address:
            whole = os.path.abspath(path)  # noqa: PTH100  # without resolving links
        if connection.name == "pyspark" and not is_address:
            whole = "file://" + "".join("\\" * (each in "\\*?[]{}") + each for each in whole)
        if connection.name == "polars":
            more = {"glob": is_folder}
        return _whole_table(name, connection.read_parquet(whole, **more))


def _whole_table(name: str, table: Table) -> IbisSource:
    columns = tuple(table.columns)
    return IbisSource(name, columns, table=table)
