"""The stored formulas are the ones that SymPy derives."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import derivation
import sympy as sp

from rropt.designs import formulas


def test_formulas_are_what_the_derivation_writes() -> None:
    spec = importlib.util.find_spec("rropt.designs.formulas")
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).read_text() == derivation.module_text()


def test_against_the_paper() -> None:
    """Equations (6), (23) and (24), with the square that the printed (24) leaves out."""
    gamma, delta, pi, a, b = sp.symbols("gamma delta pi a b")
    printed = (sp.Rational(1, 4) - (a - sp.Rational(1, 2) - pi * (a + b - 1)) ** 2) / (a + b - 1) ** 2
    assert sp.simplify(derivation._variance(a, b, pi) - printed) == 0
    numerator, denominator = formulas.threshold(gamma, delta)
    assert sp.simplify(numerator / denominator - delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2) == 0
    corner, diagonal = (
        x / y for x, y in (formulas.corner_p00_variance(delta, pi), formulas.diagonal_variance(gamma, delta, pi))
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
