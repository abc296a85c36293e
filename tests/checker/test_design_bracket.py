"""The statement design-bracket: translated files, files built for one condition, forgeries, degenerate problems."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from time import process_time
from typing import Any

import pytest
from boundary import oracle
from brackets import forger, witnesses
from brackets.translation import in_format_1, translated
from vectors import vectors

from rropt.checker import check_text
from rropt.checker.conformance.suite import FOLDER, read_lines
from rropt.checker.verdicts import explain_text

RULES = ("rays", "pattern", "saddle", "linear-programme")
# what a file of format 1 violates and its translation does not have: keys of the record, M^-1, METHOD, F, `rounded`
GONE = ("the format is unknown", "has a key that the page does not name")


def judge(document: Any) -> Any:
    verdict = check_text(json.dumps(document))
    assert "unforeseen" not in verdict.reason, (verdict.reason, document)
    return verdict


@cache
def files() -> list[tuple[str, Any, str, str]]:
    """Return rule, file, expected verdict and truth of the vectors and boundary files of the four rules."""
    found = []
    for rule in RULES:
        for vector in vectors(rule):
            if "certificate" in vector and not vector["reason"].endswith(GONE):
                found.append((rule, vector["certificate"], vector["verdict"], ""))
    cases = read_lines(FOLDER / "cases.jsonl")
    for entry in read_lines(FOLDER / "witnesses.jsonl"):
        if entry["rule"] in RULES:
            case = cases[entry["case"] - 1]
            document = {"format": "rropt-certificate/1", "problem": case["problem"], "claim": case["claim"]}
            document["witness"] = {"rule": entry["rule"], **entry["witness"]}
            found.append((entry["rule"], document, entry["expected"], case["truth"]))
    return [each for each in found if each[1]["claim"].get("kind") == "design-bracket"]


def test_what_format_1_proves_format_2_proves(size: Callable[[int, int], int]) -> None:
    """Each accepted file is accepted in translation, and no translation of a false claim is."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for rule, document, expected, truth in files()[:: size(7, 1)]:
        try:
            made = translated(document)
        except (
            KeyError,
            AssertionError,
            ValueError,
            TypeError,
            AttributeError,
            IndexError,
            ZeroDivisionError,
            StopIteration,
        ):
            assert expected == "rejected", document
            continue
        verdict = judge(made)
        assert verdict or expected == "rejected", (verdict.reason, made)
        if verdict:
            assert truth != "false", made
        counts[rule, expected, bool(verdict)] += 1
    assert {rule for rule, expected, verdict in counts if expected == "accepted"} == set(RULES)
    assert sum(counts[rule, "rejected", False] for rule in RULES) > 200


@cache
def accepted() -> list[Any]:
    """Return accepted files that are read in a moment."""
    found = [made for each in witnesses.honest_files() if judge(made := each)]
    for rule, document, expected, _ in files()[::11]:
        if expected == "accepted" and len(json.dumps(document)) < 4000 and rule in RULES:
            found.append(translated(document))
    random.Random(3).shuffle(found)
    return found


def test_built_files() -> None:
    for document in witnesses.honest_files():
        assert judge(document), document
    for _, text in witnesses.texts():
        assert not judge(json.loads(text)), text


def test_built_files_are_false() -> None:
    """The oracle of the statement, which reads no proof, calls the claims false wherever it decides them."""
    decided = 0
    for document in witnesses.false_files():
        stated = in_format_1(document)
        if stated is not None and not (
            isinstance(stated[0]["population"], dict) and "mixture" in stated[0]["population"]
        ):
            try:
                truth = oracle.truth(*stated)
            except (ValueError, ZeroDivisionError):
                continue
            assert truth is not True, document
            decided += truth is False
    assert decided >= 15


def test_forgeries_are_rejected(size: Callable[[int, int], int]) -> None:
    for document in forger.forgeries(accepted(), size(500, 40_000), 1):
        assert not judge(document), document


def test_altered_files_that_are_accepted_are_true(size: Callable[[int, int], int]) -> None:
    rng, truths = random.Random(5), Counter()
    two = [each for each in accepted() if each["problem"]["inputs"] == "2"]
    for _ in range(size(600, 40_000)):
        try:
            made = forger.altered(rng.choice(two), two, rng)
        except (IndexError, KeyError, TypeError, AttributeError, ValueError):
            continue  # an earlier change took the place of a later one away
        if judge(made) and (stated := in_format_1(made)) is not None:
            truth = oracle.truth(*stated)
            assert truth is not False, made
            truths[truth] += 1
    assert truths[True] > 15


def degenerate() -> Iterator[tuple[Any, bool]]:
    """Iterate over files at the edge of what a problem may be, with their verdicts."""
    total = witnesses.total_variation
    one = [["1", "1"]]
    # no level at all: the truth may be told
    yield total(("1", "1"), levels=[], mechanism=witnesses.IDENTITY, proof={"alpha": ["1/2", "1/2"]}), True
    yield total(("0", "1/2"), levels=[], mechanism=one, proof={"alpha": ["1/4", "1/4"]}), False
    # gamma = 1: the output says nothing
    yield total(("0", "0"), levels=[witnesses.level(1)], mechanism=one, proof={"alpha": ["0", "0"]}), True
    yield total(("0", "0"), levels=[witnesses.level(1)], proof={"alpha": ["0", "0"]}), False
    # delta = 1: no condition; a level of delta 1 beside one of delta 0 changes nothing
    yield (
        total(("1", "1"), levels=[witnesses.level(2, "1")], mechanism=witnesses.IDENTITY, proof={"alpha": ["1/2"] * 2}),
        True,
    )
    yield total(("1/2", "1/2"), levels=[witnesses.level(3), witnesses.level(2, "1")]), True
    yield total(("1/4", "1/4"), levels=[witnesses.level(3), witnesses.level(2, "1")], mechanism=one), False
    # gamma = 1, delta = 1/4: the total variation is delta
    slopes = [["0", "0", "1", "1/2"], ["0", "1", "0", "1/2"]]
    four = [["1/4", "0"], ["0", "1/4"], ["3/4", "3/4"]]
    yield (
        total(
            ("1/4", "1/4"),
            levels=[witnesses.level(1, "1/4")],
            mechanism=four,
            proof={"alpha": ["0", "0"], "slopes": slopes},
        ),
        True,
    )
    # one pair only; and all pairs, listed
    yield total(("1/2", "1/2"), levels=[witnesses.level(3, "0", [["0", "1"], ["1", "0"]])]), True
    yield total(("1/2", "1/2"), levels=[witnesses.level(3, "0", [["0", "1"]])]), False
    # the same distribution twice: nothing is apart; a share of 0
    equal = total(("0", "0"), proof={"alpha": ["0", "0"]})
    equal["problem"]["population"] = ["0", "1"]
    yield equal, True
    # zero contrasts, zero vectors, repeated rows and outputs of chance 0
    zero = witnesses.variance(("0", "1"), vectors=[[["0", "0"]]])
    yield zero, True
    yield witnesses.variance(("1/100", "1"), vectors=[[["0", "0"]]]), False
    rows = [["3/8", "1/8"], ["3/8", "1/8"], ["1/8", "3/8"], ["1/8", "3/8"], ["0", "0"]]
    twice = witnesses.variance(estimators=[[["-1/2", "-1/2", "3/2", "3/2", "7"]]])
    twice["claim"]["mechanism"]["matrix"] = rows
    yield twice, True
    # one contrast is 0, the other is not; a contrast of equal entries has no variance
    both = {"alpha": ["1/2", "1/2"], "vectors": [[["-1", "1"], ["0", "0"]]]}
    both["estimators"] = [[["-1/2", "3/2"], ["0", "0"]]]
    listed = {"kind": "contrasts", "contrasts": [["0", "1"], ["0", "0"]]}
    yield witnesses.file(listed, witnesses.HALF, ("1", "1"), witnesses.WARNER, both), True
    equal = {"kind": "c-optimal", "contrast": ["1", "1"]}
    proof = {"alpha": ["1", "1"], "vectors": [[["-1", "1"]]], "estimators": [[["1"]]]}
    yield witnesses.file(equal, witnesses.HALF, ("0", "0"), one, proof), True
    yield witnesses.file(equal, witnesses.HALF, ("1/9", "1/9"), one, proof), False
    # the bounds leave one mechanism
    fixed = witnesses.trace()
    fixed["problem"]["bounds"] = {"least": witnesses.WARNER, "most": witnesses.WARNER}
    fixed["proof"] |= {"alpha": ["0", "0"], "limits": witnesses.IDENTITY}
    yield fixed, True
    crossed = deepcopy(fixed)
    crossed["problem"]["bounds"]["least"] = [["1", "1"], ["1", "1"]]  # above most: there is no mechanism
    yield crossed, False
    # a mixture of one distribution is that distribution
    single = total(("1/2", "1/2"))
    single["problem"]["population"] = {"mixture": [{"weight": "1", "shares": ["1", "0"]}]}
    yield single, True
    mixed = witnesses.variance()
    parts = [{"weight": "1/2", "shares": witnesses.HALF}] * 2
    mixed["problem"]["population"] = {"mixture": parts}
    mixed["proof"] |= {key: mixed["proof"][key] * 2 for key in ("vectors", "estimators")}
    yield mixed, True
    mixed = deepcopy(mixed)
    mixed["proof"]["vectors"].pop()
    yield mixed, False


@pytest.mark.parametrize(("document", "truth"), list(degenerate()))
def test_degenerate_problems(document: Any, truth: bool) -> None:
    verdict = judge(document)
    assert bool(verdict) is truth, verdict.reason
    if truth:
        assert explain_text(json.dumps(document))[1]


def test_explanations_name_the_ends_and_the_levels() -> None:
    texts = set()
    for document in accepted():
        verdict, lines = explain_text(json.dumps(document))
        assert verdict
        assert any(line.startswith("proved: ") for line in lines)
        assert sum(line.startswith("level ") for line in lines) == min(len(document["problem"]["levels"]), 6)
        texts.add("\n".join(lines))
    assert len(texts) > 20


def _large(k: int, **parts: Any) -> Any:
    """Return a total variation over many inputs: the rays of one level are not listed."""
    shares = [["1", *["0"] * (k - 1)], [*["0"] * (k - 1), "1"]]
    objective = {"kind": "total-variation", "against": shares[1]}
    alpha = ["1/4", *["0"] * (k - 2), "1/4"]
    rows = [["3/4", *["1/4"] * (k - 1)], ["1/4", *["3/4"] * (k - 1)]]
    return witnesses.file(
        objective, shares[0], ("1/2", "1/2"), rows, {"alpha": alpha}, problem={"inputs": str(k)}, **parts
    )


def test_many_inputs() -> None:
    assert judge(_large(3000))
    start = process_time()
    for k in (1500, 20_000):
        for levels in ([], [witnesses.level(3, "1/4")], [witnesses.level(3), witnesses.level(2)]):
            assert not judge(_large(k, levels=levels))
    squares = _large(19)
    squares["problem"]["objective"]["kind"] = "chi-square"
    squares["problem"]["objective"]["against"] = [str(Fraction(1, 19))] * 19
    assert "19 inputs are not listed" in judge(squares).reason
    assert process_time() - start < 20
