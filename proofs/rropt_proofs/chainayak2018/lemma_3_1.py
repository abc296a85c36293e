"""Lemma 3.1: a two-sided criterion is one upper function."""

from __future__ import annotations

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._boundaries import DEMANDS, canonical
from rropt_proofs.chainayak2018._paper import PAPER, PROCEDURES, S, T, breach


def theory(point: Point) -> bool:
    """(3.1): no posterior above [h_l * h_u]."""
    return breach(point["P"], canonical(*point["demand"])) is None


def computed(point: Point) -> bool:
    """(2.2) by Definition 2.2: no posterior above h_u, none below h_l; and at the priors 0 and 1 nothing is asked."""
    lower, upper = point["demand"]
    at_ends = lower.at(0) <= 0 <= upper.at(0) and lower.at(1) <= 1 <= upper.at(1)
    return at_ends and breach(point["P"], upper, lower) is None


def mutant(point: Point) -> bool:
    """h_u alone in the place of [h_l * h_u]."""
    return breach(point["P"], point["demand"][1]) is None


def proof() -> Proof:
    x, low, u, v = sp.symbols("x l u v")
    return Proof(
        scope="all m, k, all procedures, all h_l and h_u of Definition 2.2",
        argument="At p = 0 and p = 1 the posterior is p, and h_l(0) = 0, h_u(1) = 1. For 0 < p < 1 the posterior x of "
        "Q and that of its complement sum to 1, so x >= h_l(p) says of the complement, with prior p' = 1 - p, that its "
        "posterior is at most 1 - h_l(1 - p'). As Q runs over all sets so does its complement: the lower limits for "
        "all Q are the upper limits 1 - h_l(1 - p) for all Q. Being at most h_u and at most that is being at most the "
        "smaller.",
        certificates=(
            ("posteriors of Q and its complement", prove_identity(S / (S + T) + T / (S + T), 1)),
            ("the turned inequality", prove_identity((1 - low) - (1 - x), x - low)),
            (
                "at most the smaller is at most both",
                prove_positive(v - x, [Hypothesis(u - x), Hypothesis(v - u)], degree=1),
            ),
        ),
        unchecked_steps=("the complement is a bijection of the 2^k sets", "the smaller of two numbers is one of them"),
    )


def mutant_proof() -> object:
    """Below the larger of two is not below both."""
    x, u, v = sp.symbols("x u v")
    return prove_positive(v - x, [Hypothesis(u - x), Hypothesis(u - v)], degree=1)


CLAIM = Claim(
    id="chainayak2018.lemma-3.1",
    source=f"{PAPER}, Lemma 3.1",
    printed=r"$P$ provides $(h_l,h_u)$-SIP if and only if $P_\alpha(Q\mid d_i)\le[h_l\star h_u](P_\alpha(Q))$ (3.1) "
    r"for all $i$ and all $\alpha$ and $Q\subseteq\mathcal S_X$ such that $0<P_\alpha(Q)<1$, where "
    r"$[h_l\star h_u](a)=\min\{h_u(a),1-h_l(1-a)\}$.",
    precise="For h_l and h_u with 0 <= h_l(a) <= a <= h_u(a) <= 1: (2.2) for all responses, properties and priors with "
    "P_alpha(Z = d_i) > 0 holds if and only if (3.1) does.",
    variables={"P": PROCEDURES, "demand": DEMANDS},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
)
