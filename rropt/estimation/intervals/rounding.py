"""Outward rounding of interval ends."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["end_digits", "outward"]

# Ends of intervals are rounded outwards at 13 significant decimals, and half as many more as n has digits (an interval
# shrinks like 1/sqrt(n)), so that rounding costs less than 1e-12 of the width.
END_DIGITS = 13


def end_digits(n: int) -> int:
    """Return the decimals to which the ends of an interval from n answers are rounded outwards."""
    return END_DIGITS + (len(str(n)) + 1) // 2


def outward(lower: Fraction, upper: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Return multiples of ``10^-digits`` at or below ``lower`` and at or above ``upper``."""
    scale = 10**digits
    below = lower.numerator * scale // lower.denominator
    above = -(-upper.numerator * scale // upper.denominator)
    return Fraction(below, scale), Fraction(above, scale)
