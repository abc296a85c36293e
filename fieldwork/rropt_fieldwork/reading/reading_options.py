"""How the rows of a table are read: one record, from which Python's arguments, options and keys of survey.toml come.

``rropt.cli.options`` makes an option of each field, ``read`` takes each field as an argument, and a declared question
has each field but the engine (``DeclaredReading``). The help of a field is its documentation in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, make_dataclass, replace
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Self, TypedDict

from rropt.core.errors import one_of


def _option(text: str, form: str = "", **how: str) -> dict[str, str]:
    """Return what the command line and the documentation say of a field of ``Reading``.

    Args:
        text: one sentence or more in plain words.
        form: the form of its value on the command line; empty for a field that is true or false.
        how: ``kind`` of the value (``list``, ``count``, or ``mark``, which may be a blank); ``many`` (``words`` after
            one option, or ``options``); ``part``: ``place`` for where the rows stand, ``made`` for what is made of
            their values.
    """
    return {"help": text, "form": form, **how}


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How the rows of a table are read, and what is made of them before they are counted.

    Attributes:
    """

    engine: Any = field(
        default="duckdb",
        metadata=_option(
            "library that reads and counts DATA: duckdb (the default); for Parquet also polars, or pyspark, "
            "which also accepts addresses of a cluster",
            "NAME",
        ),
    )
    table: str | None = field(
        default=None,
        metadata=_option(
            "name of the table in a DuckDB or SQLite file; needed if there are several", "NAME", part="place"
        ),
    )
    sheet: str | int | None = field(
        default=None,
        metadata=_option(
            "sheet of an Excel file: its name, or its number from 1 (default: the first)", "NAME", part="place"
        ),
    )
    separator: str | None = field(
        default=None,
        metadata=_option(
            "separator of the columns of a text file: , ; | or tab (default: the one by which its rows fit; a file "
            "that fits in two ways is an error)",
            "MARK",
            kind="mark",
            part="place",
        ),
    )
    header_rows: int | None = field(
        default=None,
        metadata=_option(
            "number of rows above the first respondent, if there are several: titles, names, wordings; the names "
            "stand in the first row that has all of them",
            "N",
            kind="count",
        ),
    )
    decimal_mark: str | None = field(
        default=None,
        metadata=_option(
            "decimal mark of weights and other numbers in texts, . or , (default: a point; a number with other "
            "marks is an error, and so is 1.234 where it may be 1234)",
            "MARK",
            kind="mark",
        ),
    )
    thousands_mark: str | None = field(
        default=None,
        metadata=_option(
            "thousands mark of these numbers: . , ' or a blank (default: any that is not the stated decimal mark)",
            "MARK",
            kind="mark",
        ),
    )
    codes: Any = field(
        default=(),
        metadata=_option(
            "columns of a Stata or SPSS file that are read as numbers, although some of their values have labels",
            "A,B,..",
            kind="list",
            part="made",
        ),
    )
    unweighted: bool = field(
        default=False, metadata=_option("count each row once, although an SPSS file weights its cases (WEIGHT BY)")
    )
    missing: Any = field(
        default=None,
        metadata=_option(
            'texts for a missing response, for example refused "prefer not" (default: NA, NaN, none, null, '
            "refused, verweigert or a dot; an empty cell always). They are left out of the estimates and "
            "counted; randomize refuses them. In other columns only an empty cell is missing, and among numbers "
            "in a regression also NA, NaN, null or a dot; COLUMN=TEXT names more, for example region=none",
            "TEXT",
            many="words",
            part="made",
        ),
    )
    ignore_case: bool = field(
        default=False, metadata=_option("ignore case in responses: Yes, yes and YES are the same", part="made")
    )
    blank: str | None = field(
        default=None,
        metadata=_option(
            "the answer for which an empty cell of a question stands, for example no for a box that is not "
            "ticked; leave those who were not asked out with --where",
            "TEXT",
            part="made",
        ),
    )
    recode: Any = field(
        default=None,
        metadata=_option(
            'bands of a number, "age: 0..17, 18..39, 40..", or joined levels, "sex: d, x -> f"; "ageband = age: '
            '0..17, 18.." makes a new column. All parts of a column stand in one text; give the option again for '
            "another column",
            "COLUMN: ...",
            many="options",
            part="made",
        ),
    )
    where: str | None = field(
        default=None,
        metadata=_option(
            "use the rows where a condition on columns is true, for example \"age >= 18 and region != 'X'\": = != "
            "< <= > >=, and, or, not, in ('a', 'b'), between 18 and 65, is missing. In a complex survey the "
            "selection is a domain",
            "CONDITION",
            part="made",
        ),
    )

    @property
    def given(self) -> dict[str, Any]:
        """The fields that are not their defaults, by name."""
        every = {one.name: (getattr(self, one.name), one.default) for one in fields(self)}
        return {
            name: value
            for name, (value, default) in every.items()
            if value is not default and not (isinstance(value, str | tuple) and value == default)
        }

    def checked(self) -> Self:
        """Return the record, whose texts can be read.

        Raises:
            InvalidParameterError: a separator, a mark, a condition, a recoding or a number of rows is not allowed.
        """
        from rropt_fieldwork.reading.conditions import RowCondition
        from rropt_fieldwork.reading.header_rows import checked_header_rows
        from rropt_fieldwork.reading.layouts import checked_separator
        from rropt_fieldwork.reading.number_marks import DECIMAL_MARKS, THOUSANDS_MARKS
        from rropt_fieldwork.reading.recodings import recoding_texts

        if self.separator is not None:
            checked_separator(self.separator)
        if self.decimal_mark is not None:
            one_of(self.decimal_mark, DECIMAL_MARKS, "`decimal_mark`")
        if self.thousands_mark is not None:
            one_of(self.thousands_mark, THOUSANDS_MARKS, "`thousands_mark`")
        if self.where is not None:
            RowCondition.of(self.where)
        if self.header_rows is not None:
            checked_header_rows(self.header_rows)
        recoding_texts(self.recode)
        return self

    def before(self, declared: Mapping[str, Any]) -> Self:
        """Return the record in which the fields of ``declared`` stand in place of defaults."""
        return replace(self, **{name: value for name, value in declared.items() if name not in self.given})


class ReadingOptions(TypedDict, total=False):
    """The fields of ``Reading`` as arguments of ``read``, for editors and type checkers."""

    engine: Any
    table: str | None
    sheet: str | int | None
    separator: str | None
    header_rows: int | None
    decimal_mark: str | None
    thousands_mark: str | None
    codes: Any
    unweighted: bool
    missing: Any
    ignore_case: bool
    blank: str | None
    recode: Any
    where: str | None


def _of(part: str) -> tuple[str, ...]:
    return tuple(one.name for one in fields(Reading) if one.metadata.get("part") == part)


OPTIONS = tuple(one.name for one in fields(Reading))
DECLARED = tuple(name for name in OPTIONS if name != "engine")  # keys of survey.toml
PLACE, MADE = _of("place"), _of("made")  # where the rows stand; what is made of their values

if TYPE_CHECKING:
    DeclaredReading = Reading
else:  # the fields but the engine; ``None``: not declared
    _FIELDS = [(name, Any, field(default=None)) for name in DECLARED]
    DeclaredReading = make_dataclass("DeclaredReading", _FIELDS, frozen=True, kw_only=True, slots=True)
    DeclaredReading.__module__ = __name__


def documented(indent: str = "    ") -> str:
    """Return the lines of a docstring that describe the fields."""
    return "\n".join(f"{indent}{one.name}: {one.metadata['help'].replace('--', '')}." for one in fields(Reading))


# Python 3.13 and newer take the common indentation off a docstring: the same is done for the others
Reading.__doc__ = cleandoc(Reading.__doc__ or "") + "\n" + documented()
