"""The routes: independent ways to the same optimum, each with the problems that it accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rropt.errors import UnsupportedProblemError
from rropt.objectives import EstimatorVariance
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.levels import LevelBracket
from rropt.privacy.regions import PrivacyRegion
from rropt.problem import Problem
from rropt.solvers.closed_form.binary_variance import solve_closed_form
from rropt.solvers.closed_form.weighted_trace import is_weighted_trace, solve_weighted_trace
from rropt.solvers.convex.binary_variance import solve_convex
from rropt.solvers.exact.binary_variance import solve_exact
from rropt.solvers.linear_designs.design_programme import Levels
from rropt.solvers.linear_designs.limits import CONVEX_ENTRIES, LARGEST_CROSS_CHECK
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
    solve: Callable[[Problem, Levels], RouteResult]


def _is_variance(problem: Problem) -> bool:
    return isinstance(problem.objective, EstimatorVariance)


def _fits(problem: Problem) -> bool:
    """Return whether a linear programme of the problem is solved in seconds."""
    region = problem.region.region if isinstance(problem.region, BoundedRegion) else problem.region
    m, k = region.outputs, region.inputs
    excesses = m * k * (k - 1) if isinstance(region, PrivacyRegion) and region.delta.rational != 0 else 0
    return m * k <= LARGEST_CROSS_CHECK and excesses <= CONVEX_ENTRIES


def _accepts_closed_form(problem: Problem) -> bool:
    return _is_variance(problem) or is_weighted_trace(problem)


def _accepts_convex(problem: Problem) -> bool:
    return _is_variance(problem) or _fits(problem)


def _accepts_exact(problem: Problem) -> bool:
    return _is_variance(problem) or _fits(problem) or not is_weighted_trace(problem)


def _closed_form(problem: Problem, levels: Levels) -> RouteResult:
    if _is_variance(problem):
        return solve_closed_form(problem, _one_level(levels))
    return solve_weighted_trace(problem, levels)


def _convex(problem: Problem, levels: Levels) -> RouteResult:
    if _is_variance(problem):
        return solve_convex(problem, _one_level(levels))
    from rropt.solvers.convex.linear_designs import solve_design_convex  # numpy: only when it is used

    return solve_design_convex(problem, levels)


def _exact(problem: Problem, levels: Levels) -> RouteResult:
    if _is_variance(problem):
        return solve_exact(problem, _one_level(levels))
    from rropt.solvers.exact.linear_designs import solve_design_exactly  # HiGHS: only when it is used

    return solve_design_exactly(problem, levels)


def _one_level(levels: Levels) -> LevelBracket:
    if not isinstance(levels, LevelBracket):
        raise UnsupportedProblemError("n Var needs one privacy level: received a level for each pair")
    return levels


ROUTES: dict[str, Route] = {
    route.name: route
    for route in (
        Route("closed-form", _accepts_closed_form, _closed_form),
        Route("convex", _accepts_convex, _convex),
        Route("exact", _accepts_exact, _exact),
    )
}
