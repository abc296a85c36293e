"""Rewriting an expression into one that intervals see through, on one cell, where both are the same function.

    sqrt(q^2) = |q|, (q^n)^(a/n) = q^a          exp(log q + f) = q exp(f), log(exp f) = f
    q^r q^s = q^(r+s), r, s > 0                 q sqrt(q) = q^(3/2)
    p^b = p^b(0) exp((b - b(0)) log p)          (1-p)^b in the same way, with b(1)
    1/(1 + c (1-p)/p) = p/(p + c (1-p))         0 f = 0, 1 f = f, f + 0 = f - 0 = f/1 = f, f - f = 0

with q rational. What would hide that f is not defined somewhere is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_poly, fmpz

from rropt.errors import InvalidParameterError
from rropt.privacy.parity_bounds.entropies import with_entropy
from rropt.privacy.parity_bounds.leaves import Composite, Leaf, Rational, constant_value
from rropt.privacy.parity_bounds.unit_cells import Cell, sign_cells
from rropt.tolerances import MAX_PIECE_DEGREE

__all__ = [
    "combined",
    "exponential",
    "fractional_power",
    "is_positive",
    "logarithm",
    "rational_power",
    "variable_power",
]

_ZERO, _ONE = Rational.constant(Fraction(0)), Rational.constant(Fraction(1))
_P, _Q = (Rational(fmpq_poly(line), fmpq_poly([1])) for line in ([0, 1], [1, -1]))


def combined(sign: str, left: Leaf, right: Leaf, cell: Cell) -> Leaf:
    """Return the sum, difference, product or quotient; a rational divisor has no zero in the cell."""
    if isinstance(left, Rational) and isinstance(right, Rational):
        return left.combined(sign, right)
    simple = _simple(sign, left, right, cell)
    if simple is not None:
        return simple
    if sign == "/" and not isinstance(right, Rational):
        times, cleared = _cleared_or_not(right, cell)
        if times.above(0) == 0 or times.above(1) == 0:  # 1/p or 1/(1-p) in the divisor: not seen to be 0 or more
            left, right = combined("*", times, left, cell), cleared
    if sign == "*":
        found = _one_power(left, right, cell) or with_entropy(left, right)
        if found is not None:
            return found
    return Composite(sign, (left, right))


def _one_power(left: Leaf, right: Leaf, cell: Cell) -> Leaf | None:
    """Return ``q^(r+s)`` for ``q^r`` and ``q^s``, q rational and r, s > 0."""
    first, second = _as_power(left), _as_power(right)
    if first is None or second is None or first[0] != second[0]:
        return None
    base, exponent = first[0], first[1] + second[1]
    if exponent.denominator > 1:
        return Composite("^", (base, Rational.constant(exponent)))
    if exponent > MAX_PIECE_DEGREE or any(sign < 0 for _, sign in sign_cells(base, cell)):
        return None
    try:
        return base.power(int(exponent))
    except InvalidParameterError:  # the degree is too high
        return None


def _as_power(leaf: Leaf) -> tuple[Rational, Fraction] | None:
    if isinstance(leaf, Rational):
        return leaf, Fraction(1)
    base = leaf.parts[0]
    exponent = Fraction(1, 2) if leaf.name == "sqrt" else constant_value(leaf.parts[1]) if leaf.name == "^" else None
    return (base, exponent) if isinstance(base, Rational) and exponent is not None and exponent > 0 else None


def _simple(sign: str, left: Leaf, right: Leaf, cell: Cell) -> Leaf | None:
    """Return the value where one side says nothing, or it is 0; ``None``: neither."""
    if (sign in "+-" and right == _ZERO) or (sign in "*/" and right == _ONE):
        return left
    if (sign == "+" and left == _ZERO) or (sign == "*" and left == _ONE):
        return right
    vanishes = (sign == "*" and _ZERO in (left, right)) or (sign == "-" and left == right)
    return _ZERO if vanishes and _is_defined(left, cell) and _is_defined(right, cell) else None


def _cleared_or_not(leaf: Leaf, cell: Cell) -> tuple[Rational, Leaf]:
    try:
        return _cleared(leaf, cell)
    except InvalidParameterError:  # the degree is too high
        return _ONE, leaf


def _cleared(leaf: Leaf, cell: Cell) -> tuple[Rational, Leaf]:
    """Return a polynomial d without zeros in the cell, and d times the function without that denominator."""
    if isinstance(leaf, Rational):
        return Rational(leaf.below, _ONE.below), Rational(leaf.above, _ONE.below)
    if leaf.name == "/" and isinstance(leaf.parts[1], Rational):
        times, above = _cleared(leaf.parts[0], cell)
        return times.combined("*", Rational(leaf.parts[1].above, _ONE.below)), combined(
            "*", Rational(leaf.parts[1].below, _ONE.below), above, cell
        )
    if leaf.name == "*":
        (d, f), (e, g) = (_cleared(part, cell) for part in leaf.parts)
        return d.combined("*", e), combined("*", f, g, cell)
    if leaf.name in ("+", "-"):
        (d, f), (e, g) = (_cleared(part, cell) for part in leaf.parts)
        if d == e:
            return d, combined(leaf.name, f, g, cell)
        return d.combined("*", e), combined(leaf.name, combined("*", e, f, cell), combined("*", d, g, cell), cell)
    return _ONE, leaf


def _is_defined(leaf: Leaf, cell: Cell) -> bool:
    """Return whether a function is proved to be defined on a cell, in simple cases."""
    if isinstance(leaf, Rational):
        return True
    if not all(_is_defined(part, cell) for part in leaf.parts):
        return False
    if leaf.name == "log":
        return is_positive(leaf.parts[0], cell) is True
    if leaf.name == "sqrt":
        return isinstance(leaf.parts[0], Rational) and all(sign >= 0 for _, sign in sign_cells(leaf.parts[0], cell))
    return leaf.name in ("+", "-", "*", "exp", "min", "max") or "entropy" in leaf.name


def is_positive(leaf: Leaf, cell: Cell) -> bool | None:
    """Return whether a function is positive on all of a cell; ``None``: not decided, since it is not rational."""
    if not isinstance(leaf, Rational):
        return None
    return all(sign > 0 for _, sign in sign_cells(leaf, cell))


def exponential(argument: Leaf, cell: Cell) -> Leaf:
    """Return ``exp(f)``; logarithms of positive rational functions in f become factors."""
    if argument == _ZERO:
        return _ONE
    try:
        factor, rest = _log_terms(argument, cell)
    except InvalidParameterError:  # the degree is too high
        factor, rest = _ONE, argument
    if factor == _ONE:
        return Composite("exp", (argument,))
    return factor if rest == _ZERO else combined("*", factor, Composite("exp", (rest,)), cell)


def _log_terms(leaf: Leaf, cell: Cell) -> tuple[Rational, Leaf]:
    """Return (q, f) with ``leaf = log q + f``, q rational and positive on the cell."""
    if isinstance(leaf, Rational):
        return _ONE, leaf
    if leaf.name == "log" and isinstance(leaf.parts[0], Rational) and is_positive(leaf.parts[0], cell):
        return leaf.parts[0], _ZERO
    if leaf.name in ("+", "-"):
        (q, f), (r, g) = (_log_terms(part, cell) for part in leaf.parts)
        if q == r == _ONE:
            return _ONE, leaf
        return q.combined("*" if leaf.name == "+" else "/", r), combined(leaf.name, f, g, cell)
    if leaf.name == "*":
        for times, other in (leaf.parts, leaf.parts[::-1]):
            whole = constant_value(times)
            if whole is not None and whole.denominator == 1:
                q, f = _log_terms(other, cell)
                return (_ONE, leaf) if q == _ONE else (q.power(int(whole)), combined("*", times, f, cell))
    return _ONE, leaf


def logarithm(argument: Leaf) -> Leaf:
    """Return ``log f``."""
    if isinstance(argument, Composite) and argument.name == "exp":
        return argument.parts[0]
    return _ZERO if argument == _ONE else Composite("log", (argument,))


def variable_power(base: Leaf, exponent: Leaf, cell: Cell) -> Leaf:
    """Return ``a^b = exp(b log a)``; for a = p or 1-p, 0 at the end c, ``a^b(c) exp((b - b(c)) log a)``."""
    log = logarithm(base)
    for end, u in ((0, _P), (1, _Q)):
        if base != u or not isinstance(exponent, Rational) or exponent.below(end) == 0:
            continue
        value = exponent.above(end) / exponent.below(end)
        there = Fraction(int(value.p), int(value.q))
        if 0 < there <= MAX_PIECE_DEGREE:
            constant = Rational.constant(there)
            power = u.power(int(there)) if there.denominator == 1 else Composite("^", (u, constant))
            rest = combined("*", exponent.combined("-", constant), log, cell)
            return combined("*", power, exponential(rest, cell), cell)
    return exponential(combined("*", exponent, log, cell), cell)


def fractional_power(base: Rational, exponent: Fraction, cell: Cell, plain: Leaf) -> Iterator[tuple[Cell, Leaf]]:
    """Cut a cell into parts where ``base^exponent`` is rational; ``plain`` on all of it when it is not.

    With exponent a/n in lowest terms and base = q^n >= 0 it is ``|q|^a``.
    """
    root = _root(base, exponent.denominator)
    top = exponent.numerator
    signs = [sign for _, sign in sign_cells(base, cell)]
    if (
        root is None
        or min(signs) < 0
        or (top < 0 and 0 in signs)
        or abs(top) * max(root.above.degree(), root.below.degree(), 1) > MAX_PIECE_DEGREE
    ):
        yield cell, plain
        return
    for part, sign in sign_cells(root, cell):
        size = _ZERO.combined("-", root) if sign < 0 else root
        yield part, size.power(top)


def _root(function: Rational, order: int) -> Rational | None:
    above, below = (_polynomial_root(polynomial, order) for polynomial in (function.above, function.below))
    return None if above is None or below is None else Rational.reduced(above, below)


def _polynomial_root(polynomial: Any, order: int) -> Any:
    """Return a polynomial over Q whose power is the given one, or ``None``."""
    if polynomial == 0:
        return polynomial
    content, factors = polynomial.numer().factor()
    root = rational_power(abs(Fraction(int(content), int(polynomial.denom()))), Fraction(1, order))
    if root is None or any(times % order for _, times in factors) or (content < 0 and order % 2 == 0):
        return None
    product = fmpq_poly([fmpq(root.numerator, root.denominator) * (1 if content > 0 else -1)])
    for factor, times in factors:
        product *= fmpq_poly(factor) ** (times // order)
    return product


def rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    """Return ``base^exponent``, base >= 0 (> 0 under a negative exponent), when it is seen to be rational."""
    if base in (0, 1):
        return base if exponent else Fraction(1)
    if abs(exponent.numerator) > MAX_PIECE_DEGREE:
        return None
    ends = []
    for whole in (base.numerator, base.denominator):
        root = int(fmpz(whole).root(exponent.denominator))
        if root**exponent.denominator != whole:
            return None
        ends.append(root)
    return Fraction(*ends) ** exponent.numerator
