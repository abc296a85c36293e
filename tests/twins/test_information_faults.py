"""Faults in the twins of designs of the information, and forged results: each is seen; without one there is silence.

A fault is *seen* if it is a contradiction (``RouteDisagreementError``). Not seen by construction, and so not listed:
a row left out by ``symbolic.rows`` alone (the prices of CVXPY are valid for all rows, so that nothing changes).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt import information_twins, objectives
from rropt.convex import witnesses
from rropt.convex.designs import problem as programs
from rropt.convex.objectives import a_c_contrasts, conditional_variance, d_optimality, e_optimality
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.designs import Problem
from rropt.objectives import ConditionalVariance
from rropt.objectives.possible_populations import Populations
from rropt.privacy import PrivacyRegion
from rropt.symbolic import enclosures, information
from rropt.twins import posing_in_gamma

F = Fraction
PI = ["1/2", "1/3", "1/6"]
HULL = Populations.hull([PI, ["1/3"] * 3, ["1/5", "1/5", "3/5"]])
NUMBERS = Problem(PrivacyRegion("1", inputs=3, outputs="any"), ConditionalVariance([0, 1, 3]), [F(1, 3)] * 3)
PROBLEMS = {
    "A": Problem.kary(epsilon="log(3)", objective="a-optimal", population=PI),
    "A, irrational": Problem.kary(epsilon="1", objective="a-optimal", population=["2/5", "3/10", "1/5", "1/10"]),
    "c": Problem.kary(epsilon="1", objective=rropt.objectives.Contrast([1, 0, -1]), population=PI),
    "contrasts": Problem.kary(
        epsilon="1/2", objective=rropt.objectives.Contrasts([[1, -1, 0], [0, 1, -1]]), population=PI
    ),
    "D": Problem.kary(epsilon="log(3)", objective="d-optimal", population=PI),
    "E": Problem.kary(epsilon="log(3)", objective="e-optimal", population=PI),
    "numbers": NUMBERS,
    "polytope": Problem.kary(epsilon="log(3)", objective="a-optimal", population=HULL),
    "A with delta": Problem.kary(epsilon="log(3)", delta="1/20", objective="a-optimal", population=PI),
}


@cache
def solved(name: str) -> Any:
    """The engine's solution of a problem."""
    return rropt.solve(PROBLEMS[name], fast=True)


def twins(names: Any) -> None:
    """Compare the solutions of some problems; a fault is seen as a RouteDisagreementError."""
    information_twins._guess_of.cache_clear()
    for name in names:
        solution = solved(name)
        information_twins.solution_twin(solution)
        programs.solution_twin(solution)


@pytest.fixture(autouse=True)
def own_programs() -> Any:
    """No program and no guess of a faulty run is kept."""
    programs._KEPT.clear()
    yield
    programs._KEPT.clear()
    information_twins._guess_of.cache_clear()


@few_rows(2)
@pytest.mark.parametrize("name", PROBLEMS)
def test_without_a_fault_the_twins_agree(name: str) -> None:
    information_twins._guess_of.cache_clear()
    solution = solved(name)
    twin = information_twins.solution_twin(solution)
    assert twin.agrees in ("equal", "inside")
    assert programs.solution_twin(solution).agrees
    found = information_twins.enclosure_of(solution)
    found.check()
    assert found.width < 1e-8
    assert found.lower <= solution.upper
    assert solution.lower <= found.upper
    is_formed = name in ("A", "A with delta", "D", "E")
    assert (twin.form is not None) is is_formed, twin


def _times(module: Any, name: str, factor: Any) -> Callable[[pytest.MonkeyPatch], None]:
    """A function whose result is multiplied."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        own = getattr(module, name)
        patch.setattr(module, name, lambda *given, **named: own(*given, **named) * factor)

    return plant


def _changed(module: Any, name: str, change: Callable[[Any], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    """A function whose result is changed."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        own = getattr(module, name)
        patch.setattr(module, name, lambda *given, **named: change(own(*given, **named)))

    return plant


def _off_by_one(patch: pytest.MonkeyPatch) -> None:
    def excess(field: Any, row: Any, pair: Any) -> Any:
        own, other = row[pair[0]], row[pair[1]]
        if own is None or other is None:
            return field.zero if own is None else field.gamma**own
        return field.gamma**own - field.gamma**other if own > other else field.zero

    patch.setattr(information, "excess", excess)


def _half_of_the_prior(patch: pytest.MonkeyPatch) -> None:
    own = information.Asked.read.__func__  # type: ignore[attr-defined]

    def read(cls: Any, data: Any) -> Any:
        found = own(cls, data)
        return replace(found, population=(F(1, 2), F(1, 4), F(1, 4))[: found.k]) if found.k == 3 else found

    patch.setattr(information.Asked, "read", classmethod(read))


FAULTS: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], tuple[str, ...]]] = {
    "SymPy: phi without its second half": (_times(information, "_form", F(1, 2)), ("A", "D")),
    "SymPy: phi of a thousandth more": (_times(information, "_form", F(1001, 1000)), ("A", "D", "E")),
    "SymPy: the excess of a pair begins too early": (_off_by_one, ("A with delta",)),
    "SymPy: another prior": (_half_of_the_prior, ("A", "D", "E")),
    "SymPy: the eigenvalue test has the wrong sign": (
        _changed(information, "_alternating", lambda found: [-x for x in found]),
        ("E",),
    ),
    "bounds: another information": (
        _changed(enclosures, "_information", lambda M: tuple(tuple(x * F(999, 1000) for x in line) for line in M)),
        ("A", "D", "E"),
    ),
    "bounds: a trace of half the size": (_times(enclosures, "_trace", F(1, 2)), ("A", "c")),
    "bounds: a logarithm too large": (_changed(enclosures, "_log", lambda x: x + F(1, 10**4)), ("D",)),
    "bounds: an eigenvalue too small": (_times(enclosures, "_largest_eigenvalue", F(99, 100)), ("E",)),
    "bounds: the excess is not counted": (
        _changed(enclosures, "excess", lambda _: F(1, 10**9)),
        ("A", "numbers"),
    ),
    "bounds: values that are too small": (_times(enclosures, "_worst", F(9, 10)), ("numbers", "polytope")),
    "bounds: prices of a shifted prior": (
        _changed(enclosures, "_mixture", lambda found: tuple(x / 2 for x in found)),
        ("numbers", "polytope"),
    ),
    "prices: half of y": (
        _changed(witnesses, "prices_of", lambda found: (found[0], found[1] / 2, found[2])),
        ("A", "E", "numbers"),
    ),
    "prices: G turned": (
        _changed(witnesses, "prices_of", lambda found: (-found[0], *found[1:])),
        ("A", "c", "polytope"),
    ),
    "prices: no price of a pair": (
        _changed(witnesses, "prices_of", lambda found: (*found[:2], [(pair, 0.0) for pair, _ in found[2]])),
        ("A with delta",),
    ),
    "prices: another target": (
        _changed(witnesses, "_lines_of_targets", lambda C: C * np.linspace(1, 1.1, C.shape[1])),
        ("A", "c", "numbers"),
    ),
    "prices: a contrast is left out": (_changed(witnesses, "targets", lambda C: C[:1]), ("contrasts",)),
    "weights: a tenth is lost": (_changed(witnesses, "_with_sums", lambda w: w * np.linspace(0.9, 1, len(w))), ("E",)),
    "CVXPY: sums of variances of a millionth more": (
        _changed(a_c_contrasts, "of_targets", lambda goal: goal._replace(expression=goal.expression * (1 + 1e-6))),
        ("A", "c", "contrasts"),
    ),
    "CVXPY: the determinant is shifted": (
        _changed(d_optimality, "goal", lambda goal: goal._replace(expression=goal.expression + 1e-5)),
        ("D",),
    ),
    "CVXPY: an eigenvalue of a hundred-thousandth more": (
        _changed(e_optimality, "goal", lambda goal: goal._replace(expression=goal.expression * (1 + 1e-5))),
        ("E",),
    ),
    "CVXPY: the means of numbers are not required": (
        _changed(conditional_variance, "goal", lambda goal: goal._replace(conditions=goal.conditions[1:])),
        ("numbers",),
    ),
}


@few_rows(3)
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, names = FAULTS[name]
    for each in names:
        solved(each)
    plant(monkeypatch)
    for each in names:
        with pytest.raises(RouteDisagreementError):
            twins([each])


@few_rows(3)
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_forged_bracket_is_seen(name: str) -> None:
    """A value of 1e-3, 1e-6 and 1e-8 more or less, with a bracket around it, is outside the bounds of SymPy."""
    solution = solved(name)
    own = information_twins.enclosure_of(solution)
    for part in (F(1, 10**3), F(1, 10**6), F(1, 10**8)):
        for sign in (-1, 1):
            off = part * sign * max(abs(solution.upper), F(name == "D"))
            with pytest.raises(RouteDisagreementError, match="disagree"):
                information_twins.compared_with(own, _Moved(PROBLEMS[name], solution.lower + off, solution.upper + off))


class _Moved:
    """A solution with other bounds."""

    def __init__(self, problem: Any, lower: F, upper: F) -> None:
        self.problem, self.lower, self.upper = problem, lower, upper


@few_rows(3)
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_forged_enclosure_is_refused(name: str) -> None:
    """check() proves the design, the estimates, the prices and both bounds again."""
    own = information_twins.enclosure_of(PROBLEMS[name])
    row = tuple(x * F(10**9 + 1, 10**9) for x in own.design[0])
    for forged in (
        replace(own, lower=own.lower + F(1, 10**12)),
        replace(own, upper=own.upper - F(1, 10**12)),
        replace(own, design=(row, *own.design[1:])),
        replace(own, prices=tuple(y * F(99, 100) - F(1, 100) for y in own.prices)),
        replace(own, directions=tuple(tuple(2 * x for x in line) for line in own.directions)),
        replace(own, mixture=tuple(x / 2 for x in own.mixture)),
    ):
        with pytest.raises(RouteDisagreementError):
            forged.check()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_random_problems_give_no_false_alarm(seed: int) -> None:
    rnd = random.Random(f"information {seed}")
    k = rnd.randint(2, 4)
    shares = [rnd.randint(1, 9) for _ in range(k)]
    population = [F(x, sum(shares)) for x in shares]
    epsilon = rnd.choice(["1/2", "1", "log(3)", "log(11/10)", "3"])
    delta = rnd.choice(["0", "0", "1/100", "1/10", "exp(-3)"])
    objective = rnd.choice(["a-optimal", "d-optimal", "e-optimal", "c-optimal", "contrasts"])
    lines = [[*(rnd.randint(-3, 3) for _ in range(k - 1)), 4] for _ in range(2)]
    made = {"c-optimal": objectives.Contrast(lines[0]), "contrasts": objectives.Contrasts(lines)}
    asked = made.get(objective, objective)
    problem = Problem.kary(epsilon=epsilon, delta=delta, objective=asked, population=population)
    solution = rropt.solve(problem, fast=True)
    twin = information_twins.solution_twin(solution)
    assert twin.agrees
    try:
        own = information_twins.enclosure_of(problem)
    except UnsupportedProblemError:  # the solver of floats did not reach its accuracy, and contradicts nothing
        return
    assert own.width < 1e-6
    own.check()


@few_rows(1)
@pytest.mark.parametrize("name", ["E", "A", "D"])
def test_a_form_holds_inside_its_interval_and_not_outside(name: str) -> None:
    """Inside, the form is the optimum that CVXPY finds at another level; beyond the ends it is not."""
    posing = posing_in_gamma(PROBLEMS[name])
    assert posing.form is not None
    low, high = _ends(posing.form)
    inside = [F(rnd, 4) for rnd in range(5, 60) if low < rnd / 4 < high][:: 9 if high == np.inf else 5]
    outside = [x for x in (F(low) * F(98, 100) if low > 1 else 0, F(high) * F(102, 100) if high < 1e9 else 0) if x > 1]
    for at in inside + outside:
        value = float(posing.form.subs(gamma=at))
        region = PrivacyRegion(f"log({at})", inputs=3, outputs="any")
        program = Problem(region, PROBLEMS[name].objective, PROBLEMS[name].population)
        found = programs.posed_of(program)[0].solved()
        assert (abs(found.value - value) < 1e-7 * max(1, abs(value))) is (at in inside), (at, found.value, value)


def _ends(form: Any) -> tuple[float, float]:
    low, high = 1.0, np.inf
    for part in form.domain.args if form.domain.func.__name__ == "And" else (form.domain,):
        if ">" in part.rel_op:
            low = float(part.rhs)
        else:
            high = float(part.rhs)
    return low, high


@pytest.mark.slow
@pytest.mark.parametrize("name", ["A", "c", "E", "D", "A with delta", "numbers", "polytope"])
def test_a_derivation_has_the_value_and_its_region(name: str) -> None:
    problem = PROBLEMS[name]
    found = problem.derivation()
    text, tex = found.markdown(), found.latex()
    for heading in ("Problem", "Numbers"):
        assert f"**{heading}.**" in text
        assert rf"\paragraph{{{heading}.}}" in tex
    assert tex.count(r"\[") == tex.count(r"\]") == text.count("$$") / 2
    assert "∎" not in tex
    form = problem.to_sympy().form
    if form is not None and name != "c":
        assert r"\begin{itemize}" in tex
        assert "at least for" in found["Region"]


@pytest.mark.slow
def test_the_hedge_has_equal_regrets_and_the_least_regret() -> None:
    """Another point than the hedge, with its own regret as the bracket, is a contradiction."""
    from rropt.designs.prevalence_intervals import PrevalenceInterval, solve_over_interval

    solution = solve_over_interval(PrivacyRegion("log(2)", "1/2"), PrevalenceInterval(F(0), F(3, 4)), fast=True)
    assert solution.sympy_twin().agrees
    assert solution.hedge is not None
    best = solution.minimax_regret
    regret = best.upper * F(11, 10)
    forged = replace(solution, minimax_regret=replace(best, lower=regret, upper=regret))
    with pytest.raises(RouteDisagreementError):
        forged.sympy_twin()
    worse = replace(solution.hedge, mechanism=solution.candidates[0].mechanism)
    with pytest.raises(RouteDisagreementError):
        replace(solution, hedge=worse).sympy_twin()
