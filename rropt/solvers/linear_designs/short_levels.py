"""A short rational level just above an irrational one: the exact solver's numbers stay short."""

from __future__ import annotations

from fractions import Fraction

from rropt.privacy.levels import Bracket
from rropt.solvers.linear_designs.limits import SHORT_WIDTH


def short_levels(levels: Bracket, width: Fraction = SHORT_WIDTH) -> Bracket:
    """Return rational levels at or a hair above ``levels.above``, written with few digits; rational ones unchanged.

    Regions grow with the level, so a programme that is infeasible there is infeasible at ``levels.above`` too, with the
    same Farkas vector: gamma and delta meet multipliers of one sign only.

    Args:
        levels: rational levels around an irrational one.
        width: how far above, relative to gamma - 1 and delta.
    """

    def gamma(below: Fraction, above: Fraction) -> Fraction:
        return above if below == above else simplest_between(above, above + (above - 1) * width)

    def delta(below: Fraction, above: Fraction) -> Fraction:
        return above if below == above else min(Fraction(1), simplest_between(above, above * (1 + width)))

    return levels.raised(gamma, delta)


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
