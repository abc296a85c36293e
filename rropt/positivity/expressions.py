"""From SymPy to the expression trees of certificates (FORMAT.md, section A), and to exact coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.errors import InvalidParameterError, shown
from rropt.positivity.rational_functions import monomials

__all__ = ["Coefficients", "coefficients", "tree"]

Coefficients = dict[tuple[int, ...], Fraction]


def tree(expression: Any) -> Any:
    """Return a SymPy expression as a tree of sums, products, powers, quotients, numbers and names.

    Raises:
        InvalidParameterError: a part that is no rational function with rational coefficients.
    """
    expression = sp.sympify(expression)
    if expression.is_Rational:
        return str(Fraction(int(expression.p), int(expression.q)))
    if expression.is_Symbol:
        return str(expression)
    if expression.is_Add:
        return {"sum": [tree(part) for part in expression.args]}
    if expression.is_Mul:
        sign, rest = expression.as_coeff_Mul()
        if sign == -1:
            return {"negative": tree(rest)}
        numerator, denominator = expression.as_numer_denom()
        if denominator.free_symbols:
            return {"quotient": [tree(numerator), tree(denominator)]}
        return {"product": [tree(part) for part in expression.args]}
    if expression.is_Pow and expression.exp.is_Integer:
        base, exponent = expression.args
        if exponent < 0:
            return {"quotient": ["1", tree(base**-exponent)]}
        return {"power": [tree(base), str(exponent)]}
    raise InvalidParameterError(
        f"an expression is no rational function: received {shown(str(expression))}; allowed are + - * / and whole "
        "powers of names and rational numbers"
    )


def coefficients(expression: Any, symbols: Sequence[Any]) -> Coefficients:
    """Return the coefficients of a polynomial in these symbols, by exponents; no zeros."""
    found = monomials(sp.sympify(expression), symbols)
    return {key[: len(symbols)]: Fraction(int(x.p), int(x.q)) for key, x in found.items()}
