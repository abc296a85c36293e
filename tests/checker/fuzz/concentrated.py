"""Rule 29: false claims about zCDP of k-ary randomized response, refuted by a search over the orders with 80 digits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath as mp

from .compositions import _ends
from .harness import Piece, document
from .levels import bracket_of, random_level

F = Fraction
ORACLE = "a search over the orders, with 80 digits"

DECIDING = {
    "kary-zcdp": (
        "lower is above the divergence",
        "upper is below the slope",
        "the tangent at the order",
        "the function is not proved",
        "the order is below 1",
        "categories is not",
        "digits is not",
        "gamma",
    )
}


def quotient(k: int | Fraction, g: Any, a: Any) -> Any:
    """Return D_a/a."""
    k = mp.mpf(Fraction(k).numerator) / Fraction(k).denominator
    if a == 1:
        return mp.log(g) * (g - 1) / (g + k - 1)
    return mp.log((g**a + g ** (1 - a) + k - 2) / (g + k - 1)) / (a * (a - 1))


@lru_cache(maxsize=512)
def supremum(k: int | Fraction, g: Fraction) -> tuple[Any, Any]:
    """Return the order at which D_a/a is largest, and its value: by a grid of orders and golden sections."""
    with mp.workdps(60):
        parity = mp.mpf(g.numerator) / g.denominator
        if parity == 1:
            return mp.mpf(1), mp.mpf(0)
        grid = [mp.mpf(1), *(1 + mp.mpf(10) ** (mp.mpf(j) / 8) for j in range(-40, 41))]
        values = [quotient(k, parity, a) for a in grid]
        at = max(range(len(grid)), key=lambda i: values[i])
        if at == 0:
            return grid[0], values[0]
        low, high = grid[at - 1], grid[min(at + 1, len(grid) - 1)]
        golden = (mp.sqrt(5) - 1) / 2
        for _ in range(130):
            one, other = high - golden * (high - low), low + golden * (high - low)
            low, high = (one, high) if quotient(k, parity, one) < quotient(k, parity, other) else (low, other)
        best = (low + high) / 2
        return best, max(quotient(k, parity, best), values[0])


def rational(x: Any, digits: int = 40) -> Fraction:
    """Return a decimal near a number."""
    return F(int(mp.floor(x * mp.mpf(10) ** digits)), 10**digits)


def file(k: Any, level: Any, ends: Any, claim: Any, order: Any, digits: Any = 40) -> dict[str, Any]:
    """Return a certificate."""
    problem = {"kind": "zcdp", "categories": str(k), "epsilon": level}
    said = {"kind": "rho", "lower": str(claim[0]), "upper": str(claim[1])}
    gamma = {"below": str(ends[0]), "above": str(ends[1])}
    return document(problem, said, {"rule": "kary-zcdp", "gamma": gamma, "order": str(order), "digits": str(digits)})


def concentrated(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        k, level = rng.choice((2, 3, F(224, 45), 7, 8, 10, 20, 100, 10**6)), random_level(rng)
        ends = _ends(level, rng)
        (first, least), (best, most) = (supremum(k, g) for g in ends)
        if (first == 1) != (best == 1) or 1 < best < 1.01:  # too near the threshold to be decided
            continue
        # a little before the best order the tangent is steeper than the secant
        order = F(1) if best == 1 else max(rational(best) - F(1, 10**12), F(1001, 1000))
        spare = F(1, 10**10)
        lower, upper = rational(least) - spare - (rational(most) - rational(least)), rational(most) + spare
        yield Piece(file(k, level.text, ends, (lower, upper), order), "the bounds", True, ORACLE)
        yield Piece(file(k, level.text, ends, (F(0), upper), order), "the upper bound", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        above = (rational(most) + spare) * (1 + step)
        yield Piece(file(k, level.text, ends, (above, 2 * above), order), "lower above rho", False, ORACLE)
        if least:
            below = rational(least) * (1 - step)
            some = order if rng.random() < 0.5 else 1 + F(rng.randint(0, 60), 10)
            yield Piece(file(k, level.text, ends, (F(0), below), some), "upper below rho", False, ORACLE)
        wide = F(0), F(10)
        for wrong in (F(1, 2), F(0), -order, 1 - step):
            yield Piece(file(k, level.text, ends, wide, wrong), "an order below 1", False, "counting")
        for wrong in (0, -1, 301, F(1, 2)):
            yield Piece(file(k, level.text, ends, wide, order, wrong), "digits beyond their range", False, "counting")
        for wrong in (1, 0, -k, 10**12 + 1, F(3, 2)):
            yield Piece(file(wrong, level.text, ends, wide, order), "categories beyond their range", False, "counting")
        method, low, high = bracket_of(level, rng)
        if method not in ("honest", "one point") and (level.exact is None or (low, high) != ends):
            yield Piece(file(k, level.text, (low, high), wide, order), f"profile, {method}", False, level.oracle)


FUZZERS = {"kary-zcdp": concentrated}
