"""Binomial tails and quantiles: enclosures against exact sums, ties, and the universal inequalities."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import exact_confidence
from rropt.core.exact.numbers import root_above, root_below, square_root
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.inference.distributions import (
    bound_above,
    critical_share,
    exact_tail,
    normal_quantile,
    proposed_lower_end,
    tail_at_most,
    two_sided_quantile,
    upper_tail,
    weights_of_counts,
)


@given(st.integers(1, 60), st.integers(-1, 62), st.fractions(0, 1, max_denominator=50))
def test_balls_hold_the_exact_tail(n: int, y: int, p: Fraction) -> None:
    exact = exact_tail(y, n, p)
    terms = range(max(y, 0), n + 1)
    assert exact == sum((math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in terms), Fraction(0))
    with ctx.workprec(64):
        low, high = bracket(upper_tail(y, n, p))
    assert low <= exact <= high
    assert high - low < Fraction(1, 10**12)


@pytest.mark.slow
@pytest.mark.parametrize("precision", [64, 128, 512])
def test_sums_of_terms_agree_with_the_incomplete_beta_function(rng: random.Random, precision: int) -> None:
    """Arb's function shares no code with the sum: each pair of balls has a common point, and no ball is wide."""
    for _ in range(40):
        n = rng.choice([1, 2, 7, 200, 5000, 10**6])
        y = rng.randint(1, n)
        p = Fraction(rng.randint(1, 999), 1000) if rng.random() < 0.3 else Fraction(y, n + 1) + Fraction(1, 3 * n + 9)
        with ctx.workprec(precision):
            tail, beta = upper_tail(y, n, p), ball(p).beta_lower(arb(y), arb(n - y + 1), 1)
            assert tail.overlaps(beta), (y, n, p)
            # below the mean it is 1 less a sum, with the error of a number near 1; for large n it may be Arb's own
            assert n > 5000 or tail.rad() <= 2.0 ** (16 - precision) or tail.rel_accuracy_bits() >= precision - 16, (
                y,
                n,
                p,
            )


def test_a_tail_beyond_the_mean_ends_at_its_last_term() -> None:
    with ctx.workprec(64):
        for n, p in ((1, Fraction(1, 2)), (4001, Fraction(1) - Fraction(1, 10**9)), (9000, Fraction(1, 10**30))):
            low, high = bracket(upper_tail(n, n, p))
            assert low <= p**n <= high
            low, high = bracket(upper_tail(1, n, p))
            assert low <= 1 - (1 - p) ** n <= high


@given(st.integers(1, 40), st.integers(0, 41), st.fractions("1/20", "19/20", max_denominator=20), st.integers(-1, 1))
def test_ties_are_decided_exactly(n: int, y: int, p: Fraction, shift: int) -> None:
    level = exact_tail(y, n, p) + Fraction(shift, 10**300)
    assert tail_at_most(y, n, p, level) is (shift >= 0)


def test_large_n_is_decided_and_a_tie_there_is_left_open() -> None:
    n = 10**12
    assert tail_at_most(n // 2, n, Fraction(1, 2), Fraction(1, 2)) is False  # P(Y >= n/2) is just above 1/2
    assert tail_at_most(n // 2 + 1, n, Fraction(1, 2), Fraction(1, 2)) is True
    odd = n + 1
    assert tail_at_most((odd + 1) // 2, odd, Fraction(1, 2), Fraction(1, 2)) is None  # exactly 1/2, by symmetry
    assert tail_at_most(26, 51, Fraction(1, 2), Fraction(1, 2)) is True  # the same where it can be summed


@given(st.integers(0, 40), st.fractions(0, 1, max_denominator=40))
def test_weights_sum_to_one(n: int, p: Fraction) -> None:
    assert sum(weights_of_counts(n, p)) == p.denominator**n


def test_quantiles_enclose_and_are_narrow() -> None:
    points = 0
    for text in ("0.5", "0.6", "0.95", "0.975", "0.025", "1/3", "0.999999", "1e-12", "1e-40"):
        p = Fraction(text)
        low, high = normal_quantile(p, 25)
        assert high - low <= Fraction(1, 10**25)
        assert float(low) == pytest.approx(NormalDist().inv_cdf(float(p)), rel=1e-9, abs=1e-15)
        points += 1
    assert points == 9
    assert normal_quantile(Fraction(1, 2)) == (0, 0)
    low, high = two_sided_quantile(Fraction(19, 20))
    assert f"{float(low):.12f}" == f"{float(high):.12f}" == "1.959963984540"
    with pytest.raises(InvalidParameterError, match="too near"):
        normal_quantile(1 - Fraction(1, 10**700))


@pytest.mark.parametrize("value", [0, 1, "1", -1, 2, "x", float("nan"), None])
def test_confidence_lies_inside(value: object) -> None:
    with pytest.raises(InvalidParameterError):
        exact_confidence(value)


@given(st.fractions(0, 10**6, max_denominator=10**9), st.integers(0, 30))
def test_roots_lie_on_their_sides(value: Fraction, digits: int) -> None:
    below, above = root_below(value, digits), root_above(value, digits)
    assert below**2 <= value <= above**2
    assert above - below <= Fraction(1, 10**digits)
    assert square_root(value) == pytest.approx(math.sqrt(value), rel=1e-15)


def test_roots_beyond_floats() -> None:
    assert square_root(Fraction(10**500)) == 1e250
    assert square_root(Fraction(1, 10**500)) == 1e-250
    with pytest.raises(InvalidParameterError, match="beyond 1e308"):
        square_root(Fraction(10**700))


def test_universal_bounds_hold_for_this_and_every_larger_n(size: Callable[[int, int], int]) -> None:
    """What the bounds promise, against exact tails, for n and for larger numbers."""
    square = normal_quantile(Fraction(39, 40))[1] ** 2
    level = Fraction(1, 40)
    points = 0
    for n in (3, 10, 30, 60)[: size(3, 4)]:
        for p in (Fraction(0), Fraction(1, 20), Fraction(1, 3), Fraction(9, 10)):
            upper = bound_above(p, n, square)
            t = critical_share(p, n, square)
            for larger in (n, n + 1, 2 * n):
                y = math.floor(larger * p + 1)
                if y < larger and upper < 1:
                    assert 1 - exact_tail(y + 1, larger, upper) <= level
                if t is not None:
                    assert exact_tail(math.ceil(larger * t + 1), larger, p) <= level
                points += 1
    assert points == 12 * size(3, 4)


def test_proposed_ends_are_near_the_solution(rng: random.Random) -> None:
    """The tail crosses the level within 10^-6 of the proposal, by balls: all counts of small n, extremes of large n.

    The logarithm of C(n, y) has the relative error 10^-15 of numbers up to 10^10, so 10^-6 is enough for each n; the
    Newton step in balls that follows squares it.
    """
    cases = [(y, n) for n in (1, 2, 3, 17) for y in range(1, n + 1)]
    cases += [(y, n) for n in (1000, 10**6, 10**8) for y in (1, 2, 99, 101, n // 3, n - 101, n - 1, n)]
    cases += [(rng.randint(1, 10**5), 10**5) for _ in range(5)]
    for y, n in cases:
        for level in (Fraction(1, 40), Fraction(9, 20), Fraction(1, 10**9)):
            found = Fraction(proposed_lower_end(y, n, float(level)))
            near = found / 10**6
            assert 0 < found < 1
            assert tail_at_most(y, n, found - near, level)
            assert found + near >= 1 or not tail_at_most(y, n, found + near, level)
