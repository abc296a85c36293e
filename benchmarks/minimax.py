"""The minimax risk of all estimators of a prevalence: values, gaps, seconds of search and of checking.

python benchmarks/minimax.py [--long]        --long: also 200 and 300 respondents at levels from 1/100 to 100

Set OMP_NUM_THREADS=1. Processor seconds; "search" includes the proof, which asks the checker.
"""

from __future__ import annotations

import sys
import time
from math import sqrt

from rropt.designs.minimax_risk import MinimaxRisk, minimax_risk

SHORT = [("log(5)", n, 0) for n in (5, 10, 20, 50, 100, 200)]
SHORT += [("log(5)", 10, "1/10"), ("log(5)", 20, "1/10"), ("log(5)", 30, "1/10"), (1, 30, "exp(-10)"), (3, 30, "1/2")]
LONG = [(epsilon, n, 0) for n in (200, 300) for epsilon in ("1/100", "1/10", 1, 2, 3, 4, 6, 8, 14, 100)]
LONG += [(epsilon, 30, delta) for epsilon in ("1/100", 1, 5, 14) for delta in ("1/1000", "1/10", "9/10", 1)]
LONG += [("log(5)", 40, "1/10")]


def main() -> None:
    """Print a line for each problem."""
    print("epsilon | n | delta | minimax risk | gap | unbiased / it | over the limit | points | search s | check s")
    for epsilon, n, delta in SHORT + LONG * ("--long" in sys.argv):
        begin = time.process_time()
        found = minimax_risk(epsilon, n, delta=delta)
        middle = time.process_time()
        MinimaxRisk.from_dict(found.to_dict())  # the exact test again
        end = time.process_time()
        value, limit = float(found.upper), 1 / (4 * (1 + sqrt(n)) ** 2)
        shown = [f"{value:.10f}", f"{found.gap:.1e}", f"{found.times:.3f}", f"{value / limit:.6f}", len(found.points)]
        print(*(epsilon, n, delta), *shown, f"{middle - begin:.2f}", f"{end - middle:.2f}", sep=" | ", flush=True)


if __name__ == "__main__":
    main()
