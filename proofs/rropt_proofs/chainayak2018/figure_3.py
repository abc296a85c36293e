"""Figure 3: the breach region of (h_l, h_u)-SIP inside that of [h_l * h_u]-CSIP."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy as sp

from rropt.claims import Claim, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._boundaries import (
    DEMANDS,
    SYMMETRIC,
    Boundary,
    canonical,
    mirrored,
)
from rropt_proofs.chainayak2018._paper import PAPER


def _places(*boundaries: Boundary) -> list[Fraction]:
    """Return the ends of all pieces, and two points between: there piecewise linear functions agree or differ."""
    ends = sorted({Fraction(0), *(piece.end for f in boundaries for piece in f.pieces)})
    between = [low + (high - low) * Fraction(n, 3) for low, high in pairwise(ends) for n in (1, 2)]
    return sorted((*ends, *between))


def _functions(point: Point) -> tuple[Boundary, Boundary, Boundary, Boundary]:
    """Return h_l, h_u, and the boundaries of the canonical region, 1 - h(1 - p) and h."""
    lower, upper = point["demand"]
    h = canonical(lower, upper)
    return lower, upper, mirrored(h), h


def theory(point: Point) -> dict[str, bool]:
    lower, upper, *_ = _functions(point)
    symmetric = all(lower.at(a) == 1 - upper.at(1 - a) for a in _places(lower, upper, mirrored(upper), mirrored(lower)))
    return {"inside": True, "identical": symmetric}


def computed(point: Point) -> dict[str, bool]:
    """The regions slice by slice: at the prior a, [h_l(a), h_u(a)] or [1 - h(1 - a), h(a)] is allowed."""
    functions = _functions(point)
    lower, upper, low, high = functions
    slices = [(lower.at(a), low.at(a), high.at(a), upper.at(a)) for a in _places(*functions)]
    return {
        "inside": all(
            outer_low <= inner_low <= inner_high <= outer_high
            for outer_low, inner_low, inner_high, outer_high in slices
        ),
        "identical": all(a == b and c == d for a, b, c, d in slices),
    }


def mutant(point: Point) -> dict[str, bool]:
    """Identical when h_l(a) = 1 - h_u(a)."""
    lower, upper, *_ = _functions(point)
    return {"inside": True, "identical": all(lower.at(a) == 1 - upper.at(a) for a in _places(lower, upper))}


def proof() -> Proof:
    u, v, low, other = sp.symbols("u v l w")  # h_u(a), h_u(1 - a), h_l(a), h_l(1 - a)
    return Proof(
        scope="all h_l and h_u of Definition 2.2",
        argument="At a let u = h_u(a), l = h_l(a), and at 1 - a v = h_u(1 - a), w = h_l(1 - a). Then h(a) = "
        "min(u, 1 - w) <= u and 1 - h(1 - a) = 1 - min(v, 1 - l) = max(1 - v, l) >= l: fewer posteriors are allowed. "
        "The regions agree at a when u <= 1 - w and 1 - v <= l, and at 1 - a when v <= 1 - l and 1 - u <= w; all four "
        "together say l = 1 - v and w = 1 - u, that is h_l = 1 - h_u(1 - .) at both places. Conversely the symmetry "
        "gives all four.",
        certificates=(
            ("1 - min(v, 1 - l), first case", prove_identity(1 - (1 - low), low)),
            (
                "second case: 1 - v >= l when v <= 1 - l",
                prove_positive(1 - v - low, [Hypothesis(1 - low - v)], degree=1),
            ),
            ("first case: 1 - w <= u", prove_positive(u - (1 - other), [Hypothesis(u - (1 - other))], degree=1)),
            ("u <= 1 - w and 1 - u <= w are one equation", prove_identity((1 - other) - u, -(other - (1 - u)))),
            ("1 - v <= l and v <= 1 - l are one equation", prove_identity(low - (1 - v), -((1 - low) - v))),
        ),
        unchecked_steps=(
            "the smaller of two numbers is one of them",
            "two closed intervals are equal when their ends are",
        ),
    )


def mutant_proof() -> object:
    """The second case with max in the place of min."""
    v, low = sp.symbols("v l")
    return prove_positive(1 - v - low, [Hypothesis(v - (1 - low))], degree=1)


CLAIM = Claim(
    id="chainayak2018.figure-3",
    source=f"{PAPER}, Figure 3 and the text beside it",
    printed=r"The PBR given by some $(h_l,h_u)$-SIP can be a proper subset of the PBR of the corresponding "
    r"$[h_l\star h_u]$-CSIP, which is the PBR of $(h_l,h_u)$-SIP plus the two parts A and B. The two PBRs would be "
    r"identical only when $h_l(a)=1-h_u(1-a)$, $0\le a\le1$.",
    precise="W[h_l, h_u] is contained in W[1 - h(1 - .), h], h = [h_l * h_u]; they are identical if and only if "
    "h_l(a) = 1 - h_u(1 - a) for all 0 <= a <= 1. Both happen in the sweep.",
    variables={"demand": Domain(DEMANDS.meaning, (*DEMANDS.boundary, *SYMMETRIC), DEMANDS.draw)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="The two criteria are equivalent (Lemma 3.1), although their regions differ: the parts A and B cannot be "
    "entered by one property without another property entering the region of SIP.",
)
