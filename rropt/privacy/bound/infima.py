"""Infima of the odds ratio on one cell: candidate places of B(h), exact if h is a rational function.

*Rational h.* With h = n/d the odds ratio is ``F = (1-p) n / (p (d-n)) = N/D`` in lowest terms. F is continuous where
h < 1 and tends to infinity where h tends to 1 inside (0, 1). So on an open interval its infimum is the smallest of its
values at the zeros of ``N'D - ND'`` inside and of its limits at the two endpoints. Every candidate is an algebraic
number.

*Other h.* Candidate places of the infimum of F on a piece come from a grid in log-odds, which is refined, with F
evaluated in ball arithmetic. The result is a proposal: its value is a proved upper bound of the infimum. The cells
prove that no value is lower (``covers``).

If a function leaves its range, this module reports the prior at which it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, log2
from typing import Any

from flint import arb, ctx

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Bounded, decimal_text
from rropt.core.exact.algebraic_numbers import Algebraic, polynomial_roots, polynomial_sign
from rropt.core.exact.rational_bounds import ball, to_fraction
from rropt.privacy.bound.functions import (
    ONE,
    PRECISION,
    PRIOR,
    Cell,
    Composite,
    Leaf,
    Rational,
    ball_of,
    odds_ball,
    sign_cells,
    value_ball,
)

_EDGE = 1e-30  # a place closer to 0 is shown as the endpoint "0+": no relevant prior is there


@dataclass(frozen=True, slots=True)
class Place(Bounded):
    """A local infimum of ``(1-p) h(p) / (p (1-h(p)))`` on one cell.

    Attributes:
        lower, upper: rational bounds of the value.
        side: ``"up"`` for h_u(p), ``"down"`` for 1 - h_l(1 - p).
        approach: ``"at"`` a point, ``"from-below"``, ``"from-above"``, ``"everywhere"`` on the cell, or ``"near"``:
            enclosed, somewhere close to the point.
        at: the prior p, in terms of the argument of [h_l * h_u].
        attained: whether the value is attained there; ``None``: not decided.
        value: the exact value, if known.
        cell, leaf: the cell, and the expression of h on it.
    """

    lower: Fraction
    upper: Fraction
    side: str
    approach: str
    at: Algebraic
    attained: bool | None
    value: Algebraic | None
    cell: Cell
    leaf: Leaf

    @property
    def text(self) -> str:
        """The text of ``at``: an exact number, ``"0+"`` or ``"1-"``; a decimal if the place is approximate."""
        exact = self.at.rational
        if exact in (0, 1):
            return "1-" if exact else "0+"
        if self.approach != "near":
            return str(self.at)
        near = decimal_text(float(self.at), 9)
        return "1-" if near == "1" else near if float(self.at) > _EDGE else "0+"

    def line(self) -> tuple[str, str]:
        """Return the labelled line of the summary: the place and how the infimum is approached there."""
        reached = {True: "attained", False: "limit", None: "not decided"}[self.attained]
        side = "upper function" if self.side == "up" else "lower function, p = 1 - q with q the prior of Q"
        return f"at p = {self.text}", f"{_APPROACHES.get(self.approach, '')}{reached}, {side}"


_APPROACHES = {
    "from-below": "from below, ",
    "from-above": "from above, ",
    "near": "near, ",
    "everywhere": "and around, ",
}

# Decimals of the rational enclosure that is shown with an irrational B(h): finer than any use of a privacy level.
PARITY_BOUND_DIGITS = 20


def odds_ratio(h: Rational) -> Rational | None:
    """Return ``(1-p) h / (p (1-h))`` in lowest terms, or ``None`` if h = 1, where it is infinite."""
    if h == ONE:
        return None
    return ONE.combined("-", PRIOR).combined("*", h).combined("/", PRIOR.combined("*", ONE.combined("-", h)))


def require_range(side: str, h: Rational, cell: Cell) -> None:
    """Reject a function that violates ``p <= h(p) <= 1`` on the cell, or ``0 <= h_l <= p`` for the lower side.

    Raises:
        InvalidParameterError: the range is violated; the message contains a point and the value there.
    """
    for difference in (h.combined("-", PRIOR), ONE.combined("-", h)):
        for part, sign in sign_cells(difference, cell):
            if sign < 0:
                point = part.sample()
                error = out_of_range(side, point, h.value(point))
                raise InvalidParameterError(f"{error}{_limit_of_beliefs(side, h)}")


def _limit_of_beliefs(side: str, h: Rational) -> str:
    """Return what a constant limit of posteriors lacks, for a message; an empty text for other functions.

    No response is needed for a belief above the limit, so the limit can only be for beliefs up to a smaller one.
    """
    if side != "up" or max(h.above.degree(), h.below.degree()) > 0:
        return ""
    limit = Fraction(int(h.above[0].p), int(h.above[0].q))
    if not 0 < limit < 1:
        return ""
    before = Fraction(1, 2) if limit > Fraction(1, 2) else limit / 2
    return (
        f"; a person may believe more than {limit} before any response, so say up to which belief the limit holds: "
        f"for example posterior:{before},{limit} (in a command --level posterior:{before},{limit}) for beliefs up to "
        f"{before}"
    )


def out_of_range(side: str, at: Algebraic | Fraction, value: Algebraic | float) -> InvalidParameterError:
    """Return the error for the value of an upper function at a point, or for the lower function that it mirrors."""
    name, allowed = ("upper", "p <= h(p) <= 1") if side == "up" else ("lower", "0 <= h(p) <= p")
    received = (
        [at, value] if side == "up" else [x.complement if isinstance(x, Algebraic) else 1 - x for x in (at, value)]
    )
    point, height = (str(x) if isinstance(x, Algebraic) else decimal_text(x, 12) for x in received)
    return InvalidParameterError(
        f"the {name} function is out of range: received h({point}) = {height}; allowed is {allowed}"
    )


def exact_places(side: str, h: Rational, cell: Cell) -> list[Place]:
    """Return the candidates for the infimum of the odds ratio on a cell; an empty list if h = 1."""
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


_EVEN = 64  # equal parts of a piece; near both endpoints the grid continues by halving the distance
_HALVINGS = 116  # 10^-35: the limit of F at an endpoint is then known to more than the promised twelve digits
_SHARES = sorted(
    {Fraction(i, _EVEN) for i in range(1, _EVEN)}
    | {x for k in range(7, _HALVINGS) for x in (Fraction(1, 2**k), 1 - Fraction(1, 2**k))}
)
_MINIMA = 4  # number of local minima of the grid, the smallest ones, that are refined
_SECTIONS = 110  # golden sections: 10^-23 of the width
_GOLDEN = Fraction(0x9E3779B9, 1 << 32)  # a short fraction near (sqrt(5) - 1)/2
_FLAT = Fraction(1, 10**20)  # relative difference below which values are regarded as equal
_RIM = Fraction(1, 128)  # grid points closer to an endpoint are not used to recognize a constant F
_SHORT = 1000  # largest denominator of a rational place that is guessed
_CLOSE = Fraction(1, 10**9)  # largest distance to a guessed place, relative to the distance from an endpoint
_LARGEST = arb(2) ** 4096  # a double exponential may not fit into memory: larger numbers are not converted
_INFINITE = arb("inf")


class _Piece:
    """A non-rational function on one cell, with upper bounds of its odds ratio F."""

    def __init__(self, side: str, leaf: Composite, cell: Cell) -> None:
        self.side, self.leaf, self.cell = side, leaf, cell

    def odds(self, at: Fraction) -> Any:
        """Return an upper bound of F at a prior, close to F, as a ball without radius; or infinity."""
        p = ball_of(at)
        h = value_ball(self.leaf, p)
        if not h.is_finite():
            raise undefined(at)
        upper = _upper(odds_ball(h, p))
        if h > 1 or (upper is not None and upper < 1):
            raise out_of_range(self.side, at, float(h.mid()))
        return _INFINITE if upper is None else upper

    def place(self, at: Fraction | Algebraic, approach: str, attained: bool | None) -> Place | None:
        """Return a candidate place, ``None`` where F is infinite."""
        p = ball_of(at)
        values = odds_ball(value_ball(self.leaf, p), p)
        upper = _upper(values)
        if upper is None:
            return None
        lower = to_fraction(values.lower())
        where = at if isinstance(at, Algebraic) else Algebraic.of(at)
        return Place(lower, to_fraction(upper), self.side, approach, where, attained, None, self.cell, self.leaf)


def undefined(near: Fraction) -> UnsupportedProblemError:
    """Return the error for a function that may be undefined near a point."""
    return UnsupportedProblemError(
        f"the function cannot be shown to be defined near p = {decimal_text(near)}: a division by zero, or the root or "
        "logarithm of a number that may be negative; rewrite it, or cut it with piecewise"
    )


def proposed_places(side: str, leaf: Composite, cell: Cell) -> list[Place]:
    """Return points of a piece where F is smallest, and its endpoints inside (0, 1); an empty list if h = 1.

    Raises:
        InvalidParameterError: the function leaves its range.
        UnsupportedProblemError: the function is undefined at a point.
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
    """Iterate over points of smallest F: on flat parts, at grid points next to 0 or 1, and at refined minima."""
    low, high = piece.cell.low.bracket(40).upper, piece.cell.high.bracket(40).lower
    grid, order = _grid(low, high)
    odds = {i: piece.odds(grid[i]) for i in order}
    values = [odds[i] for i in range(len(grid))]
    known = sorted((i for i, value in enumerate(values) if value.is_finite()), key=lambda i: values[i])
    if not known:
        return
    flat = values[known[0]] * (1 + ball(_FLAT))
    level = {i for i in known if values[i] <= flat}
    inner = [at for at in (grid[i] for i in level) if _RIM <= (at - low) / (high - low) <= 1 - _RIM]
    if len(inner) > 2:  # F is constant on a part of the piece: take its simplest point
        yield min(inner, key=lambda p: (p.denominator, p)), "at", True
    minima = [i for i in known if values[i] <= min(values[max(i - 1, 0) : i + 2]) and not {i - 1, i + 1} <= level]
    minima = minima[:_MINIMA]
    if len(inner) <= 2 and level.isdisjoint(minima):  # close to 0 or 1, F is constant up to rounding errors
        yield grid[known[0]], "near", None
    for i in minima:
        if i in (0, len(grid) - 1):
            if (low, high)[i > 0] in (0, 1):
                yield grid[i], "near", None
            continue
        at = _refined(piece, grid[i - 1], grid[i + 1])
        guess = at.limit_denominator(_SHORT)
        if abs(guess - at) <= _CLOSE * min(at - low, high - at) and low < guess < high:
            yield guess, "at", True
        yield at, "near", True


@lru_cache(maxsize=16)
def _grid(low: Fraction, high: Fraction) -> tuple[list[Fraction], list[int]]:
    """Return the grid between two priors, and the order in which F is evaluated: the middle first.

    A message about a point close to 0 or 1 would show that end itself.
    """
    grid = [low + (high - low) * share for share in _SHARES]
    return grid, sorted(range(len(grid)), key=lambda i: abs(2 * grid[i] - low - high))


def _refined(piece: _Piece, low: Fraction, high: Fraction) -> Fraction:
    """Return a point close to the minimum of F between two points, by golden section."""
    # a number below 5e-324 is 0 as a float, which has no logarithm
    bits = min(PRECISION, PRECISION // 2 - floor(log2(float(min(low, 1 - high)) or 1e-300)))

    def between(share: Fraction) -> Fraction:
        return Fraction(round((low + (high - low) * share) * 2**bits), 2**bits)

    for _ in range(_SECTIONS):
        left, right = between(1 - _GOLDEN), between(_GOLDEN)
        low, high = (low, right) if piece.odds(left) < piece.odds(right) else (left, high)
    return between(Fraction(1, 2))


def _upper(values: Any) -> Any | None:
    """Return the upper endpoint of a ball if it is finite and not too large, else ``None``."""
    upper = values.upper()
    return upper if values.is_finite() and upper < _LARGEST else None
