"""What `rropt.core.linear` finds, written down: the checker accepts it, or the writer says why it cannot."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from few_rows import few_rows
from program_pool.oracle import outcome_of
from program_pool.trace_program import trace_program

from rropt.core.certificates import Certificate, certify_infeasible, certify_optimal
from rropt.core.errors import InvalidParameterError
from rropt.core.linear import (
    Infeasible,
    LinearProgram,
    Optimal,
    ProgramBuilder,
    Relation,
    Sense,
    solve,
)

F = Fraction


def random_program(seed: int) -> LinearProgram:
    """Return a random program: feasible or not, bounded or not, degenerate or not, badly scaled or not."""
    rng = random.Random(seed)
    n, m = rng.randint(1, 6), rng.randint(0, 8)
    sense: Sense = rng.choice(["minimise", "maximise"])
    builder = ProgramBuilder(sense)
    for j in range(n):
        sign = "free" if rng.random() < 0.25 else "nonnegative"
        builder.variable(f"x{j}", cost=F(rng.randint(-4, 5), rng.choice([1, 1, 3])), sign=sign)
    point = [rng.randint(0, 3) for _ in range(n)]
    for i in range(m):
        size = F(10) ** rng.choice([0, 0, 0, 0, -40, 300])
        line = [size * F(rng.choice([0, 0, 1, -1, 2, 3, -2, 5]), rng.choice([1, 1, 2, 7])) for _ in range(n)]
        relation: Relation = rng.choice(["<=", "<=", ">=", "="])
        gap = {"<=": 1, ">=": -1, "=": 0}[relation] * rng.choice([0, 0, 1, 2])
        side = sum(a * x for a, x in zip(line, point, strict=True)) + size * gap
        builder.row(f"row {i}", dict(enumerate(line)), relation, side)
        if rng.random() < 0.05:
            builder.row(f"against row {i}", dict(enumerate(line)), "=", side + size)
    for j in range(n if rng.random() < 0.5 else 0):
        builder.row(f"x{j} <= 9", {j: 1}, "<=", 9)
        builder.row(f"x{j} >= -9", {j: 1}, ">=", -9)
    return builder.build()


@pytest.mark.slow
def test_every_outcome_is_accepted_or_refused(size: Callable[[int, int], int]) -> None:
    seen: Counter[str] = Counter()
    count = size(300, 6_000)
    for seed in range(count):
        program = random_program(seed)
        outcome = outcome_of(program)
        match outcome:
            case Optimal():
                claim = certify_optimal(program, outcome).require_accepted().claim
                assert claim["lower"] == claim["upper"]
                assert F(claim["lower"]) == (outcome.value if program.sense == "minimise" else -outcome.value)
                assert [F(x) for x in claim["point"]] == list(outcome.primal)
            case Infeasible():
                assert certify_infeasible(program, outcome).require_accepted().claim == {}
        seen[f"{type(outcome).__name__}, {program.sense}"] += 1
    assert len(seen) == 6
    assert min(seen.values()) >= count // 40, seen


@few_rows(1)
@pytest.mark.parametrize("gamma", [1 + F(1, 10**9), F(3), F(10**6) + F(1, 7), F(16487212707001281468486507878, 10**28)])
def test_the_trace_problem_with_twenty_categories(gamma: Fraction) -> None:
    program = trace_program(gamma, [F(1)] * 20)
    outcome = solve(program)
    assert isinstance(outcome, Optimal)
    certificate = certify_optimal(program, outcome).require_accepted()
    assert F(certificate.claim["lower"]) == -20 * gamma / (gamma + 19)
    assert certificate.problem["rows"][0] == {
        "coefficients": [["0", "1"], ["400", "-1"]],
        "relation": ">=",
        "bound": "0",
    }


@few_rows(1)
@pytest.mark.parametrize("k", [30, 60])
def test_the_trace_problem_with_weights_at_full_size(k: int) -> None:
    rng = random.Random(6)
    program = trace_program(F(16487212707001281468486507878, 10**28), [F(rng.randint(1, 99), 10) for _ in range(k)])
    outcome = solve(program)
    assert isinstance(outcome, Optimal)
    certify_optimal(program, outcome).require_accepted()


def test_a_dense_program_with_long_numbers() -> None:
    rng = random.Random(8)
    builder = ProgramBuilder("maximise")
    for j in range(40):
        builder.variable(f"x{j}", cost=F(rng.randint(1, 999), rng.randint(1, 999)))
    for i in range(40):
        builder.row(f"row {i}", {j: F(rng.randint(1, 999), 1000) for j in range(40)}, "<=", F(rng.randint(1, 99), 7))
    program = builder.build()
    outcome = solve(program)
    assert isinstance(outcome, Optimal)
    certify_optimal(program, outcome).require_accepted()


def test_a_program_without_rows_or_variables() -> None:
    empty = LinearProgram("minimise", (), ())
    outcome = solve(empty)
    assert isinstance(outcome, Optimal)
    certify_optimal(empty, outcome).require_accepted()
    builder = ProgramBuilder("minimise")
    builder.variable("x", cost=1)
    outcome = solve(builder.build())
    assert isinstance(outcome, Optimal)
    certify_optimal(builder.build(), outcome).require_accepted()


def test_labels_are_not_written_and_a_file_keeps_the_certificate(tmp_path: object) -> None:
    program = trace_program(F(2), [F(1)] * 2)
    outcome = solve(program)
    assert isinstance(outcome, Optimal)
    certificate = certify_optimal(program, outcome)
    assert "p[0,0]" not in certificate.text
    assert "column" not in certificate.text
    certificate.save(f"{tmp_path}/trace.json")
    assert Certificate.load(f"{tmp_path}/trace.json").require_accepted().claim["upper"] == "-4/3"


def test_an_outcome_of_another_program_is_not_accepted() -> None:
    small = trace_program(F(2), [F(1)] * 2)
    outcome = solve(small)
    assert isinstance(outcome, Optimal)
    with pytest.raises(InvalidParameterError, match="of type Optimal; allowed is a Infeasible; write certify_optimal"):
        certify_infeasible(small, outcome)  # type: ignore[arg-type]
    for gamma, k in ((2, 3), (3, 2)):  # another shape, and another optimum
        other = certify_optimal(trace_program(F(gamma), [F(1)] * k), outcome)
        assert not other.check()
        assert json.loads(other.text)["claim"]["lower"] == "-4/3"


@pytest.mark.parametrize("largest", [3 * 10**9, 10**15])
def test_a_tiny_coefficient_is_not_dropped(largest: int) -> None:
    """The largest odds of a private mechanism; HiGHS drops the row by default (findings/highs_small_coefficient.sh)."""
    builder = ProgramBuilder("maximise")
    builder.variable("odds", cost=1)
    builder.row("private", {0: F(1, largest)}, "<=", 1)
    builder.row("limit", {0: 1}, "<=", 10**18)
    found = solve(builder.build())
    assert isinstance(found, Optimal)
    assert found.value == largest
