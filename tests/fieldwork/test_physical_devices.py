"""Devices of dice, decks and coins: every assignment of every outcome of small randomizers, figures of large ones."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import combinations_with_replacement, product
from operator import mul

import pytest
from few_rows import few_rows
from outcomes import compositions
from plans import planned

from rropt import Mechanism
from rropt.accounting import DealtDeck
from rropt.core.errors import InfeasibleError
from rropt_fieldwork.devices.randomizing_devices import (
    RandomizingDevice,
    best_cards,
    best_device,
    birthday,
    coins,
    deck,
    dice,
)

YES = {"truth": (1, 0), "lie": (0, 1), "yes": (1, 1), "no": (0, 0)}


def _least(randomizer: RandomizingDevice, gamma: Fraction, pi: Fraction, theta: Fraction | None) -> Fraction | None:
    """The least n Var over all assignments, by definition."""
    roles = [*YES.values(), *([] if theta is None else [(theta, theta)])]
    masses = [mass for _, mass in randomizer.outcomes]
    alike = set(masses) == {1}
    uses = combinations_with_replacement(roles, len(masses)) if alike else product(roles, repeat=len(masses))
    found = {tuple(sum(map(mul, masses, side)) for side in zip(*each, strict=True)) for each in uses}
    best = None
    for high, low in ((Fraction(one) / sum(masses), Fraction(other) / sum(masses)) for one, other in found):
        pairs = ((high, low), (low, high), (1 - high, 1 - low), (1 - low, 1 - high))
        if high != low and all(p <= gamma * q for p, q in pairs):
            told = low + pi * (high - low)
            value = told * (1 - told) / (high - low) ** 2
            best = value if best is None else min(best, value)
    return best


LUMPS = RandomizingDevice("lumps", "Draw", (("a", 1), ("b", 5), ("c", 2), ("d", 3), ("e", 1)))
SMALL = [*dice(1), deck(5), deck(7), *coins(2), next(iter(coins(3))), list(coins(4))[1], LUMPS]


@few_rows(1)
@pytest.mark.parametrize("randomizer", SMALL, ids=lambda one: one.name)
def test_every_assignment(randomizer: RandomizingDevice) -> None:
    points = 0
    uniform = all(mass == 1 for _, mass in randomizer.outcomes)
    shares = [None, Fraction(1, 2), Fraction(1, 3)] if uniform else [None]
    gammas, prevalences = map(Fraction, ("3/2", "3", "9", "100")), map(Fraction, ("1/10", "1/2", "9/10"))
    for gamma, pi, theta in product(gammas, prevalences, shares):
        expected = _least(randomizer, gamma, pi, theta)
        level = f"log({gamma})"
        if expected is None:
            with pytest.raises(InfeasibleError):
                best_device(randomizer, level, pi, other=theta)
        else:
            found = best_device(randomizer, level, pi, other=theta)
            assert found.value == expected == planned(found.mechanism, n=1, prevalence=pi).found.variance
            parity = found.mechanism.parity()
            assert parity is not None
            assert parity <= gamma
        points += 1
    assert points == 12 * len(shares)


def test_the_card_is_the_mechanism() -> None:
    asked = [(deck(52), None), (deck(20), "1/2"), (birthday(), "1/3"), *((one, None) for one in dice(2))]
    for randomizer, other in asked:
        found = best_device(randomizer, 1, "1/5", other=other)
        mass, total = dict(randomizer.outcomes), randomizer.total
        uses = {**YES, "other": (Fraction(other or 0),) * 2}
        labels = [label for _, part in found.card for label in part]
        assert sorted(labels) == sorted(mass)  # each outcome once
        for x in (1, 0):
            told = sum(mass[label] * Fraction(uses[role][1 - x]) for role, part in found.card for label in part)
            assert found.mechanism[1, x] == told / total
        assert len(found.instruction.split()) <= 25
        assert sum(found.masses().values()) == total


def test_lies_beside_another_question() -> None:
    """With theta != 1/2 a use with lies can be strictly better; where both are equal, the truth is told."""
    found = best_device(deck(5), "log(100)", 1, other="1/3")
    assert (found.value, found.masses()["lie"], found.mechanism[1, 0]) == (Fraction(7, 72), 4, Fraction(13, 15))
    assert best_device(deck(5), "log(9)", "1/10", other="1/3").masses()["lie"] == 0
    assert best_device(next(coins(1)), 2, "9/10", other="1/2").masses()["lie"] == 0


def test_the_advice_helps() -> None:
    """Two outcomes ask for the truth or not at all: no finite level is large enough."""
    with pytest.raises(InfeasibleError, match=r"a coin toss is too coarse.*take a finer randomizer$"):
        best_device(next(coins(1)), "log(1000)", "1/2")
    with pytest.raises(InfeasibleError, match=r"or allow a larger epsilon$"):
        best_device(next(dice(1)), "1/100", "1/2")


def test_figures() -> None:
    """At gamma = 9 and a prevalence of 1/10 the optimum is 0.230625."""
    two = best_device(next(iter(dice(2))), "log(9)", "1/10")
    assert f"{float(two.value):.4f}" == "0.2533"
    assert two.masses() == {"truth": 28, "lie": 0, "yes": 4, "no": 4, "other": 0}
    cards = best_device(deck(52), "log(9)", "1/10")
    assert f"{float(cards.value):.4f}" == "0.2419"
    assert cards.masses() == {"truth": 40, "lie": 0, "yes": 5, "no": 7, "other": 0}
    assert best_device(birthday(), "log(9)", "1/10").value == Fraction("0.230625")


@few_rows(3)
@pytest.mark.parametrize(("cards", "kinds"), [(7, 2), (9, 3), (12, 3), (9, 4), (8, 5)])
def test_every_deck(cards: int, kinds: int) -> None:
    for gamma in (Fraction(3, 2), Fraction(3), Fraction(9)):
        best = None
        for counts in compositions(cards, kinds):
            pairs = zip(counts, counts[::-1], strict=True)
            device = DealtDeck(counts)
            mean, spread = device.moments(0)
            if all(a <= gamma * b for a, b in pairs) and 2 * mean != kinds + 1:
                value = spread / (kinds + 1 - 2 * mean) ** 2
                best = value if best is None else min(best, value)
        level = f"log({gamma})"
        if best is None:
            with pytest.raises(InfeasibleError):
                best_cards(cards, kinds, level)
            continue
        found = best_cards(cards, kinds, level)
        device = DealtDeck(found)
        assert (sum(found), len(found)) == (cards, kinds)
        assert device.moments(0)[1] / device.slope() ** 2 == best
        assert best >= gamma / (gamma - 1) ** 2  # Warner's device, the best proportions for every L
        parity = device.one_answer().parity()
        assert parity is not None
        assert parity <= gamma


def test_command(cli) -> None:
    words = (
        "device",
        "--gamma",
        "9",
        "--prevalence",
        "1/10",
        "--for",
        "dice:2",
        "deck:52",
        "coins:5",
    )
    status, out, err = cli(*words, "cards:3", "--json")
    assert (status, err) == (0, "")
    record = json.loads(out)
    assert record["optimum"]["value"] == "369/1600"
    values = {one["name"]: Fraction(one["value"]) for one in record["devices"]}
    assert f"{float(values['2 dice']):.4f}" == "0.2533"
    assert f"{float(values['a deck of 52 cards']):.4f}" == "0.2419"
    assert record["devices"][-1]["cards"] == ["5", "2", "45"]
    for one in record["devices"]:
        assert Mechanism(one["mechanism"]["matrix"]).parity() <= 9
        assert Fraction(one["value"]) >= Fraction(369, 1600)
        assert len(one["instruction"].split()) <= 25
    status, out, err = cli(*words, "birthday")
    assert status == 0
    assert "25, 26, 27" in out
    assert re.search(r"certificate of the optimum\W+accepted", out)
