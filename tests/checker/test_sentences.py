"""One sentence for one claim: every value of problem and claim is printed, and no two claims have one sentence."""

from __future__ import annotations

import json
import operator
import random
import re
from copy import deepcopy
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from adversary.stored import cases
from adversary.writing import Path as Position
from adversary.writing import put, walk
from every_case import every_case
from javascript import judge
from vectors import FOLDER

import rropt
from rropt.checker import check_file, check_text, sentences
from rropt.checker.__main__ import guarded
from rropt.checker.conformance import suite_files, vector_files
from rropt.checker.sentences import UnstatedError, sentence
from rropt.checker.verdicts import _STATEMENTS, state_text

ACCEPTED = [json.loads(file.text) for file in [*suite_files(), *vector_files(FOLDER)] if file.accepted]
ACCEPTED += [case["certificate"] for case in cases() if case["verdict"] == "accepted"]
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:/\d+)?(?![\w.])")


FIRST = {document["statement"]: document for document in reversed(ACCEPTED)}


def texts_of(document: Any) -> list[Position]:
    """Return the positions of all texts."""
    return [path for path, value in walk(document) if isinstance(value, str)]


def test_no_two_claims_have_one_sentence() -> None:
    """Over all vectors and boundary files; the sentence depends on problem and claim alone."""
    assert set(FIRST) == set(_STATEMENTS)
    said: dict[str, str] = {}
    for document in ACCEPTED:
        claim = json.dumps([document["statement"], document["problem"], document["claim"]], sort_keys=True)
        assert said.setdefault(sentence(document), claim) == claim
    assert len(said) > 2000


@every_case("name", sorted(FIRST))
def test_another_value_is_another_sentence(name: str) -> None:
    """Each text of problem and claim is changed alone: the sentence changes, or there is none."""
    rng = random.Random(name)
    for document in rng.sample([each for each in ACCEPTED if each["statement"] == name], 3):
        before, tried = sentence(document), 0
        listed = [path for path in texts_of(document) if path[0] in ("problem", "claim")]
        for path in rng.sample(listed, min(60, len(listed))):
            at = document
            for key in path:
                at = at[key]
            changed = put(document, path, f"{at}7" if at[-1:].isdigit() else "unheard-of")
            try:
                assert sentence(changed) != before, path
            except UnstatedError:
                assert not at[-1:].isdigit(), path
            tried += 1
        assert tried


@every_case("name", sorted(FIRST))
def test_an_unknown_kind_or_value_is_an_error(name: str) -> None:
    document = FIRST[name]
    for path in texts_of(document):
        if path[0] in ("problem", "claim") and path[-1] == "kind" and len(path) > 2:
            with pytest.raises(UnstatedError, match="without words"):
                sentence(put(document, path, "unheard-of"))
    for part in ("problem", "claim"):
        with pytest.raises(UnstatedError, match="does not print"):
            sentence({**document, part: {**document[part], "note": "epsilon = 0"}})
    with pytest.raises(UnstatedError, match="without words"):
        sentence({**document, "statement": "unheard-of"})


@pytest.mark.parametrize(("value", "word"), [(None, "none"), (True, "yes"), (False, "no")])
def test_an_error_names_the_value_without_words(value: bool | None, word: str) -> None:
    with pytest.raises(UnstatedError, match=f"a kind without words: level, {word}$"):
        sentence(put(FIRST["composition"], ("problem", "epsilon"), value))


def test_all_numbers_stand_in_the_file() -> None:
    for document in ACCEPTED[::10]:
        text = json.dumps({part: document[part] for part in ("problem", "claim")})
        made = r"SHA-256 \w+|about \S+|of \d+ \w+|\d+ columns|\d+ in all|p00|p11|[>^] \d"
        words = re.sub(made, "", sentence(document))
        constants = set(NUMBER.findall(json.dumps(sentences._table())))
        for number in NUMBER.findall(words):
            assert number in text or number in constants, (number, words)


def test_long_values_are_named_by_their_hash_and_printed_in_full() -> None:
    identity = deepcopy(FIRST["polynomial"])
    long = "1" * 3000
    identity["problem"] |= {"left": long, "right": {"sum": ["x"] * 2000}}
    short, full = sentence(identity), sentence(identity, full=True)
    assert "about 1.11111111111111e2999 (SHA-256 " in short
    assert "of 8" not in full
    assert len(short) < 400
    assert long in full
    assert full.count("x") >= 2000
    other = sentence(put(identity, ("problem", "left"), "1" * 2999 + "2"))
    assert other != short
    assert other.partition("(SHA")[0] == short.partition("(SHA")[0]


@pytest.mark.parametrize(
    ("number", "digits"),
    [
        ("1/3", "3.33333333333333e-1"),
        ("-2000/3", "-6.66666666666666e2"),
        ("10", "1.00000000000000e1"),
        ("7/7000", "1.00000000000000e-3"),
    ],
)
def test_decimals_are_cut_off(number: str, digits: str) -> None:
    assert sentences._decimal(number) == digits


def test_a_file_without_words_is_rejected_by_every_way_to_ask(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shortest = min((one for one in ACCEPTED if one["statement"] == "composition"), key=lambda one: len(str(one)))
    text, file = json.dumps(shortest), tmp_path / "c.json"
    file.write_text(text)
    assert state_text(text)[1][0] == sentence(shortest)
    table = {**sentences._table(), "statement": {}}
    monkeypatch.setattr(sentences, "_table", lambda: table)
    verdict, lines = state_text(text)
    assert (bool(verdict), lines) == (False, [])
    assert "a statement without words" in verdict.reason
    assert check_text(text) == check_file(file) == rropt.check(text) == verdict
    for options in ([], ["--quiet"], ["--full"]):
        assert guarded([*options, str(file)]) == 3
        assert capsys.readouterr().out.startswith(f"{file}: rejected: the checker met an unforeseen error")


def test_the_module_prints_the_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "c.json"
    file.write_text(json.dumps(FIRST["infeasible"]))
    assert guarded([str(file), str(tmp_path / "none")]) == 2
    assert capsys.readouterr().out == f"{file}: accepted: {sentence(FIRST['infeasible'])}\n"
    assert guarded(["--quiet", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: accepted\n"
    assert guarded(["--full", str(file)]) == 0
    assert guarded(["--full"]) == 2


def test_b_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from rropt.checker import brackets

    calls = []
    prove = brackets.check_parity_bound
    monkeypatch.setattr(brackets, "check_parity_bound", lambda *parts: (calls.append(1), prove(*parts))[1])
    document = next(each for each in ACCEPTED if '"infimum"' in json.dumps(each.get("proof")))
    verdict, lines = state_text(json.dumps(document))
    assert "rational tier" in verdict.note
    assert "criterion with posteriors at most" in lines[0]
    assert calls == [1]


def test_a_vacuous_statement_is_called_so() -> None:
    """Contradictory hypotheses prove anything: without a point of the domain the verdict says so."""
    listed = [each for each in ACCEPTED if each["statement"] == "polynomial" and each["proof"]["point"] is None]
    notes = {state_text(json.dumps(each))[0].note for each in listed}
    assert "vacuous unless the domain has a point: none is given" in notes


def _polynomial(hypotheses: Any, left: Any, right: Any, relation: str, proof: Any) -> str:
    """Return the verdict and the sentence of a statement about x, and require that JavaScript accepts it too."""
    text = json.dumps(
        {
            "format": "2",
            "statement": "polynomial",
            "problem": {"parameters": ["x"], "hypotheses": hypotheses, "left": left, "right": right},
            "claim": {"relation": relation},
            "proof": {"way": "handelman" if relation != "=" else "identity", **proof, "point": None},
        }
    )
    found, lines = state_text(text)
    assert judge(text) is None
    return f"{found}: {lines[0]}"


def test_an_empty_domain_is_a_statement() -> None:
    """A proof of 0 > 0 says that its hypotheses contradict each other: that is no vacuous statement."""
    x = [{"polynomial": "x", "relation": ">"}, {"polynomial": {"negative": "x"}, "relation": ">"}]
    both = [{"coefficient": "1", "powers": [["1", "1"]]}, {"coefficient": "1", "powers": [["0", "1"]]}]
    told = _polynomial(x, "0", "0", ">", {"terms": both})
    assert (
        told
        == "accepted (no point satisfies the hypotheses together): For all parameters [x] with x > 0, -x > 0: 0 > 0."
    )
    true = [{"coefficient": "1", "powers": []}]
    assert "vacuous unless" in _polynomial(x, "1", "0", ">", {"terms": true})
    zero = [{"polynomial": "1", "relation": "="}]
    assert "no point satisfies" in _polynomial(zero, "2", "0", "=", {"cofactors": ["2"]})
    assert "vacuous unless" in _polynomial(zero, "x", "0", "=", {"cofactors": ["x"]})


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ({"sum": ["a", {"negative": "b"}, "-2", {"negative": {"sum": ["a", "1"]}}]}, "a - b - 2 - (a + 1)"),
        ({"product": ["-2", {"sum": ["a", "b"]}, {"negative": "a"}]}, "(-2) * (a + b) * (-a)"),
        ({"negative": {"product": ["a", {"power": ["b", "2"]}]}}, "-a * b^2"),
        ({"quotient": [{"product": ["a", "b"]}, {"sum": ["a", "-1"]}]}, "(a * b)/(a - 1)"),
        ({"power": ["1/2", {"negative": "a"}]}, "(1/2)^(-a)"),
        ({"minimum": ["1", {"sqrt": {"sum": [{"negative": "a"}, "b"]}}]}, "minimum(1, sqrt(-a + b))"),
        ({"sum": ["a", {"sum": [{"negative": "b"}, "1"]}]}, "a - b + 1"),
    ],
)
def test_expressions_are_printed_as_mathematics(tree: Any, text: str) -> None:
    values = {"a": Fraction(3, 7), "b": Fraction(5, 11)}
    found = sentences._expression(tree)[0]
    assert found == text
    if "sqrt" not in text and "(1/2)" not in text:  # Python reads the printed text as the tree means it
        assert eval(found.replace("^", "**"), {}, values) == _value(tree, values)


def _value(tree: Any, values: Any) -> Any:
    if isinstance(tree, str):
        return values[tree] if tree in values else Fraction(tree)
    ((key, parts),) = tree.items()
    if key == "negative":
        return -_value(parts, values)
    first, *others = [_value(part, values) for part in parts]
    work = {"sum": operator.add, "product": operator.mul, "quotient": operator.truediv, "power": operator.pow}[key]
    return reduce(work, others, first)


@pytest.mark.parametrize(
    ("names", "fits", "printed"),
    [
        (["a"], True, set()),
        (["a", "b"], True, {("x", "a"), ("x", "b")}),
        (["a", "c"], False, set()),  # another value
        (["a", "d"], False, set()),  # no such key
        (["d", "a"], False, set()),
    ],
)
def test_equal_keys_are_printed_together_and_unequal_ones_are_not(names: list[str], fits: bool, printed: set) -> None:
    printer = sentences._Printer(set(), full=True)
    assert printer.has_equal(names, {"a": "1", "b": "1", "c": "2"}, ("x",)) is fits
    assert printer.printed == printed
