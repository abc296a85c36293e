"""Equation (8): the variance of Warner's design."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._laws import variance_of
from rropt_proofs._matrices import binary
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import answer_counts


def theory(point: Point) -> dict[str, Fraction]:
    """Pr(X = 1) as displayed before (8), and (8)."""
    p, pi, n = (Fraction(point[name]) for name in ("p", "pi", "n"))
    half = Fraction(1, 2)
    variance = (Fraction(1, 4) - (p - half - pi * (2 * p - 1)) ** 2) / ((2 * p - 1) ** 2 * n)
    return {"Pr(X = 1)": 1 - p + pi * (2 * p - 1), "(8)": variance}


def computed(point: Point) -> dict[str, Fraction]:
    """Total probability, and the variance of (4) over the exact distribution of the number of answers 1."""
    p, pi, n = (Fraction(point[name]) for name in ("p", "pi", "n"))
    row = binary(p, p)[1]
    yes = row[0] * (1 - pi) + row[1] * pi
    law = answer_counts(yes, point["n"])
    return {"Pr(X = 1)": yes, "(8)": variance_of(law, lambda count: (p - 1 + count / n) / (2 * p - 1))}


def mutant(point: Point) -> dict[str, Fraction]:
    """2p - 1 not squared in the denominator."""
    said = theory(point)
    return {**said, "(8)": said["(8)"] * (2 * Fraction(point["p"]) - 1)}


CLAIM = Claim(
    id="holohan2016.eq-8",
    source=f"{PAPER}, equation (8)",
    place=(2, 6),
    printed=r"$\operatorname{Var}(\hat\Pi_w(p_w)|\pi)="
    r"\frac{\frac14-(p_w-\frac12-\pi(2p_w-1))^2}{(2p_w-1)^2n}$.",
    precise="For the design p00 = p11 = p != 1/2 the answer is 1 with probability 1 - p + pi (2p - 1), and the formula "
    "(4) has the printed variance, for every n and every pi in [0, 1].",
    variables={
        "p": Domain.interval("Warner's p", 0, 1, also=("1/4", "1/2", "3/4", "99/100")),
        "pi": Domain.interval("prevalence", 0, 1, also=("1/10", "1/2", "9/10")),
        "n": Domain.values("sample size", 1, 2, 5),
    },
    defined=(Condition("p != 1/2", "p != 1/2"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
)
