"""Branch and bound in ball arithmetic: the infimum of F on one cell, from bounds of F on boxes.

A box is dropped when its lower bound (``boxes``) exceeds the value of F at some point, kept whole when F is monotone
on it, and cut in two otherwise, until the bound is close to the best value. What is left encloses the infimum. F
grows with h, so F of a minimum is the least of the F of its parts, and each part is bounded on its own. Where only the
end of a cell is left and F rises from it, the infimum is approached and not attained; where only boxes
inside are left, it is attained.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from typing import Protocol

from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.exact import decimal_text
from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic
from rropt.privacy.parity_bounds.boxes import Bound, Lower, at_one, at_zero, finite_low, inside, ratio
from rropt.privacy.parity_bounds.cells import Cell
from rropt.privacy.parity_bounds.evaluation import UndefinedError
from rropt.privacy.parity_bounds.expansions import Expansion
from rropt.privacy.parity_bounds.intervals import Interval, Jet
from rropt.privacy.parity_bounds.leaves import Leaf, constant_value
from rropt.privacy.parity_bounds.places import Place, PlaceLeaf
from rropt.tolerances import (
    ENCLOSURE_BOXES,
    ENCLOSURE_COARSE,
    ENCLOSURE_END_DIGITS,
    ENCLOSURE_GAP,
    ENCLOSURE_MIN_WIDTH,
    ENCLOSURE_PRECISION,
    ENCLOSURE_RANGE_SLACK,
)

__all__ = ["Box", "Evaluated", "Search", "undefined"]

_LEAST = Fraction(1)


class Evaluated(Protocol):
    """A function of p that the search can evaluate: an expression, or a Python function."""

    def jet(self, x: Interval) -> Jet:
        """Return intervals around the function, f' and f'' over a box."""

    def at_end(self, end: int) -> Leaf | None:
        """Return the constant that the function tends to at p = 0 or 1, when it is seen."""

    def limit_at(self, end: int) -> Fraction | None:
        """Return what F tends to at p = 0 or 1, when that is known exactly."""

    def expansion(self, x: Interval, end: int) -> Expansion | None:
        """Return how the function leaves an end, over a box that reaches it."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box and its bound; ``open`` says why it must be cut although F may be bounded on it."""

    low: Fraction
    high: Fraction
    bound: Bound
    open: str = ""


def undefined(near: Fraction) -> UnsupportedProblemError:
    """Return the error of a function that may be undefined near a point."""
    return UnsupportedProblemError(
        f"the function cannot be shown to be defined near p = {decimal_text(near)}: a division by zero, or the root or "
        "logarithm of a number that may be negative; rewrite it, or cut it with piecewise"
    )


class Search:
    """Branch and bound for one function on one cell.

    Args:
        side, leaf, cell: of the places that are found.
        function: h on the cell.
        branches: functions whose minimum is h; left out: h itself.
        floor: a lower bound of F on the cell that is known already.
        gap, boxes: relative width at which a box is not cut any more, and the most cuts.
    """

    def __init__(
        self,
        side: str,
        leaf: PlaceLeaf,
        cell: Cell,
        function: Evaluated,
        branches: Sequence[Evaluated] = (),
        *,
        floor: Fraction = _LEAST,
        gap: Fraction = ENCLOSURE_GAP,
        boxes: int = ENCLOSURE_BOXES,
    ) -> None:
        self.side, self.leaf, self.cell = side, leaf, cell
        self.function, self.branches = function, tuple(branches) or (function,)
        self.floor, self.gap, self.boxes = floor, gap, boxes
        self.low = cell.low.bracket(ENCLOSURE_END_DIGITS)[0]
        self.high = cell.high.bracket(ENCLOSURE_END_DIGITS)[1]
        self.best: Fraction | None = None  # F takes, or tends to, a value at most this
        self.best_at = cell.low
        self.reached: dict[Algebraic, Fraction] = {}  # the ends of the cell, and what F is or tends to there, at most
        if self.low == 0:
            self._limit_at_zero()
        if self.high == 1:
            self._limit_at_one()
        for end in (cell.low, cell.high):
            if end.rational is None:
                self._limit_inside(end)

    def run(self) -> list[Box]:
        """Return the boxes that may hold the infimum."""
        order, kept, cuts = count(), [], 0
        heap = [(Fraction(1), next(order), self._box(self.low, self.high))]
        while heap:
            box = heapq.heappop(heap)[2]
            if self._dropped(box):
                continue
            if self._finished(box) or cuts >= self.boxes or box.high - box.low < ENCLOSURE_MIN_WIDTH:
                if box.open == "undefined":
                    raise undefined(box.low)
                kept.append(Box(box.low, box.high, box.bound))
                continue
            middle, cuts = (box.low + box.high) / 2, cuts + 1
            for part in (self._box(box.low, middle), self._box(middle, box.high)):
                if not self._dropped(part):
                    heapq.heappush(heap, (_fraction(part.bound.lower), next(order), part))
        return [box for box in kept if not self._dropped(box)]

    def places(self, left: list[Box]) -> list[Place]:
        """Return what the boxes that are left say about the infimum: one place, or both ends of the cell."""
        best = self.best if self.best is not None else Fraction(1)
        spots = [(*_spot(box), _fraction(box.bound.lower)) for box in left]
        ends = [(self.low, self.cell.low, self.cell.has_low), (self.high, self.cell.high, self.cell.has_high)]
        if all(low == high and low in (self.low, self.high) for low, high, _ in spots):
            found = []
            for end, at, belongs in ends:
                lower = min((lower for low, _, lower in spots if low == end), default=None)
                if lower is None:
                    continue
                approach = "at" if belongs else "from-above" if end == self.low else "from-below"
                alone = all(low == end for low, _, _ in spots)
                upper = best if alone else self.reached.get(at, best)
                lower = min(lower, upper)
                found.append(Place(self.side, approach, at, belongs, lower, upper, None, self.cell, self.leaf))
            return found
        lower = min(best, *(lower for _, _, lower in spots))
        low, high = min(low for low, _, _ in spots), max(high for _, high, _ in spots)
        reach_open = any(low <= end <= high and not belongs for end, _, belongs in ends)
        attained = None if reach_open else True
        return [Place(self.side, "near", self.best_at, attained, lower, best, None, self.cell, self.leaf)]

    def _dropped(self, box: Box) -> bool:
        lower = box.bound.lower
        return not box.open and (isinstance(lower, float) or (self.best is not None and lower > self.best))

    def _finished(self, box: Box) -> bool:
        if box.open:
            return False
        if box.bound.trend:
            return True
        close = self.best is not None and self.best - _fraction(box.bound.lower) <= self.gap * self.best
        return close and box.high - box.low <= ENCLOSURE_COARSE

    def _box(self, low: Fraction, high: Fraction) -> Box:
        x = Interval(Interval.of(low).low, Interval.of(high).high)
        if low == 0 and high == 1:
            return Box(low, high, Bound(Fraction(1)), "whole")
        try:
            box = self._bounded(x, low, high)
            return replace(box, bound=replace(box.bound, lower=max(box.bound.lower, self.floor)))
        except UndefinedError:
            return Box(low, high, Bound(Fraction(1)), "undefined")

    def _bounded(self, x: Interval, low: Fraction, high: Fraction) -> Box:
        h = self.function.jet(x)
        found = [self._bound(function, x, low, high) for function in self._branches_on(x, high)]
        if high < 1 and not h.value.high <= 1 and self._excess(h, low, high) > ENCLOSURE_RANGE_SLACK:
            return Box(low, high, self._least(found), "range")
        return Box(low, high, self._least(found))

    def _branches_on(self, x: Interval, high: Fraction) -> tuple[Evaluated, ...]:
        """Return the functions whose minimum is h, if at p = 1 each is 1 or above, as the bounds there need."""
        if high < 1 or len(self.branches) == 1:
            return self.branches
        usable = (_is_at_end(function, 1) or function.jet(x).value.low > 1 for function in self.branches)
        return self.branches if all(usable) else (self.function,)

    def _bound(self, function: Evaluated, x: Interval, low: Fraction, high: Fraction) -> Bound:
        """Return the bound of F on a box for one of the functions whose minimum is h."""
        h = function.jet(x)
        if low == 0:
            bound = at_zero(x, h, _kernel(function, x, h, 0), starts_at_zero=_is_at_end(function, 0))
        elif high == 1:
            bound = at_one(x, h, _kernel(function, x, h, 1))
        else:
            middle = (low + high) / 2
            bound = inside(x, h, Interval.of(middle), self._sample(middle, function)[1])
        if not bound.trend:
            return bound
        return Bound(self._end(low if bound.trend == "rising" else high, function), bound.trend)

    def _least(self, found: list[Bound]) -> Bound:
        """Return the bound of the least of several F; only those that may go below the best value have a say."""
        lower = min(bound.lower for bound in found)
        near = {bound.trend for bound in found if self.best is None or bound.lower <= self.best}
        return Bound(lower, near.pop() if len(near) == 1 else "")

    def _excess(self, h: Jet, low: Fraction, high: Fraction) -> Lower:
        """Return an upper bound of h - 1 on a box, by the mean value theorem where it helps."""
        natural = h.value.bounds()[1]
        steep, middle = h.slope.bounds(), self.function.jet(Interval.of((low + high) / 2)).value.bounds()[1]
        bounds = [math.inf if natural is None else natural - 1]
        if steep[0] is not None and steep[1] is not None and middle is not None:
            bounds.append(middle - 1 + max(abs(steep[0]), abs(steep[1])) * (high - low) / 2)
        return min(bounds)

    def _end(self, end: Fraction, function: Evaluated) -> Lower:
        """Return a lower bound of F, or of its limit, at the end of a box where F is monotone."""
        limit = function.limit_at(int(end)) if end in (0, 1) else None
        if limit is not None:
            return max(limit, _LEAST)
        if end == 0:
            return finite_low(function.jet(Interval.of(0)).slope)
        if end == 1:
            return finite_low(function.jet(Interval.of(1)).slope.inverse())
        return finite_low(self._sample(end, function)[0])

    def _sample(self, at: Fraction, function: Evaluated) -> tuple[Interval, Jet]:
        """Return F and a function at a point, and remember F of h as an upper bound of the infimum.

        The rational end of a cell may lie outside it by 10^-ENCLOSURE_END_DIGITS: there F is no upper bound.
        """
        x = Interval.of(at)
        jet = self.function.jet(x)
        h, values = jet.value, ratio(x, jet.value)
        upper = values.bounds()[1]
        outside = at in (self.low, self.high) and (self.cell.low if at == self.low else self.cell.high).rational is None
        if h.low > 1 or (upper is not None and upper < 1):
            raise self._out_of_range(at, h)
        if not outside:
            self._improve(upper, Algebraic.of(at))
        if function is self.function:
            return values, jet
        jet = function.jet(x)
        return ratio(x, jet.value), jet

    def _limit_at_zero(self) -> None:
        """Use the limit of F at 0 when h(0) = 0 is certain."""
        limit = self.function.limit_at(0)
        if limit is not None:
            self._improve(limit, self.cell.low)
            return
        try:
            slope = self.function.jet(Interval.of(0)).slope
        except UndefinedError:
            return
        if slope.low > 0 and _is_at_end(self.function, 0):
            self._improve(slope.bounds()[1], self.cell.low)

    def _limit_inside(self, end: Algebraic) -> None:
        """Use the limit of F at an irrational end of the cell: the function goes on continuously there."""
        x = Interval.around(end.ball(ENCLOSURE_PRECISION))
        try:
            upper = ratio(x, self.function.jet(x).value).bounds()[1]
        except UndefinedError:
            return
        self._improve(upper, end)

    def _limit_at_one(self) -> None:
        try:
            h = self.function.jet(Interval.of(1))
        except UndefinedError:
            return
        if h.value.high < 1 or h.value.low > 1:
            raise self._out_of_range(Fraction(1), h.value)
        upper = self.function.limit_at(1)
        if upper is None and h.slope.low > 0:
            upper = h.slope.inverse().bounds()[1]
        self._improve(upper, self.cell.high)

    def _improve(self, upper: Fraction | None, at: Algebraic) -> None:
        if upper is not None and upper < 1:  # only where a limit does: points are looked at before
            raise self._out_of_range(at.bracket(ENCLOSURE_END_DIGITS)[0], None)
        if upper is not None and at in (self.cell.low, self.cell.high):
            self.reached[at] = min(upper, self.reached.get(at, upper))
        if upper is not None and (self.best is None or upper < self.best):
            self.best, self.best_at = upper, at

    def _out_of_range(self, at: Fraction, h: Interval | None) -> InvalidParameterError:
        """Return the error of h(at) outside [at, 1]; ``None``: beside ``at``, where F tends to less than 1."""
        name, allowed = ("upper", "p <= h(p) <= 1") if self.side == "up" else ("lower", "0 <= h(p) <= p")
        near = "near" if h is None or at in (0, 1) else "at"
        value = 0.0 if h is None else float((h.low + h.high) / 2)
        if self.side == "down":
            at, value = 1 - at, 1 - value
        beyond = "below p" if self.side == "up" else "above p"
        received = f"a value {beyond}" if h is None else decimal_text(value, 12)
        return InvalidParameterError(
            f"the {name} function is out of range {near} p = {decimal_text(at)}: received {received}; "
            f"allowed is {allowed}"
        )


def _is_at_end(function: Evaluated, end: int) -> bool:
    """Return whether a function is, and tends to, 0 at p = 0, or 1 at p = 1."""
    seen = function.at_end(end)
    return seen is not None and constant_value(seen) == end


def _kernel(function: Evaluated, x: Interval, h: Jet, end: int) -> Interval:
    """Return an interval around h(p)/p, or its lower end a lower bound of it; at 1 around (1-h)/(1-p)."""
    expansion = function.expansion(x, end)
    if expansion is None or constant_value(expansion.constant) != end:
        return h.slope
    return expansion.kernel


def _spot(box: Box) -> tuple[Fraction, Fraction]:
    """Return where in a box the least value of F lies."""
    if box.bound.trend == "rising":
        return box.low, box.low
    return (box.high, box.high) if box.bound.trend == "falling" else (box.low, box.high)


def _fraction(lower: Lower) -> Fraction:
    return lower if isinstance(lower, Fraction) else Fraction(1)
