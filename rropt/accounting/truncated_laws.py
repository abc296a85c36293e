"""Laws of sums of many independent responses, as integers that are rounded down, with the missing mass (FLINT).

The response of a person has the weights of one of several *columns*. All powers and products are truncated to multiples
of 2^-bits. A product is then a lower bound of the law at each point. The missing mass, 1 minus the sum, bounds the
error of every event. It also contains what the weights of the columns themselves lack, for example those of a level
whose exponential is irrational.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EnclosedLaw:
    """A distribution of integers with a lower bound of each probability, and the total missing mass.

    Attributes:
        least: the least integer with a stored weight; outside the stored range, probabilities are at most ``missing``.
        weights: lower bounds of the probabilities of this integer and the following ones, in units of 1/below.
        below: the unit.
    """

    least: int
    weights: tuple[int, ...]
    below: int

    @property
    def missing(self) -> int:
        """The missing mass, in units of 1/below: no event exceeds the sum of its lower bounds by more."""
        return self.below - sum(self.weights)


class CutPowers:
    """Powers of columns, truncated to a number of bits, each as (least exponent, polynomial).

    Args:
        bits: the unit of all laws is 2^-bits.
        columns: lower bounds of the probabilities of the responses 0, 1, ..., in this unit.
    """

    def __init__(self, bits: int, *columns: Sequence[int]) -> None:
        from flint import fmpz_poly

        self._bits = bits
        self._powers = [[(0, fmpz_poly(list(column)))] for column in columns]

    def law(self, *times: int) -> EnclosedLaw:
        """Return the distribution of a sum of responses, with the given number of responses from each column."""
        from flint import fmpz_poly

        total = (0, fmpz_poly([1 << self._bits]))
        for powers, n in zip(self._powers, times, strict=True):
            for i in range(n.bit_length()):
                if i == len(powers):
                    powers.append(self._product(powers[-1], powers[-1]))
                if n >> i & 1:
                    total = self._product(total, powers[i])
        return EnclosedLaw(total[0], tuple(map(int, total[1].coeffs())), 1 << self._bits)

    def _product(self, left: tuple[int, Any], right: tuple[int, Any]) -> tuple[int, Any]:
        found = left[1] * right[1] // (1 << self._bits)
        zeros = next((i for i, c in enumerate(found.coeffs()) if c), 0)
        return left[0] + right[0] + zeros, found.right_shift(zeros)
