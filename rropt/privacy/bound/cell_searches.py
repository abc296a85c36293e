"""CellSearch for cells that prove a plan, that is, a claim about the infimum; the checker judges each cell and point.

A cell on which no method of the checker proves the bound is split in two, until all cells are proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

from rropt.checker.documents import Rejected, WorkBudget
from rropt.checker.intervals import Arithmetic
from rropt.checker.limits import MAX_WORK
from rropt.checker.parity_bound import Piece, ProvedCell, ProvedCriterion
from rropt.checker.parity_bound.pieces import EXTREMA, evaluate
from rropt.core.exact import Bracket, as_text
from rropt.privacy.bound.infima import Place

_DIGITS = 60  # of the checker's intervals: the rounding error in a cell is far below the slack
_CELLS = 250  # largest number of cells of a piece: covers in practice have up to two hundred
MOST_WORK = 6 * MAX_WORK  # of the checker in one search, about ten seconds: successful searches cost a sixth of it
_NARROWEST = Fraction(1, 2**60)  # no cell is split further: the bound is then tight at an unknown place
_NEAR = Fraction(1, 2**24)  # the same for cells expanded about the place of an exact infimum
_WIDE = Fraction(1, 2**12)  # in narrower cells expanded about an endpoint, terms of third order are negligible
_LIMIT = Fraction(1, 1024)  # width of a cell for a limit at 0 or 1
_PLACE_DIGITS = 40  # decimals of a rational point next to an irrational place
_HALF = Fraction(1, 2)
_CURVED = ("sqrt", "exp", "log", "minimum", "maximum")  # operations that make a function of p non-rational


@dataclass(frozen=True, slots=True)
class InfimumClaim:
    """A claim to be proved.

    Attributes:
        bounds: bounds of the infimum; ``None``: the infimum is infinite.
        exact: the infimum itself as an expression, if it is claimed exactly.
        attained: whether the infimum is attained; ``None``: not claimed.
    """

    bounds: Bracket | None
    exact: Any
    attained: bool | None

    @property
    def is_exact(self) -> bool:
        """Whether the lower bound is the infimum itself and not a smaller number."""
        return self.exact is not None or self.bounds is None or self.bounds.is_exact


class UnprovedError(Exception):
    """Raised when a plan cannot be proved; ``near`` is a point where the proof fails."""

    def __init__(self, near: Fraction = _HALF) -> None:
        super().__init__()
        self.near = near


class CellSearch:
    """The search for cells and a point that prove a plan."""

    def __init__(self, problem: Any, places: Sequence[Place], work: int = MOST_WORK) -> None:
        self.places, self.work = places, work  # the remaining work
        self.criterion = ProvedCriterion(problem, Arithmetic(_DIGITS, WorkBudget()))
        self.is_weak = False  # whether F >= top was proved somewhere and F > top was not

    def cover(self, plan: InfimumClaim) -> tuple[dict[str, Any], Any]:
        """Return the proof of a plan and the claimed place of the infimum.

        Raises:
            UnprovedError: the plan cannot be proved.
        """
        lower = top = None
        if plan.bounds is not None:
            lower, top = map(self.criterion.constants.of, plan.bounds)
            top = top if plan.exact is None else self.criterion.number(plan.exact)
        point, place = (None, None) if top is None else self._point(top, owned=bool(plan.attained))
        covers = {
            side: [self._cells(side, piece, lower, top, plan) for piece in pieces]
            for side, pieces in self.criterion.sides.items()
        }
        sides = {"up": covers.get("up"), "down": covers.get("down")}
        return {"digits": str(_DIGITS), "exact": plan.exact, **sides, "point": point}, place

    def expressions(self, lower: Fraction, upper: Fraction) -> Iterator[Any]:
        """Iterate over candidate expressions of the infimum between two bounds.

        These are values at rational places, and limits at 0 and 1.
        """
        constants = self.criterion.constants
        for _, _, piece, at in self._rational_places():
            with suppress(Rejected):
                found = [self._odds(piece, at)] if 0 < at < 1 else list(self.limits(piece, at))
                for value in found:
                    low, high = constants.interval(value)
                    if low <= upper and lower <= high:
                        yield expression_of(value, constants.named)

    def _odds(self, piece: Piece, at: Fraction) -> Any:
        """Return the odds ratio F at a rational place as a constant of the checker."""
        constants = self.criterion.constants
        one = constants.of(Fraction(1))
        value = evaluate(piece.tree, constants, constants.of(1 - at if piece.mirrored else at))
        rest = constants.add(one, constants.negative(value))
        h, less = (rest, value) if piece.mirrored else (value, rest)
        return constants.multiply(
            constants.of((1 - at) / at), constants.multiply(h, constants.power(less, Fraction(-1)))
        )

    def limits(self, piece: Piece, at: Fraction) -> Iterator[Any]:
        """Iterate over the limits of F at 0 or 1, as far as the limits of the operands of a piece are known."""
        constants = self.criterion.constants
        for operand in _operands(piece.tree):
            for order in (2, 1):
                self.criterion.budget.left = MAX_WORK
                with suppress(Rejected):
                    cell = _limit_cell(at, order)
                    limit = self.criterion.limit(piece._replace(tree=operand), cell)
                    self.criterion.at_most(piece, cell, limit)
                    yield constants.multiply(limit, constants.of(Fraction(1)))  # a rational number in lowest terms
                    break

    def _rational_places(self) -> Iterator[tuple[str, int, Piece, Fraction]]:
        """Iterate over the rational places of the infimum and the pieces that contain them or end there."""
        for side, at, approach in ((place.side, place.at.rational, place.approach) for place in self.places):
            if at is None or approach == "near":
                continue
            pieces = enumerate(self.criterion.sides[side])
            beside = [(i, p) for i, p in pieces if p.outer[0] <= at <= p.outer[1]]
            for i, piece in sorted(beside, key=lambda found: not found[1].may_hold(at)):
                yield side, i, piece, at

    def _cells(self, side: str, piece: Piece, lower: Any, top: Any, plan: InfimumClaim) -> list[dict[str, Any]]:
        """Return cells that cover a piece; cells close to the infimum, where a plan usually fails, are tried first."""
        low, high = piece.outer
        places = {at for other, _, _, at in self._rational_places() if other == side}
        expand = is_expanded(piece.tree)
        cuts = places | ({_HALF} if expand and low == 0 and high == 1 else set())
        pending = list(pairwise([low, *sorted(cut for cut in cuts if low < cut < high), high]))
        found: list[tuple[Fraction, dict[str, Any]]] = []
        while pending:
            pending.sort(key=lambda cell: (-self._distance(side, *cell), cell[0] - cell[1]))
            a, b = pending.pop()
            cell = self._proved(piece, list(_ways(piece, a, b, places, expand=expand)), lower, top, plan.attained)
            if cell is not None:
                found.append((b, cell))
            elif (
                b - a < (_NEAR if plan.is_exact and (a in places or b in places) else _NARROWEST)
                or len(found) + len(pending) > _CELLS
                or self.work <= 0
            ):
                raise UnprovedError(a)
            else:
                middle = b / 8 if a == 0 and expand else 1 - (1 - a) / 8 if b == 1 and expand else _middle(a, b)
                pending += [(a, middle), (middle, b)]
        return [cell for _, cell in sorted(found, key=lambda each: each[0])]

    def _distance(self, side: str, low: Fraction, high: Fraction) -> float:
        at = [float(place.at) for place in self.places if place.side == side]
        return min((max(float(low) - x, x - float(high), 0.0) for x in at), default=0.0)

    def _proved(
        self, piece: Piece, ways: list[ProvedCell], lower: Any, top: Any, attained: bool | None
    ) -> dict[str, Any] | None:
        """Return the first method that proves a cell, as the JSON of the cell; ``None`` if none does."""
        for cell in ways:
            near = top is not None and attained is not False
            near = near and (attained is None or piece.is_closed_on(cell.low, cell.high))
            self.criterion.budget.left = MAX_WORK
            try:
                is_strict = self.criterion.at_least(piece, cell, lower if near else top)
            except Rejected:
                continue
            finally:
                self.work -= MAX_WORK - max(0, self.criterion.budget.left)
            if is_strict or attained is not False:
                return {"to": as_text(cell.high), "near": near, "method": cell.method, "order": str(cell.order)}
            self.is_weak = True
        return None

    def _point(self, top: Any, *, owned: bool) -> tuple[dict[str, Any], Any]:
        """Return the point that proves the upper bound, and its place."""
        for side, index, cell in self._points():
            piece = self.criterion.sides[side][index]
            self.criterion.budget.left = MAX_WORK
            try:
                place, belongs = self.criterion.at_most(piece, cell, top)
            except Rejected:
                continue
            if belongs or not owned:
                ends = {"from": as_text(cell.low), "to": as_text(cell.high)}
                method = {"method": cell.method, "order": str(cell.order)}
                return {"side": side, "piece": str(index), **ends, **method}, place
        raise UnprovedError

    def _points(self) -> Iterator[tuple[str, int, ProvedCell]]:
        """Iterate over the places of the infimum in all pieces that contain them: side, index of the piece, cell."""
        for side, low, high in ((place.side, *place.at.bracket(_PLACE_DIGITS)) for place in self.places):
            for index, piece in enumerate(self.criterion.sides[side]):
                if low == high and low in (0, 1):
                    if low in piece.outer:
                        yield from ((side, index, _limit_cell(low, order)) for order in (0, 2, 1, 3))
                    continue
                expand = is_expanded(piece.tree)
                for end in (piece.start, piece.end):
                    if end.low < end.high and end.low <= high and low <= end.high:
                        yield side, index, ProvedCell(end.low, end.high, *(("middle", 1) if expand else ()))
                yield from (
                    (side, index, ProvedCell(x, x))
                    for x in dict.fromkeys((low, high))
                    if piece.start.high <= x <= piece.end.low
                )


def _operands(tree: Any) -> Iterator[Any]:
    """Iterate over the operands of a minimum or maximum, including nested ones; for other trees, the tree itself."""
    operation, parts = tree if isinstance(tree, tuple) else ("", ())
    if operation not in EXTREMA:
        yield tree
        return
    for part in parts:
        yield from _operands(part)


def is_expanded(tree: Any) -> bool:
    """Return whether some operand of a tree is not a rational function of p."""
    return any(has_function_of_prior(operand) for operand in _operands(tree))


def _ways(piece: Piece, low: Fraction, high: Fraction, places: set[Fraction], *, expand: bool) -> Iterator[ProvedCell]:
    """Iterate over the methods by which a cell may be proved, the cheapest first."""
    if low == high or not expand or any(not has_function_of_prior(tree) for tree in _operands(piece.tree)):
        yield ProvedCell(low, high)
    if low == high or not expand:
        return
    for end, method in ((low, "low"), (high, "high")):
        if end in (0, 1) or end in places:
            yield from (ProvedCell(low, high, method, order) for order in ((2, 1, 3) if high - low > _WIDE else (1, 2)))
    if low > 0 and high < 1:
        yield ProvedCell(low, high, "middle", 2)


def _limit_cell(at: Fraction, order: int) -> ProvedCell:
    seen = "bernstein" if order == 0 else "high" if at else "low"
    return ProvedCell(1 - _LIMIT, at, seen, order) if at else ProvedCell(at, _LIMIT, seen, order)


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Return the dyadic number with the smallest denominator in the middle half of an interval."""
    first, last = low + (high - low) / 4, high - (high - low) / 4
    scale = 1
    while ceil(first * scale) > last * scale:  # terminates at the latest when 1/scale is half the width
        scale *= 2
    return Fraction(ceil(first * scale), scale)


def has_function_of_prior(tree: Any, *, inside: bool = False) -> bool:
    """Return whether p occurs under a root, exponential, logarithm, minimum or the like in a tree of the checker."""
    if not isinstance(tree, tuple):
        return inside and bool(tree == "p")
    operation, parts = tree
    inside = inside or operation in _CURVED or (operation == "power" and parts[1].denominator > 1)
    return any(has_function_of_prior(part, inside=inside) for part in parts)


def expression_of(constant: Any, named: Any) -> Any:
    """Write a constant of the checker, a quotient of polynomials in named constants, as an expression."""
    above, below = (_sum(part, named) for part in constant)
    return above if below == "1" else {"quotient": [above, below]}


def _sum(polynomial: Any, named: Any) -> Any:
    terms = []
    for (_, *exponents), coefficient in polynomial.items():
        factors: list[Any] = [as_text(coefficient)]
        for (kind, power, argument), e in zip(named, exponents, strict=False):
            if e:
                inner = expression_of(argument, named)
                name = {"power": [inner, as_text(power)]} if kind == "power" else {kind: inner}
                factors.append(name if e == 1 else {"power": [name, str(e)]})
        terms.append(factors[0] if len(factors) == 1 else {"product": factors})
    return terms[0] if len(terms) == 1 else {"sum": terms} if terms else "0"
