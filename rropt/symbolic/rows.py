"""The rows that suffice: edges of the cells between the planes ``r_j = 0`` and ``r_j = gamma r_l``.

A row is written by its exponents of gamma, ``None`` for the entry 0; the least exponent is 0. Under several levels each
entry is a product of powers of their gammas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import gcd, lcm
from typing import Any, Literal, NamedTuple

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.core.results.active_sets import LevelExponents

Exponents = tuple[int | None, ...]

MOST_LEVEL_ROWS = 3000
"""Rows under several levels with the same number of positive entries."""

_OF_LEVEL = 30  # significant digits of ``gamma - 1`` and of delta
_LARGEST_POWER = 12  # of the gamma of which others are powers


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


def is_edge(row: Exponents, *, has_delta: bool) -> bool:
    """Return whether a row is an edge of the cells at one level, or constant."""
    return row in _known_edges(len(row)) if has_delta else set(row) <= {0, 1}


@cache
def _known_edges(k: int) -> frozenset[Exponents]:
    return frozenset(edges(k)) | {(0,) * k}


# --- several levels ---------------------------------------------------------------------------------------------------


class RationalLevel(NamedTuple):
    """A level in fractions: ``sum_i max(0, p_ij - gamma p_il) <= delta`` for some ordered pairs (j, l)."""

    gamma: Fraction
    delta: Fraction
    pairs: Sequence[tuple[int, int]]


def rational_levels(region: Mapping[str, Any], end: Literal["lower", "upper"]) -> tuple[RationalLevel, ...]:
    """Return the levels of a region at rational numbers: their own, or the next ones of 30 digits below or above.

    Rational epsilons are multiples of a common one. They stay so, since a row may satisfy ``r_j = gamma_0^2 r_l`` and
    ``r_j <= gamma_1 r_l`` with equality.
    """
    listed = region.get("levels") or [{"pairs": "all", **region}]
    epsilons = [Epsilon.from_dict(level["epsilon"]) for level in listed]
    unit, base = _common(epsilons, end)
    found = []
    for level, epsilon in zip(listed, epsilons, strict=True):
        is_power = unit and epsilon.kind == "rational" and epsilon.times
        gamma = base ** int(epsilon.times / unit) if is_power else getattr(epsilon.gamma_bracket(_OF_LEVEL), end)
        delta = Delta.from_dict(level["delta"])
        slack = delta.rational if delta.rational is not None else getattr(delta.bracket(_OF_LEVEL), end)
        everyone = permutations(range(int(region["inputs"])), 2)
        pairs = everyone if level["pairs"] == "all" else ((int(j), int(other)) for j, other in level["pairs"])
        found.append(RationalLevel(gamma, slack, tuple(pairs)))
    return tuple(found)


def _common(epsilons: Sequence[Epsilon], end: str) -> tuple[Fraction, Fraction]:
    """Return the largest rational of which all rational epsilons are multiples, and its gamma; 0 without one."""
    multiples = [each.times for each in epsilons if each.kind == "rational" and each.times]
    scale = lcm(*(x.denominator for x in multiples))
    unit = Fraction(gcd(*(int(x * scale) for x in multiples)), scale)
    if not multiples or max(multiples) > _LARGEST_POWER * unit:
        return Fraction(0), Fraction(1)
    return unit, getattr(Epsilon.of(unit).gamma_bracket(_OF_LEVEL), end)


def level_entries(name: LevelExponents, gammas: Sequence[Any]) -> list[Any]:
    """Return the entries of a row, products of powers of the gammas."""
    one = gammas[0] ** 0
    found = []
    for powers in name:
        own = one - one if powers is None else one
        for gamma, power in zip(gammas, powers or (), strict=False):
            own = own * gamma**power if power else own
        found.append(own)
    return found


class LevelRows:
    """The edges of the cells between the planes ``r_j = 0`` and ``r_j = gamma_n r_l`` of several levels.

    Args:
        k: the number of categories.
        gammas: gamma of each level, numbers of any kind.
        pairs: the ordered pairs of each level.
        is_strict: of each level, whether delta = 0: then rows satisfy ``r_j <= gamma_n r_l``.
        key: a function of a row that returns what rows have in common that are multiples of each other; by default
            their entries divided by the largest one.
    """

    def __init__(
        self,
        k: int,
        gammas: Sequence[Any],
        pairs: Sequence[Sequence[tuple[int, int]]],
        is_strict: Sequence[bool],
        key: Callable[[LevelExponents], Any] | None = None,
    ) -> None:
        self.k, self.gammas, self.pairs, self.key = k, gammas, pairs, key or self._key
        self.strict = [(n, *pair) for n, own in enumerate(is_strict) if own for pair in pairs[n]]

    def is_allowed(self, name: LevelExponents, *, whole: bool = True) -> bool:
        """Return whether a row satisfies the conditions with delta = 0; by ``whole`` also those with an entry 0."""
        row = level_entries(name, self.gammas)
        tied = [pair for pair in self.strict if name[pair[1]] is not None and (whole or name[pair[2]] is not None)]
        return not any(row[j] > self.gammas[n] * row[other] for n, j, other in tied)

    def listed(self) -> list[LevelExponents]:
        """Return the edges.

        Raises:
            UnsupportedProblemError: there are too many.
        """
        start = (0,) * len(self.gammas)
        grown: list[LevelExponents] = [tuple(start if i == j else None for i in range(self.k)) for j in range(self.k)]
        every = {self.key(name): name for name in grown}
        for _ in range(self.k - 1):
            new: dict[Any, LevelExponents] = {}
            for name in grown:
                for one in self._tied(name):
                    if (key := self.key(one)) not in new and self.is_allowed(one, whole=False):
                        new[key] = one
            if len(new) > MOST_LEVEL_ROWS:
                raise UnsupportedProblemError(f"more than {MOST_LEVEL_ROWS} rows under several levels")
            grown = list(new.values())
            every |= new
        return [name for name in every.values() if self.is_allowed(name)]

    def _tied(self, name: LevelExponents) -> Iterator[LevelExponents]:
        """Yield the rows with one more positive entry, tied to another one by a condition."""
        for n, pairs in enumerate(self.pairs):
            for (j, other), step in product(pairs, (1, -1)):
                j, other = (j, other) if step > 0 else (other, j)
                if name[j] is None and (near := name[other]) is not None:
                    power = tuple(e + step * (i == n) for i, e in enumerate(near))
                    yield (*name[:j], power, *name[j + 1 :])

    def _key(self, name: LevelExponents) -> Any:
        row = level_entries(name, self.gammas)
        top = max(row)
        return tuple(x / top for x in row)
