"""Random private designs of two inputs and two outputs."""

from __future__ import annotations

import random
from fractions import Fraction


def private_designs(
    rng: random.Random, gamma: Fraction, delta: Fraction, count: int
) -> list[tuple[Fraction, Fraction]]:
    """Return rational designs with p00 + p11 > 1 at a rational level, many of them on the edges of the region."""
    found = []
    while len(found) < count:
        a = rng.choice([Fraction(1), delta, Fraction(rng.randint(0, 60), 60), (gamma + delta) / (gamma + 1)])
        # the largest p11 by both ratio inequalities
        largest = min(Fraction(1), gamma * (1 - a) + delta, 1 - (a - delta) / gamma)
        if largest <= 1 - a:
            a = largest = (gamma + delta) / (gamma + 1)
        b = largest if rng.random() < 0.6 else 1 - a + (largest - 1 + a) * Fraction(rng.randint(1, 60), 60)
        found.append((a, b) if rng.random() < 0.5 else (b, a))
    return found
