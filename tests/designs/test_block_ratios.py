"""Divergences of many categories: blocks of likelihood ratios, against the linear program over all 2^k rows."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from later import later

import rropt
from rropt.designs import Problem
from rropt.designs.block_ratios import BlockDesign, _by_blocks

linprog = later("scipy.optimize", "linprog")

ROOM = 1e-9  # relative, of the program over all rows in floats


def term(kind: str, a: Any, b: Any) -> Any:
    """Return the term of the definition of a divergence, in floats."""
    if kind == "chi-square":
        return (a - b) ** 2 / b
    if kind == "kullback-leibler":
        return a * np.log(a / b)
    if kind == "hellinger":
        return (np.sqrt(a) - np.sqrt(b)) ** 2 / 2
    middle = (a + b) / 2
    return (a * np.log(a / middle) + b * np.log(b / middle)) / 2


KINDS = ["chi-square", "kullback-leibler", "hellinger", "jensen-shannon"]


def over_all_rows(kind: str, pi: list[Fraction], q: list[Fraction], gamma: Fraction) -> float:
    """Return the optimum over the rows {1, gamma}^k."""
    k, high = len(pi), float(gamma)
    places = np.arange(2**k)[:, None] >> np.arange(k)[None, :] & 1
    rows = np.where(places == 1, 1.0, 1 / high)
    a, b = (rows @ np.array([float(x) for x in line]) for line in (pi, q))
    values = term(kind, a, b)
    exact = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    used = np.array([2**k - 1, *(2**j for j in range(k))])
    while True:  # the rows that the multipliers violate most are added until none of the 2^k is left
        found = linprog(-values[used], A_eq=rows[used].T, b_eq=np.ones(k), method="highs-ds", options=exact)
        short = values + rows @ found.eqlin.marginals
        worst = np.argsort(short)[::-1][: 20 * k]
        worst = np.setdiff1d(worst[short[worst] > 1e-11 * values.max()], used)
        if not len(worst):
            return -float(found.fun)
        used = np.union1d(used, worst)


def shares(rng: random.Random, k: int, most: int) -> list[Fraction]:
    numbers = [rng.randint(most > 9, most) for _ in range(k)]
    numbers[rng.randrange(k)] += 1
    return [Fraction(x, sum(numbers)) for x in numbers]


@pytest.mark.parametrize(
    ("seed", "sizes"),
    [
        (0, [9, 9, 10, 10]),
        *(pytest.param(seed, [9, 10, 11, 12, 13] * 4, marks=pytest.mark.slow) for seed in range(1, 13)),
        *(pytest.param(seed, [14, 15, 16, 17, 18], marks=pytest.mark.slow) for seed in range(13, 25)),
    ],
)
def test_random_problems_have_the_optimum_over_all_rows(seed: int, sizes: list[int]) -> None:
    """Zeros, equal ratios, and levels near 1 and far from it; 304 problems together."""
    rng = random.Random(seed)
    for k in sizes:
        most = rng.choice([2, 5, 1000])
        pi, q = shares(rng, k, most), shares(rng, k, most)
        gamma = Fraction(rng.choice(["101/100", "3/2", "3", "10", "1000"]))
        kind = rng.choice(KINDS)
        problem = Problem.kary(epsilon=f"log({gamma})", objective=rropt.objectives.OBJECTIVES[kind](q), population=pi)
        solution = rropt.solve(problem, fast=True)
        expected = over_all_rows(kind, pi, q, gamma)
        room = ROOM * max(expected, 1e-3)
        assert float(solution.lower) - room <= expected <= float(solution.upper) + room, (kind, k, gamma, pi, q)
        assert solution.status == "optimal"
        assert rropt.check(solution.certificate)


def test_a_rational_divergence_has_no_gap() -> None:
    """The optimum of chi-square at a rational level is a fraction, and both bounds are that fraction."""
    rng = random.Random(3)
    for k in (9, 12):
        problem = Problem.kary(
            epsilon="log(3)", objective=rropt.objectives.ChiSquare(shares(rng, k, 100)), population=shares(rng, k, 100)
        )
        solution = rropt.solve(problem, fast=True)
        assert solution.lower == solution.upper
        assert solution.certificate.proof["way"] == "blocks"


@pytest.mark.parametrize(("order", "k"), [(3, 3), (-1, 3), (-2, 9)])
def test_an_alpha_divergence_of_a_whole_order_has_no_gap(order: int, k: int) -> None:
    """The terms are fractions, which the checker computes exactly: a bound below by 1e-30 is rejected."""
    pi, q = (
        (["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]) if k == 3 else (shares(random.Random(n), k, 9) for n in (1, 2))
    )
    problem = Problem.kary(epsilon="log(3)", objective=rropt.objectives.AlphaDivergence(q, order), population=pi)
    solution = rropt.solve(problem, fast=True)
    assert solution.lower == solution.upper
    a, b = (solution.mechanism.apply(line) for line in (problem.population, problem.objective.against))
    assert solution.value == sum(
        (x * (x / y) ** (order - 1) - y) / (order * (order - 1)) for x, y in zip(a, b, strict=True)
    )
    if (order, k) == (3, 3):
        assert solution.value == Fraction(13, 192)
    document = json.loads(solution.certificate.text)
    for moved in (solution.value - Fraction(1, 10**30), solution.value + Fraction(1, 10**30)):
        document["claim"].update(lower=str(moved), upper=str(moved))
        assert not rropt.check(json.dumps(document))


def test_the_way_of_rays_finds_the_same() -> None:
    rng = random.Random(4)
    for kind in KINDS:
        pi, q = shares(rng, 6, 20), shares(rng, 6, 20)
        problem = Problem.kary(epsilon="log(5)", objective=rropt.objectives.OBJECTIVES[kind](q), population=pi)
        rays, blocks = rropt.solve(problem, fast=True), _by_blocks(problem, problem.region.bracket(20))
        assert rays.certificate.proof["way"] == "rays"
        assert blocks is not None
        assert blocks.lower <= rays.upper
        assert rays.lower <= blocks.upper


def test_more_categories_than_rays_are_listed_for() -> None:
    """An irrational level, 40 categories; the record is read again without solving."""
    rng = random.Random(5)
    problem = Problem.kary(
        epsilon="1", objective=rropt.objectives.KullbackLeibler(shares(rng, 40, 99)), population=shares(rng, 40, 99)
    )
    solution = rropt.solve(problem, fast=True)
    assert solution.status == "optimal"
    assert solution.upper - solution.lower < Fraction(1, 10**20)
    assert problem.region.contains(solution.mechanism)
    assert rropt.designs.Solution.from_json(solution.to_json()).mechanism == solution.mechanism


def test_an_open_bracket_is_said() -> None:
    """Where no convex multipliers exist and there are too many rays, the bracket stays open, with a sentence."""
    pi, q = ["0", "1/8", "3/16", "1/4", "7/16"], ["4/13", "4/13", "3/13", "2/13", "0"]
    problem = Problem.kary(epsilon="log(10)", objective=rropt.objectives.ChiSquare(q), population=pi)
    found = _by_blocks(problem, problem.region.bracket(20))
    assert isinstance(found, BlockDesign)
    assert found.lower == Fraction("1.550390625")
    assert Fraction("1.5518") < found.upper < Fraction("1.5519")
    (first, blocks), (second, bound) = found.lines()
    assert (first, second) == ("blocks of categories", "bound")
    assert sorted(blocks.replace("| ", "").split()) == ["0", "1", "2", "3", "4"]
    assert "convex in the likelihood ratio" in bound
