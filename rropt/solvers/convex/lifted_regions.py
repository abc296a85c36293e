"""The region of binary designs in the coordinates that make it convex together with the variance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from rropt.privacy import PrivacyRegion, RationalLevel

__all__ = ["HalfPlane", "LiftedRegion", "Point", "combined", "product"]

Point = tuple[Fraction, Fraction]

HalfPlane = tuple[Fraction, Fraction, Fraction]
"""``(a, b, c)`` with a, b >= 0: the points with ``a r + b s >= c``."""


def product(point: Point, pi: Fraction) -> Fraction:
    """Return n Var of the design at (r, s): ``(r + pi)(s + 1 - pi)``."""
    r, s = point
    return (r + pi) * (s + 1 - pi)


@dataclass(frozen=True, slots=True)
class LiftedRegion:
    """The designs with p00 + p11 > 1 of a region at a rational level, as half-planes in (r, s).

    With ``u = 1/(p00 + p11 - 1)``, ``r = (1 - p00) u`` and ``s = (1 - p11) u`` (so that p00 u = 1 + s, p11 u = 1 + r,
    u = 1 + r + s) an inequality ``a p00 + b p11 + c >= 0``, times u > 0, is ``(b + c) r + (a + c) s >= -(a + b + c)``.
    The map is one to one onto ``r, s >= 0``: back, ``p00 = (1 + s)/(1 + r + s)`` and ``p11 = (1 + r)/(1 + r + s)``.

    All of (12) have nonnegative coefficients there, so the region contains with a point every larger one; inequalities
    with a bound <= 0 hold for all r, s >= 0 and are left out.

    Attributes:
        rows: the half-planes with a bound > 0, beside r, s >= 0.
        diagonal: whether only r = s is allowed (Warner's designs).
    """

    rows: tuple[HalfPlane, ...]
    diagonal: bool

    @classmethod
    def of(cls, region: PrivacyRegion, level: RationalLevel) -> LiftedRegion:
        """Return the lifted region of a binary privacy region at a rational level."""
        rows = []
        for inequality in region.inequalities(level):
            a, b, c = (Fraction(cast(Fraction, x)) for x in inequality.row)
            if a + b + c < 0:
                rows.append((b + c, a + c, -(a + b + c)))
        return cls(tuple(rows), region.family == "warner")

    def on_boundary(self, point: Point) -> Point | None:
        """Return the first point of the region on the ray from 0 through a point, exactly; None if there is none."""
        r, s = point
        along = [(a * r + b * s, c) for a, b, c in self.rows]
        if any(slope <= 0 for slope, _ in along):
            return None
        factor = max((c / slope for slope, c in along), default=Fraction(0))
        return factor * r, factor * s

    def raised(self, point: Point) -> Point:
        """Return the first point of the region from a point r, s >= 0 on, in the direction (1, 1).

        When only r = s is allowed, the larger coordinate counts for both.
        """
        r, s = (max(point), max(point)) if self.diagonal else point
        shift = max((max(Fraction(0), c - a * r - b * s) / (a + b) for a, b, c in self.rows), default=Fraction(0))
        return r + shift, s + shift

    def warner(self) -> Point:
        """Return the first point with r = s: Warner's design p00 = p11 of least variance."""
        return self.raised((Fraction(0), Fraction(0)))

    def ends(self) -> tuple[Point | None, Point | None]:
        """Return the first points on the axes r = 0 and s = 0, None where an axis stays outside the region."""
        if self.diagonal:
            return None, None
        return self.on_boundary((Fraction(0), Fraction(1))), self.on_boundary((Fraction(1), Fraction(0)))


def combined(rows: Iterable[HalfPlane], multipliers: Iterable[Fraction]) -> HalfPlane:
    """Return the half-plane ``sum_k y_k row_k``: for multipliers y >= 0 it contains the region (weak duality)."""
    weighted = [(y * a, y * b, y * c) for y, (a, b, c) in zip(multipliers, rows, strict=True)]
    a, b, c = (sum(column, Fraction(0)) for column in zip(*weighted, strict=True))
    return a, b, c
