"""Tables of database files, opened read-only: base tables only, no views and no virtual tables.

A DuckDB file is attached to a connection that has no access to anything else. Python's ``sqlite3`` reads an SQLite
file. Its authorizer allows one table only, and generated columns can call harmless functions only.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import quote as quoted

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.normal_form import named_in
from rropt_fieldwork.reading.duckdb_connection import ATTACHED, connected
from rropt_fieldwork.reading.sources import MOST_LINE, Input, Request, Source, damage_errors, reading_errors
from rropt_fieldwork.reading.table_rows import Values

_NOT_ALLOWED = ("or requires an operation that is not allowed", "save its table as CSV")
_OTHER_VERSION = ("encrypted, or of another version of DuckDB", "save its table as Parquet")
_NAMES = 20  # the largest number of tables that a message lists


def sqlite_table(given: Input, asked: Request) -> tuple[tuple[str, ...], Iterator[Values]]:
    """Read a base table of an SQLite file, opened read-only: the names of its columns, and its rows.

    Raises:
        FileFormatError: the file is damaged, in use, or lacks the table.
    """
    path, name = given.path, given.name
    for suffix in "-wal", "-journal":
        if (beside := Path(os.path.realpath(path) + suffix)).exists() and beside.stat().st_size:
            raise in_use(name, "SQLite")
    damage = partial(damage_errors, f"the database {name}", *_NOT_ALLOWED)
    with damage():
        connection = _sqlite(path)
        with closing(connection):
            made = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
            tables = {
                each: sql
                for each, sql in made
                if isinstance(each, str) and isinstance(sql, str) and not each.startswith("sqlite_")
            }
            base = [each for each, sql in tables.items() if not sql.lstrip().upper().startswith("CREATE VIRTUAL")]
            chosen = table_of(base, asked.table, name)
            described = connection.execute(f"PRAGMA table_xinfo({identifier(chosen)})").fetchall()
    names = tuple(str(row[1]) for row in described)
    columns = asked.chosen(names)

    def rows() -> Iterator[Values]:
        listed = ", ".join(map(identifier, columns))
        with damage(), closing(_sqlite(path, chosen)) as connection:
            found = connection.execute(f"SELECT {listed} FROM {identifier(chosen)}")
            for number, row in enumerate(found, 1):
                if any(isinstance(value, bytes) for value in row):
                    raise _bytes_error(name, number, columns, row)
                yield row

    return columns, rows()


def _sqlite(path: str, table: str | None = None) -> sqlite3.Connection:
    """Open a file read-only, with access to one of its tables; ``None``: to its list of tables."""
    if os.path.exists(os.path.realpath(path)):  # noqa: PTH110
        connection = sqlite3.connect(f"file:{quoted(path, errors='surrogateescape')}?mode=ro&immutable=1", uri=True)
    else:  # an unpacked file or a pipe is in memory, and SQLite cannot open it by its path
        connection = sqlite3.connect(":memory:")
        data = bytearray(Path(path).read_bytes())
        data[18:20] = b"\x01\x01"  # no write-ahead log, which a database in memory cannot have
        connection.deserialize(bytes(data))
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    if hasattr(connection, "setlimit"):
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_LINE)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    allowed = (table,) if table is not None else ("sqlite_master", "sqlite_schema")

    def authorize(action: int, first: str | None, _: object, __: object, ___: object) -> int:
        is_read = action == sqlite3.SQLITE_READ and first in allowed
        is_description = action == sqlite3.SQLITE_PRAGMA and first == "table_xinfo" and table is None
        allows = action == sqlite3.SQLITE_SELECT or is_read or is_description
        return sqlite3.SQLITE_OK if allows else sqlite3.SQLITE_DENY

    connection.set_authorizer(authorize)
    return connection


def identifier(name: str) -> str:
    """Return a name as an SQL identifier in quotation marks."""
    return '"' + name.replace('"', '""') + '"'


def _bytes_error(name: str, number: int, columns: Sequence[str], row: Sequence[object]) -> FileFormatError:
    title = next(title for title, value in zip(columns, row, strict=True) if isinstance(value, bytes))
    return FileFormatError(
        f"row {number} of the data contains bytes instead of text (a BLOB) in {shown(title)} of {name}: allowed are "
        "texts and numbers; correct it (`CAST(... AS TEXT)`), or leave the column out"
    )


def base_table(given: Input, asked: Request) -> Source:
    """Return a base table of a DuckDB file, which is opened with its log.

    Raises:
        FileFormatError: the file is damaged, of another version, in use, or has no base table.
        InvalidParameterError: there is no such table, or there are several and none is named.
    """
    name = given.name
    whole = os.path.realpath(given.path)
    if not os.path.exists(whole):  # noqa: PTH110  # an unpacked file or a pipe is in memory
        raise FileFormatError(f"the database {name} is packed, or comes through a pipe: unpack it, and name the file")
    before, mark, after = whole.partition("?")  # where DuckDB expects the query of an address
    paths = whole, f"{before}.wal{mark}{after}"
    if os.path.exists(paths[1]):  # noqa: PTH110
        raise in_use(name, "DuckDB")
    with damage_errors(f"the database {name}", *_OTHER_VERSION):
        connection = connected(paths, None, whole)
    with closing(connection), reading_errors(name):
        found = connection.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? AND NOT internal ORDER BY ALL",
            [ATTACHED],
        ).fetchall()
        tables = {each if schema == "main" else f"{schema}.{each}": (schema, each) for schema, each in found}
        chosen = tables[table_of(list(tables), asked.table, name)]
        table = f"{ATTACHED}.{'.'.join(map(identifier, chosen))}"
        whole_table = f"SELECT * FROM {table}"  # the table of this name: DuckDB 1.4 reads quotation marks as its part
        names = tuple(connection.sql(whole_table).columns)
    return Source(name, names, input=given, paths=paths, scan=lambda own, _: own.sql(whole_table), database=True)


def table_of(tables: Sequence[str], table: str | None, name: str) -> str:
    """Return the table of a database to read: the named one, or the only one.

    Raises:
        FileFormatError: the database has no base table.
        InvalidParameterError: no table has that name, or no name is given and there are several tables.
    """
    listed = ", ".join(shown(each) for each in tables[:_NAMES]) + ", ..." * (len(tables) > _NAMES)
    if table is None and len(tables) == 1:
        return tables[0]
    if not tables:
        raise FileFormatError(
            f"data are empty: the database {name} contains no table (views are not read); name another"
        )
    if table is None:
        raise InvalidParameterError(f"the table is not named: {name} holds {listed}; name it (`table=NAME`)")
    if (found := named_in(table, tables)) is None:
        raise InvalidParameterError(
            f"no such table: received {shown(table)}; allowed are the base tables of {name}, {listed} (views are not "
            f"read)"
        )
    return found


def in_use(name: str, kind: str) -> FileFormatError:
    """Return the error for a database with uncommitted changes in a second file."""
    return FileFormatError(
        f"the database is in use: {name} has changes in a separate file next to it; close the program that writes to "
        f"it, or open and close it with {kind} once"
    )
