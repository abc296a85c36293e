"""The privacy profile: delta as a function of gamma = exp(epsilon), exact or enclosed (``matrix_privacy``).

The masses of an ordered pair of inputs with the largest odds sum to lines ``sum p - gamma sum q``; the excess of the
pair is their maximum. The profile is the maximum over all pairs: the upper envelope of these lines on gamma >= 1. It is
0 for all gamma from the parity on (``columns``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

from rropt.core.errors import FileFormatError
from rropt.core.exact.reals import ExactReal
from rropt.core.results import Extended, Result, own_part, read_result, written
from rropt.core.results.result_frames import row_with
from rropt.core.results.sequences import SequenceOf
from rropt.mechanisms.dichotomies import Dichotomy


@dataclass(frozen=True, slots=True)
class ProfilePiece:
    """A piece ``delta = intercept + slope gamma`` for gamma from ``gamma_from`` to ``gamma_to`` (None: without end)."""

    gamma_from: Fraction
    gamma_to: Extended
    intercept: Fraction
    slope: Fraction
    inputs: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PrivacyProfile(Result, SequenceOf):
    """delta(epsilon) for every epsilon >= 0: convex, decreasing, piecewise linear in gamma = exp(epsilon).

    Attributes:
        pieces: consecutive pieces that cover gamma >= 1; ``inputs`` is the pair (j, l) that attains delta.
        width: 0 if the pieces equal delta. Otherwise the pieces are a proved lower bound, and delta exceeds them by at
            most ``width`` at every gamma.
    """

    pieces: tuple[ProfilePiece, ...]
    width: Fraction = Fraction(0)

    ITEMS = "pieces"
    ANSWER = ("pieces", "breakpoints")

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each piece: ``delta = intercept + slope gamma``, and the inputs that attain it."""
        return [
            row_with(
                from_gamma=piece.gamma_from,
                to_gamma=piece.gamma_to,
                intercept=piece.intercept,
                slope=piece.slope,
                **dict(zip(("input", "other_input"), piece.inputs, strict=True)),
            )
            for piece in self.pieces
        ]

    def at(self, gamma: Fraction | ExactReal) -> ExactReal:
        """Return delta at an exact ``gamma >= 1``, or a lower bound at most ``width`` below it."""
        piece = next(piece for piece in self.pieces if piece.gamma_to is None or gamma <= piece.gamma_to)
        return ExactReal.of(piece.intercept) + gamma * piece.slope

    @property
    def limit(self) -> Fraction:
        """The limit of delta as epsilon grows, up to ``width``."""
        return self.pieces[-1].intercept

    def dominating_atoms(self) -> list[tuple[Fraction, Fraction]]:
        """Return the atoms (P, Q) with finite odds, by increasing odds, of the pair of distributions with this profile.

        Extended by ``delta(gamma) = 1 - gamma + gamma delta(1/gamma)`` to gamma < 1, the profile is convex. Each
        breakpoint gives an atom with these odds and a mirrored one. ``limit`` is the mass of infinite odds. The rest
        has odds 1; it is not negative, as ``Q(P > Q) + P(Q > P) <= 1 - delta(1)``.
        """
        steps = ((after.gamma_from, after.slope - piece.slope) for piece, after in pairwise(self.pieces))
        high = [(odds * q, q) for odds, q in steps]
        rest = 1 - self.limit - sum((p + q for p, q in high), Fraction(0))
        return [*((q, p) for p, q in reversed(high)), *[(rest, rest)] * bool(rest), *high]

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """The values of gamma at which the slope changes."""
        return tuple(piece.gamma_to for piece in self.pieces if piece.gamma_to is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return the linear pieces ``intercept + slope gamma`` with their ranges of gamma, and the width."""
        return {"profile": written(self.pieces)[0], "profile_width": str(self.width)}

    @classmethod
    def from_dict(cls, data: Any) -> PrivacyProfile:
        """Build an equal object from the output of ``to_dict``."""
        data, names = own_part(cls, data), {"profile": "pieces", "profile_width": "width"}
        fields = {names.get(key, key): item for key, item in data.items()} if isinstance(data, Mapping) else data
        made: PrivacyProfile = read_result(cls, fields)
        ends = [Fraction(1), *(piece.gamma_to for piece in made.pieces)]
        if ends != [*(piece.gamma_from for piece in made.pieces), None] or made.width < 0:
            raise FileFormatError("the pieces of a profile do not follow each other: make the file anew")
        return made

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary."""
        rows = []
        for piece in self.pieces:
            end = "" if piece.gamma_to is None else f" <= {piece.gamma_to}"
            line = f"{piece.intercept} - {-piece.slope} gamma" if piece.slope else str(piece.intercept)
            rows.append((f"delta for {piece.gamma_from} <= gamma{end}", line))
        if self.width:
            text = f"an enclosure: delta is at least what these lines say, and at most {float(self.width):g} more"
            rows.append(("profile", text))
        return rows


def profile_of_pairs(pairs: Iterable[Dichotomy]) -> PrivacyProfile:
    """Return the privacy profile: the largest excess over given pairs of inputs for every gamma >= 1.

    It is the upper envelope of the lines ``intercept - slope gamma`` of all pairs, and of the zero line.
    """
    lines: dict[tuple[int, int, int], tuple[int, int]] = {}  # slope and intercept in units of 1/below, below -> pair
    for one in pairs:
        slope = intercept = 0
        for p, q in one.masses:
            if p <= q:
                break
            intercept, slope = intercept + p, slope + q
            lines.setdefault((slope, intercept, one.below), one.pair)
    scale = lcm(*{below for _, _, below in lines})
    best: dict[int, tuple[int, tuple[int, int]]] = {0: (0, (0, 0))}
    for (s, a, below), pair in lines.items():
        slope, intercept = s * (scale // below), a * (scale // below)
        if slope not in best or best[slope][0] < intercept:
            best[slope] = (intercept, pair)
    hull: list[tuple[int, int, tuple[int, int], Fraction]] = []  # slope, intercept, pair, start
    for slope in sorted(best, reverse=True):  # steepest first: these lines are the largest at small gamma
        intercept, pair = best[slope]
        start = Fraction(1)
        while hull:
            start = Fraction(hull[-1][1] - intercept, hull[-1][0] - slope)  # where this line crosses the last one
            if start > hull[-1][3]:
                break
            hull.pop()
        hull.append((slope, intercept, pair, start if hull else Fraction(1)))
    ends = [piece[3] for piece in hull[1:]] + [None]
    return PrivacyProfile(
        tuple(
            ProfilePiece(start, end, Fraction(intercept, scale), Fraction(-slope, scale), pair)
            for (slope, intercept, pair, start), end in zip(hull, ends, strict=True)
        )
    )
