"""Invariant post-randomisation beside an independent linear program (HiGHS) on drawn populations.

    python benchmarks/pram.py [--populations 100] [--most 40] [--seed 20261122]

Populations have a Dirichlet(1) law, 2 to 40 categories, and levels from log(1.1) to log(20). The seed is printed; so
are the largest difference from HiGHS and the longest time. It fails where they exceed 1e-7 and ten seconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

import rropt

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / "solvers"), str(Path(__file__).parents[1] / "tests")]


def main() -> None:
    """Print a table by number of categories."""
    from test_pram import drawn_population, highs_optimum

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--populations", type=int, default=100)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20261122)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    print(f"seed {args.seed}, {args.populations} Dirichlet(1) populations, k from 2 to {args.most}")
    worst, longest = 0.0, 0.0
    for n in range(args.populations):
        k = args.most if n % 10 == 9 else int(rng.integers(2, args.most + 1))
        counts, gamma = drawn_population(rng, k), Fraction(int(rng.integers(11, 200)), 10)
        start = time.perf_counter()
        found = rropt.design.pram(counts, epsilon=f"log({gamma})", fast=True)
        seconds = time.perf_counter() - start
        miss = abs(float(found.unchanged) - highs_optimum(np.array(counts) / sum(counts), float(gamma)))
        worst, longest = max(worst, miss), max(longest, seconds)
        if n % 10 == 9:
            print(f"{n + 1:4d} populations: largest difference {worst:.1e}, longest time {longest:.2f} s", flush=True)
    if worst > 1e-7 or longest > 10:
        raise SystemExit("a difference or a time is too large")


if __name__ == "__main__":
    main()
