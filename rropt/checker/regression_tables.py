"""Tables with which the cells of a cover are bounded by a few operations on integers (rule 39, regression_rules.md).

For each response of a mechanism, the logarithm of its probability is enclosed at the predictors k/16 from -16 to 16,
with its derivative, and its second derivative is enclosed between (k - 1/2)/16 and (k + 1/2)/16. Taylor's formula
bounds the values between. All numbers are integers in units of 2^-40. An entry is computed when it is first needed.

Tables only accept: a cell that they do not exclude is examined again by intervals.
"""

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

from .documents import Rejected, bits_of
from .intervals import Arithmetic, Interval
from .matrices import over_one_denominator
from .regression_models import Family

_DIGITS = 15  # precision of the intervals of an entry
_BITS = 40  # numbers are in units of 2^-40
_SHIFT = _BITS - 4  # entries are 2^36 units apart
_HALF = 1 << (_SHIFT - 1)
_LAST = 256  # index of the last entry, at the predictor 16
_END = _LAST << _SHIFT
_REACH = Fraction(_HALF + 4, 1 << _BITS)  # half the distance, and some units for rounded predictors
_PER_ROW, _PER_RESPONSE = 3, 1  # cost of a row of a cell and of one of its responses, in units
_LONGEST = 512  # bits of the counts over a common denominator
_LARGEST = 1 << 100  # in an entry: beyond it nothing is proved
_DOWN, _UP = (Context(60, rounding) for rounding in (ROUND_FLOOR, ROUND_CEILING))

CUTS = [Fraction(2 * k + 1, 32) for k in range(-_LAST, _LAST)]  # the ends of the parts that belong to the entries

Ends = tuple[int, int]


class _Entry(NamedTuple):
    """An entry: an upper bound of the logarithm, and bounds of its derivative and of its second derivative."""

    value: int
    slope: Ends
    bend: Ends


class _Curve:
    """The table of one response: the logarithm of ``a + (b - a) F(t)`` as a function of the predictor t."""

    def __init__(self, constants: Any, row: Sequence[Fraction], family: Family) -> None:
        self.constants, self.row, self.family = constants, row, family
        self._entries: dict[int, _Entry | None] = {}
        self._bends: dict[Ends, Ends | None] = {}

    def entry(self, k: int) -> _Entry | None:
        """Return the entry of the predictor k/16; ``None`` if nothing is proved there."""
        if k not in self._entries:
            self._entries[k] = self._made(Fraction(k, 16))
        return self._entries[k]

    def _made(self, t: Fraction) -> _Entry | None:
        (a, b), at = self.row, self.family.at
        try:
            (slope,), ((bend,),) = self.family.derivatives([t], [_REACH], [(self.constants, Fraction(1))])
            value = at.log(at.add(at.of(a), at.multiply(at.of(b - a), self.family.truth(t))))
        except Rejected:
            if at.budget.left < 0:
                raise
            return None
        found = _Entry(_whole(value)[1], _whole(slope), _whole(bend))
        return found if max(map(abs, (found.value, *found.slope, *found.bend))) < _LARGEST else None

    def bends(self, first: int, last: int) -> Ends | None:
        """Return bounds of the second derivative near the entries first, ..., last; ``None`` if there are none."""
        level = (last - first + 1).bit_length() - 1
        return self._joined(level, first, last + 1 - (1 << level))

    def _joined(self, level: int, first: int, second: int) -> Ends | None:
        """Return bounds of the second derivative near two blocks of 2^level entries."""
        one, other = self._block(level, first), self._block(level, second)
        return one and other and (min(one[0], other[0]), max(one[1], other[1]))

    def _block(self, level: int, first: int) -> Ends | None:
        """Return bounds of the second derivative near 2^level entries."""
        place = level, first
        if place not in self._bends:
            self.family.at.budget.spend(1)
            if level:
                self._bends[place] = self._joined(level - 1, first, first + (1 << (level - 1)))
            else:
                entry = self.entry(first)
                self._bends[place] = entry and entry.bend
        return self._bends[place]


class _Row(NamedTuple):
    """A row in integers; the predictor at the point lies between t and t + 1 units."""

    t: int
    y: Sequence[int]
    lengths: list[int]  # the absolute values of y
    given: list[tuple[_Curve, int]]  # the responses with their counts
    top: int  # an upper bound of the log-likelihood of the row
    rising: int | None  # up to this predictor the log-likelihood increases; None if that is not known
    falling: int | None  # from this predictor on it decreases


class Tables:
    """The rows of a cover in integers, with the tables of their responses.

    Args:
        family: the model; it has one linear predictor.
        rows: the rows, as the rule reads them.
        under, bits: the denominator of the coefficients y, and their length.
        peaks: for each row the probability of truth 1 that maximizes its log-likelihood.
        tops: the log-likelihoods there.
        least: a lower bound of the log-likelihood at the point.
    """

    def __init__(
        self,
        family: Family,
        rows: Sequence[Any],
        under: int,
        bits: int,
        peaks: Sequence[Fraction],
        tops: Sequence[Interval],
        least: Decimal,
    ) -> None:
        self.budget, self.under, self.bits = family.at.budget, under, bits
        self._family = Family(family.model, Arithmetic(_DIGITS, self.budget))
        self._truths: dict[int, Interval] = {}
        self._rows: list[_Row] = []
        counts = over_one_denominator([count for row in rows for count in row.counts], self.budget)
        self.is_ready = counts.bits <= _LONGEST and all(end.is_finite() for ends in (*tops, (least,)) for end in ends)
        if not self.is_ready:
            return
        self._least = _whole((least, least))[0] * counts.denominator
        curves: dict[int, list[_Curve]] = {}
        place = 0
        for row, peak, top in zip(rows, peaks, tops, strict=True):
            if id(row.matrix) not in curves:
                constants = self._family.constants(row.matrix)
                curves[id(row.matrix)] = [
                    _Curve(own, line, self._family) for own, line in zip(constants, row.matrix, strict=True)
                ]
            given = zip(curves[id(row.matrix)], counts.numerators[place : place + len(row.counts)], strict=True)
            place += len(row.counts)
            self.budget.spend(2, bits_of(row.t[0]))
            self._rows.append(
                _Row(
                    int(row.t[0] * (1 << _BITS) // 1),
                    row.y[0],
                    [abs(v) for v in row.y[0]],
                    [(curve, count) for curve, count in given if count],
                    _whole(top)[1] * counts.denominator,
                    *self._turn(peak),
                )
            )

    def _turn(self, peak: Fraction) -> tuple[int | None, int | None]:
        """Return predictors up to which a row's log-likelihood increases, and from which on it decreases."""
        low, _ = self._around(lambda F: Fraction(F[1]) < peak)
        _, high = self._around(lambda F: Fraction(F[0]) <= peak)
        return (low << _SHIFT if low >= -_LAST else None), (high << _SHIFT if high <= _LAST else None)

    def _around(self, is_before: Callable[[Interval], bool]) -> tuple[int, int]:
        """Return neighbours k and k + 1, so that F(k/16) meets a condition and F((k + 1)/16) does not."""
        low, high = -_LAST - 1, _LAST + 1  # not entries: nothing is said about them
        while high - low > 1:
            k = (low + high) // 2
            if k not in self._truths:
                self._truths[k] = self._family.truth(Fraction(k, 16))
            self.budget.spend(2)
            low, high = (k, high) if is_before(self._truths[k]) else (low, k)
        return low, high

    def excludes_values(self, cell: Sequence[tuple[Fraction, Fraction]], near: Fraction, far: Fraction | None) -> bool:
        """Return whether the log-likelihood is proved to be below that at the point, for all u = v/z of a cell of v.

        Args:
            cell: the cell of v.
            near, far: the least and the largest factor 1/z; ``None`` is infinity.
        """
        if not self.is_ready:
            return False
        parts = over_one_denominator([end for ends in cell for end in ends], self.budget)
        low, high = parts.numerators[::2], parts.numerators[1::2]
        under = 2 * self.under * parts.denominator
        outwards = None if far is None else (far.numerator << _BITS, far.denominator * under)
        inwards = near.numerator << _BITS, near.denominator * under
        middle = [a + b for a, b in zip(low, high, strict=True)]  # twice the middle, and twice the half-widths
        width = [b - a for a, b in zip(low, high, strict=True)]
        longest = max(v.bit_length() for factor in (inwards, outwards or inwards) for v in factor)
        total = -self._least
        for row in self._rows:
            self.budget.spend(_PER_ROW, self.bits, parts.bits + longest)
            at, reach = sum(map(mul, row.y, middle)), sum(map(mul, row.lengths, width))
            best = self._best(row, at - reach, at + reach, inwards, outwards)
            if best is None:
                return False
            total += best
        return total < 0

    def _best(self, row: _Row, low: int, high: int, inwards: Ends, outwards: Ends | None) -> int | None:
        """Return an upper bound of the log-likelihood of a row between two predictors; ``None`` if none is known."""
        if row.falling is not None and (factor := inwards if low >= 0 else outwards):
            end = min(row.t + low * factor[0] // factor[1], _END)
            if end >= row.falling:
                return self._value(row, end)
        if row.rising is not None and (factor := inwards if high <= 0 else outwards):
            end = max(row.t + 1 - (-high * factor[0] // factor[1]), -_END)
            if end <= row.rising:
                return self._value(row, end)
        return row.top

    def _value(self, row: _Row, t: int) -> int | None:
        """Return an upper bound of the log-likelihood of a row at a predictor in units, from -16 to 16."""
        k = (t + _HALF) >> _SHIFT
        d = t - (k << _SHIFT)
        total = 0
        for curve, count in row.given:
            entry = curve.entry(k)
            if entry is None:
                return None
            self.budget.spend(_PER_RESPONSE)
            slope, bend = entry.slope[d > 0], entry.bend[1]
            total += count * (entry.value + (slope * d >> _BITS) + (bend * d * d >> (2 * _BITS + 1)) + 2)
        return total

    def slopes(self, middle: Sequence[int], halves: Sequence[int], size: Fraction, add: Callable[..., None]) -> bool:
        """Add the derivatives of all rows on the cell ``size (middle - halves) <= u <= size (middle + halves)``.

        Args:
            middle, halves, size: the cell.
            add: is called for each row with its y, bounds of its slope and its second derivative, in units of 2^-40
                over the common denominator of the counts, and ``sum_j abs(y_j) halves_j``.

        Returns:
            Whether all rows were added; otherwise the tables do not contain the cell.
        """
        if not self.is_ready:
            return False
        above, below = size.numerator << _BITS, size.denominator * self.under
        longest = max(v.bit_length() for v in (above, below, *middle, *halves))
        for row in self._rows:
            self.budget.spend(_PER_ROW, self.bits, 2 * longest)
            length = sum(map(mul, row.lengths, halves))
            t = row.t + sum(map(mul, row.y, middle)) * above // below  # at most 2 units too small
            reach = length * above // below + 3
            if abs(t) + reach > _END:
                return False
            k, first, last = (v + _HALF >> _SHIFT for v in (t, t - reach, t + reach))
            d = t - (k << _SHIFT)
            slope_low = slope_high = least = most = 0
            for curve, count in row.given:
                entry, bends = curve.entry(k), curve.bends(first, last)
                if entry is None or bends is None:
                    return False
                self.budget.spend(2 * _PER_RESPONSE)
                ends = entry.bend[0] * d, entry.bend[1] * d
                spare = (max(-bends[0], bends[1]) >> (_BITS - 2)) + 2  # the predictor is not exactly t
                slope_low += count * (entry.slope[0] + (min(ends) >> _BITS) - spare)
                slope_high += count * (entry.slope[1] + (max(ends) >> _BITS) + spare)
                least += count * bends[0]
                most += count * bends[1]
            add([row.y], [(slope_low, slope_high)], [[(least, most)]], [length])
        return True


def _whole(x: Interval) -> Ends:
    """Return the endpoints of a bounded interval in units of 2^-40, rounded outwards."""
    low, high = _DOWN.multiply(x[0], 1 << _BITS), _UP.multiply(x[1], 1 << _BITS)
    return int(low.to_integral_value(ROUND_FLOOR)), int(high.to_integral_value(ROUND_CEILING))
