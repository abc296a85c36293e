"""Rules 1, 2 and 19: binary designs at levels of every form; n Var from its definition, levels by mpmath.

The optimum is at (1, delta), (delta, 1) or (m, m), m = (gamma + delta)/(gamma + 1): a smaller n Var at one of them
refutes a lower bound. Rational levels are compared in fractions, others with 80 digits: below 10^-50 is a tie.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import mpmath as mp
from adversary.designs import LABELS, half_planes, variance

from .harness import Piece, document
from .levels import Level, bracket_of, random_delta, random_level

F = Fraction
Design = tuple[Any, Any]
TIE = mp.mpf(10) ** -50

_BRACKETS = ("bracket", "gamma is rational", "delta is rational")
DECIDING = {
    "vertex": (
        *_BRACKETS,
        "a vertex of the witness",
        "witness's vertices",
        "other vertices below",
        "lower is not",
        "optima",
        "mechanism is not one",
        "upper is not",
        "a tie between",
        "optimal_set",
    ),
    "interval": (
        *_BRACKETS,
        "nothing can be estimated",
        "p00 \\+ p11 <= 1",
        "not private",
        "of the family",
        "lower is not",
        "upper is not",
    ),
}


def corners(gamma: Any, delta: Any, family: str) -> dict[str, Design]:
    """Return the designs that can be optimal, by name, in ascending order of p00."""
    m = (gamma + delta) / (gamma + 1)
    listed: dict[str, Design] = {}
    if family == "all" and 0 < delta < 1:
        listed["delta, 1"] = (delta, delta / delta)
    if delta == 1 or (gamma == 1 and family == "warner" and delta) or gamma > 1:
        listed["diagonal"] = (m, m)
    if family == "all" and 0 < delta < 1:
        listed["1, delta"] = (delta / delta, delta)
    return listed


def tight(design: Design, gamma: Fraction, delta: Fraction) -> list[str]:
    """Return the labels of the inequalities that hold with equality."""
    planes = zip(LABELS, half_planes(gamma, delta), strict=True)
    return [label for label, (a, b, c) in planes if a * design[0] + b * design[1] + c == 0]


@dataclass(frozen=True)
class Truth:
    """The level of a problem as numbers of one kind: fractions, or of 80 digits."""

    gamma: Any
    delta: Any
    family: str

    @classmethod
    def of(cls, gamma: Level, delta: Level, family: str) -> Truth:
        """Return it."""
        if gamma.exact is not None and delta.exact is not None:
            return cls(gamma.exact, delta.exact, family)
        return cls(gamma.number, delta.number, family)

    def number(self, x: Fraction) -> Any:
        """Return a rational as a number of this kind."""
        return x if isinstance(self.gamma, Fraction) else mp.mpf(x.numerator) / x.denominator

    def is_private(self, design: tuple[Fraction, Fraction]) -> bool:
        """Whether a design is certainly in the region: by more than a tie, or exactly."""
        a, b = map(self.number, design)
        edge = 0 if isinstance(self.gamma, Fraction) else -TIE
        inside = all(p * a + q * b + c >= edge for p, q, c in half_planes(self.gamma, self.delta))
        return inside and (self.family == "all" or a == b)

    def designs(self) -> dict[str, Design]:
        """Return the designs that can be optimal."""
        return corners(self.gamma, self.delta, self.family)

    def best(self, pi: Fraction) -> tuple[Any, list[str]]:
        """Return the least n Var and the designs that have it."""
        values = {name: variance(design, self.number(pi)) for name, design in self.designs().items()}
        least = min(values.values())
        return least, [name for name, value in values.items() if value - least <= self.tie]

    @property
    def tie(self) -> Any:
        """What counts as no difference."""
        return 0 if isinstance(self.gamma, Fraction) else TIE

    def exceeds(self, x: Fraction, value: Any) -> bool:
        """Whether a rational is above a number, by more than a tie."""
        return bool(self.number(x) - value > self.tie)


@dataclass(frozen=True)
class Problem:
    """A binary problem, and brackets of its level."""

    gamma: Level
    delta: Level
    family: str
    low: tuple[Fraction, Fraction]  # gamma, delta
    high: tuple[Fraction, Fraction]
    method: str

    @property
    def truth(self) -> Truth:
        """The true level."""
        return Truth.of(self.gamma, self.delta, self.family)

    @property
    def oracle(self) -> str:
        """How the truth is found."""
        return "fractions" if isinstance(self.truth.gamma, Fraction) else "mpmath"

    def region(self) -> Any:
        """Return the region of a file."""
        level = {"epsilon": self.gamma.text, "delta": self.delta.text, "family": self.family}
        return {"kind": "differential-privacy", "inputs": "2", "outputs": "2", **level}

    def brackets(self) -> Any:
        """Return the brackets of a witness."""
        ends = zip(("gamma", "delta"), self.low, self.high, strict=True)
        return {name: {"below": str(low), "above": str(high)} for name, low, high in ends}

    def file(self, population: Any, claim: Any, witness: Any) -> Any:
        """Return a file."""
        problem = {"region": self.region(), "objective": {"kind": "variance"}, "population": population}
        return document(problem, claim, witness)


def problems(rng: random.Random) -> Iterator[Problem]:
    """Iterate over problems at honest brackets and others, at which something can be estimated."""
    while True:
        gamma, delta = random_level(rng), random_delta(rng)
        first, g, h = bracket_of(gamma, rng)
        second, d, e = bracket_of(delta, rng, F(1))
        if rng.random() < 0.6:
            first, g, h = _honest(gamma, F(10**9) ** 2, None)
            second, d, e = _honest(delta, F(10**9) ** 2, F(1))
        if d < 0 or e < d or h < g:
            continue
        family = rng.choice(("all", "all", "warner"))
        problem = Problem(gamma, delta, family, (g, d), (h, e), "honest" if first == second == "honest" else "bracket")
        ends = [corners(*problem.low, family), corners(*problem.high, family), problem.truth.designs()]
        if all(ends):
            yield problem


def _honest(level: Level, size: Fraction, most: Fraction | None) -> tuple[str, Fraction, Fraction]:
    if level.exact is not None:
        return "honest", level.exact, level.exact
    low, high = level.near(-1 / size), level.near(1 / size)
    return "honest", low, high if most is None else min(high, most)


def matrix(design: Design) -> Any:
    """Return a design as a file writes it."""
    a, b = design
    return {"matrix": [[str(a), str(1 - b)], [str(1 - a), str(b)]]}


def small(rng: random.Random) -> Fraction:
    """Return a small positive number of any size."""
    return F(1, 10 ** rng.choice((1, 2, 4, 9, 30)))


# The vertex rule.


@dataclass(frozen=True)
class Claim:
    """What a file of rule 2 claims; None is worked out."""

    optima: list[Design]
    mechanism: Design
    lower: Fraction
    upper: Fraction
    segment: Any
    first: int = 0  # of the vertices that are listed


def _segment(problem: Problem, pi: Fraction) -> Any:
    if problem.family == "warner" or pi not in (0, 1) or not problem.low[1]:
        return None
    mirror = 1 if pi == 0 else -1
    return {"after": ["1", "0"][::mirror], "through": ["1", str(problem.low[1])][::mirror]}


def _file(problem: Problem, pi: Fraction, claim: Claim) -> Any:
    listed = list(corners(*problem.high, problem.family).values())[claim.first :]
    vertices = [{"tight": tight(v, *problem.high), "at_above": [str(x) for x in v]} for v in listed]
    claimed = {"lower": str(claim.lower), "upper": str(claim.upper), "mechanism": matrix(claim.mechanism)}
    claimed |= {"optima": [matrix(v) for v in claim.optima], "optimal_set": claim.segment}
    witness = {"rule": "vertex", **problem.brackets(), "vertices": vertices}
    return problem.file([str(1 - pi), str(pi)], {"kind": "optimal-design", **claimed}, witness)


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
            yield Piece(_file(problem, pi, honest), "honest", True, problem.oracle)
        for method, claim, names in _changed(problem, pi, honest, best, below, values, rng):
            if _judged(problem, pi, claim, names, least, optimal):
                yield Piece(_file(problem, pi, claim), method, False, problem.oracle)


def _of_brackets(problem: Problem, pi: Fraction, claim: Claim, false: bool) -> Piece:
    """Return the piece of a claim that is worked out for its brackets: false, or true with a bracket that is not."""
    if false or _encloses(problem):
        return Piece(_file(problem, pi, claim), "bracket" if false else "honest", not false, problem.oracle)
    return Piece(_file(problem, pi, claim), "bracket, the witness", False, "mpmath")


def _encloses(problem: Problem) -> bool:
    """Whether both brackets are proper ones of their numbers."""
    pairs = zip((problem.gamma, problem.delta), problem.low, problem.high, strict=True)
    for level, low, high in pairs:
        if level.exact is not None:
            if not low == level.exact == high:
                return False
        else:
            ends = [mp.mpf(x.numerator) / x.denominator - level.number for x in (low, high)]
            if not (ends[0] < 0 < ends[1]) or low <= 0:
                return False
    return True


def _judged(
    problem: Problem, pi: Fraction, claim: Claim, names: list[str] | None, least: Any, optimal: list[str]
) -> bool:
    """Whether a claim is certainly false."""
    truth = problem.truth
    if truth.exceeds(claim.lower, least) or variance(claim.mechanism, pi) != claim.upper:
        return True
    if not all(map(truth.is_private, [claim.mechanism, *claim.optima])):
        return True
    return names != optimal or claim.segment != _segment(problem, pi) or claim.first > 0


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
    yield "mechanism", replace(honest, mechanism=below[other], upper=values[other]), best if other in best else None
    value = values[best[0]] + rng.choice((-1, 1)) * step
    yield "lower", replace(honest, lower=value), best
    yield "upper", replace(honest, upper=value), best
    yield "a vertex hidden", replace(honest, first=1), best
    ends = rng.choice((["1", "0"], ["0", "1"]))
    through = str(rng.choice((problem.low[1], step, F(1))))
    segment = {"after": ends, "through": [through if x == "0" else x for x in ends]}
    yield "optimal_set", replace(honest, segment=segment if rng.random() < 0.7 else None), best
    a, b = below[best[0]]
    moved = (a + step * rng.choice((-1, 0, 1)), b + step * rng.choice((-1, 0, 1)))
    if moved != (a, b) and max(moved) <= 1 and min(moved) >= 0 and sum(moved) > 1:
        mine = variance(moved, pi)
        yield "a moved design", replace(honest, optima=[moved], mechanism=moved, upper=mine), None


# The interval rule.


def worst(design: Design, low: Any, high: Any) -> Any:
    """Return the largest n Var over prevalences: at an end, or where half of the answers are yes."""
    a, b = design
    half = (a - (a + b) / (a + b) / 2) / (a + b - 1)  # (1 - pi)(1 - a) + pi b = 1/2
    return max(variance(design, pi) for pi in (low, high, *([half] if low < half < high else [])))


def regret(design: Design, ends: list[Any], best: list[Any]) -> Any:
    """Return the larger excess of n Var over the best, at the two ends."""
    return max(variance(design, pi) - least for pi, least in zip(ends, best, strict=True))


def _hedge(gamma: Any, delta: Any, ends: list[Any], best: list[Any]) -> Design | None:
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
        kind = rng.choice(("minimax-design", "least-regret-design"))
        truth, ends = problem.truth, [low, high]
        if kind == "minimax-design":
            chosen = min(below, key=lambda v: worst(v, low, high))
            bound, value = min(worst(v, low, high) for v in above), worst(chosen, low, high)
        else:
            dear, cheap = ([min(variance(v, pi) for v in listed) for pi in ends] for listed in (below, above))
            hedges = []
            for level, best in ((problem.low, cheap), (problem.high, dear)):
                hedges.append([_hedge(*level, ends, best)] if problem.family == "all" and low < high else [])
            chosen = min([*below, *hedges[0]], key=lambda v: regret(v, ends, cheap))
            bound = max(min(regret(v, ends, dear) for v in [*above, *hedges[1]]), F(0))
            value = regret(chosen, ends, cheap)
        least = _least(truth, kind, low, high)
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
                mine = worst(moved, low, high) if kind == "minimax-design" else regret(moved, ends, cheap)
                tries.append(("a moved design", bound, mine, moved))
        for method, lower, upper, design in tries:
            if method == "honest":
                true, oracle = True, problem.oracle
            else:
                true, oracle = not _false(truth, kind, ends, lower, upper, design, least), problem.oracle
                if true and (method != "bracket" or _encloses(problem)):
                    continue
                if true:
                    method, true, oracle = "bracket, the witness", False, "mpmath"
            population = {"vertices": [[str(1 - pi), str(pi)] for pi in ends]}
            claim = {"kind": kind, "lower": str(lower), "upper": str(upper), "mechanism": matrix(design)}
            witness = {"rule": "interval", **problem.brackets()}
            yield Piece(problem.file(population, claim, witness), f"{kind}, {method}", true, oracle)


def _least(truth: Truth, kind: str, low: Fraction, high: Fraction) -> Any:
    """Return the worst case or regret of the best design that is tried: no bound may be above it."""
    ends, tried = [truth.number(low), truth.number(high)], list(truth.designs().values())
    if kind == "minimax-design":
        return min(worst(v, *ends) for v in tried)
    best = [min(variance(v, pi) for v in tried) for pi in ends]
    if truth.family == "all" and low < high:
        tried.append(_hedge(truth.gamma, truth.delta, ends, best))
    return min(regret(v, ends, best) for v in tried)


def _false(
    truth: Truth, kind: str, ends: list[Fraction], lower: Fraction, upper: Fraction, design: Design, least: Any
) -> bool:
    if sum(design) <= 1 or not truth.is_private(design) or truth.exceeds(lower, least):
        return True
    if kind == "minimax-design":
        return bool(worst(design, *ends) != upper)
    numbers = [truth.number(pi) for pi in ends]
    best = [min(variance(v, pi) for v in truth.designs().values()) for pi in numbers]
    made = tuple(map(truth.number, design))
    return bool(regret(made, numbers, best) - truth.number(upper) > truth.tie)


FUZZERS = {"vertex": vertices, "interval": intervals}
