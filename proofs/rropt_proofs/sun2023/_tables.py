"""The tables of Sun, Zhou and Yan (2023) in rows, on brackets of e^epsilon that decide each printed digit."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from math import isqrt

from rropt.claims import Enclosure
from rropt.claims.claim import Row
from rropt.core.exact import Epsilon
from rropt_proofs._laws import law_of, mean_of, variance_of
from rropt_proofs._least import least_integer
from rropt_proofs.sun2023._surveys import dealt, spread

LEVELS, TENTH, SECOND = ("0.01", "0.05", "0.25", "0.5"), Fraction(1, 10), Fraction(1, 100)
WARNER, CHRISTOFIDES, IMPROVED = "modified Warner/Simmons", "modified Christofides", "the improved Christofides"
_CELLS = {
    WARNER: (100000, 4000, 160, 40),
    CHRISTOFIDES: (101011, 4040, 161, 40),
    IMPROVED: (36365, 1456, 59, 16),
}
_DIGITS = 30  # of the bracket of e^epsilon: far more than what any cell needs


def _gammas(epsilon: str) -> tuple[Fraction, Fraction]:
    low, high = Epsilon.of(epsilon).gamma_bracket(_DIGITS)
    return low, high


def _coin(gamma: Fraction) -> Fraction:
    """The variance of one answer of Warner's device at the level, for an estimate: Var/(2 p - 1)^2."""
    answer = law_of(((1, gamma / (gamma + 1)), (0, 1 / (gamma + 1))))
    return variance_of(answer) / (2 * mean_of(answer) - 1) ** 2


def _card(gamma: Fraction, p2: Fraction) -> Fraction:
    """The same of one card Y of 1, 2, 3 with p_3 = gamma p_1: Var Y/(4 - 2 E Y)^2."""
    low = (1 - p2) / (gamma + 1)
    card = law_of(((1, low), (2, p2), (3, gamma * low)))
    return variance_of(card) / (4 - 2 * mean_of(card)) ** 2


def _improved(unit: Fraction, share: Fraction, size: int) -> Fraction:
    """The variance of the improved mechanism: two cards of one deck of N have the covariance -1/(N - 1) of one."""
    return 4 * share * (1 - share) * unit / (size - 1)


def _decided(epsilon: str, met: Callable[[Fraction], bool]) -> bool:
    """Return whether a condition on e^epsilon is met: the same at both endpoints of its bracket."""
    found = {met(gamma) for gamma in _gammas(epsilon)}
    if len(found) > 1:
        raise ArithmeticError(f"the bracket of e^epsilon is too wide at {epsilon}")
    return found.pop()


def _least(epsilon: str, variance: Callable[[Fraction, int], Fraction]) -> int:
    """Return the least N whose variance is at most 1/10, for a variance that falls with N."""
    return least_integer(lambda size: _decided(epsilon, lambda gamma: variance(gamma, size) <= TENTH), first=2)


def sec_6_3_ratio(*, more: int = 0) -> list[Row]:
    """100 times the ratio of the variances, at some cards (they cancel), for all numbers of members."""
    size, low, high = 3252599, Fraction("0.07775"), Fraction("0.07785")
    first, last = -(-size * low.numerator // low.denominator), size * high.numerator // high.denominator
    unit = _card(Fraction(3, 2), SECOND)
    ratios = [100 * _improved(unit, Fraction(x, size), size) * size / unit for x in range(first, last + 1)]
    stated = str(Decimal("28.7") + more)
    return [
        ("the least ratio, in percent", min(ratios), "~", stated),
        ("the largest ratio, in percent", max(ratios), "~", stated),
    ]


def sec_6_4_unknown(*, more: int = 0) -> list[Row]:
    """From the variance of finite laws, at most 1/10 at N and above it at N - 1, on a bracket of e^epsilon."""
    ends = sorted(_card(gamma, SECOND) / TENTH + 1 for gamma in _gammas("0.01"))

    def largest(gamma: Fraction, size: int) -> Fraction:
        return _improved(_card(gamma, SECOND), Fraction(size // 2, size), size)

    half = _least("0.01", lambda gamma, size: _card(gamma, SECOND) / (size - 1))
    whole = _least("0.01", largest)
    return [
        ("the least N, pi_A = 1/2", half, "=", 101011 + more),
        (
            "the least N, the largest variance of all populations of N persons",
            whole,
            "=",
            101011 + more,
        ),
        ("the real number that N exceeds, pi_A = 1/2", Enclosure(*ends), "~", str(Decimal("101010.3") + more)),
    ]


def _root(value: Fraction) -> tuple[Fraction, Fraction]:
    """Two rational numbers around a square root, far nearer to each other than a printed digit."""
    scale = 10**12
    below = isqrt(value.numerator * scale**2 // value.denominator)
    return Fraction(below, scale), Fraction(below + 1, scale)


def table_1(*, more: int = 0) -> list[Row]:
    """The length, from where the variances meet: that of the improved mechanism goes with 4 pi_A (1 - pi_A)."""
    size, printed = 10**4, {"0.01": "0.100 0.101 0.101 0.104", "0.05": "0.224 0.224 0.225 0.230"}
    rows: list[Row] = []
    for p2, cells in printed.items():
        for epsilon, cell in zip(LEVELS, cells.split(), strict=True):
            squared = [1 - _coin(gamma) / size * (size - 1) / _card(gamma, Fraction(p2)) for gamma in _gammas(epsilon)]
            ends = [end for value in squared for end in _root(value)]
            length = Enclosure(min(ends), max(ends))
            rows.append((f"p_2 = {p2}, epsilon = {epsilon}", length, "~", str(Decimal(cell) + more)))
    return rows


def table_2(*, right: bool = False, more: int = 0) -> list[Row]:
    """The least N by the variance of finite laws: at most 1/10 at N, above it at N - 1, on a bracket of e^epsilon.

    An answer has one variance v whatever the truth, and its mean moves by d with the truth: with devices of one's own
    the variance is v/(N d^2). Two cards of one deck of N have the covariance -v/(N - 1), with the other sign for
    persons of different groups; summed over all pairs, the variance is 4 pi_A (1 - pi_A) v/((N - 1) d^2).
    """
    variances: dict[str, Callable[[Fraction, int], Fraction]] = {
        WARNER: lambda gamma, size: _coin(gamma) / size,
        CHRISTOFIDES: lambda gamma, size: _card(gamma, SECOND) / size,
        IMPROVED: lambda gamma, size: _improved(_card(gamma, SECOND), TENTH, size),
    }
    rows: list[Row] = []
    for mechanism, cells in _CELLS.items():
        for epsilon, cell in zip(LEVELS, cells, strict=True):
            stated = 101010 if right and (mechanism, epsilon) == (CHRISTOFIDES, "0.01") else cell
            rows.append((f"{mechanism} at {epsilon}", _least(epsilon, variances[mechanism]), "=", stated + more))
    return rows


def _deck(epsilon: str, size: int) -> tuple[int, int, int] | None:
    """The numbers of cards 1, 2, 3 that differ most: the least number of cards 1 that the level allows."""
    middle = size // 100
    rest = size - middle
    least, most = 0, rest // 2  # at `most` the level is kept
    while most - least > 1:
        low = (least + most) // 2
        kept = _decided(epsilon, lambda gamma, low=low: rest - low <= gamma * low)  # type: ignore[misc]
        least, most = (least, low) if kept else (low, most)
    return (most, middle, rest - most) if 2 * most != rest else None


def _least_deck(epsilon: str) -> int:
    """The least N, a multiple of 100 as N p_2 is a whole number, with a deck of a variance of at most 1/10."""
    for size in range(100, 10**5, 100):
        deck = _deck(epsilon, size)
        if deck is not None:
            card = law_of((k, Fraction(count, size)) for k, count in enumerate(deck, 1))
            slope = 4 - 2 * mean_of(card)
            if 4 * TENTH * (1 - TENTH) * variance_of(card) / ((size - 1) * slope**2) <= TENTH:
                return size
    raise ArithmeticError(f"no deck of fewer than 10^5 cards at {epsilon}")


def table_2_decks(*, right: bool = False, more: int = 0) -> list[Row]:
    """The least N for which whole numbers of cards, and of persons, give a variance of at most 1/10."""
    stated = (36700, 1500, 100, 100) if right else _CELLS[IMPROVED]
    return [(f"epsilon = {x}", _least_deck(x), "=", said + more) for x, said in zip(LEVELS, stated, strict=True)]


def theorem_4_1_decks(most: int, size: int, *, more: int = 0) -> list[Row]:
    """The variance of the estimator over all deals, for 0, 1, ..., N persons in group A, deck by deck."""
    found, stated = {}, {}
    for cards in combinations_with_replacement(range(1, most + 1), size):
        slope = most + 1 - 2 * Fraction(sum(cards), size)
        if slope == 0:  # the estimator divides by it
            continue
        each, name = variance_of(law_of((k, Fraction(1, size)) for k in cards)), ", ".join(map(str, cards))
        each = 4 * each / ((size - 1) * slope**2)
        stated[name] = tuple(each * Fraction(k * (size - k), size**2) + more for k in range(size + 1))
        found[name] = tuple(spread(dealt(cards, members, most), size, slope) for members in range(size + 1))
    return [("the variances, by the deck and the number of persons in group A", found, "=", stated)]
