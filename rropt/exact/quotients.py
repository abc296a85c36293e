"""Quotients of exact reals: the ordered field in which designs at an irrational level are compared."""

from __future__ import annotations

from fractions import Fraction
from functools import total_ordering

from rropt.exact.reals import ExactReal


@total_ordering
class Quotient:
    """``numerator / denominator`` with exact real parts and a denominator > 0; every comparison is decided exactly.

    Args:
        numerator, denominator: exact; the denominator is not 0 (its sign is moved to the numerator).

    Raises:
        ZeroDivisionError: the denominator is 0.

    >>> third = Quotient(1) / (Quotient(ExactReal.exponential(Fraction(1))) + 1)
    >>> third < Fraction(269, 1000), third + third == 2 * third
    (True, True)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: ExactReal | Fraction | int, denominator: ExactReal | Fraction | int = 1) -> None:
        above, below = ExactReal.of(numerator), ExactReal.of(denominator)
        sign = below.sign()
        if not sign:
            raise ZeroDivisionError("quotient of exact reals: the denominator is 0")
        self.numerator, self.denominator = (above, below) if sign > 0 else (-above, -below)

    def __add__(self, other: Operand) -> Quotient:
        right = _quotient(other)
        if self.denominator == right.denominator:  # keeps the terms of sums over one denominator few
            return Quotient(self.numerator + right.numerator, self.denominator)
        crossed = self.numerator * right.denominator + right.numerator * self.denominator
        return Quotient(crossed, self.denominator * right.denominator)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Operand) -> Quotient:
        return self + -_quotient(other)

    def __rsub__(self, other: Operand) -> Quotient:
        return -self + other

    def __mul__(self, other: Operand) -> Quotient:
        right = _quotient(other)
        return Quotient(self.numerator * right.numerator, self.denominator * right.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Quotient:
        right = _quotient(other)
        return Quotient(self.numerator * right.denominator, self.denominator * right.numerator)

    def sign(self) -> int:
        """Return -1, 0 or 1, exactly."""
        return self.numerator.sign()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Quotient, ExactReal, Fraction, int)):
            return NotImplemented
        return not (self - other).numerator

    def __lt__(self, other: Operand) -> bool:
        return (self - other).sign() < 0

    __hash__ = None  # type: ignore[assignment]  # equal quotients have no common normal form to hash

    def __float__(self) -> float:
        return float(self.numerator) / float(self.denominator)

    def __repr__(self) -> str:
        return f"Quotient({self.numerator}, {self.denominator})"


Operand = Quotient | ExactReal | Fraction | int


def _quotient(value: Operand) -> Quotient:
    return value if isinstance(value, Quotient) else Quotient(value)
