"""The rays of a region with one level, as exponents of gamma: ``r_j = gamma^x_j``, or 0 where x_j is -1.

Rows of a mechanism may be taken from these directions (FORMAT.md, rule 25): with delta = 0 the *staircase rows* {1,
gamma}^k of Kairouz, Oh and Viswanath (JMLR 17 (2016)), with delta > 0 the ordered partitions of subsets of the
categories. The number of them for k = 2, 3, 4, 5, 6 is 4, 14, 30, 62 - 2 at delta = 0 and 4, 21, 138, 1055, 9308 else.

Cost: (k + 1)^k tuples are looked at with delta > 0, 2^k without.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Exponents = tuple[int, ...]

MOST_INPUTS = 10  # with delta = 0: 1024 rays
MOST_INPUTS_WITH_DELTA = 6


@lru_cache(maxsize=8)
def ray_exponents(k: int, *, has_delta: bool) -> tuple[Exponents, ...]:
    """Return the exponents of all rays of k inputs.

    >>> [len(ray_exponents(k, has_delta=True)) for k in (2, 3, 4)], len(ray_exponents(4, has_delta=False))
    ([4, 21, 138], 14)
    """
    if not has_delta:
        return tuple(product((0, 1), repeat=k))[1:-1]
    return tuple(x for x in product(range(-1, k), repeat=k) if _is_ray(x))


def _is_ray(exponents: Exponents) -> bool:
    """Return whether the exponents other than -1 take each value 0, ..., h, with h >= 1 or a single input."""
    values = set(exponents) - {-1}
    return values == set(range(len(values))) and (len(values) > 1 or exponents.count(0) == 1)


def ray_row(exponents: Exponents, gamma: Fraction) -> list[Fraction]:
    """Return the row of a ray at a rational gamma, with 1 as its largest entry."""
    top = max(exponents)
    return [Fraction(0) if x < 0 else gamma ** (x - top) for x in exponents]


def excess_pairs(k: int) -> list[tuple[int, int]]:
    """Return the ordered pairs (j, l), in the order of the columns of ``float_rows``'s excesses."""
    return [(j, i) for j in range(k) for i in range(k) if i != j]


def float_rows(
    rays: Sequence[Exponents], gamma: float, population: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ``r/s`` with s = r.pi, shape (n, k), and ``max(0, r_j - gamma r_l)/s`` by pair, shape (n, k (k - 1))."""
    import numpy as np

    x = np.array(rays)
    powers = np.where(x < 0, 0.0, float(gamma) ** (x - x.max(1, keepdims=True)))  # the largest entry is 1
    rows = powers / (powers @ np.array(population))[:, None]
    pairs = excess_pairs(x.shape[1])
    # r_j - gamma r_l is positive where x_j > x_l + 1: exactly 0 where the difference of exponents is 1
    columns = []
    for j, i in pairs:
        is_above = (x[:, j] >= 0) & ((x[:, i] < 0) | (x[:, j] > x[:, i] + 1))
        columns.append(np.where(is_above, rows[:, j] - gamma * rows[:, i], 0.0))
    return rows, np.array(columns).T.reshape(len(x), -1)
