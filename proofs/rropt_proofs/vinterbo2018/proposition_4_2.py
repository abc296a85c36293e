"""Proposition 4.2: identical bisymmetric bits."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import INDEX, LENGTH, A, are_indices, iterated, kept


def theory(point: Point) -> Fraction:
    """The entry (r, x) of C_{a,b}(n), b = 1 - a, by Definition 4.1."""
    a = Fraction(point["a"])
    return iterated(a, 1 - a, point["n"])[point["r"]][point["x"]]


def computed(point: Point) -> Fraction:
    """P(r = R(M)(x)), bit by bit."""
    return kept(Fraction(point["a"]), point["n"])[point["r"]][point["x"]]


def mutant(point: Point) -> Fraction:
    """The entry (r, 0)."""
    a = Fraction(point["a"])
    return iterated(a, 1 - a, point["n"])[point["r"]][0]


CLAIM = Claim(
    id="vinterbo2018.proposition-4.2",
    source=f"{PAPER}, Proposition 4.2",
    place=(4, 3),
    printed=r"Let $M=(M_0,M_1,\ldots,M_{n-1})$ be a sequence of identical bisymmetric bit randomizers with "
    r"$C_{M_i}=C_{a,b}$. Then $C_{R(M)}=C_{a,b}(n)$.",
    precise="For every n >= 1 and every 0 <= a <= 1, b = 1 - a (columns are distributions): every entry; strings are "
    "indices by eta.",
    variables={"a": A, "n": LENGTH, "r": INDEX, "x": INDEX},
    assumptions=(are_indices,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
