"""The claim in rows on losses with permuted rows and columns: (name, true value, sign, stated value)."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt_proofs._matrices import Rows

Case = dict[str, Any]


def _hamming(bits: int) -> list[list[int]]:
    listed = list(product((0, 1), repeat=bits))
    return [[sum(a != b for a, b in zip(x, y, strict=True)) for x in listed] for y in listed]


def _rankings() -> list[list[int]]:
    """Kendall's distance of the orders of three objects."""
    listed, pairs = list(permutations(range(3))), ((0, 1), (0, 2), (1, 2))
    return [[sum((x[i] - x[j]) * (y[i] - y[j]) < 0 for i, j in pairs) for x in listed] for y in listed]


def _around(losses: list[int]) -> list[list[int]]:
    """Losses that depend on the difference of answer and category modulo k."""
    k = len(losses)
    return [[losses[(j - d) % k] for j in range(k)] for d in range(k)]


def _case(costs: list[list[int]], large: list[list[int]], gamma: Fraction, share: Fraction) -> Case:
    """The costs, and a mechanism: rows with gamma at some places, scaled, and a last row that completes them."""
    rows = [[gamma if x else Fraction(1) for x in row] for row in large[:-1]]
    k = len(costs[0])
    most = max(sum(row[j] for row in rows) for j in range(k))
    scaled = [tuple(share * x / most for x in row) for row in rows]
    rest = tuple(1 - sum((row[j] for row in scaled), Fraction(0)) for j in range(k))
    return {"c": tuple(tuple(map(Fraction, row)) for row in costs), "P": (*scaled, rest), "gamma": gamma}


def _draw(rng: random.Random) -> Case:
    kind = rng.randrange(4)
    if kind == 0:
        costs = _hamming(rng.choice((1, 2)))
    elif kind == 1:
        costs = _rankings()
    else:
        costs = _around([rng.randint(-1, 4) for _ in range(rng.randint(2, 5))])
    if kind == 3 and len(costs) < 4:  # each answer twice: more answers than categories
        costs = [row for row in costs for _ in range(2)]
    large = [[rng.randint(0, 1) for _ in costs[0]] for _ in costs]
    return _case(costs, large, Fraction(rng.randint(5, 40), 4), Fraction(rng.randint(1, 99), 100))


def _near(costs: list[list[int]], gamma: int) -> Case:
    return _case(costs, [[int(x == min(row)) for x in row] for row in costs], Fraction(gamma), Fraction(99, 100))


PERMUTED = Domain(
    "costs of answers and categories, a mechanism with as many answers, and gamma",
    (
        _near(_hamming(2), 3),
        _near(_rankings(), 10),
        _near(_around([0, 1, 2, 2, 1]), 2),
        _near(_around([0, 1]), 5),
    ),
    _draw,
)


def keeps_ratios(case: Case) -> bool:
    """the entries of a row are positive, with ratios of at most gamma"""
    return all(min(row) > 0 and max(row) <= case["gamma"] * min(row) for row in case["P"])


def is_permuted(case: Case) -> bool:
    """the rows of the costs are permutations of each other, and the columns are"""
    rows, columns = case["c"], tuple(zip(*case["c"], strict=True))
    return all(len({tuple(sorted(line)) for line in lines}) == 1 for lines in (rows, columns))


def _of_threshold(c: Rows, threshold: Fraction, gamma: Fraction) -> Fraction:
    """The loss of the mechanism that prefers answers of at most a loss, by its law."""
    k, total = len(c[0]), Fraction(0)
    for j in range(k):
        odds = [gamma if row[j] <= threshold else Fraction(1) for row in c]
        total += sum((row[j] * x for row, x in zip(c, odds, strict=True)), Fraction(0)) / sum(odds)
    return total / k


def permuted_losses(case: Case, *, less: Any = 0, more: Any = 0) -> list[Row]:
    """The loss of a mechanism against the least quotient, and the least loss of a threshold by its law."""
    c, P, gamma = case["c"], case["P"], case["gamma"]
    k, u, losses = len(c[0]), gamma - 1, sorted(c[0])
    quotients = [(sum(losses) + u * sum(losses[:s])) / (k + u * s) for s in range(k + 1)]
    cost = sum((x * p for row, line in zip(c, P, strict=True) for x, p in zip(row, line, strict=True)), Fraction(0)) / k
    best = min(_of_threshold(c, threshold, gamma) for threshold in losses)
    return [
        ("the loss of the mechanism", cost - less * u, ">=", min(quotients)),
        ("the least loss of a threshold", best, "=", min(quotients) + more),
    ]
