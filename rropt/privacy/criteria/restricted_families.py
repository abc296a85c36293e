"""Restricted families of properties: which inputs they distinguish, and what they imply for the full criterion.

Let F be a family of sets Q of inputs. F *separates* the ordered pair (j, l) if some Q in F contains j but not l. Let
``j <= l`` if every Q in F that contains j contains l, that is, if (j, l) is not separated. This relation is a preorder,
and every preorder comes from a family, namely that of its up-sets. Consider h-CSIP for the properties of F, all priors
and all responses:

    ``P_alpha(Q | d_i) <= h(P_alpha(Q))``  for Q in F, 0 < P_alpha(Q) < 1.

It is equivalent to a condition on the separated pairs: ``p_ij <= B(h) p_il`` for every row i and every separated pair
(j, l) (``docs/explanation/restricted-properties.md``, Theorem 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.numbers import plain_integer
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism


@dataclass(frozen=True, slots=True)
class SeparatedRatio:
    """The largest ratio ``p_ij / p_il`` over rows i and separated pairs (j, l).

    Attributes:
        row, above, below: i, j and l.
        ratio: the ratio, with 0/0 = 1; ``None``: infinite.
    """

    row: int
    above: int
    below: int
    ratio: Fraction | None


@dataclass(frozen=True, slots=True)
class PropertyFamily:
    """A family F of properties (sets of inputs) whose probability an intruder must not learn.

    Args:
        inputs: k >= 2, the number of inputs, which are 0, ..., k - 1.
        properties: sets of inputs; duplicates are ignored. The empty set and the set of all inputs are allowed but
            impose no constraint, because their probability is known.

    Raises:
        InvalidParameterError: the properties are not sets of inputs, or an input is out of range.

    >>> sensitive = PropertyFamily(3, [[0]])
    >>> sensitive.separated_pairs(), sensitive.with_complements().diameter()
    (((0, 1), (0, 2)), 2)

    Source: the closing question of Chai and Nayak (2018), section 5; ``docs/explanation/restricted-properties.md``.
    """

    inputs: int
    properties: tuple[tuple[int, ...], ...]

    def __init__(self, inputs: int, properties: Iterable[Iterable[int]]) -> None:
        inputs = plain_integer(inputs)
        if type(inputs) is not int or inputs < 2:
            raise InvalidParameterError(
                f"the number of inputs is not one: received {shown(inputs)}; allowed is an integer >= 2"
            )
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "properties", tuple(sorted({_property(q, inputs) for q in _listed(properties)})))

    def separates(self, above: int, below: int) -> bool:
        """Return whether some property contains the first input and not the second."""
        signatures = _signatures(self)
        return bool(signatures[above] & ~signatures[below])

    def separated_pairs(self) -> tuple[tuple[int, int], ...]:
        """Return all separated ordered pairs (j, l) in ascending order."""
        inputs = range(self.inputs)
        return tuple((j, other) for j in inputs for other in inputs if self.separates(j, other))

    def separating(self, above: int, below: int) -> tuple[int, ...] | None:
        """Return a smallest property that contains the first input and not the second, or ``None``."""
        found = [q for q in self.properties if above in q and below not in q]
        return min(found, key=lambda q: (len(q), q)) if found else None

    def complements(self) -> PropertyFamily:
        """Return the family of the complements, which separates (l, j) iff this family separates (j, l)."""
        inputs = range(self.inputs)
        return PropertyFamily(self.inputs, ([j for j in inputs if j not in q] for q in self.properties))

    def with_complements(self) -> PropertyFamily:
        """Return the family of the properties and their complements, as needed for two-sided limits."""
        return PropertyFamily(self.inputs, (*self.properties, *self.complements().properties))

    def diameter(self) -> int | None:
        """Return the largest number of steps between two inputs; ``None``: infinite.

        The parity is at most ``B^diameter``, and this bound is attained. The diameter is 1 iff the family is as strict
        as the full criterion. Otherwise it is 2 if the family is closed under complements and not trivial.
        """
        from scipy.sparse.csgraph import shortest_path

        separated = [[bool(own & ~its) for its in _signatures(self)] for own in _signatures(self)]
        steps = shortest_path(np.array(separated, float), unweighted=True).max()
        return None if np.isinf(steps) else int(steps)

    def largest_ratio(self, mechanism: Mechanism) -> SeparatedRatio | None:
        """Return the largest ratio over rows and separated pairs; ``None`` if no pair is separated."""
        self.require_inputs(mechanism)
        groups: dict[int, list[int]] = {}
        for j, signature in enumerate(_signatures(self)):
            groups.setdefault(signature, []).append(j)
        best: SeparatedRatio | None = None
        for i, row in enumerate(mechanism.matrix):
            found = _widest(i, row, groups, best)
            if found is not None:
                best = found
                if best.ratio is None:
                    break
        return best

    def parity(self, mechanism: Mechanism) -> Fraction | None:
        """Return ``eta_F(P) = max over rows i and separated pairs (j, l) of p_ij / p_il``; ``None``: infinite.

        Here 0/0 = 1 and a/0 is infinite; the value is 1 if no pair is separated. The mechanism satisfies h-CSIP for the
        properties of F iff ``eta_F(P) <= B(h)``. Let s be the number of classes of inputs that F does not distinguish.
        The cost is O(m s log s), and O(m s^2) in the worst case.

        Raises:
            InvalidParameterError: the mechanism has another number of inputs.

        >>> die = Mechanism([["3/4", "1/4", "1/2"], ["1/4", "3/4", "1/2"]])
        >>> print(die.parity(), PropertyFamily(3, [[2]]).parity(die), float(PropertyFamily(3, [[0, 1]]).parity(die)))
        3 2 1.5
        """
        found = self.largest_ratio(mechanism)
        return Fraction(1) if found is None else found.ratio

    def require_inputs(self, mechanism: Mechanism) -> None:
        """Raise ``InvalidParameterError`` unless a mechanism has the family's number of inputs."""
        if mechanism.inputs != self.inputs:
            raise InvalidParameterError(
                f"the properties are of another variable: received {self.inputs} inputs in the family and "
                f"{mechanism.inputs} in the mechanism; both numbers must be equal"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {"inputs": self.inputs, "properties": [list(q) for q in self.properties]}

    def __str__(self) -> str:
        return "; ".join("{" + ", ".join(map(str, q)) + "}" for q in self.properties) or "no property"


def _listed(properties: object) -> list[Any]:
    if isinstance(properties, str | bytes) or not isinstance(properties, Iterable):
        raise _no_property(properties)
    return list(properties)


def _property(given: object, inputs: int) -> tuple[int, ...]:
    chosen = list(map(plain_integer, _listed(given)))
    for j in chosen:
        if type(j) is not int:
            raise _no_property(given)
        if not 0 <= j < inputs:
            raise InvalidParameterError(
                f"a property names no input: received {j}; allowed are 0 to {inputs - 1}; inputs are counted from 0"
            )
    return tuple(sorted(set(chosen)))


def _no_property(given: object) -> InvalidParameterError:
    return InvalidParameterError(
        f"properties are not sets of inputs: received {shown(given)}; allowed are lists of inputs such as [[0], [1, 2]]"
    )


def _widest(
    i: int, row: Sequence[Fraction], groups: dict[int, list[int]], best: SeparatedRatio | None
) -> SeparatedRatio | None:
    """Return the largest ratio of a row over separated classes of inputs if it exceeds ``best``, else ``None``.

    Classes are visited in decreasing order of their largest entry. For each one, the separated class with the smallest
    entry is used.
    """
    most = sorted(((s, max(group, key=row.__getitem__)) for s, group in groups.items()), key=lambda x: -row[x[1]])
    least = sorted(((s, min(group, key=row.__getitem__)) for s, group in groups.items()), key=lambda x: row[x[1]])
    found: SeparatedRatio | None = None
    for s, above in most:
        limit = found or best
        top = _ratio(row[above], row[least[0][1]])
        if limit is not None and top is not None and limit.ratio is not None and top <= limit.ratio:
            break  # no later class can have a larger ratio
        below = next((j for t, j in least if s & ~t), None)
        if below is None:
            continue
        ratio = _ratio(row[above], row[below])
        if ratio is None:
            return SeparatedRatio(i, above, below, None)
        if limit is None or (limit.ratio is not None and ratio > limit.ratio):
            found = SeparatedRatio(i, above, below, ratio)
    return found


def _ratio(above: Fraction, below: Fraction) -> Fraction | None:
    return above / below if below else None if above else Fraction(1)


@lru_cache(maxsize=64)
def _signatures(family: PropertyFamily) -> tuple[int, ...]:
    """Return for each input the properties that contain it, as a bit mask."""
    found = [0] * family.inputs
    for bit, q in enumerate(family.properties):
        for j in q:
            found[j] |= 1 << bit
    return tuple(found)
