"""The adversarial search: points at which a claim is most likely to be false, in addition to those of the sweep.

The points come from three sources:

1. Numbers in the claim's own Python (constants, values in closures, quotients of integers), and the midpoints between
   neighbouring ones. Code that treats a value as an exception must contain this value.
2. Points close to the boundary values.
3. For an inequality, the neighbourhood of the points where it is tightest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import _lru_cache_wrapper
from gc import get_referents
from itertools import pairwise
from types import CodeType, FunctionType
from typing import Any

from rropt.claims.comparisons import Bound
from rropt.claims.domains import Domain, Point

_CONSTANTS = 30  # numbers of the code that are used
_OTHERS = 3  # settings of the other variables for each special value
_MOST = 240  # special points of one claim
_BESIDE = (Fraction(1, 10**13), Fraction(1, 10**6))  # distances from a boundary value, relative to the domain's width
_STEPS = 24  # steps of a local search in one variable
_STARTS = 3


def special_points(
    variables: Mapping[str, Domain], pool: Sequence[Point], sides: Sequence[Callable[..., Any]], effort: int
) -> list[Point]:
    """Return points with one variable at a special value and the others as at a point of the pool."""
    rng = random.Random(2)
    numbers = _numbers(sides)
    values = {name: _special(domain, numbers) for name, domain in variables.items() if domain.is_interval}
    found: list[Point] = []
    for tried in range(_OTHERS):
        for name, listed in values.items():
            for value in listed:
                if tried == 0 or len(variables) > 1:
                    found.append({**rng.choice(pool), name: value})
    most = _MOST * effort
    return found if len(found) <= most else rng.sample(found, most)


def near_tight(starts: Sequence[Point], slack: Callable[[Point], Any]) -> Iterator[Point]:
    """Iterate over the points of local searches that start where the slack, a number or None, is smallest."""
    scored = []
    for point in starts:
        value = slack(point)
        if value is None:
            return
        scored.append((value, point))
    scored.sort(key=lambda pair: pair[0])
    for value, start in scored[:_STARTS]:
        best, at = value, dict(start)
        for name, here in start.items():
            if not isinstance(here, Fraction):
                continue
            step = max(abs(here), Fraction(1, 4)) / 4
            for _ in range(_STEPS):
                for other in (at[name] + step, at[name] - step):
                    candidate = {**at, name: other.limit_denominator(10**12)}
                    yield candidate
                    reached = slack(candidate)
                    if reached is not None and reached < best:
                        best, at = reached, candidate
                        break
                else:
                    step /= 3


def distance(strength: str, says: Any, is_: Any) -> Any:
    """Return the slack of an inequality between numbers; None if the sides are not numbers or not an inequality."""
    if isinstance(says, Bound):
        strength, says = says.strength, says.value
    if isinstance(says, Mapping) and isinstance(is_, Mapping):
        slacks = [distance(strength, part, is_[key]) for key, part in says.items() if key in is_]
        return min((slack for slack in slacks if slack is not None), default=None)
    if not isinstance(says, Fraction) or not isinstance(is_, Fraction):
        return None
    if strength in ("at-most", "less"):
        return says - is_
    return is_ - says if strength in ("at-least", "greater") else None


def calls(function: Any, targets: Sequence[Any]) -> bool:
    """Return whether a function is one of the targets, or refers to one directly or through helpers of its package."""
    waiting, seen = [function], set[int]()
    root = (getattr(function, "__module__", "") or "").partition(".")[0]
    while waiting:
        found = waiting.pop()
        if any(found is target for target in targets):
            return True
        inner = unwrapped(found)
        if id(inner) in seen or not isinstance(inner, FunctionType):
            continue
        seen.add(id(inner))
        if (inner.__module__ or "").partition(".")[0] == root:
            waiting += [inner, *_held(inner)] if inner is not found else _held(inner)
    return False


def unwrapped(function: Any) -> Any:
    """Return the function behind a cache of the standard library, and any other object unchanged."""
    if type(function) is _lru_cache_wrapper:
        held = [x for x in get_referents(function) if x is getattr(function, "__wrapped__", None)]
        return held[0] if held else function  # the attribute ``__wrapped__`` can be set to another function
    return function


def _held(function: FunctionType) -> list[Any]:
    """Return the objects that the code of a function can access: globals, cells and defaults."""
    names, _ = _of_code(function.__code__)
    held = [function.__globals__[name] for name in names if name in function.__globals__]
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:  # the cell is still empty
            continue
    return [*held, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]


def _special(domain: Domain, numbers: Sequence[Fraction]) -> list[Fraction]:
    """Return special values of one variable that lie in its domain."""
    ends = sorted(domain.boundary)
    inside = [x for x in numbers if all(relation.holds({"x": x}) for relation in domain.relation)]
    marks = sorted({*inside, *ends})
    found = [*inside, *((low + high) / 2 for low, high in pairwise(marks))]
    width = ends[-1] - ends[0] or Fraction(1)
    for mark in marks:
        for share in _BESIDE:
            found += [mark - width * share, mark + width * share]
    known = set(ends)
    return [
        x
        for x in dict.fromkeys(found)
        if x not in known and all(relation.holds({"x": x}) for relation in domain.relation)
    ]


def _numbers(sides: Sequence[Callable[..., Any]]) -> list[Fraction]:
    """Return the numbers that occur in functions and their helpers; those of the functions themselves come first."""
    found: dict[Fraction, None] = {}
    waiting: list[Any] = list(sides)
    seen: set[int] = set()
    root = {(getattr(side, "__module__", "") or "").partition(".")[0] for side in sides}
    while waiting and len(found) < _CONSTANTS:
        function = getattr(waiting[0], "__wrapped__", waiting[0])
        waiting.pop(0)
        if not isinstance(function, FunctionType) or id(function) in seen:
            continue
        seen.add(id(function))
        held = [*(function.__defaults__ or ()), *(cell.cell_contents for cell in function.__closure__ or ())]
        names, constants = _of_code(function.__code__)
        held += [*constants, *(function.__globals__[name] for name in names if name in function.__globals__)]
        whole = [x for x in held if isinstance(x, int) and not isinstance(x, bool)]
        for x in held:
            if (number := _number(x)) is not None:
                found.setdefault(number)
            elif callable(x) and (getattr(x, "__module__", "") or "").partition(".")[0] in root:
                waiting.append(x)
        for x in whole:
            for y in whole:
                if y not in (0, 1, -1):
                    found.setdefault(Fraction(x, y))
    return list(found)[: 4 * _CONSTANTS]


def _of_code(code: CodeType) -> tuple[list[str], list[Any]]:
    names, constants = list(code.co_names), []
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            more, further = _of_code(constant)
            names += more
            constants += further
        elif isinstance(constant, tuple):
            constants += constant
        else:
            constants.append(constant)
    return names, constants


def _number(value: Any) -> Fraction | None:
    """Return a value or text as an exact number, or None; a float is converted to its shortest decimal."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if isinstance(value, float):
        value = repr(value)
    if isinstance(value, str) and len(value) < 40 and value[:1].strip("-+.").isdigit() + value[:1].count("."):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            return None
    return None
