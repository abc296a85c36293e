"""Designs at many levels beside one parametrized program of CVXPY: ``python benchmarks/many_designs.py [LEVELS]``.

The program of CVXPY is canonicalized once and solved at each level, in floats. rropt designs at each level with a
certificate: with the cross-check by CVXPY, and without it (``fast=True``); ``sweep`` writes one row for each level.
The script prints processor milliseconds for each design and the ratio to CVXPY, as lines of the table of peers, and
the largest relative difference of the values.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import exp

import cvxpy as cp
import numpy as np
from side_by_side import line, pairs, seconds

import rropt

_PI = 0.1


def parametrized() -> Callable[[float], float]:
    """Return the optimum of the program as a function of epsilon."""
    rows, gains = cp.Parameter((2, 4), nonneg=True), cp.Parameter(4, nonneg=True)
    w = cp.Variable(4, nonneg=True)
    program = cp.Problem(cp.Maximize(gains @ w), [rows @ w == 1])

    def optimum(epsilon: float) -> float:
        g = exp(epsilon)
        ends = np.array([[1, 1], [g, 1], [1, g], [g, g]])
        gains.value = (ends[:, 1] - ends[:, 0]) ** 2 / (ends @ [1 - _PI, _PI])
        rows.value = ends.T
        program.solve(solver=cp.CLARABEL)
        return float(1 / program.value)

    return optimum


def main(count: int) -> None:
    """Print the time of each way."""
    levels = [f"{i + 1}/100" for i in range(count)]
    optimum = parametrized()

    def peer() -> list[float]:
        return [optimum((i + 1) / 100) for i in range(count)]

    ways: dict[str, tuple[float, Callable[[], list[float]]]] = {
        "rropt.design": (
            6,
            lambda: [float(rropt.design.binary("1/10", epsilon=each).value) for each in levels],
        ),
        "rropt.sweep": (
            6,
            lambda: [
                float(row["value"]) for row in rropt.sweep(rropt.design.binary, epsilon=levels, prevalence=["1/10"])
            ],
        ),
        "rropt.design, fast": (
            1,
            lambda: [float(rropt.design.binary("1/10", epsilon=each, fast=True).value) for each in levels],
        ),
    }
    values = np.array(peer())
    for name, (asked, run) in ways.items():
        worst = float(np.abs(np.array(run()) / values - 1).max())
        ours, theirs = pairs(lambda run=run: seconds(run), lambda: seconds(peer))
        line(f"{count} designs, {name}", ours / count * 1000, theirs / count * 1000, asked, "ms")
        print(f"  the values differ by at most {worst:.1g}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
