"""Exact composition of rational loss pairs: all joint outcomes, in integers.

The code calls the likelihood ratio P/Q the *odds*. A *cell* has the masses (P, Q) of all outcomes with the same odds
(``dichotomies``). With A and B the masses of the joint outcomes with odds above gamma, ``delta(gamma) = A - gamma B``.
The items are split into two halves. The cells of the first half are sorted by increasing odds, those of the second half
by decreasing odds, and one pass over both lists finds the pairs above gamma (meeting in the middle).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import accumulate
from math import comb, log

from rropt.accounting.loss_pairs import LossPair
from rropt.mechanisms.dichotomies import Dichotomy

MAX_CELLS = 1 << 17  # cells of one half; with this many, delta takes about a second
MAX_CELL_BITS = 1 << 28  # bits of all cells of one half together
_LARGEST = 600.0  # logarithm of the largest odds that are handled in floats
_ENOUGH = 1e-9  # relative error of the root in floats
_STEPS = 40  # of Newton's method in floats
_CLOSE = 1e-8  # distance of logarithms of odds in floats below which the odds are compared exactly
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
        gamma, further = Fraction(0), self._below(delta)
        while further > gamma:  # Newton: delta is convex and piecewise linear, so the steps never pass the root
            gamma, (above, below) = further, self._above(further)
            further = (above - delta * self.unit) / below if below else gamma
        return gamma

    def _below(self, delta: Fraction) -> Fraction:
        """Return a number at which delta exceeds the given value, close to the last one."""
        start = self._start(float(delta))
        if start > 1 and self.delta(exact := Fraction(start)) > delta:
            return exact
        (p, q), (r, s) = self.first[-1], self.second[0]  # no odds are larger
        powers = range((p * r // (q * s)).bit_length() + 1)  # of 2: delta is above the given value up to one of them
        return Fraction(1 << bisect_left(powers, True, key=lambda k: self.delta(Fraction(1 << k)) <= delta) - 1)

    def _start(self, delta: float) -> float:
        """Return a number in floats that is probably a little below the least gamma with this delta; 0 if none is."""
        first, second = self._logs
        if first[-1] + second[0] > _LARGEST:
            return 0.0
        powers = range(max(int((first[-1] + second[0]) / log(2)), 0) + 2)

        def excess(gamma: float) -> tuple[float, float]:
            above, below = self._above_in_floats(log(gamma))
            return above - gamma * below - delta, below

        gamma = 2.0 ** max(bisect_left(powers, True, key=lambda k: excess(2.0**k)[0] <= 0) - 1, 0)
        for _ in range(_STEPS):
            more, below = excess(gamma)
            if not below or more < _ENOUGH * delta:
                break
            gamma += more / below
        return gamma * (1 - _ENOUGH)

    def _above_in_floats(self, level: float) -> tuple[float, float]:
        """Return the probabilities of the joint outcomes with odds above exp(level), in floats."""
        first, second = self._logs
        masses, sums = self._floats
        at, above, below = 0, 0.0, 0.0
        for i in range(bisect_left(first, level - second[0]), len(first)):
            least = level - first[i]
            while at < len(second) and second[at] > least:
                at += 1
            above += masses[i][0] * sums[at][0]
            below += masses[i][1] * sums[at][1]
        return above, below

    @cached_property
    def _floats(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Return the probabilities of the first half, and the sums of those of the second half, in floats."""
        total = sum(p for p, _ in self.first), sum(q for _, q in self.first)
        most = self.sums[-1]
        return [(p / total[0], q / total[1]) for p, q in self.first], [(p / most[0], q / most[1]) for p, q in self.sums]

    @cached_property
    def _logs(self) -> tuple[list[float], list[float]]:
        """Return the logarithms of the odds of both halves in floats."""
        first, second = ([log(p) - log(q) for p, q in cells] for cells in (self.first, self.second))
        return first, second

    def _above(self, gamma: Fraction) -> tuple[int, int]:
        """Return the masses of the joint outcomes with odds above gamma."""
        g, h = gamma.as_integer_ratio()
        first, second = self._logs
        level = log(g) - log(h)
        at, above, below = 0, 0, 0
        for i in range(bisect_left(first, level - second[0] - _CLOSE), len(first)):
            p, q = self.first[i]
            least, left, right = level - first[i], 0, 0
            while at < len(second):
                distance = second[at] - least
                if abs(distance) <= _CLOSE:  # floats do not decide
                    left, right = left or p * h, right or q * g
                    if left * self.second[at][0] <= right * self.second[at][1]:
                        break
                elif distance < 0:
                    break
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
