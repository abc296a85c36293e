"""Upper envelopes in floats with an error bound: which pairs of inputs may touch the privacy profile.

A line ``a - s gamma`` is represented by the point (s, a). The upper envelope of lines on gamma >= 1 corresponds to the
upper concave hull H of the points, continued with slope 1 to the right of its last vertex. A point with ``a < H(s)``
belongs to a line that is below the envelope everywhere.

Error bound, with u = 2^-53:

* A sum of m floats has a relative error of at most (m + 2) u.
* If the ratio of two outputs is so close to gamma that floats exchange them, the sum over the wrong set has a relative
  error of 4 u.
* On the hull an error of s is multiplied by ``gamma``. The result is at most the error of a, since
  ``a - s gamma >= 0`` there.

Hence a pair whose points are all below H by more than ``16 (m + 16) u a`` has no line that touches the profile.
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
    """The upper envelope of the lines of all pairs of columns of a matrix, in floats.

    The cost is k sorts of m k numbers, once in the constructor and once in ``pairs``, and memory for a few arrays of
    this size.

    Args:
        columns: shape (m, k), nonnegative, correctly rounded.
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
        """Yield the ordered pairs (j, l) of columns with a line that may touch the profile."""
        for j in range(self._columns.shape[1]):
            s, a = self._points(j)
            near = (a >= self._height(s) - self._slack * a) & (a > 0)
            yield from ((j, l) for l in numpy.flatnonzero(near.any(axis=0)).tolist() if l != j)  # noqa: E741

    def _points(self, j: int) -> tuple[Array, Array]:
        """Return the points (s, a) of column j against each other column, shape (m, k).

        Point i belongs to the set of the i + 1 outputs with the largest ratios.
        """
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
        """Add points to the hull; the slopes of its edges decrease from left to right and stay above 1."""
        s, a = numpy.concatenate([self._s, s]), numpy.concatenate([self._a, a])
        order = numpy.lexsort((-a, s))
        hull: list[tuple[float, float]] = []
        for x, y in zip(s[order].tolist(), a[order].tolist(), strict=True):
            if hull and (x == hull[-1][0] or y - hull[-1][1] <= x - hull[-1][0]):
                continue  # the point is below the last vertex or on the ray of slope 1 from it
            while len(hull) > 1 and (y - hull[-2][1]) * (hull[-1][0] - hull[-2][0]) >= (hull[-1][1] - hull[-2][1]) * (
                x - hull[-2][0]
            ):
                hull.pop()
            hull.append((x, y))
        self._s, self._a = (numpy.array(part) for part in zip(*hull, strict=True))
