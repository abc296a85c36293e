"""Sun, Zhou and Yan (2023): verdicts, and what the entries say, from all deals of small decks."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from sun_variances import variance

from rropt_proofs._laws import chance_of, level, view_of
from rropt_proofs.sun2023 import _surveys as surveys
from rropt_proofs.sun2023 import _tables
from rropt_proofs.sun2023 import _views as views


def _by_deals(deck: tuple[int, ...], members: int) -> tuple[Fraction, Fraction, Fraction]:
    """Variances of MW, MC and IC at the level of one card of the deck: by convolutions, and by all deals."""
    size = len(deck)
    p = [Fraction(deck.count(k), size) for k in (1, 2, 3)]
    bits, slope = (1,) * members + (0,) * (size - members), 4 - 2 * surveys.mean_of_cards(p)
    warner = surveys.warner(p[0] / (p[0] + p[2]))
    return (
        surveys.spread(surveys.fixed(bits, warner), size, 2 * p[0] / (p[0] + p[2]) - 1),
        surveys.spread(surveys.fixed(bits, surveys.cards_of(p)), size, slope),
        surveys.spread(surveys.dealt(deck, members, 3), size, slope),
    )


@pytest.mark.parametrize("low", [1, 2])
def test_the_orderings_of_figures_2_to_4_with_decks_that_exist(low: int) -> None:
    """Nine cards, three of number 2: both decks have the orderings of the figures, as Theorem 6.1 has them."""
    deck = (1,) * low + (2,) * 3 + (3,) * (6 - low)
    mw, mc, ic = _by_deals(deck, 1)
    assert ic < mw < mc
    mw, mc, ic = _by_deals(deck, 2)
    assert mw < ic < mc
    mw, mc, ic = _by_deals(deck, 4)
    assert mw < mc < ic


def test_figure_2_beyond_its_interval() -> None:
    """From e^epsilon + e^-epsilon = 62/9 on, 1/9 is no longer below pi_A1."""
    second, share = Fraction(9, 25), Fraction(1, 9)
    for odds, best in ((Fraction(6), True), (Fraction(7), False)):
        ic, mw = variance("improved", odds, second, share, 9), variance("warner", odds, 9)
        assert (ic < mw) is best


def test_formulas_are_those_of_all_deals() -> None:
    deck, size = (1, 2, 3, 3, 3), 5
    for members in range(size + 1):
        mw, mc, ic = _by_deals(deck, members)
        odds, second, share = Fraction(3), Fraction(1, 5), Fraction(members, size)
        assert mw == variance("warner", odds, size)
        assert mw == variance("simmons", odds, Fraction(1, 2), share, size)
        assert mc == variance("modified", odds, second, size)
        assert ic == variance("improved", odds, second, share, size)


def test_what_is_seen_decides_the_level_of_a_dealt_deck() -> None:
    """One answer: 2. All answers, and their sum: none; the sum of the deck excludes one person in group A."""
    deck, nobody, somebody = (1, 2, 3, 3), (0, 0, 0, 0), (1, 0, 0, 0)
    laws = [surveys.all_dealt(deck, bits, 3) for bits in (nobody, somebody)]
    assert level(view_of(law, lambda seen: seen[0]) for law in laws) == 2
    assert level(laws) == level(view_of(law, sum) for law in laws) == inf
    assert view_of(laws[0], sum) == {sum(deck): 1}
    assert chance_of(laws[1], lambda seen: sum(seen) == sum(deck)) == Fraction(1, 4)  # the share of cards 2


def test_the_level_of_independent_answers_is_attained() -> None:
    p = tuple(map(Fraction, ("1/4", "1/8", "3/8", "1/4")))
    ratios = {view: level(laws) for view, laws in views.seen(surveys.cards_of(p), (0, 1)).items()}
    assert ratios[views.ONE] == ratios[views.NAMED] == 3
    assert ratios[views.SUM] < 3
    extreme = tuple(map(Fraction, ("1/6", "1/3", "1/2")))  # the least sum is of cards 1 alone
    assert level(views.seen(surveys.cards_of(extreme), (0, 1))[views.SUM]) == 3


def test_decks_of_table_2() -> None:
    """A deck keeps the level, the next card would not; and there is none of 16 cards with N p_2 of number 2."""
    low, middle, high = _tables._deck("0.01", 36700)
    assert (low, middle, high) == (18076, 367, 18257)
    assert _tables._decided("0.01", lambda gamma: high <= gamma * low)
    assert not _tables._decided("0.01", lambda gamma: high + 1 <= gamma * (low - 1))
    assert _tables._least_deck("0.5") == 100
