"""Theorem 5.3: the best pi_B of modified Simmons at a level."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import ANYBODY, LEVEL, SHARE, positive_level, simmons

HALF, ANY = "Var at pi_B = 1/2", "Var at any pi_B"
OTHER = Domain.interval("pi_B", 0, 1, also=("1/4", "1/2", "3/5"))
inside = Condition("0 < pi_B < 1: otherwise epsilon is infinite", "0 < b < 1")


def theory(point: Point) -> dict[str, Any]:
    """e^epsilon/(N (e^epsilon - 1)^2) at 1/2, and at least that elsewhere."""
    least = point["odds"] / (point["size"] * (point["odds"] - 1) ** 2)
    return {HALF: least, ANY: Bound("at-least", least)}


def computed(point: Point) -> dict[str, Any]:
    """The variance of Simmons by the probabilities of its answers, with the p that gives the level."""
    odds, share, size = point["odds"], point["pi"], point["size"]
    return {HALF: simmons(odds, Fraction(1, 2), share, size), ANY: simmons(odds, point["b"], share, size)}


def mutant(point: Point) -> dict[str, Any]:
    """A hundredth more is needed."""
    return {**theory(point), ANY: Bound("at-least", theory(point)[HALF] * Fraction(101, 100))}


def proof() -> Anchored:
    """The excess is (1/(e^epsilon - 1) + pi_A)(1/pi_B - 2)/(N (e^epsilon - 1)), or that of the complements."""
    return Anchored(
        Value(of=HALF),
        Value(of=ANY, where="b <= 1/2"),
        Value(of=ANY, where="b > 1/2"),
    )


CLAIM = Claim(
    id="sun2023.theorem-5.3",
    source=f"{PAPER}, Theorem 5.3",
    place=(5, 3),
    printed=r"When $\pi_B=1/2$, the variance $\mathbf{Var_{MS}}$ obtains its minimum as following "
    r"$\mathbf{Var}\hat{\pi_A}=\frac{e^\varepsilon}{N\left(e^\varepsilon-1\right)^2}$. which is the same with "
    "that of modified Warner mechanism.",
    precise="For every epsilon > 0, 0 <= pi_A <= 1 and N: among all 0 < pi_B < 1, each with the p for which Theorem "
    "5.2 gives epsilon, pi_B = 1/2 has the least variance, and it is the printed one.",
    variables={"odds": LEVEL, "pi": SHARE, "b": OTHER, "size": ANYBODY},
    defined=(positive_level, inside),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="Strictly least: for pi_B <= 1/2 the variance exceeds it by (1/(e^epsilon - 1) + pi_A)(1/pi_B - 2)/"
    "(N(e^epsilon - 1)), positive below 1/2. The second formula of appendix C is not that of the variance.",
)
