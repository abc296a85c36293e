"""Exact draws in bulk from random words: coins, uniform integers, uniform subsets, and the numbers of subsets.

*Coins.* A coin with probability P = a/b compares one random byte U with ``floor(256 P)``: U below it is true, U above
it is false. Only if they are equal, the remaining fraction is compared with further words.

*Uniform integers* below n (Lemire 2019). A word W of w bits gives ``floor(W n / 2^w)`` and is drawn again if ``W n mod
2^w < 2^w mod n``. Each result then has exactly ``floor(2^w / n)`` words. A word has at least four bits more than n, so
fewer than one in sixteen is drawn again.

*Uniform subsets* (Floyd's method; Bentley and Floyd 1987). For j = N - d, ..., N - 1 draw t uniformly in 0..j, and add
t to the set, or j if the set contains t. By induction, after step j all sets of their size within 0..j are equally
likely: a set with j arises from each t inside it and from t = j, a set without j from its last element t. Only d words
are read and only d entries are written; the row is not ranked or sorted. Without the first step, the result is a
uniform subset of size d - 1.

``subsets`` makes sets that contain the true category x or not. The other N = k - 1 categories form a uniform subset of
size d - 1 or d. All d steps are drawn in both cases, so the number of words does not depend on whether x is contained.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.mechanisms.arrangements import index_of
from rropt.mechanisms.sampling.inversion import ByteSource, Integers

Bits = NDArray[np.bool_]

CELLS = 1 << 20  # entries of a matrix of bits that is filled at a time: it stays in the cache
_FEW = 8  # rows that are filled one by one, and numbered at once
_MOST_TABLE = 48 << 20  # bytes of a table of binomial coefficients


def coins(chance: Fraction, count: int, source: ByteSource) -> Bits:
    """Return ``count`` independent coins; each is true with exactly the given rational probability.

    >>> import os
    >>> int(coins(Fraction(1), 10, os.urandom).sum())
    10
    """
    return _compared(chance, count, source, np.uint8)


def _compared(chance: Fraction, count: int, source: ByteSource, word: Any) -> Bits:
    width = 8 * word().itemsize
    whole, rest = divmod(chance.numerator << width, chance.denominator)
    drawn = np.frombuffer(source(count * word().itemsize), word)
    if whole >> width:
        return np.ones(count, bool)
    found: Bits = drawn < whole
    if rest:
        ties = np.flatnonzero(drawn == whole)
        if len(ties):
            found[ties] = _compared(Fraction(rest, chance.denominator), len(ties), source, np.uint32)
    return found


def below(bound: int, count: int, source: ByteSource) -> NDArray[np.int64]:
    """Return ``count`` independent uniform integers below ``bound`` <= 2^62.

    >>> import os
    >>> int(below(5, 1000, os.urandom).max())
    4
    """
    if bound <= 1 << 28:
        few: NDArray[np.int64] = below_each(np.array([bound]), count, source)[0].astype(np.int64)
        return few
    mask = np.uint64((1 << (bound - 1).bit_length()) - 1)
    found = np.frombuffer(source(8 * count), np.uint64) & mask
    while len(over := np.flatnonzero(found >= bound)):
        found[over] = np.frombuffer(source(8 * len(over)), np.uint64) & mask
    whole: NDArray[np.int64] = found.astype(np.int64)
    return whole


def below_each(bounds: Integers, count: int, source: ByteSource) -> Integers:
    """Return ``count`` independent uniform integers below each of some bounds <= 2^28, shape (bounds, count)."""
    word: Any = np.uint16 if bounds.max() <= 1 << 12 else np.uint32
    wide: Any = np.uint32 if word is np.uint16 else np.uint64
    width = wide(8 * word().itemsize)
    n = bounds.astype(wide)
    refused = (wide(1) << width) % n
    scaled = np.frombuffer(source(len(n) * count * word().itemsize), word).reshape(len(n), count) * n[:, np.newaxis]
    found: Integers = (scaled >> width).astype(word)
    over = np.flatnonzero(scaled.astype(word) < refused[:, np.newaxis])
    while len(over):
        row = over // count
        scaled = np.frombuffer(source(len(over) * word().itemsize), word) * n[row]
        found.reshape(-1)[over] = scaled >> width
        over = over[scaled.astype(word) < refused[row]]
    return found


def subsets(size: int, categories: int, answers: Integers, inside: Bits, source: ByteSource) -> Bits:
    """Return sets of d of k categories as a matrix of bits, shape (answers, k), from d random words for each row.

    Args:
        size: d, 0 < d < k; at most k/2 words are needed, since the complement of a larger set is drawn.
        categories: k.
        answers: for each row a category.
        inside: for each row whether the set contains this category; the set is uniform among these sets.
        source: the random bytes.

    The cost is O(min(d, k - d)) words, reads and writes for each row, and k bytes of memory: 0.7, 1.8 and 6.9 us for
    d = 25, 79 and 250 of k = 100, 316 and 1000 (exponent 1.0).
    """
    if 2 * size > categories:
        return ~subsets(categories - size, categories, answers, ~inside, source)
    rows, last = np.arange(len(answers)), categories - 1
    drawn = below_each(np.arange(last - size, last) + 1, len(answers), source)
    found = marked(drawn, categories, ~inside)
    found[:, last] = found[rows, np.minimum(answers, last - 1)]  # makes room for the answer
    found[rows, answers] = inside
    return found


def marked(drawn: Integers, columns: int, has_first: Bits) -> Bits:
    """Return Floyd's sets within 0..N - 1, N = columns - 1, as a matrix of bits whose last column is empty.

    Args:
        drawn: the integers of the steps j = N - d, ..., N - 1, each in 0..j, shape (d, rows).
        columns: N + 1.
        has_first: for each row whether the first step is made; without it the set has d - 1 elements.
    """
    rows, first = len(has_first), columns - 1 - len(drawn)
    found = np.zeros((rows, columns), bool)
    if rows <= _FEW:
        for row, column, made in zip(found, drawn.T.tolist(), has_first.tolist(), strict=True):
            held = {column[0]} if made else set()
            for j, t in enumerate(column[1:], first + 1):
                held.add(j if t in held else t)
            row[list(held)] = True
        return found
    flat, starts = found.reshape(-1), np.arange(0, rows * columns, columns)
    flat[starts + drawn[0]] = has_first
    ends = starts + first
    for step in drawn[1:]:
        at = starts + step
        ends += 1
        flat[np.where(flat.take(at), ends, at)] = True
    return found


class SubsetNumbers:
    """The numbers of subsets of d of k categories: ``sum_i C(x_i, i)`` of a set x_1 < ... < x_d (colexicographic).

    Binomial coefficients are tabulated in parts of 48 bits, so that many sets are numbered together, element by
    element, by additions of 64-bit integers. The cost for each set is O(d log C(k, d)): 1.1, 2.7 and 9.3 us for d = 25,
    79 and 250 of k = 100, 316 and 1000 (exponent 0.9, since additions of few parts are not the main cost). A table of
    more than 48 MB, or with 2^14 or more rows or columns, is not built; then each number takes O(k) operations on
    integers.

    >>> SubsetNumbers(5, 2).of(np.array([[1, 1, 0, 0, 0], [0, 0, 0, 1, 1]], bool))
    [0, 9]
    """

    __slots__ = ("_bits", "_categories", "_is_complement", "_size", "_table", "count")

    def __init__(self, categories: int, size: int) -> None:
        self._categories, self._is_complement = categories, 2 * size > categories
        self._size = categories - size if self._is_complement else size  # the complements are in the reverse order
        self.count = comb(categories, size)
        length = (self.count - 1).bit_length()
        self._bits = 62 if length <= 62 else 48  # sums of 2^14 parts stay below 2^62
        shape = (self._size, categories - self._size + 1, max(-(-length // self._bits), 1))
        is_small = 8 * prod(shape) <= _MOST_TABLE and max(shape) < 1 << 14
        self._table = self._coefficients(shape) if is_small else None

    def _coefficients(self, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Return C(i + t, i + 1) for i < d, t <= k - d in parts; each is a sum of C(i + u, i) over u < t."""
        table = np.zeros(shape, np.int64)
        table[:1, :, 0] = np.arange(shape[1])
        for before, row in pairwise(table):
            np.cumsum(before[1:], axis=0, out=row[1:])
            self._carry(row)
        return table

    def _carry(self, numbers: NDArray[np.int64]) -> None:
        """Bring the parts of numbers below ``2^bits``; the last part has room for all."""
        for part in range(numbers.shape[1] - 1):
            numbers[:, part + 1] += numbers[:, part] >> self._bits
            numbers[:, part] &= (1 << self._bits) - 1

    def of(self, sets: Bits) -> list[int]:
        """Return the numbers of sets that are given as a matrix of bits, shape (rows, k)."""
        d, k = self._size, self._categories
        chosen = ~sets if self._is_complement else sets
        if self._table is None:
            found = [index_of(row, (k - d, d)) for row in chosen.view(np.uint8).tolist()]
        else:
            members = np.flatnonzero(chosen).reshape(len(sets), d) - np.arange(0, len(sets) * k, k)[:, np.newaxis]
            places = np.ascontiguousarray((members - np.arange(d)).T)  # x_i - i, 0-based, of all sets
            if len(sets) <= _FEW:
                total = self._table[np.arange(d)[:, np.newaxis], places].sum(axis=0)
            else:
                total = np.zeros((len(sets), self._table.shape[2]), np.int64)
                for row, place in zip(self._table, places, strict=True):
                    total += row.take(place, axis=0)
            found = self._whole(total)
        return [self.count - 1 - number for number in found] if self._is_complement else found

    def _whole(self, numbers: NDArray[np.int64]) -> list[int]:
        if numbers.shape[1] == 1:
            whole: list[int] = numbers[:, 0].tolist()
            return whole
        self._carry(numbers)
        parts = numbers.astype("<i8").view(np.uint8).reshape(*numbers.shape, 8)[..., : self._bits // 8]
        text, width = parts.tobytes(), self._bits // 8 * numbers.shape[1]
        return [int.from_bytes(text[at : at + width], "little") for at in range(0, len(text), width)]
