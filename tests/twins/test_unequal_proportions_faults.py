"""Faults at moderately unequal proportions, which no guard of extreme levels excuses: each of them is an alarm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from caches import forget
from few_rows import few_rows

import rropt
from rropt import information_twins, twins
from rropt.convex import active, levels, numeric
from rropt.convex.designs import problem as programs
from rropt.core.errors import RouteDisagreementError
from rropt.designs import Problem

APART = [Fraction(100, 151), Fraction(50, 151), Fraction(1, 151)]  # the first is 100 times as large as the last
PAYOFF = rropt.objectives.Payoff([[3, 0, 100], [0, 5, 90]])
LEVEL = "log(3)"


def _problem(objective: Any, population: Any = APART) -> Problem:
    return Problem.kary(3, epsilon=LEVEL, objective=objective, population=population)


def _several(population: Any = APART) -> Problem:
    several = rropt.privacy.levels({"epsilon": LEVEL, "delta": "0"}, {"epsilon": "log(2)", "delta": "1/10"})
    return Problem.kary(3, level=several, objective=PAYOFF, population=population)


def _value_of_program(patch: pytest.MonkeyPatch) -> None:
    """The program of CVXPY has a value that is larger by 1e-4 of itself."""
    own = programs._solved

    def changed(problem: Any) -> Any:
        found, limits, lines = own(problem)
        return replace(found, value=found.value * (1 + 1e-4)), limits, lines

    patch.setattr(programs, "_solved", changed)


def _design_of_program(patch: pytest.MonkeyPatch) -> None:
    """The design of CVXPY is mixed with one that ignores the input."""
    own = numeric.numeric_of

    def changed(problem: Any) -> Any:
        found = own(problem)
        return found._replace(design=0.99 * found.design + 0.01 / len(found.design))

    patch.setattr(numeric, "numeric_of", changed)


def _rows_of_program(patch: pytest.MonkeyPatch) -> None:
    """The rows that CVXPY names are those of the reversed proportions."""
    own = active.active_set
    patch.setattr(
        active,
        "active_set",
        lambda data, *given, **named: own({**data, "population": data["population"][::-1]}, *given, **named),
    )


def _weights_of_program(patch: pytest.MonkeyPatch) -> None:
    """The weights and prices that CVXPY finds are those of the reversed proportions."""
    own = information_twins._guess_of
    patch.setattr(
        information_twins,
        "_guess_of",
        lambda problem, is_limited: own(_problem(problem.objective, APART[::-1]), is_limited),
    )


def _support_of_program(patch: pytest.MonkeyPatch) -> None:
    """The rows to which CVXPY gives weight have the high entries where they should have the low ones."""
    own = information_twins._guess_of

    def changed(problem: Any, is_limited: bool) -> Any:
        found = own(problem, is_limited)
        return replace(found, rows=[tuple(1 - x for x in row) for row in found.rows])

    patch.setattr(information_twins, "_guess_of", changed)


def _conditions_of_program(patch: pytest.MonkeyPatch) -> None:
    """CVXPY names tight conditions of the problem with the reversed proportions."""
    own = levels.active
    patch.setattr(levels, "active", lambda asked, seed: own(_several(APART[::-1]), seed))


SITES: dict[str, tuple[Any, Callable[[pytest.MonkeyPatch], None], Callable[[Any], Any]]] = {
    "value, linear": (PAYOFF, _value_of_program, lambda found: twins.cvxpy_twin(found)),
    "value, curved": ("d-optimal", _value_of_program, lambda found: twins.cvxpy_twin(found)),
    "design": (PAYOFF, _design_of_program, lambda found: twins.cvxpy_twin(found)),
    "rows": (PAYOFF, _rows_of_program, lambda found: found.sympy_twin()),
    "support": ("d-optimal", _support_of_program, lambda found: information_twins.kkt_of(found)),
    "conditions": ("several levels", _conditions_of_program, lambda found: found.sympy_twin()),
    "prices": ("d-optimal", _weights_of_program, lambda found: found.sympy_twin()),
}


@few_rows(3)
@pytest.mark.parametrize("site", SITES)
def test_moderately_unequal_proportions_are_not_excused(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    objective, plant, ask = SITES[site]
    found = rropt.solve(_several() if objective == "several levels" else _problem(objective), fast=True)
    ask(found)  # without the fault nothing is raised
    forget()
    plant(monkeypatch)
    with pytest.raises(RouteDisagreementError):
        ask(found)
