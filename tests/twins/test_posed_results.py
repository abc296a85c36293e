"""Results other than design problems, posed again in SymPy and CVXPY: each twin agrees, and notices what is wrong."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import exp, log
from typing import Any, NamedTuple

import pytest
from few_rows import few_rows
from later import later
from posed_cases import mixed

import rropt
from rropt.core.errors import RouteDisagreementError
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.results.twins import EQUAL
from rropt.designs.bits import design_bits
from rropt.designs.orders.admissibility import admissible
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.designs.repairs import repair
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.plans.group_plans import plan_strata
from rropt.privacy import PrivacyRegion, parity_bound
from rropt.privacy.bound import judge
from rropt.privacy.criteria import canonical_information_privacy, information_privacy, rho_to_rho

repairs = later("rropt.convex.designs.repairs")
garblings = later("rropt.convex.orders.garblings")
F = Fraction
MOVED = F(1, 10**4)


class Case(NamedTuple):
    """A result with twins: how it is made, and how it is made wrong.

    Attributes:
        make: returns the result; ``fast`` leaves out the twins.
        variables, parameters: the names in the program.
        wrong_value: returns the result with a value that is moved by a relative 1e-4; both twins notice it.
        wrong_design: returns the result with another design or proof, which the posing in symbols notices.
    """

    make: Callable[..., Any]
    variables: set[str]
    parameters: set[str]
    wrong_value: Callable[[Any], Any]
    wrong_design: Callable[[Any], Any]


def _moved(*names: str) -> Callable[[Any], Any]:
    return lambda result: replace(result, **{name: getattr(result, name) * (1 + MOVED) for name in names})


def _wrong_breach(judgement: Any) -> Any:
    posterior = judgement.breach.posterior.rational * (1 - MOVED)
    return replace(judgement, breach=replace(judgement.breach, posterior=Algebraic.of(posterior)))


def _without_task(comparison: Any) -> Any:
    """The refuted direction with a kernel that does not map the source to the target."""
    constant = Mechanism([[F(1, 2)] * comparison.backward.source.outputs] * comparison.backward.target.outputs)
    return replace(comparison, backward=replace(comparison.backward, kernel=constant, task=None))


def _wrong_interval(solution: Any) -> Any:
    minimax = solution.minimax
    return replace(solution, minimax=replace(minimax, lower=minimax.lower * 1, upper=minimax.upper * (1 - MOVED)))


def _moved_interval(solution: Any) -> Any:
    ends = {end: getattr(solution.minimax, end) * (1 + MOVED) for end in ("lower", "upper")}
    return replace(solution, minimax=replace(solution.minimax, **ends))


def _other_interval_design(solution: Any) -> Any:
    first = replace(solution.candidates[0], worst_case=solution.candidates[0].worst_case * (1 + MOVED))
    return replace(solution, candidates=(first, *solution.candidates[1:]))


def _other_bits(design: Any) -> Any:
    one, *others = design.mechanism.factors
    p = one.p00 + MOVED
    return replace(design, mechanism=ProductMechanism([Mechanism.binary(p, p), *others]))


def _other_domination(answer: Any) -> Any:
    better = answer.domination
    return replace(answer, domination=replace(better, mechanism=mixed(better.mechanism, MOVED)))


CASES = {
    "parity-bound": Case(
        lambda **fast: parity_bound(canonical_information_privacy("sqrt(p)"), **fast),
        {"gamma"},
        {"unprotected", "allowed"},
        _moved("lower", "upper"),
        lambda bound: replace(bound, criterion=canonical_information_privacy("p^(4999/10000)")),
    ),
    "breach": Case(
        lambda **fast: judge(named_mechanism("warner:5/6"), rho_to_rho("1/5", "1/2"), **fast),
        {"v", "s"},
        {"prior"},
        _wrong_breach,
        lambda found: replace(found, mechanism=mixed(found.mechanism, MOVED)),
    ),
    "breach-of-a-lower-function": Case(
        lambda **fast: judge(named_mechanism("warner:5/6"), information_privacy(lower="p^2", upper="1"), **fast),
        {"v", "s"},
        {"prior"},
        _wrong_breach,
        lambda found: replace(found, mechanism=mixed(found.mechanism, MOVED)),
    ),
    "no-breach": Case(
        lambda **fast: judge(named_mechanism("warner:2/3"), canonical_information_privacy("sqrt(p)"), **fast),
        {"v", "s"},
        {"prior"},
        lambda found: replace(found, parity=found.parity * (1 + 3 * MOVED)),
        lambda found: replace(found, mechanism=mixed(found.mechanism, MOVED)),
    ),
    "comparison": Case(
        lambda **fast: rropt.compare("warner:3/4", "warner:2/3", **fast),
        {"kernel"},
        {"source", "target"},
        _without_task,
        lambda found: replace(found, forward=replace(found.forward, kernel=mixed(found.forward.kernel, MOVED))),
    ),
    "admissibility": Case(
        lambda **fast: admissible(named_mechanism("warner:2/3"), "log(3)", **fast),
        {"weights"},
        {"gamma"},
        lambda answer: replace(answer, domination=None),
        _other_domination,
    ),
    "pram": Case(
        lambda **fast: rropt.design.pram(["1/2", "1/3", "1/6"], epsilon="log(3)", **fast),
        {"P", "least"},
        {"gamma"},
        _moved("unchanged", "upper"),
        lambda design: replace(design, mechanism=mixed(design.mechanism, MOVED)),
    ),
    "pram-with-delta": Case(
        lambda **fast: rropt.design.pram(["1/2", "1/3", "1/6"], epsilon=1, delta="1/20", **fast),
        {"P"},
        {"gamma", "delta"},
        _moved("unchanged", "upper"),
        lambda design: replace(design, mechanism=mixed(design.mechanism, MOVED)),
    ),
    "repair": Case(
        lambda **fast: repair([[0.6, 0.2, 0.1], [0.3, 0.5, 0.2], [0.1, 0.3, 0.7]], "log(2)", **fast),
        {"P", "least"},
        {"gamma", "matrix"},
        _moved("lower", "loss"),
        lambda fixed: replace(fixed, mechanism=mixed(fixed.mechanism, MOVED)),
    ),
    "repair-l1": Case(
        lambda **fast: repair([[0.8, 0.1], [0.2, 0.9]], 1, "1/10", norm="l1", **fast),
        {"P"},
        {"gamma", "delta", "matrix"},
        _moved("lower", "loss"),
        lambda fixed: replace(fixed, mechanism=mixed(fixed.mechanism, MOVED)),
    ),
    "bits": Case(
        lambda **fast: design_bits("log(8)", weights=[10, 81], **fast),
        {"levels", "s"},
        {"budget", "weights", "shift"},
        _moved("lower", "upper"),
        _other_bits,
    ),
    "bits-joint": Case(
        lambda **fast: design_bits(3, questions=5, objective="joint", **fast),
        {"levels", "s", "v"},
        {"budget", "shift"},
        _moved("lower", "upper"),
        _other_bits,
    ),
    "prevalence-interval": Case(
        lambda **fast: solve_over_interval(PrivacyRegion("log(3)"), "0..1/4", **fast),
        {"weights", "squares", "estimates", "centre", "worst"},
        set(),
        _moved_interval,
        _other_interval_design,
    ),
    "strata": Case(
        lambda **fast: plan_strata(
            named_mechanism("warner:3/4"), ["1/4", "1/4", "1/2"], ["1/10", "1/2", "1/5"], n=5000, **fast
        ),
        {"sizes"},
        {"spreads", "respondents"},
        lambda plan: replace(plan, variance=plan.variance * (1 - MOVED)),
        lambda plan: replace(plan, sizes=(plan.sizes[0] + 40, plan.sizes[1] - 40, plan.sizes[2])),
    ),
}


@pytest.mark.parametrize("prevalences", [["1/2", 1, 0], ["29/100", "1/2", "16/25"], [1, 1, "1/2"]])
def test_strata_whose_spreads_differ_by_orders_of_magnitude_are_compared(prevalences: list[Any]) -> None:
    """Over n_h itself the solver did not reach its accuracy; over n_h/sqrt(a_h) all coefficients have the same size."""
    device, shares = named_mechanism("warner:99/100"), ["1/10000", "9989/10000", "1/1000"]
    plan = plan_strata(device, shares, prevalences, n=1000)
    assert plan.twins.cvxpy.agrees, str(plan.twins.cvxpy)
    program = plan.to_cvxpy()
    assert set(program.param_dict) == {"spreads", "respondents", "correction", "unit", "ends", "slopes"}
    assert set(program.var_dict) == {"sizes", "variances"}
    program.param_dict["spreads"].value = [1, 4, 9]
    program.param_dict["respondents"].value = 6
    assert abs(program.solve() - 6) < 1e-5  # Neyman: (1 + 2 + 3)^2/6


IRRATIONAL = {"bits-joint", "pram-with-delta", "repair-l1"}


@cache
def result(name: str) -> Any:
    """The result, with its twins."""
    return CASES[name].make()


@few_rows(5)
@pytest.mark.parametrize("name", CASES)
def test_twins_agree_and_take_no_part_in_the_result(name: str) -> None:
    found, plain = result(name), CASES[name].make(fast=True)
    assert plain.kept_twins is None
    assert found.kept_twins is not None
    for twin in (found.twins.sympy, found.twins.cvxpy):
        assert twin.posed
        assert twin.agrees, str(twin)
    assert (found.twins.sympy.agrees == EQUAL) is (name not in IRRATIONAL)  # there gamma is a power of e
    assert found == plain
    assert hash(found) == hash(plain)
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("name", CASES)
def test_records_have_the_twins_and_are_read_without_them(name: str) -> None:
    found = result(name)
    record = found.to_dict()
    assert record["twins"] == found.twins.to_dict()
    if name != "strata":  # a record without certificate or question is read as it stands
        again = type(found).from_json(found.to_json())
        assert again == found
        assert again.kept_twins is None
    assert ("posed twice", found.twins.line()) in found.lines()
    assert "posed twice" not in dict(CASES[name].make(fast=True).lines())


@few_rows(5)
@pytest.mark.parametrize("name", CASES)
def test_posings_are_public(name: str) -> None:
    case, program, posing = CASES[name], result(name).to_cvxpy(), result(name).to_sympy()
    assert isinstance(program, later("cvxpy", "Problem").loaded())
    assert set(program.var_dict) >= case.variables
    assert set(program.param_dict) >= case.parameters
    assert set(program.meanings) == {*program.var_dict, *program.param_dict}
    assert program.is_dcp(dpp=True)
    assert posing.constraints
    assert "aligned" in posing.latex()
    assert (posing.form is None) is bool(posing.why)


@few_rows(5)
@pytest.mark.parametrize("name", CASES)
def test_a_value_that_is_moved_is_noticed_by_both(name: str) -> None:
    """1e-4 is ten times the tolerance of the comparison with CVXPY."""
    wrong = CASES[name].wrong_value(result(name))
    with pytest.raises(RouteDisagreementError):
        wrong.sympy_twin()
    with pytest.raises(RouteDisagreementError):
        wrong.cvxpy_twin()
    with pytest.raises(RouteDisagreementError):
        wrong.compared_twice()


@pytest.mark.parametrize("name", CASES)
def test_another_design_is_noticed_by_the_posing_in_symbols(name: str) -> None:
    with pytest.raises(RouteDisagreementError):
        CASES[name].wrong_design(result(name)).sympy_twin()


def test_programs_are_solved_again_at_other_parameters() -> None:
    """Known values: subset of PRAM at gamma 2, the posterior ``gamma p/(1-p+gamma p)``, Warner's best split."""
    pram = result("pram").to_cvxpy()
    pram.param_dict["gamma"].value = 2
    again = rropt.design.pram(["1/2", "1/3", "1/6"], epsilon="log(2)", fast=True)
    assert pram.solve(solver="CLARABEL") == pytest.approx(float(again.unchanged), rel=1e-6)  # default tolerances
    bits = result("bits").to_cvxpy()
    bits.param_dict["budget"].value, bits.param_dict["weights"].value = log(27), [1, 1]
    bits.param_dict["shift"].value = 0
    split = design_bits("log(27)", questions=2, prevalences=[0, 0], fast=True)
    assert bits.solve(solver="CLARABEL") == pytest.approx(float(split.value), rel=1e-6)
    breach = result("breach").to_cvxpy()
    breach.param_dict["prior"].value = 0.25
    assert breach.solve(solver="CLARABEL") == pytest.approx(5 * 0.25 / (0.75 + 5 * 0.25), rel=1e-6)


def test_the_dual_of_the_deficiency_is_a_decision_task() -> None:
    """Both programs have the value 1/3: warner:3/4 against every post-processing of warner:2/3."""
    answer = rropt.compare("warner:2/3", "warner:3/4", fast=True).forward
    assert garblings.task_program(answer).solve(solver="CLARABEL") == pytest.approx(1 / 3, abs=1e-6)
    assert answer.to_cvxpy().solve(solver="CLARABEL") == pytest.approx(1 / 3, abs=1e-6)


def test_the_quadratic_repair_is_between_its_bounds() -> None:
    """``max^2 <= sum of squares <= max times sum``, for the nearest matrices in each norm."""
    fixed = result("repair")
    values = {norm: repairs.to_cvxpy(fixed, norm).solve(solver="CLARABEL") for norm in ("max", "l1", "l2")}
    assert values["max"] ** 2 <= values["l2"] + 1e-7
    assert values["l2"] <= values["l1"]


def test_a_criterion_is_the_only_reason_to_load_the_posings() -> None:
    text = (
        "import sys; from rropt.cli.main import main; main(['privacy', 'warner:1/3']); "
        "print(sorted({'sympy', 'cvxpy'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert found.stdout.strip().endswith("[]"), found.stdout + found.stderr


@pytest.mark.slow
def test_a_repair_that_is_smaller_than_the_errors_of_solvers_is_no_alarm() -> None:
    """The floats of a formula exceed the level by 1e-16: CVXPY cannot say which conditions are tight there."""
    gamma = exp(1.5)
    table = [[(gamma if i == j else 1) / (gamma + 2) for j in range(3)] for i in range(3)]
    fixed = repair(table, "3/2")
    assert 0 < fixed.loss < Fraction(1, 10**15)
    twin = fixed.twins.sympy
    assert twin.agrees == EQUAL
    assert "does not say which conditions are tight" in twin.why
