"""Theorem 5, in the proof: the variance of the estimator and its bound."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Point
from rropt_proofs._laws import variance_of
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import (
    FLIP,
    POPULATION,
    as_printed,
    flip_estimable,
    reports_of_ones,
)


def theory(point: Point) -> dict[str, Fraction | Bound]:
    """The first expression for Var, and the last one, which bounds it."""
    (n, _), p = point["population"], Fraction(point["p"])
    each = p - p**2  # Var[M(b_i)] = E[M^2] - E[M]^2 for either bit
    bound = 1 / (4 * (2 * p - 1) ** 2 * n)
    return {"variance": n * each / ((2 * p - 1) ** 2 * n**2), "bound": Bound("at-most", bound)}


def computed(point: Point) -> dict[str, Fraction]:
    """The variance over the distribution of the number of reports 1, respondent by respondent."""
    (n, bits), p = point["population"], Fraction(point["p"])
    variance = variance_of(reports_of_ones(p, bits), lambda ones: as_printed(Fraction(ones, n), p))
    return {"variance": variance, "bound": variance}


def mutant(point: Point) -> dict[str, Fraction | Bound]:
    """The bound with 5 in the place of 4."""
    (n, _), p = point["population"], Fraction(point["p"])
    return {**theory(point), "bound": Bound("at-most", 1 / (5 * (2 * p - 1) ** 2 * n))}


CLAIM = Claim(
    id="ziani.theorem-5-variance",
    source=f"{PAPER}, proof of Theorem 5",
    place=(1, 9),
    printed=r"$\operatorname{Var}[\hat b]=\frac1{(2p-1)^2n^2}\sum_{i=1}^n\operatorname{Var}[\mathcal{M}(b_i)]\le"
    r"\sum_{i=1}^n\frac1{4(2p-1)^2n^2}=\frac1{4(2p-1)^2n}$.",
    precise="For 0 <= p < 1/2, n >= 1 and all bits, each flipped with its own coin: the variance of the estimator "
    "(as printed, or corrected) is p (1-p)/((2p-1)^2 n), which is at most 1/(4 (2p-1)^2 n).",
    variables={"p": FLIP, "population": POPULATION},
    defined=(flip_estimable,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes=r"The difference of the two sides is exactly $\frac1{4n}$: the bound is sharp as $p\to\frac12$. The first "
    r"equality also uses that the respondents flip independently, which is how $RR_p$ is used here.",
)
