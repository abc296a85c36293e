"""Exact integers as floats, scaled by powers of two, and rational vectors back from binary fractions.

Scaling by powers of two loses no digit, and no size overflows: a number is `m 2^e` with m a double.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rropt.core.linear.integer_matrix import IndexArray, IntegerArray
from rropt.core.linear.rational_vectors import RationalVector

FloatArray = npt.NDArray[np.float64]

# Rounds of scaling rows and columns in turn; later rounds change exponents by less than one.
_SCALING_ROUNDS = 6

# An entry this many bits below the largest of its row and of its column does not take part in scaling: the float
# solver drops it anyway (its smallest entry, 1e-12, is 2^-40).
_NOISE_BITS = 40

# Spare bits asked of a reconstruction: a wrong fraction then passes with chance 2^-16 (and fails the exact check).
_GUARD_BITS = 16


def split(values: IntegerArray) -> tuple[FloatArray, IndexArray]:
    """Write each integer as `m * 2^e` with 1/2 <= |m| <= 1 rounded to a double (0 is 0 * 2^0), in O(n)."""
    known: dict[int, tuple[float, int]] = {}
    mantissas = np.empty(len(values), dtype=np.float64)
    exponents = np.empty(len(values), dtype=np.int64)
    for k, value in enumerate(values.tolist()):
        pair = known.get(value)
        if pair is None:
            length = value.bit_length()
            # int / int is correctly rounded by Python whatever the sizes
            pair = known[value] = (value / (1 << length), length)
        mantissas[k], exponents[k] = pair
    return mantissas, exponents


def scaled_floats(mantissas: FloatArray, exponents: IndexArray, shift: IndexArray | int) -> FloatArray:
    """Return `m * 2^(e + shift)` as doubles, flushing to 0 and to infinity outside their range."""
    power = np.clip(exponents + shift, -2000, 2000).astype(np.int32)
    with np.errstate(over="ignore", under="ignore"):
        scaled: FloatArray = np.ldexp(mantissas, power)
    return scaled


def equilibrate(
    shape: tuple[int, int], rows: IndexArray, columns: IndexArray, mantissas: FloatArray, exponents: IndexArray
) -> tuple[IndexArray, IndexArray]:
    """Return row and column exponents (r, c) that bring the entries `a_ij 2^(r_i + c_j)` close to 1.

    Scaling by the largest entries finds the entries that matter, geometric-mean scaling (the middle of the largest and
    the smallest logarithm of each row, then of each column) spreads those evenly; at last every column is scaled so
    that its largest entry lies in (1/2, 1]. Cost O(nonzeros).

    Args:
        shape: of the matrix.
        rows, columns: the place of each entry.
        mantissas, exponents: each entry, nonzero, as `m 2^e`.
    """
    sizes: FloatArray = np.log2(np.abs(mantissas)) + exponents
    of_rows, of_columns = _balance(shape, rows, columns, sizes, 1.0)
    # an entry that is tiny both in its row and in its column is noise to the float solver: it must not set the scale
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
    """Scale rows and columns in turn so that `weight * largest + (1 - weight) * smallest` logarithm becomes 0."""
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
    """Find the vector with the smallest common denominator found within `error / 2^bits` of `scaled / 2^bits`.

    One entry is expanded into a continued fraction; its denominator d multiplies all others, most of which
    are then integers up to the error; the next entry that is not is expanded in turn. A vector whose entries
    share a denominator thus costs one expansion. The answer is a guess: the caller checks it exactly.

    Args:
        scaled: integers, shape `(n,)`.
        bits: exponent of the scale 2^bits, positive.
        error: bound on the error of each entry of `scaled`, in units of its last bit.

    Returns:
        The vector, or None when the precision does not suffice to separate it from its neighbours.

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
    """Return the first q among the convergents of value / modulus with |q value - p modulus| <= q error."""
    before, remainder = modulus, value % modulus
    last, q = 0, 1
    while remainder > q * error:
        quotient, rest = divmod(before, remainder)
        before, remainder = remainder, rest
        last, q = q, last + quotient * q
        # a random value has such a q with chance q^2 error / modulus
        if (q * q * error) << _GUARD_BITS >= modulus:
            return None
    return q
