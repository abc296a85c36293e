"""Open tables: detect the format by the first bytes, and the layout of a text file by its rows.

Each file becomes a source whose paths DuckDB may open, with a function that scans them. Streams, packed files and text
that is not UTF-8 are first converted to files in memory. So are rows that DuckDB does not read itself (``rows``). Files
with the same header form one table. ``layouts`` detects the separator and the quotation mark of a text file.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from itertools import groupby, islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, one_of, shown
from rropt.core.normal_form import named_in, normal, one_in_two_forms
from rropt_fieldwork.reading.duckdb_connection import column_of, connected, required_duckdb
from rropt_fieldwork.reading.files_in_memory import (
    CHUNK,
    file_in_memory,
    reading_package,
    unpacked_in_memory,
    zip_format,
)
from rropt_fieldwork.reading.formats import DATABASES, PACKED, JsonForm, format_of, json_form, other_json, refused
from rropt_fieldwork.reading.frames import chosen_columns, of_places, orders_of, told_apart, type_of, unreadable_column
from rropt_fieldwork.reading.header_rows import first_records, require_names_above, stated_separator, with_one_header
from rropt_fieldwork.reading.inputs import first_bytes, inputs_of
from rropt_fieldwork.reading.json_documents import unfolded
from rropt_fieldwork.reading.layouts import (
    SAMPLE,
    Layout,
    checked_separator,
    layout_of,
    may_have_surplus_values,
    row_error,
    unlimited_field_length,
    width_flaw,
)
from rropt_fieldwork.reading.number_marks import DECIMAL_MARKS, DOUBTFUL, THOUSANDS_MARKS, form_of
from rropt_fieldwork.reading.preparation import Preparation
from rropt_fieldwork.reading.rows_of_labels import below_first, below_labels
from rropt_fieldwork.reading.sources import (
    LONG_LINE,
    MOST_LINE,
    Input,
    LineError,
    Request,
    Source,
    damage_errors,
    reading_errors,
    require_columns,
    table_name,
    two_forms,
)
from rropt_fieldwork.reading.stored_orders import may_have_orders, orders_in_feather, orders_in_parquet
from rropt_fieldwork.reading.table_rows import Values, as_texts, csv_chunks, workbook_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

Found = TypeVar("Found")

_MOST_SCANS = 500  # the most scans of one table; similar files with the same partition share a scan
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\v\x1b")  # bytes that do not occur in text
# DuckDB guesses nothing from names
_NOT_BY_NAME: dict[str, Any] = {"compression": "uncompressed", "hive_partitioning": False}
_BLOCK = 1 << 13  # rows of CSV that are yielded at once
_MANY = 0.02  # in UTF-16 of any language, more than this fraction of every second byte is 0: commas and line ends


def asked_of(
    data: Any,
    names: Sequence[str],
    work: Callable[[Any], Found],
    *,
    engine: Any = None,
    width: int | None = 1,
    folders: Sequence[str] | None = None,
    whole: bool = False,
    table: str | None = None,
    sheet: str | int | None = None,
    unweighted: bool = False,
    decimal_mark: str | None = None,
    thousands_mark: str | None = None,
    preparation: Preparation | None = None,
    separator: str | None = None,
    streams: Sequence[Input] = (),
) -> Found:
    """Open a table and return the result of ``work`` on it; if necessary, convert the text and open it again.

    Args:
        data: the path of a file or of a folder, ``-`` for standard input, several paths, a DuckDB relation, or a table
            of pandas, Polars, Arrow or Ibis.
        names: the required columns; empty if the file has no header.
        work: a function of the ``Source``.
        engine: ``duckdb``, or another engine for Parquet (``engines``), which uses the arguments up to here; a table of
            Ibis then has its engine with it. ``None``: DuckDB reads every table, for work that needs its rows in order.
        width: the number of columns of a file without a header; ``None``: as many as there are.
        folders: the folders that DuckDB may write to; rows then keep their order. ``None``: nothing is written, and
            rows have any order.
        whole: whether all other columns are required too.
        table: the table of a database; ``None``: its only table.
        sheet: the sheet of a workbook, by name or by number from 1; ``None``: the first sheet.
        unweighted: whether the work does not use the weights of cases that an SPSS file may declare (``WEIGHT BY``),
            since each row counts once or the request has weights. Otherwise such a file is an error.
        decimal_mark, thousands_mark: the marks of numbers that are texts; ``None``: a decimal point, where a number has
            no other marks.
        preparation: what is made of the table before ``work``; ``None``: nothing.
        separator: the separator of the columns of a text file; ``None``: its rows decide.
        streams: the input files, if the data are streams that were read before.

    Raises:
        FileAccessError: there is no such file.
        FileFormatError: the file does not have a supported format, or is damaged.
        InvalidParameterError: the file weights its cases, and it is not said how they count.
    """
    if decimal_mark is not None:
        one_of(decimal_mark, DECIMAL_MARKS, "`decimal_mark`")
    if thousands_mark is not None:
        one_of(thousands_mark, THOUSANDS_MARKS, "`thousands_mark`")
    marks: dict[str, Any] = {"decimal_mark": decimal_mark, "thousands_mark": thousands_mark}
    stated = "" if separator is None else checked_separator(separator)
    if engine is not None and (engine != "duckdb" or type(data).__module__.startswith("ibis.")):
        from rropt_fieldwork.reading.engines import source_of

        of_engine = replace(source_of(engine, data, table, sheet), **marks)
        if stated:
            raise _no_separator(of_engine.name)
        of_all = tuple(names if preparation is None else preparation.needed(names))
        if preparation is None or preparation.header_rows == 1:  # else a header row may have the names
            require_columns(of_all, of_engine.names, is_schema=True)
        if preparation is not None and preparation.codes:
            raise _no_labels(of_engine.name, Request(of_all, of_all, codes=preparation.codes))
        if preparation is not None and preparation.header_rows > 1:
            of_engine = of_engine.below_labels(Request(of_all, of_all, header_rows=preparation.header_rows))
        return work(of_engine if preparation is None else preparation.applied(of_engine))
    needed = tuple(dict.fromkeys(names)) if preparation is None else tuple(preparation.needed(names))
    asked = Request(needed, needed, width, whole or not names, table, sheet, separator=stated)
    if preparation is not None:
        asked = replace(asked, header_rows=preparation.header_rows, codes=preparation.codes)
    with ExitStack() as stack:
        inputs = streams or inputs_of(data, stack)
        while True:
            try:
                with ExitStack() as own:
                    source = _opened(data, inputs, asked, folders, own)
                    if source.weight is not None and not unweighted:
                        raise _weighted_error(source)
                    source = replace(source, **marks)
                    return work(source if preparation is None else preparation.applied(source))
            except LineError as error:
                if error.how in asked.again or (error.is_line and not any(map(_mixes_line_ends, inputs))):
                    raise FileFormatError(str(error)) from None
                asked = replace(asked, again=asked.again | {error.how})


def _format(given: Input) -> str:
    """Return the format of a file; zip is one of a packed file."""
    known = format_of(given.start, given.name)
    return zip_format(given.path, given.name) if known == "zip" else known


def _weighted_error(source: Source) -> InvalidParameterError:
    column = str(source.weight) if str(source.weight).isidentifier() else "COLUMN"
    return InvalidParameterError(
        f"the cases of {source.name} are weighted by {shown(source.weight)} (WEIGHT BY), and the request does not use "
        f"or exclude these weights: give `weights={column}` to an estimate or a regression, or `unweighted` if each "
        "row counts once"
    )


def _mixes_line_ends(given: Input) -> bool:
    """Return whether lines end both with and without a carriage return, which DuckDB does not always read."""
    if format_of(given.start, given.name) in PACKED:
        return True  # it is in memory anyway
    with Path(given.path).open("rb") as stream, mmap(stream.fileno(), 0, access=ACCESS_READ) as text:
        return text.find(b"\r\n") >= 0 and re.search(rb"(?<!\r)\n", text) is not None


def _opened(
    data: Any, inputs: Sequence[Input], asked: Request, folders: Sequence[str] | None, stack: ExitStack
) -> Source:
    """Open a table, or several files as one table."""
    duckdb = required_duckdb()

    if asked.codes and not inputs:
        raise _no_labels("a table in memory", asked)
    if asked.separator and not inputs:
        raise _no_separator("a table in memory")
    if asked.sheet is not None and not inputs:
        raise InvalidParameterError(f"`sheet` names a sheet of a workbook: received {shown(asked.sheet)} and no file")
    if isinstance(data, duckdb.DuckDBPyRelation):  # it stays on the user's own connection
        names = tuple(data.columns)
        whole = Source("the relation", names, relation=data).with_levels(orders_of(data, names))
        return whole if asked.header_rows == 1 else below_labels(partial(_with_names, whole), asked, _relation)
    if type(data).__name__ == "RecordBatchReader":
        raise InvalidParameterError("the table can be read once only: received a RecordBatchReader; give a table")
    name, asked = "" if inputs else table_name(data), replace(asked, alone=len(inputs) == 1)
    each_of = [asked if asked.alone else replace(asked, of=each.name) for each in inputs]
    below = [of.below(each.partition) if each.partition else of for each, of in zip(inputs, each_of, strict=True)]
    files = [_file(each, own, stack) for each, own in zip(inputs, below, strict=True)]
    paths = [path for file in files for path in file.paths]
    allowed = None if folders is None else list(map(os.path.abspath, folders))
    known = files[0].connection if len(files) == 1 and allowed is None else None  # it reads this file, and writes none
    connection = known or connected(paths, allowed, paths[0] if files and files[0].database else None)
    stack.callback(connection.close)
    if len(files) == 1 and not files[0].input.partition:
        return files[0].opened(connection)
    if files:
        return _joined(connection, files if asked.whole else _with_columns_alike(files, asked))

    def in_memory(asked: Request) -> Source:
        names, chosen = chosen_columns(data, asked, name)
        relation = _registered(chosen, names, name, connection)
        found = Source(name, names, relation=relation, connection=connection)
        return found.with_levels(orders_of(data, names))

    return in_memory(asked) if asked.header_rows == 1 else below_labels(in_memory, asked, _relation)


def _with_names(source: Source, asked: Request) -> Source:
    """Return a table that has the requested columns."""
    asked.chosen(source.names)
    return source


def _relation(source: Source) -> DuckDBPyRelation:
    """Return the rows of a table that is open."""
    relation: DuckDBPyRelation = source.relation
    return relation


def _registered(
    table: Any, names: Sequence[str], name: str, connection: DuckDBPyConnection, _: Sequence[str] = ()
) -> DuckDBPyRelation:
    """Return the relation of the table of another library."""
    own = f"frame{id(table)}"
    with damage_errors(name):
        try:
            connection.register(own, told_apart(table, names))
        except Exception:
            for place, column in enumerate(names):
                alone = of_places(table, [place])
                try:
                    connection.register(own, alone)
                except Exception:
                    raise unreadable_column(column, name, type_of(alone)) from None
            raise
        return connection.table(own)


def _with_columns_alike(files: Sequence[Source], asked: Request) -> list[Source]:
    """Return files of which each has the requested columns in one order, if they do not have the same columns."""
    if len({tuple(map(_form, file.names)) for file in files}) < 2 or any(file.database for file in files):
        return list(files)
    remark = "the files have different columns, or another order of them: those that are asked for are read by name"
    found = []
    for file in files:
        keys = [key for key, _ in file.input.partition]
        own = [name for name in asked.names if named_in(name, keys) is None]
        if not file.has_header:
            return list(files)
        places = [file.place(name) for name in own]
        assert file.scan is not None
        scan = partial(_chosen_scan, file.scan, places)
        alike = None if file.alike is None else (*file.alike, *places)
        changed: dict[str, Any] = {
            "names": tuple(own),
            "scan": scan,
            "alike": alike,
            "remarks": (*file.remarks, remark),
        }
        if file.blocks is not None:
            changed["blocks"] = partial(_chosen_blocks, file.blocks, places)
        found.append(replace(file, **changed))
    return found


def _chosen_blocks(blocks: Callable[[], Iterator[list[list[str]]]], places: Sequence[int]) -> Iterator[list[list[str]]]:
    """Yield blocks of rows with some of their columns."""
    for block in blocks():
        yield [[row[place] for place in places] for row in block]


def _chosen_scan(
    scan: Callable[[DuckDBPyConnection, Sequence[str]], DuckDBPyRelation],
    places: Sequence[int],
    connection: DuckDBPyConnection,
    paths: Sequence[str],
) -> DuckDBPyRelation:
    """Return the relation of some columns of similar files."""

    relation = scan(connection, paths)
    return relation.select(*(column_of(relation.columns[place]) for place in places))


def _require_one_table(files: Sequence[Source], keys: Sequence[Sequence[str]]) -> None:
    """Raise an error for files with different columns, and for a database together with other files."""
    first = files[0]
    if len(files) > 1 and any(file.database for file in files):
        raise InvalidParameterError("a database is read alone: received one among several files; name it alone")
    for file, own in zip(files, keys, strict=True):
        if list(map(_form, file.names)) != list(map(_form, first.names)):
            named = " and ".join(each.name + " (JSON)" * ("json" in (each.alike or ())) for each in (first, file))
            raise FileFormatError(
                f"the files have different columns: {named}; allowed are files with the same header, in the same "
                "order, and JSON without files of other formats; save all of them in one format with one header"
            )
        if list(map(normal, own)) != list(map(normal, keys[0])):
            raise FileFormatError(
                f"the folders are not partitioned alike: {first.name} and {file.name}; each file must be "
                "below folders with the same keys, as in region=north/year=2020/part.csv"
            )
    forms = [*map(_form, first.names), *map(normal, keys[0])]
    if double := [key for key in keys[0] if forms.count(normal(key)) > 1]:
        raise FileFormatError(
            f"a column is in the files and also in the names of their folders: received {shown(double[0])} in "
            f"{first.name}; remove it from one of them"
        )


def _form(name: str | int) -> str | int:
    """Return the form in which the name of a column is compared; its number in a file without a header."""
    return name if isinstance(name, int) else normal(name)


def _joined(connection: DuckDBPyConnection, files: Sequence[Source]) -> Source:
    """Join files to one table, whose last columns are the values of their partition."""
    first = files[0]
    partitions = [file.input.partition for file in files]
    keys = [[key for key, _ in partition] for partition in partitions]
    _require_one_table(files, keys)
    marks = ((place if file.alike is None else file.alike, partitions[place]) for place, file in enumerate(files))
    runs = [[file for _, file in run] for _, run in groupby(zip(marks, files, strict=True), lambda each: each[0])]
    if len(runs) > _MOST_SCANS:
        raise FileFormatError(
            f"the files are too many: received {len(runs)} files or partitions that are read one by one; allowed are "
            f"{_MOST_SCANS}; join them, for example into one Parquet file"
        )
    relations = [_numbered(run[0].opened(connection, run).relation, run[0].input.partition) for run in runs]
    while len(relations) > 1:  # as a balanced tree, because DuckDB limits the depth of a query
        pairs = [relations[i : i + 2] for i in range(0, len(relations), 2)]
        relations = [pair[0].union(pair[1]) if len(pair) > 1 else pair[0] for pair in pairs]
    return replace(
        first,
        name=first.input.whole or f"{len(files)} files",
        names=(*first.names, *keys[0]),
        remarks=tuple(dict.fromkeys(remark for file in files for remark in file.remarks)),
        prefers_point=all(file.prefers_point for file in files),
        is_typed=lambda name: all(file.is_typed is not None and file.is_typed(name) for file in files),
        weight=next((file.weight for file in files if file.weight is not None), None),
        relation=relations[0],
        connection=connection,
        parts=tuple(files),
    )


def _numbered(relation: DuckDBPyRelation, partition: Iterable[tuple[str, str | None]] = ()) -> DuckDBPyRelation:
    """Return a relation with the columns c0, c1, ..., the last of which are the values of a partition."""
    from duckdb import ConstantExpression

    columns = [*map(column_of, relation.columns)]
    columns += [ConstantExpression(value).cast("VARCHAR") for _, value in partition]
    return relation.select(*(column.alias(f"c{place}") for place, column in enumerate(columns)))


def _file(given: Input, asked: Request, stack: ExitStack, packing: str = "") -> Source:
    """Return the table of a file, or of the content of a packed file: detect its format, and unpack it."""
    name, known = given.name, _format(given)
    if known in PACKED:
        if packing:
            raise refused(name, f"packed twice, with {packing} and with {known}", "unpack it once")
        path = unpacked_in_memory(given.path, known, name, stack)
        return _file(replace(given, path=path, start=first_bytes(path)), asked, stack, known)
    for option, of, kinds in ("table", "database", DATABASES), ("sheet", "workbook", ("excel",)):
        if (value := getattr(asked, option)) is not None and known not in kinds:
            raise InvalidParameterError(
                f"`{option}` names a {option} of a {of}: received {shown(value)} for {name}, which is not a {of}; "
                "leave it out"
            )
    if asked.header_rows > 1 and known in DATABASES:
        raise _no_header_rows(name, asked)
    if asked.codes and known not in ("stata", "spss"):
        raise _no_labels(name, asked)
    if asked.separator and known != "text":
        raise _no_separator(name)
    if known == "text":
        return _text(given, asked, stack)
    if known == "excel":
        columns, rows, told, titles = workbook_rows(given, asked, stack)
        found = _of_rows(given, stack, columns, rows, told)
        return replace(found, above=asked.header_rows, titles=titles, header_rows=asked.header_rows)
    if known in DATABASES:
        from rropt_fieldwork.reading.databases import base_table, sqlite_table

        return base_table(given, asked) if known == "duckdb" else _of_rows(given, stack, *sqlite_table(given, asked))
    return _below_labels(lambda asked: _of_named_columns(given, asked, stack, known), asked)


def _below_labels(opened: Callable[[Request], Source], asked: Request) -> Source:
    """Return the table of a file whose columns have names, without the header rows that are its first rows."""
    if asked.header_rows == 1:
        return opened(asked)
    with ExitStack() as here:

        def relation_of(source: Source) -> DuckDBPyRelation:
            assert source.scan is not None
            own = source.connection or here.enter_context(closing(connected(source.paths, None)))
            return source.scan(own, source.paths)

        return below_labels(opened, asked, relation_of)


def _of_named_columns(given: Input, asked: Request, stack: ExitStack, known: str) -> Source:
    """Return the table of a file of Parquet, Feather, Stata or SPSS."""
    name = given.name
    if known == "parquet":
        return _with_names(_parquet(given, stack if asked.alone else None), asked)
    if known == "feather":
        found = _of_table(given, *_feather_table(given, asked))
        with damage_errors(name):
            return found.with_levels(orders_in_feather(given.path))
    from rropt_fieldwork.reading.statistics_files import statistics_table

    read = statistics_table(given, asked, known)
    more: dict[str, Any] = {"remarks": read.remarks, "weight": read.weight, "orders": read.orders}
    more["titles"] = read.titles
    return replace(_of_table(given, read.names, read.columns), **more)


def _no_header_rows(name: str, asked: Request) -> InvalidParameterError:
    return InvalidParameterError(
        f"a database has no header rows: received `header_rows` {asked.header_rows} for {name}, whose rows have no "
        "order; leave it out, or save the table as CSV"
    )


def _no_separator(name: str) -> InvalidParameterError:
    return InvalidParameterError(f"`separator` is for text files with columns: received one for {name}; leave it out")


def _no_labels(name: str, asked: Request) -> InvalidParameterError:
    return InvalidParameterError(
        f"`codes` is for files of Stata and SPSS with value labels: received {shown(', '.join(asked.codes))} for "
        f"{name}; leave it out"
    )


def _of_table(given: Input, names: tuple[str, ...], table: Any) -> Source:
    """Return the table in memory that a file became."""
    return Source(given.name, names, input=given, scan=partial(_registered, table, names, given.name))


def _of_rows(
    given: Input, stack: ExitStack, names: tuple[str, ...], rows: Iterable[Values], remarks: tuple[str, ...] = ()
) -> Source:
    """Return the table of rows of values, which are stored as texts in CSV in memory."""
    size, doubtful = Path(given.path).stat().st_size, set[int]()
    path = file_in_memory(csv_chunks(as_texts(rows, doubtful), given.name), stack, packed=size, name=given.name)
    scan = partial(_csv_scan, len(names), {"max_line_size": MOST_LINE}, 0)
    layout = Layout(",", '"', 0, [""] * len(names), [], is_whole=False)
    blocks = partial(_csv_blocks, path, layout, False, 0, given.name)
    found = Source(given.name, names, remarks=remarks, blocks=blocks, input=given, paths=(path,), scan=scan)

    def is_typed(name: str) -> bool:
        own = named_in(name, names)
        return own is not None and names.index(own) not in doubtful

    return replace(found, is_typed=is_typed)


def _csv_scan(
    width: int, options: Mapping[str, Any], blank: int, connection: DuckDBPyConnection, paths: Sequence[str]
) -> DuckDBPyRelation:
    """Return the relation of text files, without some blank lines at the end."""
    listed: Any = list(paths)  # DuckDB accepts a list, although its type hints do not allow it
    columns = {f"c{place}": "VARCHAR" for place in range(width)}
    relation = connection.read_csv(listed, auto_detect=False, columns=columns, **_NOT_BY_NAME, **options)
    return relation.limit(len(relation) - blank) if blank else relation


def _parquet(given: Input, stack: ExitStack | None) -> Source:
    """Return the table of a Parquet file; a stack keeps the connection that has read its columns, since one is slow."""
    path, name = given.path, given.name
    with damage_errors(name), ExitStack() as here:
        own = connected([path], None)
        (here if stack is None else stack).callback(own.close)
        listed = own.execute("SELECT name, num_children FROM parquet_schema(?)", [path]).fetchall()[1:]
        keys = own.execute("SELECT key, value FROM parquet_kv_metadata(?)", [path]).fetchall()
        ((writer,),) = own.execute("SELECT created_by FROM parquet_file_metadata(?)", [path]).fetchall()
        orders = orders_in_parquet(path) if may_have_orders(dict(keys), writer or "") else {}
    names: tuple[str, ...] = ()
    inside = 0  # columns inside of the last one, which follow it
    for column, children in listed:
        names += () if inside else (column,)
        inside += (children or 0) - bool(inside)

    found = Source(
        name,
        names,
        input=given,
        paths=(path,),
        scan=lambda connection, paths: connection.read_parquet(list(paths), hive_partitioning=False),
        alike=("parquet", names),
        connection=None if stack is None else own,
    )
    return found.with_levels(orders)


def _feather_table(given: Input, asked: Request) -> tuple[tuple[str, ...], Any]:
    """Return the requested columns of a Feather file, and its table."""
    reading_package("Feather", "pyarrow", given.name, "pip install 'rropt[fieldwork]', or save it as Parquet or CSV")
    from pyarrow import dataset

    with damage_errors(given.name):
        return chosen_columns(dataset.dataset(given.path, format="feather"), asked, given.name)


def _text(given: Input, asked: Request, stack: ExitStack) -> Source:
    """Return the table of a CSV or JSON file."""
    path, name, names = given.path, given.name, asked.names
    remarks: tuple[str, ...] = ()
    sample = first_bytes(path, SAMPLE)
    encoding = encoding_of(sample, name)
    if encoding != "utf-8" or "convert" in asked.again:
        # if the sample was UTF-8 but the rest is not, Windows-1252 is the second candidate
        path, remarks = _converted(path, [encoding, "cp1252"] if "convert" in asked.again else [encoding], name, stack)
        sample = first_bytes(path, SAMPLE)
    form = json_form(sample)
    if asked.separator and form is not None and form != "other":
        raise _no_separator(f"{name}, which is JSON")
    if form is not None and (found := unfolded(path, name, asked.own, stack)) is not None:
        unfolded_path, told = found
        read = _below_labels(lambda asked: _json(replace(given, path=unfolded_path), asked, "lines"), asked)
        lines = partial(below_first, None, asked.header_rows - 1) if asked.header_rows > 1 else None
        return replace(read, remarks=(*remarks, *told, *read.remarks), above=None, lines=lines)
    if form is not None and form != "other":
        read = _below_labels(lambda asked: _json(replace(given, path=path), asked, form), asked)
        return replace(read, remarks=(*remarks, *read.remarks))
    of = "the data" if asked.alone else name
    titles: dict[str, str] = {}
    if asked.header_rows > 1:
        path, titles, remark = with_one_header(path, asked.own, asked.header_rows, name, stack, asked.separator)
        remarks = (*remarks, remark)
    try:
        layout = layout_of(
            path, name, asked.own, None if names else asked.width, whole=asked.whole, of=of, separator=asked.separator
        )
    except RroptError:
        require_names_above(first_records(path), asked.own, asked.header_rows, name)
        header = normal(sample.split(b"\n", 1)[0].decode("utf-8", "replace"))
        if form == "other" and not any(normal(each) in header for each in asked.own):
            raise other_json(name) from None
        raise
    width, skipped = len(layout.header), layout.skipped
    if any(re.search("[\r\n]", cell) for cell in layout.header) and "convert" not in asked.again and _has_returns(path):
        raise LineError(f"the header of {name} has line ends", "convert")  # DuckDB would cut it, or read no rows
    blank = _blank_lines(path) if width == 1 else 0  # they are not missing responses
    how = {"header": bool(names), "skiprows": skipped, "sep": layout.separator}
    how |= {"quotechar": layout.mark, "escapechar": layout.mark}
    if "long" in asked.again or (len(sample) >= CHUNK and _ends_in_a_long_line(path)):
        if _ends_in_a_long_line(path, MOST_LINE):
            raise FileFormatError(LONG_LINE)
        how["max_line_size"] = MOST_LINE
    if not layout.is_whole:
        _require_no_surplus_values(path, layout, how, of)
    elif names and not layout.rows and not asked.alone:
        raise FileFormatError(f"a file among several is empty: {name} has a header and no rows; leave it out")
    columns = layout.names if names else tuple(range(width))
    known = len(layout.rows) + (not names) - blank if layout.is_whole else None
    layout = replace(layout, rows=[])
    above = skipped - bool(skipped and stated_separator(path))  # the line `sep=;` is no row of the table
    return Source(
        name,
        columns,
        skipped + bool(names),
        remarks,
        prefers_point=layout.separator == ",",
        lines=partial(_csv_lines, path, layout, bool(names)),
        blocks=partial(_csv_blocks, path, layout, bool(names), blank, of),
        input=given,
        paths=(path,),
        scan=partial(_csv_scan, width, how, blank),
        alike=None if blank else (width, how),
        count=known,
        titles=titles,
        header_rows=asked.header_rows if asked.header_rows > 1 else above + 1,
    )


def _has_returns(path: str) -> bool:
    """Return whether a text has carriage returns, or begins with a byte order mark."""
    with Path(path).open("rb") as stream, mmap(stream.fileno(), 0, access=ACCESS_READ) as text:
        return text[:3] == codecs.BOM_UTF8 or text.find(b"\r") >= 0


def _require_no_surplus_values(path: str, layout: Layout, how: Mapping[str, Any], of: str) -> None:
    """Raise an error for a row with empty values behind the last column, which DuckDB would leave out.

    Read with one column more, only such rows are rows.
    """
    if not may_have_surplus_values(path, layout.separator):
        return
    width = len(layout.header)
    with closing(connected([path], None)) as own, reading_errors(of):
        wider = _csv_scan(width + 1, {**how, "ignore_errors": True}, 0, own, [path])
        if not wider.limit(1).fetchall():
            return
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        for line, row in layout.records(islice(text, layout.skipped, None)):
            if len(row) != width:
                raise row_error(line, of, width_flaw(len(row), width))


def _json(given: Input, asked: Request, form: JsonForm) -> Source:
    """Return the table of a JSON file; a missing key is a missing response.

    If the whole table is asked for, all keys of the first object are columns, and later objects may have no other keys.

    Args:
        given, asked: the file, and what is asked of it.
        form: whether the file has one object on each line or an array of objects.
    """
    path, name = given.path, given.name
    if form == "array" and not _end_of(path).rstrip().endswith(b"]"):
        raise FileFormatError(
            f"{name} cannot be read: it begins with an array and does not end with it; it is cut, or goes on after "
            "the array; make it again"
        )
    kind = "newline_delimited" if form == "lines" else "array"
    how: dict[str, Any] = {"format": kind, "maximum_object_size": MOST_LINE, **_NOT_BY_NAME}
    objects = f"SELECT json FROM read_json_objects($path, {', '.join(f'{key} = ${key}' for key in how)})"
    with closing(connected([path], None)) as own, reading_errors(name):

        def found(statement: str) -> list[Any]:
            return own.execute(statement, {"path": path, **how}).fetchall()

        first = found(f"SELECT json_keys(json) FROM ({objects}) LIMIT 1")
        if not first:
            raise FileFormatError(f"data are empty: {name} contains no answers; give one object for each respondent")
        keys = first[0][0] or []
        names = tuple(keys if asked.whole else dict.fromkeys(asked.names))
        # letters that are not ASCII may be composed in one object and decomposed in another
        if asked.whole or not set(names) <= set(keys) or not "".join(names).isascii():
            numbered = f"SELECT unnest(json_keys(json)) AS key, row_number() OVER () AS place FROM ({objects})"
            places = dict(found(f"SELECT key, min(place) FROM ({numbered}) GROUP BY key ORDER BY ALL"))
            asked_forms = set(map(normal, asked.names))
            if two := one_in_two_forms(key for key in places if normal(key) in asked_forms):
                raise InvalidParameterError(two_forms("keys", *two))
            absent = [each for each in asked.own if named_in(each, places) is None or keys.count(each) > 1]
            require_columns(absent, keys, is_schema=True, of=asked.of)
            found_names = (named_in(each, places) for each in names)
            names = tuple(dict.fromkeys(each for each in found_names if each is not None))
            if asked.whole and (more := [place for key, place in places.items() if key not in keys]):
                raise FileFormatError(
                    f"{'line' if form == 'lines' else 'row'} {min(more)} of the data has a key that the first object "
                    f"has not: {name}; write all keys in each object, or name the columns to keep"
                )
    if len({key.casefold() for key in names}) < len(names):  # of DuckDB's reader
        raise FileFormatError(
            f"keys differ in upper and lower case only: received {shown(', '.join(names))} in {name}; rename one of "
            "them, or save the table as CSV"
        )

    def scan(connection: DuckDBPyConnection, paths: Sequence[str]) -> DuckDBPyRelation:
        from duckdb import SQLExpression

        listed: Any = list(paths)
        read = connection.read_json(listed, columns=dict.fromkeys(names, "JSON"), records="true", **how)
        texts = "CASE {0} WHEN 'true' THEN '1' WHEN 'false' THEN '0' ELSE {0} ->> '$' END AS {0}"
        columns = [SQLExpression(texts.format(f"c{place}")) for place in range(len(names))]
        return _numbered(read).select(*columns)

    def is_typed(column: str) -> bool:
        if (own_name := named_in(column, names)) is None:
            return False  # of a folder
        place = names.index(own_name)
        with closing(connected([path], None)) as own, reading_errors(name):
            read = own.read_json(path, columns=dict.fromkeys(names, "JSON"), records="true", **how)
            texts = _numbered(read).filter(f"json_type(c{place}) = 'VARCHAR'").select(f"trim(c{place} ->> '$') AS x")
            doubtful = texts.filter(f"regexp_matches(x, '{DOUBTFUL}') AND {form_of('x')} IS NOT NULL")
            return not doubtful.limit(1).fetchall()

    lines, above = (partial(_json_lines, path), 0) if form == "lines" else (None, None)
    alike = ("json", form, names)
    read = Source(name, names, above, lines=lines, input=given, paths=(path,), scan=scan, alike=alike)
    return replace(read, is_typed=is_typed)


def _csv_lines(path: str, layout: Layout, has_header: bool, rows: Sequence[int]) -> list[int]:
    """Return the lines in which rows of CSV begin: values may contain line ends, and blank lines may be no rows."""
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        records = layout.records(islice(text, layout.skipped, None))
        return _chosen((line for line, _ in islice(records, has_header, None)), rows)


def _csv_blocks(path: str, layout: Layout, has_header: bool, blank: int, of: str) -> Iterator[list[list[str]]]:
    """Yield blocks of rows of CSV as Python's ``csv`` reads them, without some blank lines at the end.

    Raises:
        FileFormatError: a row has another number of values than the header, or is not CSV.
    """
    width = len(layout.header)
    left: list[list[str]] = []
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as text, unlimited_field_length():
            reader = layout.reader(islice(text, layout.skipped, None))
            rows = islice(reader, int(has_header), None)
            while block := list(islice(rows, _BLOCK)):
                if [] in block:  # a blank line is a row of a single column only
                    block = [row or [""] for row in block if row or width == 1]
                if set(map(len, block)) - {width}:
                    break
                left += block
                yield left[: len(left) - blank]
                left = left[len(left) - blank :]
            else:
                return
    except csv.Error:
        pass
    with Path(path).open(encoding="utf-8-sig", newline="") as text:
        for line, row in layout.records(islice(text, layout.skipped, None), of):
            if len(row) != width:
                raise row_error(line, of, width_flaw(len(row), width))


def _json_lines(path: str, rows: Sequence[int]) -> list[int]:
    """Return the lines of objects of JSON, between which lines may be blank."""
    with Path(path).open("rb") as text:
        return _chosen((line for line, content in enumerate(text, 1) if content.strip()), rows)


def _chosen(lines: Iterable[int], rows: Sequence[int]) -> list[int]:
    return [line for row, line in enumerate(islice(lines, max(rows)), 1) if row in rows]


def _end_of(path: str, size: int = CHUNK) -> bytes:
    with Path(path).open("rb") as stream:
        stream.seek(max(0, stream.seek(0, io.SEEK_END) - size))
        return stream.read()


def _ends_in_a_long_line(path: str, size: int = CHUNK) -> bool:
    """Return whether the last line has at least some size; DuckDB leaves it out if it does not expect long lines."""
    end = _end_of(path, size)
    return len(end) == size and re.fullmatch(rb"[^\r\n]+[\r\n]*", end) is not None


def _blank_lines(path: str) -> int:
    """Return the number of blank lines at the end of a text file."""
    end = _end_of(path)
    below = end[len(end.rstrip(b"\r\n")) :].replace(b"\r\n", b"\n")
    return max(0, len(below) - 1)


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
        codecs.getincrementaldecoder("utf-8")("strict").decode(sample, final=len(sample) < SAMPLE)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _converted(path: str, encodings: Sequence[str], name: str, stack: ExitStack) -> tuple[str, tuple[str, ...]]:
    """Convert a text to UTF-8 with uniform line endings, in memory; return its path, and the remark on its encoding."""
    for encoding in encodings:
        try:
            with Path(path).open(encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline=None) as text:
                chunks = (chunk.encode() for chunk in iter(partial(text.read, CHUNK), ""))
                made = file_in_memory(chunks, stack, name=name)
        except (UnicodeDecodeError, UnicodeEncodeError):  # the latter for a lone surrogate
            continue
        known = {"cp1252": "Windows-1252"}.get(encoding, encoding[:6].upper())
        return made, (f"{name} is not UTF-8: it was read as {known}",) * (encoding != "utf-8")
    raise FileFormatError(f"data are not text: {name} is neither UTF-8 nor UTF-16 nor Windows-1252; save it as UTF-8")
