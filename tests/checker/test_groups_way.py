"""The way of groups: the library's own files with one thing changed, and sizes."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from adversary.asking import ask
from adversary.stored import accepted

from rropt import solve
from rropt.designs import Problem

SHARES = ["1/2"] + ["1/20"] * 4 + ["1/20"] * 6  # one run of ten equal shares


@cache
def found() -> Any:
    """The library's own certificate, made when a test first asks for it."""
    return solve(Problem.kary(epsilon="log(3)", objective="a-optimal", population=SHARES)).certificate


def test_both_checkers_accept_what_the_library_writes() -> None:
    assert found().proof["way"] == "groups"
    assert found().claim["mechanism"]["orbits"]["groups"] == ["1", "10"]
    assert found().check()
    small = solve(Problem.kary(11, epsilon="1", objective="a-optimal"), fast=True).certificate
    assert small.check()


def _numbers(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    below = [place for key, value in pairs for place in _numbers(value, (*path, key))]
    return [path, *below] if isinstance(data, str) and data.lstrip("-").replace("/", "").isdigit() else below


def test_no_number_of_a_mechanism_or_of_its_inverse_may_change() -> None:
    """Each moved by 10^-9 of it, one at a time; of the dual a change that proves less than ``lower`` is refused."""
    refused = 0
    document = found().to_dict()
    parts = [("claim", "mechanism", place) for place in _numbers(document["claim"]["mechanism"])]
    parts += [("proof", "inverse", place) for place in _numbers(document["proof"]["inverse"])]
    for part, name, place in parts:
        document = deepcopy(found().to_dict())
        at = document[part][name]
        for key in place[:-1]:
            at = at[key]
        old = Fraction(at[place[-1]])
        at[place[-1]] = str(old * (1 + Fraction(1, 10**9)) if old else Fraction(1, 10**9))
        assert not ask(json.dumps(document)), place
        refused += 1
    assert refused >= 10
    for g in range(2):
        document = deepcopy(found().to_dict())
        alpha = document["proof"]["alpha"]
        alpha[g] = str(Fraction(alpha[g]) - abs(Fraction(alpha[g])) / 10**9)
        assert not ask(json.dumps(document))


@pytest.mark.slow
def test_work_is_bounded() -> None:
    """Ten thousand inputs in two groups: 25 million counts are refused before they are tried."""
    k, half = 10_000, 5_000
    population = ["1/15000"] * half + ["1/7500"] * half
    rows = [[[["1/2", str(half)]], [["1/2", str(half)]]]]
    blocks = {"diagonal": ["1", "1"], "blocks": [["0", "0"], ["0", "0"]]}
    document = deepcopy(found().to_dict())
    document["problem"]["inputs"] = str(k)
    document["problem"]["population"] = population
    document["claim"]["mechanism"]["orbits"] = {"groups": [str(half)] * 2, "rows": rows}
    document["proof"] |= {"alpha": ["1", "1"], "inside": ["1", "1"], "lines": [["0", "0"]] * 2, "inverse": blocks}
    verdict = ask(json.dumps(document))
    assert not verdict
    assert "outputs" not in verdict.reason
    long = [[[[f"1/{10**300 + i}", "1"] for i in range(half * g, half * (g + 1))] for g in (0, 1)]]
    document["claim"]["mechanism"]["orbits"]["rows"] = long
    verdict = ask(json.dumps(document))
    assert not verdict
    assert "work" in verdict.reason or "too long" in verdict.reason


def test_long_fractions_are_charged_before_they_are_added() -> None:
    """Two hundred numbers with denominators of 6000 digits: their sum took 18 seconds."""
    groups = 200
    document = deepcopy(next(each for each in accepted()["design-bracket"] if "slices" in each["proof"]))
    document["problem"]["inputs"] = str(groups)
    document["problem"]["population"] = [f"1/{groups}"] * groups
    rows = [[[["1", "1"]]] * groups]
    document["claim"] |= {"lower": "-1", "mechanism": {"orbits": {"groups": ["1"] * groups, "rows": rows}}}
    alpha = [f"1/1{2 * i + 1:06000}" for i in range(groups)]
    document["proof"] |= {"alpha": alpha, "slices": ["1"] * groups}
    verdict = ask(json.dumps(document))
    assert "more work" in verdict.reason
