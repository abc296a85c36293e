"""Delta of a sum, closely enclosed: against every listed law, hostile columns, and the sizes that surveys have."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from every_case import every_case
from stress import STRESS

from rropt import Mechanism
from rropt.accounting import DrawnAnswers, neighbouring_sums
from rropt.accounting.neighbouring_sums import Column, NeighbouringSums, Worst
from rropt.core.exact import Bracket, Epsilon
from rropt.mechanisms import named_mechanism

FULL = STRESS
SPINNER = named_mechanism("warner:3/4")


def enclosed(a: Column, b: Column, below: int, others: int, levels: Bracket) -> Worst:
    """Return delta of the sums, closely."""
    return NeighbouringSums.of(a, b, below, others, levels.lower).delta(levels, Fraction(1, 10**30))


def listed(device: DrawnAnswers, gamma: Fraction) -> Fraction:
    """Return delta from the listed laws of all neighbours, both ways."""
    laws = [device.sum_law(t) for t in range(device.respondents + 1)]
    pairs = [*pairwise(laws), *zip(laws[1:], laws, strict=False)]
    return max(sum(max(Fraction(0), p - gamma * q.get(z, 0)) for z, p in law.items()) for law, q in pairs)


def columns(draw: random.Random) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return chances of answers without and with a trait, integers over their sum; often of cards, some with zeros."""
    size = draw.choice([2, 2, 3, 5])
    a = [draw.randint(0 if draw.random() < 0.2 else 1, 9) for _ in range(size)]
    b = a[::-1] if draw.random() < 0.5 else [draw.randint(1, 9) for _ in range(size)]
    if draw.random() < 0.7:
        a, b = sorted(a), sorted(b, reverse=True)
    if not sum(a):
        return columns(draw)
    return tuple(x * sum(b) for x in a), tuple(x * sum(a) for x in b), sum(a) * sum(b)


@every_case("seed", range(200 if FULL else 40))
def test_small_surveys_have_the_listed_delta(seed: int) -> None:
    draw = random.Random(seed)
    a, b, below = columns(draw)
    n, gamma = draw.randint(1, 14), Fraction(draw.randint(10, 30), 10)
    levels = Epsilon.of_gamma(gamma).gamma_bracket(20)
    found = enclosed(a, b, below, n - 1, levels)
    mechanism = Mechanism([[Fraction(x, below), Fraction(y, below)] for x, y in zip(a, b, strict=True)])
    exact = listed(DrawnAnswers(mechanism, n), gamma)
    assert found.lower <= exact <= found.upper
    assert found.gap <= Fraction(1, 10**30)
    halfway = enclosed(a, b, below, n - 1, Bracket(gamma, gamma + Fraction(1, 10)))
    assert halfway.lower <= exact <= halfway.upper


@every_case("seed", range(100 if FULL else 20))
def test_two_responses_have_the_least_gamma(seed: int) -> None:
    """Delta of the listed laws is above the given one just below this gamma, and at most the given one at it."""
    draw = random.Random(seed)
    zero, one = sorted((Fraction(draw.randint(1, 9), 10), Fraction(draw.randint(1, 9), 10)))
    n, delta, close = draw.randint(1, 12), Fraction(1, 10 ** draw.randint(1, 12)), Fraction(1, 10**20)
    mechanism = Mechanism([[1 - zero, 1 - one], [zero, one]])
    device = DrawnAnswers(mechanism, n)
    a, b, below = device.weights()
    sums = NeighbouringSums.of(a, b, below, n - 1, Fraction(1))
    found = NeighbouringSums(sums.columns, n - 1).gamma(Bracket.of(delta), close)
    assert 1 <= found.lower <= found.upper <= found.lower * (1 + close)
    assert listed(device, found.upper) <= delta
    assert found.lower == 1 or listed(device, found.lower * (1 - close)) > delta


@every_case("seed", range(300 if FULL else 60))
def test_bounds_hold_at_any_precision(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With so few bits every rounding shows: the brackets are wide, and contain the listed values."""
    draw = random.Random(seed)
    for name in ("_BITS", "_MOST_BITS", "_MOST_LEVEL_BITS"):
        monkeypatch.setattr(neighbouring_sums, name, draw.randint(4, 14))
    a, b, below = columns(draw)
    n, gamma = draw.randint(1, 9), Fraction(draw.randint(10, 30), 10)
    found = enclosed(a, b, below, n - 1, Bracket.of(gamma))
    mechanism = Mechanism([[Fraction(x, below), Fraction(y, below)] for x, y in zip(a, b, strict=True)])
    assert found.lower <= listed(DrawnAnswers(mechanism, n), gamma) <= found.upper
    zero, one = sorted((Fraction(draw.randint(1, 9), 10), Fraction(draw.randint(1, 9), 10)))
    device = DrawnAnswers(Mechanism([[1 - zero, 1 - one], [zero, one]]), n)
    sums = NeighbouringSums.of(*device.weights(), n - 1, Fraction(1))
    assert sums.has_one_cut
    delta = Fraction(1, draw.randint(2, 40))
    least = NeighbouringSums(sums.columns, n - 1).gamma(Bracket.of(delta), Fraction(0))
    assert listed(device, least.upper) <= delta
    assert least.lower == 1 or listed(device, least.lower - Fraction(1, 10**9)) > delta


def test_delta_is_compared_with_a_floor() -> None:
    a, b, below = DrawnAnswers(SPINNER, 1).weights()
    sums = NeighbouringSums.of(a, b, below, 500, Fraction(6, 5))
    level = Bracket.of(Fraction(6, 5))
    found = sums.delta(level, Fraction(1, 10**12))
    below_it, above_it = (sums.delta(level, floor=found.lower * x) for x in (Fraction(999, 1000), Fraction(1001, 1000)))
    assert below_it.holders is not None
    assert above_it.holders is None
    assert above_it.upper <= found.lower * Fraction(1001, 1000)
    assert sum(above_it.blocks) == 501
    assert len(above_it.blocks) <= len(found.blocks)


@pytest.mark.parametrize(("a", "b"), [((4, 1, 4), (1, 7, 1)), ((4, 0, 5), (5, 0, 4))])
def test_sums_without_a_single_cut(a: Column, b: Column) -> None:
    """The trait is revealed by answers in the middle, or no power has an answer for every number."""
    gamma = Fraction(11, 10)
    sums = NeighbouringSums.of(a, b, 9, 29, gamma)
    assert not sums.has_one_cut
    found = sums.delta(Bracket.of(gamma), Fraction(1, 10**20))
    mechanism = Mechanism([[Fraction(x, 9), Fraction(y, 9)] for x, y in zip(a, b, strict=True)])
    assert found.lower <= listed(DrawnAnswers(mechanism, 30), gamma) <= found.upper < found.lower * Fraction(11, 10)


def test_an_irrational_level_and_a_level_beyond_epsilon() -> None:
    device = DrawnAnswers(SPINNER, 3000)
    ends = device.view("sum").delta_bracket("1/10")
    low, high = (device.view("sum").delta_bracket(f"log({gamma})") for gamma in ("1.1052", "1.1051"))
    assert low.lower < ends.lower <= ends.upper < high.upper
    assert ends.gap <= ends.lower / 10**20
    assert device.view("sum").delta_bracket("log(3)").upper <= Fraction(1, 10**40)


SURVEYS = {
    "warner": (SPINNER, 0, Fraction(3542871137502273, 10**21)),
    "forced": (named_mechanism("forced:2/3,1/6,1/6"), 0, Fraction(8957736009486563, 10**20)),
    "three cards": (named_mechanism("christofides:1/10,3/10,6/10"), 1, Fraction(2933187751255386, 10**20)),
    "five cards, not log-concave": (
        named_mechanism("christofides:1/10,1/10,1/5,1/5,2/5"),
        1,
        Fraction(1129433328644751, 10**21),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SURVEYS if FULL else ["forced"])
def test_a_hundred_thousand_respondents(name: str) -> None:
    mechanism, first, value = SURVEYS[name]
    ends = DrawnAnswers(mechanism, 10**5, first).view("sum").delta_bracket("1/100")
    assert ends.gap <= ends.lower / 10**12
    assert abs(ends.lower / value - 1) < Fraction(1, 10**14)
