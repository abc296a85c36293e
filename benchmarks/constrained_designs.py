"""Twenty designs with a restricted output alphabet or bounds on entries: certified brackets, and which are closed.

    python benchmarks/constrained_designs.py

A- and c-optimality, delta = 0. The relative gap is (upper - lower)/upper; up to 1e-6 the bracket is called closed.
Seconds are of the processor, with the check of the certificate.
"""

from __future__ import annotations

import time

import rropt
from rropt.designs.problem import Problem

# population, epsilon, answers, contrast (None: A-optimality), least, most
PROBLEMS = (
    ("1/2,1/2", "log(3)", 2, None, "3/10", None),
    ("7/10,3/10", "2", 3, None, "1/5", "1/2"),
    ("99/100,1/100", "2", 3, None, "1/10", "11/20"),
    ("9/10,1/10", "1", 2, None, "1/4", "3/5"),
    ("1/2,1/3,1/6", "1", 2, "1,-1,0", None, None),
    ("7/10,1/5,1/10", "1", 2, "0,1,2", None, None),
    ("9/10,9/100,1/100", "3", 2, "0,1,3", None, None),
    ("1/2,1/3,1/6", "1/4", 3, None, None, None),
    ("9/10,9/100,1/100", "1/2", 3, None, None, None),
    ("98/100,1/100,1/100", "1/10", 3, None, None, None),
    ("7/10,1/5,1/10", "1", 3, "0,1,3", None, None),
    ("1/3,1/3,1/3", "log(4)", 3, None, None, "11/20"),
    ("1/2,1/3,1/6", "3", 3, None, "1/10", None),
    ("9/10,9/100,1/100", "2", 3, None, "3/20", "3/5"),
    ("7/10,1/5,1/10", "2", 3, "0,1,3", "3/20", "3/5"),
    ("1/3,1/3,1/3", "4", 3, None, "1/4", "2/5"),
    ("7/10,1/5,1/10", "1/4", 4, None, None, None),
    ("9/10,9/100,1/100", "1", 4, None, "1/10", None),
    ("1/4,1/4,1/4,1/4", "1/4", 4, None, None, None),
    ("1/5,1/5,1/5,1/5,1/5", "1/2", 6, None, "1/20", None),
)


def main() -> None:
    """Solve them and print a row for each."""
    for population, epsilon, answers, contrast, least, most in PROBLEMS:
        problem = Problem.kary(
            epsilon=epsilon,
            objective=rropt.objectives.Contrast(contrast.split(",")) if contrast else "a-optimal",
            population=population,
            bounds=None if least is None and most is None else (least, most),
            outputs=answers,
        )
        start = time.process_time()
        solution = rropt.solve(problem)
        seconds = time.process_time() - start
        gap = float(solution.gap / solution.upper)
        cells = len(solution.found.dual.cells or ())
        print(
            f"{population:22} {epsilon:7} m={answers} {contrast or 'A':6} [{least or 0}, {most or 1}]".ljust(66),
            f"{float(solution.upper):12.6f} gap {gap:8.1e} {'closed' if solution.is_closed else 'open':6}",
            f"{cells:5} cells {len(solution.certificate.text) / 1000:7.1f} kB {seconds:5.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
