"""The interval: a kind, two exact ends, a confidence, and what is guaranteed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.exact import as_text, decimal_text

__all__ = ["Interval"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval for a prevalence, or for ``c . pi``.

    Attributes:
        kind: ``"normal"``, ``"wilson"``, ``"chebyshev"`` or ``"exact"``.
        lower, upper: the ends: exact rationals, rounded outwards, within the possible range of ``c . pi``.
        confidence: the nominal confidence, exact, in (0, 1).
        margin: half the width before the range of ``c . pi`` cut it.
        guarantee: what is proved about its coverage, in words.
        emptied: whether all of it lay outside the possible range, so that the nearest end of the range stands for it.
    """

    kind: str
    lower: Fraction
    upper: Fraction
    confidence: Fraction
    margin: Fraction
    guarantee: str
    emptied: bool = False

    def __contains__(self, value: Fraction) -> bool:
        return self.lower <= value <= self.upper

    def __str__(self) -> str:
        # as many digits as tell the ends apart, with three to spare
        size, width = max(abs(self.lower), abs(self.upper)), self.upper - self.lower
        ratio = size // width if width else 0
        digits = max(6, len(as_text(Fraction(ratio))) + 3)
        lower, upper = decimal_text(self.lower, digits), decimal_text(self.upper, digits)
        return f"{lower} to {upper} (margin {decimal_text(self.margin, 4)})"
