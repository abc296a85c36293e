"""Designs that a client can draw: the common denominator of each column has at most 63 bits.

*The level.* At an irrational level, ``RationalLevels.drawable`` gives the largest level below with short numbers.

*The weights.* Let P be a nearly stochastic matrix, and U a mechanism that is private with slack. For c = 0, 1e-18,
1e-17, ..., 1e-9 the matrix ``(1 - c) P + c U`` is rounded to multiples of 1/N by the largest remainders of each column;
entries 0 of both stay 0. The first result that is private, by an exact test, is taken. Rounding moves an entry by less
than 1/N, so an excess ``sum_i max(0, p_ij - g p_il)`` moves by less than (1 + g)/N for each row.

*Why it ends, for U = u 1'.* U has equal columns: u is uniform over the rows without zeros. So rare outputs, whose
entries rounding moves most, have as much slack as others. Let x = p_ij - g p_il. The excess of row i is then
(1 - c) x - c (g - 1) u_i. If c (g - 1) u_i >= (1 + g)/N, it does not exceed (1 - c) max(0, x). The z rows with zeros
add less than z (1 + g)/N, which
c delta covers. So ``c >= (1 + g)/N max(1/((g - 1) min u), z/delta)`` suffices. If every row has a zero, U is an output
of its own, which has probability c and reveals nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.exact.numbers import whole_numbers
from rropt.core.exact.rational_bounds import Bounded
from rropt.mechanisms import Mechanism
from rropt.mechanisms.client_tables import MOST_ENTRIES, family_of
from rropt.mechanisms.families import BlockMechanism, RevealedBlocks
from rropt.mechanisms.families.memberships import BitVectorMechanism
from rropt.mechanisms.restricted_response import RestrictedResponse
from rropt.privacy.region import RationalLevels, Region

LEAST_BITS = 24  # fewer bits of a level lose more than 1e-9
_WIDEST = Fraction(1, 10**9)  # largest relative loss of gamma - 1 in a drawable level
_LARGE = 2**40  # a gamma above it may lose more
NEAR = Fraction(1, 10**10)  # relative width of a bracket that may stay as it is: longer numbers are not tried
_FINER_DIGITS = 48  # of the level from which a drawable one is taken: 62 bits determine its fraction
WORD_BITS, MOST_BITS = 62, 63  # log2 of the common denominator N of a design, and the bits of a client's integers
_GUARD = 64  # additional bits of the mixed matrix before it is rounded
_MIXED = (0, *range(18, 8, -1))  # c = 10^-n; 0 stands for c = 0
LONG_BITS, _LONG_MIXED = 160, (0, *range(30, 1, -2))  # bits and c for solutions in floats

Rows = Sequence[Sequence[Fraction]]


def word_bits(mechanism: Mechanism) -> int:
    """Return the length in bits of the longest integer of the client of a mechanism; 0 if it has no client.

    >>> word_bits(Mechanism.warner("3/4"))
    3
    """
    if isinstance(mechanism, RestrictedResponse):
        return max(x.denominator.bit_length() for x in (mechanism.told, mechanism.revealed))
    if isinstance(mechanism, RevealedBlocks) and not mechanism.is_small:
        return 0
    if isinstance(mechanism, BitVectorMechanism) and not mechanism.is_small:
        return max(x.denominator.bit_length() for x in (mechanism.hit, mechanism.miss))
    if mechanism.inputs > MOST_ENTRIES or mechanism.outputs * mechanism.inputs > MOST_ENTRIES:
        family = mechanism if isinstance(mechanism, BlockMechanism) else family_of(mechanism)
        return 0 if family is None else family.hit.denominator.bit_length()
    return max(whole_numbers(column)[1].bit_length() for column in zip(*mechanism.matrix, strict=True))


def levels_around(
    region: Region, digits: int, bits: int, *, is_first: bool = True, known: RationalLevels | None = None
) -> RationalLevels | None:
    """Return levels around a region's level, with a level below of short numbers; None if these would lose too much.

    A large gamma may lose more than 1e-9, as from epsilon = 43 on: a variance then loses almost nothing. The bracket of
    the optimum contains the loss, and decides.

    Args:
        region: the region.
        digits: significant digits of the levels.
        bits: length of the numbers of a design at the level below; 0 for no limit.
        is_first: whether a rational level stays as it is.
        known: the levels, if no finer ones are known; that below is a rational level.
    """
    levels = known or region.bracket(digits)
    is_rational = levels.is_exact or known is not None
    if not bits or not levels.is_single or (is_rational and is_first):
        return levels
    finer = levels if is_rational else region.bracket(max(digits, _FINER_DIGITS))
    short = levels.drawable(region.inputs, bits, finer)
    lost = RationalLevels.single(short.below, finer.below).width
    if lost <= _WIDEST:
        return short
    return short if lost < 1 and short.below.gamma > _LARGE else None


def is_drawable(mechanism: Mechanism) -> bool:
    """Return whether the numbers of a mechanism fit its client, if it has one."""
    return word_bits(mechanism) <= MOST_BITS


def is_near(found: Bounded, before: Bounded) -> bool:
    """Return whether a rounded result is as good as the result before, up to ``NEAR``."""
    return found.gap <= max(2 * before.gap, NEAR * min(abs(found.lower), abs(found.upper)))


def drawable(
    rows: Rows, is_private: Callable[[Mechanism], bool], *, bits: int = WORD_BITS, within: Rows | None = None
) -> Mechanism | None:
    """Return a private mechanism near a matrix, in multiples of 1/N; None if no mixture is private.

    Args:
        rows: P, nonnegative, with column sums near 1; shape (m, k).
        is_private: the exact test.
        bits: length of N; longer than a client's to round a solution in floats.
        within: U, by default uniform over the rows without zeros.
    """
    if within is None and not any(map(all, rows)):
        rows = [*rows, [Fraction(0)] * len(rows[0])]
    inner = equal_columns(rows) if within is None else within
    for grid, word in rounded_mixtures(rows, inner, bits=bits):
        made = mechanism_of([row for row in grid if within or any(row)], word)
        if is_private(made):
            return made
    return None


def mechanism_of(grid: Sequence[Sequence[int]], word: int) -> Mechanism:
    """Return the mechanism of entries in units of 1/N."""
    return Mechanism([[Fraction(x, word) for x in row] for row in grid])


def rounded_mixtures(
    rows: Rows,
    inner: Rows,
    *,
    fixed: Callable[[int, int], Fraction | None] | None = None,
    unit: int = 1,
    bits: int = WORD_BITS,
) -> Iterator[tuple[list[tuple[int, ...]], int]]:
    """Yield the rounded mixtures of P with U, from c = 0 on: the entries in units of 1/N, and N.

    Args:
        rows, inner: P and U.
        fixed: a function that returns the value of an entry that must not move, or None; zeros never move.
        unit: a divisor of N, which makes the fixed values integers.
        bits: length of N.
    """
    zero = Fraction(0)
    places = [[(i, j) for j in range(len(rows[0]))] for i in range(len(rows))]
    still = [
        [inner[i][j] == rows[i][j] == 0 or (fixed is not None and fixed(i, j) is not None) for i, j in row]
        for row in places
    ]
    word = (1 << bits) // unit * unit
    p, u = ([[int(max(x, zero) * (word << _GUARD)) for x in row] for row in matrix] for matrix in (rows, inner))
    for n in _MIXED if bits == WORD_BITS else _LONG_MIXED:
        c = 10**n
        mixed = [[((c - 1) * p[i][j] + u[i][j]) // c if n else p[i][j] for i, j in row] for row in places]
        rounded = [_rounded(*each, word) for each in zip(_turned(mixed), _turned(still), strict=True)]
        columns = [column for column in rounded if column is not None]
        if len(columns) == len(rounded):
            yield _turned(columns), word


def _turned(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return the transpose of a matrix."""
    return [*zip(*rows, strict=True)]


def _rounded(column: Sequence[int], still: Sequence[bool], word: int) -> list[int] | None:
    """Round numbers of unit ``2^-_GUARD`` to integers of sum N by largest remainders; None if too much is missing."""
    half = 1 << _GUARD - 1
    whole = [(x + half) >> _GUARD if fixed else x >> _GUARD for x, fixed in zip(column, still, strict=True)]
    free = [i for i, fixed in enumerate(still) if not fixed]
    missing = word - sum(whole)
    if not free:
        return None if missing else whole
    each, left = divmod(missing, len(free))
    order = sorted(free, key=lambda i: (whole[i] << _GUARD) - column[i])
    for place, i in enumerate(order):
        whole[i] += each + (place < left)
    return None if min(whole) < 0 else whole


def equal_columns(rows: Rows) -> list[list[Fraction]]:
    """Return the mechanism u 1', uniform over the rows without zeros; or all mass on the last row if there is none."""
    k = len(rows[0])
    full = [all(row) for row in rows]
    share = Fraction(1, sum(full)) if any(full) else Fraction(0)
    u = [share * is_full for is_full in full]
    if not share:
        u[-1] = Fraction(1)
    return [[x] * k for x in u]
