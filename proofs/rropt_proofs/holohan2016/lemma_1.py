"""Lemma 1: a bilinear form is nonnegative on the unit square, with its minimisers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Domain, Point, Truth, Value
from rropt_proofs.holohan2016 import PAPER

X, Y = sp.symbols("x y")
FORM = 2 * X * Y - X - Y + 1


def theory(point: Point) -> dict[str, Any]:
    """f >= 0 everywhere, and f = 0 exactly at (0, 1) and (1, 0)."""
    return {"f": Bound("at-least", 0), "f = 0": (point["x"], point["y"]) in ((0, 1), (1, 0))}


def computed(point: Point) -> dict[str, Any]:
    """The form, evaluated."""
    x, y = Fraction(point["x"]), Fraction(point["y"])
    value = 2 * x * y - x - y + 1
    return {"f": value, "f = 0": value == 0}


def mutant(point: Point) -> dict[str, Any]:
    """The bound 1/100, which fails near the minimisers only."""
    return {**theory(point), "f": Bound("at-least", Fraction(1, 100))}


def proof() -> Anchored:
    """f = xy + (1 - x)(1 - y), a sum of two products that are not negative."""
    zero = FORM * (1 + FORM) <= 0  # with f >= 0 this is f = 0; and likewise x = 0 and y = 1
    return Anchored(
        Value(0, FORM, of="f"),
        Truth(of="f = 0", theory="x*(1 + x) <= 0 and y**2 >= 1", computed=zero, where="x <= 1/2"),
        Truth(of="f = 0", theory="x**2 >= 1 and y*(1 + y) <= 0", computed=zero, where="x > 1/2"),
    )


CLAIM = Claim(
    id="holohan2016.lemma-1",
    source=f"{PAPER}, Lemma 1",
    place=(4, 1),
    printed=r"$f(x,y)=2xy-x-y+1$. Then, $f(x,y)\ge0$ for all $x,y\in[0,1]$. Furthermore, "
    r"$\operatorname{arg\,min}_{x,y\in[0,1]}f(x,y)=\{(0,1),(1,0)\}$.",
    precise="For all x, y in [0, 1]: f(x, y) >= 0, with f(x, y) = 0 if and only if (x, y) is (0, 1) or (1, 0).",
    variables={
        "x": Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",)),
        "y": Domain.interval("0 <= y <= 1", 0, 1, also=("1/2",)),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
