"""Exact linear programs beside QSopt_ex: ``python benchmarks/exact_programs.py``.

The 0/1 loss at gamma = 3 with proportions 1 : 1/2 : 1/3 ...: maximize ``sum w_i p_ii`` subject to ``t_i <= p_ij <= 3
t_i``, columns that sum to 1. rropt solves the program and verifies its proof (``rropt.core.linear.solve``); QSopt_ex
reads the same program and solves it in a process of its own (``esolver -L``, of Debian's package ``qsopt-ex``;
RROPT_ESOLVER names another program). Processor seconds; the optima must agree.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path

from linear_programs import trace
from side_by_side import absent, line, of_process, pairs, seconds

from rropt.core.linear import Optimal, solve

ASKED = 1.2
DIGITS = 2e-6  # QSopt_ex prints six digits of its optimum
GAMMA = 3


def weights(k: int) -> list[Fraction]:
    """Return proportions in the ratios 1 : 1/2 : 1/3 ..."""
    total = sum(Fraction(1, j + 1) for j in range(k))
    return [Fraction(1, j + 1) / total for j in range(k)]


def text(k: int) -> str:
    """Return the program as QSopt_ex reads it."""
    rows = ["Maximize", " obj: " + " + ".join(f"{w} p{j}_{j}" for j, w in enumerate(weights(k))), "Subject To"]
    for i in range(k):
        for j in range(k):
            rows += [f" a{i}_{j}: p{i}_{j} - t{i} >= 0", f" b{i}_{j}: p{i}_{j} - {GAMMA} t{i} <= 0"]
    rows += [f" c{j}: " + " + ".join(f"p{i}_{j}" for i in range(k)) + " = 1" for j in range(k)]
    return "\n".join([*rows, "End", ""])


def main() -> None:
    """Print a line for each size."""
    solver = shutil.which(os.environ.get("RROPT_ESOLVER", "esolver"))
    for k in (10, 20, 40, 60):
        name = f"exact linear program, k = {k}"
        if solver is None:
            absent(name, "QSopt_ex", ASKED)
            continue
        program = trace(Fraction(GAMMA), weights(k))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "program.lp"
            file.write_text(text(k), encoding="utf-8")
            words = [solver, "-L", str(file)]
            told = subprocess.run(words, capture_output=True, text=True, check=True, cwd=folder)
            ours, theirs = pairs(lambda p=program: seconds(lambda: solve(p)), lambda w=words: of_process(w)[0])
        found, peer = solve(program), re.search(r"LP value ([0-9.]+)", told.stdout + told.stderr)
        assert isinstance(found, Optimal)
        assert peer is not None
        assert abs(float(found.value) - float(peer[1])) < DIGITS
        line(name, ours, theirs, ASKED)


if __name__ == "__main__":
    main()
