"""Equation (1.2): the posterior probabilities of the categories and of a property."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import PROCEDURES, Event


def _alpha(point: Point) -> list[Fraction]:
    """The prior: the weights of the categories that there are, made to sum to 1."""
    weights = point["alpha"][: len(point["P"][0])]
    return [Fraction(w, sum(weights)) for w in weights]


def event_of(point: Point) -> Event:
    """The property Q: the marked categories that there are."""
    return tuple(j for j in range(len(point["P"][0])) if point["Q"][j])


def theory(point: Point) -> Fraction:
    """P_alpha(Q | d_i) as the sum of (1.2) over Q."""
    alpha, row = _alpha(point), point["P"][point["i"]]
    total = sum(a * x for a, x in zip(alpha, row, strict=True))
    return sum((alpha[j] * row[j] / total for j in event_of(point)), Fraction(0))


def computed(point: Point) -> Fraction:
    """By counting: a population in which every (category, response) has its exact share, seen at the response d_i."""
    alpha, procedure = _alpha(point), point["P"]
    persons = {(j, u): a * row[j] for u, row in enumerate(procedure) for j, a in enumerate(alpha)}
    seen = sum((count for (_, u), count in persons.items() if u == point["i"]), Fraction(0))
    return sum((persons[j, point["i"]] for j in event_of(point)), Fraction(0)) / seen


def mutant(point: Point) -> Fraction:
    """Without the prior in the denominator."""
    alpha, row = _alpha(point), point["P"][point["i"]]
    return sum((alpha[j] * row[j] / sum(row) for j in event_of(point)), Fraction(0))


def draw_weights(rng: random.Random) -> tuple[Fraction, ...]:
    """Draw weights of four categories, the first positive."""
    return (Fraction(rng.randint(1, 9)), *(Fraction(rng.randint(0, 9)) for _ in range(3)))


CLAIM = Claim(
    id="chainayak2018.eq-1.2",
    source=f"{PAPER}, equation (1.2)",
    place=(1, 2),
    printed=r"$P_\alpha(X=c_j|Z=d_i)=\frac{P_\alpha(X=c_j,Z=d_i)}{P_\alpha(Z=d_i)}=\frac{\alpha_jp_{ij}}"
    r"{\sum_{l=1}^k\alpha_lp_{il}}$. [...] $P_\alpha(X\in Q|Z=d_i)=\sum_{j:c_j\in Q}P_\alpha(X=c_j|Z=d_i)$.",
    precise="For every procedure, prior, response d_i with P_alpha(Z = d_i) > 0 and every one of the 2^k sets Q: the "
    "sum of (1.2) over Q is the share of Q among those who answer d_i.",
    variables={
        "P": PROCEDURES,
        "alpha": Domain(
            "weights of the categories in the prior",
            tuple(tuple(map(Fraction, row)) for row in ((1, 1, 1, 1), (1, 0, 0, 0), (1, 2, 3, 4), (9, 0, 1, 1))),
            draw_weights,
            entries={(): "x >= 0"},
        ),
        "i": Domain.whole("the response, counted from 0", 0, 3),
        "Q": Domain.values("the property Q: 1 for its categories", *product((0, 1), repeat=4)),
    },
    assumptions=(Condition("there is a response d_i", lambda p: p["i"] < len(p["P"])),),
    defined=(
        Condition("P_alpha(Z = d_i) > 0", lambda p: any(a * x for a, x in zip(_alpha(p), p["P"][p["i"]], strict=True))),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=400,
    notes="The formula needs P_alpha(Z = d_i) > 0, which the later definitions ask for.",
)
