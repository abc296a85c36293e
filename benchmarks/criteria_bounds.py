"""B(h) of criteria beside SciPy: ``python benchmarks/criteria_bounds.py``.

The peer minimizes the odds ratio of a function in floats: 241 points in log odds, and ``minimize_scalar`` around the
lowest one. rropt proves the bound, and compares it with SymPy and CVXPY; ``fast`` leaves the comparison out. The script
prints lines of the table of peers: the median over eight criteria.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import exp, inf, log, sqrt
from statistics import median

import numpy as np
from scipy.optimize import minimize_scalar
from side_by_side import line, pairs, seconds

import rropt
from rropt.privacy.criteria import canonical_information_privacy

ASKED = 10
REACH, POINTS = 30.0, 241  # log odds of the grid: at 30 a float of 1 - p has lost all digits but three
CRITERIA: dict[str, Callable[[float], float]] = {
    "sqrt(p)": sqrt,
    "p^(1/3)": lambda p: p ** (1 / 3),
    "1-(1-p)^2": lambda p: 1 - (1 - p) ** 2,
    "(1/2)*p+(1/2)*sqrt(p)": lambda p: (p + sqrt(p)) / 2,
    "2*p/(1+p)": lambda p: 2 * p / (1 + p),
    "exp((1/2)*log(p))": lambda p: exp(log(p) / 2),
    "min(1,2*p)": lambda p: min(1.0, 2 * p),
    "p*(2-p)": lambda p: p * (2 - p),
}


def by_scipy(h: Callable[[float], float]) -> float:
    """Return the least odds ratio that is found."""

    def ratio(z: float) -> float:
        p = 1 / (1 + exp(-z))
        value = h(p)
        return value * (1 - p) / (p * (1 - value)) if value < 1 else inf

    grid = np.linspace(-REACH, REACH, POINTS)
    values = [ratio(z) for z in grid]
    best = int(np.argmin(values))
    around = grid[max(best - 1, 0)], grid[min(best + 1, POINTS - 1)]
    return min(values[best], minimize_scalar(ratio, bounds=around, method="bounded").fun)


def bound(text: str, *, fast: bool) -> object:
    return rropt.parity_bound(canonical_information_privacy(text), fast=fast)


def main() -> None:
    """Print the lines."""
    bound("p^(2/3)", fast=False)
    for fast in (False, True):
        times = []
        for text, h in CRITERIA.items():
            ours, theirs = partial(bound, text, fast=fast), partial(by_scipy, h)
            times.append(pairs(partial(seconds, ours), partial(seconds, theirs), 3))
        mine, peer = (median(pair[side] for pair in times) for side in (0, 1))
        line(f"B(h), {'fast' if fast else 'with the twins'}", 1e3 * mine, 1e3 * peer, ASKED, "ms")


if __name__ == "__main__":
    main()
