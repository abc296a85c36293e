"""List the rays of a region: the row directions that suffice for an optimal mechanism (checker/rays_way.md).

A ray r is a nonnegative vector with two properties:

* It satisfies every level with delta = 0.
* Its positive entries form a connected graph, in which two entries are joined if a level is tight for them: ``r_j =
  gamma_t r_l``.

The number of rays depends on the levels:

* Under one level with delta = 0, the rays are the *staircase rows* of Kairouz, Oh and Viswanath (JMLR 17 (2016)), the
  nonconstant vectors in {1, gamma}^k. There are 2, 6, 14, 30, 62 of them for k = 2, 3, 4, 5, 6 categories.
* Under one level with delta > 0, they correspond to the ordered partitions of subsets of the categories. There are 4,
  21, 138, 1055, 9308 of them for k = 2, 3, 4, 5, 6.
* Under two levels for all pairs, there are 6, 63, 920, 17 105 for k = 2, 3, 4, 5.

The enumeration starts from unit vectors and adds one category at a time along a tight level. Entries are products of
powers of the odds bounds. All distinct products are stored in one table, and a ray stores the indices of its entries in
this table. Hence equal entries have equal indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Literal, NamedTuple

from rropt.checker.limits import LARGE_PATTERN_INPUTS
from rropt.core.errors import UnsupportedProblemError
from rropt.core.lazy import numpy as np
from rropt.privacy.region import LevelPart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.ray_criteria import Array

Side = Literal["below", "above"]
Condition = tuple[int, int, int]  # (j, l, t): level t of the ordered pair (j, l)

MOST_RAYS = 1 << 20  # enough for 20 categories at one level with delta = 0, or for 7 with delta > 0
MOST_INPUTS = 18, LARGE_PATTERN_INPUTS  # under one level with delta = 0, for the default and the large budget
MOST_INPUTS_WITH_DELTA = 6, 7  # under one level with delta > 0: 9308 and 94 465 rays
_BLOCK, _BLOCK_ENTRIES = 1 << 15, 1 << 22  # rays per block of floating-point work; largest number of excesses per block
_LEAST_DELTA = 1e-20  # in floats, relative to (gamma - 1)^2: the slacks of a smaller delta are rounding errors
_TIGHT = 1e-13  # smaller relative excesses in floats are treated as 0: the level is tight


class Odds(NamedTuple):
    """A product of powers of the odds bounds, evaluated at the rational levels above and below."""

    above: Fraction
    below: Fraction


class Floats(NamedTuple):
    """Rays in floats.

    Attributes:
        rows: the rays, scaled to ``r.scale = 1``, shape (n, k).
        steps: rows minus 1, shape (n, k). Without conditions, or if all entries are positive, their relative error is
            small even for nearly constant rays.
        excesses: ``max(0, r_j - gamma r_l)`` for each condition, shape (n, q).
        apart: the array from which contrasts are computed: rows with conditions, otherwise steps for accuracy.
    """

    rows: Array
    steps: Array
    excesses: Array
    apart: Array


class Fan:
    """The rays of a region with k inputs.

    Attributes:
        k: the number of categories.
        parts: the levels.
        scale: a distribution with ``r.scale > 0`` for every ray; floats of rays have ``r.scale = 1``.
        table: the products of odds bounds that occur as entries; the first product is 1.
        places: the index of each entry in the table, or -1 for the entry 0; shape (n, k).
        conditions: the pairs with delta > 0.
        deltas: delta of each condition, in floats, at the levels above; at least a tiny one.
        is_staircase: whether the rays are all staircase rows of one level with delta = 0.

    Raises:
        UnsupportedProblemError: there are more than ``MOST_RAYS``.
    """

    def __init__(self, k: int, parts: Sequence[LevelPart], scale: Sequence[Fraction]) -> None:
        self.k, self.parts, self.scale = k, tuple(parts), tuple(scale)
        self.table, self.places = _listed(k, self.parts)
        slack = [(t, part) for t, part in enumerate(self.parts) if part.above.delta > 0]
        self.conditions: tuple[Condition, ...] = tuple((j, i, t) for t, part in slack for j, i in part.pairs)
        self.is_staircase = not self.conditions and len(self.table) == 2 and len(self) == 2**k - 2
        self._is_positive = not self.conditions or self.places.min(initial=0) >= 0
        self._entries = np.array([float(odds.above) for odds in self.table] + [0.0])  # place -1 stands for the entry 0
        self._beyond = np.array([float(odds.above - 1) for odds in self.table] + [-1.0])
        self._scale = np.array([float(x) for x in self.scale])
        self._gammas = np.array([float(self.parts[t].above.gamma) for _, _, t in self.conditions])
        least = _LEAST_DELTA * min(1.0, *(float(part.above.gamma - 1) for part in self.parts)) ** 2
        self.deltas = np.array([max(float(self.parts[t].above.delta), least) for _, _, t in self.conditions])

    def __len__(self) -> int:
        return len(self.places)

    def row(self, i: int, side: Side) -> list[Fraction]:
        """Return ray i at the rational levels below or above, scaled to largest entry 1."""
        places = self.places[i].tolist()
        entries = {x: getattr(self.table[x], side) for x in {*places} if x >= 0}
        largest = max(entries.values())
        entries = {x: entry / largest for x, entry in entries.items()} | {-1: Fraction(0)}
        return [entries[x] for x in places]

    def floats(self, chosen: slice | NDArray[np.intp] | None = None) -> Floats:
        """Return the chosen rays in floats, by default all."""
        places = self.places if chosen is None else self.places[chosen]
        rows = self._entries[places]
        rows = rows / rows.max(1, keepdims=True)
        rows /= (rows @ self._scale)[:, None]
        steps = rows - 1
        if self._is_positive:
            steps = self._beyond[places]
            means = steps @ self._scale
            steps = (steps - means[:, None]) / (1 + means)[:, None]
        if not self.conditions:
            return Floats(rows, steps, np.zeros((len(rows), 0)), steps)
        j, i = (np.array(ends) for ends in list(zip(*self.conditions, strict=True))[:2])
        return Floats(rows, steps, float_excess(rows[:, j], rows[:, i], self._gammas), rows)

    def blocks(self) -> Iterator[Floats]:
        """Iterate over all rays in floats, in blocks."""
        size = max(1, min(_BLOCK, _BLOCK_ENTRIES // max(1, len(self.conditions))))
        for start in range(0, len(self), size):
            yield self.floats(slice(start, start + size))


def float_excess(left: Array, right: Array, gamma: Array | float) -> Array:
    """Return ``max(0, left - gamma right)`` for entries of rays in floats: exactly 0 where a level is tight."""
    over = left - gamma * right
    return np.where(over > _TIGHT * left, over, 0.0)


@lru_cache(maxsize=4)
def _listed(k: int, parts: tuple[LevelPart, ...]) -> tuple[tuple[Odds, ...], NDArray[np.int32]]:
    if len(parts) == 1 and not parts[0].above.delta and len(parts[0].pairs) == k * (k - 1) and parts[0].above.gamma > 1:
        _require_few(2.0**k, k)
        numbers = np.arange(1, 2**k - 1)
        bits = (numbers[:, None] >> np.arange(k - 1, -1, -1)) & 1
        return (Odds(Fraction(1), Fraction(1)), Odds(parts[0].above.gamma, parts[0].below.gamma)), bits.astype(np.int32)
    if all(len(part.pairs) == k * (k - 1) for part in parts):
        _require_few_orders(k, parts)
    growth = _Growth(k, parts)
    found = growth.rays()
    return tuple(growth.table), np.array(found, dtype=np.int32).reshape(-1, k)


def _require_few(count: float, k: int) -> None:
    if count > MOST_RAYS:
        raise UnsupportedProblemError(
            f"the region has more than {MOST_RAYS} rays: received {k} categories; merge categories, or give "
            "fewer levels"
        )


def _require_few_orders(k: int, parts: Sequence[LevelPart]) -> None:
    """Count the rays under levels for all pairs before they are listed: sets of entries, times the orders of each.

    Equal entries count several times. With delta > 0 for all levels, each subset of the categories has rays.
    """
    odds = {part.above.gamma for part in parts}
    wall = min((part.above.gamma for part in parts if not part.above.delta), default=None)
    sets: set[tuple[Fraction, ...]] = {(Fraction(1),)}
    count = 0
    for n in range(1, k + 1):
        if n > 1:
            grown = (sorted((*r, y)) for r in sets for x in {*r} for g in odds for y in (x * g, x / g))
            sets = {tuple(x / r[-1] for x in r) for r in grown if wall is None or r[-1] <= wall * r[0]}
        orders = sum(factorial(n) // prod(factorial(r.count(x)) for x in {*r}) for r in sets)
        count = count + comb(k, n) * orders if wall is None else orders  # which do not decrease with n
        _require_few(count, k)


class _Growth:
    """Enumeration of rays from unit vectors; each entry is an index into a table of products of odds bounds."""

    def __init__(self, k: int, parts: tuple[LevelPart, ...]) -> None:
        self.k = k
        self.table = [Odds(Fraction(1), Fraction(1))]
        self._place = {Fraction(1): 0}
        self._steps: dict[tuple[int, int, bool], int] = {}
        self._compared: dict[tuple[int, int, int], bool] = {}
        self._odds: list[Odds] = []
        edges: dict[tuple[int, int], set[tuple[int, bool]]] = {}  # the odds bound, and whether to multiply
        walls: dict[tuple[int, int], Fraction] = {}
        known: dict[Fraction, int] = {}
        for part in parts:
            gamma = part.above.gamma
            if gamma not in known:
                known[gamma] = len(self._odds)
                self._odds.append(Odds(gamma, part.below.gamma))
            place = known[gamma]
            for j, i in part.pairs:
                edges.setdefault((i, j), set()).add((place, True))
                edges.setdefault((j, i), set()).add((place, False))
                if not part.above.delta:
                    walls[j, i] = min(gamma, walls.get((j, i), gamma))
        self._edges = {ends: sorted(found) for ends, found in edges.items()}
        self._walls = {ends: known[gamma] for ends, gamma in walls.items()}

    def rays(self) -> list[tuple[int, ...]]:
        """Return the rays that satisfy all levels with delta = 0."""
        found: list[tuple[int, ...]] = []
        for first in range(self.k):  # the first positive entry, which is 1
            layer = {(-1,) * first + (0,) + (-1,) * (self.k - first - 1)}
            while layer:
                found += [
                    r for r in layer if all(r[j] < 0 or (r[i] >= 0 and self._meets(r, j, i)) for j, i in self._walls)
                ]
                _require_few(len(found) + len(layer), self.k)
                layer = {new for r in layer for new in self._grown(r, first)}
        return sorted(found)

    def _grown(self, r: tuple[int, ...], first: int) -> Iterator[tuple[int, ...]]:
        outside = [j for j in range(first + 1, self.k) if r[j] < 0]
        inside = [i for i in range(first, self.k) if r[i] >= 0]
        for j in outside:
            entries = {self._step(r[i], odds, up) for i in inside for odds, up in self._edges.get((i, j), ())}
            for entry in entries:
                new = (*r[:j], entry, *r[j + 1 :])
                if all(self._meets(new, a, b) for i in inside for a, b in ((i, j), (j, i)) if (a, b) in self._walls):
                    yield new

    def _step(self, place: int, odds: int, up: bool) -> int:  # a key
        """Multiply (``up``) or divide an entry by an odds bound; return the table index of the result."""
        key = place, odds, up
        if key not in self._steps:
            entry, factor = self.table[place], self._odds[odds]
            new = Odds(*(x * y if up else x / y for x, y in zip(entry, factor, strict=True)))
            if new.above not in self._place:
                self._place[new.above] = len(self.table)
                self.table.append(new)
            self._steps[key] = self._place[new.above]
        return self._steps[key]

    def _meets(self, r: tuple[int, ...], j: int, i: int) -> bool:
        """Return whether ``r_j <= gamma r_l`` for two positive entries.

        Here gamma is the smallest odds bound among the levels with delta = 0 for the pair (j, l).
        """
        key = r[j], r[i], self._walls[j, i]
        if key not in self._compared:
            gamma = self._odds[key[2]].above
            self._compared[key] = self.table[key[0]].above <= gamma * self.table[key[1]].above
        return self._compared[key]
