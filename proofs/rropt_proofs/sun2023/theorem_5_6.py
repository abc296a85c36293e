"""Theorem 5.6: the privacy of the improved mechanism where the collector sees all answers, or only their sum."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.claims import (
    Bound,
    Claim,
    Condition,
    Correction,
    Domain,
    Point,
    Reading,
)
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import FiniteLaw, level, view_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._one_answer import ONE_ANSWER
from rropt_proofs.sun2023._surveys import all_dealt, all_orders, counted, counts_of, every_number

NAMED, HISTOGRAM, SUM = "all answers, with names", "all answers, without names", "the sum of the answers alone"
NOBODY, SOMEBODY = "P(the sum is not that of the deck), nobody in A", "the same, one person in A"
SHARE = "the same, one person in A, as a number"
VIEWS = {NAMED: lambda given: given, HISTOGRAM: lambda given: tuple(sorted(given)), SUM: sum}


def _law(point: Point, members: int) -> FiniteLaw:
    """The distribution of all answers, the first persons being those in group A."""
    deck = point["cards"]["deck"]
    return all_dealt(deck, _bits(deck, members), point["cards"]["L"])


def _bits(deck: Sequence[Any], members: int) -> tuple[int, ...]:
    return (1,) * members + (0,) * (len(deck) - members)


def theory(point: Point) -> dict[str, Bound]:
    """At most the largest p_{L+1-k}/p_k, whatever is seen."""
    counts = counts_of(point)
    largest = max(Fraction(high, low) for high, low in zip(reversed(counts), counts, strict=True))
    return dict.fromkeys(VIEWS, Bound("at-most", largest))


def computed(point: Point) -> dict[str, Any]:
    """The largest ratio of the probabilities of what is seen, for members + 1 and members persons in group A."""
    laws = [_law(point, point["members"] + x) for x in (0, 1)]
    return {name: level(view_of(law, seen) for law in laws) for name, seen in VIEWS.items()}


def corrected(point: Point) -> dict[str, Any]:
    """An event without probability when nobody is in group A, and with the share of the cards other than (L + 1)/2 when
    one person is: no epsilon is finite."""
    deck, most = point["cards"]["deck"], point["cards"]["L"]
    share = Fraction(sum(1 for card in deck if 2 * card != most + 1), len(deck))
    return {NOBODY: Fraction(0), SOMEBODY: Bound("greater", Fraction(0)), SHARE: share}


def repaired(point: Point) -> dict[str, Any]:
    """The probability that the sum of the answers is not that of the deck, over all deals."""
    deck = point["cards"]["deck"]
    found = {}
    for name, members in ((NOBODY, 0), (SOMEBODY, 1)):
        orders = all_orders({**point["cards"], "x": _bits(deck, members)})
        found[name] = Fraction(sum(1 for given in orders if sum(given) != sum(deck)), len(orders))
    return {**found, SHARE: found[SOMEBODY]}


def mutant(point: Point) -> dict[str, Any]:
    """With a chance above 9/10."""
    return {**corrected(point), SOMEBODY: Bound("greater", Fraction(9, 10))}


def draw(rng: random.Random) -> dict[str, Any]:
    counts = [1] * rng.randint(2, 3)
    for _ in range(rng.randint(1, 5 - len(counts))):
        counts[rng.randrange(len(counts))] += 1
    return counted(*counts)


def working(point: Point) -> str:
    """What is seen under both populations, and something that only one of them gives."""
    deck = point["cards"]["deck"]
    lines = [f"the deck {value_text(deck)}, N = {len(deck)}"]
    laws = {members: _law(point, members) for members in (point["members"], point["members"] + 1)}
    for name, seen in VIEWS.items():
        views = {members: view_of(law, seen) for members, law in laws.items()}
        for members, chances in views.items():
            (other,) = (each for each in views if each != members)
            only = sorted(value for value in chances if value not in views[other])
            if only:
                lines.append(
                    f"{name}: {value_text(only[0])} has probability {value_text(chances[only[0]])} with {members} in "
                    f"group A, and 0 with {other}"
                )
                break
    return "\n".join(lines)


CLAIM = Claim(
    id="sun2023.theorem-5.6",
    source=f"{PAPER}, Theorem 5.6",
    place=(5, 8),
    printed=r"Suppose that any respondent does not know the cards others drew and the numbers others answered. Then "
    r"the improved Christofides mechanism satisfies $\varepsilon$-differential privacy, where "
    r"$\varepsilon=\max(\ln\frac{p_{L+1-k}}{p_k},k=1,2,\cdots,L)$.",
    precise="For every deck of N cards, N p_k >= 1 of each number k of 1, ..., L. Each answer by itself: whatever the "
    "x_i of the others, the chances of one person's answer for x = 0 and 1 have the printed largest ratio. What the "
    "estimator needs: for two populations that differ in one person's x_i, the chances of everything that the "
    "collector sees, all answers with names, or without, or their sum, have at most that ratio.",
    variables={
        "cards": Domain(
            "the cards of the deck, and L",
            tuple(counted(*counts) for counts in ((1, 2), (1, 1, 2), (1, 1, 3), (3, 1, 1), (1, 2, 2), (1, 2, 1, 1))),
            draw,
        ),
        "members": Domain("persons in group A, beside the one who changes", (0, 2), None, "x >= 0"),
    },
    assumptions=(
        every_number,
        Condition("there is a person who changes", lambda point: point["members"] < len(point["cards"]["deck"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$\varepsilon=\infty$, for every deck with $L\ge2$, even if only the sum of the answers is released: with "
        r"nobody in group A that sum is surely the sum of the deck, with one person there it differs from it with "
        r"probability $1-p_{(L+1)/2}$ ($1$ for even $L$), and that is the $\delta$ which is needed at any "
        r"$\varepsilon$. For one answer seen alone the statement is right.",
        corrected,
        computed=repaired,
        strength="equality",
    ),
    working=working,
    readings=(
        ONE_ANSWER,
        Reading(
            "everything that the collector needs for the estimate",
            r"sends $\mathcal{A}(x)$ to the untrusted collector. The collector learns statistical "
            "information about users. [...] "
            r"$\hat\pi_A=\frac{\frac1N\sum_{i=1}^NX_i-\mathbf{E}(Y)}{L+1-2\mathbf{E}(Y)}$",
        ),
    ),
    count=15,
    notes="The definition of the paper is about one output, and for one answer the theorem is true, as "
    "its proof shows. Cards of one deck make the answers depend on each other, so that a collector who "
    "sees all of them, or their sum, learns more than from each by itself. The comparisons of section 6 "
    "at equal epsilon hold for one answer seen alone. That the probability of another sum is the delta that is "
    "needed is in words here; a theorem in Coq states it.",
)
