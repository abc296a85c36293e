"""Bounds for shuffled reports of k-ary randomized response, k >= 3: an explicit data set and the privacy blanket.

Let q be the probability of each wrong category, p = 1 - (k - 1) q that of the true one, and gamma = exp(epsilon).

*Lower bound.* All other respondents hold a third value. The counts of the two values in question are a sufficient
statistic. The counts among the others are multinomial, with probability q for each of the two values. Every data set
gives a lower bound.

*Upper bound.* With probability b = k q a report is uniform, whatever the true value is (the blanket: Balle, Bell,
Gascon and Nissim 2019, Lemma 5.3). Hence ``delta <= E (L_1 + ... + L_M)^+ / (b n)`` with M ~ Bin(n, b). Each L is k (p
- gamma q) or k (q - gamma p) with probability 1/k each, and k q (1 - gamma) otherwise. The bound is valid for every
data set.

Both bounds are floating-point sums of products of binomial probabilities. The relative error of each product is far
below ``_RELATIVE``. The code moves both bounds outwards by ``_RELATIVE``, and by ``_ABSOLUTE`` for the tails beyond 12
standard deviations. ``shuffled_blanket`` certifies the upper bound, with coarser blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.lazy import numpy as np

_RELATIVE = 1e-8
_ABSOLUTE = 1e-28
_DEVIATIONS = 12


@dataclass(frozen=True)
class CategoryReports:
    """Reports of k-ary randomized response; ``other`` is the probability of each wrong category."""

    respondents: int
    categories: int
    other: Fraction

    def lower(self, gamma: float) -> float:
        """Return the lower bound of delta."""
        return max(self.all_agree(gamma) * (1 - _RELATIVE) - _ABSOLUTE, 0.0)

    def upper(self, gamma: float) -> float:
        """Return the upper bound of delta."""
        return min(self.blanket(gamma) * (1 + _RELATIVE) + _ABSOLUTE, 1.0)

    def all_agree(self, gamma: float) -> float:
        """Return H_gamma for the data set in which all others hold the same third value."""
        from scipy.stats import binom

        q = float(self.other)
        p, n = float(1 - (self.categories - 1) * self.other), self.respondents - 1
        counts = _window(n, q)
        # given the first count, the second one is binomial with probability q/(1 - q)
        first = binom.pmf(counts, n, q)
        table = np.zeros((len(counts) + 1, len(counts) + 1))
        table[:-1, :-1] = first[:, None] * binom.pmf(counts[None, :], (n - counts)[:, None], q / (1 - q))
        stays = 1 - p - q
        one, other = np.zeros_like(table), np.zeros_like(table)
        one[1:, :], other[:, 1:] = table[:-1, :], table[:, :-1]
        above = stays * table + p * one + q * other
        below = stays * table + q * one + p * other
        return float(np.maximum(above - gamma * below, 0.0).sum())

    def blanket(self, gamma: float) -> float:
        """Return the upper bound from the privacy blanket."""
        from scipy.stats import binom

        k, n, q = self.categories, self.respondents, float(self.other)
        p, b = float(1 - (k - 1) * self.other), float(k * self.other)
        high, low, rest = k * (p - gamma * q), k * (q - gamma * p), k * q * (1 - gamma)
        each = b / k
        counts = _window(n, each)
        total = 0.0
        others = (k - 2) * each / (1 - 2 * each) if each < 0.5 else 0.0
        for i, chance in zip(counts, binom.pmf(counts, n, each), strict=True):
            seconds = counts[counts <= n - i]
            chances = chance * binom.pmf(seconds, n - i, each / (1 - each))
            kept = chances > 0
            seconds, chances = seconds[kept], chances[kept]
            value = i * high + seconds * low
            left = n - i - seconds
            if rest == 0 or others == 0:
                total += float((chances * np.maximum(value, 0.0)).sum())
                continue
            # E (value + rest R)^+ with R ~ Bin(left, others): sum over the R for which the term is positive
            most = np.floor(value / -rest)
            sure = value > 0
            value, left, chances, most = value[sure], left[sure], chances[sure], most[sure]
            mass = binom.cdf(most, left, others)
            mean = left * others * np.where(left > 0, binom.cdf(most - 1, np.maximum(left - 1, 0), others), 0.0)
            total += float((chances * np.maximum(value * mass + rest * mean, 0.0)).sum())
        return total / (b * n)


def _window(n: int, p: float) -> Any:
    """Return the counts within ``_DEVIATIONS`` standard deviations of the mean, plus a margin for small means."""
    spread = _DEVIATIONS * (n * p * (1 - p)) ** 0.5 + 60
    return np.arange(max(int(n * p - spread), 0), min(int(n * p + spread), n) + 1)
