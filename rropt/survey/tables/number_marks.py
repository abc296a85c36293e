"""What points and commas mean in the numbers of a table: one meaning for all columns that are read as numbers.

German programs write 1.234,5 for what English ones write 1,234.5, and 1.234 alone may be both. A meaning is a decimal
mark with a thousands mark. It is possible if every cell is a number under it, with groups of exactly three digits, none
after a leading 0. The cells of all columns decide together. A column that would be read otherwise alone is an error, as
are cells that still have two values: the caller then states the decimal mark.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rropt.core.errors import FileFormatError, shown

DECIMAL_MARKS = (".", ",")
_SPACES = " \u00a0\u202f\u2009"
_GROUPING = {"": "", ".": "[.]", ",": "[,]", " ": f"[{_SPACES}]", "'": "['\u2019]"}
_NAMES = {".": "point", ",": "comma", " ": "blank", "'": "apostrophe"}
_LONG = re.compile(r"[+-]?[0-9]{5}")  # a whole part that a program with a thousands mark would have divided

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
    columns: Cells, *, prefers_point: bool, typed: Collection[str] = (), stated: str | None = None
) -> NumberMarks:
    """Return the meaning of the marks in the cells of some columns, which are all numbers under some meaning.

    Args:
        columns: the cells of each column; one of each form is enough.
        prefers_point: whether cells with two values have a decimal point, as in files that commas separate.
        typed: the columns of numbers that became texts with a decimal point, as those of JSON and of workbooks.
        stated: the decimal mark, if the caller states it.

    Raises:
        FileFormatError: no meaning fits all cells, a cell has two values, or a column would be read otherwise alone.
    """
    if stated is not None:
        fitting = [each for each in _used(columns) if each.decimal == stated]
        left = [each for each in fitting if all(each.fits(cell) for _, cell in _cells(columns))]
        if not left:
            raise _no_number(columns, fitting, stated)
        for name, cell in _cells(columns):
            if name in typed and left[0].plain(cell) != cell:
                raise _not_stated(name, cell, stated)
        return left[0]
    found = _decided(columns, prefers_point, typed)
    for name, cells in columns.items():
        if name not in typed:
            _require_one_writing(found, name, cells)
        alone = _decided({name: cells}, prefers_point, typed)
        for cell in cells:
            if alone.plain(cell) != found.plain(cell):
                raise _two_values(name, cell, (alone, found), "its column and the others of the table differ in it")
    return found


def is_ambiguous(columns: Cells) -> bool:
    """Return whether a cell of some columns has several values, such as 1.234."""
    return _difference(columns, _ALL) is not None


def require_agreement(found: NumberMarks, columns: Cells, others: Cells) -> None:
    """Check that the other columns of a table do not give the cells of some columns other values.

    Args:
        found: the meaning of the marks in the columns that are read.
        columns: the cells of these columns.
        others: the cells of other columns that are numbers under some meaning.

    Raises:
        FileFormatError: no meaning fits the numbers of another column and gives the cells the values that they have.
    """
    alike = [
        each
        for each in _ALL
        if all(each.fits(cell) and each.plain(cell) == found.plain(cell) for _, cell in _cells(columns))
    ]
    for other, cells in others.items():
        own = [each for each in _ALL if all(map(each.fits, cells))]
        if not own or any(each in alike for each in own):
            continue
        name, cell = _difference(columns, _ALL) or next(iter(_cells(columns)))
        why = f"the numbers of the column {shown(other)} are written with other marks than the first value"
        raise _two_values(name, cell, (found, *_ALL), why)


def _require_one_writing(found: NumberMarks, name: str, cells: Sequence[str]) -> None:
    """Check that no decimal mark of a column is a thousands mark of another writing, as 1.234 beside 9 335."""
    if not found.thousands:
        return
    marked = [cell for cell in cells if found.decimal in cell]
    grouped = [cell for cell in cells if found.decimal not in cell and found.plain(cell) != cell]
    group = rf"[+-]?[1-9][0-9]{{0,2}}[{found.decimal}][0-9]{{3}}"
    if marked and grouped and all(re.fullmatch(group, cell) for cell in marked):
        why = f"{shown(grouped[0])} beside it is written in another way, if it is a group of thousands"
        raise _two_values(name, marked[0], (found, *_ALL), why)


def _cells(columns: Cells) -> Iterable[tuple[str, str]]:
    return ((name, cell) for name, cells in columns.items() for cell in cells)


def _used(columns: Cells) -> list[NumberMarks]:
    """Return the meanings whose thousands mark occurs as one."""
    return [
        each
        for each in _ALL
        if not each.thousands
        or any(re.search(f"[0-9]{_GROUPING[each.thousands]}[0-9]", cell) for _, cell in _cells(columns))
    ]


def _decided(columns: Cells, prefers_point: bool, typed: Collection[str]) -> NumberMarks:
    possible = [each for each in _used(columns) if all(each.fits(cell) for _, cell in _cells(columns))]
    if not possible:
        raise _no_meaning(columns)
    left = [each for each in possible if not (each.thousands and _has_long_cells(columns))]
    texts = [cells for name, cells in columns.items() if name not in typed]
    doubtful = [each for each in left if any(_looks_grouped(each, cells, possible) for cells in texts)]
    certain = [each for each in left if each not in doubtful]
    if prefers_point:
        if POINT in doubtful:  # 1.234 beside 512: a program that writes commas between columns writes points otherwise
            raise _undecided(columns, possible)
        certain = [each for each in certain if each.decimal == "."] or certain
    alike = any(_looks_grouped(each, cells, possible) and not _has_hundreds(cells) for each in left for cells in texts)
    if not certain or alike or _difference(columns, certain) is not None:
        raise _undecided(columns, possible)
    return certain[0]


def _has_hundreds(cells: Sequence[str]) -> bool:
    """Return whether a cell without a mark has three digits: beside 1.234, 512 tells thousands, and 2 does not."""
    return any(re.fullmatch("[+-]?[0-9]{3,}", cell) for cell in cells)


def _has_long_cells(columns: Cells) -> bool:
    return any(_LONG.match(cell) for _, cell in _cells(columns))


def _looks_grouped(marks: NumberMarks, cells: Sequence[str], possible: Sequence[NumberMarks]) -> bool:
    """Return whether the decimal mark of a meaning looks like a thousands mark in a column.

    It does if all cells that have it have three decimals, others have no mark, and it may be a thousands mark.
    """
    marked = [cell for cell in cells if marks.decimal in cell]
    if not marked or len(marked) == len(cells):
        return False
    is_group = any(each.thousands == marks.decimal for each in possible)
    return is_group and all(re.search(rf"[{marks.decimal}][0-9]{{3}}$", cell) for cell in marked)


def _difference(columns: Cells, meanings: Sequence[NumberMarks]) -> tuple[str, str] | None:
    """Return the column and the text of a cell that has different values under several meanings."""
    for name, cell in _cells(columns):
        if len({each.plain(cell) for each in meanings if each.fits(cell)}) > 1:
            return name, cell
    return None


_ADVICE = 'state the decimal mark: `decimal_mark="."` or `decimal_mark=","`'


def _two_values(name: str, cell: str, meanings: Sequence[NumberMarks], why: str) -> FileFormatError:
    values = list(dict.fromkeys(f"{each.plain(cell)} {each}" for each in meanings if each.fits(cell)))
    return FileFormatError(
        f"a number can be read in two ways: received {shown(cell)} in {shown(name)}, which is {values[0]}, or "
        f"{values[-1]}; {why}; {_ADVICE}"
    )


def _undecided(columns: Cells, possible: Sequence[NumberMarks]) -> FileFormatError:
    found = _difference(columns, possible)
    if found is None:  # grouped beside long numbers without groups
        (grouped,) = [each for each in possible if each.thousands][:1] or [POINT]
        name, cell = next(
            (name, cell) for name, cell in _cells(columns) if grouped.thousands and grouped.plain(cell) != cell
        )
        return FileFormatError(
            f"numbers are written in two ways: received {shown(cell)} in {shown(name)}, and numbers of five or more "
            f"digits without a thousands mark; {_ADVICE}, or write all of them in one way"
        )
    return _two_values(*found, possible, "the other cells do not decide it")


def _no_meaning(columns: Cells) -> FileFormatError:
    """Return the error for cells that no meaning fits: it names two of them."""
    listed = list(_cells(columns))
    for place, (name, cell) in enumerate(listed):
        own = [each for each in _ALL if each.fits(cell)]
        for other, another in listed[:place]:
            theirs = [each for each in _ALL if each.fits(another)]
            if not any(each in theirs for each in own):
                return FileFormatError(
                    f"numbers are written in two ways: received {shown(another)} in {shown(other)}, which is "
                    f"{theirs[0].plain(another)} {theirs[0]}, and {shown(cell)} in {shown(name)}, which is "
                    f"{own[0].plain(cell)} {own[0]}; write all numbers of the table in one way"
                )
    return FileFormatError(
        f"numbers are written in several ways: received {shown(', '.join(cell for _, cell in listed[:3]))}; write all "
        "numbers of the table in one way"
    )


def _no_number(columns: Cells, meanings: Sequence[NumberMarks], stated: str) -> FileFormatError:
    best = max(meanings, key=lambda each: sum(each.fits(cell) for _, cell in _cells(columns)))
    name, cell = next((name, cell) for name, cell in _cells(columns) if not best.fits(cell))
    return _not_stated(name, cell, stated)


def _not_stated(name: str, cell: str, stated: str) -> FileFormatError:
    return FileFormatError(
        f"a number does not fit the decimal mark: received {shown(cell)} in {shown(name)}, and the decimal mark "
        f"{shown(stated)}; correct the cell, or leave `decimal_mark` out"
    )
