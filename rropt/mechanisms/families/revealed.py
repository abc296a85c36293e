"""Block mechanisms that reveal the truth with a probability: the designs for equal proportions under delta > 0.

With probability r the response is the true category. Otherwise it is a block (``memberships``). If the block mechanism
is epsilon-private, this mechanism is (epsilon, r)-private. At equal proportions, let t be the total variance of the
block mechanism. The information on contrasts is the mean of those of the two kinds of responses, so the total variance
is ``1/((1 - r)/t + r k/(k - 1))``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from rropt.core.errors import InvalidMechanismError, shown
from rropt.core.exact import as_text, both_texts, rational
from rropt.mechanisms.dichotomies import Dichotomy
from rropt.mechanisms.families.memberships import BlockMechanism
from rropt.mechanisms.kronecker import Vector, sparse_vector
from rropt.mechanisms.mechanism import Mechanism, require_keys
from rropt.mechanisms.words import chance_text, truth_words

_MOST_SHOWN = 4096  # largest number of entries of a matrix that is printed
_FORM = '{"blocks": {"family": "subsets", "categories": "8", "size": "2", "gamma": "3"}, "revealed": "1/20"}'


class RevealedBlocks(Mechanism, key="revealed-blocks"):
    """A mechanism that reveals the truth with probability r, and otherwise outputs a block of a design.

    The first b outputs are the blocks. Output b + x is the category x. With r = 1 no block is ever given, and b = 0.

    Args:
        blocks: the block mechanism.
        revealed: r, 0 < r <= 1.
        name: the printed name.

    Attributes:
        is_efficient: whether ``invert`` has the least total variance of unbiased estimators at uniform pi.
        output_bits: the length of a response in bits: one more bit distinguishes blocks from categories.

    Raises:
        InvalidMechanismError: r is out of range.

    >>> from rropt.mechanisms.families import AllSubsets
    >>> made = RevealedBlocks(BlockMechanism(AllSubsets(8, 2), 3), "1/20")
    >>> made.shape, str(made.delta("log(3)")), str(made.total_variance())
    ((36, 8), '1/20', '147/16')
    """

    PARTS = ("block_mechanism", "revealed")
    block_mechanism: BlockMechanism
    revealed: Fraction
    is_efficient: bool
    output_bits: int

    def __new__(cls, blocks: BlockMechanism, revealed: object, *, name: str | None = None) -> RevealedBlocks:
        """Build the mechanism from a block mechanism and r."""
        chance = rational(revealed, name="revealed")
        if not 0 < chance <= 1:
            raise InvalidMechanismError(
                f"the probability of the truth is out of range: received {chance}; allowed is 0 < revealed <= 1"
            )
        if not isinstance(blocks, BlockMechanism):
            raise InvalidMechanismError(f"the blocks are no block mechanism: received {shown(blocks)}; give one")
        return cls.made(
            name,
            block_mechanism=blocks,
            revealed=chance,
            inputs=blocks.inputs,
            output_bits=_bits(blocks, chance),
            is_efficient=blocks.is_efficient,
        )

    @property
    def block_outputs(self) -> int:
        """b, the number of outputs that are blocks."""
        return 0 if self.revealed == 1 else self.block_mechanism.outputs

    @cached_property
    def shape(self) -> tuple[int, int]:
        """``(b + k, k)``."""
        return self.block_outputs + self.inputs, self.inputs

    @property
    def shape_texts(self) -> tuple[str, str]:
        """``shape`` as strings; a number of sets that is not computed is written C(k, d)."""
        outputs, inputs = self.block_mechanism.shape_texts
        if self.revealed == 1:
            return inputs, inputs
        return (str(int(outputs) + self.inputs) if outputs.isdigit() else f"{outputs} + {inputs}"), inputs

    @cached_property
    def is_small(self) -> bool:
        """Whether the matrix has at most 4 096 entries."""
        return self.inputs <= 64 and self.outputs * self.inputs <= _MOST_SHOWN

    def in_words(self) -> str:
        """Return the device in words."""
        if self.revealed == 1:
            return truth_words(Fraction(1), Fraction(0), self.inputs)
        return (
            f"with {chance_text(self.revealed)} the true answer reported; otherwise {self.block_mechanism.in_words()}"
        )

    def row(self, i: int) -> Vector:
        """Return the k probabilities of output i."""
        count = self.block_outputs
        if not 0 <= i < count + self.inputs:
            raise InvalidMechanismError(f"there is no such output: received {shown(i)}; allowed are 0 to b + k - 1")
        if i < count:
            return tuple((1 - self.revealed) * x for x in self.block_mechanism.row(i))
        return tuple(self.revealed if i == count + x else Fraction(0) for x in range(self.inputs))

    def parity(self) -> Fraction | None:
        """Return ``None``: a revealed category is impossible for every other truth."""
        return None

    def _kinds_of_pairs(self) -> Iterator[Dichotomy]:
        rest, chance, none = 1 - self.revealed, self.revealed, Fraction(0)
        masses = [(rest * a, rest * b) for a, b in self.block_mechanism.masses()]
        yield Dichotomy.of_fractions((0, 1), [*masses, (chance, none), (none, chance)])

    def total_variance(self) -> Fraction:
        """Return n times the sum of the variances of ``invert`` at equal proportions."""
        k, r = self.inputs, self.revealed
        return 1 / ((1 - r) / self.block_mechanism.total_variance() + r * Fraction(k, k - 1))

    def invert(self, shares: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return the estimate of pi: the estimates of both kinds of responses, weighted by their information.

        It is unbiased at every pi, and has ``total_variance`` at equal proportions.
        """
        given, k, count = sparse_vector(shares, self.outputs, "the shares"), self.inputs, self.block_outputs
        blocks = {i: share for i, share in given.items() if i < count}
        weights = (
            self.total_variance() / self.block_mechanism.total_variance(),
            self.total_variance() * Fraction(k, k - 1),
        )
        found = [sum(given.values(), Fraction(0)) / k] * k
        truths = [given.get(count + x, Fraction(0)) for x in range(k)]
        totals = sum(blocks.values(), Fraction(0)), sum(truths, Fraction(0))
        for part, weight, total in zip((self.block_mechanism.invert(blocks), truths), weights, totals, strict=True):
            mean = total / k
            found = [own + weight * (x - mean) for own, x in zip(found, part, strict=True)]
        return tuple(found)

    def form(self) -> dict[str, Any]:
        """Return ``{"revealed-blocks": {"blocks": {...}, "revealed": ...}}``; all numbers are strings."""
        return {"revealed-blocks": {**self.block_mechanism.form(), "revealed": as_text(self.revealed)}}

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        require_keys(data, _FORM, "revealed blocks are")
        blocks = BlockMechanism.from_data(data["blocks"])
        assert isinstance(blocks, BlockMechanism)
        return cls(blocks, data["revealed"])

    def _described(self) -> str:
        if self.revealed == 1:
            return f"the truth is revealed, k = {self.inputs}"
        design, level = self.block_mechanism.blocks, both_texts(self.block_mechanism.epsilon)
        chance = both_texts(self.revealed)
        return f"{design}, epsilon = {level}; instead the truth is revealed with probability {chance}"

    def __repr__(self) -> str:
        revealed = f"{self.block_mechanism.blocks}, revealed = {as_text(self.revealed)}"
        return f"<{type(self).__name__}: {revealed}{self._named()}>"


def _bits(blocks: BlockMechanism, revealed: Fraction) -> int:
    truth = (blocks.inputs - 1).bit_length()
    return truth if revealed == 1 else max(blocks.output_bits, truth) + 1
