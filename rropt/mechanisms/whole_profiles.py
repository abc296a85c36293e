"""The privacy profile of a matrix: exact, or enclosed where too many pairs of inputs tie within the error of floats.

An enclosure is proved at its breakpoints alone. Let ``L <= delta`` be the largest of some lines of the profile. On a
piece of L, which is linear there, ``delta - L`` is convex, so that it is largest at an end; on the last piece, which is
without end, it is convex and bounded: largest at its start. At a breakpoint g floats bound delta from above: with the
products ``g p_il`` correctly rounded and u = 2^-53, each term ``p_ij - g p_il >= 0`` is off by at most 4 u p_ij, and a
sum of m of them, which is at most 1, by m u more: ``(m + 16) u`` in all, and to spare. (Entries that are none to a
float, below 2^-1022, are off by less than 2^-1074 each.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import islice, permutations
from math import ceil
from typing import TYPE_CHECKING

from rropt.mechanisms.columns import Columns
from rropt.mechanisms.excesses import float_excesses, largest_excess
from rropt.mechanisms.profiles import PrivacyProfile, lines_of_pair, upper_envelope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.mechanisms.float_envelopes import FloatEnvelope
    from rropt.mechanisms.profiles import Lines

    Floats = NDArray[np.float64]

_MOST_LINES = 1_000_000  # of pairs that may touch the profile: exactly they take ten seconds and a gigabyte
_WIDTH = Fraction(1, 10**12)  # of an enclosure that is good enough: finer than what a level's delta is asked for
_UNITS = 10**15  # a width is rounded up to this decimal
_EXACT_POINTS = 8  # breakpoints at which an enclosure is tried for being the profile itself: seconds each
_ROUNDS = 50  # of pairs added to an enclosure; the hull in floats mostly needs none


def profile_of(matrix: Sequence[Sequence[Fraction]]) -> PrivacyProfile:
    """Return the privacy profile of a column-stochastic matrix, or an enclosure (``PrivacyProfile.width``).

    In floats the envelope of all k (k - 1)(m + 1) lines costs O(m k^2 log m) in memory linear in the matrix; with a
    bound of its error it names the pairs and lines that may touch the profile. These alone are compared exactly, where
    they are not too many; else those of the hull's vertices enclose it. Equal columns count once.
    """
    columns = Columns(matrix)
    floats = columns.floats
    everything = permutations(range(len(columns)), 2)
    if floats is None:
        return _exact(columns, everything)
    from rropt.mechanisms.float_envelopes import FloatEnvelope  # numpy is not loaded for small matrices

    envelope = FloatEnvelope(floats)
    most = _MOST_LINES // len(floats)
    pairs = list(islice(everything if columns.has_tiny else envelope.pairs(), most + 1))
    if len(pairs) > most:
        return _enclosed(matrix, columns, floats, envelope.vertices())
    return _exact(columns, pairs, None if columns.has_tiny else envelope)


def _exact(columns: Columns, pairs: Iterable[tuple[int, int]], envelope: FloatEnvelope | None = None) -> PrivacyProfile:
    """Return the largest of the lines of these pairs that may touch the profile."""
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
    """Return the largest L of the lines of a few pairs, and a width w with ``L <= delta <= L + w``.

    Where w is too large the pairs that exceed L most at its breakpoints are taken in.
    """
    found: Lines = {}
    above: dict[Fraction, tuple[Fraction, tuple[int, int]]] = {}
    for _ in range(_ROUNDS):
        for i, j in pairs:
            found = lines_of_pair(columns.columns[i], columns.columns[j]) | found
        pieces = upper_envelope(found)
        lows = {piece.start: piece.intercept - piece.slope * piece.start for piece in pieces}
        above.update({gamma: _bound_above(columns, floats, gamma) for gamma in lows.keys() - above.keys()})
        width = max(above[gamma][0] - low for gamma, low in lows.items())
        if width <= _WIDTH:
            break
        pairs = {above[gamma][1] for gamma, low in lows.items() if above[gamma][0] - low > _WIDTH}
    exact = tuple(zip(*matrix, strict=True))
    if len(lows) <= _EXACT_POINTS and all(largest_excess(exact, gamma) == low for gamma, low in lows.items()):
        return PrivacyProfile(pieces)
    return PrivacyProfile(pieces, Fraction(ceil(width * _UNITS), _UNITS))


def _bound_above(columns: Columns, floats: Floats, gamma: Fraction) -> tuple[Fraction, tuple[int, int]]:
    """Return a number that is at least ``delta(gamma)``, and the ordered pair of columns it comes from."""
    excesses, slack = float_excesses(columns, floats, gamma)
    j, other = divmod(int(excesses.argmax()), len(columns))
    return Fraction(float(excesses[j, other])) + Fraction(slack), (j, other)
