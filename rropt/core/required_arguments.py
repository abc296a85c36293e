"""Arguments of the functions that ``import rropt`` shows: what is empty, false or an array is never read as a default.

Functions test whether an argument is given by its truth or by ``is None``. A value such as ``[]``, ``""`` or ``False``
would pass for one that is left out, and the truth of an array is an error of NumPy. ``checked`` sees to these values
before the function does.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sized
from numbers import Number
from typing import Any, NamedTuple, ParamSpec, TypeVar

from rropt.core.errors import InvalidParameterError, shown

P = ParamSpec("P")
R = TypeVar("R")

_DATA = {"data", "samples", "responses", "answers", "counts"}  # may be long arrays, which their functions read
_KINDS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_LISTS = ("Sequence", "Iterable", "Mapping", "tuple", "str", "None")  # beginnings of the types that are no numbers


class _Rule(NamedTuple):
    name: str
    default: Any
    is_bool: bool
    is_text: bool
    is_listed: bool  # lists and texts, and no numbers
    may_be_empty: bool
    may_be_false: bool

    @classmethod
    def of(cls, parameter: inspect.Parameter) -> _Rule:
        kind, default = str(parameter.annotation), parameter.default
        parts = [part.strip() for part in _outer_parts(kind)]
        return cls(
            parameter.name,
            default,
            is_bool=kind == "bool",
            is_text={*parts} in ({"str"}, {"str", "None"}),
            is_listed="None" in parts and all(part.startswith(_LISTS) for part in parts),
            may_be_empty=default is not None and not isinstance(default, Number),
            may_be_false=default is not None or "bool" in kind,
        )

    def require(self, value: Any) -> None:
        """Raise ``InvalidParameterError`` for a value that would pass for the default, or that has no truth."""
        if value is self.default:
            return
        if self.is_bool and not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
            raise _refused(self.name, "neither true nor false", value, "True and False")
        if self.is_text and not isinstance(value, str) and value is not None:
            raise _refused(self.name, "not a text", value, "a text")
        if self.is_listed and isinstance(value, Number):
            raise _refused(self.name, "not a list", value, "a list, or leave it out")
        if not self.may_be_empty and isinstance(value, Sized) and not isinstance(value, Number) and _is_empty(value):
            raise _refused(self.name, "empty", value, "a value, or leave it out")
        if not self.may_be_false and (value is False or (type(value).__name__ == "bool_" and not value)):
            raise _refused(self.name, "false", value, "a value, or leave it out")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with arguments that are checked first: arrays other than data become lists.

    >>> @checked
    ... def scaled(values: "Sequence[int] | None" = None) -> int:
    ...     return sum(values or [1])
    >>> scaled()
    1
    >>> scaled([])
    Traceback (most recent call last):
    ...
    rropt.core.errors.InvalidParameterError: `values` is empty: received []; allowed is a value, or leave it out
    """
    parameters = list(inspect.signature(function).parameters.values())
    rules = {each.name: _Rule.of(each) for each in parameters if each.kind not in _KINDS}
    places = [each.name for each in parameters if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    code = getattr(function, "__code__", None)
    takes_any = code is not None and bool(code.co_flags & inspect.CO_VARARGS)  # the function says itself what is wrong

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        first = [
            value if takes_any and name in kwargs else _required(rules.get(name), name, value)
            for name, value in zip(places, args, strict=False)
        ]
        for name, value in zip(places, args, strict=False):
            if name in kwargs and not takes_any:
                raise _given_twice(function.__name__, places, name, value)
        named = {name: _required(rules.get(name), name, value) for name, value in kwargs.items()}
        return function(*first, *args[len(first) :], **named)  # type: ignore[arg-type]

    return call


def require_arguments(function: Callable[..., object], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return named arguments of a function as ``checked`` passes them on."""
    parameters = inspect.signature(function).parameters
    return {name: _required(_Rule.of(parameters[name]), name, value) for name, value in given.items()}


def _required(rule: _Rule | None, name: str, value: Any) -> Any:
    is_array = hasattr(value, "dtype") and hasattr(value, "tolist") and not hasattr(value, "index")  # a series has one
    if is_array and value.shape and name not in _DATA and value.shape[1:] != (1,):  # a column is read as a vector
        value = _listed(value)
    if rule is not None:
        rule.require(value)
    return value


def _listed(value: Any) -> Any:
    """Return the entries of an array in lists; those of 32 bits keep their type, and so their short decimals."""
    if value.dtype.kind != "f" or value.dtype.itemsize == 8:
        return value.tolist()
    return [_listed(one) if one.shape else one for one in value]


def _given_twice(function: str, places: list[str], name: str, value: object) -> InvalidParameterError:
    call = f"{function}({', '.join(f'{each}=...' for each in places)})"
    return InvalidParameterError(
        f"`{name}` is given twice: received {shown(value)} in its place, and another value by its name; the order is "
        f"{', '.join(places)}; give all of them by name, as in {call}"
    )


def _outer_parts(kind: str) -> list[str]:
    """Split an annotation at the bars outside of brackets."""
    parts, depth = [""], 0
    for letter in kind:
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _is_empty(value: Sized) -> bool:
    try:
        return len(value) == 0
    except TypeError:  # an array without dimensions has no length
        return False


def _refused(name: str, what: str, value: object, allowed: str) -> InvalidParameterError:
    return InvalidParameterError(f"`{name}` is {what}: received {shown(value)}; allowed is {allowed}")
