"""The symbols of all posings, exact numbers as SymPy numbers, and the signs of numbers.

One set of names serves all files: gamma = exp(epsilon), delta, pi (a prevalence) and the entries ``p_i_j`` of P.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import ctx, fmpq

from rropt.core.exact import Delta, Epsilon, ExactReal
from rropt.core.exact.display import decimal_outwards
from rropt.core.exact.numbers import rational
from rropt.symbolic.balls import number_at

__all__ = [
    "as_fraction",
    "bounds_in_latex",
    "delta",
    "delta_of",
    "exact",
    "exacts",
    "gamma",
    "gamma_of",
    "interval_of",
    "level_expression",
    "matrix",
    "number_latex",
    "number_text",
    "pi",
    "printed_in_latex",
    "real_expression",
    "sign_of",
]

gamma = sp.Symbol("gamma", positive=True)
"""exp(epsilon), the largest likelihood ratio of two inputs."""

delta = sp.Symbol("delta", nonnegative=True)
"""The slack of (epsilon, delta)."""

pi = sp.Symbol("pi", nonnegative=True)
"""Pr(X = 1), the prevalence of a binary problem; a distribution of more categories is written in numbers."""

_DIGITS = 15
_LONGEST = 24  # characters of an exact number in a line
_MOST_DIGITS = (60, 240, 960)  # of the arithmetic in which a sign is sought; brackets of a level have at most 384
_BITS = (128, 512)  # of the intervals in which a sign is sought first: ten times faster than SymPy's arithmetic
_ZERO = sp.Float(10) ** -400  # far below the width of any bracket: an expression this small counts as 0


@lru_cache(maxsize=16)
def matrix(outputs: int, inputs: int, name: str = "p") -> sp.ImmutableMatrix:
    """Return a matrix of nonnegative symbols, shape (m, k), for example ``p_0_1`` in row 0 and column 1."""
    return sp.ImmutableMatrix(outputs, inputs, lambda i, j: sp.Symbol(f"{name}_{i}_{j}", nonnegative=True))


def exact(number: Any) -> sp.Expr:
    """Return an exact number of any form that rropt accepts as a SymPy number; SymPy expressions stay as they are."""
    if isinstance(number, sp.Basic):
        return number
    if not isinstance(number, Fraction):
        number = rational(number)
    return sp.Rational(number.numerator, number.denominator)


def exacts(numbers: Sequence[Any]) -> list[sp.Expr]:
    """Return exact numbers as SymPy numbers."""
    return [exact(number) for number in numbers]


def as_fraction(number: sp.Expr) -> Fraction:
    """Return a SymPy rational as a fraction."""
    return Fraction(int(number.p), int(number.q))


def gamma_of(epsilon: Epsilon) -> sp.Expr:
    """Return exp(epsilon) exactly: a rational number, a root of one, or a power of e."""
    times = exact(epsilon.times)
    return sp.exp(times) if epsilon.kind == "rational" else exact(epsilon.base) ** times


def delta_of(slack: Delta) -> sp.Expr:
    """Return delta exactly: a rational number, or a power of e."""
    return sp.exp(exact(slack.exponent)) if slack.rational is None else exact(slack.rational)


def level_expression(epsilon: Epsilon) -> sp.Expr:
    """Return a privacy level in nats.

    >>> from rropt import log
    >>> sp.sympify(log("9/2")), sp.exp(log(3)), sp.Symbol("x") + log(2) / 2
    (log(9/2), 3, x + log(2)/2)
    """
    if epsilon.is_infinite:
        return sp.oo
    times = exact(epsilon.times)
    return times if epsilon.kind == "rational" else times * sp.log(exact(epsilon.base))


def real_expression(number: ExactReal) -> sp.Expr:
    """Return an exact real number as the sum of its terms ``c q^(i/b) e^r``."""
    root = exact(number.base) ** sp.Rational(1, number.root)
    terms = (exact(c) * root**i * sp.exp(exact(r)) for (i, r), c in number.terms.items())
    return sp.Add(*terms)


def matrix_of(mechanism: Any) -> sp.ImmutableMatrix:
    """Return the matrix of a mechanism with exact entries, as ``sympy.sympify`` returns it.

    >>> from rropt import Mechanism
    >>> sp.sympify(Mechanism("warner:3/4"))
    Matrix([
    [3/4, 1/4],
    [1/4, 3/4]])
    """
    return sp.ImmutableMatrix([exacts(row) for row in mechanism.matrix])


def printed_in_latex(number: Any, printer: Any, **options: Any) -> str:
    """Return the text of a number within an expression that SymPy writes in LaTeX."""
    return str(printer._print(sp.sympify(number), **options))


def interval_of(interval: Iterable[Fraction]) -> sp.Interval:
    """Return a confidence interval as a set of SymPy, with both endpoints."""
    return sp.Interval(*map(exact, interval))


def bounds_in_latex(bounds: Iterable[Fraction], printer: Any, **options: Any) -> str:
    """Return lower and upper bounds in LaTeX, as decimals; a number that is known exactly by itself."""
    low, high = bounds
    if low == high:
        return str(printer._print(exact(low), **options))
    for digits in (6, 15):
        ends = [decimal_outwards(end, up=is_upper, digits=digits) for end, is_upper in ((low, False), (high, True))]
        if ends[0] != ends[1]:
            break
    texts = [printer._print(sp.Float(text), **options) for text in ends]
    return rf"\left[{texts[0]}, {texts[1]}\right]"


def number_latex(number: Any) -> str:
    """Return a number in LaTeX, as notebooks show it."""
    return f"${sp.latex(number)}$"


def sign_of(expression: sp.Expr) -> int:
    """Return the sign of an expression without symbols; 0 also if it is smaller than 10^-400.

    Raises:
        ArithmeticError: the expression is no real number.
    """
    if expression.is_Rational:
        return int(expression.p > 0) - int(expression.p < 0)
    if expression.is_infinite and expression.is_extended_real:
        return 1 if expression.is_extended_positive else -1
    if sign := _sign_in_intervals(expression):
        return sign
    value = expression
    for digits in _MOST_DIGITS:
        value = expression.evalf(_DIGITS, maxn=digits)
        if not value.is_real:
            raise ArithmeticError(f"not a real number: {expression}")
        if abs(value) > sp.Float(10) ** (_DIGITS - digits):
            return 1 if value > 0 else -1
    if abs(value) <= _ZERO:
        return 0
    return 1 if value > 0 else -1


def _sign_in_intervals(expression: sp.Expr) -> int:
    """Return the sign of an expression if an interval shows that it is not 0; else 0, which shows nothing."""
    for bits in _BITS:
        with ctx.workprec(bits):
            try:
                found = number_at(expression, {})
            except (ArithmeticError, KeyError):  # a division by 0, a function without intervals, a symbol
                return 0
        if found > 0 or found < 0 or isinstance(found, fmpq):
            return int(found > 0) - int(found < 0)
    return 0


def number_text(number: sp.Expr) -> str:
    """Return an exact number as text if it is short, else its decimals."""
    text = str(number)
    return text if len(text) <= _LONGEST else str(sp.N(number, 12))
