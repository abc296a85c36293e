"""Shuffled reports at small deltas, beside the divergence of every data set in rationals."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

import rropt


def _law(n: int, p: Fraction) -> list[Fraction]:
    return [comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]


def _convolved(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    found = [Fraction(0)] * (len(one) + len(other) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            found[i + j] += x * y
    return found


def _delta(n: int, parity: Fraction, gamma: Fraction) -> Fraction:
    """Return the largest divergence over all data sets and both orders of the neighbours."""
    one, best = parity / (1 + parity), Fraction(0)
    for zeros in range(n):
        others = _convolved(_law(zeros, 1 - one), _law(n - 1 - zeros, one))
        p, q = (_convolved(others, [1 - x, x]) for x in (one, 1 - one))
        for first, second in ((p, q), (q, p)):
            best = max(best, sum(max(x - gamma * y, Fraction(0)) for x, y in zip(first, second, strict=True)))
    return best


@pytest.mark.parametrize(("n", "parity", "gamma"), [(12, "3", "29/10"), (16, "11/10", "21/20"), (8, "50", "49")])
def test_delta_lies_between_the_bounds(n: int, parity: str, gamma: str) -> None:
    truth = _delta(n, Fraction(parity), Fraction(gamma))
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
        assert _delta(n, Fraction(3), at[0].lower) >= delta >= _delta(n, Fraction(3), at[1].upper)


@pytest.mark.parametrize("epsilon", ["2", "5/2", "30"])
def test_nothing_is_left_from_the_local_level_on(epsilon: str) -> None:
    found = rropt.shuffle("2", 100, epsilon=epsilon)
    assert found.lower == found.upper == 0


def test_a_local_level_for_a_small_delta() -> None:
    found = rropt.shuffle(None, 200, epsilon="1/2", delta="1e-30")
    assert Fraction(1, 2) < found.lower < found.upper < found.lower + Fraction(1, 10**5)
