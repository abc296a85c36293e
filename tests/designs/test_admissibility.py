"""`admissible` against exact linear programs; the dominating mechanism, its kernel, its certificate."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from orders_oracles import (
    Matrix,
    completed,
    garbles,
    is_dominated,
    random_rows,
    split,
    without_proportional_rows,
)

from rropt.core.exact import Epsilon
from rropt.designs.orders import Admissibility, admissible
from rropt.mechanisms import Mechanism
from rropt_proofs.chainayak2018._sufficiency_members import random_member

TINY = Fraction(1, 10**12)


def _case(rng: random.Random) -> tuple[str, Mechanism, object]:
    """Return a random mechanism with k <= 6 and a level that its parity does not exceed."""
    kind = rng.choice(["rows", "rows", "member", "split member", "member beside a constant", "near member", "garbled"])
    k = rng.randint(2, 6)
    gamma = Fraction(rng.randint(11, 60), rng.randint(4, 10))
    matrix = completed(random_rows(k, rng), rng) if kind == "rows" else random_member(k, gamma, rng).matrix
    if kind == "split member":
        share = Fraction(rng.randint(1, 9), 10)
        matrix = (*matrix[1:], tuple(x * share for x in matrix[0]), tuple(x * (1 - share) for x in matrix[0]))
    elif kind == "member beside a constant":
        share = Fraction(rng.randint(1, 9), 10)
        matrix = (*(tuple(x * share for x in row) for row in matrix), (1 - share,) * k)
    elif kind == "near member":
        matrix = _moved(matrix, rng)
    elif kind == "garbled":
        matrix = (_kernel(rng.randint(1, 4), len(matrix), rng) @ Mechanism(matrix)).matrix
    mechanism = Mechanism(matrix)
    parity = mechanism.parity()
    assert parity is not None
    own = None if parity > 1 else "log(2)"
    larger = f"log({parity * rng.choice([1 + TINY, Fraction(3, 2)])})"
    irrational = str(Fraction(int(1000 * float(Epsilon.of_parity(parity))) + rng.randint(1, 500), 1000))
    return kind, mechanism, rng.choice([own, own, larger, irrational])


def _moved(matrix: Matrix, rng: random.Random) -> Matrix:
    """Return the matrix with 1e-12 moved between two entries of a column."""
    rows = [list(row) for row in matrix]
    up, down = rng.sample(range(len(rows)), 2)
    j = rng.randrange(len(rows[0]))
    rows[up][j] += TINY
    rows[down][j] -= TINY
    return tuple(map(tuple, rows))


def _kernel(r: int, m: int, rng: random.Random) -> Mechanism:
    columns = [[rng.randint(0, 5) for _ in range(r)] for _ in range(m)]
    columns = [column if any(column) else [1] * r for column in columns]
    used = [any(column[i] for column in columns) for i in range(r)]  # no zero rows
    columns = [[x for x, keep in zip(column, used, strict=True) if keep] for column in columns]
    return Mechanism([[Fraction(column[i], sum(column)) for column in columns] for i in range(sum(used))])


def _assert_strictly_better(answer: Admissibility, gamma: Fraction) -> None:
    """A in C_gamma^0 by its definition, P = C A, and `admissible` says yes to A."""
    assert answer.domination is not None
    better = answer.domination.mechanism
    assert better.outputs >= 2
    for row in better.matrix:
        assert len(set(row)) == 2
        assert max(row) == gamma * min(row)
    assert without_proportional_rows(better.matrix) == better.matrix
    assert answer.kernel is not None
    assert answer.kernel @ better == answer.mechanism
    again = admissible(better, Epsilon.of_gamma(gamma), fast=True)
    assert again.admissible
    assert again.domination is None
    assert again.certificate().check()


@pytest.mark.slow
def test_admissible_agrees_with_exact_linear_programs(size: Callable[[int, int], int], rng: random.Random) -> None:
    points, seen = size(150, 4000), Counter[tuple[str, bool]]()
    for _ in range(points):
        kind, mechanism, level = _case(rng)
        answer = admissible(mechanism, level, fast=True)
        gamma = answer.level.gamma
        if gamma is None:  # between the parity and gamma; dominated there is dominated at gamma
            assert answer.domination is not None
            gamma = answer.domination.gamma
            assert mechanism.parity() < gamma < answer.level.exact_gamma()
        merged = without_proportional_rows(mechanism.matrix)
        assert answer.admissible == (not is_dominated(merged, gamma, rng)), (mechanism, level)
        assert answer.admissible == (not answer.reasons)
        if not answer:
            _assert_strictly_better(answer, gamma)
        verdict = answer.certificate().check()
        assert verdict, verdict.reason
        seen[kind, answer.admissible] += 1
    assert seen.total() == points
    assert sum(count for (_, yes), count in seen.items() if yes) >= points // 12
    assert all(seen[kind, True] for kind in ("member", "split member"))
    assert all(seen[kind, False] for kind in ("rows", "near member", "garbled", "member beside a constant"))


@pytest.mark.slow
def test_no_garbling_leads_to_the_dominating_mechanism(size: Callable[[int, int], int], rng: random.Random) -> None:
    """Strictness without the payoff: D P = A has no solution; a split of a row (the oracle's step) is strict too."""
    points = done = 0
    while points < size(25, 400):
        _, mechanism, level = _case(rng)
        answer = admissible(mechanism, level, fast=True)
        if answer.domination is None or answer.domination.mechanism.outputs * mechanism.outputs > 20:
            continue
        points += 1
        merged = answer.merged.mechanism.matrix
        better = answer.domination.mechanism.matrix
        assert garbles(better, merged)
        assert not garbles(merged, better)
        i, b = next((i, b) for i, row in enumerate(merged) if (b := split(row, answer.domination.gamma, rng)))
        parts = (b, tuple(x - y for x, y in zip(merged[i], b, strict=True)))
        refined = without_proportional_rows(tuple(part for part in parts if any(part)) + merged[:i] + merged[i + 1 :])
        assert garbles(refined, merged)
        assert not garbles(merged, refined)
        done += len(merged)
    assert points == size(25, 400)
    assert done >= 2 * points


@pytest.mark.parametrize(
    ("matrix", "level", "conditions"),
    [
        ([["3/4", "1/4"], ["1/4", "3/4"]], None, []),
        ([["3/4", "1/4"], ["1/4", "3/4"]], "log(4)", [((0,), "C1"), ((1,), "C1")]),
        ([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]], None, []),
        ([["3/6", "2/6", "1/6"], ["3/6", "4/6", "5/6"]], None, [((0,), "C2"), ((1,), "C1"), ((1,), "C2")]),
        ([["3/8", "1/8"], ["3/8", "1/8"], ["1/4", "3/4"]], None, []),  # proportional rows, merged
        ([["3/8", "1/8"], ["1/8", "3/8"], ["1/2", "1/2"]], None, [((2,), "C1")]),  # a constant row
        ([["1/4", "1/4"], ["3/4", "3/4"]], "log(2)", [((0, 1), "C1")]),  # independent of the truth
        ([["1", "1"]], "log(2)", [((0,), "C1")]),
    ],
)
def test_reasons_row_by_row(matrix: list, level: object, conditions: list) -> None:
    answer = admissible(Mechanism(matrix), level, fast=True)
    assert [(reason.rows, reason.condition) for reason in answer.reasons] == conditions
    assert answer.certificate().check()
    if conditions:
        assert answer.domination is not None
        _assert_strictly_better(answer, answer.domination.gamma)
        refutation = answer.refutation()
        assert refutation is not None
        assert refutation.check()
    else:
        assert answer.refutation() is None


def test_a_constant_row_is_left_out_and_the_others_are_scaled() -> None:
    """Lemma 4.3: the row delta 1 is deleted, the others are divided by 1 - delta."""
    answer = admissible(Mechanism([["3/8", "1/8"], ["1/8", "3/8"], ["1/2", "1/2"]]), fast=True)
    assert answer.domination is not None
    assert answer.domination.mechanism == Mechanism([["3/4", "1/4"], ["1/4", "3/4"]])
    assert answer.kernel == Mechanism([["1/2", "0"], ["0", "1/2"], ["1/2", "1/2"]])


def test_the_middle_value_is_split_as_in_lemma_4_4() -> None:
    """Row (1, 3, 2)/6 at gamma = 3 is half (1, 3, 1)/6 and half (1, 3, 3)/6."""
    answer = admissible(Mechanism([["1/6", "3/6", "2/6"], ["5/6", "3/6", "4/6"]]), fast=True)
    better = answer.domination and answer.domination.mechanism
    assert better is not None
    first = [i for i, c in enumerate(answer.kernel.matrix[0]) if c]
    directions = {tuple(x / min(better.matrix[i]) for x in better.matrix[i]) for i in first}
    assert {(1, 3, 1), (1, 3, 3)} <= directions


@pytest.mark.parametrize("level", ["1/2", "2*log(3)/3", "log(2)/2", "1/1000000"])
def test_at_an_irrational_level_nothing_rational_is_admissible(level: str) -> None:
    mechanism = Mechanism(
        [["100000001/200000001", "100000000/200000001"], ["100000000/200000001", "100000001/200000001"]]
    )
    answer = admissible(mechanism, level, fast=True)
    assert not answer.admissible
    assert mechanism.parity() < answer.domination.gamma < Epsilon.of(level).exact_gamma()
    assert answer.certificate().check()
    _assert_strictly_better(answer, answer.domination.gamma)


def test_the_heading_states_the_level_at_which_the_better_mechanism_is_admissible() -> None:
    """At an irrational level no rational matrix is admissible, so the heading must not say it of the better one."""
    weak = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    assert (
        "strictly better, and admissible at its own parity (rows are outputs)"
        in admissible(weak, 3, fast=True).matrices()
    )
    assert "strictly better, and admissible (rows are outputs)" in admissible(weak, "log(3)", fast=True).matrices()


def test_the_dominating_level_is_found_however_near_gamma_is() -> None:
    """A parity that agrees with exp(1/2) in 60 digits, beyond the first bracket."""
    below, _ = Epsilon.of("1/2").gamma_bracket(60)
    mechanism = Mechanism.binary(below / (1 + below), below / (1 + below))
    answer = admissible(mechanism, "1/2", fast=True)
    assert not answer
    assert answer.domination.gamma > below
    assert answer.certificate().check()


def test_relabelling_answers_or_categories_changes_nothing(rng: random.Random) -> None:
    for _ in range(40):
        _, mechanism, level = _case(rng)
        m, k = mechanism.shape
        rows, columns = rng.sample(range(m), m), rng.sample(range(k), k)
        moved = Mechanism([[mechanism[i, j] for j in columns] for i in rows])
        first, second = admissible(mechanism, level, fast=True), admissible(moved, level, fast=True)
        assert first.admissible == second.admissible
        if first.domination:
            expected = {tuple(row[j] for j in columns) for row in first.domination.mechanism.matrix}
            assert set(second.domination.mechanism.matrix) == expected or first.merged.mechanism.outputs == 1
