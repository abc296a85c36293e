"""Linear algebra over the rational functions of gamma and delta, and exact signs of its elements at a level."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.polys.matrices import DomainMatrix

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Delta, Epsilon
from rropt.symbolic import symbols

_BITS = (128, 512, 2048)  # of the balls in which a sign is sought


class Field:
    """QQ(gamma), or QQ(gamma, delta) if delta is positive, with the level of a problem.

    Args:
        epsilon: the privacy level.
        slack: delta.
    """

    def __init__(self, epsilon: Epsilon, slack: Delta) -> None:
        has_delta = slack.rational != 0
        self.symbols = (symbols.gamma, symbols.delta) if has_delta else (symbols.gamma,)
        self.point = {symbols.gamma: symbols.gamma_of(epsilon)}
        if has_delta:
            self.point[symbols.delta] = symbols.delta_of(slack)
        self._epsilon, self._slack = epsilon, slack
        self.domain = sp.QQ.frac_field(*self.symbols)
        self.one, self.zero = self.domain.one, self.domain.zero
        self.gamma = self.element(symbols.gamma)
        self.delta = self.element(symbols.delta) if has_delta else self.zero

    def element(self, expression: Any) -> Any:
        """Return an expression, or an exact number, as an element of the field."""
        return self.domain.from_sympy(sp.sympify(symbols.exact(expression)))

    def expression(self, element: Any) -> sp.Expr:
        """Return an element as an expression, factored."""
        return sp.factor(self.domain.to_sympy(element))

    def matrix(self, rows: Sequence[Sequence[Any]]) -> DomainMatrix:
        """Return a matrix over the field."""
        return DomainMatrix([list(row) for row in rows], (len(rows), len(rows[0])), self.domain)

    @cached_property
    def _values(self) -> list[Any]:
        """The level as rationals of the polynomials, if it is rational; else None."""
        given = list(self.point.values())
        if not all(x.is_Rational for x in given):
            return []
        return [sp.QQ(int(x.p), int(x.q)) for x in given]

    def at(self, element: Any) -> Fraction | None:
        """Return the value at the level if that is rational, else None."""
        if not self._values:
            return None
        top, below = (_fraction(part(*self._values)) for part in (element.numer, element.denom))
        return top / below

    def sign(self, element: Any) -> int:
        """Return the sign at the level, exactly: by fractions, else by balls, else by SymPy."""
        if not element:
            return 0
        if self._values:
            value = self.at(element)
            assert value is not None
            return (value > 0) - (value < 0)
        from flint import ctx

        for bits in _BITS:
            with ctx.workprec(bits):
                point = self._balls(bits)
                signs = [_sign(_ball(part, point)) for part in (element.numer, element.denom)]
            if all(signs):
                return signs[0] * signs[1]
        return symbols.sign_of(self.domain.to_sympy(element).xreplace(self.point))

    def _balls(self, bits: int) -> list[Any]:
        from flint import arb, fmpq

        found = []
        for given in (self._epsilon.gamma_bracket(bits // 4), self._slack.bracket(bits // 4)):
            middle, radius = given.middle, (given.upper - given.lower) / 2
            ball = arb(fmpq(middle.numerator, middle.denominator))
            found.append(ball + arb(0, 1) * arb(fmpq(radius.numerator, radius.denominator)))
        return found[: len(self.symbols)]

    def solve(
        self, A: Sequence[Sequence[Any]], b: Sequence[Any], guess: Sequence[float]
    ) -> tuple[list[Any], int] | None:
        """Return a solution of ``A x = b`` and the number of free unknowns, which are near the guess; None without one.

        Args:
            A: the rows of the matrix.
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
                found[j] = self.element(Fraction(guess[j]).limit_denominator(_FREE))
        for line, pivot in zip(lines, pivots, strict=False):
            rest = (line[j] * found[j] for j in range(n) if j not in pivots and line[j])
            found[pivot] = line[n] - sum(rest, self.zero)
        return found, n - len(pivots)

    def interval(self, conditions: Sequence[Any]) -> tuple[sp.Expr, sp.Expr]:
        """Return the ends of the interval of gamma around the level on which conditions keep their sign, exactly.

        delta has its value in the problem. The lower end is at least 1, the upper one may be infinite.
        """
        at, others = self.point[symbols.gamma], {s: v for s, v in self.point.items() if s != symbols.gamma}
        low, high = sp.Integer(1), sp.oo
        seen = set()
        for element in conditions:
            for part in (element.numer, element.denom):
                for factor, power in part.factor_list()[1]:
                    expression = factor.as_expr().xreplace(others)
                    if power % 2 == 0 or expression in seen or symbols.gamma not in expression.free_symbols:
                        continue
                    seen.add(expression)
                    polynomial = sp.Poly(expression, symbols.gamma)
                    if not all(x.is_Rational for x in polynomial.all_coeffs()):
                        raise UnsupportedProblemError("no closed form: delta is irrational, so that no domain is exact")
                    for root in polynomial.real_roots(multiple=True, radicals=polynomial.degree() <= 2):
                        side = symbols.sign_of(root - at)
                        if side < 0 and symbols.sign_of(root - low) > 0:
                            low = root
                        if side > 0 and (high is sp.oo or symbols.sign_of(root - high) < 0):
                            high = root
        return low, high


_FREE = 10**6  # largest denominator of a free unknown


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.numerator), int(number.denominator))


def _ball(polynomial: Any, point: Sequence[Any]) -> Any:
    from flint import arb, fmpq

    total = arb(0)
    for powers, coefficient in polynomial.terms():
        term = arb(fmpq(int(coefficient.numerator), int(coefficient.denominator)))
        for power, x in zip(powers, point, strict=True):
            term *= x**power
        total += term
    return total


def _sign(ball: Any) -> int:
    return 1 if ball > 0 else -1 if ball < 0 else 0
