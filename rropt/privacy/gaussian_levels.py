"""Polygons of levels around and within Gaussian differential privacy (``LevelsRegion.gaussian``).

A mechanism is mu-GDP if every pair of its columns has a trade-off function that is at least
``G(a) = Phi(Phi^-1(1 - a) - mu)`` (Dong, Roth and Su 2022). G is convex. Its points are ``(Phi(-t), Phi(t - mu))``,
with slope ``-exp(mu t - mu^2/2)``.

* A tangent of G is a level that every mu-GDP mechanism satisfies. Its numbers are rounded outwards to rationals.
* The chords between points on or above G are levels that together imply mu-GDP, because on its own segment every chord
  is above G. Their numbers are rounded inwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from rropt.core.exact.rational_bounds import ball, bracket, normal_cdf

Point = tuple[Fraction, Fraction]

_UNIT = 10**8  # points and deltas are multiples of 1/_UNIT, or finer under a small mu
_LARGEST_DENOMINATOR = 1000  # of gamma for tangents, unless mu is small
_PRECISION = 128
_FINE = 320  # precision that decides on which side of G a point is
_WIDTH, _WIDER, _STEPS = 1.1, 0.9, 1000  # width of the distribution of points, which are multiples of 1/_STEPS


def tangents(mu: Fraction, count: int) -> list[tuple[Fraction, Fraction]]:
    """Return (gamma, delta) of levels that every mu-GDP mechanism satisfies, ``gamma = exp(epsilon)``."""
    from flint import ctx

    found, scale = [], _scale(mu)
    with ctx.workprec(_PRECISION):
        for t in _points(mu, count):
            near = bracket((ball(mu * t - mu**2 / 2)).exp()).lower
            gamma = max(Fraction(1), near.limit_denominator(_LARGEST_DENOMINATOR * scale))
            at = ball(gamma).log() / ball(mu)
            half = ball(mu / 2)
            delta = normal_cdf(half - at) - ball(gamma) * normal_cdf(-half - at)
            found.append((gamma, _above(delta, _UNIT * scale)))
    return found


def chords(mu: Fraction, count: int) -> list[tuple[Fraction, Fraction]]:
    """Return (gamma, delta) of levels that together imply mu-GDP; the last one has delta = 0."""
    from flint import ctx

    unit = _UNIT * _scale(mu)
    with ctx.workprec(_PRECISION):
        ends = ((normal_cdf(ball(-t)), normal_cdf(ball(t - mu))) for t in _points(mu, count))
        points = {(_above(a, unit), _above(b, unit)) for a, b in ends}
    found = []
    for (next_a, next_b), (a, b) in pairwise(_lowest(points)):
        gamma = (next_b - b) / (a - next_a)
        if gamma < 1:  # the other half of the polygon is the mirror image
            break
        found.append((gamma, 1 - b - gamma * a))
    return found[::-1]


def _lowest(points: Iterable[Point]) -> list[Point]:
    """Return the vertices, by ascending a, of the largest convex function below the points and their mirror images.

    Rounding may put a point above the chord of its neighbors, or two points at one place; these points are left out.
    """
    both = {(Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))} | {(b, a) for a, b in points} | {*points}
    found: list[Point] = []
    for a, b in sorted(both):
        while len(found) > 1 and _turn(found[-2], found[-1], (a, b)) <= 0:
            found.pop()
        found.append((a, b))
    return found


def _turn(one: Point, middle: Point, other: Point) -> Fraction:
    """Return a number that is positive if the middle point is below the line through the others."""
    (a, b), (c, d), (e, f) = one, middle, other
    return (c - a) * (f - b) - (d - b) * (e - a)


def corners(null: Sequence[Fraction], other: Sequence[Fraction]) -> Iterable[tuple[Fraction, Fraction]]:
    """Return the vertices (type I error, type II error) of the trade-off function of two columns, without (0, 1)."""
    atoms = [(p, q) for p, q in zip(null, other, strict=True) if p or q]
    alpha, beta = Fraction(0), Fraction(1)
    for p, q in sorted(atoms, key=lambda atom: atom[0] / (atom[0] + atom[1])):
        alpha, beta = alpha + p, beta - q
        yield alpha, beta


def is_above(corner: tuple[Fraction, Fraction], mu: Fraction) -> bool | None:
    """Return whether a point (a, b) satisfies ``b >= G(a)``; None if a ball around G(a) does not decide it."""
    from flint import arb, ctx

    a, b = sorted(corner)  # G is its own inverse
    if a + b >= 1 or not a:
        return a + b >= 1
    with ctx.workprec(_FINE):
        point = arb(2).sqrt() * (2 * ball(a)).erfcinv()  # t with 1 - Phi(t) = a
        slack = normal_cdf(ball(mu) - point) - ball(1 - b)  # 1 - Phi(t - mu) = Phi(mu - t): b may be close to 1
    return True if slack >= 0 else False if slack < 0 else None


def _points(mu: Fraction, count: int) -> list[Fraction]:
    """Return the parameters t of ``count`` points, starting on the diagonal: quantiles of a half-normal distribution.

    An interval of t between two points costs about its density of outputs times the third power of its length. Hence
    lengths proportional to the density to the power -1/3 are best, which gives a wider distribution than the standard
    normal. The width is a fit to A-optimality for three categories at mu = 1/4, 1 and 3.
    """
    width = _WIDTH + _WIDER / (1 + float(mu))
    quantiles = (width * NormalDist().inv_cdf((1 + i / count) / 2) for i in range(count))
    return [mu / 2 + Fraction(round(t * _STEPS), _STEPS) for t in quantiles]


def _above(x: Any, unit: int) -> Fraction:
    return Fraction(-((-bracket(x).upper * unit).__floor__()), unit)


def _scale(mu: Fraction) -> int:
    """Return a power of 10 of the size of 1/mu: under a small mu all levels are close to one another."""
    return 10 ** (len(str(int(1 / mu))) - 1) if mu < 1 else 1
