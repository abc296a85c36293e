"""Outward rounding of interval ends."""

from __future__ import annotations

from fractions import Fraction

from rropt.tolerances import END_DIGITS

__all__ = ["end_digits", "outward"]


def end_digits(n: int) -> int:
    """Return the decimals to which the ends of an interval from n answers are rounded outwards."""
    return END_DIGITS + (len(str(n)) + 1) // 2


def outward(lower: Fraction, upper: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return multiples of ``10^-digits`` at or below ``lower`` and at or above ``upper``."""
    scale = 10**digits
    below = lower.numerator * scale // lower.denominator
    above = -(-upper.numerator * scale // upper.denominator)
    return Fraction(below, scale), Fraction(above, scale)
