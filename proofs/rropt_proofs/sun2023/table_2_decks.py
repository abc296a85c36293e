"""Table 2: the row of the improved mechanism, with decks that exist."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Correction, Domain, Point, exact_cache
from rropt.core.exact import Epsilon, decimal_text
from rropt_proofs._laws import law_of, mean_of, variance_of
from rropt_proofs.sun2023 import PAPER

LEVELS = ("0.01", "0.05", "0.25", "0.5")
PRINTED = (36365, 1456, 59, 16)
TRUE = (36700, 1500, 100, 100)
LIMIT, SHARE, SECOND = Fraction(1, 10), Fraction(1, 10), Fraction(1, 100)  # of the variance, pi_A, p_2
_DIGITS = 30  # of the bracket of e^epsilon: no ratio of two numbers of cards is as near to it
_MOST = 10**5


def theory(point: Point) -> int:
    """The printed number."""
    return PRINTED[LEVELS.index(point["epsilon"])]


def corrected(point: Point) -> int:
    return TRUE[LEVELS.index(point["epsilon"])]


def _is_private(epsilon: str, low: int, high: int) -> bool:
    """Whether high/low is at most e^epsilon: decided at both endpoints of a bracket."""
    decided = {high <= gamma * low for gamma in Epsilon.of(epsilon).gamma_bracket(_DIGITS)}
    if len(decided) > 1:
        raise ArithmeticError(f"the bracket of e^epsilon is too wide at {epsilon}: {high}/{low}")
    return decided.pop()


def _deck(epsilon: str, size: int) -> tuple[int, int, int] | None:
    """The numbers of cards 1, 2, 3 that differ most: the least number of cards 1 that the level allows."""
    middle = size * SECOND
    if middle.denominator > 1 or (size * SHARE).denominator > 1:
        return None
    rest = size - int(middle)
    least, most = 0, rest // 2  # at `most` the level is kept
    while most - least > 1:
        low = (least + most) // 2
        least, most = (least, low) if _is_private(epsilon, low, rest - low) else (low, most)
    return (most, int(middle), rest - most) if 2 * most != rest else None


def _variance(deck: tuple[int, int, int]) -> Fraction:
    """4 pi_A (1 - pi_A) Var Y/((N - 1)(4 - 2 E Y)^2), with the moments of a card of the deck."""
    size = sum(deck)
    card = law_of((k, Fraction(count, size)) for k, count in enumerate(deck, 1))
    return 4 * SHARE * (1 - SHARE) * variance_of(card) / ((size - 1) * (4 - 2 * mean_of(card)) ** 2)


@exact_cache
def _least(epsilon: str) -> tuple[int, tuple[int, int, int]]:
    """The least N with a deck of a variance of at most 1/10, and the deck: N goes up from the first that has one."""
    for size in range(100, _MOST, 100):  # N p_2 is a whole number for multiples of 100 alone
        deck = _deck(epsilon, size)
        if deck is not None and _variance(deck) <= LIMIT:
            return size, deck
    raise ArithmeticError(f"no deck of fewer than {_MOST} cards at {epsilon}")


def computed(point: Point) -> int:
    """The least N for which whole numbers of cards, and of persons, give a variance of at most 1/10."""
    return _least(point["epsilon"])[0]


def mutant(point: Point) -> int:
    """A hundred more."""
    return corrected(point) + 100


def working(point: Point) -> str:
    """What the printed N would need, and the deck of the least N."""
    epsilon, printed = point["epsilon"], theory(point)
    size, deck = _least(epsilon)
    return (
        f"N = {printed}: N p_2 = {decimal_text(printed * SECOND, 8)} cards of number 2, and N pi_A = "
        f"{decimal_text(printed * SHARE, 8)} persons\nN = {size}: {deck[0]}, {deck[1]} and {deck[2]} cards, of ratio "
        f"{decimal_text(Fraction(deck[2], deck[0]), 8)}, variance {decimal_text(_variance(deck), 8)}"
    )


CLAIM = Claim(
    id="sun2023.table-2-decks",
    source=f"{PAPER}, Table 2, the last row",
    place=(6, 12),
    printed="modified Warner, Simmons, Christofides ($p_2=0.01$) and the improved Christofides mechanisms "
    r"($p_2=0.01$) [...] The minimum sampling size $N$ for given proportion $\pi_A=0.1$, variance "
    r"$\mathbf{Var}\hat{\pi_A}=0.1$ and privacy budget $\varepsilon$ of four mechanisms. Mechanisms Privacy "
    "Budget 0.01 0.05 0.25 0.5 [...] the improved Christofides 36365 1456 59 16 [Algorithm 4:] prepare a "
    "device consist of $N$ cards",
    precise="Each cell is the least N for which Algorithm 4 can be run: a deck of N cards exists with exactly N/100 "
    "cards of number 2 and p_3/p_1 at most e^epsilon, N/10 of the N persons are in group A, and the variance is at "
    "most 1/10.",
    variables={"epsilon": Domain.values("epsilon", *LEVELS)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"With decks that exist the least $N$ are $36700,1500,100,100$.",
        corrected,
    ),
    working=working,
    notes="None of the printed N is a multiple of 100, as p_2 = 0.01 needs; at N = 16 the deck would have 0.16 cards "
    "of number 2. And no deck has p_3/p_1 = e^epsilon: the numbers of outer cards are rounded towards privacy, so that "
    "36400, 36500 and 36600 are not enough at epsilon = 0.01. With any number of cards 2, 30, 70 and 1490 persons are "
    "enough at 0.5, 0.25 and 0.05. The level is one of single answers (`theorem-5.6`).",
)
