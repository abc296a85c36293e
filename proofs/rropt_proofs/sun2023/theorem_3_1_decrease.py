"""Section 3.3: what asking everybody once saves in modified Christofides."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs._laws import mean_of, variance_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import (
    MEMBERSHIP,
    PROPORTIONS,
    card,
    cards,
    estimable,
    fixed,
    mean_of_cards,
    replaced,
    spread,
)

BEFORE, DECREASE = "the variance with replacement", "the decrease"


def theory(point: Point) -> dict[str, Fraction]:
    one, bits = card(point["p"]), point["x"]
    share, size = Fraction(sum(bits), len(bits)), len(bits)
    lost = share * (1 - share) / size
    return {BEFORE: lost + variance_of(one) / (size * (len(point["p"]) + 1 - 2 * mean_of(one)) ** 2), DECREASE: lost}


def computed(point: Point) -> dict[str, Fraction]:
    """The variance when N persons are drawn with replacement from these N, less that when each is asked once."""
    p, bits = point["p"], point["x"]
    slope = len(p) + 1 - 2 * mean_of_cards(p)
    before, after = (spread(law(bits, cards(p)), len(bits), slope) for law in (replaced, fixed))
    return {BEFORE: before, DECREASE: before - after}


def mutant(point: Point) -> dict[str, Fraction]:
    """pi_A/N is saved."""
    bits = point["x"]
    return {**theory(point), DECREASE: Fraction(sum(bits), len(bits) ** 2)}


CLAIM = Claim(
    id="sun2023.theorem-3.1-decrease",
    source=f"{PAPER}, section 3.3, after Theorem 3.1",
    place=(3, 13),
    printed=r"The variance is decreased by $[\pi_A(1-\pi_A)]/N$ compared with that in (Christofides, 2003) which "
    r"samples with replacement, $\mathbf{Var}\hat{\pi_A}=\frac{\pi_A(1-\pi_A)}N+"
    r"\frac{\operatorname{Var}Y}{N(L+1-2\mathbf{E}(Y))^2}$.",
    precise="For every L >= 2, all proportions with E Y != (L + 1)/2 and every population of N persons: the variance "
    "of the estimator from N persons drawn with replacement, and by how much it exceeds that from all N persons asked "
    "once each; cards are put back in both.",
    variables={"p": PROPORTIONS, "x": MEMBERSHIP},
    defined=(estimable,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
