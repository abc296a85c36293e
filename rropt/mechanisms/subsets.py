"""Answers as subsets of the categories: of a mechanism of orbits whose rows have a larger and a smaller entry each.

Such a row says the categories at which it is larger, and it is the only one of them that does, if no two orbits have
equally many of the larger entries in every group. Subset selection is one; so are optimal designs over any number of
answers. An answer is then written as its categories, not as its number, which may have a hundred digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.orbits import OrbitMechanism


class Subsets:
    """The outputs of a mechanism as subsets of its inputs; ``Subsets.of`` builds them.

    >>> chosen = Subsets.of(OrbitMechanism.subset_selection(5, 2, 3))
    >>> chosen[0], chosen[9], chosen.orbit_of([4, 1]), chosen.orbit_of([1])
    ((0, 1), (3, 4), 0, None)
    """

    __slots__ = ("_larger", "_orbits", "mechanism")

    def __init__(self, mechanism: OrbitMechanism, larger: Sequence[Sequence[int]], counts: Iterable[Sequence[int]]):
        self.mechanism = mechanism
        self._larger = larger  # for each orbit, for each group the place of the larger entry, -1 where it has none
        self._orbits = {tuple(numbers): o for o, numbers in enumerate(counts)}

    @classmethod
    def of(cls, mechanism: Mechanism) -> Subsets | None:
        """Return those of a mechanism; ``None`` where its answers are not subsets, or as many as the categories.

        The latter have the categories' names, as those of k-ary randomized response.
        """
        if not isinstance(mechanism, OrbitMechanism) or mechanism.outputs == mechanism.inputs:
            return None
        larger, counts = [], []
        for orbit in mechanism.orbits:
            entries = sorted({value for values in orbit for value, _ in values})
            if len(entries) != 2 or any(len({value for value, _ in values}) < len(values) for values in orbit):
                return None
            places = [next((i for i, (v, _) in enumerate(values) if v == entries[1]), -1) for values in orbit]
            larger.append(places)
            counts.append(tuple(values[i][1] if i >= 0 else 0 for values, i in zip(orbit, places, strict=True)))
        return cls(mechanism, larger, counts) if len(set(counts)) == len(counts) else None

    def __getitem__(self, i: int) -> tuple[int, ...]:
        """Return the categories of answer i, ascending. Cost O(k) operations on integers below m."""
        orbit, places = self.mechanism.arrangement(i)
        digits = [(digit, place) for place, group in zip(self._larger[orbit], places, strict=True) for digit in group]
        return tuple(j for j, (digit, place) in enumerate(digits) if digit == place)

    def orbit_of(self, categories: Iterable[int]) -> int | None:
        """Return the orbit of the answer that says these categories, different ones; ``None``: there is no such."""
        counts = [0] * len(self.mechanism.groups)
        for j in categories:
            counts[self.mechanism.group_of(j)[0]] += 1
        return self._orbits.get(tuple(counts))
