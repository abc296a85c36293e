"""Witnesses of the infimum B(h) of a privacy criterion: a cover of [0, 1] by cells (FORMAT.md, rule 12).

A cell on which a method of the checker does not prove the bound is cut in two, until all are proved: the checker's own
functions are asked, so that what is written down is accepted. Where the infimum is tight at a rational place, the
cells end there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rropt.certificates.certificate import Certificate
from rropt.certificates.criterion_functions import odds_expression, pieces_of
from rropt.checker.cover_jets import Box
from rropt.checker.cover_pieces import Piece, pieces
from rropt.checker.cover_points import Point, require_point
from rropt.checker.cover_proofs import Prover
from rropt.checker.cover_rule import Sides, check_cell
from rropt.checker.documents import Rejected
from rropt.errors import CertificateError, UnsupportedProblemError
from rropt.exact import as_text
from rropt.privacy.criteria import Criterion
from rropt.privacy.parity_bounds import ParityBound
from rropt.tolerances import (
    COVER_BITS,
    COVER_CELLS,
    COVER_GRID,
    COVER_MIN_WIDTH,
    COVER_SLACKS,
    ENCLOSURE_END_DIGITS,
)

__all__ = ["infimum_certificate"]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be claimed: lower and upper, none of an infinite bound; and whether it is attained."""

    bounds: tuple[Fraction, Fraction] | None
    attained: bool | None


class _UnprovedError(Exception):
    """A plan that does not work out."""


def infimum_certificate(criterion: Criterion, bound: ParityBound) -> Certificate:
    """Return the certificate of B(h), accepted by the checker.

    The claim is ``lower <= B(h) <= upper`` with the numbers of the bound (``"infinite"`` where it is), whether the
    infimum is attained, and where.
    A bound that the checker's intervals do not reach is claimed a little lower, and attainment that cannot be proved
    by cells is left open (``attained`` null).

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
    >>> print(certificate.claim["lower"], float(certificate.claim["lower"]), certificate.check())
    4 4.0 accepted

    Source: Chai and Nayak (2018), (3.3) and Theorem 3.1; FORMAT.md, rule 12.
    """
    problem = {"kind": "criterion", **_functions(criterion)}
    prover = Prover(COVER_BITS)
    sides = {side: pieces(problem[side], prover.forms) for side in ("up", "down") if problem[side] is not None}
    for plan in _plans(bound):
        try:
            witness, place = _witness(prover, sides, bound, plan)
        except _UnprovedError:
            continue
        lower, upper = ("infinite", "infinite") if plan.bounds is None else map(as_text, plan.bounds)
        claim = {"kind": "infimum", "lower": lower, "upper": upper, "attained": plan.attained, "at": place}
        return Certificate.write(problem, claim, witness).require_accepted()
    raise CertificateError(
        f"no certificate of B(h) was found: received {criterion}, {bound}; the checker covers functions whose odds "
        "ratio keeps away from the bound except at finitely many places; cut the function with piecewise, or do "
        "without a certificate"
    )


def _functions(criterion: Criterion) -> dict[str, Any]:
    """Return both functions as the problem writes them."""
    if criterion.level is not None and criterion.up is None:
        whole = {"to": "1", "closed": True, "value": odds_expression(criterion.level)}
        return {"up": {"pieces": [whole]}, "down": None}
    if criterion.up is None and criterion.down is None:
        raise UnsupportedProblemError(
            f"no certificate is written of this criterion: received {criterion}; a Python function cannot be read by "
            "the checker; give an expression in p"
        )
    written = {}
    for side, function in (("up", criterion.up), ("down", criterion.down)):
        listed = None if function is None else [piece for _, piece in pieces_of(function)]
        written[side] = None if listed is None else {"pieces": listed}
    return written


def _plans(bound: ParityBound) -> Iterator[_Plan]:
    """Iterate over what may be claimed, the best first."""
    if bound.lower is None or bound.upper is None:
        yield _Plan(None, None)
        return
    lower, upper = bound.lower, bound.upper
    for attained in dict.fromkeys((bound.attained, None)):
        yield _Plan((lower, upper), attained)
        if lower == upper:  # exact, but tight at an irrational place
            yield _Plan((lower - Fraction(1, COVER_GRID), upper + Fraction(1, COVER_GRID)), attained)
        for slack in COVER_SLACKS:
            yield _Plan((_down(lower * (1 - slack)), upper), attained)


def _down(value: Fraction) -> Fraction:
    return Fraction(value.numerator * COVER_GRID // value.denominator, COVER_GRID)


def _witness(
    prover: Prover, sides: dict[str, list[Piece]], bound: ParityBound, plan: _Plan
) -> tuple[dict[str, Any], Any]:
    """Return the witness of a plan and the place that it claims."""
    covers: dict[str, Any] = {"up": None, "down": None}
    boxes: Sides = {}
    for side, listed in sides.items():
        cuts = [x for place in bound.places if place.side == side for x in _rational_places(place, side)]
        found = [(piece, _Cover(prover, side, piece, plan).cells(cuts)) for piece in listed]
        covers[side] = [cells for _, cells in found]
        boxes[side] = [(piece, _boxes(piece, cells)) for piece, cells in found]
    written = {"rule": "cover", "bits": str(COVER_BITS), **covers, "point": None}
    if plan.bounds is None:
        return written, None
    point, data = _point(prover, boxes, bound, plan.bounds[1], attained=bool(plan.attained))
    return {**written, "point": data}, point.claimed()


def _rational_places(place: Any, side: str) -> list[Fraction]:
    exact = place.at.rational
    if exact is None or place.approach == "near":
        return []
    return [exact if side == "up" else 1 - exact]


def _boxes(piece: Piece, cells: list[dict[str, Any]]) -> list[Box]:
    ends = [piece.start.low, *(Fraction(cell["to"]) for cell in cells)]
    return [Box(a, b) for a, b in pairwise(ends)]


class _Cover:
    """The search for the cells of one piece."""

    def __init__(self, prover: Prover, side: str, piece: Piece, plan: _Plan) -> None:
        self.prover, self.side, self.piece, self.plan = prover, side, piece, plan
        self.found: list[dict[str, Any]] = []

    def cells(self, cuts: list[Fraction]) -> list[dict[str, Any]]:
        """Return cells that cover the piece, with these numbers among their ends."""
        piece = self.piece
        if piece.is_end:
            return []
        low, high = piece.start.low, piece.end.high
        ends = [low, *sorted({x for x in cuts if low < x < high}), high]
        pending = [Box(a, b) for a, b in pairwise(ends)][::-1]  # the next one last
        while pending:
            box = pending.pop()
            cell = self._proved(box)
            if cell is not None:
                self.found.append(cell)
                continue
            if box.high - box.low < COVER_MIN_WIDTH or len(self.found) + len(pending) > COVER_CELLS:
                raise _UnprovedError
            middle = _middle(box)
            pending += [Box(middle, box.high), Box(box.low, middle)]
        return self.found

    def _proved(self, box: Box) -> dict[str, Any] | None:
        """Return a cell whose method works on a box."""
        plan = self.plan
        exact = plan.bounds is None or plan.bounds[0] == plan.bounds[1]
        for near in (False,) if exact else (True,) if plan.attained is None else (False, True):
            for method in self._methods(box, near=near):
                self.prover.restart()
                try:
                    check_cell(
                        self.prover,
                        self.side,
                        self.piece,
                        box,
                        method,
                        near=near,
                        bounds=plan.bounds,
                        attained=plan.attained,
                    )
                except Rejected:
                    continue
                return {"to": as_text(box.high), "method": method, "near": near}
        return None

    def _methods(self, box: Box, *, near: bool) -> Iterator[str]:
        yield "bernstein"
        if near and self.plan.attained:
            yield "constant"
        yield "value"
        if box.low == 0 or box.high == 1:
            yield "chord"
        if box.low < box.high:
            yield from ("rising", "falling")


def _middle(box: Box) -> Fraction:
    """Return the number of least power of two below that lies in the middle half of a box."""
    low, high = box.low + (box.high - box.low) / 4, box.high - (box.high - box.low) / 4
    scale = 1
    while True:  # ends at the latest when 1/scale is half the width
        numerator = -(-low.numerator * scale // low.denominator)
        if numerator <= high * scale:
            return Fraction(numerator, scale)
        scale *= 2


def _point(
    prover: Prover, boxes: Sides, bound: ParityBound, upper: Fraction, *, attained: bool
) -> tuple[Point, dict[str, Any]]:
    """Return the point that proves the upper bound, and how it is written."""
    for data in _points(boxes, bound):
        prover.restart()
        try:
            point = require_point(prover, boxes, data, upper)
        except Rejected:
            continue
        if point.belongs or not attained:
            return point, data
    raise _UnprovedError


def _points(boxes: Sides, bound: ParityBound) -> Iterator[dict[str, Any]]:
    """Iterate over the places of the infimum, in all the pieces that hold them."""
    if not bound.places:
        yield {"side": "up", "piece": "0", "at": bound.at}
    for place in bound.places:
        low, high = place.at.bracket(ENCLOSURE_END_DIGITS)
        if place.side == "down":
            low, high = 1 - high, 1 - low
        for index, (piece, _) in enumerate(boxes[place.side]):
            for at in _written(piece, low, high):
                yield {"side": place.side, "piece": str(index), "at": at}


def _written(piece: Piece, low: Fraction, high: Fraction) -> Iterator[Any]:
    """Iterate over the ways to write a place between two numbers, in one piece."""
    if low == high and low in (0, 1):
        if piece.start.low <= low <= piece.end.high:
            yield "1-" if low else "0+"
        return
    for end in (piece.start, piece.end):
        if not end.is_rational and end.low <= high and low <= end.high:
            yield {"from": as_text(end.low), "to": as_text(end.high)}
    for x in (low, high):
        if piece.start.low <= x <= piece.end.high:
            yield as_text(x)
