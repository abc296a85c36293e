"""Section 3.3: what asking everybody once saves in modified Christofides."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Point, Value
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
from rropt_proofs.sun2023.theorem_3_1 import BOUND, at, moments, persons

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


def proof() -> Anchored:
    """A person drawn by chance has an answer with the moments a1/N and a2/N."""
    lost = "s/size*(1 - s/size)/size"
    before = "(a2/size - (a1/size)**2)/(size*slope**2)"
    return Anchored(
        Value(of=BEFORE, theory=f"{lost} + (q - e**2)/(size*slope**2)", computed=before),
        Value(of=DECREASE, theory=lost, computed=f"{before} - a0/(size*slope)**2"),
        at=at,
        folds=[moments(), persons()],
    )


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
    bound=BOUND,
    defined=(estimable,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
)
