"""Rule 27: false claims about compositions on a lattice, refuted by the enumeration of every answer in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from .compositions import DECIDING as OF_RULE_26
from .compositions import ORACLE, _ends, _file, slack
from .harness import Piece
from .levels import bracket_of, random_level

F = Fraction

DECIDING = {"composition-lattice": (*OF_RULE_26["composition"], "the ratio of the lattice", "bits is not")}
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


def _on_lattice(made: dict[str, Any], r: Fraction, bits: int) -> dict[str, Any]:
    witness = {**made["witness"], "rule": "composition-lattice", "ratio": str(r), "bits": str(bits)}
    return {**made, "witness": witness}


def lattices(rng: random.Random) -> Iterator[Piece]:
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
            return _on_lattice(_file(items, target, ends, claim), r, bits)  # noqa: B023  (called before the next round)

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


FUZZERS = {"composition-lattice": lattices}
