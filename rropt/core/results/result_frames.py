"""Rows of numbers of a result, for data frames and CSV files: one row for each thing, one column for each number.

``Result.frame_rows`` uses ``plain_rows`` unless a class has rows of its own.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.errors import RroptError
from rropt.core.exact.numbers import nearest_float

Cell = str | int | float | bool | None
Row = dict[str, Cell]

_DEEPEST = 3  # objects in objects
_LEFT_OUT = (
    "decimals",
    "matrix",
    "mechanism",
    "certificate",
    "kind",
    "twins",
    "question",
    "problem",
    "region",
    "routes",
)
_LONGEST = 500  # characters of a text in a cell: pages and programs are no cells
_LEVELS = {"rational": "{}", "log": "log({})"}  # forms of epsilon in JSON, as texts
_ENDS = {"recommended": "", "interval": "", "ends": ""}  # an interval with one of these names is low and high
_INTERVALS = re.compile(r"(intervals?|simultaneous|ends|bounds)(_\w+)?$|^recommended$")
_NO_ROWS = ("items", "devices", "samples", "behaviours", "mechanisms", "certificates")  # what a result is made of
_TEXTS = re.compile(r"(name|title|group|category|design|first|second|share|label|text|remark|by)$")
_REAL = re.compile(r"[-+*/() \d]*(?:(?:exp|log|sqrt)\([-+*/() \d]*){1,20}")
_RATIO = r"\d{1,200}(?:/[1-9]\d{0,199})?"
_ROOT = re.compile(rf"(?:(-?{_RATIO}) (?=[-+]))?([-+]?) ?(?:({_RATIO})\*)?sqrt\(({_RATIO})\)")
_UNIT = 10**60  # the precision of a root: 60 digits, so that a difference has 15
_EXACT = re.compile(r"(log\()?(-?(?:0|[1-9]\d{0,299}))(?:/([1-9]\d{0,299}))?(?(1)\))")


def parts_of(result: Any) -> Sequence[Any]:
    """Return the parts of a result that are its rows: the first field with several results; empty without one."""
    for name in getattr(result, "__dataclass_fields__", ()):
        value = None if name in _NO_ROWS else getattr(result, name)
        if isinstance(value, (tuple, list)) and value and all(hasattr(part, "frame_rows") for part in value):
            return value
    return ()


def plain_rows(result: Any) -> list[Row]:
    """Return one row for each part of a result, or one row; the columns are the keys of its JSON.

    Parts that are no rows themselves, such as certificates, make one row of the result. A column in which every cell is
    missing is left out.
    """
    rows = [row_of(part.to_dict()) for part in parts_of(result)] or [row_of(result.to_dict())]
    empty = {name for row in rows for name in row} - {n for row in rows for n, x in row.items() if x is not None}
    return [{name: cell for name, cell in row.items() if name not in empty} for row in rows]


def row_of(record: Mapping[str, Any]) -> Row:
    """Return the numbers and texts of a JSON object; exact numbers are the nearest floats.

    >>> row_of({"n": 3, "estimate": "1/3", "interval": [0.1, 0.5], "decimals": {"estimate": 0.25}})
    {'n': 3, 'estimate': 0.25, 'low': 0.1, 'high': 0.5}
    """
    own = dict(_cells(record, record.get("decimals", {}), "", 0))
    return own | {name: cell for name, cell in _settings(record) if name not in own}


def _settings(record: Mapping[str, Any]) -> Iterator[tuple[str, Cell]]:
    """Yield the probabilities of a binary mechanism, and level, sizes and objective of a problem, by short names."""
    made = record.get("mechanism")
    rows = made.get("matrix") if isinstance(made, Mapping) else None
    if isinstance(rows, list) and [len(row) for row in rows] == [2, 2]:
        yield "p00", _exact(str(rows[0][0]))
        yield "p11", _exact(str(rows[1][1]))
    problem = record.get("problem", record)
    region = problem.get("region") if isinstance(problem, Mapping) else None
    level: Mapping[str, Any] = region if isinstance(region, Mapping) else {}
    for key in ("epsilon", "delta", "inputs", "outputs"):
        value = level.get(key)
        if isinstance(value, Mapping) and len(value) == 1:
            ((form, number),) = value.items()
            value = _LEVELS[form].format(number) if form in _LEVELS else None
        found = _exact(value) if isinstance(value, str) else None
        if found is not None:
            yield key, int(found) if key in ("inputs", "outputs") else found
    objective = problem.get("objective") if isinstance(problem, Mapping) else None
    if isinstance(objective, Mapping):
        yield "objective", str(objective.get("kind"))


def row_with(**cells: Any) -> Row:
    """Return a row: texts, truth values and counts as they are, exact numbers as the nearest floats.

    >>> row_with(question=0, prevalence=Fraction(1, 4), device="warner:3/4")
    {'question': 0, 'prevalence': 0.25, 'device': 'warner:3/4'}
    """
    plain = (str, bool, int, float, type(None))
    return {name: value if isinstance(value, plain) else nearest_float(value) for name, value in cells.items()}


def _cells(record: Mapping[str, Any], decimals: Any, before: str, depth: int) -> Iterator[tuple[str, Cell]]:
    near = decimals if isinstance(decimals, Mapping) else {}
    for key, value in record.items():
        if key in _LEFT_OUT:
            continue
        name, own = f"{before}{key}", near.get(key)
        if isinstance(value, Mapping):
            if depth < _DEEPEST and "matrix" not in value and "format" not in value:
                yield from _cells(value, value.get("decimals", own), f"{name}_", depth + 1)
        elif isinstance(value, list):
            ends = own if isinstance(own, list) else value
            numbers = all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in ends)
            if len(ends) == 2 and numbers and _INTERVALS.search(name):
                title = _ENDS.get(key, f"{name}_")
                yield f"{title}low", float(ends[0])
                yield f"{title}high", float(ends[1])
        elif isinstance(own, (int, float)) and not isinstance(own, bool):
            yield name, float(own)
        elif isinstance(value, str) and not _TEXTS.search(key) and (found := _exact(value)) is not None:
            yield name, found
        elif isinstance(value, str) and (len(value) > _LONGEST or "\n" in value):
            continue
        elif value is None or isinstance(value, (str, int, float)):
            yield name, value


def _exact(text: str) -> float | None:
    """Return the float of an exact number as JSON has it: 3, 1/3, log(3), inf; ``None`` for another text."""
    if text == "inf":
        return math.inf
    found = _EXACT.fullmatch(text)
    if found is None:
        return _real(text)
    value = nearest_float(Fraction(int(found[2]), int(found[3] or 1)))
    if not found[1] or value is None:
        return value
    return math.log(value) if value > 0 else None


def _real(text: str) -> float | None:
    """Return the float of an exact real number, 7/10 - 1/4*exp(1) or 1/2 + 1/20*sqrt(5); ``None`` for another text."""
    if found := _ROOT.fullmatch(text):
        plain, sign, factor, radicand = Fraction(found[1] or 0), found[2], Fraction(found[3] or 1), Fraction(found[4])
        root = Fraction(math.isqrt(radicand.numerator * radicand.denominator * _UNIT**2), radicand.denominator * _UNIT)
        return nearest_float(plain - factor * root if sign == "-" else plain + factor * root)
    if not _REAL.fullmatch(text):
        return None
    from rropt.core.exact.texts import READERS

    try:
        return nearest_float(READERS["ExactReal"](text))
    except RroptError:
        return None


def columns_of(rows: Sequence[Row]) -> dict[str, list[Cell]]:
    """Return the columns of rows, in the order of their first appearance; a missing number is NaN, a text empty."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _column([row.get(name) for row in rows]) for name in names}


def _column(cells: list[Cell]) -> list[Cell]:
    """Return a column of one kind: numbers, truth values or texts."""
    given = [cell for cell in cells if cell is not None]
    if any(isinstance(cell, str) for cell in given):
        return ["" if cell is None else str(cell) for cell in cells]
    if len(given) < len(cells):
        return [float("nan") if cell is None else float(cell) for cell in cells]
    return cells


def csv_text(rows: Sequence[Row]) -> str:
    """Return rows as CSV with a header; floats have the digits that identify them, and a missing cell is empty."""
    names = [*dict.fromkeys(name for row in rows for name in row)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([["" if row.get(name) is None else row[name] for name in names] for row in rows])
    return out.getvalue()
