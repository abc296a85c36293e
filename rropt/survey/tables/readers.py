"""Open tables: detect the format by the first bytes, and the layout of a text file by its header.

Each file becomes a *part*: a path that DuckDB may open, with a function that scans it. Streams, packed files and text
that is not UTF-8 are first converted to files in memory. So are rows that DuckDB does not read itself (``rows``). Parts
with the same header form one table. The reader detects the separator and the quotation mark of a text file: it takes
the pair for which the header contains the requested columns.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import groupby, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.files.duckdb_connection import ATTACHED, connected
from rropt.survey.tables.files_in_memory import (
    CHUNK,
    file_in_memory,
    reading_package,
    require_small_workbook,
    unpacked_in_memory,
)
from rropt.survey.tables.formats import DATABASES, PACKED, JsonForm, format_of, json_form, refused
from rropt.survey.tables.inputs import Input, first_bytes, inputs_of
from rropt.survey.tables.rows import Row, csv_chunks, workbook_rows
from rropt.survey.tables.sources import (
    BLANKS,
    MOST_LINE,
    DuckDBSource,
    LineError,
    LongLineError,
    Source,
    UnconvertedError,
    damage_errors,
    reading_errors,
    require_columns,
    table_name,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

Found = TypeVar("Found")

_SAMPLE = 1 << 20  # the number of bytes that are read to find the header, unless the header is longer
_MOST_SCANS = 500  # the most scans of one table; similar parts with the same partition share a scan
_SEPARATORS: tuple[str, ...] = (",", ";", "\t", "|")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\v\x1b")  # bytes that do not occur in text
_ROWS = object()  # the engine of work that needs rows and their numbers, which only DuckDB has
_MANY = 0.02  # in UTF-16 of any language, more than this fraction of every second byte is 0: commas and line ends


@dataclass(frozen=True, slots=True)
class _ReadRequest:
    """The request to a file.

    Attributes:
        names: the required columns; empty if the file has no header.
        width: the number of columns of a file without a header.
        whole: whether all other columns are required too.
        table: the table of a database.
        sheet: the sheet of a workbook.
        convert: whether to convert text even if it begins as UTF-8: to UTF-8 with uniform line ends.
        long: whether lines may have up to ``MOST_LINE`` bytes.
    """

    names: tuple[str, ...]
    width: int = 1
    whole: bool = False
    table: str | None = None
    sheet: str | int | None = None
    convert: bool = False
    long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part(Source):
    """One file of a table.

    Attributes:
        input: the file, and the values of its partition.
        paths: the paths that DuckDB may open.
        scan: returns the relation for the paths of similar parts.
        alike: the properties that similar parts have in common; ``None`` if this part is scanned alone.
        attached: the path of a database.
    """

    input: Input
    paths: tuple[str, ...]
    scan: Callable[[DuckDBPyConnection, Sequence[str]], DuckDBPyRelation]
    alike: object = None
    attached: str | None = None


def read(
    data: Any,
    names: Sequence[str],
    work: Callable[[Any], Found],
    *,
    engine: Any = _ROWS,
    width: int = 1,
    folders: Sequence[str] | None = None,
    whole: bool = False,
    table: str | None = None,
    sheet: str | int | None = None,
) -> Found:
    """Open a table and return the result of ``work`` on it; if necessary, convert the text and open it again.

    Args:
        data: the path of a file or of a folder, ``-`` for standard input, several paths, a DuckDB relation, or a table
            of pandas, Polars, Arrow or Ibis.
        names: the required columns; empty if the file has no header.
        work: a function of the ``Source``; of a ``DuckDBSource`` unless another engine reads the table.
        engine: ``duckdb``, or another engine for Parquet (``engines``), which uses the arguments up to here; an Ibis
            table then uses its own. Without it DuckDB reads every table, for work that needs a ``DuckDBSource``.
        width: the number of columns of a file without a header.
        folders: the folders that DuckDB may write to; rows then keep their order. ``None``: nothing is written, and
            rows have any order.
        whole: whether all other columns are required too.
        table: the table of a database; ``None``: its only table.
        sheet: the sheet of a workbook, by name or by number from 1; ``None``: the first sheet.

    Raises:
        FileAccessError: there is no such file.
        FileFormatError: the file does not have a supported format, or is damaged.
    """
    if engine is not _ROWS and (engine != "duckdb" or type(data).__module__.startswith("ibis.")):
        from rropt.survey.tables.engines import source_of

        return work(source_of(engine, data, table, sheet))
    asked = _ReadRequest(tuple(names), width, whole or not names, table, sheet)
    with ExitStack() as stack:
        inputs = inputs_of(data, stack)  # reads streams, which is possible only once
        while True:
            try:
                with _opened(data, inputs, asked, folders) as source:
                    return work(source)
            except UnconvertedError:
                if asked.convert:
                    name = inputs[0].name if inputs else "the table"
                    raise FileFormatError(f"data are not text: {name} is neither UTF-8 nor Windows-1252") from None
                asked = replace(asked, convert=True)
            except LineError:
                if asked.convert or not any(map(_mixes_line_ends, inputs)):
                    raise
                asked = replace(asked, convert=True)
            except LongLineError:
                if asked.long:
                    raise FileFormatError(
                        f"the data have a line that is too long: allowed are {MOST_LINE >> 20} MiB; check for a "
                        "quotation mark that is not closed"
                    ) from None
                asked = replace(asked, long=True)


def _mixes_line_ends(given: Input) -> bool:
    """Return whether lines end both with and without a carriage return, which DuckDB does not always read."""
    if format_of(given.start, given.name) in PACKED:
        return True  # it is in memory anyway
    with Path(given.path).open("rb") as stream, mmap(stream.fileno(), 0, access=ACCESS_READ) as text:
        return text.find(b"\r\n") >= 0 and re.search(rb"(?<!\r)\n", text) is not None


@contextmanager
def _opened(
    data: Any, inputs: Sequence[Input], asked: _ReadRequest, folders: Sequence[str] | None
) -> Iterator[DuckDBSource]:
    """Open a table, or several files as one table."""
    import duckdb

    if asked.sheet is not None and not inputs:
        raise InvalidParameterError(f"`sheet` names a sheet of a workbook: received {shown(asked.sheet)} and no file")
    if isinstance(data, duckdb.DuckDBPyRelation):  # it stays on the user's own connection
        columns = tuple(data.columns)
        yield DuckDBSource("the relation", columns, columns, None, relation=data)
        return
    if type(data).__name__ == "RecordBatchReader":
        raise InvalidParameterError("the table can be read once only: received a RecordBatchReader; give a table")
    name = "" if inputs else table_name(data)
    with ExitStack() as stack:
        parts = [_part(each, asked, stack) for each in inputs]
        paths = [path for part in parts for path in part.paths]
        allowed = None if folders is None else list(map(os.path.abspath, folders))
        connection = connected(paths, allowed, parts[0].attached if parts else None)
        stack.callback(connection.close)
        if parts:
            yield _joined(connection, parts)
        else:
            names, relation = _registered(connection, data, name)
            yield DuckDBSource(name, names, tuple(relation.columns), None, relation=relation, connection=connection)


def _registered(
    connection: DuckDBPyConnection, table: Any, name: str, columns: tuple[str, ...] = (), own: str = "frame"
) -> tuple[tuple[str, ...], DuckDBPyRelation]:
    """Register the table of another library with DuckDB: the names of its columns, and the relation of columns."""
    with damage_errors(name, "or has a column of a type or shape that is not read", "give numbers and texts"):
        connection.register(own, table)
        relation = connection.table(own)
        is_arrow = hasattr(type(table), "column_names")  # of the type: a column of pandas may have this name too
        attribute = "column_names" if is_arrow else "columns"
        named = getattr(table, attribute, None) if hasattr(table, "__len__") else None
        names = columns or tuple(
            map(str, table if isinstance(table, dict) else relation.columns if named is None else named)
        )
        return names, _by_position(relation, names)


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names, or internal ones if they are equal but for their case, which DuckDB ignores."""
    return names if len({name.casefold() for name in names}) == len(names) else _internal(len(names))


def _by_position(relation: DuckDBPyRelation, names: tuple[str, ...]) -> DuckDBPyRelation:
    """Return a relation with the columns of ``_distinct``; DuckDB renames the second of two equal ones."""
    if (columns := _distinct(names)) == names:
        return relation
    found = relation.query("answers", f"FROM answers AS own({', '.join(columns)})")
    assert found is not None
    return found


def _require_one_table(parts: Sequence[_Part]) -> None:
    """Raise an error for parts with different columns, and for a database together with other parts."""
    first = parts[0]
    if len(parts) > 1 and any(part.attached for part in parts):
        raise InvalidParameterError("a database is read alone: received one among several files; name it alone")
    keys = [key for key, _ in first.input.partition]
    for part in parts:
        if part.names != first.names or len(part.columns) != len(first.columns):
            raise FileFormatError(
                f"the files have different columns: {first.name} and {part.name}; allowed are files with "
                "the same header, in the same order"
            )
        if [key for key, _ in part.input.partition] != keys:
            raise FileFormatError(
                f"the folders are not partitioned alike: {first.name} and {part.name}; each file must be "
                "below folders with the same keys, as in region=north/year=2020/part.csv"
            )
    if double := [key for key in keys if key in first.names or keys.count(key) > 1]:
        raise FileFormatError(
            f"a column is in the files and also in the names of their folders: received {shown(double[0])} in "
            f"{first.name}; remove it from one of them"
        )


def _joined(connection: DuckDBPyConnection, parts: Sequence[_Part]) -> DuckDBSource:
    """Join parts to one table; a single file keeps its columns, since a selection of very many columns is slow."""
    first = parts[0]
    about: dict[str, Any] = {own.name: getattr(first, own.name) for own in fields(Source)}
    about["connection"] = connection
    if len(parts) == 1 and not first.input.partition:
        return DuckDBSource(**about, relation=_scanned(connection, parts), files={first.input.path: "the data"})
    _require_one_table(parts)
    keys = tuple(key for key, _ in first.input.partition)
    about["columns"] = columns = _internal(len(first.columns) + len(keys))
    relations = [_with_partition(_scanned(connection, run), run[0], columns) for run in _runs(parts)]
    while len(relations) > 1:  # as a balanced tree, because DuckDB limits the depth of a query
        pairs = [relations[i : i + 2] for i in range(0, len(relations), 2)]
        relations = [pair[0].union(pair[1]) if len(pair) > 1 else pair[0] for pair in pairs]
    about |= {"name": first.input.whole or f"{len(parts)} files", "names": (*first.names, *keys)}
    about["remarks"] = tuple(dict.fromkeys(remark for part in parts for remark in part.remarks))
    about["decimal_commas"] = all(part.decimal_commas for part in parts)
    about["files"] = {part.input.path: part.name for part in parts}
    counted = tuple((part, partial(_count, connection, part)) for part in parts)
    return DuckDBSource(**about, relation=relations[0], parts=counted)


def _scanned(connection: DuckDBPyConnection, run: Sequence[_Part]) -> DuckDBPyRelation:
    """Return the relation of similar parts."""
    with reading_errors(run[0].name, has_header=bool(run[0].names)):
        return run[0].scan(connection, [path for part in run for path in part.paths])


def _runs(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Group consecutive parts that can be read in one scan, because they are similar and have the same partition."""
    marks = [part.alike if part.alike is not None else place for place, part in enumerate(parts)]
    both = [(mark, part.input.partition) for mark, part in zip(marks, parts, strict=True)]
    runs = [[parts[i] for i in run] for _, run in groupby(range(len(parts)), lambda i: both[i])]
    if len(runs) > _MOST_SCANS:
        raise FileFormatError(
            f"the files are too many: received {len(runs)} files or partitions that are read one by one; allowed are "
            f"{_MOST_SCANS}; join them, for example into one Parquet file"
        )
    return runs


def _with_partition(relation: DuckDBPyRelation, part: _Part, columns: Sequence[str]) -> DuckDBPyRelation:
    """Return a relation with internal column names, followed by the values of its partition."""
    from duckdb import ColumnExpression, ConstantExpression

    own = [ColumnExpression(old).alias(new) for old, new in zip(part.columns, columns, strict=False)]
    values = [
        ConstantExpression(value).cast("VARCHAR").alias(new)
        for (_, value), new in zip(part.input.partition, columns[len(own) :], strict=True)
    ]
    return relation.select(*own, *values)


def _count(connection: DuckDBPyConnection, part: _Part) -> int:
    with reading_errors(part.name, has_header=bool(part.names)):
        return int(_scanned(connection, [part]).aggregate("count(*)").fetchall()[0][0])


def _part(given: Input, asked: _ReadRequest, stack: ExitStack) -> _Part:
    """Return the part for a file: detect its format, and unpack it if it is packed."""
    name, known = given.name, format_of(given.start, given.name)
    if known == "zip":
        known = require_small_workbook(given.path, name)
    if known in PACKED:
        path = unpacked_in_memory(given.path, known, name, stack)
        inner = format_of(first_bytes(path), name)
        if inner == "zip":
            inner = require_small_workbook(path, name)
        if inner in PACKED:
            raise refused(name, f"packed twice, with {known} and with {inner}", "unpack it once")
        given, known = replace(given, path=path), inner
    if asked.table is not None and known not in DATABASES:
        raise InvalidParameterError(
            f"`table` names a table of a database: received {shown(asked.table)} for {name}, which is not a database; "
            "leave it out"
        )
    if asked.sheet is not None and known != "excel":
        raise InvalidParameterError(
            f"`sheet` names a sheet of a workbook: received {shown(asked.sheet)} for {name}, which is not a workbook; "
            "leave it out"
        )
    if known == "text":
        return _text_part(given, asked, stack)
    if known == "excel":
        names, rows, remarks = workbook_rows(given.path, name, asked.names, asked.sheet, stack, whole=asked.whole)
        return replace(_rows_part(given, names, rows, stack), above=1, remarks=remarks)
    if known in DATABASES:
        from rropt.survey.tables.databases import base_table, sqlite_table
    if known == "sqlite":
        return _rows_part(given, *sqlite_table(given.path, name, asked.names, asked.table, whole=asked.whole), stack)
    if known == "duckdb":
        paths, chosen, columns = base_table(given.path, name, asked.table)
        return _Part(
            name,
            columns,
            columns,
            None,
            input=given,
            paths=paths,
            scan=lambda connection, _: connection.table(f"{ATTACHED}.{chosen}"),
            attached=paths[0],
        )
    if known == "parquet":
        return _parquet_part(given)
    if known == "feather":
        return _frame_part(given, *_feather_table(given))
    from rropt.survey.tables.statistics_files import statistics_table

    frame, told = statistics_table(given.path, name, known, asked.names, whole=asked.whole)
    return _frame_part(given, frame, tuple(frame.columns), tuple(told))


def _rows_part(given: Input, names: tuple[str, ...], rows: Iterable[Row], stack: ExitStack) -> _Part:
    """Return the part for rows of texts, which are stored as CSV in memory."""
    size = Path(given.path).stat().st_size
    path = file_in_memory(csv_chunks(rows, given.name), stack, packed=size, name=given.name)
    scan = partial(_csv_scan, width=len(names), separator=",", quote='"', header=False, skipped=0, long=True)
    return _Part(given.name, names, _internal(len(names)), None, input=given, paths=(path,), scan=scan)


def _internal(width: int) -> tuple[str, ...]:
    """Return the internal names of the columns of a text."""
    return tuple(f"c{place}" for place in range(width))


def _csv_scan(
    connection: DuckDBPyConnection,
    paths: Sequence[str],
    *,
    width: int,
    separator: str,
    quote: str,
    header: bool,
    skipped: int,
    long: bool,
) -> DuckDBPyRelation:
    more: dict[str, Any] = {"max_line_size": MOST_LINE} if long else {}
    listed: Any = list(paths)  # DuckDB accepts a list, although its type hints do not allow it
    return connection.read_csv(
        listed,
        auto_detect=False,
        header=header,
        skiprows=skipped,
        sep=separator,
        quotechar=quote,
        escapechar=quote,
        columns=dict.fromkeys(_internal(width), "VARCHAR"),
        **more,
    )


def _parquet_part(given: Input) -> _Part:
    """Return the part for a Parquet file."""
    path, name = given.path, given.name
    with damage_errors(name), closing(connected([path], None)) as own:
        listed = own.execute("SELECT name, num_children FROM parquet_schema(?)", [path]).fetchall()[1:]
    names: tuple[str, ...] = ()
    inside = 0  # columns inside of the last one, which follow it
    for column, children in listed:
        names += () if inside else (column,)
        inside += (children or 0) - bool(inside)

    def scan(connection: DuckDBPyConnection, paths: Sequence[str]) -> DuckDBPyRelation:
        with damage_errors(name):
            return _by_position(connection.read_parquet(list(paths)), names)

    alike = ("parquet", names)
    return _Part(name, names, _distinct(names), None, input=given, paths=(path,), scan=scan, alike=alike)


def _frame_part(given: Input, table: Any, columns: tuple[str, ...], remarks: tuple[str, ...] = ()) -> _Part:
    """Return the part for a table of Arrow or pandas in memory."""
    own = f"frame{abs(hash(given.path))}"

    def scan(connection: DuckDBPyConnection, _: Sequence[str]) -> DuckDBPyRelation:
        return _registered(connection, table, given.name, columns, own)[1]

    return _Part(given.name, columns, _distinct(columns), None, remarks, input=given, paths=(), scan=scan)


def _feather_table(given: Input) -> tuple[Any, tuple[str, ...]]:
    """Return the table of a Feather file, and its columns."""
    reading_package("Feather", "pyarrow", given.name, "pip install 'rropt[feather]', or save it as Parquet or CSV")
    from pyarrow import dataset

    with damage_errors(given.name):
        table = dataset.dataset(given.path, format="feather")
        return table, tuple(table.schema.names)


def _text_part(given: Input, asked: _ReadRequest, stack: ExitStack) -> _Part:
    """Return the part for a CSV or JSON file."""
    path, name, names = given.path, given.name, asked.names
    remarks: list[str] = []
    sample = sample_of(path)
    encoding = encoding_of(sample, name)
    if encoding != "utf-8" or asked.convert:
        # if the sample was UTF-8 but the rest is not, Windows-1252 is the second candidate
        path = _converted(path, [encoding, "cp1252"] if asked.convert else [encoding], name, remarks, stack)
        sample = sample_of(path)
    if (form := json_form(sample, name, names)) is not None:
        return replace(_json_part(replace(given, path=path), names, form, whole=asked.whole), remarks=tuple(remarks))
    header, separator, quote, skipped = layout(sample, name, names, asked.width)
    own = tuple(cell.strip(BLANKS) for cell in header) if names else ()
    how: dict[str, Any] = {"width": len(header), "separator": separator, "quote": quote}
    how |= {"header": bool(names), "skipped": skipped, "long": asked.long}
    about = own, _internal(len(header)), skipped + bool(names), tuple(remarks), separator != ","
    lines, scan = partial(_csv_lines, path, how), partial(_csv_scan, **how)
    part = _Part(name, *about, lines, input=given, paths=(path,), scan=scan, alike=how)
    if len(header) == 1 and (blank := _blank_lines(path)):  # blank lines at the end are not missing responses
        return replace(part, scan=partial(_without, blank, part.scan), alike=None)
    return part


def _json_part(given: Input, asked: Sequence[str], form: JsonForm, *, whole: bool) -> _Part:
    """Return the part for a JSON file; a missing key is a missing response.

    Args:
        given: the file.
        asked: the requested columns.
        form: whether the file has one object on each line or an array of objects.
        whole: whether all keys of the first object are columns too. Later objects may then have no other keys.
    """
    path, name = given.path, given.name
    if form == "array":
        _require_end(path, name)
    how = {"format": "newline_delimited" if form == "lines" else "array", "maximum_object_size": MOST_LINE}
    objects = f"SELECT json FROM read_json_objects($path, {', '.join(f'{key} = ${key}' for key in how)})"
    with closing(connected([path], None)) as own, reading_errors(name):

        def found(statement: str) -> list[Any]:
            return own.execute(statement, {"path": path, **how}).fetchall()

        first = found(f"SELECT json_keys(json) FROM ({objects}) LIMIT 1")
        if not first:
            raise FileFormatError(f"data are empty: {name} contains no answers; give one object for each respondent")
        keys = first[0][0] or []
        names = tuple(keys if whole else dict.fromkeys(asked))
        if whole or not set(asked) <= set(keys):
            numbered = f"SELECT unnest(json_keys(json)) AS key, row_number() OVER () AS place FROM ({objects})"
            places = dict(found(f"SELECT key, min(place) FROM ({numbered}) GROUP BY key ORDER BY ALL"))
            absent = [each for each in asked if each not in places or keys.count(each) > 1]
            require_columns(absent, keys, is_schema=True)
            if whole and (more := [place for key, place in places.items() if key not in keys]):
                raise FileFormatError(
                    f"{'line' if form == 'lines' else 'row'} {min(more)} of the data has a key that the first object "
                    f"has not: {name}; write all keys in each object, or name the columns to keep"
                )
    if len({key.casefold() for key in names}) < len(names):  # of DuckDB's reader
        raise FileFormatError(
            f"keys differ in upper and lower case only: received {shown(', '.join(names))} in {name}; rename one of "
            "them, or save the table as CSV"
        )
    columns = _internal(len(names))

    def scan(connection: DuckDBPyConnection, paths: Sequence[str]) -> DuckDBPyRelation:
        from duckdb import ColumnExpression, SQLExpression

        listed: Any = list(paths)
        read = connection.read_json(listed, columns=dict.fromkeys(names, "JSON"), records="true", **how)  # type: ignore[arg-type]
        plain = read.select(*(ColumnExpression(key).alias(new) for key, new in zip(names, columns, strict=True)))
        texts = "CASE {0} WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE {0} ->> '$' END"
        return plain.select(*(SQLExpression(texts.format(new)).alias(new) for new in columns))

    lines, above = (partial(_json_lines, path), 0) if form == "lines" else (None, None)
    alike = ("json", form, names)
    return _Part(name, names, columns, above, lines=lines, input=given, paths=(path,), scan=scan, alike=alike)


def _csv_lines(path: str, how: Mapping[str, Any], rows: Sequence[int]) -> list[int]:
    """Return the lines in which rows of CSV begin: values may contain line ends, and blank lines may be no rows."""

    def begins() -> Iterator[int]:
        line = how["skipped"] + 1
        for row in reader:
            if row or how["width"] == 1:
                yield line
            line = how["skipped"] + reader.line_num + 1

    with unlimited_field_length(), Path(path).open(encoding="utf-8-sig", newline="") as text:
        reader = csv.reader(islice(text, how["skipped"], None), delimiter=how["separator"], quotechar=how["quote"])
        return _chosen(islice(begins(), how["header"], None), rows)


def _json_lines(path: str, rows: Sequence[int]) -> list[int]:
    """Return the lines of objects of JSON, between which lines may be blank."""
    with Path(path).open("rb") as text:
        return _chosen((line for line, content in enumerate(text, 1) if content.strip()), rows)


def _chosen(lines: Iterable[int], rows: Sequence[int]) -> list[int]:
    return [line for row, line in enumerate(islice(lines, max(rows)), 1) if row in rows]


def _require_end(path: str, name: str) -> None:
    """Require that a file that begins with an array ends with it."""
    if not _end_of(path).rstrip().endswith(b"]"):
        raise FileFormatError(
            f"{name} cannot be read: it begins with an array and does not end with it; it is cut, or goes on after "
            "the array; make it again"
        )


def _end_of(path: str) -> bytes:
    with Path(path).open("rb") as stream:
        stream.seek(max(0, stream.seek(0, io.SEEK_END) - CHUNK))
        return stream.read()


def _without(
    blank: int, scan: Callable[..., DuckDBPyRelation], connection: DuckDBPyConnection, paths: Sequence[str]
) -> DuckDBPyRelation:
    """Return the relation of a text file without the blank lines at its end."""
    relation = scan(connection, paths)
    return relation.limit(relation.aggregate("count(*)").fetchall()[0][0] - blank)


def _blank_lines(path: str) -> int:
    """Return the number of blank lines at the end of a text file."""
    end = _end_of(path)
    below = end[len(end.rstrip(b"\r\n")) :].replace(b"\r\n", b"\n")
    return max(0, len(below) - 1)


def sample_of(path: str) -> bytes:
    """Return the beginning of a text file, which contains at least the header."""
    with Path(path).open("rb") as stream:
        sample = stream.read(_SAMPLE)
        if len(sample) == _SAMPLE and not re.search(rb"[\r\n]", sample):
            sample += stream.readline(MOST_LINE) + stream.read(_SAMPLE)
    return sample


def layout(sample: bytes, name: str, names: Sequence[str], width: int) -> tuple[list[str], str, str, int]:
    """Return the first row of a text, its separator, its quotation mark, and the number of lines above the row."""
    text = codecs.getincrementaldecoder("utf-8-sig")("strict").decode(sample)
    if not text.strip():
        raise FileFormatError(f"data are empty: {name} contains no answers; give one line for each respondent")
    blank = "[\r\n]*" if names else ""  # without a header, a blank line is a missing response
    told = re.match(rf'{blank}(?:"?sep=(.)"?\r?\n)?', text)  # Excel writes a line that states the separator
    assert told is not None
    text, skipped, separators = text[told.end() :], len(told[0].splitlines()), (told[1],) if told[1] else _SEPARATORS
    found = []
    for quote in '"', "'":
        for separator in separators:
            try:
                with unlimited_field_length() if names else nullcontext():
                    row = next(csv.reader(io.StringIO(text, newline=None), delimiter=separator, quotechar=quote), [])
            except csv.Error:
                continue
            cells = [cell.strip(BLANKS) for cell in row]
            fits = all(cells.count(name) == 1 for name in names) if names else len(cells) == width
            found.append((fits, len(cells), row, separator, quote))
    if not found:
        raise FileFormatError("line 1 of the data is not CSV: check its quotes")
    best = max(found, key=lambda each: (each[0], each[1] if names else -abs(each[1] - width)))
    return best[2], best[3], best[4], skipped


@contextmanager
def unlimited_field_length() -> Iterator[None]:
    """Remove the limit of Python's ``csv`` on the length of a value; the length of lines is limited elsewhere."""
    before = csv.field_size_limit(MOST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def encoding_of(sample: bytes, name: str = "the file") -> str:
    """Return the encoding of a text, detected from its beginning.

    Raises:
        FileFormatError: the sample is not text.
    """
    if sample.startswith(_UTF_32):
        return "utf-32"
    if sample.startswith(_UTF_16):
        return "utf-16"
    even, odd = sample[: len(sample) & ~1 : 2], sample[1::2]
    for one, other, order in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        is_likely = one.count(0) > _MANY * len(one) and not other.count(0)  # zeros from commas and line ends
        if is_likely and not {"\n", "\r"}.isdisjoint(sample.decode(order, "ignore")):
            return order
    if 0 in sample and len(_CONTROLS.intersection(sample)) > 2:
        line = sample[: sample.index(0)].count(b"\n") + 1
        raise FileFormatError(
            f"data are not text: {name} contains the character 0 in line {line}, as programs and pictures do; save the "
            "table as CSV"
        )
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(sample, final=len(sample) < _SAMPLE)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _converted(path: str, encodings: Sequence[str], name: str, remarks: list[str], stack: ExitStack) -> str:
    """Convert a text to UTF-8 with uniform line endings, in memory, and return its path."""
    for encoding in encodings:
        try:
            with Path(path).open(encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline=None) as text:
                made = file_in_memory(
                    (chunk.encode() for chunk in iter(partial(text.read, CHUNK), "")), stack, name=name
                )
        except (UnicodeDecodeError, UnicodeEncodeError):  # the latter for a lone surrogate
            continue
        if encoding != "utf-8":
            known = {"cp1252": "Windows-1252"}.get(encoding, encoding[:6].upper())
            remarks.append(f"{name} is not UTF-8: it was read as {known}")
        return made
    raise FileFormatError(f"data are not text: {name} is neither UTF-8 nor UTF-16 nor Windows-1252; save it as UTF-8")
