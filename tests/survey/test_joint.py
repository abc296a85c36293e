"""Joint mechanisms: views by definition over every deal and population, a device of one's own, and bad input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from few_rows import few_rows

from rropt import Mechanism
from rropt.accounting import DealtDeck, respondent_privacy
from rropt.accounting.threat_models import RespondentPrivacy
from rropt.core.exact import Epsilon
from rropt.mechanisms import JointMechanism, named_mechanism

DECKS = [[1, 2], [2, 0, 1], [1, 1, 1], [1, 2, 1], [0, 3, 0], [2, 1, 0, 1], [1, 0, 1, 0, 1], [2, 2, 1]]


def _laws(deck: list[int], sees: Callable) -> dict[tuple[int, ...], dict]:
    """The law of what is seen for every population: all N! orders of the cards, all distinct."""
    cards = [c for c, count in enumerate(deck, 1) for _ in range(count)]
    n, turned = len(cards), len(deck) + 1
    orders = list(permutations(cards))
    laws = {}
    for x in product((0, 1), repeat=n):
        seen = Counter(sees([turned - c if trait else c for c, trait in zip(o, x, strict=True)]) for o in orders)
        laws[x] = {z: Fraction(count, len(orders)) for z, count in seen.items()}
    return laws


def _epsilon(laws: dict) -> Epsilon:
    odds = Fraction(1)
    for x, y in permutations(laws, 2):
        if sum(a != b for a, b in zip(x, y, strict=True)) == 1:
            for z, p in laws[x].items():
                if z not in laws[y]:
                    return Epsilon("infinite")
                odds = max(odds, p / laws[y][z])
    return Epsilon.of_parity(odds)


def _delta(laws: dict, gamma: Fraction) -> Fraction:
    pairs = ((x, y) for x, y in permutations(laws, 2) if sum(a != b for a, b in zip(x, y, strict=True)) == 1)
    zero = Fraction(0)
    return max(sum((max(p - gamma * laws[y].get(z, 0), zero) for z, p in laws[x].items()), zero) for x, y in pairs)


SEES: dict[str, Callable] = {
    "one": lambda answers: answers[0],
    "all": tuple,
    "counts": lambda answers: tuple(sorted(Counter(answers).items())),
    "sum": sum,
}


@pytest.mark.slow
def test_views_of_a_dealt_deck_by_definition() -> None:
    points, kinds = 0, Counter()
    for deck in DECKS:
        for name, sees in SEES.items():
            laws, view = _laws(deck, sees), DealtDeck(deck).view(name)
            assert view.epsilon == _epsilon(laws)
            for gamma in (Fraction(1), Fraction(4, 3), Fraction(5)):
                assert view.delta(Epsilon.of_parity(gamma)) == _delta(laws, gamma)
            for x, law in laws.items():
                if name in ("counts", "sum"):
                    assert DealtDeck(deck).view_law(name, sum(x)) == law
                assert JointMechanism.view(DealtDeck(deck), name).laws[x] == law
            worst = view.worst()
            kinds[name, view.epsilon.is_infinite] += 1
            if worst is not None:
                p, q = worst.chances
                assert (view.laws[worst.likely][worst.seen], view.laws[worst.rare].get(worst.seen, 0)) == (p, q)
                assert view.parity() == (p / q if q else None)
            points += 1
    assert points == 4 * len(DECKS)
    assert kinds["all", True] == len(DECKS) - 1  # all but the deck of middle cards
    assert kinds["one", False] >= 3


def test_views_as_mechanisms() -> None:
    deck = DealtDeck([3, 2, 4])
    assert deck.view("one").mechanism().matrix == deck.one_answer().matrix
    assert deck.one_answer().epsilon == deck.view("one").epsilon
    assert deck.view("sum").mechanism().epsilon == deck.view("sum").epsilon
    for t, law in (
        (t, deck.sum_law(t)) for t in range(10)
    ):  # t of the 9 turn their cards, of mean 19/9, to cards of mean 4 - 19/9
        assert sum(z * p for z, p in law.items()) == 19 + t * (4 - Fraction(38, 9))
    large = DealtDeck([200, 300, 500])
    assert large.view("one").epsilon == Epsilon.of("log(5/2)")
    assert large.view("one").delta("log(2)") == Fraction(1, 10)


class Independent(JointMechanism):
    """Answers drawn independently by one mechanism: as private together, with names, as each alone."""

    def __init__(self, mechanism: Mechanism, n: int) -> None:
        self.mechanism, self.n = mechanism, n

    @property
    def respondents(self) -> int:
        return self.n

    def law(self, traits: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
        law = {(): Fraction(1)}
        for x in traits:
            law = {(*z, i): p * q for z, p in law.items() for i, q in enumerate(self.mechanism.column(x)) if p * q}
        return law


def test_a_device_of_ones_own() -> None:
    points = 0
    for mechanism in (Mechanism.binary("3/4", "2/3"), Mechanism([["1/2", "1/4"], ["1/4", "1/4"], ["1/4", "1/2"]])):
        for n in (1, 2, 4):
            device = Independent(mechanism, n)
            for name in ("one", "all"):
                assert device.view(name).epsilon == mechanism.epsilon
                assert device.view(name).delta("1/3") == mechanism.delta("1/3")
                points += 1
            summed = device.view("sum")
            assert not mechanism.parity() < summed.parity()
            assert all(sum(law.values()) == 1 for law in summed.laws.values())
    assert points == 12


def test_exchanging_respondents_without_the_trait_changes_nothing() -> None:
    """The law of the counts depends on the number with the trait alone: the generic listing says so too."""
    deck = DealtDeck([2, 1, 1])
    for name in ("counts", "sum"):
        listed = JointMechanism.view(deck, name)
        for held in combinations(range(4), 2):
            x = tuple(int(i in held) for i in range(4))
            assert listed.laws[x] == deck.view_law(name, 2)
        assert listed.epsilon == deck.view(name).epsilon


def test_long_decks_are_dealt_without_recursion() -> None:
    law = DealtDeck([999, 1]).law([0] * 1000)
    assert len(law) == 1000
    assert set(law.values()) == {Fraction(1, 1000)}


@pytest.mark.parametrize("knowledge", [{"others": 2}, {"belief": ["1/2"]}])
def test_what_counts_reveal_to_somebody_is_saved(knowledge: dict) -> None:
    """The counts of independent responses are integers in JSON, whoever sees them."""
    found = respondent_privacy(named_mechanism("warner:3/4"), 5, epsilon=1, **knowledge)
    assert RespondentPrivacy.from_json(found.to_json()).to_dict() == found.to_dict()


@few_rows(1)
@pytest.mark.parametrize(("n", "seen"), [(5, "243/1024"), (200, "~1.02861e-25"), (5000, "~2.02450e-625")])
def test_probabilities_of_revealing_sums_are_printed_for_readers(n: int, seen: str) -> None:
    """They have thousands of digits, or are smaller than any float."""
    found = respondent_privacy(named_mechanism("warner:3/4"), n, view="sum", epsilon=1)
    assert f"the sum 0: probability {seen} when 0 have the trait" in dict(found.lines())["revealed by"]
    exact = found.to_dict()["views"][0]["witness"]["chances"][0]
    assert exact == (seen if n == 5000 else str(Fraction(3, 4) ** n))
