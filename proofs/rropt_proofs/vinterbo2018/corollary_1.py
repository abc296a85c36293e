"""Corollary 1: the entries of the inverse."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Fold, Point, Value
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import INDEX, LENGTH, A, are_indices, differing, inverse, invertible, kept, string
from rropt_proofs.vinterbo2018.theorem_4_4 import bits


def theory(point: Point) -> Fraction:
    a, n = Fraction(point["a"]), point["n"]
    d = differing(string(point["x"], n), string(point["r"], n))
    return a ** (n - d) * (a - 1) ** d / (2 * a - 1) ** n


def computed(point: Point) -> Fraction:
    """By elimination."""
    back = inverse(kept(Fraction(point["a"]), point["n"]))
    if back is None:
        raise ZeroDivisionError("C has no inverse")
    return back[point["x"]][point["r"]]


def mutant(point: Point) -> Fraction:
    """(1 - a)^d in the place of (a - 1)^d."""
    n = point["n"]
    return theory(point) * (-1) ** differing(string(point["x"], n), string(point["r"], n))


def proof() -> Anchored:
    """By Theorem 4.4 the inverse is a product of bits with the entries a' = a/(2a-1) and 1 - a'."""
    entry = Fold(
        over=lambda point, at: [{"same": each["same"]} for each in bits(point, at)],
        start={"e": 1, "p": 1, "q": 1},
        update={
            "e": "e*(a/(2*a - 1)*same + (1 - a/(2*a - 1))*(1 - same))",
            "p": "p*(a*same + (a - 1)*(1 - same))",
            "q": "q*(2*a - 1)",
        },
        invariants=("e*q == p", "q != 0"),
    )
    return Anchored(Value(theory="p/q", computed="e"), folds=[entry])


CLAIM = Claim(
    id="vinterbo2018.corollary-1",
    source=f"{PAPER}, Corollary 1",
    place=(4, 6),
    printed=r"If $a\ne\frac12$, ${C_M}^{-1}_{x,r}=\frac{a^{n-d}(a-1)^d}{(2a-1)^n}$ for $d=|x\oplus r|$.",
    precise="For every n >= 1, 0 <= a <= 1, a != 1/2, and all strings x, r: the entry of the inverse of the matrix "
    "of n bits that are each kept with probability a.",
    variables={"a": A, "n": LENGTH, "r": INDEX, "x": INDEX},
    assumptions=(
        are_indices,
        invertible,
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
)
