"""The class of designs under a criterion: solved on both sides of B(h) by the class of the same designs at a level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rropt.certificates import Certificate
from rropt.errors import UnsupportedProblemError
from rropt.exact import Epsilon
from rropt.privacy.levels import RationalLevels
from rropt.problem import Problem
from rropt.solvers.design_class import DesignClass, design_class
from rropt.solvers.results import RouteResult
from rropt.solvers.solution import Solution


class _Certified(Problem):
    """A problem as its certificate writes it."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "region": self.region.certified_dict()}


@dataclass(frozen=True)
class CriterionDesigns(DesignClass[RouteResult]):
    """Any objective over a region whose level is a B(h): the certificate holds the proof of B(h) (rule 12)."""

    name = "under a criterion"
    routes = ()
    found = RouteResult

    def accepts(self, problem: Problem) -> bool:
        """Return whether the region has a criterion."""
        return problem.region.criterion is not None

    def certificate(self, problem: Problem, levels: RationalLevels, best: RouteResult) -> Certificate:
        """Return the certificate of the class of the same designs at a level, over the region of the criterion."""
        region, level = problem.region, Epsilon.of_gamma(levels.one_level().below.gamma)
        inner = design_class(Problem(region.at(level), problem.objective, problem.population))
        return inner.certificate(_Certified(region, problem.objective, problem.population), levels, best)

    def solve(self, problem: Problem, routes: Iterable[str] | None) -> Solution:
        """Return the design at a rational gamma below B(h), with the bound at one above."""
        from rropt.certificates.infimum import InfimumBracket  # python-flint: only when it is used
        from rropt.solvers.both_sides import solve_both_sides

        region, objective = problem.region, problem.objective
        if region.criterion is None:
            raise UnsupportedProblemError(f"the region has no criterion: received {region}; allowed is a criterion")
        levels = InfimumBracket.of(region.criterion)
        below, above = (
            Problem(region.at(Epsilon.of_gamma(end.gamma)), objective, problem.population)
            for end in (levels.below, levels.above)
        )
        sides = solve_both_sides(below, above, is_rounded=not levels.is_exact, routes=routes)
        beyond = sides.above or sides.below
        best = sides.below.found.bounded_by(beyond.found, objective.sense)
        found = {
            name: result.bounded_by(beyond.routes[name], objective.sense)
            for name, result in sides.below.routes.items()
            if name in beyond.routes
        }
        certificate = self.certificate(problem, levels, best).require_accepted()
        return Solution(best.lower, best.upper, problem, best, found, certificate)
