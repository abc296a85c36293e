"""Solve designs with many categories that the objective does not distinguish, by merging them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rropt.core.certificates import Certificate
from rropt.designs.engine.designs import certify_design, is_listed, solved_by_rays
from rropt.designs.engine.merging import Merged, merged_problem
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign, RouteResult, recorded_design
from rropt.privacy.region import RationalLevels


@dataclass(frozen=True, slots=True)
class MergedDesign(ProvedDesign):
    """A design for all categories.

    Attributes:
        grouped: the design for the groups, whose columns it repeats.
    """

    grouped: ProvedDesign

    def bounded_by(self, other: RouteResult, sense: str) -> RouteResult:
        """Replace the bound that the design does not attain, also for the groups, by that at another level."""
        found = ProvedDesign.bounded_by(self, other, sense)
        assert isinstance(found, MergedDesign)
        assert isinstance(other, MergedDesign)  # one class solves the problem at both levels
        grouped = self.grouped.bounded_by(other.grouped, sense)
        assert isinstance(grouped, ProvedDesign)
        return replace(found, grouped=grouped)


def _parts(problem: Problem) -> tuple[Merged, Problem]:
    found = merged_problem(problem)
    assert found is not None  # only called for accepted problems
    return found


def solved_by_merging(problem: Problem, levels: RationalLevels) -> MergedDesign:
    """Return the optimal design for the groups, extended to all categories; both have the same value."""
    groups, smaller = _parts(problem)
    found = solved_by_rays(smaller, levels)
    return MergedDesign(found.lower, found.upper, groups.mechanism(found.mechanism), found.dual, found)


def is_merged(problem: Problem) -> bool:
    """Return whether the engine does not list the rays of a problem, but those of its groups.

    Examples are a contrast of two among 100 categories, and a distance between two distributions with few ratios. The
    certificate states the problem of the groups. ``engine.merging`` proves that both problems have the same optimum.
    """
    if problem.region.family != "all" or is_listed(problem):
        return False
    found = merged_problem(problem)
    return found is not None and is_listed(found[1])


def certify_merged_categories(problem: Problem, levels: RationalLevels, best: MergedDesign) -> Certificate:
    """Write the certificate for the groups."""
    return certify_design(_parts(problem)[1], levels, best.grouped)


def read_merged(problem: Problem, certificate: Certificate) -> RouteResult:
    """Return the design in a certificate of the groups, extended to all categories.

    Raises:
        FileFormatError: the certificate belongs to another problem.
    """
    groups, smaller = _parts(problem)
    found = recorded_design(smaller, certificate)
    return replace(found, recorded=tuple(groups.mechanism(one) for one in found.recorded))
