"""From a close binary fraction back to the rational vector it came from."""

from __future__ import annotations

import numpy as np

from rropt.linear.systems.integer_matrix import IntegerArray
from rropt.linear.systems.rational_vector import RationalVector
from rropt.tolerances import RECONSTRUCTION_GUARD_BITS

__all__ = ["reconstruct"]


def reconstruct(scaled: IntegerArray, bits: int, error: int) -> RationalVector | None:
    """Find the vector with the smallest common denominator found within `error / 2^bits` of `scaled / 2^bits`.

    One entry is expanded into a continued fraction; its denominator d multiplies all others, most of which
    are then integers up to the error; the next entry that is not is expanded in turn. A vector whose entries
    share a denominator thus costs one expansion. The answer is a guess: the caller checks it exactly.

    Args:
        scaled: integers, shape `(n,)`.
        bits: exponent of the scale 2^bits, positive.
        error: bound on the error of each entry of `scaled`, in units of its last bit.

    Returns:
        The vector, or None when the precision does not suffice to tell it from its neighbours.

    Source: Wang, Guy, Davenport, P-adic reconstruction of rational numbers (1982); Steffy, Exact solutions to
    linear systems of equations using output sensitive lifting (2010).
    """
    modulus = 1 << bits
    denominator = 1
    pending = scaled
    while pending.size:
        if (denominator * error) << RECONSTRUCTION_GUARD_BITS >= modulus:
            return None
        multiples = pending * denominator
        offsets = np.abs(multiples - (_rounded(multiples, bits) << bits))
        wrong = offsets > denominator * error
        pending = pending[wrong]
        if pending.size:
            factor = _denominator(int(multiples[wrong][0]), modulus, denominator * error)
            if factor is None:
                return None
            denominator *= factor
    return RationalVector(tuple(_rounded(scaled * denominator, bits).tolist()), denominator)


def _rounded(values: IntegerArray, bits: int) -> IntegerArray:
    nearest: IntegerArray = (values + (1 << (bits - 1))) >> bits
    return nearest


def _denominator(value: int, modulus: int, error: int) -> int | None:
    """Return the first q among the convergents of value / modulus with |q value - p modulus| <= q error."""
    before, remainder = modulus, value % modulus
    last, q = 0, 1
    while remainder > q * error:
        quotient, rest = divmod(before, remainder)
        before, remainder = remainder, rest
        last, q = q, last + quotient * q
        # a random value has such a q with chance q^2 error / modulus
        if (q * q * error) << RECONSTRUCTION_GUARD_BITS >= modulus:
            return None
    return q
