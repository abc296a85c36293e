"""Curves of breach regions as decimals: limits of criteria, with their jumps, and curves of one Bayes factor."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from rropt.plots.styles import CURVE_POINTS, PIECE_POINTS
from rropt.privacy.criteria.expressions import Expression
from rropt.privacy.parity_bounds.cells import split
from rropt.privacy.parity_bounds.functions import Cell, Leaf, Rational, ball_of, value_ball

Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


def odds_curve(factor: float) -> Curve:
    """Return (p, p*) along one Bayes factor: ``p* = g p / (1 + (g - 1) p)``, at even distances along it."""
    t = np.linspace(0.0, 1.0, CURVE_POINTS)
    if factor in (0.0, inf):  # certainty: p* is 0 or 1 at every prior
        return t, np.full(CURVE_POINTS, float(factor > 0))
    root = np.sqrt(factor)  # symmetric about the other diagonal: dense where the curve is steep
    return t / (t + root * (1 - t)), root * t / (root * t + (1 - t))


def boundary(tree: Expression) -> Curve:
    """Return (p, p*) along a limit, cell by cell, with its jumps."""
    pieces = [_sampled(cell, leaf) for cell, leaf in split(tree) if not cell.is_point]
    return np.concatenate([x for x, _ in pieces]), np.concatenate([y for _, y in pieces])


def _sampled(cell: Cell, leaf: Leaf) -> Curve:
    low, high = float(cell.low), float(cell.high)
    p = np.linspace(low, high, points_between(low, high))
    if isinstance(leaf, Rational):
        above, below = (np.array([float(c.p) / float(c.q) for c in f.coeffs()]) for f in (leaf.above, leaf.below))
        with np.errstate(all="ignore"):
            values = np.polynomial.polynomial.polyval(p, above if len(above) else np.zeros(1))
            values = values / np.polynomial.polynomial.polyval(p, below)
    else:
        values = np.array([float(value_ball(leaf, ball_of(Fraction(x))).mid()) for x in p])
    fine = np.isfinite(values)  # at the ends 0/0 may stand where the limit is finite
    return p[fine], np.clip(values[fine], 0.0, 1.0)


def common_cells(*trees: Expression) -> Iterator[tuple[float, float]]:
    """Iterate over the intervals between all breaks of several limits."""
    cuts = sorted({float(end) for tree in trees for cell, _ in split(tree) for end in (cell.low, cell.high)})
    yield from pairwise(cuts)


def points_between(low: float, high: float) -> int:
    """Return how many points a piece of a limit gets."""
    return max(PIECE_POINTS, round((high - low) * CURVE_POINTS))
