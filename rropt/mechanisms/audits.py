"""The audit of somebody else's matrix: the privacy it really has, not the one that was meant."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from rropt.exact import Epsilon
from rropt.mechanisms.columns import exact_sum
from rropt.mechanisms.imports.raw_matrices import RawMatrix, from_array
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.profiles import parity_of, row_extremes, row_parities, row_parity


@dataclass(frozen=True, slots=True)
class ZeroClash:
    """An answer that one input never gives and another may: seeing it rules ``never`` out for certain."""

    output: int
    never: int
    possible: int


@dataclass(frozen=True)
class Audit:
    """What an exact reading of a raw matrix finds.

    Attributes:
        raw: the matrix as it is.
        parity: the largest ratio of two entries of a row as they are (negative ones as 0); None = infinite.
        worst: where: (row, column of the largest, column of the least) entry; None if every row is constant.
        zeros: the first row in which a zero meets a positive entry, and how many such rows there are.
        misses: for each column its sum minus 1.
        negatives: how many entries are negative, and the least of them (0 if none).
    """

    raw: RawMatrix
    parity: Fraction | None
    worst: tuple[int, int, int] | None
    zeros: tuple[ZeroClash | None, int]
    misses: tuple[Fraction, ...]
    negatives: tuple[int, Fraction]

    @cached_property
    def normalised(self) -> Mechanism:
        """The mechanism that a sampler makes of it: negatives as 0, columns divided by their sums."""
        return self.raw.normalised()

    @cached_property
    def normalised_parity(self) -> Fraction | None:
        """The parity of that mechanism, without making it."""
        if self.is_mechanism:
            return self.parity
        rows = self.raw.clipped()
        return parity_of(row_parities(rows, [exact_sum(column) for column in zip(*rows, strict=True)]))

    @property
    def epsilon(self) -> Epsilon:
        """The exact level of the entries as they are: log of the parity, possibly infinite."""
        return Epsilon.of_parity(self.parity)

    @property
    def is_mechanism(self) -> bool:
        """Whether the matrix is exactly column-stochastic as it stands."""
        return not self.negatives[0] and not any(self.misses)

    @property
    def largest_miss(self) -> Fraction:
        """The largest absolute difference of a column's sum from 1."""
        return max(abs(miss) for miss in self.misses)


def audit(matrix: Any, *, transposed: bool = False) -> Audit:
    """Return the exact privacy of a matrix of floats or of exact numbers, whether or not it is exactly stochastic.

    ``parity = max over rows i and columns j, l of p_ij / p_il`` with 0/0 = 1 and a/0 infinite (Chai and Nayak 2018,
    Definition 1.3), of the numbers as they are: a float means its shortest decimal. A zero beside a positive entry
    makes it infinite, however small that entry is.

    Args:
        matrix: a ``RawMatrix``, a ``Mechanism``, a NumPy array or nested lists of shape (m, k), rows are outputs.
        transposed: rows are inputs (shape (k, m)); only for arrays and lists.

    Raises:
        InvalidMechanismError: the matrix is nothing like a mechanism (see ``RawMatrix``).

    Cost O(m k).

    >>> found = audit([[0.5, 0.25], [0.5, 0.7500000001]])
    >>> print(found.epsilon, float(found.misses[1]), found.zeros[1])
    log(2) 1e-10 0
    >>> audit([[1.0, 1e-12], [0.0, 0.999999999999]]).epsilon.is_infinite
    True
    """
    if isinstance(matrix, Mechanism):
        matrix = RawMatrix(matrix.matrix, matrix.name)
    raw = matrix if isinstance(matrix, RawMatrix) else from_array(matrix, transposed=transposed)
    rows = raw.clipped()
    extremes = row_extremes(rows)
    parities = [row_parity((row[high], row[low])) for row, (high, low) in zip(rows, extremes, strict=True)]
    negative = [x for row in raw.entries for x in row if x.numerator < 0]
    return Audit(
        raw=raw,
        parity=parity_of(parities),
        worst=_worst(extremes, parities),
        zeros=_zeros(extremes, parities),
        misses=tuple(total - 1 for total in raw.column_sums),
        negatives=(len(negative), min(negative, default=Fraction(0))),
    )


def _worst(extremes: list[tuple[int, int]], parities: list[Fraction | None]) -> tuple[int, int, int] | None:
    infinite = [i for i, parity in enumerate(parities) if parity is None]
    i = infinite[0] if infinite else max(range(len(parities)), key=lambda i: parities[i] or Fraction(1))
    return None if not infinite and parities[i] == 1 else (i, *extremes[i])


def _zeros(extremes: list[tuple[int, int]], parities: list[Fraction | None]) -> tuple[ZeroClash | None, int]:
    clashes = [i for i, parity in enumerate(parities) if parity is None]
    if not clashes:
        return None, 0
    possible, never = extremes[clashes[0]]
    return ZeroClash(clashes[0], never, possible), len(clashes)
