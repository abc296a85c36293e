"""Delta of a sum, closely enclosed: against every listed law, hostile columns, and the sizes that surveys have."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from stress import STRESS

from rropt import Mechanism, named_mechanism
from rropt.core.exact import Epsilon
from rropt.survey import DrawnAnswers
from rropt.survey.devices import sum_deltas
from rropt.survey.devices.sum_deltas import delta_of_neighbours

FULL = STRESS
SPINNER = named_mechanism("warner:3/4")


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


@pytest.mark.parametrize("seed", range(200 if FULL else 25))
def test_small_surveys_have_the_listed_delta(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of any size, so that all halvings are gone through; no case is left out without a reason."""
    draw = random.Random(seed)
    monkeypatch.setattr(sum_deltas, "_BLOCK", draw.choice([1, 3, 16]))
    monkeypatch.setattr(sum_deltas, "_LEAF", draw.choice([0, 1, 3]))
    a, b, below = columns(draw)
    n, gamma = draw.randint(2, 14), Fraction(draw.randint(10, 30), 10)
    levels = Epsilon.of_gamma(gamma).gamma_bracket(20)
    found = delta_of_neighbours(a, b, below, n - 1, levels)
    if found is None:
        return
    mechanism = Mechanism([[Fraction(x, below), Fraction(y, below)] for x, y in zip(a, b, strict=True)])
    exact = listed(DrawnAnswers(mechanism, n), gamma)
    assert found.lower <= exact <= found.upper
    assert found.gap <= Fraction(1, 10**30)


def test_most_of_them_are_found() -> None:
    levels = Epsilon.of_gamma("11/10").gamma_bracket(20)
    cases = [columns(random.Random(seed)) for seed in range(25)]
    assert sum(delta_of_neighbours(*case, 9, levels) is not None for case in cases) >= 15


def test_what_has_no_single_cut_is_left_to_the_bounds() -> None:
    """The trait is revealed by answers in the middle: two turns of the sign."""
    levels = Epsilon.of(1).gamma_bracket(20)
    assert delta_of_neighbours((4, 1, 4), (1, 7, 1), 9, 50, levels) is None
    assert delta_of_neighbours((4, 0, 5), (5, 0, 4), 9, 50, levels) is None  # no power has an answer for every number


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


@pytest.mark.parametrize("name", SURVEYS if FULL else ["forced"])
def test_a_hundred_thousand_respondents(name: str) -> None:
    mechanism, first, value = SURVEYS[name]
    ends = DrawnAnswers(mechanism, 10**5, first).view("sum").delta_bracket("1/100")
    assert ends.gap <= ends.lower / 10**12
    assert abs(ends.lower / value - 1) < Fraction(1, 10**14)
