"""The way of groups: mechanisms of orbits falsely said to be A-optimal, refuted by all rows written out.

Everything in groups is expanded to k inputs: all rearrangements of a row, all 2^k patterns, k x k matrices. At equal
shares the optimum is that of the best subset selection, so that every other one is refuted by its value.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from .harness import Piece
from .levels import Level, random_brackets
from .orders import Rows, nearly
from .staircases import Numbers, dot, information, inverse, pattern

F = Fraction
Orbit = list[Numbers]  # the entries of one row, by group


def rearranged(orbit: Orbit) -> Rows:
    """Return all different rows."""
    parts = [sorted(set(permutations(entries))) for entries in orbit]
    return [[x for part in row for x in part] for row in product(*parts)]


def expanded(groups: Sequence[int], diagonal: Numbers, blocks: Rows) -> Rows:
    """Return the k x k matrix."""
    place = [g for g, n in enumerate(groups) for _ in range(n)]
    return [[blocks[g][h] + (diagonal[g] if i == j else 0) for j, h in enumerate(place)] for i, g in enumerate(place)]


def folded(groups: Sequence[int], matrix: Rows, of: Rows) -> tuple[Numbers, Rows]:
    """Return the diagonal and the blocks of the inverse of a matrix; in a group of one 1/d is on the diagonal."""
    first = [sum(groups[:g]) for g in range(len(groups))]
    blocks = [[matrix[a][b] for b in first] for a in first]
    for g, (a, n) in enumerate(zip(first, groups, strict=True)):
        blocks[g][g] = matrix[a][a + 1] if n > 1 else matrix[a][a] - 1 / of[a][a]
    return [matrix[a][a] - blocks[g][g] for g, a in enumerate(first)], blocks


@dataclass
class Case:
    """A file in the making."""

    level: Level
    low: Fraction
    high: Fraction
    groups: list[int]
    shares: Numbers  # of one input of each group
    orbits: list[Orbit]
    diagonal: Numbers
    blocks: Rows
    alpha: Numbers
    inverse: tuple[Numbers, Rows] = ([], [])
    changes: dict[str, Fraction] = field(default_factory=dict)

    @property
    def pi(self) -> Numbers:
        """Of all inputs."""
        return [p for p, n in zip(self.shares, self.groups, strict=True) for _ in range(n)]

    def needed(self, gamma: Fraction, w: Rows) -> Fraction:
        """Return the least t for which the dual ``alpha = t pi`` holds at all patterns."""
        found = []
        for bits in product((0, 1), repeat=len(self.pi)):
            s = pattern(bits, gamma)
            moved = [dot(s, column) for column in zip(*w, strict=True)]
            found.append(dot(moved, moved) / dot(s, self.pi) ** 2)
        return max(found)

    def file(self) -> Any:
        """Return the document, with the vectors of ``W - pi v^T``, whose sums are 0; v are the sums of those of W."""
        pi, n, x = self.pi, self.groups, self.inverse
        trace = sum((m * (d + x[1][g][g]) for g, (m, d) in enumerate(zip(n, x[0], strict=True))), F(0))
        w = expanded(n, self.diagonal, self.blocks)
        v = [sum(column, F(0)) for column in zip(*w, strict=True)]
        k, place = range(len(pi)), [g for g, m in enumerate(n) for _ in range(m)]
        alpha = [self.alpha[place[i]] - 2 * dot(w[i], v) + dot(v, v) * pi[i] for i in k]
        w = [[w[i][j] - pi[i] * v[j] for j in k] for i in k]
        first = [sum(n[:g]) for g in range(len(n))]
        lines = [[sum(w[i][a] for i in k if place[i] == g) / m for g, m in enumerate(n)] for a in first]
        own, total = sum((w[i][i] for i in k), F(0)), sum(alpha, F(0))
        lower = (own**2 / total if total > 0 and own else F(1)) + self.changes.get("lower", 0)
        upper = trace - dot(pi, pi) + self.changes.get("upper", 0)
        proof = {"alpha": [str(alpha[a]) for a in first], "inside": [str(d) for d in self.diagonal]}
        proof |= {"lines": [[str(y) for y in line] for line in lines], "inverse": _written(*x)}
        return written("a-optimal", self, (lower, upper), proof)


def written(kind: str, case: Any, ends: tuple[Fraction, Fraction], proof: Any) -> Any:
    """Return a file about a mechanism of orbits."""
    level = {"epsilon": case.level.text, "delta": "0", "pairs": "all"}
    problem = {"inputs": str(len(case.pi)), "outputs": "any", "levels": [level], "bounds": None}
    problem |= {"objective": {"kind": kind}, "population": [str(p) for p in case.pi]}
    rows = [
        [[[str(v), str(entries.count(v))] for v in sorted(set(entries))] for entries in orbit] for orbit in case.orbits
    ]
    made = {"orbits": {"groups": [str(n) for n in case.groups], "rows": rows}}
    claim = {"lower": str(ends[0]), "upper": str(ends[1]), "mechanism": made}
    bracket = {"gamma": {"below": str(case.low), "above": str(case.high)}, "delta": {"below": "0", "above": "0"}}
    proof = {"way": "groups", "brackets": [bracket], **proof}
    return {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": proof}


def _written(diagonal: Numbers, blocks: Rows) -> Any:
    return {"diagonal": [str(d) for d in diagonal], "blocks": [[str(b) for b in row] for row in blocks]}


def _orbits(rng: random.Random, groups: list[int], gamma: Fraction) -> list[Orbit] | None:
    """Return orbits of patterns, or of rows of any entries, whose columns sum to 1; None where there are none."""
    size = len(groups)
    shapes: list[Orbit] = []
    while len(shapes) < size + rng.randint(0, 1):
        counts = [rng.randint(0, n) for n in groups]
        if 0 < sum(counts) < sum(groups):
            shape = [[gamma] * c + [F(1)] * (n - c) for c, n in zip(counts, groups, strict=True)]
            if rng.random() < 0.2:  # not a pattern
                shape = [[1 + (gamma - 1) * F(rng.randint(0, 3), 3) for _ in entries] for entries in shape]
            shapes.append(shape)
    means = [[sum(entries, F(0)) / len(entries) for entries in shape] for shape in shapes]
    rest = [F(rng.randint(0, 2), 20) for _ in shapes[size:]]
    back = inverse([list(column) for column in zip(*means[:size], strict=True)])
    if back is None:
        return None
    left = [1 - sum((t * row[g] for t, row in zip(rest, means[size:], strict=True)), F(0)) for g in range(size)]
    weights = [*(dot(row, left) for row in back), *rest]
    if min(weights) < 0:
        return None
    made = []
    for weight, shape in zip(weights, shapes, strict=True):
        if weight:
            made.append([[x * weight / len(rearranged(shape)) for x in entries] for entries in shape])
    return made


def _case(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Case | None:
    groups = rng.choice(([3], [4], [2, 2], [1, 3], [3, 1], [1, 1, 2], [2, 3], [1, 1, 1], [5]))
    parts = [rng.choice((0, 1, 1, 1, 2, 5, 100)) for _ in groups]
    parts[rng.randrange(len(parts))] += 1
    total = sum(n * p for n, p in zip(groups, parts, strict=True))
    shares = [F(p, total) for p in parts]
    if len(groups) == 1 and rng.random() < 0.7:  # subset selection
        d = rng.randint(1, groups[0] - 1)
        entries = [low] * d + [F(1)] * (groups[0] - d)
        rows = rearranged([entries])
        orbits: list[Orbit] | None = [[[x / sum(row[0] for row in rows) for x in entries]]]
    else:
        orbits = _orbits(rng, groups, low)
    if not orbits:
        return None
    case = Case(level, low, high, groups, shares, orbits, [], [], [])
    found = _inverse(case, orbits)
    if found is None:
        return None
    case.inverse = folded(groups, *found)
    case.diagonal, case.blocks = list(case.inverse[0]), [list(row) for row in case.inverse[1]]
    if rng.random() < 0.3:
        case.diagonal = [d + nearly(rng) * rng.randint(-3, 3) for d in case.diagonal]
    w = expanded(groups, case.diagonal, case.blocks)
    t = case.needed(high, w)
    case.alpha = [t * p for p in shares]
    return case


def _inverse(case: Case, orbits: list[Orbit]) -> tuple[Rows, Rows] | None:
    """Return M^-1 and M."""
    rows = [row for orbit in orbits for row in rearranged(orbit)]
    if any(not dot(row, case.pi) for row in rows):
        return None
    whole = information(rows, case.pi)
    found = inverse(whole)
    return None if found is None else (found, whole)


def _dual_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Duals that hold, and duals that fail at a pattern."""
    w = expanded(case.groups, case.diagonal, case.blocks)
    t = case.needed(case.high, w)
    method = rng.choice(("repaired", "not repaired", "nearly repaired", "a dual of the level below", "alpha", "lower"))
    kept, oracle = t, "the proof: a pattern"
    if method == "not repaired":
        kept = t * F(rng.randint(1, 99), 100)
    elif method == "nearly repaired":
        kept = t * (1 - nearly(rng))
    elif method == "a dual of the level below":
        kept = case.needed(case.low, w)
        if kept >= t:
            return
    elif method == "alpha":
        case.diagonal, kept = [F(0)] * len(case.groups), F(0)
        case.blocks, oracle = [[F(0)] * len(case.groups) for _ in case.groups], "the proof: no bound"
    elif method == "lower":
        case.changes["lower"], oracle = nearly(rng), "the proof: its bound"
    case.alpha = [kept * p for p in case.shares]
    yield Piece(case.file(), method, method == "repaired", oracle if method != "repaired" else "all patterns")


def _mechanism_pieces(rng: random.Random, case: Case) -> Iterator[Piece]:
    """Mechanisms beyond gamma, with other sums, a zero, a share that differs; another inverse or value."""
    methods = (
        "beyond gamma",
        "columns",
        "inverse",
        "a row left out",
        "upper",
        "negative",
        "zeros",
        "one share",
        "blocks",
    )
    method, oracle = rng.choice(methods), "fractions"
    g = rng.randrange(len(case.groups))
    first = case.orbits[0]
    if method == "beyond gamma":
        oracle = "the region's definition"
        wider = case.high * (1 + nearly(rng) * (case.low == case.high or rng.random() < 0.5))
        made = _orbits(rng, case.groups, wider)
        found = _inverse(case, made) if made else None
        rows = [[x for part in orbit for x in part] for orbit in made or ()]
        if found is None or max(max(row) / min(row) for row in rows) <= case.low:
            return
        case.orbits, case.inverse = made or [], folded(case.groups, *found)
    elif method == "columns":
        case.orbits[0] = [[x * (1 + nearly(rng)) for x in part] if a == g else part for a, part in enumerate(first)]
        entries = [x for part in case.orbits[0] for x in part]
        found = _inverse(case, case.orbits)
        if found is None or max(entries) > case.low * min(entries):
            return
        case.inverse = folded(case.groups, *found)
    elif method == "zeros":
        case.orbits.append([[F(0)] * n for n in case.groups])
    elif method == "negative":
        case.orbits += [[[F(sign, 10)] * n for n in case.groups] for sign in (1, -1)]
    elif method == "a row left out":
        found = _inverse(case, case.orbits[:-1] or [[[2 * x for x in part] for part in first]])
        if found is None:
            return
        case.inverse = folded(case.groups, *found)
    elif method == "inverse":
        case.inverse[0][g] -= nearly(rng)
    elif method == "blocks":
        h = rng.randrange(len(case.groups))
        case.inverse[1][g][h] -= nearly(rng)
    elif method == "upper":
        case.changes["upper"] = -nearly(rng)
    made = case.file()
    if method == "one share":
        start = sum(case.groups[:g])
        if case.groups[g] < 2 or not case.shares[g]:
            return
        population, step = made["problem"]["population"], case.shares[g] * nearly(rng)
        population[start], population[start + 1] = str(case.shares[g] + step), str(case.shares[g] - step)
        oracle = "the proof: groups"
    yield Piece(made, method, False, oracle)


def _equal_shares(case: Case) -> Iterator[Piece]:
    """At equal shares: the optimum is known, and a smaller upper or a larger lower end is false."""
    k, gamma = sum(case.groups), case.low
    best = min(F((k - 1) ** 2) * (d * gamma + k - d) ** 2 / (k * (gamma - 1) ** 2 * d * (k - d)) for d in range(1, k))
    made = case.file()
    lower, upper = F(made["claim"]["lower"]), F(made["claim"]["upper"])
    if lower <= best < upper:
        case.changes["lower"] = upper - lower
        yield Piece(case.file(), "a value of another size", False, "the best subsets")
    elif not lower <= best <= upper:
        raise AssertionError("the oracle and the file contradict each other")


def pieces(rng: random.Random) -> Iterator[Piece]:
    """Iterate over files about A-optimal designs in groups."""
    for level, method, low, high in random_brackets(rng):
        case = _case(rng, level, low, high)
        if case is None:
            continue
        if method == "one point":
            continue
        if method != "honest":
            if level.exact != low or level.exact != high:
                yield Piece(case.file(), f"bracket, {method}", False, f"the proof: {level.oracle}")
            continue
        if len(case.groups) == 1 and low == high and rng.random() < 0.3:
            yield from _equal_shares(case)
        else:
            yield from rng.choice((_dual_pieces, _mechanism_pieces))(rng, case)
