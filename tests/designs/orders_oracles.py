"""Oracles of admissibility that use neither C1 and C2 nor patterns: exact linear programs, and random matrices.

*Splitting.* Let P have no zero and no proportional rows. P is strictly dominated at gamma iff some row is a sum b + b'
of two vectors of the cone K = {v >= 0 : v_j <= gamma v_l} that are not proportional to it. If so, P with that row
replaced by b and b' garbles to P (add them) and is strictly better: for a payoff that is convex and positively
homogeneous, not linear between b and b', it earns more. Conversely P = C A with parity(A) <= gamma writes row i as
the sum of the vectors C_iu A_u of K; if these are always proportional to row i, then every row of C has its weight on
one direction, and A is P with rows split proportionally: equivalent.
"""

from __future__ import annotations

import random
from fractions import Fraction
from math import lcm

Row = tuple[Fraction, ...]
Matrix = tuple[Row, ...]


def maximum(objective: list[Fraction], rows: list[tuple[list[Fraction], Fraction]]) -> tuple[Fraction, list[Fraction]]:
    """Return max c.x and a maximiser over {x >= 0 : a.x <= b}, all b >= 0: Bland's rule in integers (Edmonds)."""
    n, m = len(objective), len(rows)
    scaled = []
    for a, b in rows:
        s = lcm(b.denominator, *(x.denominator for x in a))
        scaled.append([int(x * s) for x in a] + [int(b * s)])
    size = lcm(*(x.denominator for x in objective))
    # rows of the dictionary: one for each constraint (slack variable n + i), the last one is the objective
    table = [[*row] for row in scaled] + [[-int(x * size) for x in objective] + [0]]
    nonbasic, basic, unit = list(range(n)), list(range(n, n + m)), 1
    while True:
        entering = min((j for j in range(n) if table[m][j] < 0), key=lambda j: nonbasic[j], default=None)
        if entering is None:
            break
        candidates = [i for i in range(m) if table[i][entering] > 0]
        assert candidates, "unbounded"
        leaving = min(candidates, key=lambda i: (Fraction(table[i][n], table[i][entering]), basic[i]))
        pivot = table[leaving][entering]
        for i in range(m + 1):
            if i == leaving:
                continue
            factor = table[i][entering]
            table[i] = [(x * pivot - factor * y) // unit for x, y in zip(table[i], table[leaving], strict=True)]
            table[i][entering] = -factor
        table[leaving][entering] = unit
        unit = pivot
        nonbasic[entering], basic[leaving] = basic[leaving], nonbasic[entering]
    x = [Fraction(0)] * (n + m)
    for i in range(m):
        x[basic[i]] = Fraction(table[i][n], unit)
    return Fraction(table[m][n], unit * size), x[:n]


def split(row: Row, gamma: Fraction, rng: random.Random) -> Row | None:
    """Return b in K with row - b in K, b not proportional to the row, or None when there is none.

    Maximises a random functional that vanishes at the row: its maximum is 0 iff every b is proportional to the row
    (up to the chance, below 1e-9 for each row, that it vanishes at every b that is not proportional).
    """
    k = len(row)
    direction = [Fraction(rng.randint(-(10**9), 10**9)) for _ in row]
    direction[0] = -sum((d * x for d, x in zip(direction[1:], row[1:], strict=True)), Fraction(0)) / row[0]
    rows: list[tuple[list[Fraction], Fraction]] = []
    for j in range(k):
        for other in range(k):
            if j != other:
                pair = [Fraction(0)] * k
                pair[j], pair[other] = Fraction(1), -gamma
                rows.append((pair, Fraction(0)))
                rows.append(([-x for x in pair], gamma * row[other] - row[j]))
    for j in range(k):
        unit = [Fraction(int(i == j)) for i in range(k)]
        rows.append((unit, row[j]))
    value, b = maximum(direction, rows)
    return tuple(b) if value > 0 else None


def is_dominated(matrix: Matrix, gamma: Fraction, rng: random.Random) -> bool:
    """Whether some mechanism of parity at most gamma is strictly more informative, by linear programs."""
    return any(split(row, gamma, rng) is not None for row in matrix)


def garbles(source: Matrix, target: Matrix) -> bool:
    """Whether target = D source for a column-stochastic D: one exact linear program in the entries of D."""
    m, r, k = len(source), len(target), len(source[0])
    rows: list[tuple[list[Fraction], Fraction]] = []
    for i in range(r):
        for j in range(k):
            coefficients = [Fraction(0)] * (r * m)
            for o in range(m):
                coefficients[i * m + o] = source[o][j]
            rows.append((coefficients, target[i][j]))
    for o in range(m):
        rows.append(([Fraction(int(index % m == o)) for index in range(r * m)], Fraction(1)))
    total = [sum((row[0][index] for row in rows), Fraction(0)) for index in range(r * m)]
    return maximum(total, rows)[0] == sum((b for _, b in rows), Fraction(0))


def proportional(left: Row, right: Row) -> bool:
    """Whether two rows without zeros are multiples of each other."""
    return all(a * right[0] == b * left[0] for a, b in zip(left, right, strict=True))


def without_proportional_rows(matrix: Matrix) -> Matrix:
    """Return the matrix with proportional rows added up, by comparing all pairs."""
    merged: list[Row] = []
    for row in matrix:
        for i, other in enumerate(merged):
            if proportional(row, other):
                merged[i] = tuple(a + b for a, b in zip(row, other, strict=True))
                break
        else:
            merged.append(row)
    return tuple(merged)


def completed(rows: list[list[Fraction]], rng: random.Random) -> Matrix:
    """Return a mechanism that begins with multiples of positive rows and ends with what is missing to 1."""
    largest = max(sum(column) for column in zip(*rows, strict=True))
    scale = Fraction(rng.randint(1, 9), 10) / largest
    scaled = [tuple(x * scale for x in row) for row in rows]
    return (*scaled, tuple(1 - sum(column) for column in zip(*scaled, strict=True)))


def random_rows(k: int, rng: random.Random) -> list[list[Fraction]]:
    """Return positive rows with ties, constants, proportional copies and near-ties of 1e-12."""
    rows: list[list[Fraction]] = []
    for _ in range(rng.randint(1, 5)):
        kind = rng.choice(["any", "few", "two", "constant", "copy", "near"])
        low, high = Fraction(rng.randint(1, 9)), Fraction(rng.randint(10, 20))
        row = {
            "any": lambda: [Fraction(rng.randint(1, 30)) for _ in range(k)],
            "few": lambda low=low, high=high: [rng.choice([low, high, (low + high) / 2]) for _ in range(k)],
            "two": lambda low=low, high=high: [rng.choice([low, high]) for _ in range(k)],
            "constant": lambda low=low: [low] * k,
            "copy": lambda low=low: [x * low / 7 for x in rng.choice(rows)] if rows else [low] * k,
            "near": lambda low=low, high=high: [
                rng.choice([low, high]) + rng.choice([0, 1, -1]) * Fraction(1, 10**12) for _ in range(k)
            ],
        }[kind]()
        rows.append(row)
    return rows
