"""By default the twins of one result take about two seconds: limits in counts, and how to ask for more."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import rropt
from rropt import twins
from rropt.convex import columns
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results import twin_work
from rropt.designs import Problem
from rropt.symbolic import information

P5 = ["2/17", "5/17", "3/17", "1/17", "6/17"]
Q5 = ["4/20", "5/20", "1/20", "7/20", "3/20"]


def many_brackets() -> Any:
    problem = Problem.kary(epsilon=2, delta="1/50", objective=rropt.objectives.TotalVariation(Q5), population=P5)
    return rropt.solve(problem, fast=True)


def set_limit(monkeypatch: pytest.MonkeyPatch, name: str, most: int) -> None:
    monkeypatch.setattr(twin_work, "LIMITS", {**twin_work.LIMITS, name: most})


@pytest.mark.slow
def test_many_brackets_are_left_out_by_default_and_bounds_are_proved() -> None:
    found = many_brackets().twins.sympy
    assert found.form is None
    assert "left out by default" in found.why
    assert twin_work.ON_REQUEST in found.why
    assert "proved within" in found.why
    assert found.agrees is not None


@pytest.mark.slow
def test_what_is_left_out_is_done_on_request() -> None:
    solution = many_brackets()
    assert solution.twins.sympy.form is None
    assert solution.sympy_twin().form is not None
    assert solution.to_sympy().form is not None
    assert many_brackets().twins.sympy.form is None  # also after it was asked for


def test_many_relations_are_left_to_the_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = rropt.solve(Problem.kary(epsilon=1, objective="a-optimal", population=P5), fast=True)
    set_limit(monkeypatch, "relations", 10)
    assert "proved within" in solution.twins.sympy.why
    worse = rropt.solve(Problem.kary(epsilon="1/2", objective="a-optimal", population=P5), fast=True).mechanism
    forged = replace(solution, found=copy(solution.found))
    object.__setattr__(forged.found, "designs", (worse,))
    with pytest.raises(RouteDisagreementError, match="claimed"):
        _ = forged.twins


def test_a_few_active_sets_are_solved_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one is always solved, so that what it determines is an alarm; others only if they are few."""
    solution = rropt.solve(
        Problem.kary(epsilon="log(3)", objective="d-optimal", population=["1/2", "1/3", "1/6"]), fast=True
    )
    own, tried = information.of_active, []

    def refused(*given: Any) -> Any:
        tried.append(given)
        raise information.NoFormError("a test")

    set_limit(monkeypatch, "unknowns", 0)
    assert rropt.solve(solution.problem, fast=True).twins.sympy.form is not None
    monkeypatch.setattr(information, "of_active", refused)

    def rows(guess: Any, asked: Any, least: float) -> Any:  # other ones for each support
        return [(0, 0, 1)] * (1 + information._SUPPORTS.index(least)), [1.0], []

    monkeypatch.setattr(information, "active", rows)
    assert "left out by default" in rropt.solve(solution.problem, fast=True).twins.sympy.why
    assert len(tried) == 1
    rropt.solve(solution.problem, fast=True).sympy_twin()
    assert len(tried) == 1 + len(information._SUPPORTS)
    assert own is not refused


def test_a_fault_is_seen_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = many_brackets()
    forged = replace(solution, lower=solution.lower * Fraction(11, 10), upper=solution.upper * Fraction(11, 10))
    with pytest.raises(RouteDisagreementError):
        _ = forged.twins
    for name in twin_work.LIMITS:
        set_limit(monkeypatch, name, 0)
    twins._vertex.cache_clear()
    worse = rropt.solve(
        Problem.kary(
            epsilon="log(3)",
            objective=rropt.objectives.ChiSquare(Q5[:3] + ["1/2"]),
            population=P5[:2] + ["9/17", "1/17"],
        ),
        fast=True,
    )
    with pytest.raises(RouteDisagreementError):
        _ = replace(worse, lower=worse.lower * 2, upper=worse.upper * 2).twins


def test_many_rows_under_several_levels_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = [{"epsilon": "log(2)", "delta": "1/5"}, {"epsilon": "1", "delta": "1/50"}]
    problem = Problem.kary(
        level=rropt.privacy.levels(*levels), objective="a-optimal", population=["1/2", "3/10", "1/5"]
    )
    assert "proved within" in rropt.solve(problem, fast=True).twins.sympy.why
    set_limit(monkeypatch, "rows", 100)
    assert "126 rows, at most 100" in rropt.solve(problem, fast=True).twins.sympy.why
    assert "proved within" in rropt.solve(problem, fast=True).sympy_twin().why


def test_many_edges_of_every_level_are_left_out_and_designs_are_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    found: Any = rropt.every_level(rropt.design.kary, 4, delta="1/50", objective="d-optimal", fast=True)
    assert found.twins.sympy.why == ""
    set_limit(monkeypatch, "edges", 14)
    found = rropt.every_level(rropt.design.kary, 4, delta="1/50", objective="d-optimal", fast=True)
    assert "optimality not derived: left out by default (15 edges, at most 14)" in found.twins.sympy.why
    assert "no design evaluated" not in found.twins.sympy.why
    assert found.sympy_twin().why == ""


@pytest.mark.slow
def test_vertices_of_many_entries_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> Any:
        return rropt.design.kary(9, level="line:1", objective="trace", fast=True)

    assert "proved within" in found().twins.sympy.why
    set_limit(monkeypatch, "fractions", 80)
    assert "left out by default (81 fractions, at most 80)" in found().twins.sympy.why
    assert found().twins.sympy.agrees
    assert "proved within" in found().sympy_twin().why


def test_the_bounds_of_a_program_that_cvxpy_leaves_out_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(columns.MOST_BY_DEFAULT, "one target", 8)
    found: Any = rropt.design.mean([1, 2, 3, 4, 5, 6, 7, 8, 9], epsilon=1, fast=True)
    assert not found.twins.cvxpy.posed
    assert "proved within" not in found.twins.sympy.why
    assert "proved within" in found.sympy_twin().why


def test_limits_are_counts_and_hold_by_default_alone() -> None:
    assert not twin_work.is_limited()
    with twin_work.by_default():
        assert twin_work.is_limited()
        with pytest.raises(UnsupportedProblemError, match="701 relations, at most 700"):
            twin_work.require("relations", 701)
        twin_work.require("relations", 700)
    assert not twin_work.is_limited()
    twin_work.require("relations", 701)


def test_cvxpy_says_how_to_ask_for_more_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(columns.MOST_BY_DEFAULT, "sum", 8)
    problem = Problem.kary(epsilon="log(3)", objective="mutual-information", population=["2/10", *["1/10"] * 8])
    twin = rropt.solve(problem, fast=True).twins.cvxpy
    assert "to_cvxpy() generates them for k = 9" in twin.why
