"""The infimum B(h) of (3.3) in anchored proofs: B is below F at every prior, and no number above B is.

F(p) = ((1 - p)/p) (h(p)/(1 - h(p))) is infinite where h(p) = 1, but F/(1 + F) is a number at every 0 < p < 1. As B is
strictly below F, no prior attains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Domain, Min, Value
from rropt.privacy.bound import parity_bound
from rropt.privacy.criteria import Criterion
from rropt_proofs.chainayak2018._boundaries import Boundary, bound_of

__all__ = ["EXCESS", "NEAR", "PRIOR", "found", "infimum_proof", "odds_text", "said", "share_text"]

LIBRARY = "B(h) by the library, of the criterion and of its function h"
LOWER = "F/(1 + F) at the prior p against B/(1 + B)"
NEAR = "F at a prior that is made for a number above B, against that number"
WITNESS = "that prior, and its complement"
PRIOR = Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/10", "1/2", "7/8"))
EXCESS = Domain(
    "by how much a number is above B", (Fraction(1, 1000),), lambda rng: Fraction(rng.randint(1, 60), 20), "x > 0"
)


def said(bound: Fraction, excess: Fraction) -> dict[str, Any]:
    """Return what it says that B is the infimum and is not attained."""
    return {
        LIBRARY: bound,
        LOWER: Bound("greater", bound / (1 + bound)),
        NEAR: Bound("less", bound + excess),
        WITNESS: Bound("greater", Fraction(0)),
    }


def found(criterion: Criterion, h: Boundary, p: Fraction, near: Fraction) -> dict[str, Fraction]:
    """Return the bound of the library, F at p and at the prior ``near``; h piece by piece."""
    bounds = [parity_bound(criterion), bound_of(h)]
    (lower,) = {each.lower for each in bounds}
    if lower is None or any(each.attained for each in bounds):
        raise ArithmeticError("a finite bound that no prior attains is one more by another route")
    high, low = (1 - p) * h.at(p), p * (1 - h.at(p))
    return {
        LIBRARY: Fraction(lower),
        LOWER: high / (high + low),
        NEAR: (1 - near) * h.at(near) / (near * (1 - h.at(near))),
        WITNESS: min(near, 1 - near),
    }


def odds_text(h: str, p: str) -> str:
    """Return F where h(p) is this expression."""
    return f"(1 - {p})*({h})/({p}*(1 - ({h})))"


def share_text(h: str) -> str:
    """Return F/(1 + F) at p where h(p) is this expression."""
    return f"(1 - p)*({h})/((1 - p)*({h}) + p*(1 - ({h})))"


def infimum_proof(bound: str, near: str, *, at: Sequence[tuple[Any, Any]], made: Sequence[tuple[Any, Any]]) -> Anchored:
    """Return the proof.

    Args:
        bound: B.
        near: the prior that is made for B + excess.
        at: the cases of p, each with F/(1 + F) there.
        made: the cases of that prior, each with F there.
    """
    b = f"({bound})"
    return Anchored(
        Value(of=LIBRARY, theory=bound, computed=bound),
        *(Value(of=LOWER, theory=f"{b}/(1 + {b})", computed=share, where=where) for where, share in at),
        *(Value(of=NEAR, theory=f"{b} + excess", computed=odds, where=where) for where, odds in made),
        Value(of=WITNESS, theory=0, computed=Min(near, f"1 - {near}")),
    )
