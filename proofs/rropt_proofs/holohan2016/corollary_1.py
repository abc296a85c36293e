"""Corollary 1: the estimator (4) is unbiased and has the variance (6)."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._laws import mean_of, variance_of
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import answer_counts

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "9/10"))


def _variance(point: Point, centre: Fraction) -> Fraction:
    a, b, pi, n = (Fraction(point[name]) for name in ("p00", "p11", "pi", "n"))
    return (Fraction(1, 4) - (a - centre - pi * (a + b - 1)) ** 2) / ((a + b - 1) ** 2 * n)


def theory(point: Point) -> dict[str, Fraction]:
    """The mean pi and the variance (6)."""
    return {"mean": Fraction(point["pi"]), "(6)": _variance(point, Fraction(1, 2))}


def computed(point: Point) -> dict[str, Fraction]:
    """Mean and variance of (4) over the exact distribution of N, respondent by respondent."""
    a, b, pi, n = (Fraction(point[name]) for name in ("p00", "p11", "pi", "n"))
    gap = a + b - 1
    law = answer_counts((1 - pi) * (1 - a) + pi * b, point["n"])

    def estimate(count: int) -> Fraction:
        return (a - 1) / gap + count / (gap * n)

    return {"mean": mean_of(law, estimate), "(6)": variance_of(law, estimate)}


def mutant(point: Point) -> dict[str, Fraction]:
    """p00 - 51/100 in the place of p00 - 1/2."""
    return {**theory(point), "(6)": _variance(point, Fraction(51, 100))}


CLAIM = Claim(
    id="holohan2016.corollary-1",
    source=f"{PAPER}, Corollary 1, equation (6)",
    place=(2, 3),
    printed=r"The MLE $\hat\Pi$ constructed in Theorem 1 is unbiased and has error "
    r"$\operatorname{Var}(\hat\Pi(p_{00},p_{11})|\pi)=\frac{\frac14-\left(p_{00}-\frac12-\pi(p_{00}+p_{11}"
    r"-1)\right)^2}{(p_{00}+p_{11}-1)^2n}$.",
    precise="For sampling with replacement the formula (4) has mean pi and the printed variance, for every n, every pi "
    "in [0, 1] and every design with p00 + p11 != 1.",
    variables={
        "p00": UNIT,
        "p11": UNIT,
        "pi": UNIT,
        "n": Domain.values("sample size", 1, 2, 5),
    },
    defined=(Condition("p00 + p11 != 1", "p00 + p11 != 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="The estimator is the formula (4), values outside [0, 1] included. Moved to the nearer end of [0, 1], as "
    "the maximum of the likelihood over proportions asks (see theorem-1), it would be biased.",
)
