"""The exact proofs: true ones are accepted, every mutant that is false is rejected with its place."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from program_pool.oracle import outcome_of
from program_pool.random_programs import random_program

from rropt.checker import allowed_budget, documents
from rropt.core.certificates import Certificate, certify_optimal, check, record
from rropt.core.errors import UnsupportedProblemError
from rropt.core.linear import (
    Infeasible,
    LinearProgram,
    Optimal,
    ProgramBuilder,
    verify_infeasible,
    verify_optimal,
)

F = Fraction
STEPS = (F(1, 10**40), F(-1, 10**40), F(1), F(-7, 3))


def truth(program: LinearProgram, primal: list[Fraction], dual: list[Fraction]) -> bool:
    """The definition, written down naively and dense."""
    sign = 1 if program.sense == "minimise" else -1
    m, n = len(program.rows), len(program.variables)
    dense = [[F(0)] * n for _ in range(m)]
    for i, row in enumerate(program.rows):
        for j, value in zip(row.columns, row.values, strict=True):
            dense[i][j] = value
    left = [sum((dense[i][j] * primal[j] for j in range(n)), F(0)) for i in range(m)]
    reduced = [v.cost - sum((dense[i][j] * dual[i] for i in range(m)), F(0)) for j, v in enumerate(program.variables)]
    holds = {"<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "=": lambda a, b: a == b}
    wanted = {"<=": lambda y: sign * y <= 0, ">=": lambda y: sign * y >= 0, "=": lambda y: True}
    return (
        all(holds[row.relation](a, row.rhs) for a, row in zip(left, program.rows, strict=True))
        and all(x >= 0 for x, v in zip(primal, program.variables, strict=True) if v.sign == "nonnegative")
        and all(wanted[row.relation](y) for y, row in zip(dual, program.rows, strict=True))
        and all(sign * r >= 0 for r, v in zip(reduced, program.variables, strict=True) if v.sign == "nonnegative")
        and all(r == 0 for r, v in zip(reduced, program.variables, strict=True) if v.sign == "free")
        and sum((v.cost * x for v, x in zip(program.variables, primal, strict=True)), F(0))
        == sum((row.rhs * y for row, y in zip(program.rows, dual, strict=True)), F(0))
    )  # fmt: skip


def mutants(vector: list[Fraction]) -> list[list[Fraction]]:
    changed = []
    for j in range(len(vector)):
        for step in STEPS:
            mutant = list(vector)
            mutant[j] += step
            changed.append(mutant)
    return [*changed, [-v for v in vector], [2 * v for v in vector]]


@pytest.mark.slow
def test_every_mutant_of_an_optimum_is_judged_rightly(size: Callable[[int, int], int]) -> None:
    rejected = accepted = 0
    for seed in range(size(120, 1200)):
        _, program = random_program(seed)
        outcome = outcome_of(program)
        if not isinstance(outcome, Optimal):
            continue
        x, y = list(outcome.primal), list(outcome.dual)
        for primal, dual in [(mutant, y) for mutant in mutants(x)] + [(x, mutant) for mutant in mutants(y)]:
            failure = verify_optimal(program, primal, dual)
            assert (failure is None) == truth(program, primal, dual), seed
            rejected += failure is not None
            accepted += failure is None
    assert rejected > 1000
    assert accepted > 10  # empty rows, ties: another true proof


def test_every_mutant_of_a_farkas_vector_is_judged_rightly(size: Callable[[int, int], int]) -> None:
    rejected = 0
    for seed in range(2, size(240, 2400), 12):
        _, program = random_program(seed)
        outcome = outcome_of(program)
        assert isinstance(outcome, Infeasible)
        y = list(outcome.farkas)
        assert verify_infeasible(program, [0 * v for v in y]) is not None
        assert verify_infeasible(program, [-v for v in y]) is not None
        assert verify_infeasible(program, [v / 10**40 for v in y]) is None
        for mutant in mutants(y)[:-2]:
            failure = verify_infeasible(program, mutant)
            # with the objective 0, y is a Farkas vector iff the dual objective is positive and its conditions hold
            total = sum((row.rhs * v for row, v in zip(program.rows, mutant, strict=True)), F(0))
            free = [sum((row.values[row.columns.index(j)] * v for row, v in zip(program.rows, mutant, strict=True)
                         if j in row.columns), F(0)) for j in range(len(program.variables))]  # fmt: skip
            signs = all({"<=": v <= 0, ">=": v >= 0, "=": True}[row.relation]
                        for row, v in zip(program.rows, mutant, strict=True))  # fmt: skip
            columns = all(a <= 0 if variable.sign == "nonnegative" else a == 0
                          for a, variable in zip(free, program.variables, strict=True))  # fmt: skip
            assert (failure is None) == (total > 0 and signs and columns), seed
            rejected += failure is not None
    assert rejected > 100


def test_signs_of_the_dual() -> None:
    """`minimise x, x >= 2` has the dual 1; `maximise -x` is the same with the dual -1."""
    least, most = ProgramBuilder("minimise"), ProgramBuilder("maximise")
    least.row("floor", {least.variable("x", cost=1): 1}, ">=", 2)
    most.row("floor", {most.variable("x", cost=-1): 1}, ">=", 2)
    assert verify_optimal(least.build(), [F(2)], [F(1)]) is None
    assert verify_optimal(most.build(), [F(2)], [F(-1)]) is None
    for program, wrong in ((least.build(), F(-1)), (most.build(), F(1))):
        failure = verify_optimal(program, [F(2)], [wrong])
        assert failure is not None
        assert "sign of the multiplier" in str(failure)
        assert failure.label == "floor"


def test_what_fails_is_named() -> None:
    builder = ProgramBuilder("minimise")
    x, y = builder.variable("x", cost=1), builder.variable("y", cost=1, sign="free")
    builder.row("line", {x: 1, y: 2}, "=", 2)
    program = builder.build()
    failures = {
        "length of the primal": verify_optimal(program, [F(0)], [F(1, 2)]),
        "length of the dual": verify_optimal(program, [F(0), F(1)], []),
        "x >= 0 fails at 'x'": verify_optimal(program, [F(-2), F(2)], [F(1, 2)]),
        "a . x = b fails at 'line' by 1/10": verify_optimal(program, [F(1, 10), F(1)], [F(1, 2)]),
        "c - A^T y fails at 'y'": verify_optimal(program, [F(0), F(1)], [F(1, 3)]),
        "c . x = b . y": verify_optimal(program, [F(1), F(1, 2)], [F(1, 2)]),
    }
    for words, failure in failures.items():
        assert words in str(failure)
    assert verify_optimal(program, [F(0), F(1)], [F(1, 2)]) is None


def test_vectors_of_a_wrong_length_are_named() -> None:
    builder = ProgramBuilder("minimise")
    builder.row("floor", {builder.variable("x", cost=-1): 1}, ">=", 1)
    program = builder.build()
    assert "length of the Farkas vector" in str(verify_infeasible(program, []))


def test_a_failure_by_a_huge_amount_can_be_printed() -> None:
    builder = ProgramBuilder("minimise")
    builder.row("floor", {builder.variable("x", cost=1): 1}, ">=", F(10**5000))
    assert "by ~-1e+5000" in str(verify_optimal(builder.build(), [F(0)], [F(1)]))
    assert "by ~-1e-200" in str(verify_optimal(builder.build(), [F(-1, 10**200)], [F(1)]))


def test_a_proof_that_fails_is_a_remark_and_a_refusal_is_raised() -> None:
    def failing() -> Certificate:
        raise RecursionError("deep")

    def refusing() -> Certificate:
        raise UnsupportedProblemError("the levels do not decide it")

    assert Certificate.attempt(failing).failure == "it could not be made (RecursionError)"
    with pytest.raises(UnsupportedProblemError):
        Certificate.attempt(refusing)


def test_a_certificate_that_took_too_much_work_is_judged_anew_by_the_large_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    builder = ProgramBuilder("minimise")
    builder.row("floor", {builder.variable("x", cost=1): 1}, ">=", 1)
    program = builder.build()
    solved = certify_optimal(program, outcome_of(program))
    monkeypatch.setattr(documents, "MAX_WORK", 1)
    made = Certificate.attempt(lambda: solved)
    assert made.failure.endswith(
        'allow the large budget (--effort large, budget="large"); if the parameters are extreme, '
        "round them, else please report this"
    )
    assert [bool(check(made, budget)) for budget in (None, "default", "large")] == [False, False, True]
    assert str(check(made)) == f"rejected: {made.failure}"
    monkeypatch.setattr(documents, "LARGE_WORK", 1)
    record._verdict_of.cache_clear()
    with allowed_budget("large"):
        failure = Certificate.attempt(lambda: solved).failure
    assert "more work" in failure
    assert "allow the large budget" not in failure
