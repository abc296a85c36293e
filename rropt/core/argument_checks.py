"""Checks of arguments: misspelt names, and values that would pass for an argument that is left out.

A function that tests an argument by its truth or by ``is None`` would read ``[]``, ``""`` or ``False`` as left out, and
the truth of an array is an error of NumPy. Its first lines call the checks of this module.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import fields
from functools import wraps
from numbers import Number
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from rropt.core.errors import InvalidParameterError, nearest_words, shown, shown_with_type

P = ParamSpec("P")
R = TypeVar("R")

_BOOLEANS = ("bool", "bool_")  # Python's, and those of NumPy 2 and 1


def clear_calls(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function or method whose callers learn which argument they meant (decorator).

    Raises:
        InvalidParameterError: the function has no such argument, has it twice, or takes fewer without a name.
        TypeError: a required argument is missing.

    >>> @clear_calls
    ... def width(low: int, high: int = 9) -> int:
    ...     return high - low
    >>> width(2), width(low=2, high=4)
    (7, 2)
    >>> width(2, hgh=4)
    Traceback (most recent call last):
    ...
    rropt.core.errors.InvalidParameterError: `width` has no such argument: received 'hgh'; did you mean high?
    """

    return _clear(function, MappingProxyType({}))


def clear_calls_beside(elsewhere: Mapping[str, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return ``clear_calls`` with the advice for arguments of other functions, by their names."""

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        return _clear(function, elsewhere)

    return decorated


def _clear(function: Callable[P, R], elsewhere: Mapping[str, str]) -> Callable[P, R]:
    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        try:
            return function(*given, **named)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # an error of its own: the function was entered
            _require_call(function, given, named, elsewhere)
            raise

    return call


def _require_call(
    function: Callable[..., object], given: tuple[Any, ...], named: Mapping[str, Any], elsewhere: Mapping[str, str]
) -> None:
    """Raise the error of a call that does not fit the signature of a function."""
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    is_method = bool(parameters) and parameters[0].name in ("self", "cls")
    name = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
    require_fitting(name, parameters[is_method:], given[is_method:], named, elsewhere)
    try:
        signature.bind(*given, **named)
    except TypeError as error:  # a required argument is missing
        raise TypeError(f"{name}(): {error}") from None


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
        if not places:
            raise InvalidParameterError(
                f"`{name}` has no arguments without a name: received {len(given)}; "
                + (f"give them by name: {', '.join(known)}" if known else "leave them out")
                + "; a file is written by plot().save(FILE)" * (name == "plot")
            )
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
        if unknown[0] == "gamma" and "epsilon" in known:
            meant = 'for gamma = 3 write epsilon="log(3)"'
        meant = elsewhere.get(unknown[0], meant)
        raise InvalidParameterError(f"`{name}` has no such argument: received {shown(unknown[0])}; {meant}")


def require_flags(**flags: object) -> None:
    """Raise ``InvalidParameterError`` for a switch that is neither true nor false.

    >>> require_flags(exact=True, fast=1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    rropt.core.errors.InvalidParameterError: `fast` is neither true nor false: received 1, of type int; allowed ...
    """
    for name, value in flags.items():
        if type(value).__name__ not in _BOOLEANS:
            raise _refused(name, "neither true nor false", value, "True and False")


def require_texts(**texts: object) -> None:
    """Raise ``InvalidParameterError`` for an argument that is neither a text nor left out (None)."""
    for name, value in texts.items():
        if not isinstance(value, str) and value is not None:
            raise _refused(name, "not a text", value, "a text")


def require_lists(**lists: object) -> None:
    """Raise ``InvalidParameterError`` for a number in place of a list or a text, and for what is empty."""
    for name, value in lists.items():
        if isinstance(value, Number):
            raise _refused(name, "not a list", value, "a list, or leave it out")
    require_given(**lists)


def require_given(**values: object) -> None:
    """Raise ``InvalidParameterError`` for an empty or false value, which would pass for one that is left out.

    >>> require_given(weights=None, against=[])
    Traceback (most recent call last):
    ...
    rropt.core.errors.InvalidParameterError: `against` is empty: received []; allowed is a value, or leave it out
    """
    for name, value in values.items():
        if isinstance(value, Sized) and not isinstance(value, Number) and _is_empty(value):
            raise _refused(name, "empty", value, "a value, or leave it out")
        if type(value).__name__ in _BOOLEANS and not value:
            raise _refused(name, "false", value, "a value, or leave it out")


def require_filled(**values: object) -> None:
    """Raise ``InvalidParameterError`` for an empty list, text or array."""
    for name, value in values.items():
        if isinstance(value, Sized) and not isinstance(value, Number) and _is_empty(value):
            raise _refused(name, "empty", value, "a value, or leave it out")


def refuse_false(**values: object) -> None:
    """Raise ``InvalidParameterError`` for False in place of a list, which may be empty."""
    for name, value in values.items():
        if type(value).__name__ in _BOOLEANS and not value:
            raise _refused(name, "false", value, "a value, or leave it out")


def given_fields(*records: Any) -> dict[str, Any]:
    """Return the fields of records that are not their defaults, by name."""
    found = {}
    for record in records:
        for one in fields(record):
            value = getattr(record, one.name)
            if value is not one.default and not (isinstance(value, tuple | list) and not value):
                found[one.name] = value
    return found


def as_lists(value: Any) -> Any:
    """Return an array as lists, and any other value as it is.

    Entries of 32 bits keep their type, and so their short decimals. Series, which have an index, stay as they are.
    """
    if not (hasattr(value, "dtype") and hasattr(value, "tolist") and value.shape) or hasattr(value, "index"):
        return value
    if value.dtype.kind != "f" or value.dtype.itemsize == 8:
        return value.tolist()
    return [as_lists(one) if one.shape else one for one in value]


def _is_empty(value: Sized) -> bool:
    try:
        return len(value) == 0
    except Exception:  # an array without dimensions has no length; a table of Ibis refuses to count its rows
        return False


def _refused(name: str, what: str, value: object, allowed: str) -> InvalidParameterError:
    received = shown(value) if what in ("empty", "false") else shown_with_type(value)
    return InvalidParameterError(f"`{name}` is {what}: received {received}; allowed is {allowed}")
