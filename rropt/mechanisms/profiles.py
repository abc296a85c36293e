"""The privacy profile of a matrix: delta as a function of gamma = exp(epsilon), exact or enclosed.

For an ordered pair of inputs (j, l), ``delta_jl(gamma) = sum_i max(0, p_ij - gamma p_il)`` is the maximum of the lines
``sum_{i in S} (p_ij - gamma p_il)`` over sets S of outputs. Only the m + 1 sets "ratio above t" matter. The profile is
the maximum over all pairs: the upper envelope on gamma >= 1 of at most k (k - 1)(m + 1) lines. It is 0 for all gamma
from the parity on (``columns``).

*Enclosures.* If too many pairs of inputs tie within floating-point error, the profile is enclosed. Let ``L <= delta``
be the maximum of some lines of the profile.

1. It suffices to bound ``delta - L`` at the breakpoints of L. L is linear on each piece, so ``delta - L`` is convex
   there and is largest at an endpoint. On the last, unbounded piece it is convex and bounded, hence nonincreasing, and
   is largest at its start.
2. At a breakpoint g, floats give an upper bound of delta. Let u = 2^-53, and let the products ``g p_il`` be correctly
   rounded. Each term ``p_ij - g p_il >= 0`` has an error of at most 4 u p_ij. A sum of m terms is at most 1 and has an
   additional error of m u. The total error is less than ``(m + 16) u``. (Entries below 2^-1022, the smallest normal
   float, have an error of less than 2^-1074 each.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise, permutations
from math import ceil, lcm
from typing import TYPE_CHECKING, Any

from rropt.core.errors import FileFormatError
from rropt.core.exact.reals import ExactReal
from rropt.core.results import Extended, Result, own_part, read_result, written
from rropt.mechanisms.columns import Column, Columns
from rropt.mechanisms.hockey_stick import float_excesses, worst_excess

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.mechanisms.float_envelopes import FloatEnvelope

    Floats = NDArray[np.float64]

Line = tuple[int, int]  # slope and intercept as integers in a common unit
Lines = dict[tuple[int, int, int, int], tuple[int, int]]  # (intercept, denominator, slope, denominator) -> pair


@dataclass(frozen=True, slots=True)
class ProfilePiece:
    """A piece ``delta = intercept + slope gamma`` for gamma from ``gamma_from`` to ``gamma_to`` (None: without end)."""

    gamma_from: Fraction
    gamma_to: Extended
    intercept: Fraction
    slope: Fraction
    inputs: tuple[int, int]


@dataclass(frozen=True, slots=True)
class PrivacyProfile(Result):
    """delta(epsilon) for every epsilon >= 0: convex, decreasing, piecewise linear in gamma = exp(epsilon).

    Attributes:
        pieces: consecutive pieces that cover gamma >= 1; ``inputs`` is the pair (j, l) that attains delta.
        width: 0 if the pieces equal delta. Otherwise the pieces are a proved lower bound, and delta exceeds them by at
            most ``width`` at every gamma.
    """

    pieces: tuple[ProfilePiece, ...]
    width: Fraction = Fraction(0)

    def at(self, gamma: Fraction | ExactReal) -> ExactReal:
        """Return delta at an exact ``gamma >= 1``, or a lower bound at most ``width`` below it."""
        for piece in self.pieces:
            if piece.gamma_to is None or gamma <= piece.gamma_to:
                return ExactReal.of(piece.intercept) + gamma * piece.slope
        raise AssertionError("unreachable: the last piece has no end")  # pragma: no cover

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


def pair_profile(left: Sequence[Fraction], right: Sequence[Fraction]) -> PrivacyProfile:
    """Return the profile of one ordered pair of columns p, q: ``sum_i max(0, p_i - gamma q_i)`` for gamma >= 1."""
    return PrivacyProfile(upper_envelope(lines_of_pair(Column.of(0, left), Column.of(1, right))))


def lines_of_pair(left: Column, right: Column) -> Lines:
    """Return the lines ``sum_S p - gamma sum_S q``, where S is a set of outputs with the largest ratios p/q > 1."""
    intercept, slope, finite = 0, 0, []
    for p, q in zip(left.numerators, right.numerators, strict=True):
        if p * right.denominator > q * left.denominator:
            if q:
                # distinct a/b and c/d differ by at least 1/(b d), so their shifted integer parts have the same order
                finite.append(((p << right.shift) // q, p, q))
            else:
                intercept += p
    sums = [(intercept, slope)]
    for _, p, q in sorted(finite, reverse=True):
        intercept, slope = intercept + p, slope + q
        sums.append((intercept, slope))
    return {(a, left.denominator, s, right.denominator): (left.index, right.index) for a, s in sums}


def upper_envelope(found: Lines) -> tuple[ProfilePiece, ...]:
    """Return the upper envelope on gamma >= 1 of the lines ``intercept - slope gamma`` and the zero line."""
    scale = lcm(*{denominator for line in found for denominator in (line[1], line[3])})
    lines: dict[Line, tuple[int, int]] = {(0, 0): (0, 0)}
    for (a, below_a, s, below_s), pair in found.items():
        lines.setdefault((s * (scale // below_s), a * (scale // below_a)), pair)
    return _envelope(lines, scale)


def _envelope(lines: dict[Line, tuple[int, int]], scale: int) -> tuple[ProfilePiece, ...]:
    """Return the upper envelope of ``(intercept - slope * gamma) / scale`` on gamma >= 1."""
    one = Fraction(1)
    best: dict[int, tuple[int, tuple[int, int]]] = {}
    for (slope, intercept), pair in lines.items():
        if slope not in best or best[slope][0] < intercept:
            best[slope] = (intercept, pair)
    hull: list[tuple[int, int, tuple[int, int], Fraction]] = []  # slope, intercept, pair, start
    for slope in sorted(best, reverse=True):  # steepest first: these lines are the largest at small gamma
        intercept, pair = best[slope]
        start = one
        while hull:
            start = Fraction(hull[-1][1] - intercept, hull[-1][0] - slope)  # where this line crosses the last one
            if start > hull[-1][3]:
                break
            hull.pop()
            start = one
        if not hull:
            start = one
        hull.append((slope, intercept, pair, start))
    ends = [piece[3] for piece in hull[1:]] + [None]
    return tuple(
        ProfilePiece(start, end, Fraction(intercept, scale), Fraction(-slope, scale), pair)
        for (slope, intercept, pair, start), end in zip(hull, ends, strict=True)
    )


_MOST_LINES = 1_000_000  # of pairs that may touch the profile: exact arithmetic takes ten seconds and a gigabyte
_WIDTH = Fraction(1, 10**12)  # of a sufficiently tight enclosure, finer than any delta in practice
_UNITS = 10**15  # a width is rounded up to a multiple of 1/_UNITS
_EXACT_POINTS = 8  # largest number of breakpoints at which equality with the profile is tested: seconds each
_ROUNDS = 50  # of adding pairs to an enclosure; after the hull in floats usually none is needed


def profile_of(matrix: Sequence[Sequence[Fraction]]) -> PrivacyProfile:
    """Return the privacy profile of a column-stochastic matrix, or an enclosure (``PrivacyProfile.width``).

    The envelope of all k (k - 1)(m + 1) lines is first computed in floats, in O(m k^2 log m) time and in memory linear
    in the matrix. With an error bound, it selects the pairs and lines that may touch the profile. If these are not too
    many, they are compared exactly. Otherwise the lines at the vertices of the hull enclose the profile. Equal columns
    are treated as one.
    """
    columns = Columns(matrix)
    floats = columns.floats
    everything = permutations(range(len(columns)), 2)
    if floats is None:
        return _exact(columns, everything)
    from rropt.mechanisms.float_envelopes import FloatEnvelope  # avoids loading numpy for small matrices

    envelope = FloatEnvelope(floats)
    most = _MOST_LINES // len(floats)
    pairs = list(islice(everything if columns.has_tiny else envelope.pairs(), most + 1))
    if len(pairs) > most:
        return _enclosed(matrix, columns, floats, envelope.vertices())
    return _exact(columns, pairs, None if columns.has_tiny else envelope)


def _exact(columns: Columns, pairs: Iterable[tuple[int, int]], envelope: FloatEnvelope | None = None) -> PrivacyProfile:
    """Return the exact upper envelope of the lines of these pairs that may touch the profile."""
    found: Lines = {}
    for i, j in pairs:
        lines = lines_of_pair(columns.columns[i], columns.columns[j])
        for (a, below_a, s, below_s), pair in lines.items():
            if envelope is None or envelope.is_near(a / below_a, s / below_s):
                found.setdefault((a, below_a, s, below_s), pair)
    return PrivacyProfile(upper_envelope(found))


def _enclosed(
    matrix: Sequence[Sequence[Fraction]], columns: Columns, floats: Floats, pairs: Iterable[tuple[int, int]]
) -> PrivacyProfile:
    """Return the maximum L of the lines of a few pairs, with a width w such that ``L <= delta <= L + w``.

    If w is too large, the pairs that exceed L most at its breakpoints are added.
    """
    found: Lines = {}
    above: dict[Fraction, tuple[Fraction, tuple[int, int]]] = {}
    for _ in range(_ROUNDS):
        for i, j in pairs:
            found = lines_of_pair(columns.columns[i], columns.columns[j]) | found
        pieces = upper_envelope(found)
        lows = {piece.gamma_from: piece.intercept + piece.slope * piece.gamma_from for piece in pieces}
        above.update({gamma: _bound_above(columns, floats, gamma) for gamma in lows.keys() - above.keys()})
        width = max(above[gamma][0] - low for gamma, low in lows.items())
        if width <= _WIDTH:
            break
        pairs = {above[gamma][1] for gamma, low in lows.items() if above[gamma][0] - low > _WIDTH}
    if len(lows) <= _EXACT_POINTS and all(worst_excess(matrix, gamma).at(gamma) == low for gamma, low in lows.items()):
        return PrivacyProfile(pieces)
    return PrivacyProfile(pieces, Fraction(ceil(width * _UNITS), _UNITS))


def _bound_above(columns: Columns, floats: Floats, gamma: Fraction) -> tuple[Fraction, tuple[int, int]]:
    """Return an upper bound of ``delta(gamma)`` and the ordered pair of columns that attains it."""
    excesses, slack = float_excesses(columns, floats, gamma)
    j, other = divmod(int(excesses.argmax()), len(columns))
    return Fraction(float(excesses[j, other])) + Fraction(slack), (j, other)
