"""Exact coordinates of what is drawn: quotients that keep their exact text beside the float that is plotted."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from rropt.exact import Delta, Epsilon, ExactReal, as_text, decimal_text
from rropt.exact.reals import Scalar
from rropt.plots.styles import FIRST_FLOAT_DIGITS, FLOAT_DIGITS, SHORT_TEXT, SHOWN_DIGITS

_NEAR_ONE = 10.0**-SHOWN_DIGITS  # nearer to 1 than this: written as a difference from it


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A real number ``above / below``, exact; ``below`` is not 0.

    >>> half = Coordinate(1, 2)
    >>> print(half, float(half), Coordinate(ExactReal.exponential(Fraction(1)), 2))
    1/2 0.5 (exp(1))/(2)
    """

    above: Scalar
    below: Scalar = 1

    @property
    def rational(self) -> Fraction | None:
        """The number when it is 0 or both parts are rational, else ``None``."""
        above, below = ExactReal.of(self.above).rational, ExactReal.of(self.below).rational
        if above == 0:
            return above
        return None if above is None or below is None else above / below

    @property
    def sign(self) -> int:
        """-1, 0 or 1, decided exactly."""
        return ExactReal.of(self.above).sign() * ExactReal.of(self.below).sign()

    def __float__(self) -> float:
        exact = self.rational
        return float(exact) if exact is not None else as_float(self.above) / as_float(self.below)

    def __str__(self) -> str:
        exact = self.rational
        if exact is not None:
            return as_text(exact)
        return str(self.above) if self.below == 1 else f"({self.above})/({self.below})"

    def short(self, *, up: bool = False) -> str:
        """Return the exact value where it is short, else a decimal at most it, or at least (``up``).

        ``3/4``, ``≈0.6224``, ``≈1 − 2e-9``.
        """
        exact = self.rational
        if exact is not None and len(as_text(exact)) <= SHORT_TEXT:
            return as_text(exact)
        rest = Coordinate(self.below - self.above, self.below)
        if 0 < float(rest) < _NEAR_ONE:
            return f"≈1 − {decimal_text(rest.rounded(SHOWN_DIGITS, up=not up), SHOWN_DIGITS)}"
        return f"≈{decimal_text(self.rounded(SHOWN_DIGITS, up=up), SHOWN_DIGITS)}"

    def rounded(self, digits: int, *, up: bool) -> Fraction:
        """Return a decimal of so many significant digits, at most the number or at least it (``up``)."""
        exact, places = self.rational, FIRST_FLOAT_DIGITS
        while exact is None:  # ends: neither part is 0
            low, high = ExactReal.of(self.above).bracket(places), ExactReal.of(self.below).bracket(places)
            if low.lower > 0 and low.gap < low.lower / 10 ** (2 * digits):
                exact = low.upper / high.lower if up else low.lower / high.upper
            places *= 2
        context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
        return Fraction(context.divide(Decimal(exact.numerator), Decimal(exact.denominator)))

    def record(self) -> dict[str, Any]:
        """Return the form of JSON: exact text and decimal."""
        return {"exact": str(self), "decimal": float(self)}


def level_numbers(epsilon: Epsilon, delta: Delta) -> tuple[Scalar, Scalar]:
    """Return gamma and delta of a level as exact numbers, rational where they are."""
    gamma: Scalar = epsilon.gamma or epsilon.exact_gamma()
    slack: Scalar = delta.exact() if delta.rational is None else delta.rational
    return gamma, slack


def as_float(x: Scalar) -> float:
    """Return a float that is right to its last digits, however small the number is."""
    exact = ExactReal.of(x)
    if exact.rational is not None:
        return float(exact.rational)
    digits = FIRST_FLOAT_DIGITS
    while True:  # ends: an irrational number is not 0
        low, high = exact.bracket(digits)
        if (high - low) * 10**FLOAT_DIGITS <= min(abs(low), abs(high)):
            return float((low + high) / 2)
        digits *= 2


def number_record(value: Fraction) -> dict[str, Any]:
    """Return a rational in the form of JSON: exact text and decimal."""
    return {"exact": as_text(value), "decimal": float(value)}
