"""Exact products of long sequences of nonnegative integers, by one multiplication of two long decimal numbers.

Kronecker's substitution: take lanes of D digits, wide enough for every coefficient of the product. The product of the
values of two polynomials at 10^D then shows the coefficients of their product. Python's ``decimal`` multiplies numbers
of n digits in time n log n (its integers need n^1.58). ``Inexact`` is trapped, so a result is exact or an error.
A lane may be longer than the integers that Python reads and writes by itself: see ``documents.integer``.

Every product is charged to the budget before it is computed.
"""

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, Rounded

from .documents import Rejected, WorkBudget, digits_of, integer

_DIGITS_PER_UNIT = 32  # digits of the product: about 43 ns each, and one unit is at most two microseconds
_BITS_PER_UNIT = 8192  # of a packed sequence that is multiplied by an integer of up to 256 bits
_BITS_OF_MEMORY = 512  # of a packed sequence that are charged as one unit
_SHORT = 16  # terms of a sequence that is multiplied term by term


def product(first: Sequence[int], second: Sequence[int], budget: WorkBudget) -> list[int]:
    """Return the coefficients of the product of two polynomials with nonnegative integer coefficients.

    ``c_k = sum_i a_i b_(k-i)``, exactly. Both sequences have at least one entry.

    >>> product([1, 1], [1, 2, 1], WorkBudget())
    [1, 3, 3, 1]
    """
    largest = max(first) * max(second) * min(len(first), len(second))
    if min(first) < 0 or min(second) < 0:
        raise Rejected("a product of long sequences has a negative entry")
    length = len(first) + len(second) - 1
    if not largest:
        return [0] * length
    digits = largest.bit_length() * 30103 // 100000 + 1  # log10 of 2 is below 0.30103
    if min(len(first), len(second)) <= _SHORT:
        return _term_by_term(first, second, budget)
    size = digits * (length + 1)
    budget.spend(1 + size // _DIGITS_PER_UNIT)
    context = Context(prec=size + digits, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, Rounded])
    found = str(context.multiply(_packed(first, digits), _packed(second, digits))).zfill(digits * length)
    end = len(found)
    return [integer(found[end - digits * (k + 1) : end - digits * k]) for k in range(length)]


def _packed(sequence: Sequence[int], digits: int) -> Decimal:
    """Return ``sum_i a_i 10^(digits i)``."""
    return Decimal("".join([digits_of(entry).zfill(digits) for entry in reversed(sequence)]))


def _term_by_term(first: Sequence[int], second: Sequence[int], budget: WorkBudget) -> list[int]:
    """Return the product as a sum of multiples of the longer sequence, one for each entry of the shorter one."""
    short, long = sorted((first, second), key=len)
    bits, other_bits = max(short).bit_length(), max(long).bit_length()
    budget.spend(1 + len(short) * len(long) * (1 + bits // 512) * (1 + other_bits // 512) // 8)
    result = [0] * (len(short) + len(long) - 1)
    for i, x in enumerate(short):
        if x:
            for j, y in enumerate(long, i):
                result[j] += x * y
    return result


def packed_product(factors: Sequence[Sequence[int]], bits: int, budget: WorkBudget) -> tuple[int, list[int]]:
    """Return the product of polynomials with few nonzero coefficients, divided by ``2^bits`` at each step.

    The quotients are rounded down. The product so far is one integer with a lane for each coefficient. It is multiplied
    by each nonzero coefficient of the next factor, shifted and masked. With n lanes of b bits and m nonzero
    coefficients of all factors, this takes time ``m n b`` (b up to 256). A balanced tree of long products takes fewer
    steps, but each of them costs some hundred times as much for each lane.

    Args:
        factors: the coefficients of each polynomial; they are nonnegative and add to at most ``2^bits``.
        bits: the number of binary digits after the point.
        budget: the work budget.

    Returns:
        The degree of the first coefficient, and the coefficients.

    >>> packed_product([[2, 0, 2], [1, 3]], 2, WorkBudget())
    (0, [0, 1, 0, 1])
    """
    lane_bytes = (2 * bits + 8) // 8  # a lane contains a coefficient before it is divided
    lane, unit = 8 * lane_bytes, 1 << bits
    lanes = 1 + sum(max(len(factor) - 1, 0) for factor in factors)
    budget.spend(1 + lanes * lane // _BITS_OF_MEMORY)
    mask = int.from_bytes(((1 << (lane - bits)) - 1).to_bytes(lane_bytes, "little") * lanes, "little")
    found, start = unit, 0
    for turn, factor in enumerate(factors):
        terms = [(place, weight) for place, weight in enumerate(factor) if weight]
        if not terms:
            return 0, []
        first = terms[0][0]
        length = found.bit_length() + lane * (terms[-1][0] - first)
        budget.spend(1 + len(factor) // 16 + len(terms) * length * (1 + bits // 256) // _BITS_PER_UNIT)
        total = 0
        for place, weight in terms:
            total += (found * weight) << (lane * (place - first))
        found, start = (total >> bits) & mask, start + first
        if turn % 8 == 7 and found:  # drop leading zeros
            zeros = ((found & -found).bit_length() - 1) // lane
            found, start = found >> (lane * zeros), start + zeros
        if not found:
            return 0, []
    lanes = -(-found.bit_length() // lane)
    data = found.to_bytes(lanes * lane_bytes, "little")
    budget.spend(1 + lanes // 8)
    return start, [int.from_bytes(data[i : i + lane_bytes], "little") for i in range(0, len(data), lane_bytes)]
