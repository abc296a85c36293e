"""Unary encodings: each category has a bit of its own, reported independently (RAPPOR, SUE, OUE).

Row i of 2^k is the vector of bits with ``i = sum of bit_x 2^x``, and bit x is 1 with probability p_x if x is the truth,
q_x if not: ``P_ij = product over x``. When every bit of the target is the source's bit randomized again,
``q'_x = a q_x + b (1 - q_x)`` and ``p'_x = a p_x + b (1 - p_x)`` with 0 <= a, b <= 1, the Kronecker product of these
2 x 2 kernels is one for the whole. (The converse does not follow: the truth has exactly one category.)
"""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms import Mechanism

__all__ = ["independent_bits_kernel"]

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
