"""Forged results of design problems: at least two of three independent judges see each of them.

The three are the definition (is the design private, and does it have the value that is claimed?), the optimum that
SymPy proves (a form, or an enclosure), and the optimum that CVXPY finds. A forgery is

* a value that is 1e-3 or 1e-6 off, with the right design,
* a private design that is not optimal, with its own value,
* a design that is 1e-6 above the level, with its own value, which is better than the optimum.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from few_rows import few_rows
from planted import seen
from posed_cases import PROBLEMS

import rropt
from rropt import twins
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import Bracket
from rropt.mechanisms import Mechanism

F = Fraction
ONE_JUDGE = {
    "binary, three outputs": "the problem is not convex, so that CVXPY finds no optimum",
    "chi-square, ten categories": "SymPy has forms of sums up to five categories",
}
"""Problems of which a private design that is not optimal has one judge: the definition does not know the optimum."""


@cache
def solved(name: str) -> Any:
    return rropt.solve(PROBLEMS[name], fast=True)


@cache
def proved(name: str) -> Bracket | None:
    """Bounds of the optimum that SymPy proves without the engine; of a form with logarithms its 30 digits."""
    problem = PROBLEMS[name]
    form = None if problem.populations is not None else problem.to_sympy().form
    if form is None and name in _LINEAR:
        from rropt.result_twins import levels_form

        form = levels_form(problem)
    if form is not None:
        value = form.at()
        middle = F(str(value.evalf(40))) if not value.is_Rational else F(int(value.p), int(value.q))
        room = F(0) if value.is_Rational else F(1, 10**30)
        return Bracket(middle - room, middle + room)
    try:
        found = problem.enclosure()
    except UnsupportedProblemError:
        return None
    return Bracket(found.lower, found.upper)


_LINEAR = ("loss, two levels", "loss, metric")


def _raises(judge: Any, *given: Any) -> bool:
    try:
        judge(*given)
    except RouteDisagreementError:
        return True
    except UnsupportedProblemError:
        return False
    return False


def judges(name: str, result: Any) -> set[str]:
    """Return who sees that a result is wrong."""
    found = {"definition"} if _raises(twins.require_definition, result) else set()
    own = proved(name)
    if own is not None and (own.lower > result.upper or own.upper < result.lower):
        found.add("SymPy")
    return found | ({"CVXPY"} if _raises(twins.cvxpy_twin, result) else set())


def _with_value(result: Any, factor: Fraction) -> Any:
    made = replace(result, lower=result.lower * factor, upper=result.upper * factor)
    object.__setattr__(made, "value", result.value * factor)
    return made


def _with_design(result: Any, part: Fraction) -> Any:
    """Mix all columns of the design with their mean; a negative part moves them apart. The value is its own."""
    rows = result.mechanism.matrix
    mixed = [[(1 - part) * x + part * sum(row) / len(row) for x in row] for row in rows]
    if any(x < 0 for row in mixed for x in row) or result.mechanism.output_values:
        return None
    mechanism = Mechanism(mixed)
    problem = result.problem
    populations = [problem.population] if problem.populations is None else problem.populations.vertices
    values = [F(problem.objective.value(mechanism, one)) for one in populations]
    worst = max(values) if problem.objective.sense == "minimise" else min(values)
    made = replace(result, found=copy(result.found), lower=worst, upper=worst)
    object.__setattr__(made.found, "designs", (mechanism,))
    object.__setattr__(made, "value", worst)
    return made


FORGERIES = {
    "value 1e-3 more": lambda result: _with_value(result, F(1001, 1000)),
    "value 1e-6 less": lambda result: _with_value(result, F(10**6 - 1, 10**6)),
    "worse design": lambda result: _with_design(result, F(1, 200)),
    "above the level": lambda result: _with_design(result, -F(1, 10**6)),
}


@few_rows(4)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "A, delta")) for name in PROBLEMS]
)
def test_two_of_three_judges_see_a_forgery_and_none_sees_one_in_the_result(name: str) -> None:
    result = solved(name)
    assert not judges(name, result)
    made = 0
    for what, forge in FORGERIES.items():
        forged = forge(result)
        if forged is None:  # no column can be moved apart if an entry is 0, and reports of numbers stay unbiased
            continue
        made += 1
        found = judges(name, forged)
        assert len(found) >= (1 if name in ONE_JUDGE and what == "worse design" else 2), (what, found)
        assert seen(forged), what
    assert made >= 2
