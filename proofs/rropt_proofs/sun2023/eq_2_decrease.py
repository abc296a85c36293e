"""Section 3.2: what asking everybody once saves in modified Simmons."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import MEMBERSHIP, PROBABILITY, fixed, replaced, simmons, spread
from rropt_proofs.sun2023.eq_2 import UNRELATED, asked

BEFORE, DECREASE = "the variance with replacement", "the decrease"


def theory(point: Point) -> dict[str, Fraction]:
    p, b, bits = Fraction(point["p"]), Fraction(point["b"]), point["x"]
    share, size = Fraction(sum(bits), len(bits)), len(bits)
    lost = share * (1 - share) / size
    rest = (b * (1 - p) - b**2 * (1 - p) ** 2) / (size * p**2) + share * (1 - p - 2 * b * (1 - p)) / (size * p)
    return {BEFORE: lost + rest, DECREASE: lost}


def computed(point: Point) -> dict[str, Fraction]:
    """The variance when N persons are drawn with replacement from these N, less that when each is asked once."""
    p, b, bits = Fraction(point["p"]), Fraction(point["b"]), point["x"]
    before, after = (spread(law(bits, simmons(p, b)), len(bits), p) for law in (replaced, fixed))
    return {BEFORE: before, DECREASE: before - after}


def mutant(point: Point) -> dict[str, Fraction]:
    """pi_A/N is saved."""
    bits = point["x"]
    return {**theory(point), DECREASE: Fraction(sum(bits), len(bits) ** 2)}


CLAIM = Claim(
    id="sun2023.eq-2-decrease",
    source=f"{PAPER}, section 3.2, after equation (2)",
    place=(3, 9),
    printed=r"The variance is decreased by $[\pi_A(1-\pi_A)]/N$ compared with that in (Greenberg et al., 1969) which "
    r"samples with replacement, $\mathbf{Var}\hat{\pi_A}=$ "
    r"$\frac{\pi_A\left(1-\pi_A\right)}N+\frac{\pi_B(1-p)-\pi_B^2(1-p)^2}{Np^2}+$ "
    r"$\pi_A\frac{1-p-2\pi_B(1-p)}{Np}$.",
    precise="For 0 < p <= 1, 0 <= pi_B <= 1 and every population of N persons: the variance of the estimator from N "
    "persons drawn with replacement, and by how much it exceeds that from all N persons asked once each. The unrelated "
    "question is answered by a coin, as in Algorithm 2.",
    variables={"p": PROBABILITY, "b": UNRELATED, "x": MEMBERSHIP},
    defined=(asked,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
