"""Bounds when respondents do not comply: ten categories by three devices.

python benchmarks/noncompliance.py
"""

from __future__ import annotations

import random
import time
from fractions import Fraction

from rropt import Mechanism
from rropt.noncompliance import prevalence_bounds


def response(k: int, gamma: int) -> Mechanism:
    return Mechanism([[Fraction(gamma if i == j else 1, gamma + k - 1) for j in range(k)] for i in range(k)])


def main() -> None:
    rng = random.Random(1)
    for model in ("adversarial", "always-no + random", "monotone"):
        samples = []
        for gamma in (3, 9, 20):
            law = [sum(row[j] * (j + 1) for j in range(10)) / 55 for row in response(10, gamma).matrix]
            samples.append((response(10, gamma), [round(1000 * share) + rng.randint(0, 20) for share in law]))
        start = time.process_time()
        bounds = prevalence_bounds(samples, theta="0..0.2", model=model, contrast=[0] * 9 + [1])
        seconds = time.process_time() - start
        print(f"{seconds:8.3f} s, ten categories by three devices, {model}: {bounds.sharp}, {bounds.covering}")


if __name__ == "__main__":
    main()
