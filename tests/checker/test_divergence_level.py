"""The statement divergence-level: expansions at many orders, cells that are too wide, and extreme proofs."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest
from adversary.boundary.oracle import divergence, real, supremum
from adversary.divergences import file, kary, matrix, orders_of, pairs_of, random_columns, rational, response
from every_case import every_case

from rropt.checker import check_text
from rropt.checker.divergence_level import LawExponents
from rropt.checker.documents import WorkBudget
from rropt.checker.intervals import Arithmetic

F = Fraction


def judged(subject: Any, claim: Any, orders: Any, g: F | None = None, digits: int = 40, order: Any = None) -> Any:
    return check_text(json.dumps(file(subject, claim, orders, None if g is None else (g, g), digits, order)))


def test_bounds_hold_at_every_order(size: Callable[[int, int], int]) -> None:
    rng = random.Random(29)
    for _ in range(size(6, 300)):
        k, g = rng.choice((2, 6, 7, 10, 50, 1000)), F(rng.randint(11, 200), 10)
        subject, pairs = kary(k, {"log": str(g)}), pairs_of(response(k, g))
        most, orders = supremum(pairs[0])[1], orders_of(pairs)
        with mp.workdps(40):
            values = [divergence(pairs[0], 1 + mp.mpf(2) ** j) / (1 + mp.mpf(2) ** j) for j in range(-20, 12)]
            assert all(value <= most for value in values)
        assert judged(subject, (F(0), rational(most) + F(1, 10**9)), orders, g)
        assert not judged(subject, (F(0), rational(most) * F(999_999, 10**6)), orders, g)


def test_an_expansion_is_below_the_function_in_its_cell(size: Callable[[int, int], int]) -> None:
    """Where a cell passes, U is not negative in it; the search draws cells and bounds near the least that passes."""
    rng, passed = random.Random(40), 0
    for _ in range(size(30, 3000)):
        pairs = pairs_of([column for column in random_columns(rng) if all(column)])
        if not pairs:
            continue
        pair = rng.choice(pairs)
        arithmetic = Arithmetic(40, WorkBudget(1 << 40))
        exponents = LawExponents(tuple(zip(*pair, strict=True)), arithmetic)
        a = 1 + F(rng.randint(0, 40), rng.choice((1, 10, 100)))
        b = a + F(rng.randint(1, 400), rng.choice((1, 10, 100)))
        end = rng.choice((a, b))
        low, high = F(0), F(100)
        for _ in range(30):  # the least rho with which the cell passes
            middle = (low + high) / 2
            passes = exponents.is_below(arithmetic.of(middle), a, b, end)
            low, high = (low, middle) if passes else (middle, high)
        passed += high < 100
        with mp.workdps(40):
            for i in range(21):
                x = a + (b - a) * i / 20
                assert divergence(pair, x) <= real(high) * real(x) * (1 + mp.mpf(10) ** -15) or high == 100
    assert passed >= size(5, 500)


def test_cells_that_are_too_wide_are_refused() -> None:
    g, k = F(3), 10
    subject, pairs = kary(k, {"log": "3"}), pairs_of(response(k, g))
    best, most = supremum(pairs[0])
    orders = orders_of(pairs)[0]
    claim = (F(0), rational(most) + F(1, 10**9))
    assert judged(subject, claim, [orders], g)
    assert best > 1
    assert "in a cell" in judged(subject, claim, [orders[-1:]], g).reason
    near = next(i for i, (a, b) in enumerate(pairwise([F(1), *orders])) if a < rational(best) <= b)
    assert "in a cell" in judged(subject, claim, [orders[:near] + orders[near + 1 :]], g).reason


def test_a_lower_bound_may_come_from_any_order_of_any_pair() -> None:
    columns = [(F(1, 2), F(1, 4), F(1, 4)), (F(1, 10), F(3, 5), F(3, 10))]
    pairs = pairs_of(columns)
    orders = orders_of(pairs)
    most = max(supremum(pair)[1] for pair in pairs)
    claim = (rational(most) - F(1, 10**9), rational(most) + F(1, 10**9))
    assert judged(matrix(columns), claim, orders)
    assert judged(matrix(list(reversed(columns))), claim, list(reversed(orders)))
    assert not judged(matrix(list(reversed(columns))), claim, orders)


@every_case("order", [10**6, 10**30, 10**399])
@every_case("digits", [1, 300])
def test_extreme_orders_are_refused_or_accepted_without_a_crash(order: int, digits: int) -> None:
    for asked in (None, order):
        verdict = judged(kary(10**12, {"log": "1000000"}), (F(0), F(100)), [[F(order)]], F(10**6), digits, asked)
        assert "unforeseen" not in verdict.reason


@pytest.mark.slow
def test_many_inputs_end_with_the_budget() -> None:
    k = 200
    columns = [tuple(F(1 + (i == j) * j, k + j) for i in range(k)) for j in range(k)]
    assert "more work" in judged(matrix(columns), (F(0), F(9)), [], order=2).reason


@pytest.mark.parametrize("order", [None, 2, F(3, 2), 1])
def test_each_bound_is_that_of_its_own_end_of_a_wide_bracket(order: Any) -> None:
    """Epsilon = 1 in [2.7, 2.75]: a divergence between those of both ends is neither a lower nor an upper bound."""
    levels, k = (F(27, 10), F(11, 4)), 4
    pairs = [pairs_of(response(k, g)) for g in levels]
    with mp.workdps(40):
        values = [supremum(each[0])[1] if order is None else divergence(each[0], real(F(order))) for each in pairs]
        low, high = (rational(value) for value in values)
    step, between = (high - low) / 10**3, (low + high) / 2
    orders = orders_of(pairs[1])

    def holds(lower: F, upper: F) -> bool:
        made = file(kary(k, {"rational": "1"}), (lower, upper), orders, levels, 40, order)
        return bool(check_text(json.dumps(made)))

    assert holds(low - step, high + step) or order is None  # for the supremum the orders are those of the upper end
    assert holds(F(0), high + step)
    assert not holds(between, high + step)
    assert not holds(F(0), between)
