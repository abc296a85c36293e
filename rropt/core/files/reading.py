"""Reading: read untrusted files with limits and without evaluation."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from rropt.core.errors import FileAccessError, FileFormatError, required, shown
from rropt.core.files.streams import is_stream, stream
from rropt.core.files.targets import path_text
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_FILE_BYTES, MAX_MATRIX_ENTRIES

_MAX_DEPTH = 32  # valid files nest fewer than 10 levels; the parser of json recurses
_NUMBER = re.compile(r"[+-]?[0-9.]+(?:/[0-9]+|[eE][+-]?[0-9]+)?")
_BRACKETS_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


class Content(NamedTuple):
    """The content of a file.

    Attributes:
        kind: ``"json"``, ``"csv"`` or ``"npy"``.
        data: the JSON value (``parse_json``), the rows of stripped cells, or the array.
    """

    kind: str
    data: Any


def read_content(path: str | os.PathLike[str], *, what: str) -> Content:
    """Read a file as NumPy's ``.npy``, JSON or CSV.

    The extension ``.npy`` selects NumPy's format. A text that begins with a brace or a bracket is JSON; any other text
    is CSV. A single value such as ``null`` is JSON only in a file with the extension ``.json``.

    Args:
        path: the path of the file.
        what: the kind of file, for error messages.

    Raises:
        FileAccessError: the file cannot be read.
        FileFormatError: the file is too large, empty, or not of its format.
    """
    name = str(path).lower() if isinstance(path, str | os.PathLike) else ""
    if name.endswith(".npy"):
        return Content("npy", _array(path, what))
    text = read_text(path, what=what)
    is_value = name.endswith(".json") and len(text.split()) == 1 and "," not in text
    return Content("json", parse_json(text, what=what)) if is_value else parse_content(text, what=what)


def parse_content(text: str, *, what: str) -> Content:
    """Parse a text as JSON or as CSV; see ``looks_like_json``."""
    if looks_like_json(text):
        return Content("json", parse_json(text, what=what))
    return Content("csv", parse_csv(text, what=what))


def looks_like_json(text: str) -> bool:
    """Return whether a text begins like JSON; rows of numbers and paths do not."""
    return text.lstrip().startswith(("{", "["))


def parse_csv(text: str, *, what: str) -> list[list[str]]:
    """Parse separated values into rows of stripped cells; blank lines are skipped.

    The separator is the semicolon if the text contains one, else the tab if it contains one, else the comma. If the
    text contains none of these and every word is a number, blanks separate the cells, as in files of NumPy's savetxt.
    """
    delimiter = next((sign for sign in ";\t" if sign in text), ",")
    try:
        lines = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
        rows = [[cell.strip() for cell in row] for row in lines]
    except csv.Error as error:
        raise FileFormatError(f"{what} is not CSV: {error}") from None
    rows = [row for row in rows if len(row) > 1 or any(row)]
    if all(len(row) == 1 for row in rows) and all(_NUMBER.fullmatch(word) for (cell,) in rows for word in cell.split()):
        rows = [cell.split() for (cell,) in rows]
    if not rows:
        raise FileFormatError(f"{what} is empty: give one line per row")
    return rows


def read_text(path: str | os.PathLike[str], *, what: str) -> str:
    """Read a UTF-8 file of at most 64 MiB; ``what`` names the kind of file in errors.

    Raises:
        FileAccessError: the file does not exist, is a directory, or may not be read.
        FileFormatError: the file is too large, empty, or not UTF-8.
    """
    data = _bytes(path, what)
    if not data.strip():
        raise FileFormatError(f"{what} is empty: {shown(str(path))} contains nothing; give another file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(f"{what} is not text: {shown(str(path))} is not UTF-8; save it as UTF-8") from None


def parse_json(text: str, *, what: str, is_repeated: bool = True) -> Any:
    """Parse JSON; numbers stay text, so none is rounded.

    Args:
        text: the text.
        what: what the text is, for messages.
        is_repeated: whether a message may repeat the text; not where it may hold responses.

    Raises:
        FileFormatError: the text is not JSON, or has a duplicate key, NaN, Infinity or more than 32 levels of nesting.
        InvalidParameterError: the argument is not a text.
    """
    required(text, str, what, "the text of its JSON")
    depth = deepest = 0
    for token in _BRACKETS_OR_STRING.findall(text):
        depth += (token in "[{") - (token in "]}")
        deepest = max(deepest, depth)
    if deepest > _MAX_DEPTH:
        raise FileFormatError(f"{what} is nested {deepest} levels deep: allowed are {_MAX_DEPTH}; reduce the nesting")

    def constant(token: str) -> NoReturn:
        raise FileFormatError(f"{what} contains {token}: numbers must be finite; write fractions as text")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(items)
        if len(data) < len(items):
            keys = [key for key, _ in items]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise FileFormatError(f"{what} has the key {shown(twice)} twice: each key may occur only once")
        return data

    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=constant, object_pairs_hook=pairs)
    except (json.JSONDecodeError, RecursionError) as error:
        is_table = "\n" in text.strip() and not looks_like_json(text)  # its rows may be responses
        received = f"; received {shown(text)}" if is_repeated and not is_table else ""
        raise FileFormatError(f"{what} is not JSON: {error}{received}") from None


def _bytes(path: str | os.PathLike[str], what: str) -> bytes:
    try:
        if is_stream(os.fspath(path)):
            data = stream_bytes(os.fspath(path))
        else:
            with Path(path).open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError, TypeError) as error:  # a null character in the path, or not a path
        if isinstance(error, FileAccessError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(
            f"{what} cannot be read: {shown(path_text(path))}: {reason}; give the name of a file that can be read"
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise FileFormatError(f"{what} is too large: {shown(str(path))} has more than {MAX_FILE_BYTES} bytes")
    return data


def stream_bytes(path: str) -> bytes:
    """Read a pipe or a device, at most one byte more than the limit on the size of a file."""
    pieces, size = [], 0
    for piece in stream(path):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_FILE_BYTES:
            break
    return b"".join(pieces)[: MAX_FILE_BYTES + 1]


def _array(path: str | os.PathLike[str], what: str) -> Any:
    """Read a ``.npy`` file of a two-dimensional array of real numbers of limited size, without unpickling."""
    try:
        array = np.load(io.BytesIO(_bytes(path, what)), allow_pickle=False)
    except (FileAccessError, FileFormatError):
        raise
    except Exception:  # NumPy raises many kinds of errors for other files, and some advise to unpickle
        raise FileFormatError(
            f"{what} is not a .npy file of numbers: received {shown(str(path))}; allowed is what numpy.save writes "
            "of a matrix of floats or integers"
        ) from None
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in "fiu":
        held = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise FileFormatError(f"{what} is not a matrix of real numbers: {shown(str(path))} holds {held}")
    if array.size > MAX_MATRIX_ENTRIES:
        raise FileFormatError(
            f"{what} is too large: {shown(str(path))} has shape {array.shape}; "
            f"at most {MAX_MATRIX_ENTRIES} entries are held explicitly"
        )
    return array
