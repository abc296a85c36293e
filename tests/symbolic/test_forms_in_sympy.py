"""A closed form is an expression: SymPy, Python and notebooks take it for its value, with its domain in full."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import gamma

BINARY = rropt.Problem.binary("1/4", epsilon="log(3)").to_sympy().form
TRACE = rropt.Problem.kary(3, epsilon="log(3)", objective="trace").to_sympy().form
PLAIN = sp.Symbol("gamma")  # as people write it, without assumptions


@pytest.mark.parametrize("form", [BINARY, TRACE], ids=["binary", "trace"])
def test_a_form_is_its_value_in_sympy(form: Form) -> None:
    value, x = form.value, sp.Symbol("x")
    assert sp.sympify(form) == value
    assert form == value
    assert value == form
    assert form.free_symbols == value.free_symbols
    assert sp.simplify(form - form) == 0
    assert sp.simplify(form) == sp.simplify(value)
    assert sp.latex(form) == sp.latex(value) == form.latex()
    assert sp.latex(form + x) == sp.latex(value + x)
    assert "gamma" in form._repr_latex_()
    assert sp.latex(form.domain) in form._repr_latex_()
    assert sp.diff(form, gamma) == sp.diff(value, gamma)
    point = {symbol: sp.Rational(number) for symbol, number in form.parameters.items()}
    symbols = sorted(form.free_symbols, key=str)
    made = sp.lambdify(symbols, form)(*(float(point[symbol]) for symbol in symbols))
    assert made == pytest.approx(float(form.at()))
    assert pickle.loads(pickle.dumps(form)) == form


def test_operations_are_those_of_the_values() -> None:
    value, x = TRACE.value, sp.Symbol("x")
    for other in (2, Fraction(1, 2), 0.5, x, rropt.log(3), BINARY, np.float64(0.5)):
        plain = sp.sympify(other)
        assert sp.simplify(TRACE + other - (value + plain)) == 0
        assert sp.simplify(other + TRACE - (value + plain)) == 0
        assert sp.simplify(TRACE - other - (value - plain)) == 0
        assert sp.simplify(other - TRACE - (plain - value)) == 0
        assert sp.simplify(TRACE * other - value * plain) == 0
        assert sp.simplify(other * TRACE - value * plain) == 0
        assert sp.simplify(TRACE / other - value / plain) == 0
        assert sp.simplify(other / TRACE - plain / value) == 0
    assert (value**2, -value, value) == (TRACE**2, -TRACE, +TRACE)
    assert 2**value == 2**TRACE


@pytest.mark.parametrize(
    "substitution",
    [
        ({"gamma": 3},),
        ("gamma", 3),
        (gamma, 3),
        (PLAIN, 3),
        ({PLAIN: "3"},),
        ([("gamma", 3.0)],),
        ({"epsilon": "log(3)"},),
    ],
)
def test_substitution_by_symbol_and_by_name(substitution: Any) -> None:
    assert TRACE.subs(*substitution) == sp.Rational(9, 5)


def test_further_substitutions() -> None:
    assert TRACE.subs(gamma=3) == TRACE.subs(epsilon=rropt.log(3)) == sp.Rational(9, 5)
    assert BINARY.subs({"gamma": 3, "delta": 0, "pi": "1/4"}) == BINARY.at() == sp.Rational(15, 16)
    assert BINARY.subs(gamma=3).free_symbols == BINARY.free_symbols - {gamma}
    assert sp.simplify(TRACE.subs(gamma, 2 * gamma) - 3 * gamma / (gamma + 1)) == 0
    assert TRACE.subs() == TRACE.value
    assert TRACE.subs(sp.Symbol("x"), 1) == TRACE.value


@pytest.mark.parametrize("wrong", [("x", 1), ({"x": 1},), (1, 2, 3), ([1, 2],), ({"gamma": "three"},), ("gamma",)])
def test_substitutions_that_mean_nothing(wrong: Any) -> None:
    with pytest.raises(InvalidParameterError):
        TRACE.subs(*wrong)


def test_a_form_with_symbols_is_no_float() -> None:
    with pytest.raises(TypeError, match=r"gamma: write form\.at\(\)"):
        float(TRACE)
    assert float(Form(sp.Rational(3, 4), "an example")) == 0.75


def test_the_domain_is_shown_in_full() -> None:
    assert len(str(BINARY.domain)) > 100
    assert BINARY.where == str(BINARY.domain)
    assert str(BINARY.domain) in repr(BINARY)
    assert repr(TRACE) == "<Form 3*gamma/(gamma + 2), where gamma > 1>"
    assert repr(Form(gamma, "an example")) == "<Form gamma>"


def test_bounds_in_hundredths_are_exact() -> None:
    from rropt.symbolic.posing import _number_text

    numbers = [sp.Rational(number, 100) for number in (1234567, 123456789, 1, -271)]
    assert list(map(_number_text, numbers)) == ["12345.67", "1234567.89", "0.01", "-2.71"]


def test_calculus_finds_symbols_by_name() -> None:
    """SymPy alone would read a new symbol without assumptions, by which the derivative of every form is 0."""
    expected = 6 / (gamma + 2) ** 2
    for found in (TRACE.diff("gamma"), TRACE.diff(gamma), sp.diff(TRACE, "gamma")):
        assert sp.simplify(found - expected) == 0
    assert sp.simplify(TRACE.diff("gamma", 2) - sp.diff(expected, gamma)) == 0
    assert TRACE.limit("gamma", sp.oo) == 3
    assert float(TRACE.evalf(subs={"gamma": 4})) == 2
    assert TRACE.simplify() == TRACE.value
    for call in (TRACE.diff, lambda name: TRACE.limit(name, 1)):
        with pytest.raises(InvalidParameterError, match=r"no symbol 'x': allowed are gamma"):
            call("x")
    with pytest.raises(
        AttributeError, match=r"no attribute 'factor'; form\.value, an expression of SymPy, may have it"
    ):
        TRACE.factor()
