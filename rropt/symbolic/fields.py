"""The field QQ(gamma, delta, ...) with a level: exact signs, linear systems, and where elements are nonnegative.

Every closed form of this package is an element of such a field, or a sum of logarithms with elements as coefficients
(``sums``). An element is a quotient of polynomials; nothing is rounded, and no sign is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq, fmpz_poly
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

from rropt.core.errors import RouteDisagreementError
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.core.visible import with_noun
from rropt.symbolic.balls import enclosed
from rropt.symbolic.symbols import exact, sign_of

_BITS = (128, 512, 2048)  # of the intervals in which a sign is sought
_LARGEST_DEGREE = 40  # of a polynomial whose roots are isolated
_ROOT_BITS = 200  # of the intervals of roots; those that overlap are compared exactly
_FREE = 10**6  # largest denominator of a free unknown


_SINGULAR = "SymPy: the tight conditions, or the rows with weight, determine no vertex: their matrix is singular"


class ProofRefusedError(RouteDisagreementError):
    """The tight conditions that CVXPY found are no optimal vertex of the problem in symbols."""


class NoVertexError(ProofRefusedError):
    """The tight conditions that CVXPY found determine no vertex: their matrix is singular."""


class Field:
    """The field QQ(symbols) with the values of the symbols at the level of a problem.

    Args:
        values: the symbols with their exact values; without symbols the field is QQ.
        level: without symbols, a rational gamma.

    Attributes:
        gamma: gamma as an element: the first symbol, or its number.
        values: the same, as SymPy numbers.
        symbols: the symbols.
        domain: the field as a domain of SymPy.
        one, zero: 1 and 0.
        numbers: the values as rationals of the polynomials; None if one is irrational, or there is no symbol.
    """

    def __init__(self, values: Mapping[sp.Symbol, sp.Expr], level: sp.Rational | None = None) -> None:
        self.values = {symbol: sp.sympify(value) for symbol, value in values.items()}
        self.symbols = tuple(values)
        self.domain: Any = sp.ZZ.frac_field(*self.symbols) if values else sp.QQ  # quotients of whole polynomials
        self.one, self.zero = self.domain.one, self.domain.zero
        self.gamma: Any = self.domain.gens[0] if values else None if level is None else self.domain.from_sympy(level)
        is_rational = bool(values) and all(number.is_Rational for number in self.values.values())
        self.numbers = [sp.QQ(int(x.p), int(x.q)) for x in self.values.values()] if is_rational else None

    def __call__(self, expression: Any) -> Any:
        """Return an expression or an exact number as an element."""
        return self.domain.from_sympy(sp.sympify(exact(expression) if isinstance(expression, Fraction) else expression))

    def expression(self, element: Any) -> sp.Expr:
        """Return an element as a factored expression."""
        return sp.factor(self.domain.to_sympy(element))

    def at(self, element: Any) -> sp.Expr:
        """Return the exact value of an element at the level."""
        return self.domain.to_sympy(element).xreplace(self.values)

    def fraction(self, element: Any) -> Fraction | None:
        """Return the value of an element at the level if the level is rational, else None."""
        if not self.symbols:
            return _fraction(element)
        if self.numbers is None:
            return None
        return _fraction(value_of(element.numer, self.numbers) / value_of(element.denom, self.numbers))

    def at_last(self, element: Any, number: sp.Rational) -> Any:
        """Return an element with a rational number in place of the last symbol, in the field of the other symbols."""
        value = sp.QQ(int(number.p), int(number.q))
        rational = element.numer.ring.clone(domain=sp.QQ)
        above, below = (
            part.set_ring(rational).evaluate(len(self.symbols) - 1, value) for part in (element.numer, element.denom)
        )
        rest = sp.QQ.frac_field(*self.symbols[:-1])
        return sp.ZZ.frac_field(*self.symbols[:-1]).convert(rest.field.new(above, below), rest)

    def sign(self, element: Any) -> int:
        """Return the sign of an element at the level: in fractions, else in intervals, else exactly by SymPy."""
        if not element:
            return 0
        value = self.fraction(element)
        if value is not None:
            return (value > 0) - (value < 0)
        for bits in _BITS:
            with ctx.workprec(bits):
                point = [enclosed(value, {}) for value in self.values.values()]
                signs = [_sign(_ball(part, point)) for part in (element.numer, element.denom)]
            if all(signs):
                return signs[0] * signs[1]
        return sign_of(self.at(element))

    def summed(self, products: Iterable[tuple[Any, Any]]) -> Any:
        """Return the sum of products: terms with the same denominator are added before fractions are reduced."""
        if not self.symbols:
            return sum((a * b for a, b in products), self.zero)
        above: dict[Any, Any] = {}
        for a, b in products:
            if a and b:
                below, own = a.denom * b.denom, a.numer * b.numer
                above[below] = above[below] + own if below in above else own
        if len(self.symbols) > 1:
            return sum((self.domain.field.new(own, below) for below, own in above.items()), self.zero)
        total, unit = fmpz_poly([0]), fmpz_poly([1])
        for below, own in above.items():
            part = _flint(below)
            common = unit.gcd(part)
            total = total * (part // common) + _flint(own) * (unit // common)
            unit *= part // common
        return self._quotient(total, unit)

    def _quotient(self, above: fmpz_poly, below: fmpz_poly) -> Any:
        """Return a quotient of polynomials of FLINT in the one symbol as an element, in lowest terms."""
        common = above.gcd(below) * (1 if below[below.degree()] > 0 else -1)
        own = self.domain.field
        return own.raw_new(*(_polynomial(part // common, own.ring) for part in (above, below)))

    def ball(self, element: Any, bits: int) -> arb | None:
        """Return an interval that contains the value of an element at the level; None if its denominator may be 0."""
        with ctx.workprec(bits):
            point = [enclosed(value, {}) for value in self.values.values()]
            above, below = (_ball(part, point) for part in (element.numer, element.denom))
            return None if _sign(below) == 0 else above / below

    # --- linear systems -----------------------------------------------------------------------------------------------

    def matrix(self, rows: Sequence[Sequence[Any]]) -> DomainMatrix:
        """Return a matrix over the field."""
        return DomainMatrix([list(row) for row in rows], (len(rows), len(rows[0])), self.domain)

    def solved(self, rows: Sequence[Sequence[Any]], right: Sequence[Any]) -> list[Any]:
        """Return x with ``rows x = right``, for a square matrix.

        Raises:
            ProofRefusedError: it is singular.
        """
        return [line[0] for line in self.all_solved(rows, [[x] for x in right])]

    def all_solved(self, rows: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return X with ``rows X = right``, for a square matrix and several right sides.

        Raises:
            ProofRefusedError: it is singular.
        """
        if not rows:
            return []
        if not self.symbols:
            return self._fractions_solved(rows, right)
        try:
            found = self.matrix(rows).to_sparse().lu_solve(self.matrix(right).to_sparse())
        except DMNonInvertibleMatrixError:
            raise NoVertexError(_SINGULAR) from None
        return list(found.to_dense().to_list())

    def determinant(self, rows: Sequence[Sequence[Any]]) -> Any:
        """Return the determinant, computed over the polynomials: no fraction is reduced before the end."""
        if not self.symbols:
            return self.matrix(rows).det()
        unit, polynomials = self.matrix(rows).clear_denoms(convert=True)
        ring = polynomials.domain
        return self.domain.convert(polynomials.det(), ring) / self.domain.convert(unit.element, ring) ** len(rows)

    def inverse(self, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return the inverse of a matrix, computed over the polynomials.

        Raises:
            NoVertexError: it is singular.
        """
        try:
            if not self.symbols:
                return list(self.matrix(rows).inv().to_list())
            if len(self.symbols) == 1:
                return self._inverse_by_flint(rows)
            unit, polynomials = self.matrix(rows).clear_denoms(convert=True)
            adjugate, below = polynomials.inv_den()
        except DMNonInvertibleMatrixError:
            raise NoVertexError(_SINGULAR) from None
        ring = polynomials.domain
        factor = self.domain.convert(unit.element, ring) / self.domain.convert(below, ring)
        return [[self.domain.convert(x, ring) * factor for x in line] for line in adjugate.to_list()]

    def _inverse_by_flint(self, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return the inverse of a matrix in one symbol, by elimination without fractions (Bareiss)."""
        n, unit = len(rows), fmpz_poly([1])
        for x in (x for row in rows for x in row):
            below = _flint(x.denom)
            unit *= below // unit.gcd(below)
        lines = [
            [*(_flint(x.numer) * (unit // _flint(x.denom)) for x in row), *(fmpz_poly([int(i == j)]) for j in range(n))]
            for i, row in enumerate(rows)
        ]
        before = fmpz_poly([1])
        for c in range(n):
            pivot = next((i for i in range(c, n) if lines[i][c]), None)
            if pivot is None:
                raise NoVertexError(_SINGULAR)
            lines[c], lines[pivot] = lines[pivot], lines[c]
            own = lines[c]
            for i in range(n):
                if i != c:
                    other = lines[i]
                    lines[i] = [(own[c] * x - other[c] * y) // before for x, y in zip(other, own, strict=True)]
            before = own[c]
        return [[self._quotient(unit * x, before) for x in line[n:]] for line in lines]

    def _fractions_solved(self, rows: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """Return the same over QQ, by FLINT: SymPy takes 50 times as long for 50 unknowns."""
        own, sides = (flint_matrix([[_fraction(x) for x in row] for row in each]) for each in (rows, right))
        try:
            found = own.solve(sides)
        except ZeroDivisionError:
            raise NoVertexError(_SINGULAR) from None
        return [[self.domain(x.numerator, x.denominator) for x in row] for row in fractions_of(found)]

    def solve(
        self, A: Sequence[Sequence[Any]], b: Sequence[Any], guess: Sequence[float]
    ) -> tuple[list[Any], int] | None:
        """Return a solution of ``A x = b`` and the number of free unknowns, which are near the guess; None without one.

        Args:
            A: the rows of the matrix, which need not be square.
            b: the right side.
            guess: what free unknowns are rounded from, to six decimals.
        """
        n = len(A[0])
        reduced, pivots = self.matrix([[*row, x] for row, x in zip(A, b, strict=True)]).to_sparse().rref()
        if n in pivots:
            return None
        lines = reduced.to_dense().to_list()
        found: list[Any] = [None] * n
        for j in range(n):
            if j not in pivots:
                found[j] = self(Fraction(guess[j]).limit_denominator(_FREE))
        for line, pivot in zip(lines, pivots, strict=False):
            rest = (line[j] * found[j] for j in range(n) if j not in pivots and line[j])
            found[pivot] = line[n] - sum(rest, self.zero)
        return found, n - len(pivots)


# --- where elements are nonnegative -----------------------------------------------------------------------------------


def region(field: Field, conditions: Sequence[Any]) -> Any:
    """Return where elements that are nonnegative at the level stay nonnegative, as a SymPy relation.

    With one symbol it is the interval around the level, whose ends are exact; with several it is a conjunction of the
    signs of irreducible polynomials (sufficient: where all of them keep their signs).
    """
    if not field.symbols:
        return sp.true
    if len(field.symbols) == 1:
        return interval(field, [element for element in conditions if element])
    factors: dict[Any, int] = {}
    for element in conditions:
        for factor, power in factors_of(element) if element else ():
            if power % 2:
                factors.setdefault(factor, sign_of(factor.xreplace(field.values)))
    relations = [
        sp.Eq(factor, 0) if sign == 0 else sp.Ge(factor * sign, 0)
        for factor, sign in factors.items()
        if not _is_positive_everywhere(factor * (sign or 1), field.symbols)
    ]
    return sp.And(*(sp.Ge(symbol, 1) for symbol in field.symbols if symbol.name.startswith("gamma")), *relations)


def factors_of(element: Any) -> list[tuple[sp.Expr, int]]:
    """Return the irreducible factors of an element with their powers, those of the denominator included."""
    return [(each.as_expr(), power) for part in (element.numer, element.denom) for each, power in part.factor_list()[1]]


def _is_positive_everywhere(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> bool:
    """Return whether a polynomial has nonnegative coefficients in ``gamma - 1`` and the other symbols."""
    moved = expression.xreplace({s: s + 1 for s in symbols if s.name.startswith("gamma")})
    return all(c >= 0 for c in sp.Poly(moved, *symbols).coeffs())


def interval(field: Field, conditions: Sequence[Any]) -> Any:
    """Return as a relation the interval of the first symbol in which each element stays nonnegative.

    The other symbols have their values at the level. An end at which a denominator is 0 is no part of it.
    """
    symbol = field.symbols[0]
    low, high = ends(field, conditions)
    is_open = [is_pole(field, conditions, end) for end in (low, high)]
    lower = (sp.Gt if is_open[0] else sp.Ge)(symbol, low)
    return sp.And(lower, *([] if high is sp.oo else [(sp.Lt if is_open[1] else sp.Le)(symbol, high)]))


def is_pole(field: Field, conditions: Sequence[Any], end: sp.Expr) -> bool:
    """Return whether a denominator of some elements is 0 where the first symbol has a value."""
    if end is sp.oo:
        return False
    point = {**field.values, field.symbols[0]: end}
    denominators = {factor for element in conditions for factor, _ in _parts(element.denom)}
    return any(sign_of(factor.xreplace(point)) == 0 for factor in denominators)


def _parts(polynomial: Any) -> list[tuple[sp.Expr, int]]:
    return [(each.as_expr(), power) for each, power in polynomial.factor_list()[1]]


def ends(field: Field, conditions: Sequence[Any]) -> tuple[sp.Expr, sp.Expr]:
    """Return the ends of the interval of the first symbol around its value in which each element stays nonnegative.

    The other symbols have their values at the level. If a polynomial has too high a degree, or irrational coefficients,
    its roots are not isolated: both ends are the level.
    """
    symbol, others = field.symbols[0], dict(list(field.values.items())[1:])
    at, least = field.values[symbol], sp.Integer(1) if symbol.name.startswith("gamma") else sp.Integer(0)
    level, low, high = _Point.of(at), _Point.of(least), None
    known: dict[sp.Expr, list[tuple[_Point, int]]] = {}  # factor -> its roots, each with the side of the level
    for element in conditions:
        factors = [
            (own, power)
            for factor, power in factors_of(element)
            if power % 2 and (own := factor.xreplace(others)).has(symbol)
        ]
        for factor, _ in factors:
            if factor not in known:
                polynomial = sp.Poly(factor, symbol)
                if polynomial.degree() > _LARGEST_DEGREE or not all(x.is_Rational for x in polynomial.all_coeffs()):
                    return at, at
                known[factor] = [(root, root.beside(level)) for root in _roots(polynomial)]
            for root, side in known[factor]:
                if side < 0 and root.beside(low) > 0:
                    low = root
                if side > 0 and (high is None or root.beside(high) < 0):
                    high = root
        if field.sign(element) == 0:  # the level is an end: on which side is the element nonnegative?
            left, right = _signs_beside(field, element, at, others)
            low, high = (level if left < 0 else low), (level if right < 0 else high)
    return low.exact(), sp.oo if high is None else high.exact()


class _Point:
    """A value of a symbol: an interval that holds it, and a function that returns the exact number, slowly."""

    def __init__(self, ball: arb, exact: Callable[[], sp.Expr]) -> None:
        self.ball, self.exact = ball, exact

    @classmethod
    def of(cls, number: sp.Expr) -> _Point:
        """Return the point of a number; an irrational one has no interval."""
        with ctx.workprec(_ROOT_BITS):
            ball = arb(fmpq(int(number.p), int(number.q))) if number.is_Rational else arb("nan")
        return cls(ball, lambda: number)

    def beside(self, other: _Point) -> int:
        """Return the sign of the difference from another point; numbers that their intervals cannot tell are exact."""
        if self.ball > other.ball or self.ball < other.ball:
            return 1 if self.ball > other.ball else -1
        return sign_of(self.exact() - other.exact())


def _roots(polynomial: sp.Poly) -> list[_Point]:
    """Return the real roots of an irreducible polynomial with rational coefficients in increasing order."""
    whole = polynomial.clear_denoms(convert=True)[1]
    with ctx.workprec(_ROOT_BITS):
        found = fmpz_poly([int(each) for each in reversed(whole.all_coeffs())]).complex_roots()
        balls = sorted((root.real for root, _ in found if root.imag == 0), key=lambda ball: ball.mid().fmpq())

    @cache
    def all_exact() -> list[sp.Expr]:
        roots = list(polynomial.real_roots(radicals=polynomial.degree() <= 2))
        if len(roots) != len(balls):
            exact, enclosed = with_noun(len(roots), "exact real root"), with_noun(len(balls), "interval")
            raise RouteDisagreementError(f"{exact} of {polynomial}, and {enclosed} around roots")
        return roots

    def exact_root(place: int) -> Callable[[], sp.Expr]:
        return lambda: all_exact()[place]

    return [_Point(ball, exact_root(place)) for place, ball in enumerate(balls)]


def _signs_beside(field: Field, element: Any, at: sp.Expr, others: Mapping[sp.Symbol, sp.Expr]) -> tuple[int, int]:
    """Return the signs of an element that is 0 at the level just below the level and just above it."""
    symbol, left, right = field.symbols[0], 1, 1
    for part in (element.numer, element.denom):
        constant = sp.sympify(part.factor_list()[0])
        left, right = left * sign_of(constant), right * sign_of(constant)
        for factor, power in _parts(part):
            own = sp.expand(factor.xreplace(others))
            order, slope = 0, own
            while sign_of(slope.xreplace({symbol: at})) == 0:
                order, slope = order + 1, sp.diff(slope, symbol)
                if slope == 0:  # it is 0 wherever delta has this value
                    return 0, 0
            sign = sign_of(slope.xreplace({symbol: at}))
            right *= sign**power
            left *= (sign * (-1) ** order) ** power
    return left, right


def _ball(polynomial: Any, point: Sequence[Any]) -> Any:
    total = arb(0)
    for powers, coefficient in polynomial.terms():
        term = arb(fmpq(int(coefficient.numerator), int(coefficient.denominator)))
        for power, x in zip(powers, point, strict=True):
            term *= x**power
        total += term
    return total


def _flint(polynomial: Any) -> fmpz_poly:
    """Return a polynomial in one symbol as a polynomial of FLINT."""
    found = [0] * (polynomial.degree() + 1) if polynomial else [0]
    for (power,), coefficient in polynomial.terms():
        found[power] = int(coefficient)
    return fmpz_poly(found)


def _polynomial(polynomial: fmpz_poly, ring: Any) -> Any:
    """Return a polynomial of FLINT as a polynomial in one symbol."""
    return ring.from_dict({(power,): sp.ZZ(int(c)) for power, c in enumerate(polynomial.coeffs()) if c})


def value_of(polynomial: Any, point: Sequence[Any]) -> Any:
    """Return the value of a polynomial of a field at rationals, as a rational."""
    total = sp.QQ.zero
    for powers, coefficient in polynomial.terms():
        term = sp.QQ.one * coefficient
        for power, x in zip(powers, point, strict=True):
            term *= x**power
        total += term
    return total


def _sign(ball: Any) -> int:
    return 1 if ball > 0 else -1 if ball < 0 else 0


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))
