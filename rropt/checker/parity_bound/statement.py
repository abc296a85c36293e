"""The infimum B of the odds ratio of a privacy criterion, by cells that cover (0, 1) (parity_bound.md).

Every cell proves a lower bound of the odds ratio F: ``lower`` on cells ``near`` the infimum, ``top`` on all others. A
point or a limit shows B <= top. ``top`` is upper, or the constant ``exact`` between lower and upper.
"""

from fractions import Fraction
from typing import Any

from ..documents import Rejected, WorkBudget, fields, items, whole
from ..intervals import read_arithmetic
from ..limits import MAX_BRACKET_DIGITS, MAX_CELLS, MAX_EXPANSION_ORDER
from ..polynomials import Quotient
from .judgement import ProvedCell, ProvedCriterion
from .pieces import Piece

_METHODS = ("bernstein", "low", "high", "middle")
_Bounds = tuple[Quotient | None, Quotient | None]  # lower and top; None for an infinite infimum


def check_parity_bound(problem: Any, claim: Any, proof: Any, budget: WorkBudget | None = None) -> str:
    """Check the statement; return the tier of the proof. Inside a bracket it uses the budget of the file."""
    lower, upper, attained, at = fields(claim, ["lower", "upper", "attained", "at"], "claim")
    if attained is not None and not isinstance(attained, bool):
        raise Rejected("attained is none of true, false and null")
    digits, exact, *covers, point = fields(proof, ["digits", "exact", "up", "down", "point"], "proof")
    criterion = ProvedCriterion(problem, read_arithmetic(digits, budget or WorkBudget()))
    bounds = _read_bounds(criterion, lower, upper, exact)
    for side, cover in zip(("up", "down"), covers, strict=True):
        pieces = criterion.sides.get(side)
        if (cover is None) != (pieces is None):
            raise Rejected(f"the function and the cover of the side {side} are not both there")
        for piece, cells in zip(pieces or [], items(cover or [], "a cover", count=len(pieces or [])), strict=True):
            _check_piece(criterion, piece, cells, bounds, attained)
    if bounds[1] is not None:
        _check_point(criterion, point, bounds[1], attained, at)
    elif (attained, at, point) != (None, None, None):
        raise Rejected("an infinite infimum has no place")
    if criterion.is_expanded or criterion.constants.named:
        return "analytic tier: constants or expansions in interval arithmetic"
    return "rational tier: Bernstein coefficients alone"


def _read_bounds(criterion: ProvedCriterion, lower_text: Any, upper_text: Any, exact: Any) -> _Bounds:
    if lower_text == upper_text == "infinite" and exact is None:
        return None, None
    constants = criterion.constants
    lower, upper = (constants.of(criterion.budget.number(text, "a bound")) for text in (lower_text, upper_text))
    top = upper if exact is None else criterion.number(exact)
    if constants.sign(lower) < 0 or constants.compare(lower, top) > 0 or constants.compare(top, upper) > 0:
        raise Rejected("the bounds are not 0 <= lower <= exact <= upper")
    return lower, top


def _check_piece(criterion: ProvedCriterion, piece: Piece, cells: Any, bounds: _Bounds, attained: bool | None) -> None:
    """Reject unless the cells cover an enclosure of the piece and each cell is proved."""
    (at, to), (lower, top) = piece.outer, bounds
    listed = items(cells, "the cells of a piece", most=MAX_CELLS)
    for i, data in enumerate(listed):
        high_text, near, *method = fields(data, ["to", "near", "method", "order"], "a cell")
        high = criterion.budget.number(high_text, "the end of a cell", MAX_BRACKET_DIGITS)
        cell = _cell(at, high, *method)
        if not isinstance(near, bool):
            raise Rejected("near is not true or false")
        if not (at < high or (i == 0 and at == high == to)):
            raise Rejected("a cell does not go on from the one before")
        is_strict = criterion.at_least(piece, cell, lower if near else top)
        if near and (top is None or (attained and not piece.is_closed_on(at, high))):
            raise Rejected("a cell near the infimum is not closed: the infimum may be approached and not attained")
        if near and attained:
            criterion.require_defined(piece, cell.low, cell.high)
        if attained is False and (near or not is_strict):
            raise Rejected("the infimum may be attained on a cell")
        at = high
    if not listed or at != to:
        raise Rejected("the cells do not end with their piece")


def _cell(low: Fraction, high: Fraction, method: Any, order: Any) -> ProvedCell:
    cell = ProvedCell(low, high, method, whole(order, "an order", MAX_EXPANSION_ORDER))
    if method not in _METHODS or (method == "bernstein") != (cell.order == 0):
        raise Rejected("a method is none of bernstein, of order 0, low, high and middle, of a greater order")
    return cell


def _check_point(criterion: ProvedCriterion, data: Any, top: Quotient, attained: bool | None, at: Any) -> None:
    """Reject unless F <= top at a point, in a limit, or on a short interval around a piece's irrational endpoint."""
    side, index, *ends, method, order = fields(data, ["side", "piece", "from", "to", "method", "order"], "the point")
    if not isinstance(side, str) or side not in criterion.sides:
        raise Rejected("the point is on no side")
    pieces = criterion.sides[side]
    piece = pieces[whole(index, "the point's piece", len(pieces) - 1)]
    low, high = (criterion.budget.number(end, "an end of the point", MAX_BRACKET_DIGITS) for end in ends)
    cell = _cell(low, high, method, order)
    if not 0 <= low <= high <= 1:
        raise Rejected("the point is no prior")
    place, is_owned = criterion.at_most(piece, cell, top)
    if place != at:
        raise Rejected("the claim's place is not the point's")
    if attained and not is_owned:
        raise Rejected("the point does not belong to its piece: the infimum is not shown to be attained")
