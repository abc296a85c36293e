"""Levels near 0 and far above: twins agree or say why they are silent, and none of them is a contradiction."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.convex import extremes
from rropt.core.errors import RouteDisagreementError
from rropt.designs import Problem
from rropt.information_twins import enclosure_of
from rropt.objectives import ChiSquare, ConditionalVariance, Contrast, Loss, MutualInformation
from rropt.privacy import LevelsRegion, PrivacyRegion

PI, AGAINST = ["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]
OBJECTIVES: dict[str, dict[str, Any]] = {
    "trace:3,1,2": {"categories": 3},
    "loss:absolute": {"population": PI},
    "chi-square:1/6,1/3,1/2": {"population": PI},
    "kullback-leibler:1/6,1/3,1/2": {"population": PI},
    "mutual-information": {"population": PI},
    "a-optimal": {"population": PI},
    "c-optimal:1,0,-1": {"population": PI},
    "d-optimal": {"population": PI},
    "e-optimal": {"population": PI},
}
LEVELS = ("1/1000000", "50", "1/1000", "20")
CASES = list(product(LEVELS, ("0", "1/1000000000"), OBJECTIVES))
FEW = {CASES[(i % 4) * len(OBJECTIVES) + i] for i in range(len(OBJECTIVES))}  # each objective, at one of four extremes


@few_rows(1)
@pytest.mark.parametrize(
    ("epsilon", "delta", "name"), [pytest.param(*x, marks=[pytest.mark.slow] * (x not in FEW)) for x in CASES]
)
def test_no_extreme_level_is_a_contradiction(epsilon: str, delta: str, name: str) -> None:
    problem = Problem.kary(epsilon=epsilon, delta=delta, objective=name, **OBJECTIVES[name])
    twins = rropt.solve(problem, fast=True).twins
    for twin in (twins.sympy, twins.cvxpy):
        assert twin.agrees or twin.why
        assert "report the problem" not in twin.why


@pytest.mark.slow
def test_several_levels_and_numbers() -> None:
    for epsilon in ("1/1000000", "1/1000", "50"):
        levels = [{"epsilon": epsilon, "delta": "1/10"}, {"epsilon": "log(30)", "delta": "0"}]
        one = Problem.kary(
            level=rropt.privacy.levels(*levels), objective=rropt.objectives.ChiSquare(AGAINST), population=PI
        )
        two = Problem(
            PrivacyRegion(epsilon, inputs=3, outputs="any"), ConditionalVariance([0, 1, 3]), [Fraction(1, 3)] * 3
        )
        for problem in (one, two):
            twins = rropt.solve(problem, fast=True).twins
            assert "report the problem" not in twins.line()


def test_the_guard_is_silent_at_usual_levels_and_sees_faults_there(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Problem.kary(epsilon="log(3)", objective="d-optimal", population=PI)
    assert not extremes.beyond_floats(usual.to_dict(), is_curved=True)
    assert extremes.beyond_floats(
        Problem.kary(epsilon="1/1000", objective="d-optimal", population=PI).to_dict(), is_curved=True
    )
    assert not extremes.beyond_floats(
        Problem.kary(epsilon="1/1000", objective=rropt.objectives.ChiSquare(AGAINST), population=PI).to_dict()
    )
    from rropt.symbolic import enclosures

    own = enclosures._log
    monkeypatch.setattr(enclosures, "_log", lambda x: own(x) + Fraction(1, 10**4))
    with pytest.raises(RouteDisagreementError):
        rropt.solve(usual, fast=True).sympy_twin()


def test_a_value_far_from_the_bracket_is_a_contradiction_at_every_level() -> None:
    problem = Problem.kary(3, epsilon="1/1000000", objective=rropt.objectives.Trace([3, 1, 2]))
    with pytest.raises(RouteDisagreementError):
        problem.compared(Fraction(4), Fraction(4))


def test_losses_of_very_different_sizes_and_no_others() -> None:
    """Where doubles lose the small numbers in a sum the twins say so; a usual problem is not excused."""
    for large, is_lost in (("1", False), ("1e10", True), ("1e380", True)):
        loss = Loss([["1e-3", "0", large], ["2e-3", "0", "1e-3"], ["1e-3", "1e-3", "1e-3"]])
        problem = Problem.kary(epsilon="1", delta="1/3", objective=loss, population=["1/3"] * 3)
        assert bool(extremes.beyond_floats(problem.to_dict())) == is_lost
    assert extremes.beyond_floats(problem.to_dict()).endswith("more than 10^383 times as large as others")


@few_rows(1)
@pytest.mark.parametrize("small", ["1e-12", "1e-40"])
@pytest.mark.parametrize(
    "objective",
    [
        rropt.objectives.Payoff([[1, 0, 2], [0, 3, 0]]),
        Loss([[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
        rropt.objectives.Trace(["1e-12", 1, 2]),
    ],
    ids=["payoff", "loss", "trace"],
)
def test_a_tiny_proportion_or_weight_is_no_contradiction(objective: Any, small: str) -> None:
    """HiGHS takes the price of such a category for 0: the vertex that it finds is not optimal, and the twin says so."""
    share = Fraction(small)
    more = (
        {} if isinstance(objective, rropt.objectives.Trace) else {"population": [share, "1/3", Fraction(2, 3) - share]}
    )
    problem = Problem.kary(3, epsilon="log(3)", delta="1/10", objective=objective, **more)
    found = rropt.solve(problem)
    assert found.is_certified
    assert found.value == rropt.solve(problem, fast=True).value
    assert found.twins.sympy.agrees
    assert found.twins.cvxpy.agrees


UNEQUAL = {  # found by random problems: each was an alarm
    "e-optimal, k = 2": ("log(3/2)", "1/100", "e-optimal", [400_000, 3]),
    "e-optimal, k = 3": ("5", "1/3", "e-optimal", [800, 5000, 7]),
    "d-optimal": ("log(3)", "1/3", "d-optimal", [3, 200_000, 3]),
    "d-optimal, k = 2": ("log(55/10)", "1/10", "d-optimal", [1, 5_000_000]),
    "c-optimal": ("1/10", "0", "c-optimal:1,-1,0", [800, 3, 30_000_000]),
    "mutual information": ("1/10", "1/3", "mutual-information", [800_000, 9, 9, 300_000]),
    "chi-square": (
        "log(57/10)",
        "1/3",
        "chi-square:30000/1000000030001,1/1000000030001,1000000000000/1000000030001",
        [5, 2, 200],
    ),
}


@few_rows(3)
@pytest.mark.parametrize("name", UNEQUAL)
def test_very_unequal_proportions_are_no_contradiction(name: str) -> None:
    epsilon, delta, objective, sizes = UNEQUAL[name]
    shares = [Fraction(size, sum(sizes)) for size in sizes]
    found = rropt.design.kary(len(sizes), epsilon=epsilon, delta=delta, objective=objective, population=shares)
    assert found.is_certified
    assert found.twins.sympy.agrees
    usual = found.problem.to_dict() | {"population": [str(Fraction(1, len(sizes)))] * len(sizes)}
    if "against" not in usual["objective"] and epsilon != "1/10":
        assert not any(extremes.beyond_floats(usual, is_curved=is_curved) for is_curved in (False, True))


@pytest.mark.parametrize("objective", [MutualInformation(), ChiSquare(["1/10", "1/5", "3/10", "2/5"])])
def test_levels_that_multiply_to_a_third_have_a_vertex(objective: Any) -> None:
    """Twice log(3)/2 is log(3): a row has two names, and not both are private below each level."""
    region = LevelsRegion.by_distance("1/2*log(3)", distance=lambda j, i: abs(j - i), inputs=4)
    twin = Problem(region, objective, ["1/10", "1/5", "3/10", "2/5"]).solve().sympy_twin()
    assert twin.agrees
    assert "proved within" in str(twin)


@pytest.mark.parametrize(
    ("contrast", "shares"),
    [
        ([-20, -5, 1, 5, 16], ["2/7", "1/3", "1/21", "2/21", "5/21"]),
        ([-11, -10, 7, 12, 16], ["3/17", "9/17", "1/17", "1/17", "3/17"]),
    ],
)
def test_bounds_are_narrow_at_small_levels(contrast: list[int], shares: list[str]) -> None:
    """Weights of a solver are improved there too; their equations are small beside the curvature of the variance."""
    problem = Problem.kary(epsilon="1/10", objective=Contrast(contrast), population=shares)
    own = enclosure_of(problem)
    own.check()
    assert own.width < Fraction(1, 10**9)  # 4e-12 and less


def test_a_weight_that_is_an_error_of_the_solver_is_left_out() -> None:
    """CVXPY gives a row 5e-5 of the largest weight, and at the optimum it has none."""
    shares = ["1/10", "9/20", "3/10", "3/20"]
    own = enclosure_of(Problem.kary(epsilon="1/5", delta="1/100", objective="d-optimal", population=shares))
    own.check()
    assert own.width < Fraction(1, 10**8)  # 2e-10; 5e-5 with that row
