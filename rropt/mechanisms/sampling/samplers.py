"""Samplers for each form of mechanism: by columns, by question, or by an orbit and an arrangement within it.

A sampler draws exactly from the distribution of the mechanism. The number of bytes that it reads does not depend on the
answer that is randomized (``__init__`` of this package). A form of mechanism registers its sampler with
``sampler_of.register``. By default the columns are used, and the matrix must be small enough to be written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch

import numpy as np

from rropt.mechanisms.arrangements import arrangement_at, count_of
from rropt.mechanisms.families import BitVectorMechanism, BlockMechanism, RevealedBlocks
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.orbits import OrbitMechanism
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.restricted_response import RestrictedResponse
from rropt.mechanisms.sampling.block_samplers import (
    BitVectorSampler,
    BlockSampler,
    RestrictedSampler,
    RevealedSampler,
    Sampler,
)
from rropt.mechanisms.sampling.bulk_draws import CELLS, SubsetNumbers, subsets
from rropt.mechanisms.sampling.inversion import ByteSource, Integers, InversionTables, Node, inversion_tables, root

_MOST_COLUMNS = 32  # with more, tables of all columns no longer fit into a fast cache


def _decided(nodes: Sequence[Node], source: ByteSource) -> list[int]:
    """Return the outputs of all trees: every byte is followed in all of them until all are decided."""
    while any(node.cuts for node in nodes):
        byte = source(1)[0]
        nodes = [node.child(byte) for node in nodes]
    return [node.first for node in nodes]


class ColumnSampler(Sampler):
    """A sampler by the decision trees of all columns, with tables that are built for the first array."""

    __slots__ = ("outputs", "roots", "tables")

    def __init__(self, mechanism: Mechanism) -> None:
        self.outputs = mechanism.outputs
        self.roots = tuple(root(column) for column in mechanism.columns())
        self.tables: InversionTables | None = None

    def one(self, answer: int, source: ByteSource) -> int:
        """Follow every byte in the trees of all columns until all are decided, then select the answer's column."""
        return _decided(self.roots, source)[answer]

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample by table lookups."""
        if self.tables is None:
            self.tables = inversion_tables(self.roots, self.outputs)
        self.tables.draw(answers, source, out)


class CirculantSampler(Sampler):
    """A sampler of circulant mechanisms, such as k-ary randomized response: ``p_ij = c[(i - j) mod k]``.

    The shift ``i - j`` has the distribution c for every truth, so one tree and one small table serve all columns, and
    the response is the sum of truth and shift modulo k. The cost per answer does not grow with k up to some thousand
    categories: two random bytes, two lookups, and four bytes more for the proportion k / 2^16 of the answers.
    """

    __slots__ = ("inputs", "root", "tables", "wrapped")

    def __init__(self, column: Sequence[Fraction]) -> None:
        self.inputs, self.root = len(column), root(column)
        self.tables: InversionTables | None = None

    def one(self, answer: int, source: ByteSource) -> int:
        """Return the sum of the answer and a shift, modulo k."""
        return (answer + _decided([self.root], source)[0]) % self.inputs

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample shifts by table lookups."""
        if self.tables is None:
            self.tables = inversion_tables([self.root], self.inputs)
            self.wrapped = (np.arange(2 * self.inputs) % self.inputs).astype(np.min_scalar_type(self.inputs))
        places = np.add(answers, self.tables.sampled(len(answers), source), dtype=np.intp)
        out[:] = self.wrapped.take(places, mode="clip")


def circulant_column(mechanism: Mechanism) -> tuple[Fraction, ...] | None:
    """Return the first column c of a mechanism with ``p_ij = c[(i - j) mod k]``, or ``None`` if it has another form."""
    if mechanism.inputs != mechanism.outputs:
        return None
    columns = iter(mechanism.columns())
    first = last = next(columns)
    for column in columns:
        if column[0] != last[-1] or column[1:] != last[:-1]:
            return None
        last = column
    return first


class ProductSampler(Sampler):
    """One sampler for each factor, shared by equal factors; the questions are sampled in order, independently."""

    __slots__ = ("inputs", "outputs", "samplers")

    def __init__(self, mechanism: ProductMechanism) -> None:
        made = {factor: ColumnSampler(factor) for factor in set(mechanism.factors)}
        self.samplers = [made[factor] for factor in mechanism.factors]
        self.inputs = [factor.inputs for factor in mechanism.factors]
        self.outputs = [factor.outputs for factor in mechanism.factors]

    def one(self, answer: int, source: ByteSource) -> int:
        """Return one response, sampled question by question."""
        drawn, stride = 0, 1
        for sampler, k, m in zip(self.samplers, self.inputs, self.outputs, strict=True):
            answer, digit = divmod(answer, k)
            drawn, stride = drawn + stride * sampler.one(digit, source), stride * m
        return drawn

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample question by question for all answers; the indices of inputs and outputs fit into 64 bits."""
        rest, total, stride = answers.astype(np.int64), np.zeros(len(answers), np.int64), 1
        drawn = np.empty(len(answers), np.int64)
        for sampler, k, m in zip(self.samplers, self.inputs, self.outputs, strict=True):
            rest, digits = np.divmod(rest, k)
            sampler.draw(digits, source, drawn)
            total, stride = total + stride * drawn, stride * m
        out[:] = total

    def draw_questions(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample one response for each entry of an array of shape (rows, questions) and write it into ``out``."""
        drawn = np.empty(len(answers), out.dtype)
        for question, sampler in enumerate(self.samplers):
            sampler.draw(np.ascontiguousarray(answers[:, question]), source, drawn)
            out[:, question] = drawn


class OrbitSampler(Sampler):
    """A sampler of orbit mechanisms.

    The tree of the input's group selects an orbit and the entry at the true category. Then an arrangement is
    drawn uniformly among those with this entry at the true category.

    For one answer, the uniform number is read with eight more bytes than the orbit with the most arrangements needs. It
    is rejected, with probability below 2^-64, if it lies in the last, incomplete part.

    For many answers, if there is one group and every row has at most two values, such as subset selection, the
    arrangements are drawn as subsets by Floyd's method (``bulk_draws``).
    """

    __slots__ = ("cells", "numbers", "roots", "tables", "width")
    mechanism: OrbitMechanism

    def __init__(self, mechanism: OrbitMechanism, spare: int = 8) -> None:
        self.mechanism = mechanism
        self.cells: list[list[tuple[int, int, int]]] = []  # per group: orbit, entry, number of arrangements
        self.roots = []
        for a, k in enumerate(mechanism.groups):
            cells, chances = [], []
            for o, (n, orbit) in enumerate(mechanism.counted()):
                for place, (value, c) in enumerate(orbit[a]):
                    number = n * c // k
                    cells.append((o, place, number))
                    chances.append(number * value)
            self.cells.append(cells)
            self.roots.append(root(chances))
        self.width = max(number for cells in self.cells for _, _, number in cells).bit_length() // 8 + 1 + spare
        self.numbers: dict[int, SubsetNumbers] = {}  # by orbit, for those that were drawn in bulk
        self.tables: InversionTables | None = None

    def one(self, answer: int, source: ByteSource) -> int:
        """Return one response; the trees of all groups are followed until all are decided."""
        outputs = _decided(self.roots, source)
        a, at = self.mechanism.group_of(answer)
        orbit, place, number = self.cells[a][outputs[a]]
        rest = self._below(number, source)
        places = []
        for b, values in enumerate(self.mechanism.orbits[orbit]):
            counts = [c - (b == a and v == place) for v, (_, c) in enumerate(values)]
            rest, index = divmod(rest, count_of(counts))
            digits = arrangement_at(index, counts)
            places.append((*digits[:at], place, *digits[at:]) if b == a else digits)
        return self.mechanism.output(orbit, places)

    def _below(self, number: int, source: ByteSource) -> int:
        """Return a uniform integer below ``number``."""
        whole = 256**self.width // number * number
        while True:
            drawn = int.from_bytes(source(self.width), "big")
            if drawn < whole:
                return drawn % number

    def draw(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample subsets in bulk, and other arrangements one after the other."""
        if len(self.mechanism.groups) > 1 or max(len(orbit[0]) for orbit in self.mechanism.orbits) > 2:
            out[:] = [self.one(answer, source) for answer in answers.tolist()]
            return
        step = max(CELLS // self.mechanism.inputs, 1)
        for begin in range(0, len(answers), step):
            part = slice(begin, begin + step)
            self._draw_subsets(answers[part], source, out[part])

    def _draw_subsets(self, answers: Integers, source: ByteSource, out: Integers) -> None:
        """Sample the orbits and the entries at the answers, then for each orbit the set with its second entry."""
        cells, k = self.cells[0], self.mechanism.inputs
        if self.tables is None:
            self.tables = inversion_tables(self.roots, len(cells))
        drawn = self.tables.sampled(len(answers), source)
        before = 0
        orbits, places = np.array([(orbit, place) for orbit, place, _ in cells]).T[:, drawn]
        for orbit, (number, (values,)) in enumerate(self.mechanism.counted()):
            at = np.flatnonzero(orbits == orbit)
            if len(values) == 1 or not len(at):
                out[at] = before
            else:
                size = values[1][1]
                numbers = self.numbers.get(orbit) or self.numbers.setdefault(orbit, SubsetNumbers(k, size))
                sets = subsets(size, k, answers[at], places[at] == 1, source)
                out[at] = [before + index for index in numbers.of(sets)]
            before += number


@singledispatch
def sampler_of(mechanism: Mechanism) -> Sampler:
    """Return the sampler of a mechanism; each form registers its own."""
    column = circulant_column(mechanism) if mechanism.inputs > _MOST_COLUMNS else None
    return ColumnSampler(mechanism) if column is None else CirculantSampler(column)


sampler_of.register(ProductMechanism, ProductSampler)
sampler_of.register(OrbitMechanism, OrbitSampler)
sampler_of.register(BlockMechanism, BlockSampler)
sampler_of.register(BitVectorMechanism, BitVectorSampler)
sampler_of.register(RevealedBlocks, RevealedSampler)
sampler_of.register(RestrictedResponse, RestrictedSampler)
