"""Counting engines other than DuckDB, for data too large for one machine and for users of Polars.

An engine evaluates through Ibis the same expressions as DuckDB. It reads Parquet and plain CSV files itself, with the
rights of the user. It has none of the restrictions of DuckDB's connection. Its rows have no order, so messages do not
report line numbers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
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
from rropt.survey.tables.formats import format_of
from rropt.survey.tables.inputs import first_bytes, is_path, unreadable
from rropt.survey.tables.readers import encoding_of, layout, read, sample_of
from rropt.survey.tables.sources import BLANKS, Columns, Source

if TYPE_CHECKING:
    from ibis.expr.types import Column, Table
    from numpy.typing import NDArray


class Csv(NamedTuple):
    """A plain text file: its internal column names, whether it has a header, its separator and quotation mark."""

    path: str
    columns: tuple[str, ...]
    header: bool
    separator: str
    quote: str


class Engine(NamedTuple):
    """How to use an engine through Ibis.

    Attributes:
        needs: the names of the modules that it requires.
        connect: returns the connection.
        parquet: returns the table of a file, a folder or an address.
        csv: returns the table of a text file, with text columns; lines of unequal length raise an error on counting.
        options: options for fetching results.
        advice: what to do if the engine does not start.
    """

    needs: tuple[str, ...]
    connect: Callable[[], Any]
    parquet: Callable[[Any, str], Table]
    csv: Callable[[Any, Csv], Table]
    options: Mapping[str, Any]
    advice: str


def _polars() -> Any:
    import ibis

    return ibis.polars.connect()


def _polars_csv(connection: Any, text: Csv) -> Table:
    from pyarrow import csv

    # Polars fills up lines that are too short, so Arrow checks the lines first
    layout = csv.ParseOptions(
        delimiter=text.separator, quote_char=text.quote, newlines_in_values=True, ignore_empty_lines=False
    )
    first = csv.ConvertOptions(include_columns=[text.columns[0]], column_types={text.columns[0]: "string"})
    for _ in csv.open_csv(text.path, csv.ReadOptions(column_names=text.columns), layout, first):
        pass
    table: Table = connection.read_csv(
        text.path,
        separator=text.separator,
        quote_char=text.quote,
        has_header=text.header,
        new_columns=list(text.columns),
        infer_schema=False,
        glob=False,
    )
    return table


def _spark() -> Any:
    import ibis
    from pyspark.sql import SparkSession

    quiet = {"spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false"}
    return ibis.pyspark.connect(SparkSession.builder.config(map=quiet).getOrCreate())


def _spark_path(path: str) -> str:
    """Return a path in the form that Spark expects, with wildcards escaped; an address is unchanged."""
    return path if "://" in path else "file://" + "".join("\\" * (each in "\\*?[]{}") + each for each in path)


def _spark_csv(connection: Any, text: Csv) -> Table:
    import ibis
    from pyspark.sql import SparkSession

    reader = SparkSession.active().read.schema(", ".join(f"{name} STRING" for name in text.columns))
    options: dict[str, Any] = {"header": text.header, "sep": text.separator, "quote": text.quote, "escape": text.quote}
    name = ibis.util.gen_name("answers")
    # with column pruning, Spark would not notice lines of unequal length
    frame = reader.options(**options, mode="FAILFAST", columnPruning=False).csv(_spark_path(text.path))
    frame.createOrReplaceTempView(name)
    table: Table = connection.table(name)
    return table


ENGINES: dict[str, Engine] = {
    "polars": Engine(
        ("polars", "pyarrow", "pandas"),
        _polars,
        lambda connection, path: connection.read_parquet(path, glob=os.path.isdir(path)),  # noqa: PTH112
        _polars_csv,
        {"engine": "streaming"},
        "install it anew",
    ),
    "pyspark": Engine(
        ("pyspark", "pyarrow", "pandas"),
        _spark,
        lambda connection, path: connection.read_parquet(_spark_path(path)),
        _spark_csv,
        {},
        "it needs Java 17, such as Debian's openjdk-17-jre-headless",
    ),
}
_OTHER = Engine((), lambda: None, lambda connection, path: connection.read_parquet(path), lambda *_: None, {}, "")


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
            if self.above is not None and not whole and any("\ufffd" in (text or "") for text in arrays[name]):
                raise FileFormatError(
                    f"data are not UTF-8: {self.name} has other signs; save it as Parquet or in UTF-8"
                )
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
            f"data cannot be read by {engine}: {name} is damaged, or not of its format, or its lines are uneven "
            f"({type(error).__name__}); make it again, or let DuckDB, the default, find the line"
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
        data: a path of Parquet or CSV, an address or a folder of Parquet; for ``duckdb``, any input of ``read``. An
            Ibis table uses its own engine.
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
            f"{engine if named else engine.name} reads files: received {given}; name a file of Parquet or CSV, or "
            "leave the engine to DuckDB"
        )
    return work(_opened(connected(engine) if named else engine, path, names, width))


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


def _opened(connection: Any, path: str, names: Sequence[str], width: int) -> IbisSource:
    own, name = ENGINES.get(connection.name, _OTHER), shown_path(path)
    address = "://" in path
    try:
        if not address and is_stream(path):
            raise InvalidParameterError(
                f"{connection.name} reads files: received the stream {name}; leave the engine to DuckDB"
            )
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidParameterError):
            raise
        raise unreadable(path, error) from None
    whole = path if address else os.path.abspath(path)  # noqa: PTH100  # without resolving links
    if address or os.path.isdir(path) or (start := first_bytes(path)).startswith(b"PAR1"):  # noqa: PTH112
        with one_line_error(name, connection.name):
            table = own.parquet(connection, whole)
        columns = tuple(table.columns)
        return IbisSource(name, columns, columns, None, table=table, options=own.options)
    sample = sample_of(path)
    plain = own is not _OTHER and format_of(start, name) == "text" and encoding_of(sample, name) == "utf-8"
    header, separator, quote, skipped = layout(sample, name, names, width) if plain else ([], "", "", 0)
    if not plain or skipped or len(header) < 2 or re.search(rb"\r(?!\n|\Z)", sample):
        raise FileFormatError(
            f"{connection.name} reads Parquet, and CSV of two columns or more in UTF-8 with usual line ends: received "
            f"{name}; save it so, or leave the engine to DuckDB, which reads other forms too"
        )
    columns = tuple(f"c{place}" for place in range(len(header)))
    with one_line_error(name, connection.name):
        table = own.csv(connection, Csv(whole, columns, bool(names), separator, quote))
    own_names = tuple(cell.strip(BLANKS) for cell in header) if names else ()
    return IbisSource(name, own_names, columns, int(bool(names)), table=table, options=own.options)
