"""Import mechanisms and matrices from files and names.

``load_mechanism`` reads the exact matrix that decimals stand for (``rropt.mechanisms.rounding``), ``load_raw_matrix``
the numbers as they are, for an audit (``rropt.mechanisms.raw_matrices``). None of the tools that write such files is
imported.

Functions that need a mechanism convert the argument on entry (``required_mechanism``): an object, a matrix or a text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from rropt.core.errors import (
    FileFormatError,
    InvalidParameterError,
    UnsupportedProblemError,
    required,
    shown,
)
from rropt.core.exact.numbers import without_decimal_commas
from rropt.core.files import read_content
from rropt.mechanisms.columns import listed_rows
from rropt.mechanisms.families import MembershipMechanism
from rropt.mechanisms.mechanism import BESIDE, Mechanism
from rropt.mechanisms.named import named_mechanism
from rropt.mechanisms.raw_matrices import MatrixAudit, audit

_NAME = re.compile(r"[a-z][a-z-]*(:.*)?", re.IGNORECASE)  # does not match a file name with a dot


def mechanism_of_argument(text: str, *, transposed: bool = False) -> Mechanism:
    """Return the mechanism in a file, or a named design if no file has this name.

    ``Mechanism(text)`` does the same.

    Args:
        text: ``"warner:3/4"``, ``"forced:2/3,1/6,1/6"``, ``"bits:3/4*10"``, or the path of a JSON, CSV or npy file.
        transposed: whether the rows of the matrix in the file are inputs.

    Raises:
        FileAccessError, FileFormatError, InvalidMechanismError: as in ``load_mechanism``.
        InvalidParameterError: as in ``named_mechanism``.

    >>> print(Mechanism("warner:3/4").epsilon)
    log(3)
    """
    exists = os.path.exists(text)  # noqa: PTH110  # Path.exists raises for names that no file can have
    if exists or not _NAME.fullmatch(text):
        return load_mechanism(text, transposed=transposed)
    if transposed:
        raise InvalidParameterError(
            f"`transposed` is for the matrix of a file: received it with the named design {shown(text)}; leave it out"
        )
    return named_mechanism(text)


def audit_of_argument(mechanism: str, *, transposed: bool = False) -> MatrixAudit:
    """Audit the numbers in a file as they are, or a named design if no file has this name.

    Args:
        mechanism: the path of a file, or the name of a design with its parameters.
        transposed: whether the rows are inputs.

    Raises:
        UnsupportedProblemError: a design with more than 4 096 entries that is given by formulas.
        Also as ``load_raw_matrix`` and ``named_mechanism``.
    """
    if os.path.exists(mechanism):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return load_raw_matrix(mechanism, transposed=transposed)
    named = mechanism_of_argument(mechanism, transposed=transposed)
    if isinstance(named, MembershipMechanism) and not named.is_small:
        raise UnsupportedProblemError(
            f"the mechanism is given by formulas and too large for a matrix: received {shown(mechanism)}; allowed are "
            "its levels: parity, epsilon, delta and the profile"
        )
    return audit(named)


def load_mechanism(path: str | os.PathLike[str], *, transposed: bool = False) -> Mechanism:
    """Load a mechanism from a ``.json``, ``.csv`` or ``.npy`` file; text that begins with a brace is read as JSON.

    A JSON file contains a mechanism in any form, such as ``{"matrix": [...]}`` or ``{"product": [...]}``, as written by
    ``to_dict``, optionally with a ``name``. It may also contain a certificate of a design, or a result with its
    mechanism (``rropt design --json``). Then the claimed mechanism is returned; ``check`` decides whether the claim of
    a certificate is true.

    A list of rows in JSON is the matrix too. Decimals stand for an exact matrix, as those of an array do
    (``Mechanism.rounding``).

    Args:
        path: the file.
        transposed: whether the rows of the matrix are inputs and sum to 1.

    Raises:
        FileFormatError: the file cannot be read, is empty, or is neither JSON nor CSV nor an array of numbers.
        InvalidMechanismError: the content is not a mechanism.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidParameterError(f"the mechanism has no file name: received {shown(path)}; give the name of a file")
    kind, data = read_content(path, what="mechanism")
    name = os.fspath(path)
    if kind == "json":
        data = _matrix_object(claimed_mechanism(data))
        if transposed:
            data = {**data, "matrix": _exchanged(data, name)}
        made = Mechanism.from_dict(data)
        return made if made.name else made.named(name)
    return Mechanism(_csv_rows(data, name) if kind == "csv" else data, transposed=transposed, name=name)


def _matrix_object(data: Any) -> Any:
    """Return a list of rows as the JSON of a matrix; other JSON is unchanged."""
    return {"matrix": data} if isinstance(data, list) else data


def _is_matrix(data: Any) -> bool:
    """Return whether a JSON object is that of a mechanism which is written as a matrix."""
    return isinstance(data, dict) and set(data) - set(BESIDE) == {"matrix"}


def _exchanged(data: Any, name: str) -> list[tuple[Any, ...]]:
    """Return the matrix of a JSON object with rows and columns exchanged."""
    if not _is_matrix(data):
        raise FileFormatError(
            f"`transposed` is for a matrix: received {shown(name)}, which has another form; leave it out"
        )
    return list(zip(*listed_rows(data["matrix"]), strict=True))


def _csv_rows(rows: list[list[str]], name: str) -> list[list[str]]:
    """Return the nonempty rows of a CSV file; reject decimal commas such as in ``0,75,0,25``."""
    rows = [row for row in rows if any(row)]
    meant = [
        without_decimal_commas(",".join(row)) if len(row) > 2 and all(map(str.isdigit, row)) else None for row in rows
    ]
    if all(meant) and any(int(cell) > 1 for row in rows for cell in row):
        raise FileFormatError(
            f"the commas of the matrix look like decimal commas: received {shown(name)} with the row "
            f"{','.join(rows[0])[:40]}; separate its columns by semicolons, {(meant[0] or '')[:40]}, or write points"
        )
    return rows


def claimed_mechanism(data: Any) -> Any:
    """Return the JSON of the mechanism that a certificate claims, or that a result contains; other JSON is unchanged.

    The mechanism of a design for cards or dice is the one that they play, as in the file of ``--output``.
    """
    given = data if isinstance(data, dict) else {}
    if "format" in given:
        claim = given.get("claim")
        stated = [claim.get("mechanism")] if isinstance(claim, dict) else []
    else:
        stated = [given.get("played"), given.get("mechanism")] if "result" in given else []
    return next((one for one in stated if isinstance(one, dict)), data)


def numbers_of_file(path: str, *, transposed: bool = False) -> list[list[Any]]:
    """Return the numbers of the matrix in a file as they are written, also if they are no mechanism.

    Args:
        path: a ``.json``, ``.csv`` or ``.npy`` file.
        transposed: whether the rows are inputs.

    Raises:
        FileFormatError: the file cannot be read, or contains a mechanism in another form.
    """
    kind, data = read_content(path, what="mechanism")
    if kind == "json":
        data = _matrix_object(claimed_mechanism(data))
        if not _is_matrix(data):
            raise FileFormatError(f"the mechanism is no matrix: received {shown(path)}, which has another form")
        data = data["matrix"]
    rows = listed_rows(_csv_rows(data, path) if kind == "csv" else data)
    return [list(row) for row in zip(*rows, strict=True)] if transposed else rows


def load_raw_matrix(path: str | os.PathLike[str], *, transposed: bool = False) -> MatrixAudit:
    """Load the matrix in a ``.json``, ``.csv`` or ``.npy`` file, whether or not it is exactly a mechanism.

    Args:
        path: the file.
        transposed: whether the rows are inputs.

    Raises:
        FileFormatError: the file cannot be read, does not have the format of its extension, or is a ``.npy`` file of
            Python objects.
        InvalidMechanismError: the content is not even approximately a mechanism.
        UnsupportedProblemError: the file contains a mechanism in another form, and its matrix is too large to be
            written out.
    """
    name = os.fspath(path)
    kind, data = read_content(path, what="mechanism")
    if kind == "json":
        data = _matrix_object(claimed_mechanism(data))
        data = data["matrix"] if _is_matrix(data) else Mechanism.from_dict(data).matrix
    elif kind == "csv":
        data = _csv_rows(data, name)
    return audit(data, transposed=transposed, name=name)


_MECHANISM = "a matrix, Mechanism('warner:3/4') or Mechanism('file.json')"


def stated_mechanism(value: Any) -> Any:
    """Return the mechanism of a result, such as a ``Solution`` or a played design, as its JSON states it.

    Any other value is returned unchanged.
    """
    stated = (getattr(value, name, None) for name in ("played", "mechanism"))
    return next((own for own in stated if isinstance(own, Mechanism)), value)


def required_mechanism(value: object, name: str = "the mechanism") -> Mechanism:
    """Return a mechanism that is given as an object, as a matrix, or as a text: ``"warner:3/4"`` or the path of a file.

    A result stands for its mechanism (``stated_mechanism``). A matrix is read as ``Mechanism(matrix)`` reads it.

    Raises:
        InvalidParameterError: the argument has another type.
        InvalidMechanismError: the matrix is no mechanism.
        Also as ``mechanism_of_argument``, if the argument is a text.
    """
    if isinstance(value, Mechanism):
        return value
    given = value if isinstance(value, str) else stated_mechanism(value)
    if isinstance(given, str):
        return mechanism_of_argument(given)
    return Mechanism(given) if is_matrix(given) else required(given, Mechanism, name, _MECHANISM)


def is_matrix(value: Any) -> bool:
    """Return whether a value has the form of a matrix with two columns or more: an array, a frame, or a list of lists.

    A single column, such as a frame with one column of responses, is no mechanism that reveals anything.
    """
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(row, (list, tuple)) or getattr(row, "shape", ()) for row in value)
    shape = getattr(value, "shape", ())
    return isinstance(shape, tuple) and len(shape) == 2 and shape[1] > 1


def required_mechanisms(values: object, name: str = "the mechanisms") -> Sequence[Mechanism]:
    """Return a list of mechanisms, each given as an object or as a text.

    Raises:
        InvalidParameterError: the argument is not a list or tuple, or an item is not a mechanism.
    """
    if not isinstance(values, (list, tuple)):
        raise InvalidParameterError(
            f"{name} are not in a list: received {shown(values)}, of type {type(values).__name__}; allowed is a list "
            f"of Mechanism; write [first, second], each {_MECHANISM}"
        )
    return [required_mechanism(value, f"number {i} of {name}") for i, value in enumerate(values)]


setattr(Mechanism, "_of_text", staticmethod(mechanism_of_argument))  # noqa: B010  # Mechanism is in a lower layer
