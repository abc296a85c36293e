"""Solve design problems under Gaussian differential privacy, between two polygons of privacy levels."""

from __future__ import annotations

from dataclasses import dataclass

from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, shown
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS
from rropt.designs.engine.designs import RayDesign, certify_design, is_known, limit_of, solved_by_rays
from rropt.designs.problem import Problem
from rropt.designs.solution import RouteResult, recorded_design
from rropt.designs.solving import DesignClass, Route, is_of_one_population
from rropt.privacy.region import RationalLevels, Region


def _over(region: Region, problem: Problem) -> Problem:
    return Problem(region, problem.objective, problem.population)


def _polygons(problem: Problem) -> tuple[Region, Region]:
    polygons = problem.region.polygons
    assert polygons is not None  # only called for accepted problems
    return polygons


def solved_between_polygons(problem: Problem, levels: RationalLevels) -> RayDesign:
    """Return the optimal design over the polygon within the region, with the dual of the polygon around it.

    The design is private, so its value is one endpoint of the bracket. Every private mechanism lies in the polygon
    around the region, so the dual proves the other endpoint.
    """
    within, around = (_over(region, problem) for region in _polygons(problem))
    best = solved_by_rays(within, within.region.bracket(FIRST_BRACKET_DIGITS))
    bound = solved_by_rays(around, levels)
    assert isinstance(best, RayDesign)
    assert isinstance(bound, RayDesign)  # several levels have no closed form
    ends = (bound.lower, best.upper) if problem.objective.sense == "minimise" else (best.lower, bound.upper)
    return RayDesign(*ends, best.mechanism, bound.dual, best.primal)


def _is_of_its_kind(problem: Problem) -> bool:
    return (
        is_of_one_population(problem)
        and problem.region.polygons is not None
        and problem.objective.is_on_rays
        and not problem.objective.outputs(problem.region.inputs)
    )


@dataclass(frozen=True)
class GaussianDesigns(DesignClass[RayDesign]):
    """Optimal designs with any number of outputs under Gaussian differential privacy (FORMAT.md, rule 25)."""

    name = "Gaussian differential privacy"
    routes = (Route("exact", solved_between_polygons),)
    found = RayDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether the region lies between polygons, and the objective uses rays within its limits."""
        return _is_of_its_kind(problem) and self.refusal(problem) is None

    def refusal(self, problem: Problem) -> str | None:
        """Return why this class cannot solve a problem under Gaussian differential privacy, or None."""
        region, objective = problem.region, problem.objective
        if region.polygons is None:
            return None
        if not is_of_one_population(problem):
            return "designs under Gaussian differential privacy have one population: received ranges; give proportions"
        if not _is_of_its_kind(problem):
            return (
                f"a design under Gaussian differential privacy has any number of outputs: received the objective "
                f"{objective.kind}; allowed are objectives of any number of outputs, for example a-optimal"
            )
        return limit_of(_over(_polygons(problem)[1], problem))

    def recorded(self, problem: Problem, certificate: Certificate) -> RouteResult:
        """Return the design in a certificate, after proving that its mechanism is in the region.

        Raises:
            FileFormatError: the certificate belongs to another problem, or its mechanism is not in the region.
        """
        found = recorded_design(problem, certificate)
        if not problem.region.contains(found.recorded[0]):
            raise FileFormatError(
                f"the mechanism of the certificate is not in the region: received {shown(str(problem.region))}; use "
                "the record as it was written"
            )
        return found

    def certificate(self, problem: Problem, levels: RationalLevels, best: RayDesign) -> Certificate:
        """Write the certificate of rule 25 for the polygon around the region."""
        return certify_design(_over(_polygons(problem)[1], problem), levels, best)

    def is_certified(self, problem: Problem) -> bool:
        """Return whether the checker supports the objective."""
        return is_known(problem)
