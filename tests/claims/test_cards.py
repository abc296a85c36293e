"""Cards: true ones are proved, false and careless ones are refused or not proved, and text is never run."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from card_texts import judge, judged, text
from every_case import every_case
from few_rows import few_rows
from shared_outcomes import record
from stored_cases import cases_of

import rropt_proofs
from rropt.claims import runner
from rropt.claims.cards import card_outcomes
from rropt.claims.cards.card_files import Card, CardError, read_cards
from rropt.claims.cards.card_outcomes import definition_lines
from rropt.claims.cards.judge import StatementProof
from rropt.claims.outcomes import AT_SHAPES, Outcome, value_text

FOLDER = Path(rropt_proofs.__path__[0])
FILES = sorted(FOLDER.glob("*/cards.toml"))
RECORD = record()
STORED = cases_of(__file__)
LONG = {  # texts that are too long for a file
    "deep brackets": ("(" * 900 + "x" + ")" * 900 + " <= 1", "no expression"),
    "a long chain": ("+".join(["x"] * 1500) + " <= 1", ""),
    "powers of long numbers": (f"({'9' * 40}*x)^60*({'9' * 40}*x)^60 <= 1", "too large"),
    "a long number": ("x <= " + "9" * 100, "no expression"),
}
UNREADABLE = STORED["unreadable"] | {name: {"says": [says], "told": told} for name, (says, told) in LONG.items()}


def outcome_of(row: dict[str, Any]) -> Outcome:
    """Return the outcome of the default card with the changes of a row."""
    changes = {key: value for key, value in row.items() if key not in ("verdict", "told", "leaves_out")}
    return judged(**changes, **dict.fromkeys(row.get("leaves_out", ())))


@few_rows(7)
@pytest.mark.parametrize("name", STORED["true"])
def test_a_true_card_is_proved(name: str) -> None:
    """The form that is true is proved."""
    row = STORED["true"][name]
    outcome = outcome_of(row)
    assert (outcome.verdict, outcome.problems, outcome.unchecked_steps) == (row["verdict"], (), ())
    assert (outcome.correction_evidence or outcome.evidence) == "proved"
    assert all(proof.check() for _, proof in outcome.certificates)


@every_case("name", UNREADABLE)
def test_a_card_that_cannot_be_read_is_named_with_line_and_key(name: str) -> None:
    with pytest.raises(CardError) as found:
        outcome_of(UNREADABLE[name])
    told = str(found.value)
    assert UNREADABLE[name]["told"] in told
    assert "test.toml, line " in told
    assert len(told) < 700


@few_rows(5)
@pytest.mark.parametrize("name", STORED["refused"])
def test_a_false_or_careless_card_is_not_proved(name: str) -> None:
    row = STORED["refused"][name]
    outcome = outcome_of(row)
    assert "proved" not in (outcome.evidence, outcome.correction_evidence), outcome
    example = () if outcome.counterexample is None else (value_text(outcome.counterexample.point),)
    told = " ".join((*outcome.problems, *outcome.unchecked_steps, *outcome.remarks, *example))
    assert told
    assert row["told"] in told


@few_rows(1)
@pytest.mark.parametrize(
    ("scope", "divisor", "told"),
    [
        (["0 <= x <= 1"], "x - 1/3", "undefined at x = 1/3"),
        (["0 <= x <= 1"], "x^2 - 1/2", "where a divisor is 0"),  # an irrational zero, which no point of a sweep is
        (["0 < x < 1", "0 < y < 1", "x + y = 1"], "x - 1/3", "undefined at x = 1/3"),
        (["0 <= x <= 1", "0 <= y <= 1"], "x + y - 13/17", "undefined at x = "),
        (["n in 2..", "0 <= x <= 1"], "x - 1/(n + 5)", "undefined at n = "),
        (["x real"], "x^3 - 2", "where a divisor is 0"),
        (["x real", "x > 0"], "(x^4 - 3)^2", "where a divisor is 0"),
        (["0 < x < 1", "y real", "x^2 + y^2 <= 1"], "x^3 - y^2", "where a divisor is 0"),
    ],
)
def test_a_hole_of_the_scope_is_refused(scope: list[str], divisor: str, told: str) -> None:
    outcome = judged(**{"for": scope}, says=[f"({divisor})/({divisor}) = 1"], false=[f"({divisor})/({divisor}) = 2"])
    assert outcome.verdict == "error"
    assert told in outcome.problems[0]


def test_a_hole_of_a_branch_is_refused() -> None:
    """The divisor has a zero between 0 and 1/2, where its branch is taken, and none between 1/2 and 1."""
    for branch, verdict in (("x <= 1/2", "error"), ("not (x <= 1/2)", "holds")):
        says = f"((x^3 - 1/20)/(x^3 - 1/20) if {branch} else 1)"
        outcome = judged(**{"for": ["0 < x < 1"]}, says=[f"{says} = 1"], false=[f"{says} = 2"])
        assert outcome.verdict == verdict


def test_a_divisor_that_jumps_is_not_0_in_between() -> None:
    outcome = judged(
        **{"for": ["0 < x < 1"]}, says=["1/(1 if x > 1/2 else -1) <= 1"], false=["1/(1 if x > 1/2 else -1) < 1"]
    )
    assert (outcome.verdict, outcome.problems) == ("holds", ())


@few_rows(1)
@pytest.mark.parametrize("scope", [["x != 1/2", "0 <= x <= 1"], ["n in 0..", "x = n", "0 <= x"]])
def test_a_divisor_may_change_its_sign_where_the_scope_has_no_zero(scope: list[str]) -> None:
    outcome = judged(**{"for": scope}, says=["(x - 1/2)/(x - 1/2) = 1"], false=["(x - 1/2)/(x - 1/2) = 2"])
    assert (outcome.verdict in ("holds", "not-refuted"), outcome.problems) == (True, ())


def test_several_equations_leave_a_point() -> None:
    scope = ["a + b + c = 1", "a = b", "b = c", "a >= 0", "b >= 0", "c >= 0"]
    outcome = judged(**{"for": scope}, says=["a*b*c = 1/27"], false=["a*b*c = 1/26"])
    assert (outcome.verdict, outcome.evidence, outcome.points) == ("holds", "proved", 1)


def test_a_counterexample_has_both_sides_of_its_row() -> None:
    example = judged(says=["x^2 <= x/2"], fails={"x": "3/4"}, true=["x^2 <= x"]).counterexample
    assert example is not None
    assert (str(example.theory), str(example.computed), example.relation) == ("3/8", "9/16", "at most that")
    assert example.working == "9/16 <= 3/8 is false\nso this is false: x^2 <= x/2"
    assert judged(**{"for": ["0 <= x <= 2"]}, assume=["x <= 1"]).assumption == "x <= 1"


def test_a_correction_says_where_its_rows_are_true() -> None:
    """A card whose rows are true in a smaller scope states them there; `true` and `correction` come before."""
    wide = {"for": ["0 <= x <= 2"], "says": ["x^2 <= x"], "fails": {"x": "2"}, "true_for": ["x <= 1"]}
    assert judged(**wide).correction == "for x <= 1: x^2 <= x"
    assert judged(**wide, true=["x^2 <= x", "x^3 <= x"]).correction == "for x <= 1: x^2 <= x; x^3 <= x"
    assert judged(**wide, correction="Only up to one.").correction == "Only up to one."


def test_a_counterexample_alone_is_a_refutation() -> None:
    outcome = judged(**{"for": ["0 <= x <= 2"]}, fails={"x": "7/4"})
    assert (outcome.verdict, outcome.evidence, outcome.correction) == ("fails", "refuted", "")
    assert outcome.counterexample is not None
    assert outcome.counterexample.to_dict()["point"] == {"x": "7/4"}  # the one that is given, not the simplest


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


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("theorem-3.1-proof", ", Theorem 3.1"),
        ("sec-3.1-covariance", ", section 3.1"),
        ("eq-7", ", equation (7)"),
        ("theorem-3-1", ""),  # 3.1 or 3
        ("theorem-4.4a", ""),
        ("table-s2", ""),
        ("warner-parity", ""),
    ],
)
def test_the_place_of_a_card_is_read_from_its_id(name: str, place: str) -> None:
    (card,) = read_cards(text().replace('"one"', f'"{name}"'), "test.toml").values()
    assert card.texts["source"] == f"test{place}"
    stated = text(source="page 5").replace('"one"', f'"{name}"')
    (card,) = read_cards(stated, "test.toml").values()
    assert card.texts["source"] == "test, page 5"


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), MemoryError(), KeyError("x")], ids=repr)
def test_an_unexpected_error_of_a_card_is_named_with_its_type(error: Exception, monkeypatch) -> None:
    def fail(_: Card) -> Outcome:
        raise error

    monkeypatch.setattr(runner, "outcome_of", fail)
    outcome = judged()
    assert (outcome.verdict, outcome.problems) == ("error", (f"{type(error).__name__}: {error}",))


def test_steps_in_words_are_argued() -> None:
    outcome = judged(words=["a limit is taken"])
    assert (outcome.verdict, outcome.evidence, outcome.unchecked_steps) == (
        "not-refuted",
        "argued",
        ("a limit is taken",),
    )


@pytest.mark.parametrize(("most", "verdict"), [(2, "not-refuted"), (400, "holds")])
def test_the_work_of_a_card_is_counted(most: int, verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not timed: where the products of a card are spent its verdict is the same on each machine, with the reason."""
    from rropt.claims.positivity import prover

    monkeypatch.setattr(prover, "_MOST_WORK", most)
    square = ["0 <= x <= 1", "0 <= y <= 1"]
    row = {"says": ["2*x*y + 1 >= x + y"], "false": ["2*x*y + 1 >= x + y + 1/10"]}
    for scope in (square, [*square, "n in 1..3"]):  # the cases of an integer share the work
        outcome = judged(**{"for": scope}, **row)
        assert outcome.verdict == verdict
        assert any("the work of a card, 2 products, is spent" in step for step in outcome.unchecked_steps) == (
            most == 2
        )


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


@few_rows(1)
@pytest.mark.parametrize("name", sorted(NAMES))
def test_a_card_of_the_papers_is_false_only_where_its_record_says(name: str) -> None:
    """Without proofs: verdict, counterexample with its working, mutants; tests/registry has the proofs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(card_outcomes, "prove", lambda form, points: StatementProof())
        outcome, entry = judge(cards()[name]), RECORD[name]
    assert (outcome.problems, outcome.verdict) == ((), entry["verdict"])
    if outcome.verdict == "fails":
        assert outcome.counterexample is not None
        assert outcome.counterexample.working


@pytest.mark.slow
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
    assert "1 fails" in out
    assert out.endswith("\nevidence: 1 refuted\n")
    assert "give `fails` and `true`" in err
    (data,) = json.loads(cli("verify", str(file), "--json")[1])["claims"]
    assert (data["verdict"], data["evidence"], data.get("problems", [])) == ("fails", "refuted", [])
    assert data["counterexample"]["point"]
    file.write_text(text(says=["x <= y"]))
    status, out, err = cli("verify", str(file))
    assert (status, out) == (2, "")
    assert "card 'one', key says" in err
    status, _, err = cli("verify", str(tmp_path / "none.toml"))
    assert status == 2
    assert "cannot be read: No such file or directory; give the name of a file that can be read" in err


def test_the_card_of_the_page_is_proved() -> None:
    page = Path(__file__).parents[2] / "docs" / "howto" / "add-a-claim.md"
    blocks = re.findall(r"```toml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    true, false = map(judge, read_cards("\n".join(blocks[:2]), "mine.toml").values())
    assert (true.id, true.verdict, true.evidence) == ("mine.warner-parity", "holds", "proved")
    assert (false.id, false.verdict) == ("mine.warner-parity-of-any-p", "fails")
