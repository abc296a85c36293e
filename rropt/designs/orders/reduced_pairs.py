"""A pair of mechanisms, reduced for the question whether ``A = C P``: integer entries, no duplicate rows or columns.

*The reduction.* Column j of both matrices is multiplied by the least common multiple s_j of its denominators. With
D = diag(s), ``A = C P`` iff ``A D = C P D``. In each matrix, proportional rows are merged (they have the same
likelihood ratios). Zero rows and repeated columns are removed. The result for the reduced pair is mapped back:

    kernel   C_io = (row i as a fraction of its group) * C'_(group of i, group of o)
    payoff   Y_i = Y'_(group of i), 0 at the removed columns

*Pairs with structure* have closed forms: a permutation, two k-ary randomized responses, or independent bits.

*K-ary randomized responses.* With its outputs in any order, such a mechanism is ``S (a I + (1 - a)/k J)``, where S is a
permutation and J all ones. For two of them, the only matrix with ``A = C P`` is ``C = S_A (c I + (1 - c)/k J) S_P^T``
with ``c = a_A / a_P``. It is nonnegative iff ``-1/(k-1) <= c <= 1``. Otherwise A earns more at guessing the true
category (a_A > 0), or at naming a category that is not the true one (a_A < 0).

*Unary encodings* report one bit for each category, independently (RAPPOR, SUE, OUE). Row i of 2^k is the vector of bits
with ``i = sum of bit_x 2^x``. Bit x is 1 with probability p_x if x is the true category, and q_x if not; P_ij is the
product over x. Suppose that every bit of the target is a garbling of the source's bit: ``q'_x = a q_x + b (1 - q_x)``
and ``p'_x = a p_x + b (1 - p_x)`` with 0 <= a, b <= 1. Then the Kronecker product of these 2 x 2 kernels is a kernel of
the pair. (The converse does not follow, because an input is exactly one category.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.core.exact.numbers import whole_numbers
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism

if TYPE_CHECKING:
    from numpy.typing import NDArray


IntegerRows = tuple[tuple[int, ...], ...]
# A sparse payoff for the reduced pair: act i pays entry [i][j] if j is true; omitted acts and categories pay 0.
Payoff = Mapping[int, Mapping[int, int]]


@dataclass(frozen=True, slots=True)
class MergedIntegerRows:
    """The rows of one mechanism as integers, with proportional rows merged.

    Attributes:
        rows: the merged rows, with column j multiplied by s_j.
        groups: for each merged row, the indices of the original rows, ascending.
        shares: for each original row, its group and the fraction of the merged row; ``None`` for a zero row.
    """

    rows: IntegerRows
    groups: tuple[tuple[int, ...], ...]
    shares: tuple[tuple[int, Fraction] | None, ...]

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> MergedIntegerRows:
        """Merge proportional rows: those that are equal after division by their greatest common divisors."""
        groups: dict[tuple[int, ...], list[int]] = {}
        divisors = [math.gcd(*row) for row in rows]
        for i, (row, divisor) in enumerate(zip(rows, divisors, strict=True)):
            if divisor:
                groups.setdefault(tuple(x // divisor for x in row) if divisor > 1 else tuple(row), []).append(i)
        shares: list[tuple[int, Fraction] | None] = [None] * len(rows)
        merged = []
        for g, (direction, members) in enumerate(groups.items()):
            total = sum(divisors[i] for i in members)
            merged.append(tuple(total * x for x in direction))
            for i in members:
                shares[i] = (g, Fraction(divisors[i], total))
        return cls(tuple(merged), tuple(map(tuple, groups.values())), tuple(shares))


@dataclass(frozen=True, slots=True)
class Pair:
    """The reduced pair: is the target a garbling of the source?

    Attributes:
        source, target: P (m x k) and A (r x k).
        scales: the factors s_j >= 1 of the remaining columns.
        columns: the original indices of the remaining columns.
        inputs: the original number of columns.
    """

    source: MergedIntegerRows
    target: MergedIntegerRows
    scales: tuple[int, ...]
    columns: tuple[int, ...]
    inputs: int

    @classmethod
    def of(cls, source: Mechanism, target: Mechanism) -> Pair:
        """Reduce a pair with equal numbers of inputs."""
        kept: dict[tuple[int, ...], int] = {}  # (scale, column) -> index of its first occurrence
        for j, column in enumerate(zip(*source.matrix, *target.matrix, strict=True)):
            numerators, scale = whole_numbers(column)
            kept.setdefault((scale, *numerators), j)
        scales, *rows = zip(*kept, strict=True)
        m = source.outputs
        return cls(
            MergedIntegerRows.of(rows[:m]), MergedIntegerRows.of(rows[m:]), scales, tuple(kept.values()), source.inputs
        )

    @property
    def shape(self) -> tuple[int, int, int]:
        """The dimensions ``(r, m, k)``: rows of the target, rows of the source, columns."""
        return len(self.target.rows), len(self.source.rows), len(self.scales)

    def floats(self, lines: MergedIntegerRows) -> NDArray[np.float64]:
        """Return the probabilities of the merged rows as floats."""
        return np.array([[x / s for x, s in zip(row, self.scales, strict=True)] for row in lines.rows])

    def kernel(self, reduced: Sequence[Sequence[Fraction]]) -> Mechanism:
        """Map a kernel back to the original mechanisms; an output that never occurs may be mapped to any output."""
        zero, never = Fraction(0), (0, Fraction(1))
        columns = [(never if share is None else share)[0] for share in self.source.shares]
        rows = []
        for share in self.target.shares:
            if share is None:
                rows.append([zero] * len(columns))
                continue
            group, weight = share
            made = reduced[group] if weight == 1 else [weight * c for c in reduced[group]]
            rows.append([made[o] for o in columns])
        return Mechanism(rows)

    def payoff(self, reduced: Payoff) -> tuple[tuple[Fraction, ...], ...]:
        """Map a payoff back to the original mechanisms, one row for each output of the target."""
        zero = Fraction(0)
        acts = {}
        for group, row in reduced.items():
            full = [zero] * self.inputs
            for j, pay in row.items():
                full[self.columns[j]] = Fraction(pay)
            acts[group] = tuple(full)
        idle = (zero,) * self.inputs
        never = acts[0] if len(acts) == len(self.target.rows) else idle  # an act that occurs anyway
        return tuple(never if share is None else acts.get(share[0], idle) for share in self.target.shares)

    def beats(self, payoff: Payoff) -> bool:
        """Return whether ``sum_o max_i Y_i . P_o < sum_i Y_i . A_i``, in exact integers; then no kernel exists."""
        earned, best = self.earnings(payoff)
        return best < earned

    def earnings(self, payoff: Payoff) -> tuple[Fraction, Fraction]:
        """Return ``sum_i Y_i . A_i`` and ``sum_o max_i Y_i . P_o``, which do not change if rows are merged.

        Cost: m products of integers for each entry of the payoff.
        """
        common = math.lcm(*{self.scales[j] for row in payoff.values() for j in row})
        acts = [(i, [(j, y * (common // self.scales[j])) for j, y in row.items() if y]) for i, row in payoff.items()]
        earned = sum(y * self.target.rows[i][j] for i, row in acts for j, y in row)
        idle = [0] if len(acts) < len(self.target.rows) else []
        best = sum(max(idle + [sum(y * line[j] for j, y in row) for _, row in acts]) for line in self.source.rows)
        return Fraction(earned, common), Fraction(best, common)


Kernel = list[list[Fraction]]


@dataclass(frozen=True, slots=True)
class KernelOrPayoff:
    """The result for a reduced pair: a kernel or a payoff.

    Attributes:
        route: the method that found the proof.
        kernel: C, or ``None``.
        task: the kind of task of the payoff, or ``""``.
        payoff: Y, or ``None``; exactly one of kernel and payoff is given.
    """

    route: str
    kernel: Kernel | None = None
    task: str = ""
    payoff: Payoff | None = None


@dataclass(frozen=True, slots=True)
class _Response:
    """A k-ary randomized response: ``places[i]`` is the column of row i with the special entry; ``contrast`` is a."""

    places: tuple[int, ...]
    contrast: Fraction


def symmetric_answer(pair: Pair) -> KernelOrPayoff | None:
    """Return the result by a closed form; ``None`` if no closed form applies. Cost O((m + r) k)."""
    r, m, _ = pair.shape
    if r == 1:
        return KernelOrPayoff("constant target", [[Fraction(1)] * m])
    if r == m and set(pair.source.rows) == set(pair.target.rows):
        index = {row: o for o, row in enumerate(pair.source.rows)}
        kernel = [[Fraction(0)] * m for _ in range(r)]
        for i, row in enumerate(pair.target.rows):
            kernel[i][index[row]] = Fraction(1)
        return KernelOrPayoff("permutation", kernel)
    source, target = _response(pair.source, pair.scales), _response(pair.target, pair.scales)
    if source is None or target is None:
        return None
    return _closed_form(source, target)


def _response(lines: MergedIntegerRows, scales: tuple[int, ...]) -> _Response | None:
    k, scale = len(scales), scales[0]
    if len(lines.rows) != k or k < 2 or any(s != scale for s in scales):
        return None
    first = lines.rows[0]
    if len(set(first)) != 2:
        return None
    special, other = sorted(set(first), key=lambda x: (first.count(x), -x))  # for k = 2 the larger entry is special
    if any(row.count(special) != 1 or row.count(other) != k - 1 for row in lines.rows):
        return None
    places = tuple(row.index(special) for row in lines.rows)
    if len(set(places)) < k:
        return None
    return _Response(places, Fraction(special - other, scale))


def _closed_form(source: _Response, target: _Response) -> KernelOrPayoff:
    k, route = len(source.places), "k-ary randomized response"
    c = target.contrast / source.contrast
    beside = (1 - c) / k
    if beside >= 0 and beside + c >= 0:
        column = {place: o for o, place in enumerate(source.places)}
        kernel = [[beside] * k for _ in range(k)]
        for i, place in enumerate(target.places):
            kernel[i][column[place]] += c
        return KernelOrPayoff(route, kernel)
    pay, task = (1, "guess") if target.contrast > 0 else (-1, "avoid")
    payoff = {i: {place: pay} for i, place in enumerate(target.places)}
    return KernelOrPayoff(route, task=task, payoff=payoff)


# Maximal number of bits of two unary encodings that are compared bit by bit: the kernel has 4^k entries.
_MAX_INDEPENDENT_BITS = 9

Bit = tuple[Fraction, Fraction]  # (q, p)


def independent_bits_kernel(source: Mechanism, target: Mechanism) -> Mechanism | None:
    """Return a kernel between two unary encodings, bit by bit; ``None`` if no kernel of this form exists.

    Cost: O(2^k k^2) to recognize the encodings, and 4^k entries for the kernel.
    """
    k = source.inputs
    if not 2 < k <= _MAX_INDEPENDENT_BITS or source.shape != (2**k, k) or target.shape != (2**k, k):
        return None
    given, wanted = _bits(source), _bits(target)
    if given is None or wanted is None:
        return None
    rows: list[list[Fraction]] = [[Fraction(1)]]
    for bit, other in zip(given, wanted, strict=True):
        kernel = _bit_kernel(bit, other)
        if kernel is None:
            return None
        rows = [[x * y for y in line for x in row] for line in kernel for row in rows]  # the first bit varies fastest
    return Mechanism(rows)


def _bits(mechanism: Mechanism) -> list[Bit] | None:
    """Return (q_x, p_x) for each bit; ``None`` if the mechanism is not a unary encoding."""
    k, bits = mechanism.inputs, []
    columns = list(mechanism.columns())
    for x in range(k):
        ones = [sum((p for i, p in enumerate(column) if i >> x & 1), Fraction(0)) for column in columns]
        others = {one for j, one in enumerate(ones) if j != x}
        if len(others) > 1:
            return None
        bits.append((others.pop(), ones[x]))
    for truth, column in enumerate(columns):
        law = [Fraction(1)]
        for x, (q, p) in enumerate(bits):
            one = p if x == truth else q
            law = [*(value * (1 - one) for value in law), *(value * one for value in law)]
        if law != list(column):
            return None
    return bits


def _bit_kernel(bit: Bit, other: Bit) -> list[list[Fraction]] | None:
    """Return the 2 x 2 kernel from a bit (q, p) to another one; ``None`` if none exists."""
    (q, p), (wanted_q, wanted_p) = bit, other
    if p == q:
        if wanted_p != wanted_q:
            return None
        a = b = wanted_q
    else:
        slope = (wanted_p - wanted_q) / (p - q)
        b = wanted_q - slope * q
        a = b + slope
    return [[1 - b, 1 - a], [b, a]] if 0 <= min(a, b) <= max(a, b) <= 1 else None
