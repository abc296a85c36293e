"""The solver against independent exact solvers, on every awkward kind of program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from every_case import every_case
from program_pool.oracle import oracle, outcome_of
from program_pool.random_programs import KINDS, random_program

from rropt.core.linear import (
    Infeasible,
    LinearProgram,
    NoOptimumError,
    Optimal,
    Outcome,
    ProgramBuilder,
    Relation,
    Row,
    Variable,
    optimum,
    solve,
    verify_infeasible,
    verify_optimal,
)

F = Fraction
WORDS = {Optimal: "optimal", Infeasible: "infeasible", type(None): "unbounded"}


def described(outcome: Outcome | None) -> tuple[str, Fraction | None]:
    return WORDS[type(outcome)], outcome.value if isinstance(outcome, Optimal) else None


def proved(program: LinearProgram, outcome: Outcome | None) -> bool:
    if isinstance(outcome, Optimal):
        return verify_optimal(program, list(outcome.primal), list(outcome.dual)) is None
    if isinstance(outcome, Infeasible):
        return verify_infeasible(program, list(outcome.farkas)) is None
    return True


@pytest.mark.slow
def test_random_programs_agree_with_the_oracle(size: Callable[[int, int], int]) -> None:
    seen: Counter[tuple[str, str]] = Counter()
    routes: Counter[str] = Counter()
    for seed in range(size(252, 2500)):
        kind, program = random_program(seed)
        outcome = outcome_of(program)
        assert described(outcome) == oracle(program), (seed, kind)
        assert proved(program, outcome), (seed, kind)
        seen[kind, described(outcome)[0]] += 1
        if isinstance(outcome, Optimal):
            routes[outcome.route] += 1
    # every kind was exercised, with every outcome that it is meant to have, and by every route
    assert {kind for kind, _ in seen} == {kind.__name__ for kind in KINDS}
    assert seen["barely_infeasible", "infeasible"] >= size(20, 100)
    assert not seen["barely_infeasible", "optimal"]
    assert seen["barely_feasible", "optimal"] >= size(10, 50)
    assert seen["unbounded", "unbounded"] >= size(10, 50)
    assert routes.keys() == {"float basis", "refined", "exact simplex"}


@pytest.mark.slow
def test_an_optimum_without_a_proof_that_there_is_none(size: Callable[[int, int], int]) -> None:
    """It is the optimum, or None; None where there is none, and else only where the float solver errs by a hair."""
    missed: Counter[str] = Counter()
    found = 0
    for seed in range(0, size(250, 6000), 5):
        kind, program = random_program(seed)
        outcome, quick = outcome_of(program), optimum(program)
        if isinstance(outcome, Optimal):
            missed[kind] += quick is None
            found += quick is not None
            assert quick is None or quick.value == outcome.value, (seed, kind)
        else:
            assert quick is None, (seed, kind)
    assert found >= size(15, 400)
    assert missed["plain"] == missed["degenerate"] == 0  # other kinds differ by a hair


@pytest.mark.slow
def test_random_programs_agree_with_z3(size: Callable[[int, int], int]) -> None:
    z3 = pytest.importorskip("z3")
    compared = 0
    for seed in range(10_000, 10_000 + size(48, 480)):
        _, program = random_program(seed)
        optimize = z3.Optimize()
        x = [z3.Real(f"x{j}") for j in range(len(program.variables))]
        optimize.add(*(x[j] >= 0 for j, variable in enumerate(program.variables) if variable.sign == "nonnegative"))
        for row in program.rows:
            left = z3.Sum(
                [z3.Q(a.numerator, a.denominator) * x[j] for j, a in zip(row.columns, row.values, strict=True)]
            )
            right = z3.Q(row.rhs.numerator, row.rhs.denominator)
            optimize.add({"<=": left <= right, ">=": left >= right, "=": left == right}[row.relation])
        goal = z3.Sum([z3.Q(v.cost.numerator, v.cost.denominator) * x[j] for j, v in enumerate(program.variables)])
        handle = optimize.maximize(goal) if program.sense == "maximise" else optimize.minimize(goal)
        word, value = described(outcome_of(program))
        assert (optimize.check() == z3.sat) == (word != "infeasible"), seed
        if word == "optimal":
            assert value is not None
            assert z3.is_true(z3.simplify(handle.value() == z3.Q(value.numerator, value.denominator))), seed
        elif word == "unbounded":
            assert "oo" in str(handle.value()), seed
        compared += 1
    assert compared >= 48


@every_case("digits", range(9, 31))
def test_feasible_and_infeasible_by_a_hair(digits: int) -> None:
    """x + y >= 1 and 3x + 3y <= 3 -+ hair: empty on one side, a strip of width hair on the other."""
    hair = F(1, 10**digits)
    for sign in (-1, 0, 1):
        builder = ProgramBuilder("maximise")
        x, y = builder.variable("x", cost=1), builder.variable("y", cost=-1)
        builder.row("at least", {x: 1, y: 1}, ">=", 1)
        builder.row("at most", {x: 3, y: 3}, "<=", 3 + 3 * sign * hair)
        outcome = solve(builder.build())
        assert isinstance(outcome, Infeasible if sign < 0 else Optimal)
        if isinstance(outcome, Optimal):
            assert outcome.value == 1 + sign * hair


@pytest.mark.slow
@every_case("digits", range(9, 31))
def test_vertices_that_differ_by_a_hair(digits: int) -> None:
    """Of n vertices of a simplex exactly one is best, by a hair."""
    hair = F(1, 10**digits)
    for best in range(6):
        builder = ProgramBuilder("minimise")
        x = [builder.variable(f"x{j}", cost=F(1, 3) - (hair if j == best else 0)) for j in range(6)]
        builder.row("sum", dict.fromkeys(x, 1), "=", 1)
        outcome = solve(builder.build())
        assert isinstance(outcome, Optimal)
        assert outcome.value == F(1, 3) - hair
        assert outcome.primal[best] == 1


@pytest.mark.parametrize("digits", [9, 15, 20, 30])
def test_rows_that_differ_by_a_hair(digits: int) -> None:
    """The two nearly parallel rows meet at (1/2, 1/2), where both objectives have their optimum."""
    hair = F(1, 10**digits)
    builder = ProgramBuilder("maximise")
    x, y = builder.variable("x", cost=1), builder.variable("y", cost=1 + hair)
    builder.row("flat", {x: 1, y: 1}, "<=", 1)
    builder.row("steep", {x: 1, y: 1 + 2 * hair}, "<=", 1 + hair)
    outcome = solve(builder.build())
    assert isinstance(outcome, Optimal)
    assert outcome.value == 1 + hair / 2
    assert tuple(outcome.primal) == (F(1, 2), F(1, 2))


def empty_programs() -> list[tuple[LinearProgram, str]]:
    nothing = ProgramBuilder("minimise").build()
    contradiction = ProgramBuilder("maximise")
    contradiction.row("0 >= 1", {}, ">=", 1)
    rowless = ProgramBuilder("minimise")
    rowless.variable("x", cost=1)
    downhill = ProgramBuilder("minimise")
    downhill.variable("x", sign="free", cost=1)
    idle = ProgramBuilder("maximise")
    idle.variable("x", sign="free")
    idle.row("0 = 0", {0: 0}, "=", 0)
    return [
        (nothing, "optimal"),
        (contradiction.build(), "infeasible"),
        (rowless.build(), "optimal"),
        (downhill.build(), "unbounded"),
        (idle.build(), "optimal"),
    ]


@pytest.mark.parametrize(("program", "word"), empty_programs())
def test_empty_programs(program: LinearProgram, word: str) -> None:
    outcome = outcome_of(program)
    assert described(outcome)[0] == word
    assert proved(program, outcome)


@pytest.mark.parametrize(("relation", "word"), [("<=", "optimal"), (">=", "infeasible"), ("=", "infeasible")])
def test_zeros_that_are_written_down(relation: Relation, word: str) -> None:
    """The builder leaves them out; a program made of records may hold them."""
    variables = (Variable("x", "nonnegative", F(1)), Variable("y", "nonnegative", F(2)))
    rows = (Row("zeros", (0, 1), (F(0), F(0)), relation, F(1)), Row("y", (0, 1), (F(0), F(3)), ">=", F(1)))
    program = LinearProgram("minimise", variables, rows)
    outcome = solve(program)
    assert described(outcome) == (word, F(2, 3) if word == "optimal" else None)
    assert proved(program, outcome)


def test_infeasible_and_unbounded_at_once_is_infeasible() -> None:
    """Both the program and its dual are infeasible: the rows have the last word."""
    builder = ProgramBuilder("minimise")
    x, y = builder.variable("x", cost=-1), builder.variable("y", cost=-1)
    builder.row("first", {x: 1, y: -1}, ">=", 1)
    builder.row("second", {x: -1, y: 1}, ">=", 0)
    assert isinstance(solve(builder.build()), Infeasible)


def test_a_program_without_an_optimum_is_refused_with_advice() -> None:
    builder = ProgramBuilder("minimise")
    builder.variable("x", sign="free", cost=1)
    with pytest.raises(NoOptimumError, match="improves without bound; bound it by a row and solve again"):
        solve(builder.build())
