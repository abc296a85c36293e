"""Arrangements of a multiset, numbered: digits 0, 1, ... with given counts, in the order of little-endian numbers.

Two digits with counts k - d and d are the subsets of d of k, in the order of ``sum 2^j`` (colexicographic).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


def count_of(counts: Sequence[int]) -> int:
    """Return how many arrangements there are: the multinomial coefficient."""
    total, number = 0, 1
    for count in counts:
        total += count
        number *= comb(total, count)
    return number


def arrangement_at(index: int, counts: Sequence[int]) -> tuple[int, ...]:
    """Return arrangement number ``index``, 0 <= index < count_of(counts). Cost O(places x digits) operations.

    >>> [arrangement_at(i, [2, 1]) for i in range(3)]
    [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    """
    left, number = list(counts), count_of(counts)
    digits = []
    for places in range(sum(counts), 0, -1):  # the last place decides most
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
    """Return the number of an arrangement.

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
