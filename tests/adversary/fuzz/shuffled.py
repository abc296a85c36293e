"""The statement shuffled: false claims, refuted by the shuffled reports of every data set in fractions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Any

from .compositions import _ends
from .harness import Piece, statement
from .levels import Level, bracket_of, random_level

F = Fraction
ORACLE = "the shuffled reports of every data set"
_SPARE = F(1, 10**9)  # for the digits of the laws

DECIDING = {
    "shuffled": (
        "lower is above the bound",
        "upper is below the bound",
        "the blocks have not",
        "the cuts do not increase",
        "zeros is not",
        "the cut is not",
        "a cut is not",
        "a block is not",
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


def count(ones: int, zeros: int, g: Fraction) -> list[Fraction]:
    """Return the law of the number of reports 1, respondent by respondent."""
    law = [F(1)]
    for chance in [g / (1 + g)] * ones + [1 / (1 + g)] * zeros:
        law = [
            (law[i] * (1 - chance) if i < len(law) else 0) + (law[i - 1] * chance if i else 0)
            for i in range(len(law) + 1)
        ]
    return law


def excess(ones: int, zeros: int, g: Fraction, gamma: Fraction) -> Fraction:
    """Return the sum of (P - gamma Q)^+ with so many others."""
    p, q = count(ones + 1, zeros, g), count(ones, zeros + 1, g)
    return sum((max(F(0), x - gamma * y) for x, y in zip(p, q, strict=True)), F(0))


def event(n: int, j: int, cut: int, g: Fraction, gamma: Fraction) -> Fraction:
    """Return P - gamma Q of at least so many reports 1, at least 0."""
    p, q = count(n - j, j, g), count(n - 1 - j, j + 1, g)
    return max(sum(p[cut:], F(0)) - gamma * sum(q[cut:], F(0)), F(0))


def blocks_delta(sizes: Sequence[int], g: Fraction, gamma: Fraction) -> Fraction:
    """Return the largest delta of the common parts of blocks."""
    n, first, most = sum(sizes), 0, F(0)
    for size in sizes:
        most = max(most, excess(n - size - first, first, g, gamma))
        first += size
    return most


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


def file(n: Any, mechanism: Any, target: Any, ends: Any, claim: Any, parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a certificate; ``ends`` are the brackets of the level of the device, if it has one, and of gamma."""
    problem = {"respondents": str(n), "device": mechanism, "epsilon": target}
    brackets = [{"below": str(low), "above": str(high)} for low, high in ends]
    return statement(
        "shuffled",
        problem,
        dict(zip(("lower", "upper"), map(str, claim), strict=True)),
        {"brackets": brackets, **parts},
    )


def by_blocks(j: Any, cut: Any, sizes: Sequence[Any], bits: Any) -> dict[str, Any]:
    """Return the parts of a proof by a data set and by blocks."""
    data = {"zeros": str(j), "cut": str(cut)}
    return {"blocks": [str(size) for size in sizes], "data_set": data, "bits": str(bits)}


def by_cuts(cuts: Sequence[Any], bits: Any) -> dict[str, Any]:
    """Return the parts of a proof by a blanket."""
    return {"cuts": [str(cut) for cut in cuts], "bits": str(bits)}


def _sizes(n: int, rng: random.Random) -> list[int]:
    sizes = []
    while n:
        sizes.append(rng.randint(1, n) if rng.random() < 0.3 else 1)
        n -= sizes[-1]
    return sizes


def _level(rng: random.Random) -> tuple[Level, tuple[Fraction, Fraction]]:
    while True:
        level = random_level(rng)
        ends = _ends(level, rng)
        if ends[1] <= 60:
            return level, ends


def _wrong_blocks(n: int, good: tuple[Any, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over parts that no checker may accept, by what is wrong with them."""
    j, cut, sizes, bits = good
    for size in (
        [*sizes, 1],
        sizes[:-1],
        [n + 1],
        [0, *sizes],
        [*sizes[:-1], -1, sizes[-1] + 1],
        [F(1, 2)] * 2 * n,
    ):
        yield "blocks without all data sets", by_blocks(j, cut, size, bits)
    for wrong in (n, -1, F(1, 2)):
        yield "a data set beyond its range", by_blocks(wrong, cut, sizes, bits)
    for wrong in (n + 1, -1):
        yield "a cut beyond its range", by_blocks(j, wrong, sizes, bits)


def _wrong_cuts(n: int, cuts: list[int], bits: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over lists of cuts that no checker may accept."""
    for wrong in ([*cuts, n], [-1, *cuts], [F(1, 2)], [*cuts, 0], [*cuts, *cuts, 0, 0]):
        if wrong != sorted(set(wrong)) or not all(0 <= cut < n and cut == int(cut) for cut in wrong):
            yield "cuts beyond their range", by_cuts(wrong, bits)


def shuffled(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        kind = rng.choice(("warner", "warner", "warner", "any", "any", "kary", "binary"))
        n, k = rng.choice((1, 1, 2, 3, 4, 5, 7 if kind == "warner" else 5)), rng.choice((2, 3))
        (local, own), (target, ends) = _level(rng), _level(rng)
        chances = F(rng.randint(1, 9), 10), F(rng.randint(1, 11), 12)
        bits = rng.choice((60, 100, 200))
        device_: dict[str, Any] = {"kind": kind, "local": local.text}
        brackets = [own, ends]
        if kind == "kary":
            device_["categories"] = str(k)
        if kind == "binary":
            device_, brackets = {"kind": kind, "zero": str(chances[0]), "one": str(chances[1])}, [ends]
        rows = [device(*chances)] * 2 if kind == "binary" else [response(k if kind == "kary" else 2, g) for g in own]
        least = worst(rows[0], n, ends[1]) if n < 5 or len(rows[0]) == 2 else F(0)
        if kind == "warner":
            good = rng.randrange(n), rng.randint(0, n), _sizes(n, rng), bits
            parts, best = by_blocks(*good), by_blocks(0, 0, [1] * n, bits)
            lower = event(n, *good[:2], own[0], ends[1]) - _SPARE
            upper = blocks_delta(good[2], own[1], ends[0]) + _SPARE
            most, wrong = worst(rows[1], n, ends[0]), list(_wrong_blocks(n, good))
        else:
            cuts = sorted(rng.sample(range(n), rng.choice((n, n, rng.randint(0, n)))))
            parts, best = by_cuts(cuts, bits), by_cuts(range(n), bits)
            lower, upper = (
                F(0),
                max(bound(n, laws, ends[0], cuts) for laws in laws_of(kind, own[1], k, chances)) + _SPARE,
            )
            most, wrong = upper, list(_wrong_cuts(n, cuts, bits))

        def made(
            claim: Any,
            parts: Any = parts,
            n: Any = n,
            brackets: Any = brackets,
            device_: Any = device_,
            target: Any = target.text,
        ) -> Any:
            return file(n, device_, target, brackets, claim, parts)

        yield Piece(made((lower, upper)), "the bounds", True, ORACLE)
        yield Piece(made((F(-1), upper)), "the upper bound", True, ORACLE)
        step = F(1, 10 ** rng.choice((1, 3, 6)))
        high = most + (1 - most) * step + step / 10
        yield Piece(made((high, F(2))), "lower above the worst", False, ORACLE)
        if least > 0:
            yield Piece(made((F(-1), least * (1 - step))), "upper below the worst", False, ORACLE)
            yield Piece(made((F(-1), least * (1 - step)), best), "upper below the worst", False, ORACLE)
        wide = F(0), F(1)
        wrong += [("bits beyond their range", {**parts, "bits": str(bad)}) for bad in (0, -2, 4097)]
        for what, changed in wrong:
            yield Piece(made(wide, changed), what, False, "counting")
        for number in (0, -n, 10**7 + 1):
            yield Piece(made(wide, n=number), "a number of respondents beyond its range", False, "counting")
        beyond = {"kary": {"categories": (1, 0, -k, F(5, 2), 10**12 + 1)}}
        beyond["binary"] = dict.fromkeys(("zero", "one"), (0, 1, F(-1, 2), F(3, 2)))
        for name, values in beyond.get(kind, {}).items():
            for value in values:
                changed = {**device_, name: str(value)}
                yield Piece(made(wide, device_=changed), f"{name} beyond its range", False, "counting")
        for which, level in enumerate((local, target)[2 - len(brackets) :]):
            method, low, end = bracket_of(level, rng)
            if method not in ("honest", "one point") and (level.exact is None or (low, end) != brackets[which]):
                changed_ends = [*brackets]
                changed_ends[which] = (low, end)
                yield Piece(made(wide, brackets=changed_ends), f"profile, {method}", False, level.oracle)


FUZZERS = {"shuffled": shuffled}
