"""Mechanisms and raw matrices from files: JSON, CSV and NumPy's ``.npy``."""

from __future__ import annotations

import os

from rropt.errors import InvalidMechanismError, shown
from rropt.files import read_content
from rropt.mechanisms.forms import rows_from_dict
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.raw_matrices import RawMatrix, from_array


def load_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism of a ``.json``, ``.csv`` or ``.npy`` file: JSON begins with a brace.

    JSON holds a mechanism of any form: ``{"matrix": [...]}``, ``{"product": [...]}``, as ``to_dict`` writes it.

    The floats of a ``.npy`` file mean their shortest decimals and have to be exactly stochastic as they stand.

    Raises:
        FileFormatError: the file cannot be read, is empty, or is neither JSON nor CSV nor an array of numbers.
        InvalidMechanismError: what it holds is no mechanism.
    """
    kind, data = read_content(path, what="mechanism")
    name = os.fspath(path)
    if kind == "json":
        return Mechanism.from_dict(data).named(name)
    if kind == "csv":
        return Mechanism([row for row in data if any(row)], name=name)
    raw = from_array(data, name=name)
    if not raw.is_mechanism:
        raise InvalidMechanismError(
            f"the array is not exactly stochastic: received {shown(str(path))}, columns that miss the sum 1; "
            "allowed are columns that sum to exactly 1 in decimals; `rropt repair` gives the nearest exact "
            "mechanism, `rropt privacy` audits the array as it is"
        )
    return Mechanism(raw.entries, name=raw.name)


def load_raw_matrix(path: str | os.PathLike[str], *, transposed: bool = False) -> RawMatrix:
    """Return the matrix of a ``.json``, ``.csv`` or ``.npy`` file, whether or not it is exactly a mechanism.

    Args:
        path: the file.
        transposed: rows are inputs.

    Raises:
        FileFormatError: the file cannot be read, or is not of its format; a ``.npy`` file of Python objects.
        InvalidMechanismError: what it holds is nothing like a mechanism.
        UnsupportedProblemError: a mechanism of another form whose matrix is too large to be written out.
    """
    name = os.fspath(path)
    kind, data = read_content(path, what="mechanism")
    if kind == "json":
        written = isinstance(data, dict) and "matrix" not in data and set(data) <= set(Mechanism.FORMS)
        data = Mechanism.from_dict(data).matrix if written and data else rows_from_dict(data)
    elif kind == "csv":
        data = [row for row in data if any(row)]
    return from_array(data, transposed=transposed, name=name)
