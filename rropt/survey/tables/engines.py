"""Counting engines other than DuckDB, for data too large for one machine and for users of Polars.

An engine evaluates through Ibis the same expressions as DuckDB. It reads Parquet itself, with the rights of the user,
and has none of the restrictions of DuckDB's connection. A table of Ibis has any other source. Its rows have no order,
so messages do not report line numbers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rropt.core.errors import (
    FileFormatError,
    InvalidParameterError,
    MissingExtraError,
    RroptError,
    UnsupportedProblemError,
    shown,
)
from rropt.core.files import shown_path
from rropt.core.files.streams import is_stream
from rropt.survey.tables.inputs import first_bytes, is_path, unreadable
from rropt.survey.tables.readers import read
from rropt.survey.tables.sources import Columns, Source

if TYPE_CHECKING:
    from ibis.expr.types import Column, Table
    from numpy.typing import NDArray


class Engine(NamedTuple):
    """How to use an engine through Ibis.

    Attributes:
        needs: the names of the modules that it requires.
        connect: returns the connection.
        parquet: returns the table of a file, a folder or an address.
        options: options for fetching results.
        advice: what to do if the engine does not start.
    """

    needs: tuple[str, ...]
    connect: Callable[[], Any]
    parquet: Callable[[Any, str], Table]
    options: Mapping[str, Any]
    advice: str


def _polars() -> Any:
    import ibis

    return ibis.polars.connect()


def _spark() -> Any:
    import ibis
    from pyspark.sql import SparkSession

    quiet = {"spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false"}
    return ibis.pyspark.connect(SparkSession.builder.config(map=quiet).getOrCreate())


def _spark_path(path: str) -> str:
    """Return a path in the form that Spark expects, with wildcards escaped; an address is unchanged."""
    return path if "://" in path else "file://" + "".join("\\" * (each in "\\*?[]{}") + each for each in path)


ENGINES: dict[str, Engine] = {
    "polars": Engine(
        ("polars", "pyarrow", "pandas"),
        _polars,
        lambda connection, path: connection.read_parquet(path, glob=os.path.isdir(path)),  # noqa: PTH112
        {"engine": "streaming"},
        "install it anew",
    ),
    "pyspark": Engine(
        ("pyspark", "pyarrow", "pandas"),
        _spark,
        lambda connection, path: connection.read_parquet(_spark_path(path)),
        {},
        "it needs Java 17, such as Debian's openjdk-17-jre-headless",
    ),
}
_OTHER = Engine((), lambda: None, lambda connection, path: connection.read_parquet(path), {}, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class IbisSource(Source):
    """A table that an engine reads.

    Attributes:
        table: the Ibis table.
        options: options for fetching results.
    """

    table: Table
    options: Mapping[str, Any] = field(default_factory=dict)

    def found(self, chosen: Columns, ask: Callable[[Table], Table]) -> dict[str, NDArray[Any]]:
        """Return the columns of the result of an expression."""
        rows = self.table.select(**{name: _plain(self.table[self.column(column)]) for name, column in chosen.items()})
        connection = self.table.get_backend()
        with one_line_error(self.name, connection.name):
            found = connection.to_pyarrow(ask(rows), **self.options)
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

    try:
        yield
    except RroptError:
        raise
    except IbisError as error:
        raise UnsupportedProblemError(
            f"{engine} cannot count: Ibis does not translate what is asked ({type(error).__name__}); allowed are the "
            f"engines {', '.join(('duckdb', *ENGINES))}, and others that Ibis serves as well"
        ) from None
    except Exception as error:  # every engine has its own exceptions
        raise FileFormatError(
            f"data cannot be read by {engine}: {name} is damaged ({type(error).__name__}); make it again"
        ) from None


def read_with_engine(
    engine: Any,
    data: Any,
    names: Sequence[str],
    work: Any,
    *,
    width: int = 1,
    table: str | None = None,
    sheet: str | int | None = None,
) -> Any:
    """Open a table with an engine and return the result of ``work`` on it.

    Args:
        engine: ``duckdb``, ``polars``, ``pyspark``, or an Ibis connection.
        data: a path, a folder or an address of Parquet; for ``duckdb``, any input of ``read``. An Ibis table uses its
            own engine.
        names: the required columns; empty if the file has no header.
        work: a function of the ``Source``.
        width: the number of columns of a file without a header.
        table, sheet: the table of a database or the sheet of a workbook, only for ``duckdb``; ``None``: the only table,
            the first sheet.

    Raises:
        InvalidParameterError: there is no such engine.
        MissingExtraError: the engine is not installed.
        FileAccessError, FileFormatError: as for ``read``, or the engine does not read this format.
    """
    if type(data).__module__.startswith("ibis."):
        columns = tuple(data.columns)
        options = ENGINES[data.get_backend().name].options if data.get_backend().name in ENGINES else {}
        return work(IbisSource("the Ibis table", columns, columns, None, table=data, options=options))
    if engine == "duckdb":
        return read(data, names, work, width=width, table=table, sheet=sheet)
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
        given = "several files" if is_path(data) and path is None else given
        raise InvalidParameterError(
            f"{engine if named else engine.name} reads files: received {given}; name a file of Parquet, or "
            "leave the engine to DuckDB"
        )
    return work(_opened(connected(engine) if named else engine, path))


def connected(engine: str) -> Any:
    """Connect to an engine by its name."""
    own = ENGINES[engine]
    absent = [name for name in own.needs if find_spec(name) is None]
    if absent:
        raise MissingExtraError(
            f"the engine {engine} needs {', '.join(absent)}, not installed here: pip install 'rropt[{engine}]', or "
            "leave the engine to DuckDB"
        )
    try:
        return own.connect()
    except Exception as error:
        raise MissingExtraError(
            f"the engine {engine} does not start ({type(error).__name__}): {own.advice}, or leave the engine to DuckDB"
        ) from None


def _opened(connection: Any, path: str) -> IbisSource:
    own, name = ENGINES.get(connection.name, _OTHER), shown_path(path)
    is_address = "://" in path
    try:
        is_file = not (is_address or Path(path).is_dir())
        is_parquet = not is_file or (not is_stream(path) and first_bytes(path).startswith(b"PAR1"))
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    if not is_parquet:
        raise FileFormatError(
            f"{connection.name} reads Parquet: received {name}; save it as Parquet, give a table of Ibis in Python, or "
            "leave the engine to DuckDB, which reads other forms too"
        )
    with one_line_error(name, connection.name):
        # without resolving links
        table = own.parquet(connection, path if is_address else os.path.abspath(path))  # noqa: PTH100
    columns = tuple(table.columns)
    return IbisSource(name, columns, columns, None, table=table, options=own.options)
