"""A short rational level just above an irrational one: the exact solver's numbers stay short."""

from __future__ import annotations

from fractions import Fraction

from rropt.privacy.levels import LevelBracket, PairwiseBracket, RationalLevel
from rropt.solvers.linear_designs.design_programme import Levels
from rropt.solvers.linear_designs.limits import SHORT_WIDTH

__all__ = ["short_levels", "simplest_between"]


def short_levels(levels: Levels, width: Fraction = SHORT_WIDTH) -> Levels:
    """Return rational levels at or a hair above ``levels.above``, written with few digits; rational ones unchanged.

    Regions grow with the level, so a programme that is infeasible there is infeasible at ``levels.above`` too, with the
    same Farkas vector: gamma and delta meet multipliers of one sign only.

    Args:
        levels: rational levels around an irrational one.
        width: how far above, relative to gamma - 1 and delta.
    """
    if isinstance(levels, PairwiseBracket):
        rows = tuple(
            tuple(None if a is None or b is None else _short_gamma(a, b, width) for a, b in zip(low, high, strict=True))
            for low, high in zip(levels.below, levels.above, strict=True)
        )
        return PairwiseBracket(rows, rows)
    delta = levels.above.delta
    if levels.below.delta != delta:
        delta = min(Fraction(1), simplest_between(delta, delta * (1 + width)))
    level = RationalLevel(_short_gamma(levels.below.gamma, levels.above.gamma, width), delta)
    return LevelBracket(level, level)


def _short_gamma(below: Fraction, above: Fraction, width: Fraction) -> Fraction:
    return above if below == above else simplest_between(above, above + (above - 1) * width)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of least denominator in ``[low, high]``, 0 <= low <= high (Stern and Brocot).

    >>> simplest_between(Fraction(314, 100), Fraction(315, 100))
    Fraction(22, 7)
    """
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    floor = whole - 1
    return floor + 1 / simplest_between(1 / (high - floor), 1 / (low - floor))
