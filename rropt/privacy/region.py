"""The protocol of a region of mechanisms, the registry of their kinds, and the rational levels around theirs.

A further region is a class of its own with ``@register_region``: problems, their JSON and ``rropt design`` then know
it. What a class of designs asks of a region it asks of the properties here, never of its type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import Bracket, Epsilon
from rropt.mappings import Kinds
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.privacy_region import OneLevelRegion


Bounds = tuple[tuple[Fraction, ...], ...]
Levels = tuple[tuple[Epsilon | None, ...], ...]
Form = Literal["parity", "excess", "pairwise"]


class Region(ABC):
    """Mechanisms of one shape that are private at a level.

    Attributes:
        kind: its name in files.
        inputs: k, the number of categories.
        outputs: m, the number of answers.
    """

    __slots__ = ()

    kind: ClassVar[str]

    if TYPE_CHECKING:  # fields or properties

        @property
        def inputs(self) -> int:
            """k, the number of categories."""

        @property
        def outputs(self) -> int:
            """m, the number of answers."""

    @abstractmethod
    def bracket(self, digits: int) -> RationalLevels:
        """Return rational levels below and above the level, ``digits`` significant digits apart (equal if rational)."""

    @abstractmethod
    def contains(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism lies in the region, decided exactly."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the form of problems and certificates."""

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Any) -> Region:
        """Return the region that ``to_dict`` wrote."""

    def certified_dict(self) -> dict[str, Any]:
        """Return the form of certificates (FORMAT.md, section B), by default that of problems."""
        return self.to_dict()

    def at(self, epsilon: Epsilon) -> Region:
        """Return the region of a criterion at a level in place of its own (``criterion``)."""
        raise UnsupportedProblemError(f"the region has no criterion: {self}; allowed is a CriterionRegion")

    @property
    def is_binary(self) -> bool:
        """Whether mechanisms have two inputs and two outputs."""
        return (self.inputs, self.outputs) == (2, 2)

    @property
    def family(self) -> str:
        """``"all"``, or the name of the family to which the mechanisms are restricted."""
        return "all"

    @property
    def is_blind(self) -> bool:
        """Whether in all its mechanisms the answer does not depend on the truth, as at epsilon = delta = 0."""
        return False

    @property
    def has_one_level(self) -> bool:
        """Whether its mechanisms are all those of a shape (or family) under one privacy level (``one_level``)."""
        return False

    @property
    def form(self) -> Form | None:
        """The form of its inequalities in linear programmes (FORMAT.md, rule 3); None where it has none.

        ``parity``: one odds bound, ``excess``: one odds bound and delta, ``pairwise``: an odds bound by pair of inputs.
        """
        return None

    @property
    def pair_levels(self) -> Levels | None:
        """The level of each ordered pair of inputs, of the form ``pairwise``."""
        return None

    @property
    def bounds(self) -> tuple[Bounds, Bounds] | None:
        """The least and the largest values of the entries, each of shape (m, k); with bounds a region may be empty."""
        return None

    @property
    def unbounded(self) -> Region:
        """The region without its bounds."""
        return self

    @property
    def criterion(self) -> Criterion | None:
        """The criterion that its mechanisms meet, of a region whose level is a B(h)."""
        return None

    def compares(self, j: int, other: int) -> bool:
        """Return whether ``p_ij`` is at most a multiple of ``p_i,other``, for every output i."""
        return False

    def one_level(self) -> OneLevelRegion:
        """Return the region itself if it has one level.

        Raises:
            UnsupportedProblemError: it has not.
        """
        raise UnsupportedProblemError(f"the region has no single level: {self}; allowed is a PrivacyRegion")


# A criterion's region is loaded when a file asks for it: it needs python-flint.
REGIONS: Kinds[Region] = Kinds(
    "region",
    lambda kinds: f"is an object with the key kind: {', '.join(kinds)}",
    later={"criterion": "rropt.privacy.criterion_region"},
)
"""The regions by kind."""

register_region = REGIONS.register
region_from_dict = REGIONS.from_dict


def read_size(text: Any, name: str) -> int:
    """Return a number of inputs or outputs of a file."""
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 9):
        raise InvalidParameterError(f"{name} is not a size: received {shown(text)}; allowed is an integer >= 2")
    return int(text)


Side = Literal["below", "above"]
Gammas = tuple[tuple[Fraction | None, ...], ...]
Ratios = dict[tuple[int, int], Fraction]
_ONE, _ZERO = Fraction(1), Fraction(0)


@dataclass(frozen=True, slots=True)
class RationalLevel:
    """A privacy level with rational ``gamma = exp(epsilon) >= 1`` and rational ``delta`` in [0, 1]."""

    gamma: Fraction
    delta: Fraction


class RationalLevels(ABC):
    """Rational levels below and above the level of a region; equal when the level is rational.

    Privacy regions grow with gamma and delta. So a mechanism that is feasible at ``below`` is feasible, and a bound
    that is proved at ``above`` holds.

    Attributes:
        is_pairwise: whether each pair of inputs has its own level.
    """

    __slots__ = ()

    is_pairwise: ClassVar[bool] = False

    @property
    @abstractmethod
    def is_exact(self) -> bool:
        """Whether both ends are the level itself."""

    @abstractmethod
    def end(self, side: Side) -> tuple[RationalLevel, Ratios]:
        """Return the level of all pairs (1 and 0 where each has its own) and the odds bounds of single pairs."""

    @abstractmethod
    def raised(
        self, gamma: Callable[[Fraction, Fraction], Fraction], delta: Callable[[Fraction, Fraction], Fraction]
    ) -> RationalLevels:
        """Return the exact bracket of the levels that two functions make of the ends of gamma and of delta."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the keys ``gamma`` and ``delta`` of a witness (FORMAT.md, rule 1)."""

    def one_level(self) -> LevelBracket:
        """Return the bracket itself if it is one of a single level.

        Raises:
            UnsupportedProblemError: it is not.
        """
        raise UnsupportedProblemError("one privacy level is needed: received a level for each pair")


@dataclass(frozen=True, slots=True)
class LevelBracket(RationalLevels):
    """Rational levels ``below <= (exp(epsilon), delta) <= above``, componentwise; equal when the level is rational."""

    below: RationalLevel
    above: RationalLevel

    @property
    def is_exact(self) -> bool:
        """Whether both ends are the level itself."""
        return self.below == self.above

    def one_level(self) -> LevelBracket:
        """Return the bracket itself."""
        return self

    def end(self, side: Side) -> tuple[RationalLevel, Ratios]:
        """Return the level at a side."""
        return getattr(self, side), {}

    def raised(
        self, gamma: Callable[[Fraction, Fraction], Fraction], delta: Callable[[Fraction, Fraction], Fraction]
    ) -> LevelBracket:
        """Return the exact bracket of the level that two functions make of the ends."""
        below, above = self.below, self.above
        level = RationalLevel(gamma(below.gamma, above.gamma), delta(below.delta, above.delta))
        return LevelBracket(level, level)

    def to_dict(self) -> dict[str, Any]:
        """Return the keys ``gamma`` and ``delta`` of a witness."""
        below, above = self.below, self.above
        return {"gamma": _written(below.gamma, above.gamma), "delta": _written(below.delta, above.delta)}


@dataclass(frozen=True, slots=True)
class PairwiseBracket(RationalLevels):
    """Rational odds bounds ``below[j][l] <= exp(levels[j][l]) <= above[j][l]`` of a level per ordered pair of inputs.

    The region is ``p_ij <= exp(levels[j][l]) p_il`` for every output i and every pair (j, l) with a level; delta is 0.

    Attributes:
        below: shape (k, k): at least 1, ``None`` where the pair has no condition (always where j = l).
        above: the same shape, ``None`` at the same places; equal to ``below`` where gamma is rational.
    """

    is_pairwise: ClassVar[bool] = True
    below: Gammas
    above: Gammas

    @property
    def is_exact(self) -> bool:
        """Whether both ends are the levels themselves."""
        return self.below == self.above

    def end(self, side: Side) -> tuple[RationalLevel, Ratios]:
        """Return the odds bounds at a side, by pair in lexicographic order."""
        gammas: Gammas = getattr(self, side)
        ratios = {(j, other): x for j, row in enumerate(gammas) for other, x in enumerate(row) if x is not None}
        return RationalLevel(_ONE, _ZERO), ratios

    def raised(
        self, gamma: Callable[[Fraction, Fraction], Fraction], delta: Callable[[Fraction, Fraction], Fraction]
    ) -> PairwiseBracket:
        """Return the exact bracket of the levels that a function makes of the ends of each gamma."""
        rows = self._paired(gamma)
        return PairwiseBracket(rows, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the keys ``gamma``, a list of lists, and ``delta`` of a witness."""
        return {"gamma": [list(row) for row in self._paired(_written)], "delta": _written(_ZERO, _ZERO)}

    def _paired(self, function: Callable[[Fraction, Fraction], Any]) -> tuple[tuple[Any, ...], ...]:
        return tuple(
            tuple(None if a is None or b is None else function(a, b) for a, b in zip(low, high, strict=True))
            for low, high in zip(self.below, self.above, strict=True)
        )


def _written(below: Fraction, above: Fraction) -> dict[str, str]:
    return Bracket(below, above).written("below", "above")
