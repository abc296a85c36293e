"""Rule 33: false claims about shuffled reports of a mechanism, refuted by its shuffled reports on every data set."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Any

from .harness import Piece, document
from .levels import bracket_of
from .shuffles import _level

F = Fraction
ORACLE = "the shuffled reports of every data set"
_SPARE = F(1, 10**9)  # for the digits of the laws

DECIDING = {
    "shuffled-blanket": (
        "lower is above 0",
        "upper is below the bound",
        "the cuts do not increase",
        "a cut is not",
        "a chance of the report 1",
        "respondents is not",
        "categories is not",
        "bits is not",
        "gamma",
    )
}

Matrix = tuple[tuple[Fraction, ...], ...]
Laws = tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...], tuple[Fraction, ...]]


def response(k: int, g: Fraction) -> Matrix:
    """Return k-ary randomized response: a row for each input."""
    return tuple(tuple((g if i == j else F(1)) / (g + k - 1) for j in range(k)) for i in range(k))


def device(zero: Fraction, one: Fraction) -> Matrix:
    """Return a binary device: a row for each input, the reports 0 and 1."""
    return (1 - zero, zero), (1 - one, one)


@lru_cache(maxsize=512)
def worst(rows: Matrix, n: int, gamma: Fraction) -> Fraction:
    """Return delta of the shuffled reports, over all neighbouring data sets, by the histograms of all reports."""
    found = F(0)
    for others in combinations_with_replacement(range(len(rows)), n - 1):
        common = {(0,) * len(rows[0]): F(1)}
        for value in others:
            common = _with(common, rows[value])
        laws = [_with(common, row) for row in rows]
        for first, second in permutations(laws, 2):
            found = max(found, sum((max(p - gamma * second.get(x, F(0)), F(0)) for x, p in first.items()), F(0)))
    return found


def _with(law: dict[tuple[int, ...], Fraction], row: Sequence[Fraction]) -> dict[tuple[int, ...], Fraction]:
    found: dict[tuple[int, ...], Fraction] = {}
    for counts, chance in law.items():
        for z, p in enumerate(row):
            more = (*counts[:z], counts[z] + 1, *counts[z + 1 :])
            found[more] = found.get(more, F(0)) + chance * p
    return found


def laws_of(kind: str, g: Fraction, k: int, ends: tuple[Fraction, Fraction]) -> list[Laws]:
    """Return the blankets of the page: beta, a, b and w."""
    if kind == "any":
        k = 2
    if kind == "binary":
        z, o = ends
        beta = 1 - abs(z - o)
        w = (min(z, o) / beta, (1 - max(z, o)) / beta, F(0))
        return [(beta, (x, 1 - x, F(0)), (y, 1 - y, F(0)), w) for x, y in ((z, o), (o, z))]
    s = g + k - 1
    a, b = (g / s, 1 / s, (k - 2) / s), (1 / s, g / s, (k - 2) / s)
    return [(1 / g if kind == "any" else k / s, a, b, (F(1, k), F(1, k), F(k - 2, k)))]


@lru_cache(maxsize=4096)
def slack(m: int, laws: Laws, gamma: Fraction) -> Fraction:
    """Return H(m), by multinomial coefficients."""
    _, a, b, w = laws
    total = F(0)
    for i in range(m + 2):
        for j in range(m + 2 - i):
            counts = (i, j, m + 1 - i - j)
            difference = F(0)
            for t in range(3):
                left = [c - (s == t) for s, c in enumerate(counts)]
                if left[t] >= 0:
                    ways = comb(m, left[0]) * comb(m - left[0], left[1])
                    chance = ways * w[0] ** left[0] * w[1] ** left[1] * w[2] ** left[2]
                    difference += (a[t] - gamma * b[t]) * chance
            total += max(difference, F(0))
    return total


def bound(n: int, laws: Laws, gamma: Fraction, cuts: Sequence[int]) -> Fraction:
    """Return the sum of the page."""
    beta = laws[0]
    others = [comb(n - 1, c) * beta**c * (1 - beta) ** (n - 1 - c) for c in range(n)]
    ends = [*cuts, n]
    found = sum(others[: ends[0]], F(0))
    for first, after in zip(cuts, ends[1:], strict=True):
        found += sum(others[first:after], F(0)) * slack(first, laws, gamma)
    return found


def file(n: Any, mechanism: Any, target: Any, ends: Any, claim: Any, witness: Any) -> dict[str, Any]:
    """Return a certificate; ``ends`` are the brackets of the level of the mechanism, or None, and of gamma."""

    def bracket(pair: Any) -> dict[str, str]:
        return {"below": str(pair[0]), "above": str(pair[1])}

    problem = {"kind": "shuffled-mechanism", "respondents": str(n), "mechanism": mechanism, "epsilon": target}
    said = {"kind": "shuffled-delta", "lower": str(claim[0]), "upper": str(claim[1])}
    cuts, bits = witness
    own = {} if ends[0] is None else {"local": bracket(ends[0])}
    rest = {"gamma": bracket(ends[1]), "cuts": [str(cut) for cut in cuts], "bits": str(bits)}
    return document(problem, said, {"rule": "shuffled-blanket", **own, **rest})


def blankets(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        n, k = rng.choice((1, 1, 2, 3, 4, 5)), rng.choice((2, 3))
        kind = rng.choice(("any", "any", "kary", "binary"))
        (local, own), (target, ends) = _level(rng), _level(rng)
        chances = F(rng.randint(1, 9), 10), F(rng.randint(1, 11), 12)
        cuts = sorted(rng.sample(range(n), rng.choice((n, n, rng.randint(0, n)))))
        bits = rng.choice((60, 100, 200))
        mechanism: dict[str, Any] = {"kind": kind, "local": local.text}
        at: Any = own
        if kind == "kary":
            mechanism["categories"] = str(k)
        if kind == "binary":
            mechanism, at = {"kind": kind, "zero": str(chances[0]), "one": str(chances[1])}, None
        upper = max(bound(n, laws, ends[0], cuts) for laws in laws_of(kind, own[1], k, chances)) + _SPARE
        rows = [device(*chances)] if kind == "binary" else [response(2 if kind == "any" else k, g) for g in own]
        exact = worst(rows[0], n, ends[1]) if n < 5 or len(rows[0]) == 2 else F(0)

        def made(
            claim: Any,
            witness: Any = (cuts, bits),
            n: Any = n,
            brackets: Any = (at, ends),
            mechanism: Any = mechanism,
            target: Any = target.text,
        ) -> Any:
            return file(n, mechanism, target, brackets, claim, witness)

        yield Piece(made((F(0), upper)), "the bounds", True, ORACLE)
        yield Piece(made((F(-1), upper)), "the upper bound", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        yield Piece(made((upper + step, upper + step)), "lower above the bound", False, "the sum of the page")
        if exact > 0:
            yield Piece(made((F(0), exact * (1 - step))), "upper below the worst", False, ORACLE)
            good = list(range(n)), bits
            yield Piece(made((F(0), exact * (1 - step)), good), "upper below the worst", False, ORACLE)
        wide = F(0), F(1)
        for wrong in ([*cuts, n], [-1, *cuts], [F(1, 2)], [*cuts, 0], [*cuts, *cuts, 0, 0]):
            if wrong != sorted(set(wrong)) or not all(0 <= cut < n and cut == int(cut) for cut in wrong):
                yield Piece(made(wide, (wrong, bits)), "cuts beyond their range", False, "counting")
        for wrong in (0, -2, 4097):
            yield Piece(made(wide, (cuts, wrong)), "bits beyond their range", False, "counting")
        for wrong in (0, -n, 10**7 + 1):
            yield Piece(made(wide, n=wrong), "a number of respondents beyond its range", False, "counting")
        if kind == "kary":
            for wrong in (1, 0, -k, F(5, 2), 10**12 + 1):
                changed = {**mechanism, "categories": str(wrong)}
                yield Piece(made(wide, mechanism=changed), "categories beyond their range", False, "counting")
        if kind == "binary":
            for name in ("zero", "one"):
                for wrong in (0, 1, F(-1, 2), F(3, 2)):
                    changed = {**mechanism, name: str(wrong)}
                    yield Piece(made(wide, mechanism=changed), "a chance beyond its range", False, "counting")
        for which, level, bracket in ((0, local, own), (1, target, ends)):
            method, low, high = bracket_of(level, rng)
            if which == 0 and kind == "binary":
                continue
            if method not in ("honest", "one point") and (level.exact is None or (low, high) != bracket):
                brackets = [at, ends]
                brackets[which] = (low, high)
                yield Piece(made(wide, brackets=brackets), f"profile, {method}", False, level.oracle)


FUZZERS = {"shuffled-blanket": blankets}
