"""Simplest fractions: of all rationals between two ends the one of least denominator (Stern and Brocot)."""

from __future__ import annotations

import math
from fractions import Fraction


def simplest_between(
    low: Fraction, high: Fraction | None, *, low_open: bool = False, high_open: bool = False
) -> Fraction:
    """Return the fraction of least denominator between ``low >= 0`` and ``high``, which is infinite when ``None``.

    By continued fractions; each step turns the interval around. It must not be empty.

    Args:
        low, high: the ends.
        low_open, high_open: whether an end is left out.

    >>> print(simplest_between(Fraction(314, 100), Fraction(315, 100)))
    22/7
    >>> print(simplest_between(Fraction(0), Fraction(1, 2), low_open=True, high_open=True))
    1/3
    """
    wholes: list[int] = []
    while True:
        value = Fraction(math.floor(low) + 1 if low_open else math.ceil(low))
        if high is None or value < high or (value == high and not high_open):
            break
        whole = math.floor(low)
        low, high = 1 / (high - whole), None if low == whole else 1 / (low - whole)
        low_open, high_open = high_open, low_open
        wholes.append(whole)
    for whole in reversed(wholes):
        value = whole + 1 / value
    return value
