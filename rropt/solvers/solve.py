"""``solve``: the same problem by every route that accepts it, held against each other, with a certificate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations

from rropt.certificates import Certificate, certify_vertex_rule
from rropt.certificates.design_programmes import certify_design
from rropt.errors import InvalidParameterError, RouteDisagreementError, UnsupportedProblemError, shown
from rropt.exact import decimal_text
from rropt.exact.levels import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.objectives import EstimatorVariance
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.levels import LevelBracket
from rropt.problem import Problem
from rropt.solvers.linear_designs.infeasible_designs import UndecidedLevelError
from rropt.solvers.linear_designs.limits import LARGE_DIGITS, LARGE_ENTRIES, MOST_ENTRIES
from rropt.solvers.results import RouteResult
from rropt.solvers.routes import ROUTES, Route
from rropt.solvers.solution import Solution

__all__ = ["solve"]

# `upper - lower` of a certified optimum at irrational gamma, absolute and relative to the optimum. Ten times finer
# than the 1e-12 that is promised, so that sums and printed decimals of a few designs keep the promise.
BRACKET_GAP = Fraction(1, 10**13)


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
        UnsupportedProblemError: no route (or not a named one) accepts the problem.
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
    chosen = _routes(problem, routes)
    if not isinstance(problem.objective, EstimatorVariance):
        return _solve_linear(problem, chosen)
    digits = FIRST_BRACKET_DIGITS
    while True:
        levels = problem.binary_region.bracket(digits)
        results = {route.name: route.solve(problem, levels) for route in chosen}
        best = _agreed(problem, results)
        certificate = _certificate(problem, levels, best)
        narrow = best.upper - best.lower <= BRACKET_GAP * min(Fraction(1), best.upper)
        # a bracket that leaves a near-tie open is rejected: a finer one decides it (FORMAT.md, vertex rule)
        if (narrow and certificate.check()) or digits >= MAX_BRACKET_DIGITS:
            break
        digits *= 2
    return _solution(problem, best, results, certificate.require_accepted())


def _solve_linear(problem: Problem, chosen: list[Route]) -> Solution:
    """Solve a linear design problem; with bounds the exact route goes first, since it alone proves infeasibility."""
    entries = problem.region.inputs * problem.region.outputs
    if entries > MOST_ENTRIES:
        raise UnsupportedProblemError(
            f"the mechanism is too large to be certified: received {entries} entries; allowed are {MOST_ENTRIES}, "
            "300 categories; merge categories"
        )
    digits = LARGE_DIGITS if entries > LARGE_ENTRIES else FIRST_BRACKET_DIGITS
    levels = problem.region.bracket(digits)
    found: dict[str, RouteResult] = {}
    while isinstance(problem.region, BoundedRegion) and not found:
        try:
            found["exact"] = ROUTES["exact"].solve(problem, levels)
        except UndecidedLevelError:
            digits *= 2
            if digits > MAX_BRACKET_DIGITS // 4:  # no rational level is so near to an algebraic one by accident
                raise
            levels = problem.region.bracket(digits)
    results = {}
    for route in chosen:
        results[route.name] = found.get(route.name) or route.solve(problem, levels)
    best = _agreed(problem, results)
    if not best.optima or best.dual is None:
        raise UnsupportedProblemError("a linear design came without mechanism or dual: add the route exact")
    certificate = certify_design(
        problem, levels, lower=best.lower, upper=best.upper, mechanism=best.optima[0], dual=best.dual
    )
    return _solution(problem, best, results, certificate.require_accepted())


def _routes(problem: Problem, names: Iterable[str] | None) -> list[Route]:
    if names is None:
        accepting = [route for route in ROUTES.values() if route.accepts(problem)]
        if not accepting:
            raise UnsupportedProblemError(f"no route accepts the problem: {problem}")
        return accepting
    chosen = []
    for name in [names] if isinstance(names, str) else list(names):
        route = ROUTES.get(name)
        if route is None:
            raise InvalidParameterError(f"route is unknown: received {shown(name)}; allowed are {', '.join(ROUTES)}")
        if not route.accepts(problem):
            raise UnsupportedProblemError(f"route {name} does not accept the problem: {problem}")
        chosen.append(route)
    if not chosen:
        raise InvalidParameterError(f"no route is named; allowed are {', '.join(ROUTES)}, or None for all")
    return chosen


def _agreed(problem: Problem, results: Mapping[str, RouteResult]) -> RouteResult:
    """Return the result of the first route that decides ties, after holding all routes against each other."""
    for (left, a), (right, b) in combinations(results.items(), 2):
        if max(a.lower, b.lower) > min(a.upper, b.upper):
            raise RouteDisagreementError(
                f"routes {left} and {right} disagree on {problem}: [{decimal_text(a.lower, 17)}, "
                f"{decimal_text(a.upper, 17)}] against [{decimal_text(b.lower, 17)}, {decimal_text(b.upper, 17)}]"
            )
        decided = a.dual is None and b.dual is None and None not in (a.optima, b.optima)
        if decided and (a.optima, a.optimal_set) != (b.optima, b.optimal_set):
            raise RouteDisagreementError(
                f"routes {left} and {right} disagree on the optimal designs of {problem}: {a.optima} against {b.optima}"
            )
    deciding = [result for result in results.values() if result.optima]
    if not deciding:
        raise UnsupportedProblemError(
            f"the named routes do not decide which designs are optimal: received {', '.join(results)}; "
            "add closed-form or exact"
        )
    return min(deciding, key=lambda result: result.upper - result.lower)


def _certificate(problem: Problem, levels: LevelBracket, best: RouteResult) -> Certificate:
    return certify_vertex_rule(
        problem,
        levels,
        lower=best.lower,
        upper=best.upper,
        optima=best.optima or (),
        optimal_set=best.optimal_set.to_dict() if best.optimal_set else None,
    )


def _solution(
    problem: Problem, best: RouteResult, results: Mapping[str, RouteResult], certificate: Certificate
) -> Solution:
    optima: tuple[Mechanism, ...] = best.optima or ()
    return Solution(
        problem=problem,
        mechanism=optima[0],
        value=best.upper if problem.objective.sense == "minimise" else best.lower,
        lower=best.lower,
        upper=best.upper,
        optima=optima,
        optimal_set=best.optimal_set,
        routes=ReadOnlyMapping(results),
        certificate=certificate,
    )
