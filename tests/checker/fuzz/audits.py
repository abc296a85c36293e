"""Rules 36 and 37: false tests on counts, refuted by sums of binomial chances in fractions and by powers.

A file is true here if its witness meets the conditions, with tails summed term by term; every other one has to be
rejected. One file in eight is degenerate: no samples, no hits, only hits, delta 0 or 1, gamma 1, chances 0 or 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from .harness import Piece, document

F = Fraction
ORACLE = "tails and powers in fractions"
DECIDING = {
    "binomial-tails": ("p is below", "too likely at p", "too likely at q", "more hits", "gamma is", "alpha is"),
    "e-value": ("lambda is not", "the e-value is below", "gamma is", "alpha is"),
}


def upper_tail(n: int, p: Fraction, hits: int) -> Fraction:
    """Return Pr(Bin(n, p) >= hits)."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(hits, n + 1)), F(0))


def lower_tail(n: int, q: Fraction, hits: int) -> Fraction:
    """Return Pr(Bin(n, q) <= hits)."""
    return sum((comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(hits + 1)), F(0))


def is_proved(
    n: int, a: int, m: int, b: int, d: Fraction, g: Fraction, alpha: Fraction, p: Fraction, q: Fraction
) -> bool:
    """Return whether the conditions of rule 36 hold; alpha is that of one test."""
    return (
        a <= n and b <= m and p >= g * q + d and 2 * upper_tail(n, p, a) <= alpha and 2 * lower_tail(m, q, b) <= alpha
    )


def e_of(counts: tuple[int, ...], g: Fraction, d: Fraction, bet: Fraction) -> Fraction:
    """Return the e-value."""
    both, first, second, neither = counts
    e = (1 + bet * (1 - g - d)) ** both * (1 + bet * (1 - d)) ** first
    return e * (1 - bet * (g + d)) ** second * (1 - bet * d) ** neither


def _tails_file(n: int, a: int, m: int, b: int, d: Any, claim: tuple[Any, Any, Any], p: Any, q: Any) -> dict[str, Any]:
    names = ("n1", "hits1", "n2", "hits2", "delta")
    problem = {"kind": "audit-counts", **dict(zip(names, map(str, (n, a, m, b, d)), strict=True))}
    return document(problem, _claim(claim), {"rule": "binomial-tails", "p": str(p), "q": str(q), "bits": "128"})


def _claim(claim: tuple[Any, Any, Any]) -> dict[str, str]:
    return {"kind": "refuted", **dict(zip(("gamma", "alpha", "tests"), map(str, claim), strict=True))}


def _least(n: int, hits: int, alpha: Fraction, steps: int) -> Fraction:
    """Return a chance p with 2 Pr(Bin(n, p) >= hits) <= alpha, near the largest one."""
    low, high = F(0), F(1)
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if 2 * upper_tail(n, middle, hits) <= alpha else (low, middle)
    return low


def _most(m: int, hits: int, alpha: Fraction, steps: int) -> Fraction:
    low, high = F(0), F(1)
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if 2 * lower_tail(m, middle, hits) <= alpha else (middle, high)
    return high


def tails(rng: random.Random) -> Iterator[Piece]:
    """Iterate over tests by binomial tails, true and false."""
    while True:
        n, m = rng.randint(1, 40), rng.randint(1, 40)
        a, b = rng.randint(1, n), rng.randint(0, m - 1)
        d = rng.choice((F(0), F(0), F(1, 100), F(1, 10)))
        alpha, tests = rng.choice((F(1, 20), F(1, 10), F(1, 2))), rng.choice((1, 1, 2, 5))
        one = alpha / tests
        p, q = _least(n, a, one, 20), _most(m, b, one, 20)
        if p <= d + q:
            wrong = _tails_file(n, a, m, b, d, (F(1), alpha, tests), d + q if d + q <= 1 else p, q)
            if not is_proved(n, a, m, b, d, F(1), one, d + q if d + q <= 1 else p, q):
                yield Piece(wrong, "no evidence", False, ORACLE)
            continue
        g = (p - d) / q
        yield Piece(_tails_file(n, a, m, b, d, (g, alpha, tests), p, q), "the bounds", True, ORACLE)
        factor = 1 + F(1, 10 ** rng.choice((1, 6, 12)))
        for method, made in (
            ("a larger gamma", (n, a, m, b, d, (g * factor, alpha, tests), p, q)),
            ("p too large", (n, a, m, b, d, (g, alpha, tests), min(p + F(1, 2**19), F(1)), q)),
            ("q too small", (n, a, m, b, d, (g, alpha, tests), p, max(q - F(1, 2**19), F(0)))),
            ("a hit less", (n, a - 1, m, b, d, (g, alpha, tests), p, q)),
            ("a hit more", (n, a, m, b + 1, d, (g, alpha, tests), p, q)),
            ("more tests", (n, a, m, b, d, (g, alpha, 10 * tests), p, q)),
            ("a smaller alpha", (n, a, m, b, d, (g, alpha / 2, tests), p, q)),
            ("more delta", (n, a, m, b, d + F(1, 1000), (g, alpha, tests), p, q)),
            ("gamma below 1", (n, a, m, b, d, (F(999, 1000), alpha, tests), p, q)),
            ("more hits than samples", (a - 1, a, m, b, d, (g, alpha, tests), p, q)),
        ):
            *counts, slack, (gamma, level, number), x, y = made
            proved = gamma >= 1 and is_proved(*counts, slack, gamma, level / number, x, y)
            yield Piece(_tails_file(*counts, slack, (gamma, level, number), x, y), method, proved, ORACLE)


def _pairs_file(counts: tuple[int, ...], d: Any, claim: tuple[Any, Any, Any], bet: Any) -> dict[str, Any]:
    names = ("both", "first", "second", "neither", "delta")
    problem = {"kind": "audit-pairs", **dict(zip(names, map(str, (*counts, d)), strict=True))}
    return document(problem, _claim(claim), {"rule": "e-value", "lambda": str(bet)})


def e_values(rng: random.Random) -> Iterator[Piece]:
    """Iterate over tests by e-values, true and false."""
    while True:
        counts = tuple(rng.randint(0, top) for top in (6, 60, 4, 40))
        d = rng.choice((F(0), F(0), F(1, 100), F(1, 10)))
        g = rng.choice((F(1), F(2), F(3), 1 + F(rng.randint(1, 99), 100)))
        alpha, tests = rng.choice((F(1, 20), F(1, 10), F(1, 2))), rng.choice((1, 1, 2, 5))
        bet = F(rng.randint(0, 100), 100) / (g + d)
        e = e_of(counts, g, d, bet)
        if e >= tests / alpha:
            yield Piece(_pairs_file(counts, d, (g, alpha, tests), bet), "the e-value", True, ORACLE)
        elif e < tests / alpha * (1 - F(1, 10**30)):
            yield Piece(_pairs_file(counts, d, (g, alpha, tests), bet), "too little evidence", False, ORACLE)
        for method, wrong in (
            ("lambda too large", 1 / (g + d) * (1 + F(1, 10**9))),
            ("lambda negative", -bet - F(1, 9)),
        ):
            yield Piece(_pairs_file(counts, d, (g, alpha, tests), wrong), method, False, ORACLE)
        if e:
            exact = 1 / e if 0 < 1 / e < 1 else None
            if exact is not None:
                small = F(int(exact * 10**40), 10**40) * (1 - F(1, 10**12))
                if 0 < small < 1:
                    made = _pairs_file(counts, d, (g, small, 1), bet)
                    yield Piece(made, "an alpha below 1/E", False, ORACLE)


def _degenerate_tails(rng: random.Random) -> Iterator[Piece]:
    """Iterate over false tests with no samples, no hits, only hits, delta 0 or 1, chances 0 or 1."""
    while True:
        n, m = rng.choice(((0, 0), (0, 9), (9, 0), (1, 1), (9, 9)))
        a, b, d = rng.choice((0, n)), rng.choice((0, m)), rng.choice((F(0), F(1)))
        p, q, alpha = rng.choice((F(0), F(1))), rng.choice((F(0), F(1))), rng.choice((F(1, 20), F(1, 2)))
        if not is_proved(n, a, m, b, d, F(1), alpha, p, q):
            yield Piece(_tails_file(n, a, m, b, d, (F(1), alpha, 1), p, q), "degenerate", False, ORACLE)


def _degenerate_pairs(rng: random.Random) -> Iterator[Piece]:
    """Iterate over false tests with no pairs, pairs of one kind, delta 0 or 1, lambda 0 or at its limit."""
    while True:
        counts = rng.choice(((0, 0, 0, 0), (0, 1, 0, 0), (5, 0, 0, 0), (0, 20, 1, 0), (0, 0, 0, 10**15)))
        d, g, alpha = rng.choice((F(0), F(1))), F(1), rng.choice((F(1, 20), F(1, 3)))
        bet = rng.choice((F(0), 1 / (g + d)))
        if max(counts) > 100 or e_of(counts, g, d, bet) < 1 / alpha:  # of pairs with neither alone E is at most 1
            yield Piece(_pairs_file(counts, d, (g, alpha, 1), bet), "degenerate", False, ORACLE)


def degenerate_file(rng: random.Random, rule: str) -> Piece:
    """Return a degenerate test that is false; ``degenerates`` puts one among seven others."""
    return next((_degenerate_tails if rule == "binomial-tails" else _degenerate_pairs)(rng))


FUZZERS = {"binomial-tails": tails, "e-value": e_values}
