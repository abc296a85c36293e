"""The guard: it detects whether a package of claims has changed the library that checks its claims.

A package of claims is Python code, so it can assign to functions of rropt, of SymPy or of the standard library. Each
package of a third party is therefore run in a process of its own (``judging``), where its changes affect only its own
claims. The guard records the contents of the modules of rropt before the package is imported. It compares them after
the import and after each claim. Once something differs, every claim of the package is in error with the name of what
has changed.

The guard detects changes that are still present when the code of the package has returned. It is not a sandbox. It does
not detect code that changes the library and restores it before it returns, nor code that changes this file or the
memory of the process. Certificates are checked again by ``python -I -m rropt.checker``, a separate process that never
imports the package.
"""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from itertools import repeat
from operator import is_
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from rropt.core.errors import RroptError

_ENGINE = (
    "rropt.checker",
    "rropt.claims",
    "rropt.designs.certificates",
    "rropt.claims.positivity",
)  # modules whose tables (dicts) are compared entry by entry
_OTHERS = (  # other modules that the engine calls; of SymPy only those that define expressions
    *("builtins", "fractions", "operator", "math", "itertools", "functools", "flint"),
    *("sympy", "sympy.core.add", "sympy.core.basic", "sympy.core.expr", "sympy.core.mul", "sympy.core.numbers"),
    *("sympy.core.power", "sympy.core.relational", "sympy.core.symbol", "sympy.core.sympify", "sympy.polys.polytools"),
    *("sympy.core.function", "sympy.core.traversal", "sympy.polys.rationaltools", "sympy.simplify.radsimp"),
    *("sympy.polys.rings", "sympy.polys.orderings"),
)
_PLAIN = ("builtins", "operator", "itertools")  # modules whose functions compare the tables of all other modules
_MOST = 1000  # entries of the largest table that is compared
_SCRATCH = {
    "__doc__",
    "__annotations__",
    "__warningregistry__",
    "__abstractmethods__",
    "_abc_impl",
    "__builtins__",
    "__slotnames__",
}


class EngineChangedError(RroptError, RuntimeError):
    """A package of claims has changed the library that checks its claims."""


class Snapshot:
    """A snapshot of the modules of rropt and of those that the engine calls, for a later comparison."""

    def __init__(self) -> None:
        self._tables: dict[str, tuple[Mapping[Any, Any], dict[Any, Any]]] = {}  # without the names in _SCRATCH
        self._sizes: dict[str, int] = {}
        self._functions: list[tuple[str, FunctionType, tuple[Any, ...]]] = []
        modules = {name: module for name, module in list(sys.modules.items()) if _is_watched(name)}
        self._table("sys.modules", sys.modules, modules)
        for name, module in modules.items():
            self._table(name, vars(module))
            for part, value in list(vars(module).items()):
                if getattr(value, "__module__", name) == name:  # other objects belong to the module that defines them
                    self._parts(f"{name}.{part}", value, own=name.startswith("rropt"))
                is_table = type(value) is dict and len(value) <= _MOST and part not in _SCRATCH
                if name.startswith(_ENGINE) and is_table:
                    self._table(f"{name}.{part}", value)

    def _table(self, name: str, table: Mapping[Any, Any], held: Mapping[Any, Any] | None = None) -> None:
        before = {key: part for key, part in (table if held is None else held).items() if key not in _SCRATCH}
        self._tables[name] = table, before
        self._sizes[name] = len(table if held is None else held)

    def _parts(self, name: str, value: Any, *, own: bool) -> None:
        if isinstance(value, type):
            held = vars(value) if own else {key: part for key, part in vars(value).items() if callable(part)}
            self._table(name, vars(value), held)  # of other libraries only methods: SymPy keeps counters in classes
            for part, inner in vars(value).items() if own or value.__module__ == "fractions" else ():
                function = getattr(inner, "fget", getattr(inner, "__func__", inner))
                self._parts(f"{name}.{part}", function, own=own) if type(function) is FunctionType else None
        elif type(value) is FunctionType:
            self._functions.append((name, value, _of_function(value)))

    def change(self) -> str:
        """Return the name of an object that has changed since the snapshot; empty if nothing has changed."""
        for name, (table, before) in self._tables.items():
            # compare with C functions for speed, but compare the modules of these functions entry by entry
            if name in _PLAIN or not all(map(is_, map(table.get, before, repeat(self)), before.values())):
                for key, value in before.items():
                    if table.get(key, self) is not value:
                        return f"{name}.{key}"
            if name.startswith("rropt") and len(table) != self._sizes[name]:
                new = [key for key in table if key not in before and key not in _SCRATCH]
                if added := [key for key in new if not _is_ours(table[key])]:
                    return f"{name}.{added[0]}"
        for name, function, (code, defaults, named) in self._functions:
            if not (
                function.__code__ is code and function.__defaults__ is defaults and function.__kwdefaults__ is named
            ):
                return f"the code or the defaults of {name}"
        return ""


def _is_watched(name: str) -> bool:
    return name in _OTHERS or name == "rropt" or name.startswith("rropt.")


def _is_ours(value: Any) -> bool:
    """Return whether rropt itself added a name to a module: its value is a module or an object of rropt."""
    return isinstance(value, ModuleType) or _is_watched(str(getattr(value, "__module__", "")))


def _of_function(function: FunctionType) -> tuple[Any, ...]:
    return function.__code__, function.__defaults__, function.__kwdefaults__


_BEFORE: list[Snapshot] = []  # the snapshot of this process, taken before the first package of claims is imported
_CHANGED: list[str] = []  # the message about the first change


def _before() -> Snapshot:
    """Return the snapshot of the library before the first package of claims is imported.

    All modules of rropt are imported first, so changes of any of them are visible.
    """
    if not _BEFORE:
        for found in pkgutil.walk_packages([str(Path(__file__).parents[1])], "rropt."):
            if not found.name.endswith("__main__"):
                try:
                    import_module(found.name)
                except ImportError:  # an optional dependency is not installed
                    continue
        for name, module in list(sys.modules.items()):  # resolve lazy names that are also names of modules
            for part in getattr(module, "__all__", ()) if _is_watched(name) and "__getattr__" in vars(module) else ():
                if isinstance(vars(module).get(part), ModuleType):
                    module.__getattr__(part)
        _BEFORE.append(Snapshot())
    return _BEFORE[0]


@contextmanager
def guarded(package: str) -> Iterator[None]:
    """Run the code of a package of claims and check that it does not change the library.

    Raises:
        EngineChangedError: the code has changed rropt, now or earlier in this process.
    """
    before, hooks = _before(), (sys.gettrace(), sys.getprofile())
    if _CHANGED:
        raise EngineChangedError(_CHANGED[0])
    try:
        yield
    finally:
        changed = before.change()
        if not changed and (sys.gettrace(), sys.getprofile()) != hooks:
            changed = "the trace or profile function of sys"
        if changed:
            _CHANGED.append(
                f"the package {package} changes {changed}, so that nothing counts that this process computes: "
                "remove the assignment from the package, or uninstall it"
            )
            raise EngineChangedError(_CHANGED[0])
