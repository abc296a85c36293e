"""The decision tree of the exact sampler: lazy comparison of random bytes with cumulative probabilities.

A column ``(p_0, ..., p_{m-1})`` with common denominator q has the cuts ``F_i = p_0 + ... + p_{i-1}``, i = 1..m-1. A
uniform U in [0, 1) gives the output ``#{i : F_i <= U}``, which has exactly the law of the column (inversion, Devroye
1986, *Non-Uniform Random Variate Generation*, section III.2). U is read byte by byte, ``U = 0.d1 d2 d3...`` in base
256, and only until the output is certain; Knuth and Yao (1976), *The complexity of nonuniform random number
generation*, is the origin of such trees.

A ``Node`` is what is known after some bytes: the cuts inside the current cell, measured from its left end in units of
cell / q, so integers between 0 and q. It is again a distribution with denominator q, and

    law(node) = 1/256 * sum over the 256 bytes d of law(node.child(d)),

because the children split the cell into 256 equal parts. Hence at every depth the mean of the laws of the nodes is
the column. At depth L at most m - 1 of the 256^L nodes are open, so the tree ends with probability 1, and its output
has exactly the law of the column. The integers are below q: the open nodes repeat, the whole tree folds into a finite
graph, and a test enumerates it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm

# Returns that many independent uniform random bytes, e.g. `os.urandom`.
ByteSource = Callable[[int], bytes]

_BYTE = 256


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree: the outputs that are still possible and their exact law.

    Attributes:
        first: the least output that is still possible; the output itself when there are no cuts.
        cuts: nondecreasing integers c, 0 < c < unit: output ``first + #{c <= U unit}`` for a fresh uniform U.
        unit: the common denominator q of the column.

    >>> coin = root([Fraction(1, 3), Fraction(2, 3)])
    >>> coin.child(0), coin.child(255), coin.child(85)
    (Node(first=0, cuts=(), unit=3), Node(first=1, cuts=(), unit=3), Node(first=0, cuts=(1,), unit=3))
    """

    first: int
    cuts: tuple[int, ...]
    unit: int

    def child(self, byte: int) -> Node:
        """Return the node after one more byte. Cost O(log m) comparisons, O(cuts that remain) products."""
        corner = byte * self.unit
        below = bisect_right(self.cuts, corner // _BYTE)  # 256 c <= corner: U is at or above the cut
        above = bisect_left(self.cuts, -(-(corner + self.unit) // _BYTE))  # 256 c >= corner + unit: U is below it
        inside = tuple([_BYTE * cut - corner for cut in self.cuts[below:above]])
        return Node(self.first + below, inside, self.unit)

    def law(self) -> dict[int, Fraction]:
        """Return the exact law of the output from here: output -> probability, outputs of probability 0 left out."""
        ends = pairwise((0, *self.cuts, self.unit))
        return {self.first + i: Fraction(high - low, self.unit) for i, (low, high) in enumerate(ends) if high > low}


def root(column: Iterable[Fraction]) -> Node:
    """Return the root of a column's tree; outputs of probability 0 at either end are already decided away."""
    probabilities = list(column)
    unit = lcm(*(p.denominator for p in probabilities))
    cuts = list(accumulate(p.numerator * (unit // p.denominator) for p in probabilities[:-1]))
    inside = slice(bisect_right(cuts, 0), bisect_left(cuts, unit))
    return Node(inside.start, tuple(cuts[inside]), unit)


def walk(node: Node, prefix: bytes, source: ByteSource) -> int:
    """Return the output that the bytes of ``prefix``, then as many of ``source`` as are needed, lead to."""
    for byte in prefix:
        node = node.child(byte)
    while node.cuts:
        node = node.child(source(1)[0])
    return node.first
