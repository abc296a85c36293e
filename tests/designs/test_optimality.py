"""Is a given mechanism optimal? Against values by the definition, in fractions."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest

import rropt
from rropt.core.errors import InvalidParameterError, RroptError
from rropt.designs import Problem, judge_optimality
from rropt.designs.optimality_judgements import LESS_PRIVATE, NO, YES, Optimality


def _mixed(mechanism: rropt.Mechanism, share: Fraction) -> rropt.Mechanism:
    """The mechanism with probability ``share``, else a uniform output: private at the same level, and worse."""
    m = mechanism.outputs
    return rropt.Mechanism([[share * x + (1 - share) / m for x in row] for row in mechanism.matrix])


@pytest.mark.parametrize(
    "objective",
    ["trace:1/2,1/4,1/4", "loss:zero-one", "loss:absolute", "a-optimal", "d-optimal", "chi-square:1/4,1/4,1/2"],
)
@pytest.mark.parametrize("level", ["log(3)", "1"])
def test_the_optimum_is_optimal_and_a_mixture_is_not(objective: str, level: str) -> None:
    shares = ["1/2", "1/4", "1/4"]
    more: dict[str, Any] = {"categories": 3} if objective.startswith("trace") else {"population": shares}
    problem = Problem.kary(epsilon=level, objective=objective, **more)
    best = rropt.solve(problem, fast=True)
    assert judge_optimality(best.mechanism, problem, fast=True).answer == YES
    worse = judge_optimality(_mixed(best.mechanism, Fraction(9, 10)), problem, fast=True)
    assert worse.answer == NO
    assert worse.loss is not None
    assert worse.loss.lower > 0
    value = problem.objective.value(worse.mechanism, problem.population)
    assert worse.value == value
    if not problem.objective.is_logarithm:
        ratios = [value / end for end in (best.lower, best.upper)]
        wanted = [r - 1 for r in ratios] if problem.objective.sense == "minimise" else [1 - r for r in ratios]
        assert sorted(wanted) == [worse.loss.lower, worse.loss.upper]


def test_a_mechanism_that_reveals_more_is_not_judged() -> None:
    found = rropt.optimality("grr:4,1/2", epsilon="log(2)", fast=True)
    assert (found.answer, found.loss, found.respondents) == (LESS_PRIVATE, None, None)
    just = rropt.optimality(rropt.Mechanism.grr(4, Fraction(1, 2) + Fraction(1, 10**12)), epsilon="log(3)", fast=True)
    assert just.answer == LESS_PRIVATE
    assert rropt.optimality(rropt.Mechanism.grr(4, Fraction(1, 2) - Fraction(1, 10**12)), epsilon="log(3)").answer == NO


def test_figures_of_k_ary_response() -> None:
    """At k = 12 and epsilon 3/2 subset selection needs 14.956348, and k-ary response 18.1246."""
    found = rropt.optimality("grr:12,epsilon=3/2", epsilon="3/2", fast=True)
    assert (f"{float(found.value):.4f}", f"{float(found.solution.value):.6f}") == ("18.1246", "14.956348")
    assert found.respondents is not None
    assert 1.2118 < float(found.respondents.lower) <= float(found.respondents.upper) < 1.2119


@pytest.mark.slow
@pytest.mark.parametrize("level", ["renyi:2,1/2", "zcdp:1/4", pytest.param("gdp:1", marks=pytest.mark.slow), "line:1"])
def test_two_categories_at_another_level_are_judged_by_the_a_criterion(level: str) -> None:
    """The variance at one epsilon is no problem there: the mechanism is judged nevertheless, by n tr Cov = 2 n Var."""
    found = rropt.optimality("warner:3/5", level=level, fast=True)
    assert (found.answer, found.value) == (NO, 2 * Fraction(25, 4))
    assert found.solution.problem.objective.kind == "a-optimal"
    with pytest.raises(RroptError, match="allowed is one level"):
        rropt.optimality("warner:3/5", "variance", level=level, fast=True)


def test_random_binary_designs_against_the_corners() -> None:
    """For yes and no the optimum is a corner of the region: the least variance of three corners, by the formula."""
    rng = random.Random(5)
    for _ in range(20):
        gamma, pi = Fraction(rng.randint(11, 60), 10), Fraction(rng.randint(1, 9), 10)
        delta = Fraction(rng.randint(0, 3), 20)
        p = (gamma + delta) / (gamma + 1)
        corners = [(p, p), (Fraction(1), delta), (delta, Fraction(1))]

        def variance(p00: Fraction, p11: Fraction, pi: Fraction = pi) -> Fraction:
            said = pi * p11 + (1 - pi) * (1 - p00)
            return said * (1 - said) / (p00 + p11 - 1) ** 2

        values = {corner: variance(*corner) for corner in corners if corner[0] + corner[1] > 1}
        least = min(values.values())
        for corner, value in values.items():
            found = rropt.optimality(
                rropt.Mechanism.binary(*corner), epsilon=f"log({gamma})", delta=delta, prevalence=pi, fast=True
            )
            assert found.value == value
            assert found.solution.value == least
            assert found.answer == (YES if value == least else NO)


def test_a_record_is_judged_again() -> None:
    found = rropt.optimality("grr:4,2/5", epsilon="log(3)", fast=True)
    record = json.loads(json.dumps(found.to_dict()))
    record["answer"], record["value"], record["is_private"] = YES, "27/4", True
    try:
        again = Optimality.from_dict(record)
    except RroptError:
        return
    assert (again.answer, again.value) == (NO, Fraction(75, 4))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rropt.optimality("grr:4,1/2", prevalence="1/4"), "prevalence"),
        (lambda: rropt.optimality("grr:4,1/2", population=["1/2", "1/2"]), "has 2 proportions: received 4 categories"),
        (
            lambda: judge_optimality("grr:4,1/2", Problem.kary(3, epsilon=1, objective="trace")),
            "numbers of categories differ",
        ),
        (lambda: rropt.optimality("subset:5,2,2/3", "trace"), "more outputs than the designs"),
        (lambda: rropt.optimality("grr:4,1/2", "nothing"), "allowed are"),
        (lambda: rropt.optimality("grr:4,1/2", epsilon="all"), "every level"),
    ],
)
def test_bad_requests(call: Any, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        call()
