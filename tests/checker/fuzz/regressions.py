"""Rule 35: boxes around maxima of the likelihood of a regression, and false ones.

What is false is refuted in floats from the definition of the likelihood: the maximum by Newton's method, a gradient
that points out of the box at its corner, a second derivative that is not negative somewhere in the box. Margins are
far above what floats round. One file in eight is degenerate: directions or columns that depend on each other,
responses that no coefficient explains, devices that reveal nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from .harness import Piece, document

F = Fraction
Matrix = Sequence[Sequence[Any]]
ORACLE = "Newton's method, and second derivatives at points of the box"
ONE_WAY = "a gradient that keeps its signs up to the corner of the box"
CURVED = "a second derivative that is not negative at a point of the box"
DECIDING = {
    "regression-box": (
        "is not proved to be concave",
        "is not proved to contain",
        "an error is below",
        "a count is negative",
        "never gives",
        "radius is not positive",
        "digits is not",
        "a linear predictor is beyond",
        "a column of a mechanism",
    )
}
DEVICES: tuple[Matrix, ...] = (
    ((F(1), F(0)), (F(0), F(1))),
    ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))),
    ((F(5, 6), F(1, 6)), (F(1, 6), F(5, 6))),
    ((F(1, 3), F(2, 3)), (F(2, 3), F(1, 3))),  # d < 0
    ((F(3, 5), F(1, 5)), (F(1, 5), F(1, 5)), (F(1, 5), F(3, 5))),
    ((F(1), F(2, 5)), (F(0), F(3, 5))),
)


@dataclass(frozen=True)
class Sample:
    """Rows: matrix of the device, covariates, counts."""

    rows: tuple[tuple[Matrix, tuple[Fraction, ...], tuple[Fraction, ...]], ...]

    def derivatives(self, theta: Any) -> tuple[Any, Any]:
        """Return gradient and second derivative of the log-likelihood."""
        p = len(theta)
        gradient, second = np.zeros(p), np.zeros((p, p))
        for matrix, covariates, counts in self.rows:
            x = np.array([float(v) for v in covariates])
            truth = 1 / (1 + np.exp(-np.clip(x @ theta, -30, 30)))  # beyond it nothing changes by 1e-12
            slope, bend = truth * (1 - truth), truth * (1 - truth) * (1 - 2 * truth)
            for (a, b), count in zip(matrix, counts, strict=True):
                if count:
                    d = float(b - a)
                    chance = float(a) + d * truth
                    gradient = gradient + float(count) * d * slope / chance * x
                    curve = d * bend / chance - (d * slope / chance) ** 2
                    second = second + float(count) * curve * np.outer(x, x)
        return gradient, second

    def maximum(self, start: Any = None) -> Any:
        """Return a strict local maximum by Newton's method with halved steps, or None."""
        theta = np.zeros(len(self.rows[0][1])) if start is None else np.array(start, float)
        for _ in range(60):
            gradient, second = self.derivatives(theta)
            if not np.isfinite(gradient).all() or np.linalg.eigvalsh(second)[-1] >= -1e-9:
                return None
            step = np.linalg.solve(second, gradient)
            theta = theta - step / max(1.0, float(np.abs(step).max()))
            if np.abs(step).max() < 1e-13:
                return theta
        return theta if np.abs(step).max() < 1e-10 else None

    def problem(self) -> dict[str, Any]:
        """Return the problem: a group for each device, in the order in which they occur."""
        groups: list[dict[str, Any]] = []
        last = None
        for matrix, covariates, counts in self.rows:
            if matrix is not last:
                groups.append({"mechanism": {"matrix": [[str(v) for v in row] for row in matrix]}, "rows": []})
                last = matrix
            groups[-1]["rows"].append({"covariates": list(map(str, covariates)), "counts": list(map(str, counts))})
        return {"kind": "logistic-regression", "groups": groups}


def file(sample: Sample, point: Any, directions: Any, radius: Any, errors: Any, digits: Any = 30) -> dict[str, Any]:
    """Return a certificate."""
    claim = {
        "kind": "local-maximum",
        "point": [str(v) for v in point],
        "directions": [[str(v) for v in row] for row in directions],
        "radius": str(radius),
        "errors": [str(v) for v in errors],
    }
    return document(sample.problem(), claim, {"rule": "regression-box", "digits": str(digits)})


def bounds(sample: Sample, point: Any, directions: Any, radius: Any) -> tuple[float, float]:
    """Return G and rho of the page, in floats."""
    c, W, r = np.array(point, float), np.array(directions, float), float(radius)
    p = len(c)
    gradient, middle, width = np.zeros(p), np.eye(p), np.zeros(p)
    for matrix, covariates, counts in sample.rows:
        x = np.array([float(v) for v in covariates])
        y, t = W.T @ x, float(x @ c)
        s = r * float(np.abs(y).sum())
        low = high = slope = 0.0
        for (a, b), weight in (*zip(matrix, counts, strict=True), ((1, 1), -sum(counts))):
            if not weight or not b:
                continue
            ratio = float(a) / float(b)
            slope += float(weight) / (1 + ratio * np.exp(-t))
            if not a:
                continue
            ends = [1 / (2 + q + 1 / q) for q in (ratio * np.exp(-t - s), ratio * np.exp(-t + s))]
            top = 0.25 if ratio * np.exp(-t - s) <= 1 <= ratio * np.exp(-t + s) else max(ends)
            low += float(weight) * (min(ends) if weight > 0 else top)
            high += float(weight) * (top if weight > 0 else min(ends))
        gradient = gradient + slope * y
        middle = middle + (low + high) / 2 * np.outer(y, y)
        width = width + (high - low) / 2 * np.abs(y) * np.abs(y).sum()
    return float(np.abs(gradient).max()), float((np.abs(middle).sum(axis=1) + width).max())


def rational(x: float, digits: int = 12) -> Fraction:
    """Return a decimal near a float."""
    return F(round(float(x) * 10**digits), 10**digits)


def drawn(rng: random.Random, p: int, devices: int) -> Sample:
    """Return a sample of some rows whose responses follow a model."""
    theta = [rng.uniform(-1, 1) for _ in range(p)]
    chosen = rng.sample(DEVICES, devices)
    rows = []
    for matrix in chosen:
        seen = set()
        for _ in range(rng.randint(p + 1, 4)):
            x = (F(1), *(F(rng.randint(-4, 4), rng.choice((1, 2, 10))) for _ in range(p - 1)))
            if x in seen:
                continue
            seen.add(x)
            truth = 1 / (1 + np.exp(-sum(float(v) * b for v, b in zip(x, theta, strict=True))))
            n = rng.randint(20, 400)
            counts = [max(0, round(n * (float(a) + float(b - a) * truth) + rng.uniform(-2, 2))) for a, b in matrix]
            rows.append((matrix, x, tuple(F(v) for v in counts)))
    return Sample(tuple(rows))


def is_one_way(sample: Sample, point: Any, directions: Any, radius: Any) -> bool:
    """Whether no concave function on the box with a stationary point there has these gradients, at centre and corner.

    With a stationary point u the gradient at v has a scalar product of at least 0 with u - v, of which every factor
    has the other sign at the corner to which the gradient points.
    """
    W = np.array(directions, float)
    first = W.T @ sample.derivatives(np.array(point, float))[0]
    corner = W.T @ sample.derivatives(np.array(point, float) + W @ (float(radius) * np.sign(first)))[0]
    return bool((np.sign(first) * corner > 1e-4 * (1 + np.abs(first))).all())


def is_curved(sample: Sample, point: Any, directions: Any, radius: Any) -> bool:
    """Whether the second derivative is not negative definite at the centre or a corner of the box."""
    W = np.array(directions, float)
    for signs in product((-1, 0, 1), repeat=len(W)):
        at = np.array(point, float) + W @ (float(radius) * np.array(signs))
        if np.linalg.eigvalsh(W.T @ sample.derivatives(at)[1] @ W)[-1] > 1e-6:
            return True
    return False


def boxes(rng: random.Random) -> Iterator[Piece]:
    """Iterate over boxes, true and false."""
    while True:
        sample = drawn(rng, rng.choice((1, 1, 2, 2, 3)), rng.choice((1, 1, 2)))
        best = sample.maximum()
        if best is None or np.abs(best).max() > 3:
            continue
        information = -sample.derivatives(best)[1]
        if np.linalg.cond(information) > 1e4 or np.linalg.eigvalsh(information)[0] < 0.5:
            continue
        W = [[rational(v, 6) for v in row] for row in np.linalg.cholesky(np.linalg.inv(information))]
        yield from of_sample(rng, sample, best, W)


def of_sample(rng: random.Random, sample: Sample, best: Any, W: Any) -> Iterator[Piece]:
    """Iterate over boxes around a maximum."""
    p, point = len(best), [rational(v, 10) for v in best]
    radius = next((r for r in (F(1, 5), F(1, 10), F(1, 50), F(1, 1000)) if bounds(sample, point, W, r)[1] < 0.9), None)
    if radius is None:
        return
    gap, rho = bounds(sample, point, W, radius)
    if gap > 1e-6 * radius:
        return
    errors = [rational(1.01e-6 * float(radius) / (1 - rho) * float(sum(map(abs, row))), 12) for row in W]
    yield Piece(file(sample, point, W, radius, errors), "a box", True, ORACLE)
    # a centre beside the maximum
    away = [rng.choice((-1, 1)) * F(rng.randint(5, 40), 100) * radius for _ in range(p)]
    centre = [c + sum(w * u for w, u in zip(row, away, strict=True)) for c, row in zip(point, W, strict=True)]
    gap, rho = bounds(sample, centre, W, radius)
    wide = [rational(1.001 * gap / max(1 - rho, 0.01) * float(sum(map(abs, row))), 9) for row in W]
    if gap * 1.01 < (1 - rho) * float(radius):
        yield Piece(file(sample, centre, W, radius, wide), "a box", True, ORACLE)
    j = max(range(p), key=lambda j: abs(float(centre[j]) - best[j]))
    less = list(wide)
    less[j] = rational(abs(float(centre[j]) - best[j]) * rng.choice((0.999, 0.5)), 9)
    yield Piece(file(sample, centre, W, radius, less), "an error too small", False, ORACLE)
    signs = [rng.choice((-1, 1)) for _ in range(p)]
    far = [
        c + sum(w * 3 * s * radius for w, s in zip(row, signs, strict=True)) for c, row in zip(point, W, strict=True)
    ]
    large = [F(10**6)] * p
    if is_one_way(sample, far, W, radius):
        yield Piece(file(sample, far, W, radius, large), "a box beside the maximum", False, ONE_WAY)
    for times in (30, 300):
        if is_curved(sample, point, W, radius * times):
            yield Piece(file(sample, point, W, radius * times, large), "a box too large", False, CURVED)
            break
    yield from _changed(rng, sample, point, W, radius, errors)
    wrong = rng.choice((F(0), -radius))
    yield Piece(file(sample, point, W, wrong, errors), "a radius that is not positive", False, "counting")
    digits = rng.choice((0, -30, F(61, 2), 301))
    yield Piece(file(sample, point, W, radius, errors, digits), "digits beyond their range", False, "counting")


def _changed(rng: random.Random, sample: Sample, point: Any, W: Any, radius: Fraction, errors: Any) -> Iterator[Piece]:
    """Iterate over boxes of other samples."""
    place = rng.randrange(len(sample.rows))
    matrix, x, counts = sample.rows[place]

    def other(row: Any) -> Sample:
        return Sample((*sample.rows[:place], row, *sample.rows[place + 1 :]))

    swapped = other((matrix, x, counts[::-1]))
    large = [F(10**6)] * len(point)
    if is_one_way(swapped, point, W, radius):
        yield Piece(file(swapped, point, W, radius, large), "responses exchanged", False, ONE_WAY)
    best = swapped.maximum(point)
    if best is not None and np.abs(best - np.array(point, float)).max() > 2 * max(map(float, errors)):
        yield Piece(file(swapped, point, W, radius, errors), "responses exchanged", False, ORACLE)
    negative = other((matrix, x, (-counts[0] - 1, *counts[1:])))
    yield Piece(file(negative, point, W, radius, large), "a negative count", False, "counting")
    wrong = tuple(tuple(v + F(1, 10) * (z == 0) for v in row) for z, row in enumerate(matrix))
    yield Piece(file(other((wrong, x, counts)), point, W, radius, large), "no mechanism", False, "counting")
    never = ((F(0), F(0)), *matrix)
    given = other((never, x, (F(rng.randint(1, 9)), *counts)))
    yield Piece(file(given, point, W, radius, large), "an impossible response", False, "counting")
    row = (DEVICES[0], tuple(v * 10**4 for v in x), (F(0), F(1)))
    if abs(float(sum(v * c for v, c in zip(x, point, strict=True)))) > 0.2:
        far = Sample((*sample.rows, row))
        yield Piece(file(far, point, W, radius, large), "a predictor beyond its range", False, "counting")


def degenerate_file(rng: random.Random) -> Piece:
    """Return a false file with a degenerate part."""
    kind = rng.randrange(6)
    device = rng.choice(DEVICES)
    n = F(rng.randint(20, 200))
    one = tuple(n for _ in device)
    errors, W = [F(10**6)] * 2, [[F(1, 100), F(0)], [F(0), F(1, 100)]]
    rows = [(device, (F(1), F(0)), one), (device, (F(1), F(1)), one)]
    radius = F(1, 10)
    if kind == 0:  # directions that depend on each other
        W = [[F(1, 20), F(1, 20)], [F(1, 20), F(1, 20)]]
    elif kind == 1:  # a column of zeros among the directions
        W = [[F(1, 20), F(0)], [F(1, 20), F(0)]]
    elif kind == 2:  # columns that depend on each other
        rows = [(device, (F(1), F(2)), one), (device, (F(2), F(4)), one)]
    elif kind == 3:  # a device that reveals nothing
        flat = ((F(1, 3), F(1, 3)), (F(2, 3), F(2, 3)))
        rows = [(flat, (F(1), F(0)), (n, n)), (flat, (F(1), F(1)), (n, 2 * n))]
    elif kind == 4:  # all say yes: no maximum
        direct = DEVICES[0]
        rows = [(direct, (F(1), F(0)), (F(0), n)), (direct, (F(1), F(1)), (F(0), n))]
    else:  # no responses
        rows = [(device, (F(1), F(0)), tuple(F(0) for _ in device))] * 2
    made = file(Sample(tuple(rows)), [F(rng.randint(-2, 2), 10)] * 2, W, radius, errors)
    return Piece(made, "degenerate", False, "a second derivative that is singular, or a slope that has one sign")


FUZZERS = {"regression-box": boxes}
