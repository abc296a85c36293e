"""The dual of the largest weighted trace, for any number of categories: multipliers, folds and an exchange.

With V and alpha as in ``multipliers``, row i of a private P has

    ``w_i p_ii <= sum_l alpha_l p_il + delta (w_i - alpha_i)``,

since ``w_i - alpha_i`` is a sum of x_il <= alpha_l/gamma over l != i, and ``p_ii <= gamma p_il + delta``. Summed over
the rows, column by column, the right side is ``V + delta (sum w - V)``.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Point

__all__ = [
    "Case",
    "best",
    "case",
    "computed_trace",
    "draw",
    "is_private",
    "said",
]

Case = dict[str, Any]


def case(weights: str, rows: str, odds: str) -> Case:
    """Return weights in descending order, a square matrix whose columns are distributions, and gamma."""
    matrix = tuple(tuple(map(Fraction, row.split())) for row in rows.split(";"))
    return {"w": tuple(map(Fraction, weights.split())), "P": matrix, "odds": Fraction(odds)}


def draw(rng: random.Random) -> Case:
    """Return weights, a mechanism that is near to the best one at times, and gamma."""
    k = rng.randint(2, 4)
    weights = tuple(sorted((Fraction(rng.randint(0, 9), 3) for _ in range(k)), reverse=True))
    gamma = 1 + Fraction(rng.randint(1, 30), 10)
    columns = [[Fraction(rng.randint(1, 5)) for _ in range(k)] for _ in range(k)]
    rows = [[column[i] / sum(column) for column in columns] for i in range(k)]
    _, m, _ = best(weights, gamma)
    near = best_rows(k, m, gamma)
    share = rng.choice((Fraction(0), Fraction(1, 2), Fraction(19, 20), Fraction(1)))
    mixed = tuple(
        tuple(share * x + (1 - share) * y for x, y in zip(one, other, strict=True))
        for one, other in zip(near, rows, strict=True)
    )
    return {"w": weights, "P": mixed, "odds": gamma}


def best(weights: tuple[Fraction, ...], gamma: Fraction) -> tuple[Fraction, int, Fraction]:
    """Return V, the largest m that attains it, and the sum of the m largest weights."""
    sums = [sum(weights[: m + 1], Fraction(0)) for m in range(len(weights))]
    values = [gamma * total / (gamma + m) for m, total in enumerate(sums)]
    m = max(range(len(values)), key=lambda i: (values[i], i))
    return values[m], m + 1, sums[m]


def best_rows(k: int, m: int, gamma: Fraction) -> list[list[Fraction]]:
    """Return the mechanism that answers with the first m categories only."""
    rare = 1 / (gamma + m - 1)

    def entry(i: int, j: int) -> Fraction:
        if i >= m:
            return Fraction(0)
        return Fraction(1, m) if j >= m else gamma * rare if i == j else rare

    return [[entry(i, j) for j in range(k)] for i in range(k)]


def is_private(point: Point, delta: Fraction) -> bool:
    """Return whether each column exceeds gamma times each other one by at most delta."""
    rows, gamma = point["case"]["P"], point["case"]["odds"]
    order = range(len(rows))
    return all(
        sum((max(row[j] - gamma * row[x], Fraction(0)) for row in rows), Fraction(0)) <= delta
        for j in order
        for x in order
    )


def said(point: Point, delta: Fraction) -> dict[str, Any]:
    """What the statement says: the bound, and that it is attained."""
    weights, gamma = point["case"]["w"], point["case"]["odds"]
    value = delta * sum(weights, Fraction(0)) + (1 - delta) * best(weights, gamma)[0]
    return {"trace": Bound("at-most", value), "attained": value}


def computed_trace(point: Point, delta: Fraction) -> dict[str, Any]:
    """Return the weighted trace of the mechanism, and of the best one, each entry weighted."""
    found = point["case"]
    weights, k = found["w"], len(found["w"])
    near = best_rows(k, best(weights, found["odds"])[1], found["odds"])
    return {
        "trace": sum((w * row[i] for i, (w, row) in enumerate(zip(weights, found["P"], strict=True))), Fraction(0)),
        "attained": sum(
            (w * (delta + (1 - delta) * row[i]) for i, (w, row) in enumerate(zip(weights, near, strict=True))),
            Fraction(0),
        ),
    }
