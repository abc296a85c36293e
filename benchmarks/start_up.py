"""Whole processes beside what people would run instead: ``python benchmarks/start_up.py``.

``rropt privacy warner:1/3`` is measured beside ``import numpy``, and ``rropt design binary`` beside a program of CVXPY
that finds the same optimum in floats: with its certificate and the cross-check by CVXPY, and without the cross-check
(``--fast``). The script prints processor seconds, medians of alternating runs, and their ratio.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from statistics import median

ROUNDS = 5
PROGRAM = """
import cvxpy as cp
import numpy as np

epsilon, pi = 1.0, 0.1
g = np.exp(epsilon)
rows = np.array([[1, 1], [g, 1], [1, g], [g, g]])
w = cp.Variable(4, nonneg=True)
information = np.array([(b - a) ** 2 / (np.array([a, b]) @ [1 - pi, pi]) for a, b in rows])
problem = cp.Problem(cp.Maximize(information @ w), [rows.T @ w == 1])
problem.solve(solver=cp.CLARABEL)
print(1 / problem.value)
"""
RROPT = [sys.executable, "-m", "rropt"]
BINARY = [*RROPT, "design", "binary", "--epsilon", "1", "--prevalence", "1/10"]
PAIRS = [
    ("privacy warner:1/3", [*RROPT, "privacy", "warner:1/3"], "import numpy", [sys.executable, "-c", "import numpy"]),
    ("design binary", BINARY, "CVXPY", [sys.executable, "-c", PROGRAM]),
    ("design binary --fast", [*BINARY, "--fast"], "CVXPY", [sys.executable, "-c", PROGRAM]),
]


def seconds(words: list[str]) -> float:
    """Return the processor seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print a line for each pair."""
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    for name, ours, other, theirs in PAIRS:
        seconds(ours)
        runs = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
        own, peer = (median(each) for each in zip(*runs, strict=True))
        print(f"{name:22} rropt {own:.3f} s, {other} {peer:.3f} s, ratio {own / peer:.2f}", flush=True)


if __name__ == "__main__":
    main()
