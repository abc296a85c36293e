"""Designs under Renyi differential privacy and zCDP: oracles that share no code with the engine, and restatements."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from later import later

from rropt import Problem, check, privacy, solve
from rropt.core.certificates.record import budget_allowed
from rropt.core.errors import UnsupportedProblemError
from rropt.designs.engine import divergence_designs
from rropt.designs.solution import Solution
from rropt.mechanisms import Mechanism
from rropt.objectives import OBJECTIVES, AOptimality, ChiSquare, MutualInformation, Payoff, TotalVariation
from rropt.privacy import PrivacyRegion, Region, RenyiRegion, ZcdpRegion, region_from_dict

linprog = later("scipy.optimize", "linprog")
minimize = later("scipy.optimize", "minimize")
F = Fraction
THREE = [F(1, 2), F(1, 3), F(1, 6)]
FULL = pytest.mark.slow


def divergence(p: Any, q: Any, a: float) -> float:
    """Return D_a by its definition."""
    if a == 1:
        return float((p * np.log(p / q)).sum())
    return float(np.log((p**a * q ** (1 - a)).sum()) / (a - 1))


def largest(matrix: Any, a: float) -> float:
    """Return the largest D_a over ordered pairs of columns."""
    columns = np.array([[float(x) for x in row] for row in matrix]).T
    return max(divergence(one, other, a) for one, other in permutations(columns, 2))


def trace_of_covariance(matrix: Any, pi: Any) -> float:
    """Return n tr Cov of the efficient estimator: tr M^-1 less pi.pi."""
    p, shares = np.array(matrix, dtype=float), np.array([float(x) for x in pi])
    information = (p / (p @ shares)[:, None]).T @ p
    if not np.isfinite(information).all() or np.linalg.cond(information) > 1e12:
        return 1e12
    return float(np.trace(np.linalg.inv(information)) - shares @ shares)


def by_local_search(pi: Any, bounds: Callable[[Any], Any], outputs: int, starts: int) -> float:
    """Return the least A-criterion of two columns that SLSQP finds, from random starts."""
    rng, best = np.random.default_rng(outputs), np.inf
    for _ in range(starts):
        first = 0.1 * rng.normal(size=(outputs, 2))

        def columns(x: Any) -> Any:
            e = np.exp(np.clip(np.nan_to_num(x), -20, 20).reshape(outputs, 2))
            return e / e.sum(0)

        found = minimize(
            lambda x: trace_of_covariance(columns(x), pi),
            (first + 0.05 * np.arange(2 * outputs).reshape(outputs, 2) % 3).ravel(),
            constraints={"type": "ineq", "fun": lambda x: bounds(columns(x))},
            method="SLSQP",
            options={"maxiter": 300, "ftol": 1e-12},
        )
        if found.success and (bounds(columns(found.x)) > -1e-8).all():
            best = min(best, float(found.fun))
    return best


def certified(region: Region, wanted: Any, pi: Any) -> Solution:
    """Return the solution; its certificate is accepted and its mechanism is in the region."""
    solution = solve(Problem(region, wanted, pi), fast=True)
    assert check(solution.certificate)
    assert region.contains(solution.mechanism)
    return solution


@pytest.mark.slow
@pytest.mark.parametrize("order", ["2", pytest.param("3/2", marks=FULL), "1", pytest.param("8", marks=FULL)])
def test_local_search_over_matrices_agrees(order: str, size: Callable[[int, int], int]) -> None:
    """SLSQP over 2 x 2 and 4 x 2 matrices finds no better design, and one that is as good."""
    pi, level, a = [F(3, 4), F(1, 4)], 0.5, float(F(order))
    solution = certified(RenyiRegion(order, "1/2", inputs=2), AOptimality(), pi)
    assert solution.gap < F(1, 10**6) * solution.value

    def bounds(p: Any) -> Any:
        return np.array([level - divergence(p[:, j], p[:, 1 - j], a) for j in range(2)])

    found = min(by_local_search(pi, bounds, m, size(3, 20)) for m in (2, 4))
    assert found > float(solution.lower) * (1 - 1e-6)
    assert found < float(solution.upper) * (1 + 1e-5)
    assert abs(largest(solution.mechanism.matrix, a) - level) < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize(
    "region", [pytest.param(RenyiRegion(2, 1), marks=FULL), RenyiRegion("5/2", "1/4"), ZcdpRegion("1/4")]
)
def test_a_linear_program_over_a_grid_is_close(region: Any, size: Callable[[int, int], int]) -> None:
    """HiGHS over a fine grid of rows reaches no more than the bound, and nearly as much, for sums over outputs."""
    pi, q = np.array([0.75, 0.25]), np.array([0.5, 0.5])
    rows = np.exp(np.column_stack([np.zeros(size(801, 8001)), np.linspace(-4, 4, size(801, 8001))]))
    rows /= rows.sum(1)[:, None]
    orders = [float(region.order)] if region.order else [1.0, *np.geomspace(1.01, 12, 40)]
    limits, sums = [], []
    for a in orders:
        for x, y in (rows.T, rows.T[::-1]):
            level = float(region.allowed(F(a)))
            sums.append(x * np.log(x / y) if a == 1 else x**a * y ** (1 - a))
            limits.append(1.0)
            sums[-1] /= level if a == 1 else np.exp((a - 1) * level)
    s = rows @ pi
    values = {
        MutualInformation(): (rows * np.log(rows / s[:, None])) @ pi,
        TotalVariation(["1/2", "1/2"]): np.abs(rows @ (pi - q)) / 2,
    }
    for wanted, phi in values.items():
        found = linprog(-phi, A_eq=rows.T, b_eq=[1, 1], A_ub=np.array(sums), b_ub=limits, method="highs")
        solution = certified(region, wanted, ["3/4", "1/4"])
        assert -found.fun < float(solution.upper) * (1 + 1e-6)
        assert -found.fun > float(solution.lower) * (1 - size(1000, 10_000) ** -1)


@pytest.mark.slow
def test_no_random_mechanism_of_the_region_is_better(size: Callable[[int, int], int]) -> None:
    """Random matrices, mixed with a constant output until they are in the region; also a design of pure privacy."""
    rng = np.random.default_rng(3)
    solution = certified(RenyiRegion(2, "1/2", inputs=3), AOptimality(), THREE)
    assert solution.gap < F(1, 10**6) * solution.value
    for _ in range(size(200, 5000)):
        m = rng.integers(3, 7)
        p = rng.dirichlet(np.full(m, rng.choice([0.5, 2, 20])), 3).T + 1e-9
        p /= p.sum(0)
        used = np.exp(largest(p, 2))
        part = max(0.0, 1 - (np.exp(0.5) - 1) / (used - 1))
        mixed = np.vstack([(1 - part) * p, np.full((1, 3), max(part, 1e-12))])
        mixed /= mixed.sum(0)
        assert largest(mixed, 2) < 0.5 + 1e-6
        assert trace_of_covariance(mixed, THREE) > float(solution.lower) * (1 - 1e-6)
    pure = solve(Problem(PrivacyRegion("1/2", inputs=3, outputs="any"), AOptimality(), THREE), fast=True)
    assert pure.upper > solution.lower


@pytest.mark.slow
def test_nested_regions() -> None:
    pi = ["3/4", "1/4"]
    one = certified(RenyiRegion(2, "1/2"), AOptimality(), pi)
    higher = certified(RenyiRegion(4, "1/2"), AOptimality(), pi)
    assert higher.upper > one.lower  # D_a rises with a
    concentrated = certified(ZcdpRegion("1/4"), AOptimality(), pi)
    assert concentrated.upper > one.lower  # D_2 <= 2/4
    assert all(largest(concentrated.mechanism.matrix, a) <= a / 4 + 1e-9 for a in (1, 1.1, 2, 5, 30))


@pytest.mark.parametrize("seed", [1, 2])
def test_membership_follows_the_definition(seed: int) -> None:
    """Against the definition with 30 digits, on random and symmetric matrices and on ones with zeros."""
    rng, counts = random.Random(seed), [0, 0]
    for _ in range(60):
        weights = [[rng.randint(0 if rng.random() < 0.1 else 1, 9) for _ in range(3)] for _ in range(2)]
        if any(sum(column) == 0 for column in weights):
            continue
        columns = [[F(x, sum(column)) for x in column] for column in weights]
        a, level = rng.choice([F(1), F(2), F(7, 3)]), F(rng.randint(1, 12), 8)
        mechanism = Mechanism(list(map(list, zip(*columns, strict=True))))
        with mp.workdps(30):
            most = mp.mpf(0)
            for p, q in permutations(columns, 2):
                atoms = [(mp.mpf(x.numerator) / x.denominator, y) for x, y in zip(p, q, strict=True) if x]
                if any(not y for _, y in atoms):
                    most = mp.inf
                    continue
                pairs = [(x, mp.mpf(y.numerator) / y.denominator) for x, y in atoms]
                if a == 1:
                    found = mp.fsum(x * mp.log(x / y) for x, y in pairs)
                else:
                    b = mp.mpf(a.numerator) / a.denominator
                    found = mp.log(mp.fsum(x**b * y ** (1 - b) for x, y in pairs)) / (b - 1)
                most = max(most, found)
            expected = bool(most <= mp.mpf(level.numerator) / level.denominator)
        assert RenyiRegion(a, level).contains(mechanism) is expected
        counts[expected] += 1
    assert min(counts) > 5


def test_levels_of_divergences_are_given_by_their_functions() -> None:
    for region in (RenyiRegion("5/2", "log(3)", inputs=3), ZcdpRegion("1/3", inputs=4)):
        assert region_from_dict(region.to_dict()) == region
    assert Problem.kary(level=privacy.renyi("2", "log(3)"), objective="A", population=THREE).region == RenyiRegion(
        2, "log(3)", inputs=3
    )
    assert Problem.kary(2, level=privacy.zcdp("1/8"), objective="D").region == ZcdpRegion("1/8")


def test_four_categories_within_the_large_budget(size: Callable[[int, int], int]) -> None:
    """With the default budget the error names the large one; at full size the bracket closes."""
    problem = Problem(RenyiRegion(2, "1/2", inputs=4), AOptimality(), ["2/5", "3/10", "1/5", "1/10"])
    if not size(0, 1):
        return
    with pytest.raises(UnsupportedProblemError, match="`budget` large"):
        solve(problem)
    with budget_allowed("large"):
        solution = solve(problem)
        assert check(solution.certificate, budget="large")
    assert solution.gap < F(1, 10**5) * solution.value


def test_an_infinite_divergence_names_the_first_category_of_proportion_0() -> None:
    objective = ChiSquare(["1/2", "0", "1/2", "0"])
    problem = Problem(PrivacyRegion("1", "1/10", inputs=4, outputs="any"), objective, ["1/4"] * 4)
    with pytest.raises(UnsupportedProblemError, match="received a proportion of 0 for category 1;"):
        solve(problem)


@pytest.mark.slow
def test_a_level_of_delta_0_keeps_a_divergence_finite() -> None:
    """One of two levels bounds all ratios: with ``--level 0.1,1/3 --level 3,0`` no output is possible under pi only."""
    levels = [("1/10", "1/3"), ("3", "0")]
    for name in ("chi-square", "kullback-leibler"):
        ends = [
            solve(
                Problem.kary(
                    level=privacy.levels(*levels), objective=OBJECTIVES[name](against), population=["1/2", "1/2", "0"]
                )
            )
            for against in (["1/3", "0", "2/3"], ["1/3", "1/10000000", "19999997/30000000"])
        ]
        assert all(check(found.certificate) for found in ends)
        assert abs(ends[0].value - ends[1].value) < F(1, 10**5)


@pytest.mark.slow
def test_orders_that_bound_the_mechanism_alone_stay() -> None:
    """Two decisions between two of three categories: the payoff is that of the two alone, times their share."""
    pair = Problem(ZcdpRegion("1/10", inputs=2), Payoff([[1, 0], [0, 1]]), ["2/3", "1/3"])
    three = Problem(ZcdpRegion("1/10", inputs=3), Payoff([[1, 0, 0], [0, 1, 0]]), ["1/2", "1/4", "1/4"])
    alone, found = (solve(each, fast=True) for each in (pair, three))
    assert found.status == "optimal"
    assert max(alone.lower * F(3, 4), found.lower) <= min(alone.upper * F(3, 4), found.upper)


@pytest.mark.slow
def test_few_proofs_are_tried_if_the_checker_accepts_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rejected proof takes the whole budget: the first and the coarsest trial of each attempt are enough."""
    tried: list[object] = []

    def rejected(make: object) -> SimpleNamespace:
        tried.append(make)
        return SimpleNamespace(failure="the proof needs more work than the budget", is_missing=False)

    monkeypatch.setattr(divergence_designs, "Certificate", SimpleNamespace(attempt=rejected))
    with pytest.raises(UnsupportedProblemError, match="within the default budget of the checker"):
        solve(Problem(ZcdpRegion("1/8", inputs=2), AOptimality(), ["1/3", "2/3"]), fast=True)
    assert len(tried) == 4
