"""Linear programs: false optima and false infeasibility, by points that refute them.

A program is drawn around a point x and multipliers y that are optimal by construction: y_i is 0 where row i is slack,
the reduced cost is 0 where x_j is not, and the signs are those of the page. So the optimum is known without a solver.
A forgery claims another value, and hides this in one place; a better feasible point, or the point itself, refutes it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .harness import Piece, statement

F = Fraction
DECIDING = {
    "optimal-value": (
        "does not hold at the point",
        "of the point is negative",
        "the multiplier of row",
        "the reduced cost",
        "the value of the point",
        "the value of the multipliers",
    ),
    "infeasible": ("the multiplier of row", "the reduced cost", "the multipliers do not"),
}


@dataclass
class Programme:
    """Minimise c.x over rows a_i.x (relation) b_i, with an optimal pair."""

    cost: list[Fraction]
    free: list[bool]
    rows: list[list[Fraction]]
    relations: list[str]
    bounds: list[Fraction]
    x: list[Fraction]
    y: list[Fraction]

    @property
    def value(self) -> Fraction:
        """The optimum."""
        return dot(self.cost, self.x)

    def is_feasible(self, x: list[Fraction]) -> bool:
        """Whether a point meets every row and sign, by the definition."""
        if any(entry < 0 and not free for entry, free in zip(x, self.free, strict=True)):
            return False
        found = [
            (dot(row, x) - b, relation) for row, b, relation in zip(self.rows, self.bounds, self.relations, strict=True)
        ]
        return all(d == 0 or d * {">=": 1, "<=": -1, "=": 0}[relation] > 0 for d, relation in found)

    def problem(self) -> Any:
        """Return the problem of a file."""
        rows = [
            {"coefficients": sparse(row), "relation": relation, "bound": str(bound)}
            for row, relation, bound in zip(self.rows, self.relations, self.bounds, strict=True)
        ]
        signs = ["free" if free else "nonnegative" for free in self.free]
        return {"cost": [str(c) for c in self.cost], "signs": signs, "rows": rows}

    def optimum(self, value: Fraction, x: list[Fraction], y: list[Fraction], upper: Fraction | None = None) -> Any:
        """Return a file that claims a value at a point."""
        last = value if upper is None else upper
        claim = {"lower": str(value), "upper": str(last), "point": [str(entry) for entry in x]}
        return statement("optimal-value", self.problem(), claim, {"multipliers": sparse(y)})


def dot(left: list[Fraction], right: list[Fraction]) -> Fraction:
    """Return the sum of products."""
    return sum((a * b for a, b in zip(left, right, strict=True)), F(0))


def sparse(row: list[Fraction]) -> list[list[str]]:
    """Return the pairs [index, value] of what is not 0."""
    return [[str(j), str(value)] for j, value in enumerate(row) if value]


def number(rng: random.Random, low: int = -4) -> Fraction:
    """Return a short number."""
    return F(rng.randint(low, 4), rng.choice((1, 1, 1, 2, 3, 7)))


def small(rng: random.Random) -> Fraction:
    """Return a positive number of any size."""
    return rng.choice((F(1), F(1, 3), F(1, 10**3), F(1, 10**9), F(1, 10**30), F(5)))


def programme(rng: random.Random) -> Programme:
    """Return a program around an optimal pair."""
    n, m = rng.randint(1, 4), rng.randint(1, 4)
    free = [rng.random() < 0.3 for _ in range(n)]
    x = [number(rng) if f else rng.choice((F(0), abs(number(rng)))) for f in free]
    rows = [[number(rng) if rng.random() < 0.8 else F(0) for _ in range(n)] for _ in range(m)]
    relations = [rng.choice((">=", "<=", "=")) for _ in range(m)]
    slack = [rng.choice((F(0), small(rng))) if relation != "=" else F(0) for relation in relations]
    bounds = [dot(row, x) - s * (1 if r == ">=" else -1) for row, s, r in zip(rows, slack, relations, strict=True)]
    y = [
        F(0) if s else number(rng) if r == "=" else abs(number(rng)) * (1 if r == ">=" else -1)
        for s, r in zip(slack, relations, strict=True)
    ]
    reduced = [F(0) if f or entry else abs(number(rng)) for f, entry in zip(free, x, strict=True)]
    cost = [dot(y, [row[j] for row in rows]) + reduced[j] for j in range(n)]
    return Programme(cost, free, rows, relations, bounds, x, y)


def optima(rng: random.Random) -> Iterator[Piece]:
    """False optima: a worse point, a point that is not feasible, a better value, each with multipliers that fit."""
    while True:
        p = programme(rng)
        yield Piece(p.optimum(p.value, p.x, p.y), "honest", True, "construction")
        yield from _worse_points(p, rng)
        i = rng.randrange(len(p.y))
        step = small(rng)
        value = p.value + step * rng.choice((1, -1))
        yield Piece(p.optimum(value, p.x, p.y), "another value", False, "the point")
        yield Piece(p.optimum(p.value, p.x, p.y, value), "two values", value >= p.value, "the point")
        if p.bounds[i]:  # the dual proves the value, at one multiplier's cost
            y = list(p.y)
            y[i] += (value - p.value) / p.bounds[i]
            yield Piece(p.optimum(value, p.x, y), "another dual", False, "the point")
        yield from _outside(p, rng)


def _worse_points(p: Programme, rng: random.Random) -> Iterator[Piece]:
    """A feasible point beside the optimal one: by one entry, or on the line to another point; the dual is bent."""
    j, step = rng.randrange(len(p.x)), small(rng) * rng.choice((1, -1))
    x = [entry + step * (i == j) for i, entry in enumerate(p.x)]
    value = dot(p.cost, x)
    if value <= p.value or not p.is_feasible(x):
        return
    oracle = "a better point"
    yield Piece(p.optimum(value, x, p.y), "a worse point", False, oracle)
    for i, bound in enumerate(p.bounds):
        if bound:
            y = list(p.y)
            y[i] += (value - p.value) / bound
            yield Piece(p.optimum(value, x, y), f"a worse point, {p.relations[i]}", False, oracle)


def _outside(p: Programme, rng: random.Random) -> Iterator[Piece]:
    """A point that some row or sign forbids, and a dual of its value."""
    j, step = rng.randrange(len(p.x)), small(rng) * rng.choice((1, -1))
    x = [entry + step * (i == j) for i, entry in enumerate(p.x)]
    if p.is_feasible(x):
        return
    value = dot(p.cost, x)
    yield Piece(p.optimum(value, x, p.y), "not feasible", False, "the point")
    zero = [F(0)] * len(p.cost)  # nothing is to be proved about the value
    nothing = Programme(zero, p.free, p.rows, p.relations, p.bounds, x, [F(0)] * len(p.y))
    yield Piece(nothing.optimum(F(0), x, nothing.y), "not feasible, no costs", False, "the point")


def infeasibilities(rng: random.Random) -> Iterator[Piece]:
    """Multipliers against programs that have a point; and true ones, against rows that contradict each other."""
    while True:
        p = programme(rng)
        m, n = len(p.rows), len(p.x)
        right = [number(rng) if r == "=" else abs(number(rng)) * (1 if r == ">=" else -1) for r in p.relations]
        for method, y in (("signs", right), ("random", [number(rng) for _ in range(m)])):
            if dot(y, p.bounds) <= 0:
                y = [-entry for entry in y] if rng.random() < 0.5 else y
            yield Piece(_farkas(p, y), f"{method}, a point", False, "a feasible point")
        # one more row cancels all coefficients, within a step: its bound is met by the point, or is not
        sums = [dot(right, [row[j] for row in p.rows]) for j in range(n)]
        relation, step = rng.choice((">=", "=")), small(rng)
        last = [-each - (0 if p.free[j] else abs(number(rng, 0))) for j, each in enumerate(sums)]
        true = rng.random() < 0.3
        bound = -dot(right, p.bounds) + step if true else dot(last, p.x) - (step if relation == ">=" else 0)
        q = Programme(p.cost, p.free, [*p.rows, last], [*p.relations, relation], [*p.bounds, bound], p.x, p.y)
        method = "contradiction" if true else "no contradiction"
        yield Piece(_farkas(q, [*right, F(1)]), method, true, "multipliers" if true else "a feasible point")
        if not true:  # the bounds sum to something positive, a coefficient is off
            j = rng.randrange(n)
            bent = [c + (step if i == j else 0) * rng.choice((1, -1)) for i, c in enumerate(last)]
            bound = -dot(right, p.bounds) + step / 7
            q = Programme(p.cost, p.free, [*p.rows, bent], [*p.relations, relation], [*p.bounds, bound], p.x, p.y)
            if q.is_feasible(p.x):
                yield Piece(_farkas(q, [*right, F(1)]), "nearly a contradiction", False, "a feasible point")


def _farkas(p: Programme, y: list[Fraction]) -> Any:
    region = {key: part for key, part in p.problem().items() if key != "cost"}
    return statement("infeasible", region, {}, {"multipliers": sparse(y)})


FUZZERS = {"optimal-value": optima, "infeasible": infeasibilities}
