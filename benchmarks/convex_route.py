"""The convex route: its bracket against the exact optimum at 1000 points, boundaries included, and its speed.

Run as `python benchmarks/convex_route.py`. The peer is the exact route (enumeration of vertices), on the same points.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from fractions import Fraction

import rropt
from rropt.designs.binary_variance import solve_exact
from rropt.designs.convex.binary_variance import solve_convex
from rropt.privacy import LevelBracket

POINTS = 1000
DIGITS = 24
F = Fraction


def problems() -> list[tuple[rropt.Problem, LevelBracket]]:
    """Half of the points lie on a boundary: epsilon = 0, delta or prevalence 0 or 1, prevalence 1/2, ties, Warner."""
    rng = random.Random(3)
    found = []
    while len(found) < POINTS:
        gamma, delta = 1 + F(rng.randint(1, 60), 12), F(rng.randint(1, 19), 20)
        tie = min(F(1), delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2)
        epsilon = rng.choice([f"log({gamma})", f"log({gamma})", f"log({gamma})/3", str(gamma - 1), "0", "100", "1e-6"])
        slack = rng.choice([str(delta), str(delta), "0", "1", "1e-9", "exp(-3)"])
        pi = rng.choice([F(rng.randint(0, 60), 60), F(rng.randint(0, 60), 60), F(0), F(1, 2), F(1), tie, 1 - tie])
        if (epsilon, slack) == ("0", "0"):
            continue
        family = "warner" if rng.random() < 0.1 else "all"
        problem = rropt.binary_problem(epsilon=epsilon, delta=slack, prevalence=pi, family=family)
        found.append((problem, problem.region.bracket(DIGITS)))
    return found


def main() -> None:
    batch = problems()
    start = time.perf_counter()
    rropt.solve(rropt.binary_problem(epsilon="log(3)", prevalence="1/4"), routes=["closed-form", "convex"])
    first = time.perf_counter() - start
    start = time.perf_counter()
    brackets = [solve_convex(*point) for point in batch]
    convex = time.perf_counter() - start
    start = time.perf_counter()
    optima = [solve_exact(*point) for point in batch]
    exact = time.perf_counter() - start

    pairs = list(zip(brackets, optima, strict=True))
    inside = sum(found.lower <= best.lower <= best.upper <= found.upper for found, best in pairs)
    off = max(
        max(best.lower - found.lower, found.upper - best.upper) / best.upper for found, best in pairs if best.upper
    )
    closed = sum(found.lower == found.upper for found in brackets)
    rational = sum(best.lower == best.upper for best in optima)
    print(f"bracket holds the exact optimum            {inside:8d} of {POINTS} (target: all)")
    print(f"furthest end from it, relative             {float(off):8.1e}")
    print(f"bracket of width 0                         {closed:8d} of {rational} with a rational optimum")
    print(f"convex route, each                         {1000 * convex / POINTS:8.2f} ms")
    print(f"exact route, each                          {1000 * exact / POINTS:8.2f} ms")
    print(f"first call, with the import of cvxpy       {first:8.2f} s")
    code = "import sys, rropt; rropt.solve; sys.exit('cvxpy' in sys.modules)"
    imported = "yes" if subprocess.call([sys.executable, "-c", code]) else "no"
    print(f"start-up imports cvxpy                     {imported:>8s}    (target: no)")
    if inside < POINTS:
        raise SystemExit("a bracket does not hold the optimum")


if __name__ == "__main__":
    main()
