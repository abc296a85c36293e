"""Proof of equality on a product grid, for two branch-free sides at one shape.

Two sides are equal if they agree on a grid that has more points in each symbol than their degree in it. The degrees
are derived from the code: both sides run on numbers that record only upper bounds of the degrees of their numerator
and denominator. The page ``docs/product_grids.md`` contains the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NoReturn

import sympy as sp

from rropt.claims.anchors.shape_links import NotAtShapesError
from rropt.claims.anchors.tracing import TraceEndedError, run_at
from rropt.claims.comparisons import Bound
from rropt.claims.relations import values_of

_MOST_POINTS = 5000
_TRIES = 4  # grids that are tried, since a side may divide by 0 on the first ones

Degrees = dict[str, int]


class DegreeNumber:
    """A number that records, for each symbol, upper bounds of the degrees of its numerator and its denominator.

    Attributes:
        above, below: the degree bounds of numerator and denominator, by symbol.
        end: a function that ends the run.
        whole: whether the number may be an ``int`` when the claim runs on plain numbers. The quotient of two such
            numbers is then a float, which the run does not support.
    """

    __slots__ = ("above", "below", "end", "whole")

    def __init__(self, above: Degrees, below: Degrees, end: Callable[[str], Any], *, whole: bool = False) -> None:
        self.above, self.below, self.end, self.whole = above, below, end, whole

    def lifted(self, value: Any) -> DegreeNumber:
        """Convert a plain number to a ``DegreeNumber`` of degree 0."""
        if type(value) is DegreeNumber:
            return value
        if type(value) not in (int, Fraction):
            self.end("a number of another kind")
        return DegreeNumber({}, {}, self.end, whole=type(value) is int)

    def _sum(self, other: Any) -> DegreeNumber:
        right = self.lifted(other)
        above = _largest(_added(self.above, right.below), _added(right.above, self.below))
        return DegreeNumber(above, _added(self.below, right.below), self.end, whole=self.whole and right.whole)

    __add__ = __radd__ = __sub__ = __rsub__ = _sum

    def __mul__(self, other: Any) -> Any:
        right = self.lifted(other)
        above, below = _added(self.above, right.above), _added(self.below, right.below)
        return DegreeNumber(above, below, self.end, whole=self.whole and right.whole)

    __rmul__ = __mul__

    def _over(self, other: DegreeNumber) -> DegreeNumber:
        if self.whole and other.whole:
            self.end("a quotient of integers, which is a float")
        return DegreeNumber(_added(self.above, other.below), _added(self.below, other.above), self.end)

    def __truediv__(self, other: Any) -> Any:
        return self._over(self.lifted(other))

    def __rtruediv__(self, other: Any) -> Any:
        return self.lifted(other)._over(self)

    def __pow__(self, power: Any) -> Any:
        if type(power) is Fraction and power.denominator == 1:
            power = power.numerator
        if type(power) is not int:
            self.end("a power that is no whole number")
        if power < 0 and self.whole:
            self.end("a quotient of integers, which is a float")
        above, below = (self.above, self.below) if power >= 0 else (self.below, self.above)
        size = abs(power)
        return DegreeNumber(
            {x: d * size for x, d in above.items()}, {x: d * size for x, d in below.items()}, self.end, whole=self.whole
        )

    def __neg__(self) -> DegreeNumber:
        return DegreeNumber(self.above, self.below, self.end, whole=self.whole)

    __pos__ = __neg__

    def __getattr__(self, name: str) -> Any:
        return self.end(f"the attribute {name} of a number")

    def _branches(self, *_: Any) -> Any:
        return self.end("a side that is not branch-free")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __hash__ = __abs__ = _branches
    __float__ = __int__ = __index__ = __round__ = __floor__ = __ceil__ = __trunc__ = __complex__ = _branches
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = __rpow__ = _branches
    __repr__ = __str__ = __format__ = __reduce_ex__ = __matmul__ = __rmatmul__ = __invert__ = _branches
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _branches
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _branches


def _added(one: Degrees, other: Degrees) -> Degrees:
    return {x: one.get(x, 0) + other.get(x, 0) for x in one.keys() | other.keys()}


def _largest(one: Degrees, other: Degrees) -> Degrees:
    return {x: max(one.get(x, 0), other.get(x, 0)) for x in one.keys() | other.keys()}


def degrees_of(
    sides: tuple[Callable[..., Any], Callable[..., Any]],
    point: Mapping[str, Any],
    leaves: Mapping[tuple[Any, ...], Any],
) -> Degrees:
    """Return an upper bound of each symbol's degree in the cross-multiplied differences of the parts of two sides.

    Raises:
        NotAtShapesError: a side is not branch-free, or a part is not an equality of numbers.
    """

    def end(reason: str) -> NoReturn:
        raise TraceEndedError(reason)

    symbols = {path: DegreeNumber({str(x): 1 for x in value.free_symbols}, {}, end) for path, value in leaves.items()}
    try:
        says, is_ = (run_at(side, point, symbols, DegreeNumber, end, {}) for side in sides)
        pairs = list(_pairs(says, is_))
        found: Degrees = {str(x): 0 for value in leaves.values() for x in value.free_symbols}
        for one, other in pairs:
            left, right = (x if type(x) is DegreeNumber else DegreeNumber({}, {}, end).lifted(x) for x in (one, other))
            crossed = _largest(_added(left.above, right.below), _added(right.above, left.below))
            found = _largest(found, crossed)
    except TraceEndedError as reason:
        raise NotAtShapesError(str(reason)) from None
    return found


def _pairs(says: Any, is_: Any) -> Iterator[tuple[Any, Any]]:
    """Iterate over the pairs of numbers that the comparison of two sides consists of."""
    if isinstance(says, Mapping) and isinstance(is_, Mapping) and says.keys() == is_.keys():
        for key in says:
            yield from _pairs(says[key], is_[key])
    elif type(says) in (tuple, list) and type(is_) in (tuple, list) and len(says) == len(is_):
        for one, other in zip(says, is_, strict=True):
            yield from _pairs(one, other)
    elif isinstance(says, Bound) or not {type(says), type(is_)} <= {DegreeNumber, int, Fraction}:
        raise NotAtShapesError("a part that is no equality of numbers")
    else:
        yield says, is_


def tied_on_grid(
    sides: tuple[Callable[..., Any], Callable[..., Any]],
    point: Mapping[str, Any],
    leaves: Mapping[tuple[Any, ...], Any],
) -> str:
    """Prove that two branch-free sides are equal at a shape; return a text with the degrees and number of points.

    Args:
        sides: the claim's own functions.
        point: a point of the shape.
        leaves: for each fraction, indexed by its path, its expression in the symbols.

    Raises:
        NotAtShapesError: the sides differ, a side is undefined on every grid that is tried, or the grid is too large.
    """
    degrees = degrees_of(sides, point, leaves)
    names = sorted(degrees)
    count = prod(degrees[name] + 1 for name in names)
    if count > _MOST_POINTS:
        raise NotAtShapesError(f"a grid of {count} points is too large")
    for shift in range(_TRIES):
        axes = [[Fraction(2 * i + 1, 2 * degrees[x] + 3 + 2 * shift) for i in range(degrees[x] + 1)] for x in names]
        try:
            for values in product(*axes):
                here = _put(point, leaves, dict(zip(names, values, strict=True)))
                if not all(one == other for one, other in _numbers(*(side(here) for side in sides))):
                    raise NotAtShapesError("the sides differ at a point of the grid")
        except ZeroDivisionError:
            continue
        return f"grid, degrees ({', '.join(str(degrees[x]) for x in names)}), {count} points"
    raise NotAtShapesError("a side is undefined on every grid that was tried")


def _numbers(says: Any, is_: Any) -> list[tuple[Any, Any]]:
    found = list(_pairs(says, is_))
    if any(type(x) not in (int, Fraction) for pair in found for x in pair):
        raise NotAtShapesError("a value that is no exact number")
    return found


def _put(point: Mapping[str, Any], leaves: Mapping[tuple[Any, ...], Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the point with its fractions replaced by the values of a grid point."""

    def replaced(value: Any, path: tuple[Any, ...]) -> Any:
        if path in leaves:
            return Fraction(values_of(sp.sympify(leaves[path]))(values))
        if isinstance(value, Mapping):
            return {key: replaced(part, (*path, key)) for key, part in value.items()}
        if type(value) in (tuple, list):
            return type(value)(replaced(part, (*path, place)) for place, part in enumerate(value))
        return value

    return {name: replaced(value, (name,)) for name, value in point.items()}
