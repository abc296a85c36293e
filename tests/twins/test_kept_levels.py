"""Programs and vertices that are kept from one level of a sweep to the next: each level has its own proof."""

from __future__ import annotations

from typing import Any

import pytest
from caches import forget
from few_rows import few_rows

import rropt
from rropt import twins
from rropt.convex.designs import problem as programs
from rropt.convex.numeric import numeric_of
from rropt.core.errors import RouteDisagreementError
from rropt.core.results.active_sets import Active
from rropt.symbolic import active

LEVELS = ["log(3/2)", "1/2", "log(3)", "3/2", "log(9)"]
SHARES = ["1/2", "3/10", "1/5"]


def _problem(objective: str, level: str, shares: list[str] = SHARES) -> Any:
    return rropt.Problem.kary(epsilon=level, objective=objective, population=shares)


@pytest.fixture(autouse=True)
def _empty() -> Any:
    forget()
    yield
    forget()


def _twin(objective: str, level: str) -> tuple[Any, ...]:
    found = rropt.solve(_problem(objective, level))
    form = twins.vertex_of(found)
    own, other = found.twins.sympy, found.twins.cvxpy
    return own.value, own.agrees, own.form, form.value_expression(), form.mechanism(), other.value, other.agrees


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("objective", ["mi", "loss:zero-one", "total-variation:1/3,1/3,1/3"])
def test_a_sweep_finds_what_single_levels_find(objective: str) -> None:
    in_turn = [_twin(objective, level) for level in LEVELS]
    for level, found in zip(LEVELS, in_turn, strict=True):
        forget()
        alone = _twin(objective, level)
        assert found[:5] == alone[:5]
        assert found[5] == pytest.approx(alone[5], rel=1e-7)
        assert found[6] == alone[6]


def test_a_kept_vertex_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    tried = twins._tried
    monkeypatch.setattr(twins, "_tried", lambda data, *more: asked.append(str(data)) or tried(data, *more))
    for level in ("1/2", "11/20", "3/5"):
        rropt.solve(_problem("mi", level))
    assert len(asked) == 1


def test_a_kept_vertex_that_is_not_optimal_is_refused() -> None:
    problem = _problem("mi", "log(3)")
    right = twins.vertex_of(problem)
    twins._vertex.cache_clear()
    (known,) = [kept for kept in [twins._known_vertices(twins._but_for_level(problem.to_dict()))] if kept]
    rows = [row for row in active.Asked(problem.to_dict()).rows if row not in {r.exponents for r in right.active.rows}]
    moved = right.active.rows[0]._replace(exponents=rows[0])
    known[:] = [active.Basis(right.asked, Active((moved, *right.active.rows[1:])))]
    assert twins.vertex_of(problem).active == right.active


def test_a_kept_vertex_is_proved_at_each_level(monkeypatch: pytest.MonkeyPatch) -> None:
    rropt.solve(_problem("mi", "1/2"))

    def refused(*given: Any) -> None:
        raise active.ProofRefusedError("planted")

    monkeypatch.setattr(active, "_require_brackets", refused)
    with pytest.raises(RouteDisagreementError):
        twins.vertex_of(_problem("mi", "11/20"))


def test_a_kept_program_is_solved_once_at_each_level(monkeypatch: pytest.MonkeyPatch) -> None:
    count: list[int] = []
    solve = programs.solve
    monkeypatch.setattr(programs, "solve", lambda *given, **more: count.append(1) or solve(*given, **more))
    for level in ("1/2", "1", "1/2"):
        problem = _problem("mi", level)
        own = numeric_of(problem)
        assert numeric_of(problem).value == own.value
        assert programs.compared(problem, *_bounds(problem)).agrees
    assert len(count) == 3


def _bounds(problem: Any) -> tuple[Any, Any]:
    found = rropt.solve(problem, fast=True)
    return found.lower, found.upper
