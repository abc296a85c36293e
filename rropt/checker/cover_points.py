"""A point, a limit or a short interval that shows ``B <= upper`` (FORMAT.md, rule 12)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .cover_forms import NotRationalError, first_nonzero, negative
from .cover_jets import Box
from .cover_pieces import Piece
from .cover_proofs import Prover, odds
from .documents import Rejected, fields, fraction
from .polynomials import whole

_PARTS = 1 << 16
_MIRRORED = {"0+": "1-", "1-": "0+"}


@dataclass(frozen=True)
class Point:
    """Where N/D, or its limit from inside the piece, is at most ``upper``; ``belongs``: the piece owns it."""

    side: str
    at: str | tuple[Fraction, Fraction]
    belongs: bool

    def claimed(self) -> Any:
        """Return the place as the claim writes it, in terms of the argument of [h_l * h_u]: 1 - p on the side down."""
        if isinstance(self.at, str):
            return self.at if self.side == "up" else _MIRRORED[self.at]
        low, high = self.at if self.side == "up" else (1 - self.at[1], 1 - self.at[0])
        return str(low) if low == high else {"from": str(low), "to": str(high)}


def require_point(prover: Prover, sides: dict[str, list[tuple[Piece, list[Box]]]], data: Any, upper: Fraction) -> Point:
    """Return the point, proved to have D > 0 and N/D <= upper there, or in the limit.

    ``sides`` holds for each side its pieces with their cells.
    """
    side, index, at = fields(data, ["side", "piece", "at"], "the point")
    if not isinstance(side, str) or side not in sides:
        raise Rejected("the point is on no side")
    listed = sides[side]
    piece, cells = listed[whole(index, "the point's piece", len(listed) - 1)]
    if at in ("0+", "1-"):
        end = int(at == "1-")
        if piece.is_point or (piece.end.high < 1 if end else piece.start.low > 0):
            raise Rejected("the point's piece does not reach 0 or 1")
        _require_limit(prover, side, piece.tree, cells[-end], end, upper)
        return Point(side, at, belongs=False)
    if isinstance(at, dict):
        low, high = (fraction(end, "the point") for end in fields(at, ["from", "to"], "the point"))
        found = _around_an_end(side, piece, low, high)
        _require_value(prover, side, piece.tree, Box(low, high), upper)
        return found
    p = fraction(at, "the point")
    if not (0 < p < 1 and piece.start.high <= p <= piece.end.low) and not (piece.is_point and p == piece.start.low):
        raise Rejected("the point is not in its piece")
    if p in (0, 1):
        raise Rejected("the point is no prior: 0+ or 1- is meant")
    box = Box(p, p)
    try:
        _require_rational_value(prover, side, piece.tree, box, upper)
    except NotRationalError:
        _require_value(prover, side, piece.tree, box, upper)
    start = piece.owns_start or piece.start.low != p
    return Point(side, (p, p), belongs=start and (piece.owns_end or piece.end.high != p))


def _around_an_end(side: str, piece: Piece, low: Fraction, high: Fraction) -> Point:
    """Return an interval that holds an irrational end of the piece."""
    if not 0 < low < high < 1:
        raise Rejected("the point's interval is not in (0, 1)")
    for end, owned in ((piece.start, piece.owns_start), (piece.end, piece.owns_end)):
        if not end.is_rational and low <= end.low and end.high <= high:
            return Point(side, (low, high), belongs=owned)
    raise Rejected("the point's interval holds no irrational end of its piece")


def _require_rational_value(prover: Prover, side: str, tree: Any, box: Box, upper: Fraction) -> None:
    """Require D > 0 and N <= upper D at a rational point, exactly."""
    forms, ring = prover.forms, prover.forms.ring
    shorter = prover.extrema.shorter(tree, box)
    prior = ring.constant(box.low)
    d, above, below = odds(forms, side, forms.of(shorter, prior), prior)
    sign = forms.sign(d)
    difference = ring.add(ring.multiply(ring.constant(upper), below), negative(above))
    if sign * forms.sign(below) <= 0 or sign * forms.sign(difference) < 0:
        raise Rejected("N/D is greater than upper at the point")


def _require_value(prover: Prover, side: str, tree: Any, box: Box, upper: Fraction) -> None:
    """Require H < 1 and ``(1-x) H <= upper x (1-H)`` over a box: N/D rises with H and falls with x."""
    x, (h,) = prover.canonical(side, tree, box, 0)
    one = prover.arithmetic.one
    if h[1] >= one:
        raise Rejected("D may not be positive at the point")
    most = Fraction(h[1], one)
    if (1 - x.low) * most > upper * x.low * (1 - most):
        raise Rejected("N/D may be greater than upper at the point")


def _require_limit(prover: Prover, side: str, tree: Any, near: Box, end: int, upper: Fraction) -> None:
    """Require the limit of N/D at the end 0 or 1 of a cell to be at most upper, from the side where D > 0.

    Minima are decided on a small part of the cell: the limit is the same.
    """
    part = (near.high - near.low) / _PARTS
    shorter = prover.extrema.shorter(tree, Box(1 - part, near.high) if end else Box(near.low, part))
    _require_limit_of(prover, side, shorter, end, upper)


def _require_limit_of(prover: Prover, side: str, shorter: Any, end: int, upper: Fraction) -> None:
    """Require the limit of N/D at 0 or at 1 to be at most upper."""
    forms, ring = prover.forms, prover.forms.ring
    try:
        # the polynomials are in the distance from the end
        prior = forms.prior if end == 0 else ring.add(forms.one, negative(forms.prior))
        d, above, below = odds(forms, side, forms.of(shorter, prior), prior)
    except NotRationalError:
        _require_limit_of_slope(prover, side, shorter, end, upper)
        return
    sign = first_nonzero([forms.sign(c) for c in forms.by_powers(d)])
    numerators, denominators = forms.by_powers(above), forms.by_powers(below)
    order = next((i for i, c in enumerate(denominators) if c), None)
    if order is None or sign * forms.sign(denominators[order]) <= 0:
        raise Rejected("D is not positive beside the point")
    first = numerators[order] if order < len(numerators) else {}
    difference = ring.add(ring.multiply(ring.constant(upper), denominators[order]), negative(first))
    if any(numerators[:order]) or sign * forms.sign(difference) < 0:
        raise Rejected("the limit of N/D is greater than upper")


def _require_limit_of_slope(prover: Prover, side: str, tree: Any, end: int, upper: Fraction) -> None:
    """Where H(0) = 0 the limit of F is H'(0), where H(1) = 1 it is 1/H'(1)."""
    at_zero = (end == 0) == (side == "up")
    prover.require_end(side, tree, 0 if at_zero else 1)
    low, high = prover.slope_at_end(side, tree, end)
    if not (high <= upper if at_zero else low > 0 and upper * low >= 1):
        raise Rejected("the limit of N/D may be greater than upper")
