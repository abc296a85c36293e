"""``rropt read``: the columns of a table, as functions receive them, and the same table as plain CSV.

It shows what the options of reading make of a file before anything is estimated from it.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from rropt.core.errors import InvalidParameterError, names_of, shown
from rropt.core.normal_form import normal, normal_caseless
from rropt.core.visible import visible
from rropt_fieldwork.declaration.initial_survey import ListedColumn, ListedTable, values_text
from rropt_fieldwork.reading.missing import MissingTexts, flat_texts
from rropt_fieldwork.reading.table import table_of

_MOST_VALUES = 12  # values of a column that are listed
_WHOLE, _NUMBERS, _TEXTS = "whole numbers", "numbers", "texts"
_KINDS = {"b": "truth values", "i": _WHOLE, "u": _WHOLE, "f": _NUMBERS, "M": "dates and times"}
_FORMS = {_WHOLE: re.compile(r"[+-]?\d{1,300}"), _NUMBERS: re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")}


def list_columns(data: Any, columns: str | Sequence[str] = ()) -> ListedTable:
    """List what a table is read as, as ``rropt read`` does.

    Args:
        data: what ``read`` returns, or what it takes.
        columns: the names of the columns; none: all.

    The reading's ``missing``, ``blank`` and ``ignore_case`` apply to the listed columns, as to questions.

    Returns:
        The number of selected rows, and for each column its type, the number of its different values, the number of
        missing ones, and up to 12 values.

    Raises:
        InvalidParameterError: the data have no such column, or a column is named twice.

    >>> list_columns({"sick": ["no", "yes", "yes"], "age": [18, 30, 40]}).columns[0].values
    'no, yes'
    """
    found = _arrays(data, columns)
    return ListedTable(_length(found), tuple(_column(name, values) for name, values in found.items()))


def plain_csv(data: Any, columns: str | Sequence[str] = ()) -> str:
    """Return a table as plain CSV: UTF-8, commas, a header, decimal points; a missing value is an empty cell.

    Args:
        data: what ``read`` returns, or what it takes.
        columns: the names of the columns; none: all.

    Raises:
        InvalidParameterError: the data have no such column, or a column is named twice.

    >>> plain_csv({"sick": ["no", "yes"], "age": [18.5, float("nan")]})
    'sick,age\\nno,18.5\\nyes,\\n'
    """
    found = _arrays(data, columns)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(found)
    cells = [["" if _is_missing(one) else one for one in values.tolist()] for values in found.values()]
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue()


def _arrays(data: Any, columns: Any) -> dict[str, Any]:
    """Return the columns by name, from one reading; each is read as a question, with its texts for no answer."""
    table = table_of(data)
    asked = names_of(columns, "columns") if columns else table.columns
    times = Counter(asked)
    if repeated := [name for name, n in times.items() if n > 1]:
        raise InvalidParameterError(
            f"a column is named twice: received {shown(repeated[0])}; name each column once, in `columns`"
        )
    reading, found = table.reading, table.arrays(list(asked))
    texts = MissingTexts.of(flat_texts(reading.missing), asked)
    for name, values in found.items():
        if values.dtype.kind == "O":
            gone = {normal(one) for one in (*(texts.answers or ()), *texts.of_answers(name))}
            form = normal_caseless if reading.ignore_case is True else str
            cells = ["" if normal(str(one)) in gone else form(one) for one in values.tolist()]
            found[name] = np.array([reading.blank or "" if one == "" else one for one in cells], object)
    return found


def _length(found: dict[str, Any]) -> int:
    return max(map(len, found.values()), default=0)


def _is_missing(value: Any) -> bool:
    return value is None or value == "" or value != value  # NaN differs from itself


def _column(name: str, values: Any) -> ListedColumn:
    """Return a column with its type, as functions receive it."""
    filled = [one for one in values.tolist() if not _is_missing(one)]
    kind = _kind_of_texts(filled) if isinstance(values, np.ndarray) and values.dtype.kind == "O" else ""
    kind = kind or _KINDS.get(np.asarray(values).dtype.kind, _TEXTS)
    order = {_WHOLE: int, _NUMBERS: float}.get(kind, str)
    different = sorted(set(filled), key=order)
    texts = [visible(str(one)) for one in different] if len(different) <= _MOST_VALUES else []
    return ListedColumn(name, kind, len(different), len(values) - len(filled), values_text(texts))


def _kind_of_texts(texts: Sequence[Any]) -> str:
    """Return what all texts of a column are by their form."""
    if not texts:
        return "empty"
    for kind, form in _FORMS.items():
        if all(isinstance(one, str) and form.fullmatch(one) for one in texts):
            return kind
    return _TEXTS
