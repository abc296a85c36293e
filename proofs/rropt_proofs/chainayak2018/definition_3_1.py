"""Definition 3.1: the lower bound that h-CSIP implies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._boundaries import VALUES
from rropt_proofs.chainayak2018._paper import PROCEDURES
from rropt_proofs.chainayak2018._properties import PLACE, PRIOR, SEEN, posteriors

BELOW = "1 - h(1 - P(Q)) less the posterior of Q, and (3.2) for the complement of Q"
ENDS = "what is missing at P(Q) = 0 or 1, where (3.2) asks nothing"


def theory(point: Point) -> dict[str, Any]:
    """By how much (3.2) is exceeded for the complement of Q; nothing is missing at the endpoints."""
    return {BELOW: posteriors(point)[1] - point["h"]["1 - P(Q)"], ENDS: Bound("at-most", Fraction(0))}


def computed(point: Point) -> dict[str, Any]:
    """By how much the lower bound 1 - h(1 - p) is missed for Q; and at p = 0 and 1, where the posterior is p."""
    h = point["h"]
    at_ends = (1 - h["1"] - 0, 1 - h["0"] - 1)
    return {BELOW: 1 - h["1 - P(Q)"] - posteriors(point)[0], ENDS: max(at_ends)}


def mutant(point: Point) -> dict[str, Any]:
    """h(P(Q)) in the place of h(1 - P(Q))."""
    return {**theory(point), BELOW: posteriors(point)[1] - point["h"]["P(Q)"]}


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
    variables={"P": PROCEDURES, "h": VALUES, "prior": PRIOR, "place": PLACE},
    defined=(SEEN,),
    theory=theory,
    computed=computed,
    mutant=mutant,
)
