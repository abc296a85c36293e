"""Rule 5, D- and E-optimality, true and false.

A dual is a quadratic form and the alpha that is tight at k patterns, lifted by the largest violation over all patterns,
worked out in fractions: then its bound is true; with less of a lift a pattern violates it. Determinants are sums over
permutations, eigenvalues those of mpmath with 60 digits.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import Any

import mpmath

from .harness import Piece, document
from .levels import Level, random_brackets
from .orders import Rows, nearly, texts
from .pattern_objectives import logarithm
from .pattern_pieces import Bits, Numbers, _population, dot, information, inverse, mechanism, pattern, weights

F = Fraction
DECIDING = {
    "pattern": (
        *("the dual fails", "lower is", "upper is", "above gamma", "does not sum to 1", "negative entry"),
        *("alpha does not sum", "not symmetric", "not positive", "does not sum to 0", "bracket"),
    )
}
DIGITS, _ROOM = "80", F(1, 10**40)


def determinant(rows: Rows) -> Fraction:
    """Return the sum over permutations."""
    total = F(0)
    for order in permutations(range(len(rows))):
        turned = sum(order[i] > order[j] for j in range(len(order)) for i in range(j))
        total += (-1) ** turned * prod((rows[i][j] for i, j in enumerate(order)), start=F(1))
    return total


def largest(rows: Rows, pi: Numbers) -> Fraction:
    """Return the largest eigenvalue of ``M^-1 - pi pi^T``, to 50 digits."""
    back = inverse(information(rows, pi))
    assert back is not None
    with mpmath.workdps(60):
        v = mpmath.matrix(
            [
                [mpmath.mpf((x - p * q).numerator) / (x - p * q).denominator for x, q in zip(row, pi, strict=True)]
                for row, p in zip(back, pi, strict=True)
            ]
        )
        top = max(mpmath.eigsy(v, eigvals_only=True))
        return F(int(mpmath.nint(top * 10**50)), 10**50)


@dataclass(frozen=True)
class Case:
    """An objective at two ends of a level, a mechanism of k patterns, and a W."""

    kind: str
    level: Level
    low: Fraction
    high: Fraction
    pi: Numbers
    chosen: list[Bits]
    w: Rows

    def side(self, row: Numbers) -> Fraction:
        """Return the left side of the inequality over s."""
        return dot(row, [dot(row, line) for line in self.w]) / dot(row, self.pi)

    def excesses(self, alpha: Numbers) -> Numbers:
        """Return by how much, per s, the inequality fails at each pattern of the level above; the largest first."""
        rows = [pattern(bits, self.high) for bits in product((0, 1), repeat=len(self.pi))]
        return sorted(((self.side(s) - dot(alpha, s)) / dot(s, self.pi) for s in rows), reverse=True)

    def alpha(self) -> Numbers:
        """Return the alpha that is tight at the patterns of the mechanism, at the level above."""
        rows = [pattern(bits, self.high) for bits in self.chosen]
        back = inverse(rows)
        assert back is not None
        return [dot(row, [self.side(s) for s in rows]) for row in back]

    def lifted(self, alpha: Numbers, t: Fraction) -> Numbers:
        """Return ``alpha + t pi``."""
        return [a + t * p for a, p in zip(alpha, self.pi, strict=True)]

    def bound(self, alpha: Numbers) -> Fraction:
        """Return the end that the dual proves."""
        total, k = sum(alpha, F(0)), len(alpha)
        if self.kind == "e-optimal":
            return sum((self.w[i][i] for i in range(k)), F(0)) / total
        return logarithm((total / k) ** k / determinant(self.w))

    def value(self, rows: Rows) -> Fraction:
        """Return the value of a mechanism."""
        if self.kind == "e-optimal":
            return largest(rows, self.pi)
        return logarithm(determinant(information(rows, self.pi)))


def _case(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Case | None:
    k, kind = rng.choice((2, 3, 3, 3, 4)), rng.choice(("d-optimal", "e-optimal"))
    chosen = rng.sample(list(product((0, 1), repeat=k))[1:-1], k)
    if rng.random() < 0.4:  # k-ary randomized response
        chosen = [tuple(int(i == j) for j in range(k)) for i in range(k)]
    if low == 1 or not all(weights(chosen, gamma) for gamma in (low, high)):
        return None
    pi, made = _population(rng, k), mechanism(chosen, high)
    assert made is not None
    w = inverse(information(made, pi))
    if w is None:
        return None
    if kind == "d-optimal" and rng.random() < 0.3:
        w = [[x * (1 + nearly(rng) * (i == j)) for j, x in enumerate(row)] for i, row in enumerate(w)]
    if kind == "e-optimal":
        root = [[F(rng.randint(-3, 3)) for _ in range(rng.randint(1, k))]]
        root += [[F(rng.randint(-3, 3)) for _ in root[0]] for _ in range(k - 2)]
        root.append([-sum(column) for column in zip(*root, strict=True)])
        if rng.random() < 0.4:  # the multiple of I - 1 1^T/k
            root = [[F(int(i == j)) - F(1, k) for j in range(k)] for i in range(k)]
        w = [[dot(a, b) for b in root] for a in root]
        if not any(map(any, w)):
            return None
    return Case(kind, level, low, high, pi, chosen, w)


def _file(case: Case, rows: Rows, alpha: Numbers, **moved: Fraction) -> Any:
    ends = [case.value(rows), case.bound(alpha)]
    lower, upper = ends if case.kind == "d-optimal" else ends[::-1]
    room = _ROOM * max(1, abs(lower), abs(upper))
    claim = {"lower": str(lower - room + moved.get("lower", 0)), "upper": str(upper + room + moved.get("upper", 0))}
    sizes = {"inputs": str(len(case.pi)), "outputs": str(len(rows)) if len(rows) % 2 else "any"}
    region = {"kind": "differential-privacy", **sizes, "epsilon": case.level.text, "delta": "0", "family": "all"}
    problem = {"region": region, "objective": {"kind": case.kind}, "population": [str(p) for p in case.pi]}
    claim = {"kind": "design-bracket", **claim, "mechanism": {"matrix": texts(rows)}}
    witness = {"rule": "pattern", "gamma": {"below": str(case.low), "above": str(case.high)}}
    witness |= {
        "delta": {"below": "0", "above": "0"},
        "dual": {"alpha": [str(a) for a in alpha], "matrix": texts(case.w)},
    }
    witness |= {"patterns": {"kind": "enumeration"}, "primal": {"rounded": DIGITS}}
    witness["logarithms"] = {"digits": DIGITS} if case.kind == "d-optimal" else []
    return document(problem, claim, witness)


def _dual_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Duals that hold, and duals that fail at a pattern."""
    rows, alpha = mechanism(case.chosen, case.low), case.alpha()
    assert rows is not None
    if rng.random() < 0.4:
        alpha = [a + nearly(rng) * rng.randint(-3, 3) for a in alpha]
    worst = case.excesses(alpha)
    kept = next((e for e in worst if e < worst[0]), worst[0])
    steps = {"repaired": worst[0], "not repaired": F(0), "a pattern left out": kept}
    steps["nearly repaired"] = worst[0] - nearly(rng) * (abs(worst[0]) + 1)
    method = rng.choice(tuple(steps))
    lifted = case.lifted(alpha, steps[method])
    if sum(lifted, F(0)) > 0:
        true = steps[method] >= worst[0]
        yield Piece(_file(case, rows, lifted), method, true, "all patterns" if true else "the witness: a pattern")


def _other_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Mechanisms beyond gamma, with other sums, other values, and invalid forms."""
    method = rng.choice(
        ("beyond gamma", "columns", "upper", "lower", "both", "not symmetric", "indefinite", "sums to 1")
    )
    rows = mechanism(case.chosen, case.high * (1 + nearly(rng)) if method == "beyond gamma" else case.low)
    if rows is None:
        return
    alpha = case.alpha()
    alpha = case.lifted(alpha, max(case.excesses(alpha)[0], F(0)))
    k, moved, oracle = len(case.pi), {}, "the witness: its form"
    if sum(alpha, F(0)) <= 0:
        return
    if method == "columns":
        scale = 1 + nearly(rng) * rng.choice((-1, 1))
        rows = [[entry * scale if i == j else entry for i, entry in enumerate(row)] for j, row in enumerate(rows)]
        if max(max(row) / min(row) for row in rows) > case.low:
            return
        oracle = "the region's definition"
    elif method in ("lower", "upper", "both"):
        step, oracle = nearly(rng) + F(1, 10**20), "the witness: its bound"
        moved = {name: step * (1 if name == "lower" else -1) for name in ("lower", "upper") if method in (name, "both")}
    elif method == "beyond gamma":
        oracle = "the region's definition"
    made = _file(case, rows, alpha, **moved)
    w = [list(row) for row in case.w]
    if method == "not symmetric":
        step = nearly(rng)
        w[0][1], w[1][0] = w[0][1] + step, w[1][0] - step  # S W S^T is the same
    elif method == "indefinite":  # less on two contrasts, which no pattern minds
        low = max(abs(x) for row in w for x in row) * 2 * k
        for i, j in product(range(2), repeat=2):
            w[i][j] -= low * (-1) ** (i + j)
        made["claim"]["lower" if case.kind == "e-optimal" else "upper"] = "-99" if case.kind == "e-optimal" else "99"
    elif method == "sums to 1":
        if case.kind == "d-optimal":
            return
        shift = nearly(rng) * max(abs(x) for row in w for x in row)
        w[0][0] += shift
        made["witness"]["dual"]["alpha"] = [str(99 * sum(alpha, F(0)) + 99 * shift * case.high**2) for _ in alpha]
        made["claim"]["lower"] = "0"
    made["witness"]["dual"]["matrix"] = texts(w)
    yield Piece(made, method, False, oracle)


def pieces(rng: random.Random) -> Iterator[Piece]:
    """Iterate over files about these objectives."""
    for level, method, low, high in random_brackets(rng):
        if method == "one point":
            continue
        case = _case(rng, level, low, high)
        if case is None:
            continue
        if method != "honest":
            rows, alpha = mechanism(case.chosen, low), case.alpha()
            alpha = case.lifted(alpha, case.excesses(alpha)[0])
            assert rows is not None
            if sum(alpha, F(0)) > 0:
                yield Piece(_file(case, rows, alpha), f"bracket, {method}", False, f"the witness: {level.oracle}")
            continue
        yield from (_dual_pieces if rng.random() < 0.5 else _other_pieces)(rng, case)


FUZZERS = {"pattern": pieces}
