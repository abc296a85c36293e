"""Normal forms of an expression on one cell, by rules that do not change the function.

    sqrt(q^2) = |q|, (q^n)^(a/n) = q^a          q^r q^s = q^(r+s), r, s > 0         (q^r)^s = q^(r s)
    exp(r log q + f) = q^r exp(f)               log(exp f) = f                      a^b = exp(b log a)
    1 f = f, f + 0 = f - 0 = f/1 = f            a f + b f = (a + b) f               q - (q - f) = f

with q a rational function and a, b, r, s rational numbers, except for a and b in ``a^b``, which are functions.
Simplifications that would hide that f is undefined somewhere are not made.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb, fmpq, fmpq_poly, fmpz

from rropt.core.errors import InvalidParameterError
from rropt.privacy.bound.functions import (
    MAX_PIECE_DEGREE,
    ONE,
    ZERO,
    Cell,
    Composite,
    Leaf,
    Rational,
    constant_value,
    parts_of,
    sign_cells,
    value_ball,
)


def combined(sign: str, left: Leaf, right: Leaf, cell: Cell) -> Leaf:
    """Return the sum, difference, product or quotient of two functions; a rational divisor has no zero in the cell."""
    if isinstance(left, Rational) and isinstance(right, Rational):
        return left.combined(sign, right)
    found = _simple(sign, left, right, cell) or (_one_power(left, right, cell) if sign == "*" else None)
    return Composite(sign, (left, right)) if found is None else found


def applied_function(name: str, argument: Leaf, cell: Cell) -> Leaf:
    """Return ``exp``, ``log`` or ``sqrt`` of a function."""
    if argument == (ZERO if name == "exp" else ONE):
        return ONE if name != "log" else ZERO
    if isinstance(argument, Composite) and (name, argument.name) == ("log", "exp"):
        return argument.parts[0]
    plain = Composite(name, (argument,))
    if name == "sqrt" and isinstance(argument, Composite):
        return power_of(argument, Fraction(1, 2), plain, cell)
    factor, rest = _log_terms(argument, cell) if name == "exp" else (ONE, argument)
    if factor == ONE:
        return plain
    return factor if rest == ZERO else combined("*", factor, applied_function("exp", rest, cell), cell)


def power_of(base: Composite, exponent: Fraction, plain: Composite, cell: Cell) -> Leaf:
    """Return ``base^exponent``, or ``plain`` if no simpler form is known."""
    known = _as_power(base) if exponent > 0 else None
    return plain if known is None else _power(known[0], known[1] * exponent, cell) or plain


def _power(base: Rational, exponent: Fraction, cell: Cell) -> Leaf | None:
    """Return a power with an exponent > 0 of a base >= 0; ``None`` if it is not >= 0 or the degree is too high."""
    if any(sign < 0 for _, sign in sign_cells(base, cell)):
        return None
    if exponent.denominator > 1:
        return Composite("^", (base, Rational.constant(exponent)))
    degree = max(base.above.degree(), base.below.degree(), 1)
    return base.power(int(exponent)) if exponent * degree <= MAX_PIECE_DEGREE else None


def _one_power(left: Leaf, right: Leaf, cell: Cell) -> Leaf | None:
    """Return ``q^(r+s)`` for ``q^r`` and ``q^s``, q rational and r, s > 0."""
    first, second = _as_power(left), _as_power(right)
    if first is None or second is None or first[0] != second[0]:
        return None
    return _power(first[0], first[1] + second[1], cell)


def _as_power(leaf: Leaf) -> tuple[Rational, Fraction] | None:
    if isinstance(leaf, Rational):
        return leaf, Fraction(1)
    base = leaf.parts[0]
    exponent = Fraction(1, 2) if leaf.name == "sqrt" else constant_value(leaf.parts[1]) if leaf.name == "^" else None
    return (base, exponent) if isinstance(base, Rational) and exponent is not None and exponent > 0 else None


def _simple(sign: str, left: Leaf, right: Leaf, cell: Cell) -> Leaf | None:
    """Return a simplified sum, difference, product or quotient; ``None`` if no rule applies."""
    if (sign in "+-" and right == ZERO) or (sign in "*/" and right == ONE):
        return left
    if (sign == "+" and left == ZERO) or (sign == "*" and left == ONE):
        return right
    if sign == "-" and isinstance(left, Rational) and isinstance(right, Composite) and right.parts[0] == left:
        return right.parts[1] if right.name == "-" else None
    (a, f), (b, g) = _multiple(left), _multiple(right)
    factor = a + b if sign == "+" else a - b
    # terms that cancel are kept: removing them would hide that f is undefined somewhere
    return combined("*", Rational.constant(factor), f, cell) if sign in "+-" and f == g and factor else None


def _multiple(leaf: Leaf) -> tuple[Fraction, Leaf]:
    """Return (c, f) with ``leaf = c f`` and a rational number c."""
    if isinstance(leaf, Composite) and leaf.name in ("*", "/"):
        first, second = (constant_value(part) for part in leaf.parts)
        if second:
            return (second if leaf.name == "*" else 1 / second), leaf.parts[0]
        if first and leaf.name == "*":
            return first, leaf.parts[1]
    return Fraction(1), leaf


def is_positive(leaf: Leaf, cell: Cell) -> bool | None:
    """Return whether a function is positive on the whole cell; ``None``: its form does not decide this."""
    if isinstance(leaf, Rational):
        return all(sign > 0 for _, sign in sign_cells(leaf, cell))
    if all(isinstance(part, Composite) or constant_value(part) is not None for part in parts_of(leaf)):
        return bool(value_ball(leaf, arb(1)) > 0) or None
    if leaf.name in ("-", "log"):
        return None
    parts = leaf.parts[:1] if leaf.name == "^" else leaf.parts
    return leaf.name == "exp" or all(is_positive(part, cell) for part in parts) or None


def _log_terms(leaf: Leaf, cell: Cell) -> tuple[Leaf, Leaf]:
    """Return (q, f) with ``leaf = log q + f``, where q > 0 is a power, a product of powers, or known to be positive."""
    if isinstance(leaf, Rational):
        return ONE, leaf
    if leaf.name == "log" and is_positive(leaf.parts[0], cell):
        return leaf.parts[0], ZERO
    if leaf.name in ("+", "-"):
        (q, f), (r, g) = (_log_terms(part, cell) for part in leaf.parts)
        if q == r == ONE:
            return ONE, leaf
        return combined("*" if leaf.name == "+" else "/", q, r, cell), combined(leaf.name, f, g, cell)
    for times, other in (leaf.parts, leaf.parts[::-1]) if leaf.name in ("*", "/") else ():
        number = constant_value(times)
        if number and leaf.name == "/":
            number = 1 / number if times is leaf.parts[1] else None
        known = _as_power(_log_terms(other, cell)[0]) if number and number > 0 else None
        joined = _power(known[0], known[1] * number, cell) if known and known[0] != ONE and number else None
        if joined is not None:
            return joined, combined(leaf.name, _log_terms(other, cell)[1], times, cell)
    return ONE, leaf


def fractional_power(base: Rational, exponent: Fraction, cell: Cell, plain: Leaf) -> Iterator[tuple[Cell, Leaf]]:
    """Split a cell into parts on which ``base^exponent`` is rational; ``plain`` on the cell if it has no such part.

    Let the exponent be a/n in lowest terms. If base = q^n >= 0, then the power is ``|q|^a``.
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
        size = ZERO.combined("-", root) if sign < 0 else root
        yield part, size.power(top)


def _root(function: Rational, order: int) -> Rational | None:
    above, below = (_polynomial_root(polynomial, order) for polynomial in (function.above, function.below))
    return None if above is None or below is None else Rational.reduced(above, below)


def _polynomial_root(polynomial: Any, order: int) -> Any:
    """Return a polynomial over Q with the given polynomial as its ``order``-th power, or ``None``."""
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
    """Return ``base^exponent``, base >= 0 (> 0 for a negative exponent), if it is known to be rational, else None."""
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


def require_defined(leaf: Leaf, cell: Cell) -> None:
    """Reject a negative rational argument of a root, power or logarithm on a cell, and 0 under a logarithm."""
    for part in parts_of(leaf):
        argument = _partial_argument(part)
        if isinstance(part, Rational) or not isinstance(argument, Rational):
            continue
        for inner, sign in sign_cells(argument, cell):
            if sign < 0 or (sign == 0 and part.name == "log"):
                what = {"sqrt": "the root", "log": "the logarithm"}.get(part.name, "a power")
                point = inner.sample()
                raise InvalidParameterError(
                    f"the expression is not defined inside (0, 1): {what} of {argument.value(point)} at p = {point}; "
                    "give a function defined for 0 < p < 1"
                )


def has_partial_function(leaf: Leaf) -> bool:
    """Return whether a function has a partial operation with a non-rational argument, so its domain needs a proof."""
    divisors = (part.parts[1] for part in parts_of(leaf) if isinstance(part, Composite) and part.name == "/")
    arguments = (_partial_argument(part) for part in parts_of(leaf))
    return any(isinstance(argument, Composite) for argument in (*divisors, *arguments))


def _partial_argument(leaf: Leaf) -> Leaf | None:
    """Return the argument of a root, a logarithm, or a power with a non-integer or negative exponent; else ``None``."""
    if not isinstance(leaf, Composite) or leaf.name not in ("sqrt", "log", "^"):
        return None
    exponent = constant_value(leaf.parts[1]) if leaf.name == "^" else None
    return leaf.parts[0] if exponent is None or exponent.denominator > 1 or exponent < 0 else None
