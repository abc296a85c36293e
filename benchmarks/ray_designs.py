"""Designs with delta > 0 over rays: relative gaps, seconds, sizes of certificates, and seconds of the check.

    python benchmarks/ray_designs.py [--inputs 3 4 5 6] [--count 50] [--seed 24]

For each number of categories it draws so many problems from the table (seven objectives; epsilon 1/10, 1/2, 1, 2, 5,
gamma 3/2, 3, 20; delta 1/100, 1/20, 1/5; shares proportional to 1, 1/2, 1/3, ...) and solves them by the exact route.
Seconds are of one processor. The cross-check in CVXPY is timed in the same run.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from statistics import median

import rropt
from rropt.convex.designs.problem import compared
from rropt.core.errors import UnsupportedProblemError

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from ray_problems import KINDS, problem, table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, nargs="+", default=[3, 4, 5, 6])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=24)
    args = parser.parse_args()
    header = ("objective", "k", "problems", "largest gap", "median s", "largest s", "check s", "kB", "CVXPY apart", "s")
    print("{:<20}{:>3}{:>9}{:>13}{:>10}{:>11}{:>9}{:>6}{:>12}{:>7}".format(*header))
    for k in args.inputs:
        cases = table(k)
        random.Random(f"{args.seed} {k}").shuffle(cases)
        found: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in KINDS}
        for kind, _, epsilon, delta in cases[: args.count]:
            asked = problem(kind, k, epsilon, delta)
            start = time.process_time()
            solution = rropt.solve(asked, fast=True)
            solved = time.process_time() - start
            start = time.process_time()
            assert rropt.check(solution.certificate)
            checked = time.process_time() - start
            size = max(abs(solution.lower), abs(solution.upper))
            apart, start = float("nan"), time.process_time()
            with suppress(UnsupportedProblemError):
                found_again = float(compared(asked, solution.lower, solution.upper).value or "nan")
                apart = abs(found_again - float(solution.value)) / float(size)
            seconds = time.process_time() - start
            gap = float((solution.upper - solution.lower) / size)
            found[kind].append((gap, solved, checked, len(solution.certificate.text) / 1000, apart, seconds))
        for kind, rows in found.items():
            if rows:
                gap, solved, checked, size_kb, apart, seconds = zip(*rows, strict=True)
                print(
                    f"{kind:<20}{k:>3}{len(rows):>9}{max(gap):>13.1e}{median(solved):>10.2f}{max(solved):>11.2f}"
                    f"{max(checked):>9.2f}{max(size_kb):>6.0f}{max(apart):>12.1e}{max(seconds):>7.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
