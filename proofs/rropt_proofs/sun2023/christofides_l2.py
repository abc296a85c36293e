"""Section 2.2.3: what Christofides is for L = 2."""

from __future__ import annotations

from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import ANYBODY

MEMBER, OTHER, ESTIMATE, VARIANCE = (
    "chance of the answer 2 in group A",
    "the same outside of it",
    "the estimate from a share y of answers 2",
    "the variance",
)


def theory(point: Point) -> dict[str, Any]:
    """Warner with p = p_1, the answer 2 being yes."""
    p, y = point["p"], point["y"]
    return {
        MEMBER: p,
        OTHER: 1 - p,
        ESTIMATE: (y - (1 - p)) / (2 * p - 1),
        VARIANCE: p * (1 - p) / (point["size"] * (2 * p - 1) ** 2),
    }


def computed(point: Point) -> dict[str, Any]:
    """Cards 1 and 2: who is in group A answers 3 - Y, others Y."""
    p1, y = point["p"], point["y"]
    p2 = 1 - p1
    mean, square, answers = p1 + 2 * p2, p1 + 4 * p2, 2 * y + (1 - y)
    return {
        MEMBER: p1,
        OTHER: p2,
        ESTIMATE: (answers - mean) / (3 - 2 * mean),
        VARIANCE: (square - mean**2) / (point["size"] * (3 - 2 * mean) ** 2),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Warner with p = p_2."""
    return {**theory(point), MEMBER: 1 - point["p"], OTHER: point["p"]}


CLAIM = Claim(
    id="sun2023.christofides-l2",
    source=f"{PAPER}, section 2.2.3",
    place=(2, 1),
    printed=r"Notice that when $L=2$, Christofides mechanism is substantially equivalent to Warner mechanism.",
    precise="For L = 2, 0 <= p_1 <= 1, p_1 != 1/2 and every N, each card put back: with 2 as yes and 1 as no the "
    "answers have the chances of Warner's with p = p_1; the estimate from any share of such answers is that of Warner, "
    "and so is the variance among N persons asked once each.",
    variables={
        "p": Domain.interval("p_1", 0, 1, also=("1/10", "1/3", "1/2")),
        "y": Domain.interval("the share of answers 2", 0, 1, also=("1/3",)),
        "size": ANYBODY,
    },
    defined=(Condition("p_1 != p_2: the proportions are not equal", "p != 1/2"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=lambda: Anchored(*(Value(of=key) for key in (MEMBER, OTHER, ESTIMATE, VARIANCE))),
    count=60,
    notes="For p_1 > 1/2 it is Warner with p < 1/2 and yes and no exchanged. The improved mechanism with L = 2 is not "
    "Warner's: its cards come from one deck, its variance is 4 pi_A (1 - pi_A) N/(N - 1) times as large, and who sees "
    "the number of answers 2 may know everything (`theorem-5.6`).",
)
