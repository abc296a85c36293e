"""Equation (1): the variance of modified Warner."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Point
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import MEMBERSHIP, PROBABILITY, fixed, spread, warner

MIDDLE, LAST = "the second line", "the last line"
divides = Condition("p != 1/2: the estimator divides by 2p - 1", "p != 1/2")


def theory(point: Point) -> dict[str, Fraction]:
    """Both lines as printed."""
    p, bits = Fraction(point["p"]), point["x"]
    share, below = Fraction(sum(bits), len(bits)), len(bits) * (2 * p - 1) ** 2
    return {MIDDLE: (share * p * (1 - p) + (1 - share) * (1 - p) * p) / below, LAST: p * (1 - p) / below}


def computed(point: Point) -> dict[str, Fraction]:
    """The variance of the estimator over all answers of these N persons, each with coins of one's own."""
    p, bits = Fraction(point["p"]), point["x"]
    return dict.fromkeys((MIDDLE, LAST), spread(fixed(bits, warner(p)), len(bits), 2 * p - 1))


def mutant(point: Point) -> dict[str, Fraction]:
    """With replacement."""
    bits, said = point["x"], theory(point)
    share = Fraction(sum(bits), len(bits))
    return {**said, LAST: said[LAST] + share * (1 - share) / len(bits)}


CLAIM = Claim(
    id="sun2023.eq-1",
    source=f"{PAPER}, equation (1)",
    place=(3, 4),
    printed=r"$\mathbf{Var}\hat{\pi_A}=\frac{\operatorname{Var}(\sum_{i=1}^NX_i)}{N^2(2p-1)^2}"
    r"=\frac{\pi_Ap(1-p)+(1-\pi_A)(1-p)p}{N(2p-1)^2}=\frac{p(1-p)}{N(2p-1)^2}$.",
    precise="For 0 <= p <= 1, p != 1/2, every N and all x_1, ..., x_N, all N persons asked once each and answering "
    "the truth with probability p: the variance of the estimator over their coins.",
    variables={"p": PROBABILITY, "x": MEMBERSHIP},
    defined=(divides,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="The population is fixed, and all of it is asked: nothing but the coins is random. A random order of the "
    "persons makes single answers dependent (`sec-3.1-dependent`) and leaves their sum as it is.",
)
