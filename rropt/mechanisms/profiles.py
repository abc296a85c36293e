"""The privacy profile of a matrix: delta as a function of gamma = exp(epsilon), whole and exact.

For an ordered pair of inputs (j, l), ``delta_jl(gamma) = sum_i max(0, p_ij - gamma p_il)`` is the largest of the
lines ``sum_{i in S} (p_ij - gamma p_il)`` over sets S of outputs, and only the m + 1 sets "ratio above t" count.
The profile is the largest over all pairs: the upper envelope on gamma >= 1 of at most k (k - 1)(m + 1) lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.exact.reals import ExactReal

__all__ = ["PrivacyProfile", "ProfilePiece", "largest_excess", "profile_of", "row_parity"]


@dataclass(frozen=True, slots=True)
class ProfilePiece:
    """``delta = intercept - slope * gamma`` for ``start <= gamma <= end`` (``end`` is None: without end)."""

    start: Fraction
    end: Fraction | None
    intercept: Fraction
    slope: Fraction
    pair: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PrivacyProfile:
    """delta(epsilon) for every epsilon >= 0: convex, decreasing, piecewise linear in gamma = exp(epsilon).

    Attributes:
        pieces: consecutive pieces that cover gamma >= 1; ``pair`` names the two inputs (j, l) told apart best.
    """

    pieces: tuple[ProfilePiece, ...]

    def at(self, gamma: Fraction | ExactReal) -> ExactReal:
        """Return delta at an exact ``gamma >= 1``."""
        for piece in self.pieces:
            if piece.end is None or gamma <= piece.end:
                return ExactReal.of(piece.intercept) - gamma * piece.slope
        raise AssertionError("unreachable: the last piece has no end")  # pragma: no cover

    @property
    def limit(self) -> Fraction:
        """delta as epsilon grows without bound: the mass that one input never gives; 0 iff the parity is finite."""
        return self.pieces[-1].intercept

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """The gammas at which the line changes."""
        return tuple(piece.end for piece in self.pieces if piece.end is not None)


def row_parity(row: Sequence[Fraction]) -> Fraction | None:
    """Return largest entry / least entry of a row, with 0/0 = 1 and a/0 = infinite (``None``)."""
    least, largest = min(row), max(row)
    if not least:
        return None if largest else Fraction(1)
    return largest / least


def profile_of(matrix: Sequence[Sequence[Fraction]]) -> PrivacyProfile:
    """Return the privacy profile of a column-stochastic matrix. Cost O(L log L), L = k (k - 1)(m + 1) lines."""
    columns = list(zip(*matrix, strict=True))
    lines: dict[tuple[Fraction, Fraction], tuple[int, int]] = {(Fraction(0), Fraction(0)): (0, 0)}
    for j, left in enumerate(columns):
        for l, right in enumerate(columns):  # noqa: E741  # (j, l) as in the formula
            if j != l:
                for line in _pair_lines(left, right):
                    lines.setdefault(line, (j, l))
    return PrivacyProfile(_envelope(lines))


def _pair_lines(left: Sequence[Fraction], right: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Return (slope, intercept) of the lines ``sum_S p - gamma sum_S q``, S the outputs of largest ratio p/q >= 1."""
    certain = sum((p for p, q in zip(left, right, strict=True) if not q), Fraction(0))
    ratios = sorted(((p / q, p, q) for p, q in zip(left, right, strict=True) if q and p > q), reverse=True)
    intercept, slope = certain, Fraction(0)
    lines = [(slope, intercept)]
    for _, p, q in ratios:
        intercept, slope = intercept + p, slope + q
        lines.append((slope, intercept))
    return lines


def _envelope(lines: dict[tuple[Fraction, Fraction], tuple[int, int]]) -> tuple[ProfilePiece, ...]:
    """Return the upper envelope of ``intercept - slope * gamma`` on gamma >= 1."""
    one = Fraction(1)
    best: dict[Fraction, tuple[Fraction, tuple[int, int]]] = {}
    for (slope, intercept), pair in lines.items():
        if slope not in best or best[slope][0] < intercept:
            best[slope] = (intercept, pair)
    hull: list[tuple[Fraction, Fraction, tuple[int, int], Fraction]] = []  # slope, intercept, pair, start
    for slope in sorted(best, reverse=True):  # steepest first: they are the largest where gamma is least
        intercept, pair = best[slope]
        start = one
        while hull:
            start = (hull[-1][1] - intercept) / (hull[-1][0] - slope)  # where this line overtakes the last one
            if start > hull[-1][3]:
                break
            hull.pop()
            start = one
        if not hull:
            start = one
        hull.append((slope, intercept, pair, start))
    ends = [piece[3] for piece in hull[1:]] + [None]
    return tuple(
        ProfilePiece(start, end, intercept, slope, pair)
        for (slope, intercept, pair, start), end in zip(hull, ends, strict=True)
    )


def largest_excess(columns: Sequence[tuple[Fraction, ...]], gamma: Fraction) -> Fraction:
    """Return ``max over (j, l) of sum_i max(0, p_ij - gamma p_il)``."""
    distinct = list(dict.fromkeys(columns))
    excess = (
        sum((p - gamma * q for p, q in zip(left, right, strict=True) if p > gamma * q), Fraction(0))
        for left in distinct
        for right in distinct
        if left is not right
    )
    return max(excess, default=Fraction(0))
