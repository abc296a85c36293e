"""The claims in rows of Sun, Zhou and Yan (2023): each function returns (name, true value, sign, stated value)."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

from rropt.claims.claim import Row
from rropt_proofs._laws import covariance_of, independent, level, mean_of, variance_of
from rropt_proofs._matrices import Numbers
from rropt_proofs.sun2023._range import HALF
from rropt_proofs.sun2023._surveys import (
    Pair,
    all_orders,
    card,
    cards_of,
    dealt,
    decided,
    fixed,
    in_random_order,
    mean_of_cards,
    mean_over,
    moments_of_deck,
    replaced,
    reported,
    simmons,
    spread,
    variance_over,
    warner,
)
from rropt_proofs.sun2023._tables import (
    sec_6_3_ratio,
    sec_6_4_unknown,
    table_1,
    table_2,
    table_2_decks,
    theorem_4_1_decks,
)
from rropt_proofs.sun2023._views import NAMED, ONE, SUM, seen

__all__ = ["HALF", "sec_6_3_ratio", "sec_6_4_unknown", "table_1", "table_2", "table_2_decks", "theorem_4_1_decks"]

Bits = tuple[int, ...]


def _share(x: Bits) -> Fraction:
    return Fraction(sum(x), len(x))


def algorithm_1(p: Fraction, x: Bits, *, printed: bool = True, more: Any = 0) -> list[Row]:
    """The mean of the estimator over all runs of the lines, for all N persons; u is compared with p as printed."""
    mean = mean_of(fixed(x, warner(p, printed=printed)))
    return [("the mean of the estimator", (mean / len(x) - (1 - p)) / (2 * p - 1), "=", _share(x) + more)]


def algorithm_2(p: Fraction, b: Fraction, x: Bits, *, printed: bool = True, more: Any = 0) -> list[Row]:
    """The mean of the estimator over all runs of the lines, for all N persons; u and v are compared as printed."""
    mean = mean_of(fixed(x, simmons(p, b, printed=printed)))
    return [("the mean of the estimator", (mean / len(x) - (1 - p) * b) / p, "=", _share(x) + more)]


def divides(cards: Numbers) -> bool:
    """E Y != (L + 1)/2: the estimator divides by L + 1 - 2 E Y"""
    return _slope(cards) != 0


def _slope(cards: Numbers) -> Fraction:
    *deck, most = cards
    return most + 1 - 2 * sum(deck, Fraction(0)) / len(deck)


def algorithm_4(cards: Numbers, x: Bits, *, printed: bool = True, more: Any = 0) -> list[Row]:
    """The mean of the estimator over all orders in which the cards are dealt; the answers are exchanged as printed."""
    *deck, most = cards
    sums = [
        sum(reported(k, (1 - bit) if printed else bit, most) for k, bit in zip(order, x, strict=True))
        for order in permutations(deck)
    ]
    mean = sum(deck, Fraction(0)) / len(deck)
    return [("the mean of the estimator", (mean_over(sums) / len(x) - mean) / _slope(cards), "=", _share(x) + more)]


def not_all_equal(p: Numbers) -> bool:
    """the proportions are not all equal"""
    return any(share != p[0] for share in p)


def appendix_a(p: Numbers, x: Bits, *, printed: bool = True, more: Any = 0) -> list[Row]:
    """The variance of the sum of the answers over all cards."""
    size, share, most, whole = len(x), _share(x), len(p) + 1, sum(p, Fraction(0))
    e, q = (sum(k**power * each for k, each in enumerate(p, 1)) for power in (1, 2))
    own, other = q - e**2, (most**2 * whole - 2 * most * e + q) - (most * whole - e) ** 2
    squares, means = (most**2 * whole - 2 * most * e), -((most * whole - e) ** 2) + e**2
    if printed:
        third = size * share * (squares - means + most * whole * (most * whole - 2 * e))
    else:
        third = size * share * (squares - most * whole * (most * whole - 2 * e)) + size * own
    true = variance_of(fixed(x, cards_of(p)))
    return [
        ("the first display", true, "=", size * share * other + size * (1 - share) * own + more),
        ("the second display", true, "=", size * share * (squares + means) + size * own + more),
        ("the third display", true, "=", third + more),
        ("the fourth display", true, "=", size * own + more),
    ]


def appendix_b(cards: Numbers, x: Bits, *, printed: bool = True, more: Any = 0) -> list[Row]:
    """The left sides over all deals, i and j being any two of the persons.

    In the correction, (7) has the sum over all i and j in its last line, and (8) the square of the mean.
    """
    *deck, top = cards
    size, share, most = len(x), _share(x), top + 1
    e, q = (sum((k**power for k in deck), Fraction(0)) / size for power in (1, 2))
    members, pairs, others = size * share, size * (size - 1), size - size * share
    both, none, one = members * (members - 1) / pairs, others * (others - 1) / pairs, members * others / pairs
    product = e**2 - (q - e**2) / (size - 1)
    turns = 1 if printed else 2  # how often (L + 1) E Y is taken off
    first = (most**2 - turns * most * e + product) * both + product * none + 2 * (most * e - product) * one
    last = (4 * size**2 * share**2 - 4 * size**2 * share + size**2 - size) * product
    last += 2 * most * size * share * (1 + size - 2 * size * share) * e + most**2 * size * share * (size * share - 1)
    orders = all_orders({"deck": deck, "x": x, "L": top})
    squares = mean_over([sum(y * y for y in given) for given in orders])
    products = mean_over([sum(y * z for y, z in permutations(given, 2)) for given in orders])
    sums = [sum(given) for given in orders]
    drawn = sum((y * z for y, z in permutations(deck, 2)), Fraction(0)) / pairs
    whole = mean_over([total**2 for total in sums]) if printed else mean_over(sums) ** 2
    line = size * ((most**2 - 2 * most * e + q) * share + q * (share if printed else 1 - share))
    return [
        ("(6), the first line", squares, "=", line + more),
        ("(6), the last line", squares, "=", size * q - 2 * size * most * share * e + size * most**2 * share + more),
        ("E Y_i Y_j", drawn, "=", product + more),
        ("(7), the first line", products / pairs, "=", first + more),
        ("(7), the last line", products / pairs if printed else products, "=", last + more),
        ("(8)", whole, "=", size**2 * (most * share + (1 - 2 * share) * e) ** 2 + more),
    ]


def _decrease(x: Bits, each: Pair, slope: Fraction, rest: Fraction, power: int) -> list[Row]:
    """Return the variance when N persons are drawn with replacement from these N, and what asking each once saves."""
    before, after = (spread(law(x, each), len(x), slope) for law in (replaced, fixed))
    lost = _share(x) * (1 - _share(x)) ** power / len(x)
    return [("the variance with replacement", before, "=", lost + rest), ("the decrease", before - after, "=", lost)]


def estimable(p: Numbers) -> bool:
    """E Y != (L + 1)/2: the estimator divides by L + 1 - 2 E Y"""
    return decided(p)


def theorem_3_1(p: Numbers, x: Bits, *, more: int = 0) -> list[Row]:
    """The variance of the estimator over all cards of these N persons, each put back."""
    true = spread(fixed(x, cards_of(p)), len(x), len(p) + 1 - 2 * mean_of_cards(p))
    return [("the variance", true, "=", _of_cards(p, len(x) + more))]


def _of_cards(p: Numbers, size: int) -> Fraction:
    return variance_of(card(p)) / (size * (len(p) + 1 - 2 * mean_of_cards(p)) ** 2)


def theorem_3_1_decrease(p: Numbers, x: Bits, *, power: int = 1) -> list[Row]:
    """The variance when N persons are drawn with replacement from these N, less that when each is asked once."""
    return _decrease(x, cards_of(p), len(p) + 1 - 2 * mean_of_cards(p), _of_cards(p, len(x)), power)


def estimator_condition(p: Numbers, *, printed: bool = True, extreme: bool = False) -> list[Row]:
    """The square of L + 1 - 2 E Y, the difference of the mean answers of a member and of another person."""
    none, member = cards_of(p)
    true = (mean_of(member) - mean_of(none)) ** 2
    if printed:
        return [("(L + 1 - 2 E Y)^2", true, ">", Fraction(0))]
    size = len(p)
    few = range(1, 2 if extreme else size // 2 + 1)
    parts = [Fraction(size + 1 - 2 * k) * (p[k - 1] - p[size - k]) for k in few]
    return [("(L + 1 - 2 E Y)^2", true, "=", sum(parts, Fraction(0)) ** 2)]


def mixed(x: Bits) -> bool:
    """0 < pi_A < 1: not all are of one group"""
    return 0 < sum(x) < len(x)


def _covariance(x: Bits, each: Pair) -> Any:
    """Return the covariance of X_1 and X_2: the order by chance, then each one's coins."""
    law: dict[Any, Fraction] = {}
    for bits, chance in in_random_order(sum(x), len(x)).items():
        for given, share in independent(*(each[bit] for bit in bits)).items():
            law[given] = law.get(given, Fraction(0)) + chance * share
    return covariance_of(law, lambda given: given[0], lambda given: given[1])


def sec_3_1_dependent(p: Fraction, x: Bits, *, bound: Any = 0) -> list[Row]:
    """The covariance of X_1 and X_2 in the joint distribution of all answers."""
    return [("the covariance of X_1 and X_2", _covariance(x, warner(p)), "<", bound)]


def sec_3_2_dependent(p: Fraction, b: Fraction, x: Bits, *, bound: Any = 0) -> list[Row]:
    """The covariance of X_1 and X_2 in the joint distribution of all answers."""
    return [("the covariance of X_1 and X_2", _covariance(x, simmons(p, b)), "<", bound)]


def theorem_4_1(cards: Numbers, x: Bits, *, more: int = 0) -> list[Row]:
    """The variance of the estimator over all orders in which the cards are dealt."""
    *deck, _ = cards
    stated = 4 * _share(x) * (1 - _share(x)) * moments_of_deck(deck)[1] / ((len(x) - 1 + more) * _slope(cards) ** 2)
    return [("the variance", _dealt(cards, x), "=", stated)]


def _dealt(cards: Numbers, x: Bits) -> Any:
    *deck, most = cards
    sums = [sum(given) for given in all_orders({"deck": deck, "x": x, "L": most})]
    return variance_over(sums) / (len(x) * _slope(cards)) ** 2


def no_end(x: Bits) -> bool:
    """pi_A is no end of an interval"""
    return len(x) * (1 - 2 * _share(x)) ** 2 != 1


def spread_out(cards: Numbers) -> bool:
    r"""not all cards show the same number: $\\mathbf{Var}Y>0$"""
    return bool(moments_of_deck(cards[:-1])[1] > 0)


def theorem_4_2(cards: Numbers, x: Bits, *, bound: Any = 0) -> list[Row]:
    """The variance when the deck is dealt, less that when each card is put back, times N(1 - 2 pi_A)^2 - 1."""
    *deck, most = cards
    first, second = Fraction(0), Fraction(0)
    for bit in x:
        answers = [reported(k, bit, most) for k in deck]
        mean, square = mean_over(answers), mean_over([answer**2 for answer in answers])
        first, second = first + mean, second + 2 * first * mean + square
    modified = (second - first**2) / (len(x) * _slope(cards)) ** 2
    turned = len(x) * (1 - 2 * _share(x)) ** 2 - 1
    return [("the difference, times N(1 - 2 pi_A)^2 - 1", (_dealt(cards, x) - modified) * turned, "<", bound)]


def _levels(each: Pair, x: Bits, odds: Any, share: Any) -> list[Row]:
    """Return the largest ratio of the probabilities of what is seen, for each view."""
    ratios = {view: level(laws) for view, laws in seen(each, x).items()}
    signs = {ONE: "=", NAMED: "=", SUM: "<="}
    return [(view, ratios[view], signs[view], odds * share) for view in (ONE, NAMED, SUM)]


def theorem_5_1(p: Fraction, x: Bits, *, share: Any = 1) -> list[Row]:
    """The largest ratio of the probabilities of what is seen, and the variance over the coins of all."""
    odds, size = (1 - p) / p, 1 + len(x)
    variance = spread(fixed((1, *x), warner(p)), size, 2 * p - 1)
    stated = share * odds / (size * (odds - 1) ** 2)
    return [*_levels(warner(p), x, odds, share), ("Var, with e^epsilon = (1 - p)/p", variance, "=", stated)]


def theorem_5_2(p: Fraction, b: Fraction, x: Bits, *, share: Any = 1) -> list[Row]:
    """The largest ratio of the probabilities of what is seen."""
    rare = b if 2 * b <= 1 else 1 - b
    return _levels(simmons(p, b), x, (p + (1 - p) * rare) / ((1 - p) * rare), share)


def positive(p: Numbers) -> bool:
    """all p_k > 0: p_k/p_(L+1-k) divides by each"""
    return all(share > 0 for share in p)


def theorem_5_4(p: Numbers, x: Bits, *, extreme: bool = False) -> list[Row]:
    """The largest ratio of the probabilities of what is seen."""
    pairs = list(zip(p[::-1], p, strict=True))
    odds = max(high / low for high, low in (pairs[:: len(p) - 1] if extreme else pairs))
    ratios = {view: level(laws) for view, laws in seen(cards_of(p), x).items()}
    return [(view, ratios[view], "<=", odds) for view in (ONE, NAMED, SUM)]


def _low_cards(n: int, middle: int, odds: Fraction) -> list[int]:
    """The possible numbers of cards 1: the privacy is at most epsilon, and E Y is not 2."""
    rest = n - middle
    return [c for c in range(1, rest) if c <= odds * (rest - c) and rest - c <= odds * c and 2 * c != rest]


def there_is_a_deck(n: int, middle: int, odds: Fraction) -> bool:
    """there is such a deck"""
    return len(_low_cards(n, middle, odds)) > 0


def has_printed_deck(n: int, middle: int, odds: Fraction) -> bool:
    r"""a deck with the printed proportions exists: $N(1-p_2)/(e^\\varepsilon+1)$ is a whole number"""
    return any(low * (odds + 1) == n - middle for low in range(1, n - middle))


def theorem_5_7(n: int, middle: int, members: int, odds: Fraction, *, more: int = 0) -> list[Row]:
    """The least variance over all deals, of the decks of N cards with N p_2 cards 2 and privacy at most epsilon."""
    share, found = Fraction(members, n), []
    for low in _low_cards(n, middle, odds):
        deck = (1,) * low + (2,) * middle + (3,) * (n - middle - low)
        found.append(spread(dealt(deck, members, 3), n, 4 - 2 * Fraction(sum(deck), n)))
    ratio = (odds + 1) ** 2 / ((odds - 1) ** 2 * (1 - Fraction(middle, n)))
    return [("the least variance", min(found), "=", share * (1 - share) / (n - 1 + more) * (ratio - 1))]
