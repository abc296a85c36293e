"""Theorem 3.1: the variance of modified Christofides."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Domain, Entry, Fold, Point, Value
from rropt_proofs._laws import mean_of, variance_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import (
    MEMBERSHIP,
    PROPORTIONS,
    SIZE,
    card,
    cards,
    estimable,
    fixed,
    mean_of_cards,
    spread,
)

BOUND = {
    "size": SIZE,
    "most": Domain("L", (), relation="x >= 1"),
    "slope": Domain("L + 1 - 2 E Y, not 0", (), relation="x != 0 and x == most + 1 - 2*e"),
}


def theory(point: Point) -> Fraction:
    """Var Y/(N (L + 1 - 2 E Y)^2)."""
    one, size = card(point["p"]), len(point["x"])
    return variance_of(one) / (size * (len(point["p"]) + 1 - 2 * mean_of(one)) ** 2)


def computed(point: Point) -> Fraction:
    """The variance of the estimator over all cards of these N persons, each put back."""
    p, bits = point["p"], point["x"]
    return spread(fixed(bits, cards(p)), len(bits), len(p) + 1 - 2 * mean_of_cards(p))


def mutant(point: Point) -> Fraction:
    """N - 1 in the place of N, for N > 1."""
    size = len(point["x"])
    return theory(point) * size / max(size - 1, 1)


def at(point: Point) -> dict[str, Fraction | int]:
    """N, L and the denominator."""
    p = point["p"]
    return {"size": len(point["x"]), "most": len(p), "slope": len(p) + 1 - 2 * mean_of_cards(p)}


def moments() -> Fold:
    """Return the first two moments e and q of Y, b1 and b2 of L + 1 - Y."""
    return Fold(
        over=lambda point, _: [{"k": k + 1, "w": Entry("p", k)} for k in range(len(point["p"]))],
        start={"whole": 0, "e": 0, "q": 0, "b1": 0, "b2": 0},
        update={
            "whole": "whole + w",
            "e": "e + k*w",
            "q": "q + k**2*w",
            "b1": "b1 + (most + 1 - k)*w",
            "b2": "b2 + (most + 1 - k)**2*w",
        },
        invariants=("b1 == (most + 1)*whole - e", "b2 == (most + 1)**2*whole - 2*(most + 1)*e + q"),
    )


def persons() -> Fold:
    """Return the sum a0 of the variances, a1 of the first and a2 of the second moments of the answers."""
    return Fold(
        over=lambda point, _: [{"bit": Entry("x", i)} for i in range(len(point["x"]))],
        start={"s": 0, "a0": 0, "a1": 0, "a2": 0},
        update={
            "s": "s + bit",
            "a0": "a0 + bit*(b2 - b1**2) + (1 - bit)*(q - e**2)",
            "a1": "a1 + bit*b1 + (1 - bit)*e",
            "a2": "a2 + bit*b2 + (1 - bit)*q",
        },
        invariants=("a0 == count*(q - e**2)", "a1 == s*b1 + (count - s)*e", "a2 == s*b2 + (count - s)*q"),
        count="size",
    )


def proof() -> Anchored:
    """Y and L + 1 - Y have the same variance."""
    return Anchored(
        Value(theory="(q - e**2)/(size*slope**2)", computed="a0/(size*slope)**2"),
        at=at,
        folds=[moments(), persons()],
    )


CLAIM = Claim(
    id="sun2023.theorem-3.1",
    source=f"{PAPER}, Theorem 3.1",
    place=(3, 12),
    printed=r"The variance of $\hat{\pi_A}$ is $\mathbf{Var}\hat{\pi_A}="
    r"\frac{\mathbf{Var}(\sum_{i=1}^NX_i)}{N^2(L+1-2\mathbf{E}(Y))^2}=\frac{\mathbf{Var}Y}{N(L+1-2\mathbf{E}(Y))^2}$.",
    precise="For every L >= 2 and all proportions with E Y != (L + 1)/2, every N and all x_1, ..., x_N, all N persons "
    "asked once each, each card put back: the variance of the estimator over the cards.",
    variables={"p": PROPORTIONS, "x": MEMBERSHIP},
    bound=BOUND,
    defined=(estimable,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="The population is fixed, and all of it is asked: nothing but the cards is random.",
)
