"""Shuffled reports at small deltas, beside the divergence of every data set in rationals; extreme compositions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from adversary.shuffled import response, worst

import rropt


@pytest.mark.parametrize(("n", "parity", "gamma"), [(12, "3", "29/10"), (16, "11/10", "21/20"), (8, "50", "49")])
def test_delta_lies_between_the_bounds(n: int, parity: str, gamma: str) -> None:
    truth = worst(response(2, Fraction(parity)), n, Fraction(gamma))
    found = rropt.shuffle(f"log({parity})", n, gamma=gamma)
    assert found.lower <= truth <= found.upper
    assert found.upper - found.lower <= truth / 1000


@pytest.mark.parametrize("digits", [24, 60])
@pytest.mark.parametrize(("n", "level"), [(12, "log(3)"), (100, "1/10"), (100, "2")])
def test_small_deltas_are_answered(n: int, level: str, digits: int) -> None:
    delta = Fraction(1, 10**digits)
    found = rropt.shuffle(level, n, delta=delta)
    assert 0 <= found.lower < found.upper <= rropt.exact.Epsilon.of(level).nats(30).upper
    assert found.upper - found.lower <= Fraction(2, 10**6)
    if n == 12:
        at = [rropt.exact.Epsilon("rational", end).gamma_bracket(60) for end in (found.lower, found.upper)]
        rows = response(2, Fraction(3))
        assert worst(rows, n, at[0].lower) >= delta >= worst(rows, n, at[1].upper)


@pytest.mark.parametrize("epsilon", ["2", "5/2", "30"])
def test_nothing_is_left_from_the_local_level_on(epsilon: str) -> None:
    found = rropt.shuffle("2", 100, epsilon=epsilon)
    assert found.lower == found.upper == 0


def test_a_local_level_for_a_small_delta() -> None:
    found = rropt.shuffle(None, 200, epsilon="1/2", delta="1e-30")
    assert Fraction(1, 2) < found.lower < found.upper < found.lower + Fraction(1, 10**5)


def test_levels_beyond_machine_words_are_composed() -> None:
    """Losses beyond 64-bit lattice points, a ratio with millions of digits, and odds that are 1 to 300 digits."""
    tiny = Fraction(1, 10**300)
    assert rropt.compose(("100", 10**9), points=2).lower == 10**11
    assert rropt.compose(("100", 10**6), epsilon=1, points=2).lower > 1 - Fraction(1, 10**20)
    assert rropt.compose((tiny, 4), delta=tiny, points=2).upper < Fraction(1, 10**20)
