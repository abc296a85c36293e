"""The rows that suffice: edges of the cells between the planes ``r_j = 0`` and ``r_j = gamma r_l``.

A row is written by its exponents of gamma, ``None`` for the entry 0; the least exponent is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

Exponents = tuple[int | None, ...]


@cache
def staircase_rows(k: int) -> Sequence[Exponents]:
    """Return the edges of the cone ``r_j <= gamma r_l``: rows of 1 and gamma, without the constant ones."""
    return tuple(row for row in product((0, 1), repeat=k) if 0 < sum(row) < k)


@cache
def edges(k: int) -> Sequence[Exponents]:
    """Return the edges of all cells: the positive entries are joined by a tree of equations ``r_j = gamma r_l``."""
    grown: set[Exponents] = {tuple(0 if i == j else None for i in range(k)) for j in range(k)}
    every = set(grown)
    for _ in range(k - 1):
        new = set()
        for row in grown:
            for j, own in enumerate(row):
                if own is not None:
                    continue
                for power in {near for x in row if x is not None for near in (x - 1, x + 1)}:
                    made = [power if i == j else x for i, x in enumerate(row)]
                    least = min(x for x in made if x is not None)
                    new.add(tuple(None if x is None else x - least for x in made))
        grown = new
        every |= new
    return tuple(sorted(every, key=lambda row: [-1 if x is None else x for x in row]))
