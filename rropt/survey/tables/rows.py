"""Rows of tables that DuckDB does not read itself: JSON and Excel.

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
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, NoReturn

from rropt.core.errors import FileFormatError, InvalidParameterError, MissingExtraError, shown
from rropt.core.files.duckdb_connection import connected
from rropt.survey.tables.files_in_memory import CHUNK, file_in_memory
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
    texts = _lines if form == "lines" else _elements
    with closing(_objects(texts(path, name))) as objects:
        first = next(objects, None)
    if first is None:
        raise FileFormatError(f"data are empty: {name} contains no answers; give one object for each respondent")
    names = tuple(first[0]) if whole else tuple(dict.fromkeys(asked))
    absent = set(asked) - set(first[0])

    def rows() -> Iterator[Row]:
        missed, known = set(absent), set(names)
        for data, place in _objects(texts(path, name)):
            if missed:
                missed -= data.keys()
            if whole and not data.keys() <= known:
                raise FileFormatError(
                    f"{place} of the data has a key that the first object has not: "
                    f"{name}; write all keys in each object, or name the columns to keep"
                )
            yield [_json_text(data.get(key), place) for key in names]
        require_columns(sorted(missed), tuple(first[0]))

    if whole:
        require_columns(sorted(absent), names)
    return Rows(names, rows(), 0 if form == "lines" else None)


def _objects(texts: Iterator[tuple[str | bytes, str]]) -> Generator[tuple[dict[str, Any], str], None, None]:
    """Yield each object and its place; reject duplicate keys and NaN, and return integers as texts."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(items)
        if len(data) < len(items):
            raise ValueError("a key twice")
        return data

    def constant(token: str) -> NoReturn:
        raise ValueError(token)

    decoder = json.JSONDecoder(parse_int=str, parse_constant=constant, object_pairs_hook=pairs)
    for text, place in texts:
        if len(text) > MOST_LINE:
            raise _too_long(place)
        try:
            data = decoder.decode(text.decode() if isinstance(text, bytes) else text)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise _no_object(place)
        yield data, place


def _too_long(place: str) -> FileFormatError:
    return FileFormatError(f"{place} of the data is too long: allowed are {MOST_LINE >> 20} MiB for each object")


def _no_object(place: str) -> FileFormatError:
    return FileFormatError(
        f"{place} of the data is no object of JSON with different keys: allowed is "
        'one in each line, such as {"sick": "no"}, or an array of them'
    )


def _lines(path: str, _: str) -> Iterator[tuple[bytes, str]]:
    """Yield each line that is not blank, and its place."""
    with Path(path).open("rb") as stream:
        for number in itertools.count(1):
            line = stream.readline(MOST_LINE + 1)
            if not line:
                return
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if line.strip():
                yield line, f"line {number}"


_BAD_ELEMENT = re.compile(r"in record/value (\d+)")  # one more than the number of the element


def _elements(path: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the text of each element of an array, as DuckDB divides it, and its place."""
    import duckdb

    with Path(path).open("rb") as stream:
        stream.seek(max(0, stream.seek(0, io.SEEK_END) - CHUNK))
        if not stream.read().rstrip().endswith(b"]"):
            raise FileFormatError(
                f"{name} cannot be read: it begins with an array and does not end with it; it is cut, or goes on after "
                "the array; make it again"
            )
    with closing(connected([path], None)) as connection:
        asked = "SELECT json FROM read_json_objects(?, format = 'array', maximum_object_size = ?)"
        number = itertools.count(1)
        try:
            found = connection.execute(asked, [path, MOST_LINE])
            while block := found.fetchmany(_BLOCK):
                yield from ((text, f"row {next(number)}") for (text,) in block)
        except duckdb.InvalidInputException as error:
            if "invalid UTF-8" in str(error):
                raise UnconvertedError from None
            if "maximum_object_size" in str(error):
                raise _too_long("a row") from None
            bad = _BAD_ELEMENT.search(str(error))
            raise _no_object(f"row {int(bad[1]) - 1}" if bad else "the array") from None


def _json_text(value: Any, place: str) -> str:
    if isinstance(value, dict | list):
        raise FileFormatError(
            f"{place} of the data contains a list or an object instead of an answer (its content is not repeated "
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


@contextmanager
def unlimited_field_length() -> Iterator[None]:
    """Remove the limit of Python's ``csv`` on the length of a value; the length of lines is limited elsewhere."""
    before = csv.field_size_limit(MOST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)
