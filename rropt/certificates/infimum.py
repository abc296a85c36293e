"""Witnesses of the infimum B(h) of a privacy criterion: a cover of (0, 1) by cells (``checker/cover/cover.md``).

A cell on which no method of the checker proves the bound is cut in two, until all are proved: the checker's own
judgement of a cell is asked, so that what is written down is accepted. Where the infimum is at a rational place, or a
limit at 0 or 1, it is claimed as an expression (``exact``), and the cells beside the place are seen from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import Any

from rropt.certificates.certificate import Certificate
from rropt.certificates.criterion_functions import (
    criterion_problem,
    expression_of,
    has_function_of_prior,
    odds_at,
    operands,
)
from rropt.checker import cover
from rropt.checker.budget import Budget
from rropt.checker.cover import Cell, Piece
from rropt.checker.documents import Rejected
from rropt.checker.limits import MAX_WORK
from rropt.errors import CertificateError
from rropt.exact import as_text
from rropt.privacy.criteria import Criterion
from rropt.privacy.parity_bounds import ParityBound

__all__ = ["infimum_certificate"]

_DIGITS = 60  # of the checker's intervals: what is lost in a cell stays far below the slack
_CELLS = 600  # of a piece: honest covers have up to two hundred, and the checker's budget ends at some thousand
_NARROWEST = Fraction(1, 2**100)  # no cell is cut further: the bound is then tight at a place that is not known
# Relative: an infimum at an irrational place is claimed by so much less than a value beside it. Cells near it shrink
# with the root of the slack: functions of roots, exponentials and logarithms are left at the width that is promised.
_SLACKS = {False: (Fraction(1, 10**19), Fraction(1, 10**13)), True: (Fraction(1, 10**13),)}
_EXCESS = Fraction(1, 10**12)  # relative: beyond this no upper bound is looked for
_GRID = 10**20  # bounds are claimed as multiples of 1/_GRID: short numbers, far finer than the slack
_LIMIT = Fraction(1, 1024)  # a cell for a limit at 0 or 1
_PLACE_DIGITS = 40  # decimals of a rational point beside an irrational place
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be claimed: bounds, none of an infinite infimum; the infimum itself as an expression; attainment."""

    bounds: tuple[Fraction, Fraction] | None
    exact: Any
    attained: bool | None


class _UnprovedError(Exception):
    """A plan that does not work out."""


def infimum_certificate(criterion: Criterion, bound: ParityBound) -> Certificate:
    """Return the certificate of B(h), accepted by the checker.

    The claim is ``lower <= B(h) <= upper`` (``"infinite"`` where it is), whether the infimum is attained, and where. A
    rational B(h) at a rational place is claimed exactly, any other with bounds that are 1e-12 wide or less.
    Attainment that cannot be proved by cells, as at an irrational end that its piece does not own, is left open
    (``attained`` null).

    Args:
        criterion: any criterion of ``rropt.privacy.criteria``.
        bound: its bound, from ``parity_bound``.

    Raises:
        CertificateError: no cover was found.
        UnsupportedProblemError: the criterion is a Python function.

    >>> from rropt.privacy.criteria import rho_to_rho
    >>> from rropt.privacy.parity_bounds import parity_bound
    >>> criterion = rho_to_rho("1/5", "1/2")
    >>> certificate = infimum_certificate(criterion, parity_bound(criterion))
    >>> print(certificate.claim["lower"], float(certificate.claim["lower"]), bool(certificate.check()))
    4 4.0 True

    Source: Chai and Nayak (2018), (3.3) and Theorem 3.1.
    """
    search = _Search(criterion_problem(criterion), bound)
    for plan in search.plans():
        try:
            witness, place = search.witness(plan)
        except (_UnprovedError, Rejected):
            continue
        lower, upper = ("infinite", "infinite") if plan.bounds is None else map(as_text, plan.bounds)
        claim = {"kind": "infimum", "lower": lower, "upper": upper, "attained": plan.attained, "at": place}
        return Certificate.write(search.problem, claim, witness).require_accepted()
    raise CertificateError(
        f"no certificate of B(h) was found: received {criterion}, {bound}; the checker covers functions whose odds "
        "ratio keeps away from the bound except at finitely many places; cut the function with piecewise, or do "
        "without a certificate"
    )


class _Search:
    """The search for cells and a point that prove a plan."""

    def __init__(self, problem: Any, bound: ParityBound) -> None:
        self.problem, self.bound = problem, bound
        self.criterion = cover.Criterion(problem, _DIGITS, Budget())

    def plans(self) -> Iterator[_Plan]:
        """Iterate over what may be claimed, the best first."""
        lower, upper = self.bound.lower, self.bound.upper
        if lower is None or upper is None:
            yield _Plan(None, None, None)
            return
        states = list(dict.fromkeys((self.bound.attained, None)))
        if lower == upper:
            yield from (_Plan((lower, upper), None, attained) for attained in states)
        bounds = _outwards(lower, upper)
        for exact in self._expressions():
            with suppress(Rejected):
                low, value, high = (self.criterion.number(x) for x in (as_text(bounds[0]), exact, as_text(bounds[1])))
                if self.criterion.constants.compare(low, value) <= 0 <= self.criterion.constants.compare(high, value):
                    yield from (_Plan(bounds, exact, attained) for attained in states)
        if self.bound.kind == "exact" and lower < upper:  # an algebraic number, bracketed
            yield from (_Plan((lower, upper), None, attained) for attained in states)
        upper = self._least_upper(lower, upper)
        is_analytic = any(has_function_of_prior(p.tree) for pieces in self.criterion.sides.values() for p in pieces)
        for slack in _SLACKS[is_analytic]:
            bounds = _outwards(upper * (1 - slack), upper)
            yield from (_Plan(bounds, None, attained) for attained in states)
        yield _Plan(_outwards(lower * (1 - _EXCESS), upper), None, None)

    def _least_upper(self, lower: Fraction, upper: Fraction) -> Fraction:
        """Return the least multiple of 1/_GRID that a point proves, by bisection."""
        low, high = floor(lower * _GRID) - 1, ceil(upper * (1 + _EXCESS) * _GRID)
        while high - low > 1:
            middle = (low + high) // 2
            try:
                self._point(self.criterion.constants.of(Fraction(middle, _GRID)), owned=False)
            except _UnprovedError:
                low = middle
            else:
                high = middle
        return Fraction(high, _GRID)

    def witness(self, plan: _Plan) -> tuple[dict[str, Any], Any]:
        """Return the witness of a plan, and the place that it claims."""
        lower = top = None
        if plan.bounds is not None:
            lower, top = map(self.criterion.constants.of, plan.bounds)
            top = top if plan.exact is None else self.criterion.number(plan.exact)
        covers = {
            side: [self._cells(side, piece, lower, top, plan.attained) for piece in pieces]
            for side, pieces in self.criterion.sides.items()
        }
        written = {"rule": "cover", "version": "2", "digits": str(_DIGITS), "exact": plan.exact}
        written |= {"up": covers.get("up"), "down": covers.get("down")}
        if top is None:
            return {**written, "point": None}, None
        point, place = self._point(top, owned=bool(plan.attained))
        return {**written, "point": point}, place

    def _expressions(self) -> Iterator[Any]:
        """Iterate over expressions of the infimum: values at rational places, limits at 0 and 1."""
        for _, _, piece, at in self._places():
            if 0 < at < 1:
                yield odds_at(piece.tree, at, mirrored=piece.mirrored)
            else:
                for limit in self._limits(piece, at):
                    yield expression_of(limit, self.criterion.constants.named)

    def _limits(self, piece: Piece, at: Fraction) -> Iterator[Any]:
        """Iterate over the limits of the operands of a piece at 0 or 1, as far as they are known."""
        for operand in operands(piece.tree):
            with suppress(Rejected):
                self.criterion.budget.left = MAX_WORK
                yield self.criterion.limit(piece._replace(tree=operand), _limit_cell(at, 2))

    def _places(self) -> Iterator[tuple[str, int, Piece, Fraction]]:
        """Iterate over the rational places of the infimum, and the pieces that hold them or end there."""
        places = [(place.side, place.at.rational, place.approach) for place in self.bound.places]
        for side, at, approach in places or [("up", _HALF, "everywhere")]:  # none of an irrational level: F is constant
            if at is None or approach == "near":
                continue
            pieces = enumerate(self.criterion.sides[side])
            beside = [(i, p) for i, p in pieces if p.outer[0] <= at <= p.outer[1]]
            for i, piece in sorted(beside, key=lambda found: not found[1].may_hold(at)):
                yield side, i, piece, at

    def _cells(self, side: str, piece: Piece, lower: Any, top: Any, attained: bool | None) -> list[dict[str, Any]]:
        """Return cells that cover a piece."""
        low, high = piece.outer
        places = {at for other, _, _, at in self._places() if other == side}
        expand = has_function_of_prior(piece.tree)
        cuts = places | ({_HALF} if expand and low == 0 and high == 1 else set())
        ends = [low, *sorted(cut for cut in cuts if low < cut < high), high]
        pending = [(a, b) for a, b in pairwise(ends)][::-1]  # the next one last
        found: list[dict[str, Any]] = []
        while pending:
            a, b = pending.pop()
            cell = self._proved(piece, list(_ways(a, b, places, expand=expand)), lower, top, attained)
            if cell is not None:
                found.append(cell)
            elif b - a < _NARROWEST or len(found) + len(pending) > _CELLS:
                raise _UnprovedError
            else:
                middle = b / 8 if a == 0 and expand else 1 - (1 - a) / 8 if b == 1 and expand else _middle(a, b)
                pending += [(middle, b), (a, middle)]
        return found

    def _proved(
        self, piece: Piece, ways: list[Cell], lower: Any, top: Any, attained: bool | None
    ) -> dict[str, Any] | None:
        """Return the first way in which a cell is proved."""
        for near in (False,) if attained is False or top is None else (False, True):
            for cell in ways:
                if near and attained and not piece.is_closed_on(cell.low, cell.high):
                    continue
                self.criterion.budget.left = MAX_WORK
                try:
                    is_strict = self.criterion.at_least(piece, cell, lower if near else top)
                except Rejected:
                    continue
                if attained is False and not is_strict:
                    continue
                method = {"method": cell.method, "order": str(cell.order)}
                return {"to": as_text(cell.high), "near": near, **method}
        return None

    def _point(self, top: Any, *, owned: bool) -> tuple[dict[str, Any], Any]:
        """Return the point that proves the upper bound, and the place that it is."""
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
        raise _UnprovedError

    def _points(self) -> Iterator[tuple[str, int, Cell]]:
        """Iterate over places of the infimum, in all pieces that hold them: side, number of the piece, cell."""
        places = [(place.side, *place.at.bracket(_PLACE_DIGITS)) for place in self.bound.places]
        for side, low, high in places or [("up", _HALF, _HALF)]:
            for index, piece in enumerate(self.criterion.sides[side]):
                if low == high and low in (0, 1):
                    if low in piece.outer:
                        yield from ((side, index, _limit_cell(low, order)) for order in (0, 2, 1, 3))
                    continue
                expand = has_function_of_prior(piece.tree)
                for end in (piece.start, piece.end):
                    if end.low < end.high and end.low <= high and low <= end.high:
                        yield side, index, Cell(end.low, end.high, *(("middle", 1) if expand else ()))
                yield from (
                    (side, index, Cell(x, x))
                    for x in dict.fromkeys((low, high))
                    if piece.start.high <= x <= piece.end.low
                )


def _ways(low: Fraction, high: Fraction, places: set[Fraction], *, expand: bool) -> Iterator[Cell]:
    """Iterate over the ways in which a cell may be proved."""
    if low == high or not expand:
        yield Cell(low, high)
        return
    for end, method in ((low, "low"), (high, "high")):
        if end in (0, 1) or end in places:
            yield from (Cell(low, high, method, order) for order in (2, 1, 3))
    if low > 0 and high < 1:
        yield Cell(low, high, "middle", 2)


def _limit_cell(at: Fraction, order: int) -> Cell:
    seen = "bernstein" if order == 0 else "high" if at else "low"
    return Cell(1 - _LIMIT, at, seen, order) if at else Cell(at, _LIMIT, seen, order)


def _outwards(lower: Fraction, upper: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds on the grid; what is on it stays."""
    return Fraction(floor(lower * _GRID), _GRID), Fraction(ceil(upper * _GRID), _GRID)


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Return the number of least power of two below that lies in the middle half of an interval."""
    first, last = low + (high - low) / 4, high - (high - low) / 4
    scale = 1
    while ceil(first * scale) > last * scale:  # ends at the latest when 1/scale is half the width
        scale *= 2
    return Fraction(ceil(first * scale), scale)
