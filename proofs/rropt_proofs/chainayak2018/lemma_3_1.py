"""Lemma 3.1: a two-sided criterion is one upper function."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Domain, Max, Point, Value
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._boundaries import DEMANDS, canonical
from rropt_proofs.chainayak2018._paper import PROCEDURES, breach
from rropt_proofs.chainayak2018._properties import JOINT, PLACE, PRIOR, SEEN, X, Y, joint, posteriors, prior_of

BOTH = "by how much Q and its complement exceed the limits"
ENDS = "by how much P(Q) = 0 or 1 does, where (3.1) asks nothing"


def theory(point: Point) -> dict[str, Any]:
    """(3.1) for Q and for its complement, by [h_l * h_u]; nothing is exceeded at the endpoints."""
    h, p, (x, y) = canonical(*point["demand"]), prior_of(point), posteriors(point)
    return {BOTH: max(x - h.at(p), y - h.at(1 - p)), ENDS: Bound("at-most", Fraction(0))}


def computed(point: Point) -> dict[str, Any]:
    """(2.2) by Definition 2.2 for Q and for its complement; and over all responses, properties and priors."""
    (lower, upper), p, (x, y) = point["demand"], prior_of(point), posteriors(point)
    one = breach(point["P"], canonical(lower, upper)) is None
    if one is not (breach(point["P"], upper, lower) is None):
        raise ArithmeticError("one of the two criteria is met, and the other is not")
    excesses = [each for q, at in ((x, p), (y, 1 - p)) for each in (q - upper.at(at), lower.at(at) - q)]
    at_ends = [each for a in (Fraction(0), Fraction(1)) for each in (a - upper.at(a), lower.at(a) - a)]
    return {BOTH: max(excesses), ENDS: max(at_ends)}


def mutant(point: Point) -> dict[str, Any]:
    """h_u alone in the place of [h_l * h_u]."""
    upper, p, (x, y) = point["demand"][1], prior_of(point), posteriors(point)
    return {**theory(point), BOTH: max(x - upper.at(p), y - upper.at(1 - p))}


def _levels(point: Point) -> dict[str, Fraction]:
    (lower, upper), p = point["demand"], prior_of(point)
    places = {"p": p, "q": 1 - p, "0": Fraction(0), "1": Fraction(1)}
    return {f"{name}_{at}": f.at(a) for name, f in (("l", lower), ("u", upper)) for at, a in places.items()}


def proof() -> Anchored:
    """x >= h_l(p) is 1 - x <= 1 - h_l(1 - (1 - p)), and 1 - x is the posterior of the complement, of prior 1 - p."""
    return Anchored(
        Value(
            of=BOTH,
            theory=Max(f"{X} - u_p", f"{X} - (1 - l_q)", f"{Y} - u_q", f"{Y} - (1 - l_p)"),
            computed=Max(f"{X} - u_p", f"l_p - {X}", f"{Y} - u_q", f"l_q - {Y}"),
        ),
        Value(of=ENDS, theory=0, computed=Max("0 - u_0", "l_0 - 0", "1 - u_1", "l_1 - 1")),
        at=lambda point: {**joint(point), **_levels(point)},
        argument="As Q runs over all sets of categories, so does its complement: the limits for all Q are those for "
        "all pairs of a set and its complement.",
    )


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
    "and its complement together exceed (2.2) by is what they exceed (3.1) by; and at P(Q) = 0 and 1, where the "
    "posterior is the prior, nothing exceeds (2.2).",
    variables={"P": PROCEDURES, "demand": DEMANDS, "prior": PRIOR, "place": PLACE},
    bound={
        **JOINT,
        **{f"l_{at}": Domain(f"h_l({a})", (), relation="x >= 0") for at, a in (("p", "P(Q)"), ("q", "1 - P(Q)"))},
        **{f"u_{at}": Domain(f"h_u({a})", (), relation="x <= 1") for at, a in (("p", "P(Q)"), ("q", "1 - P(Q)"))},
        "l_0": Domain("h_l(0), at most 0", (), relation="x <= 0"),
        "u_0": Domain("h_u(0), at least 0", (), relation="x >= 0"),
        "l_1": Domain("h_l(1), at most 1", (), relation="x <= 1"),
        "u_1": Domain("h_u(1), at least 1", (), relation="x >= 1"),
    },
    defined=(SEEN,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
