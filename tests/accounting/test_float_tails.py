"""Laws and least gammas in doubles: every proved bound holds, against integers and fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from every_case import every_case
from stress import STRESS

from rropt.accounting.float_tails import FloatLaw, FloatTails
from rropt.accounting.neighbouring_sums import NeighbouringSums, columns_over
from rropt.core.exact import Bracket

_BITS = 128


def chance(draw: random.Random) -> Fraction:
    """Return a probability, some of them close to 0 or 1."""
    rare = Fraction(draw.randint(1, 99), 100 ** draw.choice([1, 1, 1, 2, 4]))
    return draw.choice([rare, 1 - rare])


def columns(one: Fraction) -> tuple[int, int]:
    return tuple(int((1 << _BITS) * x) for x in (1 - one, one))  # type: ignore[return-value]


def law_of(n: int, one: Fraction) -> list[Fraction]:
    return [comb(n, k) * one**k * (1 - one) ** (n - k) for k in range(n + 1)]


def is_enclosed(value: float, relative: float, missing: float, true: Fraction) -> bool:
    at, off = Fraction(value), Fraction(relative)
    return at * (1 - off) <= true <= at * (1 + off) + Fraction(missing)


@every_case("seed", range(100 if STRESS else 10))
def test_laws_and_tails_enclose_the_exact_ones(seed: int) -> None:
    draw = random.Random(seed)
    ones, sizes = (chance(draw), chance(draw)), (draw.randint(0, 25), draw.randint(0, 25))
    delta = 10.0 ** -draw.choice([2, 6, 12, 20])
    laws = [FloatLaw.binomial(n, columns(one), _BITS, delta) for n, one in zip(sizes, ones, strict=True)]
    exact = [law_of(n, one) for n, one in zip(sizes, ones, strict=True)]
    total = [
        sum((exact[0][i] * exact[1][k - i] for i in range(k + 1) if i <= sizes[0] and k - i <= sizes[1]), Fraction(0))
        for k in range(sum(sizes) + 1)
    ]
    both = laws[0].times(laws[1])
    for law, true in ((laws[0], exact[0]), (laws[1], exact[1]), (both, total)):
        assert law.missing < 1e-13 * delta
        assert law.relative < 1e-12
        for k, x in enumerate(true):
            inside = law.least <= k < law.least + len(law.weights)
            value = float(law.weights[k - law.least]) if inside else 0.0
            assert is_enclosed(value, law.relative, law.missing, x)

    def check(tails: FloatTails, true: list[Fraction]) -> None:
        for i, value in enumerate(tails.values):
            above = sum(true[max(tails.start + i, 0) :], Fraction(0))
            assert is_enclosed(float(value), tails.relative, tails.missing, above)

    check(both.tails(5), total)
    check(laws[0].tails(60).convolved(laws[1]), total)


@pytest.fixture
def without_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise AssertionError("doubles did not suffice")

    monkeypatch.setattr(NeighbouringSums, "_worst", fails)


@every_case("seed", range(60 if STRESS else 12))
def test_doubles_and_integers_bound_the_same_gamma(seed: int) -> None:
    draw = random.Random(seed)
    one, other = sorted((chance(draw), chance(draw)))
    below = one.denominator * other.denominator
    a, b = ((int((1 - x) * below), int(x * below)) for x in (one, other))
    n, delta = draw.choice([0, 1, 7, 60, 200]), Bracket.of(Fraction(1, 10 ** draw.randint(1, 12)))
    sums = NeighbouringSums(columns_over(below, a, b), n)
    fast, slow = sums.gamma(delta, Fraction(1, 10**6)), sums.gamma(delta, Fraction(1, 10**20))
    assert fast.lower <= slow.upper
    assert slow.lower <= fast.upper <= fast.lower * (1 + Fraction(1, 10**6))


@pytest.mark.usefixtures("without_integers")
@pytest.mark.parametrize("n", [10, 3000, 100_000])
def test_doubles_suffice_for_the_usual_width(n: int) -> None:
    a, b = (3, 1), (1, 3)
    found = NeighbouringSums(columns_over(4, a, b), n).gamma(Bracket.of(Fraction(1, 10**6)), Fraction(1, 10**7))
    assert found.lower < found.upper <= found.lower * (1 + Fraction(1, 10**7))
    assert sum(found.blocks) == n + 1


def test_a_tiny_delta_is_left_to_integers() -> None:
    sums, width = NeighbouringSums(columns_over(4, (3, 1), (1, 3)), 50), Fraction(1, 10**6)
    found = sums.gamma(Bracket.of(Fraction(1, 10**90)), width)
    assert found.lower <= 3 <= found.upper * (1 + width)
