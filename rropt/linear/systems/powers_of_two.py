"""Scaling exact integers into floats by powers of two, so that no size overflows and no digit is lost twice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rropt.linear.systems.integer_matrix import IndexArray, IntegerArray
from rropt.tolerances import NOISE_BITS, SCALING_ROUNDS

__all__ = ["FloatArray", "equilibrate", "lengths", "scaled_floats", "split"]

FloatArray = npt.NDArray[np.float64]


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


def lengths(mantissas: FloatArray, exponents: IndexArray) -> FloatArray:
    """Return the logarithms to base 2 of the sizes of nonzero numbers `m 2^e`."""
    logarithms: FloatArray = np.log2(np.abs(mantissas)) + exponents
    return logarithms


def equilibrate(
    shape: tuple[int, int], rows: IndexArray, columns: IndexArray, sizes: FloatArray
) -> tuple[IndexArray, IndexArray]:
    """Return row and column exponents (r, c) that bring the entries `a_ij 2^(r_i + c_j)` close to 1.

    Scaling by the largest entries finds the entries that matter, geometric-mean scaling (the middle of the largest and
    the smallest logarithm of each row, then of each column) spreads those evenly; at last every column is scaled so
    that its largest entry lies in (1/2, 1]. Cost O(nonzeros).

    Args:
        shape: of the matrix.
        rows, columns: the place of each entry.
        sizes: the logarithm to base 2 of each entry.
    """
    of_rows, of_columns = _balance(shape, rows, columns, sizes, 1.0)
    # an entry that is tiny both in its row and in its column is noise to the float solver: it must not set the scale
    heard = sizes + of_rows[rows] + of_columns[columns] >= -NOISE_BITS
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
    for _ in range(SCALING_ROUNDS):
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
