"""Criteria for numerical programs: the functions of the prior probability p, evaluated with many digits by FLINT.

The numbers are intervals in the precision of ``flint.ctx``; conditions are decided at their midpoints.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import arb, fmpq

from rropt.core.exact import Epsilon
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria import expressions as trees

Function = Callable[[Any], Any]

_FUNCTIONS = {"sqrt": arb.sqrt, "exp": arb.exp, "log": arb.log}
_EXTREMA = {"min": arb.min, "max": arb.max}
_OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
_SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def number(value: Fraction) -> Any:
    """Return a fraction as an interval of the current precision."""
    return arb(fmpq(value.numerator, value.denominator))


def function_of(tree: trees.Expression) -> Function:
    """Return the function of the prior p that an expression tree describes."""
    match tree:
        case trees.Number(value):
            exact = fmpq(value.numerator, value.denominator)
            return lambda p: arb(exact)
        case trees.Prior():
            return lambda p: p
        case trees.Operation(sign, left, right):
            apply, one, other = _OPERATIONS[sign], function_of(left), function_of(right)
            return lambda p: apply(one(p), other(p))
        case trees.Power(base, exponent):
            one, other = function_of(base), function_of(exponent)
            return lambda p: one(p) ** other(p)
        case trees.Call(name, argument):
            apply, one = _FUNCTIONS[name], function_of(argument)
            return lambda p: apply(one(p))
        case trees.Extremum(name, arguments):
            choose, parts = _EXTREMA[name], [function_of(argument) for argument in arguments]
            return lambda p: reduce(choose, (part(p) for part in parts))
        case trees.Piecewise(cases, otherwise):
            listed = [(_all(conditions), function_of(value)) for value, conditions in cases]
            rest = None if otherwise is None else function_of(otherwise)
            return lambda p: _picked(listed, rest, p)


def _all(conditions: tuple[trees.Inequality, ...]) -> Callable[[Any], bool]:
    parts = [(_SIGNS[one.sign], function_of(one.left), function_of(one.right)) for one in conditions]
    return lambda p: all(sign(left(p).mid(), right(p).mid()) for sign, left, right in parts)


def _picked(cases: list[tuple[Callable[[Any], bool], Function]], otherwise: Function | None, p: Any) -> Any:
    for holds, value in cases:
        if holds(p):
            return value(p)
    return arb.nan() if otherwise is None else otherwise(p)


def upper_functions(criterion: Criterion) -> list[Function]:
    """Return the functions h of which the posterior probability exceeds none: h_u(p) and ``1 - h_l(1 - p)``."""
    if criterion.up is None and criterion.level is not None:
        return [_odds_bound(criterion.level)]
    found = [] if criterion.up is None else [function_of(criterion.up)]
    if criterion.down is not None:
        lower = function_of(criterion.down)
        found.append(lambda p: 1 - lower(1 - p))
    return found


def _odds_bound(level: Epsilon) -> Function:
    def h(p: Any) -> Any:
        times = number(level.times)
        gamma = times.exp() if level.kind == "rational" else number(level.base) ** times
        return gamma * p / (1 + (gamma - 1) * p)

    return h
