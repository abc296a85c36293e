"""Methods whose code is in a package above their class: the front door names them, the class takes them in.

``Mechanism.estimate`` belongs to the survey, and the class ``Mechanism`` stands below it. The front door holds the
table from a method to its place; the module of the class names no package above it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MethodType
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type)

_PLACES: dict[str, Mapping[str, str]] = {}


def place_methods(table: Mapping[str, Mapping[str, str]]) -> None:
    """Enter the places of methods: class name -> method name -> ``"module:function"``."""
    _PLACES.update(table)


def with_methods(cls: Class) -> Class:
    """Give a class the methods that the front door has placed for it."""
    for name, place in _PLACES.get(cls.__name__, {}).items():
        setattr(cls, name, PlacedMethod(place))
    return cls


class PlacedMethod:
    """A method that loads its function when it is first looked up; its first argument is the object.

    Args:
        place: ``"module:function"``.
    """

    def __init__(self, place: str) -> None:
        self.place = place

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        module, _, name = self.place.partition(":")
        function = getattr(import_module(module), name)
        return function if instance is None else MethodType(function, instance)
