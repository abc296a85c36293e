"""Equation (7b): Chebyshev's margin of 4.5 standard deviations."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.holohan2016._paper import PAPER, answer_counts, variance_at

FACTOR = Fraction(9, 2)
UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "9/10"))
K, DEVIATION, VARIANCE = sp.symbols("k y v")


def theory(point: Point) -> Fraction:
    return Fraction(95, 100)


def computed(point: Point) -> Fraction:
    """The exact probability of a deviation of at most 4.5 standard deviations; squares compare without roots."""
    a, b, pi, n = (Fraction(point[name]) for name in ("p00", "p11", "pi", "n"))
    gap = a + b - 1
    bound = FACTOR**2 * variance_at((a, b), pi) / n
    law = answer_counts((1 - pi) * (1 - a) + pi * b, point["n"])
    near = (share for count, share in law.items() if ((a - 1 + count / n) / gap - pi) ** 2 <= bound)
    return sum(near, Fraction(0))


def mutant(point: Point) -> Fraction:
    """96 % in the place of 95 %: false for a rare answer."""
    return Fraction(96, 100)


def proof() -> Proof:
    least = sp.Rational(9, 2)
    return Proof(
        scope="every estimator with finite variance, in particular all designs with p00 + p11 != 1, all pi and n",
        argument="Let y be the squared deviation and v = E y the variance. Where y > k^2 v, y - k^2 v > 0, and y >= 0 "
        "elsewhere; taking means, k^2 v Pr(y > k^2 v) <= v, so the probability is at most 1/k^2 (and 0 if v = 0). At "
        "k = 9/2 that is 4/81 < 1/20, because k^2 > 20. The least factor that Chebyshev gives is sqrt(20) = 4.4721..., "
        "so 4.5 is that number rounded up, and the inequality is safe.",
        certificates=(
            (
                "k^2 > 20 from k = 9/2 on",
                prove_positive(K**2 - 20, [Hypothesis(K - least)], strict=True, degree=2),
            ),
            (
                "y >= k^2 v where the deviation is large",
                prove_positive(
                    DEVIATION - K**2 * VARIANCE,
                    [
                        Hypothesis(DEVIATION - least**2 * VARIANCE),
                        Hypothesis(VARIANCE),
                        Hypothesis(least - K),
                        Hypothesis(K),
                    ],
                    degree=3,
                ),
            ),
        ),
        unchecked_steps=("the mean of a nonnegative variable is at least its mean over an event",),
    )


def mutant_proof() -> object:
    """4.4 in the place of 4.5, which falls short of sqrt(20)."""
    return prove_positive(K**2 - 20, [Hypothesis(K - sp.Rational(44, 10))], strict=True, degree=2)


CLAIM = Claim(
    id="holohan2016.eq-7b",
    source=f"{PAPER}, equation (7b)",
    printed=r"$\mathbb P\left(|\hat\Pi-\pi|\le 4.5\sqrt{\operatorname{Var}(\hat\Pi|\pi)}\right)\ge 0.95$, "
    r"by Chebyshev's inequality.",
    precise="For every design with p00 + p11 != 1, every pi in [0, 1] and every n the probability is at least 95/100. "
    "It is computed exactly from the distribution of the number of answers 1.",
    variables={
        "p00": UNIT,
        "p11": UNIT,
        "pi": Domain.interval("prevalence", 0, 1, also=("1/22", "1/4", "1/2")),
        "n": Domain.values("sample size", 1, 2, 7),
    },
    defined=(Condition("p00 + p11 != 1", lambda p: p["p00"] + p["p11"] != 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-least",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="The inequality guarantees 1 - 4/81 = 0.9506...; the least factor for 0.95 would be sqrt(20) = 4.4721... .",
)
