"""Mechanisms from files."""

from __future__ import annotations

import os

from rropt.errors import InvalidMechanismError, shown
from rropt.files import parse_json, read_text
from rropt.mechanisms.codecs import rows_from_csv
from rropt.mechanisms.mechanism import Mechanism


def load_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism of a ``.json``, ``.csv`` or ``.npy`` file; another ending is JSON if it begins with a brace.

    JSON holds a mechanism of any form: ``{"matrix": [...]}``, ``{"product": [...]}``, as ``to_dict`` writes it.

    The floats of a ``.npy`` file mean their shortest decimals and have to be exactly stochastic as they stand.

    Raises:
        FileFormatError: the file cannot be read, is empty, or is neither JSON nor CSV nor an array of numbers.
        InvalidMechanismError: what it holds is no mechanism.
    """
    if str(path).lower().endswith(".npy"):
        return _of_array(path)
    text = read_text(path, what="mechanism")
    name = os.fspath(path)
    as_json = name.lower().endswith(".json") or (not name.lower().endswith(".csv") and text.lstrip().startswith("{"))
    if not as_json:
        return Mechanism(rows_from_csv(text), name=name)
    return Mechanism.from_dict(parse_json(text, what="mechanism")).named(name)


def _of_array(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism of a ``.npy`` file, exactly stochastic."""
    from rropt.mechanisms.imports import load_raw_matrix

    raw = load_raw_matrix(path)
    if not raw.is_mechanism:
        raise InvalidMechanismError(
            f"the array is not exactly stochastic: received {shown(str(path))}, floats whose columns miss the sum 1; "
            "allowed are columns that sum to exactly 1 in decimals; `rropt repair` gives the nearest exact mechanism, "
            "`rropt privacy` audits the array as it is"
        )
    return Mechanism(raw.entries, name=raw.name)
