"""Theorem 4.9: the bounds on c and L at privacy alpha."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Fold, Point, Step, Value
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


def _at(point: Point) -> dict[str, Any]:
    """Name the likeliest response to all bits 0, and its probabilities under that input and one that differs in k
    bits."""
    a, n = Fraction(point["a"]), length_of(point["pi"])
    high = max(a, 1 - a)
    row = kept(a, n)[0 if a > 1 - a else 2**n - 1]
    return {
        "high": high,
        "r": high / (1 - high),
        "top": row[0],
        "low": row[2 ** point["k"] - 1],
        "s": squares(point["pi"]),
    }


def proof() -> Anchored:
    """One bit has c = (r^2 + 1)/(r - 1)^2, which falls with r > 1; n of them by induction.

    That r <= g: the response that is likeliest at one input has r^k times the probability at one that differs in k
    bits, and g^k - r^k = (g - r) sum_i g^i r^(k-1-i).
    """
    differing = Fold(
        over=lambda point, _: [{}] * point["k"],
        start={"p": 1, "q": 1, "gk": 1, "rk": 1, "mixed": 0},
        update={"p": "p*high", "q": "q*(1 - high)", "gk": "gk*odds", "rk": "rk*r", "mixed": "mixed*odds + rk"},
        invariants=(
            "q > 0",
            "p == rk*q",
            "rk >= 1",
            "mixed >= 0",
            "mixed >= count",
            "(odds - r)*mixed == gk - rk",
        ),
        count="k",
    )
    equal = Fold(
        over=lambda point, _: [{}] * (length_of(point["pi"]) - point["k"]),
        start={"f": 1},
        update={"f": "f*high"},
        invariants="f > 0",
    )
    power = Fold(
        over=lambda point, _: [{}] * length_of(point["pi"]),
        start={"v": "(r**2 + 1)/(r - 1)**2", "w": "(odds**2 + 1)/(odds - 1)**2", "x": 1, "y": 1},
        update={"v": "v", "w": "w", "x": "x*v", "y": "y*w"},
        invariants=("w > 0", "v >= w", "y > 0", "x >= y"),
    )
    return Anchored(
        Value(of=C, theory="y", computed="x"),
        Value(of=LOSS, theory="(y - s)/(1 - s)", computed="(x - s)/(1 - s)"),
        at=_at,
        folds=[
            differing,
            equal,
            Step("p*f <= gk*q*f"),
            Step("rk*q*f <= gk*q*f"),
            Step("rk <= gk"),
            Step("mixed > 0"),
            Step("(odds - r)*mixed >= 0"),
            Step("r <= odds"),
            power,
        ],
        argument="For k <= n two inputs differ in k bits, and some response has the ratio r(a)^k.",
    )


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
    bound={
        "high": Domain("the larger of a and 1 - a", (), relation="1/2 < x < 1"),
        "r": Domain("r(a), the larger of a/(1-a) and (1-a)/a", (), relation="x > 1 and high == x*(1 - high)"),
        "low": Domain("the chance of a response where k bits are others", (), relation="x == q*f"),
        "top": Domain(
            "the chance of that response where it is likeliest; by privacy at most exp(alpha) times the other",
            (),
            relation="x == p*f and x <= gk*low",
        ),
        "s": Domain("pi^T pi, below 1", (), relation="0 < x < 1"),
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
    proof=proof,
    working=working,
    count=150,
    notes="With k above n the level alpha is spread over bits that do not exist: each bit may then have exp(alpha/n) > "
    "exp(alpha/k), and c is smaller. The bound is attained at a = g/(1 + g), for k <= n. (One bracket of the printed "
    "formula has no partner.)",
)
