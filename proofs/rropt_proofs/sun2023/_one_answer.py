"""Theorem 5.6 where the collector sees one answer and no other: what that reading changes in the claim."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Condition, Domain, Entry, Fold, Least, Point, Reading, Value
from rropt_proofs._laws import level, view_of
from rropt_proofs.sun2023._surveys import all_dealt, deck_of

__all__ = ["ONE_ANSWER"]


def theory(point: Point) -> Fraction:
    """The largest p_{L+1-k}/p_k, from the counts N p_k."""
    counts = point["counts"]
    return max(Fraction(high, low) for high, low in zip(reversed(counts), counts, strict=True))


def computed(point: Point) -> Any:
    """The largest ratio of the probabilities of the last person's answer, over all deals, for that person's x = 0 and
    1."""
    deck, most = deck_of(point), len(point["counts"])
    others = tuple(point["order"] >> i & 1 for i in range(len(deck) - 1))
    return level(view_of(all_dealt(deck, (*others, x), most), lambda given: given[-1]) for x in (0, 1))


def mutant(point: Point) -> Fraction:
    """The ratio of the extreme cards."""
    counts = point["counts"]
    return Fraction(max(counts[0], counts[-1]), min(counts[0], counts[-1]))


def _opposite(point: Point, k: int) -> dict[str, Entry]:
    return {"high": Entry("counts", len(point["counts"]) - 1 - k), "own": Entry("counts", k)}


def proof() -> Anchored:
    """Each of the N cards is as likely as any other to be that of the person."""
    one = Fold(
        over=lambda point, at: [_opposite(point, at["k"])],
        start={"u": 0, "v": 0},
        update={"u": "u + high", "v": "v + own"},
        invariants=("u <= theory*v", "v >= 0", "u >= 0"),
        family=True,
    )
    return Anchored(
        Value(
            theory=Least("high <= g*own", lambda point: [_opposite(point, k) for k in range(len(point["counts"]))]),
            computed=Least("u/size <= g*v/size", tight={"u": "theory*v"}),
        ),
        at=lambda point: [
            {"k": k, "low": count, "size": sum(point["counts"])} for k, count in enumerate(point["counts"])
        ],
        folds=[one],
    )


def draw(rng: random.Random) -> tuple[int, ...]:
    counts = [1] * rng.randint(2, 4)
    for _ in range(rng.randint(0, 6 - len(counts))):
        counts[rng.randrange(len(counts))] += 1
    return tuple(counts)


ONE_ANSWER = Reading(
    "each answer by itself, as the definition of local differential privacy has it",
    r"A randomization mechanism $\mathcal{A}$ satisfies $\varepsilon$-LDP, if and only if for any pair of input values "
    r"$x$, $x'$ and for all randomized output $O$, it holds that "
    r"$\mathbf{P}[\mathcal{A}(x)=O]\le e^\varepsilon\times\mathbf{P}[\mathcal{A}(x')=O]$",
    {
        "variables": {
            "counts": Domain(
                "N p_1, ..., N p_L, the numbers of cards",
                ((1, 1), (1, 2), (1, 1, 1), (1, 1, 3), (2, 1, 1), (1, 2, 1, 1), (1, 3, 1, 1)),
                draw,
                entries={(): "x >= 1"},
            ),
            "order": Domain.values("the x_i of the others, as the digits of a binary number", 0, 5, 21),
        },
        "bound": {
            "low": Domain("N p_k", (), relation="x >= 1 and x == v"),
            "size": Domain("N", (), relation="x >= 2"),
        },
        "assumptions": (Condition("N p_k >= 1", lambda point: min(point["counts"]) >= 1),),
        "theory": theory,
        "computed": computed,
        "mutant": mutant,
        "correction": None,
        "proof": proof,
        "working": None,
        "count": 25,
    },
)
