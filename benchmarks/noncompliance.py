"""Bounds when respondents do not comply: many binary ones in closed form, and ten categories by three devices.

python benchmarks/noncompliance.py
"""

from __future__ import annotations

import random
import time
from fractions import Fraction

from rropt import Mechanism, named_mechanism, prevalence_bounds
from rropt.survey.noncompliance import Behaviour, closed_interval


def response(k: int, gamma: int) -> Mechanism:
    return Mechanism([[Fraction(gamma if i == j else 1, gamma + k - 1) for j in range(k)] for i in range(k)])


def main() -> None:
    device, rng = named_mechanism("forced:2/3,1/6,1/6"), random.Random(1)
    shares = [Fraction(rng.randint(500, 2000), 2435) for _ in range(5000)]
    start = time.process_time()
    for share in shares:
        closed_interval(device, share, Fraction(1, 20), Fraction(1, 20), Behaviour("adversarial"))
    print(f"{len(shares) / (time.process_time() - start):8.0f} binary bounds a second, exact, without files")
    for model in ("adversarial", "always-no + random", "monotone"):
        samples = []
        for gamma in (3, 9, 20):
            law = [sum(row[j] * (j + 1) for j in range(10)) / 55 for row in response(10, gamma).matrix]
            samples.append((response(10, gamma), [round(1000 * share) + rng.randint(0, 20) for share in law]))
        start = time.process_time()
        bounds = prevalence_bounds(samples, at_most="0.2", model=model, contrast=[0] * 9 + [1])
        seconds = time.process_time() - start
        print(f"{seconds:8.3f} s, ten categories by three devices, {model}: {bounds.sharp}, {bounds.covering}")


if __name__ == "__main__":
    main()
