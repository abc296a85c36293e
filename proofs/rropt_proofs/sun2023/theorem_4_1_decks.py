"""Theorem 4.1 for every deck of at most 6 cards with numbers up to 5, and every population."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._laws import law_of, variance_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import dealt, spread

SIZES, MOST = range(2, 7), range(2, 6)
Deck = tuple[int, tuple[int, ...]]


def _decks() -> list[Deck]:
    return [
        (most, cards)
        for most in MOST
        for size in SIZES
        for cards in combinations_with_replacement(range(1, most + 1), size)
    ]


def _slope(deck: Deck) -> Fraction:
    most, cards = deck
    return most + 1 - 2 * Fraction(sum(cards), len(cards))


def theory(point: Point) -> tuple[Fraction, ...]:
    """The formula for 0, 1, ..., N persons in group A."""
    _, cards = point["deck"]
    size = len(cards)
    one = law_of((k, Fraction(1, size)) for k in cards)
    each = 4 * variance_of(one) / ((size - 1) * _slope(point["deck"]) ** 2)
    return tuple(each * Fraction(k * (size - k), size**2) for k in range(size + 1))


def computed(point: Point) -> tuple[Fraction, ...]:
    """The variance of the estimator over all deals, for 0, 1, ..., N persons in group A."""
    most, cards = point["deck"]
    laws = (dealt(cards, members, most) for members in range(len(cards) + 1))
    return tuple(spread(law, len(cards), _slope(point["deck"])) for law in laws)


def mutant(point: Point) -> tuple[Fraction, ...]:
    """N in the place of N - 1."""
    size = len(point["deck"][1])
    return tuple(value * (size - 1) / size for value in theory(point))


CLAIM = Claim(
    id="sun2023.theorem-4.1-decks",
    source=f"{PAPER}, Theorem 4.1 and equation (3)",
    place=(4, 3),
    printed=r"The variance of $\hat{\pi_A}$ is $\mathbf{Var}\hat{\pi_A}="
    r"\frac{4\pi_A(1-\pi_A)\mathbf{Var}(Y)}{(N-1)(L+1-2\mathbf{E}(Y))^2}$.",
    precise="For L = 2, 3, 4, 5, every deck of N = 2, ..., 6 cards with numbers of 1, ..., L whose mean is not "
    "(L + 1)/2, and every population with 0, 1, ..., N persons in group A: the variance of the estimator over the "
    "deals, all subsets of the cards being equally likely to go to group A.",
    variables={"deck": Domain.values("L, and the N cards", *_decks())},
    defined=(
        Condition("E Y != (L + 1)/2: the estimator divides by L + 1 - 2 E Y", lambda point: _slope(point["deck"]) != 0),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="Which persons are in group A does not matter, only how many. `theorem-4.1` proves it for all N and L.",
)
