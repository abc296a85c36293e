"""Sums over the outputs under several levels: a vertex over the edges of all cells, in the bracket of the engine."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt import twins
from rropt.convex import active as numbers
from rropt.convex.regions import limits_of, named_edges
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.active_sets import Active
from rropt.designs import Problem
from rropt.symbolic import level_rows
from rropt.symbolic.fields import Field

SUMS = ("total-variation", "chi-square", "hellinger", "kullback-leibler", "jensen-shannon", "mutual-information")
RATIONAL = (
    [("log(2)", "1/5"), ("log(5)", "1/50")],
    [("log(3)", "1/10"), ("log(7)", "0")],
    [("log(2)", "1/20"), ("log(4)", "0")],  # one gamma is the square of the other
)
IRRATIONAL = (
    [("1/2", "1/10"), ("1", "0")],
    [("1/2", "1/10"), ("log(4)", "1/100")],
    [("2/3", "1/10"), ("1", "0")],
)


def problem_of(rng: random.Random, name: str, levels: Any, k: int) -> Any:
    shares = [[rng.randint(1, 9) for _ in range(k)] for _ in range(2)]
    pi, against = ([f"{x}/{sum(each)}" for x in each] for each in shares)
    objective = name if name == "mutual-information" else rropt.objectives.OBJECTIVES[name](against)  # type: ignore[call-arg]
    own: dict[str, Any] = {"objective": objective, "population": pi}
    return Problem.kary(level=rropt.privacy.levels(*[{"epsilon": e, "delta": d} for e, d in levels]), **own)


@few_rows(2)
@pytest.mark.parametrize("name", SUMS)
def test_rational_levels_have_a_form(name: str) -> None:
    for n, levels in enumerate(RATIONAL):
        solution = rropt.solve(problem_of(random.Random(n), name, levels, 3 if n else 2), fast=True)
        twin = solution.sympy_twin()
        assert twin.form is not None
        assert twin.agrees == ("equal" if solution.lower == solution.upper else "inside")
        assert solution.cvxpy_twin().agrees is not None


@few_rows(1)
@pytest.mark.parametrize("levels", IRRATIONAL)
@pytest.mark.parametrize("name", ["total-variation", "kullback-leibler", "mutual-information"])
def test_irrational_levels_have_bounds(name: str, levels: Any) -> None:
    solution = rropt.solve(problem_of(random.Random(5), name, levels, 3), fast=True)
    own = solution.enclosure()
    own.check()
    assert own.lower <= solution.upper
    assert solution.lower <= own.upper
    assert own.width < Fraction(1, 10**20)
    assert "proved within" in solution.sympy_twin().why


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_random_problems_raise_no_alarm(seed: int) -> None:
    rng = random.Random(seed)
    for name in SUMS:
        levels = rng.choice([*RATIONAL, *IRRATIONAL])
        solution = rropt.solve(problem_of(rng, name, levels, rng.choice([2, 3, 3, 4])), fast=True)
        assert solution.sympy_twin().agrees is not None
        assert solution.cvxpy_twin().agrees is not None


def test_a_metric_and_pairs_of_their_own_have_a_form() -> None:
    pairs = [[i, j] for i, j in permutations(range(3), 2) if abs(i - j) == 1]
    levels = [{"epsilon": "log(2)", "delta": "0", "pairs": pairs}, {"epsilon": "log(4)", "delta": "0"}]
    problem = Problem.kary(
        level=rropt.privacy.levels(*levels),
        objective=rropt.objectives.ChiSquare(["1/6", "1/2", "1/3"]),
        population=["1/2", "1/3", "1/6"],
    )
    solution = rropt.solve(problem, fast=True)
    assert solution.sympy_twin().agrees == "equal"


def test_an_optimum_of_0_at_irrational_levels_raises_no_alarm() -> None:
    """Both distributions are equal, so that every divergence is 0 and has no relative width."""
    levels = [{"epsilon": "1", "delta": "0"}, {"epsilon": "5/2", "delta": "0"}]
    same = ["7/16", "9/16"]
    problem = Problem.kary(
        level=rropt.privacy.levels(*levels), objective=rropt.objectives.TotalVariation(same), population=same
    )
    assert rropt.solve(problem, fast=True).twins.sympy.agrees is not None


def test_both_lists_of_edges_have_the_same_rows() -> None:
    """In fractions and in floats, each by its own search."""
    for levels in RATIONAL:
        data = problem_of(random.Random(1), "chi-square", levels, 3).to_dict()
        asked = level_rows.LevelsAsked(data, None, Field({}))
        rows = [list(map(Fraction, map(str, asked.entries(row)))) for row in asked.rows]
        exact = {tuple(round(float(x / max(row)), 9) for x in row) for row in rows}
        floats = named_edges(3, limits_of(data["region"], 3).levels)
        assert exact == {tuple(round(x, 9) for x in row) for row, _ in floats}


def test_a_row_a_pair_and_a_phi_that_are_changed_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(random.Random(1), "chi-square", RATIONAL[0], 3)
    data = problem.to_dict()
    found = numbers.active_set(data)
    value = level_rows.basis_of(data, found).value
    for changed in (Active(found.rows[1:], found.tight), Active(found.rows, found.tight[1:])):
        with pytest.raises(RouteDisagreementError):
            level_rows.basis_of(data, changed)
    rows = level_rows.LevelsAsked(data, None, Field({})).rows
    refused = 0
    for row in rows:
        first = found.rows[0]._replace(exponents=row)
        try:
            other = level_rows.basis_of(data, Active((first, *found.rows[1:]), found.tight)).value
        except RouteDisagreementError:
            refused += 1
        else:
            assert not other - value
    assert refused > len(rows) // 2
    own = level_rows.LevelsAsked.excess
    monkeypatch.setattr(level_rows.LevelsAsked, "excess", lambda self, *given: own(self, *given) * 9 / 10)
    twins._vertex.cache_clear()
    with pytest.raises(RouteDisagreementError):
        rropt.solve(problem, fast=True).sympy_twin()
    twins._vertex.cache_clear()


def test_too_many_categories_are_said() -> None:
    problem = problem_of(random.Random(1), "chi-square", RATIONAL[0], 5)
    with pytest.raises(UnsupportedProblemError, match="several levels"):
        twins.vertex_of(problem)
