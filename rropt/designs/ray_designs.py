"""The design class that the package ``engine`` solves: objectives with a form on rays, any number of outputs.

A closed form is a separate route of this class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rropt.core.certificates import Certificate
from rropt.designs.engine.designs import certify_design, is_known, is_listed, limit_of, solved_by_rays
from rropt.designs.engine.theorems import by_theorem, has_equal_shares, has_theorem
from rropt.designs.equal_shares import equal_shares_design
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign, RouteResult, recorded_design, staircase_design
from rropt.designs.solving import DesignClass, Route, is_of_one_population
from rropt.privacy.region import RationalLevels


def _is_of_its_kind(problem: Problem) -> bool:
    """Return whether the objective has a form on rays, and the region has privacy levels and unrestricted outputs."""
    region = problem.region
    is_free = region.has_rays and region.bounds is None and not region.outputs
    return is_of_one_population(problem) and problem.objective.is_on_rays and is_free


@dataclass(frozen=True)
class RayDesigns(DesignClass[ProvedDesign]):
    """Optimal designs with any number of outputs under one privacy level, several, or one level per pair of inputs."""

    name = "rays"
    specificity: ClassVar[int] = -1  # special cases have classes of their own
    routes = (
        Route("closed-form", by_theorem, has_theorem),
        Route("exact", solved_by_rays, is_listed),
    )
    found = ProvedDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether the problem is of this kind, and a theorem or the engine solves it."""
        return _is_of_its_kind(problem) and (has_theorem(problem) or is_listed(problem))

    def refusal(self, problem: Problem) -> str | None:
        """Return which limit a problem of this kind exceeds: the number of rays, or a proportion of 0."""
        return None if not _is_of_its_kind(problem) or has_theorem(problem) else limit_of(problem)

    def recorded(self, problem: Problem, certificate: Certificate) -> RouteResult:
        """Return the design in a certificate; under one level with delta = 0, its rows determine its closed form."""
        found = recorded_design(problem, certificate)
        if problem.region.form != "parity":
            return found
        return equal_shares_design(problem, found) if has_equal_shares(problem) else staircase_design(found)

    def certificate(self, problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
        """Return the certificate: rays, or a closed form."""
        return certify_design(problem, levels, best)

    def is_certified(self, problem: Problem) -> bool:
        """Return whether the checker supports the objective."""
        return is_known(problem)
