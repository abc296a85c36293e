"""Corollary 1: the estimator (4) is unbiased and has the variance (6)."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import prove_identity
from rropt_proofs.holohan2016._paper import PAPER, PI, A, B, answer_counts, determinant, yes_probability

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "9/10"))
SIZE = sp.Symbol("n")
PRINTED = (sp.Rational(1, 4) - (A - sp.Rational(1, 2) - PI * (A + B - 1)) ** 2) / ((A + B - 1) ** 2 * SIZE)


def _variance(point: Point, centre: Fraction) -> Fraction:
    a, b, pi, n = (Fraction(point[name]) for name in ("p00", "p11", "pi", "n"))
    return (Fraction(1, 4) - (a - centre - pi * (a + b - 1)) ** 2) / ((a + b - 1) ** 2 * n)


def theory(point: Point) -> tuple[Fraction, Fraction]:
    """The mean pi and the variance (6)."""
    return Fraction(point["pi"]), _variance(point, Fraction(1, 2))


def computed(point: Point) -> tuple[Fraction, Fraction]:
    """Mean and variance of (4) over the exact distribution of N, respondent by respondent."""
    a, b, pi, n = (Fraction(point[name]) for name in ("p00", "p11", "pi", "n"))
    gap = a + b - 1
    law = answer_counts((1 - pi) * (1 - a) + pi * b, point["n"])
    estimates = {(a - 1) / gap + count / (gap * n): share for count, share in law.items()}
    mean = sum((x * share for x, share in estimates.items()), Fraction(0))
    return mean, sum(((x - mean) ** 2 * share for x, share in estimates.items()), Fraction(0))


def mutant(point: Point) -> tuple[Fraction, Fraction]:
    """p00 - 1/4 in the place of p00 - 1/2."""
    return Fraction(point["pi"]), _variance(point, Fraction(1, 4))


def proof() -> Proof:
    one = yes_probability  # the mean of X and of X^2
    return Proof(
        scope="all n >= 1, pi in [0, 1], p00 + p11 != 1",
        argument="N is a sum of n independent answers, each 1 with probability lambda of (3b). So E N = n lambda and "
        "Var N = n (lambda - lambda^2), and (4), which is affine in N, has the mean (p00 - 1)/D + lambda/D = pi and "
        "the variance lambda (1 - lambda)/(D^2 n), D = p00 + p11 - 1, which is (6).",
        certificates=(
            ("the mean", prove_identity((A - 1) / determinant + SIZE * one / (determinant * SIZE), PI)),
            ("the variance", prove_identity(SIZE * (one - one**2) / (determinant**2 * SIZE**2), PRINTED)),
        ),
        unchecked_steps=("the mean and the variance of a sum of n independent answers of the same distribution",),
    )


CLAIM = Claim(
    id="holohan2016.corollary-1",
    source=f"{PAPER}, Corollary 1, equation (6)",
    printed=r"The MLE $\hat\Pi$ of Theorem 1 is unbiased and has error $\operatorname{Var}(\hat\Pi|\pi)="
    r"\frac{\frac14-(p_{00}-\frac12-\pi(p_{00}+p_{11}-1))^2}{(p_{00}+p_{11}-1)^2n}$.",
    precise="For sampling with replacement the formula (4) has mean pi and the printed variance, for every n, every pi "
    "in [0, 1] and every design with p00 + p11 != 1.",
    variables={
        "p00": UNIT,
        "p11": UNIT,
        "pi": UNIT,
        "n": Domain.values("sample size", 1, 2, 5),
    },
    defined=(Condition("p00 + p11 != 1", lambda p: p["p00"] + p["p11"] != 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="The estimator is the formula (4), values outside [0, 1] included. Moved to the nearer end of [0, 1], as "
    "the maximum of the likelihood over proportions asks (see theorem-1), it would be biased.",
)
