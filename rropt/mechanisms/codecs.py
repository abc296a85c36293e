"""The text forms of a matrix: JSON (``{"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}``) and CSV of the same rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.errors import FileFormatError, shown
from rropt.exact import as_text


def text_rows(matrix: Sequence[Sequence[Fraction]]) -> list[list[str]]:
    """Return the entries as strings, row by row."""
    return [[as_text(x) for x in row] for row in matrix]


def rows_from_dict(data: Any) -> Any:
    """Return what stands under the only key ``matrix``; whether it is a matrix is for ``Mechanism`` to say."""
    if not isinstance(data, dict) or set(data) != {"matrix"}:
        raise FileFormatError(
            f'a mechanism is not of the form {{"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}}: received {shown(data)}'
        )
    return data["matrix"]


def csv_text(matrix: Sequence[Sequence[Fraction]]) -> str:
    """Return comma-separated values: one line per output, one column per input, without a header."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(text_rows(matrix))
    return stream.getvalue()


def rows_from_csv(text: str) -> list[list[str]]:
    """Return the rows of comma-separated values; blank lines are passed over."""
    try:
        rows = [row for row in csv.reader(io.StringIO(text), skipinitialspace=True) if any(map(str.strip, row))]
    except csv.Error as error:
        raise FileFormatError(f"mechanism is not CSV: {error}") from None
    if not rows:
        raise FileFormatError("mechanism is empty: give one line of numbers per output")
    return rows
