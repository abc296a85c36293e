"""A lower bound for shuffled reports of k-ary randomized response, k >= 3: an explicit data set.

All other respondents hold a third value. The counts of the two values in question are a sufficient statistic. The
counts among the others are multinomial, with the probability q of a wrong category for each of the two values. Every
data set gives a lower bound.

The bound is a floating-point sum of products of binomial probabilities. The relative error of each product is far below
``_RELATIVE``. The code moves the bound down by ``_RELATIVE``, and by ``_ABSOLUTE`` for the tails beyond 12 standard
deviations.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.core.lazy import numpy as np

_RELATIVE = 1e-8
_ABSOLUTE = 1e-28
_DEVIATIONS = 12


def all_agree(respondents: int, categories: int, other: Fraction, gamma: float) -> float:
    """Return a lower bound of delta, H_gamma for the data set in which all others hold the same third value.

    Args:
        respondents: n.
        categories: k.
        other: q, the probability of each wrong category.
        gamma: exp(epsilon).
    """
    from scipy.stats import binom

    q = float(other)
    p, n = float(1 - (categories - 1) * other), respondents - 1
    counts = _window(n, q)
    # given the first count, the second one is binomial with probability q/(1 - q)
    first = binom.pmf(counts, n, q)
    table = np.zeros((len(counts) + 1, len(counts) + 1))
    table[:-1, :-1] = first[:, None] * binom.pmf(counts[None, :], (n - counts)[:, None], q / (1 - q))
    stays = 1 - p - q
    one, other_one = np.zeros_like(table), np.zeros_like(table)
    one[1:, :], other_one[:, 1:] = table[:-1, :], table[:, :-1]
    above = stays * table + p * one + q * other_one
    below = stays * table + q * one + p * other_one
    found = float(np.maximum(above - gamma * below, 0.0).sum())
    return max(found * (1 - _RELATIVE) - _ABSOLUTE, 0.0)


def _window(n: int, p: float) -> Any:
    """Return the counts within ``_DEVIATIONS`` standard deviations of the mean, plus a margin for small means."""
    spread = _DEVIATIONS * (n * p * (1 - p)) ** 0.5 + 60
    return np.arange(max(int(n * p - spread), 0), min(int(n * p + spread), n) + 1)
