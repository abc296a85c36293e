"""Composition of answers whose odds are close: the sorted sum of cells equals the sum over all outcomes.

Cells are added up in the order of their odds. A wrong order of two nearly equal odds would make delta too small.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from every_case import every_case

from rropt.accounting.curves import power
from rropt.accounting.exact_laws import Cells
from rropt.accounting.loss_pairs import LossPair

Parts = list[tuple[Fraction, int]]


def by_enumeration(parts: Parts, gamma: Fraction) -> Fraction:
    """Return the sum of ``max(0, P - gamma Q)`` over all outcomes, one answer after the other."""
    answers = [(parity / (1 + parity), 1 / (1 + parity)) for parity, count in parts for _ in range(count)]
    outcomes = (
        [(p, q)[side] for (p, q), side in zip(answers, sides, strict=True)]
        for sides in product((0, 1), repeat=len(answers))
    )
    mirrored = (
        [(q, p)[side] for (p, q), side in zip(answers, sides, strict=True)]
        for sides in product((0, 1), repeat=len(answers))
    )
    pairs = ((prod(p, start=Fraction(1)), prod(q, start=Fraction(1))) for p, q in zip(outcomes, mirrored, strict=True))
    return sum((max(Fraction(0), p - gamma * q) for p, q in pairs), Fraction(0))


def close_parts(draw: random.Random) -> Parts:
    """Return up to five parities that differ from a common one by less than 10^-6, with small counts."""
    base = Fraction(draw.choice([2, 3, 5]), draw.choice([1, 2]))
    near = [base + Fraction(draw.randint(-3, 3), 10 ** draw.randint(6, 9)) for _ in range(draw.randint(2, 5))]
    return [(max(parity, Fraction(1)), draw.randint(1, 2)) for parity in dict.fromkeys(near)]


@pytest.mark.slow
@every_case("seed", range(60))
def test_close_odds_are_added_in_their_order(seed: int) -> None:
    """At gamma between, and exactly at, nearly equal odds of some outcomes: 60 draws of 4 values of gamma each."""
    draw = random.Random(f"close odds {seed}")
    parts = close_parts(draw)
    odds = sorted({prod((parity ** draw.choice([-1, 1]) for parity, _ in parts), start=Fraction(1)) for _ in range(12)})
    inside = [g for g in odds if g >= 1] or [Fraction(1)]
    first = draw.choice(inside)
    cells = Cells.of([(LossPair.of_level(parity), count) for parity, count in parts if parity > 1])
    assert cells is not None
    for gamma in (Fraction(1), first, (first + draw.choice(inside)) / 2, first * (1 + Fraction(1, 10**12))):
        assert cells.delta(gamma) == by_enumeration(parts, gamma)


def test_the_least_gamma_has_exactly_the_given_delta() -> None:
    """Between the odds of outcomes delta falls strictly, from the value at gamma = 1 to 0 at the largest odds."""
    parts = [(Fraction(3), 2), (Fraction(7, 5), 2)]
    cells = Cells.of([(LossPair.of_level(parity), count) for parity, count in parts])
    assert cells is not None
    for gamma in (Fraction(1), Fraction(3, 2), Fraction(9, 5), Fraction(2), Fraction(11, 3), Fraction(16)):
        delta = by_enumeration(parts, gamma)
        assert delta > 0
        assert cells.gamma(delta) == gamma
        assert cells.gamma(delta * Fraction(999, 1000)) > gamma
    assert cells.gamma(by_enumeration(parts, Fraction(1)) * 2) == 1


def test_powers_are_exact_or_enclosed() -> None:
    for base, count in (
        (Fraction(3), 4),
        (Fraction(2, 7), 11),
        (Fraction(0), 5),
        (Fraction(1), 10**9),
        (Fraction(5), 0),
    ):
        found = power(base, count)
        assert found.lower == found.upper == base**count
    long = power(Fraction(3, 2), 30_000)
    exact = Fraction(3, 2) ** 30_000
    assert long.lower < exact < long.upper < long.lower * (1 + Fraction(1, 10**80))
