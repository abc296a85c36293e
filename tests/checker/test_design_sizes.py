"""Designs with k inputs, large and hostile: honest ones are accepted, all others refused, within the budget of work."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from adversary.asking import ask
from adversary.programs import largest_trace
from support.regions import by_distance

from rropt.checker import limits
from rropt.core.certificates import Certificate
from rropt.designs.problem import Problem
from rropt.designs.writers.linear_writer import certify_linear_design
from rropt.mechanisms import Mechanism
from rropt.objectives import Loss

F = Fraction
Document = dict[str, Any]
ZERO = {"below": "0", "above": "0"}
THREE = {"below": "3", "above": "3"}
FULL = pytest.mark.slow
TOO_LARGE = "the certificate needs more work than the checker does"


@pytest.fixture(autouse=True)
def long_numbers() -> Iterator[None]:
    """Let Python write numbers as long as the checker reads."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(2 * limits.MAX_DIGITS)
    yield
    sys.set_int_max_str_digits(digits)


# Honest ones.


def distances(k: int, epsilon: str, reach: int) -> Certificate:
    """Return a bracket of the least ``1 + abs(i - j)`` under levels ``abs(j - l) epsilon``, with many multipliers."""
    losses = [[1 + abs(i - j) for j in range(k)] for i in range(k)]
    problem = Problem(by_distance(k, epsilon), Loss(losses), [F(1, k)] * k)
    bracket = problem.region.bracket(24)
    near = [(j, other) for part in bracket.listed for j, other in part.pairs if abs(j - other) <= reach]
    dual = {("pair", i, j, other): F(1, 10**40 + 7) for i in range(k) for j, other in near}
    rng = random.Random(k)
    counts = [[1000 + rng.randrange(9) for _ in range(k)] for _ in range(k)]
    mechanism = Mechanism(list(zip(*([F(x, sum(column)) for x in column] for column in counts), strict=True)))
    ends = {"lower": F(0), "upper": problem.objective.value(mechanism, problem.population)}
    return certify_linear_design(problem.certified_dict(), bracket, **ends, mechanism=mechanism, dual=dual)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "epsilon"),
    [
        (60, "1"),
        (60, "2/3*log(5)"),
        (60, "log(3)"),
        pytest.param(100, "1", marks=FULL),
        pytest.param(100, "log(3)", marks=FULL),
        pytest.param(200, "1", marks=FULL),
    ],
)
def test_a_level_for_all_pairs(k: int, epsilon: str) -> None:
    verdict = ask(largest_trace(k, epsilon))
    assert verdict, verdict.reason


@pytest.mark.slow
@pytest.mark.parametrize("reach", [0, 1, pytest.param(8, marks=FULL)])
def test_a_level_for_each_of_3540_pairs(reach: int) -> None:
    certificate = distances(60, "1", reach)
    assert sum(len(level["pairs"]) for level in certificate.problem["levels"]) == 3540
    verdict = ask(certificate.text)
    assert verdict, verdict.reason


@pytest.mark.slow
@pytest.mark.parametrize("k", [60, pytest.param(128, marks=FULL)])
def test_an_excess_for_each_pair(k: int) -> None:
    verdict = ask(largest_trace(k, "log(3)", "1/10"))
    assert verdict, verdict.reason


# Hostile ones.


def region(size: Any, matrix: list[Any], pairs: Any = "all") -> Document:
    level = {"epsilon": {"log": "3"}, "delta": "0", "pairs": pairs}
    return {"inputs": size, "outputs": size, "levels": [level], "bounds": {"least": matrix, "most": matrix}}


def refused(problem: Document, multipliers: list[Any], alpha: list[str], limits_: list[Any]) -> str:
    """Return the reason of the rejection of a file that says that a region has no mechanism."""
    proof = {"brackets": [{"gamma": THREE, "delta": ZERO}], "alpha": alpha, "slopes": [], "limits": limits_}
    parts = {"problem": problem, "claim": {}, "proof": proof | {"multipliers": multipliers}}
    verdict = ask(json.dumps({"format": "2", "statement": "infeasible", **parts}))
    assert not verdict
    return verdict.reason


@pytest.mark.parametrize("size", ["1000000000", "9" * 400, "262144", "100000", "2000"])
def test_many_inputs_and_nothing_else(size: str) -> None:
    for matrix in ([], [[]], [["1"]]):
        for pairs in ("all", [], [["0", "1"]]):
            assert refused(region(size, matrix, pairs), [], [], matrix)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "digits", "same"),
    [(20, 500, False), (8, 5000, True), pytest.param(100, 60, True, marks=FULL), (30, 1000, False)],
)
def test_many_multipliers(k: int, digits: int, same: bool, rng: random.Random) -> None:
    """They are of the right form, so that everything is computed, unless it is too much."""
    scale = 2 * rng.randrange(10**digits) + 1
    multipliers, spent = [], 0
    for i, j, other in ((i, j, other) for i in range(k) for j in range(k) for other in range(k) if j != other):
        x = F(rng.randrange(1, 10**digits), scale if same else rng.randrange(1, 10**digits))
        multipliers.append([str(i), "0", str(j), str(other), str(x)])
        spent += len(str(x)) + 60
        if spent > limits.MAX_BYTES // 2:
            break
    reason = refused(region(str(k), [["1"] * k] * k), multipliers, ["-1"] * k, [["0"] * k] * k)
    assert reason == TOO_LARGE or reason.startswith("the multipliers do not prove the inequality")
