"""Designs over a polytope of populations: the certified relative gap, seconds, and size of the certificate.

    python benchmarks/saddle_designs.py [a-optimal] [c-optimal] [--categories K ...] [--problems N]

N random polytopes for each objective and K, in turn a convex hull, ranges of the shares, all populations, a segment,
one population and shares in descending order, at epsilon = 0.05 to 8 in turn, by the route exact; the certificate is
checked in each. Seconds of one processor, the check of the certificate among them.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from fractions import Fraction

import rropt
from rropt.objectives import AOptimality, Contrast, Objective

LEVELS = ("1/20", "1/10", "1/5", "1/2", "1", "2", "3", "5", "8", "log(2)", "log(10)")
KINDS = ("hull", "ranges", "all", "segment", "one", "order")


def population(rng: random.Random, k: int) -> list[Fraction]:
    """Return random shares, rare and missing ones among them."""
    shares = [rng.choice((0, 1, rng.randint(1, 10**4), rng.randint(1, 10**4))) for _ in range(k)]
    shares[rng.randrange(k)] += 5000
    return [Fraction(x, sum(shares)) for x in shares]


def polytope(rng: random.Random, k: int, kind: str) -> rropt.objectives.Populations:
    """Return a polytope of a kind."""
    if kind == "ranges":
        middle = population(rng, k)
        least = [p * Fraction(rng.randint(0, 9), 10) for p in middle]
        return rropt.objectives.Populations.between(
            least, [p + (1 - p) * Fraction(rng.randint(0, 9), 10) for p in middle]
        )
    if kind == "all":
        return rropt.objectives.Populations.between([0] * k, [1] * k)
    if kind == "order":
        rows = [[int(i == j) - int(i == j + 1) for i in range(k)] for j in range(k - 1)]
        return rropt.objectives.Populations.where([(row, ">=", 0) for row in rows])
    count = {"hull": rng.randint(3, 8), "segment": 2, "one": 1}[kind]
    return rropt.objectives.Populations.hull([population(rng, k) for _ in range(count)])


def contrast(rng: random.Random, k: int, i: int) -> list[Fraction]:
    """Return the difference of two shares, a mean, or random numbers, all different."""
    numbers = [Fraction(x, 7) for x in rng.sample(range(-50, 51), k)]
    return [[Fraction(1), Fraction(-1)] + [Fraction(0)] * (k - 2), [Fraction(j) for j in range(k)], numbers][i % 3]


def main() -> None:
    """Print a row for each objective and K."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("objectives", nargs="*", metavar="OBJECTIVE", help="a-optimal, c-optimal; both by default")
    parser.add_argument("--categories", nargs="*", type=int, metavar="K")
    parser.add_argument("--problems", type=int, default=60)
    args = parser.parse_args()
    print(
        "| objective | k | problems | gap, median | gap, largest | s, median | s, largest | largest certificate, kB |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for kind in args.objectives or ("a-optimal", "c-optimal"):
        for k in args.categories or (2, 3, 4, 5, 6):
            rng = random.Random(k)
            gaps, seconds, sizes = [], [], []
            for i in range(args.problems):
                region = rropt.privacy.PrivacyRegion(LEVELS[i % len(LEVELS)], inputs=k, outputs="any")
                wanted: Objective = AOptimality() if kind == "a-optimal" else Contrast(contrast(rng, k, i))
                problem = rropt.designs.Problem(region, wanted, polytope(rng, k, KINDS[i % len(KINDS)]))
                began = time.process_time()
                solution = rropt.solve(problem, fast=True)
                seconds.append(time.process_time() - began)
                assert solution.mechanism.parity() <= region.bracket(40).below.gamma
                gaps.append(float(solution.gap / solution.upper))
                sizes.append(len(solution.certificate.text) / 1000)
            figures = [f"{statistics.median(gaps):.1e}", f"{max(gaps):.1e}"]
            figures += [f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}", f"{max(sizes):.0f}"]
            print(f"| {kind} | {k} | {args.problems} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
