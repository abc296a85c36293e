"""Square roots of rationals: as floats for people, and rounded to a side; and the least integer with a property."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from rropt.errors import InvalidParameterError

_BEYOND_FLOATS = (
    "an estimate, a margin or a standard error is beyond 1e308: received a mechanism whose answers hardly depend on "
    "the truth; they estimate nothing: use another mechanism"
)
_BITS = 128  # bits of the root that the float is rounded from


def least_integer(works: Callable[[int], bool], guess: int, least: int, most: int, step: int = 1) -> int:
    """Return the least integer of [least, most] with ``works``, for a property that once true stays true.

    By galloping from a guess, and bisection; ``works(most)`` is taken for granted and not evaluated.

    Args:
        works: the property.
        guess: where to begin.
        least, most: the ends.
        step: the first step.
    """
    low, high, stride = least - 1, min(max(guess, least), most), step  # it fails at low, or low is beyond the end
    while high < most and not works(high):
        low, high, stride = high, min(high + stride, most), 2 * stride
    stride = step
    while high - low > 1:
        middle = max(high - stride, least) if low < least else (low + high) // 2
        if works(middle):
            high, stride = middle, 2 * stride
        else:
            low = middle
    return high


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
