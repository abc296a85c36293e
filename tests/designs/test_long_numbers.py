"""Designs whose exact solution has long numbers or a very small delta: closed brackets within the default budget."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later

from rropt import Problem, check, solve
from rropt.core.exact.numbers import dot
from rropt.designs.drawable_designs import MOST_BITS, word_bits
from rropt.designs.engine import many_levels
from rropt.designs.engine.ray_designs import RayProblem
from rropt.designs.engine.ray_rounding import RayBasis, corner, is_long, shortened
from rropt.objectives import BayesMixture, ChiSquare, Payoff, TotalVariation, Trace
from rropt.privacy import LevelsRegion, PrivacyRegion

linprog = later("scipy.optimize", "linprog")

F = Fraction
EPSILONS = ("1/3", "7/2", "1/10", "13/10", "5", "log(3)", "log(20)", "log(1234/997)", "log(29003/10000)")
DELTAS = ("0", "1/100", "1/7", "3/1000", "1/20", "2713/10000", "1/1000000000")


def shares(rng: random.Random, k: int, largest: int = 10**4) -> list[Fraction]:
    """Return random shares, some of them equal in one case of four."""
    drawn = [rng.randint(1, largest) for _ in range(k)]
    if rng.random() < 0.25:
        drawn[0] = drawn[-1]
    return [F(x, sum(drawn)) for x in drawn]


def drawn_objective(rng: random.Random, k: int, pi: list[Fraction]) -> tuple[str, Any]:
    against = shares(rng, k)
    gains = [[F(rng.randint(-999, 999), rng.randint(1, 99)) for _ in range(k)] for _ in range(rng.randint(2, k))]
    made: dict[str, Any] = {
        "payoff": Payoff(gains),
        "total-variation": TotalVariation(against),
        "chi-square": ChiSquare(against),
        "bayes": BayesMixture(ChiSquare(against), ["1/3", "2/3"], [pi, shares(rng, k)]),
    }
    kind = rng.choice(sorted(made))
    return kind, made[kind]


def drawn_levels(rng: random.Random, k: int) -> list[tuple[str, str, list[tuple[int, int]]]]:
    """Return one level, two, or one for each of some pairs of categories."""
    every = list(permutations(range(k), 2))
    form = rng.choice(["one", "one", "two", "pairs"])
    if form == "pairs" and k < 5:
        kept = [pair for pair in every if abs(pair[0] - pair[1]) == 1 or rng.random() < 0.5]
        return [(rng.choice(EPSILONS), rng.choice(DELTAS), [pair]) for pair in kept]
    return [(rng.choice(EPSILONS), rng.choice(DELTAS), every) for _ in range(1 + (form == "two" and k < 5))]


def drawn_problem(rng: random.Random) -> tuple[str, Problem, list[tuple[str, str, list[tuple[int, int]]]]]:
    k = rng.choice([3, 4, 5, 6])
    pi, levels = shares(rng, k), drawn_levels(rng, k)
    kind, objective = drawn_objective(rng, k, pi)
    region: Any = LevelsRegion(levels, inputs=k)
    if len(levels) == 1:
        epsilon, delta, _ = levels[0]
        region = PrivacyRegion(epsilon, delta, inputs=k, outputs="any")
    return kind, Problem(region, objective, pi), levels


def float_optimum(gains: np.ndarray, levels: list[tuple[str, str, list[tuple[int, int]]]]) -> float:
    """Return the best payoff over the entries p_aj, one output for each action a, in floats.

    The variables are the entries, and an excess ``e >= p_aj - gamma p_al`` for each action, level and pair.
    """
    m, k = gains.shape
    triples = [(epsilon, delta, pair) for epsilon, delta, pairs in levels for pair in pairs]
    gammas = [float(F(e[4:-1])) if e.startswith("log") else float(np.exp(float(F(e)))) for e, _, _ in triples]
    count = m * k + m * len(triples)
    below, right = [], []
    for t, (gamma, (_, delta, (j, i))) in enumerate(zip(gammas, triples, strict=True)):
        total = np.zeros(count)
        for a in range(m):
            line = np.zeros(count)
            line[a * k + j], line[a * k + i], line[m * k + a * len(triples) + t] = 1, -gamma, -1
            total[m * k + a * len(triples) + t] = 1
            below.append(line)
            right.append(0.0)
        below.append(total)
        right.append(float(F(delta)))
    sums = np.zeros((k, count))
    for a, j in product(range(m), range(k)):
        sums[j, a * k + j] = 1
    cost = np.concatenate([-gains.ravel(), np.zeros(count - m * k)])
    found = linprog(cost, np.array(below), np.array(right), sums, np.ones(k), method="highs")
    assert found.status == 0
    return -float(found.fun)


@pytest.mark.slow
def test_random_linear_problems_close(size: Callable[[int, int], int]) -> None:
    """The gap is 0 at rational levels and at most 1e-10 elsewhere; an independent program agrees."""
    rng, kinds, exact, compared = random.Random(3434), set(), 0, 0
    for _ in range(size(12, 45)):
        kind, problem, levels = drawn_problem(rng)
        solution = solve(problem, fast=True)
        largest = max(abs(solution.lower), abs(solution.upper))
        assert solution.gap <= F(1, 10**10) * largest, (kind, problem)
        bits = word_bits(solution.mechanism)
        assert bits <= MOST_BITS or len(levels) > 1, (kind, problem)
        if problem.region.bracket(24).is_exact:
            assert solution.gap == 0 or bits == MOST_BITS, (kind, problem)  # the optimum has longer numbers
            exact += not solution.gap
        assert check(solution.certificate, budget="default"), (kind, problem)
        objective: Any = problem.objective
        pi = np.array([float(x) for x in problem.population])
        if kind == "payoff":
            gains = np.array([[float(x) for x in row] for row in objective.matrix]) * pi
        elif kind == "total-variation":
            half = (pi - [float(x) for x in objective.against]) / 2
            gains = np.array([half, -half])
        else:
            continue
        assert abs(float_optimum(gains, levels) - float(solution.value)) <= 1e-6 * (1 + float(largest)), problem
        kinds.add(kind)
        compared += 1
    assert kinds == {"payoff", "total-variation"}
    assert exact > size(1, 7)
    assert compared > size(3, 13)


@pytest.mark.parametrize("delta", ["0", "1/7"])
def test_a_mixture_of_sums_is_optimal_at_its_corner(delta: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact program over the rays that entered is not needed; six categories have too many for it."""
    monkeypatch.setattr("rropt.designs.engine.ray_designs.exact_corner", lambda *_: None)
    rng = random.Random(7)
    pi = shares(rng, 4)
    objective = BayesMixture(ChiSquare(shares(rng, 4)), ["1/3", "2/3"], [pi, shares(rng, 4)])
    problem = Problem(PrivacyRegion("log(3)", delta, inputs=4, outputs="any"), objective, pi)
    found = RayProblem(problem, problem.region.bracket(24)).optimum_of_sum()
    assert found is not None
    assert found.gap <= F(1, 10**20) * found.upper


def test_rays_that_violate_an_exact_dual_enter_its_program() -> None:
    """The rays that entered in floats do not contain the optimal ones."""
    against, pi = (1, 4470, 4974, 3496), (1, 1, 8097, 8033)
    objective = TotalVariation([F(x, sum(against)) for x in against])
    region = PrivacyRegion("log(1000000)", "1/2", inputs=4, outputs="any")
    problem = Problem(region, objective, [F(x, sum(pi)) for x in pi])
    found = RayProblem(problem, region.bracket(24)).optimum_of_sum()
    assert found is not None
    assert found.gap == 0


@pytest.mark.parametrize("active", [(1, 2), (1, 1), (0, 0)])
def test_a_degenerate_basis_gives_no_corner(active: tuple[int, int]) -> None:
    """Without the equation of the total probability all weights are 0."""
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    problem = Problem(PrivacyRegion("log(3)", inputs=3, outputs="any"), TotalVariation(shares(random.Random(1), 3)), pi)
    plan = RayProblem(problem, problem.region.bracket(24))
    assert corner(plan.fan, plan.form, RayBasis((0, 1), active)) is None


def chi_square_problem(epsilon: str, pi: list[Fraction], against: list[Fraction]) -> Problem:
    return Problem(PrivacyRegion(epsilon, "1/100", inputs=len(pi), outputs="any"), ChiSquare(against), pi)


@pytest.mark.slow
def test_a_long_dual_is_rounded() -> None:
    """The exact dual has numbers of more than a thousand digits, which the default budget refuses."""
    rng = random.Random(3)
    solution = solve(chi_square_problem("5", shares(rng, 6), shares(rng, 6)), fast=True)
    assert solution.gap <= F(1, 10**15) * solution.upper
    assert max(map(len, solution.certificate.proof["alpha"])) < 200
    assert check(solution.certificate, budget="default")


@pytest.mark.slow
def test_at_a_rational_level_the_budget_decides_whether_a_dual_is_rounded() -> None:
    """The default budget refuses the exact dual, the large one accepts it; both give the same mechanism.

    The large one proves the optimum itself, which no mechanism with short numbers attains.
    """
    rng, largest = random.Random(40), 10**80
    problem = chi_square_problem(
        f"log({F(2 * largest + 1, largest + 7)})", shares(rng, 6, largest), shares(rng, 6, largest)
    )
    rounded = solve(problem, fast=True)
    assert check(rounded.certificate, budget="default")
    exact = solve(problem, fast=True, budget="large")
    assert 0 < rounded.upper - exact.upper <= F(1, 10**40) * exact.upper
    assert rounded.lower == exact.lower
    assert 0 < exact.gap <= F(1, 10**15) * exact.upper
    assert not check(exact.certificate, budget="default")


@pytest.mark.parametrize("delta", ["0", "1/7"])
@few_rows(1)
@pytest.mark.parametrize("epsilon", ["1/3", "7/2", "log(1234/997)"])
def test_a_rounded_dual_is_valid_on_every_ray(epsilon: str, delta: str) -> None:
    """Its bound is at least the optimum and moves by less than 1e-38 of the largest number."""
    rng = random.Random(f"{epsilon} {delta}")
    pi = shares(rng, 4)
    problem = Problem(PrivacyRegion(epsilon, delta, inputs=4, outputs="any"), ChiSquare(shares(rng, 4)), pi)
    plan = RayProblem(problem, problem.region.bracket(24))
    solved = many_levels.solved(plan.fan, plan.form, None, None)
    assert solved is not None
    made = corner(plan.fan, plan.form, solved.basis)
    assert made is not None
    assert made.is_tight
    dual = made.dual
    short = shortened(dual, plan.fan, plan.form)
    assert not is_long(short)
    zero = shortened(dual._replace(alpha=(F(0),) * 4, slopes=()), plan.fan, plan.form)
    for i in range(len(plan.fan)):
        row = plan.fan.row(i, "above")
        assert plan.form.phi(None, row) <= min(dot(each.alpha, row) + each.bends_at(row) for each in (short, zero))
    assert 0 <= short.bound() - dual.bound() <= F(1, 10**38) * max(1, *map(abs, dual.alpha))


@pytest.mark.slow
def test_the_numbers_of_a_dual_of_long_weights_are_rounded() -> None:
    """140 different denominators of 60 digits give numbers of 8400 digits, which the checker cannot afford."""
    rng = random.Random(3)
    weights = [F(rng.randrange(10**59, 10**60), rng.randrange(10**59, 10**60)) for _ in range(140)]
    problem = Problem(PrivacyRegion("log(3)", inputs=140, outputs=140), Trace(weights), [F(1, 140)] * 140)
    solution = solve(problem, fast=True)
    heaviest = sorted(weights, reverse=True)
    best = max(3 * sum(heaviest[:m]) / (m + 2) for m in range(1, 141))
    assert solution.lower == best <= solution.upper <= best * (1 + F(1, 10**20))
    assert solution.status == "optimal"
    assert solution.proof.check().accepted
