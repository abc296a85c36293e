"""Theorem 4.1: the variance of the improved Christofides mechanism."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Domain, Entry, Fold, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import DECK, all_orders, divides, moments_of_deck, slope, variance_over

several = Condition("N >= 2: the formula divides by N - 1", lambda point: len(point["case"]["x"]) >= 2)
BOUND = {
    "size": Domain("N", (), relation="x >= 2"),
    "most": Domain("L", (), relation="x >= 1"),
    "slope": Domain("L + 1 - 2 E Y, not 0", (), relation="x != 0"),
}


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


def deck() -> Fold:
    """Return the sum t, the sum q of the squares and the sum ap of the products of two different cards."""
    return Fold(
        over=lambda point, _: [{"card": Entry("case", "deck", i)} for i in range(len(point["case"]["deck"]))],
        start={"t": 0, "q": 0, "ap": 0},
        update={"t": "t + card", "q": "q + card**2", "ap": "ap + 2*card*t"},
        invariants="ap == t**2 - q",
    )


def persons() -> Fold:
    """Return the number s of members; answers go with Y by signs, az is their sum, aq that of products of two."""
    return Fold(
        over=lambda point, _: [{"bit": Entry("case", "x", i)} for i in range(len(point["case"]["x"]))],
        start={"s": 0, "az": 0, "aq": 0},
        update={"s": "s + bit", "az": "az + 1 - 2*bit", "aq": "aq + 2*az*(1 - 2*bit)"},
        invariants=("az == count - 2*s", "aq == (count - 2*s)**2 - count"),
        count="size",
    )


def at(point: Point) -> dict[str, Fraction | int]:
    """N, L and the denominator."""
    return {"size": len(point["case"]["x"]), "most": point["case"]["L"], "slope": slope(point)}


def proof() -> Anchored:
    """Two persons hold any two different cards with the same probability, so their cards have the covariance below."""
    variance, covariance = "(q/size - (t/size)**2)", "(ap/(size*(size - 1)) - (t/size)**2)"
    return Anchored(
        Value(
            theory=f"4*s/size*(1 - s/size)*{variance}/((size - 1)*slope**2)",
            computed=f"(size*{variance} + aq*{covariance})/(size*slope)**2",
        ),
        at=at,
        folds=[deck(), persons()],
        argument="An answer is Y or L + 1 - Y: it moves with the card by the sign 1 or -1. The variance of a sum is "
        "that of its terms, and twice the covariances of two, each with the product of both signs.",
    )


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
    bound=BOUND,
    defined=(divides, several),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="The order in which persons are asked plays no part. With everybody or nobody in group A the variance is 0: "
    "the sum of the answers then is that of the deck or of its opposites, and reveals it. `theorem-4.1-decks` goes "
    "through all decks and populations up to N = 6 and L = 5. A deck exists where N p_1, ..., N p_L are whole numbers.",
)
