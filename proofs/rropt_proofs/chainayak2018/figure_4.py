"""Figure 4: h_gamma moves up with gamma, and the breach region shrinks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import symbols

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Max, Point, Value
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018.eq_3_5 import h_gamma


def _values(point: Point) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point["gamma"]), Fraction(point["larger"]), Fraction(point["p"])


def _beyond(gamma: Any, p: Any, q: Any) -> tuple[Any, Any]:
    """By how much (p, q) is above h_gamma, and below 1 - h_gamma(1 - p): a breach if one of them is positive."""
    return q - h_gamma(gamma, p), 1 - h_gamma(gamma, 1 - p) - q


def theory(point: Point) -> dict[str, Bound]:
    gamma, _, p = _values(point)
    return {
        "up boundary": Bound("greater", h_gamma(gamma, p)),
        "down boundary": Bound("less", 1 - h_gamma(gamma, 1 - p)),
        "how far in the region": Bound("less", max(_beyond(gamma, p, Fraction(point["q"])))),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """Both boundaries for the larger number, and how far a pair (p, q) is in its region."""
    _, larger, p = _values(point)
    return {
        "up boundary": h_gamma(larger, p),
        "down boundary": 1 - h_gamma(larger, 1 - p),
        "how far in the region": max(_beyond(larger, p, Fraction(point["q"]))),
    }


def mutant(point: Point) -> dict[str, Bound]:
    """The down boundary moves up as well."""
    gamma, _, p = _values(point)
    return {**theory(point), "down boundary": Bound("greater", 1 - h_gamma(gamma, 1 - p))}


def proof() -> Anchored:
    gamma, larger, p, q = symbols("gamma larger p q")
    return Anchored(
        Value(of="up boundary"),
        Value(of="down boundary"),
        Value(of="how far in the region", theory=Max(*_beyond(gamma, p, q)), computed=Max(*_beyond(larger, p, q))),
    )


CLAIM = Claim(
    id="chainayak2018.figure-4",
    source=f"{PAPER}, Figure 4 and the text beside it",
    place=(3, 11),
    printed=r"As $\gamma$ increases, $h_{(\gamma)}(p)$ shifts upward and the PBR gets smaller.",
    precise="For 1 < gamma < larger and 0 < p < 1: h_larger(p) > h_gamma(p) and 1 - h_larger(1 - p) < 1 - h_gamma(1 - "
    "p), so that the region between and beyond them for the larger number is properly contained in the other.",
    variables={
        "gamma": Domain.odds("gamma > 1"),
        "larger": Domain.odds("a larger number"),
        "p": Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/100", "1/2", "9/10")),
        "q": Domain.interval("a posterior", 0, 1, also=("1/5", "2/3")),
    },
    assumptions=(
        Condition("1 < gamma < larger", "1 < gamma < larger"),
        Condition("0 < p < 1", "0 < p < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
