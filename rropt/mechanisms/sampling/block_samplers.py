"""Samplers of block designs and bit vectors, exact and vectorized.

If the block numbers are short, the cost does not grow with k. A block is drawn in two steps. First a coin decides
whether it contains the truth (probability p). Then the block is drawn uniformly among those that do, or do not, by
uniform integers (``Blocks.choices`` and ``Blocks.report``). All primitives are exact:

* ``below(n)``: draw as many bits as n - 1 has until the number is below n. Accepted values are equally likely.
* A coin with probability P = a/b: compare 32 bits U with ``floor(P 2^32)``. Only if they are equal, the remaining
  fraction is compared with further bits.
* A set of d of k: toss a coin for every category. Then toggle uniformly chosen categories in the wrong state until d
  are selected. Given its size, the set of the coins is uniform, and adding or removing a uniform element preserves
  this.

The number of bytes that are read depends on random numbers only, not on the category that is randomized.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import UnsupportedProblemError
from rropt.mechanisms.families import AllSubsets, RevealedBlocks
from rropt.mechanisms.restricted_response import RestrictedResponse
from rropt.mechanisms.sampling.inversion import ByteSource, Integers

Bits = NDArray[np.bool_]


def below(bound: int, count: int, source: ByteSource) -> NDArray[np.int64]:
    """Return ``count`` independent uniform integers below ``bound`` <= 2^62.

    >>> import os
    >>> int(below(5, 1000, os.urandom).max())
    4
    """
    width = (bound - 1).bit_length()
    if not width:
        return np.zeros(count, np.int64)
    word: Any = np.uint32 if width <= 32 else np.uint64
    mask = word((1 << width) - 1)
    found = np.frombuffer(source(count * word().itemsize), word) & mask
    while True:
        over = np.flatnonzero(found >= bound)
        if not len(over):
            whole: NDArray[np.int64] = found.astype(np.int64)
            return whole
        found[over] = np.frombuffer(source(len(over) * word().itemsize), word) & mask


def coins(chance: Fraction, count: int, source: ByteSource) -> Bits:
    """Return ``count`` independent coins; each is true with exactly the given rational probability.

    >>> import os
    >>> int(coins(Fraction(1), 10, os.urandom).sum())
    10
    """
    whole, rest = divmod(chance.numerator << 32, chance.denominator)
    drawn = np.frombuffer(source(4 * count), np.uint32)
    if whole >> 32:
        return np.ones(count, bool)
    found = drawn < whole
    ties = np.flatnonzero(drawn == whole)
    if rest and len(ties):
        found[ties] = coins(Fraction(rest, chance.denominator), len(ties), source)
    return found


def subsets(size: int, categories: int, rows: int, source: ByteSource) -> Bits:
    """Return uniform subsets with ``size`` categories, as a matrix of bits of shape (rows, categories)."""
    if not 0 < size < categories:
        return np.full((rows, categories), size > 0)
    level = min(max(round(256 * size / categories), 1), 255)
    chosen = (np.frombuffer(source(rows * categories), np.uint8) < level).reshape(rows, categories)
    missing = size - chosen.sum(axis=1)
    active = np.flatnonzero(missing)
    while len(active):
        column = below(categories, len(active), source)
        wanted = missing[active] > 0
        wrong = chosen[active, column] != wanted
        at = active[wrong]
        chosen[at, column[wrong]] ^= True
        missing[at] -= np.where(wanted[wrong], 1, -1)
        active = active[missing[active] != 0]
    return chosen


class Sampler:
    """A sampler of the responses of one mechanism; the arguments have been validated."""

    __slots__ = ("mechanism",)

    def __init__(self, mechanism: Any) -> None:
        self.mechanism = mechanism

    def draw(self, answers: Integers, source: ByteSource, out: Any) -> None:
        """Sample a response for each true category and write it into ``out``."""
        raise NotImplementedError(f"the sampler {type(self).__name__} does not draw")

    def one(self, answer: int, source: ByteSource) -> int:
        """Return one response for one true category."""
        out = np.empty(1, object)
        self.draw(np.array([answer]), source, out)
        return int(out[0])


class BlockSampler(Sampler):
    """A sampler of block mechanisms; blocks are returned as numbers."""

    __slots__ = ()

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample a block for each true category and write its number into ``out``."""
        mechanism, blocks = self.mechanism, self.mechanism.blocks
        if isinstance(blocks, AllSubsets):
            out[:] = [blocks.number(np.flatnonzero(row).tolist()) for row in self.sets(answers, source)]
            return
        if mechanism.output_bits > 62:
            raise UnsupportedProblemError(
                f"the blocks have too large numbers to be drawn: received {blocks}, of {mechanism.output_bits} bits; "
                "allowed are 62 bits; choose a smaller q or dimension"
            )
        inside = coins(mechanism.hit, len(answers), source)
        both = [blocks.choices(True), blocks.choices(False)]
        numbers = []
        for side, held in zip(both, (inside, ~inside), strict=True):
            at = np.flatnonzero(held)
            numbers.append((at, [below(bound, len(at), source) for bound in side]))
        for (at, drawn), is_held in zip(numbers, (True, False), strict=True):
            if len(at):
                out[at] = blocks.report(answers[at].astype(np.int64), is_held, drawn)

    def sets(self, answers: Integers, source: ByteSource) -> Bits:
        """Sample blocks as sets: a matrix of bits of shape (answers, categories)."""
        mechanism, blocks = self.mechanism, self.mechanism.blocks
        if not isinstance(blocks, AllSubsets):
            out = np.empty(len(answers), np.int64)
            self.draw(answers, source, out)
            found = np.zeros((len(answers), blocks.categories), bool)
            for row, block in zip(found, out.tolist(), strict=True):
                row[list(blocks.members(block))] = True
            return found
        k, d = blocks.categories, blocks.size
        inside = coins(mechanism.hit, len(answers), source)
        others = np.empty((len(answers), k - 1), bool)
        for held in (True, False):
            at = np.flatnonzero(inside == held)
            others[at] = subsets(d - held, k - 1, len(at), source)
        found = np.empty((len(answers), k), bool)
        found[:, : k - 1] = others
        found[:, k - 1] = others[
            np.arange(len(answers)), np.minimum(answers, k - 2)
        ]  # moved to the last column to make room for the truth
        found[np.arange(len(answers)), answers] = inside
        return found


class RevealedSampler(Sampler):
    """A sampler of block mechanisms that reveal the truth; it always draws a coin and a block for every truth."""

    __slots__ = ("blocks",)

    def __init__(self, mechanism: RevealedBlocks) -> None:
        super().__init__(mechanism)
        self.blocks = BlockSampler(mechanism.block_mechanism)

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample a response for each true category and write it into ``out``."""
        revealed = coins(self.mechanism.revealed, len(answers), source)
        self.blocks.draw(answers, source, out)
        count = self.mechanism.block_mechanism.outputs
        out[revealed] = [count + answer for answer in answers[revealed].tolist()]


class BitVectorSampler(Sampler):
    """A sampler of bit vectors."""

    __slots__ = ()

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample a bit vector for each true category and write its number into ``out``."""
        rows = self.sets(answers, source)
        out[:] = [int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little") for row in rows]

    def sets(self, answers: Integers, source: ByteSource) -> Bits:
        """Sample bit vectors as a matrix of bits of shape (answers, categories)."""
        k = self.mechanism.inputs
        found = coins(self.mechanism.miss, len(answers) * k, source).reshape(len(answers), k)
        found[np.arange(len(answers)), answers] = coins(self.mechanism.hit, len(answers), source)
        return found


class RestrictedSampler(Sampler):
    """A sampler of restricted responses; it always draws two coins and two uniform integers for every truth."""

    __slots__ = ("ends", "shift")

    def __init__(self, mechanism: RestrictedResponse) -> None:
        super().__init__(mechanism)
        counts, flags = np.array([n for n, _ in mechanism.runs]), np.array([chosen for _, chosen in mechanism.runs])
        ends = counts.cumsum()
        self.ends = ends  # of the runs; ``shift`` is the number of categories outside C before each run
        self.shift = np.concatenate([[0], (counts * ~flags).cumsum()])[:-1]

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample a response for each true category and write it into ``out``."""
        made, n = self.mechanism, len(answers)
        truth = answers.astype(np.int64)
        flags = np.array([chosen for _, chosen in made.runs])
        run = np.searchsorted(self.ends, truth, side="right")
        chosen, rank = flags[run], truth - self.shift[run]
        revealed, told = coins(made.revealed, n, source), coins(made.told, n, source)
        other, anyone = below(max(made.chosen - 1, 1), n, source), below(made.chosen, n, source)
        other = np.where(told, rank, other + (other >= rank))
        drawn = self._category(np.where(chosen, other, anyone), flags)
        out[:] = np.where(revealed, truth, drawn)

    def _category(self, ranks: NDArray[np.int64], flags: Bits) -> NDArray[np.int64]:
        """Return the categories of C with the given ranks."""
        last = (self.ends - self.shift)[flags]  # for every run of C, the number of categories of C up to its end
        found: NDArray[np.int64] = ranks + self.shift[flags][np.searchsorted(last, ranks, side="right")]
        return found
