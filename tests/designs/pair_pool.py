"""Random pairs of mechanisms of every shape that the comparison distinguishes."""

from __future__ import annotations

import random
from fractions import Fraction

from column_stochastic import column_stochastic

from rropt.mechanisms import Mechanism

Row = list[Fraction]
Matrix = list[Row]

SHAPES = ("fewer", "square", "more", "deficient", "proportional", "zero rows", "twin columns", "boundary", "responses")


def product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns] for row in left]


def response(k: int, odds: Fraction) -> Matrix:
    """Return k-ary randomized response: the diagonal is `odds` times the rest."""
    rest = 1 / (odds + k - 1)
    return [[odds * rest if i == j else rest for j in range(k)] for i in range(k)]


def shuffled(matrix: Matrix, rng: random.Random) -> Matrix:
    """Return the rows in another order."""
    return rng.sample(matrix, len(matrix))


def split(matrix: Matrix, rng: random.Random) -> Matrix:
    """Return the matrix with some rows split into proportional ones: an equivalent mechanism."""
    made = []
    for row in matrix:
        share = Fraction(rng.randint(1, 5), 6) if rng.random() < 0.5 else Fraction(1)
        made += [[share * x for x in row]] + ([[(1 - share) * x for x in row]] if share < 1 else [])
    return shuffled(made, rng)


def near(matrix: Matrix, rng: random.Random, step: Fraction) -> Matrix:
    """Return the matrix moved by a step, still stochastic: mass from one row to another in one column."""
    moved = [list(row) for row in matrix]
    j = rng.randrange(len(matrix[0]))
    taken = rng.choice([i for i in range(len(matrix)) if matrix[i][j] >= step])
    given = rng.randrange(len(matrix))
    moved[taken][j] -= step
    moved[given][j] += step
    return moved


def source(shape: str, k: int, rng: random.Random) -> Matrix:
    """Return P of a shape."""
    if shape == "fewer":
        return column_stochastic(rng, rng.randint(1, max(1, k - 1)), k)
    if shape == "more":
        return column_stochastic(rng, k + rng.randint(1, 2), k)
    if shape == "deficient":
        inner = rng.randint(1, max(1, k - 1))
        return product(column_stochastic(rng, k + rng.randint(0, 1), inner), column_stochastic(rng, inner, k))
    square = column_stochastic(rng, k, k)
    if shape == "proportional":
        return split(square, rng)
    if shape == "zero rows":
        return shuffled([*square, [Fraction(0)] * k], rng)
    if shape == "twin columns":
        twin = rng.randrange(k)
        return [[*row, row[twin]] for row in square]
    if shape == "responses":
        return response(k, Fraction(rng.randint(1, 40), rng.randint(1, 9)))
    return square


def random_pair(shape: str, rng: random.Random) -> tuple[Mechanism, Mechanism]:
    """Return (source, target): half of them A = C P by construction, a third of these then moved a little."""
    k = rng.randint(2, 4)
    p = source(shape, k, rng)
    if shape == "responses":
        a = shuffled(source(shape, k, rng), rng)
    elif rng.random() < 0.5:
        zeros = rng.choice(
            [0.2, 1.0]
        )  # 1.0: each answer of P becomes one of A, so that a small step may leave the cone
        a = product(column_stochastic(rng, rng.randint(2, 4), len(p), zeros=zeros), p)
    else:
        a = column_stochastic(rng, rng.randint(1, 4), len(p[0]))
        if shape == "twin columns" and rng.random() < 0.7:
            a = [[*row[:-1], row[p[0].index(p[0][-1])]] for row in a]
    if (shape == "boundary" or rng.random() < 0.2) and len(a) > 1:
        a = near(a, rng, Fraction(1, 10 ** rng.randint(3, 30)))
    return Mechanism(p), Mechanism(a)
