"""Devices for a trait of N respondents: laws, views and variances by definition, in closed form, and at full size.

The oracle deals all N! orders of distinct cards, or lists all vectors of independent answers; it shares nothing
with the library. ``JointMechanism.view`` lists populations from the device's law, for what a view's owner knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, prod

import pytest
from few_rows import few_rows
from outcomes import dealt_answers
from stress import STRESS

from rropt import Mechanism
from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.mechanisms import JointMechanism, named_mechanism

DECKS = [[1, 2], [2, 0, 1], [1, 2, 1], [0, 3, 0], [2, 1, 0, 1], [1, 0, 1, 0, 1], [2, 2, 1], [1, 1, 1, 1, 1]]
MECHANISMS = {
    "warner": Mechanism.binary("3/4", "3/4"),
    "sure": Mechanism.binary(1, "1/4"),
    "cards": Mechanism([["1/2", "1/4"], ["1/4", "1/4"], ["1/4", "1/2"]]),
    "zero": Mechanism([["1/2", "0"], ["1/6", "1/2"], ["1/3", "1/2"]]),
    "zero within": Mechanism([["1/4", "1/4"], ["1/2", "0"], ["1/4", "3/4"]]),
    "a trait less": Mechanism.binary("1/4", "1/2"),
    "most within": Mechanism([["1/4", "1/8"], ["1/2", "1/8"], ["1/8", "1/2"], ["1/8", "1/4"]]),
}
LEVELS = ("0", "log(4/3)", "log(5)", "1/2")


def _histogram(answers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(answers).items()))


def _drawn(mechanism: Mechanism, x: Sequence[int], first: int) -> list[tuple[tuple[int, ...], Fraction]]:
    return [
        (tuple(first + i for i in answers), prod((mechanism[i, t] for i, t in zip(answers, x, strict=True))))
        for answers in product(range(mechanism.outputs), repeat=len(x))
    ]


def _law(outcomes: list[tuple[tuple[int, ...], Fraction]], sees) -> dict:
    law: dict = {}
    for answers, p in outcomes:
        law[sees(answers)] = law.get(sees(answers), Fraction(0)) + p
    return {z: p for z, p in law.items() if p}


def _knowledge(n: int) -> list[dict]:
    return [{}, *({"belief": q} for q in ("1/2", "1/3", 0, 1)), *({"others": t} for t in range(n))]


@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_laws_of_a_dealt_deck(deck: list[int]) -> None:
    device, n = DealtDeck(deck), sum(deck)
    for t in range(n + 1):
        outcomes = dealt_answers(deck, [1] * t + [0] * (n - t))
        assert device.sum_law(t) == _law(outcomes, sum)
        assert device.histogram_law(t) == _law(outcomes, _histogram)


@pytest.mark.parametrize("name", MECHANISMS)
def test_laws_of_drawn_answers(name: str) -> None:
    mechanism, n = MECHANISMS[name], 4
    for first in (0, 1):
        device = DrawnAnswers(mechanism, n, first)
        for t in range(n + 1):
            outcomes = _drawn(mechanism, [1] * t + [0] * (n - t), first)
            assert device.sum_law(t) == _law(outcomes, sum)
            assert device.histogram_law(t) == _law(outcomes, _histogram)


def _agree(device: JointMechanism, name: str, known: dict) -> None:
    """What a device says of a view is what listing every population and every answer says."""
    view, listed = device.view(name, **known), JointMechanism.view(device, name, **known)
    assert view.parity_bracket() == listed.parity_bracket()
    for level in LEVELS:
        assert view.delta(level) == listed.delta(level)
        lower, upper = view.delta_bracket(level)
        exact = listed.delta_bracket(level)
        assert lower <= exact.upper
        assert exact.lower <= upper < lower + Fraction(1, 10**20)
    most, worst = listed.worst(), view.worst()
    assert (most is None) == (worst is None)
    if most is not None and worst is not None:  # two breaches of equal odds, perhaps
        assert worst.chances[0] * most.chances[1] == worst.chances[1] * most.chances[0]
        laws = {"counts": device.histogram_law, "sum": device.sum_law}
        if name in laws and not known:
            law = laws[name]
            assert (law(worst.likely)[worst.seen], law(worst.rare).get(worst.seen, 0)) == worst.chances


@few_rows(2)
@pytest.mark.parametrize("deck", DECKS if STRESS else DECKS[:7], ids=str)
def test_views_of_a_dealt_deck(deck: list[int]) -> None:
    for name in ("all", "counts", "sum"):
        for known in _knowledge(sum(deck)):
            _agree(DealtDeck(deck), name, known)


@few_rows(1)
@pytest.mark.parametrize("n", [1, 2, 3, 4] if STRESS else [1, 3])
@few_rows(1)
@pytest.mark.parametrize("name", MECHANISMS)
def test_views_of_drawn_answers(name: str, n: int) -> None:
    for view in ("all", "counts", "sum"):
        for known in _knowledge(n):
            _agree(DrawnAnswers(MECHANISMS[name], n, first=1), view, known)


def test_views_of_two_answers() -> None:
    drawn = (DrawnAnswers(MECHANISMS[name], 2, first=1) for name in ("most within", "a trait less"))
    for device in (*drawn, DealtDeck([1, 0, 1]), DealtDeck([1, 1])):
        for view in ("all", "counts", "sum"):
            for known in _knowledge(2):
                _agree(device, view, known)


def test_belief_by_definition() -> None:
    """All answers of the deck, summed over what the others may have: no listing of the library's."""
    deck, q = [1, 2, 1, 1], Fraction(1, 3)
    laws = []
    for trait in (0, 1):
        law: dict = {}
        for rest in product((0, 1), repeat=4):
            weight = prod(q if x else 1 - q for x in rest)
            for answers, p in dealt_answers(deck, [trait, *rest]):
                law[answers] = law.get(answers, Fraction(0)) + weight * p
        laws.append(law)
    odds = max(max(laws[0][z] / laws[1][z], laws[1][z] / laws[0][z]) for z in laws[0] if laws[0][z])
    view = DealtDeck(deck).view("all", belief=q)
    assert view.epsilon == Epsilon.of_parity(odds)
    assert view.delta("log(2)") == sum(max(p - 2 * laws[1][z], Fraction(0)) for z, p in laws[0].items())


@pytest.mark.parametrize("deck", [[3, 5], [2, 3, 4], [3, 1, 2, 4], [30, 10, 60], [3, 4, 5, 6, 7]], ids=str)
def test_the_least_that_a_belief_tells_is_one_answer(deck: list[int]) -> None:
    """At q = 1/2 the others' answers say nothing of their cards; the nearer q is to 0 or 1, the more they say."""
    device = DealtDeck(deck)
    one = device.view("one").parity()
    parities = [device.view("all", belief=Fraction(i, 16)).parity() for i in range(1, 16)]
    assert parities[7] == one
    assert parities == parities[::-1]
    assert all(one < p for i, p in enumerate(parities) if i != 7)
    assert all(p < q for p, q in pairwise(parities[7:]))
    for q in (0, 1):
        assert device.view("all", belief=q).epsilon == Epsilon("infinite")
    small = Fraction(1, 10**6)
    assert device.view("all", belief=small).parity() > 10**4


def test_a_dealt_deck_tells_the_trait_whatever_its_size() -> None:
    """3 252 599 people: with names, without, and by the sum alone, epsilon is infinite and delta all but the middle."""
    device = DealtDeck([813_000, 32_599, 2_407_000])
    assert device.view("one").epsilon == Epsilon.of_parity(Fraction(2407, 813))
    for name in ("all", "counts", "sum"):
        view = device.view(name)
        assert view.epsilon == Epsilon("infinite")
        assert view.delta(100) == 1 - Fraction(32_599, 3_252_599)
        worst = view.worst()
        assert worst is not None
        assert worst.chances[0] > worst.chances[1] == 0


def test_known_others_may_leave_something_in_doubt() -> None:
    """When some have the trait and some have not, and middle cards abound, the sum of a dealt deck is private."""
    view = DealtDeck([1, 8, 1]).view("sum", others=4)
    assert not view.epsilon.is_infinite
    assert DealtDeck([1, 8, 1]).view("sum", others=0).epsilon.is_infinite


def test_epsilon_of_the_sum_where_it_comes_from_the_middle_is_enclosed() -> None:
    """It is at least what generating functions say and at most that of one answer; listing agrees with both."""
    mechanism = MECHANISMS["most within"]
    parities = [DrawnAnswers(mechanism, n).view("sum").parity_bracket() for n in (1, 2, 5, 30)]
    assert all(low == high for low, high in parities)
    values = [low for low, _ in parities]
    assert values[0] == 4
    assert values == sorted(values, reverse=True)
    low, high = DrawnAnswers(mechanism, 10**5).view("sum").parity_bracket()
    assert 2 < low <= values[-1] <= high == 4
    with pytest.raises(UnsupportedProblemError, match="only enclosed"):
        str(DrawnAnswers(mechanism, 10**5).view("sum").epsilon)


def test_enclosed_delta_is_the_listed_one() -> None:
    """Branching over t, cut powers: the same delta as from every law in full."""
    for mechanism in (MECHANISMS["warner"], MECHANISMS["most within"]):
        view = DrawnAnswers(mechanism, 25).view("sum")
        exact = [view.delta_bracket(level) for level in ("1/10", "log(2)")]
        object.__setattr__(view, "__dict__", {**view.__dict__, "_is_listed": False})
        for (low, high), level in zip(exact, ("1/10", "log(2)"), strict=True):
            lower, upper = view.delta_bracket(level)
            assert lower <= high
            assert low <= upper
            assert upper - lower < Fraction(1, 5) * upper


@pytest.mark.slow
def test_sizes_of_surveys() -> None:
    """N = 1000 of five cards, drawn and dealt; histograms of 100 and of 30; a count of 100 000 and its delta."""
    shares = (5, 10, 20, 30, 35)
    cards = Mechanism([[Fraction(a, 100), Fraction(b, 100)] for a, b in zip(shares, shares[::-1], strict=True)])
    size = 10 if STRESS else 1  # 1000 respondents take seconds, most of them for the sums below
    for device in (DrawnAnswers(cards, 100 * size, 1), DealtDeck([size * a for a in shares])):
        law = device.estimator_law(30 * size)
        assert sum(law.values()) == 1
        assert sum(z * p for z, p in law.items()) == Fraction(3, 10)
    three = named_mechanism("christofides:1/10,3/10,6/10")
    assert len(DrawnAnswers(three, 100, 1).histogram_law(30)) == comb(102, 2)
    assert len(DrawnAnswers(cards, 30, 1).histogram_law(10)) == comb(34, 4)
    assert sum(DealtDeck([33, 33, 34]).histogram_law(50).values()) == 1
    assert sum(DealtDeck([6] * 5).histogram_law(10).values()) == 1
    count = DrawnAnswers(MECHANISMS["warner"], 10**5)
    assert count.view("sum").epsilon == Epsilon.of("log(3)")


def test_moments_and_estimates() -> None:
    cards = DrawnAnswers(named_mechanism("christofides:1/10,3/10,6/10"), 10, 1)
    assert cards.moments(0) == (Fraction(5, 2), Fraction(9, 20))
    assert cards.slope() == -1
    assert cards.estimate_of(20) == Fraction(1, 2)
    for t in (0, 3, 10):
        assert sum(z * p for z, p in cards.estimator_law(t).items()) == Fraction(t, 10)


def test_zero_proportions_are_no_error() -> None:
    """A card that is missing reveals its opposite: epsilon is infinite."""
    assert named_mechanism("christofides:0,1/2,1/2").epsilon.is_infinite
    assert DrawnAnswers(named_mechanism("christofides:0,1/2,1/2"), 10**6, 1).view("sum").epsilon.is_infinite
    assert DealtDeck([1, 0]).view("one").epsilon.is_infinite
