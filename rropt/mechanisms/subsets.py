"""Outputs as subsets of the categories, for orbit mechanisms whose rows have a larger and a smaller entry each.

Such a row corresponds to the subset of the categories with the larger entry. The correspondence is one-to-one if no two
orbits have the same number of larger entries in every group. Subset selection is an example; so are optimal designs
with an unrestricted output alphabet. An output is then written as its categories and not as its index, which may have a
hundred digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

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
        self._larger = larger  # for each orbit and group the index of the larger entry; -1 if it does not occur
        self._orbits = {tuple(numbers): o for o, numbers in enumerate(counts)}

    @classmethod
    def of(cls, mechanism: Mechanism) -> Subsets | None:
        """Return the outputs of a mechanism as subsets; ``None`` if they are not subsets.

        An output that reveals nothing, as rounding leaves one, is the set of all categories.

        ``None`` also if there are as many outputs as categories. These outputs have the names of the categories, as in
        k-ary randomized response.
        """
        found = mechanism.larger_entries() if isinstance(mechanism, OrbitMechanism) else None
        return None if found is None else cls(cast(OrbitMechanism, mechanism), *found)

    def __getitem__(self, i: int) -> tuple[int, ...]:
        """Return the categories of output i in ascending order. The cost is O(k) operations on integers below m."""
        orbit, places = self.mechanism.arrangement(i)
        digits = [(digit, place) for place, group in zip(self._larger[orbit], places, strict=True) for digit in group]
        return tuple(j for j, (digit, place) in enumerate(digits) if digit == place)

    def orbit_of(self, categories: Iterable[int]) -> int | None:
        """Return the orbit of the output that consists of these distinct categories; ``None`` if no output does."""
        counts = [0] * len(self.mechanism.groups)
        for j in categories:
            counts[self.mechanism.group_of(j)[0]] += 1
        return self._orbits.get(tuple(counts))
