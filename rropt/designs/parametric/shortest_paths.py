"""The optimum at every level for losses with interval sublevel sets, by shortest paths over the answers that are used.

**Theorem** (``rropt.interval-losses`` of the registry). Let the sets ``{d: c_dj <= s}`` be intervals for every input j
and every s: absolute, squared and 0/1 losses, and each loss that is quasi-convex in d. At every gamma = 1 + u an
optimal design chooses a set D of outputs, sends each input to its best member of D, and randomizes over D as |D|-ary
randomized response. Its value is ``(A + B u)/(X + u)`` with A the sum of the totals L_d over D, ``B = sum_j min_D
c_dj``, and ``X = |D|``.

*Shortest paths.* Let ``b_j`` be a least output for j. For neighbours d < d' of D, the inputs with ``d <= b_j < d'``
have their best member in {d, d'}. So the least ``sum_D (L_d - v) + u B`` is the length of a shortest path. This is
``H(u, v) + u v`` where ``H(u, v) = min_D (A + B u - X v) - u v``; v is the optimum at u iff H(u, v) = 0.

*All levels.* ``h = min_D (A + B u - X v)`` is concave in the pair (u, v), so that the pairs at which D attains it are
convex. The curve of D from u to u' lies in the triangle of its two ends and the crossing of the tangents there. If D
attains h at the corners of this triangle, then D is optimal from u to u'. Where two curves cross, the triangles are cut
along the line ``A + B u - X v = A' + B' u - X' v``, which passes through the crossing. All corners are rational, and
each is decided by one shortest path in integers. Triangles that fail are halved, or show a third set.

*The ends.* Two values are equal at the roots of a quadratic with integer coefficients of at most M, for costs as
integers. It has no root in (0, 1/(M + 1)) and none above M + 1, so that the optimum there needs no search.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt, lcm
from typing import NamedTuple

from rropt.checker.quadratics import Point, compare
from rropt.designs.parametric.level_formulas import Place
from rropt.designs.parametric.quadratic_formulas import roots_of, triple

_SEED = 1  # of the levels at which the search looks
_DEEPEST = 400  # halvings of one interval: far more than a crossing of two curves needs

Costs = Sequence[Sequence[Fraction]]
Spot = tuple[Fraction, Fraction]  # (u, v)


class Chosen(NamedTuple):
    """A set D of outputs with the value ``(A + B u)/(X + u)``; integers."""

    A: int
    B: int
    X: int
    outputs: tuple[int, ...]

    def at(self, u: Fraction) -> Fraction:
        """Return the value at a level."""
        return Fraction(self.A + self.B * u) / (self.X + u)

    def height(self, spot: Spot) -> Fraction:
        """Return ``A + B u - X v``."""
        return self.A + self.B * spot[0] - self.X * spot[1]

    def equals(self, other: Chosen) -> bool:
        """Return whether two sets have the same value at every level."""
        return not any(_difference(self, other))


class PathPiece(NamedTuple):
    """A set that is optimal up to a level u, ``p + q sqrt(D)``; None is infinity."""

    chosen: Chosen
    end: Place | None


def has_interval_sublevels(costs: Costs) -> bool:
    """Return whether each input's costs fall and then rise along the outputs.

    >>> has_interval_sublevels([[0, 1], [1, 0], [2, 1]]), has_interval_sublevels([[0, 1], [2, 0], [1, 1]])
    (True, False)
    """
    for column in zip(*costs, strict=True):
        best = min(range(len(column)), key=column.__getitem__)
        falls = all(column[d] >= column[d + 1] for d in range(best))
        if not falls or any(column[d] > column[d + 1] for d in range(best, len(column) - 1)):
            return False
    return True


def best_sets(costs: Costs) -> tuple[list[PathPiece], int]:
    """Return the optimal sets at every u >= 0, in order of the level, and the scale of their integers.

    Args:
        costs: c, shape (m, k), with interval sublevel sets.
    """
    scale = lcm(*(c.denominator for row in costs for c in row))
    paths = _Paths([[int(c * scale) for c in row] for row in costs])
    found: list[PathPiece] = []
    for chosen, end in paths.envelope():
        if found and found[-1].chosen.equals(chosen):
            found.pop()
        found.append(PathPiece(chosen, end))
    return found, scale


class _Paths:
    """Shortest paths over the outputs, at pairs (u, v)."""

    def __init__(self, costs: list[list[int]]) -> None:
        self.totals = [sum(row) for row in costs]
        m, k = len(costs), len(costs[0])
        best = [min(range(m), key=lambda d: costs[d][j]) for j in range(k)]
        order = sorted(range(k), key=best.__getitem__)
        rows = [[row[j] for j in order] for row in costs]
        places = [best[j] for j in order]
        first = [sum(b < d for b in places) for d in range(m)]  # inputs whose best output is before d
        self.before = [sum(rows[d][: first[d]]) for d in range(m)]
        self.after = [sum(rows[d][first[d] :]) for d in range(m)]
        self.between = [
            [sum(map(min, rows[d][first[d] : first[e]], rows[e][first[d] : first[e]])) for d in range(e)]
            for e in range(m)
        ]
        self.is_monge = all(
            self.between[e][d] + self.between[e + 1][d + 1] <= self.between[e + 1][d] + self.between[e][d + 1]
            for e in range(m - 1)
            for d in range(e - 1)
        )
        self.most = 4 * (m + 1) * (1 + sum(sum(map(abs, row)) for row in costs))  # above all coefficients

    def least(self, spot: Spot) -> Chosen:
        """Return the set of least ``A + B u - X v``."""
        (u, v), m = spot, len(self.totals)
        n, e = u.numerator, u.denominator
        p, q = v.numerator, v.denominator
        up, unit = n * q, e * q
        own = [total * unit - p * e for total in self.totals]
        lengths = [own[0] + up * self.before[0]]
        parents = [-1]
        if self.is_monge:
            self._by_queue(own, up, lengths, parents)
        else:
            for d in range(1, m):
                row = self.between[d]
                shortest, parent = up * self.before[d], -1
                for a in range(d):
                    if (length := lengths[a] + up * row[a]) < shortest:
                        shortest, parent = length, a
                lengths.append(shortest + own[d])
                parents.append(parent)
        last = min(range(m), key=lambda d: lengths[d] + up * self.after[d])
        chosen = []
        while last >= 0:
            chosen.append(last)
            last = parents[last]
        return self.chosen(chosen[::-1])

    def _by_queue(self, own: list[int], up: int, lengths: list[int], parents: list[int]) -> None:
        """Extend shortest paths by the Monge property: the best predecessor does not fall along the outputs."""
        m, between, before = len(own), self.between, self.before
        queue = [(0, 1)]  # a predecessor, and the first output for which it is the best of the queue
        head = 0
        for d in range(1, m):
            while head + 1 < len(queue) and queue[head + 1][1] <= d:
                head += 1
            parent = queue[head][0]
            shortest = lengths[parent] + up * between[d][parent]
            if up * before[d] < shortest:
                shortest, parent = up * before[d], -1
            lengths.append(shortest + own[d])
            parents.append(parent)
            start = d + 1
            while start < m and len(queue) > head:
                last, since = queue[-1]
                since = max(since, d + 1)
                if lengths[d] + up * between[since][d] <= lengths[last] + up * between[since][last]:
                    if len(queue) == head + 1:
                        queue[-1] = (d, d + 1)
                        start = m
                        break
                    queue.pop()
                    continue
                low, high = since, m  # from `high` on the new one is better
                while high - low > 1:
                    middle = (low + high) // 2
                    if lengths[d] + up * between[middle][d] <= lengths[last] + up * between[middle][last]:
                        high = middle
                    else:
                        low = middle
                start = high
                break
            if start < m:
                queue.append((d, start))

    def chosen(self, outputs: list[int]) -> Chosen:
        """Return a set with its integers."""
        B = self.before[outputs[0]] + self.after[outputs[-1]]
        B += sum(self.between[e][d] for d, e in pairwise(outputs))
        return Chosen(sum(self.totals[d] for d in outputs), B, len(outputs), tuple(outputs))

    def optimum(self, u: Fraction, first: Chosen | None = None) -> Chosen:
        """Return an optimal set at a level, by Newton's iteration for H(u, v) = 0."""
        found = first or self.chosen([min(range(len(self.totals)), key=self.totals.__getitem__)])
        while True:
            spot = u, found.at(u)
            better = self.least(spot)
            if better.height(spot) >= found.height(spot):
                return found
            found = better

    def envelope(self) -> list[tuple[Chosen, Place | None]]:
        """Return the optimal sets with their ends, from u = 0 on."""
        chance = random.Random(_SEED)
        low, high = Fraction(1, self.most), Fraction(self.most)
        last = self.optimum(high)
        found: list[tuple[Chosen, Place | None]] = []
        todo = [(low, self.optimum(low), high, last, 0)]
        while todo:
            u, one, w, two, depth = todo.pop()
            if depth > _DEEPEST:
                raise ArithmeticError("internal error: two curves of the optimum are not separated; please report it")
            end = None if one.equals(two) else _crossing(one, two, u, w)
            failed = self._failed(one, u, two, w, end)
            if failed is None:
                if end is not None:
                    found.append((one, end))
                continue
            at = _generic(u, w, failed, chance)
            middle = self.optimum(at, one)
            todo += [(at, middle, w, two, depth + 1), (u, one, at, middle, depth + 1)]
        return [*found, (last, None)]

    def _failed(self, one: Chosen, u: Fraction, two: Chosen, w: Fraction, end: Place | None) -> Fraction | None:
        """Return None if `one` is proved from u to the crossing, and `two` from it to w; else where to search."""
        if end is None or not end[2]:
            middle = (end or (w, 0, 0))[0]
            if middle > u and (at := self._failed_corner(one, _triangle(one, u, middle)[1:], u, w)) is not None:
                return at
            return self._failed_corner(two, _triangle(two, middle, w)[:2], u, w) if middle < w else None
        low, high = _around(end, u, w)
        for chosen, a, b, sign in ((one, u, high, 1), (two, low, w, -1)):
            known = (u, one.at(u)) if sign > 0 else (w, two.at(w))
            corners = [spot for spot in _cut(_triangle(chosen, a, b), one, two, sign) if spot != known]
            if (at := self._failed_corner(chosen, corners, u, w)) is not None:
                return at
        return None

    def _failed_corner(self, chosen: Chosen, corners: list[Spot], u: Fraction, w: Fraction) -> Fraction | None:
        for spot in corners:
            better = self.least(spot)
            if better.height(spot) < chosen.height(spot):
                is_found = u < spot[0] < w and better.at(spot[0]) < chosen.at(spot[0])
                return spot[0] if is_found else _middle(u, w)
        return None


def _difference(one: Chosen, two: Chosen) -> tuple[int, int, int]:
    """Return the quadratic ``(A' + B' u)(u + X) - (A + B u)(u + X')``, the sign of the second value minus the first."""
    (A, B, X, _), (C, D, Y, _) = one, two
    return C * X - A * Y, C + D * X - A - B * Y, D - B


def _crossing(one: Chosen, two: Chosen, u: Fraction, w: Fraction) -> Place:
    """Return the level in [u, w] up to which the first value is the smaller one."""
    a, b, c = map(Fraction, _difference(one, two))
    inside = []
    for root in roots_of(triple(a, b, c)):
        at = Point.of_fractions(*root)
        ends = [Point.of_fractions(x, Fraction(0), 0) for x in (u, w)]
        if compare(ends[0], at) <= 0 <= compare(ends[1], at):
            inside.append(root)
    if len(inside) == 2:  # one of them is an end, where both values are equal
        inside = [root for root in inside if root[2] or u < root[0] < w] or inside
    return inside[0]


def _around(end: Place, u: Fraction, w: Fraction) -> Spot:
    """Return rational levels on both sides of an irrational one, near it and inside of (u, w)."""
    p, q, root = end
    bits = 64 + root.bit_length()
    while True:
        square = isqrt(root << (2 * bits))
        sides = sorted(p + q * Fraction(square + step, 1 << bits) for step in (0, 1))
        if u < sides[0] and sides[1] < w and (sides[1] - sides[0]) * 4096 < min(sides[0] - u, w - sides[1]):
            return _rounded(sides[0], -1, sides[0] - u), _rounded(sides[1], 1, w - sides[1])
        bits += 64


def _rounded(x: Fraction, side: int, room: Fraction) -> Fraction:
    """Return a shorter number below or above x, by less than 1/1000 of the room."""
    bits = max(0, 12 - (room.numerator.bit_length() - room.denominator.bit_length()))
    return Fraction(((x.numerator << bits) // x.denominator) + (side > 0), 1 << bits)


def _middle(u: Fraction, w: Fraction) -> Fraction:
    """Return the geometric mean of levels that are far apart, else the mean."""
    if w < 4 * u:
        return (u + w) / 2
    product = u * w
    return Fraction(isqrt((product.numerator << 64) // product.denominator), 1 << 32)


def _generic(u: Fraction, w: Fraction, near: Fraction, chance: random.Random) -> Fraction:
    """Return a number of (u, w) near one of them, at which two values are hardly ever equal."""
    room = min(near - u, w - near)
    bits = max(0, 24 - (room.numerator.bit_length() - room.denominator.bit_length()))
    at = (near.numerator << bits) // near.denominator + chance.randrange(1, 1 << 16)
    return Fraction(at, 1 << bits)


def _triangle(chosen: Chosen, a: Fraction, b: Fraction) -> list[Spot]:
    """Return a triangle that contains the curve from a to b: its first end, the crossing of the tangents, its last."""
    x, y, c = chosen.X + a, chosen.X + b, chosen.A - chosen.B * chosen.X
    top = 2 * x * y / (x + y) - chosen.X, chosen.B + 2 * c / (x + y)
    return [(a, chosen.at(a)), top, (b, chosen.at(b))]


def _cut(corners: list[Spot], one: Chosen, two: Chosen, sign: int) -> list[Spot]:
    """Return the corners of the part of a polygon where the first height is not above the second, or not below it."""
    heights = [sign * (two.height(spot) - one.height(spot)) for spot in corners]
    kept: list[Spot] = []
    for i, (spot, height) in enumerate(zip(corners, heights, strict=True)):
        before, other = heights[i - 1], corners[i - 1]
        if before * height < 0:
            part = before / (before - height)
            kept.append((other[0] + part * (spot[0] - other[0]), other[1] + part * (spot[1] - other[1])))
        if height >= 0:
            kept.append(spot)
    return kept
