"""Outputs as subsets of the categories, for orbit mechanisms whose rows have a larger and a smaller entry each.

Such a row corresponds to the subset of the categories with the larger entry. The correspondence is one-to-one if no two
orbits have the same number of larger entries in every group. Subset selection is an example; so are optimal designs
with an unrestricted output alphabet. An output is then written as its categories and not as its index, which may have a
hundred digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import cast

from rropt.mechanisms.families.memberships import BitVectorMechanism
from rropt.mechanisms.mechanism import BETWEEN as BETWEEN
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.mechanism import require_names_of_sets as require_names_of_sets
from rropt.mechanisms.orbits import OrbitMechanism

_SET = re.compile(r"[0-9]{1,9}(&[0-9]{1,9})*")


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


def sets_of_size(k: int, d: int) -> list[str]:
    """Return the subsets of d of k categories as they are written, in lexicographic order.

    >>> sets_of_size(3, 2)
    ['0&1', '0&2', '1&2']
    """
    return [BETWEEN.join(map(str, each)) for each in combinations(range(k), d)]


def output_sets(mechanism: Mechanism) -> list[tuple[int, ...]] | None:
    """Return the set of categories that each output of a small mechanism is; ``None`` if outputs are no sets.

    Outputs are sets in an orbit mechanism (``Subsets``), and in a matrix whose responses have the names of such sets,
    as those of ``subset:5,2,3/4``.
    """
    subsets = Subsets.of(mechanism)
    if subsets is not None:
        return [subsets[i] for i in range(mechanism.outputs)]
    names = mechanism.responses
    if type(mechanism) is not Mechanism or not names or not all(map(_SET.fullmatch, names)):
        return None
    found = [tuple(sorted({int(j) for j in name.split(BETWEEN)})) for name in names]
    sizes = [name.count(BETWEEN) + 1 for name in names]
    fits = max(sizes) > 1 and all(len(one) == size for one, size in zip(found, sizes, strict=True))
    return found if fits and max(map(max, found)) < mechanism.inputs and len(set(found)) == len(found) else None


def set_texts(mechanism: Mechanism, categories: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the outputs of a small mechanism as they are written, if they are sets or bits; else no texts.

    A set of categories is written with their names, or numbers, and ``&`` between them; a vector of bits as 0 and 1.

    Args:
        mechanism: the mechanism.
        categories: names of the categories; by default those of the mechanism.

    >>> set_texts(OrbitMechanism.subset_selection(4, 2, 3))[:3]
    ('0&1', '0&2', '1&2')
    """
    m, k = mechanism.shape
    if isinstance(mechanism, BitVectorMechanism):
        return tuple("".join(str(i >> x & 1) for x in range(k)) for i in range(m))
    names = categories or mechanism.categories or tuple(map(str, range(k)))
    return tuple(BETWEEN.join(names[j] for j in each) for each in output_sets(mechanism) or ())
