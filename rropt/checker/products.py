"""Exact products of integer matrices, by Kronecker's substitution, and what they may cost.

A row (b_1, ..., b_c) is packed into one integer sum_j b_j 2^(w j). A combination of packed rows is the packed row of
the combinations, read off slot by slot when ``abs(entry) < 2^(w-1)``: a x b products of a number by a packed row in
the place of a x b x c products of numbers. Or the same with both factors transposed: the shorter way is taken.
"""

from collections.abc import Sequence

from .documents import Rejected
from .limits import MAX_MATRIX_BITS, MAX_MATRIX_WORK

Rows = Sequence[Sequence[int]]

_DIGIT = 30  # bits of one digit of Python's integers
_STEP = 128  # what one operation of the interpreter costs, in products of digits
_LOOP = 3 * _STEP  # and what one product in a loop of several does


def require_work(products: int, bits: int, other_bits: int = 0) -> None:
    """Reject what would take too long: so many products of numbers of these lengths, in products of digits."""
    if products * (_LOOP + (1 + bits // _DIGIT) * (1 + other_bits // _DIGIT)) > MAX_MATRIX_WORK:
        raise Rejected("the matrices are too large to be checked")


def bits_of(rows: Rows) -> int:
    """Return the length of the longest entry."""
    return max(max(max(row), -min(row)).bit_length() for row in rows)


def multiply(left: Rows, right: Rows) -> list[list[int]]:
    """Return the product of an a x b and a b x c matrix.

    The cost is bounded beforehand: for each entry of the factor that is not packed, its digits times those of a packed
    row, and one step for each entry of the product.
    """
    shape = len(left), len(right), len(right[0])
    slot = (bits_of(left) + bits_of(right) + shape[1].bit_length() + 2 + 7) // 8 * 8
    by_rows, by_columns = _cost(left, slot * shape[2]), _cost(right, slot * shape[0])
    if min(by_rows, by_columns) + _STEP * 2 * shape[0] * shape[2] > MAX_MATRIX_WORK:
        raise Rejected("the matrices are too large to be checked")
    if by_rows <= by_columns:
        return _product(left, right, slot)
    product = _product(_transposed(right), _transposed(left), slot)
    return _transposed(product)


def _cost(factor: Rows, packed_bits: int) -> int:
    digits = nonzero = 0
    for row in factor:
        for entry in row:
            if entry:
                nonzero += 1
                digits += 1 + entry.bit_length() // _DIGIT
    return nonzero * _STEP + digits * (1 + packed_bits // _DIGIT)


def _product(left: Rows, right: Rows, slot: int) -> list[list[int]]:
    width, size = len(right[0]), slot // 8
    if slot * width * len(right) > MAX_MATRIX_BITS:
        raise Rejected("the matrices are too large to be checked")
    packed = [_packed(row, size) for row in right]
    half = 1 << (slot - 1)
    halves = int.from_bytes(half.to_bytes(size, "little") * width, "little")
    product = []
    for row in left:
        total = halves
        for entry, whole in zip(row, packed, strict=True):
            if entry:
                total += entry * whole
        data = total.to_bytes(size * width + 1, "little")
        product.append([int.from_bytes(data[i : i + size], "little") - half for i in range(0, size * width, size)])
    return product


def _packed(row: Sequence[int], size: int) -> int:
    """Return ``sum_j row[j] 2^(8 size j)``."""
    above = b"".join((entry if entry > 0 else 0).to_bytes(size, "little") for entry in row)
    below = b"".join((-entry if entry < 0 else 0).to_bytes(size, "little") for entry in row)
    return int.from_bytes(above, "little") - int.from_bytes(below, "little")


def _transposed(rows: Rows) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]
