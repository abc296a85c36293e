"""Divergences of many categories: seconds to solve, gap, and seconds of the check.

python benchmarks/ratio_blocks.py [K ...]
"""

from __future__ import annotations

import random
import sys
import time
from fractions import Fraction

import rropt
from rropt.checker import check_text
from rropt.designs import Problem

SIZES = [int(text) for text in sys.argv[1:]] or [16, 50, 100, 300]


def shares(rng: random.Random, k: int) -> list[Fraction]:
    """Return random proportions in whole parts."""
    numbers = [rng.randint(1, 1000) for _ in range(k)]
    return [Fraction(x, sum(numbers)) for x in numbers]


def main() -> None:
    """Print a line for each size, level and divergence."""
    rng = random.Random(5)
    for k in SIZES:
        for gamma in (3, 100):
            pi, q = shares(rng, k), shares(rng, k)
            for kind in ("kullback-leibler", "chi-square", "hellinger", "jensen-shannon"):
                problem = Problem.kary(
                    epsilon=f"log({gamma})", objective=rropt.objectives.OBJECTIVES[kind](q), population=pi
                )
                start = time.perf_counter()
                solution = rropt.solve(problem, fast=True)
                solved = time.perf_counter() - start
                text = solution.certificate.to_json()
                start = time.perf_counter()
                verdict = check_text(text)
                checked = time.perf_counter() - start
                gap = float(solution.upper - solution.lower)
                print(
                    f"k {k:3d}  gamma {gamma:3d}  {kind:16s}  {solution.status:13s}  gap {gap:.1e}  "
                    f"solve {solved:5.2f} s  check {checked:5.2f} s  {verdict}"[:120]
                )


if __name__ == "__main__":
    main()
