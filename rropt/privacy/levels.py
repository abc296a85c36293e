"""Rational levels (gamma, delta) and the bracket of an irrational one between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["LevelBracket", "RationalLevel"]


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
