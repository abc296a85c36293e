"""Lemma 1: a bilinear form is nonnegative on the unit square, with its minimisers."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive

X, Y = sp.symbols("x y")
FORM = 2 * X * Y - X - Y + 1
SQUARE = [Hypothesis(X), Hypothesis(Y), Hypothesis(1 - X), Hypothesis(1 - Y)]


def theory(point: Point) -> tuple[bool, bool]:
    """f >= 0 everywhere, and f = 0 exactly at (0, 1) and (1, 0)."""
    return True, (point["x"], point["y"]) in ((0, 1), (1, 0))


def computed(point: Point) -> tuple[bool, bool]:
    x, y = Fraction(point["x"]), Fraction(point["y"])
    value = 2 * x * y - x - y + 1
    return value >= 0, value == 0


def mutant(point: Point) -> tuple[bool, bool]:
    """The minimiser (1, 1) instead of (1, 0)."""
    return True, (point["x"], point["y"]) in ((0, 1), (1, 1))


def _strictly(*which: int) -> list[Hypothesis]:
    """The square with these of its inequalities strict."""
    return [Hypothesis(side.polynomial, strict=i in which) for i, side in enumerate(SQUARE)]


def proof() -> Proof:
    return Proof(
        scope="all x, y in [0, 1]",
        argument="f = xy + (1 - x)(1 - y), a sum of two nonnegative products. It is positive where x, y > 0 and where "
        "x, y < 1. Elsewhere x = 0 or y = 0, and x = 1 or y = 1, which leaves (0, 1) and (1, 0), where f = 0.",
        certificates=(
            ("f = xy + (1 - x)(1 - y)", prove_identity(FORM, X * Y + (1 - X) * (1 - Y))),
            ("f >= 0 on the square", prove_positive(FORM, SQUARE)),
            ("f > 0 where x, y > 0", prove_positive(FORM, _strictly(0, 1), strict=True, degree=2)),
            ("f > 0 where x, y < 1", prove_positive(FORM, _strictly(2, 3), strict=True, degree=2)),
        ),
        unchecked_steps=("the points of the square outside both cases are (0, 1) and (1, 0)",),
    )


def mutant_proof() -> object:
    return prove_positive(FORM - sp.Rational(1, 100), SQUARE)


CLAIM = Claim(
    id="holohan2016.lemma-1",
    source="Holohan, Leith and Mason (2016), Lemma 1",
    printed=r"$f(x,y)=2xy-x-y+1\ge 0$ for all $x,y\in[0,1]$, and "
    r"$\operatorname{arg\,min}_{x,y\in[0,1]}f=\{(0,1),(1,0)\}$.",
    precise="For all x, y in [0, 1]: f(x, y) >= 0, with f(x, y) = 0 if and only if (x, y) is (0, 1) or (1, 0).",
    variables={
        "x": Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",)),
        "y": Domain.interval("0 <= y <= 1", 0, 1, also=("1/2",)),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
