"""Shuffled reports by their definition: all data sets, all histograms of reports, in fractions; and files of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Any

from adversary.built import statement

F = Fraction


Matrix = tuple[tuple[Fraction, ...], ...]
Laws = tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...], tuple[Fraction, ...]]


def response(k: int, g: Fraction) -> Matrix:
    """Return k-ary randomized response: a row for each input."""
    return tuple(tuple((g if i == j else F(1)) / (g + k - 1) for j in range(k)) for i in range(k))


def device(zero: Fraction, one: Fraction) -> Matrix:
    """Return a binary device: a row for each input, the reports 0 and 1."""
    return (1 - zero, zero), (1 - one, one)


@lru_cache(maxsize=512)
def worst(rows: Matrix, n: int, gamma: Fraction, own: int | None = None) -> Fraction:
    """Return delta of the shuffled reports, over all neighbouring data sets, by the histograms of all reports.

    The input that changes is one of the first ``own``, or any.
    """
    found = F(0)
    for others in combinations_with_replacement(range(len(rows)), n - 1):
        common = {(0,) * len(rows[0]): F(1)}
        for value in others:
            common = _with(common, rows[value])
        laws = [_with(common, row) for row in rows[:own]]
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
