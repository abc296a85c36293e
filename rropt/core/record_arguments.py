"""Functions that take records, and callers who give the fields of these records by name.

A function of many arguments takes a frozen dataclass instead. Its callers write the fields as arguments, which mypy and
editors know with their types (``takes``). A record that joins others, each with what belongs together, is a subclass of
them; ``as_record`` returns one of them, to pass it on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from rropt.core.errors import InvalidParameterError, nearest_words, shown

P = ParamSpec("P")
Record = TypeVar("Record")
R = TypeVar("R")


def takes(record: Callable[P, Record]) -> Callable[[Callable[[Record], R]], Callable[P, R]]:
    """Return a decorator of a function of one record: its callers give the fields of the record as arguments.

    A caller that has them as options makes the record itself: ``of_record`` is the record and the function of it.

    Args:
        record: the dataclass. Fields without ``kw_only`` may be given by their places. Its class variable
            ``ELSEWHERE``, if it has one, maps arguments of other functions to an advice.

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
                elsewhere = getattr(record, "ELSEWHERE", {})
                require_fitting(function.__name__, list(arguments.parameters.values()), given, named, elsewhere)
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
    name: str,
    parameters: Sequence[inspect.Parameter],
    given: Sequence[object],
    named: Mapping[str, object],
    elsewhere: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Raise one clear error for arguments that a function does not have, or that are given twice.

    Args:
        name: the name of the function.
        parameters: its parameters.
        given: the arguments without a name.
        named: the arguments with a name.
        elsewhere: the advice for arguments of other functions.
    """
    places = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    known = [one.name for one in parameters if one.kind is not one.VAR_POSITIONAL and one.kind is not one.VAR_KEYWORD]
    is_open = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    if len(given) > len(places) and not is_open:
        raise InvalidParameterError(
            f"`{name}` has too many arguments without a name: received {len(given)}; allowed is at most "
            f"{len(places)} ({', '.join(places)}); give the others by name"
        )
    if twice := [place for place in places[: len(given)] if place in named]:
        place = places.index(twice[0])
        told, other = (  # not the responses
            shown(value) if isinstance(value, str | int) else f"<{type(value).__name__}>"
            for value in (given[place], named[twice[0]])
        )
        call = f"{name}({', '.join(f'{each}=...' for each in places)})"
        raise InvalidParameterError(
            f"`{twice[0]}` is given twice: received {told} as the argument {place + 1} of `{name}`, and "
            f"{twice[0]}={other}; give it once, as in {call}"
        )
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters)
    if not takes_all and (unknown := [each for each in named if each not in known]):
        near = nearest_words(unknown[0], known)
        allowed = f"allowed are {', '.join(known)}" if known else "it takes none; leave it out"
        meant = f"did you mean {near[0]}?" if near else allowed
        meant = elsewhere.get(unknown[0], meant)
        raise InvalidParameterError(f"`{name}` has no such argument: received {shown(unknown[0])}; {meant}")


def as_record(asked: Any, record: Callable[..., Record]) -> Record:
    """Return the part of some arguments that a record of their own has, such as the goal of a plan.

    Args:
        asked: an object with all fields of the record; it need not be a subclass.
        record: the dataclass of the part.
    """
    return record(**{name: getattr(asked, name) for name in inspect.signature(record).parameters})


def given_fields(*records: Any) -> dict[str, Any]:
    """Return the fields of records that are not their defaults, by name."""
    found = {}
    for record in records:
        for one in fields(record):
            value = getattr(record, one.name)
            if value is not one.default and not (isinstance(value, tuple | list) and not value):
                found[one.name] = value
    return found
