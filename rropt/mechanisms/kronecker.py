"""Exact products of Kronecker matrices and vectors, with integers over one denominator, one axis at a time.

A vector of ``F_n (x) ... (x) F_1`` is a tensor in which the index of the first factor varies fastest. Let X be the
matrix whose columns are indexed by this index. Then ``F_1 X^T`` multiplies this axis by F_1 and makes it the slowest.
After n such products every axis has been multiplied and is back in its position. The cost is ``sum_i (m_i or k_i) N``,
where N is the largest product of sizes on the way: O(n 2^n) for bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational
from rropt.core.exact.numbers import plain_integer, whole_numbers
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ENTRY_DIGITS
from rropt.core.visible import size_text
from rropt.mechanisms.columns import listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

Vector = tuple[Fraction, ...]

MAX_VECTOR = 1 << 22  # entries of an exact vector: about a gigabyte of fractions
_WORD = 1 << 62  # sums of integers below this bound fit into machine words
_BLOCK = 32  # rows and columns of a block: within a tenth of the fastest of 8, 16, 32, 64 at 2^20 and 2^24 numbers


def dense_vector(vector: Sequence[object] | Mapping[int, object], length: int, name: str) -> list[Fraction]:
    """Return a vector as a list of exact numbers.

    Args:
        vector: ``length`` numbers, or a mapping from index to nonzero number.
        length: the number of entries.
        name: what the vector is, for error messages.

    Raises:
        InvalidParameterError: the length is wrong, an index is out of range, or an entry is not a number.
        UnsupportedProblemError: the vector has more entries than can be held in memory.
    """
    require_length_limit(length, name)
    if isinstance(vector, Mapping):
        values = sparse_vector(vector, length, name)
        return [values.get(i, Fraction(0)) for i in range(length)]
    given = listed(vector, flat=True)
    if given is None or len(given) != length:
        received = shown(vector) if given is None else f"{len(given)} numbers"
        raise InvalidParameterError(
            f"{name} does not fit the mechanism: received {received}; allowed are {length} numbers in a list"
        )
    return [x if type(x) is Fraction else rational(x, name=f"{name}[{i}]") for i, x in enumerate(given)]


def require_length_limit(length: int, name: str) -> None:
    """Raise ``UnsupportedProblemError`` if a vector has too many entries."""
    if length > MAX_VECTOR:
        raise UnsupportedProblemError(
            f"{name} would have too many entries: {size_text(length)}; at most {MAX_VECTOR} are allowed; work "
            "with the rows of the observed outputs, or with the factors"
        )


def sparse_vector(vector: Sequence[object] | Mapping[int, object], length: int, name: str) -> dict[int, Fraction]:
    """Return the nonzero entries of a vector by index; arguments and errors as for ``dense_vector``."""
    if not isinstance(vector, Mapping):
        return {i: x for i, x in enumerate(dense_vector(vector, length, name)) if x}
    given = {plain_integer(i): x for i, x in vector.items()}
    for i in given:
        if type(i) is not int or not 0 <= i < length:
            raise InvalidParameterError(
                f"{name} does not fit the mechanism: received the index {shown(i)}; allowed are 0 to "
                f"{size_text(length - 1)}"
            )
    return {i: rational(x, name=f"{name}[{i}]", digits=MAX_ENTRY_DIGITS) for i, x in given.items()}


def kronecker_product(
    factors: Sequence[Sequence[Sequence[Fraction]]], vector: Sequence[Fraction], name: str = "the product"
) -> Vector:
    """Return the Kronecker product of matrices times a vector, exactly; the first factor varies fastest.

    Args:
        factors: matrices with m_i rows of k_i numbers.
        vector: shape (prod k_i,).
        name: of the result, for the message if it has too many entries.
    """
    require_length_limit(prod(map(len, factors)), name)
    numbers, below = whole_numbers(vector)
    bound, scaled = max([1, *map(abs, numbers)]), []  # at least 1: also the matrices must fit
    for rows in factors:
        flat, denominator = whole_numbers([x for row in rows for x in row])
        width = len(rows[0])
        scaled.append(np.array(flat, dtype=object).reshape(-1, width))
        bound *= max(sum(map(abs, flat[i : i + width])) for i in range(0, len(flat), width))
        below *= denominator
    kind: Any = np.int64 if bound < _WORD else object
    result = np.array(numbers, dtype=kind)
    for matrix in scaled:
        result = (matrix.astype(kind) @ result.reshape(-1, matrix.shape[1]).T).ravel()
    return tuple([Fraction(x, below) for x in result.tolist()])


def kronecker_product_floats(
    factors: Sequence[NDArray[np.float64]], vector: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the product of ``kronecker_product`` in floats; first multiply small consecutive factors."""
    return block_product(merged_factors(factors), vector)


def merged_factors(factors: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Return fewer factors with the same Kronecker product: consecutive ones are multiplied while they stay small.

    One 32 x 32 product instead of five 2 x 2 products reads and writes the vector once instead of five times.
    """
    blocks: list[NDArray[np.float64]] = []
    for factor in factors:
        if blocks and max(a * b for a, b in zip(blocks[-1].shape, factor.shape, strict=True)) <= _BLOCK:
            blocks[-1] = np.asarray(np.kron(factor, blocks[-1]), np.float64)  # its last factor varies fastest
        else:
            blocks.append(factor)
    return blocks


def block_product(blocks: Sequence[NDArray[np.float64]], vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Kronecker product of blocks times a vector, without moving the axes, so memory access is contiguous.

    Two buffers are used alternately. For long vectors, new memory for every axis would cost more than the products.
    """
    buffers: dict[tuple[int, int], NDArray[np.float64]] = {}
    before = 1  # product of the sizes of the axes that are done
    for turn, block in enumerate(blocks):
        m, k = block.shape
        size = vector.size // k * m
        if (size, turn % 2) not in buffers:
            buffers[size, turn % 2] = np.empty(size)
        out = buffers[size, turn % 2]
        if before == 1:
            np.matmul(vector.reshape(-1, k), block.T, out=out.reshape(-1, m))
        else:
            np.matmul(block, vector.reshape(-1, k, before), out=out.reshape(-1, m, before))
        vector, before = out, before * m
    return vector
