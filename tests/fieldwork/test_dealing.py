"""A deck that is dealt: every deal is equally likely, its files are private, and its answers are estimated."""

from __future__ import annotations

import csv
import random
import stat
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser
from itertools import permutations
from pathlib import Path

import pytest

from rropt.accounting import DealtDeck
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.mechanisms.sampling.fair_bits import RandomBits
from rropt_fieldwork import deal
from rropt_fieldwork.sheets.card_sheets import deal_cards, deck_instruction, deck_page


def test_every_deal_is_equally_likely() -> None:
    """The bits of each uniform integer of the shuffle are gone through: 4! orders, each deal as often as any other."""

    class Chosen(RandomBits):
        __slots__ = ("left",)

        def below(self, n: int) -> int:
            digit = self.left % n
            self.left //= n
            return digit

    deals = Counter()
    for order in range(24):
        bits = Chosen()
        bits.left = order
        deals[deal(DealtDeck([1, 2, 1]), bits)] += 1
    assert deals == dict.fromkeys(set(permutations([1, 2, 2, 3])), 2)
    assert sorted(deal(DealtDeck([3, 0, 2]))) == [1, 1, 1, 3, 3]


def test_the_whole_round(cli, cli_json, tmp_path: Path) -> None:
    """Plan a deck, deal it, let everybody answer, count the answers, estimate: the exact estimate of the sum."""
    cards, page, names = tmp_path / "cards.csv", tmp_path / "cards.html", tmp_path / "names.txt"
    people = [f"person {i} <&>" for i in range(32)]
    names.write_text("\n".join(people))
    words = ("--people", str(names), "--output", str(cards), "--print", str(page), "--question", "Have you <ever>?")
    found = cli_json("sheet", "--deal", "christofides:1/4,1/4,1/2", "--n", "32", *words)
    assert (found["deck"], found["cards"], found["epsilon"]) == (
        [8, 8, 16],
        str(cards),
        {"one": "log(2)", "all": "inf"},
    )
    assert {stat.S_IMODE(path.stat().st_mode) for path in (cards, page)} == {0o600}
    with cards.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["respondent"] for row in rows] == people
    dealt = [int(row["card"]) for row in rows]
    assert Counter(dealt) == {1: 8, 2: 8, 3: 16}

    traits = [random.Random(16).random() < 0.4 for _ in people]
    answers = Counter(4 - card if trait else card for card, trait in zip(dealt, traits, strict=True))
    counts = ",".join(str(answers[c]) for c in (1, 2, 3))
    words = (
        "--counts",
        counts,
        "--mechanism",
        "christofides:1/4,1/4,1/2",
        "--cards-without-replacement",
        "--population",
        "32",
    )
    (row,) = cli_json("estimate", *words)["rows"]
    estimate = Fraction(row["estimate"])
    assert estimate == DealtDeck([8, 8, 16]).estimate_of(sum(c * n for c, n in answers.items()))


def test_the_printed_page_holds_every_card_once() -> None:
    class Boxes(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.texts: list[str] = []

        def handle_data(self, data: str) -> None:
            self.texts.append(data)

    boxes = Boxes()
    boxes.feed(deck_page([3, 1, 2], 3, names=["<b>A</b>", "B", "C"], question="<i>?</i>"))
    at = [boxes.texts.index(name) for name in ("<b>A</b>", "B", "C")]
    assert [boxes.texts[i + 1] for i in at] == ["3", "1", "2"]
    assert boxes.texts.count("<i>?</i>") == boxes.texts.count(deck_instruction(3)) == 3


@pytest.mark.parametrize("kinds", [2, 3, 250])
def test_the_instruction_is_short_and_says_the_device(kinds: int) -> None:
    words = deck_instruction(kinds)
    assert len(words.split()) <= 25
    assert str(kinds + 1) in words


def test_a_file_that_is_there_keeps_its_mode(cli, tmp_path: Path) -> None:
    cards = tmp_path / "cards.csv"
    cards.write_text("old")
    cards.chmod(0o640)
    assert cli("sheet", "--deal", "--deck", "1,2", "--output", str(cards))[0] == 0
    assert stat.S_IMODE(cards.stat().st_mode) == 0o640
    assert cards.read_text().startswith("respondent,card\n1,")


def test_no_message_tells_a_card(cli, tmp_path: Path) -> None:
    """Where the cards go to a file, nothing else shows them."""
    status, out, err = cli("sheet", "--deal", "--deck", "1,2", "--output", str(tmp_path / "cards.csv"))
    assert (status, out) == (0, "")
    assert "1,2" not in err
    assert "the number on your card" in err


def test_a_deck_is_described_and_its_names_are_different() -> None:
    assert dict(deal_cards(DealtDeck([1, 2])).lines())["cards"] == "1 x 1, 2 x 2"
    assert deal_cards(DealtDeck([1, 2]), ["a", "b", "c"]).to_csv().startswith("respondent,card\na,")
    with pytest.raises(InvalidParameterError, match="received 3, 2 different"):
        deal_cards(DealtDeck([1, 2]), ["a", "a", "b"])
    with pytest.raises(InvalidParameterError, match="too many for a page: received 10001"):
        deal_cards(DealtDeck([1, 10_000])).page()


def test_too_many() -> None:
    with pytest.raises(UnsupportedProblemError, match="too large"):
        deal(DealtDeck([10**6, 1]))
