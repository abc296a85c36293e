"""Lemma 3.3: the posteriors of all categories stay below h exactly when the parity is at most B(h)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Point
from rropt.mechanisms import Mechanism
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
from rropt_proofs.chainayak2018._paper import breach, two_categories
from rropt_proofs.chainayak2018.lemma_3_2 import of_categories


def theory(point: Point) -> dict[str, Any]:
    """The parity: as it is, at the prior p, and that of the library against B(h) of the library."""
    eta, p = parity(point["P"]), Fraction(point["p"])
    return {
        FACTOR: share(eta),
        SLICE: beyond_slice(eta, p, point["h"].at(p)),
        **csip(bool(bound_of(point["h"]).allows(Mechanism(point["P"]).parity()))),
    }


def computed(point: Point) -> dict[str, Any]:
    """The largest posterior of a category at p, or at the prior of a breach, if one is found over all priors."""
    p = Fraction(point["p"])
    largest = of_categories(point["P"], p)
    return {
        FACTOR: share_at(largest, p),
        SLICE: beyond_boundary(largest, p, point["h"].at(p)),
        **exceeded(point, breach(point["P"], point["h"], atoms=True), largest),
    }


def mutant(point: Point) -> dict[str, Any]:
    """< in the place of <=."""
    bound = bound_of(point["h"])
    return {**theory(point), **csip(bound.lower is None or parity(point["P"]) < bound.lower)}


def proof() -> Anchored:
    return slice_proof(
        lambda point: [*atoms(point["P"]), *(each for each in properties(point["P"]) if len(each["Q"]) == 1)]
    )


CLAIM = Claim(
    id="chainayak2018.lemma-3.3",
    source=f"{PAPER}, Lemma 3.3",
    place=(3, 5),
    printed=r"[...] define $B(h)=\inf_{0<p<1}\left(\frac{1-p}p\right)\left(\frac{h(p)}{1-h(p)}\right)$, [...] where we "
    r"take $h(p)/[1-h(p)]=\infty$ when $h(p)=1$. [...] A necessary and sufficient condition for an RR "
    r"procedure $P$ to satisfy (3.4) for all $i,j$ and $\alpha$ is that $\eta(P)\le B(h)$.",
    precise="For h with a <= h(a) <= 1 and every procedure: (3.4) holds for all responses, categories and priors if "
    "and only if the parity gamma is at most B(h), where infinity <= infinity. At every prior 0 < p < 1 the largest "
    "posterior of a category is at most h(p) if and only if gamma <= F(p) = ((1 - p)/p) h(p)/(1 - h(p)). B(h) is the "
    "infimum of F: a lower bound of F, and a number above it exceeds F at some prior.",
    variables={"P": MATRIX, "h": CANONICAL, "p": PRIOR},
    bound=BOUND,
    assumptions=(Condition("0 < p < 1", "0 < p < 1"),),
    defined=(two_categories,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=120,
    notes="The proof in the appendix says that h(p) cannot be 1 for all 0 < p < 1. Definition 3.1 allows it; then "
    "B(h) is infinite and the lemma holds all the same.",
)
