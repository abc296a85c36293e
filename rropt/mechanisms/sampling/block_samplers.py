"""Samplers of block designs and bit vectors, exact and vectorized.

If the block numbers are short, the cost does not grow with k. A block is drawn in two steps. First a coin decides
whether it contains the truth (probability p). Then the block is drawn uniformly among those that do, or do not, by
uniform integers (``Blocks.choices`` and ``Blocks.report``), or, for all subsets of size d, by Floyd's method.
``bulk_draws`` has these primitives and proves them exact.

The number of bytes that are read depends on random numbers only, not on the category that is randomized.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import UnsupportedProblemError
from rropt.mechanisms.families import AllSubsets, RevealedBlocks
from rropt.mechanisms.restricted_response import RestrictedResponse
from rropt.mechanisms.sampling.bulk_draws import CELLS, Bits, SubsetNumbers, below, coins, subsets
from rropt.mechanisms.sampling.inversion import ByteSource, Integers


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

    __slots__ = ("_numbers",)

    def __init__(self, mechanism: Any) -> None:
        super().__init__(mechanism)
        self._numbers: SubsetNumbers | None = None  # of all subsets, for the first that are drawn

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample a block for each true category and write its number into ``out``."""
        mechanism, blocks = self.mechanism, self.mechanism.blocks
        if isinstance(blocks, AllSubsets):
            if self._numbers is None:
                self._numbers = SubsetNumbers(blocks.categories, blocks.size)
            step = max(CELLS // blocks.categories, 1)
            for begin in range(0, len(answers), step):
                part = slice(begin, begin + step)
                out[part] = self._numbers.of(self.sets(answers[part], source))
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
        inside = coins(mechanism.hit, len(answers), source)
        return subsets(blocks.size, blocks.categories, answers, inside, source)


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
        count = self.mechanism.block_outputs
        out[revealed] = [count + answer for answer in answers[revealed].tolist()]


class BitVectorSampler(Sampler):
    """A sampler of bit vectors."""

    __slots__ = ()

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample a bit vector for each true category and write its number into ``out``."""
        step = max(CELLS // self.mechanism.inputs, 1)
        for begin in range(0, len(answers), step):
            part = slice(begin, begin + step)
            packed = np.packbits(self.sets(answers[part], source), axis=1, bitorder="little")
            text, width = packed.tobytes(), packed.shape[1]
            out[part] = [int.from_bytes(text[at : at + width], "little") for at in range(0, len(text), width)]

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
