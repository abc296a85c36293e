"""The budget: what may still be computed for one certificate, counted in units before the work is done."""

from fractions import Fraction
from typing import Any

from .documents import Rejected, fraction
from .limits import MAX_DIGITS, MAX_WORK

_WORD = 512  # bits up to which an operation counts once
_WORD_CHARACTERS = 308  # of a fraction whose numerator and denominator have that many bits
_BULK = 32  # products in a plain loop over integers that cost as much as one other operation
_BULK_WORD = 256  # bits up to which such a product counts once


class Budget:
    """``MAX_WORK`` units; one is an operation on short numbers: at most about two microseconds."""

    def __init__(self) -> None:
        self.left = MAX_WORK

    def spend(self, count: int, bits: int = 0, other_bits: int = 0) -> None:
        """Pay for ``count`` operations on two numbers of these lengths, or reject."""
        self.left -= count * (1 + bits // _WORD) * (1 + other_bits // _WORD)
        if self.left < 0:
            raise Rejected("the certificate needs more work than the checker does")

    def spend_in_bulk(self, count: int, bits: int, other_bits: int) -> None:
        """Pay for a plain loop of ``count`` products of two integers of these lengths, or reject."""
        self.spend(-(-count * (1 + bits // _BULK_WORD) * (1 + other_bits // _BULK_WORD) // _BULK))

    def number(self, text: Any, where: str, digits: int = MAX_DIGITS) -> Fraction:
        """Read a number: its greatest common divisor costs the square of its length."""
        length = len(text) // _WORD_CHARACTERS * _WORD if isinstance(text, str) else 0
        self.spend(1, length, length)
        return fraction(text, where, digits)
