"""Rules 35 and 39: boxes of probit, ordinal, multinomial, covariate and linear models, and covers of probit models.

The oracle is the definition of the likelihood: probabilities of the truth by model, with complex numbers. The gradient
is the imaginary part of the value at a complex step, exact to rounding; the second derivative is a difference of
gradients. True boxes are so small that any enclosure proves them. One file in eight is degenerate.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from adversary.likelihoods import NAMES, Model

from .harness import Piece, document
from .regressions import DEVICES, rational

F = Fraction
ORACLE = "complex steps of the likelihood, by its definition"
ONE_WAY = "a gradient that keeps its signs up to the corner of the box"
CURVED = "a second derivative that is not negative at a point of the box"
DECIDING = {
    "regression-box": (
        "is not proved to be concave",
        "is not proved to contain",
        "an error is below",
        "a count is negative",
        "the thresholds are not in order",
        "is not proved to be possible",
        "two outputs that depend",
        "no such model",
    ),
    "regression-cover": ("a cover has another model", "a value in a cell may reach", "is not proved to be concave"),
}
THREE = tuple(tuple(F(7 if i == j else 1, 9) for j in range(3)) for i in range(3))


def file(model: Model, point: Any, directions: Any, radius: Any, errors: Any) -> dict[str, Any]:
    """Return a certificate."""
    claim = {
        "kind": "local-maximum",
        "point": [str(v) for v in point],
        "directions": [[str(v) for v in row] for row in directions],
        "radius": str(radius),
        "errors": [str(v) for v in errors],
    }
    return document(model.problem(), claim, {"rule": "regression-box", "digits": "30"})


def _devices(name: str, rng: random.Random) -> Any:
    """Return a mechanism of a model."""
    if name in ("probit", "linear"):
        return rng.choice([one for one in DEVICES if len(one) == 2])
    if name.startswith("covariate"):
        first, second = rng.choice(DEVICES), rng.choice(DEVICES)
        return tuple(tuple(r[x] * s[y] for x in (0, 1) for y in (0, 1)) for r in first for s in second)
    direct = tuple(tuple(F(int(i == j)) for j in range(3)) for i in range(3))
    return rng.choice((direct, THREE))


def drawn(rng: random.Random, name: str) -> tuple[Model, Any]:
    """Return a sample whose counts are near their expectation, and the coefficients."""
    columns = rng.choice((1, 2))
    effects = (F(1),) if name.startswith("covariate") else ()
    if name == "multinomial":
        p = 2 * columns
    elif name.startswith("ordinal"):
        columns -= 1
        p = columns + 2
    else:
        p = 2 * columns + 1 if effects else columns
    theta = np.array([rng.uniform(-1, 1) for _ in range(p)])
    if name == "linear":
        theta = theta / 4 + 0.4
    if name.startswith("ordinal"):
        theta[-2:] = rng.uniform(-1.2, -0.3), rng.uniform(0.3, 1.2)
    model, rows = Model(name, ()), []
    for j in range(columns + 1 + len(effects)):
        x = (F(1), F(j, 2))[:columns] if not name.startswith("ordinal") else (F(j, 2),)[:columns]
        matrix = _devices(name, rng)
        n = rng.randint(200, 900) * (4 if effects else 1)
        if name == "linear":
            yes = min(max(float(np.array(x, float) @ theta), 0.05), 0.95)
            truth = np.array([1 - yes, yes])
        else:
            truth = model.truth(theta, np.array(x, float), np.array(effects, float))
        expected = n * (np.array(matrix, float) @ truth)
        rows.append((matrix, x, effects, tuple(F(max(0, round(v + rng.uniform(-2, 2)))) for v in expected)))
    return Model(name, tuple(rows)), theta


def boxes(rng: random.Random) -> Iterator[Piece]:
    """Iterate over boxes, true and false."""
    while True:
        model, theta = drawn(rng, rng.choice(NAMES))
        best = model.maximum(theta)
        if best is None or np.abs(best).max() > 4:
            continue
        information = -model.second(best)
        if np.linalg.cond(information) > 1e4 or np.linalg.eigvalsh(information)[0] < 2:
            continue
        W = [[rational(v, 6) for v in row] for row in np.linalg.cholesky(np.linalg.inv(information))]
        yield from of_model(rng, model, best, W)


def of_model(rng: random.Random, model: Model, best: Any, W: Any) -> Iterator[Piece]:
    """Iterate over boxes around a maximum."""
    p, point, radius = len(best), [rational(v, 11) for v in best], F(1, 500)
    lengths = [sum(map(abs, row)) for row in W]
    errors = [rational(float(radius * length) / 1000, 12) for length in lengths]
    yield Piece(file(model, point, W, radius, errors), "a box", True, ORACLE)
    away = [rng.choice((-1, 1)) * F(rng.randint(5, 30), 100) * radius for _ in range(p)]
    centre = [c + sum(w * u for w, u in zip(row, away, strict=True)) for c, row in zip(point, W, strict=True)]
    wide = [rational(float(radius * length), 12) for length in lengths]
    yield Piece(file(model, centre, W, radius, wide), "a box", True, ORACLE)
    j = max(range(p), key=lambda j: abs(float(centre[j]) - best[j]))
    less = list(wide)
    less[j] = rational(abs(float(centre[j]) - best[j]) * rng.choice((0.99, 0.5)), 12)
    yield Piece(file(model, centre, W, radius, less), "an error too small", False, ORACLE)
    large = [F(10**6)] * p
    far = [c + sum(w * 3 * radius for w in row) for c, row in zip(point, W, strict=True)]
    if _is_one_way(model, far, W, radius):
        yield Piece(file(model, far, W, radius, large), "a box beside the maximum", False, ONE_WAY)
    for times in (2000, 10_000):
        if _is_curved(model, point, W, radius * times):
            yield Piece(file(model, point, W, radius * times, large), "a box too large", False, CURVED)
            break
    yield from _changed(rng, model, point, W, radius, large)


def _changed(rng: random.Random, model: Model, point: Any, W: Any, radius: Any, large: Any) -> Iterator[Piece]:
    """Iterate over files whose form, order or responses are wrong."""
    matrix, x, e, counts = model.rows[-1]
    rest = model.rows[:-1]

    def other(row: Any) -> Model:
        return Model(model.name, (*rest, row))

    swapped = other((matrix, x, e, counts[::-1]))
    if counts != counts[::-1] and _is_one_way(swapped, point, W, radius):
        yield Piece(file(swapped, point, W, radius, large), "responses exchanged", False, ONE_WAY)
    negative = other((matrix, x, e, (-counts[0] - 1, *counts[1:])))
    yield Piece(file(negative, point, W, radius, large), "a negative count", False, "counting")
    longer = other((matrix, (*x, F(1)), e, counts))
    yield Piece(file(longer, point, W, radius, large), "another number of covariates", False, "counting")
    unknown = Model(rng.choice(("cloglog", "", "ordinal", "covariate-linear", "Probit")), model.rows)
    yield Piece(file(unknown, point, W, radius, large), "an unknown model", False, "counting")
    if model.name.startswith("ordinal"):
        c, rows = list(point), [list(row) for row in W]
        c[-1], c[-2], rows[-1], rows[-2] = c[-2], c[-1], rows[-2], rows[-1]
        yield Piece(file(model, c, rows, radius, large), "thresholds exchanged", False, ORACLE)
        wide = (c[-2] - c[-1]) / sum(abs(a - b) for a, b in zip(rows[-1], rows[-2], strict=True))
        yield Piece(file(model, point, W, wide, large), "thresholds that meet", False, "counting")
    if model.name == "linear":
        flat = other((((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2))), x, e, counts))
        yield Piece(file(flat, point, W, radius, large), "a mechanism without estimates", False, "counting")
    made = file(model, point, W, radius, large)
    cells = ["b", *["v"] * (2 * len(point))]
    witness = {**made["witness"], "rule": "regression-cover", "reach": str(radius), "cells": cells}
    cover = {**made, "claim": {**made["claim"], "kind": "global-maximum"}, "witness": witness}
    if model.name != "probit":
        yield Piece(cover, "a cover of another model", False, "counting")


def _is_one_way(model: Model, point: Any, directions: Any, radius: Any) -> bool:
    """Whether the gradient points to one corner at the centre and still at that corner (``regressions``)."""
    W, c = np.array(directions, float), np.array(point, float)
    with np.errstate(all="ignore"):
        first = W.T @ model.gradient(c)
        corner = W.T @ model.gradient(c + W @ (float(radius) * np.sign(first)))
        return bool((np.sign(first) * corner > 1e-6 * (1 + np.abs(first))).all())


def _is_curved(model: Model, point: Any, directions: Any, radius: Any) -> bool:
    """Whether the second derivative is not negative definite at a corner of the box, or not defined."""
    W, c = np.array(directions, float), np.array(point, float)
    if model.name == "linear":
        return False
    with np.errstate(all="ignore"):
        for signs in product((-1, 1), repeat=len(W)):
            at = c + W @ (float(radius) * np.array(signs))
            second = W.T @ model.second(at) @ W
            if np.isfinite(second).all() and np.linalg.eigvalsh(second)[-1] > 1e-4:
                return True
    return False


def degenerate_file(rng: random.Random) -> Piece:
    """Return a false file with a degenerate part."""
    name = rng.choice(NAMES)
    model, theta = drawn(rng, name)
    p, kind = len(theta), rng.randrange(4)
    W = [[F(int(j == k), 100) for k in range(p)] for j in range(p)]
    rows = list(model.rows)
    if kind == 0:  # directions that depend on each other
        W[-1] = [F(0)] * p if p == 1 else W[0]
    elif kind == 1:  # no responses
        rows = [(matrix, x, e, tuple(F(0) for _ in counts)) for matrix, x, e, counts in rows]
    elif kind == 2:  # devices that reveal nothing
        rows = [(((F(1, 4),) * len(m[0]), (F(3, 4),) * len(m[0])), x, e, (F(9), F(30))) for m, x, e, _ in rows]
    else:  # one response in each row at one end of what is possible: a direct question that all answer alike
        k = len(rows[0][0][0])
        direct = tuple(tuple(F(int(i == j)) for j in range(k)) for i in range(k))
        rows = [(direct, x, e, (F(0),) * (k - 1) + (F(40),)) for _, x, e, _ in rows]
        if name == "linear":
            W[0] = [F(0)] * p
    made = file(Model(name, tuple(rows)), [rational(v, 2) for v in theta], W, F(1, 10), [F(10**6)] * p)
    return Piece(made, "degenerate", False, "a second derivative that is singular, or a slope that has one sign")


FUZZERS = {"regression-box": boxes}
