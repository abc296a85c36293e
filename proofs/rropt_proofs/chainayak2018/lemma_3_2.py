"""Lemma 3.2: the single categories suffice."""

from __future__ import annotations

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._boundaries import CANONICAL
from rropt_proofs.chainayak2018._paper import PAPER, PROCEDURES, P, S, T, breach


def theory(point: Point) -> bool:
    """(3.4): for the single categories."""
    return breach(point["P"], point["h"], atoms=True) is None


def computed(point: Point) -> bool:
    """(3.2): for all 2^k properties."""
    return breach(point["P"], point["h"]) is None


def mutant(point: Point) -> bool:
    """(3.4) for the first response alone."""
    return breach(point["P"][:1], point["h"], atoms=True) is None


def proof() -> Proof:
    largest, x, a, h = sp.symbols("u x a h")
    atom = P * largest / (P * largest + T)
    return Proof(
        scope="all m, k, all procedures, all h with a <= h(a) <= 1",
        argument="(3.4) is (3.2) for Q = {c_j}; at alpha_j = 1 it reads 1 <= h(1) = 1. Conversely take Q with prior p "
        "and let u be the largest likelihood p_ij in Q, at c_q. The prior that moves all of p to c_q has the same "
        "t outside, and s <= p u, one category at a time. If t = 0 both posteriors are 1; if u = 0, s = 0 and "
        "there is nothing to show. Else s/(s + t) is at most p u/(p u + t), which (3.4) bounds by h(p).",
        certificates=(
            (
                "a category of likelihood x <= u and weight a joins Q: s <= p u goes on",
                prove_positive(
                    (P + a) * largest - (S + a * x),
                    [Hypothesis(P * largest - S), Hypothesis(largest - x), Hypothesis(a)],
                    degree=2,
                ),
            ),
            (
                "the difference of the posteriors",
                prove_identity((atom - S / (S + T)) * (P * largest + T) * (S + T), T * (P * largest - S)),
            ),
            (
                "s/(s + t) <= h follows",
                prove_positive(
                    (h * (S + T) - S) * P * largest,
                    [
                        Hypothesis(h * (P * largest + T) - P * largest),
                        Hypothesis(P * largest - S),
                        Hypothesis(S),
                        Hypothesis(T),
                        Hypothesis(h),
                    ],
                    degree=3,
                ),
            ),
        ),
        unchecked_steps=("induction over the categories of Q",),
    )


def mutant_proof() -> object:
    """With an arbitrary likelihood in the place of the largest."""
    u, x, a = sp.symbols("u x a")
    return prove_positive(
        (P + a) * u - (S + a * x), [Hypothesis(P * u - S), Hypothesis(x - u), Hypothesis(a)], degree=2
    )


CLAIM = Claim(
    id="chainayak2018.lemma-3.2",
    source=f"{PAPER}, Lemma 3.2",
    printed=r"$P$ provides $h$-CSIP if and only if $P_\alpha(X=c_j\mid Z=d_i)\le h(P_\alpha(X=c_j))$ (3.4) for all "
    r"$i,j$ and $\alpha$ such that $P_\alpha(X=c_j)>0$ and $P_\alpha(Z=d_i)>0$.",
    precise="For h with a <= h(a) <= 1: no posterior of a property exceeds h of its prior if and only if none of a "
    "single category does.",
    variables={"P": PROCEDURES, "h": CANONICAL},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
)
