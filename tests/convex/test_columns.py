"""Programs of nine categories and more, whose rows are generated, against those that list all rows, and HiGHS."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from few_rows import few_rows
from later import later

import rropt
from rropt.convex import columns, regions
from rropt.convex.designs import problem as programs
from rropt.core.errors import UnsupportedProblemError
from rropt.designs import Problem
from rropt.objectives import OBJECTIVES

linprog = later("scipy.optimize", "linprog")

F = Fraction


def problem(objective: str, k: int) -> object:
    weights = [1 + (7 * i) % 5 for i in range(k)]
    population = [F(x, sum(weights)) for x in weights]
    asked = OBJECTIVES[objective]([F(1, k)] * k) if objective in ("chi-square", "hellinger") else objective
    return Problem.kary(epsilon="log(3)", objective=asked, population=population)


@few_rows(3)
@pytest.mark.parametrize("objective", ["mutual-information", "a-optimal", "e-optimal", "chi-square", "d-optimal"])
def test_generated_rows_are_as_good_as_all_rows(objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of seven categories both programs can be posed."""
    asked = problem(objective, 7)
    listed = programs.posed_of(asked)[0].solved()
    monkeypatch.setattr(columns, "FROM", 7)
    posed, found = programs.posed_of(asked)
    assert len(posed.rows) < 127
    assert abs(found.value - listed.value) <= 1e-7 * max(1, abs(listed.value))
    assert found.error < 1e-6 * max(1, abs(listed.value))


@few_rows(1)
@pytest.mark.parametrize(("objective", "k"), [("mutual-information", 10), ("chi-square", 12), ("hellinger", 15)])
def test_sums_against_a_linear_program_over_all_rows(objective: str, k: int) -> None:
    asked = problem(objective, k)
    found = programs.posed_of(asked)[1]
    pi = np.array([float(p) for p in asked.population])
    bits = (np.arange(1, 2**k - 1)[:, None] >> np.arange(k)) & 1
    rows = 1.0 + 2.0 * bits
    a, b = rows @ pi, rows.mean(1)
    phi = {
        "mutual-information": lambda: (rows * np.log(rows)) @ pi - a * np.log(a),
        "chi-square": lambda: (a - b) ** 2 / b,
        "hellinger": lambda: (np.sqrt(a) - np.sqrt(b)) ** 2 / 2,
    }[objective]()
    own = linprog(-phi, A_eq=rows.T, b_eq=np.ones(k), method="highs")
    assert -own.fun == pytest.approx(found.value, rel=1e-7)


@pytest.mark.slow
def test_the_engine_and_the_bounds_agree() -> None:
    asked = problem("a-optimal", 9)
    solution = rropt.solve(asked, fast=True)
    assert solution.cvxpy_twin().agrees
    own = asked.enclosure()
    own.check()
    assert own.width < 1e-6
    assert own.lower <= solution.upper
    assert own.upper >= solution.lower


def test_larger_problems_say_why() -> None:
    for objective, k in (("a-optimal", 10), ("mutual-information", 16)):
        with pytest.raises(UnsupportedProblemError, match="too many rows"):
            programs.posed_of(problem(objective, k))


def test_the_swept_rows_contain_the_most_violated_one() -> None:
    """Of one target no list of rows is needed: 300 random prices of eight categories, against all 254 rows."""
    draw = np.random.default_rng(5)
    everything = 1.0 + 2.0 * ((np.arange(1, 255)[:, None] >> np.arange(8)) & 1)
    for _ in range(300):
        q, g, y = draw.dirichlet(np.ones(8)), draw.normal(size=(8, 1)), draw.normal(size=8)

        swept = [3 * entries for _, entries in columns.swept_rows(g, y, q, 3.0)]
        constant = [np.ones((1, 8)) * size for size in (1.0, 3.0)]
        best = max(_violation(rows, g, y, q) for rows in (*swept, *constant))
        assert best >= _violation(everything, g, y, q) - 1e-9


def _violation(rows: regions.Array, g: regions.Array, y: regions.Array, q: regions.Array) -> float:
    return float((((rows @ g) ** 2).sum(1) / (rows @ q) - rows @ y).max())


def test_wrong_prices_give_no_accurate_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that violate their prices are in the error, so that no plausible value counts as accurate."""
    asked = problem("mutual-information", 9)
    own = columns.generated

    def turned(limits: object, first: object, solved: object) -> object:
        def wrong(rows: object) -> object:
            found, size, violation, others = solved(rows)
            return found, size, lambda entries: violation(entries) + 0.1, others

        return own(limits, first, wrong)

    monkeypatch.setattr(columns, "generated", turned)
    found = programs.posed_of(asked)[1]
    assert found.error > 1e-3 * abs(found.value)  # the twin then says that CVXPY did not reach its accuracy


@pytest.mark.slow
def test_generated_rows_are_those_of_one_level() -> None:
    """A program that is kept for its other levels would have the rows of the first."""
    for gamma, expected in (("2", 54.2222222222), ("29/10", 23.0905817175)):
        found = programs._solved(Problem.kary(9, epsilon=f"log({gamma})", objective="a-optimal"))[0]
        own = rropt.solve(Problem.kary(9, epsilon=f"log({gamma})", objective="a-optimal"), fast=True)
        assert abs(found.value - float(own.value)) < 1e-6 * expected, (found.value, float(own.value))
