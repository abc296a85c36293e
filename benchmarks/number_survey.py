"""Run a survey of a number from the design to the report, with a clock, and count how often intervals cover the mean.

``python benchmarks/number_survey.py [ROWS] [RUNS]`` prints processor seconds of each command (100 000 rows by default),
then the coverage of the 95 % intervals in RUNS simulated surveys (10 000 by default) of 50 to 2 000 respondents. The
t-interval is approximate; the guaranteed one covers at least 95 % at every n.
"""

from __future__ import annotations

import random
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from os import chdir
from pathlib import Path
from time import process_time

import numpy as np

from rropt.answers.responses import Responses
from rropt.cli.main import main as rropt
from rropt.designs.mean_designs import design_mean

_ROAD = (
    "design mean --values 1,2,3,4,5 --epsilon 1 --output m.json --certificate c.json",
    "sheet m.json --form web --question Q? --output sheet.html",
    "randomize scores.csv --column x --mechanism m.json --keep region,w --output reports.csv",
    "estimate reports.csv --column x --mechanism m.json --by region --weights w --json",
    "report mean.json --output report.html",
    "design mean --values 0..100 --epsilon 1 --output m.json",
    "sheet m.json --form web --question Q? --output sheet.html",
    "randomize amounts.csv --column x --mechanism m.json --keep region,w --output reports.csv",
    "estimate reports.csv --column x --mechanism m.json --by region --weights w --json",
    "report mean.json --output report.html",
)


def road(rows: int) -> None:
    """Print the seconds of each command."""
    draw = random.Random(85)
    with Path("scores.csv").open("w") as scores, Path("amounts.csv").open("w") as amounts:
        for file in (scores, amounts):
            file.write("region,w,x\n")
        for _ in range(rows):
            group = f"{draw.choice('NESW')},{draw.choice((1, 2, 3))}"
            scores.write(f"{group},{draw.choices(range(1, 6), (1, 2, 4, 2, 1))[0]}\n")
            amounts.write(f"{group},{draw.triangular(0, 100, 30):.2f}\n")
    for command in _ROAD:
        out, start = StringIO(), process_time()
        with redirect_stdout(out), redirect_stderr(StringIO()):
            status = rropt(command.split())
        print(f"{process_time() - start:7.2f} s  rropt {command}" + ("" if status == 0 else f"  exit status {status}"))
        if command.endswith("--json"):
            Path("mean.json").write_text(out.getvalue())


def coverage(runs: int) -> None:
    """Print the coverage for even and extreme populations: at few respondents the t-interval is short of its level."""
    shares = {"middle": (1, 2, 4, 2, 1), "ends": (1, 0, 0, 0, 1), "one number": (0, 0, 0, 0, 1)}
    print("epsilon  population  n     t-interval  guaranteed")
    for epsilon in (1, 4):
        mechanism = design_mean(epsilon, values=[1, 2, 3, 4, 5], fast=True).mechanism
        for name, weights in shares.items():
            pi = np.array(weights) / sum(weights)
            mean, rng = float(pi @ np.arange(1, 6)), np.random.default_rng(85)
            for n in (50, 200, 2000):
                hits = [0, 0]
                for _ in range(runs):
                    counts = rng.multinomial(n, mechanism.to_numpy() @ pi).tolist()
                    found = Responses.from_counts(counts, mechanism).mean()
                    for i, kind in enumerate(("t", "guaranteed")):
                        low, high = found[0].conf_int(kind=kind)
                        hits[i] += low <= mean <= high
                print(f"{epsilon:7}  {name:10}  {n:4}  {hits[0] / runs:10.3f}  {hits[1] / runs:10.3f}", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        chdir(folder)
        road(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
        coverage(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
        chdir("/")
