"""The way of groups for E, D and the mutual information: duals and factors that hold narrowly, and that fail narrowly.

Whether a file is true is found from k x k matrices, their determinants, and all 2^k staircase rows.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import mpmath

from .harness import Piece
from .levels import Level, random_brackets
from .orbits import Orbit, _orbits, _written, expanded, folded, rearranged, written
from .orders import Rows, inverse_times, nearly, texts
from .staircases import Numbers, dot, information, pattern

F = Fraction
DIGITS, _ROOM = 50, F(1, 10**42)
KINDS = ("e-optimal", "d-optimal", "mutual-information")
GROUPS = ([3], [4], [2, 2], [1, 3], [3, 1], [1, 1, 2], [2, 1, 2], [1, 1, 1], [2], [1, 2])


def logarithm(x: Fraction) -> Fraction:
    """Return ln x with 60 digits."""
    with mpmath.workdps(60):
        value = mpmath.log(mpmath.mpf(x.numerator) / x.denominator)
        mantissa, exponent = mpmath.frexp(value)
        return F(int(mpmath.ldexp(mantissa, 220))) * F(2) ** (int(exponent) - 220)


class Case(NamedTuple):
    """An objective, a level and a mechanism."""

    kind: str
    level: Level
    low: Fraction
    high: Fraction
    groups: list[int]
    shares: Numbers  # of one input of each group
    orbits: list[Orbit]

    @property
    def place(self) -> list[int]:
        """The group of each input."""
        return [g for g, n in enumerate(self.groups) for _ in range(n)]

    @property
    def pi(self) -> Numbers:
        """Of all inputs."""
        return [self.shares[g] for g in self.place]

    @property
    def rows(self) -> Rows:
        """Of the mechanism."""
        return [row for orbit in self.orbits for row in rearranged(orbit)]

    def inner(self, matrix: Rows) -> Numbers:
        """Return the eigenvalues on contrasts inside the groups of two and more."""
        first = [sum(self.groups[:g]) for g in range(len(self.groups))]
        return [matrix[a][a] - matrix[a][a + 1] for a, n in zip(first, self.groups, strict=True) if n > 1]

    def around(self, own: Numbers, between: Rows) -> Rows:
        """Return the k x k matrix of these eigenvalues inside the groups and these entries apart from them."""
        blocks = [
            [x - (v / n if g == h else 0) for h, x in enumerate(row)]
            for g, (row, v, n) in enumerate(zip(between, own, self.groups, strict=True))
        ]
        return expanded(self.groups, own, blocks)

    def side(self, row: Numbers) -> Fraction:
        """Return the information of a row."""
        mean = dot(row, self.pi)
        return sum((p * x * logarithm(x / mean) for p, x in zip(self.pi, row, strict=True)), F(0))

    def least(self, square: Rows | None, beta: Numbers, gamma: Fraction) -> Fraction:
        """Return the least t for which the dual ``beta + t pi`` holds at all staircase rows."""
        found, alpha = [], [beta[g] for g in self.place]
        for bits in product((0, 1), repeat=len(self.pi)):
            s = pattern(bits, gamma)
            mean = dot(s, self.pi)
            left = self.side(s) if square is None else dot(s, [dot(row, s) for row in square]) / mean
            found.append((left - dot(alpha, s)) / mean)
        return max(found)


class Parts(NamedTuple):
    """What a file says beside its mechanism."""

    lower: Fraction
    upper: Fraction
    proof: Any


def determinant(rows: Rows) -> Fraction:
    """Return the determinant by expansion along the first row."""
    if not rows:
        return F(1)
    smaller = [[row[:j] + row[j + 1 :] for row in rows[1:]] for j in range(len(rows))]
    return sum(((-1) ** j * x * determinant(smaller[j]) for j, x in enumerate(rows[0]) if x), F(0))


def products(factor: Rows) -> Rows:
    """Return ``F F^T``."""
    return [[dot(a, b) for b in factor] for a in factor]


def _case(rng: random.Random, level: Level, low: Fraction, high: Fraction) -> Case | None:
    kind, groups = rng.choice(KINDS), rng.choice(GROUPS)
    parts = [rng.choice((1, 1, 1, 2, 5)) for _ in groups]
    if rng.random() < (0.1 if kind == "d-optimal" else 0.3):
        parts[rng.randrange(len(parts))] = 0
    parts = parts if any(parts) else [1] * len(parts)
    total = sum(n * p for n, p in zip(groups, parts, strict=True))
    if len(groups) == 1:  # subset selection: all eigenvalues of contrasts are equal
        d = rng.randint(1, groups[0] - 1)
        entries = [low] * d + [F(1)] * (groups[0] - d)
        rows = rearranged([entries])
        orbits: list[Orbit] | None = [[[x / sum(row[0] for row in rows) for x in entries]]]
    else:
        orbits = _orbits(rng, groups, low)
    return Case(kind, level, low, high, groups, [F(p, total) for p in parts], orbits) if orbits else None


def _file(case: Case, parts: Parts) -> Any:
    digits = {} if case.kind == "e-optimal" else {"digits": str(DIGITS)}
    return written(case.kind, case, (parts.lower, parts.upper), parts.proof | digits)


# the mechanism's side


def _primal(rng: random.Random, case: Case) -> tuple[Fraction | None, Any, str]:
    """Return the value that the mechanism proves, its part of the proof, and a method if it is false."""
    if case.kind == "mutual-information":
        return sum((case.side(row) for row in case.rows), F(0)) - _ROOM, {}, ""
    m = information(case.rows, case.pi)
    if case.kind == "d-optimal":
        det = determinant(m)
        if det <= 0:
            return F(0), {}, "rows that are constant in a group"
        return logarithm(det) - _ROOM, {}, ""
    unit = [[F(int(i == j)) for j in range(len(m))] for i in range(len(m))]
    found = inverse_times(unit, m)
    if found is None:
        return None, {}, ""
    pi = case.pi
    c = [[x - pi[i] * pi[j] for j, x in enumerate(row)] for i, row in enumerate(found)]
    with mpmath.workdps(60):
        values = mpmath.eigsy(mpmath.matrix([[mpmath.mpf(x.numerator) / x.denominator for x in row] for row in c]))[0]
        upper = F(int(max(values) * 10**40)) / 10**40 + F(1, 10**30)
    x, y = folded(case.groups, found, m)
    return upper, {"inverse": _written(x, y)}, ""


# the dual


def _dual_factor(rng: random.Random, case: Case) -> tuple[Numbers, Rows]:
    """Return x >= 0 and a factor whose columns sum to 0 over the inputs."""
    size, n = len(case.groups), case.groups
    is_d = case.kind == "d-optimal"
    x = [F(rng.randint(int(is_d), 5), rng.choice((1, 3, 12))) for _ in n]
    if rng.random() < 0.2:
        x = [v if m > 1 else F(0) for v, m in zip(x, n, strict=True)]
    width = size - 1 if is_d else rng.randint(int(size > 1 or rng.random() < 0.3), size)
    f = [[F(rng.randint(-4, 4), rng.choice((1, 2, 6))) for _ in range(width)] for _ in n]
    if is_d:
        f = [[v if j < g else (v or F(1)) if j == g else F(0) for j, v in enumerate(row)] for g, row in enumerate(f)]
    sums = [sum((m * row[j] for m, row in zip(n[:-1], f[:-1], strict=True)), F(0)) for j in range(width)]
    f[-1] = [-v / n[-1] for v in sums]
    return x, f


def _dual_pieces(rng: random.Random, case: Case, value: Fraction, primal: Any) -> Iterator[Piece]:
    """Duals that hold, and duals that fail."""
    size, kind = len(case.groups), case.kind
    methods = ["repaired"] * 4 + ["not repaired", "nearly repaired", "level below", "bound", "value"]
    if kind != "mutual-information":
        methods += ["no bound", "a column", "negative inside"]
    if kind == "d-optimal":
        methods += ["not triangular"] * (2 if size > 2 else 0) + ["bound", "zero inside", "a zero of the factor"]
    method = rng.choice(methods)
    beta = [F(rng.randint(-3, 3), 2) if rng.random() < 0.3 else F(0) for _ in case.groups]
    x, f, square, true = [F(0)] * size, [[F(0)] for _ in case.groups], None, method == "repaired"
    g = rng.randrange(size)
    if kind != "mutual-information":
        x, f = _dual_factor(rng, case)
        if method == "a column" and f[0]:
            f[g] = [v + nearly(rng) for v in f[g]]
        elif method in ("negative inside", "zero inside") and case.groups[g] > 1:
            x[g] = -nearly(rng) if method == "negative inside" else F(0)
        elif method == "not triangular" and size > 2:
            f[0][1], f[-1][1] = F(2), f[-1][1] - 2 * F(case.groups[0], case.groups[-1])
        elif method == "a zero of the factor" and f[0]:
            f = [[F(0), *row[1:]] for row in f]
        elif method not in methods[:10]:
            return
        square = case.around(x, products(f))
    t = case.least(square, beta, case.high)
    if method == "not repaired":
        t -= (abs(t) + 1) * F(rng.randint(1, 50), 100)
    elif method == "nearly repaired":
        t -= nearly(rng) * (abs(t) + 1)
    elif method == "level below":
        lower = case.least(square, beta, case.low)
        if t - lower < F(1, 10**36):
            return
        t = lower
    if kind == "mutual-information":
        t += _ROOM
    alpha = [b + t * p for b, p in zip(beta, case.shares, strict=True)]
    if method == "no bound":
        x, f, alpha = [F(0)] * size, [[F(0) for _ in row] for row in f], [F(0)] * size
    total = sum((n * a for n, a in zip(case.groups, alpha, strict=True)), F(0))
    bound = _bound(case, total, square)
    if bound is None:
        if true:
            return
        bound = F(1, 10**6) if kind == "e-optimal" else F(10**3)
    step = nearly(rng) + F(1, 10**25) if kind == "e-optimal" else 2 * _ROOM + nearly(rng) * (rng.random() < 0.5)
    is_e = kind == "e-optimal"
    bound += step * (1 if is_e else -1) * (method == "bound")
    value += step * (-1 if is_e else 1) * (method == "value")
    proof: dict[str, Any] = {"alpha": [str(a) for a in alpha], **primal}
    if kind == "mutual-information":
        weights = [rng.choice((0, 1, 1, 2, 3, 17)) for _ in case.groups]
        proof["slices"] = [str(a) for a in (weights if any(weights) else [1] * size)]
    else:
        columns, d = list(zip(*f, strict=True)), [F(1)] * len(f[0])
        if kind == "d-optimal":
            pivots = [column[j] or F(1) for j, column in enumerate(columns)]
            columns = [tuple(v / y for v in column) for column, y in zip(columns, pivots, strict=True)]
            d = [y**2 for y in pivots]
        proof |= {"inside": [str(v) for v in x], "lines": texts(columns), "weights": [str(y) for y in d]}
    parts = Parts(bound, value, proof) if is_e else Parts(value, bound, proof)
    yield Piece(_file(case, parts), f"{kind}, {method}", true, "all staircase rows" if true else "the proof")


def _bound(case: Case, total: Fraction, square: Rows | None) -> Fraction | None:
    """Return what a dual proves."""
    k = len(case.pi)
    if square is None:
        return total
    if total <= 0:
        return None
    if case.kind == "e-optimal":
        return sum((square[i][i] for i in range(k)), F(0)) / total
    det = determinant([[x + F(1, k) for x in row] for row in square]) / k
    return (k - 1) * logarithm(total / (k - 1)) - logarithm(det) + _ROOM if det > 0 else None


def _changed(rng: random.Random, case: Case) -> tuple[Case, str]:
    """Return a case whose mechanism is false, and the method."""
    method = rng.choice(("beyond gamma", "columns", "constant in a group", "negative", "left out"))
    g, first = rng.randrange(len(case.groups)), case.orbits[0]
    if method == "beyond gamma":
        wider = case.high * (1 + nearly(rng) * (case.low == case.high or rng.random() < 0.5))
        made = _orbits(rng, case.groups, wider)
        rows = [[x for part in orbit for x in part] for orbit in made or ()]
        if made and any(max(row) > case.low * min(row) for row in rows):
            return case._replace(orbits=made), method
    elif method == "columns":
        changed = [[x * (1 + nearly(rng)) for x in part] if a == g else part for a, part in enumerate(first)]
        entries = [x for part in changed for x in part]
        if max(entries) <= case.low * min(entries):
            return case._replace(orbits=[changed, *case.orbits[1:]]), method
    elif method == "constant in a group" and case.groups[g] > 1 and case.kind == "d-optimal":
        flat = []
        for orbit in case.orbits:  # the rearrangements of the group become one row
            times, mean = len(rearranged([orbit[g]])), sum(orbit[g], F(0)) / len(orbit[g])
            flat.append([[times * (mean if a == g else x) for x in part] for a, part in enumerate(orbit)])
        return case._replace(orbits=flat), method
    elif method == "negative":
        return case._replace(orbits=[*case.orbits, *([[F(s, 10)] * n for n in case.groups] for s in (1, -1))]), method
    elif method == "left out" and len(case.orbits) > 1:
        return case._replace(orbits=case.orbits[1:]), method
    return case, ""


def informations(rng: random.Random) -> Iterator[str]:
    """Iterate over true files about the mutual information."""
    found = (piece for piece in pieces(rng) if piece.true)
    return (piece.text for piece in found if "mutual-information" in piece.method)


def pieces(rng: random.Random) -> Iterator[Piece]:
    """Iterate over files about E, D and the information in groups."""
    for level, method, low, high in random_brackets(rng):
        case = _case(rng, level, low, high)
        if case is None or method == "one point":
            continue
        changed = ""
        if method == "honest" and rng.random() < 0.2:
            case, changed = _changed(rng, case)
        try:
            value, primal, false = _primal(rng, case)
        except (ValueError, ZeroDivisionError):
            continue
        if value is None:
            continue
        for piece in _dual_pieces(rng, case, value, primal):
            why = false or changed or (f"bracket, {method}" if method != "honest" else "")
            if why.startswith("bracket") and level.exact == low == high:
                continue
            yield Piece(piece.document, f"{case.kind}, {why}", False, "fractions") if why else piece
