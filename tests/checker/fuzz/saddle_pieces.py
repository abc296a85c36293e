"""Rule 15: saddle points over polytopes of populations, true and false, in plain fractions.

The oracle has no tangents: with f(q) the variance of the fixed estimate by its law, the tangent of f at pi has at q the
value ``f(q) + abs(q - pi)^2``, or ``f(q) + (c . (q - pi))^2`` for a contrast. Duals are made at pi as in rule 5.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

from .harness import Piece, document
from .levels import Level, random_brackets
from .orders import Rows, nearly, texts
from .pattern_pieces import Bits, Numbers, dot, information, inverse, mechanism, pattern, weights

F = Fraction
DECIDING = {
    "saddle": (
        "the dual fails",
        "lower is not",
        "upper is not",
        "not unbiased",
        "above gamma",
        "does not sum",
        "negative entry",
        "bracket",
        "is not the mean",
        "not in the polytope",
        "wrong sign",
        "do not bound",
        "the contrast is 0",
    )
}


@dataclass(frozen=True)
class Saddle:
    """A file in the making: level, contrast or None, rows and estimate, pi, the polytope and what is proved of it."""

    level: Level
    low: Fraction
    high: Fraction
    c: Numbers | None
    chosen: list[Bits]
    rows: Rows
    t: Rows
    pi: Numbers
    vertices: Rows | None
    x: Numbers
    given: list[tuple[Numbers, str, Fraction]] = field(default_factory=list)
    y: Numbers = field(default_factory=list)

    def variance(self, q: Numbers) -> Fraction:
        """Return n Var of the estimate at q, over its coordinates."""
        chances = [dot(row, q) for row in self.rows]
        squares = sum((dot(chances, [a * a for a in line]) for line in self.t), F(0))
        return squares - sum((dot(chances, line) ** 2 for line in self.t), F(0))

    def tangent(self, q: Numbers) -> Fraction:
        """Return the value at q of the tangent at pi."""
        apart = [a - b for a, b in zip(q, self.pi, strict=True)]
        return self.variance(q) + (dot(apart, apart) if self.c is None else dot(self.c, apart) ** 2)

    @property
    def ends(self) -> Numbers:
        """The tangent at the populations of a single category."""
        k = len(self.pi)
        return [self.tangent([F(i == j) for i in range(k)]) for j in range(k)]

    @property
    def excesses(self) -> Numbers:
        """What y_0 must be at least, for each input."""
        listed = enumerate(self.ends)
        return [t - sum((y * a[j] for (a, _, _), y in zip(self.given, self.y, strict=True)), F(0)) for j, t in listed]

    def upper(self, last: Fraction) -> Fraction:
        """Return what is proved."""
        if self.vertices is not None:
            return max(self.tangent(v) for v in self.vertices)
        return last + sum((y * b for (_, _, b), y in zip(self.given, self.y, strict=True)), F(0))

    def dual(self) -> tuple[Rows, Numbers]:
        """Return W (or y in one column) and the alpha that is tight at the patterns of the mechanism, at ``high``."""
        made = mechanism(self.chosen, self.high)
        w = inverse(information(made, self.pi)) if made else None
        assert w is not None
        if self.c is not None:
            w = [[dot(row, self.c)] for row in w]
        listed = [pattern(bits, self.high) for bits in self.chosen]
        back = inverse(listed)
        assert back is not None
        return w, [dot(row, [self.side(s, w) for s in listed]) for row in back]

    def side(self, s: Numbers, w: Rows) -> Fraction:
        """Return ``abs(S W)^2 / s``."""
        moved = [dot(s, column) for column in zip(*w, strict=True)]
        return dot(moved, moved) / dot(s, self.pi)

    def worst(self, w: Rows, alpha: Numbers) -> Numbers:
        """Return by how much, per s, the inequality fails at each pattern; the largest first."""
        every = [pattern(bits, self.high) for bits in product((0, 1), repeat=len(self.pi))]
        return sorted(((self.side(s, w) - dot(alpha, s)) / dot(s, self.pi) for s in every), reverse=True)

    def file(self, w: Rows, alpha: Numbers, **moved: Any) -> dict[str, Any]:
        """Return the certificate; ``moved`` are steps of the ends, of y_0, and other parts of it."""
        k, last = len(self.pi), max(self.excesses, default=F(0)) + moved.get("last", F(0))
        if self.c is None:
            along, less = sum((w[j][j] for j in range(k)), F(0)), dot(self.pi, self.pi)
        else:
            along, less = dot(self.c, [entry for (entry,) in w]), dot(self.c, self.pi) ** 2
        total = sum(alpha, F(0))
        lower, upper = (
            along**2 / (total or F(1)) - less + moved.get("lower", 0),
            self.upper(last) + moved.get("upper", 0),
        )
        sizes = {"inputs": str(k), "outputs": str(len(self.rows)) if len(self.rows) % 2 else "any"}
        region = {"kind": "differential-privacy", **sizes, "epsilon": self.level.text, "delta": "0", "family": "all"}
        polytope: dict[str, Any] = {"vertices": texts(self.vertices or [])}
        if self.vertices is None:
            keys = ("coefficients", "relation", "bound")
            listed = (([str(x) for x in a], relation, str(b)) for a, relation, b in self.given)
            polytope = {"rows": [dict(zip(keys, row, strict=True)) for row in listed]}
        objective: dict[str, Any] = {"kind": "a-optimal"}
        dual: dict[str, Any] = {"alpha": [str(a) for a in alpha], "matrix": texts(w)}
        if self.c is not None:
            objective = {"kind": "c-optimal", "contrast": [str(x) for x in self.c]}
            dual = {"alpha": dual["alpha"], "vector": [str(entry) for (entry,) in w]}
        witness = {"rule": "saddle", "gamma": {"below": str(self.low), "above": str(self.high)}, "dual": dual}
        witness |= {"delta": {"below": "0", "above": "0"}, "population": [str(p) for p in self.pi]}
        witness |= {"weights": None if self.vertices is None else [str(x) for x in self.x], "estimator": texts(self.t)}
        witness["multipliers"] = [str(y) for y in (*self.y, last)] if self.vertices is None else None
        claim = {"kind": "design-bracket", "lower": str(lower), "upper": str(upper)}
        problem = {"region": region, "objective": objective, "population": polytope}
        return document(problem, {**claim, "mechanism": {"matrix": texts(self.rows)}}, witness)


def _population(rng: random.Random, k: int) -> Numbers:
    shares = [rng.choice((0, 1, rng.randint(1, 9))) for _ in range(k)]
    shares[rng.randrange(k)] += 1
    return [F(x, sum(shares)) for x in shares]


def _row(rng: random.Random, pi: Numbers) -> tuple[Numbers, str, Fraction]:
    """Return a row that pi satisfies."""
    a, relation = [F(rng.randint(-2, 2), rng.choice((1, 1, 3))) for _ in pi], rng.choice(("<=", ">=", "="))
    room = F(rng.choice((0, 0, 1, 3)), 7)
    return a, relation, dot(a, pi) + {"<=": room, ">=": -room, "=": F(0)}[relation]


def draw(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Saddle | None:
    """Return a file about a mechanism of k patterns, one of them given as two rows at times."""
    k = rng.choice((2, 2, 3, 3, 3, 4))
    chosen = rng.sample(list(product((0, 1), repeat=k))[1:-1], k)
    if rng.random() < 0.4:  # k-ary randomized response
        chosen = [tuple(int(i == j) for j in range(k)) for i in range(k)]
    if low == 1 or not all(weights(chosen, gamma) for gamma in (low, high)):
        return None
    rows = mechanism(chosen, low)
    assert rows is not None
    back = inverse(rows)
    assert back is not None
    c: Numbers | None = None if rng.random() < 0.5 else [F(rng.randint(-3, 3)) for _ in range(k)]
    if c is not None and not any(c):
        c[0] = F(1)
    t = back if c is None else [[dot(c, column) for column in zip(*back, strict=True)]]
    if rng.random() < 0.5:  # the last answer in two, with estimates of the same mean
        step = F(rng.randint(-2, 2), 5)
        rows = [*rows[:-1], [x / 3 for x in rows[-1]], [2 * x / 3 for x in rows[-1]]]
        t = [[*line, line[-1] - step] for line in t]
        t = [[*line[:-2], line[-2] + 2 * step, line[-1]] for line in t]
    if rng.random() < 0.5:
        vertices = [_population(rng, k) for _ in range(rng.choice((1, 2, 3, 4)))]
        raw = [rng.randint(1, 9) for _ in vertices]
        x = [F(each, sum(raw)) for each in raw]
        pi = [dot(x, list(column)) for column in zip(*vertices, strict=True)]
        return Saddle(level, low, high, c, chosen, rows, t, pi, vertices, x)
    pi = _population(rng, k)
    given = [_row(rng, pi) for _ in range(rng.choice((0, 1, 2, 3)))]
    signs = [{"<=": 1, ">=": -1, "=": rng.choice((-1, 1))}[relation] for _, relation, _ in given]
    y = [sign * F(rng.randint(0, 5), 2) for sign in signs]
    return Saddle(level, low, high, c, chosen, rows, t, pi, None, [], given, y)


def _duals(rng: random.Random, case: Saddle) -> Iterator[Piece]:
    """Yield files whose dual holds, and whose dual fails at a pattern."""
    w, alpha = case.dual()
    if rng.random() < 0.4:
        alpha = [a + nearly(rng) * rng.randint(-3, 3) for a in alpha]
    worst = case.worst(w, alpha)
    kept = next((e for e in worst if e < worst[0]), worst[0])
    steps = {"repaired": worst[0], "not repaired": F(0), "a pattern left out": kept}
    steps["nearly repaired"] = worst[0] - nearly(rng) * (abs(worst[0]) + 1)
    method = rng.choice(tuple(steps))
    lifted = [a + steps[method] * p for a, p in zip(alpha, case.pi, strict=True)]
    if sum(lifted, F(0)) <= 0:
        return
    true = steps[method] >= worst[0]
    oracle = "all patterns" if true else "the witness: a pattern"
    yield Piece(case.file(w, lifted), f"saddle, {method}", true, oracle)


def _others(rng: random.Random, case: Saddle) -> Iterator[Piece]:
    """Yield files with one other thing wrong, under a dual that holds."""
    w, alpha = case.dual()
    lift = max(case.worst(w, alpha)[0], F(0))
    alpha, step, k = [a + lift * p for a, p in zip(alpha, case.pi, strict=True)], nearly(rng), len(case.pi)

    def piece(method: str, made: Saddle, oracle: str = "fractions", **moved: Any) -> Piece:
        return Piece(made.file(w, alpha, **moved), f"saddle, {method}", False, oracle)

    yield piece("lower", case, "the witness: its bound", lower=step)
    yield piece("upper", case, "the witness: its tangent", upper=-step)
    place = rng.randrange(len(case.rows))
    moved = [[x + step * (i == place) for i, x in enumerate(line)] for line in case.t]
    yield piece("biased", replace(case, t=moved))
    beyond = mechanism(case.chosen, case.high * (1 + step))
    back = inverse(beyond) if beyond else None
    if beyond and back:
        t = back if case.c is None else [[dot(case.c, list(column)) for column in zip(*back, strict=True)]]
        yield piece("beyond gamma", replace(case, rows=beyond, t=t), "the region's definition")
    scaled = [[x * (1 + step * (j == 0)) for j, x in enumerate(row)] for row in case.rows]
    if max(max(row) / min(row) for row in scaled) <= case.low:
        yield piece("columns", replace(case, rows=scaled))
    if case.vertices is not None:
        yield from _beside_vertices(rng, case, piece, step)
    else:
        yield from _beside_rows(rng, case, piece, step)
    if case.c is not None:
        made = case.file(w, alpha)
        made["problem"]["objective"]["contrast"] = ["0"] * k
        yield Piece(made, "saddle, no contrast", False, "its form")


def _beside_vertices(rng: random.Random, case: Saddle, piece: Any, step: Fraction) -> Iterator[Piece]:
    assert case.vertices is not None
    vertices, x = case.vertices, case.x
    if len(x) > 1 and vertices[0] != vertices[1]:
        yield piece("another mean", replace(case, x=[x[0] - min(step, x[0]), x[1] + min(step, x[0]), *x[2:]]))
        outside = [x[0] + x[1] + step, -step, *x[2:]]  # weights that sum to 1, of a population outside
        pi = [dot(outside, list(column)) for column in zip(*vertices, strict=True)]
        if min(pi) >= 0:
            made = replace(case, x=outside, pi=pi)
            yield Piece(_repaired(made), "saddle, a negative weight", False, "its sign")
    yield piece("weights above 1", replace(case, x=[x[0] + step, *x[1:]]), "counting")
    far = rng.randrange(len(vertices))
    moved = [[p + step * (j == 0) for j, p in enumerate(v)] if i == far else v for i, v in enumerate(vertices)]
    yield piece("no vertex", replace(case, vertices=moved), "counting")


def _beside_rows(rng: random.Random, case: Saddle, piece: Any, step: Fraction) -> Iterator[Piece]:
    yield piece("multipliers less", case, "the witness: an input", last=-step)
    for place, (a, relation, _) in enumerate(case.given):
        sign = {"<=": 1, ">=": -1, "=": rng.choice((-1, 1))}[relation]
        given = [*case.given]
        given[place] = (a, relation, dot(a, case.pi) - sign * step)
        yield piece("outside", replace(case, given=given))
        if relation != "=":
            y = [*case.y]
            y[place] = -sign * step
            yield piece("the sign of a multiplier", replace(case, y=y), "its sign")


def _repaired(case: Saddle) -> dict[str, Any]:
    """Return the file with a dual that holds."""
    w, alpha = case.dual()
    lift = max(case.worst(w, alpha)[0], F(0))
    return case.file(w, [a + lift * p for a, p in zip(alpha, case.pi, strict=True)])


def saddles(rng: random.Random) -> Iterator[Piece]:
    """Yield files about random polytopes."""
    for level, method, low, high in random_brackets(rng):
        case = draw(rng, level, low, high)
        if case is None:
            continue
        if method not in ("honest", "one point"):
            yield Piece(_repaired(case), f"saddle, bracket, {method}", False, f"the witness: {level.oracle}")
        elif method == "honest":
            yield from _duals(rng, case)
            yield from rng.sample(listed := list(_others(rng, case)), min(3, len(listed)))


FUZZERS = {"saddle": saddles}
