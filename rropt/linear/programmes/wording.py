"""Exact numbers as a sentence can bear them."""

from __future__ import annotations

import math
from fractions import Fraction

__all__ = ["worded"]

# Longest number, in bits, that is written out: about 40 digits.
_WRITTEN_BITS = 130


def worded(value: Fraction) -> str:
    """Return a fraction in full when it is short, otherwise its size (Python refuses to print 4300 digits)."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= _WRITTEN_BITS:
        return str(value)
    try:
        size = float(value)
    except OverflowError:
        size = 0.0
    if size:
        return f"about {size:.6g}"
    sign = "-" if value < 0 else ""
    return f"about {sign}10^{round((math.log2(abs(value.numerator)) - math.log2(value.denominator)) * math.log10(2))}"
