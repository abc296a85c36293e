"""TOML that others wrote: its nesting is bounded before it is parsed.

The parser of Python's standard library takes time and memory quadratic in the length of a dotted key: 24 kilobytes of
``a.a.a = 1`` take 0.6 gigabytes.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from typing import Any

_MOST_LEVELS = 32  # as in JSON
_STRINGS = re.compile(
    r"""\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|\#[^\n]*""", re.DOTALL
)
_BETWEEN_KEYS = re.compile(r"[\n=,{}\[\]]")
_BRACKETS = re.compile(r"[][{}]")


def toml_values(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the values of a text in TOML.

    Args:
        text: the text.
        parse_float: as for ``tomllib.loads``.

    Raises:
        TOMLDecodeError: the text is not TOML, or a key has more than 32 parts, or values are nested more deeply.

    >>> toml_values("a.b = 1")
    {'a': {'b': 1}}
    """
    plain = _STRINGS.sub(lambda found: "" if found[0].startswith("#") else "s", text)
    parts = 1 + max(piece.count(".") for piece in _BETWEEN_KEYS.split(plain))
    if parts > _MOST_LEVELS:
        raise tomllib.TOMLDecodeError(f"a key has {parts} parts with dots between them: allowed are {_MOST_LEVELS}")
    depth = deepest = 0
    for bracket in _BRACKETS.findall(plain):
        depth = max(0, depth + (1 if bracket in "[{" else -1))
        deepest = max(deepest, depth)
    if deepest > _MOST_LEVELS:
        raise tomllib.TOMLDecodeError(f"it is nested {deepest} levels deep: allowed are {_MOST_LEVELS}")
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:
        if "int_max_str_digits" not in str(error):
            raise
        raise tomllib.TOMLDecodeError(
            f"a number has too many digits: allowed are {sys.get_int_max_str_digits()}; write a long number as a text"
        ) from None
