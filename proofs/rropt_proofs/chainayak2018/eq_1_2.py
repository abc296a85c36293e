"""Equation (1.2): the posterior probabilities of the categories and of a property."""

from __future__ import annotations

import random
from fractions import Fraction
from math import lcm

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import prove_identity
from rropt_proofs.chainayak2018._paper import PAPER, PROCEDURES, Event, events


def _alpha(point: Point) -> list[Fraction]:
    """The prior: the weights of the categories that there are, made to sum to 1."""
    weights = point["alpha"][: len(point["P"][0])]
    return [Fraction(w, sum(weights)) for w in weights]


def theory(point: Point) -> dict[Event, Fraction]:
    """P_alpha(Q | d_i) as the sum of (1.2) over Q."""
    alpha, row = _alpha(point), point["P"][point["i"]]
    total = sum(a * x for a, x in zip(alpha, row, strict=True))
    return {event: sum((alpha[j] * row[j] / total for j in event), Fraction(0)) for event in events(len(row))}


def computed(point: Point) -> dict[Event, Fraction]:
    """By counting: a population in which every (category, response) has its exact share, seen at the response d_i."""
    alpha, procedure = _alpha(point), point["P"]
    size = lcm(*((a * x).denominator for row in procedure for a, x in zip(alpha, row, strict=True)))
    counts = {(j, u): int(size * a * row[j]) for u, row in enumerate(procedure) for j, a in enumerate(alpha)}  # persons
    seen = sum(count for (_, u), count in counts.items() if u == point["i"])
    return {event: Fraction(sum(counts[j, point["i"]] for j in event), seen) for event in events(len(procedure[0]))}


def mutant(point: Point) -> dict[Event, Fraction]:
    """Without the prior in the denominator."""
    alpha, row = _alpha(point), point["P"][point["i"]]
    return {event: sum((alpha[j] * row[j] / sum(row) for j in event), Fraction(0)) for event in events(len(row))}


def proof() -> Proof:
    n, rest, a, x = sp.symbols("n r a x")
    return Proof(
        scope="all m, k, all procedures, priors, properties, and responses with P_alpha(Z = d_i) > 0",
        argument="P_alpha(X = c_j, Z = d_i) = alpha_j p_ij by the definition of p_ij, and P_alpha(Z = d_i) is the sum "
        "of these over the categories. With n the part of that sum in Q and r the rest, P_alpha(Q | d_i) = n/(n + r); "
        "a further category of Q takes alpha_j p_ij from r to n, which adds its own (1.2).",
        certificates=(
            (
                "a category joins Q: its posterior is added",
                prove_identity((n + a * x) / (n + rest), n / (n + rest) + a * x / (n + rest)),
            ),
            ("Q and its complement", prove_identity(n / (n + rest) + rest / (n + rest), 1)),
        ),
        unchecked_steps=("the definition of conditional probability", "induction over the categories of Q"),
    )


def mutant_proof() -> object:
    n, rest, a, x = sp.symbols("n r a x")
    return prove_identity((n + a * x) / (n + rest), n / (n + rest) + x / (n + rest))


def _weights(rng: random.Random) -> tuple[int, ...]:
    return (rng.randint(1, 9), *(rng.randint(0, 9) for _ in range(3)))


CLAIM = Claim(
    id="chainayak2018.eq-1.2",
    source=f"{PAPER}, equation (1.2)",
    printed=r"$P_\alpha(X=c_j\mid Z=d_i)=\frac{P_\alpha(X=c_j,Z=d_i)}{P_\alpha(Z=d_i)}"
    r"=\frac{\alpha_jp_{ij}}{\sum_{l=1}^k\alpha_lp_{il}}$, and "
    r"$P_\alpha(X\in Q\mid Z=d_i)=\sum_{j:c_j\in Q}P_\alpha(X=c_j\mid Z=d_i)$.",
    precise="For every procedure, prior, response d_i with P_alpha(Z = d_i) > 0 and every one of the 2^k sets Q: the "
    "sum of (1.2) over Q is the share of Q among those who answer d_i.",
    variables={
        "P": PROCEDURES,
        "alpha": Domain(
            "weights of the categories in the prior", ((1, 1, 1, 1), (1, 0, 0, 0), (1, 2, 3, 4), (9, 0, 1, 1)), _weights
        ),
        "i": Domain.whole("the response, counted from 0", 0, 3),
    },
    assumptions=(Condition("there is a response d_i", lambda p: p["i"] < len(p["P"])),),
    defined=(
        Condition("P_alpha(Z = d_i) > 0", lambda p: any(a * x for a, x in zip(_alpha(p), p["P"][p["i"]], strict=True))),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes="The formula needs P_alpha(Z = d_i) > 0, which the later definitions ask for.",
)
