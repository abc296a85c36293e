"""Lemma 3.3: the posteriors of all categories stay below h exactly when the parity is at most B(h)."""

from __future__ import annotations

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.chainayak2018._boundaries import CANONICAL, bound_of
from rropt_proofs.chainayak2018._paper import (
    FACTOR_ARGUMENT,
    FACTOR_STEPS,
    GAMMA,
    PAPER,
    PROCEDURES,
    H,
    P,
    bound_certificates,
    breach,
    factor_certificates,
    parity,
)


def theory(point: Point) -> bool:
    """The parity of the library against B(h) of the library."""
    return bool(bound_of(point["h"]).allows(Mechanism(point["P"]).parity()))


def computed(point: Point) -> bool:
    """(3.4) decided over all responses, categories and priors."""
    return breach(point["P"], point["h"], atoms=True) is None


def mutant(point: Point) -> bool:
    """< in the place of <=."""
    bound = bound_of(point["h"])
    return bound.lower is None or parity(point["P"]) < bound.lower


ARGUMENT = (
    f"{FACTOR_ARGUMENT}Let F(p) = ((1 - p)/p) (h(p)/(1 - h(p))), whose infimum over 0 < p < 1 is B(h); gamma <= F(p) "
    "reads (1 - p) h - gamma p (1 - h) >= 0, which holds for every gamma where h = 1. If the parity gamma is at most "
    "B(h), this and gamma p t - (1 - p) s >= 0 give h (s + t) - s >= 0: the posterior is at most h(p). Conversely let "
    "a and b be the largest and the least entry of a row. The prior p on the one category and 1 - p on the other has "
    "posterior a p/(a p + b (1 - p)) <= h(p), so h (1 - p) b - (1 - h) p a >= 0 for all p: a/b <= F(p) wherever h < 1, "
    "b = 0 < a being impossible there. If h = 1 on (0, 1), B(h) is infinite and both sides hold."
)


def proof() -> Proof:
    return Proof(
        scope="all m, k, all procedures (infinite parity included), all h with a <= h(a) <= 1 (h = 1 included)",
        argument=ARGUMENT,
        certificates=(*factor_certificates(), *bound_certificates()),
        unchecked_steps=(*FACTOR_STEPS, "a number is at most an infimum when it is at most every value"),
    )


def mutant_proof() -> object:
    """The posterior below h without the bound on gamma."""
    s, t = sp.symbols("s t")
    row = Hypothesis(GAMMA * P * t - (1 - P) * s)
    return prove_positive((1 - P) * (H * (s + t) - s), [row, Hypothesis(H), Hypothesis(1 - H), Hypothesis(t)], degree=2)


CLAIM = Claim(
    id="chainayak2018.lemma-3.3",
    source=f"{PAPER}, Lemma 3.3",
    printed=r"A necessary and sufficient condition for $P$ to satisfy (3.4) for all $i,j$ and $\alpha$ is that "
    r"$\eta(P)\le B(h)$, where $B(h)=\inf_{0<p<1}(\frac{1-p}p)(\frac{h(p)}{1-h(p)})$, and $h(p)/[1-h(p)]=\infty$ when "
    r"$h(p)=1$.",
    precise="For h with a <= h(a) <= 1 and every procedure: (3.4) holds for all responses, categories and priors if "
    "and only if the parity is at most B(h), where infinity <= infinity.",
    variables={"P": PROCEDURES, "h": CANONICAL},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="The proof in the appendix says that h(p) cannot be 1 for all 0 < p < 1. Definition 3.1 allows it; then "
    "B(h) is infinite and the lemma holds all the same.",
)
