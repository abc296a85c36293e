"""Functions that take records, and callers who give the fields of these records by name.

A function of many arguments takes a frozen dataclass instead. Its callers write the fields as arguments, which mypy and
editors know with their types (``takes``). A record that joins others, each with what belongs together, is a subclass of
them; ``as_record`` returns one of them, to pass it on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from rropt.core.argument_checks import require_fitting

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
