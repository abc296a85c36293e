"""Mechanisms as JSON (``{"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}``) and as CSV of the same rows."""

from __future__ import annotations

import csv
import io
import json
import os
from typing import Any

from rropt.errors import FileFormatError, shown
from rropt.files import parse_json, read_text
from rropt.mechanisms.mechanism import Mechanism

__all__ = ["from_csv", "from_dict", "from_json", "load_mechanism", "to_csv", "to_json"]


def to_json(mechanism: Mechanism) -> str:
    """Return ``{"matrix": ...}`` as JSON text: rows are outputs, numbers are strings."""
    return json.dumps(mechanism.to_dict())


def from_dict(data: Any, *, name: str | None = None) -> Mechanism:
    """Return the mechanism of ``{"matrix": ...}``.

    Raises:
        FileFormatError: another object.
        InvalidMechanismError: the matrix is no mechanism.
    """
    if not isinstance(data, dict) or set(data) != {"matrix"}:
        raise FileFormatError(
            f'a mechanism is not of the form {{"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}}: received {shown(data)}'
        )
    return Mechanism(data["matrix"], name=name)


def from_json(text: str, *, name: str | None = None) -> Mechanism:
    """Return the mechanism of a JSON text; numbers may be text or plain, and are read as they are written."""
    return from_dict(parse_json(text, what="mechanism"), name=name)


def to_csv(mechanism: Mechanism) -> str:
    """Return comma-separated values: one line per output, one column per input, without a header."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(mechanism.to_dict()["matrix"])
    return stream.getvalue()


def from_csv(text: str, *, name: str | None = None) -> Mechanism:
    """Return the mechanism of comma-separated values; blank lines are passed over."""
    try:
        rows = [
            row for row in csv.reader(io.StringIO(text), skipinitialspace=True) if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        raise FileFormatError(f"mechanism is not CSV: {error}") from None
    if not rows:
        raise FileFormatError("mechanism is empty: give one line of numbers per output")
    return Mechanism(rows, name=name)


def load_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism of a ``.json`` or ``.csv`` file; another ending is JSON if it begins with a brace."""
    text = read_text(path, what="mechanism")
    name = os.fspath(path)
    as_json = name.lower().endswith(".json") or (not name.lower().endswith(".csv") and text.lstrip().startswith("{"))
    return from_json(text, name=name) if as_json else from_csv(text, name=name)
