"""Theorem 5.4: the privacy of modified Christofides."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._laws import level
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import PROPORTIONS, cards
from rropt_proofs.sun2023._views import NAMED, ONE, OTHERS, SUM, seen


def theory(point: Point) -> Fraction:
    """The largest p_{L+1-k}/p_k."""
    p = point["p"]
    return max(Fraction(high) / low for high, low in zip(reversed(p), p, strict=True))


def computed(point: Point) -> Any:
    """The largest ratio of the probabilities of what is seen."""
    return level(seen(cards(point["p"]), point["others"])[point["view"]])


def mutant(point: Point) -> Fraction:
    """The ratio of the extreme cards."""
    p = point["p"]
    return max(p[0], p[-1]) / min(p[0], p[-1])


CLAIM = Claim(
    id="sun2023.theorem-5.4",
    source=f"{PAPER}, Theorem 5.4",
    place=(5, 4),
    printed=r"Modified Christofides mechanism satisfies $\varepsilon$-differential privacy, where "
    r"$\varepsilon=\max(\ln\frac{p_{L+1-k}}{p_k},k=1,2,\cdots,L)$.",
    precise="For every L >= 2 and positive proportions, N persons with fixed x_i, each card put back: the chances of "
    "what is seen, when one person's x changes, have a ratio of at most the printed one: of one answer alone, of all "
    "answers with names, of the sum.",
    variables={
        "p": replace(PROPORTIONS, entries={(): "0 <= x <= 1"}),
        "others": OTHERS,
        "view": Domain.values("what is seen", ONE, NAMED, SUM),
    },
    defined=(Condition("all p_k > 0: p_k/p_(L+1-k) divides by each", lambda point: min(point["p"]) > 0),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    count=15,
    notes="Attained by one answer, alone or among all with names; a sum may reveal less. Where one of p_k and "
    "p_(L+1-k) is 0 epsilon is infinite. Where both are, no one gives the answers k and L + 1 - k, which count for "
    "nothing: so p_2 = 0 for L = 3 in the remark after Theorem 5.5."
    " What is seen is an answer a, with others that have the same chances, or a sum, the chance of which is a sum "
    "over a of the chance of a times that of the others' answers making it up to the sum. From a to L + 1 - a the "
    "two groups change places, so both directions have the same ratios.",
)
