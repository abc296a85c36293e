"""Coverage of the 95 % intervals of a slope under a weak device: how many tables have a fit, and how many cover.

    python benchmarks/regression_coverage.py [SAMPLES]

The model is logit, with one normal covariate of slope 1, and the device Warner's with p = 3/5.
"""

from __future__ import annotations

import sys

import numpy as np

from rropt.core.errors import InfeasibleError
from rropt_fieldwork import regress_table


def main(samples: int) -> None:
    for n in (500, 2000):
        for intercept in (-3.0, -1.0):
            slopes, covered, corrected = [], 0, 0
            for seed in range(samples):
                random = np.random.default_rng(seed)
                x = random.normal(size=n)
                truth = intercept + x + random.logistic(size=n) > 0
                z = (random.random(n) < np.where(truth, 0.6, 0.4)).astype(int)
                try:
                    found = regress_table({"z": z, "x": x}, "z ~ x", "warner:3/5")
                except InfeasibleError:
                    continue
                low, high = found.conf_int()["x"]
                slopes.append(found.params["x"])
                covered += low <= 1 <= high
                corrected += found.method == "corrected"
            gaps = np.abs(np.array(slopes) - 1)
            print(
                f"n = {n}, intercept {intercept}: {samples - len(slopes)} of {samples} refused, {corrected} corrected, "
                f"coverage {covered / len(slopes):.3f}, median error {np.median(gaps):.2f}, "
                f"above 10: {(gaps > 10).sum()}",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
