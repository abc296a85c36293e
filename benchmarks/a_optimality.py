"""A-optimal designs: the certified relative gap, seconds, and size of the certificate.

    python benchmarks/a_optimality.py [K ...] [--problems N]

N random populations for each K (every fourth with shares of 1e-4), epsilon = 0.05 to 8 in turn, by the route exact; the
certificate is checked in each. Seconds of one processor, the check of the certificate among them.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from fractions import Fraction

import rropt
from rropt.objectives import AOptimality

LEVELS = ("1/20", "1/10", "1/5", "1/2", "1", "2", "3", "5", "8", "log(2)", "log(10)")


def population(rng: random.Random, k: int, rare: bool) -> list[Fraction]:
    """Return random shares."""
    shares = [rng.choice((1, 2, 5000)) if rare else rng.randint(1, 10**4) for _ in range(k)]
    if rare:
        shares[0] += 10**4 - sum(shares) % 10**4
    return [Fraction(x, sum(shares)) for x in shares]


def main() -> None:
    """Print a row for each K."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("categories", nargs="*", type=int, default=[2, 3, 4, 6, 8, 10])
    parser.add_argument("--problems", type=int, default=100)
    args = parser.parse_args()
    print("| k | problems | gap, median | gap, largest | s, median | s, largest | certificate, kB, largest |")
    print("|---|---|---|---|---|---|---|")
    for k in args.categories:
        rng = random.Random(k)
        gaps, seconds, sizes = [], [], []
        for i in range(args.problems):
            region = rropt.PrivacyRegion(LEVELS[i % len(LEVELS)], inputs=k, outputs="any")
            problem = rropt.Problem(region, AOptimality(), population(rng, k, i % 4 == 3))
            began = time.process_time()
            solution = rropt.solve(problem, routes="exact")
            seconds.append(time.process_time() - began)
            gaps.append(float(solution.gap / solution.upper))
            sizes.append(len(solution.certificate.text) / 1000)
        figures = [f"{statistics.median(gaps):.1e}", f"{max(gaps):.1e}"]
        figures += [f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}", f"{max(sizes):.0f}"]
        print(f"| {k} | {args.problems} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
