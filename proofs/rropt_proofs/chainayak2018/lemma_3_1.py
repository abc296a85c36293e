"""Lemma 3.1: a two-sided criterion is one upper function."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._boundaries import VALUES_OF_TWO
from rropt_proofs.chainayak2018._paper import SMALL
from rropt_proofs.chainayak2018._properties import PLACE, PRIOR, SEEN, posteriors

OWN = "by how much Q exceeds its upper limit or its complement the lower one"
OTHER = "by how much the complement of Q exceeds its upper limit or Q the lower one"
ENDS = "by how much P(Q) = 0 or 1 does, where (3.1) asks nothing"


def theory(point: Point) -> dict[str, Any]:
    """(3.1) for Q and for its complement, by [h_l * h_u]; nothing is exceeded at the endpoints."""
    (lower, upper), (x, y) = _values(point), posteriors(point)
    h = {at: min(upper[at], 1 - lower[other]) for at, other in (("P(Q)", "1 - P(Q)"), ("1 - P(Q)", "P(Q)"))}
    return {OWN: x - h["P(Q)"], OTHER: y - h["1 - P(Q)"], ENDS: Bound("at-most", Fraction(0))}


def computed(point: Point) -> dict[str, Any]:
    """(2.2) by Definition 2.2 for Q and for its complement; and at P(Q) = 0 and 1, where the posterior is the prior."""
    (lower, upper), (x, y) = _values(point), posteriors(point)
    at_ends = [each for a in (0, 1) for each in (a - upper[str(a)], lower[str(a)] - a)]
    return {
        OWN: max(x - upper["P(Q)"], lower["1 - P(Q)"] - y),
        OTHER: max(y - upper["1 - P(Q)"], lower["P(Q)"] - x),
        ENDS: max(at_ends),
    }


def mutant(point: Point) -> dict[str, Any]:
    """h_u alone in the place of [h_l * h_u]."""
    (_, upper), (x, y) = _values(point), posteriors(point)
    return {**theory(point), OWN: x - upper["P(Q)"], OTHER: y - upper["1 - P(Q)"]}


def _values(point: Point) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the values of h_l and of h_u, by argument."""
    return point["demand"]["l"], point["demand"]["u"]


CLAIM = Claim(
    id="chainayak2018.lemma-3.1",
    source=f"{PAPER}, Lemma 3.1",
    place=(3, 1),
    printed=r"[...] defining $[h_l\star h_u](a)=\min\{h_u(a),1-h_l(1-a)\}$, for $0\le a\le1$, we obtain the following: "
    r"Lemma 3.1. Let $h_l$ and $h_u$ be as in Definition 2.2 and $[h_l\star h_u]$ be defined as above. Then, "
    r"an RR procedure $P$ provides $(h_l,h_u)$-SIP if and only if $P_\alpha(Q|d_i)\le[h_l\star "
    r"h_u](P_\alpha(Q))$ (3.1) for all $i=1,\dots,m$ and all $\alpha$ and $Q\subseteq\mathcal S_X$ such that "
    r"$0<P_\alpha(Q)<1$.",
    precise="For h_l and h_u with 0 <= h_l(a) <= a <= h_u(a) <= 1: (2.2) for all responses, properties and priors with "
    "P_alpha(Z = d_i) > 0 holds if and only if (3.1) does. For every procedure, response, property and prior, what Q "
    "exceeds (3.1) by is what Q exceeds the upper limit of (2.2) by, or its complement the lower one, whichever is "
    "more; likewise for the complement; and at P(Q) = 0 and 1, where the "
    "posterior is the prior, nothing exceeds (2.2).",
    variables={"P": SMALL, "demand": VALUES_OF_TWO, "prior": PRIOR, "place": PLACE},
    defined=(SEEN,),
    theory=theory,
    computed=computed,
    mutant=mutant,
)
