"""Rule 5, the other objectives: contrasts, chi-square, total variation and mutual information, true and false.

A dual is made from a basis of k patterns, on which it is tight, and lifted by the largest violation over all patterns,
worked out in fractions (logarithms with 60 digits): then its bound is true. With less of a lift a pattern violates it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath

from .harness import Piece, document
from .levels import Level, random_brackets
from .orders import Rows, nearly, texts
from .pattern_pieces import Bits, Numbers, _population, dot, information, inverse, mechanism, pattern, weights

F = Fraction
KINDS = ("c-optimal", "chi-square", "total-variation", "mutual-information")
DECIDING = {"pattern": ("the dual", "lower is", "upper is", "the solution", "above gamma", "does not sum", "negative")}
DIGITS, _ROOM = 50, F(1, 10**42)


def logarithm(x: Fraction) -> Fraction:
    """Return ln x with 60 digits."""
    with mpmath.workdps(60):
        value = mpmath.log(mpmath.mpf(x.numerator) / x.denominator)
        mantissa, exponent = mpmath.frexp(value)
        return F(int(mpmath.ldexp(mantissa, 220))) * F(2) ** (int(exponent) - 220)


@dataclass(frozen=True)
class Case:
    """An objective at two ends of a level, and a mechanism of k patterns."""

    kind: str
    level: Level
    low: Fraction
    high: Fraction
    pi: Numbers
    other: Numbers  # the contrast, or the other population
    chosen: list[Bits]

    @property
    def objective(self) -> dict[str, Any]:
        """The objective as a file writes it."""
        name = {"c-optimal": "contrast", "mutual-information": None}.get(self.kind, "against")
        return {"kind": self.kind, **({name: [str(x) for x in self.other]} if name else {})}

    def side(self, row: Numbers, y: Numbers) -> Fraction:
        """Return the left side of the inequality over ``alpha . S`` at a row."""
        if self.kind == "c-optimal":
            return dot(row, y) ** 2 / dot(row, self.pi)
        if self.kind == "mutual-information":
            mean = dot(row, self.pi)
            terms = (p * x * logarithm(x / mean) for p, x in zip(self.pi, row, strict=True) if p * x)
            return sum(terms, F(0))
        apart = dot(row, [p - q for p, q in zip(self.pi, self.other, strict=True)])
        return abs(apart) / 2 if self.kind == "total-variation" else apart**2 / dot(row, self.other)

    def excesses(self, alpha: Numbers, y: Numbers) -> Numbers:
        """Return by how much, per s, the inequality fails at each pattern of the level above; the largest first."""
        rows = [pattern(bits, self.high) for bits in product((0, 1), repeat=len(self.pi))]
        return sorted(((self.side(s, y) - dot(alpha, s)) / dot(s, self.pi) for s in rows), reverse=True)

    def solution(self, gamma: Fraction) -> Numbers:
        """Return z with M z = c of the mechanism at a level; nothing of other objectives."""
        rows = mechanism(self.chosen, gamma)
        back = inverse(information(rows, self.pi)) if rows else None
        return [dot(row, self.other) for row in back] if back and self.kind == "c-optimal" else [F(0)] * len(self.pi)

    def alpha(self, y: Numbers) -> Numbers:
        """Return the alpha that is tight at the patterns of the mechanism, at the level above."""
        rows = [pattern(bits, self.high) for bits in self.chosen]
        back = inverse(rows)
        assert back is not None
        return [dot(row, [self.side(s, y) for s in rows]) for row in back]


def _case(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Case | None:
    k, kind = rng.choice((2, 3, 3, 3, 4)), rng.choice(KINDS)
    chosen = rng.sample(list(product((0, 1), repeat=k))[1:-1], k)
    if rng.random() < 0.4:  # k-ary randomized response
        chosen = [tuple(int(i == j) for j in range(k)) for i in range(k)]
    if low == 1 or not all(weights(chosen, gamma) for gamma in (low, high)):
        return None
    other = [F(rng.randint(-4, 4), rng.choice((1, 1, 3))) for _ in range(k)]
    other[0] += len(set(other)) == 1
    pi = _population(rng, k)
    return Case(kind, level, low, high, pi, other if kind == "c-optimal" else _population(rng, k), chosen)


def _file(case: Case, rows: Rows, z: Numbers, y: Numbers, alpha: Numbers, **moved: Fraction) -> Any:
    total, mean = sum(alpha, F(0)), dot(case.other, case.pi)
    primal: dict[str, Any] = {}
    dual: dict[str, Any] = {"alpha": [str(a) for a in alpha]}
    if case.kind == "c-optimal":
        lower, upper = dot(case.other, y) ** 2 / (total or 1) - mean**2, dot(case.other, z) - mean**2
        primal["solution"], dual["vector"] = [str(x) for x in z], [str(x) for x in y]
    else:
        lower, upper = sum((case.side(row, y) for row in rows if any(row)), F(0)), total
        lower -= _ROOM if case.kind == "mutual-information" else 0
    ends = {"lower": str(lower + moved.get("lower", 0)), "upper": str(upper + moved.get("upper", 0))}
    sizes = {"inputs": str(len(case.pi)), "outputs": str(len(rows)) if len(rows) % 2 else "any"}
    region = {"kind": "differential-privacy", **sizes, "epsilon": case.level.text, "delta": "0", "family": "all"}
    problem = {"region": region, "objective": case.objective, "population": [str(p) for p in case.pi]}
    claim = {"kind": "design-bracket", **ends, "mechanism": {"matrix": texts(rows)}}
    witness = {"rule": "pattern", "gamma": {"below": str(case.low), "above": str(case.high)}}
    witness |= {"delta": {"below": "0", "above": "0"}, "dual": dual, "primal": primal, "logarithms": []}
    witness["patterns"] = None if case.kind == "total-variation" else {"kind": "enumeration"}
    if case.kind == "mutual-information":
        witness["logarithms"] = {"digits": str(DIGITS)}
    return document(problem, claim, witness)


def _lifted(case: Case, alpha: Numbers, t: Fraction) -> Numbers:
    room = _ROOM if case.kind == "mutual-information" else 0
    return [a + (t + room) * p for a, p in zip(alpha, case.pi, strict=True)]


def _dual_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Duals that hold, and duals that fail at a pattern."""
    rows = mechanism(case.chosen, case.low)
    assert rows is not None
    z, y = case.solution(case.low), case.solution(case.high)
    if case.kind == "c-optimal" and rng.random() < 0.4:
        y = [entry + nearly(rng) * rng.randint(-3, 3) for entry in y]
    alpha = case.alpha(y)
    if rng.random() < 0.4:
        alpha = [a + nearly(rng) * rng.randint(-3, 3) for a in alpha]
    worst = case.excesses(alpha, y)
    kept = next((e for e in worst if e < worst[0]), worst[0])
    steps = {"repaired": worst[0], "not repaired": F(0), "a pattern left out": kept}
    steps["nearly repaired"] = worst[0] - nearly(rng) * (abs(worst[0]) + 1)
    method = rng.choice(tuple(steps))
    t = steps[method]
    if 0 < worst[0] - t <= F(1, 10**36):  # not to be distinguished with so many digits
        return
    lifted = _lifted(case, alpha, t)
    if case.kind == "c-optimal" and sum(lifted, F(0)) <= 0:
        return
    true = t >= worst[0]
    yield Piece(_file(case, rows, z, y, lifted), method, true, "all patterns" if true else "the witness: a pattern")


def _mechanism_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Mechanisms beyond gamma, with other sums, with another solution, with another value."""
    method = rng.choice(("beyond gamma", "columns", "inverse", "upper", "lower", "negative", "both"))
    rows = mechanism(case.chosen, case.high * (1 + nearly(rng)) if method == "beyond gamma" else case.low)
    if rows is None:
        return
    z, y, moved = case.solution(case.low), case.solution(case.high), {}
    alpha = case.alpha(y)
    alpha = _lifted(case, alpha, max(case.excesses(alpha, y)[0], F(0)))
    k, oracle = len(case.pi), "fractions"
    if method == "columns":
        scale = 1 + nearly(rng) * rng.choice((-1, 1))
        rows = [[entry * scale if i == j else entry for i, entry in enumerate(row)] for j, row in enumerate(rows)]
        if max(max(row) / min(row) for row in rows) > case.low:
            return
    elif method == "negative":
        rows = [*rows, [F(1, 10)] * k, [F(-1, 10)] * k]
        z = z if case.kind == "c-optimal" else [F(0)] * k
        if case.kind == "mutual-information":
            return
    elif method == "inverse":
        if case.kind != "c-optimal":
            return
        z = [x + nearly(rng) * (i == 0) for i, x in enumerate(z)]
    elif method in ("lower", "upper", "both"):
        step, oracle = nearly(rng), "the witness: its bound"
        moved = {name: step * (1 if name == "lower" else -1) for name in ("lower", "upper") if method in (name, "both")}
    else:
        oracle = "the region's definition"
    if sum(alpha, F(0)) > 0:
        yield Piece(_file(case, rows, z, y, alpha, **moved), method, False, oracle)


def pieces(rng: random.Random) -> Iterator[Piece]:
    """Iterate over files about these objectives."""
    for level, method, low, high in random_brackets(rng):
        if method == "one point":
            continue
        case = _case(rng, level, low, high)
        if case is None:
            continue
        if method != "honest":
            rows, y = mechanism(case.chosen, low), case.solution(high)
            alpha = case.alpha(y)
            alpha = _lifted(case, alpha, case.excesses(alpha, y)[0])
            assert rows is not None
            if sum(alpha, F(0)) > 0:
                made = _file(case, rows, case.solution(low), y, alpha)
                yield Piece(made, f"bracket, {method}", False, f"the witness: {level.oracle}")
            continue
        yield from (_dual_pieces if rng.random() < 0.6 else _mechanism_pieces)(rng, case)


FUZZERS = {"pattern": pieces}
