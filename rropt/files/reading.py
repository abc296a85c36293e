"""Reading: untrusted text is read with limits and never evaluated."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, NoReturn

from rropt.errors import FileAccessError, FileFormatError, shown
from rropt.limits import MAX_FILE_BYTES

_MAX_DEPTH = 32  # nesting of honest files is below 10; json's own scanner recurses
_BRACKETS_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def read_text(path: str | os.PathLike[str], *, what: str) -> str:
    """Return the text of a UTF-8 file of at most 64 MiB; ``what`` names its kind in errors.

    Raises:
        FileAccessError: no such file, a directory, no permission.
        FileFormatError: too large, empty, or not UTF-8.
    """
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError, TypeError) as error:  # a null character in the path, or no path at all
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(f"{what} cannot be read: {shown(str(path))}: {reason}") from None
    if len(data) > MAX_FILE_BYTES:
        raise FileFormatError(f"{what} is too large: {shown(str(path))} has more than {MAX_FILE_BYTES} bytes")
    if not data.strip():
        raise FileFormatError(f"{what} is empty: {shown(str(path))}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(f"{what} is not text: {shown(str(path))} is not UTF-8") from None


def parse_json(text: str, *, what: str) -> Any:
    """Return the JSON value of ``text``; numbers stay text, so that none is rounded.

    Raises:
        FileFormatError: not JSON, a duplicate key, NaN or Infinity, or nested deeper than 32.
    """
    depth = deepest = 0
    for token in _BRACKETS_OR_STRING.findall(text):
        depth += (token in "[{") - (token in "]}")
        deepest = max(deepest, depth)
    if deepest > _MAX_DEPTH:
        raise FileFormatError(f"{what} is nested {deepest} levels deep: at most {_MAX_DEPTH} are allowed")

    def constant(token: str) -> NoReturn:
        raise FileFormatError(f"{what} holds {token}: numbers must be finite; write fractions as text")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(items)
        if len(data) < len(items):
            keys = [key for key, _ in items]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise FileFormatError(f"{what} has the key {shown(twice)} twice: each key may stand once")
        return data

    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=constant, object_pairs_hook=pairs)
    except (json.JSONDecodeError, RecursionError) as error:
        raise FileFormatError(f"{what} is not JSON: {error}; received {shown(text)}") from None
