"""``rropt privacy --n``: what each view of a survey's answers reveals about one respondent."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

CARDS = ("privacy", "christofides:1/10,3/10,6/10", "--n", "30")


def _json(cli, *words: str) -> tuple[int, dict]:
    status, out, err = cli(*words, "--json")
    assert err == ""
    return status, json.loads(out)


def test_drawn_and_dealt(cli) -> None:
    status, drawn = _json(cli, *CARDS, "--gamma", "6")
    assert (status, drawn["meets"]) == (0, True)
    assert [view["epsilon"] for view in drawn["views"]] == ["log(6)"] * 4
    status, dealt = _json(cli, *CARDS, "--cards-without-replacement", "--gamma", "6", "--delta", "1/2")
    assert (status, dealt["meets"], dealt["deck"]) == (1, False, [3, 9, 18])
    assert [view["epsilon"] for view in dealt["views"]] == ["log(6)", "inf", "inf", "inf"]
    assert [view["delta"] for view in dealt["views"]] == ["0", "7/10", "7/10", "7/10"]
    assert [view["meets"] for view in dealt["views"]] == [True, False, False, False]
    for view in dealt["views"][1:]:  # the answer that betrays it, and both exact probabilities
        likely, rare = (Fraction(p) for p in view["witness"]["chances"])
        assert likely > rare == 0
        assert {view["witness"]["likely"], view["witness"]["rare"]} == {0, 1}


def test_one_view_is_the_answer(cli) -> None:
    status, record = _json(cli, *CARDS, "--view", "sum", "--gamma", "3")
    assert status == 1
    assert record["epsilon"] == record["views"][0]["epsilon"] == "log(6)"
    assert record["delta"] == "2028691078113486519/29802322387695312500000"


def test_beliefs(cli) -> None:
    _, record = _json(cli, *CARDS, "--cards-without-replacement", "--view", "all", "--belief", "1/2, 1/10,9/10,0")
    assert [view["epsilon"] for view in record["views"]] == ["log(6)", "log(54)", "log(54)", "inf"]
    assert record["beliefs"] == {"least": "log(6)", "at": "1/2", "supremum": "inf", "infinite_at": ["0", "1"]}
    _, record = _json(cli, *CARDS, "--view", "all", "--belief", "0,1/3")
    assert record["beliefs"]["supremum"] == "log(6)"
    status, out, err = cli(*CARDS, "--cards-without-replacement", "--view", "all", "--belief", "0")
    assert status == 0
    assert "the response 1, given by 2 of the others too: probability 1/10 without the trait, 0 with it" in " ".join(
        out.split()
    )
    assert "infinite at 0 and 1" in err


@pytest.mark.slow
def test_many_respondents(cli) -> None:
    status, record = _json(cli, "privacy", "warner:3/4", "--n", "100000", "--view", "sum", "--epsilon", "1/10")
    assert status == 1
    assert record["epsilon"] == "log(3)"
    lower, upper = (Fraction(record["delta"][end]) for end in ("lower", "upper"))
    assert 0 <= lower <= upper < Fraction(1, 10**6)
    status, out, err = cli("privacy", "christofides:1/10,3/10,6/10", "--n", "1000", "--epsilon", "1")
    assert status == 1
    assert "not computed" in out
    assert "501501 states" in err
    _, record = _json(cli, "privacy", "christofides:1/4,1/4,1/2", "--cards-without-replacement", "--n", "3252600")
    assert record["views"][3]["epsilon"] == "inf"
    assert record["views"][3]["delta"] == "3/4"


def test_a_missing_card_is_said(cli) -> None:
    status, out, _ = cli("privacy", "christofides:0,1/2,1/2", "--n", "4", "--view", "one")
    assert status == 0
    assert "infinite" in out
    assert "1/2" in out
