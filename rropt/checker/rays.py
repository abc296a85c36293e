"""The rays of a privacy region: finitely many directions of rows that suffice for every bound (rays_way.md).

The hyperplanes ``p_j = 0`` and ``p_j = gamma p_l`` of the slopes of g divide the cone of rows into cells. This module
lists every extreme ray of every cell. Its list may contain further vectors of the cone: testing the inequality on them
asks for more than is needed, never for less. Rays are determined up to a positive factor, and are lists of integers.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm

from .documents import Rejected, WorkBudget, bits_of, key_of
from .matrices import widest

Ray = list[int]
Tie = tuple[int, int, Fraction]  # (j, l, gamma): the constraint r_j = gamma r_l is tight


class Staircase:
    """The rays of a single level with delta = 0: {1, gamma}^k, in integers, generated on demand."""

    def __init__(self, k: int, gamma: Fraction, budget: WorkBudget) -> None:
        if k > budget.inputs:
            raise Rejected(f"the rays of {k} inputs are not listed: at most {budget.inputs} inputs are")
        if gamma <= 1:
            raise Rejected("gamma is not above 1 where delta is 0")
        self.k, self.low, self.high, self.budget = k, gamma.denominator, gamma.numerator, budget
        self.longest = self.high.bit_length()

    def __iter__(self) -> Iterator[Ray]:
        self.budget.spend_in_bulk(2 * self.k * 2**self.k, 0, 0)
        for row in product((self.low, self.high), repeat=self.k):
            yield list(row)

    def negative(self, form: Sequence[Sequence[int]]) -> Ray | None:
        """Return a ray with ``r S r^T < 0`` for a symmetric S, or None if there is none.

        The entries are chosen one after another. The search keeps the contribution of the chosen entries, and their
        contribution to the coefficient of each remaining entry. Hence each ray costs a few additions.
        """
        longest = widest(*form) + 2 * self.longest + 2 * self.k.bit_length()
        self.budget.spend_in_bulk(6 * 2**self.k + 4 * self.k**2, longest, 0)
        steps = []
        for j, row in enumerate(form):
            rest = [2 * x for x in row[j + 1 :]]
            for x in (self.low, self.high):
                steps.append((x, row[j] * x * x, [y * x for y in rest]))
        last = self.k - 1

        def search(j: int, value: int, line: list[int]) -> Ray | None:
            first = line[0]
            if j == last:
                for x, square, _ in steps[2 * j : 2 * j + 2]:
                    if value + x * first + square < 0:
                        return [x]
                return None
            rest = line[1:]
            for x, square, more in steps[2 * j : 2 * j + 2]:
                found = search(j + 1, value + x * first + square, [a + b for a, b in zip(rest, more, strict=True)])
                if found is not None:
                    return [x, *found]
            return None

        return search(0, 0, [0] * self.k)


def grown_rays(k: int, walls: Iterable[Tie], bends: Iterable[Tie], budget: WorkBudget) -> list[Ray]:
    """Return the rays for the levels of a region.

    Levels with delta = 0 (``walls``) bound the cone, and the others (``bends``) divide it into cells. Rays grow from
    unit vectors, one input at a time along a tie. Entries are indices into a table of products of powers of gammas, so
    equal entries have equal indices.
    """
    return _Growth(k, list(walls), list(bends), budget).rays()


class _Growth:
    def __init__(self, k: int, walls: list[Tie], bends: list[Tie], budget: WorkBudget) -> None:
        self.k, self.budget = k, budget
        self.table, self.places = [Fraction(1)], {key_of(Fraction(1)): 0}
        self.steps: dict[tuple[int, str], int] = {}
        self.verdicts: dict[tuple[int, int, int, int], bool] = {}
        self.ties: dict[tuple[int, int], dict[str, Fraction]] = {}  # (from, to): the factors by their texts
        self.walls: dict[tuple[int, int], Fraction] = {}
        for j, i, gamma in walls:
            self.walls[j, i] = min(gamma, self.walls.get((j, i), gamma))
        for j, i, gamma in (*walls, *bends):
            budget.spend(2)
            self.ties.setdefault((i, j), {})[key_of(gamma)] = gamma
            self.ties.setdefault((j, i), {})[key_of(1 / gamma)] = 1 / gamma

    def rays(self) -> list[Ray]:
        found: list[tuple[int, ...]] = []
        for first in range(self.k):  # the first positive entry, which is 1
            layer = {(-1,) * first + (0,) + (-1,) * (self.k - first - 1)}
            while layer:
                if len(layer) + len(found) > self.budget.rays:
                    raise Rejected(f"the region has more than {self.budget.rays} rays")
                found += filter(self._is_inside, layer)
                layer = {new for r in layer for new in self._grown(r, first)}
        longest = max(map(bits_of, self.table))
        self.budget.spend(len(found) * (1 + self.k // 2), longest, longest)
        return [self._integers(r) for r in found]

    def _grown(self, r: tuple[int, ...], first: int) -> Iterator[tuple[int, ...]]:
        """Yield the vectors with one more positive entry, after the first one, along a tie."""
        inside = [i for i in range(first, self.k) if r[i] >= 0]
        for j in range(first + 1, self.k):
            if r[j] >= 0:
                continue
            entries = {self._step(r[i], *tie) for i in inside for tie in self.ties.get((i, j), {}).items()}
            self.budget.spend(1 + len(entries))
            for entry in entries:
                new = (*r[:j], entry, *r[j + 1 :])
                if not self.walls or all(self._meets(new, *pair) for i in inside for pair in ((i, j), (j, i))):
                    yield new

    def _step(self, place: int, key: str, factor: Fraction) -> int:
        """Return the index of an entry times a factor."""
        if (place, key) not in self.steps:
            value = self.table[place] * factor
            self.budget.spend(4, bits_of(value), bits_of(factor))
            written = key_of(value)
            if written not in self.places:
                self.places[written] = len(self.table)
                self.table.append(value)
            self.steps[place, key] = self.places[written]
        return self.steps[place, key]

    def _is_inside(self, r: tuple[int, ...]) -> bool:
        """Return whether a vector satisfies every wall."""
        self.budget.spend(1 + len(self.walls) // 8)
        return all(r[j] < 0 or (r[i] >= 0 and self._meets(r, j, i)) for j, i in self.walls)

    def _meets(self, r: tuple[int, ...], j: int, i: int) -> bool:
        """Return whether ``r_j <= gamma r_l`` for the wall of (j, l), or True without a wall; both entries are
        positive.
        """
        gamma = self.walls.get((j, i))
        if gamma is None:
            return True
        key = r[j], r[i], j, i
        if key not in self.verdicts:
            left, right = self.table[r[j]], self.table[r[i]]
            self.budget.spend(2, bits_of(left), bits_of(right) + bits_of(gamma))
            self.verdicts[key] = left <= gamma * right
        return self.verdicts[key]

    def _integers(self, r: tuple[int, ...]) -> Ray:
        entries = [self.table[x] if x >= 0 else Fraction(0) for x in r]
        scale = lcm(*(x.denominator for x in entries))
        return [x.numerator * (scale // x.denominator) for x in entries]


def shown(ray: Sequence[int]) -> str:
    """Return a ray as a short text."""
    return f"({', '.join(str(x) if x.bit_length() < 40 else '...' for x in ray)})"
