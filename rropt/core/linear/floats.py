"""Convert exact integers to floats, scaled by powers of two, and reconstruct rational vectors from binary fractions.

A number is `m 2^e` with m a double. Scaling by powers of two is exact, and no number overflows.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rropt.core.linear.integer_matrix import IndexArray, IntegerArray
from rropt.core.linear.rational_vectors import RationalVector

FloatArray = npt.NDArray[np.float64]

# Rounds of scaling rows and columns in turn; later rounds change exponents by less than one.
_SCALING_ROUNDS = 6

# An entry that is this many bits smaller than the largest entry of its row and of its column is ignored in scaling:
# HiGHS drops it anyway (its smallest entry, 1e-12, is about 2^-40).
_NOISE_BITS = 40

# Spare bits required of a reconstruction: a wrong fraction passes with probability 2^-16 (and fails the exact check).
_GUARD_BITS = 16


def mantissas_and_exponents(values: IntegerArray) -> tuple[FloatArray, IndexArray]:
    """Write each integer as `m * 2^e` with 1/2 <= |m| <= 1 rounded to a double (0 is 0 * 2^0), in O(n)."""
    listed = values.tolist()
    try:
        floats = np.array(listed, dtype=np.float64)
    except OverflowError:  # an integer beyond the largest double
        floats = np.array([np.inf])
    if np.all(np.abs(floats) < 2.0**53):  # every integer is exactly a double
        found: tuple[FloatArray, IndexArray] = np.frexp(floats)
        return found[0], found[1].astype(np.int64)
    known: dict[int, tuple[float, int]] = {}
    mantissas = np.empty(len(values), dtype=np.float64)
    exponents = np.empty(len(values), dtype=np.int64)
    for k, value in enumerate(listed):
        pair = known.get(value)
        if pair is None:
            length = value.bit_length()
            # Python rounds int / int correctly for integers of any size
            pair = known[value] = (value / (1 << length), length)
        mantissas[k], exponents[k] = pair
    return mantissas, exponents


def scaled_floats(mantissas: FloatArray, exponents: IndexArray, shift: IndexArray | int) -> FloatArray:
    """Return `m * 2^(e + shift)` as doubles; numbers out of range become 0 or infinite."""
    # beyond 2^1100 all are 0 or infinite, and ldexp takes exponents of 32 bits
    power = np.clip(exponents + shift, -2000, 2000).astype(np.int32)
    with np.errstate(over="ignore", under="ignore"):
        scaled: FloatArray = np.ldexp(mantissas, power)
    return scaled


def equilibrate(
    shape: tuple[int, int], rows: IndexArray, columns: IndexArray, mantissas: FloatArray, exponents: IndexArray
) -> tuple[IndexArray, IndexArray]:
    """Return row and column exponents (r, c) that bring the entries `a_ij 2^(r_i + c_j)` close to 1.

    1. Scaling by the largest entries identifies the entries that are too small to matter.
    2. Scaling by the mid-range of the logarithms (of each row, then of each column) balances the other entries.
    3. Every column is scaled so that its largest entry lies in (1/2, 1].

    Cost O(nonzeros).

    Args:
        shape: the shape of the matrix.
        rows, columns: the row and the column of each entry.
        mantissas, exponents: each entry, nonzero, as `m 2^e`.
    """
    sizes: FloatArray = np.log2(np.abs(mantissas)) + exponents
    of_rows, of_columns = _balance(shape, rows, columns, sizes, 1.0)
    # an entry that is tiny both in its row and in its column is ignored by the float solver: it must not set the scale
    heard = sizes + of_rows[rows] + of_columns[columns] >= -_NOISE_BITS
    of_rows, of_columns = _balance(shape, rows[heard], columns[heard], sizes[heard], 0.5)
    whole_rows = np.rint(of_rows).astype(np.int64)
    whole_columns = np.rint(of_columns).astype(np.int64)
    top = np.full(shape[1], -np.inf)
    np.maximum.at(top, columns, sizes + whole_rows[rows] + whole_columns[columns])
    whole_columns -= np.ceil(np.where(np.isfinite(top), top, 0.0)).astype(np.int64)
    return whole_rows, whole_columns


def _balance(
    shape: tuple[int, int], rows: IndexArray, columns: IndexArray, sizes: FloatArray, weight: float
) -> tuple[FloatArray, FloatArray]:
    """Scale rows and columns in turn until `weight * largest + (1 - weight) * smallest` logarithm is near 0."""
    of_rows, of_columns = np.zeros(shape[0]), np.zeros(shape[1])
    for _ in range(_SCALING_ROUNDS):
        of_rows -= _level(sizes + of_rows[rows] + of_columns[columns], rows, shape[0], weight)
        of_columns -= _level(sizes + of_rows[rows] + of_columns[columns], columns, shape[1], weight)
    return of_rows, of_columns


def _level(sizes: FloatArray, groups: IndexArray, count: int, weight: float) -> FloatArray:
    top, bottom = np.full(count, -np.inf), np.full(count, np.inf)
    np.maximum.at(top, groups, sizes)
    np.minimum.at(bottom, groups, sizes)
    empty = np.isinf(top)
    top[empty] = bottom[empty] = 0.0
    return weight * top + (1 - weight) * bottom


def reconstruct(scaled: IntegerArray, bits: int, error: int) -> RationalVector | None:
    """Reconstruct a rational vector with a small common denominator within `error / 2^bits` of `scaled / 2^bits`.

    One entry is expanded into a continued fraction. Its denominator d multiplies all other entries, most of which are
    then integers up to the error. The next entry that is not an integer is expanded in turn. If all entries share a
    denominator, one expansion suffices. The result is not proved: the caller checks it exactly.

    Args:
        scaled: integers, shape `(n,)`.
        bits: the exponent of the scale 2^bits, positive.
        error: a bound on the error of each entry of `scaled`, as an integer.

    Returns:
        The vector, or `None` if the precision does not suffice to distinguish it from other rational vectors.

    Source: Wang, Guy, Davenport, P-adic reconstruction of rational numbers (1982); Steffy, Exact solutions to
    linear systems of equations using output sensitive lifting (2010).
    """
    modulus = 1 << bits
    denominator = 1
    pending = scaled
    while pending.size:
        if (denominator * error) << _GUARD_BITS >= modulus:
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
    """Return the first denominator q of the convergents of value / modulus with |q value - p modulus| <= q error."""
    before, remainder = modulus, value % modulus
    last, q = 0, 1
    while remainder > q * error:
        quotient, rest = divmod(before, remainder)
        before, remainder = remainder, rest
        last, q = q, last + quotient * q
        # a random value has such a q with probability q^2 error / modulus
        if (q * q * error) << _GUARD_BITS >= modulus:
            return None
    return q
