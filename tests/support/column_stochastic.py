"""Random matrices whose columns are distributions, for tests of mechanisms and of their comparison."""

from __future__ import annotations

import random
from fractions import Fraction


def column_stochastic(rng: random.Random, rows: int, columns: int, zeros: float = 0.2) -> list[list[Fraction]]:
    """Return a rows x columns matrix of small fractions; about a share ``zeros`` of its entries is zero."""
    made = []
    for _ in range(columns):
        weights = [0 if rng.random() < zeros else rng.randint(1, 9) for _ in range(rows)]
        weights[rng.randrange(rows)] += 1
        made.append([Fraction(w, sum(weights)) for w in weights])
    return [list(row) for row in zip(*made, strict=True)]
