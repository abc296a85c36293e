"""The infimum on one cell where h is no rational function: branch and bound in ball arithmetic.

A box is dropped when its lower bound (``boxes``) exceeds the value of F at some point, kept whole when F is monotone
on it, and cut in two otherwise, until the bound is within ``GAP`` of the best value. What is left encloses the
infimum. Where only the end of a cell is left and F rises from it, the infimum is approached and not attained; where
only boxes inside are left, it is attained.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from flint import ctx

from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.exact import decimal_text
from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic
from rropt.privacy.parity_bounds.boxes import Bound, Lower, at_one, at_zero, finite_low, inside, ratio
from rropt.privacy.parity_bounds.cells import Cell, Composite, over_prior
from rropt.privacy.parity_bounds.evaluation import Function, UndefinedError
from rropt.privacy.parity_bounds.intervals import MAX_BITS, Interval, Jet
from rropt.privacy.parity_bounds.places import Place

__all__ = ["GAP", "MAX_BOXES", "enclosed_places", "values_at"]

PRECISION = 160  # bits of the balls: their rounding stays far below GAP on boxes down to MIN_WIDTH
GAP = Fraction(1, 10**13)  # relative: a box whose bound is this close is not cut; finer than the 12 decimals promised
RANGE_SLACK = Fraction(1, 2**40)  # h <= 1 is proved up to this where h touches 1 inside a box
MIN_WIDTH = Fraction(1, 2**60)  # a box narrower than this is not cut
COARSE = Fraction(1, 256)  # a wider box is cut even when its bound is close: it may hide where the infimum is
MAX_BOXES = 1000  # after these (some seconds) what is proved so far is handed out, a wider enclosure
END_DIGITS = 40  # decimals of the outward rational ends of a cell whose ends are irrational


@dataclass(frozen=True, slots=True)
class _Box:
    """A box and its bound; ``open`` says why it must be cut although F may be bounded on it."""

    low: Fraction
    high: Fraction
    bound: Bound
    open: str = ""


def enclosed_places(side: str, leaf: Composite, cell: Cell) -> list[Place]:
    """Return the enclosed infimum of F on a cell, as one place; none where h = 1.

    Raises:
        InvalidParameterError: the function leaves its range, or is not defined.
        UnsupportedProblemError: it cannot be shown to be defined.
    """
    with ctx.workprec(PRECISION):
        if cell.is_point:
            return _point_place(side, leaf, cell)
        search = _Search(side, leaf, cell)
        left = search.run()
        if left and search.best is None:
            raise UnsupportedProblemError(
                "the function leaves a bound that cannot be computed: no point was found where the odds ratio is below "
                f"2^{MAX_BITS}; use a function that allows less"
            )
        return [search.place(left)] if left else []


def values_at(leaf: Composite, cell: Cell, at: Algebraic) -> tuple[Interval, Interval]:
    """Return intervals around h and F at one point of the cell."""
    with ctx.workprec(PRECISION):
        x = Interval.around(at.ball(PRECISION))
        h = Function(leaf, cell).jet(x).value
        return h, ratio(x, h)


def _point_place(side: str, leaf: Composite, cell: Cell) -> list[Place]:
    x = Interval.around(cell.low.ball(PRECISION))
    try:
        values = ratio(x, Function(leaf, cell).jet(x).value)
    except UndefinedError:
        raise _undefined(Fraction(*float(cell.low).as_integer_ratio())) from None
    upper = values.bounds()[1]
    lower = finite_low(values)
    if upper is None or isinstance(lower, float):
        return []
    if upper < 1:
        raise InvalidParameterError(
            f"the function is out of range at p = {cell.low}: received an odds ratio below 1; allowed is p <= h(p) <= 1"
        )
    return [Place(side, "at", cell.low, True, lower, upper, None, cell, leaf)]


def _undefined(near: Fraction) -> UnsupportedProblemError:
    return UnsupportedProblemError(
        f"the function cannot be shown to be defined near p = {decimal_text(near)}: a division by zero, or the root or "
        "logarithm of a number that may be negative; rewrite it, or cut it with piecewise"
    )


class _Search:
    """Branch and bound for one function on one cell."""

    def __init__(self, side: str, leaf: Composite, cell: Cell) -> None:
        self.side, self.leaf, self.cell = side, leaf, cell
        self.function = Function(leaf, cell)
        kernel = over_prior(leaf)
        self.kernel = None if kernel is None else Function(kernel, cell)
        self.low = cell.low.bracket(END_DIGITS)[0]
        self.high = cell.high.bracket(END_DIGITS)[1]
        self.best: Fraction | None = None  # F takes, or tends to, a value at most this
        self.best_at = cell.low
        self.start_is_zero = self.low == 0 and self._limit_at_zero()
        if self.high == 1:
            self._limit_at_one()
        for end in (cell.low, cell.high):
            if end.rational is None:
                self._limit_inside(end)

    def run(self) -> list[_Box]:
        """Return the boxes that may hold the infimum."""
        order, kept, cuts = count(), [], 0
        heap = [(Fraction(1), next(order), self._box(self.low, self.high))]
        while heap:
            box = heapq.heappop(heap)[2]
            if self._dropped(box):
                continue
            if self._finished(box) or cuts >= MAX_BOXES or box.high - box.low < MIN_WIDTH:
                if box.open == "undefined":
                    raise _undefined(box.low)
                kept.append(_Box(box.low, box.high, box.bound))
                continue
            middle, cuts = (box.low + box.high) / 2, cuts + 1
            for part in (self._box(box.low, middle), self._box(middle, box.high)):
                if not self._dropped(part):
                    heapq.heappush(heap, (_fraction(part.bound.lower), next(order), part))
        return [box for box in kept if not self._dropped(box)]

    def place(self, left: list[_Box]) -> Place:
        """Return what the boxes that are left say about the infimum."""
        best = self.best if self.best is not None else Fraction(1)
        lower = min(_fraction(box.bound.lower) for box in left)
        spots = [_spot(box) for box in left]
        low, high = min(a for a, _ in spots), max(b for _, b in spots)
        ends = [(self.low, self.cell.low, self.cell.has_low), (self.high, self.cell.high, self.cell.has_high)]
        for end, at, belongs in ends:
            if low == high == end:
                approach = "at" if belongs else "from-above" if end == self.low else "from-below"
                return Place(self.side, approach, at, belongs, min(lower, best), best, None, self.cell, self.leaf)
        reach_open = any(low <= end <= high and not belongs for end, _, belongs in ends)
        attained = None if reach_open else True
        return Place(self.side, "near", self.best_at, attained, min(lower, best), best, None, self.cell, self.leaf)

    def _dropped(self, box: _Box) -> bool:
        lower = box.bound.lower
        return not box.open and (isinstance(lower, float) or (self.best is not None and lower > self.best))

    def _finished(self, box: _Box) -> bool:
        if box.open:
            return False
        if box.bound.trend:
            return True
        close = self.best is not None and self.best - _fraction(box.bound.lower) <= GAP * self.best
        return close and box.high - box.low <= COARSE

    def _box(self, low: Fraction, high: Fraction) -> _Box:
        x = Interval(Interval.of(low).low, Interval.of(high).high)
        if low == 0 and high == 1:
            return _Box(low, high, Bound(Fraction(1)), "whole")
        try:
            return self._bounded(x, low, high)
        except UndefinedError:
            return _Box(low, high, Bound(Fraction(1)), "undefined")

    def _bounded(self, x: Interval, low: Fraction, high: Fraction) -> _Box:
        h = self.function.jet(x)
        if low == 0:
            kernel = h.slope if self.kernel is None else self.kernel.jet(x).value
            bound = at_zero(x, h, kernel, starts_at_zero=self.start_is_zero)
        elif high == 1:
            bound = at_one(x, h)
        else:
            bound = inside(x, h, self._sample((low + high) / 2))
        if bound.trend:
            bound = Bound(self._end(low if bound.trend == "rising" else high), bound.trend)
        if high < 1 and not h.value.high <= 1 and self._excess(h, low, high) > RANGE_SLACK:
            return _Box(low, high, bound, "range")
        return _Box(low, high, bound)

    def _excess(self, h: Jet, low: Fraction, high: Fraction) -> Lower:
        """Return an upper bound of h - 1 on a box, by the mean value theorem where it helps."""
        natural = h.value.bounds()[1]
        steep, middle = h.slope.bounds(), self.function.jet(Interval.of((low + high) / 2)).value.bounds()[1]
        bounds = [math.inf if natural is None else natural - 1]
        if steep[0] is not None and steep[1] is not None and middle is not None:
            bounds.append(middle - 1 + max(abs(steep[0]), abs(steep[1])) * (high - low) / 2)
        return min(bounds)

    def _end(self, end: Fraction) -> Lower:
        """Return a lower bound of F, or of its limit, at the end of a box where F is monotone."""
        if end == 0:
            return finite_low(self.function.jet(Interval.of(0)).slope)
        if end == 1:
            return finite_low(self.function.jet(Interval.of(1)).slope.inverse())
        return finite_low(self._sample(end))

    def _sample(self, at: Fraction) -> Interval:
        """Return F at a point, and remember it as an upper bound of the infimum.

        The rational end of a cell may lie outside it by 10^-END_DIGITS: there F is no upper bound.
        """
        x = Interval.of(at)
        h = self.function.jet(x).value
        values = ratio(x, h)
        upper = values.bounds()[1]
        outside = at in (self.low, self.high) and (self.cell.low if at == self.low else self.cell.high).rational is None
        if h.low > 1 or (upper is not None and upper < 1):
            raise self._out_of_range(at, h)
        if not outside:
            self._improve(upper, Algebraic.of(at))
        return values

    def _limit_at_zero(self) -> bool:
        """Use the limit of F at 0 when h(0) = 0 is certain; say whether it is."""
        try:
            h = self.function.jet(Interval.of(0))
        except UndefinedError:
            return False
        if h.value.is_zero and h.slope.low > 0:
            self._improve(h.slope.bounds()[1], self.cell.low)
        return h.value.is_zero

    def _limit_inside(self, end: Algebraic) -> None:
        """Use the limit of F at an irrational end of the cell: the function goes on continuously there."""
        x = Interval.around(end.ball(PRECISION))
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
        upper = h.slope.inverse().bounds()[1] if h.slope.low > 0 else None
        self._improve(upper, self.cell.high)

    def _improve(self, upper: Fraction | None, at: Algebraic) -> None:
        if upper is not None and upper < 1:  # only where a limit does: points are looked at before
            raise self._out_of_range(at.bracket(END_DIGITS)[0], None)
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


def _spot(box: _Box) -> tuple[Fraction, Fraction]:
    """Return where in a box the least value of F lies."""
    if box.bound.trend == "rising":
        return box.low, box.low
    return (box.high, box.high) if box.bound.trend == "falling" else (box.low, box.high)


def _fraction(lower: Lower) -> Fraction:
    return lower if isinstance(lower, Fraction) else Fraction(1)
