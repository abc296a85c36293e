"""What the entries of Ziani (Lectures 3 and 4) share: the mechanism, the two estimators, and the Laplace law."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import sympy as sp

from rropt.certificates import Certificate
from rropt.claims import Condition, Domain, Point
from rropt.claims.outcomes import value_text
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_identity, prove_positive

__all__ = [
    "FLIP",
    "PAPER",
    "POPULATION",
    "SCALE",
    "P",
    "as_printed",
    "corrected",
    "flip_estimable",
    "largest_log_ratio",
    "private_scale",
    "randomized_response",
    "reports_of_ones",
    "reports_working",
    "sympy_tail",
    "tail_certificates",
    "triangle_certificates",
    "true_mean",
]

PAPER = "Ziani, Lectures 3 and 4"

P = sp.Symbol("p")
SCALE = sp.Symbol("b", positive=True)

FLIP = Domain.interval("probability of flipping the bit, 0 <= p <= 1/2", 0, "1/2", also=("1/4", "2/5", "49/100"))
POPULATION = Domain.values(
    "(n, s): n respondents, s of them with private bit 1",
    *((1, 0), (1, 1), (2, 1), (3, 1), (4, 4), (6, 2), (8, 0), (8, 4)),
)
flip_estimable = Condition("p < 1/2: at p = 1/2 the estimator divides by 0", lambda p: p["p"] < Fraction(1, 2))
private_scale = Condition(
    "epsilon > 0 and sensitivity > 0: otherwise Lap(sensitivity / epsilon) has no density",
    lambda p: p["epsilon"] > 0 and p["sensitivity"] > 0,
)


def randomized_response(p: Fraction) -> Mechanism:
    """Return RR_p as defined: the bit is flipped with probability p."""
    return Mechanism([[1 - p, p], [p, 1 - p]])


@lru_cache(maxsize=4096)
def reports_of_ones(p: Fraction, n: int, s: int) -> Mapping[int, Fraction]:
    """Return the law of the number of reports 1: Bin(s, 1 - p) + Bin(n - s, p), the two independent."""
    mechanism = randomized_response(p)
    law: dict[int, Fraction] = {}
    for i in range(s + 1):
        for j in range(n - s + 1):
            chance = _binomial(s, i, mechanism[1, 1]) * _binomial(n - s, j, mechanism[1, 0])
            law[i + j] = law.get(i + j, Fraction(0)) + chance
    return law


def _binomial(n: int, i: int, p: Fraction) -> Fraction:
    return comb(n, i) * p**i * (1 - p) ** (n - i)


def true_mean(point: Point) -> Fraction:
    n, s = point["population"]
    return Fraction(s, n)


def as_printed(mean: Any, p: Any) -> Any:
    """Return the estimator of Claim 3 as printed."""
    return (mean - (1 - p)) / (2 * p - 1)


def corrected(mean: Any, p: Any) -> Any:
    """Return the estimator that is unbiased when p is the probability of flipping."""
    return (mean - p) / (1 - 2 * p)


def reports_working(point: Point) -> str:
    """Return the law of the number of reports 1, and the printed estimate for each number that can occur."""
    (n, s), p = point["population"], Fraction(point["p"])
    law = [(ones, chance) for ones, chance in sorted(reports_of_ones(p, n, s).items()) if chance]
    listed = ", ".join(
        f"{ones} with probability {value_text(chance)}: estimate {value_text(as_printed(Fraction(ones, n), p))}"
        for ones, chance in law
    )
    return (
        f"s = {s} of the n = {n} bits are 1: the population mean is {value_text(true_mean(point))}\nreports 1, and the "
        f"printed estimate (reports 1/n - (1 - p))/(2p - 1): {listed}"
    )


@lru_cache(maxsize=1)
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


def largest_log_ratio(x: Fraction, y: Fraction, rate: Fraction) -> Fraction:
    """Return the largest log ratio of the densities of x + Z and y + Z over all outcomes, Z ~ Lap(1 / rate).

    rate * (|s - y| - |s - x|) is piecewise linear in s with kinks at x and y and constant beyond them: its largest
    value is taken at a kink.
    """
    return max(rate * (abs(s - y) - abs(s - x)) for s in (x, y))


def triangle_certificates() -> tuple[tuple[str, Certificate], ...]:
    """Return |s - f(y)| - |s - f(x)| <= |f(y) - f(x)|, by the signs of both distances.

    u = s - f(y), v = s - f(x), and t stands for |f(y) - f(x)| = |u - v|: t >= u - v and t >= v - u.
    """
    u, v, t = sp.symbols("u v t")
    distance = [Hypothesis(t - (u - v)), Hypothesis(t + (u - v))]
    cases = []
    for left, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        signs = [Hypothesis(left * u), Hypothesis(right * v)]
        name = f"|u| - |v| <= |u - v| for u {'>=' if left > 0 else '<='} 0, v {'>=' if right > 0 else '<='} 0"
        cases.append((name, prove_positive(t - (left * u - right * v), [*distance, *signs], degree=1)))
    return tuple(cases)


def tail_certificates() -> tuple[tuple[str, Certificate], ...]:
    """Return that -e is an antiderivative of e/b, twice the density, where e = exp(-z/b)."""
    z, b, e = sp.symbols("z b e")
    derivative = sp.diff(-sp.exp(-z / b), z).subs(sp.exp(-z / b), e)
    return (("twice the density is the derivative of -exp(-z/b)", prove_identity(derivative, 2 * (e / (2 * b)))),)
