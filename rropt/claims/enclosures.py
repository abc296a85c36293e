"""The enclosure: two rational numbers between which a true value lies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.errors import InvalidParameterError
from rropt.exact import as_text, decimal_text

_DIGITS = 9  # significant digits that people read; a narrow enclosure agrees in far more
_LONGEST = 40  # characters of a fraction that is still written out


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What is known of an irrational true value: ``low <= value <= high``, both ends rational.

    A type of its own, so that a design with equal coordinates is never taken for a number.

    Attributes:
        low: the lower end.
        high: the upper end, at least ``low``.

    Raises:
        InvalidParameterError: the ends are in the wrong order.

    Example:
        >>> print(Enclosure(Fraction(3, 4), Fraction(3, 4)))
        3/4
        >>> print(Enclosure(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20)))
        ~0.333333333
        >>> print(Enclosure(Fraction(1, 4), Fraction(1, 3)))
        between 1/4 and 1/3
    """

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise InvalidParameterError(
                f"an enclosure has low <= high: received {as_text(self.low)} and {as_text(self.high)}; exchange them"
            )

    @property
    def is_exact(self) -> bool:
        """Whether the two ends are one number, the value itself."""
        return self.low == self.high

    def __str__(self) -> str:
        ends = [as_text(end) for end in (self.low, self.high)]
        decimals = [decimal_text(end, _DIGITS) for end in (self.low, self.high)]
        if self.is_exact:
            return ends[0] if len(ends[0]) <= _LONGEST else f"~{decimal_text(self.low, 15)}"
        if decimals[0] == decimals[1]:
            return f"~{decimals[0]}"
        low, high = ends if max(map(len, ends)) <= _LONGEST else [f"~{decimal}" for decimal in decimals]
        return f"between {low} and {high}"
