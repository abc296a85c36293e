"""What the entries of Holohan, Leith and Mason (2016) share: symbols, the variance, and the true optima."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import sympy as sp
from flint import fmpq, fmpq_poly

import rropt
from rropt.claims import Point
from rropt.core.errors import InfeasibleError
from rropt.core.exact import Epsilon

PI, A, B = sp.symbols("pi a b")  # (a, b) is the design (p00, p11)

Design = tuple[Fraction, Fraction]

determinant = A + B - 1
yes_probability = (1 - PI) * (1 - A) + PI * B


@cache
def _optima(gamma: Fraction, delta: Fraction, pi: Fraction, family: str) -> frozenset[Design]:
    problem = rropt.Problem.binary(pi, epsilon=Epsilon.of_gamma(gamma), delta=delta, symmetric=family == "warner")
    solution = rropt.designs.solve(problem, fast=True)
    return frozenset((mechanism.p00, mechanism.p11) for mechanism in solution.optima)


def optima(point: Point, family: str = "all") -> frozenset[Design]:
    """Return the true optimal extreme designs at a point with gamma, delta, pi: by enumeration, certified."""
    return _optima(Fraction(point["gamma"]), Fraction(point["delta"]), Fraction(point["pi"]), family)


def polynomial(*coefficients: Fraction) -> fmpq_poly:
    """Return the exact polynomial with these coefficients, constant first."""
    return fmpq_poly([fmpq(x.numerator, x.denominator) for x in map(Fraction, coefficients)])


def rational_roots(function: fmpq_poly) -> list[Fraction]:
    """Return the distinct real roots of a polynomial that has only rational ones.

    Raises:
        InfeasibleError: a factor of degree 2 or more may have further real roots.
    """
    _, factors = function.factor()
    if any(factor.degree() > 1 for factor, _ in factors):
        raise InfeasibleError(f"roots are wanted exactly: received {function}, which has an irreducible factor")
    return sorted({-Fraction(str(factor[0])) / Fraction(str(factor[1])) for factor, _ in factors})


def at(function: fmpq_poly, x: Fraction) -> Fraction:
    """Return the value of a polynomial at a rational."""
    return Fraction(str(function(fmpq(x.numerator, x.denominator))))
