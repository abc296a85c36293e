"""The privacy profile of a matrix: delta as a function of gamma = exp(epsilon), whole and exact.

For an ordered pair of inputs (j, l), ``delta_jl(gamma) = sum_i max(0, p_ij - gamma p_il)`` is the largest of the
lines ``sum_{i in S} (p_ij - gamma p_il)`` over sets S of outputs, and only the m + 1 sets "ratio above t" count.
The profile is the largest over all pairs: the upper envelope on gamma >= 1 of at most k (k - 1)(m + 1) lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from rropt.exact.reals import ExactReal

__all__ = ["PrivacyProfile", "ProfilePiece", "largest_excess", "pair_profile", "profile_of", "row_parity"]

Line = tuple[int, int]  # slope and intercept over the common denominator


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
    """Return the privacy profile of a column-stochastic matrix. Cost O(L log L), L = k (k - 1)(m + 1) lines.

    The lines are integers over the common denominator of all entries; equal columns count once.
    """
    distinct: dict[tuple[Fraction, ...], int] = {}
    for j, column in enumerate(zip(*matrix, strict=True)):
        distinct.setdefault(column, j)
    scale = lcm(*(x.denominator for column in distinct for x in column))
    columns = [(j, _column(column, scale)) for column, j in distinct.items()]
    lines: dict[Line, tuple[int, int]] = {(0, 0): (0, 0)}
    for j, left in columns:
        for l, right in columns:  # noqa: E741  # (j, l) as in the formula
            if j != l:
                for line in _pair_lines(left, right):
                    lines.setdefault(line, (j, l))
    return PrivacyProfile(_envelope(lines, scale))


def pair_profile(left: Sequence[Fraction], right: Sequence[Fraction]) -> PrivacyProfile:
    """Return the profile of one ordered pair of columns: ``sum_i max(0, p_i - gamma q_i)`` for gamma >= 1."""
    scale = lcm(*(x.denominator for column in (left, right) for x in column))
    lines = _pair_lines(_column(left, scale), _column(right, scale))
    return PrivacyProfile(_envelope(dict.fromkeys([(0, 0), *lines], (0, 1)), scale))


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as integers: over the denominator of all columns, and over its own, where ratios are shorter.

    Attributes:
        scaled, own: the entries over these denominators.
        shift: 2^-shift is less than the difference of any two ratios ``p / q`` that differ, p integer, q in ``own``.
    """

    scaled: tuple[int, ...]
    own: tuple[int, ...]
    shift: int


def _column(column: Sequence[Fraction], scale: int) -> _Column:
    denominator = lcm(*(x.denominator for x in column))
    own = tuple(x.numerator * (denominator // x.denominator) for x in column)
    times = scale // denominator
    return _Column(tuple(x * times for x in own), own, 2 * max(own).bit_length() + 1)


def _pair_lines(left: _Column, right: _Column) -> list[Line]:
    """Return (slope, intercept) of the lines ``sum_S p - gamma sum_S q``, S the outputs of largest ratio p/q >= 1."""
    above = [i for i, (p, q) in enumerate(zip(left.scaled, right.scaled, strict=True)) if p > q]
    intercept, slope, finite = 0, 0, []
    for i in above:
        if right.own[i]:
            # distinct a/b and c/d differ by 1/(b d) at least: the whole parts, shifted, are in the same order
            finite.append(((left.own[i] << right.shift) // right.own[i], left.scaled[i], right.scaled[i]))
        else:
            intercept += left.scaled[i]
    lines = [(slope, intercept)]
    for _, p, q in sorted(finite, reverse=True):
        intercept, slope = intercept + p, slope + q
        lines.append((slope, intercept))
    return lines


def _envelope(lines: dict[Line, tuple[int, int]], scale: int) -> tuple[ProfilePiece, ...]:
    """Return the upper envelope of ``(intercept - slope * gamma) / scale`` on gamma >= 1."""
    one = Fraction(1)
    best: dict[int, tuple[int, tuple[int, int]]] = {}
    for (slope, intercept), pair in lines.items():
        if slope not in best or best[slope][0] < intercept:
            best[slope] = (intercept, pair)
    hull: list[tuple[int, int, tuple[int, int], Fraction]] = []  # slope, intercept, pair, start
    for slope in sorted(best, reverse=True):  # steepest first: they are the largest where gamma is least
        intercept, pair = best[slope]
        start = one
        while hull:
            start = Fraction(hull[-1][1] - intercept, hull[-1][0] - slope)  # where this line overtakes the last one
            if start > hull[-1][3]:
                break
            hull.pop()
            start = one
        if not hull:
            start = one
        hull.append((slope, intercept, pair, start))
    ends = [piece[3] for piece in hull[1:]] + [None]
    return tuple(
        ProfilePiece(start, end, Fraction(intercept, scale), Fraction(slope, scale), pair)
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
