"""Regions of the forms of results that are no k-ary design, and random problems without a false alarm."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from few_rows import few_rows

from rropt import design, privacy
from rropt.designs import Problem, every_level_of, solve
from rropt.designs.bits import design_bits
from rropt.designs.repairs import repair
from rropt.mechanisms import named_mechanism
from rropt.objectives import Loss
from rropt.plans.group_plans import plan_strata

P3 = ["1/2", "1/3", "1/6"]
MADE = {
    "pram": lambda: design.pram(P3, epsilon="log(4)", fast=True),
    "repair": lambda: repair([["0.8", "0.1"], ["0.2", "0.9"]], 1, "1/10", norm="l1", fast=True),
    "metric": lambda: solve(
        Problem.kary(3, level=privacy.metric("line", "log(2)"), objective="loss:absolute"), fast=True
    ),
}


@pytest.mark.slow
def test_a_region_of_two_outputs_is_complete() -> None:
    """Inside its region the form is the least over all vertices in fractions, and outside it is not."""
    from rropt.symbolic.designs.two_inputs import least_variance
    from rropt.symbolic.posing import holds
    from rropt.symbolic.symbols import delta, exact, gamma, pi

    rng, met = random.Random(20), set()
    forms = [Problem.binary(share, epsilon="log(2)", delta="1/4").to_sympy().form for share in ("1/20", "1/2", "19/20")]
    for _ in range(60):
        g, d = Fraction(rng.randint(11, 60), 10), Fraction(rng.randint(1, 60), 100)
        share = Fraction(rng.randint(0, 100), 100)
        best = exact(least_variance(g, d, share, is_symmetric=False).value)
        point = {gamma: exact(g), delta: exact(d), pi: exact(share)}
        for number, form in enumerate(forms):
            is_inside = holds(form.domain.xreplace(point))
            assert (form.value.xreplace(point) == best) == is_inside
            met.add((number, is_inside))
    assert len(met) == 6


@few_rows(2)
@pytest.mark.parametrize("name", ["pram", "repair", "metric"])
def test_a_region_of_a_vertex_holds_inside(name: str) -> None:
    """At other levels of its region the form is the optimum of the engine."""
    made: dict[str, Any] = {
        "pram": lambda level: design.pram(P3, epsilon=level, fast=True).unchanged,
        "repair": lambda level: repair([["0.8", "0.1"], ["0.2", "0.9"]], level, "1/10", norm="l1", fast=True).loss,
        "metric": lambda level: (
            solve(Problem.kary(3, level=privacy.metric("line", level), objective="loss:absolute"), fast=True).value
        ),
    }
    form, met = MADE[name]().to_sympy().form if name != "metric" else _metric_form(), set()
    for g in ("11/10", "3/2", "2", "5/2", "3", "4", "7", "20"):
        try:
            value = form.at(gamma=g)
        except ValueError:
            met.add(False)
            continue
        assert value == sp.Rational(str(made[name](f"log({g})")))
        met.add(True)
    assert met == {True, False}


def _metric_form() -> Any:
    from rropt.result_twins import levels_form

    return levels_form(MADE["metric"]().problem)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_random_problems_give_no_false_alarm(seed: int) -> None:
    rng = random.Random(seed)
    k = rng.choice([2, 3, 3, 4])
    weights = [rng.randint(1, 20) for _ in range(k)]
    shares = [Fraction(w, sum(weights)) for w in weights]
    level = rng.choice(["log(2)", "log(3)", "1", "1/2", "log(11/10)", "3"])
    slack = rng.choice(["0", "0", "1/20", "1/5"])
    columns = [[rng.randint(0, 9) + 1 for _ in range(k)] for _ in range(k)]
    matrix = [[Fraction(columns[j][i], sum(columns[j])) for j in range(k)] for i in range(k)]
    losses = [[rng.randint(0, 5) for _ in range(k)] for _ in range(rng.randint(2, k))]
    results = [
        design.pram(shares, epsilon=level, delta=slack, fast=True),
        repair(matrix, level, slack, norm=rng.choice(["max", "l1"]), fast=True),
        design_bits(level, weights=weights, prevalences=shares, fast=True),
        every_level_of(Problem.kary(level=privacy.span(), objective=Loss(losses), population=shares), fast=True),
        plan_strata(named_mechanism("warner:3/4"), shares, shares, n=rng.randint(k, 500), fast=True),
        solve(Problem.binary(shares[0], epsilon=level, delta=slack), fast=True),
    ]
    for result in results:
        for twin in (result.sympy_twin(), result.cvxpy_twin()):
            assert twin.posed, twin
            assert twin.agrees, twin
