"""Compare the engine of rays with the classes of special cases at delta = 0, on random problems of a printed seed.

    python benchmarks/side_by_side.py --count 5000 --seed 34

Each problem has a random objective, 2 to 6 categories, random rational shares, and a random level. Both solve it; the
brackets must intersect, and the engine's may be no wider than the class's or 1e-13 of the value. The output counts, for
each objective, the problems, the brackets that are disjoint, those that are wider, and the processor time of each side.
"""

from __future__ import annotations

import argparse
import random
import time
from fractions import Fraction
from typing import Any

import rropt
from rropt.designs.solving import facts_of
from rropt.designs.ways import WAYS
from rropt.objectives import (
    AOptimality,
    ChiSquare,
    COptimality,
    DOptimality,
    EOptimality,
    MutualInformation,
    TotalVariation,
)
from rropt.privacy import PrivacyRegion

ROOM = Fraction(1, 10**13)
LEVELS = ("1/100", "1/10", "1/2", "1", "2", "5", "10", "log(3/2)", "log(3)", "log(20)", "1/2*log(3)")


def shares(rng: random.Random, k: int) -> list[Fraction]:
    parts = [rng.choice((1, 1, 2, 3, 5, 8, 13, 40)) for _ in range(k)]
    return [Fraction(p, sum(parts)) for p in parts]


def problem(rng: random.Random) -> rropt.Problem:
    k = rng.choice((2, 3, 3, 4, 4, 5, 6))
    contrast = [rng.randint(-2, 2) for _ in range(k)]
    contrast[0] += len(set(contrast)) == 1
    other = shares(rng, k)
    objective: Any = rng.choice(
        (
            AOptimality(),
            COptimality(contrast),
            DOptimality(),
            EOptimality(),
            MutualInformation(),
            ChiSquare(other),
            TotalVariation(other),
        )
    )
    return rropt.Problem(PrivacyRegion(rng.choice(LEVELS), inputs=k, outputs="any"), objective, shares(rng, k))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=34)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    rng, engine = random.Random(args.seed), next(way for way in WAYS if way.name == "rays")
    special = [way for way in WAYS if way is not engine]
    counts: dict[str, list[float]] = {}
    for _ in range(args.count):
        asked = problem(rng)
        facts = facts_of(asked)
        fitting = [way for way in special if way.takes(asked, facts) and way.reason(asked) is None]
        if not fitting:
            continue
        old_class = fitting[0]
        found = counts.setdefault(asked.objective.kind, [0, 0, 0, 0, 0, 0, 0])
        start = time.process_time()
        old = old_class.solve(asked, "exact")
        middle = time.process_time()
        found[0] += 1
        found[5] += middle - start
        try:
            new = engine.solve(asked, "exact")
        except rropt.RroptError as error:
            found[1] += 1
            print(f"engine fails: {asked}: {error}")
            continue
        found[6] += time.process_time() - middle
        size = max(abs(old.lower), abs(old.upper))
        is_disjoint = max(old.lower, new.lower) > min(old.upper, new.upper)
        is_wider = new.gap > max(old.gap, ROOM * size)
        found[2] += is_disjoint
        found[3] += is_wider
        found[4] = max(found[4], float(new.gap / size) if size else 0.0)
        if args.verbose and (is_disjoint or is_wider):
            gaps = f"{float(old.gap / size):.1e} -> {float(new.gap / size):.1e}"
            where = ", ".join(map(str, asked.population))
            print(f"{asked} at ({where}): {gaps}{' disjoint' * is_disjoint}", flush=True)
    print(f"seed {args.seed}, {args.count} problems")
    print(f"{'objective':<20}{'problems':>9}{'fails':>7}{'disjoint':>9}{'wider':>7}{'gap':>9}{'old s':>9}{'new s':>9}")
    for kind, row in sorted(counts.items()):
        n, fails, disjoint, wider, gap, old_s, new_s = row
        print(f"{kind:<20}{n:>9}{fails:>7}{disjoint:>9}{wider:>7}{gap:>9.1e}{old_s:>9.1f}{new_s:>9.1f}")


if __name__ == "__main__":
    main()
