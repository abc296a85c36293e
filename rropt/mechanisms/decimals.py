"""Decimal approximations of a mechanism that are valid mechanisms and are no less private than the exact one.

Rounding every entry to the nearest decimal fails in two ways: columns no longer sum to 1, and a ratio that attains the
privacy bound may exceed it. Here the entries are integers over 10^d with the following properties.

* Every column sums to 10^d.
* A zero of P stays a zero.
* For every ordered pair of inputs and every gamma >= 1, ``sum_i max(0, p_ij - gamma p_il)`` of the decimals is at most
  that of the exact matrix.

Hence the mechanism that is typed in from the printed decimals satisfies every (epsilon, delta) that the exact mechanism
satisfies, also for each pair of inputs separately.

*Rounding.* An entry below the mean of its row is rounded up. The other entries of the column are rounded down to what
remains.

*Contraction.* If rounding alone is not enough, ``(1 - c) P + c r 1^T`` is rounded for c = 1, 2, 4, ... units of the
last digit, where r contains the means of the rows without zeros. The excess ``p_ij - gamma p_il`` of a pair is
multiplied by ``1 - c`` and then decreases by ``c (gamma - 1) r_i``. It decreases for every gamma > 1, and at gamma = 1
the total variation distance decreases.

*Check.* The correctness of the result does not depend on these arguments. The exact curves of each pair (see
``dichotomies``) before and after rounding are compared at their points.

``displays`` prints matrices in this form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm

from rropt.core.errors import RroptError
from rropt.mechanisms.columns import Entries, Matrix, parity_of, row_parity
from rropt.mechanisms.dichotomies import Curve, Dichotomy, curve

_MORE_DIGITS = (0, 3, 6, 8)  # extra digits tried in turn: 9, 12, 15 and 17 digits when 9 are requested
_PARAMETER_DIGITS = 6  # of a parameter in a table
_MOST_DIGITS = 60  # after the point: longer than the fractions that the decimals would replace
_LEAST_UNITS = 100  # the smallest positive entry has at least this many units, so three of its digits are shown
_MOST_UNITS = 64  # an entry moves by at most this many units: all but its last two or three digits are those of P
_LEAST_LEFT = 100  # a contraction keeps at least 99/100 of every difference, so the decimals still describe P


def private_decimals(matrix: Matrix, digits: int = 9) -> tuple[Matrix, int] | None:
    """Return a decimal matrix near an exact mechanism and no less private, and its number of digits after the point.

    The cost is a few comparisons of every pair of inputs.

    Args:
        matrix: P, shape (m, k), exact and column-stochastic.
        digits: the requested number of digits after the point; more are used if an entry is tiny or if no matrix with
            so few digits is found.

    Returns:
        Q and d. The entries of Q are multiples of 10^-d, every column sums to exactly 1, and Q is zero where P is zero.
        For no pair of inputs and no gamma >= 1 is the excess of Q larger than that of P, hence the parity of Q is at
        most that of P. ``None`` if no such matrix is found with up to eight extra digits: only the exact form can then
        be shown.

    >>> from rropt.mechanisms.mechanism import Mechanism
    >>> found, digits = private_decimals(Mechanism.binary("19/26", "19/26").matrix, 4)
    >>> [[str(float(x)) for x in row] for row in found], digits
    ([['0.7307', '0.2693'], ['0.2693', '0.7307']], 4)
    """
    least, common = min(x for row in matrix for x in row if x), lcm(*(x.denominator for row in matrix for x in row))
    while 10**digits * least < _LEAST_UNITS and 10**digits % common:
        digits += 1
        if digits > _MOST_DIGITS:
            return None
    allowed: list[tuple[Dichotomy, Curve]] = []
    for d in (digits + more for more in _MORE_DIGITS):
        if 10**d % common == 0:
            return matrix, d
        allowed = allowed or list(_pairs(matrix))
        for found in _candidates(matrix, 10**d):
            if 2 * _spread(found) >= _spread(matrix) and _is_as_private(found, matrix, allowed):
                return found, d
    return None


def private_parameters(
    make: Callable[..., Entries], parameters: Sequence[Fraction], matrix: Matrix
) -> tuple[Sequence[Fraction], int] | None:
    """Return decimal parameters near exact ones with which a named design is no less private, and their digits.

    Args:
        make: the function that makes a mechanism from the parameters.
        parameters: the exact ones.
        matrix: its matrix with the exact parameters.
    """
    near = private_decimals(matrix, _PARAMETER_DIGITS)
    for digits in () if near is None else range(near[1], near[1] + 4):
        units = [(x.numerator * 10**digits) // x.denominator for x in parameters]
        for ups in product((0, 1), repeat=len(units)):
            rounded = [
                x if x * 10**digits == n else Fraction(n + up, 10**digits)
                for x, n, up in zip(parameters, units, ups, strict=True)
            ]
            try:
                found = make(*rounded).matrix
            except RroptError:  # no probabilities, for example with another sum than 1
                continue
            if _is_as_private(found, matrix, _pairs(matrix)):
                return rounded, digits
    return None


def decimal_of(value: Fraction, digits: int) -> str:
    """Return a multiple of 10^-digits as a decimal such as ``"0.250"``; integers are written without a point."""
    if value.denominator == 1:
        return str(value.numerator)
    units = value * 10**digits
    whole, rest = divmod(units.numerator, 10**digits)
    return f"{whole}.{rest:0{digits}d}"


def _candidates(matrix: Matrix, scale: int) -> Iterator[Matrix]:
    """Yield matrices near a given one whose entries are multiples of 1/scale, contracted further at each step."""
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
        moves = (pair for rows in zip(found, matrix, strict=True) for pair in zip(*rows, strict=True))
        if any(abs(x - p) * scale > _MOST_UNITS or x < 0 for x, p in moves):
            return
        yield found
        units = 2 * units or 1


def _rounded(wanted: list[Fraction], below: list[bool], scale: int) -> list[int]:
    """Return integers near ``wanted`` that sum to ``scale``.

    Entries flagged in ``below`` are rounded up and the others down. The remainder goes to the entries that it changes
    least.
    """
    result = [
        -(-x.numerator // x.denominator) if low else x.numerator // x.denominator
        for x, low in zip(wanted, below, strict=True)
    ]
    left = scale - sum(result)
    if left < 0:  # the sum is too large: subtract from the largest entries that are not below the mean, else from any
        givers = [i for i, low in enumerate(below) if not low and result[i]] or [i for i, x in enumerate(result) if x]
        givers.sort(key=lambda i: -wanted[i])
        for turn in range(-left):
            result[givers[turn % len(givers)]] -= 1
    elif left:  # the surplus is smaller than the number of entries with a remainder
        takers = sorted((i for i, x in enumerate(wanted) if x > result[i]), key=lambda i: result[i] - wanted[i])
        for i in takers[:left]:
            result[i] += 1
    return result


def _spread(matrix: Matrix) -> Fraction:
    """Return the largest difference of two entries of a row; it shows whether decimals became almost constant."""
    return max(max(row) - min(row) for row in matrix)


def _is_as_private(found: Matrix, matrix: Matrix, pairs: Iterable[tuple[Dichotomy, Curve]]) -> bool:
    """Return whether a matrix is no less private than another with these pairs; their parities are a cheap test."""
    allowed = parity_of([row_parity(row) for row in matrix])
    own = [row_parity(row) for row in found]
    if allowed is not None and not all(parity is not None and parity <= allowed for parity in own):
        return False
    return all(one.is_under(curve, *other) for (one, curve), other in zip(_pairs(found), pairs, strict=True))


def _pairs(matrix: Matrix) -> Iterator[tuple[Dichotomy, Curve]]:
    """Yield the pairs of inputs with their curves: one under another is no larger at any gamma, in both orders."""
    for pair in combinations(zip(*matrix, strict=True), 2):
        made = Dichotomy.of_fractions((0, 1), list(zip(*pair, strict=True)))
        yield made, curve(made.masses)
