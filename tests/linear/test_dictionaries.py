"""Dictionaries of a programme: the same equations after every pivot, and fewer rows for the float solver."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from programme_pool.random_programmes import random_programme
from programme_pool.trace_programme import trace_programme

from rropt.linear import Optimal, solve
from rropt.linear.routes import presentation
from rropt.linear.routes.dictionary import Dictionary
from rropt.linear.routes.integer_form import IntegerForm, integer_form
from rropt.linear.routes.presentation import present

F = Fraction


def assignment(form: IntegerForm, rng: random.Random) -> list[Fraction]:
    """Random x, followed by `s = A x - b`."""
    m, n = form.matrix.shape
    x = [F(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(n)]
    dense = form.matrix.dense()
    return x + [sum((a * v for a, v in zip(dense[i], x, strict=True)), F(0)) - form.rhs[i] for i in range(m)]


def holds(dictionary: Dictionary, values: list[Fraction]) -> bool:
    def exact(value: object) -> Fraction:
        return F(int(value.p), int(value.q))  # type: ignore[attr-defined]

    return all(
        values[r] == exact(dictionary.constants[r]) + sum((exact(v) * values[c] for c, v in row.items()), F(0))
        for r, row in dictionary.rows.items()
    )


def test_pivots_keep_every_equation(size: Callable[[int, int], int]) -> None:
    pivots = 0
    for seed in range(size(60, 600)):
        form, rng = integer_form(random_programme(seed)[1]), random.Random(seed)
        values, dictionary = assignment(form, rng), Dictionary(form)
        for _ in range(6):
            places = [(r, c) for r, row in dictionary.rows.items() for c in row]
            if not places:
                break
            r, c = rng.choice(places)
            bound = dictionary.nonzeros + dictionary.fill(r, c)
            dictionary.pivot(r, c)
            pivots += 1
            assert holds(dictionary, values), seed
            assert dictionary.nonzeros == sum(map(len, dictionary.rows.values())) <= bound
            assert {(r, c) for r, row in dictionary.rows.items() for c in row} == {
                (r, c) for c, rows in dictionary.columns.items() for r in rows
            }
    assert pivots > 200


def test_the_lower_rows_of_the_trace_problem_become_signs() -> None:
    k = 12
    form = integer_form(trace_programme(F(3), [F(1)] * k))
    matrix = present(form)
    assert matrix.pivots == k * k
    assert matrix.bounded.sum() == form.matrix.shape[0] - k * k


def test_large_programmes_are_shown_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a limit on the entries, here set to 0, no dictionary is built; the answers are the same."""
    programmes = [random_programme(seed)[1] for seed in range(36)]
    answers = [solve(programme) for programme in programmes]
    monkeypatch.setattr(presentation, "PRESENTATION_NONZEROS", 0)
    for programme, answer in zip(programmes, answers, strict=True):
        again = solve(programme)
        assert type(again) is type(answer)
        assert not isinstance(again, Optimal) or again.value == answer.value
    assert present(integer_form(programmes[0])).pivots == 0


def test_nearly_parallel_rows_are_separated() -> None:
    """At gamma = 1 + 10^-20 the columns that sum to 1 become alike, as do the rows of the upper bounds."""
    form = integer_form(trace_programme(1 + F(1, 10**20), [F(1)] * 6))
    assert present(form, separate=True).pivots > present(form).pivots
    plain = integer_form(trace_programme(F(3), [F(1)] * 6))
    assert present(plain, separate=True).pivots == present(plain).pivots
