"""Whatever the float solver says, the answer is right: it is replaced by liars."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from program_pool.oracle import oracle
from program_pool.random_programs import random_program

from rropt.core.linear import Infeasible, NoOptimumError, Optimal, ProgramBuilder, exact_solving, highs, optimum, solve
from rropt.core.linear.highs import Proposal
from rropt.core.linear.presolve import integer_form
from rropt.core.linear.programs import Basis
from rropt.core.linear.simplex import BasicSolution, evaluate, exact_simplex

F = Fraction
WORDS = {BasicSolution: "optimal", Optimal: "optimal", Infeasible: "infeasible", type(None): "unbounded"}


def unless_unbounded(method: Callable[[Any], Any], program: Any) -> Any:
    """What the method returns; None where it says that the objective is not bounded."""
    try:
        return method(program)
    except NoOptimumError:
        return None


def silent(*_: Any, **__: Any) -> Proposal:
    return Proposal("unknown", None)


def optimist(*_: Any, **__: Any) -> Proposal:
    return Proposal("optimal", Basis((), ()))


def pessimist(*_: Any, **__: Any) -> Proposal:
    return Proposal("infeasible", Basis((), ()))


def dreamer(*_: Any, **__: Any) -> Proposal:
    return Proposal("unbounded", None)


def gambler(program: Any, *_: Any, **__: Any) -> Proposal:
    """Proposes columns and rows at random, mostly not even a square block."""
    rng = random.Random(len(program.priced) + len(program.form.matrix.values))
    m, n = program.form.matrix.shape
    columns = tuple(sorted(rng.sample(range(n), rng.randint(0, n))))
    rows = tuple(sorted(rng.sample(range(m), rng.randint(0, m))))
    return Proposal(rng.choice(["optimal", "infeasible", "unbounded", "unknown"]), Basis(columns, rows))


@pytest.mark.slow
@pytest.mark.parametrize("liar", [silent, optimist, pessimist, dreamer, gambler])
def test_a_liar_does_no_harm(liar: Callable[..., Proposal], monkeypatch: pytest.MonkeyPatch, size: Any) -> None:
    monkeypatch.setattr(exact_solving, "propose", liar)
    for seed in range(size(60, 600)):
        kind, program = random_program(seed)
        outcome = unless_unbounded(solve, program)
        word, value = oracle(program)
        assert WORDS[type(outcome)] == word, (seed, kind)
        assert not isinstance(outcome, Optimal) or outcome.value == value, (seed, kind)


@pytest.mark.slow
def test_the_exact_simplex_method_alone(size: Callable[[int, int], int]) -> None:
    for seed in range(size(120, 1200)):
        kind, program = random_program(seed)
        start = evaluate(integer_form(program), Basis((), ()))
        assert WORDS[type(unless_unbounded(exact_simplex, start))] == oracle(program)[0], (seed, kind)


def test_the_simplex_method_does_not_cycle() -> None:
    """Beale's program, on which Dantzig's rule cycles."""
    builder = ProgramBuilder("minimise")
    x = [builder.variable(f"x{j}", cost=c) for j, c in enumerate([F(-3, 4), 150, F(-1, 50), 6])]
    builder.row("first", dict(zip(x, [F(1, 4), -60, F(-1, 25), 9], strict=True)), "<=", 0)
    builder.row("second", dict(zip(x, [F(1, 2), -90, F(-1, 50), 3], strict=True)), "<=", 0)
    builder.row("third", {x[2]: 1}, "<=", 1)
    found = exact_simplex(evaluate(integer_form(builder.build()), Basis((), ())))
    assert isinstance(found, BasicSolution)
    outcome = solve(builder.build())
    assert isinstance(outcome, Optimal)
    assert outcome.value == F(-1, 20)


def test_a_search_that_needs_no_proof_starts_the_solver_once(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = ProgramBuilder("minimise")
    x, y = builder.variable("x", cost=1), builder.variable("y")
    builder.row("most", {x: 1, y: 1}, "<=", 1)
    builder.row("least", {x: 1, y: 1}, ">=", 2)
    program, run, runs = builder.build(), highs._run, list[str]()

    def counted(*given: Any) -> Proposal:
        runs.append("")
        return run(*given)

    monkeypatch.setattr(highs, "_run", counted)
    assert optimum(program) is None
    assert len(runs) == 1
    assert isinstance(solve(program), Infeasible)
