"""Cells of a workbook that are not empty and have no value: formulas that were not computed, errors, merged cells.

openpyxl reads such a cell as an empty one, or an error as a text. Beside its rows, the sheet is therefore read a second
time, if cells of the requested columns look empty or like an error.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from posixpath import normpath
from typing import IO, Any
from xml.etree import ElementTree

from rropt.core.errors import FileFormatError, shown

_CHUNK = 1 << 20
_ODD = re.compile(rb'<(\w+:)?(f[ />]|mergeCell )|\bt="e"')  # a sheet without these has only cells with a value
_OVERLAP = 32  # bytes of a chunk that are searched again with the next one
_TRUE = ("1", "true")
_SHOWN_LINES = 10
_RECALCULATED = "a formula that is to be computed when the workbook is opened"
_COMPUTE = "formulas are not computed; open and save the workbook in a spreadsheet program"
_ADVICE = {
    "a formula without a stored value": _COMPUTE,
    _RECALCULATED: _COMPUTE,
    "an error, such as #N/A": "correct it, or leave the cell empty if there is no value",
    "a date that does not exist": "correct it, or give the column another format",
    "a part of a merged cell": "split merged cells, and write the value in each row",
}

Cell = tuple[int, int]  # the row and the column, from 1


class OddCells:
    """The cells of some columns of a sheet that look empty or like an error.

    Args:
        path: the workbook.
        title: the title of the sheet.
        columns: maps the numbers of the columns, from 1, to their names.
        header_rows: the number of rows above the first respondent.
    """

    def __init__(self, path: str, title: str, columns: dict[int, str], header_rows: int = 1) -> None:
        self._header_rows = header_rows
        self._path, self._title, self._columns = path, title, columns
        self._empty: set[Cell] = set()
        self._errors: set[Cell] = set()

    def note(self, row: int, column: int, value: object) -> None:
        """Note the value of a cell of one of the columns."""
        if value is None:
            self._empty.add((row, column))
        elif isinstance(value, str) and value.startswith("#"):
            self._errors.add((row, column))

    def require_values(self, name: str) -> None:
        """Raise an error if some of the cells are not empty.

        Args:
            name: the name of the workbook in the message.

        Raises:
            FileFormatError: a cell is a formula without a value, an error, or part of a merged cell.
        """
        found: dict[tuple[int, str], list[int]] = {}
        with zipfile.ZipFile(self._path) as archive:
            book, sheet = _parts(archive, self._title)
            is_recalculated = any(
                _local(each) == "calcPr" and each.get("fullCalcOnLoad") in _TRUE for each in book.iter()
            )
            if not self._errors and not ((self._empty or is_recalculated) and _is_odd(archive, sheet)):
                return
            with archive.open(sheet) as stream:
                for (row, column), what in self._unread(stream, is_recalculated=is_recalculated):
                    found.setdefault((column, what), []).append(row)
        for (column, what), rows in found.items():
            rows.sort()
            lines = f"line{'s' * (len(rows) > 1)} {', '.join(map(str, rows[:_SHOWN_LINES]))}"
            lines += f" (the first {_SHOWN_LINES} of {len(rows)})" * (len(rows) > _SHOWN_LINES)
            verb = "hold" if len(rows) > 1 else "holds"
            raise FileFormatError(
                f"{lines} of the data {verb} no value in {shown(self._columns[column])} of {name}, but {what}; "
                f"{_ADVICE[what]}, or save the sheet as CSV"
            )

    def _unread(self, stream: IO[bytes], *, is_recalculated: bool) -> Iterator[tuple[Cell, str]]:
        """Yield the cells of a sheet that are not read, with what they are."""
        from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

        row = column = 0
        rows: Any = None
        for event, element in ElementTree.iterparse(stream, ("start", "end")):  # openpyxl has parsed it
            tag = _local(element)
            if event == "start":
                if tag == "sheetData":
                    rows = element
                elif tag == "row":
                    row, column = int(element.get("r", row + 1)), 0
            elif tag == "row" and rows is not None:
                rows.clear()
            elif tag == "c":
                place = element.get("r")
                row, column = (row, column + 1) if place is None else coordinate_to_tuple(place)
                if (
                    row > self._header_rows
                    and column in self._columns
                    and (what := self._of_cell(element, (row, column), is_recalculated))
                ):
                    yield (row, column), what
            elif tag == "mergeCell":
                left, top, right, bottom = range_boundaries(element.get("ref", ""))
                for cell in self._empty:
                    if top <= cell[0] <= bottom and left <= cell[1] <= right and cell != (top, left):
                        yield cell, "a part of a merged cell"

    def _of_cell(self, element: Any, cell: Cell, is_recalculated: bool) -> str | None:
        """Return what a cell is that has no value; ``None`` if it has one, or is empty."""
        parts = {_local(part): part.text for part in element}
        kind = element.get("t", "n")
        if "f" in parts:
            if "v" not in parts or (not parts["v"] and kind != "str"):  # a text may be empty
                return "a formula without a stored value"
            if is_recalculated:
                return _RECALCULATED
        if kind == "e":
            return "an error, such as #N/A"
        return "a date that does not exist" if kind == "n" and cell in self._errors else None


def _local(element: Any) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _parts(archive: zipfile.ZipFile, title: str) -> tuple[Any, str]:
    """Return the description of a workbook, and the path of the sheet with a title."""
    book, links = (
        ElementTree.fromstring(archive.read(f"xl/{part}"))  # openpyxl has parsed it
        for part in ("workbook.xml", "_rels/workbook.xml.rels")
    )
    targets = {each.get("Id"): each.get("Target", "") for each in links}
    for sheet in book.iter():
        if _local(sheet) == "sheet" and sheet.get("name") == title:
            key = next(value for name, value in sheet.attrib.items() if name.endswith("}id"))
            target = targets[key]
            return book, target[1:] if target.startswith("/") else normpath(f"xl/{target}")
    raise KeyError(title)


def _is_odd(archive: zipfile.ZipFile, sheet: str) -> bool:
    """Return whether a sheet has a formula, an error or a merged cell."""
    with archive.open(sheet) as stream:
        before = b""
        while chunk := stream.read(_CHUNK):
            if _ODD.search(before + chunk):
                return True
            before = chunk[-_OVERLAP:]
    return False
