"""Rows of tables that DuckDB does not read by itself: JSON lines, Excel, and CSV with very many columns.

Each is read once, row by row, with limits; the columns that are asked for become CSV in memory, all of it texts.
Nothing in a file is evaluated: formulas of a workbook are not computed.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from rropt.errors import FileFormatError, MissingExtraError, shown
from rropt.responses.held import held
from rropt.responses.sources import BLANKS, UnconvertedError, damage, require_columns, text_of

MOST_CELLS = 50_000_000  # of a sheet, blank ones between others included
MOST_LINE = 1 << 26  # bytes of a line
_BLOCK = 4096  # rows that become CSV at once

Row = Sequence[str]


class Rows(NamedTuple):
    """A table as rows of texts.

    Attributes:
        names: of the columns.
        rows: with a text for each of them.
        above: lines above the first row in the file; ``None``: its rows have no lines.
        remarks: what was decided in reading it.
    """

    names: tuple[str, ...]
    rows: Iterable[Row]
    above: int | None
    remarks: tuple[str, ...] = ()


class Dialect(NamedTuple):
    """How CSV is written."""

    separator: str
    quote: str


def csv_of(rows: Iterable[Row], stack: ExitStack, name: str, packed: int) -> str:
    """Return the path of rows as CSV in memory: commas, everything in quotation marks, no header.

    Args:
        rows: texts.
        stack: closes the file.
        name: of what they come from.
        packed: its size in bytes.
    """
    return held(_csv_chunks(rows, name), stack, packed=packed, name=name)


def _csv_chunks(rows: Iterable[Row], name: str) -> Iterator[bytes]:
    iterator = iter(rows)
    while block := list(itertools.islice(iterator, _BLOCK)):
        text = io.StringIO()
        csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(block)
        try:
            yield text.getvalue().encode()
        except UnicodeEncodeError:
            raise FileFormatError(
                f"data are not text: {name} holds half of a character (a lone surrogate, such as \\ud800); correct it"
            ) from None


def looks_like_json_lines(sample: bytes, name: str, asked: Sequence[str]) -> bool:
    """Return whether a text has an object of JSON in each line.

    Raises:
        FileFormatError: it is JSON otherwise.
    """
    text = sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] not in (b"{", b"["):
        return False
    first = text.split(b"\n", 1)[0].strip()
    try:
        data = json.loads(first)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        return True
    header = first.decode("utf-8", "replace")
    if data is None and first not in (b"{", b"[", b"[{") and (not asked or any(each in header for each in asked)):
        return False  # CSV whose header begins with a bracket
    raise FileFormatError(
        f"data are JSON, but no JSON lines: {name} holds one document; write each respondent as an object in a line "
        f"of its "
        'own, {"sick": "no"}, or save the table as CSV'
    )


def json_lines(path: str, name: str, asked: Sequence[str], *, whole: bool) -> Rows:
    """Return a text with an object of JSON in each line; a key that is not there is a missing answer.

    Args:
        path, name: of the file.
        asked: the columns.
        whole: all keys of the first line are columns too, and no later line has others.
    """
    with Path(path).open("rb") as stream:
        first, _ = next(_objects(stream, name))
    names = tuple(first) if whole else tuple(dict.fromkeys(asked))
    absent = set(asked) - set(first)

    def rows() -> Iterator[Row]:
        missed, known = set(absent), set(names)
        with Path(path).open("rb") as stream:
            for data, line in _objects(stream, name):
                if missed:
                    missed -= data.keys()
                if whole and not data.keys() <= known:
                    raise FileFormatError(
                        f"line {line} of the data has a key that line 1 has not (it is not repeated here): {name}; "
                        f"write "
                        "all keys in each line, or name the columns to keep"
                    )
                yield [_json_text(data.get(key), line) for key in names]
        require_columns(sorted(missed), tuple(first))

    if whole:
        require_columns(sorted(absent), names)
    return Rows(names, rows(), 0)


def _objects(stream: Any, name: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the object of each line that is not blank, and the number of the line."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(items)
        if len(data) < len(items):
            raise ValueError("a key twice")
        return data

    def constant(token: str) -> NoReturn:
        raise ValueError(token)

    decoder = json.JSONDecoder(parse_int=str, parse_constant=constant, object_pairs_hook=pairs)
    for number in itertools.count(1):
        line = stream.readline(MOST_LINE + 1)
        if not line:
            return
        if len(line) > MOST_LINE:
            raise FileFormatError(f"line {number} of the data is too long: {name}; allowed are {MOST_LINE >> 20} MiB")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            continue
        try:
            data = decoder.decode(line.decode())
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise FileFormatError(
                f"line {number} of the data is no object of JSON with different keys (its content is not repeated "
                f"here): "
                'allowed is one in each line, such as {"sick": "no"}'
            )
        yield data, number


def _json_text(value: Any, line: int) -> str:
    if isinstance(value, dict | list):
        raise FileFormatError(
            f"line {line} of the data holds a list or an object in the place of an answer (its content is not repeated "
            "here): allowed are texts, numbers, true, false and null"
        )
    return text_of(value)


def excel_reader(name: str) -> Any:
    """Return the library that reads workbooks.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(
            f"Excel needs openpyxl, which is not installed: received {name}; pip install 'rropt[excel]', or save it "
            "as CSV"
        ) from None
    return openpyxl


def sheet(path: str, name: str, asked: Sequence[str], *, whole: bool) -> Rows:
    """Return the first sheet of a workbook, whose first row is the header.

    Raises:
        MissingExtraError: what reads it is not installed.
        FileFormatError: damaged, empty, or too large.
    """
    openpyxl = excel_reader(name)
    remarks = []
    with damage(name):
        book = openpyxl.load_workbook(path_stream := Path(path).open("rb"), read_only=True, data_only=True)  # noqa: SIM115
        sheets = book.worksheets
    if not sheets:
        path_stream.close()
        raise FileFormatError(f"data are empty: {name} holds no sheet; give another workbook")
    if len(sheets) > 1:
        remarks.append(f"{name} has {len(sheets)} sheets: the first was read, {shown(sheets[0].title)}")
    cells = _cells(sheets[0], name)
    try:
        header = tuple(each.strip(BLANKS) for each in next(cells, ()))
        while header and not header[-1]:
            header = header[:-1]
        if not header:
            raise FileFormatError(f"data are empty: the first sheet of {name} holds no header")
        require_columns(asked, header)
    except BaseException:
        book.close()
        path_stream.close()
        raise
    chosen = list(range(len(header))) if whole else [header.index(column) for column in dict.fromkeys(asked)]

    def rows() -> Iterator[Row]:
        blank = 0
        try:
            for row in cells:
                if not any(row):  # rows that were formatted and not filled in
                    blank += 1
                    continue
                for _ in range(blank):
                    yield [""] * len(chosen)
                blank = 0
                yield [row[place] if place < len(row) else "" for place in chosen]
        finally:
            book.close()
            path_stream.close()

    return Rows(tuple(header[place] for place in chosen), rows(), 1, tuple(remarks))


def _cells(table: Any, name: str) -> Iterator[list[str]]:
    """Yield the rows of a sheet as texts."""
    count = 0
    with damage(name):
        if hasattr(table, "reset_dimensions"):
            table.reset_dimensions()  # the file's word for how large it is
        iterator = table.iter_rows(values_only=True) if hasattr(table, "iter_rows") else iter(())
    while True:
        with damage(name):
            row = next(iterator, None)
        if row is None:
            return
        count += len(row) + 1
        if count > MOST_CELLS:
            raise FileFormatError(f"the sheet is too large: {name} has more than {MOST_CELLS} cells; save it as CSV")
        yield [text_of(value) for value in row]


def wide_rows(path: str, places: Sequence[int], width: int, dialect: Dialect, skipped: int) -> Iterator[Row]:
    """Yield some columns of CSV that has very many.

    Lines without quotation marks are cut at their separators, which NumPy finds; others go through Python's ``csv``.

    Args:
        path: of text in UTF-8.
        places: of the columns.
        width: how many columns each line has.
        dialect: how it is written.
        skipped: lines above the header.

    Raises:
        FileFormatError: a line has another number of values, or is not CSV.
    """
    import numpy as np

    def text_in(data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError:
            raise UnconvertedError from None

    separator, mark = dialect.separator.encode(), dialect.quote.encode()
    sign = ord(separator) if len(separator) == 1 else None
    with Path(path).open("rb") as stream:
        for _ in range(skipped):
            stream.readline(MOST_LINE)
        row = 0  # records so far, the header one of them
        while line := stream.readline(MOST_LINE + 1):
            row += 1
            if not line.rstrip(b"\r\n") and width > 1:
                row -= 1  # blank lines are none
                continue
            if sign is not None and mark not in line and b"\r" not in line[:-2]:
                line = line.rstrip(b"\r\n")
                found = np.flatnonzero(np.frombuffer(line, np.uint8) == sign)
                if len(found) + 1 != width:
                    raise _uneven(row + skipped, len(found) + 1, width)
                cuts = np.concatenate(([-1], found, [len(line)]))
                cells = [text_in(line[cuts[place] + 1 : cuts[place + 1]]) for place in places]
            else:
                while line.count(mark) % 2 and (more := stream.readline(MOST_LINE + 1)):  # a line break in a cell
                    line += more
                    if len(line) > MOST_LINE:
                        raise _not_csv(row + skipped)
                own = _record(text_in(line), dialect, row + skipped)
                if len(own) != width:
                    raise _uneven(row + skipped, len(own), width)
                cells = [own[place] for place in places]
            if row > 1:
                yield cells


@contextmanager
def long_fields() -> Iterator[None]:
    """Let Python's ``csv`` read values of any length: lines are limited already."""
    before = csv.field_size_limit(MOST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _record(text: str, dialect: Dialect, line: int) -> list[str]:
    try:
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=dialect.separator, quotechar=dialect.quote, strict=True
        )
        with long_fields():
            records = list(reader)
    except csv.Error:
        raise _not_csv(line) from None
    if len(records) != 1:
        raise _not_csv(line)
    return records[0]


def _uneven(line: int, found: int, expected: int) -> FileFormatError:
    return FileFormatError(
        f"line {line} of the data has {found} values, and {expected} are expected (its content is not repeated here): "
        "check its quotation marks and separators"
    )


def _not_csv(line: int) -> FileFormatError:
    return FileFormatError(
        f"line {line} of the data is not CSV (its content is not repeated here): check its quotation marks and "
        f"separators"
    )
