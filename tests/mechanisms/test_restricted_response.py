"""Randomized response over some of the categories: equal to its matrix in everything that is asked of it."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from every_case import every_case

from rropt.core.errors import InvalidMechanismError
from rropt.mechanisms import Mechanism, RestrictedResponse
from rropt.mechanisms.sampling import Randomizer

F = Fraction
RUNS = [
    [(1, True), (1, False)],
    [(2, True)],
    [(3, False), (1, True), (2, False)],
    [(1, False), (2, True), (2, False), (1, True)],
    [(1, True), (4, False)],
    [(1, False), (3, True)],
]


@every_case("runs", RUNS)
@every_case(("gamma", "delta"), [("3", "0"), ("3", "1/7"), ("1", "0"), ("5/2", "1"), ("1", "1/9")])
def test_it_is_its_matrix(runs: list[tuple[int, bool]], gamma: str, delta: str) -> None:
    made = RestrictedResponse(runs, gamma, delta)
    matrix = Mechanism(made.matrix)
    assert made.parity() == matrix.parity()
    for epsilon in ("0", "log(3/2)", "log(3)", "log(7)"):
        assert made.delta(epsilon) == matrix.delta(epsilon)
    assert [made.profile().at(g) for g in (1, 2, 4)] == [matrix.profile().at(g) for g in (1, 2, 4)]
    assert made.delta(f"log({gamma})" if gamma != "1" else 0) <= F(delta)
    shares = [F(x + 1) for x in range(made.inputs)]
    assert made.apply(shares) == matrix.apply(shares)
    assert all(made[i, j] == matrix[i, j] for i in range(made.inputs) for j in range(made.inputs))
    assert Mechanism.from_json(made.to_json()) == made
    for wrong in ([*made.form()["restricted-response"]["runs"], ["1", "1/2"]], [["1", "1", "1"]]):
        with pytest.raises(InvalidMechanismError, match="not of the form"):
            RestrictedResponse.from_data({**made.form()["restricted-response"], "runs": wrong})
    assert made.identifies == (np.linalg.matrix_rank(matrix.to_numpy()) == made.inputs)
    assert list(made.never_given()) == [i for i in range(made.inputs) if not any(matrix.row(i))]


@every_case("runs", RUNS)
def test_its_sampler_has_its_law(runs: list[tuple[int, bool]]) -> None:
    made, n = RestrictedResponse(runs, 3, "1/5"), 20_000
    for j in range(made.inputs):
        drawn = Randomizer(made).simulate_many(np.full(n, j), rng=11 + j)
        expected = n * np.array([float(p) for p in made.column(j)])
        counts = np.bincount(drawn, minlength=made.inputs)
        assert not counts[expected == 0].any()
        seen = expected > 0
        assert ((counts[seen] - expected[seen]) ** 2 / expected[seen]).sum() < 50  # at most 5 degrees of freedom


def test_a_million_categories_are_drawn() -> None:
    rng = random.Random(3)
    made = RestrictedResponse([(n, bool(i % 2)) for i, n in enumerate([999_000, 400, 300, 200, 100])], "5/2", "1/2")
    truth = np.array([rng.randrange(10**6) for _ in range(1000)])
    drawn = Randomizer(made).simulate_many(truth, rng=1)
    assert all(made.is_chosen(x) for x in drawn[drawn != truth].tolist())
    assert 400 < int((drawn == truth).sum()) < 600


@pytest.mark.parametrize("wrong", [["11", "20"], [["1", "1", "1"]], [["2", "1"], ["1", "1/2"]], [2, 1], "11", None])
def test_runs_of_another_form_are_refused(wrong: object) -> None:
    right = {"runs": [["2", "1"], ["1", "0"]], "gamma": "3", "delta": "1/10"}
    assert RestrictedResponse.from_data(right).inputs == 3
    with pytest.raises(InvalidMechanismError, match="not of the form"):
        RestrictedResponse.from_data({**right, "runs": wrong})
