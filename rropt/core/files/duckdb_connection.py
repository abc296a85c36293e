"""Open a DuckDB connection that reads named files only, within a limit of memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


MEMORY = "3GB"  # of DuckDB: what it counts in is small, so that more means too many different texts


ATTACHED = "rropt_data"  # what a connection calls the database that it reads


def connected(paths: Sequence[str], folders: Sequence[str] | None, database: str | None = None) -> DuckDBPyConnection:
    """Return a connection that reads these files, writes to these folders, and nothing else.

    Args:
        paths: of files.
        folders: to which rows are written in their order; ``None``: none.
        database: of the files that which is attached for reading, as ``ATTACHED``.
    """
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
    if database is not None:
        written = database.replace("'", "''")
        connection.execute(f"ATTACH '{written}' AS {ATTACHED} (TYPE duckdb, READ_ONLY)")
    connection.execute("SET lock_configuration = true")
    return connection
