"""Shuffled binary reports: the exact hockey-stick divergence of a count, over all neighbouring data sets.

A report is 1 with probability a_0 or a_1, depending on the true value. Of the n - 1 other respondents, j have the value
0. Their count of reports 1 is ``W ~ Bin(j, a_0) + Bin(n - 1 - j, a_1)``. The two neighbouring data sets have the counts
``W + Bernoulli(a_1)`` and ``W + Bernoulli(a_0)``, with independent summands.

*All data sets at once.* Consider the data sets with j in [j_0, j_0 + m]. Their counts are the sum of a common part,
``Bin(j_0, a_0) + Bin(n - 1 - j_0 - m, a_1)``, and m further independent reports. Adding independent reports is
post-processing, and post-processing does not increase H_gamma. Hence H_gamma of the common part bounds the whole block.
The code halves blocks until H <= delta; for a single j the value is exact.

The distributions are integers that are rounded down (``checker/tail_sums``). The missing mass adds at most itself to H.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.checker.documents import Budget
from rropt.checker.tail_sums import Law, binomial_law, convolved
from rropt.core.exact import Bracket

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BITS = 96  # precision of the distributions
_WORK = 1 << 40


@dataclass(frozen=True)
class BinaryReports:
    """Binary reports of n respondents; ``zero`` and ``one`` are the probabilities of a report 1 for each value."""

    respondents: int
    zero: Fraction
    one: Fraction

    @property
    def is_symmetric(self) -> bool:
        """Whether the device stays the same if the two values and the two reports are both exchanged."""
        return self.zero + self.one == 1

    def law(self, zeros: int, more: int = 0) -> Law:
        """Return the distribution of the others' count, with ``zeros`` of them holding 0 and ``more`` left out."""
        budget = Budget(_WORK)
        laws = [
            binomial_law(n, *_odds(chance), BITS, budget)
            for n, chance in ((zeros, self.zero), (self.respondents - 1 - zeros - more, self.one))
            if n
        ]
        if not laws:
            return Law(0, [1 << BITS], BITS)
        return laws[0] if len(laws) == 1 else convolved(laws[0], laws[1], budget)

    def divergence(self, law: Law, gamma: Bracket) -> Bracket:
        """Return a bracket of H_gamma for the worse order of the neighbours, given the others' count."""
        ends = [self._divergence(law, gamma, *pair) for pair in ((self.one, self.zero), (self.zero, self.one))]
        return Bracket(max(end.lower for end in ends), max(end.upper for end in ends))

    def worst_event(self, zeros: int, gamma: Bracket) -> tuple[int, int, Fraction]:
        """Return a data set, a cut s, and a lower bound of ``P - gamma Q`` of the event of at least s reports 1.

        P belongs to the neighbour who holds 1. The function compares the data set with its mirror image, for which the
        order of the neighbours is exchanged, and returns the better one. For symmetric reports, one of the two attains
        the larger divergence.
        """
        found = []
        for j in {zeros, self.respondents - 1 - zeros}:
            law = self.law(j)
            stays = 1 - self.one - gamma.upper * (1 - self.zero)
            moves = self.one - gamma.upper * self.zero
            scale = stays.denominator * moves.denominator
            x, y = int(stays * scale), int(moves * scale)
            total, best, cut = 0, 0, law.start + len(law.weights) + 1
            for s in range(len(law.weights), -1, -1):
                here = law.weights[s] if s < len(law.weights) else 0
                total += here * x + (law.weights[s - 1] if s else 0) * y
                if total > best:
                    best, cut = total, law.start + s
            lacks = gamma.upper * Fraction(law.missing, 1 << law.bits)
            found.append((Fraction(best, scale << law.bits) - lacks, j, cut))
        value, j, cut = max(found)
        return j, min(cut, self.respondents), value

    def _divergence(self, law: Law, gamma: Bracket, p: Fraction, q: Fraction) -> Bracket:
        unit, missing = 1 << law.bits, law.missing
        # at s, P - gamma Q = w(s) (1 - p - gamma (1 - q)) + w(s-1) (p - gamma q), over one denominator
        sums = []
        for g in (gamma.lower, gamma.upper):
            stays, moves = 1 - p - g * (1 - q), p - g * q
            scale = stays.denominator * moves.denominator
            x, y = int(stays * scale), int(moves * scale)
            total, before = 0, 0
            for weight in (*law.weights, 0):
                term = weight * x + before * y
                if term > 0:
                    total += term
                before = weight
            sums.append(Fraction(total, scale * unit))
        share = Fraction(missing, unit)
        return Bracket(max(sums[1] - gamma.upper * share, Fraction(0)), min(sums[0] + share, Fraction(1)))

    def blocks(self, gamma: Bracket, delta: Fraction) -> Iterator[tuple[int, int, bool]]:
        """Iterate over blocks (j_0, m, True) in which H is proved to be at most delta, and failures (j, 0, False)."""
        waiting = [(0, self.respondents - 1)]
        while waiting:
            first, more = waiting.pop()
            if self.divergence(self.law(first, more), gamma).upper <= delta:
                yield first, more, True
            elif not more:
                yield first, more, False
            else:
                half = more // 2
                waiting += [(first + half + 1, more - half - 1), (first, half)]

    def approximate(self, zeros: int) -> FloatCounts:
        """Return the distribution of the others' count for one data set, in floating point."""
        import numpy as np
        from scipy.stats import binom

        p0, p1, others = float(self.zero), float(self.one), self.respondents - 1 - zeros
        spread = 9 * (zeros * p0 * (1 - p0) + others * p1 * (1 - p1)) ** 0.5 + 40
        mean = zeros * p0 + others * p1
        low, high = max(int(mean - spread), 0), min(int(mean + spread), self.respondents - 1)
        if not zeros or not others:
            counts = np.arange(low, high + 1)
            weights = binom.pmf(counts, others or zeros, p1 if others else p0)
            return FloatCounts(weights, p0, p1)
        from scipy.signal import fftconvolve

        parts = []
        for n, p in ((zeros, p0), (others, p1)):
            centre, width = n * p, 9 * (n * p * (1 - p)) ** 0.5 + 40
            parts.append(binom.pmf(np.arange(max(int(centre - width), 0), min(int(centre + width), n) + 1), n, p))
        return FloatCounts(np.maximum(fftconvolve(*parts), 0.0), p0, p1)


@dataclass(frozen=True)
class FloatCounts:
    """The distribution of the count among the other respondents, in floating point."""

    weights: Floats
    zero: float
    one: float

    def divergence(self, gamma: float) -> float:
        """Return H_gamma for the worse order of the neighbours."""
        import numpy as np

        before, here = np.append(0.0, self.weights), np.append(self.weights, 0.0)
        first, second = (here * (1 - p) + before * p for p in (self.one, self.zero))
        return max(float(np.maximum(x - gamma * y, 0.0).sum()) for x, y in ((first, second), (second, first)))


def _odds(chance: Fraction) -> tuple[int, int]:
    return chance.numerator, chance.denominator - chance.numerator
