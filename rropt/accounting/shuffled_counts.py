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

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.checker.documents import Budget
from rropt.checker.tail_sums import Law, binomial_law, convolved
from rropt.core.exact import Bracket
from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BITS = 96  # precision of the distributions for a delta that is not small
MOST_BITS = 1536
_WHOLE = 20_000  # number of respondents up to which no count is left out
_DEVIATIONS = 16  # standard deviations beyond which counts are left out, if there are more respondents
_FEW = 64  # length of a distribution that is convolved in logarithms
_WORK = 1 << 40
_TINY = -600.0


@dataclass(frozen=True)
class BinaryReports:
    """Binary reports of n respondents; ``zero`` and ``one`` are the probabilities of a report 1 for each value.

    The distributions are rounded to multiples of ``2^-bits``.
    """

    respondents: int
    zero: Fraction
    one: Fraction
    bits: int = BITS

    def finer(self, delta: Fraction) -> BinaryReports:
        """Return the same reports with distributions that are fine enough for a small delta."""
        bits = BITS + delta.denominator.bit_length() - delta.numerator.bit_length()
        return replace(self, bits=max(self.bits, min(bits, MOST_BITS)))

    @property
    def is_symmetric(self) -> bool:
        """Whether the device stays the same if the two values and the two reports are both exchanged."""
        return self.zero + self.one == 1

    @property
    def parity(self) -> Fraction | float:
        """The largest likelihood ratio of a report."""
        low, high = sorted((self.zero, self.one))
        return max(high / low, (1 - low) / (1 - high)) if low and high < 1 else math.inf

    def law(self, zeros: int, more: int = 0) -> Law:
        """Return the distribution of the others' count, with ``zeros`` of them holding 0 and ``more`` left out."""
        budget = Budget(_WORK)
        laws = [
            binomial_law(n, *_odds(chance), self.bits, budget)
            for n, chance in ((zeros, self.zero), (self.respondents - 1 - zeros - more, self.one))
            if n
        ]
        if not laws:
            return Law(0, [1 << self.bits], self.bits)
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

    def approximate(self, zeros: int, deviations: float = _DEVIATIONS) -> FloatCounts:
        """Return the distribution of the others' count for one data set, in floating point."""
        parts = []
        for n, p in ((zeros, float(self.zero)), (self.respondents - 1 - zeros, float(self.one))):
            spread = deviations * (n * p * (1 - p)) ** 0.5 + 40 if n > _WHOLE else n
            parts.append(_log_weights(n, p, max(int(n * p - spread), 0), min(int(n * p + spread), n)))
        short, long = sorted(parts, key=len)
        if len(short) > _FEW:
            with np.errstate(divide="ignore"):
                logs = np.log(np.convolve(np.exp(short), np.exp(long)))
        else:
            logs = np.full(len(short) + len(long) - 1, -np.inf)
            for i, weight in enumerate(short.tolist()):
                logs[i : i + len(long)] = np.logaddexp(logs[i : i + len(long)], weight + long)
        return FloatCounts(logs, float(self.zero), float(self.one))


def _log_weights(n: int, p: float, low: int, high: int) -> Floats:
    """Return the logarithms of the binomial probabilities of low, ..., high."""
    from scipy.stats import binom

    counts = np.arange(low, high + 1)
    with np.errstate(divide="ignore"):
        logs = np.log(binom.pmf(counts, n, p))
    small = logs < _TINY  # the logarithm of the probability itself is more accurate where it does not underflow
    logs[small] = binom.logpmf(counts[small], n, p)
    return np.asarray(logs, dtype=np.float64)


@dataclass(frozen=True)
class FloatCounts:
    """The logarithms of the distribution of the count among the other respondents, in floating point."""

    logs: Floats
    zero: float
    one: float

    def log_divergence(self, gamma: float) -> float:
        """Return the logarithm of H_gamma for the worse order of the neighbours."""
        before, here = np.append(-np.inf, self.logs), np.append(self.logs, -np.inf)
        top = np.maximum(before, here)
        with np.errstate(invalid="ignore", divide="ignore"):
            before, here = np.exp(before - top), np.exp(here - top)
            first, second = (here * (1 - p) + before * p for p in (self.one, self.zero))
            terms = [np.log(np.maximum(x - gamma * y, 0.0)) + top for x, y in ((first, second), (second, first))]
        return max(float(np.logaddexp.reduce(np.nan_to_num(each, nan=-np.inf))) for each in terms)


def _odds(chance: Fraction) -> tuple[int, int]:
    return chance.numerator, chance.denominator - chance.numerator
