"""What the entries of Sun, Zhou and Yan (2023) share: the distributions of surveys, from what one person answers.

An answer is a number whose law depends on x_i alone: a pair of distributions, that of x_i = 0 and that of x_i = 1.
Cards of one deck make the answers depend on each other: their distributions go through the deals. Nothing here uses a
statement of the paper.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

from rropt.claims import Condition, Domain, Point, exact_cache
from rropt_proofs._coins import law_of_runs
from rropt_proofs._laws import FiniteLaw, added, law_of, mean_of, variance_of, view_of
from rropt_proofs.sun2023._mechanisms import meant, meant_simmons, reported

__all__ = [
    "DECK",
    "MEMBERSHIP",
    "PERSONS",
    "PROBABILITY",
    "PROPORTIONS",
    "Pair",
    "all_dealt",
    "all_orders",
    "card",
    "cards",
    "counted",
    "counts_of",
    "dealt",
    "decided",
    "divides",
    "estimable",
    "every_number",
    "fixed",
    "mean_of_cards",
    "mean_over",
    "moments_of_deck",
    "replaced",
    "simmons",
    "slope",
    "spread",
    "total",
    "variance_over",
    "warner",
]

Pair = tuple[FiniteLaw, FiniteLaw]

PROBABILITY = Domain.interval("probability of the first statement", 0, 1, also=("1/10", "1/2", "3/4"))
MEMBERSHIP = Domain.values(
    "x_i of the N persons",
    *(tuple(map(int, bits)) for bits in ("0", "1", "10", "100", "1100", "11110")),
    entries={(): "x*(1 - x) == 0 and 0 <= x <= 1"},
)
PERSONS = Domain.values(
    "x_i of the N persons",
    *(tuple(map(int, bits)) for bits in ("10", "100", "000", "1100", "11110")),
    entries=MEMBERSHIP.entries,
)


def _shares(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def _draw(rng: random.Random) -> tuple[Fraction, ...]:
    weights = [rng.randint(1, 9) for _ in range(rng.randint(2, 5))]
    return tuple(Fraction(w, sum(weights)) for w in weights)


PROPORTIONS = Domain(
    "p_1, ..., p_L, the proportions of the cards",
    tuple(
        map(
            _shares,
            (
                "1/2 1/2",
                "1/3 2/3",
                "0 0 0 1 0",
                "1/6 1/3 1/2",
                "1/4 1/2 1/4",
                "0 1/20 19/20",
                "1/10 1/5 3/10 2/5",
                "1/8 1/8 1/4 1/4 1/4",
            ),
        )
    ),
    _draw,
    entries={(): "0 <= x <= 1"},
    whole_groups=lambda p: [[(k,) for k in range(len(p))]],
)


def warner(p: Fraction) -> Pair:
    """Return the distributions of the answer of modified Warner, with u = 1 for the truth."""
    return law_of_runs(lambda coins: meant(coins, 0, p)), law_of_runs(lambda coins: meant(coins, 1, p))


def simmons(p: Fraction, share: Fraction) -> Pair:
    """Return the distributions of the answer of modified Simmons, with u = 1 for the truth and v = 1 for the answer
    1."""

    def answer(x: int) -> FiniteLaw:
        return law_of_runs(lambda coins: meant_simmons(coins, x, p, share))

    return answer(0), answer(1)


def card(p: Sequence[Fraction]) -> FiniteLaw:
    """Return the law of a card Y."""
    return law_of(enumerate(p, 1))


def counted(*counts: int) -> dict[str, Any]:
    """Return the deck with these numbers of cards 1, 2, ..., L, and L."""
    deck = tuple(Fraction(k) for k, count in enumerate(counts, 1) for _ in range(count))
    return {"L": len(counts), "deck": deck}


def counts_of(point: Point) -> tuple[int, ...]:
    """Return the numbers of cards 1, 2, ..., L of a deck."""
    cards = point["cards"]
    return tuple(sum(1 for card in cards["deck"] if card == k) for k in range(1, cards["L"] + 1))


def _is_sorted_deck(point: Point) -> bool:
    deck, most = point["cards"]["deck"], point["cards"]["L"]
    return deck[0] == 1 and deck[-1] == most and all(high == low or high == low + 1 for low, high in pairwise(deck))


every_number = Condition(
    "each of the numbers 1, ..., L is on a card, and the cards are listed in order", _is_sorted_deck
)


def cards(p: Sequence[Fraction]) -> Pair:
    """Return the distributions of the answer X of Christofides: Y, and L + 1 - Y."""
    return card(p), view_of(card(p), lambda k: reported(k, 1, len(p)))


def mean_of_cards(p: Sequence[Fraction]) -> Fraction:
    """Return E Y."""
    return mean_of(card(p))


def decided(p: Sequence[Fraction]) -> bool:
    """Return whether E Y is not (L + 1)/2."""
    return 2 * mean_of_cards(p) != len(p) + 1


def total(laws: Sequence[FiniteLaw]) -> FiniteLaw:
    """Return the distribution of the sum of independent numbers."""
    found = {0: Fraction(1)}
    for law in laws:
        longer: dict[Any, Fraction] = {}
        for so_far, chance in found.items():
            for value, other in law.items():
                longer[so_far + value] = longer.get(so_far + value, Fraction(0)) + chance * other
        found = longer
    return added(found.items())


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


@exact_cache
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


def _case(deck: str, bits: str, most: int) -> dict[str, Any]:
    return {"deck": tuple(map(Fraction, deck)), "x": tuple(map(int, bits)), "L": Fraction(most)}


def _draw_case(rng: random.Random) -> dict[str, Any]:
    size, most = rng.randint(3, 5), rng.randint(2, 5)
    deck = [1, most, *(rng.randint(1, most) for _ in range(size - 2))]
    bits = tuple(sorted(rng.randint(0, 1) for _ in range(size)))
    return {"deck": tuple(map(Fraction, sorted(deck))), "x": bits, "L": Fraction(most)}


DECK = Domain(
    "the N cards of the deck, x_i of the N persons, and L",
    (
        _case("12", "01", 3),
        _case("22222", "00111", 4),
        _case("112", "011", 2),
        _case("113", "001", 3),
        _case("1223", "0011", 3),
        _case("2333", "0001", 3),
        _case("113", "000", 3),
        _case("1144", "0111", 4),
        _case("12355", "00011", 5),
        _case("111123", "000111", 3),
    ),
    _draw_case,
    entries={
        ("deck",): "1 <= x <= most",
        ("x",): "x*(1 - x) == 0 and 0 <= x <= 1",
        ("L",): "x >= 1",
    },
)


def slope(point: Point) -> Fraction:
    """Return L + 1 - 2 E Y of a case."""
    case = point["case"]
    return case["L"] + 1 - 2 * Fraction(sum(case["deck"]), len(case["deck"]))


divides = Condition("E Y != (L + 1)/2: the estimator divides by L + 1 - 2 E Y", lambda point: slope(point) != 0)
estimable = Condition(divides.text, lambda point: decided(point["p"]))
