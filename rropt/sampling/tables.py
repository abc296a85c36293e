"""Inversion in bulk: the first bits of the decision tree as arrays, for many answers at once.

The uniform number of every answer is read as ``U = (digit + (word + rest) / 2^w) / 2^b``: a digit of b = 0, 8 or 16
bits, a word of w = 32 bits only in cells that some column's cut lies inside ("open" cells), and the rest byte by byte
only on a tie. With the cut ``x = F_i 2^(b + w)``, ``s = floor(x)`` and V = digit 2^w + word:

    V > s  =>  V >= s + 1 > x  =>  U > F_i,        V < s  =>  V + 1 <= s <= x  =>  U < F_i,        V = s: a tie.

So one unsigned comparison decides exactly, and a tie (probability 2^-(b + w) per cut) goes to the tree. Cells and
words are integers from exact division; nothing here is a float.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.sampling.decision_trees import ByteSource, Node, walk

Integers = NDArray[np.integer[Any]]
Word = type[np.uint8] | type[np.uint32]

_DIGITS = (0, 8, 16)
_FINEST = _DIGITS[-1]

# Entries of a table over all columns and cells: 8 million are built in hundredths of a second; the three tables take
# 24 MB, or 48 MB when outputs need two bytes.
_MAX_CELLS = 1 << 23

# A finer digit is worth its larger table when more than this share of the cells is open: an open cell costs some
# 50 ns more, a digit of 16 instead of 8 bits 3 ns more, and its tables the time above once.
_OPEN_SHARE = Fraction(1, 8)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class InversionTables:
    """The first b + w bits of the trees of all k columns.

    Attributes:
        roots: the k roots, for ties.
        digit_bits: b.
        outcome: k 2^b outputs, ``outcome[j 2^b + digit]``; the largest value of its type marks an open cell.
        start: as many: the number of cuts at or below the cell's left end.
        end: as many: the number of cuts below its right end.
        words: k rows of m words: the cuts' s modulo 2^w, and one pad.
        passes: comparisons that decide between the cuts of the fullest cell.
    """

    roots: tuple[Node, ...]
    digit_bits: int
    outcome: Integers
    start: Integers
    end: Integers
    words: Integers
    passes: int

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Write one output for each answer of a block into ``out``; answers are integers 0..k-1, not checked here.

        Cost per answer: b/8 random bytes and one lookup; in open cells 4 bytes and ``passes`` comparisons more.
        """
        cells = np.left_shift(answers, self.digit_bits, dtype=np.intp)
        if self.digit_bits:
            cells |= _read(source, np.dtype(f"<u{self.digit_bits // 8}"), len(answers))
        outputs = self.outcome.take(cells, mode="clip")  # clip: no second check; the indices are in range
        opened = np.flatnonzero(outputs == np.iinfo(outputs.dtype).max)
        if opened.size:
            outputs[opened] = self._compare(cells[opened], source)
        out[:] = outputs

    def _compare(self, cells: NDArray[np.intp], source: ByteSource) -> NDArray[np.intp]:
        """Return the outputs in open cells: binary search for the word among the cuts, in step for all answers."""
        words = _read(source, self.words.dtype.newbyteorder("<"), len(cells))
        low, high = self.start[cells].astype(np.intp), self.end[cells].astype(np.intp)
        row = (cells >> self.digit_bits) * self._width
        for _ in range(self.passes):
            middle = (low + high) >> 1
            beyond = (words > self.words[row + middle]) & (middle < high)
            low, high = np.where(beyond, middle + 1, low), np.where(beyond, high, middle)
        # `low` is now the first cut of the cell that is not below the word. It may be equal, with probability at most
        # m 2^-32; should it belong to a later cell, that does no harm, since the tree decides.
        for i in np.flatnonzero(self.words[row + low] == words).tolist():
            low[i] = self._tie(int(cells[i]), int(words[i]), source)
        return low

    def _tie(self, cell: int, word: int, source: ByteSource) -> int:
        column, digit = divmod(cell, 1 << self.digit_bits)
        prefix = digit.to_bytes(self.digit_bits // 8, "big") + word.to_bytes(self.words.itemsize, "big")
        return walk(self.roots[column], prefix, source)

    @property
    def _width(self) -> int:
        return self.words.size // len(self.roots)


def inversion_tables(
    roots: Sequence[Node], outputs: int, *, digit_bits: int | None = None, word: Word = np.uint32
) -> InversionTables:
    """Return the tables of the columns whose trees begin at ``roots``, ``outputs`` = m.

    Cost: O(m k) exact divisions and O(2^b k) bytes. ``digit_bits`` (0, 8 or 16; chosen by size if not given) and
    ``word`` change the cost of a draw, never its law: tests make them small to enumerate every path.
    """
    w = np.dtype(word).itemsize * 8
    floors, inexact = _positions(roots, outputs, _FINEST + w)
    bits = _digit_bits(floors, inexact, w) if digit_bits is None else digit_bits
    # Positions in units of 2^-(b + w), rounded down, and whether something was cut off.
    inexact = inexact | (floors & ((1 << (_FINEST - bits)) - 1) != 0)
    floors = floors >> (_FINEST - bits)
    begins, ends = floors >> w, (floors + inexact + (1 << w) - 1) >> w  # cells of floor and ceiling of F_i 2^b
    small = np.min_scalar_type(outputs)  # holds 0..m-1 and one value more, which marks open cells
    start, end = _counts(ends, 1 << bits, small), _counts(begins, 1 << bits, small)
    outcome = start.copy()
    outcome[:, (start != end).any(axis=0)] = np.iinfo(small).max  # open for one column: open for all
    words = np.zeros((len(roots), outputs), dtype=word)
    words[:, :-1] = floors & ((1 << w) - 1)
    passes = int((end - start).max()).bit_length()
    return InversionTables(tuple(roots), bits, outcome.ravel(), start.ravel(), end.ravel(), words.ravel(), passes)


def _positions(roots: Sequence[Node], outputs: int, bits: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return ``floor(F_i 2^bits)`` for all columns and cuts, shape (k, m - 1), and whether it was rounded."""
    floors = np.zeros((len(roots), outputs - 1), dtype=np.int64)
    inexact = np.zeros(floors.shape, dtype=np.bool_)
    for j, node in enumerate(roots):
        divided = [divmod(cut << bits, node.unit) for cut in node.cuts]
        inner = slice(node.first, node.first + len(divided))
        floors[j, inner] = [quotient for quotient, _ in divided]
        inexact[j, inner] = [rest != 0 for _, rest in divided]
        floors[j, inner.stop :] = 1 << bits  # cuts at 1; those before `first` lie at 0
    return floors, inexact


def _digit_bits(floors: NDArray[np.int64], inexact: NDArray[np.bool_], w: int) -> int:
    """Return the coarsest digit that leaves few cells open, or the finest whose tables are small enough."""
    allowed = [bits for bits in _DIGITS if len(floors) << bits <= _MAX_CELLS] or [0]
    for bits in allowed:
        within = _FINEST + w - bits
        inside = inexact | (floors & ((1 << within) - 1) != 0)
        opened = np.unique(floors[inside] >> within).size
        if Fraction(opened, 1 << bits) <= _OPEN_SHARE:
            return bits
    return allowed[-1]


def _counts(cells: NDArray[np.int64], number: int, kind: np.dtype[Any]) -> Integers:
    """Return for every row, which is sorted, and every d = 0..number-1 how many entries of the row are <= d."""
    lengths = np.diff(cells, axis=1, prepend=0, append=number)  # entry i is the end of the run of i's
    counts = np.tile(np.arange(lengths.shape[1], dtype=kind), len(cells))
    return counts.repeat(lengths.ravel()).reshape(len(cells), number)


def _read(source: ByteSource, kind: np.dtype[Any], count: int) -> Integers:
    return np.frombuffer(source(count * kind.itemsize), dtype=kind)
