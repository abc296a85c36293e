"""Copies of a claim's functions in which some names have substitute values.

The trace (``white_list``) runs the claim's own Python on symbolic numbers. It copies its functions and those functions
of its package that they call. The method ``held`` determines the value of each name in a copy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from rropt.claims.caches import ExactCache
from rropt.claims.search import unwrapped


class Copies(ABC):
    """The copies of a function and of the functions of its package that it calls.

    Attributes:
        root: the name of the package.
    """

    def __init__(self, side: Any) -> None:
        self.root = (getattr(side, "__module__", "") or "").partition(".")[0]
        self._known: dict[Any, Any] = {}

    @abstractmethod
    def held(self, value: Any, name: str, function: FunctionType) -> Any:
        """Return the substitute for a value that a name has in the function."""

    @abstractmethod
    def builtins(self, names: Iterable[str]) -> dict[str, Any]:
        """Return the built-in names of a copy, at least those that its code uses."""

    def is_own(self, function: Any) -> bool:
        """Return whether a value is a Python function of the package."""
        return type(function) is FunctionType and (function.__module__ or "").partition(".")[0] == self.root

    def copy(self, function: FunctionType) -> Any:
        """Return the copy of a function; each function is copied once."""
        if function in self._known:
            return self._known[function]
        cells = tuple(CellType() for _ in function.__closure__ or ())
        names = names_of(function.__code__)
        scope: dict[str, Any] = {"__builtins__": self.builtins(names)}
        copy = FunctionType(function.__code__, scope, function.__name__, None, cells or None)
        self._known[function] = self.copied(copy, function)
        copy.__defaults__ = tuple(self.held(value, "a default", function) for value in function.__defaults__ or ())
        copy.__kwdefaults__ = {
            name: self.held(value, name, function) for name, value in (function.__kwdefaults__ or {}).items()
        }
        for cell, name, original in zip(cells, function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                cell.cell_contents = self.held(original.cell_contents, name, function)
            except ValueError:  # the cell is still empty
                continue
        for name in names & function.__globals__.keys():
            scope[name] = self.held(function.__globals__[name], name, function)
        return self._known[function]

    def copied(self, copy: FunctionType, function: FunctionType) -> Any:
        """Return the value that replaces the copy of a function; its global names are added afterwards."""
        return copy


def inner_function(value: Any) -> Any:
    """Return the function behind a cache or wrapper, and any other value unchanged."""
    return value.function if type(value) is ExactCache else unwrapped(value)


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """Iterate over the code objects of a function and of the functions nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


def names_of(code: CodeType) -> set[str]:
    """Return the names that a function and its nested functions use."""
    return {name for part in codes_of(code) for name in part.co_names}
