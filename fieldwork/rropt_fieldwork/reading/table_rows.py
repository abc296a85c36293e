"""Rows of tables that DuckDB does not read itself: Excel, and SQLite (``databases``).

Each file is read once, row by row, with limits. The requested columns are converted to CSV in memory, with all values
as texts. Nothing in a file is evaluated: formulas of a workbook are not computed, and those without a stored value are
refused (``workbook_cells``).
"""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime, time
from pathlib import Path
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.normal_form import named_in, normal, text_of
from rropt_fieldwork.reading.files_in_memory import reading_package
from rropt_fieldwork.reading.header_rows import LOOKED_AT, Header, header_of, labels_of, remark_on, require_names_above
from rropt_fieldwork.reading.number_marks import is_doubtful
from rropt_fieldwork.reading.sources import Input, Request, damage_errors, distinct
from rropt_fieldwork.reading.workbook_cells import OddCells

MOST_CELLS = 50_000_000  # the largest number of cells of a sheet, including blank ones between others
_BLOCK = 4096  # rows that are converted to CSV at once

Row = Sequence[str]
Values = Sequence[object]


def as_texts(rows: Iterable[Values], doubtful: set[int]) -> Iterator[Row]:
    """Yield rows of values as texts.

    Args:
        rows: the rows.
        doubtful: receives the places of columns with a text that is a number with marks; numbers are no texts.
    """
    for row in rows:
        for place, value in enumerate(row):
            if isinstance(value, str) and place not in doubtful and is_doubtful(value):
                doubtful.add(place)
        yield list(map(text_of, row))


def csv_chunks(rows: Iterable[Row], name: str) -> Iterator[bytes]:
    """Yield rows of texts as CSV, without a header and with all values in quotation marks."""
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


def workbook_rows(
    given: Input, asked: Request, stack: ExitStack
) -> tuple[tuple[str, ...], Iterator[Values], tuple[str, ...], dict[str, str]]:
    """Read a sheet of a workbook, whose first row is the header, or one of several header rows.

    Without a name or a number of a sheet it reads the first one, with a remark if there are others.

    Args:
        given, asked: the file, and what is asked of it.
        stack: closes the workbook.

    Returns:
        The names of the columns, the rows, remarks on how the file was read, and the labels of the columns.

    Raises:
        MissingExtraError: the library that reads workbooks is not installed.
        InvalidParameterError: there is no such sheet.
        FileFormatError: the file is damaged, empty, or too large.
    """
    name, which = given.name, asked.sheet
    openpyxl = reading_package("Excel", "openpyxl", name, "pip install 'rropt[fieldwork]', or save it as CSV")
    with damage_errors(name):
        stream = stack.enter_context(Path(given.path).open("rb"))  # noqa: SIM115
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        stack.callback(book.close)
        sheets = book.worksheets
    if not sheets:
        raise FileFormatError(f"data are empty: {name} contains no sheet; give another workbook")
    remark = f"{name} has {len(sheets)} sheets: the first was read, {shown(sheets[0].title)}; `sheet` names another one"
    read = sheets[0 if which is None else _place_of(which, [each.title for each in sheets], name)]
    cells = _cells(read, name)
    top = [tuple(map(text_of, row)) for row in itertools.islice(cells, asked.header_rows)]
    found = header_of(top, asked.own) or Header(0, list(top[0]) if top else [])
    header = tuple(found.names)
    while header and not header[-1]:
        header = header[:-1]
    header = distinct(header)
    known = list(map(normal, map(str.strip, header)))
    if any(known.count(normal(each)) != 1 for each in asked.own):
        below = (tuple(map(text_of, row)) for row in itertools.islice(cells, LOOKED_AT))
        require_names_above([*top, *below], asked.own, asked.header_rows, name)
    if not header:
        raise FileFormatError(f"data are empty: the sheet {shown(read.title)} of {name} contains no header")
    names = asked.chosen(header, is_schema=False)
    places = range(len(header)) if asked.whole else [header.index(column) for column in names]
    odd = OddCells(given.path, read.title, {at + 1: header[at] for at in places}, asked.header_rows)

    def rows() -> Iterator[Values]:
        blank = 0
        for number, row in enumerate(cells, asked.header_rows + 1):
            values = [row[place] if place < len(row) else None for place in places]
            for place, value in zip(places, values, strict=True):
                odd.note(number, place + 1, value)
            if not any(map(text_of, row)):  # blank rows at the end are formatted rows without content
                blank += 1
                continue
            yield from [[""] * len(names)] * blank
            blank = 0
            yield list(map(_without_midnight, values))
        with damage_errors(name):
            odd.require_values(name)

    remarks = (remark,) * (which is None and len(sheets) > 1)
    remarks += (remark_on(asked.header_rows, found),) * (asked.header_rows > 1)
    return names, rows(), remarks, labels_of(top, found)


def _without_midnight(value: object) -> object:
    """Return the date of a cell that has no time: of workbooks openpyxl reads it as midnight."""
    return value.date() if isinstance(value, datetime) and value.time() == time() else value


def _place_of(chosen: str | int, titles: Sequence[str], name: str) -> int:
    """Return the index of a sheet that is given by its name or its number from 1."""
    if isinstance(chosen, str) and (found := named_in(chosen, titles)) is not None:
        return titles.index(found)
    number = str(chosen)
    if number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= len(titles):
        return int(number[:9]) - 1
    listed = ", ".join(shown(title) for title in titles[:10])
    raise InvalidParameterError(
        f"`sheet` names no sheet of {name}: received {shown(chosen)}; there are {len(titles)}: {listed}"
        f"{', ...' * (len(titles) > 10)}; give one of these names, or a number from 1"
    )


def _cells(table: Any, name: str) -> Iterator[Sequence[Any]]:
    """Yield the rows of a sheet."""
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
        yield row
