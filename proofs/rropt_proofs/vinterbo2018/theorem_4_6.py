"""Theorem 4.6: the loss f_L(s), and its least value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Domain, Entry, Fold, Point, Value
from rropt_proofs._matrices import identity
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import (
    POPULATION,
    A,
    error_of_one,
    inverse,
    invertible,
    kept,
    length_of,
    not_certain,
    spread_of,
    squares,
)
from rropt_proofs.vinterbo2018.lemma_4_5 import averages, squares_given_truth, truths

LOSS, LEAST = "L", "L, at least f_L(2^-n)"


def _f(c: Fraction, s: Fraction) -> Fraction:
    return (c - s) / (1 - s)


def theory(point: Point) -> dict[str, Any]:
    pi, n = point["pi"], length_of(point["pi"])
    c = spread_of(Fraction(point["a"]), n)
    return {LOSS: _f(c, squares(pi)), LEAST: Bound("at-least", _f(c, Fraction(1, 2**n)))}


def computed(point: Point) -> dict[str, Fraction]:
    """The quotient of the two traces, each from the distribution of one response."""
    pi = point["pi"]
    rows, direct = kept(Fraction(point["a"]), length_of(pi)), identity(len(pi))
    loss = error_of_one(rows, inverse(rows), pi) / error_of_one(direct, direct, pi)
    return {LOSS: loss, LEAST: loss}


def mutant(point: Point) -> dict[str, Any]:
    """At least f_L(2/(2^n + 1))."""
    n = length_of(point["pi"])
    c = spread_of(Fraction(point["a"]), n)
    return {**theory(point), LEAST: Bound("at-least", _f(c, Fraction(2, 2**n + 1)))}


def proof() -> Anchored:
    """c >= 1 by induction on n; s is at most the largest proportion, and s - 2 u + N u^2 a sum of squares, N u = 1."""
    one = "(a**2 + (1 - a)**2)/(2*a - 1)**2"
    below = Fold(
        over=lambda point, _: [{"q": Entry("shares", x), "gap": Entry("squares", x)} for x in range(len(point["pi"]))],
        start={"total": 0, "s": 0, "around": 0},
        update={"total": "total + q", "s": "s + q**2", "around": "around + gap"},
        invariants=("s <= largest*total", "around >= 0", "around == s - 2*u*total + count*u**2"),
        count="size",
    )
    power = Fold(
        over=lambda point, _: [{}] * length_of(point["pi"]),
        start={"v": one, "c": 1},
        update={"v": "v", "c": "c*v"},
        invariants=("v >= 1", "c >= 1"),
    )
    return Anchored(
        Value(of=LOSS, theory="(power - s)/(1 - s)", computed="(average - s)/(1 - s)"),
        Value(of=LEAST, theory="(c - u)/(1 - u)", computed="(c - s)/(1 - s)"),
        at=lambda point: [
            {
                **each,
                "u": Fraction(1, len(point["pi"])),
                "largest": max(point["pi"]),
                "shares": point["pi"],
                "squares": tuple((x - Fraction(1, len(point["pi"]))) ** 2 for x in point["pi"]),
            }
            for each in truths(point)
        ],
        folds=[squares_given_truth(), averages(), below, power],
        steps=["s >= u"],
        argument="The loss by Lemma 4.5. (c - s)/(1 - s) grows with s, as c >= 1, and s is at least 2^-n.",
    )


CLAIM = Claim(
    id="vinterbo2018.theorem-4.6",
    source=f"{PAPER}, Theorem 4.6",
    place=(4, 8),
    printed=r"For $\pi^T\pi<1$, $a\ne1/2$, and $\hat\pi$ associated with $M$ as in Lemma 4.5 the loss as defined in "
    r"Proposition 3.1 is given by $L=f_L(s)=\frac{\left(\frac{a^2+(1-a)^2}{(2a-1)^2}\right)^n-s}{1-s}$ for "
    r"$s=\pi^T\pi=\sum_xp_x^2$. Also, $f_L(2^{-n})\le L$.",
    precise="For every n >= 1, 0 <= a <= 1, a != 1/2 and every pi with pi^T pi < 1: the quotient of the traces of the "
    "two covariance matrices.",
    variables={"pi": POPULATION, "a": A},
    bound={
        "u": Domain("1/N, N = 2^n", (), relation="0 < x <= 1/2 and x*size == 1"),
        "squares": Domain("(p_x - u)^2", (), entries={(): "x >= 0 and x == (q - u)**2"}),
        "largest": Domain("the largest share; below 1, as pi^T pi is", (), relation="0 <= x < 1"),
        "shares": Domain(
            "pi; no share is above the largest",
            (),
            entries={(): "0 <= x <= largest"},
            whole_groups=lambda shares: [[(x,) for x in range(len(shares))]],
        ),
    },
    assumptions=(invertible, not_certain),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=100,
)
