"""The range that Sun, Zhou and Yan (2023) state: p < 1/2, whole numbers of persons and of cards."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Point, Stated


def _are_whole(*numbers: Fraction) -> bool:
    return all(Fraction(number).denominator == 1 for number in numbers)


def _is_deck(point: Point) -> bool:
    """Return whether N p_1, N p_2 and N p_3 are whole, with p_3 = e^epsilon p_1."""
    size, second = point["size"], Fraction(point["p2"])
    low = (1 - second) / (point["odds"] + 1)
    return _are_whole(size * low, size * second, size * (1 - low - second))


HALF = Stated("$p<1/2$", "p < 1/2", r"with probability $p$ ($p<1/2$ in this paper.)", ("p",))
MEMBERS = Stated(
    r"$N\pi_A$, the number of persons in group $A$, is whole",
    lambda point: _are_whole(point["size"] * point["pi"]),
    "Let $x_i$ be the integer representing the sensitive attributes of respondent $i$, which is 1 if the "
    "respondent is a member of sensitive group",
    ("pi", "size"),
)
DECK = Stated(
    "$Np_1$, $Np_2$ and $Np_3$, the numbers of cards, are whole",
    _is_deck,
    "prepare a device consist of $N$ cards, each card showing one of the integers $1,2,...,L$ with proportions "
    "$p_1,p_2,...,p_L$ respectively;",
    ("odds", "p2", "pi", "size"),
)
RANGES = (HALF, MEMBERS, DECK)
