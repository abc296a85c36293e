"""The claims in rows on losses whose sublevel sets are intervals: (name, true value, sign, stated value)."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt_proofs._matrices import Rows

Case = dict[str, Any]


def _matrix(text: str) -> Rows:
    """Rows of numbers, separated by semicolons."""
    return tuple(tuple(map(Fraction, row.split())) for row in text.split(";"))


def _case(costs: str, rows: str, gamma: str) -> Case:
    """Costs of answers (rows) and categories, and rows of a mechanism, which a last row completes."""
    c, first, odds = _matrix(costs), _matrix(rows), Fraction(gamma)
    k = len(c[0])
    rest = [1 - sum((row[j] for row in first), Fraction(0)) for j in range(k)]
    return {"c": c, "P": (*first, tuple(rest)), "gamma": odds}


def _draw(rng: random.Random) -> Case:
    k, m, gamma = rng.randint(2, 4), rng.randint(2, 4), Fraction(rng.randint(5, 40), 4)
    columns = []
    for _ in range(k):
        best, low = rng.randrange(m), Fraction(rng.randint(-2, 3))
        column = [low] * m
        for d in range(best + 1, m):
            column[d] = column[d - 1] + rng.choice((0, 0, 1, 3))
        for d in range(best - 1, -1, -1):
            column[d] = column[d + 1] + rng.choice((0, 0, 1, 3))
        columns.append([x * rng.randint(0, 5) for x in column] if rng.random() < 0.1 else column)
    rows = [[1 + (gamma - 1) * rng.randint(0, 1) for _ in range(k)] for _ in range(m - 1)]
    share = Fraction(rng.randint(1, 99), 100)
    most = max(sum(row[j] for row in rows) for j in range(k))
    scaled = [[share * x / most for x in row] for row in rows]
    c = tuple(tuple(column[d] for column in columns) for d in range(m))
    rest = tuple(1 - sum(row[j] for row in scaled) for j in range(k))
    return {"c": c, "P": (*map(tuple, scaled), rest), "gamma": gamma}


INTERVALS = Domain(
    "costs of answers and categories, a mechanism with as many answers, and gamma",
    (
        _case("0 1/4 1/2;1/2 0 1/4;1 1/4 0", "1/2 1/4 1/4;1/4 1/2 1/4", "3"),
        _case("0 1;1 0", "2/3 1/3", "2"),
        _case("0 1 2;1 0 1;2 1 0", "3/5 1/5 1/5;1/5 3/5 1/5", "3"),
        _case("0 0 1;0 1 0;2 3 0", "2/5 2/5 1/5;2/5 1/5 2/5", "2"),
    ),
    _draw,
)


def keeps_ratios(case: Case) -> bool:
    """the entries of a row are positive, with ratios of at most gamma"""
    return all(min(row) > 0 and max(row) <= case["gamma"] * min(row) for row in case["P"])


def falls_and_rises(case: Case) -> bool:
    """each category's costs fall and then rise along the answers"""
    for column in zip(*case["c"], strict=True):
        best = column.index(min(column))
        if any(column[d] < column[d + 1] for d in range(best)):
            return False
        if any(column[d] > column[d + 1] for d in range(best, len(column) - 1)):
            return False
    return True


def _of_set(c: Rows, outputs: tuple[int, ...], gamma: Fraction) -> Fraction:
    """The cost of the best answer of a set to each category, by randomized response over the set, by its law."""
    k, rare = len(c[0]), 1 / (gamma + len(outputs) - 1)
    total = Fraction(0)
    for j in range(k):
        best = min(outputs, key=lambda d: c[d][j])
        total += sum(c[d][j] * (gamma * rare if d == best else rare) for d in outputs)
    return total


def interval_losses(case: Case, *, less: Any = 0, more: Any = 0) -> list[Row]:
    """The cost of a mechanism against the least one over sets of answers, and that of each set by its formula."""
    c, P, gamma = case["c"], case["P"], case["gamma"]
    k, m, u = len(c[0]), len(c), gamma - 1
    laws, values = [], []
    for size in range(1, m + 1):
        for outputs in combinations(range(m), size):
            A = sum((sum(c[d]) for d in outputs), Fraction(0))
            B = sum((min(c[d][j] for d in outputs) for j in range(k)), Fraction(0))
            values.append((A + B * u) / (u + size))
            laws.append(_of_set(c, outputs, gamma))
    cost = sum((c[d][j] * P[d][j] for d in range(m) for j in range(k)), Fraction(0))
    wrong = max(abs(x - y) for x, y in zip(laws, values, strict=True))
    return [
        ("the cost of the mechanism", cost - less * u, ">=", min(values)),
        ("the distance of a set's cost from its formula", wrong, "=", Fraction(0) + more),
    ]


def interval_condition(gamma: Fraction, *, twice: int = 2, whole: int = 1, beyond: int = 0) -> list[Row]:
    """The loss 1 for the true category of three with equal shares: sets of answers, and pairs of categories.

    The mechanism answers d with a chance larger by the factor gamma from both other categories.
    """
    c = tuple(tuple(Fraction(int(d == j), 3) for j in range(3)) for d in range(3))
    rare = 1 / (2 * gamma + 1)
    rows = [[rare if j == d else gamma * rare for j in range(3)] for d in range(3)]
    cost = sum(c[d][j] * rows[d][j] for d in range(3) for j in range(3))
    sets = [outputs for size in (1, 2, 3) for outputs in combinations(range(3), size)]
    return [
        ("the chance of some answer", sum((row[0] for row in rows), Fraction(0)), "=", Fraction(whole)),
        ("the loss", cost, "=", 1 / (twice * gamma + 1)),
        ("the least loss of a set of answers", min(_of_set(c, outputs, gamma) for outputs in sets), ">", cost + beyond),
    ]
