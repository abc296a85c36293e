"""The routes: independent ways to the same optimum, each with the problems that it accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rropt.privacy import LevelBracket
from rropt.problem import Problem
from rropt.solvers.closed_form.binary_variance import solve_closed_form
from rropt.solvers.convex.binary_variance import solve_convex
from rropt.solvers.exact.binary_variance import solve_exact
from rropt.solvers.results import RouteResult

__all__ = ["ROUTES", "Route", "RouteResult"]


@dataclass(frozen=True, slots=True)
class Route:
    """One way to an optimum.

    Attributes:
        name: as ``solve(problem, routes=[...])`` takes it.
        accepts: whether the route can solve a problem.
        solve: from a problem and rational levels around it to a bracket of its optimum.
    """

    name: str
    accepts: Callable[[Problem], bool]
    solve: Callable[[Problem, LevelBracket], RouteResult]


def _binary_variance(problem: Problem) -> bool:
    return problem.region.is_binary and problem.objective.kind == "variance"


ROUTES: dict[str, Route] = {
    route.name: route
    for route in (
        Route("closed-form", _binary_variance, solve_closed_form),
        Route("convex", _binary_variance, solve_convex),
        Route("exact", _binary_variance, solve_exact),
    )
}
