"""Rational levels (gamma, delta), and brackets of irrational ones between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["LevelBracket", "PairwiseBracket", "RationalLevel"]

Gammas = tuple[tuple[Fraction | None, ...], ...]


@dataclass(frozen=True, slots=True)
class RationalLevel:
    """A privacy level with rational ``gamma = exp(epsilon) >= 1`` and rational ``delta`` in [0, 1]."""

    gamma: Fraction
    delta: Fraction


@dataclass(frozen=True, slots=True)
class LevelBracket:
    """Rational levels ``below <= (exp(epsilon), delta) <= above``, componentwise; equal when the level is rational.

    Privacy regions grow with gamma and delta. So a mechanism that is feasible at ``below`` is feasible, and a bound
    that is proved at ``above`` holds (DESIGN, section 2).
    """

    below: RationalLevel
    above: RationalLevel

    @property
    def is_exact(self) -> bool:
        """Whether both ends are the level itself."""
        return self.below == self.above


@dataclass(frozen=True, slots=True)
class PairwiseBracket:
    """Rational odds bounds ``below[j][l] <= exp(levels[j][l]) <= above[j][l]`` of a level per ordered pair of inputs.

    The region is ``p_ij <= exp(levels[j][l]) p_il`` for every output i and every pair (j, l) with a level; delta is 0.

    Attributes:
        below: shape (k, k): at least 1, ``None`` where the pair has no condition (always where j = l).
        above: the same shape, ``None`` at the same places; equal to ``below`` where gamma is rational.
    """

    below: Gammas
    above: Gammas

    @property
    def is_exact(self) -> bool:
        """Whether both ends are the levels themselves."""
        return self.below == self.above

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs (j, l) with a condition, in lexicographic order."""
        return tuple(
            (j, other) for j, line in enumerate(self.above) for other, gamma in enumerate(line) if gamma is not None
        )
