"""Corollary 1: the entries of the inverse."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import INDEX, LENGTH, A, are_indices, differing, inverse, invertible, kept, string


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
    count=60,
)
