"""Rational vectors and matrices of a file, in integers over common denominators, and products of matrices.

All statements read matrices through this module. Every operation is charged to the budget beforehand, by the lengths of
its numbers. Numbers from a file are sorted, never hashed, because integers with colliding hashes are easy to find.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import Any, NamedTuple

from .documents import Rejected, WorkBudget, bits_of, fields, items
from .limits import MAX_DIGITS, MAX_ENTRIES, MAX_MATRIX_BITS, MAX_PARAMETER_DIGITS

Rows = list[list[Fraction]]
Integers = Sequence[Sequence[int]]

_INDEX = re.compile("0|[1-9][0-9]{0,11}")
_DIGIT = 30  # bits of one digit of Python's integers
_STEP = 128  # cost of an operation of the interpreter, in products of digits
_UNIT = 2048  # cost of one unit of the budget, in products of digits


class Vector(NamedTuple):
    """The rational vector ``numerators / denominator`` with ``denominator`` > 0."""

    numerators: list[int]
    denominator: int
    bits: int  # bit length of the longest integer


def read_numbers(
    data: Any, where: str, budget: WorkBudget, count: int | None = None, digits: int = MAX_DIGITS
) -> list[Fraction]:
    """Return the numbers of a list: ``count`` of them, or at most ``MAX_ENTRIES`` for None."""
    listed = items(data, where, count=count, most=MAX_ENTRIES)
    return [budget.number(text, f"an entry of {where}", digits) for text in listed]


def read_matrix(
    data: Any,
    where: str,
    budget: WorkBudget,
    shape: tuple[int | None, int | None] = (None, None),
    digits: int = MAX_DIGITS,
) -> Rows:
    """Return the rows of a matrix of this shape (m, k), or of any shape for None, with at least one row and column."""
    m, k = shape
    rows = []
    for row in items(data, where, count=m, most=MAX_ENTRIES):
        k = k or len(items(row, f"a row of {where}", most=MAX_ENTRIES))
        texts = items(row, f"a row of {where}", count=k)
        rows.append([budget.number(text, f"an entry of {where}", digits) for text in texts])
    if not rows or not rows[0]:
        raise Rejected(f"{where} is not a matrix")
    return rows


def read_mechanism(
    data: Any, where: str, budget: WorkBudget, shape: tuple[int | None, int | None] = (None, None)
) -> Rows:
    """Return the matrix of ``{"matrix": rows}``; ``columns`` checks that its columns are distributions."""
    (rows,) = fields(data, ["matrix"], where)
    return read_matrix(rows, where, budget, shape)


def over_one_denominator(entries: Sequence[Fraction], budget: WorkBudget) -> Vector:
    """Return the entries as integers over their least common denominator."""
    scale = 1
    longest = max(map(bits_of, entries), default=0)
    budget.spend_in_bulk(8 * len(entries), longest, 0)
    for denominator, _ in groupby(sorted(entry.denominator for entry in entries)):
        budget.spend(1, scale.bit_length(), denominator.bit_length())
        scale = lcm(scale, denominator)
    budget.spend_in_bulk(8 * len(entries), scale.bit_length(), longest if scale > 1 else 0)
    if len(entries) * scale.bit_length() > MAX_MATRIX_BITS:
        raise Rejected("numbers are too long over a common denominator")
    numerators = [entry.numerator * (scale // entry.denominator) for entry in entries]
    return Vector(numerators, scale, widest((*numerators, scale)))


def matrix_over_one_denominator(rows: Rows, budget: WorkBudget) -> tuple[list[list[int]], int]:
    """Return the rows as integers over the least common denominator of all entries."""
    flat = over_one_denominator([entry for row in rows for entry in row], budget)
    width = len(rows[0])
    return [flat.numerators[i : i + width] for i in range(0, len(flat.numerators), width)], flat.denominator


def columns(matrix: Rows, where: str, budget: WorkBudget) -> list[Vector]:
    """Return the columns of a mechanism; reject unless each is nonnegative and sums to 1."""
    read = [over_one_denominator(column, budget) for column in zip(*matrix, strict=True)]
    for column in read:
        require_distribution(column.numerators, column.denominator, f"a column of {where}")
    return read


def read_population(data: Any, k: int, budget: WorkBudget, where: str = "population") -> list[Fraction]:
    """Return a distribution over k inputs."""
    shares = read_numbers(data, where, budget, k, MAX_PARAMETER_DIGITS)
    together = over_one_denominator(shares, budget)
    require_distribution(together.numerators, together.denominator, where)
    return shares


def require_distribution(numerators: Sequence[int], denominator: int, where: str) -> None:
    """Reject a vector that is not a probability vector."""
    if min(numerators) < 0:
        raise Rejected(f"{where} has a negative entry")
    if sum(numerators) != denominator:
        raise Rejected(f"{where} does not sum to 1")


def sparse(data: Any, count: int, where: str, budget: WorkBudget) -> Iterator[tuple[int, Fraction]]:
    """Yield the pairs [index, value] of a list; reject unless indices ascend below ``count`` and no value is zero."""
    last = -1
    for entry in items(data, where, most=MAX_ENTRIES):
        text, number = items(entry, f"an entry of {where}", count=2)
        index = int(text) if isinstance(text, str) and _INDEX.fullmatch(text) else count
        if index >= count:
            raise Rejected(f"an index of {where} is not one of the {count} there are")
        if index <= last:
            raise Rejected(f"the indices of {where} do not ascend")
        value = budget.number(number, f"an entry of {where}")
        if not value:
            raise Rejected(f"{where} has a zero value")
        yield index, value
        last = index


def multiply(left: Integers, right: Integers, budget: WorkBudget) -> list[list[int]]:
    """Return the product of an a x b and a b x c matrix of integers, by Kronecker's substitution.

    A row (b_1, ..., b_c) is packed into one integer sum_j b_j 2^(w j). A linear combination of packed rows is the
    packed form of the combined row. Its entries can be recovered if ``abs(entry) < 2^(w-1)``. This needs a b products
    of a number and a packed row instead of a b c products of numbers. If it is cheaper, the transposed factors are
    multiplied instead.
    """
    a, b, c = len(left), len(right), len(right[0])
    slot = (widest(*left) + widest(*right) + b.bit_length() + 2 + 7) // 8 * 8
    by_rows, by_columns = _cost(left, slot * c), _cost(right, slot * a)
    budget.spend((min(by_rows, by_columns) + 2 * _STEP * a * c) // _UNIT)
    if by_rows <= by_columns:
        return _product(left, right, slot // 8)
    return _transposed(_product(_transposed(right), _transposed(left), slot // 8))


def widest(*rows: Sequence[int]) -> int:
    """Return the bit length of the longest integer of some rows."""
    return max((max(max(row), -min(row)).bit_length() for row in rows if row), default=0)


def _cost(factor: Integers, packed_bits: int) -> int:
    """Return the cost, in products of digits, of multiplying every nonzero entry by a packed row."""
    entries = [1 + entry.bit_length() // _DIGIT for row in factor for entry in row if entry]
    return len(entries) * _STEP + sum(entries) * (1 + packed_bits // _DIGIT)


def _product(left: Integers, right: Integers, size: int) -> list[list[int]]:
    """Return the product, with slots of ``size`` bytes."""
    width = len(right[0])
    if 8 * size * width * len(right) > MAX_MATRIX_BITS:
        raise Rejected("the matrices are too large to be checked")
    packed = [_packed(row, size) for row in right]
    half = 1 << (8 * size - 1)
    halves = int.from_bytes(half.to_bytes(size, "little") * width, "little")
    product = []
    for row in left:
        combined = halves + sum(entry * whole for entry, whole in zip(row, packed, strict=True) if entry)
        data = combined.to_bytes(size * width + 1, "little")
        product.append([int.from_bytes(data[i : i + size], "little") - half for i in range(0, size * width, size)])
    return product


def _packed(row: Sequence[int], size: int) -> int:
    """Return ``sum_j row[j] 2^(8 size j)``."""
    above = b"".join((entry if entry > 0 else 0).to_bytes(size, "little") for entry in row)
    below = b"".join((-entry if entry < 0 else 0).to_bytes(size, "little") for entry in row)
    return int.from_bytes(above, "little") - int.from_bytes(below, "little")


def _transposed(rows: Integers) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]


def dot(left: Iterable[int], right: Iterable[int]) -> int:
    """Return the scalar product of two rows."""
    return sum(x * y for x, y in zip(left, right, strict=True))


def pivots_of(rows: Integers, reason: str, budget: WorkBudget) -> list[int]:
    """Return the pivots of a symmetric matrix, minors by Bareiss elimination; reject unless it is positive
    semidefinite.

    If a diagonal entry of a semidefinite matrix is 0, so are its row and column, which are then dropped.
    """
    left, last, pivots = [list(row) for row in rows], 1, []
    while left:
        (pivot, *beside), *below = left
        if pivot < 0 or (not pivot and any(beside)):
            raise Rejected(reason)
        pivots.append(pivot)
        left = [row[1:] for row in below]
        if pivot and left:
            longest = widest(beside, *left)
            budget.spend(3 * len(left) ** 2, longest, max(pivot.bit_length(), longest))
            left = [
                [(pivot * x - lead * y) // last for x, y in zip(row, beside, strict=True)]
                for lead, row in zip(beside, left, strict=True)
            ]
            last = pivot
    return pivots
