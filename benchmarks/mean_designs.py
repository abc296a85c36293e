"""Time the designs of reports of a number beside a short CVXPY program over a grid of reports.

``python benchmarks/mean_designs.py`` prints processor seconds and the largest variance. The program fixes the reports
to a grid, so that its value is only an upper bound: with 9 numbers and 41 reports it is 3.991 at epsilon 1, and the
optimum is 3.9878. rropt has no grid, and its bounds are proved.
"""

from __future__ import annotations

from math import exp
from time import process_time

import cvxpy as cp
import numpy as np

from rropt.designs.mean_designs import design_mean


def over_a_grid(x: np.ndarray, epsilon: float, reports: int) -> float:
    """Return the minimax variance with reports on a grid: the program that people write first."""
    z = np.linspace(-1.7, 1.7, reports) * (exp(epsilon) + 1) / (exp(epsilon) - 1) * np.abs(x).max()
    P = cp.Variable((reports, len(x)), nonneg=True)
    worst = cp.Variable()
    low = cp.min(P, axis=1)
    conditions = [cp.sum(P, axis=0) == 1, z @ P == x, z**2 @ P - x**2 <= worst, cp.max(P, axis=1) <= exp(epsilon) * low]
    problem = cp.Problem(cp.Minimize(worst), conditions)
    problem.solve(solver=cp.CLARABEL)
    return float(problem.value)


def main() -> None:
    """Print one line for each number of values and each level."""
    design_mean(1, values=[1, 2, 3], fast=True)
    print("numbers  epsilon  rropt: seconds  at least   at most    grid: seconds  value")
    for k, reports in ((5, 41), (9, 41), (17, 81), (33, 81)):
        for epsilon in (1.0, 4.0):
            start = process_time()
            found = design_mean(epsilon, values=[f"{2 * j}/{k - 1}" for j in range(k)], fast=True)
            own, start = process_time() - start, process_time()
            value = over_a_grid(np.linspace(-1, 1, k), epsilon, reports)
            spent = process_time() - start
            ends = f"{float(found.lower):9.6f}  {float(found.upper):9.6f}"
            print(f"{k:7}  {epsilon:7}  {own:14.2f}  {ends}  {spent:13.2f}  {value:.6f}", flush=True)


if __name__ == "__main__":
    main()
