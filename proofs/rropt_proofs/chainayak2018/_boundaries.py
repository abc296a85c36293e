"""Breach boundaries as piecewise linear functions of the prior, and exact decisions about them.

At the prior p and the Bayes factor r the posterior is ``r p/(1 - p + r p)``, so that against a linear piece of h the
inequality ``posterior > h(p)`` is a quadratic inequality in p: it is decided by the endpoints and the vertex.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isinf

from rropt.claims import Domain, exact_cache
from rropt.core.exact import rational

__all__ = [
    "DEMANDS",
    "Boundary",
    "Factor",
    "beta_demand",
    "canonical",
    "mirrored",
    "posterior_at",
    "prior_beyond",
    "rho_demand",
    "steps",
]

Factor = Fraction | float  # a Bayes factor: exact, or inf

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Piece:
    """``constant + slope p`` up to ``end``, which belongs to the piece when ``closed``."""

    end: Fraction
    closed: bool
    constant: Fraction
    slope: Fraction

    @property
    def line(self) -> tuple[Fraction, Fraction]:
        return self.constant, self.slope

    def at(self, p: Fraction) -> Fraction:
        return self.constant + self.slope * p


@dataclass(frozen=True, slots=True)
class Boundary:
    """A piecewise linear function on [0, 1]; the first piece includes 0, the last ends at 1, closed."""

    pieces: tuple[Piece, ...]

    def cells(self) -> Iterator[tuple[Fraction, bool, Piece]]:
        """Iterate over (left end, whether it belongs to the piece, piece)."""
        low, inside = Fraction(0), True
        for piece in self.pieces:
            yield low, inside, piece
            low, inside = piece.end, not piece.closed

    def at(self, p: Fraction) -> Fraction:
        """Return the value at p."""
        return next(x for x in self.pieces if p < x.end or (x.closed and p == x.end)).at(p)

    def __str__(self) -> str:
        parts = []
        for piece in self.pieces[:-1]:
            parts += [_linear(piece), f"p {'<=' if piece.closed else '<'} {piece.end}"]
        last = _linear(self.pieces[-1])
        return f"piecewise({', '.join([*parts, last])})" if parts else last


def _linear(piece: Piece) -> str:
    if not piece.slope:
        return str(piece.constant)
    rise = "p" if piece.slope == 1 else f"({piece.slope})*p"
    return f"{piece.constant} + {rise}" if piece.constant else rise


def steps(*given: tuple[object, bool, object, object]) -> Boundary:
    """Return the boundary with pieces (end, closed, constant, slope), numbers in any exact form."""
    return Boundary(tuple(Piece(rational(e), c, rational(a), rational(b)) for e, c, a, b in given))


def mirrored(boundary: Boundary) -> Boundary:
    """Return ``1 - f(1 - p)``: the upper boundary for Q^c that a lower boundary for Q is, and back."""
    turned = [
        Piece(1 - low, inside, 1 - piece.constant - piece.slope, piece.slope) for low, inside, piece in boundary.cells()
    ]
    return Boundary(tuple(reversed(turned)))


@exact_cache
def canonical(lower: Boundary, upper: Boundary) -> Boundary:
    """Return ``[h_l * h_u](p) = min(h_u(p), 1 - h_l(1 - p))``."""
    turned = mirrored(lower)
    ends = sorted({piece.end for f in (upper, turned) for piece in f.pieces})
    cuts = [Fraction(0)]
    for end in ends:
        cuts += [*_crossings(upper, turned, cuts[-1], end), end]
    pieces: list[Piece] = []
    for low, high in pairwise(cuts):
        middle = (low + high) / 2
        best = min((_piece_at(f, middle) for f in (upper, turned)), key=lambda piece: piece.at(middle))
        _join(pieces, low, min(upper.at(low), turned.at(low)), best)
        if pieces and not pieces[-1].closed and pieces[-1].line == best.line:
            pieces.pop()
        pieces.append(Piece(high, False, *best.line))
    _join(pieces, ONE, min(upper.at(ONE), turned.at(ONE)), None)
    return Boundary(tuple(pieces))


def _join(pieces: list[Piece], at: Fraction, value: Fraction, following: Piece | None) -> None:
    """Give the end of a piece to whichever neighbour has its value: the left one, the next one, or a new one."""
    left = pieces[-1] if pieces else None
    if left is not None and left.at(at) == value and not (following and following.line == left.line):
        pieces[-1] = Piece(at, True, *left.line)
    elif following is None or following.at(at) != value:
        pieces.append(Piece(at, True, value, Fraction(0)))


def _piece_at(boundary: Boundary, p: Fraction) -> Piece:
    return next(x for x in boundary.pieces if p < x.end or (x.closed and p == x.end))


def _crossings(f: Boundary, g: Boundary, low: Fraction, high: Fraction) -> list[Fraction]:
    """Return where two boundaries, linear between low and high, cross strictly between."""
    middle = (low + high) / 2
    a, b = _piece_at(f, middle), _piece_at(g, middle)
    if a.slope == b.slope:
        return []
    p = (b.constant - a.constant) / (a.slope - b.slope)
    return [p] if low < p < high else []


def posterior_at(p: Fraction, factor: Factor) -> Fraction:
    """Return the posterior probability at the prior p, 0 < p < 1, and this Bayes factor."""
    return ONE if isinf(factor) else Fraction(factor) * p / (1 - p + Fraction(factor) * p)


def prior_beyond(boundary: Boundary, factor: Factor, *, below: bool = False) -> Fraction | None:
    """Return a prior 0 < p < 1 at which the posterior is above the boundary (``below`` it), or None: there is none."""
    for low, inside, piece in boundary.cells():
        gap = _gap(piece, factor, -1 if below else 1)
        high = piece.end
        if low == high:
            if inside and piece.closed and 0 < low < 1 and _value(gap, low) > 0:
                return low
            continue
        vertex = [-gap[1] / (2 * gap[2])] if gap[2] else []
        best = max((x for x in (low, high, *vertex) if low <= x <= high), key=lambda x: _value(gap, x))
        if _value(gap, best) > 0:
            return _moved_inside(gap, best, low, high)
    return None


def _gap(piece: Piece, factor: Factor, sign: int) -> tuple[Fraction, ...]:
    """Return the coefficients of sign (posterior - h), cleared of its positive denominator 1 - p + r p."""
    a, b = piece.constant, piece.slope
    if isinf(factor):
        return tuple(sign * x for x in (1 - a, -b, Fraction(0)))
    r = Fraction(factor)
    return tuple(sign * x for x in (-a, r - b - a * (r - 1), -b * (r - 1)))


def _value(gap: tuple[Fraction, ...], p: Fraction) -> Fraction:
    return gap[0] + gap[1] * p + gap[2] * p * p


def _moved_inside(gap: tuple[Fraction, ...], best: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return a prior strictly between low and high with a positive gap, close to one with a positive gap."""
    if low < best < high:
        return best
    step = (high - low) / 2 if best == low else (low - high) / 2
    while _value(gap, best + step) <= 0:  # ends: the gap is continuous and positive at `best`
        step /= 2
    return best + step


@exact_cache
def rho_demand(rho1: object, rho2: object) -> tuple[Boundary, Boundary]:
    """Return (h_l, h_u) of rho1-to-rho2 privacy, Definition 1.1: rho1 above rho2, rho2 below rho1."""
    return steps((rho2, True, 0, 0), (1, True, rho1, 0)), steps((rho1, False, rho2, 0), (1, True, 1, 0))


@exact_cache
def beta_demand(beta: Fraction) -> tuple[Boundary, Boundary]:
    """Return (h_l, h_u) of beta-factor privacy, Definition 1.2: p/beta and min(1, beta p)."""
    share = 1 / Fraction(beta)
    return steps((1, True, 0, share)), steps((share, True, 0, beta), (1, True, 1, 0))


NOTHING = steps((1, True, 0, 0))  # h_l = 0: no limit below
FREE = steps((1, True, 1, 0))  # h = 1: no limit above
PRIOR = steps((1, True, 0, 1))  # h(p) = p: no answer may change an opinion
SINGLE = steps(("1/2", False, 1, 0), ("1/2", True, "3/4", 0), (1, True, 1, 0))  # a limit at one prior alone: B = 3
FALLING = steps(("1/4", True, 1, 0), ("1/2", False, "1/2", 0), (1, True, 1, 0))
BELOW_ONE = steps((1, True, "1/2", "1/2"))

_PAIRS = (
    (NOTHING, FREE),
    (PRIOR, PRIOR),
    rho_demand("1/5", "1/2"),
    rho_demand("1/3", "1/2"),
    beta_demand(Fraction(2)),
    beta_demand(Fraction(5)),
    (NOTHING, SINGLE),
    (mirrored(SINGLE), FREE),
    (NOTHING, FALLING),
    (mirrored(BELOW_ONE), FALLING),
)


def _draw_upper(rng: random.Random) -> Boundary:
    """Draw steps or lines above the diagonal, with jumps and both kinds of ends."""
    cuts = [*sorted({Fraction(rng.randint(1, 11), 12) for _ in range(rng.randint(0, 2))}), ONE]
    pieces, low = [], Fraction(0)
    for cut in cuts:
        left = low + (1 - low) * Fraction(rng.randint(0, 6), 6)
        right = cut + (1 - cut) * Fraction(rng.randint(0, 6), 6)
        slope = Fraction(0) if rng.random() < 0.5 else (right - left) / (cut - low)
        height = max(left, cut) if not slope else left - slope * low
        pieces.append(Piece(cut, cut == 1 or rng.random() < 0.5, height, slope))
        low = cut
    return Boundary(tuple(pieces))


DEMANDS = Domain(
    "(h_l, h_u), with 0 <= h_l(a) <= a <= h_u(a) <= 1",
    _PAIRS,
    lambda rng: (mirrored(_draw_upper(rng)), _draw_upper(rng)),
)
