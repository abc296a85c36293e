"""The smallest delta at one level, with the ordered pair of inputs and the outputs that attain it, all exact.

``delta(gamma) = max over (j, l) of sum_i max(0, p_ij - gamma p_il)``. Floating-point arithmetic selects the pairs that
may attain the maximum, with the following error bound.

* With u = 2^-53, each term ``p - gamma q >= 0`` has an error of at most 8 u p.
* A sum of m terms is at most 1 and has an additional error of m u. The total error is less than ``(m + 16) u``.
* An entry below 2^-1022 has an error of 2^-1074. Multiplied by gamma, it is negligible for gamma up to 10^200. For
  larger gamma the products are computed exactly and then rounded.

Exact integers decide among the pairs that are within this error of the maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Union

from rropt.core.exact import Epsilon, ExactReal
from rropt.core.lazy import numpy as np
from rropt.mechanisms.columns import Column, Columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Gamma = Union[Fraction, ExactReal, None]  # noqa: UP007  # None: infinite

_DIGITS = 40  # of the enclosure of an irrational gamma; a ratio inside the enclosure is compared exactly
_LARGEST = Fraction(10**200)  # for a larger gamma, gamma times the error of a tiny entry may matter


def gamma_of(epsilon: object) -> Gamma:
    """Return exp(epsilon) for a privacy level in any exact form; ``None`` for infinite epsilon."""
    level = Epsilon.of(epsilon)
    if level.is_infinite:
        return None
    return level.exact_gamma() if level.gamma is None else level.gamma


@dataclass(frozen=True, slots=True)
class Excess:
    """The excess of input j over input l at a level, ``sum_{i in outputs} (p_ij - gamma p_il)``.

    Attributes:
        pair: (j, l).
        outputs: the outputs whose ratio ``p_ij / p_il`` exceeds gamma. Empty if the excess is 0, and for mechanisms
            that are not given as a matrix, which may have too many outputs to list.
        intercept: the sum of p_ij over these outputs.
        slope: the sum of p_il over these outputs.
    """

    pair: tuple[int, int]
    outputs: tuple[int, ...]
    intercept: Fraction
    slope: Fraction

    def at(self, gamma: Gamma) -> Fraction | ExactReal:
        """Return the value of the excess, a ``Fraction`` if it is rational."""
        if gamma is None or not self.slope:
            return self.intercept
        if isinstance(gamma, Fraction):
            return self.intercept - gamma * self.slope
        exact = ExactReal.of(self.intercept) - gamma * self.slope
        return exact if exact.rational is None else exact.rational


NO_EXCESS = Excess((0, 0), (), Fraction(0), Fraction(0))


def _plain(gamma: Gamma) -> Gamma:
    """Return a rational gamma as a fraction."""
    rational = gamma.rational if isinstance(gamma, ExactReal) else None
    return gamma if rational is None else rational


def worst_excess(matrix: Sequence[Sequence[Fraction]], gamma: Gamma) -> Excess:
    """Return the largest excess over all ordered pairs of inputs at ``gamma >= 1``.

    Its value ``at(gamma)`` is the smallest delta at this level.

    Args:
        matrix: m rows of k exact entries; the columns sum to 1.
        gamma: rational or irrational. ``None`` is the limit: the probability of outputs that are impossible under the
            other input.
    """
    level = _plain(gamma)
    rows = [i for i, row in enumerate(matrix) if odds_exceed(max(row), min(row), level)]
    if not rows:
        return NO_EXCESS
    columns = Columns([matrix[i] for i in rows])
    best = NO_EXCESS
    largest: tuple[Fraction, Fraction] = Fraction(0), Fraction(0)
    low, high = _bracket(level)
    seen: set[tuple[Fraction, Fraction]] = set()
    for left, right in _pairs(columns, level):
        found = _excess(left, right, level, low, high)
        line = found.intercept, found.slope
        if line in seen or (low is not None and line[0] - low * line[1] < largest[0]):
            continue
        seen.add(line)
        if larger_excess(found, best, level):
            best = found
            largest = (found.intercept if high is None else found.intercept - high * found.slope), line[1]
    return Excess(best.pair, tuple(rows[i] for i in best.outputs), best.intercept, best.slope)


def pair_excess(matrix: Sequence[Sequence[Fraction]], pair: tuple[int, int], gamma: Gamma) -> Excess:
    """Return the excess of input j over input l at ``gamma >= 1`` for one ordered pair (j, l).

    >>> found = pair_excess([[Fraction(1), Fraction(1, 4)], [Fraction(0), Fraction(3, 4)]], (1, 0), Fraction(2))
    >>> print(found.at(Fraction(2)))
    3/4
    """
    level = _plain(gamma)
    columns = Columns([[row[x] for x in pair] for row in matrix]).columns
    if len(columns) == 1:  # the two columns are equal and are stored once
        return Excess(pair, (), Fraction(0), Fraction(0))
    left, right = columns
    found = _excess(left, right, level, *_bracket(level))
    return Excess(pair, found.outputs, found.intercept, found.slope)


def _bracket(gamma: Gamma) -> Iterable[Fraction | None]:
    if isinstance(gamma, ExactReal):
        return gamma.bracket(_DIGITS)
    return gamma, gamma


def _pairs(columns: Columns, gamma: Gamma) -> Iterator[tuple[Column, Column]]:
    """Yield the ordered pairs of columns that may attain the largest excess."""
    if columns.floats is None:
        yield from permutations(columns.columns, 2)
        return
    excesses, slack = float_excesses(columns, columns.floats, gamma)
    for j, l in np.argwhere(excesses >= excesses.max() - 2 * slack).tolist():  # noqa: E741  # as in the formula
        if j != l:
            yield columns.columns[j], columns.columns[l]


def float_excesses(columns: Columns, floats: Floats, gamma: Gamma) -> tuple[Floats, float]:
    """Return the excess of every ordered pair (j, l) in floats, shape (k, k), and a bound on the error of each."""
    slack = (len(floats) + 16) * 2.0**-53
    if gamma is None:
        never = np.array([[not x for x in column.numerators] for column in columns.columns], dtype=float)
        return floats.T @ never.T, slack
    if gamma <= _LARGEST:
        scaled = float(gamma) * floats
    else:
        factor = Fraction(gamma) if isinstance(gamma, Fraction) else gamma.bracket(_DIGITS).lower
        scaled = np.array([_products(factor, column) for column in columns.columns]).T
    return np.array([np.maximum(column[:, None] - scaled, 0).sum(axis=0) for column in floats.T]), slack


def _products(gamma: Fraction, column: Column) -> list[float]:
    """Return ``gamma p`` for each entry of a column, correctly rounded; products of 2 or more are replaced by 2."""
    factor, below = gamma.numerator, column.denominator * gamma.denominator
    return [x * factor / below if x * factor < 2 * below else 2.0 for x in column.numerators]


def _excess(left: Column, right: Column, gamma: Gamma, low: Fraction | None, high: Fraction | None) -> Excess:
    """Return the excess of one ordered pair."""
    pairs = enumerate(zip(left.numerators, right.numerators, strict=True))
    if gamma is None or low is None or high is None:
        chosen = [i for i, (p, q) in pairs if p and not q]
    else:
        # p / D_j > (a / b) (q / D_l)  iff  p D_l b > q D_j a
        above, above_right = right.denominator * high.denominator, left.denominator * high.numerator
        below, below_right = right.denominator * low.denominator, left.denominator * low.numerator
        chosen = [
            i
            for i, (p, q) in pairs
            if p * below > q * below_right
            and (
                low == high
                or p * above > q * above_right
                or gamma * Fraction(q, right.denominator) < Fraction(p, left.denominator)
            )
        ]
    intercept = Fraction(sum(left.numerators[i] for i in chosen), left.denominator)
    slope = Fraction(sum(right.numerators[i] for i in chosen), right.denominator)
    return Excess((left.index, right.index), tuple(chosen), intercept, slope)


def odds_exceed(p: Fraction | int, q: Fraction | int, gamma: Gamma) -> bool:
    """Return whether the odds p/q exceed gamma, exactly; for q = 0, whether p > 0."""
    if gamma is None or not q:
        return bool(p) and not q
    return gamma * Fraction(q) < p


def larger_excess(found: Excess, best: Excess, gamma: Gamma) -> bool:
    """Return whether ``found`` has a larger value at gamma than ``best``, exactly."""
    if gamma is None:
        return found.intercept > best.intercept
    return gamma * (found.slope - best.slope) < found.intercept - best.intercept
