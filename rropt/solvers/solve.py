"""``solve``: the same problem by every route that accepts it, held against each other, with a certificate."""

from __future__ import annotations

from collections.abc import Iterable

from rropt.errors import InvalidParameterError, shown
from rropt.problem import Problem
from rropt.solvers.design_class import design_class
from rropt.solvers.solution import Solution


def solve(problem: Problem, routes: Iterable[str] | None = None) -> Solution:
    """Solve a problem by every route that accepts it (or by those named), cross-check, certify, and return.

    At a rational level the optimum is exact. At an irrational one it lies in a bracket narrower than 1e-12, absolute
    and relative (linear design problems with k inputs: about 1e-15 relative): the mechanism is private at a rational
    gamma just below, the bound is proved just above.

    Args:
        problem: what to solve.
        routes: names of routes; all that accept the problem when left out.

    Raises:
        InvalidParameterError: an unknown route, or no problem.
        UnsupportedProblemError: no class of designs accepts the problem, or a named route does not.
        InfeasibleDesignError: no private mechanism meets the bounds of the region; it carries the certificate.
        UndecidedLevelError: whether they can be met hangs on an irrational level that is the least one to 384 digits.
        RouteDisagreementError: two routes contradict each other.
        CertificateError: the checker rejects what was found.

    >>> from rropt.problem import binary_problem
    >>> solution = solve(binary_problem(epsilon="log(2)", delta="1/4", prevalence="1/4"))
    >>> print(solution.value, len(solution.optima), solution.certificate.check())
    15/16 2 accepted
    """
    if not isinstance(problem, Problem):
        raise InvalidParameterError(f"solve takes a Problem: received {shown(problem)}; see rropt.binary_problem")
    return design_class(problem).solve(problem, routes)
