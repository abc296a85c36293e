"""Optimal mechanisms for k categories, exactly private and certified, side by side with qif (libqif's Python package).

    python benchmarks/design_kary.py [--qif-python PATH] [--seconds S] [--large]

Three problems at epsilon = 1, all categories equally frequent: the trace; the 0/1 loss under the discrete metric (one
level for all pairs); the loss abs(i - j) under d(i, j) = abs(i - j) epsilon. What is timed for rropt is everything from
the problem to the accepted certificate, by every route that accepts the problem (closed form, CVXPY, exact program),
cross-checked. qif is asked for its mechanism alone (`mechanism.d_privacy.min_loss_given_d`, double precision, its only
arithmetic there), in a process of its own (it may live in another environment: `--qif-python`), and is stopped after a
time limit. Its mechanism is then audited: the largest ratio of two entries of a row, as a multiple of what the level of
the pair allows; a zero beside a non-zero is an infinite epsilon. Without qif its columns hold a dash.

One process for each side, one thread. Times are seconds of the wall clock, single runs.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import time
from fractions import Fraction

os.environ.setdefault("OMP_NUM_THREADS", "1")

from rropt.designs import solve
from rropt.designs.problem import Problem
from rropt.objectives import Loss, Trace
from rropt.privacy import LevelsRegion, PrivacyRegion

EPSILON = 1
SIZES = (10, 20, 40, 60)
LIMIT = 22.0  # seconds at k = 60: what qif took for the 0/1 loss
PROBLEMS = ("trace", "0/1 loss", "distance loss")

# Reads {"k", "problem", "epsilon"} from standard input; qif's channels have inputs as rows.
_QIF = """
import json, sys, time
import numpy, qif
job = json.load(sys.stdin)
k, epsilon, far = job["k"], job["epsilon"], job["problem"] == "distance loss"
distance = (lambda i, j: abs(i - j)) if far else (lambda i, j: float(i != j))
prior = numpy.full(k, 1 / k)
started = time.perf_counter()
channel = qif.mechanism.d_privacy.min_loss_given_d(prior, k, lambda i, j: epsilon * distance(i, j), distance)
seconds = time.perf_counter() - started
rows = numpy.asarray(channel, dtype=float).tolist()
print(json.dumps({"seconds": seconds, "rows": rows}))
"""


def problem_of(name: str, k: int) -> Problem:
    uniform = [Fraction(1, k)] * k
    if name == "distance loss":
        pairs = LevelsRegion.by_distance(EPSILON, distance=lambda j, other: abs(j - other), inputs=k, outputs=k)
        return Problem(pairs, Loss.absolute(k), uniform)
    region = PrivacyRegion(EPSILON, inputs=k, outputs=k)
    return Problem(region, Trace([1] * k) if name == "trace" else Loss.zero_one(k), uniform)


def audit(rows: list[list[float]], far: bool) -> str:
    """Say how far a float channel (rows are inputs) is from what was asked of it."""
    worst = 0.0
    for j, left in enumerate(rows):
        for other, right in enumerate(rows):
            if j == other:
                continue
            allowed = math.exp(EPSILON * (abs(j - other) if far else 1))
            for p, q in zip(left, right, strict=True):
                if p > 0:
                    worst = max(worst, p / q / allowed if q > 0 else math.inf)
    columns = max(abs(sum(row) - 1) for row in rows)
    if math.isinf(worst):
        return "epsilon INFINITE"
    word = "private" if worst <= 1 else f"too large by {worst - 1:.0e}"
    return f"{word}, sums off {columns:.0e}"


class Qif:
    """qif in a process of its own, or nothing when it is not installed."""

    def __init__(self, python: str, seconds: float) -> None:
        self.python, self.seconds = python, seconds
        self.version: str | None = None
        try:
            probe = subprocess.run(
                [python, "-c", "import qif; print(qif.__version__)"], capture_output=True, text=True, check=False
            )
        except OSError:
            return
        if probe.returncode == 0:
            self.version = probe.stdout.strip()

    def ask(self, name: str, k: int) -> str:
        """Return how long it takes and what its mechanism is worth, as text."""
        if self.version is None or name == "trace":  # the trace is one minus the 0/1 loss, up to the factor k
            return "-"
        job = json.dumps({"k": k, "problem": name, "epsilon": EPSILON})
        try:
            done = subprocess.run(
                [self.python, "-c", _QIF], input=job, capture_output=True, text=True, timeout=self.seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return f"over {self.seconds:.0f} s"
        if done.returncode:
            return f"fails: {(done.stderr.strip().splitlines() or ['no message'])[-1][:40]}"
        data = json.loads(done.stdout.splitlines()[-1])
        rows, far = data["rows"], name == "distance loss"
        if not rows or not rows[0]:
            return f"{data['seconds']:7.2f} s  no mechanism"
        cost = sum(
            x * (abs(i - j) if far else float(i != j)) for i, row in enumerate(rows) for j, x in enumerate(row)
        ) / len(rows)
        return f"{data['seconds']:7.2f} s  {cost:.9f}  {audit(rows, far)}"


def line(name: str, k: int, qif: Qif) -> bool:
    started = time.perf_counter()
    problem = problem_of(name, k)
    solution = solve(problem)
    seconds = time.perf_counter() - started
    private = problem.region.contains(solution.mechanism)
    good = private and bool(solution.certificate.check()) and (k != 60 or seconds < LIMIT)
    verdict = "" if good else "  NOT AS REQUIRED"
    numbers = f"{seconds:8.2f} {float(solution.value):14.9f} {float(solution.gap / solution.value):8.0e}"
    size = f"{len(solution.certificate.text) / 1e6:6.2f}"
    print(f"{name:<14} {k:>4} {numbers} {size}  {len(solution.routes)}  {qif.ask(name, k)}{verdict}", flush=True)
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--qif-python", default=sys.executable, help="a Python that has qif (default: this one)")
    parser.add_argument("--seconds", type=float, default=120.0, help="time limit of one question to qif")
    parser.add_argument("--large", action="store_true", help="also the trace by closed form up to k = 300")
    args = parser.parse_args()
    qif = Qif(args.qif_python, args.seconds)
    print(f"Python {platform.python_version()}, {platform.machine()}; qif {qif.version or 'not installed: skipped'}\n")
    solve(problem_of("distance loss", 3))  # imports
    heads = ("problem", "k", "seconds", "value", "gap", "MB", "routes, qif (seconds, value, audit)")
    print("{:<14} {:>4} {:>8} {:>14} {:>8} {:>6}  {}".format(*heads))
    good = True
    for name in PROBLEMS:
        for k in SIZES:
            good &= line(name, k, qif)
    for k in (100, 200, *((300,) if args.large else ())):
        good &= line("trace", k, qif)
    if not good:
        raise SystemExit("a design is not as required")


if __name__ == "__main__":
    main()
