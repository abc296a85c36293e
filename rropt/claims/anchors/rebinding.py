"""Copies of a claim's functions that let symbols through, and a watch over what they call.

A copy differs from its function in its names alone: ``Fraction`` lets symbols through, helpers of the same package are
copies too, and what could tell a symbol from a number ends the trace when it is called: ``type``, ``getattr``, ``id``,
functions with ``try``, ``with``, an import, a class pattern or a look at a name such as ``__class__``.
"""

from __future__ import annotations

import builtins
import dis
import functools
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from types import BuiltinFunctionType, CellType, CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NoReturn

from rropt.claims.comparisons import Bound
from rropt.claims.search import unwrapped

_NAMES = [  # they treat a symbol as a number, or end the trace by asking it for one
    "abs",
    "all",
    "any",
    "bool",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "frozenset",
    "int",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "pow",
    "range",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
]
_SAFE = {name: getattr(builtins, name) for name in _NAMES} | {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}
_MODULES = (math, itertools, functools)
_ENDS = {  # instructions that see an exception, a type or a module, or change names of others
    "PUSH_EXC_INFO": "a try or a with",
    "BEFORE_WITH": "a try or a with",
    "MATCH_CLASS": "a pattern of a class",
    "IMPORT_NAME": "an import",
    "LOAD_BUILD_CLASS": "a class",
    "STORE_GLOBAL": "a name that is changed",
    "DELETE_GLOBAL": "a name that is changed",
}
_OWN = {
    "fractions",
    "numbers",
    "_collections_abc",
    __name__,
    "rropt.claims.anchors.tracing",
    "rropt.claims.concolic_search",
    "rropt.claims.concolic_numbers",
}
# of _OWN functions may be called, whatever they get
_MOST_HELD = 50  # entries of a container that may hold helpers
_PLAIN = (list, tuple, dict, set, frozenset)  # whose methods may be called
FOREIGN = {sum, max, min, abs, len, sorted, all, any, round, pow, divmod, iter, next, functools.reduce} | {
    value for value in vars(math).values() if isinstance(value, BuiltinFunctionType)
}


class Rebinding:
    """The copies of a function and of the helpers of its package.

    Attributes:
        side: the copy.
        codes: the code of all copies, by id: hashing code takes long.
    """

    def __init__(
        self,
        side: Any,
        symbols: tuple[type, ...],
        end: Callable[[str], NoReturn],
        instead: Mapping[str, Any] | None = None,
    ) -> None:
        self._symbols, self.end, self._instead = symbols, end, dict(instead or {})
        self._root = (getattr(side, "__module__", "") or "").partition(".")[0]
        self._known: dict[Any, Any] = {}
        self.codes: dict[int, CodeType] = {}
        self.side = self._copy(side)
        if type(self.side) is not FunctionType:
            self.side = self._ending("a side that is no plain function")

    def _copy(self, function: Any) -> Any:
        """Return the copy of a function of the package, anything else as it is."""
        function = unwrapped(function)
        if type(function) is not FunctionType or (function.__module__ or "").partition(".")[0] != self._root:
            return function
        if function in self._known:
            return self._known[function]
        if reason := _telling(function.__code__):
            self._known[function] = self._ending(reason)
            return self._known[function]
        scope = {**function.__globals__, "__builtins__": self._builtins()}
        cells = tuple(CellType() for _ in function.__closure__ or ())
        copy = FunctionType(function.__code__, scope, function.__name__, None, cells or None)
        self._known[function] = copy
        self.codes |= {id(code): code for code in _codes(function.__code__)}
        copy.__defaults__ = tuple(map(self._held, function.__defaults__ or ()))
        copy.__kwdefaults__ = {name: self._held(value) for name, value in (function.__kwdefaults__ or {}).items()}
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            try:
                cell.cell_contents = self._held(original.cell_contents)
            except ValueError:  # not filled yet
                continue
        for name in _names(function.__code__) & set(function.__globals__):
            scope[name] = self._held(scope[name])
        return copy

    def _held(self, value: Any) -> Any:
        """Return what a copy finds where its function finds a value."""
        if value is Fraction:
            return self._fraction
        if isinstance(value, ModuleType) and value not in _MODULES:
            return _Ending(self.end, f"the module {value.__name__}")
        if _holds_type(value):
            return self._ending("a look at types")
        if type(value) in (list, tuple, dict) and len(value) <= _MOST_HELD:  # of helpers, perhaps
            if type(value) is dict:
                return {key: self._held(part) for key, part in value.items()}
            return type(value)(map(self._held, value))
        return self._copy(value) if callable(value) and not isinstance(value, type) else value

    def _builtins(self) -> dict[str, Any]:
        known = {name: self._ending(f"a call of {name}") for name in vars(builtins) if not name.startswith("_")}
        constants = {name: getattr(builtins, name) for name in ("None", "True", "False", "Ellipsis", "NotImplemented")}
        return {**known, **_SAFE, **constants, "isinstance": self._isinstance, **self._instead}

    def _isinstance(self, value: Any, kinds: Any) -> bool:
        if isinstance(value, self._symbols):
            self.end("a call of isinstance")
        return isinstance(value, Fraction if kinds == self._fraction else kinds)

    def _fraction(self, numerator: Any = 0, denominator: Any = None) -> Any:
        if any(isinstance(part, self._symbols) or type(part).__base__ is Fraction for part in (numerator, denominator)):
            one = Fraction(1)  # a symbol for an integer becomes one for a fraction
            return one * numerator + Fraction(0) if denominator is None else one * numerator / denominator
        return Fraction(numerator, denominator)

    def _ending(self, reason: str) -> Any:
        def ends(*_: Any, **__: Any) -> NoReturn:
            self.end(reason)

        return ends


class _Ending:
    """A module of others: a look at it ends the trace."""

    def __init__(self, end: Callable[[str], NoReturn], reason: str) -> None:
        self._end, self._reason = end, reason

    def __getattr__(self, name: str) -> Any:
        self._end(self._reason)


@contextmanager
def watched(rebinding: Rebinding, foreign: set[Any]) -> Iterator[None]:
    """End the trace at a call, by one of the copies, of a function that is neither a copy nor known to be harmless."""

    codes = rebinding.codes
    own = {id(held): held for held in (vars(sys.modules[name]) for name in _OWN if name in sys.modules)}

    def watch(frame: FrameType, event: str, called: Any) -> None:
        if event == "call":
            caller, code = frame.f_back, frame.f_code
            if caller is None or id(caller.f_code) not in codes or id(code) in codes:
                return
            if id(frame.f_globals) not in own and code is not Bound.__init__.__code__:
                rebinding.end(f"a foreign call ({code.co_name})")
        elif event == "c_call" and id(frame.f_code) in codes:
            harmless = called in foreign or type(getattr(called, "__self__", None)) in _PLAIN
            if not harmless:
                rebinding.end(f"a foreign call ({called.__name__})")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)


def _telling(code: CodeType) -> str:
    """Return why a function could tell a symbol from a number, or nothing."""
    for part in _codes(code):
        before = None
        for instruction in dis.get_instructions(part):
            if instruction.opname in _ENDS:
                return _ENDS[instruction.opname]
            if instruction.opname == "IS_OP" and not (
                before and before.opname == "LOAD_CONST" and before.argval is None
            ):
                return "a question of identity"
            before = instruction
        if hidden := [name for name in part.co_names if name.startswith("__")]:
            return f"a look at {hidden[0]}"
    return ""


def _holds_type(value: Any, depth: int = 3) -> bool:
    """Return whether a value is ``type``, or a plain container that holds it."""
    if isinstance(value, type):
        return issubclass(value, type)
    if depth and isinstance(value, (list, tuple, set, frozenset, dict)) and len(value) < 1000:
        return any(_holds_type(x, depth - 1) for x in (value.values() if isinstance(value, dict) else value))
    return False


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _names(code: CodeType) -> set[str]:
    return {name for part in _codes(code) for name in part.co_names}
