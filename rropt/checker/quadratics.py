"""Points ``(p + q sqrt(D))/s`` of the half-line and quadratics with integer coefficients, compared exactly.

A point is stored with the products that a quadratic needs at it. None is the point at infinity.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

Quadratic = tuple[int, int, int]  # the coefficients of 1, u and u^2


class Point(NamedTuple):
    """The number ``(p + q sqrt(D))/s``, s > 0, D >= 0."""

    p: int
    q: int
    D: int
    s: int
    squares: tuple[int, int, int, int, int]  # s^2, s p, p^2 + q^2 D; s q, 2 p q

    @classmethod
    def of(cls, p: int, q: int, D: int, s: int) -> Point:
        """Return the point (p + q sqrt(D))/s, s not 0."""
        if s < 0:
            p, q, s = -p, -q, -s
        return cls(p, q, D, s, (s * s, s * p, p * p + q * q * D, s * q, 2 * p * q))

    @classmethod
    def of_fractions(cls, p: Fraction, q: Fraction, D: int) -> Point:
        """Return the point p + q sqrt(D)."""
        s = lcm(p.denominator, q.denominator)
        return cls.of(p.numerator * (s // p.denominator), q.numerator * (s // q.denominator), D, s)

    @property
    def bits(self) -> int:
        """The bit length of the longest product that is stored."""
        return max(abs(x) for x in self.squares).bit_length()


def sign(x: int) -> int:
    """Return -1, 0 or 1."""
    return (x > 0) - (x < 0)


def sign_of(p: int, q: int, D: int) -> int:
    """Return the sign of ``p + q sqrt(D)``."""
    a, b = sign(p), sign(q) if D else 0
    if a == b or not b:
        return a
    return b if not a else a * sign(p * p - q * q * D)


def compare(s: Point | None, t: Point | None) -> int:
    """Return the sign of s - t."""
    if s is None or t is None:
        return (s is None) - (t is None)
    p, q, w = s.p * t.s - t.p * s.s, s.q * t.s, t.q * s.s
    a, b = sign_of(p, q, s.D), -sign(w) if t.D else 0
    if a == b or not a or not b:
        return a or b
    return a * sign_of(p * p + q * q * s.D - w * w * t.D, 2 * p * q, s.D)


def sign_at(Q: Quadratic, s: Point | None) -> int:
    """Return the sign of a quadratic at a point; at infinity that of its leading coefficient."""
    a, b, c = Q
    if s is None:
        return sign(c or b or a)
    ss, sp, pp, sq, pq = s.squares
    return sign_of(a * ss + b * sp + c * pp, b * sq + c * pq, s.D)


def slope_at(Q: Quadratic, s: Point | None) -> int:
    """Return the sign of the derivative of a quadratic at a point."""
    return sign_at((Q[1], 2 * Q[2], 0), s)


def sign_after(Q: Quadratic, s: Point) -> int:
    """Return the sign of a quadratic just above a point: 0 only if it is 0 everywhere."""
    return sign_at(Q, s) or slope_at(Q, s) or sign(Q[2])


def sign_before(Q: Quadratic, s: Point | None) -> int:
    """Return the sign of a quadratic just below a point, which may be infinity."""
    return sign_at(Q, s) or -slope_at(Q, s) or sign(Q[2])


def discriminant(Q: Quadratic) -> int:
    """Return ``b^2 - 4 a c``."""
    return Q[1] * Q[1] - 4 * Q[0] * Q[2]


def crossings(Q: Quadratic, s: Point, t: Point | None, first: int) -> list[Point]:
    """Return where a quadratic changes its sign on the open interval (s, t), in ascending order.

    Args:
        Q: the quadratic, not 0 everywhere.
        s, t: the interval.
        first: its sign just above s.
    """
    last = sign_before(Q, t)
    a, b, c = Q
    if first != last:  # one change; at a root with the derivative of the sign `last`
        return [Point.of(-b, last, discriminant(Q), 2 * c) if c else Point.of(-a, 0, 0, b)]
    if sign(c) != first or slope_at(Q, s) * first >= 0 or slope_at(Q, t) * first <= 0 or (d := discriminant(Q)) <= 0:
        return []
    return [Point.of(-b, -first, d, 2 * c), Point.of(-b, first, d, 2 * c)]


def is_nonnegative(Q: Quadratic, s: Point, t: Point | None) -> bool:
    """Return whether ``Q >= 0`` on [s, t]: at the ends, and at its vertex if that is a minimum between them."""
    if sign_at(Q, s) < 0 or sign_at(Q, t) < 0:
        return False
    return Q[2] <= 0 or slope_at(Q, s) >= 0 or slope_at(Q, t) <= 0 or discriminant(Q) <= 0
