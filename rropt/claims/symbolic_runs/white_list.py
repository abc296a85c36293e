"""The white list of a run on symbols: the objects, names and operations that a called function may use.

A run on symbols proves a statement about the claim only under two conditions: the code
cannot distinguish a symbol from a number, and it returns the same value for the same point every time. Therefore a
called function may use only:

* numbers, text and None, and short plain tuples, frozen sets and dicts of these, which cannot be changed;
* functions of the claim's package and of rropt, which are copied by the same rule;
* the listed operations and functions of modules, and the methods of plain containers;
* the listed Python instructions: no ``try``, no class, no import, no assignment to an attribute or to a name outside
  the function.

Anything else ends the run. The reason then names the object and the function.
"""

from __future__ import annotations

import builtins
import dis
import fractions
import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from types import CellType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NoReturn

from rropt.claims.stated_values import StatedBound
from rropt.core.exact import rational

_MOST_HELD = 2000  # values in one container, including nested containers
_DEEP = 6  # nesting depth of containers
_CACHE: Any = type(functools.cache(len))
_NUMBERS = (bool, int, float, Fraction)
_PLAIN = (*_NUMBERS, str, type(None))

_FUNCTIONS = {  # they treat a symbol as a number, or end the run because they need a number
    name: getattr(builtins, name)
    for name in ("abs", "all", "any", "divmod", "iter", "len", "max", "min", "next", "pow", "round", "sorted", "sum")
}
_TYPES = {  # these may only be called, since some of their attributes are methods that change containers
    name: getattr(builtins, name)
    for name in ("bool", "dict", "enumerate", "filter", "float", "frozenset", "int", "list", "map", "range", "reversed")
} | {name: getattr(builtins, name) for name in ("set", "slice", "tuple", "zip")}
_ERRORS = {
    name: value for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)
}
_MODULES: dict[ModuleType, tuple[str, ...]] = {
    math: tuple(name for name in vars(math) if not name.startswith("_")),  # they need floats, so a symbol ends the run
    functools: ("reduce",),
    itertools: (
        *("accumulate", "chain", "combinations", "combinations_with_replacement", "compress", "dropwhile", "islice"),
        *("pairwise", "permutations", "product", "repeat", "starmap", "takewhile", "zip_longest"),
    ),
    operator: ("add", "eq", "ge", "gt", "le", "lt", "mul", "ne", "neg", "sub", "truediv"),
}
_METHODS = {  # methods of lists, dicts, sets, text and fractions; no other attribute may be read
    *("append", "clear", "copy", "count", "extend", "get", "index", "insert", "items", "keys", "pop", "remove"),
    *("reverse", "setdefault", "sort", "update", "values", "add", "discard", "difference", "intersection"),
    *("isdisjoint", "issubset", "issuperset", "symmetric_difference", "union"),
    *("endswith", "join", "lower", "partition", "removeprefix", "removesuffix", "replace", "split", "startswith"),
    *("strip", "upper", "denominator", "numerator"),
}
_READ = _METHODS.union(*_MODULES.values()) | {"Fraction", "bit_count", "bit_length", "from_iterable", "fromkeys"}
_INSTRUCTIONS = {  # of Python 3.11 to 3.14
    *("BINARY_OP", "BINARY_SLICE", "BINARY_SUBSCR", "BUILD_CONST_KEY_MAP", "BUILD_LIST", "BUILD_MAP", "BUILD_SET"),
    *("BUILD_SLICE", "BUILD_STRING", "BUILD_TUPLE", "CACHE", "CALL", "CALL_FUNCTION_EX", "CALL_KW", "COMPARE_OP"),
    *("CONTAINS_OP", "CONVERT_VALUE", "COPY", "COPY_FREE_VARS", "DELETE_FAST", "DELETE_SUBSCR", "DICT_MERGE"),
    *("DICT_UPDATE", "END_FOR", "END_SEND", "EXTENDED_ARG", "FORMAT_SIMPLE", "FORMAT_VALUE", "FORMAT_WITH_SPEC"),
    *("FOR_ITER", "GET_ITER", "GET_YIELD_FROM_ITER", "IS_OP", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"),
    *("JUMP_FORWARD", "JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP", "KW_NAMES", "LIST_APPEND", "LIST_EXTEND"),
    *("LIST_TO_TUPLE", "LOAD_ASSERTION_ERROR", "LOAD_ATTR", "LOAD_CLOSURE", "LOAD_COMMON_CONSTANT", "LOAD_CONST"),
    *("LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_AND_CLEAR", "LOAD_FAST_BORROW", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"),
    *("LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "LOAD_GLOBAL", "LOAD_METHOD", "LOAD_SMALL_INT", "MAKE_CELL"),
    *("MAKE_FUNCTION", "MAP_ADD", "NOP", "NOT_TAKEN", "POP_ITER", "POP_JUMP_BACKWARD_IF_FALSE"),
    *("POP_JUMP_BACKWARD_IF_NONE", "POP_JUMP_BACKWARD_IF_NOT_NONE", "POP_JUMP_BACKWARD_IF_TRUE"),
    *("POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE"),
    *("POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_IF_FALSE", "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE"),
    *("POP_JUMP_IF_TRUE", "POP_TOP", "PRECALL", "PUSH_NULL", "RAISE_VARARGS", "RERAISE", "RESUME", "RETURN_CONST"),
    *("RETURN_GENERATOR", "RETURN_VALUE", "SEND", "SET_ADD", "SET_FUNCTION_ATTRIBUTE", "SET_UPDATE", "STORE_DEREF"),
    *("STORE_FAST", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST", "STORE_SLICE", "STORE_SUBSCR", "SWAP", "TO_BOOL"),
    *("UNARY_INVERT", "UNARY_NEGATIVE", "UNARY_NOT", "UNARY_POSITIVE", "UNPACK_EX", "UNPACK_SEQUENCE"),
    "YIELD_VALUE",
}
_INTRINSICS = {3, 5, 6}  # allowed arguments of CALL_INTRINSIC_1: end of a generator, +x, and list to tuple
_NAMED_INSTRUCTIONS = {
    "PUSH_EXC_INFO": "a try or a with",
    "BEFORE_WITH": "a try or a with",
    "SETUP_FINALLY": "a try or a with",
    "LOAD_SPECIAL": "a try or a with",
    "IMPORT_NAME": "an import",
    "LOAD_BUILD_CLASS": "a class",
    "STORE_ATTR": "an attribute that is set",
    "DELETE_ATTR": "an attribute that is set",
    "STORE_GLOBAL": "state: a global name that is changed",
    "DELETE_GLOBAL": "state: a global name that is changed",
}

End = Callable[[str], NoReturn]
_Listed = tuple[Any, str, Mapping[str, Any] | None]  # an operation, its name, and its readable attributes


def _listed() -> dict[int, _Listed]:
    """Return the operations on the white list, by id."""
    found: dict[int, _Listed] = {
        id(value): (value, name, None) for name, value in {**_FUNCTIONS, **_TYPES, **_ERRORS}.items()
    }
    for module, names in _MODULES.items():
        found |= {id(value): (value, name, None) for name in names for value in (getattr(module, name),)}
    found[id(itertools.chain)] = itertools.chain, "chain", {"from_iterable": itertools.chain.from_iterable}
    found[id(dict)] = dict, "dict", {"fromkeys": dict.fromkeys}
    found[id(StatedBound)] = StatedBound, "StatedBound", None
    return found


_LISTED = _listed()


class WhiteList:
    """The copies of a side of a claim, and of the functions that it calls, in which all else ends the run.

    Attributes:
        side: the copy of the side.
    """

    def __init__(self, side: Any, symbol: type, end: End, instead: Mapping[Any, Any]) -> None:
        self._root = (getattr(side, "__module__", "") or "").partition(".")[0]
        self._known: dict[Any, Any] = {}
        self._symbol, self.end = symbol, end
        self._listed: dict[int, _Listed] = {
            **_LISTED,
            id(str): (self._text, "str", None),
            id(Fraction): (self._fraction, "Fraction", None),
            id(rational): (self._rational, "rational", None),
            **{id(key): (value, key.__name__, None) for key, value in instead.items()},
        }
        self._made: dict[int, Any] = {}
        self.side = self._copy(side) if self._is_own(side) else _Opaque(end, "a side that is no plain function")

    def _is_own(self, function: Any) -> bool:
        """Return whether a value is a Python function of the claim's package or of rropt."""
        return type(function) is FunctionType and (function.__module__ or "").partition(".")[0] in (self._root, "rropt")

    def _copy(self, function: FunctionType) -> Any:
        """Return the copy of a function, which can only be called; each function is copied once.

        A function that is refused is replaced by an object that ends the run.
        """
        if function in self._known:
            return self._known[function]
        if reason := refusal(function):
            self._known[function] = _Opaque(self.end, reason)
            return self._known[function]
        cells = tuple(CellType() for _ in function.__closure__ or ())
        names = _names_of(function.__code__)
        scope: dict[str, Any] = {"__builtins__": self._builtins(names)}
        copy = FunctionType(function.__code__, scope, function.__name__, None, cells or None)
        self._known[function] = _Operation(copy, _name(function), self.end)
        copy.__defaults__ = tuple(self._held(value, "a default", function) for value in function.__defaults__ or ())
        copy.__kwdefaults__ = {
            name: self._held(value, name, function) for name, value in (function.__kwdefaults__ or {}).items()
        }
        for cell, name, original in zip(cells, function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                cell.cell_contents = self._held(original.cell_contents, name, function)
            except ValueError:  # the cell is still empty
                continue
        for name in names & function.__globals__.keys():
            scope[name] = self._held(function.__globals__[name], name, function)
        return self._known[function]

    def _builtins(self, names: Iterable[str]) -> dict[str, Any]:
        """Return the built-in names of a copy: listed names as operations, all others end the run."""
        known = [name for name in names if name[0] != "_" and name in vars(builtins)]
        return {name: self._named(getattr(builtins, name), name) for name in known}

    def _named(self, value: Any, name: str) -> Any:
        return self._operation(value) if id(value) in self._listed else _Opaque(self.end, f"a call of {name}")

    def _operation(self, value: Any) -> Any:
        """Return the substitute of a listed operation, created on first use; a float is returned unchanged."""
        if id(value) not in self._made:
            function, name, known = self._listed[id(value)]
            made = function if type(function) is float else _Operation(function, name, self.end, known)
            self._made[id(value)] = made
        return self._made[id(value)]

    def _held(self, value: Any, name: str, function: FunctionType) -> Any:
        """Return the substitute for the value of a name.

        Plain values are frozen and functions are copied by the same rule. Any other value is replaced by an object
        that ends the run when it is used.
        """
        where = f"in {_name(function)}"
        if id(value) in self._listed:
            return self._operation(value)
        if type(value) in _PLAIN:
            return value
        if type(value) is _CACHE and self._is_own(value.__wrapped__):
            return self._copy(value.__wrapped__)
        if self._is_own(value):
            return self._copy(value)
        if type(value) is ModuleType:
            names = ("Fraction",) if value is fractions else _MODULES.get(value, ())
            known = {name: self._held(getattr(value, name), name, function) for name in names}
            return _Opaque(self.end, f"the module {value.__name__} {where}", known)
        if type(value) in (list, tuple, dict, set, frozenset):
            if _size(value, _DEEP) > _MOST_HELD:
                return _Opaque(self.end, f"the long container {name} {where}")
            return self._frozen(value, name, function)
        return _Opaque(self.end, f"{name}, an object of the type {type(value).__name__}, {where}")

    def _frozen(self, value: Any, name: str, function: FunctionType) -> Any:
        """Return a container that cannot change; a list or a set, which can, ends the run."""
        where = f"in {_name(function)}"
        if type(value) in (list, set):
            return _Opaque(self.end, f"{name}, a {type(value).__name__} that could change, {where}")
        if type(value) is not tuple and any(type(part) not in _PLAIN for part in value):
            return _Opaque(self.end, f"{name}, a {type(value).__name__} of other types, {where}")
        if type(value) is dict:
            return MappingProxyType({key: self._held(part, name, function) for key, part in value.items()})
        return tuple(self._held(part, name, function) for part in value) if type(value) is tuple else value

    def _fraction(self, numerator: Any = 0, denominator: Any = None) -> Any:
        """Replace ``Fraction``: a symbol for an integer becomes a symbol for a fraction."""
        for part in (numerator, denominator):
            if type(part) is not self._symbol and type(part) not in _PLAIN:
                self.end(f"Fraction of an object of the type {type(part).__name__}")
        if self._symbol in (type(numerator), type(denominator)):
            one = Fraction(1)
            return one * numerator + Fraction(0) if denominator is None else one * numerator / denominator
        return Fraction(numerator, denominator)

    def _rational(self, value: Any) -> Any:
        """Replace ``rational`` for one exact number, and return the number as a fraction."""
        if type(value) not in (self._symbol, int, Fraction):
            self.end(f"rational of an object of the type {type(value).__name__}")
        return self._fraction(value)

    def _text(self, value: Any = "") -> str:
        """Replace ``str``, for plain numbers and text only."""
        if type(value) not in _PLAIN:
            self.end(f"the text of an object of the type {type(value).__name__}")
        return str(value)


def _name(function: FunctionType) -> str:
    return function.__qualname__.replace("<locals>.", "")


def refusal(function: FunctionType) -> str:
    """Return the reason why a function cannot be run, with its name; empty if it can."""
    reason = refused(function.__code__)
    if getattr(function, "__builtins__", None) is not vars(builtins) or type(function.__globals__) is not dict:
        reason = "built-in or global names of its own"
    return f"{reason} in {_name(function)}" if reason else ""


@functools.lru_cache(maxsize=4096)
def refused(code: CodeType) -> str:
    """Return the first unlisted instruction, attribute or name in a function's code; empty if it can be run."""
    for part in _codes_of(code):
        if not all(map(_is_constant, part.co_consts)):  # the compiler writes no others, ``code.replace`` does
            return "a constant of another type"
        before = None
        for instruction in dis.get_instructions(part):
            name = instruction.opname
            if name == "CALL_INTRINSIC_1" and instruction.arg in _INTRINSICS:
                continue
            if name not in _INSTRUCTIONS:
                return _NAMED_INSTRUCTIONS.get(name, f"the instruction {name}")
            is_none = before is not None and before.opname == "LOAD_CONST" and before.argval is None
            if name == "IS_OP" and (not is_none or instruction.is_jump_target):  # a jump brings another operand
                return "a question of identity"
            if name in ("LOAD_ATTR", "LOAD_METHOD") and instruction.argval not in _READ:
                return f"the attribute {instruction.argval}"
            if name == "LOAD_GLOBAL" and str(instruction.argval).startswith("__"):
                return f"a look at {instruction.argval}"
            if name == "STORE_DEREF" and instruction.argval in code.co_freevars:
                return f"state: {instruction.argval}, which is changed from call to call,"
            before = instruction
    return ""


def _codes_of(code: CodeType) -> Iterator[CodeType]:
    """Iterate over the code objects of a function and of the functions nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_of(constant)


def _names_of(code: CodeType) -> set[str]:
    """Return the names that a function and its nested functions use."""
    return {name for part in _codes_of(code) for name in part.co_names}


def _is_constant(value: Any) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_constant, value))
    return type(value) in (*_PLAIN, bytes, complex, type(...), CodeType)


def _size(value: Any, depth: int) -> int:
    if type(value) not in (list, tuple, dict, set, frozenset):
        return 1
    if not depth or len(value) > _MOST_HELD:
        return _MOST_HELD + 1
    return sum(_size(part, depth - 1) for part in (value.values() if type(value) is dict else value)) + 1


class _Opaque:
    """A replacement for an object outside the white list: any use of it ends the run."""

    __slots__ = ("_end", "_known", "_reason")

    def __init__(self, end: End, reason: str, known: Mapping[str, Any] | None = None) -> None:
        self._end, self._reason, self._known = end, reason, known or {}

    def __getattr__(self, name: str) -> Any:
        return self._known[name] if name in self._known else self._end(f"{name} of {self._reason}")

    def _ends(self, *_: Any, **__: Any) -> Any:
        self._end(self._reason)

    __call__ = __hash__ = __bool__ = __len__ = __iter__ = __next__ = __contains__ = __getitem__ = _ends
    __repr__ = __str__ = __format__ = __index__ = __int__ = __float__ = __neg__ = __pos__ = __abs__ = _ends
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _ends
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _ends
    __pow__ = __rpow__ = __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __matmul__ = __rmatmul__ = _ends
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = __setitem__ = __delitem__ = _ends


class _Operation(_Opaque):
    """A listed operation or a called function: it can only be called."""

    __slots__ = ("_function",)

    def __init__(
        self, function: Callable[..., Any], name: str, end: End, known: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(end, f"the function {name}, which is not called but looked at", known)
        self._function = function

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self._function(*args, **named)
