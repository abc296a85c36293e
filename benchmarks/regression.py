"""Time of the fit of a regression with its standard errors, beside the GLM of statsmodels on the same rows.

    python benchmarks/regression.py [ROWS ...]

The rows have ten covariates, one device and no weights. statsmodels fits the plain logistic regression of the
responses, which has one maximum and no device. Reading a file is in neither figure. Each processor time is the least of
three runs, in turn; run it with one thread (OMP_NUM_THREADS=1).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import statsmodels.api as sm

from rropt.survey.regression.models import Responses
from rropt.survey.regression.search import WhitenedModel
from rropt.survey.regression.variances import covariances_of

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


if __name__ == "__main__":
    for size in sys.argv[1:] or ["10000", "100000", "1000000"]:
        main(int(size))
