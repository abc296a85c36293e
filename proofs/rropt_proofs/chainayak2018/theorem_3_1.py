"""Theorem 3.1: h-CSIP is parity at most B(h)."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_positive
from rropt.privacy.parity_bounds import judge
from rropt_proofs.chainayak2018._boundaries import CANONICAL, bound_of
from rropt_proofs.chainayak2018._paper import (
    BAYES_BOUND,
    FACTOR_STEPS,
    PAPER,
    PROCEDURES,
    H,
    P,
    S,
    T,
    bound_certificates,
    breach,
    factor_certificates,
    parity,
    posterior,
)
from rropt_proofs.chainayak2018.lemma_3_3 import ARGUMENT


def theory(point: Point) -> dict[str, bool]:
    meets = bool(bound_of(point["h"]).allows(Mechanism(point["P"]).parity()))
    return {"h-CSIP": meets, "a breach by the library": not meets}


def _confirmed(point: Point) -> bool:
    """Whether the library shows a breach that is one by Definition 3.1."""
    if len(point["P"][0]) == 1:
        return False  # with one category there is nothing that the library would judge
    bound = bound_of(point["h"])
    found = judge(Mechanism(point["P"]), bound.criterion, bound).breach
    if found is None:
        return False
    alpha = tuple(Fraction(x.rational or 0) for x in found.distribution)
    p = sum((alpha[j] for j in found.property), Fraction(0))
    q = posterior(point["P"], alpha, found.property, found.response)
    return sum(alpha) == 1 and 0 < p < 1 and q > point["h"].at(p)


def computed(point: Point) -> dict[str, bool]:
    """(3.2) decided over all responses, properties and priors; and an explicit breach of another origin."""
    return {"h-CSIP": breach(point["P"], point["h"]) is None, "a breach by the library": _confirmed(point)}


def mutant(point: Point) -> dict[str, bool]:
    """< in the place of <=."""
    bound = bound_of(point["h"])
    return {**theory(point), "h-CSIP": bound.lower is None or parity(point["P"]) < bound.lower}


def proof() -> Proof:
    return Proof(
        scope="all m, k, all procedures (infinite parity included), all h with a <= h(a) <= 1 (h = 1 included)",
        argument=f"{ARGUMENT} The first part is for every property Q, the second uses single categories alone.",
        certificates=(*factor_certificates(), *bound_certificates()),
        unchecked_steps=(*FACTOR_STEPS, "a number is at most an infimum when it is at most every value"),
    )


def mutant_proof() -> object:
    """Privacy from (1 - p) h >= p (1 - h) alone, that is from h(p) >= p."""
    hypotheses = [Hypothesis(BAYES_BOUND), Hypothesis((1 - P) * H - P * (1 - H)), Hypothesis(1 - H), Hypothesis(T)]
    return prove_positive((1 - P) * (H * (S + T) - S), hypotheses, degree=2)


CLAIM = Claim(
    id="chainayak2018.theorem-3.1",
    source=f"{PAPER}, Theorem 3.1",
    printed=r"For any given $h$, an RR procedure $P$ provides $h$-CSIP if and only if $\eta(P)\le B(h)$.",
    precise="For h with a <= h(a) <= 1 and every procedure: P_alpha(Q | d_i) <= h(P_alpha(Q)) for all responses, "
    "properties and priors with 0 < P_alpha(Q) < 1 and P_alpha(Z = d_i) > 0 if and only if the parity is at most B(h).",
    variables={"P": PROCEDURES, "h": CANONICAL},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
)
