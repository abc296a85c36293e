"""The simplex method over covers of the inputs, in integers; a cover does not depend on the level.

A row of a mechanism at gamma = 1 + u is a sum of rows ``t (1 + u [j in S])`` over sets S of inputs. With ``x = t (X +
u)``, X the sum of the x, the columns sum to 1 iff each input is covered once: ``sum_{S with j} x_S = 1`` for every j.
The cost is then ``(A + B u)/(X + u)``, with ``A = sum x L_d`` and ``B = sum x l_d(S)``, where L_d is the sum of row d
of the costs and l_d(S) its sum over S. So a basis that is feasible at one level is feasible at all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import NamedTuple

from rropt.checker.quadratics import (
    Point,
    Quadratic,
    compare,
    crossings,
    discriminant,
    sign_after,
    sign_at,
    sign_before,
)

Member = tuple[int, tuple[int, ...]]  # an output, and a set of inputs in ascending order


class Line(NamedTuple):
    """The value ``(A + B u)/(X + u)``, as integers over ``scale``."""

    A: int
    B: int
    X: int
    scale: int


class Dual(NamedTuple):
    """The duals of a basis: ``(X + u) y_j`` as quadratics over ``scale``, and the interval where they prove its value.

    ``high`` None is infinity.
    """

    y: list[Quadratic]
    scale: int
    low: Point
    high: Point | None


class CoverSimplex:
    """A basis of covers, moved from one optimum to the next.

    Args:
        costs: the costs c_dj as integers, shape (m, k).
    """

    def __init__(self, costs: Sequence[Sequence[int]]) -> None:
        self.costs = [list(row) for row in costs]
        self.k = len(self.costs[0])
        self.totals = [sum(row) for row in self.costs]
        cheapest = [min(range(len(costs)), key=lambda d: costs[d][j]) for j in range(self.k)]
        self.basis: list[Member] = [(d, (j,)) for j, d in enumerate(cheapest)]
        # the inverse of the matrix of the sets of the basis, over its determinant
        self.inverse = [[int(i == j) for j in range(self.k)] for i in range(self.k)]
        self.determinant = 1

    def line(self) -> Line:
        """Return the value of the basis."""
        weights = list(map(sum, self.inverse))
        A = sum(x * self.totals[d] for x, (d, _) in zip(weights, self.basis, strict=True))
        B = sum(
            x * sum(self.costs[d][j] for j in inputs) for x, (d, inputs) in zip(weights, self.basis, strict=True) if x
        )
        return Line(A, B, sum(weights), self.determinant)

    def rows(self) -> list[tuple[int, tuple[int, ...], Fraction]]:
        """Return the rows of the mechanism: output, set of inputs, and weight x > 0."""
        weights = zip(self.basis, map(sum, self.inverse), strict=True)
        return [(d, inputs, Fraction(x, self.determinant)) for (d, inputs), x in weights if x]

    def optimize(self, u: Fraction) -> None:
        """Move the basis to an optimum at ``gamma = 1 + u``, u > 0."""
        while (entering := self._entering(u)) is not None:
            self._enter(entering)

    def _entering(self, u: Fraction) -> Member | None:
        """Return the row of least reduced cost if that is negative: for each output the best set is known."""
        n, e = u.numerator, u.denominator
        A, B, X, D = self.line()
        above, below = A * e + B * n, n * D + X * e  # the value v = above/below
        scaled = [self.totals[d] * e + n * sum(self.costs[d][j] for j in inputs) for d, inputs in self.basis]
        slack = [s * below - above * e for s in scaled]  # of the basic rows, times e below
        y = [sum(s * row[j] for s, row in zip(slack, self.inverse, strict=True) if s) for j in range(self.k)]
        unit = n * below * D  # y is over e below D
        best, least = None, 0
        for d, (row, total) in enumerate(zip(self.costs, self.totals, strict=True)):
            over = [value - unit * c for value, c in zip(y, row, strict=True)]
            reduced = (total * below - above) * e * D - sum(x for x in over if x > 0)
            if reduced < least:
                inputs = tuple(j for j, x in enumerate(over) if x > 0)
                best, least = (d, inputs or tuple(range(self.k))), reduced
        return best

    def _enter(self, entering: Member) -> None:
        """Exchange a row of the basis; the lexicographic rule of ratios excludes cycles."""
        inputs = entering[1]
        column = [sum(row[j] for j in inputs) for row in self.inverse]
        weights = list(map(sum, self.inverse))
        leaving = -1
        for i, w in enumerate(column):
            if w > 0 and (leaving < 0 or self._precedes(i, leaving, column, weights)):
                leaving = i
        pivot, own = column[leaving], self.inverse[leaving]
        self.inverse = [
            own if i == leaving else [(pivot * a - w * b) // self.determinant for a, b in zip(row, own, strict=True)]
            for i, (row, w) in enumerate(zip(self.inverse, column, strict=True))
        ]
        self.determinant = pivot
        self.basis[leaving] = entering

    def _precedes(self, i: int, j: int, column: list[int], weights: list[int]) -> bool:
        """Return whether row i of (x, inverse), divided by its entry of the column, comes before row j."""
        for a, b in zip((weights[i], *self.inverse[i]), (weights[j], *self.inverse[j]), strict=True):
            if (change := a * column[j] - b * column[i]) != 0:
                return change < 0
        return False

    def dual(self, u: Fraction, start: Point) -> Dual | None:
        """Return the duals of the basis and the interval around u where they prove its value.

        None if u is not generic: a condition holds with equality at u, but not everywhere.

        Args:
            u: a level at which the basis is optimal.
            start: the least level of the problem.
        """
        A, B, X, D = self.line()
        slack = [
            (
                self.totals[d] * X - A,
                self.totals[d] * D + (own := sum(self.costs[d][j] for j in inputs)) * X - B,
                own * D,
            )
            for d, inputs in self.basis
        ]
        y = [_combined(slack, [row[j] for row in self.inverse]) for j in range(self.k)]
        here = Point.of(u.numerator, 0, 0, u.denominator)
        low: Point = start
        high: Point | None = None
        for row, total in zip(self.costs, self.totals, strict=True):
            over = [(p, q - X * c * D, r - c * D * D) for (p, q, r), c in zip(y, row, strict=True)]
            signs = [sign_at(term, here) for term in over]
            if any(not s and any(term) for s, term in zip(signs, over, strict=True)):
                return None
            left = ((total * X - A) * D, (total * D - B) * D, 0)
            for s, term in zip(signs, over, strict=True):
                if s > 0:
                    left = _less(left, term)
            if any(left) and sign_at(left, here) <= 0:
                return None
            high = _upper_end(left, over, signs, here, high)
            low = _lower_end(left, over, signs, here, low)
        return Dual(y, D * D, low, high)


def _combined(quadratics: Sequence[Quadratic], weights: Sequence[int]) -> Quadratic:
    p = q = r = 0
    for (a, b, c), weight in zip(quadratics, weights, strict=True):
        if weight:
            p, q, r = p + weight * a, q + weight * b, r + weight * c
    return p, q, r


def _less(left: Quadratic, term: Quadratic, times: int = 1) -> Quadratic:
    return left[0] - times * term[0], left[1] - times * term[1], left[2] - times * term[2]


def _roots(Q: Quadratic) -> list[Point]:
    """Return the roots of a quadratic in ascending order."""
    a, b, c = Q
    if not c:
        return [Point.of(-a, 0, 0, b)] if b else []
    d = discriminant(Q)
    side = 1 if c > 0 else -1
    return [] if d < 0 else [Point.of(-b, -side, d, 2 * c), Point.of(-b, side, d, 2 * c)]


def _first_negative(Q: Quadratic, s: Point, t: Point | None) -> Point | None:
    """Return the first point of [s, t) after which a quadratic, >= 0 at s, is negative; None if there is none."""
    if sign_after(Q, s) < 0:
        return s
    for root in _roots(Q):
        if compare(root, s) > 0 and compare(root, t) < 0 and sign_after(Q, root) < 0:
            return root
    return None


def _last_negative(Q: Quadratic, s: Point, t: Point) -> Point | None:
    """Return the last point of (s, t] before which a quadratic, >= 0 at t, is negative; None if there is none."""
    if sign_before(Q, t) < 0:
        return t
    for root in reversed(_roots(Q)):
        if compare(root, s) > 0 and compare(root, t) < 0 and sign_before(Q, root) < 0:
            return root
    return None


def _compared(one: tuple[Point, int], two: tuple[Point, int]) -> int:
    return compare(one[0], two[0])


_BY_POINT = cmp_to_key(_compared)


def _upper_end(
    left: Quadratic, over: Sequence[Quadratic], signs: Sequence[int], here: Point, high: Point | None
) -> Point | None:
    """Return up to where ``left`` less the terms that have become positive is nonnegative, at most ``high``."""
    cuts = [(point, i) for i, term in enumerate(over) if signs[i] for point in crossings(term, here, high, signs[i])]
    cuts.sort(key=_BY_POINT)
    positive, at = [s > 0 for s in signs], here
    for point, i in [*cuts, (high, -1)]:
        end = _first_negative(left, at, point)
        if end is not None:
            return end
        if i < 0 or point is None:
            break
        left, positive[i], at = _less(left, over[i], -1 if positive[i] else 1), not positive[i], point
    return high


def _lower_end(left: Quadratic, over: Sequence[Quadratic], signs: Sequence[int], here: Point, low: Point) -> Point:
    """Return down to where ``left`` less the terms that are positive is nonnegative, at least ``low``."""
    cuts = [
        (point, i)
        for i, term in enumerate(over)
        if (first := sign_after(term, low))
        for point in crossings(term, low, here, first)
    ]
    cuts.sort(key=_BY_POINT, reverse=True)
    positive, at = [s > 0 for s in signs], here
    for point, i in [*cuts, (low, -1)]:
        end = _last_negative(left, point, at)
        if end is not None:
            return end
        if i < 0:
            break
        left, positive[i], at = _less(left, over[i], -1 if positive[i] else 1), not positive[i], point
    return low
