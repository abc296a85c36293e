"""Detect what the two sides of a claim share: a function that computes both, and state that is kept between calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import FrameType, FunctionType, MappingProxyType
from typing import Any

from rropt.claims.anchors.rebinding import inner_function, names_of
from rropt.claims.caches import ExactCache
from rropt.claims.comparisons import Bound
from rropt.claims.domains import Point

_POINTS = 5  # points at which the calls of both sides are recorded
_MOST = 3000  # entries of the largest container whose text is recorded


def is_one_function(theory: Callable[..., Any], computed: Callable[..., Any], points: Sequence[Point]) -> bool:
    """Return whether both sides return a value that one function returned for the same arguments."""
    some = points[:: max(1, len(points) // _POINTS)][:_POINTS]
    telling = 0
    for point in some:
        says, of_theory = _watched(theory, point)
        is_, of_computed = _watched(computed, point)
        parts = [(one, other) for one, other in _parts(says, is_) if _tells(one) or _tells(other)]
        if any(one != other for one, other in parts):
            return False
        if not parts:
            continue
        telling += 1
        own = [value for value in point.values() if isinstance(value, (int, Fraction))]  # read from the point
        shared = {call for call in of_theory & of_computed if call[2] not in own}
        if not all(any(value == one for _, _, value in shared) for one, _ in parts):
            return False
    return telling > 0


def _parts(says: Any, is_: Any) -> list[tuple[Any, Any]]:
    if isinstance(says, Mapping) and isinstance(is_, Mapping):
        return [(_number(says[key]), is_[key]) for key in says.keys() & is_.keys()]
    if isinstance(says, tuple) and isinstance(is_, tuple):
        return [(_number(one), other) for one, other in zip(says, is_, strict=False)]
    return [(says, is_)]


def _number(value: Any) -> Any:
    return value.value if isinstance(value, Bound) else value


def _tells(value: Any) -> bool:
    """Return whether a value is a number that is unlikely to be returned by coincidence."""
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool) and value not in (0, 1, -1)


def _watched(side: Callable[..., Any], point: Point) -> tuple[Any, set[tuple[int, str, Any]]]:
    """Return the result of a side, and the calls inside it that returned a number: code, arguments and number."""
    called: set[tuple[int, str, Any]] = set()
    root = (getattr(side, "__module__", "") or "").partition(".")[0]
    stack: list[str] = []

    def watch(frame: FrameType, event: str, returned: Any) -> None:
        if event not in ("call", "return"):
            return
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] not in (root, "rropt"):
            return
        if event == "call":
            code = frame.f_code
            count = code.co_argcount + code.co_kwonlyargcount
            stack.append(_arguments([frame.f_locals.get(name) for name in code.co_varnames[:count]]))
        elif stack:
            arguments = stack.pop()
            value = returned.value if isinstance(returned, Bound) else returned
            if _tells(value):
                called.add((id(frame.f_code), arguments, value))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        found = side(MappingProxyType(dict(point)))
    finally:
        sys.setprofile(before)
    return found.value if isinstance(found, Bound) else found, called


def _arguments(values: Sequence[Any]) -> str:
    try:
        return repr(values)
    except Exception:  # the object is not completely constructed
        return f"object {id(values)}"


def state_of(sides: Sequence[Callable[..., Any]]) -> dict[str, Any]:
    """Return the global state of functions and of the helpers of their package, by name, for a later comparison."""
    found: dict[str, Any] = {}
    waiting, seen = [inner_function(side) for side in sides], set[int]()
    while waiting:
        function = waiting.pop()
        if id(function) in seen or type(function) is not FunctionType:
            continue
        seen.add(id(function))
        root = (function.__module__ or "").partition(".")[0]
        held = {name: function.__globals__[name] for name in names_of(function.__code__) & function.__globals__.keys()}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                held[name] = cell.cell_contents
            except ValueError:  # the cell is still empty
                continue
        held |= {f"default {place}": value for place, value in enumerate(function.__defaults__ or ())}
        own = function.__qualname__ if f"the code of {function.__qualname__}" not in found else f"function {len(seen)}"
        held |= {f"default {name}": value for name, value in (function.__kwdefaults__ or {}).items()}
        found[f"the code of {own}"] = function.__code__
        for name, value in held.items():
            for inner in map(inner_function, _functions_in(value)):
                if type(inner) is FunctionType and (inner.__module__ or "").partition(".")[0] == root:
                    waiting.append(inner)
            found[f"{name} of {own}"] = _text(value)
    return found


def clear_caches(sides: Sequence[Callable[..., Any]]) -> None:
    """Clear every ``exact_cache`` that functions and the helpers of their package use."""
    waiting, seen = list(sides), set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if type(value) is ExactCache:
            value.clear()
        function = inner_function(value)
        if type(function) is FunctionType:
            names = names_of(function.__code__) & function.__globals__.keys()
            held = [function.__globals__[name] for name in names]
            for cell in function.__closure__ or ():
                try:
                    held.append(cell.cell_contents)
                except ValueError:  # the cell is still empty
                    continue
            held += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
            waiting += [part for each in held for part in _functions_in(each)]


def _functions_in(value: Any, depth: int = 6) -> Iterator[Any]:
    """Iterate over the functions and caches that a value is or that a plain container contains."""
    if type(value) in (list, dict, set, tuple, frozenset) and depth and len(value) <= _MOST:
        for part in value.values() if type(value) is dict else value:
            yield from _functions_in(part, depth - 1)
    elif type(inner_function(value)) is FunctionType:
        yield value


def _text(value: Any) -> Any:
    if type(value) in (list, dict, set, tuple, frozenset):
        return repr(value) if len(value) <= _MOST else len(value)
    if type(value) is Fraction:
        return repr(value)  # its parts can be changed in place
    return value if type(value) in (int, float, str, bool) else (id(value), id(inner_function(value)))
