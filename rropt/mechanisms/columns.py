"""The distinct columns of a matrix as integers over their own denominators, and as floats that propose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SMALL = 20_000  # k^2 m up to which the exact work takes milliseconds: floats would save nothing
_LEAST = Fraction(1, 10**290)  # a positive entry below is none to a float, or one with fewer digits


@dataclass(frozen=True, slots=True)
class Column:
    """A column ``numerators / denominator``.

    Attributes:
        index: where it first stands in the matrix.
        shift: 2^-shift is less than the difference of any two ratios ``a / b`` that differ, b in ``numerators``.
    """

    index: int
    numerators: tuple[int, ...]
    denominator: int
    shift: int

    @classmethod
    def of(cls, index: int, entries: Sequence[Fraction]) -> Column:
        """Return a column of fractions."""
        numerators, denominator = whole_numbers(entries)
        return cls(index, numerators, denominator, 2 * max(numerators).bit_length() + 1)


def whole_numbers(entries: Sequence[Fraction]) -> tuple[tuple[int, ...], int]:
    """Return fractions as integers over their least common denominator."""
    parts = [x.as_integer_ratio() for x in entries]
    denominator = lcm(*{q for _, q in parts})
    return tuple([p * (denominator // q) for p, q in parts]), denominator


def exact_sum(entries: Sequence[Fraction]) -> Fraction:
    """Return the sum of fractions: much faster than adding them up one by one."""
    numerators, denominator = whole_numbers(entries)
    return Fraction(sum(numerators), denominator)


class Columns:
    """The distinct columns of a matrix.

    Args:
        matrix: m rows of k exact entries >= 0.
    """

    def __init__(self, matrix: Sequence[Sequence[Fraction]]) -> None:
        distinct: dict[tuple[Fraction, ...], int] = {}
        for j, column in enumerate(zip(*matrix, strict=True)):
            distinct.setdefault(column, j)
        self.columns = [Column.of(j, column) for column, j in distinct.items()]
        #: Whether a positive entry is too small for a float to have all its digits.
        self.has_tiny = min((x for column in distinct for x in column if x), default=Fraction(1)) < _LEAST

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def floats(self) -> NDArray[np.float64] | None:
        """The entries as floats, shape (m, number of columns), each correctly rounded.

        ``None`` where floats save nothing.
        """
        outputs, count = len(self.columns[0].numerators), len(self.columns)
        if outputs * count * count <= _SMALL:
            return None
        import numpy

        return numpy.array([[x / column.denominator for x in column.numerators] for column in self.columns]).T.copy()
