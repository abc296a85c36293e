"""Square roots of rationals: as floats for people, and as rationals rounded to a side."""

from __future__ import annotations

import math
from fractions import Fraction

from rropt.errors import InvalidParameterError

_BEYOND_FLOATS = (
    "an estimate, a margin or a standard error is beyond 1e308: received a mechanism whose answers hardly depend on "
    "the truth; they estimate nothing: use another mechanism"
)
_BITS = 128  # bits of the root that the float is rounded from


def square_root(value: Fraction) -> float:
    """Return the square root of a rational >= 0 as a float, also where the rational itself is beyond floats.

    Raises:
        InvalidParameterError: the root exceeds 1.8e308.

    >>> square_root(Fraction(1, 4)), square_root(Fraction(2))
    (0.5, 1.4142135623730951)
    """
    size = value.numerator.bit_length() - value.denominator.bit_length()
    shift = _BITS - size // 2
    try:
        return math.ldexp(math.isqrt(_scaled(value, 2 * shift)), -shift)
    except OverflowError:
        raise InvalidParameterError(_BEYOND_FLOATS) from None


def finite_float(value: Fraction) -> float:
    """Return a rational as the nearest float.

    Raises:
        InvalidParameterError: it exceeds 1.8e308.
    """
    try:
        return float(value)
    except OverflowError:
        raise InvalidParameterError(_BEYOND_FLOATS) from None


def root_below(value: Fraction, digits: int) -> Fraction:
    """Return the largest multiple of ``10^-digits`` that is at most the square root of ``value >= 0``."""
    scale = 10**digits
    return Fraction(math.isqrt(value.numerator * scale * scale // value.denominator), scale)


def root_above(value: Fraction, digits: int) -> Fraction:
    """Return a multiple of ``10^-digits`` that is at least the square root of ``value >= 0``, and at most one more."""
    below = root_below(value, digits)
    return below if below * below == value else below + Fraction(1, 10**digits)


def _scaled(value: Fraction, shift: int) -> int:
    """Return the floor of ``value * 2^shift``."""
    if shift >= 0:
        return (value.numerator << shift) // value.denominator
    return value.numerator // (value.denominator << -shift)
