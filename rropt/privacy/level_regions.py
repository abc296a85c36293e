"""Regions under several privacy levels (epsilon_i, delta_i), each for all pairs of inputs or for given pairs.

Several levels for all pairs form a polygon of f-differential privacy (Dong, Roth and Su 2022). Levels by distance give
metric privacy (Chatzikokolakis, Andres, Bordenabe and Palamidessi 2013), with delta if wanted. A level for each pair of
inputs gives context-aware privacy. A single level for all pairs has a region of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from math import gcd, lcm
from typing import Any, ClassVar, Literal

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact import Bracket, Delta, Epsilon, ExactReal, rational
from rropt.core.exact.numbers import plain_integer, whole_where
from rropt.core.limits import MAX_EXPONENT
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed
from rropt.mechanisms.hockey_stick import gamma_of
from rropt.mechanisms.matrix_privacy import worst_excess
from rropt.privacy.gaussian_levels import chords, tangents
from rropt.privacy.region import (
    Form,
    LevelPart,
    Levels,
    RationalLevel,
    RationalLevels,
    Readers,
    Region,
    as_it_is,
    exact_rows,
    fill,
    register_region,
    shape_text,
)

Pairs = tuple[tuple[int, int], ...]
_MOST_LEVELS = 256  # of a region, unless it has more pairs of inputs
_MOST_MU, _MOST_OF_POLYGON = 8, 160  # largest mu of Gaussian differential privacy, and levels of its polygons
_MOST_STEPS = 12  # largest multiple of one level whose enclosure is a power of that level's enclosure


@dataclass(frozen=True, slots=True)
class PairsLevel:
    """``sum_i max(0, p_ij - exp(epsilon) p_il) <= delta`` for ordered pairs (j, l) of inputs.

    Attributes:
        epsilon: the level in nats.
        delta: its slack.
        pairs: the ordered pairs in lexicographic order; None: all pairs.
    """

    epsilon: Epsilon
    delta: Delta
    pairs: Pairs | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in problems and certificates."""
        pairs = "all" if self.pairs is None else [[str(j), str(other)] for j, other in self.pairs]
        return {"epsilon": self.epsilon.to_dict(), "delta": self.delta.to_dict(), "pairs": pairs}

    def __str__(self) -> str:
        where = "" if self.pairs is None else f" for {with_noun(len(self.pairs), 'pair')}"
        return f"({self.epsilon}, {self.delta}){where}"


@register_region
@dataclass(frozen=True, slots=True)
class LevelsRegion(Region):
    """All mechanisms that satisfy each of several privacy levels.

    Args:
        levels: for each level ``(epsilon, delta)``, or ``(epsilon, delta, pairs)`` with ordered pairs (j, l) of inputs,
            counted from 0; or an object with the keys epsilon, delta (default 0) and pairs (default "all").
        inputs: k >= 2.
        outputs: m >= 2; 0 or ``"any"`` for an unrestricted output alphabet (the attribute is then 0).

    Raises:
        InvalidParameterError: there is no level, or a level, a pair or a size is invalid.

    >>> region = LevelsRegion([("log(2)", "1/10"), ("log(4)", 0)], inputs=2)
    >>> print(region)
    levels (log(2), 1/10), (log(4), 0), k = 2 categories, output alphabet unrestricted
    >>> region.contains(Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])), region == region.from_dict(region.to_dict())
    (False, True)
    """

    kind: ClassVar[str] = "privacy-levels"
    KEYS: ClassVar[Readers] = {"levels": as_it_is}
    has_rays = True
    levels: tuple[PairsLevel, ...]
    inputs: int
    outputs: int
    form: Form | None = field(init=False, repr=False, compare=False)
    is_uninformative: bool = field(init=False, repr=False, compare=False)

    def __init__(self, levels: Iterable[object], *, inputs: int = 2, outputs: int | Literal["any"] = "any") -> None:
        fill(self, {"inputs": inputs, "outputs": outputs})
        given = list(levels) if isinstance(levels, Iterable) and not isinstance(levels, (str, Mapping)) else []
        most = max(_MOST_LEVELS, inputs * (inputs - 1))
        if not 1 <= len(given) <= most:
            raise InvalidParameterError(
                f"levels is not a list of 1 to {most} levels: received {shown(levels)}; allowed is "
                '[("log(2)", "1/10"), (2, 0)], pairs of epsilon and delta'
            )
        read = tuple(_level(x, i, inputs) for i, x in enumerate(given))
        sets = [level.pairs for level in read]  # None: all pairs, which are not listed, for any number of inputs
        named = [pair for pairs in sets for pair in pairs or ()]
        is_disjoint = len(sets) == 1 or (None not in sets and len(set(named)) == len(named))
        is_pairwise = is_disjoint and all(level.delta.rational == 0 for level in read)
        blind = [level.pairs for level in read if level.epsilon.gamma == 1 and level.delta.rational == 0]
        equal = [pair for pairs in blind for pair in pairs or ()]
        is_joined = len(equal) >= self.inputs - 1 and components(self.inputs, equal) == 1
        is_uninformative = None in blind or is_joined
        fill(self, {}, levels=read, is_uninformative=is_uninformative, form="pairwise" if is_pairwise else None)

    @classmethod
    def by_pair(
        cls, levels: Sequence[Sequence[object]], *, outputs: int | Literal["any"] | None = None
    ) -> LevelsRegion:
        """Build the region ``p_ij <= exp(levels[j][l]) p_il`` for all outputs i and all pairs with a level.

        Args:
            levels: k x k levels in nats, each in any form of ``Epsilon.of``, or ``None`` for no condition. The diagonal
                is ``None`` or 0. The levels from j to l and from l to j may differ.
            outputs: m >= 2, or ``"any"``; by default k.

        Raises:
            InvalidParameterError: the levels are not a square matrix, or there is no constraint.

        >>> print(LevelsRegion.by_pair([[None, "log(2)"], ["log(3)", None]]))
        levels (log(2), 0) for 1 pair, (log(3), 0) for 1 pair, k = 2 categories, m = 2 outputs
        """
        inputs = max(len(listed(levels) or ()), 2)
        exact = exact_rows(levels, inputs, inputs, "levels (None for no condition) is", _pair_level)
        pairs: dict[Epsilon, list[tuple[int, int]]] = {}
        for j, other in permutations(range(inputs), 2):
            level = exact[j][other]
            if level is not None:
                pairs.setdefault(level, []).append((j, other))
        if not pairs:
            raise InvalidParameterError(
                "levels contain no condition: every pair is None; give at least one pair of inputs a level"
            )
        m = inputs if outputs is None else outputs
        return cls([(level, 0, own) for level, own in pairs.items()], inputs=inputs, outputs=m)

    @classmethod
    def by_distance(
        cls,
        epsilon: object,
        delta: object = 0,
        *,
        distance: Callable[[int, int], int],
        inputs: int,
        outputs: int | Literal["any"] = "any",
    ) -> LevelsRegion:
        """Build the region with the level ``distance(j, l) epsilon`` and the same delta for each pair of inputs.

        Levels above 100 are omitted.

        Args:
            epsilon: the level at distance 1, in any form of ``Epsilon.of``.
            delta: slack of every pair, in any form of ``Delta.of``.
            distance: a function that returns an integer >= 0 for each ordered pair of inputs, counted from 0.
            inputs: k >= 2.
            outputs: m >= 2, or ``"any"``.

        >>> print(LevelsRegion.by_distance(1, "1/10", distance=lambda j, l: abs(j - l), inputs=3))
        levels (1, 1/10) for 4 pairs, (2, 1/10) for 2 pairs, k = 3 categories, output alphabet unrestricted
        """
        unit, by_steps = Epsilon.of(epsilon), dict[int, list[tuple[int, int]]]()
        for pair in permutations(range(inputs), 2):
            by_steps.setdefault(distance(*pair), []).append(pair)
        levels = [
            (level, delta, pairs)
            for steps, pairs in sorted(by_steps.items())
            if (level := multiple(unit, steps)) is not None
        ]
        return cls(levels, inputs=inputs, outputs=outputs)

    @classmethod
    def gaussian(
        cls,
        mu: object,
        side: Literal["within", "around"],
        *,
        levels: int = 6,
        inputs: int = 2,
        outputs: int | Literal["any"] = "any",
    ) -> LevelsRegion:
        """Build a polygon within or around mu-Gaussian differential privacy (Dong, Roth and Su 2022).

        Every mechanism of the region ``"within"`` is mu-GDP, and every mu-GDP mechanism is in the region ``"around"``.
        So the optimum under mu-GDP is between the best design within and the bound for the region around. The gap
        decreases with the inverse square of the number of levels: for the A-criterion with three categories at mu = 1
        it is 1.1, 0.28 and 0.07 % with 12, 24 and 48 levels. Certificates with more than 30 levels need the large
        budget of the checker.

        Args:
            mu: the parameter, a rational above 0 and at most 8.
            side: ``"within"`` or ``"around"``.
            levels: the number of levels of the polygon, 1 to 160.
            inputs: k >= 2.
            outputs: m >= 2, or ``"any"``.

        Raises:
            InvalidParameterError: mu, the side or the number of levels is out of range.

        >>> print(*LevelsRegion.gaussian(1, "around", levels=2).levels)
        (0, 38292493/100000000) (log(2778/977), 11893719/100000000)
        """
        number = rational(mu, name="mu")
        if not 0 < number <= _MOST_MU:
            raise InvalidParameterError(f"mu is out of range: received {shown(mu)}; allowed is 0 < mu <= {_MOST_MU}")
        levels = whole_where(levels, 1, _MOST_OF_POLYGON, name="levels")
        one_of(side, ("within", "around"), "side")
        found = tangents(number, levels) if side == "around" else chords(number, levels)
        given = [(0 if gamma == 1 else f"log({gamma})", delta) for gamma, delta in found]
        return cls(given, inputs=inputs, outputs=outputs)

    @property
    def pair_levels(self) -> Levels | None:
        """The level of each ordered pair of inputs, for the form ``pairwise``; otherwise None."""
        if self.form is None:
            return None
        found = {pair: level.epsilon for level in self.levels for pair in self.pairs_of(level)}
        return tuple(tuple(found.get((j, other)) for other in range(self.inputs)) for j in range(self.inputs))

    def compares(self, j: int, other: int) -> bool:
        """Return whether the pair has a level with delta = 0."""
        return any(level.delta.rational == 0 and (j, other) in self.pairs_of(level) for level in self.levels)

    @property
    def any_outputs(self) -> LevelsRegion:
        """The region with an unrestricted output alphabet."""
        return LevelsRegion(self.levels, inputs=self.inputs)

    def pairs_of(self, level: PairsLevel) -> Sequence[tuple[int, int]]:
        """Return the ordered pairs of inputs that a level compares."""
        return list(permutations(range(self.inputs), 2)) if level.pairs is None else level.pairs

    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels below and above each level, ``digits`` significant digits apart (equal if rational).

        If m is unrestricted, levels that are small multiples of one another get enclosures that are powers of one
        enclosure, so that equal products of odds bounds remain equal.
        """
        given = [level.epsilon for level in self.levels]
        gammas = (
            {level: level.gamma_bracket(digits) for level in given} if self.outputs else common_brackets(given, digits)
        )
        parts = []
        for level in self.levels:
            gamma, delta = gammas[level.epsilon], level.delta.bracket(digits)
            low, high = (RationalLevel(*ends) for ends in zip(gamma, delta, strict=True))
            parts.append(LevelPart(low, high, tuple(self.pairs_of(level))))
        return RationalLevels(tuple(parts))

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism satisfies every level, decided exactly."""
        if not self.fits(mechanism):
            return False
        for level in self.levels:
            gamma = gamma_of(level.epsilon)
            excess = worst_excess(mechanism.matrix, gamma, level.pairs).at(gamma)
            if (ExactReal.of(excess) - level.delta.exact()).sign() > 0:
                return False
        return True

    def __str__(self) -> str:
        told = ", ".join(map(str, self.levels[:4])) + (", ..." if len(self.levels) > 4 else "")
        return f"levels {told}, {shape_text(self.inputs, self.outputs)}"


def components(inputs: int, pairs: Iterable[tuple[int, int]]) -> int:
    """Return the number of connected components of the graph with the inputs as nodes and the pairs as edges.

    >>> components(3, [(0, 1), (2, 1)]), components(3, [(0, 1)])
    (1, 2)
    """
    groups = list(range(inputs))
    for j, other in pairs:
        if groups[j] != groups[other]:
            groups = [groups[j] if group == groups[other] else group for group in groups]
    return len(set(groups))


def _level(value: object, place: int, inputs: int) -> PairsLevel:
    """Read one level of the list that a caller or a file gives."""
    where = f"levels[{place}]"
    if isinstance(value, PairsLevel):
        parts: list[object] = [value.epsilon, value.delta, value.pairs]
    elif isinstance(value, Mapping) and "epsilon" in value and set(value) <= {"epsilon", "delta", "pairs"}:
        parts = [value["epsilon"], value.get("delta", 0), value.get("pairs")]
    elif isinstance(value, (tuple, list)) and len(value) in (2, 3):
        parts = [*value, None][:3]
    else:
        raise InvalidParameterError(
            f"{where} is not a level: received {shown(value)}; allowed is (epsilon, delta), (epsilon, delta, pairs), "
            'or an object with the keys epsilon, delta and pairs, for example {"epsilon": "1", "delta": "1/10"}'
        )
    epsilon, delta, pairs = parts
    try:
        level = Epsilon.from_dict(epsilon) if isinstance(epsilon, dict) else Epsilon.of(epsilon)
        slack = Delta.from_dict(delta) if isinstance(delta, dict) else Delta.of(delta)
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{where}: {error}") from None
    if level.is_infinite:
        raise InvalidParameterError(f"{where}: an infinite level is no condition; leave it out")
    return PairsLevel(level, slack, None if pairs is None or pairs == "all" else _read_pairs(pairs, where, inputs))


def _read_pairs(pairs: object, where: str, inputs: int) -> Pairs | None:
    """Return ordered pairs in lexicographic order; None if they are all pairs."""
    found: set[tuple[int, int]] = set()
    for pair in pairs if isinstance(pairs, Iterable) and not isinstance(pairs, str) else [None]:
        ends = list(map(plain_integer, pair)) if isinstance(pair, (tuple, list)) else []
        indices = [x if type(x) is int else int(x) if re.fullmatch(r"[0-9]{1,9}", str(x)) else -1 for x in ends]
        if len(indices) != 2 or indices[0] == indices[1] or not all(0 <= x < inputs for x in indices):
            raise InvalidParameterError(
                f"{where} has a pair that is not two different inputs: received {shown(pair)}; allowed is [j, l] with "
                f"j and l from 0 to {inputs - 1}"
            )
        found.add((indices[0], indices[1]))
    if not found:
        raise InvalidParameterError(
            f'{where} has no pairs: received {shown(pairs)}; leave the level out, or write "all"'
        )
    return None if len(found) == inputs * (inputs - 1) else tuple(sorted(found))


def _pair_level(value: object, j: int, other: int) -> Epsilon | None:
    if value is None:
        return None
    try:
        level = Epsilon.of(value)
    except InvalidParameterError as error:
        raise InvalidParameterError(f"levels[{j}]: {error}") from None
    if j == other:  # the distance of an input to itself
        if level.gamma == 1:
            return None
        raise InvalidParameterError(
            f"levels[{j}][{j}] is {shown(value)}: an input has no level against itself; write 0, or no level"
        )
    if level.is_infinite:
        raise InvalidParameterError(f"levels[{j}]: an infinite level is no condition; write None (null)")
    return level


def multiple(unit: Epsilon, steps: int) -> Epsilon | None:
    """Return ``steps * unit``, or None if it exceeds the largest level that can be written."""
    return None if steps * float(unit) > MAX_EXPONENT else unit.scaled(steps)


def common_brackets(levels: Iterable[Epsilon], digits: int) -> dict[Epsilon, Bracket]:
    """Return bounds of exp(epsilon) for each level; small multiples of one level get powers of its bounds.

    >>> one, two = Epsilon.of(1), Epsilon.of(2)
    >>> found = common_brackets([one, two], 20)
    >>> found[two].upper == found[one].upper ** 2
    True
    """
    found: dict[Epsilon, Bracket] = {}
    families: dict[Fraction, set[Epsilon]] = {}
    for level in levels:
        if level.gamma is None:
            families.setdefault(level.base, set()).add(level)
        else:
            found[level] = level.gamma_bracket(digits)
    for family in families.values():
        below = lcm(*(level.times.denominator for level in family))
        steps = {level: int(level.times * below) for level in family}
        unit = gcd(*steps.values())
        if max(steps.values()) > _MOST_STEPS * unit:
            found |= {level: level.gamma_bracket(digits) for level in family}
            continue
        one = next(iter(family))
        scale = Fraction(unit, below)
        first = Epsilon(one.kind, scale, one.base).gamma_bracket(digits)
        found |= {level: Bracket(*(end ** (n // unit) for end in first)) for level, n in steps.items()}
    return found


_GRID = re.compile(r"grid:([1-9][0-9]{0,2})x([1-9][0-9]{0,2})")


def steps_apart(name: str, k: int) -> Callable[[int, int], int]:
    """Return the distance function of two categories for a name such as ``line`` or ``grid:2x3``."""
    if name == "line":
        return lambda j, other: abs(j - other)
    match = _GRID.fullmatch(name)
    if match is None:
        raise InvalidParameterError(
            f"`distance` is unknown: received {shown(name)}; allowed are line and grid:RxC, for example grid:2x3"
        )
    rows, columns = int(match[1]), int(match[2])
    if rows * columns != k:
        raise InvalidParameterError(
            f"`distance` does not fit: received {shown(name)}, {rows * columns} places; there are {k} categories"
        )
    return lambda j, other: sum(abs(a - b) for a, b in zip(divmod(j, columns), divmod(other, columns), strict=True))
