"""Compositions: false claims and false laws on a lattice, refuted by the enumeration of every answer in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from .harness import Piece, statement
from .levels import Level, bracket_of, random_level

F = Fraction
ORACLE = "the enumeration of every answer"
_COARSE = F(3, 2)

DECIDING = {
    "composition": (
        "lower is above the delta",
        "upper is below the delta",
        "a delta is not in",
        "a count is not",
        "gamma",
        "has .* entries",
        "the ratio of the lattice",
        "bits is not",
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


def _file(
    items: Any, target: Level, ends: Any, claim: tuple[Fraction, Fraction], r: Fraction = _COARSE, bits: int = 64
) -> dict[str, Any]:
    def bracket(pair: tuple[Fraction, Fraction]) -> dict[str, str]:
        return {"below": str(pair[0]), "above": str(pair[1])}

    listed = [{"epsilon": level.text, "delta": str(delta), "count": str(n)} for level, delta, n, _ in items]
    problem = {"items": listed, "epsilon": target.text}
    said = {"lower": str(claim[0]), "upper": str(claim[1])}
    brackets = [*(bracket(own) for *_, own in items), bracket(ends)]
    return statement("composition", problem, said, {"brackets": brackets, "ratio": str(r), "bits": str(bits)})


_RATIOS = (F(2), F(3, 2), F(5, 4), F(11, 10), F(21, 20))
_SPARE = F(1, 10**9)  # for the digits of the laws


def point(g: Fraction, r: Fraction) -> int:
    """Return the largest l with r^l <= g^2."""
    place = 0
    while r ** (place + 1) <= g * g:
        place += 1
    return place


def split_delta(parities: Sequence[Fraction], gamma: Fraction, r: Fraction) -> Fraction:
    """Return delta of the answers after each no was split, by all of them."""
    answers = []
    for g in parities:
        power = r ** point(g, r)
        y = (g * g - power) / (power * r - power) / (1 + g)
        low = 1 / (1 + g) - y
        answers.append([(g / (1 + g), 1 / (1 + g)), (low, low * power / g), (y, y * power * r / g)])
    total = F(0)
    for answer in product(*answers):
        p, q = (prod((cell[side] for cell in answer), start=F(1)) for side in (0, 1))
        total += max(F(0), p - gamma * q)
    return total


def event_delta(parities: Sequence[Fraction], gamma: Fraction, r: Fraction) -> Fraction:
    """Return P - gamma Q of the event that the steps are few, at least 0."""
    steps = [place + (r ** (2 * place + 1) < g**4) for g in parities for place in [point(g, r)]]
    tau, odds = 0, prod(parities, start=F(1))
    while gamma * r**tau < odds:
        tau += 1
    total = F(0)
    for no in product((0, 1), repeat=len(parities)):
        if sum(step for step, one in zip(steps, no, strict=True) if one) < tau:
            p = prod(((1 if one else g) / (1 + g) for g, one in zip(parities, no, strict=True)), start=F(1))
            q = prod(((g if one else 1) / (1 + g) for g, one in zip(parities, no, strict=True)), start=F(1))
            total += p - gamma * q
    return max(total, F(0))


def lattice_delta(items: Sequence[tuple[Fraction, Fraction, int]], gamma: Fraction, r: Fraction, side: int) -> Fraction:
    """Return the bound of delta from below (0) or above (1), of items (parity, delta, count)."""
    parities = [g for g, _, n in items for _ in range(n) if g > 1]
    kept = prod(((1 - delta) ** n for _, delta, n in items), start=F(1))
    return 1 - kept * (1 - (event_delta, split_delta)[side](parities, gamma, r))


def _claims(rng: random.Random) -> Iterator[Piece]:
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
        yield Piece(_file(items, target, ends, (F(0), F(1))), "any delta", True, "counting")
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
            made["proof"]["brackets"] = made["proof"]["brackets"][1:]
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


def _lattices(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        items = []
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            level = random_level(rng)
            delta = rng.choice((F(0), F(0), F(1), F(1, 10)))
            items.append((level, delta, rng.randint(1, 2 if items else 4), _ends(level, rng)))
        while sum(n for *_, n, _ in items) > 4 or any(own[1] > 20 for *_, own in items):
            items.pop()
        target = random_level(rng)
        ends, r, bits = _ends(target, rng), rng.choice(_RATIOS), rng.choice((64, 100, 200))
        sides = [[(own[side], delta, n) for _, delta, n, own in items] for side in (0, 1)]
        lower, upper = (lattice_delta(sides[side], ends[1 - side], r, side) for side in (0, 1))
        lower, upper = lower - _SPARE, upper + _SPARE
        exact = [slack([(g, d) for g, d, n in sides[s] for _ in range(n)], ends[1 - s]) for s in (0, 1)]

        def file(claim: tuple[F, F], r: F = r, bits: int = bits, items: Any = items, ends: Any = ends) -> Any:
            return _file(items, target, ends, claim, r, bits)  # noqa: B023  (called before the next round)

        yield Piece(file((lower, upper)), "the bounds", True, ORACLE)
        yield Piece(file((F(0), upper)), "the upper bound", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        if exact[1] < 1:
            above = exact[1] + (1 - exact[1]) * step
            yield Piece(file((above, F(1))), "lower above the delta", False, ORACLE)
        if exact[0] > 0:
            yield Piece(file((F(-1), exact[0] * (1 - step))), "upper below the delta", False, ORACLE)
        for wrong in (F(1), 1 - step, F(0), F(-2)):
            yield Piece(file((F(0), F(1)), r=wrong), "a ratio that is not above 1", False, "counting")
        for wrong in (0, -1, 4097, F(3, 2)):
            yield Piece(file((F(0), F(1)), bits=wrong), "bits beyond their range", False, "counting")
        if items:
            one = rng.randrange(len(items))
            level, delta, n, own = items[one]
            method, low, high = bracket_of(level, rng)
            if method not in ("honest", "one point") and (level.exact is None or (low, high) != own):
                changed = [*items[:one], (level, delta, n, (low, high)), *items[one + 1 :]]
                yield Piece(file((F(0), F(1)), items=changed), f"profile, {method}", False, level.oracle)


def compositions(rng: random.Random) -> Iterator[Piece]:
    """Iterate over false claims and over laws on a lattice, in turn."""
    claims, lattices = _claims(rng), _lattices(rng)
    while True:
        yield from (next(claims), next(lattices))


FUZZERS = {"composition": compositions}
