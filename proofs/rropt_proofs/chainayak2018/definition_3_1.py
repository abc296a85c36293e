"""Definition 3.1: the lower bound that h-CSIP implies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Domain, Max, Point, Value
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._boundaries import CANONICAL, mirrored
from rropt_proofs.chainayak2018._paper import PROCEDURES, breach
from rropt_proofs.chainayak2018._properties import JOINT, PLACE, PRIOR, SEEN, X, Y, joint, posteriors, prior_of

BELOW = "1 - h(1 - P(Q)) less the posterior of Q, and (3.2) for the complement of Q"
ENDS = "what is missing at P(Q) = 0 or 1, where (3.2) asks nothing"


def theory(point: Point) -> dict[str, Any]:
    """By how much (3.2) is exceeded for the complement of Q; nothing is missing at the endpoints."""
    return {BELOW: posteriors(point)[1] - point["h"].at(1 - prior_of(point)), ENDS: Bound("at-most", Fraction(0))}


def computed(point: Point) -> dict[str, Any]:
    """By how much the lower bound is missed for Q; over all responses, properties and priors no guarantee is broken."""
    lower = mirrored(point["h"])
    if breach(point["P"], point["h"]) is None and breach(point["P"], None, lower) is not None:
        raise ArithmeticError("(3.2) holds, and a posterior is below 1 - h(1 - p)")
    at_ends = (lower.at(p) - p for p in (Fraction(0), Fraction(1)))  # the posterior is the prior there
    return {BELOW: lower.at(prior_of(point)) - posteriors(point)[0], ENDS: max(at_ends)}


def mutant(point: Point) -> dict[str, Any]:
    """h(P(Q)) in the place of h(1 - P(Q))."""
    return {**theory(point), BELOW: posteriors(point)[1] - point["h"].at(prior_of(point))}


def proof() -> Anchored:
    """The two posteriors sum to 1."""
    return Anchored(
        Value(of=BELOW, theory=f"{Y} - level", computed=f"(1 - level) - {X}"),
        Value(of=ENDS, theory=0, computed=Max("1 - last", "-first")),
        at=lambda point: {
            **joint(point),
            "level": point["h"].at(1 - prior_of(point)),
            "first": point["h"].at(Fraction(0)),
            "last": point["h"].at(Fraction(1)),
        },
        argument="As Q runs over all sets of categories, so does its complement. At P(Q) = 0 and 1 the posterior is "
        "the prior, and 1 - h(1) = 0, 1 - h(0) <= 1.",
    )


CLAIM = Claim(
    id="chainayak2018.definition-3.1",
    source=f"{PAPER}, Definition 3.1 and the sentence after it",
    place=(3, 2),
    printed="An RR procedure is said to provide canonical strict information privacy with respect to $h$, to be "
    r"abbreviated $h$-CSIP, if $P_\alpha(Q|d_i)\le h(P_\alpha(Q))$ (3.2) for $i=1,\dots,m$ and all $\alpha$ "
    r"and $Q\subseteq\mathcal S_X$ such that $0<P_\alpha(Q)<1$. It can be seen that $h$-CSIP also provides the "
    r"downward privacy guarantee that $P_\alpha(Q|d_i)\ge\tilde h(P_\alpha(Q))$ for $i=1,\dots,m$ and all "
    r"$\alpha$ and $Q\subseteq\mathcal S_X$, where $\tilde h(a)=1-h(1-a)$, $0\le a\le1$.",
    precise="For h with a <= h(a) <= 1: if (3.2) holds for all responses, properties and priors, no posterior is below "
    "1 - h(1 - P(Q)), Q empty or certain included. For every procedure, response, property Q and prior with "
    "P(Z = d_i) > 0 the posterior of Q falls short of this bound by exactly as much as that of the complement of Q "
    "exceeds (3.2); where (3.2) asks nothing, at P(Q) = 0 and 1, it does not fall short.",
    variables={"P": PROCEDURES, "h": CANONICAL, "prior": PRIOR, "place": PLACE},
    bound={
        **JOINT,
        "level": Domain("h(1 - P(Q))", (), relation="0 <= x <= 1"),
        "first": Domain("h(0), at least 0", (), relation="x >= 0"),
        "last": Domain("h(1), at least 1", (), relation="x >= 1"),
    },
    defined=(SEEN,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
