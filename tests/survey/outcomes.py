"""All outcomes of a small survey and their exact probabilities: expectations by enumeration."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

from rropt.mechanisms import Mechanism


def compositions(n: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All counts of n answers over `parts` kinds."""
    if parts == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in compositions(n - first, parts - 1):
            yield (first, *rest)


def dealt_answers(deck: Sequence[int], x: Sequence[int]) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every order of the cards of a deck, all distinct, as answers of respondents with traits x; its probability."""
    cards = [c for c, count in enumerate(deck, 1) for _ in range(count)]
    orders = list(permutations(cards))
    turned = len(deck) + 1
    return [
        (tuple(turned - c if trait else c for c, trait in zip(order, x, strict=True)), Fraction(1, len(orders)))
        for order in orders
    ]


def multinomial(counts: Sequence[int], shares: Sequence[Fraction]) -> Fraction:
    """The probability of the counts."""
    value = Fraction(math.factorial(sum(counts)))
    for count, share in zip(counts, shares, strict=True):
        value *= share**count / math.factorial(count)
    return value


def answer_shares(mechanism: Mechanism, population: Sequence[Fraction]) -> list[Fraction]:
    """lambda = P pi."""
    return [sum((p * x for p, x in zip(row, population, strict=True)), Fraction(0)) for row in mechanism.matrix]
