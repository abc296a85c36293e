"""Attach methods to a class whose code is in a package that the class must not import.

For example, ``Mechanism.estimate`` is implemented in the package ``survey``, which imports the class ``Mechanism``.
The package ``rropt`` registers a table from each method to its module and function. The module of the class names no
package above it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, wraps
from importlib import import_module
from types import MethodType
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type)

_PLACES: dict[str, Mapping[str, str]] = {}


def register_methods(table: Mapping[str, Mapping[str, str]]) -> None:
    """Register where methods are implemented: class name -> method name -> ``"module:function"``."""
    _PLACES.update(table)


def with_registered_methods(cls: Class) -> Class:
    """Add to a class the methods that ``register_methods`` registered for it (class decorator)."""
    for name, place in _PLACES.get(cls.__name__, {}).items():
        setattr(cls, name, LazyMethod(place, name))
    return cls


class LazyMethod:
    """A method that imports its function when it is first looked up; the object is the function's first argument.

    Args:
        place: ``"module:function"``.
        name: the name of the method, which its errors mention.
    """

    def __init__(self, place: str, name: str) -> None:
        self.place, self.name = place, name

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        module, _, name = self.place.partition(":")
        function = getattr(import_module(module), name)
        return function if instance is None else MethodType(_checked(function, self.name), instance)


@cache
def _checked(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a method whose errors about its arguments are those of the functions of ``rropt``, with its own name."""
    from rropt.core.record_arguments import require_fitting  # here: the checker loads this module, and needs no more

    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())[1:]
    is_open = any(one.kind is one.VAR_POSITIONAL for one in parameters)

    @wraps(function)
    def method(own: Any, /, *given: Any, **named: Any) -> Any:
        if not is_open:
            require_fitting(name, parameters, given, named)
        try:
            signature.bind(own, *given, **named)
        except TypeError as error:  # a required argument is missing
            raise TypeError(f"{name}(): {error}") from None
        return function(own, *given, **named)

    method.__name__ = name
    return method
