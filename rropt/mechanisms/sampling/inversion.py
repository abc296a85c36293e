"""Exact sampling by inversion: the decision tree of a column, and the first bits of all trees as arrays.

*The tree: lazy comparison of random bytes with cumulative probabilities.*
A column ``(p_0, ..., p_{m-1})`` with common denominator q has the cuts ``F_i = p_0 + ... + p_{i-1}``, i = 1..m-1. For a
uniform U in [0, 1) the output is ``#{i : F_i <= U}``, which has exactly the distribution of the column (inversion,
Devroye 1986, *Non-Uniform Random Variate Generation*, section III.2). U is read byte by byte, ``U = 0.d1 d2 d3...`` in
base 256, until the output is determined. Such trees originate from Knuth and Yao (1976), *The complexity of nonuniform
random number generation*.

A ``Node`` is the state after some bytes. It consists of the cuts inside the current cell, measured from its left
endpoint in units of cell / q, so they are integers between 0 and q. A node is again a distribution with denominator q,
and

    law(node) = 1/256 * sum over the 256 bytes d of law(node.child(d)),

because the children split the cell into 256 equal parts. Consequences:

* At every depth, the mean of the distributions of the nodes is the column.
* At depth L, at most m - 1 of the 256^L nodes are undecided. So the tree ends with probability 1, and its output has
  exactly the distribution of the column.
* The integers are below q, so the undecided nodes repeat and the tree folds into a finite graph. A test enumerates
  the nodes of this graph.

*The tables: many answers at once.*
The uniform number of every answer is read as ``U = (digit + (word + rest) / 2^w) / 2^b``. The digit has b = 0, 8 or 16
bits. A word of w = 32 bits is read only in *open* cells, that is, cells with a cut of some column in their interior.
The rest is read byte by byte, only in case of a tie. With the cut ``x = F_i 2^(b + w)``, ``s = floor(x)`` and
V = digit 2^w + word:

    V > s  =>  V >= s + 1 > x  =>  U > F_i,        V < s  =>  V + 1 <= s <= x  =>  U < F_i,        V = s: a tie.

So one unsigned comparison decides exactly, and a tie (probability 2^-(b + w) per cut) is resolved by the tree. Cells
and words are computed by exact integer division, without floats.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.exact.numbers import whole_numbers

# A function that returns the requested number of independent uniform random bytes, e.g. `os.urandom`.
ByteSource = Callable[[int], bytes]

_BYTE = 256


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree: the outputs that are still possible and their exact distribution.

    Attributes:
        first: the smallest output that is still possible; the output itself if there are no cuts.
        cuts: nondecreasing integers c, 0 < c < unit; the output is ``first + #{c <= U unit}`` for a fresh uniform U.
        unit: the common denominator q of the column.

    >>> coin = root([Fraction(1, 3), Fraction(2, 3)])
    >>> coin.child(0), coin.child(255), coin.child(85)
    (Node(first=0, cuts=(), unit=3), Node(first=1, cuts=(), unit=3), Node(first=0, cuts=(1,), unit=3))
    """

    first: int
    cuts: tuple[int, ...]
    unit: int

    def child(self, byte: int) -> Node:
        """Return the node after one more byte. The cost is O(log m) comparisons and a product per remaining cut."""
        corner = byte * self.unit
        below = bisect_right(self.cuts, corner // _BYTE)  # 256 c <= corner: U is at or above the cut
        above = bisect_left(self.cuts, -(-(corner + self.unit) // _BYTE))  # 256 c >= corner + unit: U is below it
        inside = tuple([_BYTE * cut - corner for cut in self.cuts[below:above]])
        return Node(self.first + below, inside, self.unit)


def root(column: Iterable[Fraction]) -> Node:
    """Return the root of a column's tree; leading and trailing outputs of probability 0 are already excluded."""
    masses, unit = whole_numbers(column)
    cuts = list(accumulate(masses[:-1]))
    inside = slice(bisect_right(cuts, 0), bisect_left(cuts, unit))
    return Node(inside.start, tuple(cuts[inside]), unit)


def walk(node: Node, prefix: bytes, source: ByteSource) -> int:
    """Return the output reached by the bytes of ``prefix``, followed by as many bytes of ``source`` as needed."""
    for byte in prefix:
        node = node.child(byte)
    while node.cuts:
        node = node.child(source(1)[0])
    return node.first


Integers = NDArray[np.integer[Any]]
Word = type[np.uint8] | type[np.uint32]

_DIGITS = (0, 8, 16)
_FINEST = _DIGITS[-1]

# Largest size of a table over all columns and cells: 8 million entries are built in hundredths of a second. The three
# tables take 24 MB, or 48 MB when outputs need two bytes.
_MAX_CELLS = 1 << 23

# A finer digit is worth its larger tables if more than this proportion of the cells is open. An open cell costs about
# 50 ns more, a digit of 16 instead of 8 bits 3 ns more, and the larger tables the time above once.
_OPEN_SHARE = Fraction(1, 8)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class InversionTables:
    """The first b + w bits of the trees of all k columns, as arrays.

    Attributes:
        roots: the k roots, for ties.
        digit_bits: b.
        outcome: k 2^b outputs, ``outcome[j 2^b + digit]``; the largest value of the integer type marks an open cell.
        start: for each of these cells, the number of cuts at or below its left endpoint.
        end: for each of these cells, the number of cuts below its right endpoint.
        words: k rows of m words: the cuts' s modulo 2^w, and one padding word.
        passes: the number of comparisons that decide between the cuts of the cell with the most cuts.
    """

    roots: tuple[Node, ...]
    digit_bits: int
    outcome: Integers
    start: Integers
    end: Integers
    words: Integers
    passes: int

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample one output for each answer and write it into ``out``; answers are integers 0..k-1, not checked here.

        The cost per answer is b/8 random bytes and one lookup, and in open cells 4 more bytes and ``passes``
        comparisons.
        """
        cells = np.left_shift(answers, self.digit_bits, dtype=np.intp)
        if self.digit_bits:
            cells |= self._digits(len(answers), source)
        out[:] = self._outputs(cells, source)

    def sampled(self, count: int, source: ByteSource) -> Integers:
        """Return independent outputs of the first column, of the smallest integer type."""
        cells = self._digits(count, source) if self.digit_bits else np.zeros(count, np.uint8)
        return self._outputs(cells, source)

    def _digits(self, count: int, source: ByteSource) -> Integers:
        return _read(source, np.dtype(f"<u{self.digit_bits // 8}"), count)

    def _outputs(self, cells: Integers, source: ByteSource) -> Integers:
        outputs = self.outcome.take(cells, mode="clip")  # clip: no second check; the indices are in range
        opened = np.flatnonzero(outputs == np.iinfo(outputs.dtype).max)
        if opened.size:
            outputs[opened] = self._compare(cells[opened].astype(np.intp), source)
        return outputs

    def _compare(self, cells: NDArray[np.intp], source: ByteSource) -> NDArray[np.intp]:
        """Return the outputs in open cells by binary search for the word among the cuts, vectorized over answers."""
        words = _read(source, self.words.dtype.newbyteorder("<"), len(cells))
        low, high = self.start[cells].astype(np.intp), self.end[cells].astype(np.intp)
        row = (cells >> self.digit_bits) * (self.words.size // len(self.roots))
        for _ in range(self.passes):
            middle = (low + high) >> 1
            beyond = (words > self.words[row + middle]) & (middle < high)
            low, high = np.where(beyond, middle + 1, low), np.where(beyond, high, middle)
        # `low` is now the first cut of the cell that is not below the word. It may equal the word, with probability at
        # most m 2^-32. If it belongs to a later cell, the result is still correct, because the tree decides.
        for i in np.flatnonzero(self.words[row + low] == words).tolist():
            low[i] = self._tie(int(cells[i]), int(words[i]), source)
        return low

    def _tie(self, cell: int, word: int, source: ByteSource) -> int:
        column, digit = divmod(cell, 1 << self.digit_bits)
        prefix = digit.to_bytes(self.digit_bits // 8, "big") + word.to_bytes(self.words.itemsize, "big")
        return walk(self.roots[column], prefix, source)


def inversion_tables(
    roots: Sequence[Node], outputs: int, *, digit_bits: int | None = None, word: Word = np.uint32
) -> InversionTables:
    """Build the tables of the columns whose trees begin at ``roots``; ``outputs`` is m.

    The cost is O(m k) exact divisions and O(2^b k) bytes. ``digit_bits`` (0, 8 or 16; by default chosen by size) and
    ``word`` change the cost of a draw but not its distribution. Tests make them small to enumerate every path.
    """
    w = np.dtype(word).itemsize * 8
    floors, inexact = _positions(roots, outputs, _FINEST + w)
    bits = _digit_bits(floors, inexact, w) if digit_bits is None else digit_bits
    # Positions in units of 2^-(b + w), rounded down, and whether rounding changed them.
    inexact = inexact | (floors & ((1 << (_FINEST - bits)) - 1) != 0)
    floors = floors >> (_FINEST - bits)
    begins, ends = floors >> w, (floors + inexact + (1 << w) - 1) >> w  # cells of floor and ceiling of F_i 2^b
    small = np.min_scalar_type(outputs)  # can represent 0..m-1 and one more value, which marks open cells
    start, end = _counts(ends, 1 << bits, small), _counts(begins, 1 << bits, small)
    outcome = start.copy()
    outcome[:, (start != end).any(axis=0)] = np.iinfo(small).max  # a cell that is open in one column is open in all
    words = np.zeros((len(roots), outputs), dtype=word)
    words[:, :-1] = floors & ((1 << w) - 1)
    passes = int((end - start).max()).bit_length()
    return InversionTables(tuple(roots), bits, outcome.ravel(), start.ravel(), end.ravel(), words.ravel(), passes)


def _positions(roots: Sequence[Node], outputs: int, bits: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return ``floor(F_i 2^bits)`` for all columns and cuts, shape (k, m - 1), and whether each was rounded."""
    floors = np.zeros((len(roots), outputs - 1), dtype=np.int64)
    inexact = np.zeros(floors.shape, dtype=np.bool_)
    for j, node in enumerate(roots):
        divided = [divmod(cut << bits, node.unit) for cut in node.cuts]
        inner = slice(node.first, node.first + len(divided))
        floors[j, inner] = [quotient for quotient, _ in divided]
        inexact[j, inner] = [rest != 0 for _, rest in divided]
        floors[j, inner.stop :] = 1 << bits  # cuts at 1; the cuts before `first` are at 0
    return floors, inexact


def _digit_bits(floors: NDArray[np.int64], inexact: NDArray[np.bool_], w: int) -> int:
    """Return the smallest digit length that leaves few open cells, else the largest whose tables are small enough."""
    allowed = [bits for bits in _DIGITS if len(floors) << bits <= _MAX_CELLS] or [0]
    for bits in allowed:
        within = _FINEST + w - bits
        inside = inexact | (floors & ((1 << within) - 1) != 0)
        opened = np.unique(floors[inside] >> within).size
        if Fraction(opened, 1 << bits) <= _OPEN_SHARE:
            return bits
    return allowed[-1]


def _counts(cells: NDArray[np.int64], number: int, kind: np.dtype[Any]) -> Integers:
    """Return for every sorted row and every d = 0, ..., number - 1 the number of entries <= d."""
    lengths = np.diff(cells, axis=1, prepend=0, append=number)  # entry i is the end of the run of i's
    counts = np.tile(np.arange(lengths.shape[1], dtype=kind), len(cells))
    return counts.repeat(lengths.ravel()).reshape(len(cells), number)


def _read(source: ByteSource, kind: np.dtype[Any], count: int) -> Integers:
    return np.frombuffer(source(count * kind.itemsize), dtype=kind)
