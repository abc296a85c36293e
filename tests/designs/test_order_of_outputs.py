"""The outputs of ray designs stand in the order of the categories that give them most."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from few_rows import few_rows
from support.ray_problems import objective

from rropt import Problem, solve
from rropt.designs.engine.ray_designs import order_of_outputs
from rropt.designs.solution import Solution
from rropt.mechanisms import Mechanism
from rropt.privacy import GaussianRegion, PrivacyRegion, RenyiRegion

F = Fraction
_THREE = [F(1, 2), F(1, 3), F(1, 6)]
_FOUR = [F(1, 10), F(1, 5), F(3, 10), F(2, 5)]


def _most(row) -> list[int]:
    return [j for j, x in enumerate(row) if x > max(row) * F(999, 1000)]


def _solved(kind: str, population, *level: str) -> Solution:
    region = PrivacyRegion(*level, inputs=len(population), outputs="any")
    return solve(Problem(region, objective(kind, len(population)), population), fast=True)


@pytest.mark.parametrize("kind", ["a", "d"])
@pytest.mark.parametrize("epsilon", ["1", "log(3)"])
def test_output_i_is_the_one_that_category_i_gives_most(kind: str, epsilon: str) -> None:
    solution = _solved(kind, _THREE, epsilon)
    assert [_most(row) for row in solution.mechanism.matrix] == [[0], [1], [2]]
    assert solution.certificate.check().accepted


@pytest.mark.parametrize("kind", ["a", "e", "mutual-information"])
@few_rows(1)
@pytest.mark.parametrize("delta", ["0", "1/100"])
def test_outputs_stand_in_lexicographic_order_or_on_the_diagonal(kind: str, delta: str) -> None:
    solution = _solved(kind, _FOUR, "log(2)", delta)
    most = [_most(row) for row in solution.mechanism.matrix]
    assert most == sorted(most) or [i for i in range(4) if i in most[i]] == [0, 1, 2, 3]
    assert solution.certificate.check().accepted


@pytest.mark.parametrize("kind", ["a", "d", "mutual-information"])
def test_outputs_of_two_inputs_stand_in_order_of_likelihood_ratio(kind: str) -> None:
    solution = _solved(kind, [F(1, 10), F(9, 10)], "log(2)", "1/10")
    rows = solution.mechanism.matrix
    shares = [row[1] / sum(row) for row in rows]
    assert shares == sorted(shares)
    assert (rows[0][1], rows[-1][0]) == (0, 0)  # certain 0 first, certain 1 last
    assert solution.certificate.check().accepted


@pytest.mark.parametrize(
    ("region", "population"),
    [
        pytest.param(RenyiRegion(2, "1/2", inputs=3), _THREE, marks=pytest.mark.slow),
        (GaussianRegion(1, inputs=2, levels=2), [F(1, 4), F(3, 4)]),
    ],
)
def test_designs_under_other_bounds_have_the_same_order(region, population) -> None:
    mechanism = solve(Problem(region, objective("a", len(population)), population)).mechanism
    assert order_of_outputs(mechanism) == [*range(mechanism.outputs)]


def test_a_mechanism_in_any_order_is_put_in_order() -> None:
    """Two of three categories give each output most: there is a permutation all the same."""
    rows = [[F(2, 5), F(1, 5), F(2, 5)], [F(2, 5), F(2, 5), F(1, 5)], [F(1, 5), F(2, 5), F(2, 5)]]
    rng = random.Random(54)
    for _ in range(6):
        rng.shuffle(rows)
        order = order_of_outputs(Mechanism(rows))
        assert sorted(order) == [0, 1, 2]
        assert all(rows[order[j]][j] == F(2, 5) for j in range(3))
