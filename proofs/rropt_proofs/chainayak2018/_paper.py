"""What sections 1 to 3 of Chai and Nayak (2018) share: procedures and posteriors by the definition."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from math import isinf

from rropt_proofs._matrices import Numbers, Rows, matrix

Event = tuple[int, ...]
Factor = Fraction | float  # a Bayes factor: exact, or inf

MATRICES = tuple(
    matrix(text)
    for text in (
        "1/2; 1/2",
        "1 1 1",
        "1/2 1/2; 1/2 1/2",
        "2/3 1/3; 1/3 2/3",
        "1/2 1/4; 1/2 3/4",
        "4/5 1/5; 1/5 4/5",
        "5/6 1/6; 1/6 5/6",
        "1/2 1/4; 1/4 1/2; 1/4 1/4",
        "1 0; 0 1",
        "1 1/2; 0 1/2",
        "2/3 1/2 1/3; 1/3 1/2 2/3",
        "3/5 1/5 1/5; 1/5 3/5 1/5; 1/5 1/5 3/5",
        "2/3 1/3 0; 0 2/3 1/3; 1/3 0 2/3",
        "1 0 0; 0 1 0; 0 0 1",
    )
)


def draw_matrix(rng: random.Random, most: int = 4) -> Rows:
    """Draw a procedure with at most so many categories and responses, some entries 0, no zero row."""
    m, k = rng.randint(1, most), rng.randint(1, most)
    zeros = 0.15 if rng.random() < 0.5 else 0.0
    while True:
        weights = [[0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(k)] for _ in range(m)]
        totals = [sum(row[j] for row in weights) for j in range(k)]
        if all(totals) and all(any(row) for row in weights):
            return tuple(tuple(Fraction(row[j], totals[j]) for j in range(k)) for row in weights)


@cache
def posterior(procedure: Rows, alpha: Numbers, event: Event, i: int) -> Fraction:
    """Return P_alpha(Q | d_i) from the joint distribution of X and Z, entry by entry."""
    joint = {(j, u): alpha[j] * row[j] for u, row in enumerate(procedure) for j in range(len(alpha))}
    seen = sum((share for (_, u), share in joint.items() if u == i), Fraction(0))
    return sum((share for (j, u), share in joint.items() if u == i and j in event), Fraction(0)) / seen


def share(ratio: Factor) -> Fraction:
    """Return ratio/(1 + ratio), which is 1 for an infinite ratio."""
    return Fraction(1) if isinf(ratio) else Fraction(ratio) / (1 + Fraction(ratio))
