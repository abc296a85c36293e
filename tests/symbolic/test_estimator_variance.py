"""The stored formulas are the ones that SymPy derives."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy as sp

import rropt
from rropt.designs import Problem, closed_forms
from rropt.symbolic.objectives import estimator_variance


@pytest.mark.slow
def test_formulas_are_what_the_derivation_writes() -> None:
    for file in estimator_variance.FILES:
        assert file.read_text() == estimator_variance.module_text()
    assert Path(closed_forms.__file__) in estimator_variance.FILES


def test_against_the_paper() -> None:
    """Equations (6), (23) and (24), with the square that the printed (24) leaves out."""
    gamma, delta, pi, a, b = sp.symbols("gamma delta pi a b")
    printed = (sp.Rational(1, 4) - (a - sp.Rational(1, 2) - pi * (a + b - 1)) ** 2) / (a + b - 1) ** 2
    assert sp.simplify(estimator_variance.variance(a, b, pi) - printed) == 0
    numerator, denominator = closed_forms.threshold(gamma, delta)
    assert sp.simplify(numerator / denominator - delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2) == 0
    corner, diagonal = (
        x / y
        for x, y in (closed_forms.corner_p00_variance(delta, pi), closed_forms.diagonal_variance(gamma, delta, pi))
    )
    correct = (
        (1 - delta)
        * (pi * (gamma + 2 * delta - 1) ** 2 - delta * (gamma + delta))
        / (delta * (gamma + 2 * delta - 1) ** 2)
    )
    assert sp.simplify(corner - diagonal - correct) == 0
    wrong = (
        (1 - delta) * (pi * (gamma + 2 * delta - 1) - delta * (gamma + delta)) / (delta * (gamma + 2 * delta - 1) ** 2)
    )
    assert sp.simplify(corner - diagonal - wrong) != 0  # as printed


def test_texts_are_the_formulas() -> None:
    """At delta = 0 the text of the diagonal point has no delta."""
    names = {name: sp.Symbol(name) for name in ("gamma", "delta", "pi")}
    point = {names["gamma"]: sp.Rational(7, 2), names["delta"]: sp.Rational(1, 5), names["pi"]: sp.Rational(2, 7)}
    for name, text in closed_forms.TEXTS.items():
        function, _, _ = name.partition(", delta = 0")
        values = point if function == name else {**point, names["delta"]: sp.Integer(0)}
        code = getattr(closed_forms, function)
        numerator, denominator = code(**{x: values[names[x]] for x in code.__annotations__ if x != "return"})
        assert sp.sympify(text, locals=names).subs(values) == numerator / denominator


def test_a_value_beyond_floats_is_a_text() -> None:
    """n Var of 1e600 is no float: the comparison of Warner's design failed."""
    solution = rropt.solve(Problem.binary("0", epsilon="0", delta="1e-300", symmetric=True), fast=True)
    assert solution.sympy_twin().value == "2.5e+599"
    assert solution.sympy_twin().agrees == "equal"
