"""Section 5.1: c of the unrelated-question device."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._devices import BITS, column_of_squares, unrelated_question
from rropt_proofs.vinterbo2018.sec_5_1_entries import CHOICE

asked = Condition("p < 1: otherwise the sensitive question is never asked", "p < 1")


def theory(point: Point) -> Fraction:
    p = Fraction(point["p"])
    return ((p**2 - 2 * p + 2) / (2 * (p - 1) ** 2)) ** point["n"]


def computed(point: Point) -> Fraction:
    """From the inverse of the matrix of the device."""
    return column_of_squares(unrelated_question(Fraction(point["p"]), point["n"]))


def mutant(point: Point) -> Fraction:
    """Without the 2 in the denominator."""
    return theory(point) * 2 ** point["n"]


CLAIM = Claim(
    id="vinterbo2018.sec-5.1-c",
    source=f"{PAPER}, section 5.1",
    place=(5, 2),
    printed=r"the value for $c$ in Lemma 4.5 is $c_M=\left(\frac{p^2-2p+2}{2(p-1)^2}\right)^n$.",
    precise="For every n >= 1 and 0 <= p < 1: the sum of the squares of a column of C^{-1} (by Lemma 4.5 that is c), C "
    "the matrix of the device over all u and z.",
    variables={"p": CHOICE, "n": BITS},
    assumptions=(asked,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=40,
)
