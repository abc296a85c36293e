"""Exact vectors carried through Kronecker factors: integers over one denominator, one axis after the other.

A vector of ``F_n (x) ... (x) F_1`` is a tensor whose index of the first factor varies fastest. With that index as the
columns of a matrix X, ``F_1 X^T`` carries it and makes it the slowest: after n such products every axis was carried
and stands where it stood. Cost ``sum_i (m_i or k_i) N``, N the largest product of sizes on the way: O(n 2^n) for bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import log10
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import rational
from rropt.core.exact.numbers import whole_numbers
from rropt.core.limits import MAX_ENTRY_DIGITS
from rropt.mechanisms.columns import listed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vector = tuple[Fraction, ...]

MAX_VECTOR = 1 << 22  # numbers of one exact vector: about a gigabyte of fractions
_LARGE = 10**15  # above, a size is told by its power of ten
_WORD = 1 << 62  # below, sums of integers are machine words
_BLOCK = 32  # rows and columns of a block: of 8, 16, 32 and 64 within a tenth of the fastest at 2^20 and 2^24 numbers


def dense(vector: Sequence[object] | Mapping[int, object], length: int, name: str) -> list[Fraction]:
    """Return a vector as exact numbers.

    Args:
        vector: ``length`` numbers, or by index those that are not 0.
        length: how many numbers there are.
        name: what it is, for the error.

    Raises:
        InvalidParameterError: of another length, an index out of range, or no numbers.
        UnsupportedProblemError: more numbers than are held.
    """
    require_held(length, name)
    if isinstance(vector, Mapping):
        values = [Fraction(0)] * length
        for i, value in sparse(vector, length, name).items():
            values[i] = value
        return values
    given = listed(vector, flat=True)
    if given is None or len(given) != length:
        received = shown(vector) if given is None else f"{len(given)} numbers"
        raise InvalidParameterError(
            f"{name} does not fit the mechanism: received {received}; allowed are {length} numbers in a list"
        )
    return [x if type(x) is Fraction else rational(x, name=f"{name}[{i}]") for i, x in enumerate(given)]


def require_held(length: int, name: str) -> None:
    """Raise ``UnsupportedProblemError`` where a vector has too many numbers."""
    if length > MAX_VECTOR:
        raise UnsupportedProblemError(
            f"{name} has too many numbers to be held: received {size_text(length)}; at most {MAX_VECTOR} are; work "
            "with the rows of the answers that were given, or with the factors"
        )


def sparse(vector: Sequence[object] | Mapping[int, object], length: int, name: str) -> dict[int, Fraction]:
    """Return the numbers of a vector that are not 0, by index; arguments and errors as for ``dense``."""
    if not isinstance(vector, Mapping):
        return {i: x for i, x in enumerate(dense(vector, length, name)) if x}
    for i in vector:
        if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < length:
            raise InvalidParameterError(
                f"{name} does not fit the mechanism: received the index {shown(i)}; allowed are 0 to "
                f"{size_text(length - 1)}"
            )
    return {i: rational(x, name=f"{name}[{i}]", digits=MAX_ENTRY_DIGITS) for i, x in vector.items()}


def carried(factors: Sequence[Sequence[Sequence[Fraction]]], vector: Sequence[Fraction]) -> Vector:
    """Return the Kronecker product of matrices times a vector, exactly; the first factor varies fastest.

    Args:
        factors: each m_i rows of k_i numbers.
        vector: prod k_i numbers.
    """
    import numpy

    numbers, below = whole_numbers(vector)
    bound, scaled = max(map(abs, numbers), default=0), []
    for rows in factors:
        flat, denominator = whole_numbers([x for row in rows for x in row])
        width = len(rows[0])
        scaled.append(numpy.array(flat, dtype=object).reshape(-1, width))
        bound *= max(sum(map(abs, flat[i : i + width])) for i in range(0, len(flat), width))
        below *= denominator
    kind: Any = numpy.int64 if bound < _WORD else object
    result = _rotated([matrix.astype(kind) for matrix in scaled], numpy.array(numbers, dtype=kind))
    return tuple([Fraction(x, below) for x in result.tolist()])


def carried_floats(factors: Sequence[NDArray[np.float64]], vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the same in floats; neighbouring small factors are multiplied first (``blocked``)."""
    return carried_blocks(blocked(factors), vector)


def blocked(factors: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Return fewer factors with the same Kronecker product: neighbours are multiplied while they stay small.

    One 32 x 32 product in the place of five 2 x 2 ones reads and writes the vector once instead of five times.
    """
    import numpy

    blocks: list[NDArray[np.float64]] = []
    for factor in factors:
        if blocks and max(a * b for a, b in zip(blocks[-1].shape, factor.shape, strict=True)) <= _BLOCK:
            blocks[-1] = numpy.asarray(numpy.kron(factor, blocks[-1]), numpy.float64)  # its last factor varies fastest
        else:
            blocks.append(factor)
    return blocks


def carried_blocks(blocks: Sequence[NDArray[np.float64]], vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Kronecker product of blocks times a vector, every axis in its place: memory is read in its order.

    Two buffers take turns: of long vectors, new memory for every axis would cost more than the products.
    """
    import numpy

    buffers: dict[tuple[int, int], NDArray[np.float64]] = {}
    before = 1  # numbers of the axes that were carried
    for turn, block in enumerate(blocks):
        m, k = block.shape
        size = vector.size // k * m
        if (size, turn % 2) not in buffers:
            buffers[size, turn % 2] = numpy.empty(size)
        out = buffers[size, turn % 2]
        if before == 1:
            numpy.matmul(vector.reshape(-1, k), block.T, out=out.reshape(-1, m))
        else:
            numpy.matmul(block, vector.reshape(-1, k, before), out=out.reshape(-1, m, before))
        vector, before = out, before * m
    return vector


def _rotated(factors: Sequence[NDArray[Any]], vector: NDArray[Any]) -> NDArray[Any]:
    for matrix in factors:
        vector = (matrix @ vector.reshape(-1, matrix.shape[1]).T).ravel()
    return vector


def size_text(count: int) -> str:
    """Return a number of entries; of a very large one the power of ten."""
    return str(count) if count < _LARGE else f"about 10^{int(count.bit_length() * log10(2))}"
