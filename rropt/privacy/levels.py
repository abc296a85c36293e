"""Rational levels (gamma, delta), and brackets of irrational ones between two of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from rropt.errors import UnsupportedProblemError
from rropt.exact import Bracket

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
