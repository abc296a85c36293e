"""Families of properties and mechanisms, at random or all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from rropt.mechanisms import Mechanism
from rropt.privacy.criteria.restricted_families import PropertyFamily

F = Fraction


def random_mechanism(rng: random.Random, k: int, m: int, zeros: float) -> Mechanism:
    """A matrix of small integers over their column sums."""
    while True:
        rows = [[0 if rng.random() < zeros else rng.randint(1, 6) for _ in range(k)] for _ in range(m)]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        if all(sums):
            return Mechanism([[F(x, s) for x, s in zip(row, sums, strict=True)] for row in rows])


def random_family(rng: random.Random, k: int) -> PropertyFamily:
    return PropertyFamily(
        k, [[j for j in range(k) if rng.random() < 0.5] for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4)))]
    )


def families(k: int, step: int = 1) -> Iterator[PropertyFamily]:
    """Every set of subsets of k inputs, or each step-th."""
    subsets = [[j for j in range(k) if bits >> j & 1] for bits in range(2**k)]
    for bits in range(0, 2 ** len(subsets), step):
        yield PropertyFamily(k, [q for i, q in enumerate(subsets) if bits >> i & 1])
