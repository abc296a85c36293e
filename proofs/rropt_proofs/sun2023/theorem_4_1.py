"""Theorem 4.1: the variance of the improved Christofides mechanism."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Point
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import DECK, all_orders, divides, moments_of_deck, slope, variance_over

several = Condition("N >= 2: the formula divides by N - 1", lambda point: len(point["case"]["x"]) >= 2)


def theory(point: Point) -> Fraction:
    """4 pi_A (1 - pi_A) Var Y/((N - 1)(L + 1 - 2 E Y)^2)."""
    case = point["case"]
    size = len(case["x"])
    share = Fraction(sum(case["x"]), size)
    mean, variance = moments_of_deck(case["deck"])
    return 4 * share * (1 - share) * variance / ((size - 1) * (case["L"] + 1 - 2 * mean) ** 2)


def computed(point: Point) -> Fraction:
    """The variance of the estimator over all orders in which the cards are dealt."""
    case = point["case"]
    return variance_over([sum(seen) for seen in all_orders(case)]) / (len(case["x"]) * slope(point)) ** 2


def mutant(point: Point) -> Fraction:
    """N in the place of N - 1."""
    size = len(point["case"]["x"])
    return theory(point) * (size - 1) / size


CLAIM = Claim(
    id="sun2023.theorem-4.1",
    source=f"{PAPER}, Theorem 4.1 and equation (3)",
    place=(4, 2),
    printed=r"The variance of $\hat{\pi_A}$ is $\mathbf{Var}\hat{\pi_A}="
    r"\frac{\mathbf{Var}(\sum_{i=1}^NX_i)}{N^2(L+1-2\mathrm{E}(Y))^2}="
    r"\frac{4\pi_A(1-\pi_A)\mathbf{Var}(Y)}{(N-1)(L+1-2\mathbf{E}(Y))^2}$.",
    precise="For every deck of N >= 2 cards with numbers of 1, ..., L whose mean is not (L + 1)/2, and all x_1, ..., "
    "x_N, one card each: the variance of the estimator over the deals. Y is any one card.",
    variables={"case": DECK},
    defined=(divides, several),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="The order in which persons are asked plays no part. With everybody or nobody in group A the variance is 0: "
    "the sum of the answers then is that of the deck or of its opposites, and reveals it. `theorem-4.1-decks` goes "
    "through all decks and populations up to N = 6 and L = 5. A deck exists where N p_1, ..., N p_L are whole numbers.",
)
