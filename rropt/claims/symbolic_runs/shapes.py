"""The shapes of a claim: numbers of rows and columns, integers and texts; at a shape every fraction is a symbol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims.domains import Domain, Point
from rropt.core.errors import InvalidParameterError
from rropt.core.mappings import ReadOnlyMapping

_MOST_SIZES = 8  # of a variable that are listed
MAXIMUM = "largest_"  # prefix of the symbols of maxima
_UNNAMED = re.compile("[^a-z0-9_]")  # characters that the names of certificates do not contain


class NotProvedError(InvalidParameterError):
    """The run on symbols does not prove a claim; the message contains the reason."""


def shapes_of(points: Iterable[Point]) -> dict[Any, list[Point]]:
    """Return points by their shape."""
    found: dict[Any, list[Point]] = {}
    for point in points:
        found.setdefault(key_of(dict(point)), []).append(point)
    return found


def shape_text(variables: Sequence[str], shapes: Sequence[Sequence[Point]]) -> str:
    """Return the sizes, integers and texts of shapes, by variable: ``n = 1, 2; P of size 2 x 2, 2 x 3``.

    The text is empty if no variable has any of these; all points then have one shape. A long list is abridged to its
    first and last value.
    """
    points = [listed[0] for listed in shapes]
    parts = []
    for name in variables:
        values = [point[name] for point in points]
        found = {_size(value) for value in values}
        if len(found) < len(set(map(key_of, values))):  # sizes do not distinguish the shapes
            found = {_size(value, full=True) for value in values}
        texts = sorted(found - {""}, key=_order)
        if len(texts) > _MOST_SIZES:
            is_range = all(type(value) is int for value in values) and len(texts) == max(values) - min(values) + 1
            texts = [f"{'' if is_range else f'{len(texts)} from '}{texts[0]} to {texts[-1]}"]
        if texts:
            is_plain = all(type(point[name]) in (int, str) for point in points)
            parts.append(f"{name} {'=' if is_plain else 'of size'} {', '.join(texts)}")
    return "; ".join(parts)


def _order(text: str) -> tuple[int, str]:
    return len(text), text


def _size(value: Any, *, full: bool = False) -> str:
    """Describe the shape of a value: ``2 x 3`` for a matrix; an integer or a text is itself.

    With ``full`` all keys of a mapping and all parts of a list are listed, and a fraction is ``*``.
    """
    if isinstance(value, Mapping):
        parts = [f"{key}: {size}" for key, part in value.items() if (size := _size(part, full=full))]
        return f"({', '.join(parts)})" if parts or full else ""
    if isinstance(value, (tuple, list)):
        if full or any(isinstance(part, (int, str)) for part in value):
            return f"({', '.join(_size(part, full=full) for part in value)})"
        inner = list(dict.fromkeys(map(_size, value)))
        return str(len(value)) + (f" x {inner[0]}" if len(inner) == 1 and inner[0] else "")
    return ("*" if full else "") if type(value) is Fraction else str(value)


def key_of(value: Any) -> Any:
    """Return a value with its fractions replaced by a placeholder: the common part of all points of a shape.

    Raises:
        NotProvedError: the value has an unsupported type.
    """
    if type(value) in (dict, ReadOnlyMapping):  # other mappings may answer otherwise than the dict of a run
        return tuple((key, key_of(part)) for key, part in value.items())
    if type(value) in (tuple, list):
        return type(value).__name__, *map(key_of, value)
    if type(value) is Fraction:
        return "*"
    if type(value) is bool:
        return "bool", value  # True and 1 are equal
    if type(value) in (int, str, type(None)):
        return value
    raise NotProvedError(f"a value of the type {type(value).__name__}")


def leaves_of(point: Mapping[str, Any]) -> dict[tuple[Any, ...], Any]:
    """Return a symbol for each fraction of a point, indexed by path.

    Raises:
        NotProvedError: two fractions would get the same symbol and count as equal, or a name is reserved.
    """
    named: dict[str, tuple[Any, ...]] = {}
    for path in numbers_of(point):
        name = _UNNAMED.sub("_", "_".join(map(str, path)).lower())  # a name that certificates allow
        if named.setdefault(name, path) != path:
            raise NotProvedError(f"two entries have the name {name}: rename a variable or a key")
        if name.startswith(MAXIMUM):
            raise NotProvedError(f"the engine gives the name {name} a meaning of its own: rename the variable")
    return {path: sp.Symbol(name) for name, path in named.items()}


def numbers_of(value: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Fraction]:
    """Return the fractions inside a nested value, indexed by path."""
    if isinstance(value, Mapping):
        return {p: x for key, part in value.items() for p, x in numbers_of(part, (*path, key)).items()}
    if isinstance(value, (tuple, list)):
        return {p: x for place, part in enumerate(value) for p, x in numbers_of(part, (*path, place)).items()}
    return {path: value} if type(value) is Fraction else {}


def eliminated(variables: Mapping[str, Domain], points: Sequence[Point], leaves: dict[tuple[Any, ...], Any]) -> None:
    """Replace the last entry of every group that sums to 1 by 1 minus the other entries.

    Raises:
        NotProvedError: the points of a shape have different groups.
    """
    for name, domain in variables.items():
        listed = [list(domain.whole_groups(point[name])) if domain.whole_groups else [] for point in points]
        if any(groups != listed[0] for groups in listed):
            raise NotProvedError(f"the groups of {name} differ from value to value of one shape")
        for group in listed[0]:
            paths = [(name, *path) for path in group]
            known: list[Any] = [leaves.get(path) for path in paths]
            if known and all(part is not None and part.is_Symbol for part in known):
                leaves[paths[-1]] = sp.Integer(1) - sum(known[:-1])
