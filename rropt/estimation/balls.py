"""Ball arithmetic (Arb, through python-flint) and rationals: a ball holds its number, rigorously."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["ball", "bracket"]

# Binary digits of ball arithmetic, doubling from the first to the last; tails end before (`tails.py`).
FIRST_PRECISION = 64
LAST_PRECISION = 2048


def ball(value: Fraction) -> Any:
    """Return a ball around a rational at the working precision."""
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


def bracket(value: Any) -> tuple[Fraction, Fraction]:
    """Return rationals ``lo <= x <= hi`` for every x of a finite ball."""
    return _dyadic(value.lower()), _dyadic(value.upper())


def _dyadic(exact: Any) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
