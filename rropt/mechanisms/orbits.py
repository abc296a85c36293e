"""Mechanisms given by orbits: every row is a permutation of one of a few representatives.

The inputs form groups of sizes k_1, k_2, .... The mechanism is invariant under permutations of the inputs within
groups, with the outputs permuted accordingly. An *orbit* of outputs consists of all distinct permutations, within the
groups, of one row. It is given by the distinct values of the row in each group and their multiplicities. Examples:

* Subset selection has one group and one orbit with two values.
* k-ary randomized response is subset selection with subsets of size one.
* Unary encoding has one orbit for each number of ones.
* Staircase rows have one orbit for each vector of counts of large entries in the groups.

An orbit has ``N = prod_a k_a! / prod_v c_av!`` outputs, where c_av is the multiplicity of the value v in group a. At an
input of group a, the proportion ``c_av / k_a`` of these outputs has the value v. For two inputs the proportions
multiply, without replacement if both are in one group. Hence a pair of inputs has only a few distinct masses for each
orbit and pair of groups, however many outputs there are.

*Information.* If pi is constant within groups, ``M = P^T diag(P pi)^-1 P`` is invariant under permutations of the
inputs within groups. Such a matrix (``GroupMatrix``) has the form ``diag(d) + B``: the diagonal is d_g in group g, and
B is constant, equal to B_gh, on the block of groups g and h, of sizes n_g and n_h. Sums and products of such matrices
have the same form. Inversion needs a linear system with one unknown for each group: with x = 1/d, the equation
``(diag(d) + B)(diag(x) + Y) = I`` is equivalent to

    ``(diag(d) + B diag(n)) Y = -B diag(x)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from math import comb, prod
from typing import Any, NamedTuple

from rropt.core.errors import (
    InfeasibleError,
    InvalidMechanismError,
    InvalidParameterError,
    UnsupportedProblemError,
    shown,
)
from rropt.core.exact import as_text, rational
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.exact.numbers import dot
from rropt.core.limits import MAX_ENTRY_DIGITS
from rropt.core.visible import size_text
from rropt.mechanisms.arrangements import arrangement_at, count_of, index_of
from rropt.mechanisms.columns import parity_of, row_parity, whole_parameter
from rropt.mechanisms.dichotomies import Dichotomy
from rropt.mechanisms.kronecker import Vector, sparse_vector
from rropt.mechanisms.mechanism import Mechanism, require_keys
from rropt.mechanisms.words import containing_words, range_text, truth_words

Values = tuple[tuple[Fraction, int], ...]  # of a group: pairs (entry, multiplicity)
Orbit = tuple[Values, ...]
Numbers = Sequence[Fraction]


class GroupMatrix(NamedTuple):
    """A matrix ``diag(d) + B`` with d and B constant over groups of these sizes."""

    groups: tuple[int, ...]
    diagonal: tuple[Fraction, ...]
    blocks: tuple[tuple[Fraction, ...], ...]

    def entries(self) -> list[Fraction]:
        """Return the diagonal of the full matrix, shape (k,)."""
        together = zip(self.groups, self.diagonal, self.blocks, strict=True)
        return [d + row[g] for g, (n, d, row) in enumerate(together) for _ in range(n)]

    def trace(self) -> Fraction:
        """Return ``sum_g n_g (d_g + B_gg)``.

        >>> GroupMatrix((3,), (Fraction(2),), ((Fraction(1),),)).trace()
        Fraction(9, 1)
        """
        return sum(self.entries(), Fraction(0))

    def inverse(self) -> GroupMatrix | None:
        """Return the inverse, or None if the matrix is singular.

        >>> GroupMatrix((2,), (Fraction(2),), ((Fraction(1),),)).inverse().blocks
        ((Fraction(-1, 8),),)
        """
        if not all(self.diagonal):
            return None  # also for a group of size one: mechanisms have d_g > 0 there
        right = [[-b / d for b, d in zip(row, self.diagonal, strict=True)] for row in self.blocks]
        system = [[b * n for b, n in zip(row, self.groups, strict=True)] for row in self.blocks]
        for g, d in enumerate(self.diagonal):
            system[g][g] += d
        try:
            solved = fractions_of(flint_matrix(system).solve(flint_matrix(right)))
        except ZeroDivisionError:
            return None
        return GroupMatrix(self.groups, tuple(1 / d for d in self.diagonal), solved)

    def solve(self, t: Numbers) -> tuple[Fraction, ...] | None:
        """Return the solution x of ``(diag(d) + B) x = t``, shape (k,), or None if the matrix is singular."""
        inverse = self.inverse()
        if inverse is None:
            return None
        starts = [sum(self.groups[:g]) for g in range(len(self.groups) + 1)]
        sums = [sum(t[a:b], Fraction(0)) for a, b in pairwise(starts)]
        parts = zip(inverse.diagonal, inverse.blocks, pairwise(starts), strict=True)
        return tuple(d * t[j] + shift for d, row, (a, b) in parts for shift in [dot(row, sums)] for j in range(a, b))


def orbit_information(groups: Sequence[int], orbits: Sequence[tuple[int, Orbit]], shares: Numbers) -> GroupMatrix:
    """Return ``M = sum_i p_i p_i^T / (p_i . pi)`` over the rows p_i of all orbits.

    Args:
        groups: n_g, the sizes of the groups.
        orbits: for each orbit its number of outputs and, for each group, its pairs (entry, multiplicity).
        shares: pi_g, the probability of a single input in each group.
    """
    size = len(groups)
    blocks = [[Fraction(0)] * size for _ in groups]
    diagonal = [Fraction(0)] * size
    for number, orbit in orbits:
        sums = list(map(_sum, orbit))
        squares = [sum((v * v * c for v, c in values), Fraction(0)) for values in orbit]
        if not any(sums):
            continue  # an output of probability zero
        weight = number / dot(shares, sums)
        for a, n in enumerate(groups):
            diagonal[a] += weight * squares[a] / n
            for b in range(size):
                if a != b:
                    blocks[a][b] += weight * sums[a] * sums[b] / (n * groups[b])
                elif n > 1:
                    blocks[a][a] += weight * (sums[a] ** 2 - squares[a]) / (n * (n - 1))
    return GroupMatrix(tuple(groups), tuple(diagonal[a] - blocks[a][a] for a in range(size)), tuple(map(tuple, blocks)))


def group_shares(groups: Sequence[int], population: Numbers) -> tuple[Fraction, ...] | None:
    """Return the probability of a single input in each group, or None if pi is not constant within the groups."""
    starts = [sum(groups[:g]) for g in range(len(groups))]
    if any(population[j] != population[a] for a, n in zip(starts, groups, strict=True) for j in range(a, a + n)):
        return None
    return tuple(population[a] for a in starts)


def grouped_information(mechanism: OrbitMechanism, population: Numbers) -> GroupMatrix | None:
    """Return the information of an orbit mechanism, or None if it is infinite, or pi not constant within the groups."""
    shares = group_shares(mechanism.groups, population)
    sums = [list(map(_sum, orbit)) for orbit in mechanism.orbits]
    if shares is None or any(any(each) and not dot(shares, each) for each in sums):
        return None
    return orbit_information(mechanism.groups, list(mechanism.counted()), shares)


def not_identified(groups: Sequence[int]) -> str:
    """Return the error message for orbits over these groups whose information matrix is singular."""
    return (
        f"the responses do not identify the distribution of the categories: received orbits over groups of sizes "
        f"{list(groups)} whose "
        "columns are linearly dependent; use a mechanism of full column rank"
    )


MAX_INPUTS = 10_000  # of an orbit form: its numbers of outputs have up to a hundred thousand digits
_MAX_ORBITS = 10_000  # shapes, probabilities and estimates iterate over all of them
_MAX_PAIR_MASSES = 10**6  # over all orbits and pairs of groups: a minute


class OrbitMechanism(Mechanism, key="orbits"):
    """A mechanism whose rows are the permutations of representatives within groups of inputs.

    Args:
        groups: k_1, k_2, ..., the sizes of the groups; group 1 has the inputs 0 to k_1 - 1, and so on.
        orbits: for each orbit and each group, the pairs (entry, multiplicity); multiplicities sum to the group's size.
        name: the printed name.

    Raises:
        InvalidMechanismError: sizes or multiplicities do not fit, an entry is negative, or a column does not sum to 1.

    The outputs are numbered orbit by orbit. Within an orbit, the arrangement of the first group varies fastest. Within
    a group, an arrangement is a little-endian number whose digit at input j is the index of its entry in the list. So
    subsets are in the order of ``sum 2^j`` (colexicographic).

    >>> chosen = OrbitMechanism.subset_selection(60, 20, 3)
    >>> chosen.outputs, str(chosen.epsilon), round(float(chosen.epsilon), 4)
    (4191844505805495, 'log(3)', 1.0986)
    >>> str(chosen.delta("log(2)")), round(float(chosen.delta("log(2)")), 6)
    ('8/59', 0.135593)
    """

    PARTS = ("groups", "orbits")
    groups: tuple[int, ...]
    orbits: tuple[Orbit, ...]

    def __new__(cls, groups: Sequence[int], orbits: Sequence[Any], *, name: str | None = None) -> OrbitMechanism:
        """Build the mechanism from groups and orbits."""
        sizes = tuple(_count(k, "the size of a group") for k in _listed(groups, "groups", MAX_INPUTS))
        if sum(sizes) > MAX_INPUTS:
            raise InvalidMechanismError(f"the groups are too large: received {sum(sizes)} inputs; at most {MAX_INPUTS}")
        parts = tuple(_orbit(orbit, sizes) for orbit in _listed(orbits, "orbits", _MAX_ORBITS))
        made = cls.made(name, groups=sizes, orbits=parts)
        counted = list(made.counted())
        for a, k in enumerate(sizes):
            total = sum((n * _sum(orbit[a]) / k for n, orbit in counted), Fraction(0))
            if total != 1:
                raise InvalidMechanismError(
                    f"the columns of group {a} do not sum to 1: received the sum {shown(total)} over all outputs; "
                    "every column is a distribution: write fractions"
                )
        return made

    @classmethod
    def subset_selection(cls, categories: int, size: int, gamma: object) -> OrbitMechanism:
        """Return subset selection with subsets of size d of k categories.

        ``Pr(T | j) = gamma / (gamma C(k-1, d-1) + C(k-1, d))`` for j in T. A subset without j has 1/gamma of this
        probability. Source: Ye and Barg (2018); Wang et al. (2016).

        Args:
            categories: k >= 2.
            size: d, 1 <= d < k.
            gamma: the ratio of the two probabilities, positive.
        """
        k, d = _count(categories, "k"), _count(size, "d")
        odds = rational(gamma, name="gamma")
        if not d < k or odds <= 0:
            raise InvalidParameterError(
                f"no subsets are selected: received k = {k}, d = {d}, gamma = {odds}; allowed: 1 <= d < k, gamma > 0"
            )
        least = 1 / (odds * comb(k - 1, d - 1) + comb(k - 1, d))
        return cls([k], [[[(least, k - d), (least * odds, d)]]])

    @cached_property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: the total number of outputs over all orbits and of inputs over all groups."""
        return sum(n for n, _ in self.counted()), sum(self.groups)

    def counted(self) -> Iterator[tuple[int, Orbit]]:
        """Iterate over the orbits, each with its number of outputs."""
        for orbit in self.orbits:
            yield prod(count_of([c for _, c in values]) for values in orbit), orbit

    def group_of(self, j: int) -> tuple[int, int]:
        """Return the group of input j and its index within the group."""
        place = j
        for a, k in enumerate(self.groups):
            if 0 <= place < k:
                return a, place
            place -= k
        raise InvalidParameterError(
            f"the input is out of range: received {shown(j)}; allowed are 0 to {self.inputs - 1}"
        )

    def output(self, orbit: int, places: Sequence[Sequence[int]]) -> int:
        """Return the index of an output.

        Args:
            orbit: the index of its orbit.
            places: for each group and each input, the index of its entry in the orbit's list.
        """
        fits = 0 <= orbit < len(self.orbits) and [sorted(digits) for digits in places] == [
            [place for place, (_, c) in enumerate(values) for _ in range(c)] for values in self.orbits[orbit]
        ]
        if not fits:
            raise InvalidParameterError(
                f"there is no such output: received the orbit {shown(orbit)} and the places {shown(places)}; allowed "
                f"are the orbits 0 to {len(self.orbits) - 1}, in each group every place with its multiplicity"
            )
        before = sum(n for o, (n, _) in enumerate(self.counted()) if o < orbit)
        index, stride = 0, 1
        for values, digits in zip(self.orbits[orbit], places, strict=True):
            counts = [c for _, c in values]
            index, stride = index + stride * index_of(digits, counts), stride * count_of(counts)
        return before + index

    def arrangement(self, i: int) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """Return the orbit of output i and, for each group and each input, the index of its entry in the list."""
        rest = i
        for o, (n, orbit) in enumerate(self.counted()):
            if 0 <= rest < n:
                places = []
                for values in orbit:
                    counts = [c for _, c in values]
                    rest, index = divmod(rest, count_of(counts))
                    places.append(arrangement_at(index, counts))
                return o, tuple(places)
            rest -= n
        raise InvalidParameterError(
            f"the output is out of range: received {shown(i)}; allowed are 0 to {size_text(self.outputs - 1)}"
        )

    def larger_entries(self) -> tuple[list[list[int]], list[tuple[int, ...]]] | None:
        """Return the larger entry of each orbit in each group, and the number of inputs that have it.

        The first list has the index of the entry, or -1 if it does not occur in the group. ``None``: outputs are no
        sets, since an orbit has more than two entries, two orbits have equal numbers, or there are as many outputs as
        inputs.
        """
        if self.outputs == self.inputs:
            return None
        larger, counts = [], []
        for orbit in self.orbits:
            entries = sorted({value for values in orbit for value, _ in values})
            if len(entries) > 2 or any(len({value for value, _ in values}) < len(values) for values in orbit):
                return None
            places = [next((i for i, (v, _) in enumerate(values) if v == entries[-1]), -1) for values in orbit]
            larger.append(places)
            counts.append(tuple(values[i][1] if i >= 0 else 0 for values, i in zip(orbit, places, strict=True)))
        return (larger, counts) if len(set(counts)) == len(counts) else None

    def outputs_are_sets(self) -> bool:
        """Return whether each output is the set of the categories with the larger entry."""
        return self.larger_entries() is not None

    def in_words(self) -> str:
        """Return the device in words; responses that are sets of categories have the probabilities of their members."""
        sets = [sorted({value for values in orbit for value, _ in values}) for orbit in self.orbits]
        if any(len(entries) > 2 for entries in sets):
            return f"one of {size_text(self.outputs)} responses reported for {self.inputs} true answers"
        own, sizes = [Fraction(0)] * len(self.groups), []
        total = Fraction(0)  # the mean number of categories of a response
        for (number, orbit), entries in zip(self.counted(), sets, strict=True):
            inside = [sum(c for v, c in values if v == entries[-1]) for values in orbit]
            sizes.append(sum(inside))
            for g, (k, count) in enumerate(zip(self.groups, inside, strict=True)):
                own[g] += number * entries[-1] * Fraction(count, k)
            # from a truth of group 0
            k, count = self.groups[0], inside[0]
            chance = number * (entries[-1] * count + entries[0] * (k - count)) / k
            total += sizes[-1] * chance
        if set(sizes) == {1} and len(self.orbits) == 1 and len(self.groups) == 1:
            return truth_words(own[0], (1 - own[0]) / (self.inputs - 1), self.inputs)
        size = " to ".join(dict.fromkeys(map(str, (min(sizes), max(sizes)))))
        what = f"{size} of the {self.inputs} categories"
        if len(self.groups) == 1:
            return containing_words(what, own[0], (total - own[0]) / (self.inputs - 1))
        return f"{what} reported: the true one among them with {range_text(own)}"

    def row(self, i: int) -> Vector:
        """Return the k probabilities of output i."""
        o, places = self.arrangement(i)
        pairs = zip(self.orbits[o], places, strict=True)
        return tuple(values[place][0] for values, digits in pairs for place in digits)

    def parity(self) -> Fraction | None:
        """Return the parity, ``None`` if it is infinite; all rows of an orbit have the same entries."""
        return parity_of([row_parity([value for values in orbit for value, _ in values]) for orbit in self.orbits])

    def _kinds_of_pairs(self) -> Iterator[Dichotomy]:
        """Yield the dichotomy of one pair of inputs for every ordered pair of groups."""
        starts = [sum(self.groups[:a]) for a in range(len(self.groups))]
        counted = list(self.counted())
        work = sum(sum(map(len, orbit)) ** 2 for orbit in self.orbits)
        if work > _MAX_PAIR_MASSES:
            raise UnsupportedProblemError(
                f"the pairs of inputs have too many masses: received {work} pairs of entries; at most "
                f"{_MAX_PAIR_MASSES} are compared; use fewer groups"
            )
        for a, b in product(range(len(self.groups)), repeat=2):
            if a != b or self.groups[a] > 1:
                yield self._pair(counted, a, b, (starts[a], starts[b] + (a == b)))

    def _pair(self, counted: list[tuple[int, Orbit]], a: int, b: int, pair: tuple[int, int]) -> Dichotomy:
        masses: list[tuple[Fraction, Fraction]] = []
        together = self.groups[a] * (self.groups[b] - (a == b))
        for n, orbit in counted:
            for (x, v), (y, w) in product(enumerate(orbit[a]), enumerate(orbit[b])):
                number = Fraction(n * v[1] * (w[1] - (a == b and x == y)), together)
                masses.append((number * v[0], number * w[0]))
        return Dichotomy.of_fractions(pair, masses)

    def adjoint(self, weights: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return ``P^T w`` exactly, in O(k) for each output with nonzero weight (see ``Mechanism.adjoint``)."""
        return self._weighted(sparse_vector(weights, self.outputs, "the weights"))

    def _weighted(self, weights: Mapping[int, Fraction]) -> Vector:
        total = [Fraction(0)] * self.inputs
        for i, weight in weights.items():
            total = [t + weight * p for t, p in zip(total, self.row(i), strict=True)]
        return tuple(total)

    def invert(self, shares: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return the unbiased estimate of pi (see ``Mechanism.invert``).

        The cost is O(k) for each output with nonzero proportion.
        """
        given = sparse_vector(shares, self.outputs, "the shares")
        means = [sum(map(_sum, orbit), Fraction(0)) / self.inputs for orbit in self.orbits]
        scaled = {i: x / mean for i, x in given.items() if (mean := means[self.arrangement(i)[0]])}
        uniform = [Fraction(1, self.inputs)] * len(self.groups)
        found = orbit_information(self.groups, list(self.counted()), uniform).solve(self._weighted(scaled))
        if found is None:
            raise InfeasibleError(not_identified(self.groups))
        return found

    def form(self) -> dict[str, Any]:
        """Return ``{"orbits": {"groups": [...], "rows": [...]}}``, entries as texts and multiplicities as numbers."""
        rows = [[[[as_text(v), c] for v, c in values] for values in orbit] for orbit in self.orbits]
        return {"orbits": {"groups": list(self.groups), "rows": rows}}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        require_keys(data, '{"groups": [3], "rows": [[[["1/4", 2], ["1/2", 1]]]]}', "orbits are")
        return cls(data["groups"], data["rows"])


def _sum(values: Values) -> Fraction:
    return sum((value * c for value, c in values), Fraction(0))


def _listed(value: object, name: str, most: int) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)) or not 0 < len(value) <= most:
        raise InvalidMechanismError(f"{name} are not a list: received {shown(value)}; allowed are 1 to {most} of them")
    return value


def _count(value: object, name: str) -> int:
    return whole_parameter(value, name, 1, MAX_INPUTS)


def _orbit(data: object, sizes: Sequence[int]) -> Orbit:
    orbit = []
    for a, values in enumerate(_listed(data, "the groups of an orbit", MAX_INPUTS)):
        pairs = []
        for pair in _listed(values, "the entries of a group", MAX_INPUTS):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise InvalidMechanismError(f"an entry has no count: received {shown(pair)}; write [entry, count]")
            value = rational(pair[0], name="an entry", digits=MAX_ENTRY_DIGITS)
            if value < 0:
                raise InvalidMechanismError(f"an entry is negative: received {value}; probabilities are >= 0")
            pairs.append((value, _count(pair[1], "how often an entry stands")))
        if a >= len(sizes) or sum(c for _, c in pairs) != sizes[a]:
            raise InvalidMechanismError(
                f"an orbit does not fit the groups: received {sum(c for _, c in pairs)} entries in group {a}; allowed "
                f"are the sizes {shown(list(sizes))}"
            )
        orbit.append(tuple(pairs))
    if len(orbit) != len(sizes):
        raise InvalidMechanismError(f"an orbit has {len(orbit)} groups: allowed are {len(sizes)}, one list for each")
    return tuple(orbit)
