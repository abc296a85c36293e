"""Trace and loss with k inputs: all routes against programs written down naively and solved elsewhere."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from few_rows import few_rows
from linear_pool.naive_programs import exact_gammas, gammas_of, naive_program, scipy_optimum
from linear_pool.random_problems import RATIONAL, random_problem
from program_pool.oracle import oracle
from support.regions import by_distance

from rropt.core.errors import RroptError
from rropt.core.exact.rational_bounds import simplest_between
from rropt.core.linear import Optimal
from rropt.core.linear import solve as solve_program
from rropt.designs import solve
from rropt.designs.design_programs import essential_pairs
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.problem import Problem
from rropt.designs.weighted_trace import is_weighted_trace
from rropt.objectives import Loss, Trace
from rropt.privacy import LevelsRegion
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.region import PrivacyRegion

KINDS = ["uniform", "delta", "pairwise", "bounded-uniform", "bounded-delta", "bounded-pairwise"]


SMALL = 24  # rows up to which the oracle's dense tableau takes milliseconds


def naive_optimum(problem: Problem) -> tuple[str, Fraction | None]:
    """Return ("optimal", value) or ("infeasible", None) of the naive program, by the oracle where it is small."""
    program = naive_program(problem, *exact_gammas(problem))
    if len(program.rows) <= SMALL:
        return oracle(program)
    outcome = solve_program(program)
    return ("optimal", outcome.value) if isinstance(outcome, Optimal) else ("infeasible", None)


def require_infeasible(problem: Problem) -> None:
    with pytest.raises(InfeasibleDesignError) as caught:
        solve(problem)
    assert caught.value.certificate.check()
    assert caught.value.certificate.statement == "infeasible"


def uniform(k: int) -> list[Fraction]:
    return [Fraction(1, k)] * k


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_rational_levels_against_the_oracle(kind: str, rng: random.Random, size) -> None:
    """Gap 0, value as the naive program's, mechanism in the region; infeasible exactly where the oracle says so."""
    solved = refused = 0
    for _ in range(size(12, 200)):
        problem = random_problem(rng, kind)
        status, value = naive_optimum(problem)
        if status == "infeasible":
            require_infeasible(problem)
            refused += 1
            continue
        solution = solve(problem)
        assert solution.lower == solution.upper == solution.value == value
        assert problem.region.contains(solution.mechanism)
        assert problem.objective.value(solution.mechanism, problem.population) == value
        assert solution.certificate.check()
        assert "exact" in solution.routes
        assert solution.twins.cvxpy.agrees
        solved += 1
    assert solved >= size(4, 60)
    assert solved + refused == size(12, 200)
    assert refused > 0 or not kind.startswith("bounded") or size(0, 1) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_irrational_levels_against_scipy(kind: str, rng: random.Random, size) -> None:
    """The bracket is narrow, the mechanism in the region exactly, and SciPy's optimum is where it should be."""
    solved = 0
    for _ in range(size(8, 120)):
        problem = random_problem(rng, kind, rational=False)
        gammas, delta = gammas_of(problem)
        rounded = {pair: Fraction(gamma) for pair, gamma in gammas.items()}
        value = scipy_optimum(naive_program(problem, rounded, Fraction(delta)))
        if value is None:
            require_infeasible(problem)
            continue
        solution = solve(problem)
        assert float(solution.lower) - 1e-7 <= value <= float(solution.upper) + 1e-7  # SciPy's own tolerance
        assert 0 <= solution.gap < Fraction(1, 10**12)
        assert problem.region.contains(solution.mechanism)
        assert solution.certificate.check()
        solved += 1
    assert solved >= size(3, 50)


@few_rows(1)
@pytest.mark.parametrize("delta", ["1/1000", "exp(-8)"])
def test_duals_with_delta_have_short_numbers(delta: str) -> None:
    """The exact multipliers of 20 categories have up to 900 characters: the certificate would be six times as long."""
    require_short_dual(Problem(PrivacyRegion("1", delta, inputs=14, outputs=14), Loss.absolute(14), uniform(14)))


def test_duals_of_losses_without_a_pattern_have_short_numbers(rng: random.Random) -> None:
    """The exact multipliers make a certificate of 8 categories five times as long."""
    losses = [[Fraction(rng.randint(0, 10**6), rng.randint(1, 10**6)) for _ in range(6)] for _ in range(6)]
    require_short_dual(Problem(PrivacyRegion("30", inputs=6, outputs=6), Loss(losses), uniform(6)))


def require_short_dual(problem: Problem) -> None:
    found = solve(problem, fast=True)
    assert max(x.denominator for x in found.found.dual.values()) <= 2**96
    assert found.gap < found.value / 10**14
    assert found.certificate.check()


@pytest.mark.slow
def test_the_closed_form_against_the_oracle(rng: random.Random, size) -> None:
    """Weighted traces and the losses that are one, for every delta, equal weights and zeros included."""
    points = 0
    for _ in range(size(20, 600)):
        k = rng.randint(2, 4)
        weights = [Fraction(rng.choice([0, 1, 1, 2, 5, rng.randint(0, 9)]), rng.randint(1, 3)) for _ in range(k)]
        region = PrivacyRegion(rng.choice(RATIONAL), rng.choice(["0", "0", "1/7", "1/2", "1"]), inputs=k, outputs=k)
        objective: Trace | Loss = Trace(weights)
        population = uniform(k)
        if sum(weights) and rng.random() < 0.4:
            objective, population = Loss.zero_one(k), [w / sum(weights) for w in weights]
        problem = Problem(region, objective, population)
        assert is_weighted_trace(problem)
        solution = solve(problem, routes=["closed-form"])
        assert naive_optimum(problem) == ("optimal", solution.value)
        assert solution.lower == solution.upper
        assert region.contains(solution.mechanism)
        points += 1
    assert points == size(20, 600)


def test_the_trace_formula_is_the_solution_of_its_equation() -> None:
    """SymPy: (gamma - 1) A = gamma W_m - m A gives A = gamma W_m/(gamma + m - 1), a mediant of its predecessor."""
    import sympy as sp

    gamma, total, m, a, w = sp.symbols("gamma W m A w", positive=True)
    value = sp.solve(sp.Eq((gamma - 1) * a, gamma * total - m * a), a)[0]
    assert sp.simplify(value - gamma * total / (gamma + m - 1)) == 0
    larger = value.subs({total: total + w, m: m + 1}, simultaneous=True)
    mediant = (gamma * total + gamma * w) / ((gamma + m - 1) + 1)
    assert sp.simplify(larger - mediant) == 0


@pytest.mark.slow
def test_monotone_in_every_level(rng: random.Random, size) -> None:
    """A larger gamma, a larger delta or a missing pair never hurts; a bound never helps."""
    points = 0
    for _ in range(size(8, 80)):
        k = 3
        loss = Loss([[rng.randint(0, 6) for _ in range(k)] for _ in range(k)])
        regions = [
            BoundedRegion.sparse(PrivacyRegion("log(2)", inputs=k, outputs=k), least={(1, 1): "2/5"}),
            PrivacyRegion("log(2)", inputs=k, outputs=k),
            PrivacyRegion("1", inputs=k, outputs=k),
            PrivacyRegion("1", "1/9", inputs=k, outputs=k),
            PrivacyRegion("log(3)", "1/9", inputs=k, outputs=k),
            PrivacyRegion("log(3)", "exp(-1)", inputs=k, outputs=k),
        ]
        solved = [solve(Problem(region, loss, uniform(k)), fast=True) for region in regions]
        for worse, better in pairwise(solved):
            assert better.lower <= worse.upper
            points += 1
        pairs = LevelsRegion.by_pair([[None, "log(2)", None], ["log(2)", None, "log(2)"], [None, "log(2)", None]])
        assert solve(Problem(pairs, loss, uniform(k))).value <= solved[1].value
    assert points == 5 * size(8, 80)


@pytest.mark.slow
def test_bounds_that_do_not_bind_and_levels_that_are_implied() -> None:
    """The optimum's own entries as bounds, and the same level for every pair, change nothing."""
    k = 4
    region = PrivacyRegion("log(5/2)", inputs=k, outputs=k)
    problem = Problem(region, Trace([3, 2, 2, 1]), uniform(k))
    free = solve(problem)
    entries = {(i, j): free.mechanism[i, j] for i in range(k) for j in range(k)}
    bounded = solve(Problem(BoundedRegion.sparse(region, least=entries), problem.objective, uniform(k)))
    assert bounded.value == free.value
    assert bounded.mechanism == free.mechanism
    pairs = LevelsRegion.by_pair([[None if i == j else "log(5/2)" for j in range(k)] for i in range(k)])
    assert solve(Problem(pairs, problem.objective, uniform(k))).value == free.value
    far = [[None if i == j else f"{abs(i - j)}*log(2)" for j in range(k)] for i in range(k)]
    assert far[0][3] == "3*log(2)"
    assert LevelsRegion.by_pair(far) == by_distance(k, "log(2)")


def test_essential_pairs() -> None:
    """Neighbours imply all; a shortcut is kept; with level 0 a cycle keeps a spanning part of it."""
    assert essential_pairs(by_distance(6, "1").pair_levels) == tuple(
        sorted([(j, j + 1) for j in range(5)] + [(j + 1, j) for j in range(5)])
    )
    shortcut = LevelsRegion.by_pair([[None, "1", "3/2"], ["1", None, "1"], ["3/2", "1", None]])
    assert len(essential_pairs(shortcut.pair_levels)) == 6
    zero = LevelsRegion.by_pair([[None if i == j else 0 for j in range(4)] for i in range(4)])
    kept = essential_pairs(zero.pair_levels)
    assert 4 <= len(kept) <= 6
    directed = LevelsRegion.by_pair([[None, "1", "2"], [None, None, "1"], [None, None, None]])
    assert essential_pairs(directed.pair_levels) == ((0, 1), (1, 2))


def test_kept_pairs_imply_the_others(rng: random.Random, size) -> None:
    """The least sum of levels along kept pairs is at most the level of every pair (Floyd and Warshall)."""
    points = 0
    for _ in range(size(60, 600)):
        k = rng.randint(2, 7)
        rows = [[None if j == o or rng.random() < 0.4 else rng.randint(0, 8) for o in range(k)] for j in range(k)]
        if not any(level is not None for row in rows for level in row):
            continue
        region = LevelsRegion.by_pair(rows)
        far = dict.fromkeys(((j, o) for j in range(k) for o in range(k)), float("inf"))
        far.update({(j, j): 0.0 for j in range(k)})
        far.update({(j, o): float(rows[j][o]) for j, o in essential_pairs(region.pair_levels)})  # type: ignore[arg-type]
        for via in range(k):
            for j in range(k):
                for o in range(k):
                    far[j, o] = min(far[j, o], far[j, via] + far[via, o])
        for j, row in enumerate(rows):
            for o, level in enumerate(row):
                assert level is None or far[j, o] <= level
                points += level is not None
    assert points > size(500, 5000)


def test_a_pair_that_floats_take_for_implied_is_handed_back() -> None:
    """log 2 + log 3 against a level 10^-18 below log 6: dropped at first, then found violated and written down."""
    nearly = 6 - Fraction(1, 10**18)
    region = LevelsRegion.by_pair([[None, "log(2)", f"log({nearly})"], [None, None, "log(3)"], [None, None, None]])
    assert essential_pairs(region.pair_levels) == ((0, 1), (1, 2))
    problem = Problem(region, Loss([[-1, 0, 1], [0, 0, 0], [0, 0, 0]]), uniform(3))
    solution = solve(problem)
    assert region.contains(solution.mechanism)
    assert naive_optimum(problem) == ("optimal", solution.value)
    assert solution.gap == 0


def test_simplest_between() -> None:
    third, zero = Fraction(1, 3), Fraction(0)
    assert simplest_between(third, third) == third
    assert simplest_between(zero, third) == zero
    rng, points = random.Random(1), 0
    for _ in range(200):
        low = Fraction(rng.randint(0, 999), rng.randint(1, 99))
        high = low + Fraction(rng.randint(1, 9), rng.randint(10, 999))
        found = simplest_between(low, high)
        assert low <= found <= high
        smaller = [Fraction(n, d) for d in range(1, found.denominator) for n in [-(-low * d // 1)]]
        assert all(not low <= x <= high for x in smaller)
        points += 1
    assert points == 200


@pytest.mark.slow
def test_the_sizes_that_are_promised(size) -> None:
    """epsilon = 1: trace, 0/1 loss, and distance loss under d(i, j) = abs(i - j): private, certified, narrow."""
    k = size(20, 60)
    for region, objective in (
        (PrivacyRegion("1", inputs=k, outputs=k), Trace([1] * k)),
        (PrivacyRegion("1", inputs=k, outputs=k), Loss.zero_one(k)),
        (by_distance(k, "1"), Loss.absolute(k)),
    ):
        problem = Problem(region, objective, uniform(k))
        solution = solve(problem)
        assert region.contains(solution.mechanism)
        assert solution.gap < solution.value / 10**12
        assert solution.certificate.check()


def test_routes_by_name() -> None:
    problem = Problem(PrivacyRegion("1", inputs=3, outputs=3), Loss.absolute(3), uniform(3))
    assert list(solve(problem, fast=True).routes) == ["exact"]
    for wrong in ("convex", ["closed-form"], ["magic"], []):
        with pytest.raises(RroptError):
            solve(problem, routes=wrong)
