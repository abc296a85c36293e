"""The way of branches: covers that leave a corner out, duals that prove too little, mechanisms out of their bounds.

The oracle works out the generators of a cell as products of matrices, one for the order of an answer and one for each
halving, and holds every dual against all of them in fractions; and it knows mechanisms with smaller values than
``lower``. Whether a changed file is true is judged anew by it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from .harness import Piece
from .levels import Level, random_brackets
from .orders import Rows, nearly, texts
from .staircases import Numbers, dot, information, inverse

F = Fraction
Tree = Any  # a dual's place, or (i, a, b, first, second)


class Dual(NamedTuple):
    """The vectors w_j, alpha, and beta or None."""

    w: Rows
    alpha: Numbers
    beta: Rows | None


class Case(NamedTuple):
    """A problem, a mechanism, and a proof in numbers."""

    level: Level
    low: Fraction
    high: Fraction
    pi: Numbers
    contrast: Numbers | None
    bounds: tuple[Rows, Rows] | None
    rows: Rows
    duals: list[Dual]
    trees: list[Tree] | None  # one for each first cell; None: a single cell

    @property
    def reach(self) -> Fraction:
        """The largest ratio of two entries of a row, by the level above or by the bounds."""
        if self.bounds is None:
            return self.high
        least, most = self.bounds
        ratios = []
        for row, ends in zip(least, most, strict=True):
            for j, at in permutations(range(len(row)), 2):
                end = min(ends[j], 1 - sum(other[j] for other in least) + row[j])
                ratios.append(end / row[at] if row[at] else self.high)
        return min(self.high, max(ratios))

    @property
    def shape(self) -> tuple[int, int]:
        """m and k."""
        return len(self.rows), len(self.pi)


def first_cells(case: Case) -> list[tuple[tuple[int, ...], ...]]:
    """Return the orders of the answers of all first cells."""
    m, k = case.shape
    orders = list(permutations(range(k)))
    alike = case.bounds is None or all(len({tuple(row) for row in rows}) == 1 for rows in case.bounds)
    return list(combinations_with_replacement(orders, m)) if alike else list(product(orders, repeat=m))


def corners(case: Case) -> Iterator[tuple[int, int, Numbers]]:
    """Iterate over (dual, answer, generator) of all cells that are not halved."""
    m, k = case.shape
    if case.trees is None:
        for i, bits in product(range(m), product((F(1), case.reach), repeat=k)):
            yield 0, i, list(bits)
        return
    for chosen, tree in zip(first_cells(case), case.trees, strict=True):
        start = [[[case.reach if order.index(j) < s else F(1) for j in range(k)] for s in range(k)] for order in chosen]
        waiting = [(tree, [[[F(int(a == b)) for b in range(k)] for a in range(k)] for _ in range(m)])]
        while waiting:
            node, mixing = waiting.pop()  # of each answer: generators as mixtures of those of its order
            if isinstance(node, int):
                for i in range(m):
                    yield from (
                        (node, i, [dot(line, col) for col in zip(*start[i], strict=True)]) for line in mixing[i]
                    )
                continue
            i, a, b, first, second = node
            for replaced, part in ((b, first), (a, second)):
                half = deepcopy(mixing)
                half[i][replaced] = [(x + y) / 2 for x, y in zip(mixing[i][a], mixing[i][b], strict=True)]
                waiting.append((part, half))


def excess(case: Case, dual: Dual, i: int, r: Numbers) -> Fraction:
    """Return by how much alpha lacks pi at a generator of an answer."""
    slope = dot(dual.alpha, r) + (dot(dual.beta[i], r) if dual.beta else 0)
    mean = dot(case.pi, r)
    return (sum((dot(r, column) ** 2 for column in dual.w), F(0)) / mean - slope) / mean


def total(case: Case, dual: Dual) -> Fraction:
    """Return B."""
    reached = sum(dual.alpha, F(0))
    if dual.beta and case.bounds:
        for line, least, most in zip(dual.beta, *case.bounds, strict=True):
            reached += sum((max(b * low, b * high) for b, low, high in zip(line, least, most, strict=True)), F(0))
    return reached


def along(case: Case, dual: Dual) -> Fraction:
    """Return ``sum_j c_j.w_j``."""
    if case.contrast is None:
        return sum((column[j] for j, column in enumerate(dual.w)), F(0))
    return dot(case.contrast, dual.w[0])


def proved(case: Case, dual: Dual) -> Fraction | None:
    """Return the best lower that a dual proves; None: any."""
    reached, t = total(case, dual), along(case, dual)
    if reached < 0 or (not reached and t):
        return None
    return t * t / reached if reached and t else F(0)


def is_true(case: Case, lower: Fraction) -> bool:
    """Whether the proof proves lower."""
    if lower <= 0:
        return True
    for dual in case.duals:
        reached, t = total(case, dual), along(case, dual)
        if reached >= 0 and (not t or lower * reached > t * t):
            return False
    whole = [_whole(case, dual) for dual in case.duals]
    pi, _ = _integers([case.pi])
    for place, i, r in corners(case):
        (ray,), _ = _integers([r])
        w, slopes, left, right = whole[place]
        square = sum(sum(map(mul, ray, column)) ** 2 for column in w)
        if square * left > sum(map(mul, slopes[i], ray)) * sum(map(mul, pi[0], ray)) * right:
            return False
    return True


def _integers(rows: Rows) -> tuple[list[list[int]], int]:
    scale = lcm(*(x.denominator for row in rows for x in row))
    return [[int(x * scale) for x in row] for row in rows], scale


def _whole(case: Case, dual: Dual) -> tuple[list[list[int]], list[list[int]], int, int]:
    """Return W and alpha + beta_i in integers, and what the sides are times."""
    lines = dual.beta or [[F(0)] * len(case.pi)] * len(case.rows)
    w, scale = _integers(dual.w)
    slopes, unit = _integers([[a + b for a, b in zip(dual.alpha, line, strict=True)] for line in lines])
    return w, slopes, unit * _integers([case.pi])[1], scale**2


def lifted(case: Case) -> Case:
    """Return the case with duals that hold."""
    worst: dict[int, Fraction] = {}
    for place, i, r in corners(case):
        worst[place] = max(worst.get(place, F(-(10**9))), excess(case, case.duals[place], i, r))
    duals = [
        dual._replace(alpha=[a + worst[n] * p for a, p in zip(dual.alpha, case.pi, strict=True)])
        if n in worst
        else dual
        for n, dual in enumerate(case.duals)
    ]
    return case._replace(duals=duals)


def value(case: Case, rows: Rows) -> Fraction | None:
    """Return the objective of a mechanism with M of full rank."""
    found = inverse(information(rows, case.pi))
    if found is None:
        return None
    if case.contrast is None:
        return sum((found[j][j] for j in range(len(case.pi))), -dot(case.pi, case.pi))
    along_c = [dot(row, case.contrast) for row in found]
    return dot(along_c, case.contrast) - dot(case.contrast, case.pi) ** 2


def file(case: Case, lower: Fraction, **changes: Any) -> dict[str, Any]:
    """Return the certificate; ``held`` are the rows that the estimator belongs to, if they are others."""
    m, k = case.shape
    problem: Any = {"inputs": str(k), "outputs": str(m), "population": [str(p) for p in case.pi]}
    problem["levels"] = [{"epsilon": case.level.text, "delta": "0", "pairs": "all"}]
    problem["bounds"] = {"least": texts(case.bounds[0]), "most": texts(case.bounds[1])} if case.bounds else None
    problem["objective"] = {"kind": "a-optimal"}
    if case.contrast:
        problem["objective"] = {"kind": "c-optimal", "contrast": [str(c) for c in case.contrast]}
    held = changes.get("held", case.rows)
    found = inverse(information(held, case.pi)) or []
    wanted = [case.contrast] if case.contrast else [[F(int(i == j)) for j in range(k)] for i in range(k)]
    solved = [[dot(row, c) for row in found] for c in wanted]
    proof: Any = {"estimators": [texts([[dot(z, row) / dot(row, case.pi) for row in held] for z in solved])]}
    duals = []
    for dual in case.duals:
        one = {"alpha": [str(a) for a in dual.alpha], "vectors": [texts(dual.w)]}
        if case.bounds:
            one["limits"] = texts(dual.beta or [[F(0)] * k] * m)
        duals.append(one)
    ends = [{"below": str(case.low), "above": str(case.high)}, {"below": "0", "above": "0"}]
    proof["brackets"] = [dict(zip(("gamma", "delta"), ends, strict=True))]
    if case.trees is None:
        proof |= {"way": "rays", "slopes": [], **duals[0]}
    else:
        proof |= {"way": "branches", "duals": duals, "cells": [one for tree in case.trees for one in tokens(tree)]}
    upper = (value(case, case.rows) or F(0)) + changes.get("upper", 0)
    claim = {"lower": str(lower), "upper": str(upper), "mechanism": {"matrix": texts(case.rows)}}
    return {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": proof}


def tokens(tree: Tree) -> list[Any]:
    """Return the tokens of a cell and its halves."""
    if isinstance(tree, int):
        return [str(tree)]
    i, a, b, first, second = tree
    return [[str(i), str(a), str(b)], *tokens(first), *tokens(second)]


def _mechanism(rng: random.Random, m: int, k: int, gamma: Fraction) -> Rows:
    """Return randomized response to a drawn table of answers, mixed with blind answers: at gamma or below it."""
    table = [[F(int(i == (j + 1) % m)) for j in range(k)] for i in range(m)]
    share, blind = (gamma - 1) / (gamma - 1 + m), [[F(1, m)] * k for _ in range(m)]
    share *= rng.choice((1, 1, F(3, 4), F(1, 2)))
    return [
        [share * x + (1 - share) * y for x, y in zip(*rows, strict=True)] for rows in zip(table, blind, strict=True)
    ]


def _tree(rng: random.Random, shape: tuple[int, int], duals: int, depth: int) -> Tree:
    if not depth or rng.random() < 0.6:
        return rng.randrange(duals)
    a, b = rng.sample(range(shape[1]), 2)
    first, second = (_tree(rng, shape, duals, depth - 1) for _ in range(2))
    return rng.randrange(shape[0]), a, b, first, second


def draw(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Case | None:
    """Return a case whose duals hold."""
    m, k = (3, 3) if rng.random() < 0.04 else rng.choice(((2, 2), (2, 2), (3, 2)))
    raw = [rng.choice((0, 1, 1, 2, rng.randint(1, 9))) for _ in range(k)]
    raw[rng.randrange(k)] += 1
    pi, rows = [F(x, sum(raw)) for x in raw], _mechanism(rng, m, k, low)
    contrast = None if rng.random() < 0.6 else [F(rng.randint(-2, 2)) for _ in range(k)]
    if contrast is not None and not any(contrast):
        return None
    bounds = None
    if rng.random() < 0.6:
        least, most = (F(1, rng.randint(4, 20)), F(1)) if rng.random() < 0.6 else (F(0), F(rng.randint(8, 10), 10))
        bounds = ([[least] * k for _ in range(m)], [[most] * k for _ in range(m)])
        if rng.random() < 0.3:
            bounds[0][rng.randrange(m)][rng.randrange(k)] /= 2
            bounds[1][rng.randrange(m)][rng.randrange(k)] -= F(1, 50)
        held = zip(rows, *bounds, strict=True)
        if not all(a <= p <= b for line in held for p, a, b in zip(*line, strict=True)):
            return None
    case = Case(level, low, high, pi, contrast, bounds, rows, [], None)
    found, count = inverse(information(rows, pi)), rng.randint(1, 3)
    if found is None or value(case, rows) is None:
        return None
    duals = []
    for _ in range(count):
        moved = [[x + nearly(rng) * rng.randint(-2, 2) for x in row] for row in found]
        w = moved if contrast is None else [[dot(row, contrast) for row in moved]]
        w = [[x - p * sum(column) for x, p in zip(column, pi, strict=True)] for column in w]
        beta = None
        if bounds and rng.random() < 0.8:
            beta = [[F(rng.randint(-2, 2), 4) for _ in range(k)] for _ in range(m)]
        duals.append(Dual(w, [F(rng.randint(-2, 2)) for _ in range(k)], beta))
    if rng.random() < 0.2:
        return lifted(case._replace(duals=duals[:1]))
    trees = [_tree(rng, (m, k), count, 2 if k == 2 else 1) for _ in first_cells(case)]
    case = case._replace(duals=duals, trees=trees)
    served = {place for place, _, _ in corners(case)}
    return lifted(case) if served == set(range(count)) else None


def _proof_pieces(rng: random.Random, case: Case, lower: Fraction) -> Iterator[Piece]:
    """Proofs with one thing changed: what they prove is worked out anew."""

    def piece(method: str, changed: Case, end: Fraction) -> Piece:
        return Piece(file(changed, end), method, is_true(changed, end), "fractions")

    best = min((b for b in (proved(case, dual) for dual in case.duals) if b is not None), default=None)
    yield piece("what is proved", case, lower if best is None else best)
    if best is not None:
        yield piece("above what is proved", case, best + nearly(rng) * (abs(best) + 1))
    n = rng.randrange(len(case.duals))
    dual, duals = case.duals[n], list(case.duals)
    duals[n] = dual._replace(alpha=[a - nearly(rng) * p for a, p in zip(dual.alpha, case.pi, strict=True)])
    yield piece("alpha less", case._replace(duals=duals), lower)
    duals[n] = dual._replace(alpha=[F(0)] * len(case.pi), w=[[F(0)] * len(case.pi) for _ in dual.w])
    yield piece("a dual of nothing", case._replace(duals=duals), lower)
    if dual.beta:
        i, j = rng.randrange(len(case.rows)), rng.randrange(len(case.pi))
        beta = [list(line) for line in dual.beta]
        beta[i][j] += rng.choice((-1, 1)) * nearly(rng)
        duals[n] = dual._replace(beta=beta)
        yield piece("beta moved", case._replace(duals=duals), lower)
    if case.trees is None:
        return
    spot = rng.randrange(len(case.trees))
    others = list(case.trees)
    others[spot] = _other(rng, case.trees[spot], len(case.duals))
    yield piece("other cells", case._replace(trees=others), lower)
    if len(case.duals) > 1:
        others = case.trees[1:] + case.trees[:1]
        yield piece("cells turned", case._replace(trees=others), lower)


def _other(rng: random.Random, tree: Tree, duals: int) -> Tree:
    """Return a tree with halves exchanged, or another dual."""
    if isinstance(tree, int):
        return rng.randrange(duals)
    i, a, b, first, second = tree
    return rng.choice(((i, a, b, second, first), (i, b, a, first, second), first, second))


def _false_pieces(rng: random.Random, case: Case, lower: Fraction) -> Iterator[Piece]:
    """Files that are false whatever the proof: of the claim, the mechanism, or the form of the cells."""
    made = file(case, lower)
    small, own = nearly(rng), value(case, case.rows) or F(0)
    yield Piece(file(case, own + small), "above a mechanism", False, "fractions")
    yield Piece(file(case, lower, upper=-small), "upper", False, "fractions")
    m, k = case.shape
    held = [[x * (1 + small * (i == 0 and j == 0)) for j, x in enumerate(row)] for i, row in enumerate(case.rows)]
    yield Piece(file(case, lower, held=held), "estimator", False, "fractions")
    wide = _mechanism(random.Random(1), m, k, case.low * (1 + small))
    if max(max(row) / min(row) for row in wide) > case.low and value(case, wide) is not None:
        yield Piece(file(case._replace(rows=wide), lower), "beyond gamma", False, "the region's definition")
    if case.bounds:
        tight = [
            [max(x, min(row) + small)] * k for x, row in zip((b[0] for b in case.bounds[0]), case.rows, strict=True)
        ]
        moved = case._replace(bounds=(tight, case.bounds[1]))
        yield Piece(file(moved, F(0)), "out of its bounds", False, "the region's definition")
    scaled = [[x * (1 + small) for x in row] for row in case.rows]
    yield Piece(file(case._replace(rows=scaled), lower), "columns", False, "fractions")
    if case.trees is not None and lower > 0:
        for method, cells in (
            ("a cell too few", made["proof"]["cells"][:-1]),
            ("a cell too many", [*made["proof"]["cells"], "0"]),
            ("no halving", [["0", "1", "1"], *tokens(case.trees[0]), *made["proof"]["cells"]]),
        ):
            changed = deepcopy(made)
            changed["proof"]["cells"] = cells
            yield Piece(changed, method, False, "its form")


def pieces(rng: random.Random) -> Iterator[Piece]:
    """Iterate over files about restricted output alphabets, with bounds and without."""
    for level, method, low, high in random_brackets(rng):
        if method == "one point":
            continue
        case = draw(rng, level, low, high)
        if case is None:
            continue
        ends = [b for b in (proved(case, dual) for dual in case.duals) if b is not None]
        lower = min(ends, default=F(1)) - rng.choice((0, nearly(rng)))
        if method != "honest":
            yield Piece(file(case, lower), f"bracket, {method}", False, f"the proof: {level.oracle}")
            continue
        yield from _proof_pieces(rng, case, lower)
        if rng.random() < 0.5:
            yield from _false_pieces(rng, case, lower)
