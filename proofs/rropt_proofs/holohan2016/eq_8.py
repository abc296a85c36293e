"""Equation (8): the variance of Warner's design."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.positivity import prove_identity
from rropt_proofs.holohan2016._paper import PAPER, PI, A, B, answer_counts, determinant, yes_probability

P, SIZE = sp.symbols("p n")
HALF = sp.Rational(1, 2)
PRINTED = (sp.Rational(1, 4) - (P - HALF - PI * (2 * P - 1)) ** 2) / ((2 * P - 1) ** 2 * SIZE)


def theory(point: Point) -> tuple[Fraction, Fraction]:
    """Pr(X = 1) as displayed before (8), and (8)."""
    p, pi, n = (Fraction(point[name]) for name in ("p", "pi", "n"))
    half = Fraction(1, 2)
    variance = (Fraction(1, 4) - (p - half - pi * (2 * p - 1)) ** 2) / ((2 * p - 1) ** 2 * n)
    return 1 - p + pi * (2 * p - 1), variance


def computed(point: Point) -> tuple[Fraction, Fraction]:
    """Total probability, and the variance of (4) over the exact distribution of the number of answers 1."""
    p, pi, n = (Fraction(point[name]) for name in ("p", "pi", "n"))
    row = Mechanism.binary(p, p).matrix[1]
    yes = row[0] * (1 - pi) + row[1] * pi
    law = answer_counts(yes, point["n"])
    estimates = {((p - 1) + count / n) / (2 * p - 1): share for count, share in law.items()}
    mean = sum((x * share for x, share in estimates.items()), Fraction(0))
    return yes, sum(((x - mean) ** 2 * share for x, share in estimates.items()), Fraction(0))


def mutant(point: Point) -> tuple[Fraction, Fraction]:
    """2p - 1 not squared in the denominator."""
    yes, variance = theory(point)
    return yes, variance * (2 * Fraction(point["p"]) - 1)


def proof() -> Proof:
    warner = {A: P, B: P}
    yes = yes_probability.subs(warner)
    variance = yes * (1 - yes) / (determinant.subs(warner) ** 2 * SIZE)
    return Proof(
        scope="all n >= 1, pi in [0, 1], p_w != 1/2",
        argument="(8) is (6) at p00 = p11 = p_w; (6) is proved in corollary-1.",
        certificates=(
            ("Pr(X = 1)", prove_identity(yes, 1 - P + PI * (2 * P - 1))),
            ("Pr(X = 0)", prove_identity(1 - yes, P - PI * (2 * P - 1))),
            ("the variance", prove_identity(variance, PRINTED)),
        ),
        unchecked_steps=("the mean and the variance of a sum of n independent answers of the same distribution",),
    )


CLAIM = Claim(
    id="holohan2016.eq-8",
    source=f"{PAPER}, equation (8)",
    printed=r"$\operatorname{Var}(\hat\Pi_w(p_w)|\pi)="
    r"\frac{\frac14-(p_w-\frac12-\pi(2p_w-1))^2}{(2p_w-1)^2n}$.",
    precise="For the design p00 = p11 = p != 1/2 the answer is 1 with probability 1 - p + pi (2p - 1), and the formula "
    "(4) has the printed variance, for every n and every pi in [0, 1].",
    variables={
        "p": Domain.interval("Warner's p", 0, 1, also=("1/4", "1/2", "3/4", "99/100")),
        "pi": Domain.interval("prevalence", 0, 1, also=("1/10", "1/2", "9/10")),
        "n": Domain.values("sample size", 1, 2, 5),
    },
    defined=(Condition("p != 1/2", lambda p: p["p"] != Fraction(1, 2)),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
