"""Designs with k inputs, large and hostile: honest ones are accepted, all others refused, within the budget of work."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from adversary import kary_designs as designs
from adversary.asking import ask
from adversary.kary_designs import Document, Written

from rropt.checker import limits
from rropt.core.certificates import Certificate
from rropt.core.exact import Epsilon
from rropt.designs.certificates.linear_designs import DesignRows, certify_design
from rropt.mechanisms import Mechanism
from rropt.privacy.region import LevelBracket, PairwiseBracket

F = Fraction
ZERO = {"below": "0", "above": "0"}
THREE = {"below": "3", "above": "3"}
INFEASIBLE = {"kind": "infeasible"}
FULL = pytest.mark.full_size
TOO_LARGE = "the certificate needs more work than the checker does"


@pytest.fixture(autouse=True)
def long_numbers() -> Iterator[None]:
    """Let Python write numbers as long as the checker reads."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(2 * limits.MAX_DIGITS)
    yield
    sys.set_int_max_str_digits(digits)


def written(problem: Document, claim: Document, witness: Document) -> str:
    return json.dumps({"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": witness})


# Honest ones.


def trace(k: int, epsilon: str) -> Certificate:
    """Return the certificate of the largest trace of k categories."""
    problem = designs.trace(designs.uniform(k, k, epsilon), [1] * k)
    bracket, rows = designs.levels(problem, 24), DesignRows.of(problem)
    assert isinstance(bracket, LevelBracket)
    below, above = bracket.below.gamma, bracket.above.gamma
    w = 1 / (above + k - 1)
    dual = {rows.row_of_column(j): w * above for j in range(k)}
    for i in range(k):
        dual |= {rows.row_lower(i, j) if i != j else rows.row_upper(i, i): -w * above for j in range(k)}
        dual[rows.row_upper(i, i)] = -w * (k - 1)
    other = 1 / (below + k - 1)
    mechanism = Mechanism([[other * below if i == j else other for j in range(k)] for i in range(k)])
    lower, upper = k * below * other, k * above * w
    return certify_design(Written(problem), bracket, lower=lower, upper=upper, mechanism=mechanism, dual=dual)


def distances(k: int, epsilon: str, reach: int) -> Certificate:
    """Return a bracket of the least ``1 + abs(i - j)`` under levels ``abs(j - l) epsilon``, with many multipliers."""
    problem = designs.by_distance(k, k, epsilon)
    problem = designs.loss(problem, [[1 + abs(i - j) for j in range(k)] for i in range(k)], [F(1, k)] * k)
    bracket, rows = designs.levels(problem, 24), DesignRows.of(problem)
    assert isinstance(bracket, PairwiseBracket)
    near = [(j, other) for j, other in bracket.end("above")[1] if abs(j - other) <= reach]
    dual = {rows.row_of_pair(i, j, other): F(1, 10**40 + 7) for i in range(k) for j, other in near}
    rng = random.Random(k)
    counts = [[1000 + rng.randrange(9) for _ in range(k)] for _ in range(k)]
    mechanism = Mechanism(list(zip(*([F(x, sum(column)) for x in column] for column in counts), strict=True)))
    upper = designs.value(problem, [list(row) for row in mechanism.matrix])
    return certify_design(Written(problem), bracket, lower=F(0), upper=upper, mechanism=mechanism, dual=dual)


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
    verdict = ask(trace(k, epsilon).text).verdict
    assert verdict, verdict.reason


@pytest.mark.parametrize("reach", [0, 1, pytest.param(10, marks=FULL)])
def test_a_level_for_each_of_3540_pairs(reach: int) -> None:
    certificate = distances(60, "1", reach)
    assert DesignRows.of(certificate.problem).count == 60 + 60 * 3540
    verdict = ask(certificate.text).verdict
    assert verdict, verdict.reason


@pytest.mark.parametrize("k", [60, pytest.param(128, marks=FULL)])
def test_an_excess_for_each_pair(k: int) -> None:
    problem = designs.trace(designs.uniform(k, k, "log(3)", "1/10"), [1] * k)
    rows, bracket = DesignRows.of(problem), designs.levels(problem, 24)
    w, gamma, delta = F(1, k + 2), F(3), F(1, 10)
    dual = {rows.row_of_column(j): w * gamma for j in range(k)}
    for j in range(k):
        for other in range(k):
            if other != j:
                dual |= {rows.row_of_excess(j, j, other): -w, rows.row_of_total(j, other): w}
    mechanism = Mechanism(
        [[(1 - delta) * w * (gamma if i == j else 1) + delta * (i == j) for j in range(k)] for i in range(k)]
    )
    value = k * w * (gamma + delta * (k - 1))
    certificate = certify_design(Written(problem), bracket, lower=value, upper=value, mechanism=mechanism, dual=dual)
    verdict = ask(certificate.text).verdict
    assert verdict, verdict.reason


# Hostile ones.


@pytest.mark.parametrize("size", ["1000000000", "9" * 400, "262144", "100000", "2000"])
def test_many_inputs_and_nothing_else(size: str) -> None:
    for matrix, losses in (([], []), ([[]], [[]]), ([["1"]], [["0"]])):
        region = designs.uniform(2, 2, "log(3)") | {"inputs": size, "outputs": size}
        bounds = {"kind": "bounded", "region": region, "least": matrix, "most": matrix}
        pairs = {"kind": "pairwise-privacy", "inputs": size, "outputs": size, "levels": matrix}
        for where in (region, bounds, pairs):
            for objective in ({"kind": "trace", "weights": []}, {"kind": "loss", "matrix": losses}):
                problem = {"region": where, "objective": objective, "population": []}
                claim = {"kind": "design-bracket", "lower": "0", "upper": "0", "mechanism": {"matrix": matrix}}
                gamma: Any = THREE if where is not pairs else matrix
                witness = {"rule": "linear-programme", "gamma": gamma, "delta": ZERO, "dual": []}
                assert not ask(written(problem, claim, witness)).verdict
                witness = {"rule": "farkas", "gamma": gamma, "delta": ZERO, "multipliers": []}
                assert not ask(written(problem, INFEASIBLE, witness)).verdict


@pytest.mark.parametrize("k", [500, 1_500, 40_000])
def test_many_inputs_with_all_that_a_short_file_may_have(k: int) -> None:
    problem = designs.trace(designs.uniform(k, k, "log(3)"), [1] * k)
    witness = {"rule": "farkas", "gamma": THREE, "delta": ZERO, "multipliers": [["0", "1"]]}
    verdict = ask(written(problem, INFEASIBLE, witness)).verdict
    assert verdict.reason == (
        TOO_LARGE if k > 1_000 else "the reduced cost of p at output 0, input 0 has the wrong sign"
    )


def columns(k: int, digits: int, rng: random.Random) -> list[list[str]]:
    """Return a mechanism whose columns have different denominators of so many digits."""
    found = []
    for j in range(k):
        scale = rng.randrange(10**digits // 2, 10**digits) | 1
        column = [scale // (k + 1)] * k
        column[j] += scale - sum(column)
        found.append([str(F(x, scale)) for x in column])
    return [list(row) for row in zip(*found, strict=True)]


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("k", "digits"),
    [
        pytest.param(200, 6, marks=FULL),
        pytest.param(100, 80, marks=FULL),
        pytest.param(60, 300, marks=FULL),
        (40, 700),
        (20, 2000),
        (6, 9000),
    ],
)
@pytest.mark.parametrize("delta", ["0", "1/10"])
def test_a_mechanism_of_long_numbers(k: int, digits: int, delta: str, rng: random.Random) -> None:
    problem = designs.trace(designs.uniform(k, k, "log(3)", delta), [1] * k)
    claim = {
        "kind": "design-bracket",
        "lower": "1",
        "upper": "1",
        "mechanism": {"matrix": columns(k, digits, rng)},
    }
    witness = {"rule": "linear-programme", "gamma": THREE, "delta": {"below": delta, "above": delta}, "dual": []}
    reason = ask(written(problem, claim, witness)).verdict.reason
    assert reason in (TOO_LARGE, "lower is not the value of the mechanism")


@pytest.mark.parametrize(
    ("k", "digits"),
    [
        (100, 20),
        pytest.param(100, 300, marks=FULL),
        pytest.param(50, 1000, marks=FULL),
        pytest.param(20, 4000, marks=FULL),
        (5, 15_000),
    ],
)
def test_losses_of_long_numbers(k: int, digits: int, rng: random.Random) -> None:
    number = lambda: F(rng.randrange(10**digits), rng.randrange(1, 10**digits))  # noqa: E731
    matrix = [[number() for _ in range(k)] for _ in range(k)]
    claim = {"kind": "design-bracket", "lower": "0", "upper": "1", "mechanism": {"matrix": columns(k, 3, rng)}}
    witness = {"rule": "linear-programme", "gamma": THREE, "delta": ZERO, "dual": []}
    objective = {"kind": "loss", "matrix": [[str(x) for x in row] for row in matrix]}
    problem = {"region": designs.uniform(k, k, "log(3)"), "objective": objective, "population": [str(F(1, k))] * k}
    assert not ask(written(problem, claim, witness)).verdict


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("k", "level", "fits"),
    [
        (60, lambda n: (F(n, 1201), 24), True),
        pytest.param(130, lambda n: (F(n, 5641), 24), True, marks=FULL),
        pytest.param(50, lambda n: (F(n, 1201), 300), False, marks=FULL),
        pytest.param(20, lambda n: (F(n, 401), 1200), False, marks=FULL),
        (50, lambda n: (F(10**150 + n, 10**150 + n + 1), 24), True),
        (30, lambda n: (f"{2 * n + 1}/997*log(3)", 24), False),
        (10, lambda n: (f"{2 * n + 1}/499*log({10**15 + 7})", 24), True),
    ],
)
def test_different_levels_for_all_pairs(k: int, level: Callable[[int], tuple[Any, int]], fits: bool) -> None:
    """Every bracket costs a proof."""
    levels: list[list[Any]] = [[None] * k for _ in range(k)]
    gamma: list[list[Any]] = [[None] * k for _ in range(k)]
    for n, (j, other) in enumerate((j, other) for j in range(k) for other in range(k) if j != other):
        value, digits = level(n)
        epsilon = Epsilon.of(value)
        below, above = epsilon.gamma_bracket(digits)
        levels[j][other], gamma[j][other] = epsilon.to_dict(), {"below": str(below), "above": str(above)}
    region = designs.pairwise(2, [[None] * k for _ in range(k)]) | {"levels": levels}
    problem = designs.loss(region, [[0] * k, [1] * k], [F(1, k)] * k)
    claim = {"kind": "design-bracket", "lower": "0", "upper": "1/2", "mechanism": {"matrix": [["1/2"] * k] * 2}}
    verdict = ask(
        written(problem, claim, {"rule": "linear-programme", "gamma": gamma, "delta": ZERO, "dual": []})
    ).verdict
    assert verdict or verdict.reason == TOO_LARGE
    assert bool(verdict) == fits, verdict.reason


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("k", "pairs", "digits", "same"),
    [
        pytest.param(60, True, 5, False, marks=FULL),
        pytest.param(40, True, 100, True, marks=FULL),
        (20, True, 500, False),
        (8, True, 5000, True),
        pytest.param(130, False, 3, False, marks=FULL),
        pytest.param(100, False, 60, True, marks=FULL),
        (30, False, 1000, False),
    ],
)
def test_many_multipliers(k: int, pairs: bool, digits: int, same: bool, rng: random.Random) -> None:
    """They have the right signs and reduced costs, so that everything is computed, unless it is too much."""
    region = designs.uniform(k, k, "log(3)")
    if pairs:
        region = designs.pairwise(
            k, [[None if j == i or (i + j) % 2 else "log(3)" for i in range(k)] for j in range(k)]
        )
    gamma: Any = [[None if x is None else THREE for x in row] for row in region["levels"]] if pairs else THREE
    most = [[F(1, 2 + i + j) for i in range(k)] for j in range(k)]
    problem = designs.trace(designs.bounded(region, [[0] * k] * k, most), [1] * k)
    rows = DesignRows.of(problem)
    scales = [2 * rng.randrange(10**digits) + 1 for _ in range(k)]
    multipliers = [[str(j), "-" + str(10 ** (2 * digits + 9))] for j in range(k)]
    few = [rows.row_of_pair(i, *pair) for i in range(k) for pair in rows.pairs]
    if not pairs:
        few = [rows.row_lower(i, j) for i in range(k) for j in range(k)]
    few += [rows.row_of_most(i, j) for i in range(k) for j in range(k)]
    spent = 0
    for n, row in enumerate(few):
        value = F(rng.randrange(1, 10**digits), scales[n // k % k] if same else rng.randrange(1, 10**digits))
        sign = "-" if row >= rows.row_of_most(0, 0) else ""
        multipliers.append([str(row), sign + str(value)])
        spent += len(multipliers[-1][1]) + 60
        if spent > limits.MAX_BYTES // 2:
            break
    text = written(problem, INFEASIBLE, {"rule": "farkas", "gamma": gamma, "delta": ZERO, "multipliers": multipliers})
    assert ask(text).verdict.reason in (TOO_LARGE, "the multipliers do not sum the bounds to a positive number")
