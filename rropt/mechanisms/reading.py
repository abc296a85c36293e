"""Mechanisms and raw matrices from files: JSON, CSV and NumPy's ``.npy``."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

from rropt.errors import FileAccessError, FileFormatError, InvalidMechanismError, shown
from rropt.files import parse_json, read_text
from rropt.limits import MAX_FILE_BYTES, MAX_MATRIX_ENTRIES
from rropt.mechanisms.forms import rows_from_csv, rows_from_dict
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.raw_matrices import RawMatrix, from_array


def load_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism of a ``.json``, ``.csv`` or ``.npy`` file; another ending is JSON if it begins with a brace.

    JSON holds a mechanism of any form: ``{"matrix": [...]}``, ``{"product": [...]}``, as ``to_dict`` writes it.

    The floats of a ``.npy`` file mean their shortest decimals and have to be exactly stochastic as they stand.

    Raises:
        FileFormatError: the file cannot be read, is empty, or is neither JSON nor CSV nor an array of numbers.
        InvalidMechanismError: what it holds is no mechanism.
    """
    if str(path).lower().endswith(".npy"):
        raw = load_raw_matrix(path)
        if not raw.is_mechanism:
            raise InvalidMechanismError(
                f"the array is not exactly stochastic: received {shown(str(path))}, columns that miss the sum 1; "
                "allowed are columns that sum to exactly 1 in decimals; `rropt repair` gives the nearest exact "
                "mechanism, `rropt privacy` audits the array as it is"
            )
        return Mechanism(raw.entries, name=raw.name)
    text, is_json = _text(path)
    name = os.fspath(path)
    if is_json:
        return Mechanism.from_dict(parse_json(text, what="mechanism")).named(name)
    return Mechanism(rows_from_csv(text), name=name)


def load_raw_matrix(path: str | os.PathLike[str], *, transposed: bool = False) -> RawMatrix:
    """Return the matrix of a ``.json``, ``.csv`` or ``.npy`` file, whether or not it is exactly a mechanism.

    Args:
        path: the file; an ending other than these is JSON if it begins with a brace, else CSV.
        transposed: rows are inputs.

    Raises:
        FileFormatError: the file cannot be read, or is not of its format; a ``.npy`` file of Python objects.
        InvalidMechanismError: what it holds is nothing like a mechanism.
        UnsupportedProblemError: a mechanism of another form whose matrix is too large to be written out.
    """
    name = os.fspath(path)
    if name.lower().endswith(".npy"):
        return from_array(_array(path), transposed=transposed, name=name)
    text, is_json = _text(path)
    if not is_json:
        return from_array(rows_from_csv(text), transposed=transposed, name=name)
    data = parse_json(text, what="mechanism")
    written = isinstance(data, dict) and "matrix" not in data and set(data) <= set(Mechanism.FORMS)
    rows = Mechanism.from_dict(data).matrix if written and data else rows_from_dict(data)
    return from_array(rows, transposed=transposed, name=name)


def _text(path: str | os.PathLike[str]) -> tuple[str, bool]:
    """Return the text of a file, and whether it is JSON, by its ending or by its first brace."""
    text = read_text(path, what="mechanism")
    name = str(path).lower()
    return text, name.endswith(".json") or (not name.endswith(".csv") and text.lstrip().startswith("{"))


def _array(path: str | os.PathLike[str]) -> Any:
    """Return the array of a ``.npy`` file: numbers only, two-dimensional, of bounded size; nothing is unpickled."""
    import numpy

    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(f"mechanism cannot be read: {shown(str(path))}: {reason}") from None
    if len(data) > MAX_FILE_BYTES:
        raise FileFormatError(f"mechanism is too large: {shown(str(path))} has more than {MAX_FILE_BYTES} bytes")
    try:
        array = numpy.load(io.BytesIO(data), allow_pickle=False)
    except Exception:  # NumPy's reader raises a zoo of errors on files that are not its own, and advises to unpickle
        raise FileFormatError(
            f"mechanism is not a .npy file of numbers: received {shown(str(path))}; allowed is what numpy.save writes "
            "of a matrix of floats or integers"
        ) from None
    if not isinstance(array, numpy.ndarray) or array.ndim != 2 or array.dtype.kind not in "fiu":
        what = f"{array.dtype} of shape {array.shape}" if isinstance(array, numpy.ndarray) else type(array).__name__
        raise FileFormatError(f"mechanism is not a matrix of real numbers: {shown(str(path))} holds {what}")
    if array.size > MAX_MATRIX_ENTRIES:
        raise FileFormatError(
            f"mechanism is too large: {shown(str(path))} has shape {array.shape}; "
            f"at most {MAX_MATRIX_ENTRIES} entries are held explicitly"
        )
    return array
