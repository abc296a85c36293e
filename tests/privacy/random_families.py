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


def every(inputs: int) -> PropertyFamily:
    """The single inputs, which are as strict as all properties together (Lemma 3.2)."""
    return PropertyFamily(inputs, [[j] for j in range(inputs)])


def is_trivial(family: PropertyFamily) -> bool:
    """Every property is empty or contains all inputs, so that the family imposes no constraint."""
    return all(len(q) in (0, family.inputs) for q in family.properties)


def protects(family: PropertyFamily, chosen: set[int] | frozenset[int]) -> bool:
    """The family separates each input of the property from each other one."""
    rest = [other for other in range(family.inputs) if other not in chosen]
    return all(family.separates(j, other) for j in chosen for other in rest)


def steps_from(family: PropertyFamily, start: int) -> list[int | None]:
    """The steps from an input to each input, None where no chain of separated pairs leads there."""
    steps = {start: 0}
    for n in range(1, family.inputs):
        last = [j for j, d in steps.items() if d == n - 1]
        steps = {x: n for x in range(family.inputs) if any(family.separates(j, x) for j in last)} | steps
    return [steps.get(x) for x in range(family.inputs)]


def widest_mechanism(family: PropertyFamily, bound: Fraction) -> Mechanism:
    """A mechanism with ``eta_F = B`` and the largest possible parity, ``B^diameter``.

    Choose an input with the largest distance to another one. Let d_l be the number of steps from it to input l, and
    ``c = 1 - 1/B``. The rows are ``c B^(-d_l)`` and ``1 - c B^(-d_l)``, with ``B^(-infinity) = 0``. The first row has
    this parity, the second at most ``1/(1-c) = B``.
    """
    rows = [steps_from(family, j) for j in range(family.inputs)]
    far = max(rows, key=lambda row: (None in row, max(steps or 0 for steps in row)))
    first = [F(0) if steps is None else (1 - 1 / bound) * bound**-steps for steps in far]
    return Mechanism([first, [1 - x for x in first]])
