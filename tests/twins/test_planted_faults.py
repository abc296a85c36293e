"""Faults that are planted in a result, in a formula or in a bound: the comparison of the twins sees each of them."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import RouteDisagreementError
from rropt.designs import Problem
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import parity_bound
from rropt.privacy.criteria.named_criteria import canonical_information_privacy
from rropt.symbolic.designs import two_inputs
from rropt.symbolic.objectives import closed_forms

F = Fraction
LEVELS = [("log(3)", "0"), ("log(3)", "1/10"), ("1/2", "1/20"), ("0", "1/3"), ("5", "exp(-5)")]


def _binary(epsilon: str, delta: str, prevalence: str, **more: Any) -> Any:
    return rropt.solve(Problem.binary(prevalence, epsilon=epsilon, delta=delta, **more), fast=True)


@few_rows(1)
@pytest.mark.parametrize(("epsilon", "delta"), LEVELS)
def test_a_binary_design_without_fault_agrees(epsilon: str, delta: str) -> None:
    for prevalence in ("0", "1/100", "1/10", "1/2", "9/10", "1"):
        for family in ("all", "warner"):
            found = _binary(epsilon, delta, prevalence, symmetric=family == "warner").sympy_twin()
            assert found.agrees in ("equal", "inside"), found


@pytest.mark.parametrize(
    "formula", ["diagonal_probability", "diagonal_variance", "corner_p00_variance", "corner_p11_variance", "threshold"]
)
def test_a_changed_constant_of_the_closed_form_is_seen(formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = getattr(closed_forms, formula)

    def changed(*given: Any, **named: Any) -> tuple[Any, Any]:
        numerator, denominator = own(*given, **named)
        return numerator * (9 if formula == "threshold" else F(1001, 1000)), denominator

    monkeypatch.setattr(closed_forms, formula, changed)
    designs = [_binary("log(3)", "1/10", prevalence) for prevalence in ("1/100", "1/5", "1/2", "99/100")]
    with pytest.raises(RouteDisagreementError, match="closed form"):
        [design.sympy_twin() for design in designs]


@pytest.mark.parametrize("number", range(8))
def test_a_condition_that_is_left_out_is_seen_or_implied(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds below 0 and the two conditions on unlikely outputs are implied where p00 + p11 > 1."""
    own = two_inputs.conditions
    monkeypatch.setattr(two_inputs, "conditions", lambda *level: [x for i, x in enumerate(own(*level)) if i != number])
    seen = False
    for delta, prevalence in (("0", "1/5"), ("1/10", "1/100"), ("1/10", "99/100"), ("1/10", "1/2")):
        try:
            _binary("log(3)", delta, prevalence).sympy_twin()
        except RouteDisagreementError:
            seen = True
    assert seen == (number in (0, 1, 4, 6))


def _forged(solution: Any, **changes: Any) -> Any:
    """Return a solution whose fields are changed; its certificate stays."""
    if "design" in changes:
        changes["found"] = replace(solution.found, designs=(changes.pop("design"),))
    made = replace(solution, **{name: new for name, new in changes.items() if name != "value"})
    if "value" in changes:
        object.__setattr__(made, "value", changes["value"])
    return made


@pytest.mark.parametrize("factor", [F(1001, 1000), F(10**6 + 1, 10**6), F(999, 1000)])
def test_a_value_that_the_design_does_not_attain_is_seen(factor: Fraction) -> None:
    """Even if the bracket contains the true optimum, as 12.25 in place of 3.25 in [3.25, 12.25]."""
    for solution in (
        _binary("log(3)", "1/10", "1/5"),
        rropt.solve(Problem.kary(3, epsilon="log(3)", objective="a-optimal"), fast=True),
        rropt.solve(Problem.kary(3, epsilon="1", objective="trace"), fast=True),
        rropt.solve(
            Problem.kary(epsilon="log(3)", objective="mutual-information", population=["1/2", "1/3", "1/6"]), fast=True
        ),
    ):
        assert solution.sympy_twin().agrees
        claimed = solution.value * factor
        lower, upper = sorted([solution.value, claimed])
        with pytest.raises(RouteDisagreementError, match="claimed"):
            _forged(
                solution, value=claimed, lower=min(lower, solution.lower), upper=max(upper, solution.upper)
            ).sympy_twin()


def test_a_worse_design_is_seen(rng: random.Random) -> None:
    """A private design that is not optimal, with its own value claimed as the optimum."""
    solution = _binary("log(3)", "1/10", "1/5")
    for _ in range(20):
        p = F(rng.randint(60, 77), 100)
        worse = Mechanism.binary(p, p)
        value = two_inputs.variance((p, p), F(1, 5))
        forged = _forged(solution, design=worse, value=value, lower=value, upper=value)
        with pytest.raises(RouteDisagreementError, match="disagree"):
            forged.sympy_twin()


def test_a_design_just_above_the_level_is_seen() -> None:
    solution = _binary("log(3)", "0", "1/5")
    p = F(3, 4) + F(1, 10**9)
    above = Mechanism.binary(p, p)
    value = two_inputs.variance((p, p), F(1, 5))
    with pytest.raises(RouteDisagreementError, match="violates a condition"):
        _forged(solution, design=above, value=value, lower=value, upper=solution.upper).sympy_twin()


@pytest.mark.parametrize(
    ("objective", "parts"),
    [("trace", 10**6), ("a-optimal", 10**6), ("mutual-information", 10**6), ("e-optimal", 10**6)],
)
def test_cvxpy_sees_a_value_that_is_a_little_off(objective: str, parts: int) -> None:
    """An accurate solver has a tolerance of ten times its own gap; that of logarithms is absolute."""
    from rropt.convex.designs.problem import compared

    problem = Problem.kary(3, epsilon="log(3)", objective=objective)
    solution = rropt.solve(problem, fast=True)
    assert compared(problem, solution.lower, solution.upper).agrees
    for factor in (F(parts + 1, parts), F(parts - 1, parts)):
        with pytest.raises(RouteDisagreementError, match="CVXPY and the certified bracket disagree"):
            compared(problem, solution.lower * factor, solution.upper * factor)


@pytest.mark.parametrize("text", ["min(1, 3*p)", "min(1, p + 1/10)", "sqrt(p)", "piecewise(1/2, p < 1/5, 1)"])
def test_another_b_is_seen(text: str) -> None:
    """The search knows no bound: B = 12 in place of 3 is a contradiction, and so is a bound a millionth off."""
    bound = parity_bound(canonical_information_privacy(text), fast=True)
    assert bound.sympy_twin().agrees == "equal"
    for factor in (F(4), F(1, 2), F(10**6 + 1, 10**6), F(10**6 - 1, 10**6)):
        with pytest.raises(RouteDisagreementError, match="SymPy finds"):
            replace(bound, lower=bound.lower * factor, upper=bound.upper * factor).sympy_twin()


def test_the_level_of_a_forged_binary_design_is_exact() -> None:
    """A violation of one unit in the 300th digit is one."""
    level = SimpleNamespace(gamma=F(3), delta=F(0))
    unit = F(1, 10**300)
    assert two_inputs.violation((F(3, 4), F(3, 4)), level.gamma, level.delta) == 0
    assert two_inputs.violation((F(3, 4) + unit, F(3, 4)), level.gamma, level.delta) == 3 * unit
