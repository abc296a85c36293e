"""What the entries about designs share: patterns, random private mechanisms, duals, and equations of named sums."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

__all__ = [
    "Matrix",
    "dot",
    "least_alpha",
    "matrix",
    "numbers",
    "patterns",
    "population",
    "private",
    "some_numbers",
]

Numbers = tuple[Fraction, ...]
Matrix = tuple[Numbers, ...]


def numbers(text: str) -> Numbers:
    """Return the numbers of a line."""
    return tuple(map(Fraction, text.split()))


def matrix(text: str) -> Matrix:
    """Return a matrix whose rows are divided by semicolons."""
    return tuple(map(numbers, text.split(";")))


def dot(left: Iterable[Fraction], right: Iterable[Fraction]) -> Fraction:
    """Return the sum of the products."""
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def patterns(k: int, gamma: Fraction) -> list[Numbers]:
    """Return all rows of 1 and gamma."""
    return list(product((Fraction(1), gamma), repeat=k))


def population(rng: random.Random, k: int) -> Numbers:
    """Return positive shares that sum to 1."""
    shares = [Fraction(rng.randint(1, 9)) for _ in range(k)]
    return tuple(x / sum(shares) for x in shares)


def private(rng: random.Random, k: int, pairs: int, gamma: Fraction) -> Matrix:
    """Return a mechanism of k inputs and two answers for each pair, whose rows have ratios of at most gamma.

    A row between 1 and gamma and what it leaves of 1 + gamma, which is one too; at times both are patterns.
    """
    weights = population(rng, pairs)
    rows = []
    for weight in weights:
        whole = rng.random() < 0.5
        shares = [Fraction(rng.randint(0, 1) if whole else rng.randint(0, 4), 1 if whole else 4) for _ in range(k)]
        row = [1 + (gamma - 1) * x for x in shares]
        rows += [[weight * x / (1 + gamma) for x in row], [weight * (1 + gamma - x) / (1 + gamma) for x in row]]
    return tuple(map(tuple, rows))


def least_alpha(
    square: Callable[[Numbers], Fraction], slopes: Numbers, pi: Numbers, rows: Iterable[Numbers]
) -> Numbers:
    """Return alpha = slopes + t pi, t the least number with ``square(S) <= (alpha . S)(S . pi)`` for these rows."""
    least = max((square(s) / dot(s, pi) - dot(slopes, s)) / dot(s, pi) for s in rows)
    return tuple(x + least * p for x, p in zip(slopes, pi, strict=True))


def some_numbers(rng: random.Random, names: Iterable[str]) -> dict[str, Fraction]:
    """Return numbers of 0 or more for identities that are next to a case; the first one is positive."""
    return {name: Fraction(rng.randint(not place, 9), 4) for place, name in enumerate(names)}
