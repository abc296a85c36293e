"""The worst variance of an unbiased report of a number in symbols: the outputs have values z as further unknowns.

``max_j (sum_i z_i^2 p_ij - x_j^2)`` where ``sum_i z_i p_ij = x_j``. Of two numbers the optimum is Warner's device, with
values that two equations determine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from rropt.symbolic import symbols
from rropt.symbolic.objectives.goal import Goal, Values, dot, total
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import exacts, gamma

IS_OF_INFORMATION = False


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the largest variance of a report, given the number."""
    x, z = exacts(objective.contrast), _values(P.shape[0])
    columns = P.T.tolist()
    variances = (total(p * value**2 for p, value in zip(column, z, strict=True)) for column in columns)
    value = sp.Max(*(one - number**2 for one, number in zip(variances, x, strict=True)), evaluate=False)
    means = tuple(sp.Eq(dot(column, z), number, evaluate=False) for column, number in zip(columns, x, strict=True))

    def completed(values: Values) -> Values:
        if z[0] in values:
            return {}
        at = sp.Matrix([[sp.sympify(p).xreplace(dict(values)) for p in column] for column in columns])
        try:
            found, free = at.gauss_jordan_solve(sp.Matrix(x))
        except ValueError:  # no values are unbiased: the relations fail
            return dict.fromkeys(z, sp.Integer(0))
        return dict(zip(z, found.xreplace(dict.fromkeys(free, sp.Integer(0))), strict=True))

    return Goal(value, means, completed)


def _values(m: int) -> list[sp.Symbol]:
    return [sp.Symbol(f"z_{i}", real=True) for i in range(m)]


def design(variables: sp.ImmutableMatrix, mechanism: Any) -> dict[sp.Symbol, Any]:
    """Return the values of all unknowns at a mechanism whose outputs have values."""
    entries = [x for row in mechanism.matrix for x in row]
    values = zip(_values(mechanism.outputs), mechanism.output_values, strict=True)
    return {**dict(zip(variables, entries, strict=True)), **dict(values)}


def form(problem: Any) -> Form | str:
    """Return the form for two numbers, ``((x_2 - x_1)/2)^2 (((gamma + 1)/(gamma - 1))^2 - 1)``."""
    region = problem.region
    rows = problem.objective.contrast_rows(region.inputs) or ((),)
    numbers = sorted(set(rows[0]))
    if region.form != "parity" or region.outputs or len(numbers) > 2:
        return "no closed form for three numbers and more; a range of numbers has one up to epsilon = 1.39"
    half = (symbols.exact(numbers[1]) - symbols.exact(numbers[0])) / 2
    at = symbols.gamma_of(region.one_level().epsilon)
    return Form(
        half**2 * 4 * gamma / (gamma - 1) ** 2,
        "two numbers: the reports of a private mechanism are a randomization of those of Warner's device",
        sp.Gt(gamma, 1),
        parameters={gamma: at},
    )
