"""Theorem 5.7: the least variance of the improved mechanism with three numbers and a deck of N cards."""

from __future__ import annotations

import random
from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import dealt, spread

# N, the number of cards 2, the persons in group A
CASES = ((3, 0, 1), (3, 1, 1), (4, 1, 2), (5, 2, 0), (6, 0, 2), (7, 1, 3), (9, 3, 1), (9, 3, 4), (10, 4, 9))


def _draw(rng: random.Random) -> tuple[int, int, int]:
    size = rng.randint(3, 9)
    return size, rng.randint(0, size - 2), rng.randint(0, size)


def _has_printed_deck(point: Point) -> bool:
    """Return whether N(1 - p_2)/(e^epsilon + 1) is one of 1, ..., N(1 - p_2) - 1."""
    size, middle, _ = point["case"]
    rest = size - middle
    return any(low * (point["odds"] + 1) == rest for low in range(1, rest))


def _low_cards(point: Point) -> list[int]:
    """The possible numbers of cards 1: the privacy is at most epsilon, and E Y is not 2."""
    size, middle, _ = point["case"]
    odds, rest = point["odds"], size - middle
    return [c for c in range(1, rest) if c <= odds * (rest - c) and rest - c <= odds * c and 2 * c != rest]


def theory(point: Point) -> Fraction:
    """The printed minimum."""
    size, middle, members = point["case"]
    odds, share = Fraction(point["odds"]), Fraction(members, size)
    ratio = (odds + 1) ** 2 / ((odds - 1) ** 2 * (1 - Fraction(middle, size)))
    return share * (1 - share) / (size - 1) * (ratio - 1)


def _variance(point: Point, low: int) -> Fraction:
    """The variance over all deals of a deck with the given number of cards 1."""
    size, middle, members = point["case"]
    deck = (1,) * low + (2,) * middle + (3,) * (size - middle - low)
    return spread(dealt(deck, members, 3), size, 4 - 2 * Fraction(sum(deck), size))


def computed(point: Point) -> Fraction:
    """The least variance over all deals, of the decks of N cards with N p_2 cards 2 and privacy at most epsilon."""
    return min(_variance(point, low) for low in _low_cards(point))


def mutant(point: Point) -> Fraction:
    """N in the place of N - 1."""
    size = point["case"][0]
    return theory(point) * (size - 1) / size


def working(point: Point) -> str:
    """All decks, with their variances."""
    size, middle, members = point["case"]
    rows = [
        f"{low}, {middle}, {size - middle - low} cards: variance {value_text(_variance(point, low))}"
        for low in _low_cards(point)
    ]
    best = Fraction(size - middle) / (Fraction(point["odds"]) + 1)
    return "\n".join(
        [
            f"N = {size}, {middle} cards 2, {members} persons in group A, e^epsilon = {value_text(point['odds'])}; "
            "cards 1, 2, 3 with a ratio of the outer ones of at most that:",
            *rows,
            f"the printed proportions: {value_text(best)} cards of one kind, variance {value_text(theory(point))}",
        ]
    )


CLAIM = Claim(
    id="sun2023.theorem-5.7",
    source=f"{PAPER}, Theorem 5.7",
    place=(5, 9),
    printed=r"For the case $L=3$, the variance of the improved Christofides mechanism $\mathbf{Var_{IC}}$ arrives its "
    r"minimum $\mathbf{Var}\hat{\pi_A}=\frac{\pi_A(1-\pi_A)}{(N-1)}\left[\frac{(e^\epsilon+1)^2}{(e^\epsilon-1)^2"
    r"(1-p_2)}-1\right]$ under the situation that proportions $p_1=(1-p_2)/(e^\varepsilon+1),p_3=[e^\varepsilon(1-p_2)]"
    r"/(e^\varepsilon+1)$ or $p_1=[e^\varepsilon(1-p_2)]/(e^\varepsilon+1),p_3=(1-p_2)/(e^\varepsilon+1)$.",
    precise="For L = 3, every epsilon > 0, N >= 2, N p_2 a whole number and every population: the least variance over "
    "the deals, among all decks of N cards with N p_2 cards 2, at least one card 1 and one card 3, E Y != 2 and "
    "privacy at most epsilon (of one answer seen alone, `theorem-5.6`), is the printed one.",
    variables={
        "case": Domain("N, the number of cards 2, the persons in group A", CASES, _draw),
        "odds": Domain(
            "e^epsilon",
            tuple(map(Fraction, ("1", "3/2", "2", "5/2", "4", "5"))),
            lambda rng: Fraction(rng.randint(2, 12), rng.randint(1, 4)),
            "x >= 0",
        ),
    },
    defined=(
        Condition("epsilon > 0: otherwise the variance is infinite", "odds > 1"),
        Condition("there is such a deck", lambda point: bool(_low_cards(point))),
    ),
    missing=(
        Condition(
            r"a deck with the printed proportions exists: $N(1-p_2)/(e^\varepsilon+1)$ is a whole number",
            _has_printed_deck,
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    working=working,
    count=110,
    notes="Without such a deck the printed formula is a lower bound that no deck attains, but for pi_A = 0 or 1, where "
    "every deck has variance 0. A deck has p_3/p_1 rational, so for every rational epsilon > 0, such as 0.01 or 0.5, "
    "there is none of any size.",
)
