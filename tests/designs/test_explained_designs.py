"""What a solution says beyond its optimum: constraints with multipliers, closed forms, warnings; and sweeps."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from few_rows import few_rows
from support.regions import by_distance

import rropt
from rropt.core.errors import RroptWarning, UnsupportedProblemError
from rropt.objectives import AOptimality, Loss, Trace
from rropt.privacy import BoundedRegion, PrivacyRegion


def _quiet(problem: rropt.Problem) -> rropt.designs.Solution:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RroptWarning)
        return rropt.solve(problem)


def _trace(region: Any, weights: Any = (1, 1, 1)) -> rropt.Problem:
    return rropt.Problem(region, Trace(weights), ["1/3"] * 3)


THREE = PrivacyRegion("log(3)", inputs=3, outputs=3)
BOUNDED = BoundedRegion.sparse(THREE, least={(0, 0): "3/5"}, most={(1, 2): "1/10"})
LINEAR = {
    "parity": _trace(THREE),
    "unequal": _trace(THREE, (3, 2, 1)),
    "loss": rropt.Problem(THREE, Loss.absolute(3), ["1/2", "1/4", "1/4"]),
    "excess": _trace(PrivacyRegion("log(2)", "1/10", inputs=3, outputs=3)),
    "pairwise": rropt.Problem(by_distance(3, "log(2)"), Loss.absolute(3), ["1/3"] * 3),
    "bounded": _trace(BOUNDED),
}


@few_rows(3)
@pytest.mark.parametrize("name", LINEAR)
def test_multipliers_prove_the_optimum(name: str) -> None:
    """By the names alone: right-hand sides times multipliers are the value, and slack times multiplier is 0."""
    solution = _quiet(LINEAR[name])
    value = Fraction(0)
    for one in solution.duals:
        assert one.slack >= 0
        assert not (one.slack and one.multiplier)
        assert one.active == (not one.slack)
        right = 1 if "sums to 1" in one.name else Fraction(0)
        if one.name.endswith("delta"):
            right = LINEAR[name].region.delta.rational
        elif one.name.count("[") == 1 and "t[" not in one.name and "sum" not in one.name:
            right = Fraction(one.name.split()[-1])
        value += right * one.multiplier
    assert value == solution.value
    assert len({one.name for one in solution.duals}) == len(solution.duals)
    assert {one.active for one in solution.duals} == {True, False} or name in ("parity", "pairwise")


def test_names_say_what_is_tight() -> None:
    """Each named condition is evaluated again, from its name."""
    solution = _quiet(LINEAR["bounded"])
    p = solution.mechanism
    for one in solution.duals:
        left, relation, right = one.name.partition(" >= " if ">=" in one.name else " <= ")
        if not relation:
            continue
        names: dict[str, Any] = {"p": p, "gamma": 3, "t": [min(row) for row in p.matrix]}
        right = right.replace("gamma t", "gamma*t")
        a, b = (eval(text, names) if "[" in text else Fraction(text) for text in (left, right))
        assert abs(a - b) == one.slack
        assert (a >= b) if relation == " >= " else (a <= b)


@pytest.mark.slow
def test_binary_multipliers_are_rates(rng: random.Random) -> None:
    """The optimum after a small relaxation of the tight inequality moves by the multiplier, to first order."""
    for _ in range(20):
        gamma, pi = Fraction(rng.randint(11, 60), 10), Fraction(rng.randint(1, 19), 20)
        problem = rropt.Problem.binary(pi, epsilon=f"log({gamma})")
        active = [one for one in rropt.solve(problem).duals if one.active]
        assert [one.name for one in active] == ["yes-ratio", "no-ratio"]
        assert all(one.multiplier > 0 and not one.slack for one in active)
        h = Fraction(1, 10**6)
        moved = rropt.solve(rropt.Problem.binary(pi, epsilon=f"log({gamma})", delta=h))
        if moved.mechanism.p00 == moved.mechanism.p11:
            fall = rropt.solve(problem).value - moved.value
            rate = sum(one.multiplier for one in active)
            assert abs(fall / h - rate) <= rate / 1000 + 200 * h * rate**2


@pytest.mark.parametrize(("family", "names"), [("warner", 2), ("all", 2)])
def test_multipliers_at_an_irrational_level(family: str, names: int) -> None:
    solution = rropt.solve(rropt.Problem.binary("1/3", epsilon="1/2", delta="1/100", symmetric=family == "warner"))
    assert len([one for one in solution.duals if one.active]) == names
    assert any(one.multiplier > 0 for one in solution.duals)
    assert all(not one.slack for one in solution.duals if one.active)
    assert rropt.solve(rropt.Problem(PrivacyRegion(1, inputs=3, outputs=3), Trace([1, 1, 1]), ["1/3"] * 3)).duals


@pytest.mark.slow
def test_duals_of_other_designs_are_refused() -> None:
    region = PrivacyRegion("log(3/2)", inputs=4, outputs="any")  # gamma^2 < (k-1)(k-2)/2: subsets are better
    shares = rropt.solve(rropt.Problem(region, AOptimality(), ["1/10", "1/5", "3/10", "2/5"]))
    with pytest.raises(UnsupportedProblemError, match="certificate"):
        _ = shares.duals
    for delta in ("0", "1/4"):  # two categories, any number of outputs
        free = rropt.solve(rropt.Problem.binary("1/4", epsilon="log(2)", delta=delta, outputs="any"))
        with pytest.raises(UnsupportedProblemError, match="certificate"):
            _ = free.duals
    assert shares.to_sympy().form is None
    assert "no closed form: 2 of 6 weights are free" in shares.to_sympy().why


@pytest.mark.parametrize("name", LINEAR)
def test_closed_forms_of_linear_designs(name: str) -> None:
    """Exactly: the value, and a mechanism of the region that has it; the form holds at the level of the problem."""
    solution = rropt.solve(LINEAR[name], fast=True)
    form = solution.to_sympy().form
    problem, mechanism = solution.problem, rropt.Mechanism(form.mechanism_at())
    level = {symbol.name: number for symbol, number in form.parameters.items()}
    assert form.at(**level) == sp.Rational(solution.value)
    assert problem.region.contains(mechanism)
    assert problem.objective.value(mechanism, problem.population) == solution.value


@pytest.mark.slow
def test_closed_forms_of_binary_designs(
    rng: random.Random, parameters: Callable[[random.Random], tuple[str, str, str]], size: Callable[[int, int], int]
) -> None:
    """Against the certified optimum, at rational levels equal and at others inside its bracket."""
    exact = 0
    for _ in range(size(25, 400)):
        epsilon, delta, pi = parameters(rng)
        solution = rropt.solve(rropt.Problem.binary(pi, epsilon=epsilon, delta=delta))
        form = solution.to_sympy().form
        matrix, value = form.mechanism_at(), form.at()
        if not solution.problem.region.bracket(24).is_exact:
            assert float(solution.lower) * (1 - 1e-9) <= float(sp.N(value, 30)) <= float(solution.upper) * (1 + 1e-9)
            assert any(abs(sp.N(matrix[0, 0], 30) - each.p00) < 1e-9 for each in solution.optima)  # two at pi = 1/2
            continue
        exact += 1
        assert sp.simplify(value) == sp.Rational(solution.value)
        assert rropt.Mechanism(sp.simplify(matrix)) in solution.optima
    assert exact >= 5


@pytest.mark.slow
def test_closed_forms_of_traces(rng: random.Random, size: Callable[[int, int], int]) -> None:
    for _ in range(size(4, 200)):
        k = rng.randint(2, 5)
        gamma, delta = 1 + Fraction(rng.randint(1, 30), rng.randint(1, 9)), Fraction(rng.randint(0, 3), 20)
        region = PrivacyRegion(f"log({gamma})", delta, inputs=k, outputs=k)
        population = [Fraction(1, k)] * k
        problem = rropt.Problem(region, Trace([rng.randint(1, 9) for _ in range(k)]), population)
        if rng.random() < 0.5:
            problem = rropt.Problem(region, Loss.zero_one(k), population)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RroptWarning)
            solution = rropt.solve(problem, routes=["closed-form"])
        form = solution.to_sympy().form
        matrix, value = form.mechanism_at(), form.at()
        assert value == sp.Rational(solution.value)
        made = rropt.Mechanism(matrix)  # another optimum than the engine's, where there are several
        assert region.contains(made)
        assert problem.objective.value(made, population) == solution.value
        assert _quiet(problem).value == solution.value


def test_the_closed_form_of_four_outputs() -> None:
    four = rropt.Problem.binary("1/4", epsilon="log(2)", delta="1/4", outputs="any")
    solution = rropt.solve(four, routes=["closed-form"])
    form = solution.to_sympy().form
    matrix, value = form.mechanism_at(), form.at()
    assert (value, rropt.Mechanism(matrix)) == (sp.Rational(solution.value), solution.mechanism)


def test_a_design_that_is_not_identified_warns(cli) -> None:
    with pytest.warns(RroptWarning) as said:
        solution = rropt.solve(_trace(THREE, (9, 8, 1)))
    told = [str(one.message) for one in said]
    assert tuple(told) == solution.remarks()
    assert {one.filename for one in said} == {__file__}  # the line of the caller, not one of rropt
    assert "response 2 is never given" in told[0]
    assert "does not identify the distribution" in told[1]
    words = ["design", "kary", "-k", "3", "--gamma", "3", "--objective", "trace:9,8,1"]
    status, _, err = cli(*words)
    assert status == 0
    assert all(f"remark: {line}" in err for line in told)
    status, out, _ = cli(*words, "--json")
    assert (status, out.count("\n")) == (0, 1)
    assert json.loads(out)["remarks"] == told
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rropt.solve(LINEAR["parity"]).remarks() == ()


def test_remarks_are_true(rng: random.Random) -> None:
    from rropt.designs.solution import mechanism_warnings
    from rropt.mechanisms.left_inverse import left_inverse

    for _ in range(60):
        k, m = rng.randint(2, 3), rng.randint(2, 4)
        columns = [[rng.randint(0, 2) for _ in range(m)] for _ in range(k)]
        columns = [c if any(c) else [1] + [0] * (m - 1) for c in columns]
        mechanism = rropt.Mechanism([[Fraction(c[i], sum(c)) for c in columns] for i in range(m)])
        told = " ".join(mechanism_warnings(mechanism))
        assert ("never given" in told) == any(not any(row) for row in mechanism.matrix)
        try:
            left_inverse(mechanism, [Fraction(1, k)] * k)
        except rropt.RroptError:
            assert "does not identify" in told
        else:
            assert "does not identify" not in told


def test_a_sweep_is_a_table() -> None:
    rows = rropt.sweep(rropt.design.binary, epsilon=["log(2)", 1, "0"], delta="0", prevalence=[0.1, "1/4"])
    assert len(rows) == 6
    assert [set(row) for row in rows] == [set(rows[0])] * 6
    for row in rows[:4]:
        solution = rropt.solve(rropt.Problem.binary(row["prevalence"], epsilon=str(row["epsilon"])))
        assert row["value"] == pytest.approx(float(solution.value), rel=1e-9)
        assert row["remark"] == ""
    assert rows[4]["value"] is None
    assert "epsilon = 0" in rows[4]["remark"]
    exact = rropt.sweep(rropt.design.binary, epsilon=["log(2)"], prevalence="1/4", exact=True)
    assert exact[0]["value"] == rropt.solve(rropt.Problem.binary("1/4", epsilon="log(2)")).value
    kary = rropt.sweep(
        lambda epsilon: _trace(PrivacyRegion(epsilon, inputs=3, outputs=3)), epsilon=["log(2)", "log(3)"]
    )
    assert [row["value"] for row in kary] == [1.5, 1.8]
    assert kary[0]["mechanism"].shape == (3, 3)
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(rropt.sweep(rropt.design.binary, epsilon=pd.Series([0.5, 1.0]), prevalence=[0.1, 0.2, 0.3]))
    assert frame.pivot(index="epsilon", columns="prevalence", values="value").shape == (2, 3)
    assert frame.dtypes["value"].kind == "f"


def test_a_defect_of_the_function_that_makes_problems_is_told_as_it_is() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        rropt.sweep(lambda epsilon: epsilon + "a string", epsilon=[1])
