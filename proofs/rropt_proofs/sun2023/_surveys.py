"""What the entries of Sun, Zhou and Yan (2023) share: the distributions of surveys, from what one person answers.

An answer is a number whose law depends on x_i alone: a pair of distributions, that of x_i = 0 and that of x_i = 1.
Cards of one deck make the answers depend on each other: their distributions go through the deals. Nothing here uses a
statement of the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

from rropt.claims import Domain
from rropt_proofs._laws import FiniteLaw, added, law_of, mean_of, total, variance_of, view_of

Pair = tuple[FiniteLaw, FiniteLaw]

PERSONS = Domain.values(
    "x_i of the N persons",
    *(tuple(map(int, bits)) for bits in ("10", "100", "000", "1100", "11110")),
    entries={(): "x*(1 - x) == 0 and 0 <= x <= 1"},
)


def reported(k: Any, x: Any, most: Any) -> Any:
    """Return how far the card k is from L + 1 for a member of group A, from 0 for others, as section 2.2.3 says."""
    return most + 1 - k if x == 1 else k


def warner(p: Fraction, *, printed: bool = False) -> Pair:
    """Return the distributions of the answer of Algorithm 1; the condition u = 1 is printed as u < p."""
    told = [((u < p if printed else u == 1), chance) for u, chance in ((1, p), (0, 1 - p))]
    none, member = (added([(x if own else 1 - x, chance) for own, chance in told]) for x in (0, 1))
    return none, member


def simmons(p: Fraction, share: Fraction, *, printed: bool = False) -> Pair:
    """Return the distributions of the answer of Algorithm 2; u = 1 and v = 1 are printed as u < p and v < pi_B."""
    coins = [(u, v, a * b) for u, a in ((1, p), (0, 1 - p)) for v, b in ((1, share), (0, 1 - share))]
    told = [(u < p, int(v < share), chance) if printed else (u == 1, int(v == 1), chance) for u, v, chance in coins]
    none, member = (added([(x if own else other, chance) for own, other, chance in told]) for x in (0, 1))
    return none, member


def in_random_order(members: int, size: int) -> FiniteLaw:
    """Return the distribution of (x_1, ..., x_N) when N persons, some of them in group A, are asked in a random
    order."""
    orders = list(permutations((1,) * members + (0,) * (size - members)))
    return law_of((order, Fraction(1, len(orders))) for order in orders)


def card(p: Sequence[Fraction]) -> FiniteLaw:
    """Return the law of a card Y."""
    return law_of(enumerate(p, 1))


def counted(*counts: int) -> dict[str, Any]:
    """Return the deck with these numbers of cards 1, 2, ..., L, and L."""
    deck = tuple(Fraction(k) for k, count in enumerate(counts, 1) for _ in range(count))
    return {"L": len(counts), "deck": deck}


def is_sorted_deck(cards: Mapping[str, Any]) -> bool:
    """Return whether each of the numbers 1, ..., L is on a card, and the cards are listed in order."""
    deck, most = cards["deck"], cards["L"]
    return deck[0] == 1 and deck[-1] == most and all(high == low or high == low + 1 for low, high in pairwise(deck))


def cards_of(p: Sequence[Fraction]) -> Pair:
    """Return the distributions of the answer X of Christofides: Y, and L + 1 - Y."""
    return card(p), view_of(card(p), lambda k: reported(k, 1, len(p)))


def mean_of_cards(p: Sequence[Fraction]) -> Fraction:
    """Return E Y."""
    return mean_of(card(p))


def decided(p: Sequence[Fraction]) -> bool:
    """Return whether E Y is not (L + 1)/2."""
    return 2 * mean_of_cards(p) != len(p) + 1


def fixed(bits: Sequence[int], each: Pair) -> FiniteLaw:
    """Return the distribution of the sum of the answers of these persons, each asked once, with coins or cards of one's
    own."""
    return total([each[x] for x in bits])


def replaced(bits: Sequence[int], each: Pair) -> FiniteLaw:
    """Return the distribution of the sum of N answers when N persons are drawn from these N with replacement."""
    parts = [(value, chance / len(bits)) for x in bits for value, chance in each[x].items()]
    return total([added(parts)] * len(bits))


def spread(law: FiniteLaw, size: int, slope: Fraction) -> Fraction:
    """Return the variance of (sum/N - constant)/slope."""
    return variance_of(law) / (size * slope) ** 2


def dealt(deck: Sequence[int], members: int, most: int) -> FiniteLaw:
    """Return the distribution of the sum of the answers when the N cards of a deck are dealt to N persons, all subsets
    alike.

    Args:
        deck: the numbers on the cards.
        members: how many persons are in group A.
        most: L, the largest number that there may be on a card.
    """
    size = len(deck)
    chance = Fraction(1, comb(size, members))
    everyone = range(size)
    return law_of(
        (sum(reported(deck[i], int(i in own), most) for i in everyone), chance)
        for own in map(set, combinations(everyone, members))
    )


@cache
def all_dealt(deck: tuple[int, ...], bits: tuple[int, ...], most: int) -> FiniteLaw:
    """Return the distribution of (X_1, ..., X_N) when the cards of a deck are dealt, all orders alike."""
    orders = list(permutations(deck))
    each = Fraction(1, len(orders))
    return law_of((tuple(reported(k, x, most) for k, x in zip(order, bits, strict=True)), each) for order in orders)


def all_orders(case: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return (X_1, ..., X_N) for each order in which the cards of a case are dealt; all orders are equally likely."""
    bits, most = case["x"], case["L"]
    orders = permutations(case["deck"])
    return [tuple(reported(k, x, most) for k, x in zip(order, bits, strict=True)) for order in orders]


def mean_over(values: Sequence[Any]) -> Any:
    """Return the mean of numbers that are equally likely."""
    return sum(values, Fraction(0)) / len(values)


def variance_over(values: Sequence[Any]) -> Any:
    """Return the variance of numbers that are equally likely."""
    return mean_over([x * x for x in values]) - mean_over(values) ** 2


def moments_of_deck(deck: Sequence[Any]) -> tuple[Any, Any]:
    """Return E Y and Var Y of one card Y of a deck: (1/N) sum k and (1/N) sum k^2 - (E Y)^2."""
    size = len(deck)
    mean = sum(deck) / Fraction(size)
    return mean, sum(k**2 for k in deck) / Fraction(size) - mean**2
