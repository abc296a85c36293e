"""Theorem 4.6, its proof: the m-th derivative of f_L."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER


def theory(point: Point) -> Fraction:
    """m!/(1-s)^m (f_L(s) - 1)."""
    c, s, m = Fraction(point["c"]), Fraction(point["s"]), point["m"]
    return factorial(m) / (1 - s) ** m * ((c - s) / (1 - s) - 1)


def computed(point: Point) -> Fraction:
    """m! times the coefficient of h^m in f_L(s + h) = (c - s - h)/(1 - s - h), by long division."""
    c, s, m = Fraction(point["c"]), Fraction(point["s"]), point["m"]
    numerator = [c - s, Fraction(-1)]
    coefficients: list[Fraction] = []
    for j in range(m + 1):
        carried = coefficients[-1] if coefficients else Fraction(0)
        coefficients.append(((numerator[j] if j < 2 else 0) + carried) / (1 - s))
    return factorial(m) * coefficients[m]


def mutant(point: Point) -> Fraction:
    """(1-s)^{m+1} in the denominator."""
    return theory(point) / (1 - Fraction(point["s"]))


CLAIM = Claim(
    id="vinterbo2018.theorem-4.6-derivative",
    source=f"{PAPER}, appendix A, proofs of Theorem 4.6 and Proposition 4.7",
    place=(6, 2),
    printed=r"The $m$'th derivative of $f_L(s)=\frac{c-s}{1-s}$ wrt. $0\le s<1$ is "
    r"$f_L^{(m)}(s)=\frac{m!}{(1-s)^m}\left(f_L(s)-1\right)$.",
    precise="For every c >= 1, 0 <= s < 1 and every m = 1, 2, ..., the orders that the paper uses (the next sentence "
    "says: for all m > 0). The m-th derivative is m! times the coefficient of h^m in the expansion of f_L(s + h).",
    variables={
        "c": Domain("c >= 1", tuple(map(Fraction, ("1", "5/2", "41/32"))), Domain.odds().draw, "x >= 1"),
        "s": Domain.interval("s = pi^T pi, 0 <= s < 1", 0, 1, also=("1/4", "1/2")),
        "m": Domain("m >= 1, the order", (1, 2, 5), lambda rng: rng.randint(1, 8), "x >= 1"),
    },
    assumptions=(Condition("s < 1", "s < 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=150,
    notes="For the function itself, which could be called its derivative of order 0, the formula would give "
    "$f_L(s)-1$. The paper does not use it so.",
)
