"""The class of designs with k inputs and an objective that is linear in the mechanism: primal and dual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rropt.certificates import Certificate
from rropt.certificates.design_programmes import certify_design
from rropt.errors import UnsupportedProblemError
from rropt.exact.brackets import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.privacy.levels import RationalLevels
from rropt.problem import Problem
from rropt.solvers.closed_form.weighted_trace import is_weighted_trace, solve_weighted_trace
from rropt.solvers.design_class import DesignClass, Route
from rropt.solvers.linear_designs.limits import (
    CONVEX_ENTRIES,
    LARGE_DIGITS,
    LARGE_ENTRIES,
    LARGEST_CROSS_CHECK,
    MOST_ENTRIES,
)
from rropt.solvers.results import ProvedDesign, RouteResult


def _fits(problem: Problem) -> bool:
    """Return whether a linear programme of the problem is solved in seconds."""
    m, k = problem.region.outputs, problem.region.inputs
    excesses = m * k * (k - 1) if problem.region.form == "excess" else 0
    return m * k <= LARGEST_CROSS_CHECK and excesses <= CONVEX_ENTRIES


def _accepts_exact(problem: Problem) -> bool:
    return _fits(problem) or not is_weighted_trace(problem)


def _convex(problem: Problem, levels: RationalLevels) -> RouteResult:
    from rropt.solvers.convex.linear_designs import solve_design_convex  # numpy: only when it is used

    return solve_design_convex(problem, levels)


def _exact(problem: Problem, levels: RationalLevels) -> RouteResult:
    from rropt.solvers.exact.linear_designs import solve_design_exactly  # HiGHS: only when it is used

    return solve_design_exactly(problem, levels)


_EXACT = Route("exact", _exact, _accepts_exact)


@dataclass(frozen=True)
class LinearDesigns(DesignClass[ProvedDesign]):
    """Linear programmes in the mechanism, over regions of every form of FORMAT.md, rule 3, with or without bounds."""

    name = "linear k-ary"
    routes = (Route("closed-form", solve_weighted_trace, is_weighted_trace), Route("convex", _convex, _fits), _EXACT)
    found = ProvedDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether objective and region make a linear programme.

        Raises:
            UnsupportedProblemError: they do, and its certificate would be too large.
        """
        if not problem.objective.is_linear or problem.region.form is None:
            return False
        entries = _entries(problem)
        if entries > MOST_ENTRIES:
            raise UnsupportedProblemError(
                f"the mechanism is too large to be certified: received {entries} entries; allowed are {MOST_ENTRIES}, "
                "300 categories; merge categories"
            )
        return True

    def digits(self, problem: Problem) -> tuple[int, int]:
        """Return fewer digits of large mechanisms; no rational level is so near to an algebraic one by accident."""
        return LARGE_DIGITS if _entries(problem) > LARGE_ENTRIES else FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS // 4

    def results(self, problem: Problem, levels: RationalLevels, routes: Sequence[Route]) -> dict[str, RouteResult]:
        """Return what the routes find; with bounds the exact route goes first, since it alone proves infeasibility."""
        first = {} if problem.region.bounds is None else {"exact": _EXACT.solve(problem, levels)}
        return {route.name: first.get(route.name) or route.solve(problem, levels) for route in routes}

    def certificate(self, problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
        """Return the certificate of primal and dual."""
        return certify_design(
            problem, levels, lower=best.lower, upper=best.upper, mechanism=best.mechanism, dual=best.dual
        )


def _entries(problem: Problem) -> int:
    return problem.region.inputs * problem.region.outputs
