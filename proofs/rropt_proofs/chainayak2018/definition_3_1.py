"""Definition 3.1: the lower bound that h-CSIP implies."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.positivity import prove_identity
from rropt_proofs.chainayak2018._boundaries import CANONICAL, mirrored
from rropt_proofs.chainayak2018._paper import PAPER, PROCEDURES, S, T, breach


def theory(point: Point) -> bool:
    """h-CSIP, which implies the downward guarantee: false <= true."""
    return breach(point["P"], point["h"]) is None


def computed(point: Point) -> bool:
    """No posterior below 1 - h(1 - p), for all Q; at the priors 0 and 1 the posterior is the prior."""
    lower = mirrored(point["h"])
    return lower.at(Fraction(0)) <= 0 and lower.at(Fraction(1)) <= 1 and breach(point["P"], None, lower) is None


def mutant(point: Point) -> bool:
    """(3.2) for the first response alone."""
    return breach(point["P"][:1], point["h"]) is None


def proof() -> Proof:
    h, x = sp.symbols("h x")
    return Proof(
        scope="all m, k, all procedures, all h with a <= h(a) <= 1",
        argument="For 0 < P(Q) = p < 1, (3.2) for the complement reads 1 - x <= h(1 - p), x the posterior of Q: "
        "x >= 1 - h(1 - p). At p = 0 the bound is 1 - h(1) = 0 and at p = 1 it is 1 - h(0) <= 1, and the posterior is "
        "p there.",
        certificates=(
            ("posteriors of Q and its complement", prove_identity(S / (S + T) + T / (S + T), 1)),
            ("the turned inequality", prove_identity(h - (1 - x), x - (1 - h))),
        ),
        unchecked_steps=("h(1) = 1, as 1 <= h(1) <= 1",),
    )


def mutant_proof() -> object:
    """1 + h in the place of 1 - h."""
    h, x = sp.symbols("h x")
    return prove_identity(h - (1 - x), x - (1 + h))


CLAIM = Claim(
    id="chainayak2018.definition-3.1",
    source=f"{PAPER}, Definition 3.1 and the sentence after it",
    printed=r"$h$-CSIP: $P_\alpha(Q\mid d_i)\le h(P_\alpha(Q))$ (3.2) for all $i,\alpha,Q$ with $0<P_\alpha(Q)<1$. It "
    r"also provides the downward privacy guarantee that $P_\alpha(Q\mid d_i)\ge\tilde h(P_\alpha(Q))$ for "
    r"$i=1,\dots,m$ and all $\alpha$ and $Q\subseteq\mathcal S_X$, where $\tilde h(a)=1-h(1-a)$.",
    precise="For h with a <= h(a) <= 1: if (3.2) holds for all responses, properties and priors, no posterior is below "
    "1 - h(1 - P(Q)), Q empty or certain included. (True counts as more than false.)",
    variables={"P": PROCEDURES, "h": CANONICAL},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-least",
    proof=proof,
    mutant_proof=mutant_proof,
)
