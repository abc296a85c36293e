"""Vectors of rationals over a common denominator, without NumPy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import overload

from rropt.core.exact.numbers import whole_numbers


@dataclass(frozen=True, slots=True)
class RationalVector(Sequence[Fraction]):
    """A vector of rationals `numerators[j] / denominator`; all numerators and the denominator have gcd 1.

    The solution of a linear system has the determinant as a common denominator, so this form is cheap. Computations use
    integers, and a `Fraction` is created only on request. Equal vectors have equal fields, because the constructor
    divides by the greatest common divisor.

    Attributes:
        numerators: integers, shape `(n,)`.
        denominator: a positive integer.
    """

    numerators: tuple[int, ...]
    denominator: int = 1

    def __post_init__(self) -> None:
        common = math.gcd(self.denominator, *self.numerators)
        if common > 1:
            object.__setattr__(self, "numerators", tuple(value // common for value in self.numerators))
            object.__setattr__(self, "denominator", self.denominator // common)

    @classmethod
    def of(cls, values: Iterable[Fraction | int]) -> RationalVector:
        """Bring exact values over their least common denominator, in O(n) divisions."""
        return values if isinstance(values, cls) else cls(*whole_numbers(values))

    def __len__(self) -> int:
        return len(self.numerators)

    def __iter__(self) -> Iterator[Fraction]:
        return (Fraction(value, self.denominator) for value in self.numerators)

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> RationalVector: ...
    def __getitem__(self, index: int | slice) -> Fraction | RationalVector:
        if isinstance(index, slice):
            return RationalVector(self.numerators[index], self.denominator)
        return Fraction(self.numerators[index], self.denominator)
