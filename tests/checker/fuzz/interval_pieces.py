"""Rules 1 and 19: false worst cases and regrets over intervals of prevalences, refuted by a design."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from adversary.designs import variance

from .binary import BRACKETS, Design, Truth, corners, encloses, matrix, problems, small
from .harness import Piece

F = Fraction
DECIDING = {
    "interval": (
        *BRACKETS,
        "nothing can be estimated",
        "p00 \\+ p11 <= 1",
        "not private",
        "of the family",
        "lower is not",
        "upper is not",
    )
}


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
                if true and (method != "bracket" or encloses(problem)):
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


FUZZERS = {"interval": intervals}
