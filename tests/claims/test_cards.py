"""Cards: true ones are proved, false and careless ones are refused or not proved, and text is never run."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from card_texts import judged, text
from every_case import every_case
from shared_outcomes import record

import rropt_proofs
from rropt.claims.cards import outcomes
from rropt.claims.cards.files import Card, CardError, read_cards
from rropt.claims.cards.judge import Proof
from rropt.claims.cards.outcomes import definition_lines, judge
from rropt.claims.outcomes import AT_SHAPES

FOLDER = Path(rropt_proofs.__path__[0])
FILES = sorted(FOLDER.glob("*/cards.toml"))
RECORD = record()
GROW: dict[str, Any] = {  # a sum of weighted numbers between two bounds, and the sum of the weights
    "for": ["low <= high", "v > 0"],
    "grow": {
        "over": ["a >= 0", "low <= x <= high"],
        "start": {"s": "0", "v": "0"},
        "step": {"s": "s + a*x", "v": "v + a"},
        "keeps": ["v >= 0", "low*v <= s", "s <= high*v"],
    },
    "says": ["low <= s/v", "s/v <= high"],
    "false": ["s/v <= low"],
}


def grown(**changes: Any) -> dict[str, Any]:
    """Return the card of a weighted mean with parts of its ``grow`` changed."""
    return {**GROW, "grow": {**GROW["grow"], **changes}}


TRUE: dict[str, tuple[dict[str, Any], str]] = {  # changes, and the verdict; the form that is true is proved
    "as it is": ({}, "holds"),
    "a case": ({"says": ["(x if x <= 1/2 else 1 - x) <= 1/2"], "false": ["x <= 1/2"]}, "holds"),
    "a closed range of integers": (
        {"for": ["n in 0..3"], "says": ["n*(n - 1)*(n - 2)*(n - 3) = 0"], "false": ["n*(n - 1)*(n - 2)*(n - 3) = n"]},
        "holds",
    ),
    "a definition": ({"define": ["f(y) = y^2 - y"], "says": ["f(x) <= 0"], "false": ["f(x) <= -1"]}, "holds"),
    "a sum": ({"says": ["sum(i, 1, 3, i*x) = 6*x"], "false": ["sum(i, 1, 3, i*x) = 5*x"]}, "holds"),
    "a derivative of a definition": (
        {
            "define": ["f(y) = y/(1 + y)"],
            "says": ["diff(x, f(x)) = 1/(1 + x)^2"],
            "false": ["diff(x, f(x)) = 1/(1 + x)"],
        },
        "holds",
    ),
    "a case that is constant": (
        {"says": ["min(x, (2 if 0 >= 1 else 1)) <= 1"], "false": ["min(x, (2 if 0 >= 1 else 1)) <= 1/2"]},
        "holds",
    ),
    "a divisor that is 0 in a case that cannot be": (
        {"for": ["0 <= x < 1"], "says": ["1/(1 - min(x, 1)) >= 1"], "false": ["1/(1 - min(x, 1)) >= 2"]},
        "holds",
    ),
    "an induction": (GROW, "holds"),
    "an induction without conditions on an element": (
        {
            "for": [],
            "grow": {"over": [], "start": {"n": "0"}, "step": {"n": "n + 1"}, "keeps": ["n >= 0"]},
            "says": ["n >= 0"],
            "false": ["n >= 1"],
        },
        "holds",
    ),
    "an induction with a start and an integer": (
        {
            "for": ["k in 1..2"],
            "grow": {
                "over": ["0 <= x <= 1"],
                "start": {"p": "1/k"},
                "step": {"p": "p*x"},
                "keeps": ["0 <= p", "k*p <= 1"],
            },
            "says": ["p <= 1/k"],
            "false": ["p <= 1/(2*k)"],
        },
        "holds",
    ),
    "a step": ({"says": ["x^4 <= x"], "step": ["x^2 <= x", "x^4 <= x^2"], "false": ["x^4 <= x/2"]}, "holds"),
    "a condition": ({"says": ["1/x >= 1 if x > 0"], "false": ["1/x >= 2 if x > 0"]}, "holds"),
    "the roots of a square": (
        {"for": ["x real"], "says": ["x^2 = 4 iff x = 2 or x = -2"], "false": ["x^2 = 4 iff x = 3"]},
        "holds",
    ),
    "a product that is 0": (
        {"for": ["x real", "y real", "x*y = x"], "says": ["x = 0 or y = 1"], "false": ["x = 0"]},
        "holds",
    ),
    "a correction": (
        {"says": ["x^2 <= x/2"], "fails": {"x": "3/4"}, "true": ["x^2 <= x"]},
        "fails",
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_card_is_proved(name: str) -> None:
    changes, verdict = TRUE[name]
    outcome = judged(**changes)
    assert (outcome.verdict, outcome.problems, outcome.unchecked_steps) == (verdict, (), ())
    assert (outcome.correction_evidence or outcome.evidence) == "proved"
    assert all(proof.check() for _, proof in outcome.certificates)


# a card, and words of the error, of a file that cannot be read
UNREADABLE: dict[str, tuple[dict[str, Any], str]] = {
    "a call": ({"says": ["exit(x) <= 1"]}, "no expression"),
    "an attribute": ({"says": ["x.real <= 1"]}, "no expression"),
    "an import": ({"says": ["__import__('os') <= 1"]}, "character"),
    "a lambda": ({"says": ["(lambda: 1)() <= x"]}, "character"),
    "a list": ({"says": ["[x] <= 1"]}, "character"),
    "a power of Python": ({"says": ["x**2 <= x"]}, "write ^"),
    "an equality of Python": ({"says": ["x == x"]}, "write ="),
    "a huge power": ({"says": ["x^1000 <= 1"]}, "a power is too large: received 1000; allowed are up to 60"),
    "a tower": ({"says": ["((x + 1)^60)^60 <= 1"]}, "too large"),
    "a power of a name": ({"says": ["2^x <= 4"]}, "no expression"),
    "a long sum": ({"says": ["sum(i, 1, 1000, x) <= 1"]}, "received 1000 terms; allowed are up to 40"),
    "deep brackets": ({"says": ["(" * 900 + "x" + ")" * 900 + " <= 1"]}, "no expression"),
    "a long chain": ({"says": ["+".join(["x"] * 1500) + " <= 1"]}, ""),
    "a condition as a number": ({"says": ["1 + (x > 1/2) <= 2"]}, "mixed"),
    "a condition that is an argument": ({"define": ["f(y) = y"], "says": ["f(x > 1/2) <= 1"]}, "mixed"),
    "a condition compared with a condition": ({"says": ["(x > 1/2) = (2*x > 1)"]}, "mixed"),
    "a number as a condition": ({"says": ["(x if x else 1) <= 1"]}, "mixed"),
    "a condition of a definition that is a number": (
        {"define": ["f(y) = (1 if y else 0)"], "says": ["f(x) <= 1"]},
        "mixed",
    ),
    "a number beside a condition": ({"says": ["x <= 1 or x"]}, "mixed"),
    "a word of Python in a sum": ({"says": ["sum(i, True, 3, i*x) = 6*x"]}, "no expression"),
    "a counterexample outside the smaller of two ranges": (
        {"for": ["n in 1..10", "n in 2..5"], "says": ["n <= 5"], "fails": {"n": "7"}, "true": ["n <= 10"]},
        "not in the scope",
    ),
    "a counterexample below the larger least value of two ranges": (
        {"for": ["n in 3..10", "n in 1..5"], "says": ["n >= 4"], "fails": {"n": "2"}, "true": ["n >= 3"]},
        "not in the scope",
    ),
    "powers of long numbers": ({"says": [f"({'9' * 40}*x)^60*({'9' * 40}*x)^60 <= 1"]}, "too large"),
    "two ranges without a common integer": ({"for": ["n in 1..3", "n in 5..9"], "says": ["n <= 5"]}, "in common"),
    "a long number": ({"says": ["x <= " + "9" * 100]}, "no expression"),
    "no relation": ({"says": ["x + 1"]}, "a condition compares"),
    "two conditions": ({"says": ["x <= 1 if x > 0 if x < 1"]}, "one `if`"),
    "an undeclared name": ({"says": ["x <= y"]}, "undeclared names"),
    "an undeclared name of a mutant": ({"false": ["x <= y"]}, "undeclared names"),
    "an unknown key": ({"say": ["x <= 1"]}, "unknown key"),
    "no mutant": ({"false": None}, "`false` is missing"),
    "no statement": ({"says": []}, "`says` is missing"),
    "an abbreviation that is a variable": ({"for": ["n in 1.."], "let": ["n = 2"], "says": ["1/n <= 1"]}, "variable"),
    "an abbreviation of itself": ({"let": ["y = y + 1"]}, ""),
    "a built-in name": ({"let": ["max = 3"]}, "not built in"),
    "a definition twice": ({"define": ["f(y) = y", "f(y) = y^2"]}, "defined twice"),
    "a definition that uses a variable": ({"define": ["f(y) = x*y"]}, "none of its arguments"),
    "a wrong number of arguments": ({"define": ["f(y) = y"], "says": ["f(x, x) <= 1"]}, "arguments"),
    "a variable in upper case": ({"for": ["0 <= X <= 1"], "says": ["X^2 <= X"], "false": ["X^2 <= 0"]}, "lower case"),
    "a derivative of a maximum": ({"says": ["diff(x, max(x, 1/2)) <= 1"]}, "rational functions"),
    "a derivative by a number": ({"says": ["diff(2, x) = 0"]}, "no expression"),
    "a statement that repeats its condition": ({"says": ["x > 0 if x > 0"]}, "repeats"),
    "a statement that repeats its scope": ({"for": ["x >= 0"], "says": ["x >= 0"]}, "repeats"),
    "an expression compared with itself": ({"says": ["x + 1 = x + 1"]}, "with itself"),
    "a counterexample outside the scope": ({"fails": {"x": "2"}}, "not in the scope"),
    "a counterexample that is no whole number": (
        {"for": ["n in 1.."], "says": ["1/n >= 1"], "fails": {"n": "3/2"}, "false": ["1/n >= 2"]},
        "not in the scope",
    ),
    "a counterexample without a value": ({"fails": {}}, "a point has a value"),
    "a value that is no number": ({"fails": {"x": "oo"}}, "a value is a text"),
    "an induction without its keys": ({"grow": {"over": ["x <= 1"]}}, "over, start, step and keeps"),
    "a state without a step": (grown(step={"s": "s + a*x"}), "the same variables"),
    "a state without a variable": (grown(start={}, step={}), "the same variables"),
    "an induction without a key": ({**GROW, "grow": {"over": []}}, "has the keys over, start, step and keeps"),
    "a start in terms of the state": (grown(start={"s": "v", "v": "0"}), "do not mention"),
    "elements in terms of the state": (grown(over=["a >= s", "low <= x <= high"]), "do not mention"),
    "a letter in the statement": ({**GROW, "says": ["s/v <= x"]}, "undeclared names"),
    "a letter without a condition": (grown(step={"s": "s + b*x", "v": "v + a"}), "undeclared names"),
    "a state with the name of an integer": (
        {**grown(start={"n": "0"}, step={"n": "n + a*x"}), "for": ["n in 1..", "low <= high", "v > 0"]},
        "new name",
    ),
    "a counterexample of an induction": ({**GROW, "fails": {"low": "0", "high": "1", "s": "1", "v": "1"}}, "a list"),
    "a condition in what an induction keeps": (grown(keeps=["v >= 0 if s > 0"]), "no `if`"),
    "a list that is a text": ({"says": "x <= 1"}, "a list"),
    "a number for a reading": ({"reading": 3}, "key reading: `reading` is a list of at most 60 tables: received 3"),
    "a number for further points": ({"also": 3}, "key also: `also` is a list"),
    "a number for words": ({"words": 3}, "key words: `words` is a list"),
    "a step of no correction": ({"true_step": ["x <= 1"]}, "key true_step: `true_step` needs `true`"),
    "a correction without rows": ({"correction": "x"}, "key correction: `correction` needs `true`"),
    "a reading without a key that the card does not have": (
        {"reading": [{"name": "r", "rests_on": "y", "without": ["also"]}]},
        "key without: the claim has no key 'also'",
    ),
    "a reading with a sentence of its own": (
        {"reading": [{"name": "r", "rests_on": "y", "printed": "z"}]},
        "unknown key 'printed'",
    ),
    "a number in a reading": ({"reading": [{"name": "r", "rests_on": 3}]}, "key rests_on: `rests_on` is a text"),
    "a text that is a list": ({"printed": ["x"]}, "a text"),
}


@every_case("name", UNREADABLE)
def test_a_card_that_cannot_be_read_is_named_with_line_and_key(name: str) -> None:
    changes, words = UNREADABLE[name]
    with pytest.raises(CardError) as found:
        judged(**changes)
    told = str(found.value)
    assert words in told
    assert "test.toml, line " in told
    assert len(told) < 700


# a card that can be read, and words of its defect, or of what is not proved (then it is only tested)
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a false statement": ({"says": ["x^2 <= x/2"]}, "give `fails` and `true`"),
    "false at one integer, a root": (
        {"for": ["n in 1.."], "says": ["(n - 4321)^2 > 0"], "false": ["(n - 4321)^2 < 0"]},
        "{n: 4321}",
    ),
    "false at one end": ({"says": ["x^2 < x if x > 0"]}, "give `fails` and `true`"),
    "an if that is never true": ({"says": ["x^2 <= x", "x^2 = 9 if x > 2"]}, "true at no point"),
    "an empty scope": ({"for": ["x > 1", "x < 0"]}, "no point"),
    "a scope without real points": ({"for": ["x^2 + 1 = 0"]}, "no point"),
    "a divisor that cancels": ({"says": ["x/x = 1"], "false": ["x/x = 2"]}, "undefined"),
    "a divisor inside a definition": (
        {"define": ["one(y) = y/y"], "says": ["one(x) = 1"], "false": ["one(x) = 2"]},
        "undefined",
    ),
    "a divisor of a divisor": ({"says": ["x/(1 + 1/x) <= 1"], "false": ["x/(1 + 1/x) <= 1/3"]}, "undefined"),
    "a divisor of a condition": ({"says": ["x <= 1 if 1/x >= 1"], "false": ["x <= 0"]}, "undefined"),
    "a divisor of the condition of a case": (
        {"says": ["(x if x/x = 1 else 1) <= 1"], "false": ["(x if x/x = 1 else 1) <= 1/2"]},
        "undefined",
    ),
    "a divisor of the condition of a case, with a hidden zero": (
        {
            "says": ["(x if (x^2 - 1/2)/(x^2 - 1/2) = 1 else 1) <= 1"],
            "false": ["(x if (x^2 - 1/2)/(x^2 - 1/2) = 1 else 1) <= 1/2"],
        },
        "a divisor is not 0",
    ),
    "a divisor of a step with a condition": ({"step": ["x <= 1 if 1/(x - 17/97) > 0"]}, "a divisor is not 0"),
    "a divisor of a split": ({"split": ["1/(x - 17/97) > 0"]}, "a divisor is not 0"),
    "a divisor that a derivative drops": (
        {
            "says": ["diff(x, x + 1/(y^2 - 1/2)) = 1"],
            "for": ["0 <= x <= 1", "0 <= y <= 1"],
            "false": ["diff(x, x + 1/(y^2 - 1/2)) = x"],
        },
        "a divisor is not 0",
    ),
    "a product with a factor whose zeros are not rational": (
        {"for": ["x real"], "says": ["(x^2 - 2)*(x - 1) = 0 iff x = 1"], "false": ["(x^2 - 2)*(x - 1) = 0 iff x = 2"]},
        "does not follow",
    ),
    "a divisor that is zero": ({"says": ["x/(2 - 2) <= 1"]}, "undefined"),
    "an induction with a false start": (grown(start={"s": "1", "v": "0"}), "give `fails` and `true`"),
    "an induction that keeps too little": (grown(keeps=["low*v <= s"]), "does not follow"),
    "an induction that keeps what no step keeps": (
        {**grown(step={"s": "s + a*x", "v": "v + 1"}, keeps=["v >= 0", "s <= high*v"]), "says": ["s/v <= high"]},
        "",
    ),
    "an induction over nothing": (grown(over=["a >= 0", "a < 0", "low <= x <= high"]), "no point"),
    "an induction whose start divides by 0": (
        {**grown(start={"s": "0", "v": "0*(x/x)"}), "for": ["0 <= x <= 1", "low <= high", "v > 0"]},
        "divides by 0",
    ),
    "an induction whose start divides by a hidden 0": (
        {
            **grown(start={"s": "0", "v": "0*1/(w^2 - 1/2)"}),
            "for": ["0 <= w <= 1", "low <= high", "v > 0"],
        },
        "a divisor is not 0",
    ),
    "an induction whose step divides by a hidden 0": (
        grown(step={"s": "s + a*x + 0*1/(x^2 - 1/2)", "v": "v + a"}),
        "a divisor is not 0",
    ),
    "a statement that is false after a list of 21 elements": (
        {
            "grow": {"over": ["x >= 0"], "start": {"n": "0"}, "step": {"n": "n + 1 + 0*x"}, "keeps": ["n >= 0"]},
            "for": ["0 <= y <= 1"],
            "says": ["n <= 20*(y + 1)"],
            "false": ["n <= y"],
        },
        "does not follow",
    ),
    "what is kept for lists of 20 elements only": (
        {
            "grow": {"over": ["x >= 0"], "start": {"n": "0"}, "step": {"n": "n + 1 + 0*x"}, "keeps": ["n <= 20"]},
            "for": ["0 <= y <= 1"],
            "says": ["n <= 20*(y + 1)"],
            "false": ["n <= y"],
        },
        "of a longer list",
    ),
    "a false statement on a list": ({**GROW, "says": ["s/v <= (low + high)/2"]}, "give `fails` and `true`"),
    "a false step": ({"step": ["x <= 1/2"]}, "not proved"),
    "a mutant that is true": ({"false": ["x^2 <= 2*x"]}, "is true at all points"),
    "a mutant of another statement": ({"false": ["x^3 <= -1"]}, "shares no side"),
    "a repair that is not needed": ({"assume": ["x <= 1/2"]}, "yet the card repairs it"),
    "a correction that is not needed": ({"true": ["x^2 <= x"], "fails": {"x": "1/2"}}, "yet the card repairs it"),
    "a counterexample where it is true": (
        {"says": ["x^2 <= x/2"], "fails": {"x": "1/4"}, "true": ["x^2 <= x"]},
        "true at the point of `fails`",
    ),
    "a correction false at an end": (
        {"says": ["x^2 <= x/2"], "fails": {"x": "3/4"}, "true": ["x^2 < x"]},
        "repaired statement",
    ),
    "a correction with an empty scope": (
        {"says": ["x^2 <= x/2"], "fails": {"x": "3/4"}, "true_for": ["x > 2"]},
        "no point",
    ),
    "an assumption that repeats the statement": (
        {"for": ["0 <= x <= 2"], "assume": ["x^2 <= x"]},
        "repeats the statement",
    ),
    "an assumption that is not needed": (
        {"for": ["0 <= x <= 2"], "assume": ["x <= 1", "x >= 0"]},
        "not needed beside the others",
    ),
    "an assumption that does not repair": ({"for": ["0 <= x <= 2"], "assume": ["x <= 3/2"]}, "repaired statement"),
    "thirty absolute values": ({"says": ["+".join(["abs(x - 1/2)"] * 30) + " <= 15"]}, ""),
    "a reading of the sentence itself": (
        {"reading": [{"name": "as it is", "rests_on": "$x^2\\le x$"}]},
        "other than the sentence",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_false_or_careless_card_is_not_proved(name: str) -> None:
    changes, words = REFUSED[name]
    outcome = judged(**changes)
    assert "proved" not in (outcome.evidence, outcome.correction_evidence), outcome
    told = " ".join((*outcome.problems, *outcome.unchecked_steps))
    assert told
    assert words in told


def test_a_counterexample_has_both_sides_of_its_row() -> None:
    example = judged(says=["x^2 <= x/2"], fails={"x": "3/4"}, true=["x^2 <= x"]).counterexample
    assert example is not None
    assert (str(example.theory), str(example.computed), example.relation) == ("3/8", "9/16", "at most that")
    assert example.working == "9/16 <= 3/8 is false\nso this is false: x^2 <= x/2"


def test_readings_have_verdicts_of_their_own() -> None:
    narrow = {"name": "up to 1", "rests_on": "Definition 1"}
    wide = {"name": "up to 2", "rests_on": "Definition 2", "for": ["0 <= x <= 2"]}
    wide |= {"fails": {"x": "2"}, "true_for": ["x <= 1"]}
    outcome = judged(reading=[narrow, wide])
    assert (outcome.verdict, outcome.evidence, outcome.problems) == ("depends-on-reading", "by reading", ())
    assert [each.verdict for each in outcome.readings] == ["holds", "fails"]


@cache
def cards() -> dict[str, Card]:
    """Return the cards of the registry; to read them takes half a second, which collection does without."""
    read = (read_cards(file.read_text(encoding="utf-8"), file.name) for file in FILES)
    return {name: card for each in read for name, card in each.items()}


NAMES = [
    f"{data['paper']}.{name}"
    for data in (tomllib.loads(file.read_text(encoding="utf-8")) for file in FILES)
    for name in data["card"]
]


def test_steps_in_words_are_argued() -> None:
    outcome = judged(words=["a limit is taken"])
    assert (outcome.verdict, outcome.evidence, outcome.unchecked_steps) == ("holds", "argued", ("a limit is taken",))


def test_a_case_that_no_point_meets_is_refuted() -> None:
    """Of example 1 of ziani: a relation that is proved there would have a certificate that says nothing."""
    for _, certificate in judge(cards()["ziani.example-1"]).certificates:
        assert not certificate.check().note or certificate.problem["left"] == "0"


def test_a_definition_that_is_tied_at_sizes_lowers_the_label() -> None:
    """Also where only another definition, an abbreviation or a reading uses it; a theorem of Coq does not lower it."""
    define = 'define = ["f(y) = y^2", "g(y) = f(y)", "h(y) = y"]\ntie = { f = "a.b: n = 1, 2", h = "theorem" }\n'
    reading = '[[card."one".reading]]\nname = "other"\nrests_on = "elsewhere"\n'
    for part, label in (("says = ['f(x) <= x']", AT_SHAPES), ("let = ['l = g(x)']\nsays = ['l <= x']", AT_SHAPES)):
        for more in ("", reading + "note = ''\n"):
            made = 'paper = "test"\n' + define + '[card."one"]\nprinted = "p"\nfor = ["0 <= x <= 1"]\n'
            outcome = judge(read_cards(f"{made}false = ['x^2 <= x/2']\n{part}\n{more}", "test.toml")["test.one"])
            assert (outcome.verdict, outcome.evidence) == ("holds", label)
            assert "n = 1, 2 (f, by a.b)" in outcome.scope
            assert outcome.label == "proved at sizes n = 1, 2 (f, by a.b)"
            assert all(each.evidence == label for each in outcome.readings)
    head = text(says=["h(x)^2 <= x"]).replace("define = []", define)
    assert judge(read_cards(head, "test.toml")["test.one"]).evidence == "proved"


def test_definitions_are_printed_with_their_ties_or_without() -> None:
    """Every tie is a theorem of Coq about the law; what has none is said to be read."""
    known = {each["theorem"] for each in json.loads((FOLDER / "coq" / "theorems.json").read_text())["theorems"]}
    ties = {theorem for card in cards().values() for theorem in card.told["tie"].values()}
    at_sizes = {tie for tie in ties if ":" in tie}
    assert ties - at_sizes <= known
    for tie in at_sizes:
        claim, _, sizes = tie.partition(":")
        entry = RECORD[claim]
        assert (entry["verdict"], entry["label"].startswith(AT_SHAPES)) == ("holds", True)
        first, last = map(int, re.findall(r"\d+", sizes))
        (proved,) = re.findall(r"\bn = ([\d, ]+)", entry["label"])
        assert {int(size) for size in proved.split(", ") if size} == set(range(first, last + 1))
    assert len(ties) >= 4
    lines = definition_lines(cards()["sun2023.figure-4"])
    assert any(line.startswith("definition (proved from the law") and "warner(odds, size)" in line for line in lines)
    assert any(line.startswith("definition (to be read)") and "modified(odds, p2, size)" in line for line in lines)
    assert "odds is e^epsilon" in lines


@pytest.mark.drawn(15)
@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_card_of_the_papers_is_false_only_where_its_record_says(name: str) -> None:
    """Without proofs: verdict, counterexample with its working, mutants; the proofs are drawn in tests/proofs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outcomes, "prove", lambda form, points: Proof())
        outcome, entry = judge(cards()[name]), RECORD[name]
    assert (outcome.problems, outcome.verdict) == ((), entry["verdict"])
    if outcome.verdict == "fails":
        assert outcome.counterexample is not None
        assert outcome.counterexample.working


@pytest.mark.drawn(3)
def test_a_file_of_cards_is_judged_without_an_installation(tmp_path, cli, cli_json) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text())
    (data,) = cli_json("verify", str(file))["claims"]
    assert (data["id"], data["verdict"], data["evidence"]) == ("test.one", "holds", "proved")
    tied = text(define=["f(y) = y^2"], says=["f(x) <= x"]).replace("[card", 'tie = { f = "no theorem" }\n[card', 1)
    file.write_text(tied)
    (data,) = cli_json("verify", str(file))["claims"]
    assert "by the Coq theorem no theorem, as the file says" in data["definitions"][0]
    file.write_text(text(says=["x^2 <= x/2"]))
    status, out, err = cli("verify", str(file))
    assert status == 1
    assert "test.one" in out
    assert "give `fails` and `true`" in err
    file.write_text(text(says=["x <= y"]))
    status, out, err = cli("verify", str(file))
    assert (status, out) == (2, "")
    assert "card 'one', key says" in err
    status, _, err = cli("verify", str(tmp_path / "none.toml"))
    assert status == 2
    assert "cannot be read" in err


def test_the_card_of_the_page_is_proved() -> None:
    page = Path(__file__).parents[2] / "docs" / "howto" / "add-a-claim.md"
    (block,) = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    (card,) = read_cards(block, "mine.toml").values()
    outcome = judge(card)
    assert (outcome.id, outcome.verdict, outcome.evidence) == ("mine.warner-parity", "holds", "proved")
