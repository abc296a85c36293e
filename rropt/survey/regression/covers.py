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
_ROUGH = 2e-5  # error of the checker's tables in the log-likelihood of a respondent
_STEP, _LAST = 16, 256  # the tables have entries at the predictors k/16, for k from -256 to 256
_SLOPE_MARGIN = 1 + 1e-6
_REACHES = (16, 32, 8)  # half-widths of the cube in radii of the box; that with the least work is used
_MOST_CELLS = 20_000  # largest number of cells that are examined
_VALUE, _SLOPE = 6, 11  # work of the checker in its units for each row of a cell, by kind of cell
_SETUP, _TABLE = 200, 25_000  # the same for each row, and for the table of each response of a mechanism
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
    least = _LEAST_CELLS[len(theta)] * _VALUE * len(groups.X)
    if least + _first_work(groups, chances) > most_work:
        return None
    found = None
    for times in _REACHES:
        search = _Search(model, theta, W, groups, chances, radius, radius * times, found.work if found else most_work)
        trees = search.trees()
        if trees is not None:
            found = Cover(radius * times, trees, search.work)
    return found


def _first_work(groups: Groups, chances: Sequence[Floats]) -> float:
    """Return the checker's work before the first cell: tables of the responses, and the best value of each row."""
    return _TABLE * float(sum(len(matrix) for matrix in chances)) + _SETUP * len(groups.X)


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
        self.work += _first_work(groups, chances)
        self.work += _VALUE * (1 + 2 * self.p) * len(self.t)  # the smallest possible cover: a cube and 2 p cones
        matrices = np.array(chances)[groups.device]
        self.at, self.step = matrices[:, :, 0], matrices[:, :, 1] - matrices[:, :, 0]
        share, d = groups.counts[:, 1] / groups.counts.sum(axis=1), self.step[:, 1]
        self.peak = np.clip(np.where(d != 0, (share - self.at[:, 1]) / np.where(d != 0, d, 1), 0), 0, 1)
        self._bends = _Bends(model, groups, chances)
        counts = groups.counts.sum(axis=1)
        self.value = self._values(link(model, self.t)[0]).sum() - _ROUGH * counts.sum() - _MARGIN

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
        return bool(self._values(np.clip(self.peak, *ends)).sum() < self.value)

    def _has_slope(self, middle: Floats, half: Floats) -> bool:
        """Return whether some entry of the gradient has no zero in a cell."""
        t, size = self.t + self.y @ middle, np.abs(self.y)
        reach = size @ half
        if (np.abs(t) + reach).max() >= _LAST / _STEP:
            return False  # the checker would have to examine many parts without its tables
        near = np.rint(t * _STEP) / _STEP
        spans = [bend * (t - near) for bend in self._bends.ranges(near, near)]  # as the tables bound the slope at t
        slope, doubt = self._slope(near) + (spans[0] + spans[1]) / 2, np.abs(spans[0] - spans[1]) / 2
        least, most = self._bends.ranges(t - reach, t + reach)
        change = np.abs(self.y.T @ (self.y * ((least + most) / 2)[:, None])) @ half
        change = change + size.T @ ((most - least) / 2 * reach + doubt)
        return bool((np.abs(self.y.T @ slope) > change * _SLOPE_MARGIN + _MARGIN).any())

    def _slope(self, t: Floats) -> Floats:
        """Return the derivative of each row's log-likelihood in its predictor."""
        F, f, _ = link(self.model, t)
        counts = self.groups.counts
        with np.errstate(divide="ignore", invalid="ignore"):
            relative = self.step * f[:, None] / (self.at + self.step * F[:, None])
        found: Floats = np.where(counts > 0, counts * relative, 0).sum(axis=1)
        return found

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


class _Bends:
    """Ranges of the second derivatives of responses next to the entries of the checker's tables."""

    def __init__(self, model: str, groups: Groups, chances: Sequence[Floats]) -> None:
        self.device, self.counts = groups.device, groups.counts
        t = np.arange(-_LAST, _LAST + 1)[:, None] / _STEP
        blank, outputs = np.zeros(len(t), np.int64), groups.counts.shape[1]
        tables = np.zeros((2, len(chances), outputs, len(t)))
        for device in range(len(chances)):
            for z in range(outputs):
                one = Groups(np.zeros((len(t), 0)), blank + device, np.eye(outputs)[blank + z])
                _, least, most = curvature_ranges(model, one, chances, t, np.full_like(t, 1 / (2 * _STEP)))
                known = ~np.isnan(least + most)[:, 0, 0]
                tables[:, device, z] = [np.where(known, least[:, 0, 0], -1e99), np.where(known, most[:, 0, 0], 1e99)]
        levels = [tables]  # those of blocks of 1, 2, 4, ... entries
        while 2 ** len(levels) <= len(t):
            last, half = levels[-1].copy(), 2 ** (len(levels) - 1)
            shifted = np.concatenate([last[..., half:], np.repeat(last[..., -1:], half, axis=-1)], axis=-1)
            last[0], last[1] = np.minimum(last[0], shifted[0]), np.maximum(last[1], shifted[1])
            levels.append(last)
        self._all = np.array(levels)

    def ranges(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Return bounds of the second derivative of each row between predictors."""
        first, last = (np.rint(end * _STEP).astype(np.int64) + _LAST for end in (low, high))
        level = np.log2(last - first + 1).astype(np.int64)
        z = np.arange(self.counts.shape[1])[:, None]
        one, other = (self._all[level, :, self.device, z, at] for at in (first, last + 1 - 2**level))
        least, most = np.minimum(one[..., 0], other[..., 0]), np.maximum(one[..., 1], other[..., 1])
        return (self.counts.T * least).sum(axis=0), (self.counts.T * most).sum(axis=0)


def _parts(middle: Floats, half: Floats, axis: int) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return the two halves of a cell, the lower one first."""
    smaller, lower, upper = half.copy(), middle.copy(), middle.copy()
    smaller[axis] /= 2
    lower[axis] -= smaller[axis]
    upper[axis] += smaller[axis]
    return (lower, smaller), (upper, smaller)
