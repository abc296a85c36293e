"""The infimum of F where h is a Python function of a ball: branch and bound on what the function returns.

Only the inclusion is used: h of a ball is a ball around every value. It is the caller's word, checked against the
values at about a thousand points, since code that compares balls in Python chooses one branch for all of a ball. Near
an end of (0, 1) that the caller speaks of (``EndBehaviour``) the statement takes the place of a bound; the search
covers the rest.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb, arb_series, ctx

from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import decimal_text
from rropt.privacy.criteria.prior_functions import EndBehaviour, PriorFunction
from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic, to_fraction
from rropt.privacy.parity_bounds.boxes import ratio
from rropt.privacy.parity_bounds.cells import Cell
from rropt.privacy.parity_bounds.evaluation import UndefinedError
from rropt.privacy.parity_bounds.expansions import Expansion
from rropt.privacy.parity_bounds.intervals import UNKNOWN, Interval, Jet
from rropt.privacy.parity_bounds.leaves import Leaf, Rational
from rropt.privacy.parity_bounds.places import Place
from rropt.privacy.parity_bounds.searches import Box, Search
from rropt.tolerances import (
    CALLABLE_BOX_SAMPLES,
    CALLABLE_BOXES,
    CALLABLE_END_BITS,
    CALLABLE_GAP,
    CALLABLE_GRID_BITS,
    CALLABLE_WIDTH,
    ENCLOSURE_GAP,
    ENCLOSURE_PRECISION,
)

__all__ = ["CallableFunction", "callable_places"]

_TERMS = 3  # h, h' and h''/2


class CallableFunction:
    """A Python function of a ball as the search evaluates it.

    h' and h'' come from the same code, run on a power series ``x + t`` with a ball x: the coefficients of the result
    are balls around h, h' and h''/2 at every point of x. Code that does not take python-flint's ``arb_series`` (min,
    max, comparisons) leaves them unknown.
    """

    def __init__(self, source: PriorFunction) -> None:
        self.source = source
        self.takes_series = True
        self.takes_series = self._derivatives(Interval.of(Fraction(1, 2))) is not None

    def jet(self, x: Interval) -> Jet:
        """Return intervals around h, h' and h'' over a box.

        Raises:
            InvalidParameterError: the function raises, returns no ball, is not a number at a point, or is no ball
                function: its value at a point of the box is not in its value over the box.
            UndefinedError: it has no value at p = 0 or 1 itself, and needs none.
        """
        try:
            value = self._value(x)
        except InvalidParameterError:
            if x.low > 0 and x.high < 1:
                raise
            value = UNKNOWN
        if x.low != x.high:
            self._require_inclusion(x, value)
        elif not (0 < x.low < 1 or value.is_bounded):
            raise UndefinedError
        elif not (value.low.is_finite() and value.high.is_finite()):
            raise InvalidParameterError(
                f"the function has no value at p = {_decimal(x.low)}: received {value.low} to {value.high}; give a "
                "function that is defined for 0 < p < 1"
            )
        return Jet(value, *(self._derivatives(x) or (UNKNOWN, UNKNOWN)))

    def at_end(self, end: int) -> Leaf | None:
        """Return 0 or 1 when it is exactly the value at p = 0 or 1, and the code says how it goes on from there."""
        try:
            value = self._value(Interval.of(end))
        except InvalidParameterError:
            return None
        if not (value.low == value.high == end) or self._derivatives(Interval.of(end)) is None:
            return None
        return Rational.constant(Fraction(end))

    def expansion(self, x: Interval, end: int) -> Expansion | None:
        """Return how h leaves an end: by h', when it is known."""
        constant = self.at_end(end)
        return None if constant is None else Expansion(constant, self.jet(x).slope)

    def limit_at(self, end: int) -> Fraction | None:
        """Return ``None``: what F tends to is never known exactly."""
        return None

    def _derivatives(self, x: Interval) -> tuple[Interval, Interval] | None:
        """Return intervals around h' and h'', when the code takes a power series."""
        if not self.takes_series:
            return None
        try:
            series = self.source.function(arb_series([_ball(x), 1], _TERMS))
        except Exception:  # made for arb alone, or not defined on all of a wide box
            return None
        if not isinstance(series, arb_series) or series.prec < _TERMS:
            return None
        return Interval.around(series[1]), Interval.around(2 * series[2])

    @cached_property
    def samples(self) -> tuple[list[Fraction], list[Interval]]:
        """The function at points: multiples of 2^-CALLABLE_GRID_BITS, and 2^-k and 1 - 2^-k closer to the ends."""
        grid = 2**CALLABLE_GRID_BITS
        close = [Fraction(1, 2**k) for k in range(CALLABLE_GRID_BITS + 1, CALLABLE_END_BITS + 1)]
        points = [Fraction(i, grid) for i in range(1, grid)] + close + [1 - x for x in close]
        found = []
        for p in sorted(points):
            try:
                found.append((p, self._value(Interval.of(p))))
            except InvalidParameterError:  # the search says so where it comes by
                continue
        return [p for p, _ in found], [value for _, value in found]

    def _require_inclusion(self, x: Interval, value: Interval) -> None:
        """Refuse a value over a box that leaves out the value at a point: of the samples, and of the box itself."""
        if not (value.low.is_finite() or value.high.is_finite()):
            return
        low, high = to_fraction(x.low), to_fraction(x.high)
        points, values = self.samples
        parts = CALLABLE_BOX_SAMPLES if value.low >= 1 else 2  # F is infinite: the box is never looked at again
        own = [low + (high - low) * Fraction(i, parts) for i in range(parts + 1)]
        seen = [(p, self._value(Interval.of(p))) for p in own if 0 < p < 1]
        seen += [(points[i], values[i]) for i in range(bisect_left(points, low), bisect_right(points, high))]
        for p, there in seen:
            if there.low > value.high or there.high < value.low:
                raise InvalidParameterError(
                    f"the function is no ball function: its value at p = {decimal_text(p)} is not in its value for the "
                    "ball around it; return an arb that is computed from the arb received, without float(), and "
                    "without if or <, which choose one branch for all of a ball: write a piecewise expression instead"
                )

    def _value(self, x: Interval) -> Interval:
        try:
            value = self.source.function(_ball(x))
        except Exception as error:  # whatever the caller's code raises
            raise InvalidParameterError(
                f"the function cannot be evaluated: received {type(error).__name__} ({shown(str(error))}) for p near "
                f"{_decimal(x.low)}; give a function of one python-flint arb, defined for 0 < p < 1"
            ) from error
        if not isinstance(value, arb):
            raise InvalidParameterError(
                f"the function returns no ball: received {shown(value)} ({type(value).__name__}) for p near "
                f"{_decimal(x.low)}; return a python-flint arb"
            )
        return Interval.around(value)


def callable_places(source: PriorFunction) -> list[Place]:
    """Return the enclosed infimum of F, as places: one of the search, and one per end that is stated.

    Raises:
        InvalidParameterError: the function is not as ``CallableFunction.jet`` needs it, or leaves p <= h(p) <= 1.
        UnsupportedProblemError: no enclosure is reached.
    """
    low = Fraction(0) if source.at_zero is None else source.at_zero.within
    high = Fraction(1) if source.at_one is None else 1 - source.at_one.within
    cell = Cell(Algebraic.of(low), Algebraic.of(high), source.at_zero is not None, source.at_one is not None)
    with ctx.workprec(ENCLOSURE_PRECISION):
        function = CallableFunction(source)
        gap = ENCLOSURE_GAP if function.takes_series else CALLABLE_GAP
        search = Search("up", source, cell, function, gap=gap, boxes=CALLABLE_BOXES)
        left = search.run()
        found = search.places(left) if left and search.best is not None else []
        if not function.takes_series:  # it may jump, so that where it comes close says nothing of being there
            found = [replace(place, attained=None) for place in found]
        found += [
            _stated(source, function, end, stated)
            for end, stated in ((0, source.at_zero), (1, source.at_one))
            if stated is not None
        ]
    if left:
        _require_narrow(found, left)
    return found


def _stated(source: PriorFunction, function: CallableFunction, end: int, stated: EndBehaviour) -> Place:
    """Return the place of an end that the caller speaks of, unless the function itself speaks against it."""
    middle = stated.within / 2 if end == 0 else 1 - stated.within / 2
    seen = [(middle, function.jet(Interval.of(middle)).value)]
    seen += [(p, value) for p, value in zip(*function.samples, strict=True) if abs(p - end) < stated.within]
    for p, value in seen:
        there = ratio(Interval.of(p), value).bounds()[1]
        if there is not None and there < stated.lower:
            raise InvalidParameterError(
                f"what is stated of the end p = {end} is wrong: received lower = {stated.lower}, but the odds ratio is "
                f"at most {decimal_text(there, 9)} at p = {decimal_text(p)}; state a lower bound, or a smaller distance"
            )
    inner = Algebraic.of(stated.within if end == 0 else 1 - stated.within)
    outer = Algebraic.of(end)
    cell = Cell(outer, inner) if end == 0 else Cell(inner, outer)
    approach = "from-above" if end == 0 else "from-below"
    upper = stated.lower if stated.limit is None else stated.limit
    attained = False if stated.limit == stated.lower else None
    return Place("up", approach, outer, attained, stated.lower, upper, None, cell, source)


def _require_narrow(found: list[Place], left: list[Box]) -> None:
    """Refuse what encloses nothing, and say what would help."""
    upper = min((place.upper for place in found), default=None)
    lower = min((place.lower for place in found), default=Fraction(1))
    if upper is not None and upper - lower <= CALLABLE_WIDTH * upper:
        return
    wide = [box for box in left if upper is None or box.bound.lower < (1 - CALLABLE_WIDTH) * upper]
    ends = ["at_zero"] if any(box.low == 0 for box in wide) else []
    ends += ["at_one"] if any(box.high == 1 for box in wide) else []
    advice = f"state {' and '.join(ends)} with end_behaviour(lower, within), or " if ends else ""
    between = (
        "no point was found where h(p) < 1"
        if upper is None
        else (f"B(h) was only enclosed between {decimal_text(lower)} and {decimal_text(upper)}")
    )
    raise UnsupportedProblemError(
        f"no enclosure of B(h) is reached: {between}; {advice}write h for arb_series too, "
        "without min, max and comparisons, or with narrower balls"
    )


def _ball(x: Interval) -> Any:
    return x.low if x.low == x.high else x.low.union(x.high)


def _decimal(end: Any) -> str:
    return decimal_text(to_fraction(end)) if end.is_finite() else str(end)
