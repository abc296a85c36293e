"""Numbering of the arrangements of a multiset, that is, of the words with digits 0, 1, ... and given digit counts.

The order is that of little-endian numbers. With two digits and the counts k - d and d, the arrangements are the subsets
of size d of k elements, in the order of ``sum 2^j`` (colexicographic).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import comb, prod


def count_of(counts: Sequence[int]) -> int:
    """Return the number of arrangements, a multinomial coefficient."""
    return prod(map(comb, accumulate(counts), counts))


def arrangement_at(index: int, counts: Sequence[int]) -> tuple[int, ...]:
    """Return the arrangement with a given index, 0 <= index < count_of(counts).

    The cost is O(length x digits) operations.

    >>> [arrangement_at(i, [2, 1]) for i in range(3)]
    [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    """
    left, number = list(counts), count_of(counts)
    digits = []
    for places in range(sum(counts), 0, -1):  # the last position is the most significant
        digit, part = 0, number * left[0] // places  # arrangements with this digit here
        while index >= part:
            index -= part
            digit += 1
            part = number * left[digit] // places
        digits.append(digit)
        left[digit] -= 1
        number = part
    return tuple(reversed(digits))


def index_of(digits: Sequence[int], counts: Sequence[int]) -> int:
    """Return the index of an arrangement; this is the inverse of ``arrangement_at``.

    >>> index_of((0, 1, 0), [2, 1])
    1
    """
    left, number, index = list(counts), count_of(counts), 0
    for places in range(len(digits), 0, -1):
        digit = digits[places - 1]
        index += sum(number * count // places for count in left[:digit])
        number = number * left[digit] // places
        left[digit] -= 1
    return index
