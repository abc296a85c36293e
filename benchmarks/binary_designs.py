"""Binary designs: exact designs with certificate, the checker, and start-up.

Run as `python benchmarks/binary_designs.py`. One process, one thread. All times are processor times; each is the least
of several repetitions, which a busy machine disturbs least.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction

import rropt

DESIGNS = 400


def used() -> float:
    """Return the processor seconds of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def best(work: Callable[[], object], repetitions: int = 5) -> float:
    times = []
    for _ in range(repetitions):
        start = used()
        work()
        times.append(used() - start)
    return min(times)


def problems(rational: bool) -> list[rropt.Problem]:
    rng = random.Random(1)
    found = []
    while len(found) < DESIGNS:
        q, delta = Fraction(rng.randint(11, 60), 10), Fraction(rng.randint(0, 19), 20)
        epsilon = f"log({q})" if rational else str(q - 1)
        found.append(rropt.Problem.binary(Fraction(rng.randint(0, 30), 30), epsilon=epsilon, delta=delta))
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
            start = time.process_time()
            verdict = rropt.check(text)
            each.append(time.process_time() - start)
            if not verdict:
                raise SystemExit(f"a certificate was {verdict}")
        median, most = 1000 * statistics.median(each), 1000 * max(each)
        print(f"checker, {name:10s} median / largest      {median:8.2f} / {most:.2f} ms (target: under 5 ms)")

    numpy, both = importing("import numpy"), importing("import numpy, rropt")
    print(f"import rropt, beyond import numpy          {both - numpy:8.3f} s    (target: at most 0.15 s)")


if __name__ == "__main__":
    main()
