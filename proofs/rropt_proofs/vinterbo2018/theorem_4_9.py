"""Theorem 4.9: the bounds on c and L at privacy alpha."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._devices import column_of_squares
from rropt_proofs.vinterbo2018._paper import (
    POPULATION,
    error_of_one,
    inverse,
    kept,
    length_of,
    not_certain,
    squares,
)
from rropt_proofs.vinterbo2018.sec_4_3_privacy import privacy_loss

C, LOSS = "c", "L"


def _bound(point: Point) -> Fraction:
    g = Fraction(point["odds"])
    return ((g**2 + 1) / (g - 1) ** 2) ** length_of(point["pi"])


def theory(point: Point) -> dict[str, Bound]:
    """c_alpha(alpha) with exp(alpha/k) = g, and L(alpha)."""
    c, s = _bound(point), squares(point["pi"])
    return {C: Bound("at-least", c), LOSS: Bound("at-least", (c - s) / (1 - s))}


def computed(point: Point) -> dict[str, Fraction]:
    """The sum of the squares of a column of C^-1, which is c; and the loss by the distribution of one response."""
    pi = point["pi"]
    rows = kept(Fraction(point["a"]), length_of(pi))
    return {C: column_of_squares(rows), LOSS: error_of_one(rows, inverse(rows), pi) / (1 - squares(pi))}


def mutant(point: Point) -> dict[str, Bound]:
    """exp(alpha) + 1 in the numerator."""
    g = Fraction(point["odds"])
    return {**theory(point), C: Bound("at-least", ((g**2 + g) / (g - 1) ** 2) ** length_of(point["pi"]))}


def _private(point: Point) -> bool:
    n, k = length_of(point["pi"]), point["k"]
    return 0 < point["a"] < 1 and privacy_loss(kept(Fraction(point["a"]), n), n, k) <= Fraction(point["odds"]) ** k


def working(point: Point) -> str:
    """The privacy, and both numbers."""
    n, k, g = length_of(point["pi"]), point["k"], Fraction(point["odds"])
    loss = privacy_loss(kept(Fraction(point["a"]), n), n, k)
    return (
        f"n = {n}: two inputs differ in at most {n} bits, so that the ratio of chances is at most {loss}, which is at "
        f"most exp(alpha) = {g}^{k} = {g**k}\nc = {computed(point)[C]}, while c_alpha(alpha) = {_bound(point)}"
    )


CLAIM = Claim(
    id="vinterbo2018.theorem-4.9",
    source=f"{PAPER}, Theorem 4.9",
    place=(4, 17),
    printed=r"For any $\alpha$-differentially private iterated bisymmetric randomizer for inputs not differing in more "
    r"than $k$ bits, for $c$ from Lemma 4.5, $c\ge "
    r"c_\alpha(\alpha)=\left(\frac{\exp(2\alpha/k)+1)}{(\exp(\alpha/k)-1)^2}\right)^n$, and for $L$ from "
    r"Theorem 4.6, $L\ge L(\alpha)=\frac{c_\alpha(\alpha)-s}{1-s}$ where $s=\pi^T\pi$.",
    precise="For n bits with C_a, 0 < a < 1, a != 1/2, every k >= 1 and every alpha > 0, g = exp(alpha/k), for which "
    "the chances of every response under two inputs that differ in at most k bits have a ratio of at most exp(alpha).",
    variables={
        "pi": POPULATION,
        "a": Domain.interval("a", 0, 1, also=("1/3", "2/3", "3/4")),
        "odds": Domain(
            "exp(alpha/k)", tuple(map(Fraction, ("1", "3/2", "2", "3", "10"))), Domain.odds().draw, "x >= 1"
        ),
        "k": Domain("k, the most bits in which two inputs differ", (1, 2, 3), lambda rng: rng.randint(1, 3), "x >= 1"),
    },
    assumptions=(
        Condition("a != 1/2", "a != 1/2"),
        Condition("the randomizer is alpha-differentially private for such inputs", _private),
        not_certain,
    ),
    defined=(Condition("alpha > 0: otherwise c_alpha divides by 0", "odds > 1"),),
    missing=(
        Condition(r"$k\le n$: otherwise no two inputs differ in $k$ bits", lambda p: p["k"] <= length_of(p["pi"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    working=working,
    count=150,
    notes="With k above n the level alpha is spread over bits that do not exist: each bit may then have exp(alpha/n) > "
    "exp(alpha/k), and c is smaller. The bound is attained at a = g/(1 + g), for k <= n. (One bracket of the printed "
    "formula has no partner.)",
)
