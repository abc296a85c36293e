"""The split of a privacy budget over yes/no questions in symbols, with its form for equal weights.

With u = log x, the slope of ``x/(x-1)^2`` is ``-x (x+1)/(x-1)^3``. At the optimum all slopes times weights are one
number lambda: ``w x (x+1) = lambda (x-1)^3``. For equal weights x is the m-th root of gamma; otherwise lambda is no
formula.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import EQUAL, Twin
from rropt.designs.bits import BitsDesign
from rropt.designs.splits import JointTrace
from rropt.symbolic.posing import Form, Posing, compared
from rropt.symbolic.symbols import exact, gamma, gamma_of, number_text

MOST_QUESTIONS = 40
x, weight, multiplier = sp.symbols("x w lambda", positive=True)
slope = sp.factor(-x * sp.diff(x / (x - 1) ** 2, x))
"""Minus the slope of ``x/(x-1)^2`` in log x."""
stationary = sp.Eq(weight * x * (x + 1), multiplier * (x - 1) ** 3)
"""The condition of each question at the optimum of ``marginals``."""


def to_sympy(design: BitsDesign) -> Posing:
    """Return the problem over the odds bounds ``x_l`` of the questions of positive weight.

    Raises:
        UnsupportedProblemError: there are too many questions.
    """
    own, asked = design.objective, [n for n, share in enumerate(design.objective.shares) if share]
    if len(asked) > MOST_QUESTIONS:
        raise UnsupportedProblemError("too many questions to write out")
    odds = tuple(sp.Symbol(f"x_{n}", positive=True) for n in asked)
    limits = [sp.Le(sp.Mul(*odds), gamma), *(sp.Gt(each, 1, evaluate=False) for each in odds)]
    budget = gamma_of(design.level)
    equal = gamma ** sp.Rational(1, len(asked))
    if isinstance(own, JointTrace):
        objective = sp.Mul(*((each**2 + 1) / (each - 1) ** 2 for each in odds)) - exact(own.squares)
    else:
        given = zip(own.weights, own.prevalences, strict=True)
        terms = [(exact(w), exact(pi)) for w, pi in given if w]
        objective = sum(
            (w * (pi * (1 - pi) + each / (each - 1) ** 2) for (w, pi), each in zip(terms, odds, strict=True)),
            sp.Integer(0),
        )
    form: Any = f"no closed form: {stationary} for each weight, with the product gamma"
    if len({own.shares[n] for n in asked}) == 1:
        value = objective.xreplace(dict.fromkeys(odds, equal))
        form = Form(
            value,
            "equal weights: a convex function of log x, so all x are equal",
            sp.Gt(gamma, 1),
            parameters={gamma: budget},
        )
    return Posing(odds, objective, limits, "minimise", {gamma: budget}, form=form)


def sympy_twin(design: BitsDesign) -> Twin:
    """Return the form for equal weights, else the objective at the design, compared with the proved bounds."""
    posing = to_sympy(design)
    asked = [parity for share, parity in zip(design.objective.shares, design.parities, strict=True) if share]
    checked = posing.check(dict(zip(posing.variables, asked, strict=True)))
    agrees = checked.agrees(design.lower, design.upper)
    if posing.form is not None:
        value = posing.form.at()
        agrees = compared(value, design.lower, design.upper)
        return Twin("SymPy", True, number_text(value), agrees, form=str(posing.form), domain=posing.form.where)
    return Twin(
        "SymPy",
        True,
        number_text(checked.value),
        EQUAL if checked.value == exact(design.value) and design.is_exact else agrees,
    )
