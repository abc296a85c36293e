"""Values of expressions as rational numbers and intervals of FLINT, without a call of SymPy's ``evalf``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from flint import arb, fmpq


def enclosed(expression: sp.Expr, values: Mapping[sp.Symbol, arb]) -> arb:
    """Return an interval that contains an expression of sums, products, powers and logarithms at intervals.

    Raises:
        ArithmeticError: the expression has another function, or divides by 0.
        KeyError: a symbol has no value.
    """
    return _ball(number_at(expression, values))


def number_at(expression: sp.Expr, values: Mapping[sp.Symbol, Any], known: dict[sp.Expr, Any] | None = None) -> Any:
    """Return an expression at rational numbers and intervals: a rational number if it is rational, else an interval.

    Args:
        expression: sums, products, powers, exponentials, logarithms and maxima of symbols and numbers.
        values: ``flint.fmpq`` or ``flint.arb`` for each symbol.
        known: the sums that were computed at these values; new ones are added.

    Raises:
        ArithmeticError: the expression has another function, or divides by 0.
        KeyError: a symbol has no value.

    >>> x = sp.Symbol("x")
    >>> number_at(2 * x**2 + sp.Max(0, 1 - x), {x: fmpq(1, 3)}), number_at(sp.exp(x), {x: fmpq(0)}) == 1
    (8/9, True)
    """
    if expression.is_Symbol:
        return values[expression]
    if expression.is_Rational:
        return fmpq(int(expression.p), int(expression.q))
    if known is not None and expression in known:
        return known[expression]
    parts = [number_at(each, values, known) for each in expression.args]
    if expression.is_Add:
        found = sum(parts[1:], parts[0])
        if known is not None:
            known[expression] = found
        return found
    if expression.is_Mul:
        found = parts[0]
        for part in parts[1:]:
            found = found * part
        return found
    if isinstance(expression, sp.exp) or expression == sp.E:
        return _ball(parts[0]).exp() if parts else arb(1).exp()
    if isinstance(expression, sp.log):
        return _ball(parts[0]).log()
    if expression.is_Pow:
        if expression.exp.is_Integer:
            return parts[0] ** int(expression.exp)
        return (_ball(parts[0]).log() * parts[1]).exp()
    if isinstance(expression, sp.Max):
        return _largest(parts)
    raise ArithmeticError(f"no interval of {expression}")


def _largest(parts: list[Any]) -> Any:
    if all(isinstance(part, fmpq) for part in parts):
        return max(parts)
    found = _ball(parts[0])
    for part in parts[1:]:
        found = found.max(_ball(part))
    return found


def _ball(number: Any) -> Any:
    """Return a rational number as an interval; intervals and their power series as they are."""
    return arb(number) if isinstance(number, fmpq) else number
