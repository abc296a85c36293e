"""Equation (7c): the normal margin of 1.96 standard deviations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.claims.positivity import Hypothesis, prove_identity, prove_positive
from rropt.core.exact.brackets import ball, bracket
from rropt_proofs.holohan2016 import PAPER

Z = Fraction(196, 100)
X, CIRCLE = sp.symbols("x p")  # p stands for the number pi of the circle
LAST = 15  # an odd last index: the partial sum is below the exponential


def theory(point: Point) -> Fraction:
    """95 %."""
    return Fraction(95, 100)


def computed(point: Point) -> Fraction:
    """A rational lower bound, within 1e-14, of the probability: an enclosure of the two normal tails by balls."""
    mean, deviation = Fraction(point["mu"]), Fraction(point["sigma"])

    def below(x: Fraction) -> Any:
        return (1 + (ball((x - mean) / deviation) / arb(2).sqrt()).erf()) / 2

    return bracket(below(mean + Z * deviation) - below(mean - Z * deviation)).lower


def mutant(point: Point) -> Fraction:
    """0.9501 in the place of 0.95; the probability is 0.950004... ."""
    return Fraction(9501, 10000)


def _series() -> tuple[Any, Any]:
    """The partial sum of exp(-x^2/2), and its integral from 0 to x."""
    terms = [(-1) ** k * X ** (2 * k) / (sp.Integer(2) ** k * sp.factorial(k)) for k in range(LAST + 1)]
    return sp.Add(*terms), sp.Add(*(term * X / (2 * k + 1) for k, term in enumerate(terms)))


def _core(level: Any) -> Any:
    area = _series()[1].subs(X, sp.Rational(49, 25))
    return 2 * area**2 - level**2 * CIRCLE


CIRCLE_BOUND = [Hypothesis(sp.Rational(355, 113) - CIRCLE)]


def proof() -> Proof:
    partial, integral = _series()
    return Proof(
        scope="every normal distribution with sigma > 0",
        argument="Standardising, the probability is sqrt(2/p) times the integral of exp(-x^2/2) from 0 to z = 49/25, "
        "p being the circle's number. The partial sum of the exponential series up to an odd index is a lower bound, "
        "so the integral is at least its antiderivative S(z), and 2 S(z)^2 > (19/20)^2 p because p < 355/113.",
        certificates=(
            ("S is the antiderivative", prove_identity(sp.diff(integral, X), partial)),
            ("2 S(z)^2 > (19/20)^2 p", prove_positive(_core(sp.Rational(19, 20)), CIRCLE_BOUND, strict=True, degree=1)),
        ),
        unchecked_steps=(
            "partial sums of exp(-y), y >= 0, that end with an odd power are lower bounds (Taylor's remainder), and so "
            "are their integrals: integrals have no shape",
            "p < 355/113: the circle's number is the root of no relation",
            "differentiation of the polynomial S: the certificate compares derivatives that were taken before",
        ),
    )


CLAIM = Claim(
    id="holohan2016.eq-7c",
    source=f"{PAPER}, equation (7c)",
    place=(2, 5),
    printed=r"For a random variable $G$ that is normally distributed with mean $\mu$ and variance $\sigma^2$, we have "
    r"$\mathbb P(|G-\mu|\le 1.96\sigma)\ge 0.95$.",
    precise="For every mean and every sigma > 0 the probability is at least 95/100; it is 0.950004209..., the same "
    "for all of them. Compared is a rational lower bound from a rigorous enclosure.",
    variables={
        "mu": Domain.values("mean", Fraction(0), Fraction(1, 3)),
        "sigma": Domain.values("standard deviation", Fraction(0), Fraction(1, 10), Fraction(1), Fraction(7)),
    },
    assumptions=(Condition("sigma > 0", lambda p: p["sigma"] > 0),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-least",
    proof=proof,
)
