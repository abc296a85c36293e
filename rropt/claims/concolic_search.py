"""Concolic search: find where a claim's Python changes its branch along a line, with numbers that record their origin.

One variable moves and the others are fixed. On each branch the values that the claim computes are rational functions of
the moving variable. The claim runs with a number that carries its rational function. Every comparison records the
polynomial whose sign it needs, and so does the difference of the two sides. The roots of these polynomials and of their
derivatives are the marks of the line. Between two neighbouring marks the branch and the sign of the difference are
constant, so one point there is enough. A statement that is false on an interval, however short, is therefore false at a
tested point.
"""

from __future__ import annotations

import builtins
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import Any

from flint import fmpq_poly, fmpz_poly

from rropt.claims.anchors.rebinding import Copies, inner_function
from rropt.claims.caches import ExactCache
from rropt.claims.comparisons import Bound
from rropt.claims.concolic_numbers import Along, exact, polynomial_of
from rropt.claims.domains import Domain, Point, points
from rropt.core.errors import RroptError
from rropt.core.exact.brackets import to_fraction

_MOST = 500  # points for one claim; with 250, two of 50 defects 1e-12 from an endpoint are missed
_BASES = 3  # starting points of lines, besides one for each value of a small finite domain
_EACH = (
    9  # more points for each value of a small finite domain: three lines of three; with 500 in all, 3 of 50 are missed
)
_SMALL = 60  # largest number of values of a finite domain for which each value gets a line
_ROUNDS = 4  # rounds on one line, since a new branch may lead to further ones
_FAR = Fraction(10**7)  # factor by which a line extends beyond the boundary values of an unbounded variable
_CLOSE = Fraction(1, 10**13)  # distance from an endpoint of the domain, relative if the endpoint exceeds 1


_MOST_HELD = 50  # entries of a container that may contain helper functions


_HARMLESS = {"builtins", "math", "itertools", "functools", "_functools", "operator", "_operator", "rropt.claims"}


def _root(value: Any) -> str:
    name = value.__name__ if isinstance(value, ModuleType) else str(getattr(value, "__module__", "") or "builtins")
    return "rropt.claims" if name.startswith("rropt.claims") else name


class _LeftError(RroptError, TypeError):
    """Third-party code received a recording number; it could lose the record or store the number."""


class _Foreign:
    """A third-party function, class or module: a run ends if it receives a recording number."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __call__(self, *args: Any, **named: Any) -> Any:
        if _remembers(args) or _remembers(named):
            raise _LeftError("a third-party function")
        return self._value(*map(_itself, args), **{name: _itself(value) for name, value in named.items()})

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._value, name)
        return _Foreign(found) if callable(found) else found


class _Cached:
    """A function with an exact cache: the cache is used if no argument is a recording number, otherwise the copy."""

    def __init__(self, cache: ExactCache, copy: Callable[..., Any]) -> None:
        self._cache, self._copy = cache, copy

    def __call__(self, *args: Any, **named: Any) -> Any:
        plain = not (_remembers(args) or _remembers(named))
        return (self._cache if plain else self._copy)(*args, **named)


def _remembers(value: Any) -> bool:
    if type(value) in (tuple, list, set, frozenset):
        return any(map(_remembers, value))
    return any(map(_remembers, value.values())) if type(value) is dict else isinstance(value, Along)


def _itself(value: Any) -> Any:
    return value._value if isinstance(value, _Foreign) else value


class _Remembering(Copies):
    """Copies in which ``Fraction`` and ``float`` keep the record of a number; third-party functions are wrapped."""

    def __init__(self, side: Any) -> None:
        super().__init__(side)
        self._builtins = {**vars(builtins), "float": _number, "isinstance": _isinstance}
        inner = inner_function(side)
        self.side = self.copy(inner) if self.is_own(inner) else side

    def builtins(self, _: Iterable[str]) -> dict[str, Any]:
        """Return the built-in names of the copies."""
        return self._builtins

    def held(self, value: Any, name: str, function: FunctionType) -> Any:
        """Return the substitute for the value of a name."""
        if value is Fraction:
            return _fraction
        if type(value) in (list, tuple, dict) and len(value) <= _MOST_HELD:  # it may contain helper functions
            if type(value) is dict:
                return {key: self.held(part, name, function) for key, part in value.items()}
            return type(value)(self.held(part, name, function) for part in value)
        inner = inner_function(value)
        if self.is_own(inner):
            return _Cached(value, self.copy(inner)) if type(value) is ExactCache else self.copy(inner)
        foreign = callable(value) or isinstance(value, ModuleType)
        return _Foreign(value) if foreign and _root(value) not in _HARMLESS else value


def along_lines(
    variables: Mapping[str, Domain],
    sides: tuple[Callable[..., Any], Callable[..., Any]],
    effort: int,
    start: Sequence[Point] = (),
) -> Iterator[Point]:
    """Iterate over points on lines through points of the domains, between the marks of each line.

    Args:
        variables: the domains.
        sides: ``theory`` and ``computed``.
        effort: a factor for the number of points.
        start: points through which the first lines go.
    """
    moving = [name for name, domain in variables.items() if domain.is_interval]
    copies = [_Remembering(side) for side in sides]
    waiting = [(point, name) for point in (*start, *_bases(variables)) for name in moving]
    seen: set[tuple[Any, ...]] = set()
    budget = (_MOST + _EACH * sum(map(len, _small(variables).values()))) * effort
    while waiting and budget > 0:
        base, name = waiting.pop(0)
        for point, path, turns in _line(base, name, variables[name], copies):
            budget -= 1
            yield point
            if path not in seen:  # a new branch: start lines in the other variables here
                seen.add(path)
                waiting[:0] = [(point, other) for other in moving if other != name]
            elif turns:
                waiting += [(point, other) for other in moving if other != name]
            if budget <= 0:
                return


def _line(base: Point, name: str, domain: Domain, copies: Sequence[_Remembering]) -> Iterator[tuple[Point, Any, bool]]:
    """Iterate over the points of a line, each with its comparisons and whether it is a root of a derivative."""
    low, high = _ends(domain)
    marks: dict[Fraction, bool] = {low: False, high: False}
    polynomials: set[Any] = set()
    tried: set[Fraction] = set()
    values = [Fraction(base[name])]
    for _ in range(_ROUNDS):
        found: dict[Any, bool | None] = {}
        for value in values:
            tried.add(value)
            point = {**base, name: value}
            path = _run(point, name, copies, found)
            yield point, path, marks.get(value, False)
        for coefficients in found:
            if coefficients and coefficients not in polynomials:
                polynomials.add(coefficients)
                polynomial = fmpz_poly(list(coefficients))
                marks |= {root: False for root in _roots(polynomial) if low < root < high}
                marks |= {root: True for root in _roots(polynomial.derivative()) if low < root < high}
        listed = sorted(marks)
        close = [end + side * max(abs(end), Fraction(1)) * _CLOSE for end, side in ((low, 1), (high, -1))]
        between = [(a + b) / 2 for a, b in pairwise(listed) if not any(a < x < b for x in tried)]
        turning = [mark for mark in listed if marks[mark]]
        values = [x for x in dict.fromkeys((*between, *turning, *close)) if x not in tried and _inside(domain, x)]
        if not values:
            return


def _run(point: Point, name: str, copies: Sequence[_Remembering], found: dict[Any, bool | None]) -> Any:
    """Run both sides with one recording number; return the comparisons and their outcomes, by polynomial."""
    marks: dict[Any, bool | None] = {}
    number = Along.of(exact(point[name]), fmpq_poly([0, 1]), fmpq_poly([1]), marks)
    values = []
    for copy in copies:
        try:
            values.append(copy.side({**point, name: number}))
        except Exception:  # user code may be undefined at this point
            values.append(None)
    path = tuple(marks.items())
    if None not in values:
        _compare(values[0], values[1], marks)
    found |= marks
    return path


def _compare(says: Any, is_: Any, marks: dict[Any, bool | None]) -> None:
    """Record the polynomials of the differences of two values, component by component."""
    if isinstance(says, Bound):
        says = says.value
    if isinstance(says, Mapping) and isinstance(is_, Mapping):
        for key in says:  # in the order of the statement; that of a set would depend on Python's hash seed
            if key in is_:
                _compare(says[key], is_[key], marks)
    elif isinstance(says, (tuple, list)) and isinstance(is_, (tuple, list)):
        for one, other in zip(says, is_, strict=False):
            _compare(one, other, marks)
    elif isinstance(says, Along) or isinstance(is_, Along):
        try:
            difference = says - is_
        except TypeError:
            return
        if isinstance(difference, Along):
            marks.setdefault(polynomial_of(difference.over), None)
            slope = difference.over.derivative() * difference.below - difference.over * difference.below.derivative()
            marks.setdefault(polynomial_of(slope), None)


def _roots(polynomial: Any) -> list[Fraction]:
    """Return rational approximations of the real roots of a polynomial."""
    if polynomial.degree() < 1:
        return []
    found = []
    for root, _ in polynomial.complex_roots():
        if root.imag == 0:
            found.append(to_fraction(root.real.mid()))
    return found


def _inside(domain: Domain, value: Fraction) -> bool:
    return all(relation.holds({"x": value}) for relation in domain.relation)


def _ends(domain: Domain) -> tuple[Fraction, Fraction]:
    """Return the endpoints of a line: the boundary values, or far beyond them where the domain allows it."""
    low, high = min(domain.boundary), max(domain.boundary)
    far = max(abs(low), abs(high), Fraction(1)) * _FAR
    return (-far if _inside(domain, -far) else low), (far if _inside(domain, far) else high)


def _bases(variables: Mapping[str, Domain]) -> Iterator[Point]:
    """Iterate over base points for lines; every value of a small finite domain occurs in one of them."""
    rng = random.Random(5)
    pool = list(points(variables, 40, seed=6))
    inner = pool[-30:]  # drawn at random
    yield from rng.sample(inner, min(_BASES, len(inner)))
    for name, values in _small(variables).items():
        for value in values:
            yield {**rng.choice(inner), name: value}


def _small(variables: Mapping[str, Domain]) -> dict[str, tuple[Any, ...]]:
    """Return the values of the small finite domains, by name."""
    return {
        name: domain.boundary
        for name, domain in variables.items()
        if domain.draw is None and 1 < len(domain.boundary) <= _SMALL
    }


def _fraction(numerator: Any = 0, denominator: Any = None) -> Any:
    """Replace ``Fraction``; a recording number stays a recording number."""
    if Along in (type(numerator), type(denominator)):
        one = Fraction(1)
        return one * numerator + Fraction(0) if denominator is None else one * numerator / denominator
    return Fraction(numerator, denominator)


def _isinstance(value: Any, kinds: Any) -> bool:
    """Replace ``isinstance``, since in a copy ``Fraction`` is a function."""
    if isinstance(kinds, tuple):
        return any(_isinstance(value, kind) for kind in kinds)
    return isinstance(value, Fraction if kinds is _fraction else _itself(kinds))


def _number(value: Any = 0) -> Any:
    """Replace ``float``; a recording number stays exact."""
    return value if isinstance(value, Along) else float(value)
