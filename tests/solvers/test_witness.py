"""The convex route as a witness of its own: what it says where its bracket is open, and what the fast path loads."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

import rropt
from rropt.designs.convex import column_weights
from rropt.objectives import AlphaDivergence, AOptimality, Contrasts, Hellinger, MutualInformation, Payoff
from rropt.privacy import PrivacyRegion

F = Fraction
PI = (F(6, 11), F(3, 11), F(2, 11))


def problem(objective: Any, delta: object) -> rropt.Problem:
    return rropt.Problem(PrivacyRegion("log(3)", delta, inputs=3, outputs="any"), objective, PI)


@pytest.mark.parametrize("delta", [0, "1/20"])
def test_an_open_bracket_is_no_agreement(monkeypatch: pytest.MonkeyPatch, delta: object) -> None:
    """A solver without an answer leaves a wide bracket; the output says so, and does not say that the routes agree."""
    monkeypatch.setattr(column_weights, "is_answered", lambda program: False)
    solution = rropt.solve(problem(AOptimality(), delta))
    assert solution.not_closed == ("convex",)
    lines = dict(solution.lines())
    assert lines["routes that agree"] == "exact"
    assert lines["routes not closed"] == "convex"
    assert solution.to_dict()["not_closed"] == ["convex"]
    assert rropt.Solution.from_dict(solution.to_dict()).not_closed == ("convex",)


@pytest.mark.parametrize("delta", [0, "1/20"])
def test_it_states_every_objective_of_rays(delta: object) -> None:
    for objective in (Payoff([[1, 0, 0], [0, 2, 1]]), Hellinger(["1/3"] * 3), Contrasts([[1, -1, 0], [1, 1, 0]])):
        solution = rropt.solve(problem(objective, delta))
        convex = solution.routes["convex"]
        assert convex.is_closed, objective.kind
        assert max(convex.lower, solution.lower) <= min(convex.upper, solution.upper)


def test_the_fast_path_loads_neither_numpy_nor_cvxpy() -> None:
    arguments = ["design", "binary", "--epsilon", "1", "--prevalence", "0.1", "--routes", "exact", "--json"]
    code = (
        "import contextlib, io, sys; import rropt.cli.main as cli\n"
        f"sys.argv = ['rropt', *{arguments}]\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n    cli.main()\n"
        "print(sorted({'numpy', 'scipy', 'sympy', 'cvxpy'} & set(sys.modules)), 'rropt.designs' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] True"


@pytest.mark.parametrize(
    ("epsilon", "objective"),
    [
        ("1/100", MutualInformation()),
        ("1/10000", AlphaDivergence([F(1, 3)] * 3, 3)),
        ("1/1000000", AOptimality()),
        ("1/1000000", MutualInformation()),
    ],
)
def test_rounding_errors_near_epsilon_0_widen_the_bracket(epsilon: str, objective: Any) -> None:
    """For nearly constant rows most digits of phi cancel; the routes do not contradict each other."""
    problem = rropt.Problem(PrivacyRegion(epsilon, inputs=3, outputs="any"), objective, PI)
    found = rropt.solve(problem)
    assert found.status == "optimal"
    convex = found.routes["convex"]
    assert convex.lower < convex.upper
    assert convex.lower <= found.upper
    assert found.lower <= convex.upper
