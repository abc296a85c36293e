"""Sums of squares: a quadratic polynomial with rational coefficients that is nowhere negative, as squares of lines.

The prover uses them where no sum of products of facts is found; linear equations of the scope are solved first.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp

_MOST_SYMBOLS = 12  # of a quadratic polynomial


def _coefficients(polynomial: Any, symbols: list[Any], degree: int) -> dict[tuple[int, ...], Fraction] | None:
    """Return the coefficients of a polynomial of at most this degree, or None if they are not rational numbers."""
    try:
        poly = sp.Poly(polynomial, *symbols)
    except sp.PolynomialError:
        return None
    if poly.total_degree() > degree or not all(value.is_Rational for value in poly.coeffs()):
        return None
    return {key: Fraction(int(value.p), int(value.q)) for key, value in poly.terms()}


def _without_equations(polynomial: Any, equations: Iterable[Any]) -> Any:
    """Return the polynomial after each linear equation ``e = 0`` has been solved for a symbol of its own."""
    left = [sp.expand(each) for each in equations]
    while left:
        equation = left.pop(0)
        symbols = sorted(equation.free_symbols, key=str)
        terms = _coefficients(equation, symbols, 1) if symbols else None
        if terms is None:
            continue
        chosen = symbols[-1]
        value = sp.solve(equation, chosen)[0]
        polynomial = sp.expand(polynomial.subs(chosen, value))
        left = [sp.expand(each.subs(chosen, value)) for each in left]
    return polynomial


def sum_of_squares(polynomial: Any, equations: Iterable[Any] = ()) -> tuple[Any, list[tuple[Any, Any]]] | None:
    """Return a constant c >= 0 and pairs (a, line), a > 0: the polynomial is ``c + sum a line^2`` where equations hold.

    Args:
        polynomial: a polynomial of degree at most 2 with rational coefficients.
        equations: polynomials that are 0; those of degree 1 are used.

    Returns:
        The sum, or None if there is none: the polynomial has another degree, or is negative somewhere.

    >>> x, y = sp.symbols("x y")
    >>> sum_of_squares(x**2 + x*y + y**2)
    (0, [(1, x + y/2), (3/4, y)])
    >>> sum_of_squares(x*y) is None
    True
    """
    reduced = _without_equations(sp.expand(polynomial), equations)
    symbols = sorted(reduced.free_symbols, key=str)
    if not symbols or len(symbols) > _MOST_SYMBOLS:
        return None
    terms = _coefficients(reduced, symbols, 2)
    if terms is None:
        return None
    names = [*symbols, sp.Integer(1)]
    size = len(names)
    matrix = [[Fraction(0)] * size for _ in names]
    for key, value in terms.items():
        places = [place for place, power in enumerate(key) for _ in range(power)]
        first, second = [*places, size - 1, size - 1][:2]
        matrix[first][second] += value / 2
        matrix[second][first] += value / 2
    squares = []
    for place in range(size - 1):
        pivot = matrix[place][place]
        if pivot < 0 or (pivot == 0 and any(matrix[place])):
            return None
        if pivot == 0:
            continue
        row = [value / pivot for value in matrix[place]]
        line = sum(
            (sp.Rational(v.numerator, v.denominator) * n for v, n in zip(row, names, strict=True)), sp.Integer(0)
        )
        squares.append((sp.Rational(pivot.numerator, pivot.denominator), line))
        for i in range(size):
            for j in range(size):
                matrix[i][j] -= pivot * row[i] * row[j]
    rest = matrix[-1][-1]
    return (sp.Rational(rest.numerator, rest.denominator), squares) if rest >= 0 else None
