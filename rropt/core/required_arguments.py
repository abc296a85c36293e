"""Arguments of the functions that ``rropt`` and its rooms show: what is empty or an array is never read as a default.

Functions test whether an argument is given by its truth or by ``is None``. A value such as ``[]``, ``""`` or ``False``
would pass for one that is left out, and the truth of an array is an error of NumPy. ``checked`` sees to these values
before the function does.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sized
from numbers import Number
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from rropt.core.errors import InvalidParameterError, shown, shown_with_type
from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    import inspect

P = ParamSpec("P")
R = TypeVar("R")

_DATA = {"data", "samples", "responses", "answers", "counts", "rows"}  # may be long arrays, which their functions read
_CHECKED: set[object] = set()  # the functions that check already
_TAKES_ANY = 4  # inspect.CO_VARARGS
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
            may_be_false="bool" in kind or isinstance(default, Number) or default is parameter.empty,
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
    code = getattr(function, "__code__", None)
    takes_any = code is not None and bool(code.co_flags & _TAKES_ANY)  # the function says itself what is wrong
    known = functools.cache(lambda: _rules(function))  # by the first call: an import does not wait for it
    has_record = hasattr(function, "of_record")  # so does this
    own = functools.cache(lambda: [*parameters_of(function).values()])

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        if not has_record:
            from rropt.core.record_arguments import require_fitting  # here: the checker loads this module alone

            require_fitting(call.__name__, own(), args, kwargs)
        rules, places = known()
        first = [
            value if takes_any and name in kwargs else _required(rules.get(name), name, value)
            for name, value in zip(places, args, strict=False)
        ]
        named = {name: _required(rules.get(name), name, value) for name, value in kwargs.items()}
        return function(*first, *args[len(first) :], **named)  # type: ignore[arg-type]

    call.__dict__.pop("of_record", None)  # which takes no arguments that can be checked
    _CHECKED.add(call)
    return call


def checked_in(package: str, name: str, found: Any) -> Any:
    """Return a name of a package; a function checks its arguments first, and is at home where it is found.

    Args:
        package: the ``__name__`` of the package that shows it.
        name: its name there.
        found: the function, once only, or anything else, which stays as it is.
    """
    if not isinstance(found, FunctionType) or found in _CHECKED:
        return found
    function = checked(found)
    function.__module__ = package  # where pickle finds it: a pool of processes calls it
    function.__qualname__ = function.__name__ = name
    setattr(sys.modules[package], name, function)  # found directly from now on
    return function


def checked_names(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return what ``lazy_names`` returns, for a room whose functions check their arguments.

    Args:
        package: the ``__name__`` of the package.
        file: ``__file__`` of the package.
    """
    load, listed, names = lazy_names(package, file)
    return lambda name: checked_in(package, name, load(name)), listed, names


def require_arguments(function: Callable[..., object], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return named arguments of a function as ``checked`` passes them on."""
    parameters = parameters_of(function)
    return {name: _required(_Rule.of(parameters[name]), name, value) for name, value in given.items()}


@functools.cache
def parameters_of(function: Callable[..., object]) -> Mapping[str, Any]:
    """Return the parameters of a function by name; reading them takes a tenth of a quick design."""
    from inspect import signature

    return signature(function).parameters


def _rules(function: Callable[..., object]) -> tuple[dict[str, _Rule], list[str]]:
    """Return the rules of the arguments by name, and the names of those that may be given by their places."""
    from inspect import signature

    parameters = list(signature(function).parameters.values())
    rules = {
        each.name: _Rule.of(each) for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    }
    return rules, [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]


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
    except Exception:  # an array without dimensions has no length; a table of Ibis refuses to count its rows
        return False


def _refused(name: str, what: str, value: object, allowed: str) -> InvalidParameterError:
    received = shown(value) if what in ("empty", "false") else shown_with_type(value)
    return InvalidParameterError(f"`{name}` is {what}: received {received}; allowed is {allowed}")
