"""The claims in rows of Sun, Zhou and Yan (2023) on what a collector sees, and on unbiased estimators."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Domain
from rropt.claims.claim import Row
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import level, mean_of, view_of
from rropt_proofs.sun2023._range import HALF
from rropt_proofs.sun2023._surveys import PERSONS, all_dealt, all_orders, counted, fixed, is_sorted_deck, warner

__all__ = ["HALF"]  # the file of rows names it

Cards = dict[str, Any]
Bits = tuple[int, ...]

_VIEWS = {
    "all answers, with names": lambda given: given,
    "all answers, without names": lambda given: tuple(sorted(given)),
    "the sum of the answers alone": sum,
}


def _draw(rng: random.Random, numbers: int, most: int) -> Cards:
    counts = [1] * rng.randint(2, numbers)
    for _ in range(rng.randint(most - 4, most - len(counts))):
        counts[rng.randrange(len(counts))] += 1
    return counted(*counts)


def _decks(*listed: Bits) -> tuple[Cards, ...]:
    return tuple(counted(*counts) for counts in listed)


CARDS = Domain(
    "the cards of the deck, and L",
    _decks((1, 2), (1, 1, 2), (1, 1, 3), (3, 1, 1), (1, 2, 2), (1, 2, 1, 1)),
    lambda rng: _draw(rng, 3, 5),
)
FEW_CARDS = Domain(
    "the cards of the deck, and L",
    _decks((1, 1), (1, 2), (1, 1, 1), (1, 1, 3), (2, 1, 1), (1, 2, 1, 1), (1, 1, 2)),
    lambda rng: _draw(rng, 4, 4),
)
MEMBERS = Domain("persons in group A, beside the one who changes", (0, 2), None, "x >= 0")
OTHERS = Domain.values("the x_i of the others, a pattern that repeats", (0,), (1, 0))
CHANCES = Domain.values("probability of the truth", *map(Fraction, ("0", "1/10", "1/3", "1/2", "3/4", "1")))
SOME_MEMBER = replace(PERSONS, boundary=tuple(x for x in PERSONS.boundary if any(x)))


def sorted_deck(cards: Cards) -> bool:
    """each of the numbers 1, ..., L is on a card, and the cards are listed in order"""
    return is_sorted_deck(cards)


def somebody_changes(cards: Cards, members: int) -> bool:
    """there is a person who changes"""
    return members < len(cards["deck"])


def _largest(cards: Cards, *, ends: bool = False) -> Fraction:
    """Return the largest p_{L+1-k}/p_k, from the counts N p_k; of the extreme cards alone with ``ends``."""
    counts = [sum(1 for card in cards["deck"] if card == k) for k in range(1, cards["L"] + 1)]
    counts = [counts[0], counts[-1]] if ends else counts
    return max(Fraction(high, low) for high, low in zip(reversed(counts), counts, strict=True))


def theorem_5_6_one(cards: Cards, others: Bits, *, ends: bool = False) -> list[Row]:
    """The largest ratio of the chances of the last person's answer, over all deals, for that person's x = 0 and 1."""
    deck, most = cards["deck"], cards["L"]
    rest = [others[i % len(others)] for i in range(len(deck) - 1)]
    orders = [all_orders({"deck": deck, "x": (*rest, x), "L": most}) for x in (0, 1)]
    pairs = [[sum(1 for seen in every if seen[-1] == k) for every in orders] for k in range(1, most + 1)]
    ratio = max(Fraction(x, y) for pair in pairs for x, y in (pair, pair[::-1]))
    return [("the largest ratio for one answer", ratio, "=", _largest(cards, ends=ends))]


def theorem_5_6(
    cards: Cards, members: int, *, printed: bool = True, nobody: Any = 0, more: Any = 0, off: Any = 0
) -> list[Row]:
    """The largest ratio of the probabilities of what is seen, for members + 1 and members persons in group A.

    In the corrected form: the probability that the sum of the answers is not that of the deck, over all deals. It is 0
    when nobody is in group A, and the share of the cards other than (L + 1)/2 when one person is: no epsilon is finite.
    """
    deck, most = cards["deck"], cards["L"]
    in_group = [(1,) * count + (0,) * (len(deck) - count) for count in range(len(deck) + 1)]
    if printed:
        laws = [all_dealt(deck, in_group[members + x], most) for x in (0, 1)]
        largest = _largest(cards)
        return [(name, level(view_of(law, seen) for law in laws), "<=", largest) for name, seen in _VIEWS.items()]
    none, one = (_chance(all_orders({**cards, "x": bits}), deck) for bits in in_group[:2])
    share = Fraction(sum(1 for card in deck if 2 * card != most + 1), len(deck))
    return [
        ("P(the sum is not that of the deck), nobody in A", none, "=", Fraction(nobody)),
        ("the same, one person in A", one, ">", Fraction(more)),
        ("the same, one person in A, as a number", one, "=", share - off),
    ]


def theorem_5_6_working(cards: Cards, members: int) -> str:
    """What is seen under both populations, and something that only one of them gives."""
    deck = cards["deck"]
    lines = [f"the deck {value_text(deck)}, N = {len(deck)}"]
    laws = {
        count: all_dealt(deck, (1,) * count + (0,) * (len(deck) - count), cards["L"])
        for count in (members, members + 1)
    }
    for name, seen in _VIEWS.items():
        views = {count: view_of(law, seen) for count, law in laws.items()}
        for count, other in ((members, members + 1), (members + 1, members)):
            if only := sorted(views[count].keys() - views[other].keys()):
                chance = f"{value_text(only[0])} has probability {views[count][only[0]]}"
                lines.append(f"{name}: {chance} with {count} in group A, and 0 with {other}")
                break
    return "\n".join(lines)


def _chance(orders: Sequence[Bits], deck: Bits) -> Fraction:
    return Fraction(sum(1 for given in orders if sum(given) != sum(deck)), len(orders))


def unbiased_prose(p: Fraction, x: Bits, *, cut: bool = True, more: Any = 0) -> list[Row]:
    """The mean over all answers of these N persons, of the estimator that is kept within [0, 1]; or of itself."""
    mean = mean_of(fixed(x, warner(p)), lambda ones: _estimate(p, x, ones, cut=cut))
    return [("the mean", mean, "=", Fraction(sum(x), len(x)) + more)]


def _estimate(p: Fraction, x: Bits, ones: int, *, cut: bool) -> Fraction:
    value = (Fraction(ones, len(x)) - (1 - p)) / (2 * p - 1)
    return min(max(value, Fraction(0)), Fraction(1)) if cut else value


def unbiased_prose_working(p: Fraction, x: Bits) -> str:
    """The values of the estimator with their probabilities."""
    lines = []
    for ones, chance in sorted(fixed(x, warner(p)).items()):
        value, kept = (_estimate(p, x, ones, cut=cut) for cut in (False, True))
        lines.append(f"N_1 = {ones} (probability {chance}): estimate {value}, within [0, 1] {kept}")
    means = [unbiased_prose(p, x, cut=cut)[0][1] for cut in (False, True)]
    return "\n".join([*lines, f"means {means[0]} and {means[1]}"])


def unbiased_prose_mean(p: Fraction, x: Bits, *, more: Any = 0) -> list[Row]:
    """The mean of the estimator itself, over all answers of these N persons."""
    return unbiased_prose(p, x, cut=False, more=more)
