"""Rule 5, A-optimal designs: what it accepts, every limit, and a small file for each way to be wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from adversary.asking import ask
from javascript import judge

import rropt.designs.certificates
from rropt.checker.limits import MAX_PATTERN_INPUTS

F = Fraction
Change = Callable[[Any], object]


def example() -> Any:
    """Return the example of the page: gamma = 3, two equal shares, optimum 2."""
    text = (Path(rropt.checker.__file__).parent / "pattern_rule.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    return next(json.loads(block) for block in blocks if '"a-optimal"' in block)


def subset_selection(k: int, d: int, gamma: Fraction) -> Any:
    """Return the file of the rows gamma on d of k equal inputs, 1 elsewhere: M = (a - b) I + b 1 1^T."""
    chosen = [set(c) for c in combinations(range(k), d)]
    s = (d * gamma + k - d) / k
    theta = 1 / (len(chosen) * s)
    rows = [[theta * (gamma if j in c else 1) for j in range(k)] for c in chosen]
    a = sum(row[0] ** 2 for row in rows) / (theta * s)
    b = sum(row[0] * row[1] for row in rows) / (theta * s)
    off = -b / ((a - b) * (a - b + k * b))
    inverse = [[1 / (a - b) + off if i == j else off for j in range(k)] for i in range(k)]
    value = k * (1 / (a - b) + off) - F(1, k)
    alpha = [(value + F(1, k)) / k] * k
    file = example()
    file["problem"]["region"] |= {"inputs": str(k), "epsilon": {"log": str(gamma)}}
    file["problem"]["population"] = [str(F(1, k))] * k
    file["claim"] |= {"lower": str(value), "upper": str(value), "mechanism": {"matrix": texts(rows)}}
    file["witness"] |= {"gamma": {"below": str(gamma), "above": str(gamma)}, "primal": {"inverse": texts(inverse)}}
    file["witness"]["dual"] = {"alpha": [str(x) for x in alpha], "matrix": texts(inverse)}
    return file


def texts(rows: Any) -> list[list[str]]:
    """Return a matrix as a file writes it."""
    return [[str(x) for x in row] for row in rows]


def closed_form(k: int, d: int, gamma: Fraction) -> Fraction:
    """Return the value of subset selection at equal shares (Ye and Barg 2018)."""
    return F((k - 1) ** 2, k) / (gamma - 1) ** 2 * (d * gamma + k - d) ** 2 / (d * (k - d))


@pytest.mark.parametrize("gamma", [F(11, 10), F(2), F(7), F(3000)])
def test_at_equal_shares_the_best_subset_selection_is_accepted_and_no_other(gamma: Fraction) -> None:
    for k in range(2, 9):
        values = [closed_form(k, d, gamma) for d in range(1, k)]
        for d, value in enumerate(values, 1):
            file = subset_selection(k, d, gamma)
            assert file["claim"]["upper"] == str(value)
            verdict = ask(json.dumps(file)).verdict
            assert verdict.accepted == (value == min(values)), (k, d, verdict)
            assert verdict or "the dual fails at the pattern" in verdict.reason


def test_a_weak_dual_proves_a_weak_bound() -> None:
    file = example()
    file["witness"]["dual"] = {"alpha": ["1/2", "1/2"], "matrix": [["0", "0"], ["0", "0"]]}
    file["claim"]["lower"] = "-1/2"
    assert ask(json.dumps(file)).verdict
    skew = example()  # the inequality is about W W^T: W need not be symmetric
    skew["witness"]["dual"]["matrix"] = [["5/4", "3/4"], ["-3/4", "-5/4"]]
    skew["claim"]["lower"] = "-1/2"
    assert ask(json.dumps(skew)).verdict


def test_rows_in_parts_rows_of_zeros_and_shares_of_zero() -> None:
    file = example()
    file["claim"]["mechanism"]["matrix"] = [["3/8", "1/8"], ["1/4", "3/4"], ["0", "0"], ["3/8", "1/8"]]
    assert ask(json.dumps(file)).verdict
    file["problem"]["region"]["outputs"] = "4"
    assert ask(json.dumps(file)).verdict
    file["problem"]["region"]["outputs"] = "3"
    assert not ask(json.dumps(file)).verdict
    sure = example()  # n Var at prevalence 0, twice: gamma/(gamma - 1)^2 = 3/4
    inverse = [["7/4", "-3/4"], ["-3/4", "3/4"]]
    sure["problem"]["population"] = ["1", "0"]
    sure["claim"] |= {"lower": "3/2", "upper": "3/2"}
    sure["witness"] |= {"primal": {"inverse": inverse}, "dual": {"alpha": ["5/2", "0"], "matrix": inverse}}
    assert ask(json.dumps(sure)).verdict


CHANGES: dict[str, Change] = {
    "objective is not of kind a-optimal": lambda f: f["problem"].update(objective={"kind": "b-optimal"}),
    "not of kind design-bracket": lambda f: f["claim"].update(kind="infeasible"),
    "not enumerated": lambda f: f["witness"].update(patterns={"kind": "groups"}),
    "logarithms where none": lambda f: f["witness"].update(logarithms=[{"of": "2", "below": "0", "above": "1"}]),
    "the region is none of": lambda f: f["problem"]["region"].update(kind="pairwise-privacy"),
    "needs a region with delta 0": lambda f: (
        f["problem"]["region"].update(delta="1/2", inputs="3"),
        f["witness"].update(delta={"below": "1/2", "above": "1/2"}),
    ),
    "missing keys ['excess']": lambda f: (
        f["problem"]["region"].update(delta="1/2"),
        f["witness"].update(delta={"below": "1/2", "above": "1/2"}),
    ),
    "unknown keys ['excess']": lambda f: f["witness"]["dual"].update(excess=["0", "0"]),
    "not two outputs": lambda f: (
        f["problem"].update(objective={"kind": "variance"}),
        f["problem"]["region"].update(outputs="2"),
    ),
    "inputs is not an integer": lambda f: f["problem"]["region"].update(inputs=str(MAX_PATTERN_INPUTS + 1)),
    "outputs is not an integer": lambda f: f["problem"]["region"].update(outputs="1"),
    "unknown keys ['infimum']": lambda f: f["witness"]["gamma"].update(infimum={}),
    "a row of alpha has 3 entries": lambda f: f["witness"]["dual"].update(alpha=["5/4", "5/4", "0"]),
    "the dual's matrix has 3 entries": lambda f: f["witness"]["dual"]["matrix"].append(["0", "0"]),
    "the inverse has 3 entries": lambda f: f["witness"]["primal"]["inverse"].append(["0", "0"]),
    "a row of the mechanism has 3 entries": lambda f: [row.append("0") for row in f["claim"]["mechanism"]["matrix"]],
    "a column of the mechanism does not sum": lambda f: f["claim"]["mechanism"]["matrix"].append(["3/4", "1/4"]),
    "population has 3 entries": lambda f: f["problem"].update(population=["1/3"] * 3),
    "population does not sum to 1": lambda f: f["problem"].update(population=["1/2", "1/3"]),
    "ratio above gamma": lambda f: f["claim"].update(mechanism={"matrix": [["4/5", "1/5"], ["1/5", "4/5"]]}),
    "the inverse is not": lambda f: f["witness"].update(primal={"inverse": [["5/4", "-3/4"], ["-3/4", "1"]]}),
    "the dual fails at the pattern 11": lambda f: f["witness"]["dual"].update(alpha=["1/8", "1/8"]),
    "the dual fails at the pattern g1": lambda f: f["witness"]["dual"].update(alpha=["1", "5/4"]),
    "lower is not the bound": lambda f: f["claim"].update(lower="3"),
    "upper is not the value": lambda f: f["claim"].update(upper="1"),
}


@pytest.mark.parametrize("reason", CHANGES)
def test_a_false_file_is_rejected_for_its_reason(reason: str) -> None:
    file = deepcopy(example())
    CHANGES[reason](file)
    verdict = ask(json.dumps(file)).verdict
    assert not verdict
    assert reason in verdict.reason


def test_a_singular_information_has_no_inverse() -> None:
    file = example()
    file["claim"]["mechanism"]["matrix"] = [["1/2", "1/2"], ["1/2", "1/2"]]
    assert "the inverse is not" in ask(json.dumps(file)).verdict.reason


def test_as_many_inputs_as_are_allowed_are_within_the_budget() -> None:
    """K-ary randomized response at equal shares: 2^k patterns, as many as the constant says."""
    file = subset_selection(MAX_PATTERN_INPUTS, 1, F(1000))
    assert ask(json.dumps(file)).verdict


def four_answers() -> Any:
    """Return the example of two inputs and delta = 1/4: gamma = 2, prevalence 1/4, n Var 105/176."""
    text = (Path(rropt.checker.__file__).parent / "pattern_rule.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    return next(json.loads(block) for block in blocks if '"excess"' in block)


def _slack(file: Any, part: str, place: int, less: Fraction) -> None:
    file["witness"]["dual"][part][place] = str(F(file["witness"]["dual"][part][place]) - less)


DELTA_CHANGES: dict[str, Change] = {
    "lower is not the bound": lambda f: _slack(f, "excess", 0, F(-1)),
    "fails at an answer that only one input gives": lambda f: _slack(f, "excess", 1, F(1, 10**9)),
    "the dual fails at the pattern": lambda f: (_slack(f, "alpha", 0, F(1, 10**9)), _slack(f, "excess", 0, F(-1))),
    "an excess costs less than nothing": lambda f: (_slack(f, "alpha", 1, F(-99)), _slack(f, "excess", 1, F(90))),
    "exceeds gamma by more than delta": lambda f: f["claim"]["mechanism"].update(
        matrix=[["1/3", "0"], ["4/9", "2/9"], ["2/9", "4/9"], ["0", "1/3"]]
    ),
    "the information is infinite": lambda f: (
        f["problem"].update(population=["1", "0"]),
        f["witness"]["dual"].update(excess=["9", "9"]),
    ),
    "upper is not the value": lambda f: f["claim"].update(upper="105/178"),
    "a row of alpha has 3 entries": lambda f: f["witness"]["dual"]["excess"].append("0"),
    "a column of the mechanism does not sum": lambda f: f["claim"]["mechanism"]["matrix"].append(["0", "1/9"]),
}


@pytest.mark.parametrize("reason", DELTA_CHANGES)
def test_two_inputs_and_delta(reason: str) -> None:
    """Every condition beside the patterns stops its false file, by both checkers."""
    file = four_answers()
    assert ask(json.dumps(file)).verdict
    assert judge(json.dumps(file)) is None
    DELTA_CHANGES[reason](file)
    verdict = ask(json.dumps(file)).verdict
    assert not verdict
    assert reason in verdict.reason
    assert judge(json.dumps(file)) is not None


def test_the_variance_is_half_the_trace() -> None:
    file = four_answers()
    file["problem"]["objective"] = {"kind": "a-optimal"}
    assert "upper is not the value" in ask(json.dumps(file)).verdict.reason
    file["claim"] |= {end: str(2 * F(file["claim"][end])) for end in ("lower", "upper")}
    assert ask(json.dumps(file)).verdict
    assert judge(json.dumps(file)) is None
