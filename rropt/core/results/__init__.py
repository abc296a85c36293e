"""Results: one protocol to save, reload and print the results of public functions.

A public result is a frozen dataclass that derives from ``Result``. The protocol needs only its fields and their
annotations. ``to_dict`` writes exact numbers as strings, and floats under the same keys in ``decimals``. ``from_dict``
reads the values by the annotations and never evaluates text. ``lines`` returns pairs (label, value) for display.

>>> from dataclasses import dataclass
>>> from fractions import Fraction
>>> @dataclass(frozen=True, slots=True)
... class Share(Result):
...     yes: int
...     n: int
...     LABELS = labelled(share="share of yes", n="answers")
...     @property
...     def share(self) -> Fraction:
...         return Fraction(self.yes, self.n)
>>> Share(1, 3).to_dict()
{'yes': 1, 'n': 3, 'share': '1/3', 'decimals': {'share': 0.3333333333333333}}
>>> Share.from_dict(Share(1, 3).to_dict()) == Share(1, 3), Share(1, 3).lines()
(True, [('share of yes', '1/3 ~ 0.333333333'), ('answers', '3')])
>>> Share(1, 3)
<Share share=1/3 n=3>
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.exact import Bracket, both_texts, decimal_text, rational_where
from rropt.core.exact.display import enclosure_text, in_full, is_in_full
from rropt.core.files import parse_json
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results.answer_text import answer_parts, value_text
from rropt.core.results.json_reading import equal_in_json, own_part, read_result
from rropt.core.results.json_writing import (
    Extended,
    field_annotations,
    is_extended,
    merged_records,
    plain_dict,
    record_of,
    rounded_matrix,
    value_of,
    written,
)
from rropt.core.results.layout import Table, tables_as_text
from rropt.core.visible import html_text, visible

if TYPE_CHECKING:
    from typing import Self

__all__ = [
    "Extended",
    "Result",
    "Table",
    "display_text",
    "equal_in_json",
    "field_annotations",
    "html_lines",
    "html_tables",
    "labelled",
    "merged_records",
    "own_part",
    "plain_dict",
    "plain_lines",
    "read_result",
    "record_of",
    "remarks_of",
    "rounded_matrix",
    "unverified_lines",
    "written",
]

_SHORT = 24  # maximal number of characters of a value in a repr
_FEW = 3  # maximal number of values in a repr
_LONGEST_REPR = 160  # characters of the lines in a repr
_PLAIN = re.compile(r"(?:\b(?:str|int|float|bool|Fraction|None|tuple)\b|[\[\], |.])+")  # types of texts and numbers
_LISTED = 12  # maximal number of items of a list that are displayed


def labelled(**titles: str) -> Mapping[str, str]:
    """Return the labels of a class: attribute -> label, in the order of ``lines``."""
    return ReadOnlyMapping(titles)


def remarks_of(result: Any) -> Sequence[str]:
    """Return the remarks on a result: its own, and one for each certificate in its fields that failed."""
    remarks = getattr(result, "remarks", ())
    failed: dict[str, None] = {}
    left, shared = [result], dict[int, Any]()  # what all rows of a result share is looked at once
    while left:
        one = left.pop()
        if isinstance(one, type):
            continue
        if failure := getattr(one, "failure", ""):
            failed[f"the result is not proved: its certificate failed: {failure}"] = None
        kind: Any = type(one)
        for name in reversed(_fields_with_parts(kind)):  # the last in the list is looked at first
            part = getattr(one, name)
            if isinstance(part, tuple) and part and isinstance(part[0], Result):
                left += reversed(part)
            elif id(part) not in shared:
                left.append(shared.setdefault(id(part), part))
    return (*(remarks() if callable(remarks) else remarks), *failed)


@cache
def _fields_with_parts(kind: type) -> tuple[str, ...]:
    """Return the fields of a dataclass, without those that are declared as texts, numbers, or tuples of them."""
    fields: Mapping[str, Any] = getattr(kind, "__dataclass_fields__", {})
    return tuple(name for name, field in fields.items() if not _PLAIN.fullmatch(str(field.type)))


class Result:
    """Base class of the results of public functions: a frozen dataclass that can print and save itself.

    In a class with several bases, ``Result`` comes first. A subclass may declare:

    ``LABELS``
        A mapping attribute -> label (with its unit), in the order of ``lines``. The default is all fields, labelled by
        their names. An attribute that is not a field (a property, or a method without arguments) is also written to
        JSON. An attribute with the label "" is written only to JSON.
    ``ANSWER``
        What ``repr`` shows: names of attributes, of methods without arguments, or paths such as ``found.n``; or
        ``("lines",)`` for the first of ``lines``. The default is the first attributes of ``LABELS`` that are short.
    ``kind``
        A class variable that distinguishes the classes that a field may contain; it is a key in JSON.
    ``from_proof``
        For a result with a certificate: a class method that builds the result from keys of JSON, including the
        certificate. The keys are read by the annotations of the method's arguments, and nothing is solved. All other
        keys of a file must agree with the result. The field ``unverified`` names the parts that cannot be verified.
    ``recompute``
        For a result without a certificate: a class method that computes the result again from keys of JSON. All other
        keys of a file must agree with the recomputed result.

    Fields with ``compare=False`` are not written to JSON. ``from_dict`` calls the method ``checked`` if the class has
    one. ``checked`` raises an error if the contents of a file are inconsistent. It returns the names that do not follow
    from the certificate, and these become the field ``unverified``.
    """

    __slots__ = ()
    unverified: tuple[str, ...] = ()  # keys read from a file that the file's certificate does not prove
    LABELS: ClassVar[Mapping[str, str]] = labelled()
    ANSWER: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__repr__" not in vars(cls):  # otherwise `dataclass` generates a long one
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON: exact numbers are strings, and ``decimals`` has floats under the same keys."""
        return plain_dict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Read a result from the output of ``to_dict``.

        Raises:
            FileFormatError: a key is missing or unknown, a value has the wrong form, or a derived value contradicts
                the fields.
        """
        made: Self = read_result(cls, data)
        return made

    def to_json(self) -> str:
        """Return the JSON text of ``to_dict``, with the name of the class under ``result``."""
        return json.dumps({"result": type(self).__name__, **self.to_dict()}, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a result from the output of ``to_json``, or of a command with ``--json``."""
        return cls.from_dict(parse_json(text, what=cls.__name__))

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for display; missing values are left out."""
        return plain_lines(self)

    def as_tables(self) -> list[Table]:
        """Return the tables to print; by default one table, made of ``lines``."""
        return [("", None, self.lines())]

    def summary(self, *, width: int | None = None, exact: bool = False) -> str:
        """Return the tables of the result as text, as a command prints them.

        Args:
            width: in columns; by default ``COLUMNS``, else the width of the terminal, else 80.
            exact: whether to show every number in full.
        """
        if width is not None:
            width = int(rational_where(width, lambda n: n.denominator == 1 <= n, "an integer from 1", name="width"))
        with in_full(exact):
            return tables_as_text(self.as_tables(), width)

    def to_markdown(self) -> str:
        """Return the tables of the result as Markdown."""
        from rropt.core.results.markup import markdown_of

        return markdown_of(self.as_tables())

    def to_latex(self) -> str:
        """Return the tables of the result as LaTeX, for the package booktabs, and its matrices as formulas."""
        from rropt.core.results.markup import latex_table

        tables = [latex_table(title, header or (), rows) for title, header, rows in self.as_tables()]
        matrices = [matrix.to_latex() for matrix in self.matrices().values() if hasattr(matrix, "to_latex")]
        return "\n\n".join([*tables, *matrices])

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return the rows of ``to_frame``: one for each thing, numbers as floats in full precision, texts as texts."""
        from rropt.core.results.result_frames import plain_rows

        return plain_rows(self)

    def to_frame(self) -> Any:
        """Return the result as a data frame of pandas: one row for each thing, numbers in numeric columns.

        A thing is a group, a category, a coefficient, a design; numbers have full precision.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from rropt.core.results.markup import required_pandas
        from rropt.core.results.result_frames import columns_of

        return required_pandas().DataFrame(columns_of(self.frame_rows()))

    def to_csv(self) -> str:
        """Return the rows of ``to_frame`` as CSV."""
        from rropt.core.results.result_frames import csv_text

        return csv_text(self.frame_rows())

    def matrices(self) -> Mapping[str, Any]:
        """Return the matrices and mechanisms by name; a command prints them below the tables."""
        return {}

    def __str__(self) -> str:
        lines = self.lines()
        width = max((len(what) for what, _ in lines), default=0)
        text = "\n".join(f"{what.ljust(width)}  {value}" for what, value in lines)
        return visible(text, keep="\n")

    def __repr__(self) -> str:
        kind = type(self)
        if self.ANSWER == ("lines",):
            own = [f"{value_text(what)}: {value_text(text)}" for what, text in self.lines()[:_FEW]]
            told = "; ".join(own)
            return visible(f"<{kind.__name__} {told if len(told) <= _LONGEST_REPR else told[:_LONGEST_REPR] + '...'}>")
        if self.ANSWER:
            own = answer_parts(self, self.ANSWER)
        else:
            said: Any = [name for name, title in self.LABELS.items() if title] or field_annotations(kind)
            parts = ((name, value_text(value_of(self, name))) for name in said)
            own = [f"{name}={text}" for name, text in parts if text and " " not in text and len(text) <= _SHORT][:_FEW]
        return visible(f"<{' '.join([kind.__name__, *own])}>")

    def _repr_html_(self) -> str:
        return html_tables(self.as_tables())


def unverified_lines(result: Any) -> list[tuple[str, str]]:
    """Return a line that names the values of a file that its certificate does not prove; empty if all are proved."""
    return [("not verified", ", ".join(result.unverified))] if result.unverified else []


def html_lines(lines: Sequence[tuple[str, str]]) -> str:
    """Return (label, value) pairs as an HTML table with left-aligned cells (notebooks align them to the right)."""
    left = ' style="text-align:left"'
    rows = (f"<tr><th{left}>{html_text(a)}</th><td{left}>{html_text(b)}</td></tr>" for a, b in lines)
    return f"<table>{''.join(rows)}</table>"


def html_tables(tables: Sequence[Table]) -> str:
    """Return tables as HTML, each below its title: columns of numbers to the right, all others to the left."""
    from rropt.core.results.layout import without_empty_columns
    from rropt.core.results.markup import is_numeric

    parts = []
    for title, header, rows in tables:
        if header is None:
            table = html_lines([(row[0], ", ".join(filter(None, row[1:]))) for row in rows])
            parts.append(table.replace("<table>", f"<table>{_caption(title)}", 1))
            continue
        header, rows = without_empty_columns(header, rows)
        sides = ["right" if is_numeric(column) else "left" for column in zip(*rows, strict=True)]
        sides = sides or ["left"] * len(header)

        def line(cells: Sequence[str], tag: str, sides: list[str] = sides) -> str:
            pairs = zip(cells, sides, strict=True)
            inner = (f'<{tag} style="text-align:{side}">{html_text(cell)}</{tag}>' for cell, side in pairs)
            return f"<tr>{''.join(inner)}</tr>"

        body = "".join(line(row, "td") for row in rows)
        parts.append(f"<table>{_caption(title)}<thead>{line(header, 'th')}</thead><tbody>{body}</tbody></table>")
    return "".join(parts)


def _caption(title: str) -> str:
    return f'<caption style="text-align:left">{html_text(title)}</caption>' if title else ""


def plain_lines(result: Result) -> list[tuple[str, str]]:
    """Return (label, value) pairs by ``LABELS`` and the annotations; the default of ``Result.lines``."""
    titles: Any = result.LABELS or {name: name.replace("_", " ") for name in field_annotations(type(result))}
    said = (
        (title, display_text(value_of(result, name), field_annotations(type(result)).get(name)))
        for name, title in titles.items()
    )
    return [*((title, text) for title, text in said if title and text), *unverified_lines(result)]


def display_text(value: Any, hint: Any = None) -> str:
    """Return a value for display, exact and decimal; an empty text for a missing value."""
    if value is None:
        return "infinite" if is_extended(hint) else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return decimal_text(value)
    if type(value) is Bracket:
        return both_texts(value.upper) if value.is_exact else enclosure_text(value.lower, value.upper)
    if isinstance(value, Fraction) or hasattr(value, "near"):
        return "infinite" if str(value) == "inf" else both_texts(value)
    if isinstance(value, frozenset) or (isinstance(value, Sequence) and not isinstance(value, str)):
        listed = len(value) if is_in_full() else _LISTED
        said = ("none" if item is None else display_text(item) for item in list(value)[:listed])
        return ", ".join(said) + ", ..." * (len(value) > listed)
    if isinstance(value, Mapping):
        return ", ".join(f"{display_text(key)}: {display_text(item)}" for key, item in list(value.items())[:_LISTED])
    return str(value)
