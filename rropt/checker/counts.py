"""Prove ``F(c) <= 0`` for all vectors of counts ``0 <= c_g <= n_g``, by boxes.

Let a_g >= 0 be integers, not all 0. The vectors with ``a.c = N`` are a *slice*. A slice is covered by boxes ``low <= c
<= high``. On a box F is bounded by a linear function ``constant + slopes.c``. For every number t and every c of the
box in the slice

    constant + slopes.c = constant + t N + sum_g (slopes_g - t a_g) c_g
                       <= constant + t N + sum_g max((slopes_g - t a_g) low_g, (slopes_g - t a_g) high_g).

If this is at most 0 for a t of the form ``slopes_j / a_j``, then F <= 0 on the box in the slice. Otherwise the box is
split into two. A box that is a single vector cannot be split: then the inequality is not proved.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from .documents import Budget, Rejected

Counts = list[int]


class Linear(NamedTuple):
    """A linear function ``constant + slopes.c``; the box is split where ``spread`` is largest."""

    constant: int
    slopes: list[int]
    spread: list[int]


class Function(Protocol):
    """A function F of the counts, multiplied by a positive number so that its bounds are integers."""

    bits: int  # bit length of the longest number in a bound

    def bound(self, low: Counts, high: Counts, total: int) -> Linear:
        """Return a linear function that is at least F(c) if ``low <= c <= high`` and ``a.c = total``."""


class Quadratic:
    """The function ``f_0 + f.c + c^T K c``, K symmetric, on slices of all weights a_g = 1.

    With ``N = sum_g c_g`` and ``J_gh = 2 K_gh - K_gg - K_hh``

        c^T K c = N sum_g K_gg c_g + sum_(g<h) J_gh c_g c_h.

    Let m be the sum of the two ends of a box, and w their difference. Then

        4 c_g c_h = 2 m_g c_h + 2 m_h c_g - m_g m_h + (2 c_g - m_g)(2 c_h - m_h),

    and the last product lies between ``-w_g w_h`` and ``w_g w_h``. The bound is one of 4 F.
    """

    def __init__(self, constant: int, slopes: Sequence[int], matrix: Sequence[Sequence[int]], budget: Budget) -> None:
        size = len(slopes)
        self.bits = 4 + max(abs(x).bit_length() for x in (constant, *slopes, *(x for row in matrix for x in row)))
        budget.spend_in_bulk(4 * size**2, self.bits, 0)
        self._budget, self._constant, self._slopes = budget, constant, slopes
        self._own = [row[g] for g, row in enumerate(matrix)]
        self._apart = [
            [2 * x - self._own[g] - own for x, own in zip(row, self._own, strict=True)] for g, row in enumerate(matrix)
        ]

    def bound(self, low: Counts, high: Counts, total: int) -> Linear:
        """Return a linear function that is at least 4 F on the box in the slice."""
        size = len(low)
        self._budget.spend_in_bulk(6 * size * (size + 1), self.bits, 0)
        middle = [x + y for x, y in zip(low, high, strict=True)]
        width = [y - x for x, y in zip(low, high, strict=True)]
        along = [sum(x * m for x, m in zip(row, middle, strict=True)) for row in self._apart]  # J m; J_gg = 0
        slopes = [4 * (f + total * own) + 2 * x for f, own, x in zip(self._slopes, self._own, along, strict=True)]
        spread = [
            w * sum(abs(x) * v for x, v in zip(row, width, strict=True))
            for row, w in zip(self._apart, width, strict=True)
        ]
        twice = sum(m * x for m, x in zip(middle, along, strict=True)) - sum(spread)  # each pair g, h counts twice
        return Linear(4 * self._constant - twice // 2, slopes, spread)


def require_for_all_counts(sizes: Sequence[int], weights: Sequence[int], given: Function, budget: Budget) -> None:
    """Reject unless F(c) <= 0 is proved for all integers ``0 <= c_g <= sizes_g``.

    Args:
        sizes: n_g.
        weights: a_g >= 0, which define the slices; one of them is positive.
        given: the function F.
        budget: is charged for every box.
    """
    size = len(sizes)
    for total in range(_dot(weights, sizes) + 1):
        boxes = [([0] * size, list(sizes))]
        while boxes:
            budget.spend(3)
            budget.spend_in_bulk(4 * size, 0, 0)
            box = _narrowed(*boxes.pop(), weights, total)
            if box is None:
                continue
            low, high = box
            budget.spend_in_bulk(4 * size**2, given.bits + 32, 0)
            linear = given.bound(low, high, total)
            if _is_proved(linear, low, high, weights, total):
                continue
            widths = [(s, y - x) for s, x, y in zip(linear.spread, low, high, strict=True)]
            g = max((g for g, (_, width) in enumerate(widths) if width), key=widths.__getitem__, default=None)
            if g is None:
                raise Rejected(f"the dual fails at a pattern with {', '.join(map(str, low))} entries gamma, by group")
            half = (low[g] + high[g]) // 2
            boxes.append(([*low[:g], half + 1, *low[g + 1 :]], high))
            boxes.append((low, [*high[:g], half, *high[g + 1 :]]))


def _narrowed(low: Counts, high: Counts, weights: Sequence[int], total: int) -> tuple[Counts, Counts] | None:
    """Return a smaller box with all integer vectors of the box in the slice; None if there is no such vector."""
    need, room = total - _dot(weights, low), _dot(weights, high) - total
    if need < 0 or room < 0:
        return None
    ends = [
        (max(x, y - room // a), min(y, x + need // a)) if a else (x, y)
        for a, x, y in zip(weights, low, high, strict=True)
    ]
    first, last = [x for x, _ in ends], [y for _, y in ends]
    if any(x > y for x, y in ends) or not _dot(weights, first) <= total <= _dot(weights, last):
        return None  # as always if one vector is left that is not in the slice
    return first, last


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * x for a, x in zip(left, right, strict=True))


def _is_proved(linear: Linear, low: Counts, high: Counts, weights: Sequence[int], total: int) -> bool:
    """Return whether a number t proves that the linear function is at most 0 on the box in the slice."""
    for slope, weight in zip(linear.slopes, weights, strict=True):
        if weight:
            most = weight * linear.constant + slope * total
            for s, a, x, y in zip(linear.slopes, weights, low, high, strict=True):
                rest = weight * s - slope * a
                most += rest * (y if rest > 0 else x)
            if most <= 0:
                return True
    return False
