"""Decimals of a mechanism that are a mechanism themselves, and as private as the exact one at every level.

Rounding every entry to the nearest decimal breaks both promises: columns miss the sum 1, and a ratio at its bound
passes it. Here entries are integers over 10^d, chosen so that every column sums to 10^d, that a zero stays a zero, and
that for every ordered pair of inputs ``sum_i max(0, p_ij - gamma p_il)`` of the decimals is at most that of the exact
matrix for every gamma >= 1: whoever types them back has a mechanism that meets every (epsilon, delta) that the exact
one meets, and every level of a single pair.

*Rounding.* An entry below the mean of its row is rounded up, the others take what is left of the column: down.

*Contraction.* Where that is not enough, ``(1 - c) P + c r 1^T`` is rounded, c = 1, 2, 4, ... units of the last digit,
r the means of the rows without zeros. The excess ``p_ij - gamma p_il`` of a pair becomes ``(1 - c)`` times itself less
``c (gamma - 1) r_i``: it falls for every gamma > 1, and at gamma = 1 the total variation falls.

*Proof.* Nothing rests on these arguments: the profiles of each pair, piecewise linear and exact, are compared at the
breakpoints of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

from rropt.mechanisms.profiles import PrivacyProfile, pair_profile, row_parity
from rropt.mechanisms.validation import Matrix

Pairs = dict[tuple[int, int], PrivacyProfile]

_MORE_DIGITS = (0, 3, 6, 8)  # tried in turn: 9, 12, 15 and 17 digits when 9 are asked for
_MOST_DIGITS = 60  # after the point: longer than the fractions that they would spare
_LEAST_UNITS = 100  # the least positive entry is at least so many units: three digits of it are shown
_MOST_UNITS = 64  # an entry moves by at most so many units: all digits but the last two or three are those of P
_LEAST_LEFT = 100  # a contraction leaves all but 1/100 of every difference: P is shown and not the constant mechanism


def private_decimals(matrix: Matrix, digits: int = 9) -> tuple[Matrix, int] | None:
    """Return a matrix of decimals near an exact column-stochastic one, and how many digits after the point it has.

    Args:
        matrix: P, shape (m, k), exact.
        digits: the digits after the point that are wanted; more are taken where an entry is tiny or these do not do.

    Returns:
        Q with entries in 10^-d, every column summing to exactly 1, zero where P is zero, and no pair of inputs told
        apart better than by P at any gamma >= 1 (hence parity at most that of P); and d. ``None`` when up to eight
        digits more give none: the exact form is then the only one to show. Cost: some profiles of every pair.

    >>> from rropt.mechanisms.mechanism import Mechanism
    >>> found, digits = private_decimals(Mechanism.binary("19/26", "19/26").matrix, 4)
    >>> [[str(float(x)) for x in row] for row in found], digits
    ([['0.7307', '0.2693'], ['0.2693', '0.7307']], 4)
    """
    least = min(x for row in matrix for x in row if x)
    while 10**digits * least < _LEAST_UNITS and not _is_decimal(matrix, digits):
        digits += 1
        if digits > _MOST_DIGITS:
            return None
    allowed: Pairs | None = None
    for d in (digits + more for more in _MORE_DIGITS):
        if _is_decimal(matrix, d):
            return matrix, d
        if allowed is None:
            allowed = _pairs(matrix)
        for found in _candidates(matrix, 10**d):
            if (
                2 * _spread(found) >= _spread(matrix)
                and _parity_at_most(found, matrix)
                and _all_at_most(found, allowed)
            ):
                return found, d
    return None


def decimal_of(value: Fraction, digits: int) -> str:
    """Return a multiple of 10^-digits as a decimal, ``"0.250"``; integers without a point."""
    if value.denominator == 1:
        return str(value.numerator)
    units = value * 10**digits
    whole, rest = divmod(units.numerator, 10**digits)
    return f"{whole}.{rest:0{digits}d}"


def _is_decimal(matrix: Matrix, digits: int) -> bool:
    return all(10**digits % x.denominator == 0 for row in matrix for x in row)


def _candidates(matrix: Matrix, scale: int) -> Iterator[Matrix]:
    """Yield matrices of whole units 1/scale near a matrix, further and further inwards."""
    k = len(matrix[0])
    means = [sum(row) / k for row in matrix]
    full = [mean if all(row) else Fraction(0) for mean, row in zip(means, matrix, strict=True)]
    total = sum(full)
    units = 0
    while not units or (total and units * _LEAST_LEFT <= scale):
        keep = 1 - Fraction(units, scale)
        columns = []
        for column in zip(*matrix, strict=True):
            wanted = [x * scale * keep + (units * r / total if r else 0) for x, r in zip(column, full, strict=True)]
            columns.append(_rounded(wanted, [x < mean for x, mean in zip(column, means, strict=True)], scale))
        found = tuple(tuple(Fraction(x, scale) for x in row) for row in zip(*columns, strict=True))
        if _far(found, matrix, scale):
            return
        yield found
        units = 2 * units or 1


def _rounded(wanted: list[Fraction], below: list[bool], scale: int) -> list[int]:
    """Return integers near ``wanted`` that sum to ``scale``: up where ``below``, the rest where it changes least."""
    result = [
        -(-x.numerator // x.denominator) if low else x.numerator // x.denominator
        for x, low in zip(wanted, below, strict=True)
    ]
    left = scale - sum(result)
    if left < 0:  # more was rounded up than there was: the largest of the others give it, else the largest of all
        givers = [i for i, low in enumerate(below) if not low and result[i]] or [i for i, x in enumerate(result) if x]
        givers.sort(key=lambda i: -wanted[i])
        for turn in range(-left):
            result[givers[turn % len(givers)]] -= 1
    elif left:  # fewer than there are entries with a remainder
        takers = sorted((i for i, x in enumerate(wanted) if x > result[i]), key=lambda i: result[i] - wanted[i])
        for i in takers[:left]:
            result[i] += 1
    return result


def _far(found: Matrix, matrix: Matrix, scale: int) -> bool:
    pairs = (pair for rows in zip(found, matrix, strict=True) for pair in zip(*rows, strict=True))
    return any(abs(x - p) * scale > _MOST_UNITS or x < 0 for x, p in pairs)


def _spread(matrix: Matrix) -> Fraction:
    """Return the largest difference of two entries of a row: decimals that are all but constant show another thing."""
    return max(max(row) - min(row) for row in matrix)


def _parity_at_most(found: Matrix, matrix: Matrix) -> bool:
    """Return whether the parity did not grow: the cheap part of the proof."""
    allowed = [row_parity(row) for row in matrix]
    if None in allowed:
        return True
    most = max(x for x in allowed if x is not None)
    return all(parity is not None and parity <= most for parity in map(row_parity, found))


def _pairs(matrix: Matrix) -> Pairs:
    columns = list(zip(*matrix, strict=True))
    return {(i, j): pair_profile(columns[i], columns[j]) for i, j in permutations(range(len(columns)), 2)}


def _all_at_most(found: Matrix, allowed: Pairs) -> bool:
    columns = list(zip(*found, strict=True))
    return all(_at_most(pair_profile(columns[i], columns[j]), most) for (i, j), most in allowed.items())


def _at_most(left: PrivacyProfile, right: PrivacyProfile) -> bool:
    """Return whether one profile lies nowhere above another: both are linear between the breakpoints of both."""
    places = {Fraction(1), *left.breakpoints, *right.breakpoints}
    return left.limit <= right.limit and all(_value(left, place) <= _value(right, place) for place in places)


def _value(profile: PrivacyProfile, gamma: Fraction) -> Fraction:
    piece = next(piece for piece in profile.pieces if piece.end is None or gamma <= piece.end)
    return piece.intercept - piece.slope * gamma
