"""The statement binary-bracket: false claims about binary designs, refuted by designs and by fractions.

Optimal designs at one prevalence, worst cases and regrets over an interval, and three outputs. With three outputs the
value of a mechanism comes from the covariance of unbiased estimates, by the inverse of M in fractions; the optimum is
the least value over all maps of the four outputs to three, and no larger than that of any private mechanism drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from adversary.designs import variance

from .binary import Design, Problem, Truth, corners, encloses, matrix, problems, small, stated
from .harness import Piece
from .levels import Level, bracket_of, random_level

F = Fraction
Rows = Sequence[tuple[Fraction, Fraction]]


# optimal designs


@dataclass(frozen=True)
class Claim:
    """What a file claims about optimal designs."""

    optima: list[Design]
    mechanism: Design
    lower: Fraction
    upper: Fraction
    segment: Any


def _segment(problem: Problem, pi: Fraction) -> Any:
    if problem.family == "warner" or pi not in (0, 1) or not problem.low[1]:
        return None
    mirror = 1 if pi == 0 else -1
    return {"after": ["1", "0"][::mirror], "through": ["1", str(problem.low[1])][::mirror]}


def optima_file(problem: Problem, pi: Fraction, claim: Claim) -> Any:
    """Return the file of the optimal designs at a prevalence."""
    claimed = {"lower": str(claim.lower), "upper": str(claim.upper), "mechanism": matrix(claim.mechanism)}
    claimed |= {"optima": [matrix(v) for v in claim.optima], "set": claim.segment}
    return problem.file("variance", (pi, pi), claimed)


def _prevalence(problem: Problem, rng: random.Random) -> Fraction:
    g, d = problem.low
    if 0 < d < 1 and rng.random() < 0.4:  # at or beside the tie of the diagonal with a corner
        root = g + 2 * d - 1
        at = d * (g + d) / root**2 + rng.choice((F(0), F(0), small(rng), -small(rng))) if root else F(1, 2)
        if 0 <= at <= 1:
            return rng.choice((at, 1 - at))
    return rng.choice((F(0), F(1), F(1, 2), F(rng.randint(0, 12), 12)))


def vertices(rng: random.Random) -> Iterator[Piece]:
    """Claims about optimal designs: other vertices, hidden ones, moved designs, values and segments, brackets."""
    for problem in problems(rng):
        pi = _prevalence(problem, rng)
        below, above = (corners(*end, problem.family) for end in (problem.low, problem.high))
        if set(below) != set(above):
            continue
        values = {name: variance(v, pi) for name, v in below.items()}
        best = [name for name in below if values[name] == min(values.values())]
        lower = min(variance(v, pi) for v in above.values())
        honest = Claim([below[v] for v in best], below[best[0]], lower, values[best[0]], _segment(problem, pi))
        truth = problem.truth
        least, optimal = truth.best(pi)
        if problem.method != "honest" or _judged(problem, pi, honest, best, least, optimal):
            yield _of_brackets(problem, pi, honest, _judged(problem, pi, honest, best, least, optimal))
            continue
        if len(best) == 1 and problem.oracle == "fractions":
            yield Piece(optima_file(problem, pi, honest), "honest", True, problem.oracle)
        for method, claim, names in _changed(problem, pi, honest, best, below, values, rng):
            if _judged(problem, pi, claim, names, least, optimal):
                yield Piece(optima_file(problem, pi, claim), method, False, problem.oracle)


def _of_brackets(problem: Problem, pi: Fraction, claim: Claim, false: bool) -> Piece:
    """Return the piece of a claim that is worked out for its brackets: false, or true with a bracket that is not."""
    if false or encloses(problem):
        return Piece(optima_file(problem, pi, claim), "bracket" if false else "honest", not false, problem.oracle)
    return Piece(optima_file(problem, pi, claim), "bracket, the witness", False, "mpmath")


def _judged(
    problem: Problem, pi: Fraction, claim: Claim, names: list[str] | None, least: Any, optimal: list[str]
) -> bool:
    """Whether a claim is certainly false."""
    truth = problem.truth
    if truth.exceeds(claim.lower, least) or variance(claim.mechanism, pi) > claim.upper:
        return True
    if not all(map(truth.is_private, [claim.mechanism, *claim.optima])):
        return True
    return names != optimal or claim.segment != _segment(problem, pi)


def _changed(
    problem: Problem,
    pi: Fraction,
    honest: Claim,
    best: list[str],
    below: dict[str, Design],
    values: Any,
    rng: random.Random,
) -> Iterator[tuple[str, Claim, list[str] | None]]:
    step = small(rng)
    other = rng.choice(list(below))
    alone = replace(honest, optima=[below[other]], mechanism=below[other], upper=values[other])
    yield "another vertex", alone, [other]
    both = [name for name in below if name in (*best, other)]
    yield "one more", replace(honest, optima=[below[name] for name in both]), both
    yield "mechanism", replace(honest, mechanism=below[other]), best
    value = values[best[0]] + rng.choice((-1, 1)) * step
    yield "lower", replace(honest, lower=value), best
    yield "upper", replace(honest, upper=value), best
    ends = rng.choice((["1", "0"], ["0", "1"]))
    through = str(rng.choice((problem.low[1], step, F(1))))
    segment = {"after": ends, "through": [through if x == "0" else x for x in ends]}
    yield "set", replace(honest, segment=segment if rng.random() < 0.7 else None), best
    a, b = below[best[0]]
    moved = (a + step * rng.choice((-1, 0, 1)), b + step * rng.choice((-1, 0, 1)))
    if moved != (a, b) and max(moved) <= 1 and min(moved) >= 0 and sum(moved) > 1:
        mine = variance(moved, pi)
        yield "a moved design", replace(honest, optima=[moved], mechanism=moved, upper=mine), None


# intervals of prevalences


def worst(design: Design, low: Any, high: Any) -> Any:
    """Return the largest n Var over prevalences: at an end, or where half of the answers are yes."""
    a, b = design
    half = (a - (a + b) / (a + b) / 2) / (a + b - 1)  # (1 - pi)(1 - a) + pi b = 1/2
    return max(variance(design, pi) for pi in (low, high, *([half] if low < half < high else [])))


def regret(design: Design, ends: list[Any], best: list[Any]) -> Any:
    """Return the larger excess of n Var over the best, at the two ends."""
    return max(variance(design, pi) - least for pi, least in zip(ends, best, strict=True))


def hedge(gamma: Any, delta: Any, ends: list[Any], best: list[Any]) -> Design | None:
    """Return the design of the region whose excesses at both ends are equal and least."""
    gap = [least - pi * (1 - pi) for pi, least in zip(ends, best, strict=True)]
    kappa = (gap[0] - gap[1]) / (ends[1] - ends[0])
    least = max((1 - delta - delta * abs(kappa)) / (gamma + 2 * delta - 1), 0 * kappa)
    r, s = (least + kappa, least) if kappa >= 0 else (least, least - kappa)
    u = r + s + 1
    return 1 - r / u, 1 - s / u


def intervals(rng: random.Random) -> Iterator[Piece]:
    """Worst cases and regrets: bounds that a design beats, designs that are not private, values, brackets."""
    for problem in problems(rng):
        low, high = sorted(rng.choice((F(0), F(1), F(rng.randint(0, 12), 12), F(1, 2))) for _ in range(2))
        below, above = (list(corners(*end, problem.family).values()) for end in (problem.low, problem.high))
        kind = rng.choice(("variance", "regret"))
        truth, ends = problem.truth, [low, high]
        if kind == "variance":
            chosen = min(below, key=lambda v: worst(v, low, high))
            bound, value = min(worst(v, low, high) for v in above), worst(chosen, low, high)
        else:
            dear, cheap = ([min(variance(v, pi) for v in listed) for pi in ends] for listed in (below, above))
            hedges = []
            for level, best in ((problem.low, cheap), (problem.high, dear)):
                hedges.append([hedge(*level, ends, best)] if problem.family == "all" and low < high else [])
            chosen = min([*below, *hedges[0]], key=lambda v: regret(v, ends, cheap))
            bound = max(min(regret(v, ends, dear) for v in [*above, *hedges[1]]), F(0))
            value = regret(chosen, ends, cheap)
        least = least_value(truth, kind, low, high)
        base = (bound, value, chosen)
        step = small(rng)
        tries = [(problem.method, *base)]
        if problem.method == "honest":
            a, b = chosen
            moved = (a + step * rng.choice((-1, 0, 1)), b + step * rng.choice((-1, 0, 1)))
            other = rng.choice(below)
            tries += [
                ("lower", bound + step, value, chosen),
                ("lower", value, value, chosen),
                ("upper", bound, value - step, chosen),
            ]
            tries += [("both", value + step, value + step, chosen), ("another vertex", bound, value, other)]
            tries += [("exchanged", bound, value, (b, a)), ("useless", bound, value, (1 - a, 1 - b))]
            if min(moved) >= 0 and max(moved) <= 1 and sum(moved) > 1:
                mine = worst(moved, low, high) if kind == "variance" else regret(moved, ends, cheap)
                tries.append(("a moved design", bound, mine, moved))
        for method, lower, upper, design in tries:
            if method == "honest":
                true, oracle = True, problem.oracle
            else:
                true, oracle = not is_false(truth, kind, ends, lower, upper, design, least), problem.oracle
                if true and (method != "bracket" or encloses(problem)):
                    continue
                if true:
                    method, true, oracle = "bracket, the witness", False, "mpmath"
            claim = {"lower": str(lower), "upper": str(upper), "mechanism": matrix(design)}
            yield Piece(problem.file(kind, (low, high), claim), f"{kind}, {method}", true, oracle)


def least_value(truth: Truth, kind: str, low: Fraction, high: Fraction) -> Any:
    """Return the worst case or regret of the best design that is tried: no bound may be above it."""
    ends, tried = [truth.number(low), truth.number(high)], list(truth.designs().values())
    if kind == "variance":
        return min(worst(v, *ends) for v in tried)
    best = [min(variance(v, pi) for v in tried) for pi in ends]
    if truth.family == "all" and low < high:
        tried.append(hedge(truth.gamma, truth.delta, ends, best))
    return min(regret(v, ends, best) for v in tried)


def is_false(
    truth: Truth, kind: str, ends: list[Fraction], lower: Fraction, upper: Fraction, design: Design, least: Any
) -> bool:
    """Whether a claim about an interval is certainly false; ``least`` is what ``least_value`` returns."""
    if sum(design) <= 1 or not truth.is_private(design) or truth.exceeds(lower, least):
        return True
    if kind == "variance":
        return bool(worst(design, *ends) > upper)
    numbers = [truth.number(pi) for pi in ends]
    best = [min(variance(v, pi) for v in truth.designs().values()) for pi in numbers]
    made = tuple(map(truth.number, design))
    return bool(regret(made, numbers, best) - truth.number(upper) > truth.tie)


# three outputs


def value(rows: Rows, pi: Fraction) -> Fraction | None:
    """Return n Var of the efficient estimate of pi = Pr(X = 1), by M^-1; None where M is singular or infinite."""
    m = [[F(0)] * 2 for _ in range(2)]
    for row in rows:
        mean = row[0] * (1 - pi) + row[1] * pi
        if any(row) and not mean:
            return None
        for i, j in product((0, 1), repeat=2):
            m[i][j] += row[i] * row[j] / mean if mean else 0
    determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return m[0][0] / determinant - pi**2 if determinant else None


def four(gamma: Fraction, delta: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return the four outputs: with chance delta certain, else randomized response."""
    p = gamma / (1 + gamma)
    likely = (1 - delta) * p, (1 - delta) * (1 - p)
    return [(delta, F(0)), likely, likely[::-1], (F(0), delta)]


def best(gamma: Fraction, delta: Fraction, pi: Fraction) -> tuple[Fraction, Rows]:
    """Return the least value over all maps of four outputs to three, with its mechanism."""
    found = []
    for goes in product(range(3), repeat=4):
        if list(dict.fromkeys(goes)) != sorted(set(goes)) or goes[0]:
            continue  # the same up to the names of the outputs
        rows = [[F(0), F(0)] for _ in range(3)]
        for place, row in zip(goes, four(gamma, delta), strict=True):
            rows[place] = [a + b for a, b in zip(rows[place], row, strict=True)]
        made = [(a, b) for a, b in rows]
        worth = value(made, pi)
        if worth is not None:
            found.append((worth, made))
    return min(found)


def drawn(rng: random.Random, gamma: Fraction, delta: Fraction) -> Rows:
    """Return a private mechanism: the four outputs sent to three at random."""
    rows = [[F(0), F(0)] for _ in range(3)]
    for a, b in four(gamma, delta):
        shares = [rng.randint(0, 4) for _ in range(3)]
        shares[rng.randrange(3)] += 1
        for row, share in zip(rows, shares, strict=True):
            row[0] += a * F(share, sum(shares))
            row[1] += b * F(share, sum(shares))
    return [(a, b) for a, b in rows]


def _file(
    level: Level, ends: Any, delta: Fraction, pi: Fraction, claim: tuple[Fraction, Fraction], rows: Rows
) -> dict[str, Any]:
    made = {"matrix": [[str(a), str(b)] for a, b in rows]}
    said = {"lower": str(claim[0]), "upper": str(claim[1]), "mechanism": made}
    brackets = {
        "gamma": {"below": str(ends[0]), "above": str(ends[1])},
        "delta": {"below": str(delta), "above": str(delta)},
    }
    return stated((level.text, str(delta), "all"), "variance", (pi, pi), said, brackets, "3")


def merged(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        level = random_level(rng)
        delta = rng.choice((F(0), F(1), F(1, 100), F(1, 4), F(rng.randint(1, 999), 1000)))
        pi = rng.choice((F(1, 2), F(1, 1000), F(rng.randint(1, 99), 100)))
        exact = level.exact
        step = F(1, 10 ** rng.choice((12, 24)))
        ends = (exact, exact) if exact is not None else (max(F(1), level.near(-step)), level.near(step))
        if ends[1] == 1 and not delta:
            continue
        lower, _ = best(ends[1], delta, pi)
        if ends[0] == 1 and not delta:
            continue
        upper, rows = best(ends[0], delta, pi)
        oracle = "all maps to three outputs"
        yield Piece(_file(level, ends, delta, pi, (lower, upper), rows), "the optimum", True, oracle)
        wide = _file(level, ends, delta, pi, (lower * F(9, 10), upper * 2), rows)
        yield Piece(wide, "a wider bracket", True, oracle)
        other = drawn(rng, ends[0], delta)
        worth = value(other, pi)
        if worth is not None:
            assert worth >= lower, "a garbling is better than the best map"
            yield Piece(_file(level, ends, delta, pi, (lower, worth), other), "another mechanism", True, "its M^-1")
            small = worth * (1 - F(1, 10 ** rng.choice((1, 9, 18))))
            if small >= lower:
                yield Piece(
                    _file(level, ends, delta, pi, (lower, small), other), "upper below its value", False, "its M^-1"
                )
        factor = 1 + F(1, 10 ** rng.choice((1, 6, 9)))
        above = _file(level, ends, delta, pi, (upper * factor, upper * factor), rows)
        yield Piece(above, "lower above the optimum", False, oracle)
        below = upper / factor
        yield Piece(_file(level, ends, delta, pi, (min(lower, below), below), rows), "upper below", False, oracle)
        if delta < 1:
            more = delta + (1 - delta) * F(1, 10 ** rng.choice((1, 9)))
            worth, loose = best(ends[1], more, pi)
            lowest = min(lower, worth)
            yield Piece(
                _file(level, ends, delta, pi, (lowest, worth), loose), "too much delta", False, "the definition"
            )
        if delta:
            for sure in (F(0), F(1)):
                file = _file(level, ends, delta, sure, (F(0), F(10**6)), rows)
                yield Piece(file, "prevalence 0 or 1", False, "an infinite information")
        method, low, high = bracket_of(level, rng)
        if method not in ("honest", "one point") and (exact is None or (low, high) != (exact, exact)):
            moved = _file(level, (low, high), delta, pi, (F(0), F(10**9)), rows)
            yield Piece(moved, f"gamma {method}", False, level.oracle)
        binary = [(a, b) for a, b in rows if a or b][:2]
        yield Piece(_file(level, ends, delta, pi, (lower, upper), binary), "two rows", False, "counting")


SOURCES = {"optimal designs": vertices, "intervals": intervals, "three outputs": merged}
