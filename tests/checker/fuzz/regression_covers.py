"""Rule 34: covers that prove a maximum to be global, and false ones.

The likelihoods of few rows have several maxima, or are largest at infinity. A claim about one that is not the largest
is false, whatever cells it has: the cells are found in floats, and where none is honest a leaf of some kind stands in
its place. The truth comes from values on a fine grid.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from .harness import Piece
from .regressions import DEVICES, Sample, bounds, drawn, file, rational

F = Fraction
ORACLE = "values on a grid"
DECIDING = {
    "regression-cover": (
        "a value in a cell may reach",
        "the gradient is not proved",
        "a cell is not in the box",
        "an error is below",
        "a tree of cells",
        "a cell of a cone",
        "reach is not positive",
        "number of outputs than 2",
        "is not proved to be concave",
        "is not proved to contain",
    )
}
_DEEPEST = 14  # halvings until a leaf stands where none is honest
_BINARY = tuple(device for device in DEVICES if len(device) == 2)


def cover(made: dict[str, Any], reach: Any, cells: list[Any]) -> dict[str, Any]:
    """Return the certificate of a box as that of a cover."""
    claim = {**made["claim"], "kind": "global-maximum"}
    witness = {**made["witness"], "rule": "regression-cover", "reach": str(reach), "cells": cells}
    return {**made, "claim": claim, "witness": witness}


class Cells:
    """The cells of a box of a sample, found in floats."""

    def __init__(self, sample: Sample, point: Any, W: Any, radius: float, forced: str) -> None:
        self.radius, self.forced, self.is_honest, self.left = radius, forced, True, 600
        self.deepest = _DEEPEST
        X = np.array([[float(v) for v in x] for _, x, _ in sample.rows])
        self.N = np.array([[float(n) for n in counts] for *_, counts in sample.rows])
        P = np.array([[[float(v) for v in row] for row in matrix] for matrix, *_ in sample.rows])
        self.a, self.d = P[:, :, 0], P[:, :, 1] - P[:, :, 0]
        self.b = P[:, :, 1]
        self.Y, self.t = X @ np.array(W, float), X @ np.array(point, float)
        share = self.N[:, 1] / self.N.sum(axis=1)
        self.peak = np.clip((share - self.a[:, 1]) / self.d[:, 1], 0, 1)
        self.base = self.value(self.t, self.t, at=True)

    def value(self, low: Any, high: Any, at: bool = False) -> float:
        """Return the sum of the largest values of all rows between linear predictors."""
        ends = [1 / (1 + np.exp(-np.clip(end, -600, 600))) for end in (low, high)]
        truth = ends[0] if at else np.clip(self.peak, *ends)
        with np.errstate(all="ignore"):
            logs = self.N * np.log(np.maximum(self.a + self.d * truth[:, None], 0))
        return float(np.where(self.N > 0, logs, 0).sum())

    def has_slope(self, middle: Any, half: Any) -> bool:
        """Whether the gradient surely has no zero in a cell."""
        t, s = self.t + self.Y @ middle, np.abs(self.Y) @ half
        if (np.abs(t) + s).max() > 500:
            return False
        low, high, slope = (np.zeros(len(t)) for _ in range(3))
        weights = [*self.N.T, -self.N.sum(axis=1)]
        ratios = [*(self.a / np.where(self.b, self.b, 1)).T, np.ones(len(t))]
        there = [*(self.b > 0).T, np.ones(len(t), bool)]
        for weight, ratio, seen in zip(weights, ratios, there, strict=True):
            slope += np.where(seen, weight / (1 + ratio * np.exp(-t)), 0)
            q = [np.maximum(ratio * np.exp(-t + sign * s), 1e-300) for sign in (-1, 1)]
            ends = [1 / (2 + x + 1 / x) for x in q]
            most = np.where((q[0] <= 1) & (q[1] >= 1), 0.25, np.maximum(*ends))
            least = np.minimum(*ends)
            low += np.where(seen, weight * np.where(weight > 0, least, most), 0)
            high += np.where(seen, weight * np.where(weight > 0, most, least), 0)
        change = np.abs(self.Y.T @ (self.Y * ((low + high) / 2)[:, None])) @ half
        change = change + np.abs(self.Y).T @ ((high - low) / 2 * s)
        return bool((np.abs(self.Y.T @ slope) > change * 1.0001 + 1e-6).any())

    def _forced(self) -> str:
        self.is_honest = False
        return self.forced

    def cube(self, middle: Any, half: Any, depth: int = 0) -> str:
        """Return the tree of a cell of the cube."""
        self.left -= 1
        if (np.abs(middle) + half <= self.radius).all():
            return "b"
        t, s = self.t + self.Y @ middle, np.abs(self.Y) @ half
        if self.value(t - s, t + s) < self.base - 1e-6:
            return "v"
        if self.has_slope(middle, half):
            return "g"
        if depth == self.deepest or self.left < 0:
            return self._forced()
        axis = int(np.argmax(half))
        return str(axis) + "".join(self.cube(*part, depth + 1) for part in halves(middle, half, axis))

    def cone(self, axis: int, sign: float, reach: float, middle: Any, half: Any, depth: int = 0) -> str:
        """Return the tree of a cell of a cone."""
        self.left -= 1
        face, width = middle.copy(), half.copy()
        face[axis], width[axis] = sign, 0
        at, s = self.Y @ face, np.abs(self.Y) @ width
        far, near = middle[axis] - half[axis], middle[axis] + half[axis]
        most = reach / far if far > 0 else 1e300
        low = (at - s) * np.where(at - s < 0, most, reach / near)
        high = (at + s) * np.where(at + s > 0, most, reach / near)
        if self.value(self.t + low, self.t + high) < self.base - 1e-6:
            return "v"
        if depth == self.deepest or self.left < 0:
            self.is_honest = False
            return "v"
        place = int(np.argmax(half))
        parts = halves(middle, half, place)
        return str(place) + "".join(self.cone(axis, sign, reach, *part, depth + 1) for part in parts)

    def trees(self, reach: float) -> list[str]:
        """Return all trees."""
        p = self.Y.shape[1]
        found = [self.cube(np.zeros(p), np.full(p, reach))]
        for axis in range(p):
            for sign in (1.0, -1.0):
                middle, half = np.zeros(p), np.ones(p)
                middle[axis] = half[axis] = 0.5
                found.append(self.cone(axis, sign, reach, middle, half))
        return found


def halves(middle: Any, half: Any, axis: int) -> list[tuple[Any, Any]]:
    """Return the halves of a cell."""
    smaller = half.copy()
    smaller[axis] /= 2
    step = np.zeros(len(half))
    step[axis] = smaller[axis]
    return [(middle - step, smaller), (middle + step, smaller)]


def boxed(sample: Sample, best: Any) -> tuple[Any, Any, Fraction, Any] | None:
    """Return point, directions, radius and errors of a box around a maximum."""
    information = -sample.derivatives(best)[1]
    if np.linalg.cond(information) > 1e4 or np.linalg.eigvalsh(information)[0] < 0.05:
        return None
    W = [[rational(v, 4) for v in row] for row in np.linalg.cholesky(np.linalg.inv(information))]
    point = [rational(v, 10) for v in best]
    radius = next((r for r in (F(1), F(1, 4), F(1, 16)) if bounds(sample, point, W, r)[1] < 0.9), None)
    if radius is None or bounds(sample, point, W, radius)[0] > 1e-7:
        return None
    return point, W, radius, [F(1, 1000)] * len(point)


def likelihood(sample: Sample, theta: Any) -> Any:
    """Return the log-likelihood of one coefficient, on a grid."""
    total = np.zeros(len(theta))
    for matrix, (x,), counts in sample.rows:
        truth = 1 / (1 + np.exp(-np.clip(float(x) * theta, -600, 600)))
        for (a, b), n in zip(matrix, counts, strict=True):
            if n:
                total += float(n) * np.log(np.maximum(float(a) + float(b - a) * truth, 1e-300))
    return total


_GRID = np.concatenate([-np.geomspace(1e4, 20, 200), np.linspace(-20, 20, 8001), np.geomspace(20, 1e4, 200)])


def one_coefficient(rng: random.Random) -> tuple[Sample, list[tuple[Any, bool]]]:
    """Return a sample of one covariate and its maxima, each with whether it is the global one."""
    rows = []
    for _ in range(rng.randint(1, 3)):
        matrix = rng.choice(_BINARY[1:])
        n, share = rng.randint(10, 200), rng.random()
        x = F(rng.choice((-3, -2, -1, 1, 2, 3)), rng.choice((1, 2)))
        rows.append((matrix, (x,), (F(round(n * share)), F(n - round(n * share)))))
    sample = Sample(tuple(rows))
    values = likelihood(sample, _GRID)
    inner = range(200, len(_GRID) - 200)
    tops = [i for i in inner if values[i - 1] < values[i] > values[i + 1]]
    found = []
    for i in tops:
        best = sample.maximum([_GRID[i]])
        if best is not None and abs(best[0] - _GRID[i]) < 0.01:
            there = likelihood(sample, best)[0]
            others = values[np.abs(_GRID - best[0]) > 0.02]
            if abs(others.max() - there) > 1e-3 or others.max() < there:
                found.append((best, bool(others.max() < there)))
    return sample, found


def covers(rng: random.Random) -> Iterator[Piece]:
    """Iterate over covers, true and false."""
    while True:
        if rng.random() < 0.15:
            sample = drawn(rng, 2, 1)
            best = sample.maximum() if len(sample.rows[0][0]) == 2 else None
            found = [] if best is None or np.abs(best).max() > 3 else [(best, True)]
        else:
            sample, found = one_coefficient(rng)
        for best, is_global in found:
            box = boxed(sample, best)
            if box is not None:
                yield from of_maximum(rng, sample, box, is_global)


def of_maximum(rng: random.Random, sample: Sample, box: Any, is_global: bool) -> Iterator[Piece]:
    """Iterate over covers around one maximum."""
    point, W, radius, errors = box
    reach = radius * rng.choice((4, 8, 16))
    if is_global and rng.random() < 0.6:
        return
    cells = Cells(sample, point, W, float(radius), "v")
    trees = cells.trees(float(reach))
    made = file(sample, point, W, radius, errors)
    if not is_global:
        for leaf in "vgb":
            trees = Cells(sample, point, W, float(radius), leaf).trees(float(reach))
            yield Piece(cover(made, reach, trees), "a maximum that is not global", False, ORACLE)
        return
    if not cells.is_honest:
        return
    yield Piece(cover(made, reach, trees), "a cover", True, ORACLE)
    if rng.random() < 0.5:
        return
    k = rng.randrange(len(trees))
    text, place = trees[k], rng.randrange(len(trees[k]))
    wrong = rng.choice((text[:-1], text + "v", text[:place] + rng.choice("Vx9-") + text[place + 1 :], ""))
    yield Piece(cover(made, reach, [*trees[:k], wrong, *trees[k + 1 :]]), "cells left out", False, "counting")
    in_cone = [*trees[:1], trees[1].replace("v", rng.choice("bg"), 1), *trees[2:]]
    yield Piece(cover(made, reach, in_cone), "a cone without values", False, "counting")
    yield Piece(cover(made, rng.choice((F(0), -reach)), trees), "a cube without cells", False, "counting")
    moved = [c + w * radius / 5 for c, w in zip(point, W[0], strict=False)] if len(W) == 1 else point
    if moved != point:
        small = file(sample, moved, W, radius, [abs(W[0][0]) * radius / 6])
        yield Piece(cover(small, reach, trees), "an error too small", False, ORACLE)


FUZZERS = {"regression-cover": covers}
