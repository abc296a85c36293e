"""Cells that prove that a maximum is global (rule 39 of the checker): found in floats, verified by the checker.

The coordinates are ``theta = c + W u``, as for the box around the maximum. The search covers the space by a cube
``|u_k| <= R`` and the 2 p cones over its faces. It bisects them until each cell meets one of three conditions:

1. the cell lies in the box;
2. the log-likelihood in the cell is below its value at c;
3. some entry of the gradient has no zero in the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rropt.survey.regression.existence import Groups
from rropt.survey.regression.families import Floats, link
from rropt.survey.regression.ranges import curvature_ranges

_MARGIN = 1e-6  # minimum difference between the log-likelihood at the point and its upper bound in a cell
_SLOPE_MARGIN = 1 + 1e-6
_REACHES = (16, 8, 32)  # half-widths of the cube in radii of the box; the first with little enough work is used
_MOST_CELLS = 4000  # largest number of cells that are examined
_VALUE, _SLOPE = 80, 170  # work of the checker in its units for each row of a cell, by kind of cell
_LEAST_CELLS = (0, 8, 30, 150, 600)  # typical smallest number of cells of a cover, by the number of coefficients
MOST_COEFFICIENTS = 4


@dataclass(frozen=True, slots=True)
class Cover:
    """A cover of the coefficient space by cells.

    Attributes:
        reach: the half-width of the cube.
        trees: the trees of the cells in the format of rule 39.
        work: the approximate work of the checker, in its units.
    """

    reach: float
    trees: tuple[str, ...]
    work: float


def cover(
    model: str, theta: Floats, W: Floats, groups: Groups, chances: Sequence[Floats], radius: float, most_work: float
) -> Cover | None:
    """Return a cover of the coefficient space; ``None`` if no cover is found within the checker's limit.

    Args:
        model: ``logit`` or ``probit``.
        theta, W, radius: the center, directions and radius of the box.
        groups: the rows.
        chances: the matrices of the devices.
        most_work: the largest work of the checker, in its units.
    """
    if len(theta) > MOST_COEFFICIENTS or any(len(matrix) != 2 for matrix in chances):
        return None
    if _LEAST_CELLS[len(theta)] * _VALUE * len(groups.X) > most_work:
        return None
    for times in _REACHES:
        search = _Search(model, theta, W, groups, chances, radius, radius * times, most_work)
        trees = search.trees()
        if trees is not None:
            return Cover(radius * times, trees, search.work)
    return None


class _EndedError(Exception):
    """The work exceeds the limit."""


class _Search:
    """The search for the cells of one cube and its cones."""

    def __init__(
        self,
        model: str,
        theta: Floats,
        W: Floats,
        groups: Groups,
        chances: Sequence[Floats],
        radius: float,
        reach: float,
        most_work: float,
    ) -> None:
        self.model = model
        self.groups, self.chances, self.radius, self.reach = groups, chances, radius, reach
        self.t, self.y = groups.X @ theta, groups.X @ W
        self.p, self.left, self.work, self.most_work = len(theta), _MOST_CELLS, 0.0, most_work
        self.work += _VALUE * (1 + 2 * self.p) * len(self.t)  # the smallest possible cover: a cube and 2 p cones
        matrices = np.array(chances)[groups.device]
        self.at, self.step = matrices[:, :, 0], matrices[:, :, 1] - matrices[:, :, 0]
        share, d = groups.counts[:, 1] / groups.counts.sum(axis=1), self.step[:, 1]
        self.peak = np.clip(np.where(d != 0, (share - self.at[:, 1]) / np.where(d != 0, d, 1), 0), 0, 1)
        self.value = self._values(link(model, self.t)[0]).sum()

    def trees(self) -> tuple[str, ...] | None:
        """Return the trees of the cube and the cones; ``None`` if the work exceeds the limit."""
        try:
            found = [self._cube(np.zeros(self.p), np.full(self.p, self.reach))]
            for axis in range(self.p):
                for sign in (1.0, -1.0):
                    middle, half = np.zeros(self.p), np.ones(self.p)
                    middle[axis] = half[axis] = 0.5
                    found.append(self._cone(axis, sign, middle, half))
        except _EndedError:
            return None
        return tuple(found)

    def _spend(self, units: float) -> None:
        self.left -= 1
        self.work += units * len(self.t)
        if self.left < 0 or self.work > self.most_work:
            raise _EndedError

    def _values(self, truth: Floats) -> Floats:
        """Return the log-likelihood of each row, given the probability that its true category is 1."""
        chance = self.at + self.step * truth[:, None]
        counts = self.groups.counts
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(chance, 0))
        found: Floats = np.where(counts > 0, counts * np.where(counts > 0, logs, 0), 0).sum(axis=1)
        return found

    def _is_below(self, low: Floats, high: Floats) -> bool:
        """Return whether the log-likelihood stays below its value at the point, for predictors in these ranges."""
        with np.errstate(over="ignore"):
            ends = [link(self.model, end)[0] for end in (low, high)]
        return bool(self._values(np.clip(self.peak, *ends)).sum() < self.value - _MARGIN)

    def _has_slope(self, middle: Floats, half: Floats) -> bool:
        """Return whether some entry of the gradient has no zero in a cell."""
        t, size = self.t + self.y @ middle, np.abs(self.y)
        reach = size @ half
        if (np.abs(t) + reach).max() > 900:
            return False
        found = curvature_ranges(self.model, self.groups, self.chances, t[:, None], reach[:, None])
        slope, least, most = (one.reshape(len(t)) for one in found)
        change = np.abs(self.y.T @ (self.y * ((least + most) / 2)[:, None])) @ half
        change = change + size.T @ ((most - least) / 2 * reach)
        return bool((np.abs(self.y.T @ slope) > change * _SLOPE_MARGIN + _MARGIN).any())

    def _cube(self, middle: Floats, half: Floats) -> str:
        if (np.abs(middle) + half <= self.radius).all():
            return "b"
        reach, t = np.abs(self.y) @ half, self.t + self.y @ middle
        if self._is_below(t - reach, t + reach):
            return "v"
        if self._has_slope(middle, half):
            self._spend(_SLOPE - _VALUE)
            return "g"
        self._spend(_VALUE)
        axis = int(np.argmax(half))
        return str(axis) + "".join(self._cube(*part) for part in _parts(middle, half, axis))

    def _cone(self, axis: int, sign: float, middle: Floats, half: Floats) -> str:
        face, width = middle.copy(), half.copy()
        face[axis], width[axis] = sign, 0
        at, reach = self.y @ face, np.abs(self.y) @ width
        far, near = middle[axis] - half[axis], middle[axis] + half[axis]
        beyond = self.reach / far if far > 0 else 1e300
        low, high = at - reach, at + reach
        low = low * np.where(low < 0, beyond, self.reach / near)
        high = high * np.where(high > 0, beyond, self.reach / near)
        if self._is_below(self.t + low, self.t + high):
            return "v"
        self._spend(_VALUE)
        place = int(np.argmax(half))
        return str(place) + "".join(self._cone(axis, sign, *part) for part in _parts(middle, half, place))


def _parts(middle: Floats, half: Floats, axis: int) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return the two halves of a cell, the lower one first."""
    smaller, lower, upper = half.copy(), middle.copy(), middle.copy()
    smaller[axis] /= 2
    lower[axis] -= smaller[axis]
    upper[axis] += smaller[axis]
    return (lower, smaller), (upper, smaller)
