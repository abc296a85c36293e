"""Ball arithmetic (Arb, through python-flint) and rationals: a ball holds its number, rigorously."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

# Significant decimal digits of gamma - 1 and of delta in the first bracket that is tried, and the most that are.
# The gap is about value * 10^-digits: 24 digits serve n Var up to 10^10 at once; each retry doubles them.
FIRST_BRACKET_DIGITS = 24
MAX_BRACKET_DIGITS = 1536  # with MAX_PARAMETER_DIGITS, the precision at which the checker stops (8192 bits)


def ball(value: Fraction) -> Any:
    """Return a ball around a rational at the working precision."""
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


def bracket(value: Any) -> tuple[Fraction, Fraction]:
    """Return rationals ``lo <= x <= hi`` for every x of a finite ball."""
    return to_fraction(value.lower()), to_fraction(value.upper())


def to_fraction(exact: Any) -> Fraction:
    """Return an exact ``arb`` (a dyadic number) as a ``Fraction``."""
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def decimal_bracket(enclosure: Callable[[int], Any], digits: int) -> tuple[Fraction, Fraction]:
    """Return ``lo <= x <= hi``, decimals with ``digits`` digits after the point that are at most three units apart.

    Args:
        enclosure: a ball around x for a precision in bits.
        digits: after the point.
    """
    from flint import ctx

    scale, precision = 10**digits, 4 * digits + 64
    while True:
        with ctx.workprec(precision):
            scaled = enclosure(precision) * scale
            if scaled.rad() < 1:
                low, high = scaled.lower().floor().unique_fmpz(), scaled.upper().ceil().unique_fmpz()
                return Fraction(int(low), scale), Fraction(int(high), scale)
        precision *= 2
