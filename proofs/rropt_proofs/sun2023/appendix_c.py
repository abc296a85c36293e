"""Appendix C: both cases of the proof of Theorem 5.3."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Correction, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._range import MEMBERS
from rropt_proofs.sun2023._variances import ANYBODY, LEVEL, SHARE, positive_level, simmons
from rropt_proofs.sun2023.theorem_5_3 import OTHER, inside


def _printed(odds: Any, share: Any, rare: Any, size: Any) -> Any:
    """The formula of both cases, rare being pi_B or 1 - pi_B."""
    first = (1 / (odds - 1) + share) * (1 + 1 / ((odds - 1) * rare)) / size
    return first - 1 / (size * (odds - 1) ** 2) - (odds + 1) * share / (size * (odds - 1))


def theory(point: Point) -> Any:
    """As printed: pi_A in both cases."""
    b = point["b"]
    return _printed(point["odds"], point["pi"], b if 2 * b <= 1 else 1 - b, point["size"])


def corrected(point: Point) -> Any:
    odds, share, b, size = point["odds"], point["pi"], point["b"], point["size"]
    return _printed(odds, share, b, size) if 2 * b <= 1 else _printed(odds, 1 - share, 1 - b, size)


def computed(point: Point) -> Any:
    """The variance of Simmons by the probabilities of its answers, with the p that gives the level."""
    return simmons(point["odds"], point["b"], point["pi"], point["size"])


def mutant(point: Point) -> Any:
    """Without the last term."""
    odds, share, size = point["odds"], point["pi"], point["size"]
    return corrected(point) + (odds + 1) * share / (size * (odds - 1))


def working(point: Point) -> str:
    """The probabilities of the answers, and both variances."""
    odds, share, b, size = point["odds"], point["pi"], point["b"], point["size"]
    p = (odds - 1) * (1 - b) / (1 + (odds - 1) * (1 - b))
    yes, no = p + (1 - p) * b, (1 - p) * b
    return (
        f"pi_B = {value_text(b)} is above 1/2: p = {value_text(p)}, and a person answers 1 with probability "
        f"{value_text(yes)} in group A and {value_text(no)} otherwise, 0 with {value_text(1 - yes)} and "
        f"{value_text(1 - no)}, of ratio {value_text(odds)}\nVar = (pi_A {value_text(yes * (1 - yes))} + (1 - pi_A) "
        f"{value_text(no * (1 - no))})/(N p^2) = {value_text(computed(point))} for pi_A = {value_text(share)}, N = "
        f"{size}; the printed formula gives {value_text(theory(point))}, that with 1 - pi_A in the place of pi_A "
        f"{value_text(corrected(point))}"
    )


CLAIM = Claim(
    id="sun2023.appendix-c",
    source=f"{PAPER}, appendix C",
    place=(8, 3),
    printed=r"$(1)\textit{When}\quad\pi_B\le\frac12$, $\mathbf{Var}\hat{\pi_A}=$ "
    r"$\frac{\left(\frac1{e^\varepsilon-1}+\pi_A\right)\left(1+\frac1{\left(e^\varepsilon-1\right)\pi_B}"
    r"\right)}N-\frac1{N\left(e^\varepsilon-1\right)^2}$ "
    r"$-\frac{\left(e^\varepsilon+1\right)\pi_A}{N\left(e^\varepsilon-1\right)}$ [...] "
    r"$(2)\textit{When}\quad\pi_B>\frac12$, $\mathbf{Var}\hat\pi_A=$ "
    r"$\frac{\left(\frac1{e^\varepsilon-1}+\pi_A\right)\left(1+\frac1{\left(e^\varepsilon-1\right)"
    r"\left(1-\pi_B\right)}\right)}N-\frac1{N\left(e^\varepsilon-1\right)^2}$ "
    r"$-\frac{\left(e^\varepsilon+1\right)\pi_A}{N\left(e^\varepsilon-1\right)}$",
    precise="For every epsilon > 0, 0 < pi_B < 1, 0 <= pi_A <= 1 and N: the variance of modified Simmons with the p "
    "for which Theorem 5.2 gives epsilon.",
    variables={"odds": LEVEL, "pi": SHARE, "b": OTHER, "size": ANYBODY},
    defined=(positive_level, inside),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"In case (2) $\pi_A$ is to be replaced by $1-\pi_A$, twice. Case (1) is right.",
        corrected,
    ),
    proof=lambda: Anchored(Value(where="b <= 1/2"), Value(where="b > 1/2")),
    working=working,
    stated=(MEMBERS,),
    further=({"odds": Fraction(2), "b": Fraction(3, 4), "pi": Fraction(1, 5), "size": 5},),
    count=60,
    notes="With the answers exchanged Simmons with pi_B is Simmons for the complement of A with 1 - pi_B, so that both "
    "shares change. The minimum at pi_B = 1/2 is not affected.",
)
