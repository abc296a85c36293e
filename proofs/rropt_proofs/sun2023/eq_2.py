"""Equation (2): the variance of modified Simmons."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import MEMBERSHIP, PROBABILITY, fixed, simmons, spread

MIDDLE, LAST = "the second line", "the last line"
UNRELATED = Domain.interval("pi_B, the probability that v = 1", 0, 1, also=("1/4", "1/2"))
asked = Condition("p > 0: the estimator divides by p", "p > 0")


def theory(point: Point) -> dict[str, Fraction]:
    """Both lines as printed."""
    p, b, bits = Fraction(point["p"]), Fraction(point["b"]), point["x"]
    share, size = Fraction(sum(bits), len(bits)), len(bits)
    member = share * (p + (1 - p) * b) * (1 - p - (1 - p) * b)
    other = (1 - share) * ((1 - p) * b) * (1 - (1 - p) * b)
    return {
        MIDDLE: member / (size * p**2) + other / (size * p**2),
        LAST: (b * (1 - p) - b**2 * (1 - p) ** 2) / (size * p**2) + share * (1 - p - 2 * b * (1 - p)) / (size * p),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The variance of the estimator over all answers of these N persons, each with coins of one's own."""
    p, b, bits = Fraction(point["p"]), Fraction(point["b"]), point["x"]
    return dict.fromkeys((MIDDLE, LAST), spread(fixed(bits, simmons(p, b)), len(bits), p))


def mutant(point: Point) -> dict[str, Fraction]:
    """Without the last term."""
    p, b, size = Fraction(point["p"]), Fraction(point["b"]), len(point["x"])
    return {**theory(point), LAST: (b * (1 - p) - b**2 * (1 - p) ** 2) / (size * p**2)}


CLAIM = Claim(
    id="sun2023.eq-2",
    source=f"{PAPER}, equation (2)",
    place=(3, 8),
    printed=r"$\mathbf{Var}\hat{\pi_A}=$ $\frac{\mathbf{Var}\left(\frac1N\sum_{i=1}^NX_i\right)}{p^2}$ $=$ "
    r"$\frac{\pi_A\left[p+(1-p)\pi_B\right]\left[1-p-(1-p)\pi_B\right]}{Np^2}+$ "
    r"$\frac{\left(1-\pi_A\right)\left[(1-p)\pi_B\right]\left[1-(1-p)\pi_B\right]}{Np^2}$ $=$ "
    r"$\frac{\pi_B(1-p)-\pi_B^2(1-p)^2}{Np^2}+$ $\pi_A\frac{1-p-2\pi_B(1-p)}{Np}$.",
    precise="For 0 < p <= 1, 0 <= pi_B <= 1, every N and all x_1, ..., x_N, all N persons asked once each: the "
    "variance of the estimator over their coins u and v, with the conditions of Algorithm 2 read as u = 1 and v = 1.",
    variables={"p": PROBABILITY, "b": UNRELATED, "x": MEMBERSHIP},
    defined=(asked,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="The answer to the unrelated question is a coin v, as in Algorithm 2. If it is a trait that persons have "
    "(born in the first half of the year), of the fixed population only those answer by chance whose two traits "
    "differ: the variance is then their share times (1 - p)/(N p), and the collector who knows a person's birthday "
    "learns more than Theorem 5.2 says.",
)
