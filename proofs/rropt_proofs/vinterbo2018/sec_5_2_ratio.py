"""Section 5.2: the two devices at the same p."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._devices import BITS, column_of_squares, unrelated_question, warner


def theory(_: Point) -> Fraction:
    return Fraction(1)


def computed(point: Point) -> Fraction:
    """c_M/c_W, each from the inverse of the matrix of its device."""
    p, n = Fraction(point["p"]), point["n"]
    return column_of_squares(unrelated_question(p, n)) / column_of_squares(warner(p, n))


def mutant(_: Point) -> Fraction:
    """Less than 99/100: false near 0 and near 2/3."""
    return Fraction(99, 100)


CLAIM = Claim(
    id="vinterbo2018.sec-5.2-ratio",
    source=f"{PAPER}, section 5.2",
    place=(5, 7),
    printed=r"We have that $c_M/c_W<1$ for $p\in(0,\frac23)$.",
    precise="For every n >= 1 and 0 < p < 2/3, p != 1/2 (there c_W is infinite), c of both devices from the inverse of "
    "its matrix.",
    variables={
        "p": Domain.interval(
            "p, both the chance of the unrelated question and of `Yes`", 0, 1, also=("1/4", "1/2", "2/3")
        ),
        "n": BITS,
    },
    assumptions=(Condition("0 < p < 2/3", "0 < p < 2/3"),),
    defined=(Condition("p != 1/2: otherwise c_W is infinite", "p != 1/2"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="less",
    count=60,
    notes="For 2/3 < p < 1 the ratio is above 1; at p = 0 and p = 2/3 it is 1.",
)
