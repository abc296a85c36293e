"""Rule 26: false claims about compositions, refuted by the enumeration of every answer in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from .harness import Piece, document
from .levels import Level, bracket_of, random_level

F = Fraction
ORACLE = "the enumeration of every answer"

DECIDING = {
    "composition": (
        "lower is above the delta",
        "upper is below the delta",
        "a delta is not in",
        "a count is not",
        "gamma",
        "has .* entries",
    )
}


def four(g: Fraction, delta: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return the answers certainly no, no, yes, certainly yes by their chances from two inputs."""
    likely = (1 - delta) * g / (1 + g)
    return [(delta, F(0)), (likely, 1 - delta - likely), (1 - delta - likely, likely), (F(0), delta)]


def slack(parities: Sequence[tuple[Fraction, Fraction]], gamma: Fraction) -> Fraction:
    """Return delta by its definition."""
    total = F(0)
    for answer in product(*(four(g, delta) for g, delta in parities)):
        p, q = (prod((cell[side] for cell in answer), start=F(1)) for side in (0, 1))
        total += max(F(0), p - gamma * q)
    return total


def _ends(level: Level, rng: random.Random) -> tuple[Fraction, Fraction]:
    if level.exact is not None:
        return level.exact, level.exact
    step = F(1, 10 ** rng.choice((6, 12, 24)))
    return max(F(1), level.near(-step)), level.near(step)


def _file(items: Any, target: Level, ends: Any, claim: tuple[Fraction, Fraction]) -> dict[str, Any]:
    def bracket(pair: tuple[Fraction, Fraction]) -> dict[str, str]:
        return {"below": str(pair[0]), "above": str(pair[1])}

    listed = [{"epsilon": level.text, "delta": str(delta), "count": str(n)} for level, delta, n, _ in items]
    problem = {"kind": "composition", "items": listed, "epsilon": target.text}
    said = {"kind": "composed-delta", "lower": str(claim[0]), "upper": str(claim[1])}
    levels = [bracket(own) for *_, own in items]
    return document(problem, said, {"rule": "composition", "levels": levels, "gamma": bracket(ends)})


def compositions(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        items = []
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            level = random_level(rng)
            delta = rng.choice((F(0), F(0), F(1), F(1, 10), F(rng.randint(0, 99), 100)))
            items.append((level, delta, rng.randint(1, 2 if len(items) else 4), _ends(level, rng)))
        while sum(n for *_, n, _ in items) > 5:
            items.pop()
        target = random_level(rng)
        ends = _ends(target, rng)
        lower, upper = (
            slack([(own[side], delta) for _, delta, n, own in items for _ in range(n)], ends[1 - side])
            for side in (0, 1)
        )
        yield Piece(_file(items, target, ends, (lower, upper)), "the delta", True, ORACLE)
        wide = _file(items, target, ends, (lower * F(9, 10), upper + (1 - upper) / 10))
        yield Piece(wide, "a wider bracket", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 6, 20)))
        if upper < 1:
            above = upper + (1 - upper) * step
            yield Piece(_file(items, target, ends, (above, above)), "lower above the delta", False, ORACLE)
        if lower > 0:
            below = lower * (1 - step)
            yield Piece(_file(items, target, ends, (below, below)), "upper below the delta", False, ORACLE)
        if items:
            one = rng.randrange(len(items))
            level, delta, n, own = items[one]
            for wrong in (F(-1, 10), F(11, 10)):
                changed = [*items[:one], (level, wrong, n, own), *items[one + 1 :]]
                yield Piece(_file(changed, target, ends, (F(0), F(1))), "a delta beyond 0 and 1", False, "counting")
            for count in (0, -1):
                changed = [*items[:one], (level, delta, count, own), *items[one + 1 :]]
                yield Piece(_file(changed, target, ends, (F(0), F(1))), "a count below 1", False, "counting")
            method, low, high = bracket_of(level, rng)
            if method not in ("honest", "one point") and (level.exact is None or (low, high) != own):
                changed = [*items[:one], (level, delta, n, (low, high)), *items[one + 1 :]]
                yield Piece(_file(changed, target, ends, (F(0), F(1))), f"profile, {method}", False, level.oracle)
            made = _file(items, target, ends, (lower, upper))
            made["witness"]["levels"] = made["witness"]["levels"][1:]
            yield Piece(made, "a level left out", False, "counting")
            if not delta and n == 1:
                fewer = [*items[:one], *items[one + 1 :]]
                less = slack([(own[1], d) for _, d, m, own in fewer for _ in range(m)], ends[0])
                if less < lower:
                    made = _file(items, target, ends, (F(0), less))
                    yield Piece(made, "upper without one answer", False, ORACLE)
        method, low, high = bracket_of(target, rng)
        if method not in ("honest", "one point") and (target.exact is None or (low, high) != ends):
            yield Piece(_file(items, target, (low, high), (F(0), F(1))), f"profile, {method}", False, target.oracle)


FUZZERS = {"composition": compositions}
