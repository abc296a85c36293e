"""Metamorphic tests: what does not change a program does not change its answer."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from few_rows import few_rows
from program_pool.oracle import outcome_of
from program_pool.random_programs import random_program

from rropt.core.linear import LinearProgram, Optimal, Outcome, ProgramBuilder, Row, Variable

F = Fraction
FLIPPED = {"<=": ">=", ">=": "<=", "=": "="}


def answer(outcome: Outcome | None) -> tuple[str, Fraction | None]:
    return type(outcome).__name__, outcome.value if isinstance(outcome, Optimal) else None


def shuffled_rows(program: LinearProgram, rng: random.Random) -> LinearProgram:
    return LinearProgram(program.sense, program.variables, tuple(rng.sample(program.rows, len(program.rows))))


def shuffled_variables(program: LinearProgram, rng: random.Random) -> LinearProgram:
    order = rng.sample(range(len(program.variables)), len(program.variables))
    builder = ProgramBuilder(program.sense)
    for j in order:
        builder.variable(program.variables[j].label, cost=program.variables[j].cost, sign=program.variables[j].sign)
    place = {j: k for k, j in enumerate(order)}
    for row in program.rows:
        terms = {place[j]: value for j, value in zip(row.columns, row.values, strict=True)}
        builder.row(row.label, terms, row.relation, row.rhs)
    return builder.build()


def scaled_rows(program: LinearProgram, rng: random.Random) -> LinearProgram:
    rows = []
    for row in program.rows:
        size = rng.choice([-1, 1]) * F(10) ** rng.randint(-40, 40) / 7
        relation = row.relation if size > 0 else FLIPPED[row.relation]
        rows.append(Row(row.label, row.columns, tuple(size * v for v in row.values), relation, size * row.rhs))
    return LinearProgram(program.sense, program.variables, tuple(rows))


def other_sense(program: LinearProgram, _: random.Random) -> LinearProgram:
    """The value changes its sign: undone by `value_of`."""
    variables = tuple(variable._replace(cost=-variable.cost) for variable in program.variables)
    return LinearProgram("minimise" if program.sense == "maximise" else "maximise", variables, program.rows)


def repeated_rows(program: LinearProgram, rng: random.Random) -> LinearProgram:
    return LinearProgram(program.sense, program.variables, program.rows + tuple(rng.choices(program.rows, k=3)))


def split_equalities(program: LinearProgram, _: random.Random) -> LinearProgram:
    rows = []
    for row in program.rows:
        relations = ("<=", ">=") if row.relation == "=" else (row.relation,)
        rows += [row._replace(relation=relation) for relation in relations]
    return LinearProgram(program.sense, program.variables, tuple(rows))


def split_free_variables(program: LinearProgram, _: random.Random) -> LinearProgram:
    """x = x' - x'' with both nonnegative."""
    n = len(program.variables)
    free = [j for j, variable in enumerate(program.variables) if variable.sign == "free"]
    variables = [variable._replace(sign="nonnegative") for variable in program.variables]
    variables += [Variable("minus", "nonnegative", -program.variables[j].cost) for j in free]
    rows = []
    for row in program.rows:
        entries = dict(zip(row.columns, row.values, strict=True))
        entries |= {n + k: -entries[j] for k, j in enumerate(free) if j in entries}
        rows.append(row._replace(columns=tuple(entries), values=tuple(entries.values())))
    return LinearProgram(program.sense, tuple(variables), tuple(rows))


CHANGES = (
    shuffled_rows,
    shuffled_variables,
    scaled_rows,
    other_sense,
    repeated_rows,
    split_equalities,
    split_free_variables,
)


@few_rows(1)
@pytest.mark.parametrize("change", CHANGES)
def test_the_answer_does_not_change(
    change: Callable[[LinearProgram, random.Random], LinearProgram], size: Callable[[int, int], int]
) -> None:
    for seed in range(20_000, 20_000 + size(30, 600)):
        kind, program = random_program(seed)
        word, value = answer(outcome_of(program))
        changed = answer(outcome_of(change(program, random.Random(seed))))
        sign = -1 if change is other_sense else 1
        assert changed == (word, value if value is None else sign * value), (seed, kind)


@pytest.mark.slow
def test_weak_duality_leaves_no_gap() -> None:
    """The dual program, built and solved as a program of its own, has the same value."""
    compared = 0
    for seed in range(30_000, 30_120):
        _, program = random_program(seed)
        outcome = outcome_of(program)
        if program.sense != "minimise" or not isinstance(outcome, Optimal):
            continue
        dual = ProgramBuilder("maximise")
        columns: list[dict[int, Fraction]] = [{} for _ in program.variables]
        for row in program.rows:
            sign = {">=": 1, "<=": -1, "=": 1}[row.relation]
            y = dual.variable(row.label, cost=sign * row.rhs, sign="free" if row.relation == "=" else "nonnegative")
            for j, value in zip(row.columns, row.values, strict=True):
                columns[j][y] = sign * value
        for variable, column in zip(program.variables, columns, strict=True):
            dual.row(variable.label, column, "=" if variable.sign == "free" else "<=", variable.cost)
        assert answer(outcome_of(dual.build())) == ("Optimal", outcome.value), seed
        compared += 1
    assert compared >= 20
