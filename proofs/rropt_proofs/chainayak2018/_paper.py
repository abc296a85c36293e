"""What sections 1 to 3 of Chai and Nayak (2018) share: procedures, posteriors by the definition, breach regions."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import inf, isinf

from rropt.claims import Condition, Point, exact_cache
from rropt.claims.outcomes import value_text
from rropt_proofs._matrices import Rows, matrix, parity

Matrix = Rows
Event = tuple[int, ...]
Distribution = tuple[Fraction, ...]
Factor = Fraction | float  # a Bayes factor: exact, or inf
Factors = tuple[tuple[Factor, Factor], ...]

FACTOR = "the parity gamma and the largest Bayes factor r, as gamma/(1 + gamma) and r/(1 + r)"

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


def draw_matrix(rng: random.Random, most: int = 4) -> Matrix:
    """Draw a procedure with at most so many categories and responses, some entries 0, no zero row."""
    m, k = rng.randint(1, most), rng.randint(1, most)
    zeros = 0.15 if rng.random() < 0.5 else 0.0
    while True:
        weights = [[0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(k)] for _ in range(m)]
        totals = [sum(row[j] for row in weights) for j in range(k)]
        if all(totals) and all(any(row) for row in weights):
            return tuple(tuple(Fraction(row[j], totals[j]) for j in range(k)) for row in weights)


two_categories = Condition("at least two categories: k >= 2", lambda point: len(point["P"][0]) >= 2)


@exact_cache
def posterior(procedure: Matrix, alpha: Distribution, event: Event, i: int) -> Fraction:
    """Return P_alpha(Q | d_i) from the joint distribution of X and Z, entry by entry."""
    joint = {(j, u): alpha[j] * row[j] for u, row in enumerate(procedure) for j in range(len(alpha))}
    seen = sum((share for (_, u), share in joint.items() if u == i), Fraction(0))
    return sum((share for (j, u), share in joint.items() if u == i and j in event), Fraction(0)) / seen


def events(k: int) -> Iterator[Event]:
    """Iterate over all 2^k sets of categories."""
    for size in range(k + 1):
        yield from combinations(range(k), size)


def proper_events(k: int) -> list[Event]:
    """Return the sets of categories that are neither empty nor full."""
    return [event for event in events(k) if 0 < len(event) < k]


@exact_cache
def bayes_factors(procedure: Matrix) -> Factors:
    """Return the attainable Bayes factors as disjoint closed intervals, over all responses, properties and priors.

    For a response and a property they are the quotients of a weighted mean of the likelihoods in Q and one of those
    outside; the weights are free at every prior 0 < p < 1, so these are [min/max, max/min], without 0/0. The pairs
    (prior, posterior) that are attained at 0 < p < 1 are (p, r p/(1 - p + r p)) for these r, the same at every p.
    """
    found = []
    for row in procedure:
        for event in proper_events(len(row)):
            inside = [row[j] for j in event]
            rest = [x for j, x in enumerate(row) if j not in event]
            if max(inside) or max(rest):
                low = min(inside) / max(rest) if max(rest) else inf
                found.append((low, max(inside) / min(rest) if min(rest) else inf if max(inside) else Fraction(0)))
    merged: list[tuple[Factor, Factor]] = []
    for low, high in sorted(found):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def factors_text(procedure: Matrix) -> str:
    """Return the attainable Bayes factors in words."""
    parts = [
        value_text(low) if low == high else f"[{value_text(low)}, {value_text(high)}]"
        for low, high in bayes_factors(procedure)
    ]
    return ", ".join(parts)


def in_finite_range(point: Point) -> bool:
    """Return whether the parity of P is a number gamma > 1."""
    return parity(point["P"]) > 1 and not isinf(parity(point["P"]))


def share(ratio: Factor) -> Fraction:
    """Return ratio/(1 + ratio), which is 1 for an infinite ratio."""
    return Fraction(1) if isinf(ratio) else Fraction(ratio) / (1 + Fraction(ratio))
