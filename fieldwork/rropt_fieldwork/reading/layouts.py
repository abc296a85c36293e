"""The layout of a text table: its separator and its quotation mark.

A text can often be read in two ways: a header cell in quotation marks may hold the separator, and a row may have a
surplus separator at its end. Each pair of a separator and a quotation mark is one reading of the text. A reading is
possible if Python's ``csv`` reads the beginning of the file strictly, with as many values in each row as in the first.
Possible readings in which the requested columns differ are an error that names two of them. DuckDB then reads the file
by the layout that remains; it would skip surplus empty values, so ``surplus_values`` looks for them in the rest.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, shown
from rropt.core.normal_form import BLANKS, normal
from rropt.core.visible import with_noun
from rropt_fieldwork.reading.sources import MOST_LINE, LineError, distinct, require_columns

SAMPLE = 1 << 20  # the number of bytes that are compared in all readings, unless a row is longer
MOST_LINES = 1 << 14  # the number of lines that are compared in a longer text without quotation marks
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_MARKS = {'"': "double", "'": "single"}
_STRICT: Any = {"strict": True, "skipinitialspace": True}  # of Python's csv
_CHECK = "check its quotation marks and separators"
_NAME_IT = "if line 1 is a header, name the column of the question (`column=NAME`), or of several (`columns=A,B`)"


@dataclass(frozen=True, slots=True)
class Layout:
    """A reading of a text, with the rows at its beginning.

    Attributes:
        separator, mark: the separator of the columns, and the quotation mark.
        skipped: the number of lines above the first row, which is the header if there is one.
        header: the first row.
        rows: the other rows at the beginning.
        is_whole: whether these are all rows of the file.
        flaw: why the reading is not possible, after the number of the line; "" if it is possible.
    """

    separator: str
    mark: str
    skipped: int
    header: list[str]
    rows: list[list[str]] = field(repr=False)
    is_whole: bool
    flaw: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The values of the first row without surrounding blanks, each different."""
        given = tuple(cell.strip(BLANKS) for cell in self.header)
        return given if len(set(given)) == len(given) else distinct(given)

    def has(self, names: Sequence[str], width: int | None) -> bool:
        """Return whether each name occurs exactly once in the header; without names, whether the width is this one."""
        if not names:
            return width is None or len(self.header) == width
        own = list(map(normal, self.names))
        return all(own.count(normal(name)) == 1 for name in names)

    def reader(self, text: Iterable[str]) -> Iterator[list[str]]:
        """Return the strict ``csv.reader`` of the lines of a text below the skipped ones."""
        return csv.reader(text, delimiter=self.separator, quotechar=self.mark, **_STRICT)

    def records(self, text: Iterable[str], of: str = "the data") -> Iterator[tuple[int, list[str]]]:
        """Yield the rows of the lines of a text below the skipped ones, with the lines in which they begin.

        Raises:
            FileFormatError: the text is not CSV.
        """
        try:
            with unlimited_field_length():
                yield from _records(self.reader(text), self.skipped)
        except _NotCsv as error:
            raise row_error(error.line, of, "is not CSV") from None


def layout_of(
    path: str,
    name: str,
    names: Sequence[str],
    width: int | None,
    *,
    whole: bool = False,
    of: str = "the data",
    separator: str = "",
) -> Layout:
    """Return the layout of a text file in UTF-8.

    Args:
        path, name: the file, and its name in messages.
        names: the names of the columns that are read; empty if the file has no header, or if none is known.
        width: without names, the number of columns; ``None``: the first row is a header, with as many as there are.
        whole: whether all columns are read.
        of: the name of the file in messages about a line.
        separator: the separator of the columns, if it is stated.

    Raises:
        FileFormatError: no reading is possible, or several are in which these columns differ.
        InvalidParameterError: the possible readings do not have these columns.
    """
    size = SAMPLE
    while True:
        with Path(path).open("rb") as stream:
            data, rest = stream.read(size), stream.read(1)
        try:
            text = codecs.getincrementaldecoder("utf-8-sig")("strict").decode(data, final=not rest)
        except UnicodeDecodeError:
            raise LineError(f"data are not text: {name} is neither UTF-8 nor Windows-1252") from None
        if not text.strip():
            raise FileFormatError(f"data are empty: {name} contains no answers; give one line for each respondent")
        is_cut = bool(rest)
        if is_cut and size == SAMPLE and '"' not in text and "'" not in text:
            text = _first_lines(text)
        found = _chosen(text, is_cut, name, names, None if names else width, whole, of, separator)
        if found.rows or not is_cut or size > 2 * MOST_LINE:
            return found
        size *= 8  # the rows are very long


def _first_lines(text: str) -> str:
    """Return the beginning of a text: blank lines, and ``MOST_LINES`` others."""
    own = text.lstrip("\r\n")
    return text[: len(text) - len(own)] + "\n".join(own.split("\n", MOST_LINES)[:MOST_LINES])


def _chosen(
    text: str, is_cut: bool, name: str, names: Sequence[str], width: int | None, whole: bool, of: str, separator: str
) -> Layout:
    blank = "[\r\n]*" if width is None else ""  # without a header, a blank line is a missing response
    told = re.match(
        rf'{blank}(?:"?sep=(.)"?(?:\r\n?|\n))?{blank}', text
    )  # Excel writes a line that states the separator
    assert told is not None
    skipped = len(told[0].splitlines())
    text, every = text[told.end() :], []
    absent = [each for each in _NAMES if each not in text][:1]  # each other one gives the same single values
    if separator and told[1] not in (None, separator):
        raise InvalidParameterError(
            f"two separators are stated: received `separator` {shown(separator)}, and {name} begins with "
            f"sep={told[1]}; leave `separator` out"
        )
    stated = separator or told[1]
    separators = [stated] if stated else [each for each in _NAMES if each in text] + absent
    with unlimited_field_length():
        for each_separator in separators:
            for mark in _MARKS:
                begins = rf"(?:^|[\r\n{re.escape(each_separator)}]) *'"
                if mark == '"' or ("'" in text and re.search(begins, text)):
                    every.append(_reading(text, each_separator, mark, skipped, is_cut))
    if not names and width is None and any(len(each.header) > 1 for each in every):
        every = [each for each in every if len(each.header) > 1]  # the lines of a table are no single values
    possible = [each for each in every if not each.flaw]
    if len({each.mark for each in possible}) > 1:  # what another mark shows
        possible = [each for each in possible if not any(_is_worse(each, other) for other in possible)]
    kept = [each for each in possible if each.has(names, width)]
    if not kept:
        raise _nothing_fits(every, names, width, of)
    first, widest = kept[0], max(len(each.header) for each in kept)
    for other in possible:
        if len(other.header) > widest:
            if not names:
                raise _width_error(skipped + 1, of, len(other.header), widest, _NAME_IT)
            wider = "the names of the columns then stand inside of other names"
            raise _two_ways(name, first, other, skipped + 1, wider, stated)
    for other in kept[1:]:
        line = _first_difference(text, first, other, names if names and not whole else None)
        if line is not None:
            raise _two_ways(name, first, other, line, "the values of the columns differ", stated)
    return first


def _reading(text: str, separator: str, mark: str, skipped: int, is_cut: bool) -> Layout:
    """Read the beginning of a text, up to the first flaw."""
    rows: list[list[str]] = []
    flaw = ""
    try:
        rows.extend(csv.reader(io.StringIO(text, newline=""), delimiter=separator, quotechar=mark, **_STRICT))
        if is_cut and len(rows) > 1:
            rows.pop()  # it may be cut
    except csv.Error as error:
        if not (is_cut and rows and "unexpected end" in str(error)):  # a mark that is closed behind the sample
            flaw = "is not CSV"
    width = max(len(rows[0]), 1) if rows else 1
    if [] in rows:
        rows = [row or [""] for row in rows if row or width == 1]
    if flaw or not {width}.issuperset(map(len, rows)):
        rows, flaw = _flaw(text, separator, mark, skipped, width)
    return Layout(separator, mark, skipped, (rows or [[""]])[0], rows[1:], not is_cut, flaw)


def width_flaw(found: int, width: int) -> str:
    """Return the flaw of a row with another number of values than the header."""
    return f"has {with_noun(found, 'value')}, and {width} {'is' if width == 1 else 'are'} expected"


def _flaw(text: str, separator: str, mark: str, skipped: int, width: int) -> tuple[list[list[str]], str]:
    """Return the rows before the first flaw of a reading, and the flaw with its line."""
    rows: list[list[str]] = []
    try:
        for line, row in _records(
            csv.reader(io.StringIO(text, newline=""), delimiter=separator, quotechar=mark, **_STRICT), skipped
        ):
            if len(row) != width:
                return rows, f"{line} {width_flaw(len(row), width)}"
            rows.append(row)
    except _NotCsv as error:
        return rows, f"{error.line} is not CSV"
    raise AssertionError("the reading has a flaw")


class _NotCsv(csv.Error):
    """Raised for a row that is not CSV; ``line`` is its line."""

    def __init__(self, error: csv.Error, line: int) -> None:
        super().__init__(str(error))
        self.line = line


def _records(reader: Any, skipped: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a text with the lines in which they begin; a blank line is a row of a single column only."""
    line, width = skipped + 1, 0
    try:
        for row in reader:
            width = width or len(row) or 1
            if row or width == 1:
                yield line, row or [""]
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        raise _NotCsv(error, line) from None


def _is_worse(one: Layout, other: Layout) -> bool:
    """Return whether a reading is not meant, as another quotation mark with the same separator shows.

    It tears values that stand between the other marks; or, if that does not decide, it joins lines to one row.
    """
    if one.separator != other.separator or one.mark == other.mark:
        return False
    torn, other_torn = _tears(one, other.mark), _tears(other, one.mark)
    if torn != other_torn:
        return torn
    return len(one.header) > 1 and len(other.header) > 1 and len(one.rows) < len(other.rows)


def _tears(reading: Layout, mark: str) -> bool:
    """Return whether a value begins with another mark and a later one of the same row ends with it."""
    for row in (reading.header, *reading.rows):
        is_open = False
        for cell in row:
            own = cell.strip(BLANKS)
            begins, ends = own.startswith(mark), own.endswith(mark)
            if is_open and ends and not begins:
                return True
            is_open = is_open or (begins and not (ends and len(own) > 1))
    return False


def _first_difference(text: str, one: Layout, other: Layout, names: Sequence[str] | None) -> int | None:
    """Return the first line in which some columns of two readings differ, or all columns; ``None``: they do not."""
    columns = [
        [list(map(normal, each.names)).index(normal(name)) for name in names] if names else slice(None)
        for each in (one, other)
    ]
    if names is None and list(map(_plain, one.header)) != list(map(_plain, other.header)):
        return one.skipped + 1
    for number, (mine, theirs) in enumerate(zip_longest(one.rows, other.rows), 1):
        if mine is None or theirs is None or _values(mine, columns[0]) != _values(theirs, columns[1]):
            nearest = other if mine is None else one
            records = _records(nearest.reader(io.StringIO(text, newline="")), one.skipped)
            return next(line for line, _ in islice(records, number, None))
    return None


def _values(row: list[str], chosen: list[int] | slice) -> list[str]:
    return [_plain(cell) for cell in (row[chosen] if isinstance(chosen, slice) else [row[i] for i in chosen])]


def _plain(cell: str) -> str:
    return cell.strip(BLANKS + "\"'")


def _nothing_fits(readings: Sequence[Layout], names: Sequence[str], width: int | None, of: str) -> RroptError:
    """Return the error of the reading that is nearest to a possible one."""

    def nearness(each: Layout) -> tuple[bool, int, int]:
        return each.has(names, width), len(each.rows) * (len(each.header) > 1), len(each.header)

    possible = [each for each in readings if not each.flaw]
    near = max(readings, key=nearness)
    if near.flaw and (near.has(names, width) or all(len(each.header) == 1 for each in possible)):
        line, why = near.flaw.split(" ", 1)
        return row_error(int(line), of, why)
    widest = max(possible, key=lambda each: len(each.header))
    if not names:
        return _width_error(widest.skipped + 1, of, len(widest.header), width or 0, _NAME_IT)
    try:
        require_columns(names, widest.names, of="" if of == "the data" else of)
    except RroptError as error:
        return error
    raise AssertionError("a reading with these names is kept")


def row_error(line: int, of: str, why: str) -> LineError:
    """Return the error for a row that does not fit the others; ``of`` is the name of the file."""
    return LineError(f"line {line} of {of} {why}: {_CHECK}", is_line=True)


def _width_error(line: int, of: str, found: int, expected: int, advice: str) -> FileFormatError:
    return FileFormatError(f"line {line} of {of} {width_flaw(int(found), int(expected))}: {advice}")


def _two_ways(name: str, one: Layout, other: Layout, line: int, why: str, stated: str | None) -> FileFormatError:
    first, second = (
        f"{len(each.header)} columns separated by {_NAMES.get(each.separator, 'its separator')}, with "
        f"{_MARKS[each.mark]} quotation marks"
        for each in (one, other)
    )
    is_stated = bool(stated) or one.separator == other.separator
    state = "" if is_stated else ', or state the separator: `separator=","` or `separator=";"`'
    return FileFormatError(
        f"the data can be read in two ways: {name} has {first}, or {second}; {why}, first in line {line}; save it as "
        f"CSV with commas and double quotation marks{state}"
    )


def checked_separator(stated: object) -> str:
    """Return the separator that is stated: a mark, or ``tab``.

    Raises:
        InvalidParameterError: it is none of those that separate columns.
    """
    given = "\t" if isinstance(stated, str) and stated in ("tab", "\\t") else stated
    if not isinstance(given, str) or given not in _NAMES:
        raise InvalidParameterError(f"`separator` is unknown: received {shown(stated)}; allowed are , ; | and tab")
    return given


@contextmanager
def unlimited_field_length() -> Iterator[None]:
    """Remove the limit of Python's ``csv`` on the length of a value; the length of lines is limited elsewhere."""
    before = csv.field_size_limit(MOST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def may_have_surplus_values(path: str, separator: str) -> bool:
    """Return whether some row of a file may end with an empty value, as rows with surplus separators do."""
    own = separator.encode()
    with Path(path).open("rb") as stream, mmap(stream.fileno(), 0, access=ACCESS_READ) as text:
        ends = (b"\n", b"\r", b" ", b'""', b"''")
        if text.find(own) < 0:
            return False
        return text[-1:] == own or any(text.find(own + end) >= 0 for end in ends)
