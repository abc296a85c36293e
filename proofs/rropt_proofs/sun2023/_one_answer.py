"""Theorem 5.6 where the collector sees one answer and no other: what that reading changes in the claim."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Domain, Point, Reading
from rropt_proofs.sun2023._surveys import all_orders, counted, counts_of, every_number

__all__ = ["ONE_ANSWER"]


def theory(point: Point) -> Fraction:
    """The largest p_{L+1-k}/p_k, from the counts N p_k."""
    counts = counts_of(point)
    return max(Fraction(high, low) for high, low in zip(reversed(counts), counts, strict=True))


def computed(point: Point) -> Any:
    """The largest ratio of the probabilities of the last person's answer, over all deals, for that person's x = 0 and
    1."""
    deck, most = point["cards"]["deck"], point["cards"]["L"]
    others = [point["others"][i % len(point["others"])] for i in range(len(deck) - 1)]
    pairs = []
    orders = [all_orders({"deck": deck, "x": (*others, x), "L": most}) for x in (0, 1)]
    for k in range(1, most + 1):
        pairs.append([sum(1 for seen in every if seen[-1] == k) for every in orders])
    return max(Fraction(x, y) for pair in pairs for x, y in (pair, pair[::-1]))


def mutant(point: Point) -> Fraction:
    """The ratio of the extreme cards."""
    counts = counts_of(point)
    return Fraction(max(counts[0], counts[-1]), min(counts[0], counts[-1]))


def draw(rng: random.Random) -> dict[str, Any]:
    counts = [1] * rng.randint(2, 4)
    for _ in range(rng.randint(0, 4 - len(counts))):
        counts[rng.randrange(len(counts))] += 1
    return counted(*counts)


ONE_ANSWER = Reading(
    "each answer by itself, as the definition of local differential privacy has it",
    r"A randomization mechanism $\mathcal{A}$ satisfies $\varepsilon$-LDP, if and only if for any pair of input values "
    r"$x$, $x'$ and for all randomized output $O$, it holds that "
    r"$\mathbf{P}[\mathcal{A}(x)=O]\le e^\varepsilon\times\mathbf{P}[\mathcal{A}(x')=O]$",
    {
        "variables": {
            "cards": Domain(
                "the cards of the deck, and L",
                tuple(
                    counted(*counts)
                    for counts in ((1, 1), (1, 2), (1, 1, 1), (1, 1, 3), (2, 1, 1), (1, 2, 1, 1), (1, 1, 2))
                ),
                draw,
            ),
            "others": Domain.values("the x_i of the others, a pattern that repeats", (0,), (1, 0)),
        },
        "assumptions": (every_number,),
        "theory": theory,
        "computed": computed,
        "mutant": mutant,
        "correction": None,
        "working": None,
        "count": 25,
    },
)
