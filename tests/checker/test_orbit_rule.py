"""Rule 14: the library's own files with one thing changed, what is refused for its size, and weaker forms of it."""

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
from fuzz import orbits
from fuzz.weakened import Weakening, survivors
from second.verdict import judge

from rropt import kary_problem, solve

SHARES = ["1/2"] + ["1/20"] * 4 + ["1/20"] * 6  # one run of ten equal shares


@cache
def found() -> Any:
    """The library's own certificate, made when a test first asks for it."""
    return solve(kary_problem(epsilon="log(3)", objective="a-optimal", population=SHARES)).certificate


def test_both_checkers_accept_what_the_library_writes() -> None:
    assert found().witness["rule"] == "orbits"
    assert found().claim["mechanism"]["orbits"]["groups"] == ["1", "10"]
    assert found().check()
    small = solve(kary_problem(epsilon="1", objective="a-optimal", categories=11)).certificate
    assert small.check()


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_an_end_a_little_inside_is_refused(end: str) -> None:
    document = deepcopy(found().to_dict())
    factor = Fraction(1) + Fraction(1 if end == "lower" else -1, 10**30)
    document["claim"][end] = str(Fraction(document["claim"][end]) * factor)
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert end in verdict.reason


def _numbers(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    below = [place for key, value in pairs for place in _numbers(value, (*path, key))]
    return [path, *below] if isinstance(data, str) and data.lstrip("-").replace("/", "").isdigit() else below


def test_no_number_of_a_file_may_change() -> None:
    """A number of the claim or the witness moved by 10^-9 of it, one at a time: all are refused but some of the dual.

    Of the dual nothing may move either, as ``lower`` is exactly its bound.
    """
    refused = 0
    for part in ("claim", "witness"):
        for place in _numbers(found().to_dict()[part]):
            document = deepcopy(found().to_dict())
            at = document[part]
            for key in place[:-1]:
                at = at[key]
            old = Fraction(at[place[-1]])
            at[place[-1]] = str(old * (1 + Fraction(1, 10**9)) if old else Fraction(1, 10**9))
            assert not ask(json.dumps(document)).verdict, place
            refused += 1
    assert refused >= 30


@pytest.mark.parametrize(
    ("groups", "reason"),
    [(["2", "9"], "share"), (["11"], "share"), (["1", "9", "1"], "groups"), (["1", "11"], "sum"), ([], "sum")],
    ids=["a share of both", "one group", "three groups", "too many", "none"],
)
def test_groups_are_those_of_the_population(groups: list[str], reason: str) -> None:
    document = deepcopy(found().to_dict())
    document["claim"]["mechanism"]["orbits"]["groups"] = groups
    verdict = ask(json.dumps(document)).verdict
    assert not verdict


def test_work_is_bounded() -> None:
    """Ten thousand inputs in two groups: 25 million counts are refused before they are tried."""
    k, half = 10_000, 5_000
    population = ["1/15000"] * half + ["1/7500"] * half
    rows = [[[["1/2", str(half)]], [["1/2", str(half)]]]]
    blocks = {"diagonal": ["1", "1"], "blocks": [["0", "0"], ["0", "0"]]}
    document = deepcopy(found().to_dict())
    document["problem"]["region"]["inputs"] = str(k)
    document["problem"]["population"] = population
    document["claim"]["mechanism"]["orbits"] = {"groups": [str(half)] * 2, "rows": rows}
    document["witness"]["dual"] = {"alpha": ["1", "1"], "matrix": blocks}
    document["witness"]["primal"] = {"inverse": blocks}
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert "outputs" not in verdict.reason
    long = [[[[f"1/{10**300 + i}", "1"] for i in range(half * g, half * (g + 1))] for g in (0, 1)]]
    document["claim"]["mechanism"]["orbits"]["rows"] = long
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert "work" in verdict.reason or "too long" in verdict.reason


WEAKER = {
    "any entries": ("if max(row.numerators) * gamma.denominator > min", "if False and min"),
    "no columns": ("        require_sum(terms, Fraction(n)", "        False and require_sum(terms, Fraction(n)"),
    "shares that differ": ("if any(share != population[start]", "if False and any(share != population[start]"),
    "half an inverse": ("if both[g][h] + outer:", "if False:"),
    "no diagonal": ("if any(d * y != one", "if False and any(d * y != one"),
    "no lowest counts": ("in product(*(range(n + 1)", "in product(*(range(1, n + 1)"),
    "no highest counts": ("in product(*(range(n + 1)", "in product(*(range(n)"),
    "the dual at the level below": ("dual, level.gamma.above, budget)", "dual, level.gamma.below, budget)"),
    "the mechanism at the level above": ("pi, level.gamma.below, budget)", "pi, level.gamma.above, budget)"),
    "low entries alone": ("c * (high * a[g] + t[g]) ** 2 + (n - c)", "c * 0 + (n - c)"),
    "high entries alone": ("+ (n - c) * (low * a[g] + t[g]) ** 2", ""),
}


def test_a_weaker_rule_accepts_a_false_file(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Changes of the rule, each caught by a false file of the fuzzer or made by hand; in the gate three."""
    from vectors import vectors

    pieces = islice(orbits.pieces(random.Random(12)), size(150, 1500))
    texts = [piece.text for piece in pieces if not piece.true]
    texts += [vector["text"] for vector in vectors("orbits") if vector["verdict"] == "rejected"]
    listed = list(WEAKER.items())[:: size(5, 1)]
    changes = [Weakening("orbit_rule.py", old, new, name) for name, (old, new) in listed]
    assert [change.drops for change in survivors(changes, texts, tmp_path)] == []


def test_the_second_checker_writes_all_rows_out(size: Callable[[int, int], int]) -> None:
    """It agrees on files of few inputs, true and false ones."""
    for piece in islice(orbits.pieces(random.Random(13)), size(25, 1000)):
        assert (judge(piece.text) is None) == piece.true, piece.method
