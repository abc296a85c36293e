"""Section 5.3, after Theorem 5.5: what modified Christofides is at p_2 = 0."""

from __future__ import annotations

from typing import Any

from rropt.claims import Anchored, Claim, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import ANYBODY, LEVEL, positive_level, unit

MEMBER, OTHER, ESTIMATE, LEAST = (
    "chance of the larger answer in group A",
    "the same outside of it",
    "the estimate from a share y of larger answers",
    "the least variance",
)


def theory(point: Point) -> dict[str, Any]:
    """Modified Warner with p = 1/(e^epsilon + 1), the larger answer being yes."""
    odds, y = point["odds"], point["y"]
    p = 1 / (odds + 1)
    return {
        MEMBER: p,
        OTHER: 1 - p,
        ESTIMATE: (y - (1 - p)) / (2 * p - 1),
        LEAST: odds / (point["size"] * (odds - 1) ** 2),
    }


def computed(point: Point) -> dict[str, Any]:
    """Cards 1 and 3 with p_3 = e^epsilon p_1: who is in group A answers 4 - Y, others Y."""
    odds, y = point["odds"], point["y"]
    p1 = 1 / (odds + 1)
    p3 = 1 - p1
    mean, answers = p1 + 3 * p3, 3 * y + (1 - y)
    return {
        MEMBER: p1,
        OTHER: p3,
        ESTIMATE: (answers - mean) / (4 - 2 * mean),
        LEAST: unit(p1, 0, p3) / point["size"],
    }


def mutant(point: Point) -> dict[str, Any]:
    """N + 1 in the place of N."""
    size = point["size"]
    return {**theory(point), LEAST: theory(point)[LEAST] * size / (size + 1)}


CLAIM = Claim(
    id="sun2023.theorem-5.5-p2-zero",
    source=f"{PAPER}, section 5.3, after Theorem 5.5",
    place=(5, 6),
    printed=r"Notice that when proportion $p_2=0$, modified Christofides mechanism is substantially equivalent to "
    r"modified Warner mechanism.",
    precise="For every epsilon > 0 and N: with p_2 = 0, at the optimum of Theorem 5.5, the answers are 1 and 3, and "
    "with 3 as yes and 1 as no they have the chances of Warner's with p = 1/(e^epsilon + 1); the estimate from any "
    "share of such answers is that of Warner, and so is the variance.",
    variables={
        "odds": LEVEL,
        "y": Domain.interval("the share of the larger answers", 0, 1, also=("1/3",)),
        "size": ANYBODY,
    },
    defined=(positive_level,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=lambda: Anchored(*(Value(of=key) for key in (MEMBER, OTHER, ESTIMATE, LEAST))),
    count=60,
    notes="So the best modified Christofides mechanism with L = 3 is Warner's. With the other choice of the theorem, "
    "p_1 = e^epsilon p_3, yes and no are exchanged. Theorem 5.4 has 0/0 for k = 2 there, an answer that nobody gives.",
)
