"""Open a DuckDB connection that reads only the named files, with a memory limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rropt.core.errors import MissingExtraError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation, Expression


_PIECE_ROWS = 1 << 16  # rows of a record batch
_BLOCK_ROWS = 4096  # two vectors of DuckDB
MEMORY = "3GB"  # of DuckDB. Its counts need little memory: a query that needs more has too many different texts


ATTACHED = "rropt_data"  # the name under which a connection attaches the database that it reads


def required_duckdb() -> Any:
    """Return the module duckdb.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError(
            "a table of respondents needs duckdb, which is not installed: pip install 'rropt[fieldwork]', or give the "
            "counts of the responses"
        ) from None
    return duckdb


def connected(paths: Sequence[str], folders: Sequence[str] | None, database: str | None = None) -> DuckDBPyConnection:
    """Return a connection that can read these files, write to these folders, and do nothing else.

    Args:
        paths: the files that may be read.
        folders: the folders that may be written. The rows are then processed in order. ``None``: nothing is written.
        database: the one of ``paths`` that is attached for reading, under the name ``ATTACHED``.
    """
    import duckdb

    extensions = {"autoload_known_extensions": "false", "autoinstall_known_extensions": "false"}
    connection = duckdb.connect(":memory:", config={**extensions, "temp_directory": ""})
    connection.execute(f"SET memory_limit = '{MEMORY}'")
    with suppress(duckdb.InvalidInputException):  # a notebook without ipywidgets has no bar, and refuses the setting
        connection.execute("SET enable_progress_bar = false")  # interactively, it goes to standard output
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET max_expression_depth = 10000")  # of a union, the sum over its tables
    connection.execute("SET allowed_paths = ?", [list(paths)])
    connection.execute("SET allowed_directories = ?", [list(folders or ())])
    if folders is not None:  # rows are written in their order, each drawn once
        connection.execute("SET threads = 1")
    connection.execute("SET enable_external_access = false")
    if database is not None:
        written = database.replace("'", "''")
        connection.execute(f"ATTACH '{written}' AS {ATTACHED} (TYPE duckdb, READ_ONLY)")
    connection.execute("SET lock_configuration = true")
    return connection


def rows_of(relation: DuckDBPyRelation) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a relation one by one; a block of them is in memory at a time.

    From DuckDB 2 on a relation has ``iter_rows``, and keeps no result between calls; before, it has ``fetchmany``.
    """
    if hasattr(relation, "iter_rows"):
        yield from relation.iter_rows()
        return
    before: Any = relation
    while block := before.fetchmany(_BLOCK_ROWS):
        yield from block


def pieces_of(relation: DuckDBPyRelation) -> Any:
    """Return the rows of a relation as a reader of Arrow's record batches; one of them is in memory at a time.

    Raises:
        MissingExtraError: Arrow is not installed.
    """
    try:
        import pyarrow as pa  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "rows in bulk need pyarrow, which is not installed: pip install 'rropt[fieldwork]'"
        ) from None
    before: Any = relation  # DuckDB 1 has another name
    read = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else before.fetch_record_batch
    return read(_PIECE_ROWS)


def column_of(name: str) -> Expression:
    """Return the column of a relation with exactly this name: DuckDB 1 reads dots and quotes of a name as its parts."""
    from duckdb import SQLExpression

    quoted = name.replace('"', '""')
    return SQLExpression(f'"{quoted}"')
