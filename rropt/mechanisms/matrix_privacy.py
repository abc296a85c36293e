"""The privacy of a matrix: the smallest delta at one level with what attains it, and the privacy profile.

``delta(gamma) = max over (j, l) of sum_i max(0, p_ij - gamma p_il)``. Floating-point arithmetic selects the pairs that
may attain the maximum, with the following error bound.

* With u = 2^-53, each term ``p - gamma q >= 0`` has an error of at most 8 u p.
* A sum of m terms is at most 1 and has an additional error of m u. The total error is less than ``(m + 16) u``.
* An entry below 2^-1022 has an error of 2^-1074. Multiplied by gamma, it is negligible for gamma up to 10^200. For
  larger gamma the products are computed exactly and then rounded.

Exact integers decide among the pairs that are within this error of the maximum.

*Profiles.* The envelope of the lines of all pairs is computed in floats first (``float_envelopes``); the pairs that may
touch it are compared exactly. If these are too many, pairs are added one by one. Let ``L <= delta`` be the maximum of
the lines of some pairs. On each piece L is linear, so ``delta - L`` is convex there and largest at an endpoint. On the
last, unbounded piece it is convex and bounded, hence nonincreasing, and largest at its start. So it suffices to compare
L with delta at the breakpoints of L. The pair that attains delta at a breakpoint is added to L, until L is delta at all
of them. Where too many pairs tie within the error of floats, an upper bound of delta takes its place, and the profile
is enclosed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, islice, permutations, product, starmap
from math import ceil
from typing import TYPE_CHECKING

from rropt.core.lazy import numpy as np
from rropt.mechanisms.columns import Column, Rows, distinct_columns, floats_of, row_extremes
from rropt.mechanisms.dichotomies import Dichotomy, worst_of
from rropt.mechanisms.hockey_stick import Excess, Gamma, odds_exceed
from rropt.mechanisms.profiles import PrivacyProfile, profile_of_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_DIGITS = 40  # of the enclosure of an irrational gamma above the next limit
_LARGEST = Fraction(10**200)  # for a larger gamma, gamma times the error of a tiny entry may matter
_LEAST = Fraction(1, 10**290)  # a smaller positive entry underflows as a float or loses digits
_MOST_MASSES = 1_000_000  # of the pairs that may touch the profile: exact arithmetic takes seconds
_MOST_TIES = 1_000_000  # masses of the pairs that tie at a breakpoint: exact arithmetic takes a second
_FEW_VALUES = 6  # of the entries of a matrix in which pairs with equal masses are looked for: 36 matrix products
_WIDTH = Fraction(1, 10**12)  # of a sufficiently tight enclosure, finer than any delta in practice
_UNITS = 10**15  # a width is rounded up to a multiple of 1/_UNITS
_EXACT_POINTS = 8  # largest number of breakpoints at which equality with the profile is tested: seconds each


class _Pairs:
    """The ordered pairs of distinct columns of a matrix."""

    def __init__(self, matrix: Rows) -> None:
        self.columns, self.parities = distinct_columns(matrix), [parity for *_, parity in row_extremes(matrix)]
        self.floats = floats_of(self.columns)

    def near(self, gamma: Gamma) -> tuple[list[tuple[Column, Column]], Fraction]:
        """Return the pairs that may attain the largest excess, and an upper bound of it if floats select them."""
        rows = [i for i, parity in enumerate(self.parities) if parity is None or (gamma is not None and gamma < parity)]
        columns = self.columns
        if self.floats is None or not rows:
            return list(permutations(columns, 2)) if rows else [], Fraction(0)
        excesses, slack = self._excesses(self.floats[rows], gamma, rows), (len(rows) + 16) * 2.0**-53
        most = float(excesses.max())
        places = np.argwhere(excesses >= most - 2 * slack)
        if len(places) * len(self.parities) > _MOST_TIES:
            places = self._one_of_each(places)
        return [(columns[j], columns[i]) for j, i in places.tolist() if j != i], Fraction(most) + Fraction(slack)

    def _one_of_each(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the first of the pairs with equal masses, as in k-ary randomized response, if few values occur."""
        entries = [[Fraction(x, column.denominator) for x in column.numerators] for column in self.columns]
        codes = {value: code for code, value in enumerate(dict.fromkeys(chain.from_iterable(entries)))}
        if len(codes) > _FEW_VALUES:
            return places
        coded = np.array([[codes[value] for value in column] for column in entries])
        outputs = [(coded == code).astype(float) for code in codes.values()]  # of each column, where it has this value
        kinds = np.zeros(len(places), np.int64)
        for one, other in product(outputs, repeat=2):  # the number of outputs with these two values
            counts = (one @ other.T)[places[:, 0], places[:, 1]].astype(np.int64)
            kinds = np.unique(kinds * (len(self.parities) + 1) + counts, return_inverse=True)[1]
        return places[np.sort(np.unique(kinds, return_index=True)[1])]

    def _excesses(self, floats: Floats, gamma: Gamma, rows: Sequence[int]) -> Floats:
        """Return the excess of every ordered pair (j, l) in floats, shape (k, k); the other rows add nothing."""
        columns = self.columns
        if gamma is None:
            never = np.array([[not column.numerators[i] for i in rows] for column in columns], dtype=float)
            return np.asarray(floats.T @ never.T, dtype=float)
        if gamma <= _LARGEST:
            scaled = float(gamma) * floats
        else:
            factor = gamma if isinstance(gamma, Fraction) else gamma.bracket(_DIGITS).lower
            scaled = np.array([_products(factor, column, rows) for column in columns]).T
        found, held = np.empty((len(columns), len(columns))), np.empty_like(scaled)
        for sums, column in zip(found, floats.T, strict=True):  # in one buffer, as fresh ones take four times as long
            np.maximum(np.subtract(column[:, None], scaled, out=held), 0, out=held).sum(axis=0, out=sums)
        return found

    def touching(self) -> Iterable[tuple[Column, Column]]:
        """Return the pairs whose lines may touch the profile."""
        columns, floats = self.columns, self.floats
        if floats is None or any(min(filter(None, c.numerators)) < _LEAST * c.denominator for c in columns):
            return permutations(columns, 2)
        from rropt.mechanisms.float_envelopes import FloatEnvelope  # avoids loading numpy for small matrices

        return ((columns[j], columns[i]) for j, i in FloatEnvelope(floats).pairs())

    def largest(self, gamma: Fraction) -> tuple[Fraction, Fraction, Dichotomy | None]:
        """Return an upper bound of delta at a level, its tolerated error, and a pair that attains it within the error.

        The error is 0 unless too many pairs tie.
        """
        near, bound = self.near(gamma)
        if len(near) * len(self.parities) > _MOST_TIES:
            return bound, _WIDTH, Dichotomy.of_columns(*near[0])
        listed = list(starmap(Dichotomy.of_columns, near))
        worst = worst_of(listed, gamma)
        delta = worst.intercept - gamma * worst.slope
        return delta, Fraction(0), next((one for one in listed if one.pair == worst.pair), None)


def _products(gamma: Fraction, column: Column, rows: Sequence[int]) -> list[float]:
    """Return ``gamma p`` for these rows of a column, correctly rounded; products of 2 or more are replaced by 2."""
    factor, below = gamma.numerator, column.denominator * gamma.denominator
    products = [column.numerators[i] * factor for i in rows]
    return [x / below if x < 2 * below else 2.0 for x in products]


def worst_excess(matrix: Rows, gamma: Gamma, pairs: Iterable[tuple[int, int]] | None = None) -> Excess:
    """Return the largest excess over ordered pairs of inputs at ``gamma >= 1``.

    Its value ``at(gamma)`` is the smallest delta of these pairs at this level.

    Args:
        matrix: m rows of k exact entries; the columns sum to 1.
        gamma: rational or irrational. ``None`` is the limit: the probability of outputs that are impossible under the
            other input.
        pairs: the pairs (j, l), counted from 0; by default all.
    """
    found: Iterable[Dichotomy]
    if pairs is None:
        found = starmap(Dichotomy.of_columns, _Pairs(matrix).near(gamma)[0])
    else:
        found = (Dichotomy.of_fractions((j, other), [(row[j], row[other]) for row in matrix]) for j, other in pairs)
    worst = worst_of(found, gamma)
    j, other = worst.pair
    return replace(worst, outputs=tuple(i for i, row in enumerate(matrix) if odds_exceed(row[j], row[other], gamma)))


def profile_of(matrix: Rows) -> PrivacyProfile:
    """Return the privacy profile of a column-stochastic matrix, or an enclosure (``PrivacyProfile.width``)."""
    pairs = _Pairs(matrix)
    most = _MOST_MASSES // len(matrix)
    near = list(islice(pairs.touching(), most + 1))
    if pairs.floats is None or len(near) <= most:
        return profile_of_pairs(starmap(Dichotomy.of_columns, near))
    found: dict[tuple[int, int], Dichotomy] = {}
    above: dict[Fraction, tuple[Fraction, Fraction, Dichotomy | None]] = {}
    while True:
        profile = profile_of_pairs(found.values())
        lows = {piece.gamma_from: piece.intercept + piece.slope * piece.gamma_from for piece in profile.pieces}
        above |= {gamma: pairs.largest(gamma) for gamma in lows.keys() - above.keys()}
        gaps = {gamma: above[gamma][0] - low for gamma, low in lows.items()}
        exceeded = [above[gamma][2] for gamma, gap in gaps.items() if gap > above[gamma][1]]
        new = {pair.pair: pair for pair in exceeded if pair is not None}
        if new.keys() <= found.keys():
            break
        found |= new
    width = max(gaps.values())
    if (
        width
        and len(lows) <= _EXACT_POINTS
        and all(worst_excess(matrix, gamma).at(gamma) == low for gamma, low in lows.items())
    ):
        width = Fraction(0)
    return replace(profile, width=Fraction(ceil(width * _UNITS), _UNITS))
