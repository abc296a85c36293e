"""Functions that take records, and callers who give the fields of these records by name.

A function of many arguments takes a few frozen dataclasses instead, each with what belongs together. Its callers write
the fields as keyword arguments; the signature that they see lists them all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import wraps
from typing import Any

from rropt.core.required_arguments import given_twice

_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def takes_fields_of(**records: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator of a function that takes records: its callers give their fields as keyword arguments.

    Args:
        records: for each parameter that is a record, its dataclass. No two of them, and no other parameter, share the
            name of a field.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Range:
    ...     low: int = 0
    ...     high: int = 9
    >>> @takes_fields_of(within=Range)
    ... def is_inside(x: int, *, within: Range) -> bool:
    ...     return within.low <= x <= within.high
    >>> is_inside(9), is_inside(9, high=5), str(inspect.signature(is_inside))
    (True, False, "(x: 'int', *, low: 'int' = 0, high: 'int' = 9) -> 'bool'")
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        asked = inspect.signature(function)
        listed: list[inspect.Parameter] = []
        for name, one in asked.parameters.items():
            listed += map(_parameter, fields(records[name])) if name in records else [one]
        shown = asked.replace(parameters=listed)
        places = [one.name for one in listed if one.kind is one.POSITIONAL_OR_KEYWORD]

        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            for name, value in zip(places, given, strict=False):
                if name in named:
                    raise given_twice(function.__name__, places, name, value)
            shown.bind(*given, **named)  # raises a TypeError that names an argument of the callers
            made = {
                name: record(**{one.name: named.pop(one.name) for one in fields(record) if one.name in named})
                for name, record in records.items()
            }
            return function(*given, **named, **made)

        call.__signature__ = shown  # type: ignore[attr-defined]
        return call

    return decorate


def given_fields(*records: Any) -> dict[str, Any]:
    """Return the fields of records that are not their defaults, by name."""
    found = {}
    for record in records:
        for one in fields(record):
            value = getattr(record, one.name)
            if value is not one.default and not (isinstance(value, tuple | list) and not value):
                found[one.name] = value
    return found


def _parameter(one: Field[Any]) -> inspect.Parameter:
    default = inspect.Parameter.empty if one.default is MISSING else one.default
    return inspect.Parameter(one.name, _KEYWORD, default=default, annotation=one.type)
