"""The opening of tables: by their first bytes, and of text by its header.

A text's separator and quotation mark are those by which its header holds the columns asked for. Text that is not UTF-8,
or whose line ends are of several kinds, is held in memory once, converted; so is standard input.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.errors import FileAccessError, FileFormatError, InvalidParameterError, MissingExtraError, shown
from rropt.responses.sources import BLANKS, DuckDBSource, UnconvertedError, connected, damage, named, refusals, text_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SAMPLE = 1 << 20  # bytes that hold a header
_MOST_HELD = 1 << 30  # bytes of text that is held in memory
_CHUNK = 1 << 20
_SEPARATORS: tuple[str, ...] = (",", ";", "\t", "|")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
OTHER_FORMS = (b"ARROW1", b"PK\x03\x04", _OLD_EXCEL)  # by their first bytes: no text, and no Parquet


def read(data: Any, names: Sequence[str], work: Any, *, width: int = 1, folders: Sequence[str] | None = None) -> Any:
    """Return what ``work`` makes of a table; text is converted and read again where it has to be.

    Args:
        data: a path, ``-`` for standard input, a DuckDB relation, or a table of pandas, Polars or Arrow.
        names: columns that will be asked for; none: the file has no header.
        work: takes the ``DuckDBSource``.
        width: how many columns a file without a header has.
        folders: that DuckDB may write to, rows then in their order; ``None``: rows in any order, nothing written.

    Raises:
        FileAccessError: no such file.
        FileFormatError: not of its format.
    """
    try:
        with opened(data, names, width=width, folders=folders) as source:
            return work(source)
    except UnconvertedError:
        pass
    try:
        with opened(data, names, width=width, folders=folders, convert=True) as source:
            return work(source)
    except UnconvertedError:
        raise FileFormatError(f"data are not text: {shown(str(data))} is neither UTF-8 nor Windows-1252") from None


@contextmanager
def opened(
    data: Any, names: Sequence[str], *, width: int = 1, folders: Sequence[str] | None = None, convert: bool = False
) -> Iterator[DuckDBSource]:
    """Open a table; arguments as for ``read``, which alone converts text."""
    import duckdb

    if isinstance(data, duckdb.DuckDBPyRelation):  # on its own connection, which is its owner's
        columns = tuple(data.columns)
        yield DuckDBSource("the relation", columns, columns, None, relation=data)
        return
    with ExitStack() as stack:
        if type(data).__name__ == "RecordBatchReader":
            raise InvalidParameterError("the table can be read once only: received a RecordBatchReader; give a table")
        opener = _Opener(stack, folders)
        if not isinstance(data, str | os.PathLike):
            yield opener.registered(data, named(data))
            return
        path = os.fspath(data)
        if path == "-":
            held = _kept(iter(lambda: sys.stdin.buffer.read(_CHUNK), b""), stack)
            yield opener.text(held, "standard input", names, width, convert=convert)
            return
        name = shown(path)
        start = first_bytes(path)
        if start.startswith(b"PAR1"):
            connection = opener.connected(path)
            with damage(name):
                relation = connection.read_parquet(_literal(path))
            columns = tuple(relation.columns)
            yield DuckDBSource(name, columns, columns, None, relation=relation, connection=connection)
        elif start.startswith(b"ARROW1"):
            yield opener.registered(_feather(path, name), name)
        elif start.startswith(b"PK\x03\x04"):
            yield opener.excel(path, name)
        elif start.startswith(_OLD_EXCEL):
            raise FileFormatError(f"data are an old Excel file: received {name}; save it as .xlsx or CSV")
        else:
            yield opener.text(path, name, names, width, convert=convert)


def _literal(path: str) -> str:
    return os.path.abspath(path)  # noqa: PTH100  # a path with a scheme, as http://, becomes one of this machine


def first_bytes(path: str) -> bytes:
    """Return the first bytes of a file, which tell its form."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(8)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or "no such file can be"
        told = f"data cannot be read: {shown(path)}: {reason}; name a file, or - for standard input"
        raise FileAccessError(told) from None


def _feather(path: str, name: str) -> Any:
    try:
        from pyarrow import dataset
    except ImportError:
        raise MissingExtraError(
            f"Feather needs pyarrow, which is not installed: received {name}; pip install 'rropt[feather]', or save it "
            "as Parquet or CSV"
        ) from None
    with damage(name):
        return dataset.dataset(path, format="feather")


class _Opener:
    """Opens tables on connections that are closed with a stack, and may write to these folders."""

    def __init__(self, stack: ExitStack, folders: Sequence[str] | None) -> None:
        self._stack, self._folders = stack, None if folders is None else [_literal(folder) for folder in folders]

    def connected(self, *paths: str) -> DuckDBPyConnection:
        """Return a connection that reads these paths, and nothing else."""
        connection = connected([_literal(path) for path in paths], self._folders)
        self._stack.callback(connection.close)
        return connection

    def registered(self, table: Any, name: str) -> DuckDBSource:
        """Return a table of another library."""
        connection = self.connected()
        with damage(name):
            connection.register("frame", table)
            relation = connection.table("frame")
        columns = tuple(relation.columns)
        return DuckDBSource(name, columns, columns, None, relation=relation, connection=connection)

    def excel(self, path: str, name: str) -> DuckDBSource:
        """Return the first sheet of a workbook, whose first row is the header."""
        import numpy

        rows = _sheet(path, name)
        header, below = (rows[0], rows[1:]) if rows else ([], [])
        if not header:
            raise FileFormatError(f"data are empty: the first sheet of {name} holds no header")
        while below and not any(below[-1]):  # rows that were formatted and not filled in
            below.pop()
        columns = tuple(f"c{place}" for place in range(len(header)))
        table = {column: numpy.array([row[place] for row in below], object) for place, column in enumerate(columns)}
        connection = self.connected()
        connection.register("frame", table)
        names = tuple(map(str.strip, header))
        return DuckDBSource(name, names, columns, 1, relation=connection.table("frame"), connection=connection)

    def text(self, path: str, name: str, names: Sequence[str], width: int, *, convert: bool) -> DuckDBSource:
        """Return CSV: its separator and quotation mark are those by which the header holds the columns asked for."""
        sample = sample_of(path)
        remarks: list[str] = []
        encoding = encoding_of(sample)
        if encoding != "utf-8" or convert:
            # where the sample was UTF-8 and what follows is not, the second is what it may be
            path = _converted(path, [encoding, "cp1252"] if convert else [encoding], name, remarks, self._stack)
            sample = sample_of(path)
        header, separator, quote, skipped = layout(sample, name, names, width)
        columns = tuple(f"c{place}" for place in range(len(header)))
        connection = self.connected(path)
        relation = connection.read_csv(
            _literal(path),
            auto_detect=False,
            header=bool(names),
            skiprows=skipped,
            sep=separator,
            quotechar=quote,
            escapechar=quote,
            columns=dict.fromkeys(columns, "VARCHAR"),
        )
        if len(columns) == 1 and (blank := _blank_lines(path)):  # blank lines at the end are no missing answers
            with refusals(name):
                relation = relation.limit(relation.aggregate("count(*)").fetchall()[0][0] - blank)
        own = tuple(cell.strip(BLANKS) for cell in header) if names else ()
        above = skipped + bool(names)
        told = tuple(remarks)
        return DuckDBSource(name, own, columns, above, told, separator != ",", relation=relation, connection=connection)


def _sheet(path: str, name: str) -> list[list[str]]:
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(
            f"Excel needs openpyxl, which is not installed: received {name}; pip install 'rropt[excel]', or save it "
            "as CSV"
        ) from None
    with damage(name), Path(path).open("rb") as stream:
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        rows = [[text_of(value) for value in row] for row in book.worksheets[0].iter_rows(values_only=True)]
        book.close()
    return rows


def _blank_lines(path: str) -> int:
    """Return how many blank lines a text ends in."""
    with Path(path).open("rb") as stream:
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - _CHUNK))
        end = stream.read()
    below = end[len(end.rstrip(b"\r\n")) :].replace(b"\r\n", b"\n")
    return max(0, len(below) - 1)


def sample_of(path: str) -> bytes:
    """Return what a text begins with."""
    with Path(path).open("rb") as stream:
        return stream.read(_SAMPLE)


def layout(sample: bytes, name: str, names: Sequence[str], width: int) -> tuple[list[str], str, str, int]:
    """Return the first row of a text, its separator and its quotation mark, and how many lines stand above it."""
    text = codecs.getincrementaldecoder("utf-8-sig")("strict").decode(sample)
    if not text.strip():
        raise FileFormatError(f"data are empty: {name} holds no answers; give one line for each respondent")
    skipped, separators = 0, _SEPARATORS
    told = re.match(r'"?sep=(.)"?\r?\n', text)
    if told is not None:  # what Excel writes for itself
        text, skipped, separators = text[told.end() :], 1, (told[1],)
    found = []
    for quote in '"', "'":
        for separator in separators:
            try:
                row = next(csv.reader(io.StringIO(text, newline=None), delimiter=separator, quotechar=quote), [])
            except csv.Error:
                continue
            cells = [cell.strip(BLANKS) for cell in row]
            fits = all(cells.count(name) == 1 for name in names) if names else len(cells) == width
            found.append((fits, len(cells), row, separator, quote))
    if not found:
        raise FileFormatError("line 1 of the data is not CSV (its content is not repeated here): check its quotes")
    best = max(found, key=lambda each: (each[0], each[1] if names else -abs(each[1] - width)))
    return best[2], best[3], best[4], skipped


def encoding_of(sample: bytes) -> str:
    """Return the encoding of a text by what it begins with."""
    if sample.startswith(_UTF_16):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(sample, final=len(sample) < _SAMPLE)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _converted(path: str, encodings: Sequence[str], name: str, remarks: list[str], stack: ExitStack) -> str:
    """Return the path of a text in memory, in UTF-8 and with one kind of line ends."""
    for encoding in encodings:
        try:
            with Path(path).open(encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline=None) as text:
                made = _kept((chunk.encode() for chunk in iter(partial(text.read, _CHUNK), "")), stack)
        except UnicodeDecodeError:
            continue
        if encoding != "utf-8":
            known = "UTF-16" if encoding == "utf-16" else "Windows-1252"
            remarks.append(f"{name} is not UTF-8: it was read as {known}")
        return made
    raise FileFormatError(f"data are not text: {name} is neither UTF-8 nor UTF-16 nor Windows-1252; convert the file")


def _kept(chunks: Iterator[bytes], stack: ExitStack) -> str:
    """Return the path of a file in memory, which no disk ever holds."""
    if not hasattr(os, "memfd_create"):
        raise FileAccessError(
            "standard input, and text that is not UTF-8, are read on Linux only: received one of them; name a file in "
            "UTF-8"
        )
    handle = os.memfd_create("rropt")
    stack.callback(os.close, handle)
    held = 0
    for chunk in chunks:
        held += len(chunk)
        if held > _MOST_HELD:
            raise FileFormatError(
                f"the data are too large to be held in memory: standard input, and text that is not UTF-8, have at "
                f"most {_MOST_HELD >> 20} MiB; name a file in UTF-8"
            )
        rest = memoryview(chunk)
        while rest:
            rest = rest[os.write(handle, rest) :]
    return f"/proc/self/fd/{handle}"
