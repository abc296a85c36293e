"""Every design problem as its definition in symbols: the exact design satisfies it, and a moved one does not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

import rropt
from rropt.core.errors import InvalidParameterError, RouteDisagreementError
from rropt.designs import binary_problem, kary_problem
from rropt.symbolic import Form, Posing
from rropt.symbolic.symbols import gamma


def test_a_posing_of_four_categories() -> None:
    problem = kary_problem(epsilon="log(3)", objective="a-optimal", categories=4)
    posing = problem.to_sympy()
    solution = rropt.solve(problem, routes="exact")
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
    solution = rropt.solve(binary_problem(epsilon="log(3)", **asked), routes="exact")
    posing, twin = solution.to_sympy(), solution.sympy_twin()
    assert posing.check(solution.mechanism).agrees(solution.lower, solution.upper) == "equal"
    assert posing.form.at() == sp.Rational(solution.value)
    assert (twin.value, twin.agrees) == (str(solution.value), "equal")
    assert isinstance(posing.form, Form)
