"""The theorems of the literature by another route: mechanisms written out as matrices, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest

from rropt import design

FANO = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))


def _reported(blocks: list[tuple[int, ...]], count: int, gamma: Fraction) -> list[list[Fraction]]:
    """Return the mechanism that reports a block, gamma times as probable if it holds the truth."""
    rows = [[gamma if j in block else Fraction(1) for j in range(count)] for block in blocks]
    return [[x / sum(row[j] for row in rows) for j, x in enumerate(each)] for each in rows]


def _risk(
    mechanism: list[list[Fraction]], blocks: list[tuple[int, ...]], shares: list[Fraction]
) -> tuple[list[Fraction], Fraction]:
    """Return the means and the sum of the variances of the linear estimate by counts of blocks that hold a category."""
    count = len(shares)
    holds = [
        [sum(row[j] for row, b in zip(mechanism, blocks, strict=True) if i in b) for j in range(count)]
        for i in range(count)
    ]
    own, other = holds[0][0], holds[0][1]
    assert all(holds[i][j] == (own if i == j else other) for i in range(count) for j in range(count))
    seen = [sum(p * x for p, x in zip(shares, holds[i], strict=True)) for i in range(count)]
    return [(x - other) / (own - other) for x in seen], sum(x * (1 - x) for x in seen) / (own - other) ** 2


@pytest.mark.parametrize("gamma", [Fraction(2), Fraction(5, 2)])
def test_the_fano_plane_has_the_error_of_all_triples(gamma: Fraction) -> None:
    shares = [Fraction(x, 28) for x in range(1, 8)]
    triples = list(combinations(range(7), 3))
    found = [_risk(_reported(blocks, 7, gamma), blocks, shares) for blocks in (list(FANO), triples)]
    assert found[0] == found[1]
    assert found[0][0] == shares  # without bias
    k, d, g = 7, 3, gamma
    bracket = ((d * (k - 2) + 1) * g**2 / (k - d) + 2 * (k - 2) * g + Fraction((k - 2) * (k - d) + 1, d)) / (g - 1) ** 2
    assert found[0][1] == bracket - sum(x * x for x in shares)


def test_two_sizes_are_equally_good_at_ten_categories_and_gamma_6() -> None:
    """The counterexample of the claim on block designs: the mixture of singles and pairs has the optimal error, too."""
    uniform = [Fraction(1, 10)] * 10
    singles, pairs = [(i,) for i in range(10)], list(combinations(range(10), 2))
    errors = [_risk(_reported(blocks, 10, Fraction(6)), blocks, uniform)[1] for blocks in (singles, pairs)]
    assert errors == [Fraction(81, 10)] * 2
    halves = [[x / 2 for x in row] for b in (singles, pairs) for row in _reported(b, 10, Fraction(6))]
    information = [
        [sum(row[i] * row[j] * 10 / sum(row) for row in halves) for j in range(10)] for i in range(10)
    ]  # of the shares, at equal shares: a on the diagonal, b off it
    a, b = information[0][0], information[0][1]
    assert {information[i][j] for i in range(10) for j in range(10) if i != j} == {b}
    assert 9 / (a - b) + 1 / (a + 9 * b) - Fraction(1, 10) == Fraction(81, 10)  # trace of the inverse, less |share|^2


@pytest.mark.parametrize("k", [2, 3, 5])
def test_both_reports_together_have_the_level_of_the_second(k: int) -> None:
    g, h = Fraction(2), Fraction(7)
    kept = (g * h + g * k - 2 * g - k + 1) / ((g + k - 1) * (h - 1))
    moved = (h - g) / ((g + k - 1) * (h - 1))
    second = [[(h if i == j else Fraction(1)) / (h + k - 1) for j in range(k)] for i in range(k)]
    joint = {
        (y, z): [(kept if y == z else moved) * second[z][j] for j in range(k)] for y, z in product(range(k), repeat=2)
    }
    assert max(max(row) / min(row) for row in joint.values()) == h
    for j in range(k):
        first = [sum(joint[y, z][j] for z in range(k)) for y in range(k)]
        assert first == [(g if y == j else 1) / (g + k - 1) for y in range(k)]
        assert [sum(joint[y, z][j] for y in range(k)) for z in range(k)] == [second[z][j] for z in range(k)]


def test_the_certified_optimum_is_better_than_the_best_bipartite_mechanism() -> None:
    found = design.kary(4, epsilon="log(2)", objective="loss:absolute", fast=True)
    bipartite = min(
        Fraction(
            sum(2 * sum(d[:m]) + sum(d[m:]) for d in (sorted(abs(x - y) for y in range(4)) for x in range(4))),
            4 * (m + 4),
        )
        for m in (1, 2, 3, 4)
    )
    assert (found.value, bipartite) == (Fraction(5, 6), 1)
