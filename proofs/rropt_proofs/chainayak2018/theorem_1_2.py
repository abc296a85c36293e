"""Theorem 1.2: beta-factor privacy is parity at most beta."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._paper import (
    BETA,
    FACTOR_ARGUMENT,
    FACTOR_STEPS,
    GAMMA,
    PAPER,
    PROCEDURES,
    P,
    S,
    T,
    beta_breach,
    beta_domain,
    factor_certificates,
    parity,
)


def theory(point: Point) -> bool:
    return parity(point["P"]) <= point["beta"]


def computed(point: Point) -> bool:
    """Definition 1.2, decided over all responses, properties and priors."""
    return beta_breach(point["P"], Fraction(point["beta"])) is None


def mutant(point: Point) -> bool:
    """< in the place of <=."""
    return parity(point["P"]) < point["beta"]


def proof() -> Proof:
    a, b = sp.symbols("a b")
    p = (a - BETA * b) / (2 * BETA * (a - b))
    share = Hypothesis(P)
    above = Hypothesis(BETA - 1)
    slack, least = Hypothesis(a - BETA * b, strict=True), Hypothesis(b)
    return Proof(
        scope="all m, k, all procedures, beta > 1, infinite parity included",
        argument=f"{FACTOR_ARGUMENT}With gamma = beta: beta p (s + t) - s = (beta p t - (1 - p) s) + (beta - 1) p s "
        ">= 0, so the posterior is at most beta p; and beta s - p (s + t) = (beta (1 - p) s - p t) + (beta - 1) p s "
        ">= 0, where the first bracket is the bound for the complement. If the parity exceeds beta, a row "
        "has entries a > beta b >= 0, and the prior on the two with p = (a - beta b)/(2 beta (a - b)) in (0, 1) has "
        "a - beta (p a + (1 - p) b) = (a - beta b)/2 > 0: posterior above beta p.",
        certificates=(
            *factor_certificates(),
            (
                "posterior <= beta p",
                prove_positive(
                    BETA * P * (S + T) - S,
                    [Hypothesis(BETA * P * T - (1 - P) * S), above, share, Hypothesis(S)],
                    degree=3,
                ),
            ),
            (
                "posterior >= p/beta",
                prove_positive(
                    BETA * S - P * (S + T),
                    [Hypothesis(BETA * (1 - P) * S - P * T), above, share, Hypothesis(S)],
                    degree=3,
                ),
            ),
            ("the breach", prove_identity(a - BETA * (p * a + (1 - p) * b), (a - BETA * b) / 2)),
            (
                "its prior is below 1",
                prove_positive(
                    2 * BETA * (a - b) - (a - BETA * b),
                    [slack, least, Hypothesis(BETA - 1, strict=True)],
                    strict=True,
                    degree=3,
                ),
            ),
            ("a > b", prove_positive(a - b, [slack, least, Hypothesis(BETA - 1)], strict=True, degree=2)),
        ),
        unchecked_steps=FACTOR_STEPS,
    )


def mutant_proof() -> object:
    """A posterior at most beta p from a bound gamma that is not beta."""
    bound = Hypothesis(GAMMA * P * T - (1 - P) * S)
    return prove_positive(BETA * P * (S + T) - S, [bound, Hypothesis(BETA - 1), Hypothesis(P), Hypothesis(S)], degree=2)


CLAIM = Claim(
    id="chainayak2018.theorem-1.2",
    source=f"{PAPER}, Theorem 1.2 (Nayak et al., 2015)",
    printed=r"An RR procedure guarantees $\beta$-factor privacy if and only if $\eta(P)\le\beta$.",
    precise="For beta > 1: the parity is at most beta if and only if no response, property Q and prior with P(Q) > 0 "
    "have P(Q | d_i)/P(Q) > beta or < 1/beta.",
    variables={"P": PROCEDURES, "beta": beta_domain},
    assumptions=(Condition("beta > 1", lambda p: p["beta"] > 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="At parity exactly beta the ratio comes as close to beta as one likes, for small P(Q), and never reaches it.",
)
