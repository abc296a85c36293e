"""Criteria in SymPy: the functions of the prior probability p, from the expression trees of ``privacy.criteria``."""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria import expressions as trees
from rropt.symbolic.symbols import exact, gamma_of

p = sp.Symbol("p", positive=True)
"""The prior probability of a property, in (0, 1)."""

_FUNCTIONS = {"sqrt": sp.sqrt, "exp": sp.exp, "log": sp.log}
_EXTREMA = {"min": sp.Min, "max": sp.Max}
_SIGNS = {"<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}
_OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def in_symbols(tree: trees.Expression) -> Any:
    """Return an expression tree as a SymPy expression in the prior p."""
    match tree:
        case trees.Number(value):
            return exact(value)
        case trees.Prior():
            return p
        case trees.Operation(sign, left, right):
            return _OPERATIONS[sign](in_symbols(left), in_symbols(right))
        case trees.Power(base, exponent):
            return in_symbols(base) ** in_symbols(exponent)
        case trees.Call(name, argument):
            return _FUNCTIONS[name](in_symbols(argument))
        case trees.Extremum(name, arguments):
            return _EXTREMA[name](*map(in_symbols, arguments), evaluate=False)
        case trees.Piecewise(cases, otherwise):
            listed = [(in_symbols(value), _all(conditions)) for value, conditions in cases]
            rest = [] if otherwise is None else [(in_symbols(otherwise), True)]
            return sp.Piecewise(*listed, *rest)


def _all(conditions: tuple[trees.Inequality, ...]) -> Any:
    return sp.And(*(_SIGNS[one.sign](in_symbols(one.left), in_symbols(one.right)) for one in conditions))


def upper_functions(criterion: Criterion) -> list[Any]:
    """Return the functions h of which the posterior probability exceeds none: h_u(p) and ``1 - h_l(1 - p)``."""
    if criterion.up is None and criterion.level is not None:
        gamma = gamma_of(criterion.level)
        return [gamma * p / (1 + (gamma - 1) * p)]
    found = [] if criterion.up is None else [in_symbols(criterion.up)]
    if criterion.down is not None:
        found.append(1 - in_symbols(criterion.down).subs(p, 1 - p))
    return [h.replace(sp.Abs, lambda x: sp.Max(x, -x, evaluate=False)) for h in found]  # SymPy's sqrt(x^2)
