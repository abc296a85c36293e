"""Infima of the odds ratio on one cell: places where B(h) may be reached, exact where h is a rational function.

With h = n/d the odds ratio is ``F = (1-p) n / (p (d-n)) = N/D`` in lowest terms. On an open interval its infimum is
the least of its values at the zeros of ``N'D - ND'`` inside and of its limits at the two ends: F is continuous where
h < 1 and tends to infinity where h tends to 1 inside (0, 1). Every candidate is an algebraic number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq_poly

from rropt.errors import InvalidParameterError
from rropt.exact import Bracket, decimal_text
from rropt.exact.algebraic_numbers import Algebraic, polynomial_roots, polynomial_sign
from rropt.privacy.parity_bounds.functions import Cell, Leaf, Rational, sign_cells

_EDGE = 1e-30  # nearer to 0 a place stands for the end: no prior that matters is there


@dataclass(frozen=True, slots=True)
class Place(Bracket):
    """A local infimum of ``(1-p) h(p) / (p (1-h(p)))`` on one cell.

    Attributes:
        lower, upper: rational bounds of the value.
        side: ``"up"`` for h_u(p), ``"down"`` for 1 - h_l(1 - p).
        approach: ``"at"`` a point, ``"from-below"``, ``"from-above"``, ``"everywhere"`` on the cell, or ``"near"``:
            enclosed, somewhere close to the point.
        at: the prior p, in terms of the argument of [h_l * h_u].
        attained: whether the value is taken there; ``None``: not decided.
        value: the value when it is known exactly.
        cell, leaf: where h is this function.
    """

    side: str
    approach: str
    at: Algebraic
    attained: bool | None
    value: Algebraic | None
    cell: Cell
    leaf: Leaf

    @property
    def text(self) -> str:
        """The place as ``at`` is printed: an exact number, ``"0+"`` or ``"1-"``; a decimal when it is only near."""
        exact = self.at.rational
        if exact in (0, 1):
            return "1-" if exact else "0+"
        if self.approach != "near":
            return str(self.at)
        near = decimal_text(float(self.at), 9)
        return "1-" if near == "1" else near if float(self.at) > _EDGE else "0+"


# Decimals of the rational bracket that is shown beside an irrational B(h): finer than any use of a privacy level.
PARITY_BOUND_DIGITS = 20

_P = Rational(fmpq_poly([0, 1]), fmpq_poly([1]))
_ONE = Rational(fmpq_poly([1]), fmpq_poly([1]))


def odds_ratio(h: Rational) -> Rational | None:
    """Return ``(1-p) h / (p (1-h))`` in lowest terms, or ``None`` when h = 1: infinite."""
    if h == _ONE:
        return None
    return _ONE.combined("-", _P).combined("*", h).combined("/", _P.combined("*", _ONE.combined("-", h)))


def require_range(side: str, h: Rational, cell: Cell) -> None:
    """Refuse a function that leaves ``p <= h(p) <= 1`` on the cell; for the lower side ``0 <= h_l <= p``.

    Raises:
        InvalidParameterError: with a point where it does, and the value there.
    """
    for difference in (h.combined("-", _P), _ONE.combined("-", h)):
        for part, sign in sign_cells(difference, cell):
            if sign < 0:
                point = part.sample()
                raise out_of_range(side, point, h)


def out_of_range(side: str, point: Algebraic, h: Rational) -> InvalidParameterError:
    """Return the error of a function out of range at a point."""
    if side == "up":
        return InvalidParameterError(
            f"the upper function is out of range: received h({point}) = {h.value(point)}; allowed is p <= h(p) <= 1"
        )
    reflected, value = (_ONE.combined("-", x).value(point) for x in (_P, h))
    return InvalidParameterError(
        f"the lower function is out of range: received h({reflected}) = {value}; allowed is 0 <= h(p) <= p"
    )


def exact_places(side: str, h: Rational, cell: Cell) -> list[Place]:
    """Return the candidates for the infimum of the odds ratio on a cell; none where h = 1."""
    require_range(side, h, cell)
    ratio = odds_ratio(h)
    if ratio is None:
        return []
    return [
        Place(ends.lower, ends.upper, side, approach, at, attained, value, cell, h)
        for approach, at, attained in _candidates(ratio, cell)
        for value in [ratio.value(at)]
        for ends in [value.bracket(PARITY_BOUND_DIGITS)]
    ]


def _candidates(ratio: Rational, cell: Cell) -> Iterator[tuple[str, Algebraic, bool]]:
    n, d = ratio.above, ratio.below
    if cell.is_point:
        if polynomial_sign(d, cell.low):
            yield "at", cell.low, True
        return
    slope = n.derivative() * d - n * d.derivative()
    if slope == 0:
        yield "everywhere", cell.sample(), True
        return
    for root in polynomial_roots(slope, cell.low, cell.high):
        if polynomial_sign(d, root):
            yield "at", root, True
    for end, belongs, approach in ((cell.low, cell.has_low, "from-above"), (cell.high, cell.has_high, "from-below")):
        if polynomial_sign(d, end):
            yield "at" if belongs else approach, end, belongs
