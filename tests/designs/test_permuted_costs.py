"""Losses that every output and every category have in another order: the formula, its design, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from few_rows import few_rows

import rropt
from rropt.designs.permuted_costs import has_permuted_costs, solve_permuted_costs
from rropt.designs.problem import Problem
from rropt.objectives import Loss

F = Fraction


def hamming(questions: int, values: int) -> list[list[int]]:
    """Return the number of questions in which two vectors differ."""
    points = list(product(range(values), repeat=questions))
    return [[sum(a != b for a, b in zip(x, y, strict=True)) for y in points] for x in points]


def on_a_cycle(k: int) -> list[list[int]]:
    """Return the distances on a cycle."""
    return [[min((i - j) % k, (j - i) % k) for j in range(k)] for i in range(k)]


def kendall(n: int) -> list[list[int]]:
    """Return the number of pairs that two rankings order differently."""

    def distance(a: tuple[int, ...], b: tuple[int, ...]) -> int:
        return sum((a.index(x) < a.index(y)) != (b.index(x) < b.index(y)) for x, y in combinations(range(n), 2))

    return [[distance(a, b) for b in permutations(range(n))] for a in permutations(range(n))]


def least(losses: list[list[int]], gamma: Fraction) -> Fraction:
    """Return the least mean loss by all subsets of categories, by their size: the definition of the formula."""
    k, u = len(losses[0]), gamma - 1
    cheapest = sorted(losses[0])
    return min((sum(cheapest) + u * sum(cheapest[:s])) / (k + u * s) for s in range(k + 1))


@few_rows(1)
@pytest.mark.parametrize("gamma", ["3/2", "10"])
@few_rows(2)
@pytest.mark.parametrize("losses", [hamming(3, 2), hamming(2, 3), on_a_cycle(5), on_a_cycle(8), kendall(3)])
def test_the_formula_is_the_optimum_of_the_linear_program(losses: list[list[int]], gamma: str) -> None:
    problem = Problem.kary(len(losses), epsilon=f"log({gamma})", objective=Loss(losses))
    solution = rropt.solve(problem, "all")
    assert {"closed-form", "exact"} <= set(solution.routes)
    assert solution.lower == solution.upper == least(losses, F(gamma))
    assert rropt.check(solution.certificate)


def test_the_design_has_two_probabilities_and_every_output() -> None:
    """Rankings of four at an irrational level: the bounds enclose the formula at both ends of gamma."""
    losses = kendall(4)
    problem = Problem.kary(24, epsilon=1, objective=Loss(losses))
    solution = rropt.solve(problem, "closed-form", fast=True)
    assert {len(set(row)) for row in solution.mechanism.matrix} == {2}
    assert problem.region.contains(solution.mechanism)
    levels = problem.region.bracket(60)
    assert solution.lower <= least(losses, levels.below.gamma)
    assert least(losses, levels.above.gamma) <= solution.upper
    assert solution.upper - solution.lower < F(1, 10**15)
    assert rropt.check(solution.certificate)


@pytest.mark.parametrize(
    ("losses", "more"),
    [
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], {}),  # the line: its rows differ
        ([[0, 1, 2], [0, 1, 2], [0, 1, 2]], {}),  # equal rows, but the columns differ
        (on_a_cycle(5), {"population": "1/3,1/6,1/6,1/6,1/6"}),
        (on_a_cycle(5), {"delta": "1/10"}),
        (on_a_cycle(5), {"bounds": "0..1/2"}),
    ],
)
def test_other_problems_have_no_such_form(losses: list[list[int]], more: dict[str, str]) -> None:
    problem = Problem.kary(len(losses), epsilon="log(3)", objective=Loss(losses), **more)
    assert not has_permuted_costs(problem)
    with pytest.raises(rropt.errors.UnsupportedProblemError, match="not permutations"):
        solve_permuted_costs(problem, problem.region.bracket(24))


def test_a_gain_and_fewer_outputs() -> None:
    """A loss of any sign, and two outputs for four categories, each of which has the same losses in another order."""
    losses = [[-1, 0, 0, 3], [3, 0, 0, -1]]
    assert not has_permuted_costs(Problem.kary(4, epsilon="log(3)", objective=Loss(losses)))
    losses = [[-1, 3, -1, 3], [3, -1, 3, -1]]
    solution = rropt.solve(Problem.kary(4, epsilon="log(3)", objective=Loss(losses)), "all")
    assert solution.lower == solution.upper == F(0)
    assert solution.mechanism.matrix[0] == (F(3, 4), F(1, 4), F(3, 4), F(1, 4))
