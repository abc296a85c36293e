"""Theorem 4.6: the loss f_L(s), and its least value."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Point
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
    assumptions=(invertible, not_certain),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=100,
)
