"""The privacy of one response in the sum of many independent ones, over all populations at once.

The responses have the probabilities A without the trait and B with it. If t of the n others have the trait, the
neighbours' distributions of the sum are ``W A`` and ``W B`` with ``W = A^(n - t) B^t``. Delta is the maximum over t,
and over both orders of the neighbours, of the largest ``P(E) - gamma Q(E)`` of an event E. Shuffled binary reports,
counts of two responses and sums of cards are three cases of this.

*One cut.* Assume that

* ``A^r`` and ``B^r`` are log-concave for some r, and
* all ``A^i B^j (A - gamma B)`` with i, j < r change signs once, from - to +.

A log-concave factor adds no sign changes (total positivity of order 2). So no ``W (A - gamma B)`` has more than one,
and the best event is "the sum is at least k". With ``H(k) = P(>= k) - gamma Q(>= k)``, H first increases and then
decreases. Hence, if H is smaller at two points than at a point between them, its maximum lies between the two points.
For the other sign pattern the same argument applies to the responses in reverse order. Two responses have a single cut
for every gamma.

*Blocks.* All W with ``t_0 <= t <= t_0 + m`` have the factor ``C = A^(n - t_0 - m) B^t_0``. The further responses are
noise, independent of the person. Noise does not increase delta, so delta of the *block*, with C in place of W, bounds
delta of all its t. The search halves the block with the largest bound until the bound is close to the best single t.
The tails of the sum of a half are those of the whole block, convolved with a few responses, so they are needed only
near the best cut.

*Least gamma for a delta.* It is the maximum over t and k of ``(P(>= k) - delta)/Q(>= k)``. As a function of k it also
first increases and then decreases, since the k with values above gamma are those with ``H(k) > delta``. The same search
applies.

*Numbers.* The least gamma is searched in doubles first, with proved errors (``float_tails``): they suffice for the
usual widths. Otherwise numbers are integers in units of 2^-bits, and all truncation errors are counted. If they
decide, the precision doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate, count, groupby, product
from typing import Any, NamedTuple

from rropt.accounting.float_tails import LEAST_DELTA, LEAST_WIDTH, Cuts, FloatLevel, FloatPowers, FloatTails
from rropt.accounting.truncated_laws import CutPowers
from rropt.core.exact import Bracket
from rropt.core.lazy import numpy as np

_BITS = 128  # precision of the first search
_MOST_BITS = 384  # of the last one: delta is absolute below about 1e-100
_MOST_LEVEL_BITS = 1536  # of the last one for a given delta
LEVEL_DIGITS = 480  # decimal digits of a gamma that is not rational, enough for the highest precision
_MOST_ROOT = 8  # largest r
_FLOAT_BITS = 900  # of integers that are compared as floats first
_OFF = 2.0**-48  # relative error of a sum and a quotient in floats, with room to spare
_MARGIN = 8  # points on each side of the tails that are kept
_MOST_SPLITS = 1 << 20  # halvings of blocks
_SPLITS = 30  # the same if there is no single cut, where each block is computed from its whole distribution

Column = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Worst(Bracket):
    """A bracket of the maximum over all populations.

    Attributes:
        holders: the number of others with the trait in the population of the lower bound; ``None`` if no population was
            found above the floor.
        cut: the event of the lower bound if P has the trait and the responses are in order: the sum is at least this.
        blocks: the sizes of consecutive blocks, by increasing numbers of others who respond as in P, that prove the
            upper bound; of several orders, one after the other.
    """

    holders: int | None = None
    cut: int = 0
    blocks: tuple[int, ...] = ()


@dataclass(frozen=True)
class NeighbouringSums:
    """The sums of ``others`` + 1 independent responses, for all neighbours.

    Attributes:
        columns: returns lower bounds of the probabilities without and with the trait, in units of 2^-bits.
        others: n, the number of other respondents.
        orders: for each order of the neighbours the column of P, 1 with the trait, and whether the responses are
            reversed. The default is for two responses, of which the trait makes the second one likelier.
        has_one_cut: whether the best event is always a tail.
    """

    columns: Callable[[int], tuple[Column, Column]]
    others: int
    orders: tuple[tuple[int, bool], ...] = ((1, False), (0, True))
    has_one_cut: bool = True

    @classmethod
    def of(cls, a: Column, b: Column, below: int, others: int, gamma: Fraction) -> NeighbouringSums:
        """Return the sums for weights a and b over a common denominator, for use at one gamma."""
        columns = columns_over(below, a, b)
        root = _log_concave_power(a, b)
        turns = [None if root is None else _sign_changes(x, y, gamma, root) for x, y in ((a, b), (b, a))]
        if None in turns:
            return cls(columns, others, ((0, False), (1, False)), has_one_cut=False)
        return cls(columns, others, tuple((p, turn == -1) for p, turn in enumerate(turns) if turn))

    def delta(self, gamma: Bracket, close: Fraction = Fraction(0), floor: Fraction | None = None) -> Worst:
        """Return delta at gamma.

        Args:
            gamma: a bracket of gamma.
            close: the relative width of the result at which the search stops.
            floor: only decide whether delta exceeds this number.
        """
        most = _MOST_BITS if floor is None else _MOST_LEVEL_BITS
        found = self._worst(lambda p, q, bits: _Excess(p, q, gamma, bits), most, close, Fraction(0), floor)
        return replace(found, upper=min(found.upper, Fraction(1)))

    def gamma(self, delta: Bracket, close: Fraction) -> Worst:
        """Return the least gamma >= 1 at which delta is at most the given one; two responses only."""
        if close >= LEAST_WIDTH and delta.lower >= LEAST_DELTA:
            columns = self.columns(_BITS)
            if all(len(column) == 2 and all(column) for column in columns):

                def make(p: Column, q: Column) -> _Order:
                    powers = FloatPowers(_BITS, float(delta.lower), q, p)
                    return _Order(self, powers, FloatLevel(p, q, delta, _BITS), _BITS)

                found = self._found(columns, make, close, Fraction(1))
                if found.upper <= found.lower * (1 + close):
                    return found
        return self._worst(lambda p, q, bits: _Level(p, q, delta, bits), _MOST_LEVEL_BITS, close, Fraction(1), None)

    def _worst(
        self, goal: _MakeGoal, most_bits: int, close: Fraction, start: Fraction, floor: Fraction | None
    ) -> Worst:
        if not self.orders:
            return Worst(start, start)
        bits = _BITS if self.has_one_cut else 2 * _BITS
        while True:

            def make(p: Column, q: Column, bits: int = bits) -> _Order:
                return _Order(self, _Powers(bits, q, p), goal(p, q, bits), bits)

            found = self._found(self.columns(bits), make, close, floor or start, decides=floor is not None)
            is_decided = floor is not None and (found.upper <= floor or found.holders is not None)
            if is_decided or found.upper <= found.lower * (1 + close) or bits >= most_bits or not self.has_one_cut:
                return found
            bits *= 2

    def _found(
        self,
        columns: tuple[Column, Column],
        make: Callable[[Column, Column], _Order],
        close: Fraction,
        start: Fraction,
        *,
        decides: bool = False,
    ) -> Worst:
        """Return the result of one search."""
        # of two orders that mirror each other, the first one
        made = {_oriented(columns, *order): order[0] for order in reversed(self.orders)}
        orders = {make(*pair): p for pair, p in made.items()}
        splits = _MOST_SPLITS if self.has_one_cut else _SPLITS
        return _search(orders, self.others, close, start, decides=decides, splits=splits)


def columns_over(below: int, a: Column, b: Column) -> Callable[[int], tuple[Column, Column]]:
    """Return the columns of rational responses, given as integers over a common denominator, rounded down."""

    def columns(bits: int) -> tuple[Column, Column]:
        first, second = (tuple((weight << bits) // below for weight in column) for column in (a, b))
        return first, second

    return columns


def _oriented(columns: tuple[Column, Column], p: int, is_reversed: bool) -> tuple[Column, Column]:
    first, second = (columns[i][:: -1 if is_reversed else 1] for i in (p, 1 - p))
    return first, second


def _log_concave_power(a: Column, b: Column) -> int | None:
    """Return the least r for which ``A^r`` and ``B^r`` are log-concave; ``None`` if it exceeds ``_MOST_ROOT``."""
    from flint import fmpz_poly

    bases = [fmpz_poly(list(column)) for column in (a, b)]
    powers = [fmpz_poly([1])] * 2
    for root in range(1, _MOST_ROOT + 1):
        powers = [power * base for power, base in zip(powers, bases, strict=True)]
        if all(_is_log_concave(list(map(int, power.coeffs()))) for power in powers):
            return root
    return None


def _is_log_concave(column: Sequence[int]) -> bool:
    seen = [i for i, p in enumerate(column) if p]
    inside = column[seen[0] : seen[-1] + 1]
    return all(inside) and all(p * r <= q * q for p, q, r in zip(inside, inside[1:], inside[2:], strict=False))


def _sign_changes(x: Column, y: Column, gamma: Fraction, root: int) -> int | None:
    """Classify the sign changes of all ``X^i Y^j (X - gamma Y)``: 1 for - to +, -1 for + to -, 0 if no sign is +."""
    from flint import fmpz_poly

    first, second, (g, h) = fmpz_poly(list(x)), fmpz_poly(list(y)), gamma.as_integer_ratio()
    found = set()
    for i, j in product(range(root), repeat=2):
        terms = map(int, (first**i * second**j * (h * first - g * second)).coeffs())
        found.add(tuple(s for s, _ in groupby((c > 0) - (c < 0) for c in terms if c)))
    if all(1 not in signs for signs in found):
        return 0
    single: dict[tuple[tuple[int, ...], ...], int] = {((-1, 1),): 1, ((1, -1),): -1}
    return single.get(tuple(found))


@dataclass(frozen=True, slots=True)
class _Law:
    """An enclosed law, also as a polynomial (``fmpz_poly``)."""

    least: int
    weights: tuple[int, ...]
    missing: int
    polynomial: Any
    bits: int

    def tails(self, beyond: int) -> _Tails:
        """Return the tails of the law, and those of ``beyond`` further integers on each side."""
        from flint import fmpz_poly

        sums = [0] * beyond + list(accumulate(reversed(self.weights)))
        sums += [sums[-1]] * beyond
        return _Tails(self.least - beyond, fmpz_poly(sums[::-1]), len(sums), self.missing)


class _Powers:
    """Laws of sums of two kinds of responses, each computed once."""

    def __init__(self, bits: int, *columns: Column) -> None:
        self._bits, self._powers = bits, CutPowers(bits, *columns)

    def law(self, *times: int) -> _Law:
        """Return the law of the sum of a number of responses of each kind."""
        from flint import fmpz_poly

        law = self._powers.law(*times)
        return _Law(law.least, law.weights, law.missing, fmpz_poly(list(law.weights)), self._bits)


class _Tails(NamedTuple):
    """Lower bounds of the probabilities that a sum is at least ``start``, at least ``start`` + 1, and so on.

    Attributes:
        polynomial: the bounds as coefficients, in units of 2^-bits (``fmpz_poly``).
        size: their number.
        error: the largest error of a bound.
    """

    start: int
    polynomial: Any
    size: int
    error: int

    def sums(self, weights: Sequence[int], bits: int) -> list[int]:
        """Return ``weights[0] tail[i] + weights[1] tail[i - 1] + ...`` for all i where they are known, over 2^bits."""
        from flint import fmpz_poly

        found = list(map(int, (self.polynomial * fmpz_poly(list(weights)) // (1 << bits)).coeffs()))
        return (found + [0] * (self.size - len(found)))[len(weights) - 1 : self.size]

    def near(self, low: int, size: int) -> _Tails:
        """Return a part of the tails."""
        kept = min(size, self.size - low)
        return _Tails(self.start + low, self.polynomial.right_shift(low).truncate(kept), kept, self.error)

    def convolved(self, law: _Law) -> _Tails:
        """Return the tails of the sum with an independent number, where they are known."""
        beyond = len(law.weights) - 1
        size = self.size - beyond
        known = (self.polynomial * law.polynomial).right_shift(beyond).truncate(size) // (1 << law.bits)
        return _Tails(self.start + law.least + beyond, known, size, self.error + law.missing + 1)


def _largest(first: Any, added: float, second: Any) -> list[int]:
    """Return the cuts at which ``(first + added)/second`` may be largest; the floats are rounded integers."""
    values = (first + added) / second
    errors = _OFF * (first + abs(added)) / second
    found: list[int] = np.flatnonzero(values + errors >= (values - errors).max()).tolist()
    return found


class _Excess:
    """``P - gamma Q`` of an event of the neighbours P and Q, for the tails of the others' sum or for its law."""

    def __init__(self, p: Column, q: Column, gamma: Bracket, bits: int) -> None:
        self._bits, self._lacks = bits, len(p) + 1
        self._below, self._above = ((g.numerator << bits) // g.denominator + i for i, g in enumerate(gamma))
        self._weights = [(x << bits) - self._above * y for x, y in zip(p, q, strict=True)]

    def of_tails(self, tails: _Tails) -> Cuts:
        """Return bounds of the largest value over all cuts."""
        values, (under, over) = tails.sums(self._weights, 2 * self._bits), self._errors(tails.error)
        top = max(values)
        return Cuts(top - under, values.index(top), top + over, max(values[0], values[-1]) + over)

    def of_best_event(self, law: _Law) -> tuple[int, int]:
        """Return bounds of the sum of all positive ``P - gamma Q``."""
        from flint import fmpz_poly

        terms = map(int, (law.polynomial * fmpz_poly(self._weights)).coeffs())
        value, (under, over) = sum(c for c in terms if c > 0) >> 2 * self._bits, self._errors(law.missing)
        return value - under, value + over

    def _errors(self, error: int) -> tuple[int, int]:
        each = error + self._lacks
        return (self._above * each >> self._bits) + 1, each + self._above - self._below


class _Level:
    """``(P - delta)/Q`` of a tail."""

    def __init__(self, p: Column, q: Column, delta: Bracket, bits: int) -> None:
        self._bits, self._both = bits, (p, q)
        self._below, self._above = ((end.numerator << bits) // end.denominator + i for i, end in enumerate(delta))

    def of_tails(self, tails: _Tails) -> Cuts:
        """Return bounds of the largest value over all cuts: quotients in floats find the cuts near the largest one."""
        first, second = (tails.sums(column, self._bits) for column in self._both)
        error = tails.error + len(self._both[0]) + 1
        spare = error - self._below

        def lower(i: int) -> int:
            return (first[i] - self._above << self._bits) // (second[i] + error)

        def upper(i: int) -> int:
            return max(first[i] + spare << self._bits, 0) // max(second[i], 1) + 1

        if self._bits <= _FLOAT_BITS:
            p, q = np.array(first, float), np.array(second, float)
            least = _largest(p, -float(self._above), q + float(error))
            most = _largest(p, float(spare), np.maximum(q, 1.0))
        else:
            least = most = list(range(len(first)))
        at = max(least, key=lower)
        return Cuts(lower(at), at, max(map(upper, most)), max(upper(0), upper(len(first) - 1)))

    def of_best_event(self, law: _Law) -> tuple[int, int]:
        """Raise ``NotImplementedError``: the least gamma is known for two responses only."""
        raise NotImplementedError


_Goal = Any  # of ``_Excess``, ``_Level`` and ``FloatLevel``, each of which knows its own tails
_MakeGoal = Callable[[Column, Column, int], _Goal]
_NO_TAILS = _Tails(0, None, 0, 0)


@dataclass(frozen=True, slots=True)
class _Block:
    """The populations in which ``first`` to ``first + more`` of the others respond as in P.

    Attributes:
        lower, upper: bounds of the quantity for the common part of the block.
        cut: the cut of the lower bound.
        tails: the tails of the common sum near the cut.
    """

    order: _Order
    first: int
    more: int
    lower: int
    upper: int
    cut: int = 0
    tails: _Tails | FloatTails = _NO_TAILS

    def halves(self) -> tuple[_Block, _Block]:
        """Return the two halves of the block."""
        left = (self.more - 1) // 2
        return (
            self.order.part(self, self.first, left),
            self.order.part(self, self.first + left + 1, self.more - left - 1),
        )


class _Order:
    """The blocks of one order of the neighbours.

    Args:
        sums: the sums.
        powers: returns the law of the sum of a number of responses as in Q and a number as in P.
        goal: the quantity whose largest value is wanted.
        bits: the bounds are in units of 2^-bits.
    """

    def __init__(self, sums: NeighbouringSums, powers: _Powers | FloatPowers, goal: _Goal, bits: int) -> None:
        self.bits, self._goal, self._degree = bits, goal, len(sums.columns(bits)[0]) - 1
        self._others, self._has_one_cut = sums.others, sums.has_one_cut
        self._powers, self._known = powers, dict[tuple[int, int], Any]()

    def whole(self, first: int, more: int) -> _Block:
        """Return a block, from the whole distribution of its common factor."""
        law = self._law(self._others - first - more, first)
        if not self._has_one_cut:
            return _Block(self, first, more, *self._goal.of_best_event(law))
        tails = law.tails(self._around(more) + self._degree + 1)
        return self._near_cut(first, more, tails, self._goal.of_tails(tails))

    def part(self, block: _Block, first: int, more: int) -> _Block:
        """Return a smaller block: its tails are those of the block, convolved with further responses."""
        if not self._has_one_cut:
            return self.whole(first, more)
        law = self._law(block.first + block.more - first - more, first - block.first)
        if block.tails.size > len(law.weights) - 1 + self._degree:
            tails = block.tails.convolved(law)
            cuts = self._goal.of_tails(tails)
            if cuts.at_ends < cuts.lower:  # otherwise the best cut may lie beyond these tails
                return self._near_cut(first, more, tails, cuts)
        return self.whole(first, more)

    def _near_cut(self, first: int, more: int, tails: Any, cuts: Cuts) -> _Block:
        around = self._around(more)
        low = max(cuts.at - around, 0)
        near = tails.near(low, cuts.at - low + self._degree + around + 1)
        return _Block(self, first, more, cuts.lower, cuts.upper, tails.start + self._degree + cuts.at, near)

    def _around(self, more: int) -> int:
        """Return the number of cuts to keep on each side of the best one, for adding further responses."""
        width = max(len(self._law(*times).weights) for times in ((more, 0), (0, more)))
        return min(more * self._degree, width + width // 2) + _MARGIN

    def _law(self, without: int, holders: int) -> Any:
        """Return the law of further responses."""
        if (without, holders) not in self._known:
            self._known[without, holders] = self._powers.law(without, holders)
        return self._known[without, holders]


def _search(
    orders: dict[_Order, int], others: int, close: Fraction, start: Fraction, *, decides: bool, splits: int
) -> Worst:
    """Halve blocks until the bounds are relatively close, or until the maximum is known to exceed ``start`` or not."""
    unit = 1 << next(iter(orders)).bits
    least, best = start.numerator * unit // start.denominator, None
    serial, waiting = count(), list[tuple[int, int, _Block]]()
    seen = [order.whole(t, 0) for order in orders for t in sorted({0, others // 4, others // 2, others})]
    new = [order.whole(0, others) for order in orders]
    while True:
        for block in (*seen, *new):
            if not block.more and block.lower > least:
                least, best = block.lower, block
        for block in new:
            heappush(waiting, (-block.upper, next(serial), block))
        top = waiting[0][2]
        is_done = top.upper <= least + int(least * close) or (decides and best is not None)
        if is_done or top.lower <= 0 or not top.more or not splits:
            break
        heappop(waiting)
        seen, new, splits = [], [*top.halves()], splits - 1
    sizes = tuple(block.more + 1 for *_, block in sorted(waiting, key=lambda entry: entry[2].first))
    found = Bracket(Fraction(least, unit), Fraction(max(least, top.upper), unit))
    if best is None:
        return Worst(found.lower, found.upper, blocks=sizes)
    holders = best.first if orders[best.order] else others - best.first
    return Worst(found.lower, found.upper, holders, best.cut, sizes)
