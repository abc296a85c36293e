"""Functions that take records, and callers who give the fields of these records by name.

A function of many arguments takes frozen dataclasses instead, each with what belongs together. Its callers write the
fields as arguments; the signature that they see lists them all. ``takes`` is for a function of one record, whose fields
mypy and editors know with their types. ``takes_fields_of`` is for a function of several records beside arguments of its
own, which passes each record on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from difflib import get_close_matches
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.required_arguments import given_twice

_KEYWORD = inspect.Parameter.KEYWORD_ONLY
P = ParamSpec("P")
Record = TypeVar("Record")
R = TypeVar("R")


def takes(record: Callable[P, Record]) -> Callable[[Callable[[Record], R]], Callable[P, R]]:
    """Return a decorator of a function of one record: its callers give the fields of the record as arguments.

    A caller that has them as options makes the record itself: ``of_record`` is the record and the function of it.

    Args:
        record: the dataclass. Fields without ``kw_only`` may be given by their places.

    Raises:
        InvalidParameterError: the decorated function has no such argument, or not as many without a name.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Span:
    ...     low: int
    ...     high: int = 9
    >>> @takes(Span)
    ... def width(asked: Span) -> int:
    ...     return asked.high - asked.low
    >>> width(2), width(low=2, high=4), str(inspect.signature(width))
    (7, 2, "(low: 'int', high: 'int' = 9) -> 'int'")
    >>> width(2, hgh=4)
    Traceback (most recent call last):
    ...
    rropt.core.errors.InvalidParameterError: `width` has no such argument: received 'hgh'; did you mean high?
    """
    arguments = inspect.signature(record)

    def decorated(function: Callable[[Record], R]) -> Callable[P, R]:
        @wraps(function)
        def call(*given: P.args, **named: P.kwargs) -> R:
            try:
                asked = record(*given, **named)
            except TypeError:
                require_fitting(function.__name__, list(arguments.parameters.values()), given, named)
                try:
                    arguments.bind(*given, **named)
                except TypeError as error:  # a required argument is missing
                    raise TypeError(f"{function.__name__}(): {error}") from None
                raise
            return function(asked)

        returned = inspect.signature(function).return_annotation
        call.of_record = record, function  # type: ignore[attr-defined]
        call.__signature__ = arguments.replace(return_annotation=returned)  # type: ignore[attr-defined]
        return call

    return decorated


def require_fitting(
    name: str, parameters: Sequence[inspect.Parameter], given: Sequence[object], named: Mapping[str, object]
) -> None:
    """Raise one clear error for arguments that a function does not have, or that are given twice.

    Args:
        name: the name of the function.
        parameters: its parameters.
        given: the arguments without a name.
        named: the arguments with a name.
    """
    places = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    known = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD]
    if len(given) > len(places):
        raise InvalidParameterError(
            f"`{name}` has too many arguments without a name: received {len(given)}; allowed is at most "
            f"{len(places)} ({', '.join(places)}); give the others by name"
        )
    if twice := [place for place in places[: len(given)] if place in named]:
        value = named[twice[0]]
        told = shown(value) if isinstance(value, str | int) else f"<{type(value).__name__}>"  # not the responses
        call = f"{name}({', '.join(f'{each}=...' for each in places)})"
        raise InvalidParameterError(
            f"`{twice[0]}` is given twice: received the argument {places.index(twice[0]) + 1} of `{name}`, and "
            f"{twice[0]}={told}; give it once, as in {call}"
        )
    if len(known) == len(parameters) and (unknown := [each for each in named if each not in known]):
        near = get_close_matches(unknown[0], known, n=1)
        meant = f"did you mean {near[0]}?" if near else f"allowed are {', '.join(known)}"
        raise InvalidParameterError(f"`{name}` has no such argument: received {shown(unknown[0])}; {meant}")


def takes_fields_of(**records: type) -> Callable[[Callable[..., R]], Callable[..., R]]:
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

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        asked = inspect.signature(function)
        listed: list[inspect.Parameter] = []
        for name, one in asked.parameters.items():
            listed += map(_parameter, fields(records[name])) if name in records else [one]
        shown = asked.replace(parameters=listed)
        places = [one.name for one in listed if one.kind is one.POSITIONAL_OR_KEYWORD]

        @wraps(function)
        def call(*given: Any, **named: Any) -> R:
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
