"""Theorem 5.6: the privacy of the improved mechanism where one answer is seen alone."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Entry, Fold, Least, Point, Value
from rropt_proofs._laws import level
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import all_dealt
from rropt_proofs.sun2023.theorem_5_6 import deck_of


def theory(point: Point) -> Fraction:
    """The largest p_{L+1-k}/p_k, from the counts N p_k."""
    counts = point["counts"]
    return max(Fraction(high, low) for high, low in zip(reversed(counts), counts, strict=True))


def computed(point: Point) -> Any:
    """The largest ratio of the chances of the last person's answer, over all deals, for that person's x = 0 and 1."""
    deck, most = deck_of(point), len(point["counts"])
    others = tuple(point["order"] >> i & 1 for i in range(len(deck) - 1))
    return level(all_dealt(deck, (*others, x), most).view(lambda given: given[-1]) for x in (0, 1))


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


CLAIM = Claim(
    id="sun2023.theorem-5.6-single",
    source=f"{PAPER}, Theorem 5.6",
    place=(5, 7),
    printed=r"Suppose that any respondent does not know the cards others drew and the numbers others answered. Then "
    r"the improved Christofides mechanism satisfies $\varepsilon$-differential privacy, where "
    r"$\varepsilon=\max(\ln\frac{p_{L+1-k}}{p_k},k=1,2,\cdots,L)$.",
    precise="The reading in which the collector, too, sees one answer and no other: for every deck of N cards, N p_k "
    ">= 1 of each number k of 1, ..., L, and every x_1, ..., x_{N-1}, the chances of the answer of the N-th person for "
    "x_N = 0 and 1 have the printed largest ratio.",
    variables={
        "counts": Domain(
            "N p_1, ..., N p_L, the numbers of cards",
            ((1, 1), (1, 2), (1, 1, 1), (1, 1, 3), (2, 1, 1), (1, 2, 1, 1), (1, 3, 1, 1)),
            draw,
            entries={(): "x >= 1"},
        ),
        "order": Domain.values("the x_i of the others, as the digits of a binary number", 0, 5, 21),
    },
    bound={
        "low": Domain("N p_k", (), relation="x >= 1 and x == v"),
        "size": Domain("N", (), relation="x >= 2"),
    },
    assumptions=(Condition("N p_k >= 1", lambda point: min(point["counts"]) >= 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=25,
    notes="This is what the proof shows: it gives the chances of one answer. The collector of a survey sees all "
    "answers, or their sum at least, which is what the estimator needs; then no epsilon is finite (`theorem-5.6`). The "
    "sentence before the statement is about what other respondents know, not about the collector.",
)
