"""TOML: read with limits and without evaluation, and written so that it reads back as the same values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from rropt.core.errors import FileFormatError
from rropt.core.files import toml_values
from rropt.core.visible import visible

FILE = "survey.toml"  # the declaration of a survey in a folder
_LARGEST = 1 << 20  # characters of a file
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LISTS = ("file", "fpc")  # a list of one is written as its only text

Values = Mapping[str, Any]


def parsed_toml(text: str, name: str) -> dict[str, Any]:
    """Return the values of a text in TOML; decimals are exact.

    Args:
        text: the text.
        name: the name of its file in messages.

    Raises:
        FileFormatError: the text is not TOML, or is too long.
    """
    if len(text) > _LARGEST:
        raise FileFormatError(f"{name} is too long: received {len(text)} characters; allowed are {_LARGEST}")
    try:
        return toml_values(text.replace("\r\n", "\n"), parse_float=Decimal)
    except (ValueError, RecursionError, ArithmeticError) as error:
        told = "nested too deeply" if isinstance(error, RecursionError) else visible(str(error))[:200]
        raise FileFormatError(
            f'{name} is not TOML: {told}; a text stands in quotation marks, as in weights = "w"'
        ) from None


def toml_text(
    values: Values, name: str, tables: Mapping[str, Values], remarks: Mapping[tuple[str, ...], str] | None = None
) -> str:
    """Return values as TOML; values of ``None`` are left out.

    Args:
        values: the values at the top.
        name: the name of the table of the tables.
        tables: the tables by name.
        remarks: comments, by the keys of the line: ``("weights",)``, ``("questions", "sick", "device")``; of a table,
            ``("questions", "sick")``; above all, ``()``.
    """
    told = remarks or {}
    lines = [f"# {line}".rstrip() for line in told.get((), "").splitlines()]
    lines += [_line(key, value, told.get((key,))) for key, value in values.items() if value is not None]
    for title, own in tables.items():
        lines += ["", f"[{name}.{_key(title)}]{_comment(told.get((name, title)))}"]
        lines += [_line(key, value, told.get((name, title, key))) for key, value in own.items() if value is not None]
    return "\n".join(lines).lstrip("\n") + "\n"


def _line(key: str, value: Any, remark: str | None) -> str:
    if key in _LISTS and len(value) == 1:
        value = value[0]
    return f"{_key(key)} = {_value(value)}{_comment(remark)}"


def _comment(remark: str | None) -> str:
    return f"  # {visible(remark)}" if remark else ""


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(name)} = {_value(each)}' for name, each in value.items())}}}"
    listed: Sequence[Any] = value
    return f"[{', '.join(map(_value, listed))}]"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    """Return a basic string of TOML; characters that cannot be seen are written by their numbers."""
    return f'"{"".join(map(_character, text))}"'


def _character(one: str) -> str:
    if one in '"\\':
        return f"\\{one}"
    return one if one.isprintable() else f"\\U{ord(one):08X}"
