"""What points and commas mean in the numbers of a table: one meaning for all columns that are read as numbers.

German programs write 1.234,5 for what English ones write 1,234.5, and 1.234 alone may be both. Nothing is guessed: a
plain number has a decimal point, and other marks are stated by the caller or are an error that says how. In a file that
commas separate, a point is decimal. A meaning is a decimal mark with a thousands mark, in groups of exactly three
digits, none after a leading 0.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rropt.core.errors import FileFormatError, InvalidParameterError, shown

DECIMAL_MARKS = (".", ",")
THOUSANDS_MARKS = (".", ",", " ", "'")
_SPACES = " \u00a0\u202f\u2009"
_GROUPING = {"": "", ".": "[.]", ",": "[,]", " ": f"[{_SPACES}]", "'": "['\u2019]"}
_NAMES = {".": "point", ",": "comma"}

Cells = Mapping[str, Sequence[str]]  # maps each column to texts of its cells, one of each form


@dataclass(frozen=True)
class NumberMarks:
    """A meaning of the marks in numbers.

    Attributes:
        decimal: the decimal mark.
        thousands: the thousands mark; "" if there is none. A blank stands for all widths of blanks.
    """

    decimal: str = "."
    thousands: str = ""

    @cached_property
    def pattern(self) -> str:
        """The regular expression of a number, which Python and DuckDB read alike."""
        whole = "[0-9]+"
        if self.thousands:
            whole = f"([0-9]+|[1-9][0-9]{{0,2}}({self.grouping}[0-9]{{3}})+)"
        mark = f"[{self.decimal}]"
        return f"^[+-]?({whole}({mark}[0-9]*)?|{mark}[0-9]+)([eE][+-]?[0-9]+)?$"

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern)

    @property
    def grouping(self) -> str:
        """The regular expression of the thousands mark; "" if there is none."""
        return _GROUPING[self.thousands]

    def fits(self, text: str) -> bool:
        """Return whether a text without surrounding blanks is a number."""
        return self._compiled.match(text) is not None

    def plain(self, text: str) -> str:
        """Return the text of a number without thousands marks, and with a decimal point."""
        if self.thousands:
            text = re.sub(self.grouping, "", text)
        return text.replace(self.decimal, ".")

    def sql(self, column: str) -> str:
        """Return the SQL of a number in a column of texts without surrounding blanks; NULL for other texts."""
        return f"TRY_CAST({self.sql_text(column)} AS DOUBLE)"

    def sql_text(self, column: str) -> str:
        """Return the SQL of the plain text of a number in such a column; NULL for other texts."""
        plain = column
        if self.thousands:
            grouping = self.grouping.replace("'", "''")
            plain = f"regexp_replace({plain}, '{grouping}', '', 'g')"
        if self.decimal != ".":
            plain = f"replace({plain}, '{self.decimal}', '.')"
        pattern = self.pattern.replace("'", "''")
        return f"if(regexp_matches({column}, '{pattern}'), {plain}, NULL)"

    def __str__(self) -> str:
        return f"with a decimal {_NAMES[self.decimal]}"


POINT = NumberMarks()
_ALL = [
    NumberMarks(decimal, thousands) for decimal, thousands in product(DECIMAL_MARKS, _GROUPING) if decimal != thousands
]


# texts that have another mark than a point, or whose point may be a thousands mark; or that are no numbers
DOUBTFUL = r"[^0-9.eE+-]|^[+-]?[1-9][0-9]{0,2}([.][0-9]{3})+$"


_STARTS = tuple("+-.,0123456789")


def form_of(column: str) -> str:
    """Return the SQL of the form of a text: equal for numbers with the same marks at the same places.

    Texts that are no numbers under any meaning have the form NULL.
    """
    signs = f"[0-9.,''\u2019{_SPACES}]"
    is_like = f"regexp_matches({column}, '^[+-]?{signs}*[0-9]{signs}*([eE][+-]?[0-9]+)?$')"
    digits = f"regexp_replace({column}, '^([+-]?)0', '\\1o')"  # no thousands mark stands after a leading 0
    return f"CASE WHEN {is_like} THEN translate({digits}, '012345678', '999999999') END"


def is_number(text: str) -> bool:
    """Return whether a text is a number under any meaning."""
    return any(each.fits(text) for each in _ALL)


def is_doubtful(text: str) -> bool:
    """Return whether a text is a number that has another mark than a point, or whose point may be a thousands mark."""
    text = text.strip()
    return text[:1] in _STARTS and re.search(DOUBTFUL, text) is not None and is_number(text)


def marks_of(
    columns: Cells,
    *,
    prefers_point: bool,
    typed: Collection[str] = (),
    decimal: str | None = None,
    thousands: str | None = None,
) -> NumberMarks:
    """Return the meaning of the marks in the cells of some columns: the stated one, else a decimal point.

    Args:
        columns: the cells of each column, which are numbers under some meaning; one of each form is enough.
        prefers_point: whether a point is decimal in any case, as in files that commas separate.
        typed: the columns of numbers that became texts with a decimal point, as those of JSON and of workbooks.
        decimal, thousands: the marks, if the caller states them. A decimal mark alone allows any thousands mark.

    Raises:
        FileFormatError: a cell needs a statement, or does not fit the stated marks.
    """
    if decimal is None and thousands is None:
        for name, cells in columns.items():
            is_open = _may_be_grouped(cells) and (not prefers_point or not all("." in cell for cell in cells))
            for cell in () if name in typed else cells:
                if not POINT.fits(cell) or (is_open and is_doubtful(cell)):
                    raise _needs_statement(name, cell)
        return POINT
    decimal = decimal or ("," if thousands == "." else ".")
    if thousands == decimal:
        raise InvalidParameterError(
            f"a decimal mark is no thousands mark: received {shown(decimal)} for both; state two marks"
        )
    fitting = [NumberMarks(decimal, thousands)] if thousands else [each for each in _ALL if each.decimal == decimal]
    for name, cell in _cells(columns):
        fitting = [each for each in fitting if each.fits(cell)]
        if not fitting or (name in typed and fitting[0].plain(cell) != cell):
            raise _not_of(name, cell, decimal)
    return fitting[0]


def require_agreement(columns: Cells, others: Cells) -> None:
    """Check that the other columns of a file do not show that a point in some columns is no decimal point.

    Args:
        columns: the cells of the columns that are read, with a decimal point.
        others: the cells of other columns that are numbers under some meaning.

    Raises:
        FileFormatError: the numbers of another column have no decimal point under any meaning.
    """
    name, cell = next((name, cell) for name, cell in _cells(columns) if is_doubtful(cell))
    for other, cells in others.items():
        if not any(all(map(each.fits, cells)) for each in _ALL if each.decimal == "."):
            raise _needs_statement(name, cell, f"the numbers of the column {shown(other)} have no decimal point; ")


def _may_be_grouped(cells: Sequence[str]) -> bool:
    """Return whether the points of a column may be thousands marks: of 1.234 and 512, and not of 1.234 and 0.5."""
    return all(NumberMarks(",", ".").fits(cell) for cell in cells)


def _cells(columns: Cells) -> Iterable[tuple[str, str]]:
    return ((name, cell) for name, cells in columns.items() for cell in cells)


def _needs_statement(name: str, cell: str, why: str = "") -> FileFormatError:
    """Return the error for a cell whose marks are not stated: it names the values that it may have."""
    values = {each.plain(cell): each for each in reversed(_ALL) if each.fits(cell)}
    told = [f"{plain} {marks}" for plain, marks in values.items()]
    marks = " or ".join(f'`decimal_mark="{mark}"`' for mark in dict.fromkeys(each.decimal for each in values.values()))
    if len(told) > 1:
        return FileFormatError(
            f"a number can be read in two ways: received {shown(cell)} in {shown(name)}, which is {told[-1]}, or "
            f"{told[0]}; {why}state the decimal mark: {marks}"
        )
    return FileFormatError(
        f"a number has marks whose meaning is not stated: received {shown(cell)} in {shown(name)}, which is "
        f"{told[0]}; state the decimal mark: {marks}"
    )


def _not_of(name: str, cell: str, decimal: str) -> FileFormatError:
    return FileFormatError(
        f"a number does not fit the decimal mark: received {shown(cell)} in {shown(name)}, and the decimal mark "
        f"{shown(decimal)}; correct the cell, or leave `decimal_mark` out"
    )
