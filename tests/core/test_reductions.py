"""The reduced program is the same one in other words: points, prices, bases, there and back."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import pytest
from program_pool.oracle import oracle, outcome_of
from program_pool.random_programs import random_program
from program_pool.trace_program import trace_program

from rropt.core.linear import LinearProgram, Optimal, ProgramBuilder, RationalVector
from rropt.core.linear.presolve import IntegerForm, Reduction, integer_form

F = Fraction


def chain_program(seed: int) -> LinearProgram:
    """Return levels `t_i <= p_ij <= g t_i`, equations that resemble each other, some twice, and a chain of orders."""
    rng = random.Random(seed)
    builder = ProgramBuilder(rng.choice(["minimise", "maximise"]))
    k, m = rng.randint(1, 4), rng.randint(1, 3)
    gamma = 1 + F(1, rng.choice([1, 3, 10**9, 10**20]))
    signs = ["nonnegative"] * 6 + ["free"]
    t = [builder.variable(f"t{i}", cost=rng.randint(-1, 1), sign=rng.choice(signs)) for i in range(m)]
    p = [[builder.variable(f"p{i}{j}", cost=rng.randint(-3, 3), sign=rng.choice(signs)) for j in range(k)] for i in t]
    for i, j in product(range(m), range(k)):
        builder.row("low", {p[i][j]: 1, t[i]: -1}, ">=", rng.choice([0, 0, 0, F(1, 9), -1]))
        builder.row("high", {p[i][j]: 1, t[i]: -gamma}, "<=", 0)
        if rng.random() < 0.2:
            builder.row("floor", {p[i][j]: rng.choice([1, 3])}, ">=", F(1, 20))
    for j in [*range(k), *([0, 0] if rng.random() < 0.5 else [])]:
        builder.row("sum", {p[i][j]: rng.choice([1, 1, 1, 2]) for i in range(m)}, "=", rng.choice([1, 1, 1, 2]))
    w = [builder.variable(f"w{n}", cost=rng.randint(-2, 2), sign=rng.choice(signs)) for n in range(rng.randint(0, 4))]
    for below, above in pairwise(w):
        builder.row("order", {above: 1, below: -1}, ">=", rng.choice([0, 0, F(1, 7)]))
    for last in w[-1:]:
        builder.row("end", {last: 1}, "<=", 1)
    program = builder.build()
    return replace(program, rows=tuple(rng.sample(program.rows, len(program.rows))))


def pool(count: int) -> list[LinearProgram]:
    return [chain_program(seed) if seed % 3 else random_program(seed)[1] for seed in range(count)]


def surpluses(form: IntegerForm, x: list[Fraction]) -> list[Fraction]:
    dense = form.matrix.dense()
    return [sum((a * v for a, v in zip(row, x, strict=True)), F(0)) - b for row, b in zip(dense, form.rhs, strict=True)]


def prices(form: IntegerForm, y: list[Fraction]) -> list[Fraction]:
    dense = form.matrix.dense()
    return [F(c) - sum((row[j] * v for row, v in zip(dense, y, strict=True)), F(0)) for j, c in enumerate(form.cost)]


@pytest.mark.slow
def test_points_and_prices_there_and_back(size: Callable[[int, int], int]) -> None:
    """At random x and y every surplus, every price and the objective are those of the program, signs included."""
    gone = differences = 0
    for seed, program in enumerate(pool(size(150, 3000))):
        form, rng = integer_form(program), random.Random(seed)
        reduced = Reduction.of(form)
        (m, n), changed = form.matrix.shape, set(reduced.changed.tolist())
        columns, rows = reduced.columns.tolist(), reduced.rows.tolist()
        assert len(set(columns)) == len(columns) == len(rows) == m - len(reduced.kept)
        x = [F(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(n)]
        s = surpluses(form, x)
        z = [s[rows[columns.index(j)]] if j in columns else v for j, v in enumerate(x)]
        assert list(reduced.point(RationalVector.of(z))) == x
        kept = [s[i] for i in reduced.kept.tolist()]
        inner = [value - kept[reduced.first] if i in changed else value for i, value in enumerate(kept)]
        assert surpluses(reduced.form, z) == inner
        at_origin = list(reduced.point(RationalVector.of([0] * n)))
        moved = sum((F(c) * v for c, v in zip(reduced.form.cost, z, strict=True)), F(0))
        assert moved == sum((F(c) * (v - o) for c, v, o in zip(form.cost, x, at_origin, strict=True)), F(0))

        right = [v if free else abs(v) for v, free in zip(z, reduced.form.free.tolist(), strict=True)]
        signed = list(reduced.point(RationalVector.of(right)))
        assert all(signed[c] >= 0 or form.free[c] for c in columns)

        y = [F(rng.randint(-9, 9), rng.randint(1, 5)) for _ in reduced.kept]
        outer = list(reduced.multipliers(RationalVector.of(y)))
        before, after = prices(form, outer), prices(reduced.form, y)
        assert after == [outer[rows[columns.index(j)]] if j in columns else v for j, v in enumerate(before)]
        assert all(before[c] == 0 for c in columns)
        assert all(outer[i] == y[place] or place == reduced.first for place, i in enumerate(reduced.kept.tolist()))
        farkas = list(reduced.multipliers(RationalVector.of(y), homogeneous=True))
        assert all(prices(replace(form, cost=0 * form.cost), farkas)[c] == 0 for c in columns)

        assert not reduced.form.free[reduced.columns].any()
        assert (reduced.form.equal == form.equal[reduced.kept]).all()
        gone += len(rows)
        differences += len(changed)
    assert gone >= 120
    assert differences >= 30


@pytest.mark.slow
def test_the_value_is_that_of_the_oracle(size: Callable[[int, int], int]) -> None:
    solved = 0
    for seed in range(size(30, 600)):
        program = chain_program(seed)
        word, value = oracle(program)
        outcome = outcome_of(program)
        assert outcome is None or type(outcome).__name__.lower() == word, seed
        assert (outcome is None) == (word == "unbounded"), seed
        if isinstance(outcome, Optimal):
            assert outcome.value == value, seed
            solved += 1
    assert solved >= size(8, 150)


@pytest.mark.parametrize("gamma", [F(3), 1 + F(1, 10**20)])
def test_the_lower_rows_of_the_trace_problem_become_signs(gamma: Fraction) -> None:
    k = 12
    reduced = Reduction.of(integer_form(trace_program(gamma, [F(1)] * k)))
    assert len(reduced.rows) == k * k
    assert reduced.form.matrix.shape[0] == k * k + k
    assert len(reduced.changed) == k - 1
    # the entry 1 of gamma = 1 + 10^-20 is gone: what remains is gamma - 1 beside it
    dense = reduced.form.matrix.dense()
    upper = [row for row, equal in zip(dense, reduced.form.equal, strict=True) if not equal]
    sizes = {F(max(row), -min(row)) for row in upper}
    assert sizes == {gamma - 1}


def test_where_nothing_applies_nothing_changes() -> None:
    form = integer_form(random_program(12)[1])
    reduced = Reduction.of(form)
    assert not reduced.rows.size
    assert not reduced.changed.size
    assert reduced.form.matrix is form.matrix
