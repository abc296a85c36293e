"""Section 3.1: what asking everybody once saves in modified Warner."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import MEMBERSHIP, PROBABILITY, fixed, replaced, spread, warner
from rropt_proofs.sun2023.eq_1 import divides

BEFORE, DECREASE = "the variance with replacement", "the decrease"


def theory(point: Point) -> dict[str, Fraction]:
    p, bits = Fraction(point["p"]), point["x"]
    share, size = Fraction(sum(bits), len(bits)), len(bits)
    lost = share * (1 - share) / size
    return {BEFORE: lost + p * (1 - p) / (size * (2 * p - 1) ** 2), DECREASE: lost}


def computed(point: Point) -> dict[str, Fraction]:
    """The variance when N persons are drawn with replacement from these N, less that when each is asked once."""
    p, bits = Fraction(point["p"]), point["x"]
    before, after = (spread(law(bits, warner(p)), len(bits), 2 * p - 1) for law in (replaced, fixed))
    return {BEFORE: before, DECREASE: before - after}


def mutant(point: Point) -> dict[str, Fraction]:
    """pi_A/N is saved."""
    bits = point["x"]
    return {**theory(point), DECREASE: Fraction(sum(bits), len(bits) ** 2)}


CLAIM = Claim(
    id="sun2023.eq-1-decrease",
    source=f"{PAPER}, section 3.1, after equation (1)",
    place=(3, 5),
    printed=r"The variance is decreased by $[\pi_A(1-\pi_A)]/N$ compared with that in (Warner, 1965) that samples with "
    r"replacement, which is $\mathbf{Var}\hat{\pi_A}=\frac{\pi_A(1-\pi_A)}N+\frac{p(1-p)}{N(2p-1)^2}$.",
    precise="For 0 <= p <= 1, p != 1/2 and every population of N persons: the variance of the estimator from N persons "
    "drawn with replacement, and by how much it exceeds that from all N persons asked once each.",
    variables={"p": PROBABILITY, "x": MEMBERSHIP},
    defined=(divides,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="What is saved is the variance of the sampling; that of the device stays. A sample of n < N persons without "
    "replacement has (N - n)/(N - 1) times pi_A(1 - pi_A)/n of it.",
)
