"""The way of groups: the library's own files with one thing changed, sizes, and weakened checkers."""

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
from adversary.brackets.stated import cases
from adversary.fuzz import orbit_objectives, orbits
from adversary.fuzz.weakened import Weakening, survivors
from javascript import judge

from rropt import solve
from rropt.designs import kary_problem

SHARES = ["1/2"] + ["1/20"] * 4 + ["1/20"] * 6  # one run of ten equal shares


@cache
def found() -> Any:
    """The library's own certificate, made when a test first asks for it."""
    return solve(kary_problem(epsilon="log(3)", objective="a-optimal", population=SHARES)).certificate


def test_both_checkers_accept_what_the_library_writes() -> None:
    assert found().proof["way"] == "groups"
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
        assert not ask(json.dumps(document)).verdict, place
        refused += 1
    assert refused >= 10
    for g in range(2):
        document = deepcopy(found().to_dict())
        alpha = document["proof"]["alpha"]
        alpha[g] = str(Fraction(alpha[g]) - abs(Fraction(alpha[g])) / 10**9)
        assert not ask(json.dumps(document)).verdict


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
    document["problem"]["inputs"] = str(k)
    document["problem"]["population"] = population
    document["claim"]["mechanism"]["orbits"] = {"groups": [str(half)] * 2, "rows": rows}
    document["proof"] |= {"alpha": ["1", "1"], "inside": ["1", "1"], "lines": [["0", "0"]] * 2, "inverse": blocks}
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
    "the dual at the level below": ("gamma = level.gamma.above", "gamma = level.gamma.below"),
    "the mechanism at the level above": ("level.gamma.below, budget)", "level.gamma.above, budget)"),
    "no inequality of squares": ("    require_for_all_counts(n, [1] * size, given, budget)", "    pass"),
    "no inequality of the information": ("    require_for_all_counts(n, slices, given, budget)", "    pass"),
    "inside below 0": ("    if min([*x, *d]) < 0:", "    if False:"),
    "no inside in the inequality": ("Squares(x, p), case.gamma", "Squares([Fraction(0)] * size, p), case.gamma"),
    "lines that do not sum to 0": ("if any(_dot(n, line, budget)", "if False and any(_dot(n, line, budget)"),
    "no product of sums": ("(a * q + b * p) / 2", "(a * q + b * p)"),
    "no variance within a group": ("if any(m > 1 and v > case.upper", "if False and any(m > 1 and v > case.upper"),
    "A: no end of the mechanism": ("    if case.upper < value:", "    if False:"),
    "A: no end of the dual": ("or case.lower * case.total > reached**2", "or False"),
    "A: nothing reached": ("(not reached or case.lower", "(case.lower"),
    "E: no elimination": ('pivots_of(matrix_over_one_denominator(left, budget)[0], "upper', '("upper'),
    "E: no end of the dual": ("or case.lower * case.total > reached:", "or False:"),
    "E: B not positive": ("case.total <= 0 or case.lower", "case.lower"),
    "E: n_g directions within a group": (
        "        reached = _dot([m - 1 for m in n], x, budget)",
        "        reached = _dot(n, x, budget)",
    ),
    "D: no ln m_g": ("low = _logs([(m - 1, Fraction", "low = _logs([(0, Fraction"),
    "D: no determinant": ("[(1, Fraction(pivot, scale**size)), ", "[(1, Fraction(10**9)), "),
    "D: no ln n_g": ("*((-1, Fraction(m)) for m in n)]", "*((-1, Fraction(1)) for m in n)]"),
    "D: any lines": ("if any(line[j] != 1 or any(line[:j])", "if False and any(line[j] != 1 or any(line[:j])"),
    "D: k in place of k - 1": ("(1 - k, case.total / (k - 1))", "(1 - k, case.total / k)"),
    "D: no ln x_g": (
        "*((m - 1, v) for m, v in zip(n, x, strict=True))]",
        "*((m - 1, v + 99) for m, v in zip(n, x, strict=True))]",
    ),
    "D: no ln d_j": ("*((1, v) for v in d)", "*((1, v + 99) for v in d)"),
    "D: ln n_g of all groups": ("for m in n[:-1])", "for m in n)"),
    "D: no ln n_G": (", (-1, Fraction(n[-1]))]", "]"),
    "information: no lower": ("[0]) < case.lower:  # it is at least 0", "[0]) < 0:"),
    "information: no upper": ("    if case.upper < total:", "    if False:"),
    "information: no s ln s": ("arithmetic.add(term, arithmetic.negative(mean))", "term"),
    "information: no tangent": ("(top - slope) * scale**2", "(unit - slope) * scale**2"),
}
WEAKER_COUNTS = {  # of counts.py
    "every second slice": ("range(dot(weights, sizes) + 1)", "range(0, dot(weights, sizes) + 1, 2)"),
    "no upper half": ("            boxes.append(([*low[:g], half + 1, *low[g + 1 :]], high))\n", ""),
    "no lower half": ("            boxes.append((low, [*high[:g], half, *high[g + 1 :]]))\n", ""),
    "the middle of a box alone": ("(dot(middle, along) - sum(spread))", "dot(middle, along)"),
    "t that ignores the slice": (" + slopes[j] * total", ""),
    "lower ends alone": ("rest * (y if rest > 0 else x)", "rest * x"),
    "upper ends alone": ("rest * (y if rest > 0 else x)", "rest * y"),
    "boxes too narrow from below": ("y - room // a", "y - room // (a + 1)"),
    "boxes too narrow from above": ("x + need // a", "x + need // (a + 1)"),
}


@pytest.mark.drawn(4)
def test_a_weaker_rule_accepts_a_false_file(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Changes of the rule, each caught by a false file of the fuzzers or made by hand; in the gate two."""
    counts = size(150, 1500), size(600, 3000)
    pieces = [
        *islice(orbits.pieces(random.Random(12)), counts[0]),
        *islice(orbit_objectives.pieces(random.Random(12)), counts[1]),
    ]
    texts = [piece.text for piece in pieces if not piece.true]
    rejected = (case["certificate"] for case in cases() if case["verdict"] == "rejected")
    texts += [json.dumps(each) for each in rejected if each["proof"].get("way") == "groups"]
    changes = [Weakening("groups_way.py", old, new, name) for name, (old, new) in WEAKER.items()]
    changes += [Weakening("counts.py", old, new, name) for name, (old, new) in WEAKER_COUNTS.items()]
    assert [change.drops for change in survivors(changes[:: size(21, 1)], texts, tmp_path)] == []


def test_long_fractions_are_charged_before_they_are_added() -> None:
    """Two hundred numbers with denominators of 6000 digits: their sum took 18 seconds."""
    groups = 200
    document = json.loads(next(orbit_objectives.informations(random.Random(1))))
    document["problem"]["inputs"] = str(groups)
    document["problem"]["population"] = [f"1/{groups}"] * groups
    rows = [[[["1", "1"]]] * groups]
    document["claim"] |= {"lower": "-1", "mechanism": {"orbits": {"groups": ["1"] * groups, "rows": rows}}}
    alpha = [f"1/1{2 * i + 1:06000}" for i in range(groups)]
    document["proof"] |= {"alpha": alpha, "slices": ["1"] * groups}
    verdict = ask(json.dumps(document)).verdict
    assert "more work" in verdict.reason


def test_the_oracle_agrees_with_both_checkers(size: Callable[[int, int], int]) -> None:
    """Files of few inputs, true and false ones: an oracle of the verdict that shares no code."""
    for source in (orbits, orbit_objectives):
        for piece in islice(source.pieces(random.Random(13)), size(25, 1000)):
            assert (judge(piece.text) is None) == piece.true, piece.method
            assert ask(piece.text).verdict.accepted is piece.true, piece.method
