"""Pairs with structure: a permutation, two k-ary randomized responses, or independent bits.

A k-ary randomized response with its answers in any order is ``S (a I + (1 - a)/k J)``, S a permutation, J all ones. For
two of them, ``C = S_A (c I + (1 - c)/k J) S_P^T`` with ``c = a_A / a_P`` is the only matrix with ``A = C P``, and it is
nonnegative iff ``-1/(k-1) <= c <= 1``. Otherwise guessing the truth (a_A > 0), or naming a category that it is not
(a_A < 0), pays more with A.

Unary encodings: each category has a bit of its own, reported independently (RAPPOR, SUE, OUE).

Row i of 2^k is the vector of bits with ``i = sum of bit_x 2^x``, and bit x is 1 with probability p_x if x is the truth,
q_x if not: ``P_ij = product over x``. When every bit of the target is the source's bit randomized again,
``q'_x = a q_x + b (1 - q_x)`` and ``p'_x = a p_x + b (1 - p_x)`` with 0 <= a, b <= 1, the Kronecker product of these
2 x 2 kernels is one for the whole. (The converse does not follow: the truth has exactly one category.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.mechanisms import Mechanism
from rropt.orders.garblings.pairs import Answer, Lines, Pair


@dataclass(frozen=True, slots=True)
class _Response:
    """``places[i]``: the column of row i that differs from the others; ``contrast``: a."""

    places: tuple[int, ...]
    contrast: Fraction


def symmetric_answer(pair: Pair) -> Answer | None:
    """Return the answer by a closed form, or None when neither closed form applies. Cost O((m + r) k)."""
    r, m, _ = pair.shape
    if r == 1:
        return Answer("constant target", [[Fraction(1)] * m])
    if r == m and set(pair.source.rows) == set(pair.target.rows):
        index = {row: o for o, row in enumerate(pair.source.rows)}
        kernel = [[Fraction(0)] * m for _ in range(r)]
        for i, row in enumerate(pair.target.rows):
            kernel[i][index[row]] = Fraction(1)
        return Answer("permutation", kernel)
    source, target = _response(pair.source, pair.scales), _response(pair.target, pair.scales)
    if source is None or target is None:
        return None
    return _closed_form(source, target)


def _response(lines: Lines, scales: tuple[int, ...]) -> _Response | None:
    k, scale = len(scales), scales[0]
    if len(lines.rows) != k or k < 2 or any(s != scale for s in scales):
        return None
    first = lines.rows[0]
    if len(set(first)) != 2:
        return None
    special, other = sorted(set(first), key=lambda x: (first.count(x), -x))  # k = 2: the larger one is the special one
    if any(row.count(special) != 1 or row.count(other) != k - 1 for row in lines.rows):
        return None
    places = tuple(row.index(special) for row in lines.rows)
    if len(set(places)) < k:
        return None
    return _Response(places, Fraction(special - other, scale))


def _closed_form(source: _Response, target: _Response) -> Answer:
    k, route = len(source.places), "k-ary randomized response"
    c = target.contrast / source.contrast
    beside = (1 - c) / k
    if beside >= 0 and beside + c >= 0:
        column = {place: o for o, place in enumerate(source.places)}
        kernel = [[beside] * k for _ in range(k)]
        for i, place in enumerate(target.places):
            kernel[i][column[place]] += c
        return Answer(route, kernel)
    pay, task = (1, "guess") if target.contrast > 0 else (-1, "avoid")
    payoff = {i: {place: pay} for i, place in enumerate(target.places)}
    return Answer(route, task=task, payoff=payoff)


# Bits of two unary encodings that are compared bit by bit: the kernel has 4^k entries.
_MAX_INDEPENDENT_BITS = 9

Bit = tuple[Fraction, Fraction]  # (q, p)


def independent_bits_kernel(source: Mechanism, target: Mechanism) -> Mechanism | None:
    """Return a kernel between two unary encodings, bit by bit, or None when there is none of this form.

    Cost O(2^k k^2) to see that they are, 4^k entries to write the kernel down.
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
    """Return (q_x, p_x) for each bit, or None when the mechanism is no unary encoding."""
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
    """Return the 2 x 2 kernel from a bit (q, p) to another one, or None."""
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
