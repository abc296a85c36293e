"""Parts of pages at small inputs: one row for each branch, with its text or its law."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from rropt.accounting import DealtDeck
from rropt.claims import Domain
from rropt.core.errors import InvalidParameterError, RroptError
from rropt.core.exact import Delta, Epsilon
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.reports import claims_pages, design_pages, level_theorems, mathematics, sheet_devices
from rropt.reports.page_limits import require_respondents, require_text
from rropt.reports.randomizer_steps import RandomizerStep, Sentence, beside_other_cards, randomizer_step
from rropt.reports.sheet_devices import birthday_of, device_of, names_of_answers
from rropt.reports.sheet_languages import Language, languages
from rropt_fieldwork.ethics import answered_questions, ethics_pages, stated
from rropt_fieldwork.ethics.answered_questions import QuestionAnswer, ShownShare
from rropt_fieldwork.ethics.explorer import _embedded_json, _level_of, explore
from rropt_fieldwork.ethics.odds_bounds import bound_of_question, bound_together
from rropt_fieldwork.ethics.stated import Answer
from rropt_fieldwork.sheets.card_sheets import DealtCards, deal_cards, deck_instruction, deck_page

F = Fraction
WARNER = Mechanism.binary("3/4", "3/4")


# devices of sheets


def test_the_simplest_randomizer() -> None:
    """A coin for halves, a die for divisors of 6, two dice for 36, else cards; or the one that is asked for."""
    for chances, wanted, kind, total, counts in (
        (("1/2", "1/2"), "auto", "coin", 2, (1, 1)),
        (("1/3", "2/3"), "auto", "die", 6, (2, 4)),
        (("1/6", "5/6"), "auto", "die", 6, (1, 5)),
        (("1/36", "35/36"), "auto", "dice", 36, (1, 35)),
        (("1/12", "11/12"), "auto", "cards", 12, (1, 11)),
        (("1/12", "11/12"), "dice", "dice", 36, (3, 33)),
        (("1/2", "1/2"), "die", "die", 6, (3, 3)),
        (("1/2", "1/2"), "cards", "cards", 2, (1, 1)),
        (("1/2", "1/2"), "dice", "dice", 36, (18, 18)),
        (("1/100", "99/100"), "auto", "cards", 100, (1, 99)),
        (("1", "0"), "auto", "coin", 2, (2, 0)),
    ):
        found = randomizer_step([F(c) for c in chances], wanted)
        assert (found.kind, found.total, found.counts) == (kind, total, counts), (chances, wanted)
    for chances, wanted, allowed in (
        (("1/101", "100/101"), "auto", "a denominator of at most 100"),
        (("1/3", "2/3"), "coin", "allowed is a denominator of 2"),
        (("1/4", "3/4"), "die", "allowed is a divisor of 6"),
        (("1/5", "4/5"), "dice", "allowed is a divisor of 36"),
    ):
        with pytest.raises(RroptError, match=allowed):
            randomizer_step([F(c) for c in chances], wanted)
    told = beside_other_cards([Sentence("cards_first", {"total": 4}), Sentence("say")])
    assert told == (Sentence("secret_first", {"total": 4}), Sentence("say"))


def test_each_device_has_the_law_of_its_mechanism() -> None:
    for design, kind, draws in (
        ("warner:3/4", "warner", 1),
        ("crosswise:1/4", "crosswise", 1),
        ("mangat:2/3", "mangat", 1),
        ("mangat-singh:3/4,1/2", "warner", 1),
        ("unrelated:2/3,1/4", "unrelated", 2),
        ("unrelated:2/3,1/3", "unrelated", 2),
        ("forced:2/3,1/6,1/6", "forced", 1),
        ("kuk:3/4,1/4", "kuk", 0),
        ("kuk:3/4,1/4,3", "kuk", 0),
        ("christofides:1/2,1/3,1/6", "christofides", 0),
        ("subset:5,2,3/4", "subset", 1),
        ("grr:4,1/2", "categories", 1),
        ("thresholds:1..4,3/4", "thresholds", 1),
    ):
        mechanism = named_mechanism(design)
        made = device_of(mechanism, design)
        assert (made.kind, len(made.draws)) == (kind, draws), design
        assert made.law == mechanism.matrix
        assert [sum(column) for column in zip(*made.law, strict=True)] == [1] * mechanism.inputs
    lies = device_of(Mechanism.binary("1/4", "1/4"))
    assert (lies.kind, lies.steps[1].values["action"].key) == ("forced", "act_opposite")
    truth = device_of(Mechanism([["1", "0"], ["0", "1"]]))
    assert (truth.kind, truth.steps) == ("truth", (Sentence("truth_step"),))
    opposite = device_of(Mechanism([["0", "1"], ["1", "0"]]))
    assert (opposite.kind, opposite.steps) == ("truth", (Sentence("opposite_step"),))
    boxes = device_of(Mechanism([["1/2", "1/4", "1/5"], ["1/4", "1/2", "2/5"], ["1/4", "1/4", "2/5"]]))
    assert (boxes.kind, len(boxes.answers), [s.values["total"] for s in boxes.prepare]) == ("boxes", 3, [4, 4, 5])
    chosen = device_of(Mechanism([["3/8", "3/8", "1/4"], ["3/8", "1/4", "3/8"], ["1/4", "3/8", "3/8"]][:3]))
    assert chosen.kind in ("boxes", "categories")
    pairs = Mechanism(
        [
            [F(3, 4) / 3 if j in pair else F(1, 4) / 3 for j in range(4)]
            for pair in sheet_devices.combinations(range(4), 2)
        ]
    )
    subset = device_of(pairs)
    assert (subset.kind, subset.draws[0].chances(), subset.answers) == ("subset", [F(3, 4), F(1, 4)], ())
    for mechanism, text in (
        (Mechanism([["1/2", "1/101"], ["1/4", "50/101"], ["1/4", "50/101"]]), "no device of the sheet has"),
        (Mechanism([["1/13"] * 13] * 13), "too large for a sheet: received 13 outputs for 13 true answers"),
        (Mechanism([["1/9"] * 2] * 9), "9 outputs for 2 true answers"),
    ):
        with pytest.raises(RroptError, match=text):
            device_of(mechanism)
    with pytest.raises(InvalidParameterError, match="a birthday answers the harmless question"):
        device_of(WARNER, "warner:3/4", randomizer="birthday")
    with pytest.raises(RroptError, match="the randomizer"):
        device_of(WARNER, randomizer="roulette")


def test_birthdays_of_periods() -> None:
    """Days of four years; the period from 1 January ends on the nearest day, and never on 29 February."""
    for wanted, day, month, share in (
        ("1/4", 1, 4, F(365, 1461)),
        ("1/2", 1, 7, F(729, 1461)),
        ("1", 31, 12, F(1)),
        ("0", 1, 1, F(4, 1461)),
        ("59/365", 28, 2, F(236, 1461)),
    ):
        found = birthday_of(F(wanted))
        assert (found.day, found.month, found.share, found.wanted) == (day, month, share, F(wanted))
        assert found.chances() == [share, 1 - share]
    made = device_of(named_mechanism("crosswise:1/4"), "crosswise:1/4", randomizer="birthday")
    assert made.birthday is not None
    p = F(365, 1461)
    assert made.law == ((p, 1 - p), (1 - p, p))


def test_names_of_true_answers() -> None:
    assert names_of_answers((), 2) == (Sentence("no"), Sentence("yes"))
    assert names_of_answers((), 3)[2] == Sentence("answer_number", {"number": 3})
    assert names_of_answers(("a", "b"), 2)[1] == Sentence("verbatim", {"text": "b"})
    for names, k in ((("a",), 2), (("a", "a"), 2), (("a", " "), 2), (("a", "b", "c"), 2)):
        with pytest.raises(InvalidParameterError, match=f"allowed are {k} different names"):
            names_of_answers(names, k)


def test_texts_of_a_language() -> None:
    assert languages()[0] == "en"
    one = Language.of("en")
    assert one.say(RandomizerStep("die", 6, (1, 2, 3)).outcomes(2)) == "4 to 6"
    assert one.percent("12.5 %") == "12.5\u00a0%"
    assert Language.of("de").percent("12.5 %") == "12,5\u00a0%"
    assert one._written([1, F(1, 2), "a\x1b"]) == one.text("list_separator").join(["1", "1/2", "a\\x1b"])
    with pytest.raises(InvalidParameterError, match="the sheet has no texts in this language"):
        Language.of("xx")


def test_cards_that_are_dealt() -> None:
    assert "say 4 minus the number" in deck_instruction(3)
    deck = DealtDeck((3, 2, 1))
    cards = deal_cards(deck, ["a", "b", "c", "d", "e", "f"])
    assert (sorted(cards.cards), cards.n) == ([1, 1, 1, 2, 2, 3], 6)
    assert [row["respondent"] for row in cards.frame_rows()] == list("abcdef")
    assert cards.lines()[0] == ("cards", "3 x 1, 2 x 2, 1 x 3")
    again = DealtCards.recompute((3, 2, 1), cards.cards, None)
    assert [row["respondent"] for row in again.frame_rows()] == [1, 2, 3, 4, 5, 6]
    page = deck_page([2, 1], 3, question="Have you <ever>?")
    assert page.count("<section>") == 2
    assert "respondent 1" in page
    assert "respondent 2" in page
    assert "&lt;ever&gt;" in page
    for kinds, given, names in (
        ((3, 2, 1), (1, 1, 1, 2, 2, 2), None),
        ((3, 2, 1), (1, 1, 1, 2, 2), None),
        ((3, 2, 1), (1, 1, 1, 2, 2, 3), ("a",)),
    ):
        with pytest.raises(InvalidParameterError, match="these are not the cards of the deck"):
            DealtCards.recompute(kinds, given, names)
    for wrong in (["a"] * 6, ["a"], ["a", "b", "c", "d", "e", "f\n"], ["a", "b", "c", "d", "e", "f" * 201]):
        with pytest.raises(InvalidParameterError, match="the names do not name the respondents"):
            deal_cards(deck, wrong)


# bounds, limits, the explorer


def test_factors_of_the_odds() -> None:
    certain = Mechanism([["1", "1/2"], ["0", "1/2"]])
    for mechanisms, level, delta, bound in (
        ([WARNER], None, None, (3, 0)),
        ([WARNER, Mechanism.binary("4/5", "4/5")], "log(2)", None, (4, 0)),
        ([certain], None, None, None),
        ([certain, WARNER], "log(5)", "1/10", (5, F(1, 10))),
        ([certain], "log(5)", None, (5, 0)),
        ([], "log(2)", None, (2, 0)),
        ([], None, None, None),
    ):
        asked = None if level is None else Epsilon.of(level), None if delta is None else Delta.of(delta)
        assert bound_of_question(mechanisms, *asked) == bound
    assert bound_together([(F(3), F(0)), (F(4), F(1, 10))]) == (12, F(1, 10))
    assert bound_together([(F(3), F(1, 5)), (F(2), F(1, 10))]) == (6, F(3, 10))
    assert (bound_together([]), bound_together([None]), bound_together([(F(3), F(0)), None])) == (None, None, None)


def test_limits_of_a_page() -> None:
    assert (require_respondents(1), require_respondents(10**9)) == (1, 10**9)
    for wrong in (0, 10**9 + 1, True, "5", 2.5):
        with pytest.raises(InvalidParameterError, match="the number of respondents"):
            require_respondents(wrong)
    require_text("title", "x" * 500)
    require_text("title", "")
    for text, empty in (("x" * 501, True), (3, True), ("", False), (" ", False)):
        with pytest.raises(InvalidParameterError, match=f"allowed are {'at most' if empty else '1 to'} 500 characters"):
            require_text("title", text, empty=empty)


def test_settings_of_the_explorer() -> None:
    assert explore().fragment == "#gamma=3&delta=0&prevalence=1/10&n=1000"
    for given, gamma in (("log(2)", F(2)), ("1", F(2718281, 10**6)), ("5", F(1484131, 10**4)), ("13", F(4424133, 10))):
        assert _level_of(given) == gamma
        assert gamma <= math.exp(float(Epsilon.of(given))) * (1 + 1e-15)
    for call, text in (
        (lambda: explore(epsilon=1, gamma=2), "both given"),
        (lambda: explore(gamma=1), "1 < gamma <= 1000000"),
        (lambda: explore(gamma=10**6 + 1), "1 < gamma <= 1000000"),
        (lambda: explore(delta="-1/2"), "0 <= delta <= 1"),
        (lambda: explore(prevalence=0), "0 < prevalence < 1"),
        (lambda: explore(prevalence=1), "0 < prevalence < 1"),
        (lambda: explore(epsilon="14"), "epsilon does not fit the page"),
        (lambda: explore(epsilon="1/100000000"), "epsilon does not fit the page"),
        (lambda: explore(delta=F(1, 10**38)), "allowed are 40 characters"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            call()
    assert explore(delta=F(1, 10**37)).delta == F(1, 10**37)
    assert explore(gamma=10**6, delta=1).gamma == 10**6
    assert _embedded_json({"a": "</script>"}) == '{"a":"\\u003c/script>"}'


# formulas


def test_trees_as_latex() -> None:
    for tree, text in (
        ("3", "3"),
        ("-3", "-3"),
        ("-1/2", r"-\frac{1}{2}"),
        ({"negative": "x"}, "-x"),
        ({"negative": {"negative": "x"}}, "x"),
        ({"negative": {"sum": ["x", "1"]}}, "-(x+1)"),
        ({"sum": ["-1", "x"]}, "x-1"),
        ({"sum": ["-1", "-2"]}, "-1-2"),
        ({"sum": ["x", {"sum": ["y", "-1"]}]}, "x+(y-1)"),
        ({"product": ["2", "x"]}, r"2\,x"),
        ({"product": ["1", "x"]}, "x"),
        ({"product": ["1", "1"]}, "1"),
        ({"product": ["-1", "x"]}, "-x"),
        ({"product": ["-2", "-3"]}, r"2\,3"),
        ({"product": ["x", {"sum": ["y", "1"]}]}, r"x\,(y+1)"),
        ({"quotient": ["-1", "x"]}, r"-\frac{1}{x}"),
        ({"quotient": ["-1", "-2"]}, r"\frac{1}{2}"),
        ({"power": ["x", "2"]}, "x^{2}"),
        ({"power": [{"sum": ["x", "1"]}, "2"]}, "(x+1)^{2}"),
        ({"power": ["1/2", "3"]}, r"(\frac{1}{2})^{3}"),
        ({"power": ["-2", "3"]}, "(-2)^{3}"),
    ):
        assert mathematics.latex(tree) == text, tree
    assert mathematics._terms({"sum": ["x", "-1"]}) == ["x", "-1"]
    assert mathematics._terms("x") == ["x"]
    assert [mathematics._grouped(tree) for tree in ("x", "-1", {"sum": ["x", "1"]})] == ["x", "(-1)", "(x+1)"]
    assert mathematics._number(F(-2, 3)) == r"-\frac{2}{3}"
    assert mathematics.text_html("a >= b, c <= d, e != f -> `g` ``h``") == "a ≥ b, c ≤ d, e ≠ f → “g” h"
    assert mathematics._mathml("x" * 1201) == "<small>(a formula of 1201 characters)</small>"
    document: dict[str, Any] = {"statement": "other", "problem": {}, "claim": {"lower": "1", "upper": "2"}}
    assert mathematics.certificate_html(document) == "<p>other: 1 &#8804; optimum &#8804; 2</p>"
    assert mathematics.certificate_html({**document, "claim": {}}) == "<p>other</p>"
    assert mathematics.block_html("p", "plain", "<b>x</b>") == "<p><b>x</b>plain</p>"
    assert 'tabindex="0"' not in mathematics.block_html("p", "$x+1$")
    assert 'tabindex="0"' in mathematics.block_html("p", f"${'+'.join('abcdefghijklm')}$")


# answers of questions


def share(value: float, ends: tuple[float, float] | None = None, **other: Any) -> ShownShare:
    return ShownShare(100, value, 0.01, ends, **{"is_proved": True, **other})


def answer(names: tuple[str, ...], shares: tuple[ShownShare, ...], **other: Any) -> QuestionAnswer:
    return QuestionAnswer(names, F(95, 100), other.pop("unit", ""), 1000, shares, **other)


def test_sentences_of_an_answer() -> None:
    several = answer(("a", "b"), (share(0.25, (0.2, 0.3)), share(0.75, (0.7, 0.8))))
    assert several.sentence() == (
        "a 25.0 % (20.0 to 30.0), b 75.0 % (70.0 to 80.0) (in brackets: 95 % intervals). 1,000 respondents."
    )
    rough = answer(("a", "b"), (share(0.25, (0.2, 0.3), is_proved=False), share(0.75, (0.7, 0.8))), unit="people")
    assert "of people (in brackets: approximate 95 % intervals)." in rough.sentence()
    bare = answer(("a", "b"), (share(0.25), share(0.75)))
    assert bare.sentence() == "a 25.0 %, b 75.0 %. 1,000 respondents."
    for count, more in ((12, ""), (13, " and 1 more"), (15, " and 3 more")):
        long = answer(tuple(f"c{i}" for i in range(count)), (share(0.01, (0.0, 0.02)),) * count)
        assert long.sentence().startswith("c0 1.0 %, ")
        assert f"c11 1.0 %{more}. " in long.sentence()
        assert not long.lists_all
    assert answer(tuple("abcdef"), (share(0.1, (0.0, 0.2)),) * 6).lists_all
    assert not answer(tuple("abcdefg"), (share(0.1, (0.0, 0.2)),) * 7).lists_all
    assert not answer(("a",), (share(0.1, (0.0, 0.2)),)).lists_all
    assert answer(("a",), (), told="Told.").sentence() == "Told."
    assert (several.level, several._ends(share(0.5), None)) == ("95 %", "none")


def test_tables_of_an_answer() -> None:
    shares = (share(0.25, (0.2, 0.3), likely=0.26), share(0.75, (0.7, 0.8)))
    told = answer(("a", "b\x1b"), shares, at_once="for all 2 at once").overall_table()
    assert told == (
        "All 1,000 respondents; intervals for all 2 at once",
        ("category", "estimate, %", "95 % interval, %", "most likely, never negative, %"),
        [("a", "25.0", "20.0 to 30.0", "26.0"), ("b\\x1b", "75.0", "70.0 to 80.0", "")],
    )
    assert answer(("a",), ()).overall_table() is None
    limit = answered_questions.MOST_LISTED + 1
    count = max(limit, 41)
    many = answer(
        tuple(f"c{i}" for i in range(count)),
        tuple(share(i / 1000, (0.0, 0.1), together=(0.0, 0.2)) for i in range(count)),
    )
    table = many.overall_table()
    assert table is not None
    title, header, rows = table
    assert len(rows) == min(count, 40)
    assert rows[0][0] == f"c{count - 1}"
    assert header[3] == f"all {count} at once, %"
    assert rows[0][3] == "0.0 to 20.0"
    assert title.endswith(f"; the 40 largest of {count} estimates") == (count > 40)
    few = answer(tuple(f"c{i}" for i in range(5)), tuple(share(i / 10, (0.0, 0.9)) for i in range(5)))
    assert few._order() == [0, 1, 2, 3, 4]
    by = answer(
        ("yes",),
        (share(0.5, (0.4, 0.6)),),
        by="region",
        groups=(("north", (share(0.4, (0.3, 0.5), together=(0.2, 0.6)),)), ("south", (share(0.6, (0.5, 0.7)),))),
    )
    (grouped,) = by.group_tables()
    assert grouped == (
        "yes by region",
        ("region", "respondents", "estimate, %", "95 % interval, %", "all groups at once, %"),
        [("north", "100", "40.0", "30.0 to 50.0", "20.0 to 60.0"), ("south", "100", "60.0", "50.0 to 70.0", "none")],
    )
    assert answer(("yes",), (share(0.5),)).group_tables() == []
    wide = answer(
        tuple("abcdefg"), (), by="region", groups=(("north", tuple(share(0.1, (0.0, 0.2)) for _ in range(7))),)
    )
    tables = wide.group_tables()
    assert [each[1] for each in tables] == [("region", "respondents", *"abcdef"), ("region", "respondents", "g")]
    assert tables[0][2][0][2] == "10.0 (0.0 to 20.0)"
    many_groups = answer(
        ("yes",), (), by="region", groups=tuple((f"g{i}", (share(0.5, (0.4, 0.6)),)) for i in range(41))
    )
    assert many_groups.group_tables()[0][0] == "yes by region; the first 40 of 41 groups"
    assert len(many_groups.group_tables()[0][2]) == 40


def test_pictures_of_an_answer() -> None:
    shares = (share(0.25, (0.2, 0.3)), share(0.75, (0.7, 0.8)))
    picture = answer(("a", "b"), shares).picture()
    assert picture is not None
    assert (picture.rows, picture.series) == (("a", "b"), ("",))
    assert picture.text == "Estimated proportions from 1,000 responses, with 95 % intervals."
    groups = tuple((name, shares) for name in ("north", "south"))
    by = answer(("a", "b"), shares, by="region", groups=groups, at_once="at once").picture()
    assert by is not None
    assert (by.rows, by.series) == (("a", "b"), ("north", "south"))
    assert by.text == "Estimated proportions by region from 1,000 responses, with 95 % intervals at once."
    single = answer(
        ("yes",), shares[:1], by="region", groups=tuple((n, shares[:1]) for n in ("north", "south"))
    ).picture()
    assert single is not None
    assert single.rows == ("north (100)", "south (100)")
    seven = answer(("a", "b"), shares, by="region", groups=tuple((str(i), shares) for i in range(7))).picture()
    assert seven is not None
    assert (seven.series, seven.text.startswith("Estimated proportions from")) == (("",), True)
    assert answer((), ()).picture() is None
    assert answered_questions._point(share(0.5, (0.25, 0.75))) == (0.5, (0.25, 0.75))
    assert answered_questions._point(share(-0.5, (0.0, 0.0))) == (-0.5, None)  # an empty interval
    assert answered_questions._point(share(0.5)) == (0.5, None)


def test_short_texts_of_numbers() -> None:
    for text, named in (
        ("< 0.001", "p < 0.001"),
        ("0.0123", "p = 0.0123"),
        ("none", "none"),
        ("not tested", "not tested"),
    ):
        assert answered_questions._named_p(text) == named
    for people, text in (
        ("; about 1,200 people, 1,000 to 1,400, of 5,000", "1,200 (1,000 to 1,400)"),
        ("about 1 person", "1"),
        ("", ""),
    ):
        assert answered_questions._number(people) == text
    assert answered_questions._between(None, str) == "none"
    assert answered_questions._between((2, 1), str) == "none"
    assert answered_questions._between((1, 1), str) == "1 to 1"


# what files state


def test_words_of_declared_questions() -> None:
    declared = {"name": "q1", "question": "Are you sick?"}
    assert stated.spoken(declared, "q1") == "“Are you sick?”"
    assert stated.spoken(declared, "q2") == "q2"
    assert stated.spoken({"name": "q1"}, "q1") == "q1"
    one = Answer("a.json", {"question": {"column": "q1"}}, "estimate", (), declared, None)
    assert one.label == "“Are you sick?”"
    grouped = one._replace(data={"question": {"column": "q1"}, "by": ["age", "sex"]})
    assert grouped.label == "“Are you sick?” by age, sex"
    assert one._replace(data={"question": {"column": "q1"}, "by": "age"}).label == "“Are you sick?” by age"
    assert one._replace(data={"formula": "q1 ~ age"}).label == "q1 ~ age"
    assert Answer("dir/b.json", {}, "", (), {}, None).label == "b"
    for text, told in (
        ("q1: no one", "no one"),
        ("q1 and q10", "“Are you sick?” and q10"),
        ("“q1” and q1", "“q1” and “Are you sick?”"),
        ("nothing", "nothing"),
    ):
        assert stated.spoken_texts(text, [one]) == told
    assert stated.spoken_texts("q1", [one._replace(declared={})]) == "q1"
    for data, asked in (
        ({"question": {"column": "q1"}}, "q1"),
        ({"question": {"columns": ["a", "b"]}}, "a, b"),
        ({"formula": "`my q` ~ x"}, "my q"),
        ({"formula": "y ~ x"}, "y"),
        ({}, ""),
        ({"question": 3}, ""),
    ):
        assert stated.asked_in(data) == asked


def test_remarks_of_results() -> None:
    data = {"remarks": ["one", 2], "part": {"remarks": ["two"], "notes": ["three"]}, "list": [{"remarks": ["four"]}]}
    assert list(stated.remarks_in(data)) == ["one", "two", "four"]
    assert list(stated.remarks_in(data, "notes")) == ["three"]
    assert list(stated.gathered([("a", "x"), ("b", "x"), ("a", "y"), ("", "z"), ("a", "x")])) == [
        ("a, b", "x"),
        ("a", "y"),
        ("", "z"),
    ]
    one = Answer("a.json", {"remarks": ["r"], "notes": ["n"]}, "", (), {}, None)
    two = one._replace(name="b.json")
    assert stated.remark_texts([one]) == ["Remark: r"]
    assert stated.remark_texts([one, two]) == ["Remark on a, b: r"]
    assert stated.note_texts([one]) == ["n"]
    assert stated.note_texts([one, two]) == ["a, b: n"]


def of_question(name: str, *mechanisms: Mechanism, **declared: str) -> Answer:
    return Answer(
        f"{name}.json", {"question": {"column": name}}, "estimate", mechanisms, {"name": name, **declared}, None
    )


def test_sentences_on_privacy() -> None:
    certain = Mechanism([["1", "1/2"], ["0", "1/2"]])
    one, two = of_question("a", WARNER), of_question("b", Mechanism.binary("4/5", "4/5"))
    for answers, text in (
        ([], ""),
        ([one], "No response changes anybody's odds by more than a factor of 3."),
        ([one, two], "No list of responses changes anybody's odds by more than a factor of 12 (2 questions together)."),
        ([of_question("a", certain)], "Some response is certain evidence: no finite epsilon holds."),
        ([one._replace(kind="design")], ""),
        (
            [of_question("a", WARNER, epsilon="log(3)")],
            "No response changes anybody's odds by more than a factor of 3 (epsilon = log(3), delta = 0).",
        ),
        (
            [of_question("a", WARNER, epsilon="log(4)")],
            "No response changes anybody's odds by more than a factor of 3 (promised: epsilon = log(4), delta = 0).",
        ),
        (
            [of_question("a", certain, epsilon="log(3)", delta="1/2")],
            "Whatever is looked for in a response, its probability under one answer is at most 3 times that under "
            "another, plus 0.5 (epsilon = log(3), delta = 1/2).",
        ),
        (
            [of_question("a", ProductMechanism([WARNER, WARNER]))],
            "All responses of a person together change nobody's odds by more than a factor of 9.",
        ),
        (
            [one._replace(data={}), two._replace(data={}, declared={"name": "b"})],
            "No response of a question changes anybody's odds by more than a factor of 4.",
        ),
    ):
        assert stated.privacy_sentence(answers) == text
    promised = [of_question("a", WARNER, epsilon="log(3)"), of_question("b", WARNER, epsilon="log(4)")]
    assert list(stated.promise_texts(promised)) == [
        "a: No response changes anybody's odds by more than a factor of 3 (epsilon = log(3), delta = 0).",
        "b: No response changes anybody's odds by more than a factor of 3 (promised: epsilon = log(4), delta = 0).",
        "The 2 questions together: no list of responses changes anybody's odds by more than a factor of 9 "
        "(the levels add up).",
    ]
    stated.require_promises(promised)
    with pytest.raises(InvalidParameterError, match="with epsilon = log"):
        stated.require_promises([of_question("a", WARNER, epsilon="log(2)")])
    stated.require_promises([of_question("a", WARNER, epsilon="log(2)", delta="1/4")])


def test_files_that_agree() -> None:
    other = Mechanism.binary("4/5", "4/5")
    estimate, design = of_question("a", WARNER), Answer("d.json", {}, "design", (WARNER,), {}, None)
    stated.require_agreement([estimate, design])
    stated.require_agreement([estimate])
    stated.require_agreement([estimate, of_question("b", other), design])  # another question
    for wrong in (
        [estimate, design._replace(mechanisms=(other,))],
        [design, design._replace(name="e.json", mechanisms=(other,))],
        [estimate, of_question("a", other), design],
    ):
        with pytest.raises(InvalidParameterError, match=r"the files disagree: .* a page states the probabilities"):
            stated.require_agreement(wrong)
    rows = Mechanism([["1/2", "1/4", "1/4"], ["1/2", "3/4", "3/4"]])
    both = Mechanism([["1/2", "1/4"], ["1/2", "3/4"]])
    assert stated._is_same(rows, both, merged=True)
    assert not stated._is_same(rows, both, merged=False)
    assert not stated._is_same(WARNER, other, merged=True)
    assert not stated._is_same(rows, Mechanism([["1/2", "1/5"], ["1/2", "4/5"]]), merged=True)
    assert "the matrix 0.75,0.25;0.25,0.75" in stated._text(WARNER)
    assert "a mechanism with 4 outputs and 4 categories" in stated._text(named_mechanism("grr:4,1/2"))
    told = stated._about(estimate._replace(mechanisms=(WARNER,) * 4))
    assert told.endswith("and ...")
    assert stated.promise_of(WARNER, [(other, "x"), (WARNER, "y")]) == "y"
    assert stated.promise_of(WARNER, []) is None
    assert list(stated.read_mechanisms(["warner:3/4", 3, None, WARNER.to_dict(), "nothing"])) == [WARNER, WARNER]
    assert stated.kind_of({}) == ""
    assert stated.kind_of({"result": "Nothing"}) == "other"
    assert json.loads(json.dumps(estimate.data)) == {"question": {"column": "a"}}


# pages of designs, theorems in Coq


def test_numbers_of_questions() -> None:
    for numbers, text in (
        ([2], "Question 2"),
        ([1, 2], "Questions 1, 2"),
        ([1, 2, 3], "Questions 1 to 3"),
        ([1, 3, 4], "Questions 1, 3, 4"),
        ([1, 2, 3, 4, 5, 7], "Questions 1, 2, 3, 4, 5, 7"),
        ([1, 2, 3, 4, 5, 6, 8], "Questions 1, 2, 3, 4, 5, 6, ..."),
        ([3, 4, 5, 6, 7, 8, 9, 10], "Questions 3 to 10"),
    ):
        assert design_pages._question_numbers(numbers) == text


def test_margins_of_questions() -> None:
    """Questions with one prevalence and variance share a row; at most six rows are listed."""
    survey = design_pages.PlannedSurvey(n=400)
    design: Any = SimpleNamespace(prevalences=[F(1, 10), F(1, 10), F(1, 2)], n_variances=[F(1), F(1), None])
    blocks = design_pages._questions_margins(design, survey)
    title, header, rows = blocks[2]
    assert (title, header) == ("", ("question", "would truly say yes", "400 respondents"))
    half = 1.959963984540054 * math.sqrt(1 / 400)
    assert [row[:2] for row in rows] == [("1, 2", "10 %"), ("3", "50 %")]
    assert float(rows[0][2].removeprefix("± ").removesuffix(" %").removesuffix(" percentage points")) == pytest.approx(
        100 * half, rel=0.02
    )
    assert rows[1][2] == "not available"
    assert len(blocks) == 3
    for count, more in ((6, 3), (7, 4)):
        many: Any = SimpleNamespace(prevalences=[F(i, 20) for i in range(1, count + 1)], n_variances=[F(1)] * count)
        found = design_pages._questions_margins(many, survey)
        assert (len(found), len(found[2][2])) == (more, min(count, 6))
    assert design_pages._mean_margin(F(1), 400, F(95, 100)) == pytest.approx(half)


def test_parts_of_theorems() -> None:
    assert level_theorems._rational("-2/3") == "(-2 # 3)"
    assert level_theorems._point(["1/2"]) == "(LevelPoint (1 # 2) (0 # 1) 1)"
    assert level_theorems._point(["1/2", "3", "5"]) == "(LevelPoint (1 # 2) (3 # 1) 5)"
    assert (level_theorems._end(None), level_theorems._end(["2"])) == ("None", "(Some (LevelPoint (2 # 1) (0 # 1) 1))")
    piece = {"rows": [["0", "10", "1/2"], ["1", "01", "1"]], "to": None, "value": ["1", "0", "2"]}
    assert level_theorems._piece("p", piece) == (
        "Definition p : level_piece :=\n  LevelPiece None (1 # 1) (0 # 1) (2 # 1)\n    "
        "[CoverRow 0 [true; false] (1 # 2); CoverRow 1 [false; true] (1 # 1)]."
    )
    assert level_theorems._cells("c", [{"to": ["2"], "y": [["1", "2"]]}, {"to": None, "y": []}]) == (
        "Definition c : list level_cell :=\n  [LevelCell (Some (LevelPoint (2 # 1) (0 # 1) 1)) "
        "[Quadratic (1 # 1) (2 # 1)];\n   LevelCell None []]."
    )
    open_end = level_theorems._theorem("a", 2, 3, piece, ["1"], None)
    closed = level_theorems._theorem("a", 2, 3, piece, ["1"], ["2", "1", "3"])
    assert "least_cost 3 2" in open_end
    assert "intros gamma G L." in open_end
    assert "exact I." in open_end
    assert "intros gamma G L U." in closed
    assert "-> gamma <= 2 + 1 * sqrt 3 ->" in closed
    assert "unfold a; numbers." in closed
    assert level_theorems._source("Statement").strip()
    with pytest.raises(FileNotFoundError, match=r"the proofs Nothing\.v are missing"):
        level_theorems._source("Nothing")


def test_rows_for_reviewers_and_factors() -> None:
    for bound, cells in (
        (None, "0 % to 100 %"),
        ((F(3), F(0)), "25 % to 75 %"),
        ((F(2), F(0)), "33.3 % to 66.7 %"),
        ((F(3), F(1, 10)), "0 % to 100 %"),
    ):
        told = ethics_pages._cells(bound)[1].replace("\u00a0", " ")
        assert told == cells, bound
    assert ethics_pages._cells((F(3), F(0)))[0] == "3"
    asked: Any = SimpleNamespace(
        devices=("a", ""),
        mechanisms=(WARNER, WARNER),
        promised_epsilon=Epsilon.of("log(3)"),
        promised_delta=Delta.of(0),
    )
    bare: Any = SimpleNamespace(
        devices=("",), mechanisms=(named_mechanism("grr:4,1/2"),), promised_epsilon=None, promised_delta=None
    )
    title, header, rows = list(ethics_pages._reviewed([asked, bare]))[1]
    assert (title, len(header)) == ("Exact levels", 5)
    assert [row[0] for row in rows] == ["1, a", "1", "2"]
    assert [row[2] for row in rows] == ["2 to 2", "2 to 2", "4 to 4"]
    assert [row[3] for row in rows] == ["log(3)"] * 3
    assert [row[4] for row in rows] == ["epsilon = log(3), delta = 0"] * 2 + ["none"]
    assert ethics_pages._is_truth(Mechanism([["1/2", "0"], ["1/2", "0"], ["0", "1"]]))
    assert not ethics_pages._is_truth(WARNER)


def test_rows_of_variables() -> None:
    """The meaning of a variable and at most eight of the values that are always tested, each in 80 characters."""
    for domain, values in (
        (Domain("m", (F(0), F(1, 2))), "0, 1/2"),
        (Domain("m", tuple(map(F, range(10)))), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"),
        (Domain("m", (F(1),), draw=lambda random: F(random.randrange(3))), "1; others drawn at random"),
        (Domain("m", ((F(0),) * 26,)), f"({'0, ' * 25}0)"),
        (Domain("m", ((F(0),) * 27,)), f"({'0, ' * 26}0 ..."),
    ):
        row = claims_pages._domain("x<y", domain)
        assert row == f"<tr><th>x&lt;y</th><td>m</td><td><small>{values}</small></td></tr>"
