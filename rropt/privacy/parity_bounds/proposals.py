"""Places where the infimum of F on a piece may be: a grid in log-odds, refined, evaluated in ball arithmetic.

What is found is a proposal: its value is an upper bound of the infimum, proved by a ball; that nothing is lower is for
the cells to prove (``covers``). A function that leaves its range is told here, with the prior at which it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor, inf, log2
from typing import Any

from flint import ctx

from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.exact import decimal_text
from rropt.exact.algebraic_numbers import Algebraic
from rropt.exact.brackets import to_fraction
from rropt.privacy.parity_bounds.functions import PRECISION, Cell, Composite, ball_of, odds_ball, value_ball
from rropt.privacy.parity_bounds.infima import Place

_EVEN = 64  # parts of a piece, beside which the grid goes on in halves towards both ends
_HALVINGS = 116  # 10^-35: what F tends to at an end is then seen to more than the twelve digits that are promised
_SHARES = sorted(
    {Fraction(i, _EVEN) for i in range(1, _EVEN)}
    | {x for k in range(7, _HALVINGS) for x in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))}
)
_MINIMA = 4  # local minima of the grid that are refined, the least ones
_SECTIONS = 110  # golden sections: 10^-23 of the width
_GOLDEN = Fraction(0x9E3779B9, 1 << 32)  # near (sqrt(5) - 1)/2, short
_FLAT = Fraction(1, 10**20)  # values as close as this are taken for equal
_EDGE = Fraction(1, 128)  # of the grid nearer to an end nothing is seen of F being constant
_SHORT = 1000  # denominators that people write
_CLOSE = Fraction(1, 10**9)  # of the distance from an end: so near is a place guessed to be a short rational
_MAX_BITS = 4096  # a double exponential has more digits than memory: no fraction is made beyond 2^this


class _Piece:
    """One function on one cell, looked at from its points."""

    def __init__(self, side: str, leaf: Composite, cell: Cell) -> None:
        self.side, self.leaf, self.cell = side, leaf, cell

    def odds(self, at: Fraction) -> Fraction | float:
        """Return an upper bound of F at a prior, close to it, or infinity."""
        p = ball_of(at)
        h = value_ball(self.leaf, p)
        if not h.is_finite():
            raise undefined(at)
        if h > 1:
            raise self._out_of_range(at, h)
        upper = _upper(odds_ball(h, p))
        if upper is not None and upper < 1:
            raise self._out_of_range(at, h)
        return inf if upper is None else upper

    def place(self, at: Fraction | Algebraic, approach: str, attained: bool | None) -> Place | None:
        """Return a proposal, ``None`` where F is infinite."""
        p = ball_of(at)
        values = odds_ball(value_ball(self.leaf, p), p)
        upper = _upper(values)
        if upper is None:
            return None
        lower = to_fraction(values.lower())
        where = at if isinstance(at, Algebraic) else Algebraic.of(at)
        return Place(lower, upper, self.side, approach, where, attained, None, self.cell, self.leaf)

    def _out_of_range(self, at: Fraction, h: Any) -> InvalidParameterError:
        name, allowed = ("upper", "p <= h(p) <= 1") if self.side == "up" else ("lower", "0 <= h(p) <= p")
        value = float(h.mid())
        if self.side == "down":
            at, value = 1 - at, 1 - value
        return InvalidParameterError(
            f"the {name} function is out of range at p = {decimal_text(at)}: received {decimal_text(value, 12)}; "
            f"allowed is {allowed}"
        )


def undefined(near: Fraction) -> UnsupportedProblemError:
    """Return the error of a function that may be undefined near a point."""
    return UnsupportedProblemError(
        f"the function cannot be shown to be defined near p = {decimal_text(near)}: a division by zero, or the root or "
        "logarithm of a number that may be negative; rewrite it, or cut it with piecewise"
    )


def proposed_places(side: str, leaf: Composite, cell: Cell) -> list[Place]:
    """Return points of a piece where F is least, and its ends inside (0, 1); none where h = 1.

    Raises:
        InvalidParameterError: the function leaves its range.
        UnsupportedProblemError: it is not defined at a point.
    """
    with ctx.workprec(PRECISION):
        piece = _Piece(side, leaf, cell)
        found = [piece.place(*end) for end in _ends(cell)]
        if not cell.is_point:
            found += [piece.place(*least) for least in _least(piece)]
        return [place for place in found if place is not None]


def _ends(cell: Cell) -> Iterator[tuple[Fraction | Algebraic, str, bool]]:
    ends = [(cell.low, cell.has_low, "from-above"), (cell.high, cell.has_high, "from-below")]
    for at, belongs, approach in [(cell.low, True, "at")] if cell.is_point else ends:
        exact = at.rational
        if exact not in (0, 1):
            yield (at if exact is None else exact), "at" if belongs else approach, belongs


def _least(piece: _Piece) -> Iterator[tuple[Fraction, str, bool | None]]:
    """Iterate over points of least F: of the grid, where F is constant or falls towards 0 or 1, and between them."""
    low, high = piece.cell.low.bracket(40).upper, piece.cell.high.bracket(40).lower
    grid = [low + (high - low) * share for share in _SHARES]
    values = [piece.odds(at) for at in grid]
    known = sorted((i for i, value in enumerate(values) if value < inf), key=lambda i: values[i])
    if not known:
        return
    level = {i for i in known if values[i] <= values[known[0]] * (1 + _FLAT)}
    inner = [at for at in (grid[i] for i in level) if _EDGE <= (at - low) / (high - low) <= 1 - _EDGE]
    if len(inner) > 2:  # as low on a part of the piece: its simplest point
        yield min(inner, key=lambda p: (p.denominator, p)), "at", True
    minima = [i for i in known if values[i] <= min(values[max(i - 1, 0) : i + 2]) and not {i - 1, i + 1} <= level]
    for i in minima[:_MINIMA]:
        if i in (0, len(grid) - 1):
            if (low, high)[i > 0] in (0, 1):
                yield grid[i], "near", None
            continue
        at = _refined(piece, grid[i - 1], grid[i + 1])
        guess = at.limit_denominator(_SHORT)
        if abs(guess - at) <= _CLOSE * min(at - low, high - at) and low < guess < high:
            yield guess, "at", True
        yield at, "near", True


def _refined(piece: _Piece, low: Fraction, high: Fraction) -> Fraction:
    """Return a point near the least F between two points, by golden section."""
    bits = min(PRECISION, PRECISION // 2 - floor(log2(float(min(low, 1 - high)) or 1e-300)))

    def between(share: Fraction) -> Fraction:
        return Fraction(round((low + (high - low) * share) * 2**bits), 2**bits)

    for _ in range(_SECTIONS):
        left, right = between(1 - _GOLDEN), between(_GOLDEN)
        low, high = (low, right) if piece.odds(left) < piece.odds(right) else (left, high)
    return between(Fraction(1, 2))


def _upper(values: Any) -> Fraction | None:
    """Return the upper end of a ball, if it is a number that can be written down."""
    if not values.is_finite() or not values.upper() < 2**_MAX_BITS:
        return None
    return to_fraction(values.upper())
