"""Rule 21: the library's own file with one thing changed, long numbers, and what is refused for its size."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from adversary.asking import ask
from second.verdict import judge

from rropt.checker import documents
from rropt.solvers.minimax_risk import minimax_risk

FOUND = minimax_risk("log(5)", 6).certificate


def changed(part: str, **values: Any) -> str:
    document = deepcopy(FOUND.to_dict())
    document[part].update(values)
    return json.dumps(document)


def test_both_checkers_accept_what_the_library_writes() -> None:
    assert FOUND.check()
    assert judge(FOUND.text) is None


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_an_end_a_little_inside_is_refused(end: str) -> None:
    claim = FOUND.claim
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
    both = deepcopy(FOUND.to_dict())
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
    document = {**deepcopy(FOUND.to_dict()), "claim": {**FOUND.claim, "estimator": [["1/2"] * 1001], "upper": "1"}}
    document["problem"]["respondents"] = "1000"
    document["witness"].update(values)
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert "more work" in verdict.reason


def test_rows_of_certain_answers_are_counted() -> None:
    """With delta the rows are those of all counts; a file without them is refused, at any number of respondents."""
    given = {"delta": "1/4"}
    document = deepcopy(FOUND.to_dict())
    document["problem"].update(given, respondents="1022")
    document["witness"]["delta"] = {"below": "1/4", "above": "1/4"}
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert "the estimator has 1 entries" in verdict.reason
