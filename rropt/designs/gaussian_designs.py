"""Solve design problems under Gaussian differential privacy, between two polygons of privacy levels."""

from __future__ import annotations

from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, shown
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS
from rropt.designs.engine.certificate import certify_design
from rropt.designs.engine.designs import limit_of, limit_of_outputs, solved_by_rays
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign, recorded_design
from rropt.privacy.region import RationalLevels, Region


def _over(region: Region, problem: Problem) -> Problem:
    return Problem(region, problem.objective, problem.population)


def _polygons(problem: Problem) -> tuple[Region, Region]:
    polygons = problem.region.polygons
    assert polygons is not None  # only called for accepted problems
    return polygons


def solved_between_polygons(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal design over the polygon within the region, with the dual of the polygon around it.

    The design is private, so its value is one endpoint of the bracket. Every private mechanism lies in the polygon
    around the region, so the dual proves the other endpoint.
    """
    within, around = (_over(region, problem) for region in _polygons(problem))
    best = solved_by_rays(within, within.region.bracket(FIRST_BRACKET_DIGITS))
    bound = solved_by_rays(around, levels)
    ends = (bound.lower, best.upper) if problem.objective.sense == "minimise" else (best.lower, bound.upper)
    return ProvedDesign(*ends, best.mechanism, bound.dual, primal=best.primal)


def limit_between_polygons(problem: Problem) -> str | None:
    """Return why a problem under Gaussian differential privacy is not solved, or None."""
    reason = limit_of_outputs(problem, "Gaussian differential privacy")
    return reason or limit_of(_over(_polygons(problem)[1], problem))


def read_between_polygons(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design in a certificate, after proving that its mechanism is in the region.

    Raises:
        FileFormatError: the certificate belongs to another problem, or its mechanism is not in the region.
    """
    found: ProvedDesign = recorded_design(problem, certificate)
    if not problem.region.contains(found.mechanism):
        raise FileFormatError(
            f"the mechanism of the certificate is not in the region: received {shown(str(problem.region))}; use "
            "the record as it was written"
        )
    return found


def certify_polygon(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Write the certificate for the polygon around the region."""
    return certify_design(_over(_polygons(problem)[1], problem), levels, best)
