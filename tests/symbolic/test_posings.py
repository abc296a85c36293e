"""Every design problem as its definition in symbols: the exact design satisfies it, and a moved one does not."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import sympy as sp
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidParameterError, RouteDisagreementError, UnsupportedProblemError
from rropt.designs import Problem
from rropt.objectives import AOptimality, BayesMixture, ConvexSum, InformationObjective, register_objective
from rropt.objectives.two_populations import Divergence
from rropt.symbolic import Form, Posing
from rropt.symbolic.symbols import gamma


def test_a_posing_of_four_categories() -> None:
    problem = Problem.kary(4, epsilon="log(3)", objective="a-optimal")
    posing = problem.to_sympy()
    solution = rropt.solve(problem, fast=True)
    checked = posing.check(solution.mechanism)
    assert checked.value == sp.Rational(27, 4)
    assert checked.failed == ()
    assert checked.agrees(solution.lower, solution.upper) == "equal"
    assert str(posing.form) == "3*(gamma + 3)**2/(4*(gamma - 1)**2)"
    assert (posing.form.at(), posing.form.at(gamma=5), posing.form.at(epsilon="log(5)")) == (sp.Rational(27, 4), 3, 3)
    assert posing.form.mechanism_at(gamma=3)[0, 0] == sp.Rational(1, 2)
    assert posing.form.where == "gamma >= sqrt(3)"
    with pytest.raises(InvalidParameterError, match="outside the domain"):
        posing.form.at(gamma="3/2")
    with pytest.raises(InvalidParameterError, match="no symbol 'delta'"):
        posing.form.at(delta=1)
    assert r"\text{minimize }" in posing.latex()


def test_a_contradiction_is_an_error() -> None:
    posing = Posing((), sp.Integer(2), [sp.Le(gamma, 1)], "minimise", {gamma: 1})
    assert posing.check({}).agrees(Fraction(2), Fraction(3)) == "equal"
    assert posing.check({}).agrees(Fraction(1), Fraction(3)) == "inside"
    with pytest.raises(RouteDisagreementError, match="disagree"):
        posing.check({}).agrees(Fraction(3), Fraction(3))
    with pytest.raises(RouteDisagreementError, match="violates"):
        posing.check({}, gamma=2).agrees(Fraction(2), Fraction(2))
    with pytest.raises(InvalidParameterError, match="no parameter"):
        posing.check({}, epsilon=2)


@pytest.mark.parametrize("asked", [{"prevalence": "1/4"}, {"prevalence": "1/100", "delta": "1/10"}])
def test_binary_designs(asked: dict[str, Any]) -> None:
    """The twin evaluates the formula without SymPy; the posing has the same form in symbols."""
    solution = rropt.solve(Problem.binary(epsilon="log(3)", **asked), fast=True)
    posing, twin = solution.to_sympy(), solution.sympy_twin()
    assert posing.check(solution.mechanism).agrees(solution.lower, solution.upper) == "equal"
    assert posing.form.at() == sp.Rational(solution.value)
    assert (twin.value, twin.agrees) == (str(solution.value), "equal")
    assert isinstance(posing.form, Form)


POPULATIONS = {2: ["3/10", "7/10"], 3: ["1/2", "1/3", "1/6"], 4: ["2/5", "3/10", "1/5", "1/10"]}
AGAINST = {2: ["1/2", "1/2"], 3: ["1/6", "1/3", "1/2"], 4: ["1/10", "1/5", "3/10", "2/5"]}


def asked(name: str, k: int) -> dict[str, Any]:
    """Return the options of a design problem with unequal proportions."""
    own: dict[str, list[Any]] = {
        "trace": [POPULATIONS[k]],
        "loss": [[[abs(i - j) for j in range(k)] for i in range(k)]],
        "payoff": [[[int(i == j) for j in range(k)] for i in range(k)]],
        "c-optimal": [[1, *[0] * (k - 2), -1]],
        "contrasts": [[[1, *[0] * (k - 2), -1], [1, *[0] * (k - 1)]]],
        "alpha-divergence": [AGAINST[k], "1/2"],
    }
    objective: Any = rropt.objectives.OBJECTIVES[name]
    made = objective(*own.get(name, [AGAINST[k]] if name in DIVERGENCES else []))
    return {"objective": made, **({"categories": k} if name == "trace" else {"population": POPULATIONS[k]})}


DIVERGENCES = ("total-variation", "chi-square", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")
OBJECTIVES = (
    *("trace", "loss", "payoff", "mutual-information", "a-optimal", "c-optimal", "contrasts", "d-optimal", "e-optimal"),
    *DIVERGENCES,
)


@few_rows(1)
@pytest.mark.parametrize("epsilon", ["log(3)", "1/2"])
@few_rows(1)
@pytest.mark.parametrize("delta", ["0", "1/10"])
@few_rows(1)
@pytest.mark.parametrize("k", [2, 3, 4])
@few_rows(1)
@pytest.mark.parametrize("name", OBJECTIVES)
def test_exact_designs_satisfy_the_definition(name: str, k: int, delta: str, epsilon: str) -> None:
    """The constraints hold exactly, and the value is an end of the bracket or inside it; a moved value is noticed."""
    solution = rropt.solve(Problem.kary(epsilon=epsilon, delta=delta, **asked(name, k)), fast=True)
    posing = solution.to_sympy()
    checked = posing.check(solution.mechanism)
    assert checked.failed == ()
    assert checked.agrees(solution.lower, solution.upper) in ("equal", "inside")
    if posing.form is not None:
        assert solution.lower <= Fraction(str(sp.N(posing.form.at(), 40))) + Fraction(1, 10**30)
        assert Fraction(str(sp.N(posing.form.at(), 40))) - Fraction(1, 10**30) <= solution.upper
    size = max(abs(solution.value), Fraction(1, 100)) / 10**4
    for moved in (-size, size):
        with pytest.raises(RouteDisagreementError, match="disagree"):
            checked.agrees(solution.lower + moved, solution.upper + moved)


@pytest.mark.parametrize("delta", ["0", "1/10"])
@few_rows(1)
@pytest.mark.parametrize("k", [2, 3])
@few_rows(1)
@pytest.mark.parametrize("name", OBJECTIVES)
def test_moved_designs_are_noticed(name: str, k: int, delta: str) -> None:
    """1e-4 moved within a column breaks the level or makes the value worse, unless several designs are optimal."""
    problem = Problem.kary(epsilon="log(3)", delta=delta, **asked(name, k))
    solution = rropt.solve(problem, fast=True)
    step, noticed = Fraction(1, 10**4), []
    for column, sign in product(range(k), (1, -1)):
        rows = [list(row) for row in solution.mechanism.matrix]
        rows[0][column], rows[1][column] = rows[0][column] + sign * step, rows[1][column] - sign * step
        try:
            problem.to_sympy().check(rows).agrees(solution.lower, solution.upper)
        except RouteDisagreementError:
            noticed.append((column, sign))
    assert len(noticed) >= (2 if name in ("trace", "loss", "payoff", "total-variation") else 2 * k)


def test_a_sum_that_is_not_one_is_noticed() -> None:
    problem = Problem.kary(3, epsilon="log(3)", objective="trace")
    posing = problem.to_sympy()
    third = Fraction(1, 3)
    assert posing.check([[third] * 3] * 3).failed == ()
    failed = posing.check([[third] * 3, [third] * 3, [third + Fraction(1, 10**12), third, third]]).failed
    assert [one for one in failed if isinstance(one, sp.Eq)]
    with pytest.raises(InvalidParameterError, match="another shape"):
        posing.check([[third] * 3] * 2)


@pytest.mark.slow
def test_other_regions_have_their_own_definitions() -> None:
    """Several levels, a distance, bounds, fewer outputs, a criterion, a Renyi divergence; zCDP has none."""
    problems = [
        Problem.kary(3, level=rropt.privacy.levels(("log(2)", "1/10"), ("log(4)", 0)), objective="a-optimal"),
        Problem.kary(3, level=rropt.privacy.metric("line", "log(2)"), objective="loss:absolute"),
        Problem.kary(3, epsilon="log(3)", objective="trace", bounds=("1/10", None)),
        Problem.kary(3, epsilon="log(3)", objective=rropt.objectives.Contrast([1, 0, -1]), outputs=2),
        Problem.kary(3, level=rropt.privacy.posterior("1/5", "1/2"), objective="a-optimal"),
        Problem.kary(2, level=rropt.privacy.renyi("3/2", "1/2"), objective="payoff"),
        Problem.binary("1/4", epsilon="1", delta="1/10", symmetric=True),
        Problem.binary("1/4", epsilon="log(3)", delta="1/10", outputs=3),
        Problem.binary("1/4", epsilon="1", outputs=3),  # one output never occurs
        Problem.binary("1/4", epsilon="log(3)", delta="exp(-3)", outputs="any"),
    ]
    for problem in problems:
        solution = rropt.solve(problem, fast=True)
        posing = problem.to_sympy()
        assert posing.check(solution.mechanism).agrees(solution.lower, solution.upper)
        rows = [list(row) for row in solution.mechanism.matrix]
        rows[0][0], rows[1][0] = rows[0][0] + Fraction(1, 10**4), rows[1][0] - Fraction(1, 10**4)
        with pytest.raises(RouteDisagreementError):
            posing.check(rows).agrees(solution.lower, solution.upper)
    with pytest.raises(UnsupportedProblemError, match="infinitely many"):
        Problem.kary(2, level=rropt.privacy.zcdp("1/2"), objective="a-optimal").to_sympy()


def test_many_categories_have_indices_and_a_form() -> None:
    solution = rropt.solve(Problem.kary(128, epsilon="log(20)", objective="a-optimal"), fast=True)
    posing = solution.to_sympy()
    assert len(posing.constraints) == 3
    assert posing.form.at() == sp.Rational(solution.value)
    assert str(posing.form) == "16129*(3*gamma + 61)**2/(23424*(gamma - 1)**2)"
    twin = solution.sympy_twin()
    assert (twin.agrees, twin.form) == ("equal", str(posing.form))


def test_the_command_prints_the_form(cli: Any, cli_json: Any) -> None:
    """Factored, and as people write it; JSON has the same in SymPy's words."""
    words = ["design", "kary", "-k", "4", "--gamma", "3", "--objective", "a-optimal"]
    status, out, _ = cli(*words)
    assert status == 0
    assert "SymPy 27/4, equal; " in out
    assert "3 (gamma + 3)^2/(4 (gamma - 1)^2), where gamma >= sqrt(3)" in " ".join(out.split())
    twin = cli_json(*words)["twins"]["sympy"]
    told = {"form": "3*(gamma + 3)**2/(4*(gamma - 1)**2)", "domain": "gamma >= sqrt(3)"}
    assert twin == {"posed": True, "value": "27/4", "agrees": "equal"} | told


def test_a_binary_design_needs_no_import_of_sympy() -> None:
    """The formulas were derived with SymPy, and are evaluated without it."""
    code = (
        "import sys, rropt; from rropt.designs import Problem; "
        "twin = rropt.solve(Problem.binary('1/4', epsilon='1'), 'exact').sympy_twin(); "
        "print(twin.agrees, twin.form, 'sympy' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out == "inside -(gamma*pi - gamma - pi)*(gamma*pi - pi + 1)/(gamma - 1)**2 False\n"


@register_objective
@dataclass(frozen=True, slots=True)
class Collision(ConvexSum):
    """The sum of squares of a row over its sum, for numbers of any kind, or in floats only."""

    kind = "test-collision"
    title = "collision"
    form = '{"kind": "test-collision", "in_floats": false}'
    in_floats: bool = False

    def of_row(self, row: Any, population: Any) -> Any:
        numbers = [float(x) for x in row] if self.in_floats else row
        return sum(x * x for x in numbers) / sum(numbers)


@register_objective
@dataclass(frozen=True, slots=True)
class Total(InformationObjective):
    """The trace of the information, linear in it."""

    kind = "test-total"
    title = "total information"
    form = '{"kind": "test-total"}'

    def of_information(self, information: Any) -> float:
        return float(np.trace(information))

    def gradient(self, information: Any) -> Any:
        return np.eye(len(information))

    def in_sympy(self, information: Any) -> Any:
        return information.trace()


class Triangular(Divergence):
    """The triangular discrimination, which rropt does not have; it is not registered."""

    kind = "test-triangular"
    title = "triangular discrimination"
    form = '{"kind": "test-triangular", "against": [...]}'
    is_rational = True

    def term(self, a: Any, b: Any) -> Any:
        return (a - b) ** 2 / (a + b)

    def float_terms(self, a: Any, b: Any, apart: Any) -> Any:
        return apart**2 / (a + b)


class TriangularRow(Triangular):
    """The same, defined for a row too."""

    kind = "test-triangular-row"

    def of_row(self, row: Any, population: Any) -> Any:
        return self.term(
            *(sum(p * x for p, x in zip(shares, row, strict=True)) for shares in (population, self.against))
        )


def test_a_divergence_of_a_user_has_both_twins_or_says_which_method_is_missing() -> None:
    asked = {"epsilon": "log(3)", "population": ["1/2", "3/10", "1/5"]}
    found = rropt.solve(Problem.kary(objective=TriangularRow(["1/5", "2/5", "2/5"]), **asked), fast=True)
    assert found.twins.sympy.agrees == "inside"
    assert str(found.twins.sympy.value) == "18/391"
    assert found.twins.cvxpy.agrees is not None
    silent = rropt.solve(Problem.kary(objective=Triangular(["1/5", "2/5", "2/5"]), **asked), fast=True)
    for twin in (silent.twins.sympy, silent.twins.cvxpy):
        assert "defines neither of_row(row, population) nor in_" in twin.why
    for posed in (silent.to_sympy, silent.to_cvxpy):
        with pytest.raises(UnsupportedProblemError, match="defines neither of_row"):
            posed()


def test_objectives_of_users() -> None:
    """By ``of_row`` with symbols, or by ``in_sympy``; a function of floats is a reason, not an error."""
    problem = Problem.kary(3, epsilon="log(3)", objective=Collision())
    solution = rropt.solve(problem, fast=True)
    assert solution.sympy_twin().agrees in ("equal", "inside")
    floats = rropt.solve(Problem.kary(3, epsilon="log(3)", objective=Collision(True)), fast=True)
    assert "does not accept SymPy numbers" in floats.twins.sympy.why
    total = rropt.solve(Problem.kary(3, epsilon="log(3)", objective=Total()), fast=True)
    assert total.sympy_twin().agrees == "inside"  # its bracket rests on floats
    mixed = BayesMixture(AOptimality(), ["1/2", "1/2"], [["1/2", "1/4", "1/4"], ["1/3"] * 3])
    averaged = rropt.solve(Problem.kary(3, epsilon="log(3)", objective=mixed), fast=True)
    assert averaged.sympy_twin().agrees in ("equal", "inside")
    assert "no closed form" in averaged.to_sympy().why
    own = BayesMixture(Collision(), ["1/2", "1/2"], [["1/2", "1/4", "1/4"], ["1/3"] * 3])
    both = rropt.solve(Problem.kary(3, epsilon="log(3)", objective=own), fast=True).twins
    assert (both.sympy.agrees, both.cvxpy.agrees is None) in (("equal", False), ("inside", False))
