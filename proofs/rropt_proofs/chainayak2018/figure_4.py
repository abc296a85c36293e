"""Figure 4: h_gamma moves up with gamma, and the breach region shrinks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._paper import GAMMA, PAPER, P
from rropt_proofs.chainayak2018.eq_3_5 import h_gamma


def _values(point: Point) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point["gamma"]), Fraction(point["larger"]), Fraction(point["p"])


def _breach(gamma: Fraction, p: Fraction, q: Fraction) -> bool:
    """Whether (p, q) is in the region with the boundaries h_gamma and 1 - h_gamma(1 - p)."""
    return q > h_gamma(gamma, p) or q < 1 - h_gamma(gamma, 1 - p)


def theory(point: Point) -> dict[str, bool]:
    return {"up": True, "down boundary falls": True, "smaller region": True, "strictly": True}


def computed(point: Point) -> dict[str, bool]:
    """Both boundaries, a pair (p, q), and a pair between the two boundaries."""
    gamma, larger, p = _values(point)
    q = Fraction(point["q"])
    middle = (h_gamma(gamma, p) + h_gamma(larger, p)) / 2
    return {
        "up": h_gamma(larger, p) > h_gamma(gamma, p),
        "down boundary falls": 1 - h_gamma(larger, 1 - p) < 1 - h_gamma(gamma, 1 - p),
        "smaller region": not _breach(larger, p, q) or _breach(gamma, p, q),
        "strictly": _breach(gamma, p, middle) and not _breach(larger, p, middle),
    }


def mutant(point: Point) -> dict[str, bool]:
    """The down boundary moves up as well."""
    return {**theory(point), "down boundary falls": False}


def proof() -> Proof:
    larger = sp.Symbol("larger")
    gap: Any = h_gamma(larger, P) - h_gamma(GAMMA, P)
    top = (larger - GAMMA) * P * (1 - P)
    below = (1 + (larger - 1) * P) * (1 + (GAMMA - 1) * P)
    strict = [Hypothesis(x, strict=True) for x in (larger - GAMMA, P, 1 - P)]
    return Proof(
        scope="all 1 < gamma < larger, 0 < p < 1",
        argument="h_larger(p) - h_gamma(p) is (larger - gamma) p (1 - p) over a positive product, so the up boundary "
        "rises strictly; the down boundary 1 - h_gamma(1 - p) falls. A pair beyond the outer boundaries is beyond the "
        "inner ones, and one between is beyond the inner alone.",
        certificates=(
            ("the difference", prove_identity(gap, top / below)),
            ("its numerator is positive", prove_positive(top, strict, strict=True, degree=3)),
            (
                "its divisor is positive",
                prove_positive(
                    below, [Hypothesis(larger - 1), Hypothesis(GAMMA - 1), Hypothesis(P)], strict=True, degree=4
                ),
            ),
        ),
        unchecked_steps=("p and 1 - p exchanged for the down boundary",),
    )


def mutant_proof() -> object:
    larger = sp.Symbol("larger")
    return prove_positive((larger - GAMMA) * P * (1 - P), [Hypothesis(x) for x in (larger, GAMMA, P, 1 - P)], degree=3)


CLAIM = Claim(
    id="chainayak2018.figure-4",
    source=f"{PAPER}, Figure 4 and the text beside it",
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
        Condition("1 < gamma < larger", lambda point: 1 < point["gamma"] < point["larger"]),
        Condition("0 < p < 1", lambda point: 0 < point["p"] < 1),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
