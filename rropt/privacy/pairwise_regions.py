"""Regions with a privacy level for each pair of inputs: d-privacy, metric privacy, context-aware privacy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Bracket, Epsilon
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed
from rropt.mechanisms.hockey_stick import gamma_of, pair_excess
from rropt.privacy.level_regions import common_brackets, joins_all, multiple
from rropt.privacy.region import (
    Form,
    LevelPart,
    Levels,
    RationalLevel,
    RationalLevels,
    Region,
    fill,
    read_form,
    register_region,
    required_sizes,
    shape_text,
)


@register_region
@dataclass(frozen=True, slots=True)
class PairwiseRegion(Region):
    """All mechanisms with ``p_ij <= exp(levels[j][l]) p_il`` for all outputs i and all pairs of inputs with a level.

    With ``levels[j][l] = d(j, l)`` for a metric d these are the d-private mechanisms (metric privacy,
    geo-indistinguishability: Chatzikokolakis, Andres, Bordenabe and Palamidessi 2013). With one level for all pairs
    they are the epsilon-LDP mechanisms.

    Args:
        levels: k x k levels in nats, each in any form of ``Epsilon.of``, or ``None`` for no condition. The diagonal is
            always ``None``. The levels from j to l and from l to j may differ.
        outputs: m >= 2; 0 or ``"any"`` for an unrestricted output alphabet (the attribute is then 0); by default k.

    Raises:
        InvalidParameterError: the levels are not a square matrix, or there is no constraint.

    >>> region = PairwiseRegion([[None, "log(2)"], ["log(3)", None]])
    >>> region.contains(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]))
    True
    """

    kind: ClassVar[str] = "pairwise-privacy"
    levels: Levels
    outputs: int

    def __init__(self, levels: Sequence[Sequence[object]], *, outputs: int | Literal["any"] | None = None) -> None:
        exact = _square(levels)
        _, m = required_sizes(len(exact), len(exact) if outputs is None else outputs)
        if all(level is None for row in exact for level in row):
            raise InvalidParameterError(
                "levels contain no condition: every pair is None; give at least one pair of inputs a level"
            )
        fill(self, levels=exact, outputs=m)

    @classmethod
    def by_distance(
        cls, inputs: int, epsilon: object, *, outputs: int | Literal["any"] | None = None
    ) -> PairwiseRegion:
        """Build the region with the level ``abs(j - l) epsilon`` for each pair (ordered categories).

        A level above 100 is omitted, because the levels of neighbours imply it:
        ``p_ij <= exp(epsilon) p_i,j+1 <= ...``.

        Args:
            inputs: k >= 2.
            epsilon: the level of neighbours, in any form of ``Epsilon.of``.
            outputs: m >= 2, or 0 or ``"any"``; by default k.
        """
        unit = Epsilon.of(epsilon)
        required_sizes(inputs)
        far = [multiple(unit, steps) for steps in range(inputs)]
        return cls(
            [[far[abs(j - i)] if i != j else None for j in range(inputs)] for i in range(inputs)], outputs=outputs
        )

    @property
    def inputs(self) -> int:
        """k, the number of categories."""
        return len(self.levels)

    @property
    def form(self) -> Form:
        """The form of linear programs with an odds bound for each pair, ``pairwise``."""
        return "pairwise"

    @property
    def has_rays(self) -> bool:
        """True: the rows of its mechanisms have finitely many extreme directions."""
        return True

    @property
    def is_uninformative(self) -> bool:
        """Whether pairs of level 0 connect all inputs, so that outputs are independent of the truth."""
        return joins_all(
            self.inputs,
            [
                (j, other)
                for j, row in enumerate(self.levels)
                for other, level in enumerate(row)
                if level is not None and level.gamma == 1
            ],
        )

    @property
    def pair_levels(self) -> Levels:
        """The levels, one for each ordered pair of inputs."""
        return self.levels

    def compares(self, j: int, other: int) -> bool:
        """Return whether the pair has a level."""
        return self.levels[j][other] is not None

    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels around the odds bounds, ``digits`` significant digits apart, with delta 0.

        Pairs with the same bounds are grouped. If m is unrestricted, levels that are small multiples of one another get
        enclosures that are powers of one.
        """
        given = [level for row in self.levels for level in row if level is not None]
        ends = (
            {level: level.gamma_bracket(digits) for level in given} if self.outputs else common_brackets(given, digits)
        )
        pairs: dict[Bracket, list[tuple[int, int]]] = {}
        for j, row in enumerate(self.levels):
            for other, level in enumerate(row):
                if level is not None:
                    pairs.setdefault(ends[level], []).append((j, other))
        zero = Fraction(0)
        return RationalLevels(
            tuple(
                LevelPart(RationalLevel(low, zero), RationalLevel(high, zero), tuple(own))
                for (low, high), own in pairs.items()
            )
        )

    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism satisfies every level, decided exactly."""
        if not self.fits(mechanism):
            return False
        return all(
            not pair_excess(mechanism.matrix, (j, other), gamma_of(level)).outputs
            for j, row in enumerate(self.levels)
            for other, level in enumerate(row)
            if level is not None
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in problems and certificates."""
        levels = [[None if level is None else level.to_dict() for level in row] for row in self.levels]
        return {**self.sizes(), "levels": levels}

    @classmethod
    def from_dict(cls, data: Any) -> PairwiseRegion:
        """Build the region from the output of ``to_dict``."""
        sizes = read_form(data, cls.kind, "levels")
        levels = data["levels"]
        if not isinstance(levels, list) or not all(isinstance(row, list) for row in levels):
            raise InvalidParameterError(f"levels is not a square matrix: received {shown(levels)}")
        if sizes["inputs"] != len(levels):
            raise InvalidParameterError(f"inputs does not fit the levels: received {shown(data['inputs'])}")
        exact = [[None if level is None else Epsilon.from_dict(level) for level in row] for row in levels]
        return cls(exact, outputs=sizes["outputs"])

    def __str__(self) -> str:
        given = [level for row in self.levels for level in row if level is not None]
        least, most = min(given, key=float), max(given, key=float)
        span = f"epsilon = {least}" if least == most else f"epsilon from {least} to {most}"
        return f"{span} by pair ({len(given)} pairs), {shape_text(self.inputs, self.outputs)}"


def _square(levels: Sequence[Sequence[object]]) -> Levels:
    given = [listed(row) or row for row in listed(levels) or ()]
    if len(given) < 2:
        raise InvalidParameterError(
            f"levels is not a square matrix: received {shown(levels)}; give k rows of k levels, None for no condition"
        )
    exact: dict[object, Epsilon] = {}
    rows = []
    for j, row in enumerate(given):
        if not isinstance(row, list) or len(row) != len(given):
            raise InvalidParameterError(
                f"levels is not a square matrix: row {j} is {shown(row)}; it needs {len(given)} entries, as many as "
                "there are rows"
            )
        if row[j] is not None:
            raise InvalidParameterError(
                f"levels[{j}][{j}] is {shown(row[j])}: a pair needs two different inputs; write None (null)"
            )
        rows.append(tuple(None if level is None else _level(level, exact, f"levels[{j}]") for level in row))
    return tuple(rows)


def _level(value: object, known: dict[object, Epsilon], where: str) -> Epsilon:
    key = value if isinstance(value, (str, int, Epsilon)) else None
    if key is not None and key in known:
        return known[key]
    try:
        level = Epsilon.of(value)
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{where}: {error}") from None
    if level.is_infinite:
        raise InvalidParameterError(f"{where}: an infinite level is no condition; write None (null)")
    if key is not None:
        known[key] = level
    return level
