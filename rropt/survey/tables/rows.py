"""Rows of tables that DuckDB does not read itself: JSON, Excel, and CSV with very many columns.

Each file is read once, row by row, with limits. The requested columns are converted to CSV in memory, with all values
as texts. Nothing in a file is evaluated: formulas of a workbook are not computed.
"""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, NoReturn

from rropt.core.errors import FileFormatError, InvalidParameterError, MissingExtraError, shown
from rropt.core.lazy import numpy as np
from rropt.survey.tables.files_in_memory import file_in_memory
from rropt.survey.tables.sources import BLANKS, UnconvertedError, damage_errors, require_columns, text_of

MOST_CELLS = 50_000_000  # the largest number of cells of a sheet, including blank ones between others
MOST_LINE = 1 << 26  # the largest length of a line in bytes
_BLOCK = 4096  # rows that are converted to CSV at once

Row = Sequence[str]


class Rows(NamedTuple):
    """A table as rows of texts.

    Attributes:
        names: the names of the columns.
        rows: the rows, with a text for each column.
        above: the number of lines above the first row of the file; ``None`` if rows do not correspond to lines.
        remarks: remarks on how the file was read.
    """

    names: tuple[str, ...]
    rows: Iterable[Row]
    above: int | None
    remarks: tuple[str, ...] = ()


class Dialect(NamedTuple):
    """The separator and the quotation mark of a CSV file."""

    separator: str
    quote: str


def csv_of(rows: Iterable[Row], stack: ExitStack, name: str, packed: int) -> str:
    """Write rows as CSV to a file in memory, without a header and with all values in quotation marks.

    Args:
        rows: rows of texts.
        stack: closes the file.
        name: the name of the source.
        packed: the size of the source in bytes.

    Returns:
        The path of the file.
    """
    return file_in_memory(_csv_chunks(rows, name), stack, packed=packed, name=name)


def _csv_chunks(rows: Iterable[Row], name: str) -> Iterator[bytes]:
    iterator = iter(rows)
    while block := list(itertools.islice(iterator, _BLOCK)):
        text = io.StringIO()
        csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(block)
        try:
            yield text.getvalue().encode()
        except UnicodeEncodeError:
            raise FileFormatError(
                f"data are not text: {name} contains half of a character (a lone surrogate, such as \\ud800); "
                f"correct it"
            ) from None


JsonForm = Literal["lines", "array"]
_ARRAY = re.compile(rb"\[\s*(\{\s*[\"}]|\]\s*$)")


def json_form(sample: bytes, name: str, asked: Sequence[str]) -> JsonForm | None:
    """Return whether a text is JSON with one object on each line, JSON with an array of objects, or not JSON (None).

    Raises:
        FileFormatError: it is JSON of another form.
    """
    text = sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] not in (b"{", b"["):
        return None
    if _ARRAY.match(text):
        return "array"
    first = text.split(b"\n", 1)[0].strip()
    try:
        data = json.loads(first)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        return "lines"
    header = first.decode("utf-8", "replace")
    if data is None and first not in (b"{", b"[") and (not asked or any(each in header for each in asked)):
        return None  # CSV whose header begins with a bracket
    raise FileFormatError(
        f"data are JSON of another form: {name} contains one document; write each respondent as an object, one in each "
        'line or all of them as an array, [{"sick": "no"}, {"sick": "yes"}], or save the table as CSV'
    )


def json_rows(path: str, name: str, asked: Sequence[str], form: JsonForm, *, whole: bool) -> Rows:
    """Read the rows of a JSON file; a missing key is a missing response.

    Args:
        path, name: the path of the file, and its name in messages.
        asked: the requested columns.
        form: whether the file has one object on each line or an array of objects.
        whole: whether all keys of the first object are columns too. Later objects may then have no other keys.
    """
    read = _objects if form == "lines" else _elements
    with Path(path).open("rb") as stream:
        first, place = next(read(stream, name), ({}, 0))
    if not place:
        raise FileFormatError(f"data are empty: {name} contains no answers; give one object for each respondent")
    names = tuple(first) if whole else tuple(dict.fromkeys(asked))
    absent = set(asked) - set(first)

    def rows() -> Iterator[Row]:
        missed, known = set(absent), set(names)
        with Path(path).open("rb") as stream:
            for data, line in read(stream, name):
                if missed:
                    missed -= data.keys()
                if whole and not data.keys() <= known:
                    raise FileFormatError(
                        f"line {line} of the data has a key that the first object has not (it is not repeated here): "
                        f"{name}; write all keys in each object, or name the columns to keep"
                    )
                yield [_json_text(data.get(key), line) for key in names]
        require_columns(sorted(missed), tuple(first))

    if whole:
        require_columns(sorted(absent), names)
    return Rows(names, rows(), 0 if form == "lines" else None)


def _decoder() -> json.JSONDecoder:
    """Return a JSON decoder that rejects duplicate keys and NaN, and returns integers as texts."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(items)
        if len(data) < len(items):
            raise ValueError("a key twice")
        return data

    def constant(token: str) -> NoReturn:
        raise ValueError(token)

    return json.JSONDecoder(parse_int=str, parse_constant=constant, object_pairs_hook=pairs)


def _objects(stream: BinaryIO, name: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the object of each nonblank line, and the number of the line."""
    decoder = _decoder()
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
                'here): allowed is one in each line, such as {"sick": "no"}'
            )
        yield data, number


_BLANK = re.compile(r"[ \t\r\n]*")


def _elements(stream: BinaryIO, name: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the objects of an array, and the line where each begins; memory holds one object at a time."""
    decoder, text = _decoder(), _Text(stream)

    def refuse(what: str) -> NoReturn:
        raise FileFormatError(
            f"line {text.line} of the data {what} (its content is not repeated here): {name}; allowed is an array of "
            'objects with different keys, such as [{"sick": "no"}, {"sick": "yes"}]'
        )

    if text.next() != "[":
        refuse("does not begin an array")
    text.skip(1)
    if text.next() == "]":
        text.skip(1)
    else:
        while True:
            if text.next() != "{":
                refuse("contains no object where one is expected")
            while True:
                try:
                    data, end = decoder.raw_decode(text.buffer, text.at)
                    break
                except (ValueError, RecursionError):
                    if len(text.buffer) - text.at > MOST_LINE:
                        refuse(f"begins an object of more than {MOST_LINE >> 20} MiB")
                    if not text.more():
                        refuse("is no object of JSON with different keys, or the file ends in it")
            yield data, text.line
            text.skip(end - text.at)
            mark = text.next()
            text.skip(1)
            if mark == "]":
                break
            if mark != ",":
                refuse("has no comma between two objects, or the file ends there")
    if text.next():
        refuse("goes on after the array")


class _Text:
    """A text that is read in pieces; it discards the used part and counts lines."""

    def __init__(self, stream: BinaryIO) -> None:
        self.buffer, self.at, self.line = "", 0, 1
        self._stream, self._decoder = stream, codecs.getincrementaldecoder("utf-8-sig")("strict")

    def more(self) -> bool:
        """Read at least as much as is not yet used; return whether there was more to read."""
        data = self._stream.read(max(1 << 16, len(self.buffer) - self.at))
        try:
            self.buffer = self.buffer[self.at :] + self._decoder.decode(data, final=not data)
        except UnicodeDecodeError:
            raise UnconvertedError from None
        self.at = 0
        return bool(data)

    def next(self) -> str:
        """Move to the next character that is not blank, and return it; return "" at the end."""
        while True:
            end = _BLANK.match(self.buffer, self.at).end()  # type: ignore[union-attr]
            self.skip(end - self.at)
            if self.at < len(self.buffer):
                return self.buffer[self.at]
            if not self.more():
                return ""

    def skip(self, count: int) -> None:
        """Move forward by ``count`` characters."""
        self.line += self.buffer.count("\n", self.at, self.at + count)
        self.at += count


def _json_text(value: Any, line: int) -> str:
    if isinstance(value, dict | list):
        raise FileFormatError(
            f"line {line} of the data contains a list or an object instead of an answer (its content is not repeated "
            "here): allowed are texts, numbers, true, false and null"
        )
    return text_of(value)


def excel_reader(name: str) -> Any:
    """Import the library that reads workbooks.

    Raises:
        MissingExtraError: the library is not installed.
    """
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError(
            f"Excel needs openpyxl, which is not installed: received {name}; pip install 'rropt[excel]', or save it "
            "as CSV"
        ) from None
    return openpyxl


def workbook_rows(path: str, name: str, asked: Sequence[str], which: str | int | None, *, whole: bool) -> Rows:
    """Read a sheet of a workbook, whose first row is the header.

    Args:
        path, name: the path of the file, and its name in messages.
        asked: the requested columns.
        which: the sheet by its name, or by its number from 1; ``None``: the first sheet, with a remark if there are
            others.
        whole: whether to read all other columns too.

    Raises:
        MissingExtraError: the library that reads workbooks is not installed.
        InvalidParameterError: there is no such sheet.
        FileFormatError: the file is damaged, empty, or too large.
    """
    openpyxl = excel_reader(name)
    remarks = []
    with damage_errors(name):
        book = openpyxl.load_workbook(path_stream := Path(path).open("rb"), read_only=True, data_only=True)  # noqa: SIM115
        sheets = book.worksheets
    if not sheets:
        path_stream.close()
        raise FileFormatError(f"data are empty: {name} contains no sheet; give another workbook")
    if which is None and len(sheets) > 1:
        remarks.append(
            f"{name} has {len(sheets)} sheets: the first was read, {shown(sheets[0].title)}; `sheet` names another one"
        )
    try:
        read = sheets[0 if which is None else _place_of(which, [each.title for each in sheets], name)]
        cells = _cells(read, name)
        header = tuple(each.strip(BLANKS) for each in next(cells, ()))
        while header and not header[-1]:
            header = header[:-1]
        if not header:
            raise FileFormatError(f"data are empty: the sheet {shown(read.title)} of {name} contains no header")
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
                if not any(row):  # blank rows at the end are formatted rows without content
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


def _place_of(chosen: str | int, titles: Sequence[str], name: str) -> int:
    """Return the index of a sheet that is given by its name or its number from 1."""
    if chosen in titles:
        return titles.index(str(chosen))
    number = str(chosen)
    if number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= len(titles):
        return int(number[:9]) - 1
    listed = ", ".join(shown(title) for title in titles[:10])
    raise InvalidParameterError(
        f"`sheet` names no sheet of {name}: received {shown(chosen)}; there are {len(titles)}: {listed}"
        f"{', ...' * (len(titles) > 10)}; give one of these names, or a number from 1"
    )


def _cells(table: Any, name: str) -> Iterator[list[str]]:
    """Yield the rows of a sheet as texts."""
    count = 0
    with damage_errors(name):
        if hasattr(table, "reset_dimensions"):
            table.reset_dimensions()  # the dimensions that the file declares can be wrong
        iterator = table.iter_rows(values_only=True) if hasattr(table, "iter_rows") else iter(())
    while True:
        with damage_errors(name):
            row = next(iterator, None)
        if row is None:
            return
        count += len(row) + 1
        if count > MOST_CELLS:
            raise FileFormatError(f"the sheet is too large: {name} has more than {MOST_CELLS} cells; save it as CSV")
        yield [text_of(value) for value in row]


def wide_rows(path: str, places: Sequence[int], width: int, dialect: Dialect, skipped: int) -> Iterator[Row]:
    """Yield some columns of a CSV file that has very many columns.

    Lines without quotation marks are split at their separators, which NumPy finds. Python's ``csv`` parses the others.

    Args:
        path: the path of a UTF-8 text file.
        places: the positions of the columns.
        width: the number of columns of each line.
        dialect: the separator and the quotation mark.
        skipped: the number of lines above the header.

    Raises:
        FileFormatError: a line has a different number of values, or is not CSV.
    """

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
        row = 0  # records read so far, including the header
        while line := stream.readline(MOST_LINE + 1):
            row += 1
            if not line.rstrip(b"\r\n") and width > 1:
                row -= 1  # a blank line is not a record
                continue
            if sign is not None and mark not in line and b"\r" not in line[:-2]:
                line = line.rstrip(b"\r\n")
                found = np.flatnonzero(np.frombuffer(line, np.uint8) == sign)
                if len(found) + 1 != width:
                    raise _uneven_row_error(row + skipped, len(found) + 1, width)
                cuts = np.concatenate(([-1], found, [len(line)]))
                cells = [text_in(line[cuts[place] + 1 : cuts[place + 1]]) for place in places]
            else:
                while line.count(mark) % 2 and (more := stream.readline(MOST_LINE + 1)):  # a line break in a cell
                    line += more
                    if len(line) > MOST_LINE:
                        raise _not_csv_error(row + skipped)
                own = _record(text_in(line), dialect, row + skipped)
                if len(own) != width:
                    raise _uneven_row_error(row + skipped, len(own), width)
                cells = [own[place] for place in places]
            if row > 1:
                yield cells


@contextmanager
def unlimited_field_length() -> Iterator[None]:
    """Remove the limit of Python's ``csv`` on the length of a value; the length of lines is limited elsewhere."""
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
        with unlimited_field_length():
            records = list(reader)
    except csv.Error:
        raise _not_csv_error(line) from None
    if len(records) != 1:
        raise _not_csv_error(line)
    return records[0]


def _uneven_row_error(line: int, found: int, expected: int) -> FileFormatError:
    return FileFormatError(
        f"line {line} of the data has {found} values, and {expected} are expected (its content is not repeated here): "
        "check its quotation marks and separators"
    )


def _not_csv_error(line: int) -> FileFormatError:
    return FileFormatError(
        f"line {line} of the data is not CSV (its content is not repeated here): check its quotation marks and "
        f"separators"
    )
