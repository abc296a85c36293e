"""Envelopes in floats, with the error they may have: which lines of which pairs may touch the privacy profile.

A line ``a - s gamma`` is the point (s, a); the upper envelope of lines on gamma >= 1 is the upper concave hull H of the
points, continued beyond its last vertex with slope 1. A point with ``a < H(s)`` belongs to a line that lies below the
envelope everywhere.

With u = 2^-53, sums of m floats are off by at most (m + 2) u of themselves, and where the ratio of two outputs is so
near gamma that floats exchange them, a sum over the wrong set is off by 4 u of itself. On the hull the error of s is
worth ``gamma`` times as much, which is at most that of a, since ``a - s gamma >= 0`` there. So a pair all of whose
points lie below H by more than ``16 (m + 16) u a`` has no line that touches the profile.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class FloatEnvelope:
    """The upper envelope of all lines of a matrix, in floats.

    Args:
        columns: shape (m, k), nonnegative, correctly rounded.

    Cost: k sorts of m k numbers in memory for a few arrays of that size, once here and once in ``pairs``.
    """

    def __init__(self, columns: Array) -> None:
        self._columns = columns
        self._slack = 16 * (len(columns) + 16) * 2.0**-53
        self._s, self._a = numpy.zeros(1), numpy.zeros(1)
        for j in range(columns.shape[1]):
            s, a = (points.ravel() for points in self._points(j))
            above = a > self._height(s)
            if above.any():
                self._add(s[above], a[above])

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the ordered pairs (j, l) of columns of which a line may touch the profile."""
        for j in range(self._columns.shape[1]):
            s, a = self._points(j)
            near = (a >= self._height(s) - self._slack * a) & (a > 0)
            yield from ((j, l) for l in numpy.flatnonzero(near.any(axis=0)).tolist() if l != j)  # noqa: E741

    def vertices(self) -> list[tuple[int, int]]:
        """Return for each vertex of the hull one ordered pair (j, l) of columns of which a line is that vertex."""
        found: dict[int, tuple[int, int]] = {}
        for j in range(self._columns.shape[1]):
            s, a = self._points(j)
            places = numpy.minimum(numpy.searchsorted(self._s, s), len(self._s) - 1)
            _, others = numpy.nonzero(hits := (self._s[places] == s) & (self._a[places] == a))
            for place, other in zip(places[hits].tolist(), others.tolist(), strict=True):
                found.setdefault(place, (j, other))
        return sorted({pair for pair in found.values() if pair[0] != pair[1]})

    def is_near(self, intercept: float, slope: float) -> bool:
        """Return whether the line of these floats, correctly rounded, may touch the profile."""
        return intercept >= float(self._height(numpy.array([slope]))[0]) - self._slack * intercept

    def _points(self, j: int) -> tuple[Array, Array]:
        """Return (s, a) of the sets "the i + 1 outputs of largest ratio" against each other column, shape (m, k)."""
        left = numpy.broadcast_to(self._columns[:, j : j + 1], self._columns.shape)
        with numpy.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ratios = numpy.where(left > 0, left / self._columns, 0.0)
        order = numpy.argsort(-ratios, axis=0)
        s, a = (numpy.take_along_axis(x, order, axis=0).cumsum(axis=0) for x in (self._columns, left))
        return s, a

    def _height(self, s: Array) -> Array:
        result: Array = numpy.interp(s, self._s, self._a) + numpy.maximum(s - self._s[-1], 0.0)
        return result

    def _add(self, s: Array, a: Array) -> None:
        """Take points into the hull: its edges fall in slope from left to right and stay above 1."""
        s, a = numpy.concatenate([self._s, s]), numpy.concatenate([self._a, a])
        order = numpy.lexsort((-a, s))
        hull: list[tuple[float, float]] = []
        for x, y in zip(s[order].tolist(), a[order].tolist(), strict=True):
            if hull and (x == hull[-1][0] or y - hull[-1][1] <= x - hull[-1][0]):
                continue  # below, or reached with slope 1
            while len(hull) > 1 and (y - hull[-2][1]) * (hull[-1][0] - hull[-2][0]) >= (hull[-1][1] - hull[-2][1]) * (
                x - hull[-2][0]
            ):
                hull.pop()
            hull.append((x, y))
        self._s, self._a = (numpy.array(part) for part in zip(*hull, strict=True))
