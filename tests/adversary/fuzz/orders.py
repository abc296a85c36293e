"""Garblings and levels of mechanisms: random pieces, with oracles in plain fractions.

Garbling with two inputs: target = C source for a kernel C iff ``sum_i max(t_i0, w t_i1) <= sum_o max(s_o0, w s_o1)``
for all w >= 0. With an invertible source: iff ``target source^-1 >= 0``. Otherwise: a garbling never makes
``sum_o (c . p_o)^2 / (1 . p_o)`` larger, so a mechanism of which it is larger is no garbling of the other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath as mp

from .harness import Piece, statement
from .levels import Level, bracket_of, random_level

F = Fraction
Rows = list[list[Fraction]]
FRACTIONS = "fractions"
LEVELS = "mechanism-levels"

DECIDING = {
    "garbling": ("kernel times source", "a column of the kernel"),
    "decision": ("acting on the source",),
    "parity": ("the parity is finite", "parity is not the largest", "lower is not", "upper is not", "bracket"),
    "admissible": ("parity below gamma", "more than two", "parity above gamma", "proportional", "row of zeros"),
    "dominated": (
        "kernel times source",
        "of the kernel",
        "acting on the source",
        "above gamma",
        "proportional",
        "row of zeros",
    ),
}


def texts(rows: Rows) -> list[list[str]]:
    """Return a matrix as a file writes it."""
    return [[str(x) for x in row] for row in rows]


def kernel(rng: random.Random, m: int, k: int, zeros: float = 0.2) -> Rows:
    """Return a random m x k matrix whose columns are distributions."""
    columns = []
    for _ in range(k):
        weights = [0 if rng.random() < zeros else rng.randint(1, 9) for _ in range(m)]
        weights[rng.randrange(m)] += 1
        columns.append([F(w, sum(weights)) for w in weights])
    return [list(row) for row in zip(*columns, strict=True)]


def times(left: Rows, right: Rows) -> Rows:
    """Return the product."""
    columns = list(zip(*right, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), F(0)) for column in columns] for row in left]


def nearly(rng: random.Random) -> Fraction:
    """Return a small number, of any size."""
    return F(1, 10 ** rng.choice((1, 2, 3, 6, 12, 30)))


# Garbling.


def value(rows: Rows, w: Fraction) -> Fraction:
    """Return ``sum_i max(p_i0, w p_i1)``."""
    return sum((max(a, w * b) for a, b in rows), F(0))


def weight_against(source: Rows, target: Rows) -> Fraction | None:
    """Return a weight that shows that a target with two inputs is no garbling; None if it is one.

    Between the ratios of the source its value is linear in w and the target's convex: their difference is largest at
    a ratio, or in the limits.
    """
    ratios = {a / b for a, b in source if b} | {F(0)}
    best = max(ratios, key=lambda w: value(target, w) - value(source, w))
    if value(target, best) > value(source, best):
        return best
    certain = [sum((a for a, b in rows if not b), F(0)) for rows in (source, target)]
    return max(max(ratios), *(a / b for a, b in target if b)) + 1 if certain[0] < certain[1] else None


def inverse_times(target: Rows, source: Rows) -> Rows | None:
    """Return ``target source^-1`` by elimination; None if there is no inverse."""
    n = len(source)
    lines = [[source[i][j] for i in range(n)] + [row[j] for row in target] for j in range(n)]  # source^T | target^T
    for c in range(n):
        pivot = next((r for r in range(c, n) if lines[r][c]), None)
        if pivot is None:
            return None
        lines[c], lines[pivot] = lines[pivot], lines[c]
        lines[c] = [x / lines[c][c] for x in lines[c]]
        for r in range(n):
            if r != c and lines[r][c]:
                lines[r] = [x - lines[r][c] * y for x, y in zip(lines[r], lines[c], strict=True)]
    return [list(column) for column in zip(*(line[n:] for line in lines), strict=True)]


def is_garbling(source: Rows, target: Rows) -> tuple[bool, str] | None:
    """Return whether it is one and by which oracle; None where neither oracle serves."""
    if len(source[0]) == 2:
        return weight_against(source, target) is None, "two inputs"
    made = inverse_times(target, source) if len(source) == len(source[0]) else None
    return None if made is None else (min(map(min, made)) >= 0, "inverse")


def _pair(source: Rows, target: Rows) -> Any:
    return {"source": {"matrix": texts(source)}, "target": {"matrix": texts(target)}}


def moved(target: Rows, rng: random.Random) -> Rows | None:
    """Return the target with a little of one column moved from one row to another."""
    i, o = rng.sample(range(len(target)), 2)
    j, step = rng.randrange(len(target[0])), nearly(rng)
    changed = [list(row) for row in target]
    changed[i][j], changed[o][j] = changed[i][j] - step, changed[o][j] + step
    return changed if changed[i][j] >= 0 else None


def garblings(rng: random.Random) -> Iterator[Piece]:
    """Kernels that do not make the target: of a neighbour, with a negative entry, with other sums of columns."""
    while True:
        k = rng.choice((2, 2, 3))
        m, r = (rng.randint(2, 5) if k == 2 else k), rng.randint(2, 4)
        source, c = kernel(rng, m, k), kernel(rng, r, m)
        method = rng.choice(("neighbour", "neighbour", "negative", "sums", "honest"))
        if method in ("negative", "sums"):
            i, o = rng.sample(range(r), 2)
            j, step = rng.randrange(m), nearly(rng)
            c[i][j] = -step if method == "negative" else c[i][j] + step
            if method == "negative":
                c[o][j] = 1 - sum(c[u][j] for u in range(r) if u != o)
        if method == "sums":  # the same rows twice, once too much and once too little
            double = [row + row for row in c]
            double[0] = [x + (step if u < m else -step) for u, x in enumerate(double[0])]
            c, source = double, [[x / 2 for x in row] for row in (*source, *source)]
            c = [[*row[:m], *row[m:]] for row in c]
            excess = [sum(row[u] for row in c) - 1 for u in range(2 * m)]
            c[0] = [x - (excess[u] - (step if u < m else -step)) for u, x in enumerate(c[0])]
        target = times(c, source)
        if method == "neighbour":
            target = moved(target, rng) or target
        if min(map(min, target)) < 0:
            continue
        found = is_garbling(source, target)
        proves = method == "honest"
        if found is None or (found[0] and not proves and method != "sums"):
            continue
        made = statement("garbling", _pair(source, target), {"exists": True}, {"kernel": texts(c)})
        if method == "sums":
            yield Piece(made, method, False, "the proof: columns of the kernel")
        else:
            yield Piece(made, method, found[0], found[1])


def decisions(rng: random.Random) -> Iterator[Piece]:
    """Payoffs against a target that is a garbling: at random, or those that refute a neighbour of it."""
    while True:
        m, r = rng.randint(2, 4), rng.randint(2, 4)
        k = rng.choice((2, 2, 3))
        source, c = kernel(rng, m, k), kernel(rng, r, m)
        target, method, true = times(c, source), "random", False
        payoff: Rows = [[F(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(k)] for _ in range(r)]
        if k == 2 and rng.random() < 0.7:
            other = moved(target, rng)
            w = weight_against(source, other) if other is not None else None
            if w is None or other is None:
                continue
            payoff = [[F(1), F(0)] if a > w * b else [F(0), w] for a, b in other]
            method, true = rng.choice((("of a neighbour", False), ("of a neighbour", False), ("honest", True)))
            target = other if true else target
        elif rng.random() < 0.5:
            payoff, method = [list(row) for row in target], "the target itself"
        problem = _pair(source, target)
        oracle = "two inputs" if true else "a kernel"
        made = statement("garbling", problem, {"exists": False}, {"payoff": texts(payoff)})
        yield Piece(made, method, true, oracle)


# Parity and profile.


def _mechanism(rows: Rows, level: Any) -> Any:
    return {"mechanism": {"matrix": texts(rows)}, "level": level}


def parities(rng: random.Random) -> Iterator[Piece]:
    """Parities that are not the largest: of another row, a neighbour, finite or infinite the wrong way."""
    while True:
        rows = kernel(rng, rng.randint(2, 4), rng.randint(2, 4), rng.choice((0.0, 0.0, 0.4)))
        listed = [max(row) / min(row) if min(row) else None if max(row) else F(1) for row in rows]
        true = "infinite" if None in listed else str(max(x for x in listed if x is not None))
        finite = [x for x in listed if x is not None] or [F(1)]
        claims = {
            "another row": str(rng.choice(finite)),
            "a neighbour": str(max(finite) + rng.choice((-1, 1)) * nearly(rng)),
            "infinite": "infinite",
            "honest": true,
        }
        for method, claimed in claims.items():
            if claimed != true or method == "honest":
                made = statement(LEVELS, _mechanism(rows, None), {"parity": claimed}, {})
                yield Piece(made, method, claimed == true, FRACTIONS)


def excess(rows: Rows, gamma: Any) -> Any:
    """Return ``max over ordered pairs (j, l) of sum_i max(0, p_ij - gamma p_il)``."""
    k = len(rows[0])
    ordered = [(j, other) for j in range(k) for other in range(k) if j != other]
    return max(sum((x for row in rows if (x := row[j] - gamma * row[other]) > 0), 0 * gamma) for j, other in ordered)


def profiles(rng: random.Random) -> Iterator[Piece]:
    """Profiles worked out for a bracket that does not hold exp(epsilon), or with an end moved over the truth."""
    while True:
        rows, level = kernel(rng, rng.randint(2, 3), rng.randint(2, 3)), random_level(rng)
        method, low, high = bracket_of(level, rng)
        lower, upper = excess(rows, high), excess(rows, low)
        if method == "honest" and rng.random() < 0.7:
            method = "values"
            step = nearly(rng) * rng.choice((-1, 1))
            lower, upper = (lower + step, upper) if rng.random() < 0.5 else (lower, upper + step)
        true = _within(lower, rows, level, upper)
        if true is None or (true and method != "honest"):
            continue
        claim = {"lower": str(F(lower)), "upper": str(F(upper))}
        proof = {"brackets": [{"below": str(low), "above": str(high)}]}
        made = statement(LEVELS, _mechanism(rows, level.text), claim, proof)
        yield Piece(made, f"profile, {method}, {level.kind}", true, level.oracle)


def _within(lower: Fraction, rows: Rows, level: Level, upper: Fraction) -> bool | None:
    """Whether ``lower <= delta(epsilon) <= upper``; None where 60 digits do not decide."""
    if level.exact is not None:
        return lower <= excess(rows, level.exact) <= upper
    exact = [[mp.mpf(x.numerator) / x.denominator for x in row] for row in rows]
    found = excess(exact, level.number)
    low, high = (found - mp.mpf(F(x).numerator) / F(x).denominator for x in (lower, upper))
    if lower == upper == 0 and found == 0:
        return True
    return None if min(abs(low), abs(high)) < mp.mpf(10) ** -50 else bool(low > 0 > high)


# Admissibility.


def two_valued(rng: random.Random, k: int, gamma: Fraction) -> Rows:
    """Return a mechanism whose rows are multiples of patterns in {1, gamma}^k: all shifts of one or two patterns."""
    primitive = {2: [(1, 0)], 3: [(1, 0, 0), (1, 1, 0)], 4: [(1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0)]}[k]
    rows = []
    for pattern in rng.sample(primitive, rng.randint(1, min(2, len(primitive)))):
        line = [gamma if bit else F(1) for bit in pattern]
        share = F(rng.randint(1, 5))
        rows += [[share * x for x in line[-i:] + line[:-i]] for i in range(k)]
    total = sum(row[0] for row in rows)
    return [[x / total for x in row] for row in rng.sample(rows, len(rows))]


def information(rows: Rows, c: list[int]) -> Fraction:
    """Return ``sum_o (c . p_o)^2 / (1 . p_o)``."""
    return sum(((sum(map(lambda a, b: a * b, c, row)) ** 2) / sum(row) for row in rows), F(0))


def in_class(rows: Rows, gamma: Fraction) -> bool:
    """Whether a mechanism is in C_gamma."""
    shapes = [tuple(x / sum(row) for x in row) for row in rows if max(row)]
    distinct = len(set(shapes)) == len(rows) >= 2
    return distinct and all(max(row) <= gamma * min(row) for row in rows)


def merged(rows: Rows, rng: random.Random) -> tuple[Rows, Rows]:
    """Return (C P, C) with C moving a share of one row to another."""
    m, share = len(rows), rng.choice((F(1, 2), F(1), nearly(rng)))
    i, o = rng.sample(range(m), 2)
    c = [[F(int(a == b)) for b in range(m)] for a in range(m)]
    c[i][i], c[o][i] = 1 - share, share
    made = times(c, rows)
    keep = [u for u in range(m) if max(made[u])]
    return [made[u] for u in keep], [c[u] for u in keep]


def split(rows: Rows, rng: random.Random) -> Rows:
    """Return the mechanism with one row in two proportional parts."""
    i, share = rng.randrange(len(rows)), F(rng.randint(1, 9), 10)
    parts = [[x * share for x in rows[i]], [x * (1 - share) for x in rows[i]]]
    return [*rows[:i], *parts, *rows[i + 1 :]]


def _gamma(rng: random.Random) -> Fraction:
    return 1 + F(rng.randint(1, 30), rng.choice((1, 7, 10, 10**6)))


def admissibles(rng: random.Random) -> Iterator[Piece]:
    """Mechanisms that another one beats, or that are not in the class at all."""
    while True:
        k, gamma = rng.randint(2, 4), _gamma(rng)
        best = two_valued(rng, k, gamma)
        method = rng.choice(("merged", "merged", "merged", "split", "zeros", "level", "honest"))
        claimed, rows, true = gamma, best, method == "honest"
        if method == "merged":
            rows = merged(best, rng)[0]
            c = [rng.randint(-3, 3) for _ in range(k)]
            if not in_class(rows, gamma) or information(rows, c) >= information(best, c):
                continue
        elif method == "split":
            rows = split(best, rng)
        elif method == "zeros":
            rows = [*best, [F(0)] * k]
        elif method == "level":  # above: not in the class; below: mixed with the uniform mechanism of a better one
            claimed = max(gamma + nearly(rng) * rng.choice((-1, 1)), F(1) + F(1, 10**9))
            if claimed == gamma:
                continue
        made = statement(LEVELS, _mechanism(rows, {"log": str(claimed)}), {"admissible": True}, {})
        oracle = {"merged": "a kernel and information", "honest": "two values", "level": "two values"}
        yield Piece(made, method, true, oracle.get(method, "the class"))


def dominateds(rng: random.Random) -> Iterator[Piece]:
    """Mechanisms of two values, said to be beaten: by one outside of the class, by themselves, by others."""
    while True:
        k, gamma = rng.randint(2, 4), _gamma(rng)
        best = two_valued(rng, k, gamma)
        method = rng.choice(("beyond gamma", "permuted", "split", "another", "honest", "honest"))
        subject, made, claimed, true = best, best, gamma, False
        if method == "beyond gamma":  # P = (1-t) A + t/m
            m, share = len(best), nearly(rng) / 2
            if len(best) > k:
                continue
            claimed = max((1 - share) * max(row) + share / m for row in best) / min(
                (1 - share) * min(row) + share / m for row in best
            )
            c = [[share / m + (1 - share) * (i == j) for j in range(m)] for i in range(m)]
            subject = times(c, best)
        elif method == "permuted":
            order = rng.sample(range(len(best)), len(best))
            made = [best[i] for i in order]
            c = [[F(int(order[j] == i)) for j in range(len(best))] for i in range(len(best))]
        elif method == "split":
            made = split(best, rng)
            c = [[F(int(_parallel(a, b))) for b in made] for a in best]
        elif method == "another":
            made = two_valued(rng, k, gamma)
            c = kernel(rng, len(best), len(made))
        else:
            subject, c = merged(best, rng)
            true = in_class(subject, gamma)
        payoff: Rows = [[x / sum(row) for x in row] for row in made]
        if true:
            earned = sum((max(sum(map(lambda a, b: a * b, y, row)) for y in payoff) for row in subject), F(0))
            if earned >= sum((sum(map(lambda a, b: a * b, y, row)) for y, row in zip(payoff, made, strict=True)), F(0)):
                continue
        elif method == "honest":
            method = "merged to proportional rows"
        proof = {
            "brackets": [{"below": str(claimed), "above": str(claimed)}],
            "dominating": texts(made),
            "kernel": texts(c),
            "payoff": texts(payoff),
        }
        problem = _mechanism(subject, {"log": str(claimed)})
        yield Piece(statement(LEVELS, problem, {"admissible": False}, proof), method, true, "two values")


def _parallel(a: list[Fraction], b: list[Fraction]) -> bool:
    return all(x * b[0] == y * a[0] for x, y in zip(a, b, strict=True))


FUZZERS = {
    "garbling": garblings,
    "decision": decisions,
    "parity": parities,
    "profile": profiles,
    "admissible": admissibles,
    "dominated": dominateds,
}
