"""Sums ``c_1 t_1 + c_2 t_2 + ...`` of logarithms and roots t_i with coefficients in QQ(gamma, delta), and their signs.

Conditions of optimality of a sum over outputs are such numbers. The terms are 1, logarithms of irreducible polynomials
and of primes, and products of fractional powers of them, so that a sum is 0 at all levels if all its coefficients are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, arb_mat, ctx, fmpq

from rropt.symbolic.balls import enclosed
from rropt.symbolic.fields import Field, value_of

_FACTORED = 10**5  # prime factors of a number that are sought
_SHORT = 64  # bits of a number whose large prime factors are sought too
_BITS = (192, 768, 3072)
ONE = sp.Integer(1)


@dataclass(frozen=True)
class Sum:
    """An element of the field for each term.

    Attributes:
        parts: the coefficients, which are not 0, by term.
    """

    parts: Mapping[sp.Expr, Any] = field(default_factory=dict)

    def __add__(self, other: Sum) -> Sum:
        found = dict(self.parts)
        for term, own in other.parts.items():
            found[term] = found[term] + own if term in found else own
        return Sum({term: own for term, own in found.items() if own})

    def __sub__(self, other: Sum) -> Sum:
        return self + other.times(-1)

    def times(self, factor: Any) -> Sum:
        """Return the product with an element of the field."""
        return Sum({term: own * factor for term, own in self.parts.items()} if factor else {})

    @property
    def is_rational(self) -> bool:
        """Whether it has no logarithm and no root."""
        return all(term == ONE for term in self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)


class Balls:
    """Real numbers as intervals, in the place of a field; the precision is that of ``flint.ctx``."""

    symbols = ()
    one, zero = arb(1), arb(0)

    def __call__(self, expression: Any) -> arb:
        """Return an interval that contains an expression."""
        return enclosed(sp.sympify(expression), {})

    @staticmethod
    def all_solved(rows: Sequence[Sequence[arb]], right: Sequence[Sequence[arb]]) -> list[list[arb]]:
        """Return X with ``rows X = right``, for a square matrix.

        Raises:
            ZeroDivisionError: it may be singular.
        """
        own, sides = (arb_mat([list(row) for row in each]) for each in (rows, right))
        found: list[list[arb]] = own.solve(sides).tolist()
        return found


ZERO = Sum()


def plain(element: Any) -> Sum:
    """Return an element of the field as a sum."""
    return Sum({ONE: element} if element else {})


def total(sums: Iterable[Sum]) -> Sum:
    """Return the sum of sums."""
    found = ZERO
    for each in sums:
        found = found + each
    return found


def _factors(own: Field, element: Any) -> list[tuple[sp.Expr, int]]:
    """Return a positive element as a product of powers of primes and of irreducible polynomials.

    Its numerator and denominator have no root above 0, since they are sums of positive powers of gamma.
    """
    if not own.symbols:
        return _primes(element, 1)
    found: list[tuple[sp.Expr, int]] = []
    for part, sign in ((element.numer, 1), (element.denom, -1)):
        number, factors = part.factor_list()
        for one, power in factors:
            expression: sp.Expr = one.as_expr()
            is_negative = expression.xreplace(own.values).evalf(30) < 0
            found.append((-expression if is_negative else expression, sign * power))
        found += _primes(number, sign)
    return found


def _primes(number: Any, sign: int) -> list[tuple[sp.Expr, int]]:
    """Return the absolute value of a rational number as a product of powers of primes, or of large composites."""
    found = []
    for piece, side in ((abs(int(number.numerator)), 1), (int(number.denominator), -1)):
        is_short = piece.bit_length() <= _SHORT  # Pollard's methods would search for minutes in a longer one
        primes = sp.factorint(piece, _FACTORED, use_rho=is_short, use_pm1=is_short, use_ecm=False) if piece > 1 else {}
        found += [(sp.Integer(prime), sign * side * int(power)) for prime, power in primes.items()]
    return found


def is_zero(element: Any) -> bool:
    """Return whether an element of the field is 0; an interval is, if it is the number 0."""
    return bool(element == 0) if isinstance(element, arb) else not element


def logarithm(own: Any, element: Any) -> Sum:
    """Return the logarithm of a positive element."""
    if isinstance(own, Balls):
        return Sum({ONE: element.log()})
    return total(Sum({_log(each): own.one * power}) for each, power in _factors(own, element))


def _log(factor: sp.Expr) -> sp.Expr:
    """Return the logarithm of a prime or of an irreducible polynomial, which is looked up: SymPy evaluates none."""
    return sp.log(factor, evaluate=not factor.is_Add)


def product(own: Any, *powers: tuple[Any, Fraction]) -> Sum:
    """Return the product of rational powers of positive elements."""
    if isinstance(own, Balls):
        logs = (element.log() * fmpq(power.numerator, power.denominator) for element, power in powers)
        return Sum({ONE: sum(logs, arb(0)).exp()})
    exponents: dict[sp.Expr, Fraction] = {}
    for element, power in powers:
        for each, times in _factors(own, element):
            exponents[each] = exponents.get(each, Fraction(0)) + times * power
    coefficient, term = own.one, ONE
    for each, exponent in exponents.items():
        whole = exponent.numerator // exponent.denominator
        coefficient *= own(each) ** whole if whole >= 0 else own.one / own(each) ** -whole
        rest = exponent - whole
        if rest:
            term *= each ** sp.Rational(rest.numerator, rest.denominator)
    return Sum({term: coefficient})


def solved_sums(own: Field, rows: Sequence[Sequence[Any]], right: Sequence[Sum]) -> list[Sum]:
    """Return x with ``rows x = right`` for sums, term by term."""
    terms = list({term: None for each in right for term in each.parts})
    if not terms:
        return [ZERO] * len(right)
    found = own.all_solved(rows, [[each.parts.get(term, own.zero) for term in terms] for each in right])
    return [Sum({term: x for term, x in zip(terms, line, strict=True) if x}) for line in found]


class At:
    """Exact values and signs of sums at the level of a field, or at a value of gamma.

    Args:
        own: the field.
    """

    def __init__(self, own: Field) -> None:
        self.own = own
        self._kept: dict[tuple[sp.Expr, int], Any] = {}

    def rational(self, element: Any) -> fmpq:
        """Return the value of an element, at a rational level."""
        if not self.own.symbols:
            return fmpq(int(element.numerator), int(element.denominator))
        value = value_of(element.numer, self.own.numbers or ()) / value_of(element.denom, self.own.numbers or ())
        return fmpq(int(value.numerator), int(value.denominator))

    @property
    def is_rational(self) -> bool:
        """Whether the level is rational."""
        return self.own.numbers is not None or not self.own.symbols

    def ball(self, number: Sum, bits: int) -> arb:
        """Return an interval that contains the value of a sum."""
        with ctx.workprec(bits):
            found = arb(0)
            for term, own in number.parts.items():
                exact = self.rational(own) if self.is_rational else None
                coefficient = arb(exact) if exact is not None else self._value(self.own.domain.to_sympy(own), bits)
                found += coefficient if term == ONE else coefficient * self._value(term, bits)
            return found

    def _value(self, expression: sp.Expr, bits: int) -> arb:
        key = (expression, bits)
        if key not in self._kept:
            self._kept[key] = enclosed(expression, {s: enclosed(v, {}) for s, v in self.own.values.items()})
        return self._kept[key]

    def sign(self, number: Sum) -> int:
        """Return the sign of a sum; 0 also if it is smaller than about 10^-900."""
        if not number:
            return 0
        if self.is_rational and number.is_rational:
            value = self.rational(number.parts[ONE])
            return int(value > 0) - int(value < 0)
        for bits in _BITS:
            found = self.ball(number, bits)
            if found > 0:
                return 1
            if found < 0:
                return -1
        return 0

    def expression(self, number: Sum) -> sp.Expr:
        """Return the exact value as an expression."""
        return sp.Add(*(self.own.at(own) * term.xreplace(self.own.values) for term, own in number.parts.items()))


def absolute(own: Any, element: Any) -> Any:
    """Return the absolute value of an element at the level."""
    if isinstance(own, Balls):
        return abs(element)
    return element if At(own).sign(plain(element)) >= 0 else -element


def expression_of(own: Field, number: Sum, factor: Callable[[Any], sp.Expr] | None = None) -> sp.Expr:
    """Return a sum as an expression with factored coefficients."""
    return sp.Add(*((factor or own.expression)(each) * term for term, each in number.parts.items()))
