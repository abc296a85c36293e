"""JSON as interfaces give it: rows in an envelope (``{"count": 2, "results": [...]}``), and answers in nested groups.

A name such as ``sensitive.spinner`` or ``sensitive/spinner`` leads into groups. Such a text is read once by Python's
``json``, and becomes one plain object for each respondent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.normal_form import named_in, normal
from rropt.core.visible import with_noun
from rropt_fieldwork.reading.files_in_memory import file_in_memory

_MOST_BYTES = 1 << 29
_SEPARATORS = "./"
_SAMPLE = 1 << 20  # characters in which the first object is looked for
_BLOCK = 4096

Rows = list[dict[str, Any]]


class _NoJsonError(ValueError):
    """Raised for JSON with a key twice, or with an invalid number."""


def unfolded(path: str, name: str, names: Sequence[str], stack: ExitStack) -> tuple[str, tuple[str, ...]] | None:
    """Return the path of plain objects with the requested columns, and remarks; ``None`` for another form of JSON.

    Args:
        path, name: a text in UTF-8, and its name in messages.
        names: the requested columns; empty: all.
        stack: closes the text in memory.

    Raises:
        FileFormatError: several keys of an envelope hold rows.
        InvalidParameterError: a column holds objects or lists.
    """
    if Path(path).stat().st_size > _MOST_BYTES or _is_plain(path, names):
        return None
    try:
        found = _rows(Path(path).read_text(encoding="utf-8-sig"), name)
    except (ValueError, RecursionError) as error:
        if isinstance(error, FileFormatError):
            raise
        return None
    if found is None:
        return None
    rows, envelope = found
    mark = "/" if any("/" in key for row in rows[:1] for key in row) else "."
    flat = [_flat(row, mark) for row in rows] if not names else []
    for row in rows:
        for each in names:
            if isinstance(value := _value(row, each), dict | list):
                raise held_error(each, value)
    inner = (each for row in rows for each in names if named_in(each, row) is None and _has(row, each))
    if not envelope and names and next(inner, None) is None:
        return None  # a plain table, in which a key may be absent
    remarks = (f"the rows of {name} are those of its key {envelope}",) * bool(envelope)
    columns = list(dict.fromkeys(key for row in flat for key in row))
    if names:  # those that some object has: others are unknown
        columns = [each for each in names if any(_has(row, each) for row in rows)]

    def chunks() -> Iterator[bytes]:
        for start in range(0, len(rows), _BLOCK):
            lines = []
            for place, row in enumerate(rows[start : start + _BLOCK], start):
                own = {each: flat[place].get(each) if flat else _value(row, each) for each in columns}
                lines.append(json.dumps(own))
            yield "".join(f"{line}\n" for line in lines).encode()

    return file_in_memory(chunks(), stack, name=name), remarks


def _is_plain(path: str, names: Sequence[str]) -> bool:
    """Return whether the first object has all names, and a plain value for each; without names, only plain values."""
    with Path(path).open(encoding="utf-8-sig", errors="replace") as stream:
        sample = stream.read(_SAMPLE).lstrip()
    text = sample.removeprefix("[").lstrip()
    try:
        first, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return sample.startswith("[")  # an envelope may be longer
    if not isinstance(first, dict):
        return True
    held = [named_in(each, first) for each in names] if names else list(first)
    return all(key is not None and not isinstance(first[key], dict | list) for key in held)


def _rows(text: str, name: str) -> tuple[Rows, str] | None:
    """Return the objects of the respondents, and the key of the envelope that holds them; "" without one."""
    how: dict[str, Any] = {"object_pairs_hook": _object, "parse_constant": _constant}
    try:
        whole = json.loads(text, **how)
    except json.JSONDecodeError:
        whole = [json.loads(line, **how) for line in text.splitlines() if line.strip()]
    if isinstance(whole, dict):
        keys = [key for key, value in whole.items() if _are_rows(value)]
        if len(keys) > 1:
            raise FileFormatError(
                f"several keys hold rows: received {shown(', '.join(keys))} in {name}; save the one with the responses "
                "as a file of its own"
            )
        return (whole[keys[0]], _told(whole, keys[0])) if keys else None
    return (whole, "") if _are_rows(whole) else None


def _told(whole: dict[str, Any], key: str) -> str:
    """Return the key that holds the rows, and whether they are one page of several."""
    count, rows = whole.get("count"), len(whole[key])
    is_page = (type(count) is int and count > rows) or bool(whole.get("next") or whole.get("@odata.nextLink"))
    more = f" of {count}" if type(count) is int and count > rows else ""
    return shown(key) + (f": a page of {with_noun(rows, 'row')}{more}; name the files of all pages" if is_page else "")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _NoJsonError("a key is there twice")
    return found


def _constant(text: str) -> float:
    raise _NoJsonError(f"{text} is no number")


def _are_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _value(row: dict[str, Any], name: str) -> Any:
    """Return the value of a name, which may lead into groups; ``None`` if it is absent."""
    own = named_in(name, row)
    if own is not None:
        return row[own]
    values = (_value(group, rest) for group, rest in _groups(row, name))
    return next((value for value in values if value is not None), None)


def _has(row: dict[str, Any], name: str) -> bool:
    """Return whether an object has a name, which may lead into groups; its value may be null."""
    return named_in(name, row) is not None or any(_has(group, rest) for group, rest in _groups(row, name))


def _groups(row: dict[str, Any], name: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the groups that a name may lead into, and the rest of the name."""
    left = normal(name)
    for key, value in row.items():
        own = normal(key)
        if isinstance(value, dict) and left.startswith(own) and left[len(own) :][:1] in _SEPARATORS:
            yield value, left[len(own) + 1 :]


def _flat(row: dict[str, Any], mark: str, before: str = "") -> dict[str, Any]:
    """Return the values of an object and of its groups; lists are left out."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            found |= _flat(value, mark, f"{before}{key}{mark}")
        elif not isinstance(value, list):
            found[f"{before}{key}"] = value
    return found


def held_error(name: str, value: object) -> InvalidParameterError:
    """Return the error for a column that holds objects or lists."""
    if isinstance(value, dict) and value:
        inner = f"name one of their keys, such as {shown(f'{name}.{next(iter(value))}')}"
        return InvalidParameterError(f"a column holds objects: received {shown(name)}; {inner}")
    return InvalidParameterError(
        f"a column holds {'lists' if isinstance(value, list) else 'objects'}: received {shown(name)}; allowed are "
        "texts, numbers and truth values; save the answers as one value each"
    )
