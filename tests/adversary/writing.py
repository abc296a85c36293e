"""Writing JSON that ``json.dumps`` would not: duplicate keys and bare tokens; and paths into a document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]


class Pairs(list[tuple[str, Any]]):
    """An object as a list of pairs: a key may stand twice."""


class Bare(str):
    """A token that is written as it stands."""

    __slots__ = ()


def write(value: Any) -> str:
    """Return the JSON text of a value."""
    if isinstance(value, Bare):
        return str(value)
    if isinstance(value, (Pairs, dict)):
        pairs = value if isinstance(value, Pairs) else value.items()
        return "{" + ", ".join(f"{json.dumps(key)}: {write(entry)}" for key, entry in pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write, value)) + "]"
    return json.dumps(value)


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Return every position below the top with its value, containers before what they hold."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inside:
        yield (*path, key), entry
        yield from walk(entry, (*path, key))


def leaves(document: Any) -> list[Path]:
    """Return the positions that hold no others: texts, truth values and null."""
    return [path for path, value in walk(document) if not isinstance(value, (dict, list))]


def is_number(value: Any) -> bool:
    """Return whether a value is the text of a number."""
    return isinstance(value, str) and value.lstrip("-").replace("/", "", 1).isdigit()


def at(document: Any, path: Path) -> Any:
    """Return the value at a position."""
    for key in path:
        document = document[key]
    return document


def put(document: Any, path: Path, value: Any) -> Any:
    """Return a copy of a document with another value at a position; it shares the rest."""
    if not path:
        return value
    changed = document.copy()
    changed[path[0]] = put(document[path[0]], path[1:], value)
    return changed


def replace(document: Any, path: Path, value: Any) -> None:
    """Put another value at a position of the document itself."""
    at(document, path[:-1])[path[-1]] = value
