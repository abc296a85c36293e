"""Attach methods to a class whose code is in a package that the class must not import.

For example, ``Mechanism.estimate`` is implemented in the package ``survey``, which imports the class ``Mechanism``.
The package ``rropt`` registers a table from each method to its module and function. The module of the class names no
package above it.
"""

from __future__ import annotations

from collections.abc import Mapping
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
        setattr(cls, name, LazyMethod(place))
    return cls


class LazyMethod:
    """A method that imports its function when it is first looked up; the object is the function's first argument.

    Args:
        place: ``"module:function"``.
    """

    def __init__(self, place: str) -> None:
        self.place = place

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        module, _, name = self.place.partition(":")
        function = getattr(import_module(module), name)
        return function if instance is None else MethodType(function, instance)
