"""What the entries of Ziani (Lectures 3 and 4) share: the mechanism, the two estimators, and the Laplace
distribution."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from rropt.claims.positivity import prove_identity
from rropt.core.certificates import Certificate
from rropt.core.exact import ExactReal
from rropt_proofs._laws import FiniteLaw, number_of_ones
from rropt_proofs._matrices import Rows, binary

SCALE = sp.Symbol("b", positive=True)


def randomized_response(p: Fraction) -> Rows:
    """Return RR_p as defined: the bit is flipped with probability p."""
    return binary(1 - p, 1 - p)


@cache
def reports_of_ones(p: Fraction, bits: tuple[int, ...]) -> FiniteLaw:
    """Return the distribution of the number of reports 1, one respondent after the other, each with his own coin."""
    mechanism = randomized_response(p)
    return number_of_ones([mechanism[1][bit] for bit in bits])


def as_printed(mean: Any, p: Any) -> Any:
    """Return the estimator of Claim 3 as printed."""
    return (mean - (1 - p)) / (2 * p - 1)


def corrected(mean: Any, p: Any) -> Any:
    """Return the estimator that is unbiased when p is the probability of flipping."""
    return (mean - p) / (1 - 2 * p)


@cache
def _symbolic_tail() -> tuple[Any, Any]:
    """Return (z, Pr[|Z| >= z]) for z > 0, by integrating the density on both sides."""
    z, u = sp.Symbol("z", positive=True), sp.Symbol("u", real=True)
    right = sp.integrate(sp.exp(-u / SCALE) / (2 * SCALE), (u, z, sp.oo))
    left = sp.integrate(sp.exp(u / SCALE) / (2 * SCALE), (u, -sp.oo, -z))
    return z, sp.simplify(left + right)


def sympy_tail(z: Any, scale: Any) -> Any:
    """Return Pr[|Z| >= z] for Z ~ Lap(scale), exactly; 1 for z <= 0."""
    z, scale = sp.sympify(z), sp.sympify(scale)
    if z.is_nonpositive:
        return sp.Integer(1)
    symbol, tail = _symbolic_tail()
    return sp.simplify(tail.subs({symbol: z, SCALE: scale}))


def exact_tail(z: Fraction, scale: Fraction) -> ExactReal:
    """Return Pr[|Z| >= z] for Z ~ Lap(scale), integrated over the symbols and evaluated exactly."""
    if z <= 0:
        return ExactReal.of(1)
    exponent = sp.log(_symbolic_tail()[1].subs({_symbolic_tail()[0]: sp.Rational(z), SCALE: sp.Rational(scale)}))
    return ExactReal.exponential(Fraction(int(exponent.p), int(exponent.q)))


def log_ratio(s: Any, x: Any, y: Any, rate: Any) -> Any:
    """Return the log ratio of the densities of x + Z and y + Z at the outcome s, Z ~ Lap(1 / rate)."""
    return rate * (abs(s - y) - abs(s - x))


def tail_certificates() -> tuple[tuple[str, Certificate], ...]:
    """Return that -e is an antiderivative of e/b, twice the density, where e = exp(-z/b)."""
    z, b, e = sp.symbols("z b e")
    derivative = sp.diff(-sp.exp(-z / b), z).subs(sp.exp(-z / b), e)
    return (("twice the density is the derivative of -exp(-z/b)", prove_identity(derivative, 2 * (e / (2 * b)))),)
