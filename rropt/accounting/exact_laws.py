"""Exact composition of rational loss pairs: all joint outcomes, in integers.

The code calls the likelihood ratio P/Q the *odds*. A *cell* has the masses (P, Q) of all outcomes with the same odds
(``dichotomies``). With A and B the masses of the joint outcomes with odds above gamma, ``delta(gamma) = A - gamma B``.
The items are split into two halves. The cells of the first half are sorted by increasing odds, those of the second half
by decreasing odds, and one pass over both lists finds the pairs above gamma (meeting in the middle).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import comb

from rropt.accounting.loss_pairs import LossPair
from rropt.mechanisms.dichotomies import Dichotomy

MAX_CELLS = 1 << 17  # cells of one half; with this many, delta takes about a second
MAX_CELL_BITS = 1 << 28  # bits of all cells of one half together
MAX_ODDS_BITS = 1 << 16  # bits of the odds of all responses together; longer ones take long to sort

Items = Sequence[tuple[LossPair, int]]


@dataclass(frozen=True)
class Cells:
    """The cells of the first half, those of the second half, and the sums of the masses of the latter."""

    first: tuple[tuple[int, int], ...]
    second: tuple[tuple[int, int], ...]
    sums: tuple[tuple[int, int], ...]
    unit: int

    @classmethod
    def of(cls, items: Items) -> Cells | None:
        """Return the cells of a composition; None if a half has too many."""
        halves, sizes = list[list[tuple[LossPair, int]]](([], [])), [1, 1]
        for pair, count in sorted(items, key=lambda item: -_number(*item)):
            at = int(sizes[0] > sizes[1])
            halves[at].append((pair, count))
            sizes[at] *= _number(pair, count)
        bits = sum(count * pair.parity.denominator.bit_length() * 2 for pair, count in items)
        if max(sizes) > MAX_CELLS or max(sizes) * bits > MAX_CELL_BITS or bits > MAX_ODDS_BITS:
            return None
        one, other = (_joined(half) for half in halves)
        sums = accumulate(other.masses, lambda s, cell: (s[0] + cell[0], s[1] + cell[1]), initial=(0, 0))
        return cls(one.masses[::-1], other.masses, tuple(sums), one.below * other.below)

    def delta(self, gamma: Fraction) -> Fraction:
        """Return delta at gamma."""
        above, below = self._above(gamma)
        return Fraction(above * gamma.denominator - below * gamma.numerator, self.unit * gamma.denominator)

    def gamma(self, delta: Fraction) -> Fraction:
        """Return the least gamma >= 1 at which delta is at most the given value."""
        if self.delta(Fraction(1)) <= delta:
            return Fraction(1)
        (p, q), (r, s) = self.first[-1], self.second[0]  # no odds are larger
        powers = range((p * r // (q * s)).bit_length() + 1)  # of 2: delta is above the given value up to one of them
        low = bisect_left(powers, True, key=lambda k: self.delta(Fraction(1 << k)) <= delta) - 1
        gamma, further = Fraction(0), Fraction(1 << low)
        while further > gamma:  # Newton: delta is convex and piecewise linear, so the steps never pass the root
            gamma, (above, below) = further, self._above(further)
            further = (above - delta * self.unit) / below if below else gamma
        return gamma

    def _above(self, gamma: Fraction) -> tuple[int, int]:
        """Return the masses of the joint outcomes with odds above gamma."""
        g, h = gamma.as_integer_ratio()
        x, y = self.second[0]
        start = bisect_right(self.first, 0, key=lambda cell: cell[0] * h * x - cell[1] * g * y)
        at, above, below = 0, 0, 0
        for p, q in self.first[start:]:
            left, right = p * h, q * g
            while at < len(self.second) and left * self.second[at][0] > right * self.second[at][1]:
                at += 1
            above += p * self.sums[at][0]
            below += q * self.sums[at][1]
        return above, below


def _number(pair: LossPair, count: int) -> int:
    """Return the number of cells of ``count`` copies of a pair, one for each vector of counts of its atoms."""
    return comb(count + len(pair.atoms) - 1, len(pair.atoms) - 1)


def _joined(items: Items) -> Dichotomy:
    """Return the product of loss pairs with their multiplicities."""
    powers = [Dichotomy.of_fractions((0, 0), pair.atoms).power(count) for pair, count in items]
    return reduce(Dichotomy.times, powers or [Dichotomy((0, 0), ((1, 1),), 1)])
