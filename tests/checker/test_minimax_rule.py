"""Rule 21: the library's own file with one thing changed, long numbers, and what is refused for its size."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from adversary.asking import ask
from fuzz import risks
from fuzz.weakened import Weakening, survivors
from javascript import judge

from rropt.checker import documents
from rropt.designs.minimax_risk import minimax_risk

CATCHING = (
    "another estimator, nearly its risk",
    "a risk above",
    "above the Bayes risk",
    "few bits, a risk above",
    "few bits, above the Bayes risk",
)


@cache
def found() -> Any:
    """The library's own certificate, made when a test first asks for it."""
    return minimax_risk("log(5)", 6).certificate


def changed(part: str, **values: Any) -> str:
    document = deepcopy(found().to_dict())
    document[part].update(values)
    return json.dumps(document)


def test_both_checkers_accept_what_the_library_writes() -> None:
    assert found().check()
    assert judge(found().text) is None


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_an_end_a_little_inside_is_refused(end: str) -> None:
    claim = found().claim
    factor = Fraction(1) + Fraction(1 if end == "lower" else -1, 10**9)
    text = changed("claim", **{end: str(Fraction(claim[end]) * factor)})
    verdict = ask(text).verdict
    assert not verdict
    assert end in verdict.reason
    assert judge(text) is not None


def test_few_bits_prove_less_and_never_more() -> None:
    """With few bits the roundings are coarse: wide ends are proved, the true ones are not."""
    wide = {"lower": "0", "upper": "1"}
    for bits in (0, 4, 8, 20):
        text = changed("witness", bits=str(bits))
        assert not ask(text).verdict
        assert judge(text) is not None
    both = deepcopy(found().to_dict())
    both["claim"].update(wide)
    both["witness"]["bits"] = "12"
    assert ask(json.dumps(both)).verdict


@pytest.mark.parametrize(
    ("part", "values", "reason"),
    [
        ("witness", {"bits": "4097"}, "bits"),
        ("witness", {"bits": "-1"}, "bits"),
        ("problem", {"respondents": "1023"}, "respondents"),
        ("problem", {"respondents": "0"}, "respondents"),
        ("witness", {"cells": ["1/2"] * 4097}, "entries"),
        ("witness", {"points": [], "weights": []}, "no prior"),
        ("witness", {"cells": [f"1/{10**400}"]}, "digits"),
    ],
    ids=["bits", "negative bits", "respondents", "nobody", "cells", "no points", "digits"],
)
def test_sizes_are_bounded(part: str, values: dict[str, Any], reason: str) -> None:
    verdict = ask(changed(part, **values)).verdict
    assert not verdict
    assert reason in verdict.reason


@pytest.mark.parametrize(
    "values",
    [
        {"cells": [str(Fraction(i, 4099)) for i in range(1, 4000)]},
        {"points": [str(Fraction(i, 4099)) for i in range(4096)], "weights": ["1/4096"] * 4096},
        {"points": ["0"] * 2000, "weights": [f"1/{10**390 + i}" for i in range(2000)]},
        {"points": [f"1/{10**390 + i}" for i in range(2000)], "weights": ["1/2000"] * 2000},
    ],
    ids=["cells", "points", "weights of many denominators", "points of many denominators"],
)
def test_work_is_bounded(
    values: dict[str, Any], size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that would take minutes are refused by their budget of work, in the gate by a smaller one."""
    monkeypatch.setattr(documents, "MAX_WORK", size(1 << 15, 1 << 20))
    document = {**deepcopy(found().to_dict()), "claim": {**found().claim, "estimator": [["1/2"] * 1001], "upper": "1"}}
    document["problem"]["respondents"] = "1000"
    document["witness"].update(values)
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert "more work" in verdict.reason


def test_rows_of_certain_answers_are_counted() -> None:
    """With delta the rows are those of all counts; a file without them is refused, at any number of respondents."""
    given = {"delta": "1/4"}
    document = deepcopy(found().to_dict())
    document["problem"].update(given, respondents="1022")
    document["witness"]["delta"] = {"below": "1/4", "above": "1/4"}
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert "the estimator has 1 entries" in verdict.reason


WEAKER = {
    "ends of a cell alone": ("max(largest, *left)", "max(largest, left[0], left[-1])"),
    "the last cell left out": (
        "itertools.pairwise(ends):\n        left",
        "itertools.pairwise(ends[:-1]):\n        left",
    ),
    "coefficients rounded down": ("up * (whole_of - 1)", "0"),
    "squares rounded down": ("ceil(value * 2**bits)", "int(value * 2**bits // 1)"),
    "products rounded down": ("-(-total // comb(degree, m))", "total // comb(degree, m)"),
    "the risk at delta 0": ("level.delta, budget)[0][-1]", "level.delta, budget)[0][0]"),
    "each c once": ("comb(certain, c) * comb(2, k)", "comb(2, k)"),
    "each k once": ("comb(certain, c) * comb(2, k)", "comb(certain, c)"),
    "from lambda = 0 on": ("row = _split(row, level.shown(Fraction(0)), budget)[1]", "pass"),
    "to lambda = 1": ("row = _split(row, (level.gamma - 1) / level.gamma, budget)[0]", "pass"),
    "chances rounded up": ("1 - chance, 0, budget, length", "1 - chance, 1, budget, length"),
    "weights rounded up": ("int(share * 2**bits)", "ceil(share * 2**bits)"),
    "the risk of the prior mean": ("(a * c - b * b) // a", "c"),
    "no binomial of certain answers": ("_counts(certain, pi, a,", "_counts(certain, Fraction(1, 2), a,"),
    "lower at the level below": ("_bayes(support, shares, above,", "_bayes(support, shares, below,"),
    "upper at the level above": ("budget), below, ends, bits", "budget), above, ends, bits"),
    "gamma above for the estimator": ("_Level(gamma.below, delta.below", "_Level(gamma.above, delta.below"),
    "delta above for the estimator": ("_Level(gamma.below, delta.below", "_Level(gamma.below, delta.above"),
    "gamma below for the prior": ("_Level(gamma.above, delta.above", "_Level(gamma.below, delta.above"),
    "delta below for the prior": ("_Level(gamma.above, delta.above", "_Level(gamma.above, delta.below"),
}


def test_a_weaker_rule_accepts_a_false_file(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Changes of the arithmetic of the rule, each caught by a false file of the fuzzer; in the gate two."""
    pieces = islice(risks.risks(random.Random(11)), size(500, 2000))
    texts = [piece.text for piece in pieces if not piece.true and piece.method in CATCHING]
    listed = list(WEAKER.items())[:: size(19, 1)]
    changes = [Weakening("minimax_rule.py", old, new, name) for name, (old, new) in listed]
    assert [change.drops for change in survivors(changes, texts, tmp_path)] == []
