"""Remark 1: a fair coin, then a biased one, is RR_p with q = 2p."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Domain, Point, Value
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import randomized_response

FLIPPED, ONE, ZERO = "Pr[M(b) = 1 - b]", "Pr[M(b) = 1]", "Pr[M(b) = 0]"


def _of(b: Any, if_zero: Any, if_one: Any) -> Any:
    """Return what belongs to a bit b of {0, 1}."""
    return (1 - b) * if_zero + b * if_one


def theory(point: Point) -> dict[str, Any]:
    """Pr[M(b) = 1 - b] = q/2, and the distribution of RR_p(b) with p = q/2."""
    b, q = point["b"], Fraction(point["q"])
    mechanism = randomized_response(q / 2)
    return {FLIPPED: q / 2, ONE: _of(b, *mechanism[1]), ZERO: _of(b, *mechanism[0])}


def computed(point: Point) -> dict[str, Any]:
    """The law of the report after both coins: b if the first shows heads, otherwise what the second one says."""
    b, q = point["b"], Fraction(point["q"])
    heads = {0: 1 - b, 1: b}
    tails = {0: b * q + (1 - b) * (1 - q), 1: (1 - b) * q + b * (1 - q)}
    law = {report: (heads[report] + tails[report]) * Fraction(1, 2) for report in (0, 1)}
    return {FLIPPED: _of(b, law[1], law[0]), ONE: law[1], ZERO: law[0]}


def mutant(point: Point) -> dict[str, Fraction]:
    """The second coin flips with probability 1 - q."""
    return {**theory(point), FLIPPED: (1 - Fraction(point["q"])) / 2}


def proof() -> Anchored:
    return Anchored(
        Value(of=FLIPPED),
        Value(of=ONE),
        Value(of=ZERO),
        argument="Heads (1/2) never flips, tails (1/2) flips with probability q: in all q/2 = p. The map q = 2p is a "
        "bijection of [0, 1/2] onto [0, 1].",
    )


CLAIM = Claim(
    id="ziani.remark-1",
    source=f"{PAPER}, Remark 1",
    place=(1, 2),
    printed="Flip a first coin. [...] If heads (probability $1/2$), report $b$. If tails, flip a second, but now "
    "biased coin: with probability $q$, output $1-b$, and with probability $1-q$, output $b$. This is "
    r"equivalent to $RR_p(b)$ with $q=2p$; indeed, a simple calculation shows that $P[\mathcal M(b)=1-b]=q/2$.",
    precise="For b in {0, 1} and q in [0, 1] the two-coin mechanism reports 1 - b with probability q/2 and so has the "
    "law of RR_p, p = q/2.",
    variables={
        "q": Domain.interval("bias of the second coin, 0 <= q <= 1", 0, 1, also=("1/4", "1/2", "99/100")),
        "b": Domain("private bit", (Fraction(0), Fraction(1)), None, "x*(1 - x) == 0 and 0 <= x <= 1"),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="In the cited book (Dwork and Roth, section 3.2) the second coin decides between the answers yes and no, not "
    "between $b$ and $1-b$. With a fair second coin, as there, both give $p=\\frac14$; with a biased one they differ.",
)
