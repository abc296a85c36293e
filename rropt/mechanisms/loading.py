"""Mechanisms from files."""

from __future__ import annotations

import os

from rropt.files import read_text
from rropt.mechanisms.codecs import rows_from_csv, rows_from_json
from rropt.mechanisms.mechanism import Mechanism

__all__ = ["load_mechanism"]


def load_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism of a ``.json`` or ``.csv`` file; another ending is JSON if it begins with a brace.

    Raises:
        FileFormatError: the file cannot be read, is empty, or is neither JSON nor CSV.
        InvalidMechanismError: what it holds is no mechanism.
    """
    text = read_text(path, what="mechanism")
    name = os.fspath(path)
    as_json = name.lower().endswith(".json") or (not name.lower().endswith(".csv") and text.lstrip().startswith("{"))
    return Mechanism(rows_from_json(text) if as_json else rows_from_csv(text), name=name)
