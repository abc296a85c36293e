"""Rules 3 and 4 for designs: false optima and false infeasibility in every kind of region, refuted by a mechanism.

The rows of the page are written down in fractions. Multipliers z of the right signs become a proof by repairs: those of
the rows of t, e and s, then ``alpha_j = min_i (c_ij - (A^T z)_ij)``. A forgery leaves out a repair, or moves a
multiplier, so that the bound passes the value of a mechanism that is in the region by its definition.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath as mp

from .design_files import Design, Row
from .harness import Piece, document
from .levels import Level, bracket_of, random_delta, random_level
from .orders import Rows, kernel

F = Fraction
_DUAL = ("has the wrong sign", "the multipliers do not")
DECIDING = {
    "linear-programme": (
        *_DUAL,
        "ratio above gamma",
        "exceeds gamma by more than delta",
        "within its bounds",
        "is not the value of",
        "is not the distance",
        "bracket",
        "must be",
    ),
    "farkas": (*_DUAL, "bracket", "must be"),
}


def small(rng: random.Random) -> Fraction:
    """Return a positive number of any size."""
    return rng.choice((F(1), F(1, 3), F(1, 10**3), F(1, 10**9), F(1, 10**30)))


EXACT_ZERO = Level("rational", "0", mp.mpf(0), F(0))


def _levels(rng: random.Random) -> Iterator[tuple[Level, Fraction, Fraction, str]]:
    while True:
        level = random_level(rng)
        for _ in range(8):
            method, low, high = bracket_of(level, rng)
            if (method == "honest") == (rng.random() < 0.9) and low <= high:
                yield level, low, high, method
                break


def _designs(rng: random.Random) -> Iterator[Design]:
    levels = _levels(rng)
    while True:
        k, m = rng.choice(((2, 2), (2, 2), (2, 3), (3, 2), (3, 3)))
        kind = rng.choice(("parity", "excess", "pairwise"))
        objective = (
            rng.choice(("trace", "loss", "loss", "largest", "total"))
            if k == m
            else rng.choice(("loss", "largest", "total"))
        )
        delta, *ends, method = *_delta(rng, kind), "honest"
        pairs = [(j, other) for j in range(k) for other in range(k) if j != other]
        if kind == "pairwise":
            gammas = {}
            for pair in pairs:
                if rng.random() < 0.8:
                    level, low, high, how = next(levels)
                    method = how if how != "honest" else method
                    gammas[pair] = (level, low, high)
        else:
            level, low, high, method = next(levels)
            gammas = dict.fromkeys(pairs, (level, low, high))
        if not gammas:
            continue
        p = _private(kernel(rng, m, k), {pair: g[1] for pair, g in gammas.items()}, ends[0])
        bounds = None
        if rng.random() < 0.3:
            room = rng.choice((F(0), F(1, 10)))
            bounds = [[max(F(0), x - room) for x in row] for row in p], [[x + room for x in row] for row in p]
        data = [
            [F(rng.randint(-3, 6), rng.choice((1, 2, 7))) for _ in range(k)]
            for _ in range(1 if objective == "trace" else m)
        ]
        weights = [rng.randint(1, 3) for _ in range(k)]
        shares = [F(w, sum(weights)) for w in weights]
        yield Design(kind, gammas, (delta, *ends), bounds, objective, data, shares, p, method)


def _delta(rng: random.Random, kind: str) -> tuple[Level, Fraction, Fraction]:
    if kind != "excess":
        return EXACT_ZERO, F(0), F(0)
    while True:
        level = random_delta(rng)
        if level.exact is not None and level.exact:
            return level, level.exact, level.exact
        if level.exact is None:
            return level, level.near(-F(1, 10**12)), min(F(1), level.near(F(1, 10**12)))


def _private(p: Rows, gammas: dict[tuple[int, int], Fraction], delta: Fraction) -> Rows:
    """Return the mechanism mixed with a useless one until it is private at rational levels."""
    useless = [sum(row, F(0)) / len(row) for row in p]
    for share in (F(1), F(3, 4), F(1, 2), F(1, 4), F(1, 10), F(1, 50)):
        mixed = [[share * x + (1 - share) * u for x in row] for row, u in zip(p, useless, strict=True)]
        if all(sum((max(F(0), row[j] - g * row[i]) for row in mixed), F(0)) <= delta for (j, i), g in gammas.items()):
            return mixed
    return [[u] * len(row) for row, u in zip(p, useless, strict=True)]


# Multipliers.


def _reduced(design: Design, rows: list[Row], z: dict[int, Fraction]) -> dict[Any, Fraction]:
    """Return c - A^T z without the columns' rows."""
    costs = design.costs()
    left = {(i, j): costs[i][j] for i in range(design.m) for j in range(design.k)}
    for index, value in z.items():
        if index >= design.k:
            for name, coefficient in rows[index][1].items():
                left[name] = left.get(name, F(name[0] == "s")) - coefficient * value
    return left


def _drawn(design: Design, rows: list[Row], rng: random.Random) -> dict[int, Fraction]:
    """Return multipliers of the right signs, repaired."""
    chance = rng.choice((0.1, 0.4))
    z = {
        i: sign * F(rng.randint(1, 6), rng.choice((1, 2, 7)))
        for i, (_, _, sign, _) in enumerate(rows)
        if sign and rng.random() < chance
    }
    left = _reduced(design, rows, z)
    for name, value in left.items():
        if value >= 0 or name[0] not in ("t", "e", "s"):
            continue
        if name[0] == "t":
            low = next(i for i, row in enumerate(rows) if row[0] == "low" and name in row[1])
            z[low] = z.get(low, F(0)) - value
        elif name[0] == "e":
            total = next(i for i, row in enumerate(rows) if row[0] == "total" and name in row[1])
            z[total] = min(
                z.get(total, F(0)),
                *(
                    -z.get(i, F(0))
                    for i, row in enumerate(rows)
                    if row[0] == "excess" and {(*n[:1], *n[2:]) for n in row[1] if n[0] == "e"} == {("e", *name[2:])}
                ),
            )
        else:
            inside = [i for i, row in enumerate(rows) if name in row[1] and i in z]
            scale = sum(abs(z[i]) for i in inside)
            for i in inside:
                z[i] /= scale
    return _columns(design, rows, z)


def _columns(design: Design, rows: list[Row], z: dict[int, Fraction]) -> dict[int, Fraction]:
    """Return the multipliers with the best ones of the columns' rows."""
    left = _reduced(design, rows, z)
    return z | {j: min(left[i, j] for i in range(design.m)) for j in range(design.k)}


def _bound(rows: list[Row], z: dict[int, Fraction]) -> Fraction:
    return sum((value * rows[i][3] for i, value in z.items()), F(0))


def brackets(rng: random.Random) -> Iterator[Piece]:
    """Optima: bounds that a mechanism beats, mechanisms outside of the region, other values, brackets of levels."""
    for design in _designs(rng):
        rows = design.rows()
        z = _drawn(design, rows, rng)
        bound, value, p = _bound(rows, z), design.value(design.p), design.p
        allowed = design.is_allowed(p)
        what = f"{design.kind}{' bounded' if design.bounds else ''}, {design.objective}"
        if design.method != "honest":
            if not _encloses(design):
                yield Piece(design.bracket_file(value, bound, p, z), what, False, "mpmath")
            continue
        if allowed is None and not _encloses(design):
            continue
        yield Piece(design.bracket_file(value, bound, p, z), what, True, "construction")
        step = small(rng)
        for forged in _forged(design, rows, z, value, step, rng):
            if _bound(rows, forged) > value:
                yield Piece(design.bracket_file(value, _bound(rows, forged), p, forged), what, False, "a mechanism")
        off = value + step * rng.choice((-1, 1))
        yield Piece(design.bracket_file(off, bound, p, z), what, False, "the mechanism")
        outside = _outside(design, p, step, rng)
        if outside is not None and design.is_allowed(outside) is False:
            file = design.bracket_file(design.value(outside), bound, outside, z)
            yield Piece(file, what, False, "the region's definition")


def _encloses(design: Design) -> bool:
    for level, low, high in (*design.gammas.values(), design.delta):
        if level.exact is not None:
            if not low == level.exact == high:
                return False
        else:
            below, above = (mp.mpf(x.numerator) / x.denominator for x in (low, high))
            if not below < level.number < above:
                return False
    return True


def _outside(design: Design, p: Rows, step: Fraction, rng: random.Random) -> Rows | None:
    """Return the mechanism with a share moved from one output to another, or all the way to the truth."""
    i, o = rng.sample(range(design.m), 2)
    j = rng.randrange(design.k)
    step = rng.choice((step, p[i][j]))
    moved = [list(row) for row in p]
    moved[i][j], moved[o][j] = moved[i][j] - step, moved[o][j] + step
    return moved if moved[i][j] >= 0 and step else None


def _forged(
    design: Design, rows: list[Row], z: dict[int, Fraction], value: Fraction, step: Fraction, rng: random.Random
) -> Iterator[dict[int, Fraction]]:
    """Iterate over multipliers whose bound passes the value, by one kind of row each."""
    missing = value - _bound(rows, z) + step
    j = rng.randrange(design.k)
    yield z | {j: z[j] + missing}
    share = missing / design.k
    yield z | {i: z[i] + share for i in range(design.k)}
    kinds = sorted({row[0] for row in rows[design.k :]})
    kind = rng.choice(kinds)
    inside = [i for i, row in enumerate(rows) if row[0] == kind]
    i = rng.choice(inside)
    if rows[i][3]:  # a row with a bound of its own: alone, then with the columns made to fit
        yield z | {i: z.get(i, F(0)) + missing / rows[i][3]}
    for factor in (F(1), F(100)):
        moved = dict(z)
        for i in inside:
            if kind in ("least", "most", "distance"):
                moved[i] = moved.get(i, F(0)) + rows[i][2] * factor * missing * (
                    1 if rows[i][3] * rows[i][2] > 0 else 0
                )
            elif kind == "total" or kind == "low":
                moved[i] = F(0)
            else:
                moved[i] = moved.get(i, F(0)) + factor * missing
        yield _columns(design, rows, moved)
        low = {i: -abs(x) if rows[i][0] == "low" else x for i, x in z.items()}
        yield _columns(design, rows, low | {j: low[j] + missing * factor})


def infeasibilities(rng: random.Random) -> Iterator[Piece]:
    """Proofs that there is no mechanism, where there is one; true ones of bounds that contradict each other."""
    for design in _designs(rng):
        if rng.random() < 0.25:
            yield from _variances(rng)
        design = replace(design, objective="loss", data=[[F(0)] * design.k for _ in range(design.m)])
        what = f"{design.kind}{' bounded' if design.bounds else ''}"
        if design.method != "honest" or not _encloses(design):
            continue
        rows = design.rows()
        z = _drawn(design, rows, rng)
        yield Piece(design.infeasible_file(z), what, False, "a mechanism")
        for forged in _forged(design, rows, z, F(0), small(rng), rng):
            yield Piece(design.infeasible_file(forged), what, False, "a mechanism")
        if design.bounds is not None:
            least = [[x + small(rng) * (j == 0) for j, x in enumerate(row)] for row in design.p]
            most = [[max(x, F(2)) for x in row] for row in least]
            none = replace(design, bounds=(least, most))
            at = next(i for i, row in enumerate(none.rows()) if row[0] == "least")
            proof = {0: F(-1)} | {at + i * design.k: F(1) for i in range(design.m)}
            yield Piece(none.infeasible_file(proof), what, True, "a column")


def _variances(rng: random.Random) -> Iterator[Piece]:
    """No design at all: three rows of which a combination cancels u and x, of signs as they fall."""
    gamma, delta = random_level(rng), random_delta(rng)
    ends = [level.exact if level.exact is not None else level.near(F(1, 10**12)) for level in (gamma, delta)]
    g, d = ends[0], min(ends[1], F(1))
    family = rng.choice(("all", "warner"))
    empty = g == 1 and d == 0
    planes = (
        (-1, 0, 1),
        (0, -1, 1),
        (1, 0, 0),
        (0, 1, 0),
        (-g, -1, g + d),
        (-1, -g, g + d),
        (g, 1, d - 1),
        (1, g, d - 1),
    )
    rows = [(F(b + c), F(a - b), F(-b)) for a, b, c in planes]  # times u, with p00 u = x, p11 u = 1 + u - x
    rows += [(F(-1), F(2), F(1))] if family == "warner" else []
    chosen = sorted(rng.sample(range(len(rows)), 3))
    a, b, c = (rows[i] for i in chosen)
    y = [b[0] * c[1] - b[1] * c[0], c[0] * a[1] - c[1] * a[0], a[0] * b[1] - a[1] * b[0]]
    total = sum((x * row[2] for x, row in zip(y, (a, b, c), strict=True)), F(0))
    y = [-x for x in y] if total < 0 else y
    if rng.random() < 0.2:
        y[rng.randrange(3)] += small(rng)
    if rng.random() < 0.3:
        y = [abs(x) for x in y]
    method, true = "variance: three rows", False
    listed = {i: x for i, x in zip(chosen, y, strict=True) if x}
    if empty:
        listed, true, method = {4: F(1)}, True, "variance: honest"
    region = {
        "kind": "differential-privacy",
        "inputs": "2",
        "outputs": "2",
        "epsilon": gamma.text,
        "delta": delta.text,
        "family": family,
    }
    lows = [level.exact if level.exact is not None else level.near(-F(1, 10**12)) for level in (gamma, delta)]
    witness = {
        "rule": "farkas",
        "gamma": {"below": str(lows[0]), "above": str(g)},
        "delta": {"below": str(lows[1]), "above": str(d)},
        "multipliers": [[str(i), str(x)] for i, x in listed.items()],
    }
    problem = {"region": region, "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}
    yield Piece(document(problem, {"kind": "infeasible"}, witness), method, true, "(1, delta) or the diagonal")


FUZZERS = {"linear-programme": brackets, "farkas": infeasibilities}
