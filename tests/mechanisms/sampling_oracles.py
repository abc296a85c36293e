"""What the tests of the sampler compare with: inversion by plain fractions, scripted bytes, mechanisms."""

from __future__ import annotations

import random
from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate, pairwise

from rropt.mechanisms import Mechanism
from rropt.mechanisms.sampling.inversion import Node


class OutOfBytesError(Exception):
    """The script has ended and the sampler asks for more."""


class Script:
    """A source of prescribed bytes: returns them in order, then raises."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.read = 0

    def __call__(self, count: int) -> bytes:
        if self.read + count > len(self.text):
            raise OutOfBytesError
        self.read += count
        return self.text[self.read - count : self.read]


def law(node: Node) -> dict[int, Fraction]:
    """Return the exact distribution of the output from a node on, without outputs of probability 0."""
    ends = pairwise((0, *node.cuts, node.unit))
    return {node.first + i: Fraction(high - low, node.unit) for i, (low, high) in enumerate(ends) if high > low}


def inverse(column: tuple[Fraction, ...], prefix: bytes) -> int | None:
    """Return the output if U = 0.prefix... decides it, by comparing the ends of the cell with cumulative sums."""
    scale = 256 ** len(prefix)
    low = Fraction(int.from_bytes(prefix, "big"), scale)
    high = low + Fraction(1, scale)
    cuts = list(accumulate(column))[:-1]
    first = sum(cut <= low for cut in cuts)
    return first if first == sum(cut < high for cut in cuts) else None


def from_columns(columns: list[list[Fraction]]) -> Mechanism:
    return Mechanism(list(zip(*columns, strict=True)))


def random_mechanism(m: int, k: int, top: int, seed: int) -> Mechanism:
    """Return a mechanism whose weights are random integers below ``top``, some of them 0."""
    generator = random.Random(seed)
    columns = []
    for _ in range(k):
        weights = [generator.randrange(top) * (generator.random() < 0.9) for _ in range(m)]
        weights[generator.randrange(m)] += 1
        total = sum(weights)
        columns.append([Fraction(weight, total) for weight in weights])
    return from_columns(columns)


def kary(k: int, gamma: int) -> Mechanism:
    """Return k-ary randomized response: gamma / (gamma + k - 1) on the diagonal."""
    below = gamma + k - 1
    return Mechanism([[Fraction(gamma if i == j else 1, below) for j in range(k)] for i in range(k)])


def inverse_among(cuts: list[Fraction], prefix: bytes) -> int | None:
    """Return ``inverse`` by bisection among the cumulative sums, the last one left out: for many of them."""
    scale = 256 ** len(prefix)
    low = Fraction(int.from_bytes(prefix, "big"), scale)
    first = bisect_right(cuts, low)
    decided = first == len(cuts) or cuts[first] >= low + Fraction(1, scale)
    return first if decided else None
