"""The largest weighted trace over many categories: equal to the exact linear program where that is small."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.designs.problem import Problem, uniform
from rropt.designs.weighted_trace import largest_trace
from rropt.mechanisms import RestrictedResponse
from rropt.objectives import Trace
from rropt.objectives.expected_loss import Loss, ZeroOneShares
from rropt.objectives.trace import WeightRuns
from rropt.privacy import PrivacyRegion
from rropt_fieldwork.clients import table_of

F = Fraction


def test_the_value_is_that_of_the_exact_program(size: Callable[[int, int], int]) -> None:
    rng = random.Random(34)
    for _ in range(size(10, 300)):
        weights = WeightRuns(
            [(2, 1), *((1, F(rng.randint(0, 5), rng.randint(1, 3))) for _ in range(rng.randint(0, 3)))]
        )
        epsilon, delta = rng.choice(["log(3)", "log(3/2)", "0", "log(9)"]), rng.choice([0, "1/10", "1/2", 1])
        region = PrivacyRegion(epsilon, delta, inputs=len(weights), outputs=len(weights))
        found = rropt.solve(Problem(region, Trace(weights), uniform(len(weights))), fast=True)
        listed = Problem(region, Trace(list(weights)), [F(1, len(weights))] * len(weights))
        small = rropt.solve(listed, fast=True)
        assert found.lower == found.upper == small.value
        assert region.contains(found.mechanism)
        assert (
            listed.objective.value(found.mechanism, ())
            == found.value
            == found.problem.objective.value(found.mechanism, ())
        )


def test_the_least_loss_is_that_of_the_exact_program(size: Callable[[int, int], int]) -> None:
    """The 0/1 loss of a few categories: in runs by formulas, and as a matrix by the exact linear program."""
    rng = random.Random(38)
    for _ in range(size(8, 200)):
        weights = [rng.randint(0, 5) for _ in range(rng.randint(2, 5))]
        weights[0] += 1
        shares = [F(w, sum(weights)) for w in weights]
        epsilon, delta = rng.choice(["log(3)", "log(3/2)", "0", "log(9)"]), rng.choice([0, "1/10", "1/2", 1])
        region = PrivacyRegion(epsilon, delta, inputs=len(shares), outputs=len(shares))
        objective = Loss(ZeroOneShares(WeightRuns([(1, share) for share in shares])))
        found = rropt.solve(Problem(region, objective, uniform(len(shares))))
        small = rropt.solve(Problem(region, Loss.zero_one(len(shares)), shares), fast=True)
        assert found.lower == found.upper == small.value
        assert region.contains(found.mechanism)
        assert small.problem.objective.value(found.mechanism, shares) == found.value


def test_unequal_shares_of_many_categories() -> None:
    asked = {"epsilon": "log(3)", "objective": "loss:zero-one"}
    few = rropt.solve(Problem.kary(population="2x1/4,1/2", **asked))
    assert few.value == rropt.solve(Problem.kary(population="1/4,1/4,1/2", **asked)).value
    with pytest.raises(InvalidParameterError, match="not a distribution"):
        Problem.kary(population="1000x1/999", **asked)


@pytest.mark.slow
def test_the_designs_of_many_categories_have_clients() -> None:
    """The level is irrational: the probabilities of the design are rounded down to 62 bits."""
    for weights in ("10x1/20,999990x1/1999980", None):
        problem = Problem.kary(10**6, epsilon=1, delta="1/1000000", objective=rropt.objectives.Trace(weights))
        made = rropt.solve(problem).mechanism
        numbers = table_of(made).constants
        told = made.told if isinstance(made, RestrictedResponse) else made.hit
        assert F(numbers["HEADS"], numbers["COIN"]) == told
        assert numbers["COIN"] < 2**63


def test_the_heaviest_categories_alone_are_reported() -> None:
    asked = {"categories": 1000, "epsilon": "log(3)"}
    found = rropt.solve(Problem.kary(objective="trace:900x0,10x1/20,90x1/180", **asked))
    made = found.mechanism
    assert isinstance(made, RestrictedResponse)
    assert made.runs == ((900, False), (10, True), (90, False))
    assert found.value == F(3, 24)
    assert found.to_dict()["reported"] == 10
    assert len(found.remarks()) == 2
    same = Problem.kary(objective=rropt.objectives.Trace([0] * 900 + ["1/20"] * 10 + ["1/180"] * 90), **asked)
    assert same == found.problem


def test_runs_are_written_out_for_few_categories() -> None:
    few = Problem.kary(5, epsilon=1, objective="trace:2x3,3x1/2")
    assert few.objective.weights == (3, 3, F(1, 2), F(1, 2), F(1, 2))


def test_the_best_number_of_categories_by_every_number() -> None:
    rng = random.Random(5)
    for _ in range(200):
        runs = WeightRuns([(rng.randint(1, 4), F(rng.randint(0, 9))) for _ in range(4)])
        g = 1 + F(rng.randint(0, 30), 7)
        ordered = sorted(runs, reverse=True)
        best = max(g * sum(ordered[:m]) / (g + m - 1) for m in range(1, len(ordered) + 1))
        value, chosen = largest_trace(runs.runs, g)
        inside = [w for i, (n, w) in enumerate(runs.runs) if i in chosen for _ in range(n)]
        assert value == best == g * sum(inside) / (g + len(inside) - 1)


def test_equal_shares_of_another_number_are_refused() -> None:
    from rropt.objectives import AOptimality

    region = rropt.privacy.PrivacyRegion(1, inputs=3, outputs="any")
    with pytest.raises(rropt.core.errors.InvalidParameterError, match="has 5 entries"):
        rropt.Problem(region, AOptimality(), WeightRuns([(5, F(1, 5))]))
    posed = rropt.Problem(region, AOptimality(), uniform(3))
    assert rropt.Problem(region, AOptimality(), WeightRuns([(3, F(1, 3))])) == posed
