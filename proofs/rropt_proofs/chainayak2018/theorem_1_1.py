"""Theorem 1.1: small parity is sufficient for rho1-to-rho2 privacy."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.chainayak2018._paper import (
    BAYES_BOUND,
    FACTOR_ARGUMENT,
    FACTOR_STEPS,
    GAMMA,
    PAPER,
    PROCEDURES,
    RHO1,
    RHO2,
    RHOS,
    P,
    S,
    T,
    factor_certificates,
    ordered_rhos,
    parity,
    rho_breach,
)


def bound(point: Point) -> Fraction:
    """The right side of (1.6)."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    return high * (1 - low) / (low * (1 - high))


def theory(point: Point) -> bool:
    """(1.6), which implies privacy: false <= true."""
    return parity(point["P"]) <= bound(point)


def computed(point: Point) -> bool:
    """Definition 1.1, decided over all responses, properties and priors."""
    return rho_breach(point["P"], point["rho1"], point["rho2"]) is None


def mutant(point: Point) -> bool:
    """Without the factor 1 - rho1."""
    return parity(point["P"]) <= bound(point) / (1 - Fraction(point["rho1"]))


SLACK = RHO2 * (1 - RHO1) - GAMMA * RHO1 * (1 - RHO2)  # (1.6), cleared
BOUNDED = Hypothesis(BAYES_BOUND)
TURNED = Hypothesis(GAMMA * (1 - P) * S - P * T)  # the same for the complement
LEVELS = [Hypothesis(x) for x in (RHO1, 1 - RHO2, S, T)]


def proof() -> Proof:
    upward = RHO1 * (1 - P) * (RHO2 * T - (1 - RHO2) * S)
    downward = (1 - RHO2) * P * ((1 - RHO1) * S - RHO1 * T)
    below, above = Hypothesis(RHO1 - P), Hypothesis(P - RHO2)
    sides = [Hypothesis(P), Hypothesis(1 - P), Hypothesis(RHO2), Hypothesis(1 - RHO1)]
    return Proof(
        scope="all m, k, all procedures, 0 < rho1 < rho2 < 1",
        argument=f"{FACTOR_ARGUMENT}With (1.6), p < rho1 gives rho1 (1 - p) (rho2 t - (1 - rho2) s) >= 0, so that the "
        "posterior s/(s + t) is at most rho2; and p > rho2 gives (1 - rho2) p ((1 - rho1) s - rho1 t) >= 0, so that it "
        "is at least rho1. At p = 0 and p = 1 the posterior is p. An infinite parity does not meet (1.6).",
        certificates=(
            *factor_certificates(),
            (
                "no upward breach",
                prove_positive(upward, [BOUNDED, Hypothesis(SLACK), below, *sides, *LEVELS], degree=4),
            ),
            (
                "no downward breach",
                prove_positive(downward, [TURNED, Hypothesis(SLACK), above, *sides, *LEVELS], degree=4),
            ),
        ),
        unchecked_steps=FACTOR_STEPS,
    )


def mutant_proof() -> object:
    """The upward part from gamma <= rho2/(rho1 (1 - rho2)) alone."""
    slack = Hypothesis(RHO2 - GAMMA * RHO1 * (1 - RHO2))
    upward = RHO1 * (1 - P) * (RHO2 * T - (1 - RHO2) * S)
    return prove_positive(sp.expand(upward), [BOUNDED, slack, Hypothesis(RHO1 - P), *LEVELS], degree=3)


CLAIM = Claim(
    id="chainayak2018.theorem-1.1",
    source=f"{PAPER}, Theorem 1.1 (Evfimievski et al., 2003)",
    printed=r"A sufficient condition for an RR procedure with transition probability matrix $P$ to guarantee "
    r"$\rho_1$-to-$\rho_2$ privacy is $\eta(P)\le\frac{\rho_2(1-\rho_1)}{\rho_1(1-\rho_2)}$.",
    precise="For 0 < rho1 < rho2 < 1: if (1.6) holds there is no response, property Q and prior with P(Q) < rho1 and "
    "P(Q | d_i) > rho2, or P(Q) > rho2 and P(Q | d_i) < rho1. (True counts as more than false.)",
    variables={"P": PROCEDURES, **RHOS},
    assumptions=(ordered_rhos,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-least",
    proof=proof,
    mutant_proof=mutant_proof,
)
