"""Section 5.2: c of Warner's device."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._devices import BITS, column_of_squares, warner


def theory(point: Point) -> Fraction:
    p = Fraction(point["p"])
    return ((2 * p**2 - 2 * p + 1) / (2 * p - 1) ** 2) ** point["n"]


def computed(point: Point) -> Fraction:
    """From the inverse of the matrix of the device."""
    return column_of_squares(warner(Fraction(point["p"]), point["n"]))


def mutant(point: Point) -> Fraction:
    """Without the square in the denominator."""
    return theory(point) * (2 * Fraction(point["p"]) - 1) ** point["n"]


CLAIM = Claim(
    id="vinterbo2018.sec-5.2-c",
    source=f"{PAPER}, section 5.2",
    place=(5, 6),
    printed=r"The corresponding bit randomizer $M_W$ has matrix $C_p$, which is invertible if $p\ne0.5$. Furthermore, "
    "we have that the value for $c$ as defined in Lemma 4.5 is "
    r"$c_W=\left(\frac{2p^2-2p+1}{(2p-1)^2}\right)^n$.",
    precise="For every n >= 1 and 0 <= p <= 1, p != 1/2: the sum of the squares of a column of C^{-1} (by Lemma 4.5 "
    "that is c), C the matrix of n bits, each reported truly with probability p and turned otherwise.",
    variables={"p": Domain.interval("p = Pr(`Yes`)", 0, 1, also=("1/4", "1/2", "2/3")), "n": BITS},
    assumptions=(Condition("p != 1/2", "p != 1/2"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=40,
)
