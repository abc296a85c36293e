"""Rules 1 and 2: false claims about the optimal binary designs, refuted by the designs that can be optimal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from adversary.designs import variance

from .binary import BRACKETS, Design, Problem, corners, encloses, matrix, problems, small, tight
from .harness import Piece

F = Fraction
DECIDING = {
    "vertex": (
        *BRACKETS,
        "a vertex of the witness",
        "witness's vertices",
        "other vertices below",
        "lower is not",
        "optima",
        "mechanism is not one",
        "upper is not",
        "a tie between",
        "optimal_set",
    )
}


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


def vertex_file(problem: Problem, pi: Fraction, claim: Claim) -> Any:
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
            yield Piece(vertex_file(problem, pi, honest), "honest", True, problem.oracle)
        for method, claim, names in _changed(problem, pi, honest, best, below, values, rng):
            if _judged(problem, pi, claim, names, least, optimal):
                yield Piece(vertex_file(problem, pi, claim), method, False, problem.oracle)


def _of_brackets(problem: Problem, pi: Fraction, claim: Claim, false: bool) -> Piece:
    """Return the piece of a claim that is worked out for its brackets: false, or true with a bracket that is not."""
    if false or encloses(problem):
        return Piece(vertex_file(problem, pi, claim), "bracket" if false else "honest", not false, problem.oracle)
    return Piece(vertex_file(problem, pi, claim), "bracket, the witness", False, "mpmath")


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


FUZZERS = {"vertex": vertices}
