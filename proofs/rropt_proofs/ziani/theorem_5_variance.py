"""Theorem 5, in the proof: the variance of the estimator and its bound."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.ziani._paper import FLIP, PAPER, POPULATION, P, as_printed, flip_estimable, reports_of_ones

RANGE = [Hypothesis(P), Hypothesis(sp.Rational(1, 2) - P)]


def theory(point: Point) -> tuple[Fraction, bool]:
    """The first expression for Var, and that the last one bounds it."""
    (n, _), p = point["population"], Fraction(point["p"])
    each = p - p**2  # Var[M(b_i)] = E[M^2] - E[M]^2 for either bit
    return n * each / ((2 * p - 1) ** 2 * n**2), True


def computed(point: Point) -> tuple[Fraction, bool]:
    (n, s), p = point["population"], Fraction(point["p"])
    law = {as_printed(Fraction(ones, n), p): chance for ones, chance in reports_of_ones(p, n, s).items()}
    mean = sum((value * chance for value, chance in law.items()), Fraction(0))
    variance = sum(((value - mean) ** 2 * chance for value, chance in law.items()), Fraction(0))
    return variance, variance <= 1 / (4 * (2 * p - 1) ** 2 * n)


def mutant(point: Point) -> tuple[Fraction, bool]:
    """|2p - 1| in the place of its square."""
    (n, _), p = point["population"], Fraction(point["p"])
    return (p - p**2) / ((1 - 2 * p) * n), True


def proof() -> Proof:
    n = sp.Symbol("n")
    exact = P * (1 - P) / ((2 * P - 1) ** 2 * n)
    one, zero = (1 - P) - (1 - P) ** 2, P - P**2  # variances of a report of b = 1, of b = 0
    return Proof(
        scope="all n >= 1, all bits, all p in [0, 1/2)",
        argument="A report is Bernoulli with parameter p or 1 - p, of variance p (1-p) either way. The estimator is "
        "affine in the sum of the n independent reports with slope 1/((2p-1) n), so its variance is exactly "
        "p (1-p)/((2p-1)^2 n), and p (1-p) <= 1/4. The slope of the corrected estimator has the same square: the bound "
        "does not see the error of Claim 3.",
        certificates=(
            ("a report of b = 1 has variance p (1 - p)", prove_identity(one, P * (1 - P))),
            ("a report of b = 0 has variance p (1 - p)", prove_identity(zero, P * (1 - P))),
            ("p (1 - p) <= 1/4", prove_positive(sp.Rational(1, 4) - P * (1 - P), RANGE, degree=2)),
            ("bound - variance", prove_identity(1 / (4 * (2 * P - 1) ** 2 * n) - exact, 1 / (4 * n))),
        ),
        unchecked_steps=("the variance of a sum of independent reports is the sum of their variances",),
    )


def mutant_proof() -> object:
    return prove_positive(sp.Rational(1, 5) - P * (1 - P), RANGE, degree=2)


CLAIM = Claim(
    id="ziani.theorem-5-variance",
    source=f"{PAPER}, proof of Theorem 5",
    printed=r"$\operatorname{Var}[\hat b]=\frac1{(2p-1)^2n^2}\sum_{i=1}^n\operatorname{Var}[\mathcal{M}(b_i)]\le"
    r"\sum_{i=1}^n\frac1{4(2p-1)^2n^2}=\frac1{4(2p-1)^2n}$.",
    precise="For 0 <= p < 1/2, n >= 1 and all bits, each flipped with its own coin: the variance of the estimator "
    "(as printed, or corrected) is p (1-p)/((2p-1)^2 n), which is at most 1/(4 (2p-1)^2 n).",
    variables={"p": FLIP, "population": POPULATION},
    defined=(flip_estimable,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes=r"The difference of the two sides is exactly $\frac1{4n}$: the bound is sharp as $p\to\frac12$. The first "
    r"equality also uses that the respondents flip independently, which is how $RR_p$ is used here.",
)
