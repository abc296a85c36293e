"""Prove ``F(c) <= 0`` for all vectors of counts ``0 <= c_g <= n_g``, by boxes.

Let a_g >= 0 be integers, not all 0. The vectors with ``a.c = N`` are a *slice*. A slice is covered by boxes ``low <= c
<= high``. On a box F is bounded by a linear function ``constant + slopes.c``. For every number t and every c of the
box in the slice

    constant + slopes.c = constant + t N + sum_g (slopes_g - t a_g) c_g
                       <= constant + t N + sum_g max((slopes_g - t a_g) low_g, (slopes_g - t a_g) high_g).

If this is at most 0 for the t that is tried, ``slopes_j / a_j`` for a certain j, then F <= 0 on the box in the slice.
Otherwise another linear function is tried, and at last the box is split into two. A box that is a single vector cannot
be split: then the inequality is not proved. Everything that is chosen here, the numbers t, linear functions and splits,
decides how long the proof is, and never whether it holds.
"""

from collections.abc import Generator, Sequence
from fractions import Fraction
from math import isqrt
from typing import NamedTuple, Protocol

from .documents import Rejected, WorkBudget
from .matrices import dot

Counts = list[int]

_TRIES = 6  # linear functions that are tried on a box
_UNIT = 1 << 20  # of the length of a step between two linear functions
_LEAST_BITS = 160  # of the largest curvature: its root then has 80 bits
_SMALL = 40  # bits: curvatures that are this much smaller than the largest one are not written as squares


class Linear(NamedTuple):
    """A linear function ``constant + slopes.c``; the box is split where ``spread`` is largest."""

    constant: int
    slopes: list[int]
    spread: list[int]


class Function(Protocol):
    """A function F of the counts, multiplied by a positive number so that its bounds are integers."""

    bits: int  # bit length of the longest number in a bound

    def bounds(self, low: Counts, high: Counts, total: int) -> Generator[Linear, Counts, None]:
        """Yield linear functions that are at least F(c) if ``low <= c <= high`` and ``a.c = total``.

        Each time the generator receives a point where the last function is large.
        """


class Quadratic:
    """The function ``f_0 + f.c + c^T K c``, K symmetric, on slices of all weights a_g = 1.

    For any integer vectors v it is ``f_0 + f.c + c^T H c - sum_v (v.c)^2`` with ``H = K + sum_v v v^T``. With ``N =
    sum_g c_g`` and ``J_gh = 2 H_gh - H_gg - H_hh``

        c^T H c = N sum_g H_gg c_g + sum_(g<h) J_gh c_g c_h.

    Let m be the sum of the two ends of a box, and w their difference. Then

        4 c_g c_h = 2 m_g c_h + 2 m_h c_g - m_g m_h + (2 c_g - m_g)(2 c_h - m_h),

    and the last product lies between ``-w_g w_h`` and ``w_g w_h``. For any number x, ``-4 (v.c)^2 <= x^2 - 4 x (v.c)``.
    The bounds are those of 4 F. The vectors v are chosen so that J is small; it is almost 0 if F is concave on slices.
    """

    def __init__(
        self, constant: int, slopes: Sequence[int], matrix: Sequence[Sequence[int]], budget: WorkBudget
    ) -> None:
        size = len(slopes)
        bits = 4 + max(abs(x).bit_length() for x in (constant, *slopes, *(x for row in matrix for x in row)))
        budget.spend_in_bulk(8 * size**2, bits, 0)
        apart = [[2 * x - row[g] - matrix[h][h] for h, x in enumerate(row)] for g, row in enumerate(matrix)]
        largest = max(max(row) for row in apart)
        times = 4 ** max(0, (_LEAST_BITS + 1 - largest.bit_length()) // 2) if largest > 0 else 1
        self.bits, self._budget = bits + times.bit_length(), budget
        self._constant, self._slopes = times * constant, [times * x for x in slopes]
        self._own = [times * row[g] for g, row in enumerate(matrix)]
        self._apart = [[times * x for x in row] for row in apart]
        self._squares: list[list[int]] = []
        while len(self._squares) < size - 1 and (v := self._direction(times * largest >> _SMALL)):
            budget.spend_in_bulk(8 * size**2, self.bits, 0)
            self._squares.append(v)
            self._own = [own + x * x for own, x in zip(self._own, v, strict=True)]
            self._apart = [
                [j - (x - y) ** 2 for j, y in zip(row, v, strict=True)] for row, x in zip(self._apart, v, strict=True)
            ]

    def _direction(self, least: int) -> list[int] | None:
        """Return v with ``(v_g - v_h)^2`` close to J_gh for the largest J_gh, if that is above ``least``.

        Only differences of v matter for the bounds, but ``spread`` depends on the entries: their median is made 0.
        """
        largest, p, q = max((x, p, q) for p, row in enumerate(self._apart) for q, x in enumerate(row))
        if largest <= max(least, 0):
            return None
        root = 2 * isqrt(largest)
        v = [(x + largest - y) // root for x, y in zip(self._apart[p], self._apart[q], strict=True)]
        median = sorted(v)[len(v) // 2]
        return [x - median for x in v]

    def bounds(self, low: Counts, high: Counts, total: int) -> Generator[Linear, Counts, None]:
        """Yield linear functions that are at least 4 F, with x from the steps of the method of Frank and Wolfe."""
        size, squares = len(low), self._squares
        self._budget.spend_in_bulk(6 * size * (size + 1 + len(squares)), self.bits, 0)
        middle = [x + y for x, y in zip(low, high, strict=True)]
        width = [y - x for x, y in zip(low, high, strict=True)]
        along = [dot(row, middle) for row in self._apart]  # J m; J_gg = 0
        slopes = [4 * (f + total * own) + 2 * x for f, own, x in zip(self._slopes, self._own, along, strict=True)]
        products = [dot([abs(x) for x in row], width) for row in self._apart]
        spread = [w * x for w, x in zip(width, products, strict=True)]
        constant = 4 * self._constant - (dot(middle, along) - sum(spread)) // 2  # each pair g, h counts twice
        for v in squares:
            reach = dot([abs(x) for x in v], width)
            spread = [s + abs(x) * w * reach for s, x, w in zip(spread, v, width, strict=True)]
        x, value = [dot(v, middle) for v in squares], None  # the value of ``slopes`` at the point with 2 (v.c) = x
        for _ in range(_TRIES):
            whole = list(slopes)
            for v, y in zip(squares, x, strict=True):
                whole = [s - 4 * y * z for s, z in zip(whole, v, strict=True)]
            top = yield Linear(constant + dot(x, x), whole, spread)
            if not squares:
                return
            self._budget.spend_in_bulk(4 * size * (1 + len(squares)), self.bits, 0)
            goal, ends = dot(slopes, top), [2 * dot(v, top) for v in squares]
            if value is None:
                x, value = ends, goal
                continue
            change = [y - z for y, z in zip(ends, x, strict=True)]
            rise, bend = goal - value - 2 * dot(x, change), 2 * dot(change, change)
            step = min(_UNIT, rise * _UNIT // bend) if bend else 0
            if step <= 0:
                return
            x = [y + z * step // _UNIT for y, z in zip(x, change, strict=True)]
            value += (goal - value) * step // _UNIT


def require_for_all_counts(sizes: Sequence[int], weights: Sequence[int], given: Function, budget: WorkBudget) -> None:
    """Reject unless F(c) <= 0 is proved for all integers ``0 <= c_g <= sizes_g``."""
    counts = first_unproved(sizes, weights, given, budget)
    if counts is not None:
        raise Rejected(f"the dual fails at a pattern with {', '.join(map(str, counts))} entries gamma, by group")


def first_unproved(sizes: Sequence[int], weights: Sequence[int], given: Function, budget: WorkBudget) -> Counts | None:
    """Return the first vector of counts for which F(c) <= 0 is not proved; None if it is proved for all of them.

    Args:
        sizes: n_g.
        weights: a_g >= 0, which define the slices; one of them is positive.
        given: the function F.
        budget: is charged for every box.
    """
    size = len(sizes)
    for total in range(dot(weights, sizes) + 1):
        boxes = [([0] * size, list(sizes))]
        while boxes:
            budget.spend(3)
            budget.spend_in_bulk(4 * size, 0, 0)
            box = _narrowed(*boxes.pop(), weights, total)
            if box is None:
                continue
            low, high = box
            spread = _unproved_spread(given, low, high, weights, total, budget)
            if spread is None:
                continue
            widths = [(s, y - x) for s, x, y in zip(spread, low, high, strict=True)]
            g = max((g for g, (_, width) in enumerate(widths) if width), key=widths.__getitem__, default=None)
            if g is None:
                return low
            half = (low[g] + high[g]) // 2
            boxes.append(([*low[:g], half + 1, *low[g + 1 :]], high))
            boxes.append((low, [*high[:g], half, *high[g + 1 :]]))
    return None


def _narrowed(low: Counts, high: Counts, weights: Sequence[int], total: int) -> tuple[Counts, Counts] | None:
    """Return a smaller box with all integer vectors of the box in the slice; None if there is no such vector."""
    need, room = total - dot(weights, low), dot(weights, high) - total
    if need < 0 or room < 0:
        return None
    ends = [
        (max(x, y - room // a), min(y, x + need // a)) if a else (x, y)
        for a, x, y in zip(weights, low, high, strict=True)
    ]
    least, most = [x for x, _ in ends], [y for _, y in ends]
    is_met = all(x <= y for x, y in ends) and dot(weights, least) <= total <= dot(weights, most)
    return (least, most) if is_met else None


def _unproved_spread(
    given: Function, low: Counts, high: Counts, weights: Sequence[int], total: int, budget: WorkBudget
) -> list[int] | None:
    """Return None if a linear function proves F <= 0 on the box in the slice, else the spread of the last one."""
    bounds = given.bounds(low, high, total)
    linear = next(bounds)
    while True:
        budget.spend_in_bulk(16 * len(low), given.bits + 32, 0)
        most, top = _largest(linear, low, high, weights, total)
        if most <= 0:
            return None
        try:
            linear = bounds.send(top)
        except StopIteration:
            return linear.spread


def _largest(linear: Linear, low: Counts, high: Counts, weights: Sequence[int], total: int) -> tuple[int, Counts]:
    """Return a positive multiple of a bound of the linear function on the box in the slice, and a point close to it.

    The point starts at ``low`` and rises in the order of the slopes divided by the weights, up to the slice. The group
    at which it ends gives t.
    """
    slopes, left = linear.slopes, total - dot(weights, low)
    order = [g for g, a in enumerate(weights) if a]
    order.sort(key=lambda g: Fraction(slopes[g], weights[g]) if weights[g] > 1 else slopes[g], reverse=True)
    top = [y if slope > 0 and not a else x for x, y, slope, a in zip(low, high, slopes, weights, strict=True)]
    j = order[0]
    for g in order:
        if left <= 0:
            break
        j, rise = g, min(high[g] - low[g], left // weights[g])
        top[g] += rise
        left = left - rise * weights[g] if top[g] == high[g] else 0
    most = weights[j] * linear.constant + slopes[j] * total
    for s, a, x, y in zip(slopes, weights, low, high, strict=True):
        rest = weights[j] * s - slopes[j] * a
        most += rest * (y if rest > 0 else x)
    return most, top
