"""Forms of 6 to 8 categories and of 5 with delta, and linear objectives of any number: proved, and in the bracket."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from few_rows import few_rows

import rropt
from rropt import twins
from rropt.convex import active as numbers
from rropt.convex.columns import FROM
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.active_sets import Active
from rropt.designs import Problem
from rropt.objectives import OBJECTIVES, Loss, Payoff, Trace
from rropt.symbolic import active
from rropt.symbolic.active import interval_of
from rropt.symbolic.fields import Field
from rropt.symbolic.symbols import gamma

Size = Callable[[int, int], int]
LINEAR = ("trace", "loss", "payoff")
SUMS = ("total-variation", "chi-square", "hellinger", "kullback-leibler", "jensen-shannon", "mutual-information")


def shares(rng: random.Random, k: int) -> list[str]:
    parts = [rng.randint(1, 9) for _ in range(k)]
    return [f"{x}/{sum(parts)}" for x in parts]


def problem_of(rng: random.Random, name: str, k: int, epsilon: str, delta: str = "0") -> Any:
    own: dict[str, Any]
    if name == "trace":
        own = {"categories": k, "objective": Trace([rng.randint(0, 5) for _ in range(k)])}
    elif name in LINEAR:
        lines = [[rng.randint(-3, 5) for _ in range(k)] for _ in range(k if name == "loss" else 1 + k // 2)]
        own = {"population": shares(rng, k), "objective": Loss(lines) if name == "loss" else Payoff(lines)}
    else:
        own = {"population": shares(rng, k)}
        own["objective"] = name if name == "mutual-information" else OBJECTIVES[name](shares(rng, k))
    return Problem.kary(epsilon=epsilon, delta=delta, **own)


@pytest.mark.parametrize(
    ("k", "delta"), [(6, "0"), *(pytest.param(*x, marks=pytest.mark.slow) for x in ((5, "1/10"), (7, "0"), (8, "0")))]
)
@few_rows(3)
@pytest.mark.parametrize("name", [*LINEAR, *SUMS])
@pytest.mark.filterwarnings("ignore::rropt.core.errors.RroptWarning")
def test_there_is_a_form_in_the_bracket(name: str, k: int, delta: str) -> None:
    rng = random.Random(f"{name} {k}")
    for epsilon in ("log(3)", *(["1"] if k == 6 else [])):
        solution = rropt.solve(problem_of(rng, name, k, epsilon, delta), fast=True)
        twin = solution.sympy_twin()
        assert twin.form is not None
        assert twin.agrees == ("equal" if solution.lower == solution.upper else "inside")


@few_rows(1)
@pytest.mark.parametrize(
    ("name", "k", "delta"), [("payoff", 8, "0"), ("mutual-information", 8, "0"), ("loss", 5, "1/10")]
)
def test_the_largest_forms(name: str, k: int, delta: str) -> None:
    solution = rropt.solve(problem_of(random.Random(2), name, k, "log(3)", delta), fast=True)
    assert solution.sympy_twin().form is not None


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize(("name", "k"), [("loss", 5), ("chi-square", 6), ("kullback-leibler", 6)])
def test_a_form_is_optimal_inside_its_interval_and_another_one_outside(name: str, k: int, size: Size) -> None:
    """At levels inside, the same active set is proved; just outside it is refused."""
    problem = problem_of(random.Random(f"inside {name}"), name, k, "log(3)")
    found = twins.vertex_of(problem)
    low, high = (Fraction(str(sp.N(end, 30))) if end.is_finite else Fraction(50) for end in interval_of(found))

    def at(level: Fraction) -> dict[str, Any]:
        region = {**found.asked.data["region"], "epsilon": {"log": str(level)}}
        return {**found.asked.data, "region": region}

    for n in range(1, 20, size(6, 1)):
        level = (low + (high - low) * n / 20).limit_denominator(1000)
        if low < level < high:
            active.level_basis_of(at(level), found.active)
    outside = [low - (low - 1) / 50] * (low > Fraction(101, 100)) + [high * Fraction(51, 50)] * (high < 50)
    assert outside
    for level in outside:
        with pytest.raises(RouteDisagreementError):
            active.level_basis_of(at(level.limit_denominator(10**4)), found.active)


@few_rows(1)
@pytest.mark.parametrize("k", [9, 20, 50])
@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.filterwarnings("ignore::rropt.core.errors.RroptWarning")
def test_linear_objectives_of_many_categories_have_both_twins(name: str, k: int) -> None:
    """Rows are generated; the proof in fractions has one sum for each output, and no list of rows."""
    rng = random.Random(f"many {name} {k}")
    for epsilon in ("log(3)", "1"):
        solution = rropt.solve(problem_of(rng, name, k, epsilon), fast=True)
        symbolic, numeric = solution.sympy_twin(), solution.cvxpy_twin()
        assert symbolic.agrees in ("equal", "inside")
        assert numeric.agrees is not None
        own = solution.problem.enclosure()
        own.check()
        assert own.lower <= solution.upper
        assert solution.lower <= own.upper
        assert own.width < Fraction(1, 10**20)
        if epsilon == "log(3)" and name != "trace":  # the trace has a theorem in symbols
            assert symbolic.domain == "at this level alone: gamma = 3"
            assert sp.Rational(symbolic.form) == sp.Rational(solution.value.numerator, solution.value.denominator)


def test_generated_rows_are_those_of_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """With eight categories both ways lead to the same optimum, and the proof of both uses all rows."""
    for seed in range(3):
        problem = problem_of(random.Random(seed), "loss", 8, "log(3)")
        listed = numbers.active_set(problem.to_dict())
        with monkeypatch.context() as patch:
            patch.setattr(numbers, "FROM", 8)
            generated = numbers.active_set(problem.to_dict())
        assert FROM == 9
        one, other = (active.level_basis_of(problem.to_dict(), each).value for each in (listed, generated))
        assert not one - other


def test_a_changed_row_of_many_categories_is_refused() -> None:
    problem = problem_of(random.Random(5), "loss", 12, "log(3)")
    data = problem.to_dict()
    found = numbers.active_set(data)
    best = active.level_basis_of(data, found).value
    refused = 0
    for place, row in enumerate(found.rows):
        for j in range(12):
            flipped = tuple(1 - x if i == j else x for i, x in enumerate(row.exponents))
            changed = row._replace(exponents=flipped)
            try:
                value = active.level_basis_of(
                    data, Active((*found.rows[:place], changed, *found.rows[place + 1 :]))
                ).value
            except RouteDisagreementError:
                refused += 1
            else:
                assert not value - best
    assert refused > 50  # others have the same value: rows of weight 0 were changed


def test_sizes() -> None:
    problem = Problem.kary(70, epsilon="1", objective="loss:zero-one")
    with pytest.raises(UnsupportedProblemError):
        twins.vertex_of(problem)
    assert active.Asked(problem_of(random.Random(1), "loss", 40, "log(3)").to_dict(), None, Field({})).number_of_rows
    assert gamma in twins.vertex_of(problem_of(random.Random(1), "loss", 8, "log(3)")).asked.values
