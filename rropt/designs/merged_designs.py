"""Solve designs with many categories that the objective does not distinguish, by merging them."""

from __future__ import annotations

from dataclasses import replace

from rropt.core.certificates import Certificate
from rropt.designs.engine.certificate import certify_design
from rropt.designs.engine.designs import is_listed, solved_by_rays
from rropt.designs.engine.merging import Merged, merged_problem
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign, recorded_design
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels


def _parts(problem: Problem) -> tuple[Merged, Problem]:
    found = merged_problem(problem)
    assert found is not None  # only called for accepted problems
    return found


def solved_by_merging(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal design for the groups, extended to all categories; the value is the same."""
    groups, smaller = _parts(problem)
    found = solved_by_rays(smaller, levels)
    return replace(found, mechanism=groups.mechanism(found.mechanism))


def is_merged(problem: Problem) -> bool:
    """Return whether the engine does not list the rays of a problem, but those of its groups.

    Examples are a contrast of two among 100 categories, and a distance between two distributions with few ratios. The
    certificate states the problem of the groups. ``engine.merging`` proves that both problems have the same optimum.
    """
    if problem.region.family != "all" or is_listed(problem):
        return False
    found = merged_problem(problem)
    return found is not None and is_listed(found[1])


def certify_merged_categories(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Write the certificate for the groups, whose mechanism has the column of one category of each."""
    groups, smaller = _parts(problem)
    first = [groups.groups.index(g) for g in range(len(groups.population))]
    rows = [[row[j] for j in first] for row in best.mechanism.matrix]
    return certify_design(smaller, levels, replace(best, mechanism=Mechanism(rows)))


def read_merged(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design in a certificate of the groups, extended to all categories.

    Raises:
        FileFormatError: the certificate belongs to another problem.
    """
    groups, smaller = _parts(problem)
    found: ProvedDesign = recorded_design(smaller, certificate)
    return replace(found, mechanism=groups.mechanism(found.mechanism))
