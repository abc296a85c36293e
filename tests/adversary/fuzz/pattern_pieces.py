"""Rule 5: mechanisms falsely said to be A-optimal, refuted by better ones, by the region or by their own value.

A mechanism of k independent patterns, ``sum_j theta_j S_j = 1``, has a dual of its own: W = M^-1 and the alpha with
``abs(S W)^2 = (alpha . S)(S . pi)`` on its patterns, of bound tr M^-1. It is the optimum unless another pattern
violates the inequality; then moving towards that pattern is better. ``alpha + t pi`` with t the largest of
``(abs(S W)^2 - (alpha . S) s) / s^2`` makes a true bound of any W and alpha.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from .harness import Piece, document
from .levels import Level, random_brackets
from .orders import Rows, inverse_times, nearly, texts

F = Fraction
Bits = tuple[int, ...]
Numbers = list[Fraction]

DECIDING = {
    "pattern": (
        "the dual fails",
        "lower is not",
        "upper is not",
        "the inverse is not",
        "above gamma",
        "by more than delta",
        "less than nothing",
        "does not sum to 1",
        "negative entry",
        "alpha does not sum",
        "bracket",
    )
}


def dot(left: Sequence[Fraction], right: Sequence[Fraction]) -> Fraction:
    """Return the scalar product."""
    return sum(map(lambda a, b: a * b, left, right), F(0))


def pattern(bits: Bits, gamma: Fraction) -> Numbers:
    """Return S in {1, gamma}^k."""
    return [gamma if bit else F(1) for bit in bits]


def inverse(rows: Rows) -> Rows | None:
    """Return the inverse of a square matrix."""
    return inverse_times([[F(int(i == j)) for j in range(len(rows))] for i in range(len(rows))], rows)


def information(rows: Rows, pi: Numbers) -> Rows:
    """Return ``sum_i p_i p_i^T / (p_i . pi)``."""
    k = range(len(pi))
    return [[sum((row[a] * row[b] / dot(row, pi) for row in rows), F(0)) for b in k] for a in k]


def value(rows: Rows, pi: Numbers) -> Fraction | None:
    """Return tr M^-1 - pi . pi."""
    found = inverse(information(rows, pi))
    return None if found is None else sum((found[i][i] for i in range(len(pi))), -dot(pi, pi))


def weights(chosen: list[Bits], gamma: Fraction) -> Numbers | None:
    """Return the theta > 0 of k patterns."""
    found = inverse([list(column) for column in zip(*(pattern(bits, gamma) for bits in chosen), strict=True)])
    theta = None if found is None else [sum(row, F(0)) for row in found]
    return theta if theta and min(theta) > 0 else None


def mechanism(chosen: list[Bits], gamma: Fraction) -> Rows | None:
    """Return the rows theta_j S_j."""
    theta = weights(chosen, gamma)
    if theta is None:
        return None
    return [[t * x for x in pattern(bits, gamma)] for t, bits in zip(theta, chosen, strict=True)]


def excess(bits: Bits, gamma: Fraction, w: Rows, alpha: Numbers, pi: Numbers) -> Fraction:
    """Return ``(abs(S W)^2 - (alpha . S) s) / s^2``."""
    s = pattern(bits, gamma)
    moved = [dot(s, column) for column in zip(*w, strict=True)]
    return (dot(moved, moved) - dot(alpha, s) * dot(s, pi)) / dot(s, pi) ** 2


@dataclass(frozen=True)
class Case:
    """A file in the making: patterns, population, level and bracket; the rest is worked out."""

    level: Level
    low: Fraction
    high: Fraction
    pi: Numbers
    chosen: list[Bits]

    @property
    def patterns(self) -> list[Bits]:
        """All of them."""
        return list(product((0, 1), repeat=len(self.pi)))

    def own_dual(self, gamma: Fraction) -> tuple[Rows, Numbers]:
        """Return the W and alpha of the mechanism at gamma."""
        made = mechanism(self.chosen, gamma)
        w = inverse(information(made, self.pi)) if made else None
        assert w is not None
        rows = [pattern(bits, gamma) for bits in self.chosen]
        sides = []
        for s in rows:
            moved = [dot(s, column) for column in zip(*w, strict=True)]
            sides.append(dot(moved, moved) / dot(s, self.pi))
        found = inverse(rows)
        assert found is not None
        return w, [dot(row, sides) for row in found]

    def worst(self, w: Rows, alpha: Numbers) -> list[Fraction]:
        """Return the excesses of all patterns at the level above, the largest first."""
        return sorted((excess(bits, self.high, w, alpha, self.pi) for bits in self.patterns), reverse=True)

    def better(self, lower: Fraction) -> bool:
        """Whether a step towards some pattern from the mechanism at the level below has a value below ``lower``."""
        made = mechanism(self.chosen, self.low)
        w, alpha = self.own_dual(self.low)
        assert made is not None
        ranked = sorted(self.patterns, key=lambda bits: excess(bits, self.low, w, alpha, self.pi))
        if excess(ranked[-1], self.low, w, alpha, self.pi) <= 0:
            return (value(made, self.pi) or F(0)) < lower
        new = pattern(ranked[-1], self.low)
        back = inverse([list(column) for column in zip(*(pattern(b, self.low) for b in self.chosen), strict=True)])
        theta = weights(self.chosen, self.low)
        assert back is not None
        assert theta is not None
        for i in range(2, 26, 4):
            t = min(theta) / 2**i
            moved = [x - t * dot(row, new) for x, row in zip(theta, back, strict=True)]
            if min(moved) < 0:
                continue
            rows = [[x * y for y in pattern(b, self.low)] for x, b in zip(moved, self.chosen, strict=True)]
            found = value([*rows, [t * y for y in new]], self.pi)
            if found is not None and found < lower:
                return True
        return False


def _file(case: Case, rows: Rows, x: Rows, w: Rows, alpha: Numbers, **changes: Any) -> Any:
    k, square = len(case.pi), dot(case.pi, case.pi)
    trace, total = sum((w[i][i] for i in range(k)), F(0)), sum(alpha, F(0))
    lower = trace**2 / total - square if total else F(1)
    upper = sum((x[i][i] for i in range(k)), -square)
    sizes = {"inputs": str(k), "outputs": str(len(rows)) if len(rows) % 2 else "any"}
    region = {"kind": "differential-privacy", **sizes, "epsilon": case.level.text, "delta": "0", "family": "all"}
    problem = {"region": region, "objective": {"kind": "a-optimal"}, "population": [str(p) for p in case.pi]}
    claim = {"kind": "design-bracket", "lower": str(lower + changes.get("lower", 0))}
    claim |= {"upper": str(upper + changes.get("upper", 0)), "mechanism": {"matrix": texts(rows)}}
    witness = {"rule": "pattern", "gamma": {"below": str(case.low), "above": str(case.high)}}
    witness |= {"delta": {"below": "0", "above": "0"}, "dual": {"alpha": [str(a) for a in alpha], "matrix": texts(w)}}
    witness |= {"patterns": {"kind": "enumeration"}, "primal": {"inverse": texts(x)}, "logarithms": []}
    return document(problem, claim, witness)


def _population(rng: random.Random, k: int) -> Numbers:
    shares = [rng.choice((0, 1, 1, 1, rng.randint(1, 9), 10000)) for _ in range(k)]
    shares[rng.randrange(k)] += 1
    return [F(x, sum(shares)) for x in shares]


def _case(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Case | None:
    k = rng.choice((2, 3, 3, 3, 3, 3, 4))
    chosen = rng.sample(list(product((0, 1), repeat=k))[1:-1], k)
    if rng.random() < 0.4:  # k-ary randomized response
        chosen = [tuple(int(i == j) for j in range(k)) for i in range(k)]
    if low == 1 or not all(weights(chosen, gamma) for gamma in (low, high)):
        return None
    return Case(level, low, high, _population(rng, k), chosen)


def _inverse_of(rows: Rows, pi: Numbers) -> Rows:
    found = inverse(information(rows, pi))
    assert found is not None
    return found


def _dual_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Duals that hold, and duals that fail at a pattern: left as they are, or repaired for all patterns but some."""
    rows = mechanism(case.chosen, case.low)
    assert rows is not None
    x = _inverse_of(rows, case.pi)
    w, alpha = case.own_dual(case.high)
    if rng.random() < 0.4:
        w = [[entry + nearly(rng) * rng.randint(-3, 3) for entry in row] for row in w]
    worst = case.worst(w, alpha)
    kept = next((e for e in worst if e < worst[0]), worst[0])
    steps = {"repaired": worst[0], "not repaired": F(0), "a pattern left out": kept}
    steps["nearly repaired"] = worst[0] - nearly(rng) * (abs(worst[0]) + 1)
    method = rng.choice(tuple(steps))
    t = steps[method]
    made = _file(case, rows, x, w, [a + t * p for a, p in zip(alpha, case.pi, strict=True)])
    if t >= worst[0]:
        yield Piece(made, method, True, "all patterns")
    else:
        false = case.better(F(made["claim"]["lower"]))
        yield Piece(made, method, False, "a mechanism" if false else "the witness: a pattern")


def _mechanism_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Mechanisms beyond gamma, with other sums, with another inverse, with another value; a dual of the level below."""
    method = rng.choice(("beyond gamma", "columns", "inverse", "a row left out", "upper", "lower", "alpha", "negative"))
    rows = mechanism(case.chosen, case.high * (1 + nearly(rng)) if method == "beyond gamma" else case.low)
    if rows is None:
        return
    oracle = "fractions"
    w, alpha = case.own_dual(case.high)
    t = max(case.worst(w, alpha)[0], F(0))
    alpha = [a + t * p for a, p in zip(alpha, case.pi, strict=True)]
    j, changes = rng.randrange(len(case.pi)), {}
    if method == "columns":
        scale = 1 + nearly(rng) * rng.choice((-1, 1))
        rows = [[entry * scale if i == j else entry for i, entry in enumerate(row)] for row in rows]
        if max(max(row) / min(row) for row in rows) > case.low:
            return
    elif method == "negative":  # two rows of other signs, their sum is nothing
        rows = [*rows, [F(1, 10)] * len(case.pi), [F(-1, 10)] * len(case.pi)]
    elif method == "lower":
        changes["lower"] = nearly(rng)
        oracle = "the witness: its bound"
    elif method == "upper":
        changes["upper"] = -nearly(rng)
    elif method == "alpha":  # (tr W)^2 / sum alpha < 0 proves nothing, nor does 0/0
        w, alpha = [[F(0)] * len(case.pi)] * len(case.pi), [F(0)] * len(case.pi)
        oracle = "the witness: no bound"
    elif method == "beyond gamma":
        oracle = "the region's definition"
    held = [row for row in rows if row[0] > 0]
    x = inverse(information(held[:-1] + [held[-1]] * 2 if method == "a row left out" else held, case.pi))
    if x is None:
        return
    if method == "inverse":
        x = [list(row) for row in x]
        x[j][j] -= nearly(rng)
    yield Piece(_file(case, rows, x, w, alpha, **changes), method, False, oracle)


def _four_multipliers(gamma: Fraction, pi: Fraction) -> tuple[Numbers, Numbers]:
    """Return alpha and x that are tight at the directions (1, 0), (gamma, 1), (1, gamma), (0, 1)."""
    left, right = (
        (gamma - 1) ** 2 / (gamma * (1 - pi) + pi),
        (gamma - 1) ** 2 / (1 - pi + gamma * pi),
    )
    back = inverse([[gamma, F(1)], [F(1), gamma]])
    assert back is not None
    alpha = [dot(row, [left, right]) for row in back]
    return alpha, [1 / (1 - pi) - alpha[0], 1 / pi - alpha[1]]


def _delta_pieces(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Iterator[Piece]:
    """Two inputs and delta > 0: the optimum is known, 1/(delta (1/(1 - pi) + 1/pi) + (1 - delta) ...)."""
    delta, pi = F(rng.randint(1, 99), 100), F(rng.randint(1, 99), 100)
    exact = low == high == level.exact
    method = rng.choice(("honest", "delta", "excess", "alpha", "lower", "upper", "negative") if exact else ("honest",))
    beyond = delta * (1 + nearly(rng) / 200) if method == "delta" else delta
    c = (1 - beyond) / (1 + low)
    rows = [[beyond, F(0)], [c * low, c], [c, c * low], [F(0), beyond]]
    alpha, x = _four_multipliers(high, pi)
    v = 1 / (sum(alpha) + delta * sum(x))
    j, less = rng.randrange(2), nearly(rng)
    if method == "excess":
        x[j] -= less
    elif method == "alpha":
        alpha[j] -= less
    elif method == "negative":  # what is tight, and more, paid back where nothing is in excess
        alpha[j], x[j] = alpha[j] + less, -less
    shares = [1 - pi, pi]
    w = [[p * q + (v if a == b else -v) for b, q in enumerate(shares)] for a, p in enumerate(shares)]
    square, turn = dot(shares, shares), 2 * v * (shares[0] - shares[1])
    side = [square * p + t + 2 * v * v * a for p, t, a in zip(shares, (turn, -turn), alpha, strict=True)]
    case = Case(level, low, high, shares, [])
    made = _file(case, rows, _inverse_of(rows, shares), w, side)
    bound = (w[0][0] + w[1][1]) ** 2 / (sum(side) + 2 * v * v * delta * sum(x)) - square
    value = F(made["claim"]["upper"])
    times = rng.choice((1, 2))
    made["problem"]["region"] |= {"delta": str(delta), "outputs": "any" if rng.random() < 0.5 else "4"}
    made["problem"]["objective"] = {"kind": "variance" if times == 2 else "a-optimal"}
    lower, upper = bound + less * (method == "lower"), value - less * (method == "upper")
    made["claim"] |= {"lower": str(lower / times), "upper": str(upper / times)}
    made["witness"] |= {"delta": {"below": str(delta), "above": str(delta)}}
    made["witness"]["dual"]["excess"] = [str(2 * v * v * each) for each in x]
    if method == "honest":
        yield Piece(made, "two inputs and delta", True, "all patterns")
    elif method == "negative" or lower > 2 * v or upper < 2 * v:
        yield Piece(made, f"two inputs and delta, {method}", False, "fractions")


def pieces(rng: random.Random) -> Iterator[Piece]:
    """Iterate over files about A-optimal designs."""
    for level, method, low, high in random_brackets(rng):
        if method == "honest" and rng.random() < 0.3:
            yield from _delta_pieces(rng, level, low, high)
            continue
        case = _case(rng, level, low, high)
        if case is None:
            continue
        if level.exact != low or level.exact != high:
            if method not in ("honest", "one point"):
                rows = mechanism(case.chosen, low)
                w, alpha = case.own_dual(high)
                t = case.worst(w, alpha)[0]
                alpha = [a + t * p for a, p in zip(alpha, case.pi, strict=True)]
                assert rows is not None
                made = _file(case, rows, _inverse_of(rows, case.pi), w, alpha)
                yield Piece(made, f"bracket, {method}", False, f"the witness: {level.oracle}")
                continue
            if method == "one point":
                continue
            if rng.random() < 0.2:  # the dual of the level below
                rows = mechanism(case.chosen, low)
                w, alpha = case.own_dual(low)
                t = max(replace(case, high=low).worst(w, alpha)[0], F(0))
                alpha = [a + t * p for a, p in zip(alpha, case.pi, strict=True)]
                assert rows is not None
                if case.worst(w, alpha)[0] > 0:
                    made = _file(case, rows, _inverse_of(rows, case.pi), w, alpha)
                    yield Piece(made, "a dual of the level below", False, "the witness: a pattern")
                continue
        yield from (_dual_pieces if rng.random() < 0.6 else _mechanism_pieces)(rng, case)


FUZZERS = {"pattern": pieces}
