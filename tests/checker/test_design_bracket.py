"""The statement design-bracket: translated files, files built for one condition, forgeries, degenerate problems."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from boundary import oracle
from brackets import forger, witnesses
from brackets.translation import RULES, files, in_format_1, translated
from vectors import vectors

from rropt.checker import check_text
from rropt.checker.verdicts import explain_text


def judge(document: Any) -> Any:
    verdict = check_text(json.dumps(document))
    assert "unforeseen" not in verdict.reason, (verdict.reason, document)
    return verdict


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
    found += [vector["certificate"] for vector in vectors("design-bracket") if vector["verdict"] == "accepted"][::4]
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


@pytest.mark.parametrize(("document", "truth"), list(witnesses.degenerate()))
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
    for k in (1500, 20_000):
        for levels in ([], [witnesses.level(3, "1/4")], [witnesses.level(3), witnesses.level(2)]):
            assert not judge(_large(k, levels=levels))
    squares = _large(19)
    squares["problem"]["objective"]["kind"] = "chi-square"
    squares["problem"]["objective"]["against"] = [str(Fraction(1, 19))] * 19
    assert "19 inputs are not listed" in judge(squares).reason
