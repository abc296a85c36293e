"""Binary designs: exact designs with certificate, the checker, and start-up.

Run as `python benchmarks/binary_designs.py`. One process, one thread of work; each figure is the best of several
repetitions, so that a busy machine disturbs it least.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction

import rropt

DESIGNS = 400


def best(work: Callable[[], object], repetitions: int = 5) -> float:
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def problems(rational: bool) -> list[rropt.Problem]:
    rng = random.Random(1)
    found = []
    while len(found) < DESIGNS:
        q, delta = Fraction(rng.randint(11, 60), 10), Fraction(rng.randint(0, 19), 20)
        epsilon = f"log({q})" if rational else str(q - 1)
        found.append(
            rropt.designs.binary_problem(epsilon=epsilon, delta=delta, prevalence=Fraction(rng.randint(0, 30), 30))
        )
    return found


def importing(code: str) -> float:
    return best(lambda: subprocess.run([sys.executable, "-c", code], check=True), 7)


def main() -> None:
    for name, rational in (("rational", True), ("irrational", False)):
        batch = problems(rational)
        routes = ["closed-form", "exact"]
        seconds = best(lambda batch=batch, routes=routes: [rropt.solve(p, routes=routes) for p in batch], 3)
        print(f"exact designs with certificate, {name:10s} {DESIGNS / seconds:8.0f} /s   (target: at least 200)")
        texts = [rropt.solve(problem, routes=routes).certificate.text for problem in batch]
        each = []
        for text in texts:
            start = time.perf_counter()
            verdict = rropt.check(text)
            each.append(time.perf_counter() - start)
            if not verdict:
                raise SystemExit(f"a certificate was {verdict}")
        median, most = 1000 * statistics.median(each), 1000 * max(each)
        print(f"checker, {name:10s} median / largest      {median:8.2f} / {most:.2f} ms (target: under 5 ms)")

    numpy, both = importing("import numpy"), importing("import numpy, rropt")
    print(f"import rropt, beyond import numpy          {both - numpy:8.3f} s    (target: at most 0.15 s)")


if __name__ == "__main__":
    main()
