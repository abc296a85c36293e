"""Designs of many categories with different shares: closed brackets, and the limits of both budgets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from few_rows import few_rows
from support.ray_problems import objective, shares

from rropt import Problem, check, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.objectives import Loss, Trace
from rropt.privacy import PrivacyRegion

F = Fraction


def many(kind: str, k: int, delta: object = 0, epsilon: object = 1) -> Problem:
    return Problem(PrivacyRegion(epsilon, delta, inputs=k, outputs="any"), objective(kind, k), shares(k))


def test_designs_of_many_categories_close(size: Callable[[int, int], int]) -> None:
    """k = 14 by default, 20 with the large budget, 7 with delta > 0: relative gaps at most 1e-9."""
    cases = [("mutual-information", 14, 0, None), ("c", 13, 0, None)]
    if size(0, 1):
        cases += [(kind, 14, 0, None) for kind in ("a", "c", "d", "e", "chi-square", "total-variation")]
        cases += [("mutual-information", 20, 0, "large"), ("c", 20, 0, "large")]
        cases += [(kind, 20, 0, "large") for kind in ("a", "d", "e")]
        cases += [(kind, 7, "1/20", "large") for kind in ("a", "c", "e", "mutual-information")]
    for kind, k, delta, budget in cases:
        solution = solve(many(kind, k, delta), fast=True, budget=budget)
        gap = solution.upper - solution.lower
        assert gap <= F(1, 10**9) * max(abs(solution.lower), abs(solution.upper)), (kind, k, float(gap))
        assert check(solution.certificate, budget=budget)


@pytest.mark.slow
def test_more_categories_than_a_list_has_room_for_are_split_of_one() -> None:
    """The information of 13 categories of which two are equal in share is that of any order of them."""
    pi = shares(12)
    half = [pi[0] / 2, pi[0] / 2, *pi[1:]]
    one, other = (
        solve(
            Problem(PrivacyRegion("log(3)", 0, inputs=13, outputs="any"), objective("mutual-information", 13), given),
            fast=True,
        )
        for given in (half, half[::-1])
    )
    assert max(one.lower, other.lower) <= min(one.upper, other.upper)


@pytest.mark.parametrize(("k", "delta", "limit"), [(7, "1/20", 6), (19, 0, 18), (21, 0, 18), (8, "1/20", 6)])
def test_what_is_too_large_is_refused_with_the_limit(k: int, delta: object, limit: int) -> None:
    with pytest.raises(UnsupportedProblemError, match=f"at most {limit} categories") as refused:
        solve(many("d", k, delta))
    assert "\n" not in str(refused.value)
    assert ("large budget" in str(refused.value)) == (k in (7, 19))


def _largest_trace(weights: list[F], gamma: F, delta: F) -> F:
    """The largest weighted trace, over all numbers m of categories that are outputs (own sum, no line of rropt)."""
    order = sorted(weights, reverse=True)
    best = max(gamma * sum(order[:m]) / (gamma + m - 1) for m in range(1, len(order) + 1))
    return delta * sum(weights) + (1 - delta) * best


@few_rows(1)
@pytest.mark.parametrize("delta", [0, "1/10"])
@pytest.mark.parametrize("k", [30, 41, *(pytest.param(k, marks=pytest.mark.slow) for k in (60, 100, 250, 299, 301))])
def test_traces_and_zero_one_losses_are_proved_at_every_number_of_categories(k: int, delta: object) -> None:
    weights = [F(1 + (7 * j) % 11, 3) for j in range(k)]
    shares = [w / sum(weights) for w in weights]
    for asked, given, more in (
        (Trace(), [F(1)] * k, {"categories": k}),
        (Trace(weights), weights, {"categories": k}),
        (Loss("zero-one"), [F(1, k)] * k, {"categories": k}),
        (Loss("zero-one"), shares, {"population": shares}),
    ):
        solution = solve(Problem.kary(epsilon="log(3)", delta=delta, objective=asked, **more), fast=True)
        found = _largest_trace(given, F(3), F(delta))
        assert solution.lower <= (found if isinstance(asked, Trace) else 1 - found) <= solution.upper
        assert solution.upper - solution.lower <= F(1, 10**12)
        assert check(solution.certificate)
        if k > 40:
            assert len(str(solution.certificate.to_dict())) < 40_000


def test_the_short_way_takes_no_route_of_minutes_beside_a_formula() -> None:
    problem = Problem.kary(40, epsilon="log(3)", delta="1/10", objective="trace")
    assert solve(problem, fast=True).routes.keys() == {"closed-form"}
    assert solve(Problem.kary(4, epsilon="log(3)", objective="trace"), fast=True).routes.keys() == {"exact"}
