"""Theorem 5.5: the least variance of modified Christofides with three numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import ANYBODY, LEVEL, SECOND, positive_level, unit

LOW, HIGH, ANY = "Var at p_1 = (1 - p_2)/(e^epsilon + 1)", "Var at p_1 = e^epsilon (1 - p_2)/(e^epsilon + 1)", "any Var"
some = Condition("p_2 < 1: otherwise all cards are alike, and E Y = 2", "p2 < 1")


def theory(point: Point) -> dict[str, Any]:
    """The printed minimum at both places, and at least that elsewhere."""
    odds, p2, size = point["odds"], point["p2"], point["size"]
    least = ((odds + 1) ** 2 / ((odds - 1) ** 2 * (1 - p2)) - 1) / (4 * size)
    return {LOW: least, HIGH: least, ANY: Bound("at-least", least)}


def computed(point: Point) -> dict[str, Any]:
    """Var Y/(N (4 - 2 E Y)^2) from the moments of the cards."""
    odds, p2, size = point["odds"], point["p2"], point["size"]
    low, high = (1 - p2) / (odds + 1), odds * (1 - p2) / (odds + 1)
    p1 = (1 - p2) * point["part"]
    p3 = 1 - p2 - p1
    return {
        LOW: unit(low, p2, high) / size,
        HIGH: unit(high, p2, low) / size,
        ANY: unit(p1, p2, p3) / size,
    }


def mutant(point: Point) -> dict[str, Any]:
    """A hundredth more is needed."""
    return {**theory(point), ANY: Bound("at-least", theory(point)[LOW] * Fraction(101, 100))}


def proof() -> Anchored:
    """With d = p_3 - p_1 the variance is ((1 - p_2)/d^2 - 1)/(4 N), and d^2 is largest at the endpoints."""
    return Anchored(
        Value(of=LOW),
        Value(of=HIGH),
        Value(of=ANY),
        steps=[
            "(odds - 1)**2 >= (2*part - 1)**2*(odds + 1)**2",
        ],
    )


CLAIM = Claim(
    id="sun2023.theorem-5.5",
    source=f"{PAPER}, Theorem 5.5",
    place=(5, 5),
    printed=r"For the case $L=3$, the variance of the modified Christofides mechanism $\mathbf{Var_{MC}}$ arrives its "
    r"minimum $\mathbf{Var}\hat{\pi_A}=\frac1{4N}\left[\frac{(e^\epsilon+1)^2}{(e^\epsilon-1)^2(1-p_2)}-1\right]$ "
    r"under the situation that proportions $p_1=(1-p_2)/(e^\varepsilon+1),"
    r"p_3=[e^\varepsilon(1-p_2)]/(e^\varepsilon+1)$ or "
    r"$p_1=[e^\varepsilon(1-p_2)]/(e^\varepsilon+1),p_3=(1-p_2)/(e^\varepsilon+1)$.",
    precise="For L = 3, every epsilon > 0, N and 0 <= p_2 < 1: among all p_1, p_3 with p_1 + p_3 = 1 - p_2, p_1/p_3 at "
    "most e^epsilon in either direction and p_1 != p_3, the printed ones have the least variance, and it is the "
    "printed one. p_2 is given: the minimum is a formula in it.",
    variables={
        "odds": LEVEL,
        "p2": SECOND,
        "part": Domain.interval("p_1/(p_1 + p_3)", 0, 1, also=("1/3", "1/2", "3/5")),
        "size": ANYBODY,
    },
    assumptions=(Condition("the privacy is at most epsilon", "part <= odds*(1 - part) and 1 - part <= odds*part"),),
    defined=(positive_level, some, Condition("p_1 != p_3: otherwise E Y = 2", "part != 1/2")),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="If p_2 may be chosen as well, the least is at p_2 = 0, where it is that of modified Warner "
    "(`theorem-5.5-p2-zero`): a card 2 is an answer that reveals nothing. The proof in appendix D has slips.",
)
