"""The infimum B of the odds ratio of a privacy criterion, by a cover of [0, 1] with cells (FORMAT.md, rule 12).

For every prior p in (0, 1), ``N - L D >= 0`` with

    up:   N = (1-p) h_u(p),   D = p (1-h_u(p));        down:  N = p (1-h_l(p)),   D = (1-p) h_l(p)

is proved cell by cell (``cover_proofs``), and one point shows that B is at most ``upper`` (``cover_points``).
"""

from fractions import Fraction
from typing import Any

from .cover_jets import Box
from .cover_pieces import Piece, pieces
from .cover_points import require_point
from .cover_proofs import Proof, Prover
from .documents import Rejected, fields, fraction, items
from .limits import MAX_BRACKET_DIGITS, MAX_COVER_BITS, MAX_COVER_CELLS
from .polynomials import whole

Bounds = tuple[Fraction, Fraction] | None  # lower and upper; none of an infinite B
Sides = dict[str, list[tuple[Piece, list[Box]]]]  # the pieces of each function with their cells

_SIDES = ("up", "down")


def check_cover(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind infimum."""
    kind, *functions = fields(problem, ["kind", *_SIDES], "problem")
    what, lower_text, upper_text, attained, at = fields(claim, ["kind", "lower", "upper", "attained", "at"], "claim")
    if kind != "criterion" or what != "infimum":
        raise Rejected("the rule cover proves claims of kind infimum of a problem of kind criterion")
    if attained is not None and not isinstance(attained, bool):
        raise Rejected("attained is not true, false or null")
    bounds = _bounds(lower_text, upper_text)
    _, bits, *covers, point = fields(witness, ["rule", "bits", *_SIDES, "point"], "witness")
    prover = Prover(whole(bits, "bits", MAX_COVER_BITS))
    sides: Sides = {}
    for side, function, cover in zip(_SIDES, functions, covers, strict=True):
        if (function is None) != (cover is None):
            raise Rejected(f"the function and the cover of the side {side} are not both there")
        if function is None:
            continue
        listed = pieces(function, prover.forms)
        sides[side] = [
            (piece, check_cells(prover, side, piece, cells, bounds, attained))
            for piece, cells in zip(listed, items(cover, "a cover", count=len(listed)), strict=True)
        ]
    if bounds is None:
        if (attained, at, point) != (None, None, None):
            raise Rejected("an infinite infimum has no place")
        return
    found = require_point(prover, sides, point, bounds[1])
    if found.claimed() != at:
        raise Rejected("the claim's place is not the point's")
    if attained and not found.belongs:
        raise Rejected("the point does not belong to its piece: the infimum is not shown to be attained")


def _bounds(lower_text: Any, upper_text: Any) -> Bounds:
    if lower_text == upper_text == "infinite":
        return None
    lower, upper = fraction(lower_text, "lower"), fraction(upper_text, "upper")
    if not 0 <= lower <= upper:
        raise Rejected("the bounds are not 0 <= lower <= upper")
    return lower, upper


def check_cells(
    prover: Prover, side: str, piece: Piece, cells: Any, bounds: Bounds, attained: bool | None
) -> list[Box]:
    """Return the cells of a piece, checked: they cover it, and each is proved."""
    listed = items(cells, "the cells of a piece", most=MAX_COVER_CELLS)
    if piece.is_end:  # of [0, 1]: no prior
        if listed:
            raise Rejected("a piece that is 0 or 1 has cells")
        return []
    boxes: list[Box] = []
    at = piece.start.low
    for i, cell in enumerate(listed):
        to_text, method, near = fields(cell, ["to", "method", "near"], "a cell")
        to = fraction(to_text, "the end of a cell", MAX_BRACKET_DIGITS)
        if not (at < to <= piece.end.high or (piece.is_point and at == to)) or not isinstance(near, bool):
            raise Rejected("a cell does not go on from the one before, leaves its piece, or has no near: true or false")
        if i and piece.start.low == piece.end.high:
            raise Rejected("a point has more than one cell")
        boxes.append(Box(at, to))
        check_cell(prover, side, piece, boxes[-1], method, near=near, bounds=bounds, attained=attained)
        at = to
    if not listed or at != piece.end.high:
        raise Rejected("the cells do not reach the end of their piece")
    return boxes


def check_cell(
    prover: Prover, side: str, piece: Piece, box: Box, method: Any, *, near: bool, bounds: Bounds, attained: bool | None
) -> None:
    """Check one cell: N - L D >= 0 with L = lower if it is near the infimum, else upper; and attainment."""
    if bounds is None:
        if method != "bernstein" or near:
            raise Rejected("a cell of an infinite infimum has another method than bernstein, or is near it")
        prover.require_infinite(side, piece.tree, box)
        return
    proof = prover.prove(side, piece.tree, box, method, bounds[0] if near else bounds[1])
    low = piece.owns_start if box.low == piece.start.low else True
    high = piece.owns_end if box.high == piece.end.high else True
    low, high = low and box.low > 0, high and box.high < 1
    if attained is True and near and not proof.constant and not (low and high):
        raise Rejected("a cell near the infimum is not closed: it may be approached and not attained")
    if attained is False and not _unattained(proof, low=low, high=high, near=near):
        raise Rejected("the infimum may be attained on a cell")


def _unattained(proof: Proof, *, low: bool, high: bool, near: bool) -> bool:
    """Whether N/D > B at every point of the cell that the piece owns (``low``, ``high``: an end too)."""
    if (proof.trend > 0 and not low) or (proof.trend < 0 and not high):
        return True
    return not near and proof.strict and (proof.low or not low) and (proof.high or not high)
