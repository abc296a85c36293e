"""``solve``, and the protocol of a class of designs: problems that the same routes solve and the same rule certifies.

A further class is an instance that ``register_design_class`` is given; ``solve`` then takes its problems.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Generic, TypeVar

from rropt.certificates import Certificate
from rropt.certificates.pattern_dual import certify_patterns
from rropt.errors import InvalidParameterError, RouteDisagreementError, RroptWarning, UnsupportedProblemError, shown
from rropt.exact import Bracket, decimal_text
from rropt.exact.brackets import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.privacy.region import RationalLevels
from rropt.problem import Problem
from rropt.solvers.solution import RouteResult, Solution

Found = TypeVar("Found", bound=RouteResult)


class UndecidedLevelError(UnsupportedProblemError):
    """Whether a problem has a solution differs between the ends of its level: a finer bracket may decide it."""


def _every(problem: Problem) -> bool:  # a function with a name, so that routes can be pickled
    return True


@dataclass(frozen=True, slots=True)
class Route:
    """One way to an optimum.

    Attributes:
        name: as ``solve(problem, routes=[...])`` takes it.
        solve: from a problem and rational levels around it to a bracket of its optimum.
        accepts: whether the route can solve a problem of its class.
    """

    name: str
    solve: Callable[[Problem, RationalLevels], RouteResult]
    accepts: Callable[[Problem], bool] = _every


class DesignClass(ABC, Generic[Found]):
    """Problems of one kind: how they are solved, how results are held against each other, what proves them.

    Attributes:
        name: for people.
        routes: the independent ways to an optimum.
        found: what a result must be to be certified; other results are brackets that only have to agree with it.
    """

    name: ClassVar[str]
    routes: ClassVar[tuple[Route, ...]]
    found: type[Found]

    @abstractmethod
    def accepts(self, problem: Problem) -> bool:
        """Return whether a problem is of this class."""

    @abstractmethod
    def certificate(self, problem: Problem, levels: RationalLevels, best: Found) -> Certificate:
        """Return the certificate of a result at the levels it was found at, not yet judged."""

    def digits(self, problem: Problem) -> tuple[int, int]:
        """Return the significant digits of the first bracket of the level, and the most that are tried by doubling."""
        return FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS

    def is_settled(self, best: Found, certificate: Certificate) -> bool:
        """Return whether a result may stand as it is; otherwise it is sought again in a finer bracket."""
        return True

    def results(self, problem: Problem, levels: RationalLevels, routes: Sequence[Route]) -> dict[str, RouteResult]:
        """Return what the routes find, by name.

        Raises:
            UndecidedLevelError: a finer bracket is needed.
        """
        return {route.name: route.solve(problem, levels) for route in routes}

    def agreed(self, problem: Problem, results: Mapping[str, RouteResult]) -> Found:
        """Return the narrowest result that can be certified, after holding all brackets against each other."""
        require_agreement(results, problem)
        deciding = [result for result in results.values() if isinstance(result, self.found)]
        if not deciding:
            raise UnsupportedProblemError(
                f"the named routes do not decide which designs are optimal: received {', '.join(results)}; "
                "add closed-form or exact"
            )
        return min(deciding, key=lambda result: result.gap)

    def solve(self, problem: Problem, routes: Iterable[str] | None) -> Solution:
        """Return the certified solution of a problem of this class, in as fine a bracket of its level as it needs."""
        chosen = self.chosen(problem, routes)
        digits, most = self.digits(problem)
        while True:
            levels = problem.region.bracket(digits)
            try:
                results = self.results(problem, levels, chosen)
                best = self.agreed(problem, results)
                certificate = self.certificate(problem, levels, best)
                if 2 * digits > most or self.is_settled(best, certificate):
                    return Solution(best.lower, best.upper, problem, best, results, certificate.require_accepted())
            except UndecidedLevelError:
                if 2 * digits > most:
                    raise
            digits *= 2

    def chosen(self, problem: Problem, names: Iterable[str] | None) -> list[Route]:
        """Return the routes of these names, or all that accept the problem."""
        known = {route.name: route for route in self.routes}
        fitting = [route.name for route in self.routes if route.accepts(problem)]
        return [known[name] for name in chosen_routes(names, list(known), fitting, f"the problem: {problem}")]


class PatternDesigns(DesignClass[Found]):
    """Problems over mechanisms of any number of answers, of rows in {1, gamma}^k up to scale: rule 5 proves them."""

    def certificate(self, problem: Problem, levels: RationalLevels, best: Any) -> Certificate:
        """Return the certificate of the pattern rule."""
        return certify_patterns(problem, levels, best)


def require_patterns(problem: Problem, fits: bool, allowed: str, hint: str = "merge categories") -> None:
    """Raise ``UnsupportedProblemError`` unless delta = 0 and the patterns are not too many to be tried."""
    if problem.region.form != "parity" or not fits:
        raise UnsupportedProblemError(
            f"the objective {problem.objective.kind} is solved over all patterns: received {problem.region}; "
            f"allowed are delta = 0 and at most {allowed}; {hint}"
        )


def require_agreement(results: Mapping[str, Bracket], what: object) -> None:
    """Hold the brackets of all routes against each other.

    Raises:
        RouteDisagreementError: two of them have no number in common.
    """
    for (left, a), (right, b) in combinations(results.items(), 2):
        if max(a.lower, b.lower) > min(a.upper, b.upper):
            raise RouteDisagreementError(
                f"routes {left} and {right} disagree on {what}: [{decimal_text(a.lower, 17)}, "
                f"{decimal_text(a.upper, 17)}] against [{decimal_text(b.lower, 17)}, {decimal_text(b.upper, 17)}]"
            )


def chosen_routes(names: Iterable[str] | None, known: Sequence[str], fitting: Sequence[str], what: str) -> list[str]:
    """Return the routes that are named, or all that fit.

    Args:
        names: as a caller gives them.
        known: all routes.
        fitting: those that accept the problem.
        what: what a route does not accept, and why.

    Raises:
        InvalidParameterError: an unknown name, or none.
        UnsupportedProblemError: a route that does not fit.
    """
    if names is None:
        return list(fitting)
    wanted = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    for name in wanted:
        if name not in known:
            raise InvalidParameterError(f"route is unknown: received {shown(name)}; allowed are {', '.join(known)}")
        if name not in fitting:
            raise UnsupportedProblemError(f"route {name} does not accept {what}")
    if not wanted:
        raise InvalidParameterError(f"no route is named; allowed are {', '.join(known)}, or None for all")
    return wanted


DESIGN_CLASSES: list[DesignClass[Any]] = []
"""The classes of designs, in the order in which they are asked whether they accept a problem."""


def register_design_class(designs: DesignClass[Any]) -> None:
    """Register a class of designs, after those that are registered already."""
    DESIGN_CLASSES.append(designs)


def design_class(problem: Problem) -> DesignClass[Any]:
    """Return the first class that accepts a problem.

    Raises:
        UnsupportedProblemError: there is none.
    """
    for designs in DESIGN_CLASSES:
        if designs.accepts(problem):
            return designs
    raise UnsupportedProblemError(
        f"no class of designs accepts the problem: received {problem}; allowed are "
        f"{', '.join(designs.name for designs in DESIGN_CLASSES)}"
    )


def solve(problem: Problem, routes: Iterable[str] | None = None) -> Solution:
    """Solve a problem by every route that accepts it (or by those named), cross-check, certify, and return.

    At a rational level the optimum is exact. At an irrational one it lies in a bracket narrower than 1e-12, absolute
    and relative (linear design problems with k inputs: about 1e-15 relative): the mechanism is private at a rational
    gamma just below, the bound is proved just above.

    Args:
        problem: what to solve.
        routes: names of routes; all that accept the problem when left out.

    Warns:
        RroptWarning: an optimal mechanism of k categories never gives an answer, or does not identify the population.

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
    solution = design_class(problem).solve(problem, routes)
    for remark in solution.remarks():
        warnings.warn(remark, RroptWarning, stacklevel=2)
    return solution
