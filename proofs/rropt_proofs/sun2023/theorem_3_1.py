"""Theorem 3.1: the variance of modified Christofides."""

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
    spread,
)


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


CLAIM = Claim(
    id="sun2023.theorem-3.1",
    source=f"{PAPER}, Theorem 3.1",
    place=(3, 12),
    printed=r"The variance of $\hat{\pi_A}$ is $\mathbf{Var}\hat{\pi_A}="
    r"\frac{\mathbf{Var}(\sum_{i=1}^NX_i)}{N^2(L+1-2\mathbf{E}(Y))^2}=\frac{\mathbf{Var}Y}{N(L+1-2\mathbf{E}(Y))^2}$.",
    precise="For every L >= 2 and all proportions with E Y != (L + 1)/2, every N and all x_1, ..., x_N, all N persons "
    "asked once each, each card put back: the variance of the estimator over the cards.",
    variables={"p": PROPORTIONS, "x": MEMBERSHIP},
    defined=(estimable,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="The population is fixed, and all of it is asked: nothing but the cards is random.",
)
