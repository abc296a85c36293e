"""Designs of any number of answers: the certified relative gap, seconds, and size of the certificate.

    python benchmarks/any_output_designs.py [OBJECTIVE ...] [--categories K ...] [--problems N]

N random populations for each objective and K (some with shares of 1e-4), epsilon = 0.05 to 8 in turn, by the route
exact; the certificate is checked in each. Seconds of one processor, the check of the certificate among them. Of ln det
M the gap is divided by k - 1. The problems are drawn as in the tests (``tests/support/unrestricted_outputs.py``). After
a-optimal follow hundreds of categories in groups of equal shares.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from fractions import Fraction
from pathlib import Path

import rropt
from rropt.objectives import AOptimality

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from unrestricted_outputs import KINDS, LEVELS, drawn, population, problem

GROUPS = ((128,), (300,), (1, 59), (5, 20, 20), (1, 1, 1, 1, 60), (150, 26), (2,) * 7)
CATEGORIES = dict.fromkeys(("a-optimal", "c-optimal", "d-optimal", "e-optimal"), (2, 3, 4, 6, 8, 10))


def grouped(sizes: tuple[int, ...], i: int) -> rropt.Problem:
    """Return a problem of categories in groups of equal shares."""
    rng = random.Random(f"{sizes} {i}")
    parts = [rng.choice((1, 2, 5000)) if i % 4 == 3 else rng.randint(1, 10**4) for _ in sizes]
    total = sum(n * part for n, part in zip(sizes, parts, strict=True))
    pi = [Fraction(part, total) for n, part in zip(sizes, parts, strict=True) for _ in range(n)]
    return problem(LEVELS[i % len(LEVELS)], AOptimality(), pi)


def ungrouped(kind: str, k: int, rng: random.Random, i: int) -> rropt.Problem:
    """Return a problem of categories whose shares all differ."""
    return problem(LEVELS[i % len(LEVELS)], drawn(rng, kind, k), population(rng, k, zeros=False))


def row(name: str, problems: list[rropt.Problem]) -> str:
    """Solve all, and return their row."""
    gaps, seconds, sizes = [], [], []
    for one in problems:
        began = time.process_time()
        solution = rropt.solve(one, fast=True)
        seconds.append(time.process_time() - began)
        is_d = one.objective.kind == "d-optimal"
        size = one.region.inputs - 1 if is_d else solution.upper  # of a determinant the gap of its root
        gaps.append(float(solution.gap / size) if size else 0.0)
        sizes.append(len(solution.certificate.text) / 1000)
    figures = [f"{statistics.median(gaps):.1e}", f"{max(gaps):.1e}"]
    figures += [f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}", f"{max(sizes):.0f}"]
    return f"| {name} | {len(problems)} | {' | '.join(figures)} |"


def main() -> None:
    """Print a row for each objective and K."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("objectives", nargs="*", metavar="OBJECTIVE", help=f"of {', '.join(KINDS)}; all by default")
    parser.add_argument("--categories", nargs="*", type=int, metavar="K")
    parser.add_argument("--problems", type=int, default=100)
    args = parser.parse_args()
    print(
        "| objective | k | problems | gap, median | gap, largest | s, median | s, largest | largest certificate, kB |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for kind in args.objectives or KINDS:
        for k in args.categories or CATEGORIES.get(kind, (2, 4, 8, 12)):
            rng = random.Random(k)
            print(row(f"{kind} | {k}", [ungrouped(kind, k, rng, i) for i in range(args.problems)]), flush=True)
        for sizes in GROUPS if kind == "a-optimal" else ():
            name = f"{len(sizes)} x {sizes[0]}" if len(sizes) > 1 == len(set(sizes)) else " + ".join(map(str, sizes))
            print(row(f"{kind} | {name}", [grouped(sizes, i) for i in range(args.problems)]), flush=True)


if __name__ == "__main__":
    main()
