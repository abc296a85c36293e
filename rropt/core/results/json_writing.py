"""Convert results to JSON: fields by their annotations, exact numbers as strings, floats under ``decimals``."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from rropt.core.exact import Bracket
from rropt.core.exact.display import as_text
from rropt.core.exact.numbers import float_rows, nearest_float
from rropt.core.limits import MAX_ROUNDED_ENTRIES

Extended = Annotated[Fraction | None, "infinite"]  # a rational, or infinite: ``None`` in Python, "inf" in JSON


def plain_dict(result: Any, replaced: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a dataclass as a dictionary for JSON; the default of ``Result.to_dict``.

    Args:
        result: the dataclass.
        replaced: values that are written in place of those of some keys.
    """
    cls = type(result)
    hints, names, kind = _FORMS.get(cls) or _FORMS.setdefault(cls, _form_of(cls))
    other = replaced or {}
    values = {name: other[name] if name in other else value_of(result, name) for name in names}
    record = record_of(values, hints)
    return {"kind": kind, **record} if kind else record


def rounded_matrix(rows: Sequence[Sequence[Fraction]]) -> dict[str, Any]:
    """Return the decimals of a matrix for a record that states how it is computed.

    There are none for a very large matrix, or if an entry exceeds the floats.
    """
    if len(rows) * len(rows[0]) > MAX_ROUNDED_ENTRIES:
        return {}
    try:
        return {"decimals": [[float(f"{x:.9g}") for x in row] for row in float_rows(rows)]}
    except OverflowError:  # an entry exceeds 1.8e308
        return {}


def _form_of(cls: type[Any]) -> tuple[dict[str, Any], tuple[str, ...], str | None]:
    """Return the annotations of the fields of a class, the names of what is written, and its kind."""
    hints = field_annotations(cls)
    return hints, (*hints, *derived_attributes(cls)), kind_of(cls)


def record_of(values: Mapping[str, Any], hints: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return values for JSON, with their floats under ``decimals``; ``lower`` and ``upper`` are rounded outwards."""
    record, decimals, hints = {}, {}, hints or {}
    for name, value in values.items():
        record[name], near = written(value, hints.get(name))
        if name in ("lower", "upper") and isinstance(value, Fraction):
            near = _outwards(value, up=name == "upper")
        if near is not None:
            decimals[name] = near
    return {**record, "decimals": decimals} if decimals else record


def merged_records(*records: Mapping[str, Any]) -> dict[str, Any]:
    """Merge records and their decimals; a key of a later record replaces the same key of an earlier one."""
    found: dict[str, Any] = {}
    decimals: dict[str, Any] = {}
    for record in records:
        found |= record
        decimals = {key: near for key, near in decimals.items() if key not in record} | record.get("decimals", {})
    return {**found, "decimals": decimals} if decimals else {k: v for k, v in found.items() if k != "decimals"}


def written(value: Any, hint: Any = None) -> tuple[Any, Any]:
    """Return a value for JSON, and its floats; ``None`` if it has no floats."""
    kind = type(value)  # the most frequent ones first: abstract classes are slow to ask
    if kind is str or kind is int or (kind is float and math.isfinite(value)):
        return value, None
    if kind is Fraction:
        return as_text(value), _float(value)
    if kind is tuple:
        return _written_items(value, hint)
    if value is None:
        return ("inf" if is_extended(hint) else None), None
    if isinstance(value, (bool, int, str)):
        return value, None
    if isinstance(value, float):
        return (value if math.isfinite(value) else str(value)), None
    if isinstance(value, dict):
        return _written_mapping(value)
    if isinstance(value, Fraction):
        return as_text(value), _float(value)
    if hasattr(value, "near"):  # a number with its own exact text; the text 0 needs no decimals
        return str(value), _float(value) or None
    if type(value) is Bracket:
        ends = {"lower": _outwards(value.lower, up=False), "upper": _outwards(value.upper, up=True)}
        return value.to_json(), _float(value.upper) if value.is_exact else None if None in ends.values() else ends
    if isinstance(value, Mapping):
        return _written_mapping(value)
    if isinstance(value, (list, tuple, frozenset)):
        return _written_items(sorted(value) if isinstance(value, frozenset) else value, hint)
    if hasattr(value, "tolist"):
        return value.tolist(), None
    record = value.to_dict() if hasattr(value, "to_dict") else plain_dict(value)
    if hasattr(value, "decimals"):  # a mechanism: rounded so that it is private
        return record, value.decimals()
    return record, record.pop("decimals", None) if isinstance(record, dict) else None


def _written_items(items: Sequence[Any], hint: Any) -> tuple[list[Any], Any]:
    if all(type(item) is float and math.isfinite(item) for item in items):  # the ends of an interval
        return list(items), None
    inner = [arg for arg in get_args(hint) if arg is not Ellipsis]
    hints = inner if len(inner) == len(items) else inner[:1] * len(items) or [None] * len(items)
    both = [written(item, each) for item, each in zip(items, hints, strict=True)]
    near = [decimals for _, decimals in both]
    known = [x is not None or item is None for x, item in zip(near, items, strict=True)]
    return [record for record, _ in both], near if near and all(known) and any(x is not None for x in near) else None


def _written_mapping(value: Mapping[Any, Any]) -> tuple[Any, Any]:
    if "decimals" in value:  # a record, written already
        return {key: item for key, item in value.items() if key != "decimals"}, value["decimals"]
    if not all(isinstance(key, str) for key in value):  # an object of JSON has no other keys
        return [[written(key)[0], written(item)[0]] for key, item in value.items()], None
    both = {key: written(item) for key, item in value.items()}
    near = {key: decimals for key, (_, decimals) in both.items() if decimals is not None}
    return {key: record for key, (record, _) in both.items()}, near or None


def _float(value: Any) -> float | None:
    """Return the nearest float; ``None`` if it overflows, or if a nonzero number rounds to zero."""
    near = nearest_float(value)
    return near if near is not None and math.isfinite(near) and (near or not value) else None


def _outwards(value: Fraction, *, up: bool) -> float | None:
    """Round a number to a float: up (``up``) or down; the float is one of the two nearest."""
    near = _float(value)
    if near is None or (near >= value if up else near <= value):
        return near
    return math.nextafter(near, math.inf if up else -math.inf)


_HINTS: dict[type, dict[str, Any]] = {}
_FORMS: dict[type, tuple[dict[str, Any], tuple[str, ...], str | None]] = {}


def field_annotations(cls: type[Any]) -> dict[str, Any]:
    """Return the annotations of the fields that are written to JSON."""
    if cls not in _HINTS:
        hints = get_type_hints(cls, include_extras=True)
        _HINTS[cls] = {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.compare}
    return _HINTS[cls]


def derived_attributes(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of the attributes that are written in addition to the fields."""
    return tuple(name for name in getattr(cls, "LABELS", ()) if name not in field_annotations(cls))


def kind_of(cls: type) -> str | None:
    """Return the class variable ``kind``, a key in JSON; ``None`` if the class has no such variable, or a field."""
    kind = None if "kind" in field_annotations(cls) else getattr(cls, "kind", None)
    return kind if isinstance(kind, str) else None


def is_extended(hint: Any) -> bool:
    """Return whether an annotation uses ``None`` for infinity."""
    return get_origin(hint) is Annotated and "infinite" in get_args(hint)


def value_of(result: Any, name: str) -> Any:
    """Return an attribute; for a method without arguments, its return value."""
    value = getattr(result, name)
    return value() if callable(value) and not isinstance(value, type) else value
