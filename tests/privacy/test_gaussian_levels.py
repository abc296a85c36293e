"""Points, tangents and chords of the trade-off function of Gaussian differential privacy, against mpmath."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import mpmath as mp
import pytest
from few_rows import few_rows

from rropt.privacy.gaussian_levels import chords, corners, is_above, tangents


def gaussian(a: Any, mu: Fraction) -> Any:
    """G(a) = Phi(Phi^-1(1 - a) - mu)."""
    if a in (0, 1):
        return mp.mpf(1 - int(a))
    quantile = mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(a.numerator) / a.denominator)
    return mp.ncdf(quantile - mp.mpf(mu.numerator) / mu.denominator)


def number(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


@few_rows(1)
@pytest.mark.parametrize("mu", [Fraction(1, 50), Fraction(1, 3), Fraction(1), Fraction(4)])
def test_points_beside_the_curve_are_told_apart(mu: Fraction, rng: random.Random) -> None:
    sides = [0, 0]
    with mp.workdps(60):
        for turn in range(40):
            a = Fraction(rng.randint(1, 999), 1000 * 10 ** (turn % 4))
            b = Fraction(int(gaussian(a, mu) * 10**20), 10**20) + Fraction(
                rng.choice((-1, 1)), 10 ** rng.randint(3, 12)
            )
            if 0 <= b <= 1:
                assert is_above((a, b), mu) == is_above((b, a), mu) == (number(b) >= gaussian(a, mu)), (a, b)
                sides[number(b) >= gaussian(a, mu)] += 1
    assert min(sides) > 5
    assert is_above((Fraction(0), Fraction(1)), mu)
    assert not is_above((Fraction(0), Fraction(1, 2)), mu)
    assert is_above((Fraction(1, 2), Fraction(1, 2)), mu)


@few_rows(2)
@pytest.mark.parametrize("mu", [Fraction(1, 50), Fraction(1), Fraction(4)])
def test_tangents_are_below_and_chords_above_the_curve(mu: Fraction) -> None:
    """The level (gamma, delta) says b >= 1 - delta - gamma a."""
    grid = [Fraction(i, 400) for i in range(1, 400, 5)]
    with mp.workdps(40):
        curve = {a: gaussian(a, mu) for a in grid}
        below, above = tangents(mu, 12), chords(mu, 12)
        for gamma, delta in below:
            assert gamma >= 1
            assert all(number(1 - delta - gamma * a) <= curve[a] for a in grid)
        for a in grid:
            highest = max(1 - delta - gamma * a for gamma, delta in above)
            turned = max((1 - delta - a) / gamma for gamma, delta in above)  # the same levels of the other direction
            assert number(max(highest, turned)) >= curve[a]
    assert above[-1][1] == 0 or above[0][1] == 0
    assert max(number(max(1 - d - g * a for g, d in above)) - curve[a] for a in grid[:8]) < 0.05


def test_corners_are_those_of_the_best_tests(rng: random.Random) -> None:
    """No set of outputs has less of both errors than the line through the corners."""
    for _ in range(30):
        n = rng.randint(2, 5)
        columns = [[rng.randint(0, 4) for _ in range(n - 1)] + [rng.randint(1, 4)] for _ in range(2)]
        null, other = ([Fraction(x, sum(column)) for x in column] for column in columns)
        line = [(Fraction(0), Fraction(1)), *corners(null, other)]
        tests = [
            (sum((p for p, x in zip(null, chosen, strict=True) if x), Fraction(0)),
             sum((q for q, x in zip(other, chosen, strict=True) if not x), Fraction(0)))
            for chosen in product((0, 1), repeat=n)
        ]  # fmt: skip
        assert set(line) | {(Fraction(1), Fraction(0))} <= set(tests)
        assert line[-1][1] == 0
        for (a, b), (c, d) in pairwise(line):
            assert all((c - a) * (y - b) >= (d - b) * (x - a) for x, y in tests)
