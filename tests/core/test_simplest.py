"""Simplest fractions: against all smaller denominators, with each kind of end."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from rropt.core.exact.rational_bounds import simplest_between


@pytest.mark.parametrize("low_open", [False, True])
@pytest.mark.parametrize("high_open", [False, True])
def test_no_smaller_denominator(
    low_open: bool, high_open: bool, size: Callable[[int, int], int], rng: random.Random
) -> None:
    for _ in range(size(300, 5000)):
        low = Fraction(rng.randint(0, 60), rng.randint(1, 25))
        high = low + Fraction(rng.randint(1, 40), rng.randint(1, 900))

        def inside(x: Fraction, low: Fraction = low, high: Fraction = high) -> bool:
            return (low < x if low_open else low <= x) and (x < high if high_open else x <= high)

        found = simplest_between(low, high, low_open=low_open, high_open=high_open)
        assert inside(found)
        for d in range(1, found.denominator):
            assert not any(inside(Fraction(n, d)) for n in range(int(low * d), int(high * d) + 2))


def test_without_an_end_at_a_point_and_far_down() -> None:
    assert simplest_between(Fraction(5, 2), None) == simplest_between(Fraction(2), None, low_open=True) == 3
    assert simplest_between(Fraction(7, 5), Fraction(7, 5)) == Fraction(7, 5)
    assert simplest_between(Fraction(0), Fraction(0)) == 0
    third = Fraction(1, 3)
    assert simplest_between(third + Fraction(1, 10**3000), third + Fraction(1, 10**2999)).denominator > 10**1000
