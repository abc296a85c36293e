"""Problems with an unrestricted output alphabet, and mechanisms to hold against their optima."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations

import rropt
from rropt.mechanisms import Mechanism
from rropt.objectives import (
    AOptimality,
    ChiSquare,
    Contrast,
    DOptimality,
    EOptimality,
    MutualInformation,
    Objective,
    TotalVariation,
)
from rropt.privacy import PrivacyRegion

F = Fraction
LEVELS = ("1/20", "1/10", "log(3/2)", "1/2", "log(2)", "1", "log(5)", "2", "7/2", "5", "log(1000)", "8")
KINDS = ("a-optimal", "c-optimal", "chi-square", "d-optimal", "e-optimal", "mutual-information", "total-variation")


def problem(epsilon: object, objective: Objective, population: list[Fraction]) -> rropt.Problem:
    return rropt.Problem(PrivacyRegion(epsilon, inputs=len(population), outputs="any"), objective, population)


def population(rng: random.Random, k: int, *, zeros: bool = True) -> list[Fraction]:
    """Return random shares, at times of 1e-4 or 0."""
    shares = [rng.choice((1, 10, rng.randint(1, 10**4), rng.randint(1, 10**4))) for _ in range(k)]
    if zeros and rng.random() < 0.1:
        shares[rng.randrange(k)] = 0
    shares[rng.randrange(k)] += 10**4
    return [F(x, sum(shares)) for x in shares]


def contrast(rng: random.Random, k: int) -> list[Fraction]:
    """Return a difference of two shares, a mean, or any numbers."""
    kind = rng.randrange(3)
    c = [[F(1), F(-1)] + [F(0)] * (k - 2), [F(j) for j in range(k)], [F(rng.randint(-9, 9), 7) for _ in range(k)]][kind]
    c[0] += len(set(c)) == 1
    return c


def drawn(rng: random.Random, kind: str, k: int) -> Objective:
    """Return an objective of a kind."""
    if kind == "c-optimal":
        return Contrast(contrast(rng, k))
    if kind in ("chi-square", "total-variation"):
        return (TotalVariation if kind == "total-variation" else ChiSquare)(population(rng, k))
    return {
        "a-optimal": AOptimality,
        "d-optimal": DOptimality,
        "e-optimal": EOptimality,
        "mutual-information": MutualInformation,
    }[kind]()


def direct(k: int, gamma: Fraction) -> Mechanism:
    """Return k-ary randomized response."""
    return Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])


def split(k: int, subset: tuple[int, ...], gamma: Fraction) -> Mechanism:
    """Return the two answers that say whether the truth is in a subset."""
    return Mechanism(
        [[(gamma if (j in subset) == side else 1) / (gamma + 1) for j in range(k)] for side in (True, False)]
    )


def subsets(k: int, d: int, gamma: Fraction) -> Mechanism:
    """Return subset selection."""
    chosen = list(combinations(range(k), d))
    theta = F(k, len(chosen)) / (d * gamma + k - d)
    return Mechanism([[theta * (gamma if j in c else 1) for j in range(k)] for c in chosen])


def random_mechanism(rng: random.Random, k: int, gamma: Fraction) -> Mechanism:
    """Return a mechanism of parity at most gamma: rows of any values between 1 and gamma, and the rest as a row."""
    rows = []
    for _ in range(rng.randint(k - 1, 2 * k)):
        kind = rng.random()
        rows.append(
            [F(1) + (gamma - 1) * (rng.randint(0, 1) if kind < 0.7 else F(rng.randint(0, 6), 6)) for _ in range(k)]
        )
    weights = [F(rng.randint(1, 9)) for _ in rows]
    sums = [sum(w * row[j] for w, row in zip(weights, rows, strict=True)) for j in range(k)]
    least = (gamma * max(sums) - min(sums)) / (gamma - 1)  # the scale at which the rest has parity gamma
    matrix = [[w * x / least for x in row] for w, row in zip(weights, rows, strict=True)]
    return Mechanism([*matrix, [1 - s / least for s in sums]])
