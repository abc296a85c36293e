"""Equation (7b): Chebyshev's margin of 4.5 standard deviations."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._laws import chance_of
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import answer_counts, variance_at

FACTOR = Fraction(9, 2)
UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "9/10"))


def theory(point: Point) -> Fraction:
    return Fraction(95, 100)


def computed(point: Point) -> Fraction:
    """The exact probability of a deviation of at most 4.5 standard deviations; squares compare without roots."""
    a, b, pi, n = (Fraction(point[name]) for name in ("p00", "p11", "pi", "n"))
    gap = a + b - 1
    bound = FACTOR**2 * variance_at((a, b), pi) / n
    law = answer_counts((1 - pi) * (1 - a) + pi * b, point["n"])
    return chance_of(law, lambda count: ((a - 1 + count / n) / gap - pi) ** 2 <= bound)


def mutant(point: Point) -> Fraction:
    """96 % in the place of 95 %: false for a rare answer."""
    return Fraction(96, 100)


CLAIM = Claim(
    id="holohan2016.eq-7b",
    source=f"{PAPER}, equation (7b)",
    place=(2, 4),
    printed="Chebyshev's inequality can be used to derive a general, but conservative, margin of error, [...] "
    r"$\mathbb P\left(|\hat\Pi-\pi|\le4.5\sqrt{\operatorname{Var}(\hat\Pi|\pi)}\right)\ge0.95$.",
    precise="For every design with p00 + p11 != 1, every pi in [0, 1] and every n the probability is at least 95/100. "
    "It is computed exactly from the distribution of the number of answers 1.",
    variables={
        "p00": UNIT,
        "p11": UNIT,
        "pi": Domain.interval("prevalence", 0, 1, also=("1/22", "1/4", "1/2")),
        "n": Domain("sample size n >= 1", (1, 2, 7), lambda rng: rng.randint(1, 9), "x >= 1"),
    },
    defined=(Condition("p00 + p11 != 1", "p00 + p11 != 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-least",
    notes="The inequality guarantees 1 - 4/81 = 0.9506...; the least factor for 0.95 would be sqrt(20) = 4.4721... . "
    "Not proved for all n: Chebyshev's inequality itself. Let r be the number of answers 1, m its mean, v its variance "
    "and q the probability in question. (r - m)^2 is above 81/4 v where the deviation is larger than 4.5 standard "
    "deviations, and at least 0 elsewhere; so v, its mean, is at least (1 - q) 81/4 v, and 1 - q <= 4/81 if v > 0. "
    "If v = 0, all answers are the same, and q = 1.",
)
