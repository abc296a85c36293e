"""Time of the fit of a regression with its standard errors, beside the GLM of statsmodels on the same rows.

    python benchmarks/regression.py [ROWS ...]
    python benchmarks/regression.py --processes

The rows have ten covariates, one device and no weights. statsmodels fits the plain logistic regression of the
responses, which has one maximum and no device. Reading a file is in neither figure. Each processor time is the least of
three runs, in turn; run it with one thread (OMP_NUM_THREADS=1).

With ``--processes``, whole processes are compared: `rropt regress` and statsmodels on one Parquet file of 10^6 rows
with five covariates, in alternating pairs, by processor seconds and peak memory.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import statsmodels.api as sm

from rropt.regression.models import Responses
from rropt.regression.search import WhitenedModel
from rropt.regression.variances import covariances_of

P = np.array([[[5 / 6, 1 / 6], [1 / 6, 5 / 6]]])


def seconds(run: Callable[[], object]) -> float:
    before = time.process_time()
    run()
    return time.process_time() - before


def main(rows: int) -> None:
    random = np.random.default_rng(1)
    X = np.column_stack([np.ones(rows), random.normal(size=(rows, 10))])
    truth = random.random(rows) < 1 / (1 + np.exp(1 - X[:, 1:] @ np.linspace(-0.4, 0.4, 10)))
    z = (random.random(rows) < P[0, 1][truth.astype(int)]).astype(int)
    responses = Responses(P, np.linalg.inv(P), np.zeros(rows, int), z)
    names = ["Intercept", *(f"x{j}" for j in range(10))]

    def ours() -> None:
        problem = WhitenedModel("logit", X, names, responses, np.ones(rows))
        covariances_of(problem.fit(), problem.T)

    def theirs() -> None:
        sm.GLM(z, X, family=sm.families.Binomial()).fit()

    theirs()
    both = np.array([[seconds(ours), seconds(theirs)] for _ in range(3)]).min(axis=0)
    print(f"{rows} rows: {both[0]:.2f} s, statsmodels {both[1]:.2f} s, ratio {both[0] / both[1]:.2f}", flush=True)


_ROWS = """
SELECT *, CAST(random() < CASE WHEN random() < 0.25 THEN 0.5 ELSE 1 / (1 + exp(1 - 0.4 * x1)) END AS INT) AS z
FROM (SELECT random() AS x1, random() AS x2, random() AS x3, random() AS x4, random() AS x5 FROM range(1000000))
"""
_GLM = """
import sys, pandas, statsmodels.api, statsmodels.formula.api as models
table, family = pandas.read_parquet(sys.argv[1]), statsmodels.api.families.Binomial()
print(models.glm("z ~ x1 + x2 + x3 + x4 + x5", table, family=family).fit().summary())
"""


def processes(pairs: int = 5) -> None:
    """Print both sides, their ratios and the targets: medians of alternating pairs."""
    from answers_from_files import made, run

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        made(path, _ROWS)
        options = ("--formula", "z ~ x1 + x2 + x3 + x4 + x5", "--mechanism", "forced:3/4,1/8,1/8")
        ours = (sys.executable, "-m", "rropt.cli.main", "regress", str(path), *options)
        theirs = (sys.executable, "-c", _GLM, str(path))
        runs = [(run("rropt regress", *ours), run("statsmodels", *theirs)) for _ in range(pairs)]
        print("work | rropt | statsmodels | ratio | asked | met")
        for what, most in (("processors", 1.0), ("megabytes", 0.5)):
            own, peer = (statistics.median(pair[side][what] for pair in runs) for side in (0, 1))
            is_met = "yes" if own <= most * peer else "NO"
            print(f"regress 10^6 rows, {what} | {own:.2f} | {peer:.2f} | {own / peer:.2f} | {most} | {is_met}")


if __name__ == "__main__":
    if "--processes" in sys.argv:
        processes()
        raise SystemExit
    for size in sys.argv[1:] or ["10000", "100000", "1000000"]:
        main(int(size))
