"""Shuffled reports beside the float bound of one data set: ``python benchmarks/shuffles.py [RESPONDENTS...]``.

The peer takes the binomial law of one data set in floats (all other respondents have the value 0) and bisects epsilon.
rropt covers all data sets. The script prints lines of the table of peers, both values, and the exponent of growth
between two sizes.
"""

from __future__ import annotations

import sys
from math import exp, log, sqrt

import numpy as np
from scipy.stats import binom
from side_by_side import line, pairs, seconds

import rropt

ASKED = {10**4: 40.0, 10**5: 60.0, 10**6: 100.0}


def of_one_data_set(n: int, epsilon: float, delta: float) -> float:
    """Return the least epsilon of the shuffled reports of one data set, in floats."""
    p = exp(epsilon) / (1 + exp(epsilon))
    q, m = 1 - p, n - 1
    spread = 12 * sqrt(m * q * p)
    k = np.arange(max(0, int(m * q - spread)), min(m + 1, int(m * q + spread) + 2) + 1)
    others = binom.pmf(k, m, q)
    shifted = np.r_[0.0, others[:-1]]
    first, second = p * shifted + q * others, q * shifted + p * others
    low, high = 0.0, epsilon
    for _ in range(60):
        middle = (low + high) / 2
        gamma = exp(middle)
        excess = max(np.maximum(a - gamma * b, 0).sum() for a, b in ((first, second), (second, first)))
        low, high = (middle, high) if excess > delta else (low, middle)
    return high


def main(sizes: list[int]) -> None:
    """Print a line for each number of respondents."""
    rropt.shuffle("2", 100, delta="1e-6")
    of_one_data_set(100, 2.0, 1e-6)
    before: tuple[int, float] | None = None
    for n in sizes:
        own, peer = pairs(
            lambda n=n: seconds(lambda: rropt.shuffle("2", n, delta="1e-6")),
            lambda n=n: seconds(lambda: of_one_data_set(n, 2.0, 1e-6)),
        )
        found, value = rropt.shuffle("2", n, delta="1e-6"), of_one_data_set(n, 2.0, 1e-6)
        growth = "" if before is None else f"; exponent {log(own / before[1]) / log(n / before[0]):.2f}"
        line(f"shuffle, n = {n}", own, peer, ASKED.get(n, 100.0))
        print(f"  {float(found.lower):.10g} to {float(found.upper):.10g}, floats {value:.10g}{growth}", flush=True)
        before = n, own


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [10**4, 10**5, 10**6])
