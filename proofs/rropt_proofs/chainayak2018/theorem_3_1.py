"""Theorem 3.1: h-CSIP is parity at most B(h)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Point
from rropt.mechanisms import Mechanism
from rropt.privacy.bound import judge
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import (
    BOUND,
    FACTOR,
    MATRIX,
    PRIOR,
    SLICE,
    atoms,
    beyond_boundary,
    beyond_slice,
    csip,
    exceeded,
    properties,
    share,
    share_at,
    slice_proof,
)
from rropt_proofs.chainayak2018._boundaries import CANONICAL, bound_of
from rropt_proofs.chainayak2018._paper import breach, extreme_posteriors, posterior, two_categories


def theory(point: Point) -> dict[str, Any]:
    eta, p = parity(point["P"]), Fraction(point["p"])
    meets = bool(bound_of(point["h"]).allows(Mechanism(point["P"]).parity()))
    return {FACTOR: share(eta), SLICE: beyond_slice(eta, p, point["h"].at(p)), **csip(meets)}


def _confirmed(point: Point) -> bool:
    """Whether the library shows a breach that is one by Definition 3.1."""
    bound = bound_of(point["h"])
    found = judge(Mechanism(point["P"]), bound.criterion, bound).breach
    if found is None:
        return False
    alpha = tuple(Fraction(x.rational or 0) for x in found.distribution)
    p = sum((alpha[j] for j in found.property), Fraction(0))
    q = posterior(point["P"], alpha, found.property, found.response)
    return sum(alpha) == 1 and 0 < p < 1 and q > point["h"].at(p)


def computed(point: Point) -> dict[str, Any]:
    """(3.2) at p, or at the prior of a breach, if one is found over all priors; the library must find one too."""
    p = Fraction(point["p"])
    largest, found = extreme_posteriors(point["P"], p)[1], breach(point["P"], point["h"])
    if _confirmed(point) is (found is None):
        raise ArithmeticError("a breach is found by one route and not by another")
    return {
        FACTOR: share_at(largest, p),
        SLICE: beyond_boundary(largest, p, point["h"].at(p)),
        **exceeded(point, found, largest),
    }


def mutant(point: Point) -> dict[str, Any]:
    """< in the place of <=."""
    bound = bound_of(point["h"])
    return {**theory(point), **csip(bound.lower is None or parity(point["P"]) < bound.lower)}


def proof() -> Anchored:
    return slice_proof(lambda point: [*atoms(point["P"]), *properties(point["P"])])


CLAIM = Claim(
    id="chainayak2018.theorem-3.1",
    source=f"{PAPER}, Theorem 3.1",
    place=(3, 6),
    printed=r"For any given $h$, an RR procedure $P$ provides $h$-CSIP if and only if $\eta(P)\le B(h)$.",
    precise="For h with a <= h(a) <= 1 and every procedure: P_alpha(Q | d_i) <= h(P_alpha(Q)) for all responses, "
    "properties and priors with 0 < P_alpha(Q) < 1 and P_alpha(Z = d_i) > 0 if and only if the parity gamma is at most "
    "B(h): at every prior 0 < p < 1 the largest posterior is at most h(p) if and only if gamma <= F(p) = ((1 - p)/p) "
    "h(p)/(1 - h(p)), whose infimum is B(h): a lower bound of F, and a number above it exceeds F at some prior.",
    variables={"P": MATRIX, "h": CANONICAL, "p": PRIOR},
    bound=BOUND,
    assumptions=(Condition("0 < p < 1", "0 < p < 1"),),
    defined=(two_categories,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=120,
)
