"""Whole processes beside what people would run instead: ``python benchmarks/start_up.py``.

``rropt privacy warner:1/3`` is measured beside ``import numpy``, and ``rropt design binary`` beside a program of CVXPY
that finds the same optimum in floats: with its certificate and the cross-check by CVXPY, and without the cross-check
(``--fast``). The script prints lines of the table of peers, processor seconds. ``privacy`` loads none
of SymPy, SciPy and CVXPY.
"""

from __future__ import annotations

import subprocess
import sys

from side_by_side import line, of_process, one_thread, pairs

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
PRIVACY = ["privacy", "warner:1/3"]
CASES = [
    ("privacy warner:1/3, beside import numpy", [*RROPT, *PRIVACY], [sys.executable, "-c", "import numpy"], 1.5),
    ("design binary, a whole process", BINARY, [sys.executable, "-c", PROGRAM], 1.25),
    ("design binary --fast, a whole process", [*BINARY, "--fast"], [sys.executable, "-c", PROGRAM], 0.3),
]
LOADED = f"""
import sys
from rropt.cli.main import main
try:
    main({PRIVACY})
except SystemExit:
    pass
print(*(name for name in ("sympy", "scipy", "cvxpy") if name in sys.modules), file=sys.stderr)
"""


def main() -> None:
    """Print a line for each pair."""
    one_thread()
    for name, ours, theirs, asked in CASES:
        own, peer = pairs(lambda words=ours: of_process(words)[0], lambda words=theirs: of_process(words)[0])
        line(name, own, peer, asked)
    words = [sys.executable, "-c", LOADED]
    loaded = subprocess.run(words, check=True, capture_output=True, text=True).stderr.split()
    met = "NO" if loaded else "yes"
    print(f"privacy warner:1/3, SymPy, SciPy, CVXPY loaded | {len(loaded)} | 0 | - | 0 | {met}")


if __name__ == "__main__":
    main()
