"""Limits and records of the problems that the package ``engine`` solves: any number of outputs, a form on rays."""

from __future__ import annotations

from rropt.core.certificates import Certificate
from rropt.designs.engine.designs import limit_of
from rropt.designs.engine.theorems import has_equal_shares, has_theorem
from rropt.designs.equal_shares import equal_shares_design
from rropt.designs.problem import Problem
from rropt.designs.solution import RouteResult, recorded_design, staircase_design


def limit_of_rays(problem: Problem) -> str | None:
    """Return which limit a problem exceeds: the number of rays, or a proportion of 0."""
    return None if has_theorem(problem) else limit_of(problem)


def read_rays(problem: Problem, certificate: Certificate) -> RouteResult:
    """Return the design in a certificate; under one level with delta = 0, its rows determine its closed form."""
    found = recorded_design(problem, certificate)
    if problem.region.form != "parity":
        return found
    return equal_shares_design(problem, found) if has_equal_shares(problem) else staircase_design(found)
