"""``solve``, and the protocol of a design class: a class of problems with common methods and one checker rule.

To add a class, pass an instance to ``register_design_class``; ``solve`` then accepts its problems.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar, Generic, TypeVar

from rropt.core.certificates import Certificate
from rropt.core.certificates.record import budget_allowed
from rropt.core.errors import (
    InvalidParameterError,
    RouteDisagreementError,
    RroptWarning,
    UnsupportedProblemError,
    shown,
)
from rropt.core.exact import decimal_text
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.results import remarks_of
from rropt.designs.cross_check import OutOfReachError, cross_check
from rropt.designs.drawing import LEAST_BITS, MOST_BITS, NEAR, WORD_BITS, levels_around, word_bits
from rropt.designs.problem import Problem, UniformProblem, WorstCaseProblem
from rropt.designs.registry import DESIGN_CLASSES, design_class, register_design_class
from rropt.designs.solution import CONVEX, RouteResult, Solution, recorded_design
from rropt.privacy.region import RationalLevels

__all__ = [
    "DESIGN_CLASSES",
    "DesignClass",
    "Route",
    "UndecidedLevelError",
    "design_class",
    "register_design_class",
    "solve",
]

Found = TypeVar("Found", bound=RouteResult)


class UndecidedLevelError(UnsupportedProblemError):
    """Feasibility differs between the endpoints of the level's bracket; a finer bracket may decide it."""


def _accepts_every(problem: Problem) -> bool:  # a named function, so that routes can be pickled
    return True


def _zero_cost(problem: Problem) -> float:
    return 0.0


LEAST_COST, TIMES_COST = 5.0, 10.0
"""By default a cross-check is skipped if its estimated time exceeds 5 s and 10 times that of the main method."""


@dataclass(frozen=True, slots=True)
class Route:
    """One method (route) that computes an optimum.

    Attributes:
        name: the name for ``solve(problem, routes=[...])``.
        solve: a function from a problem and rational levels around its level to a bracket of the optimum.
        accepts: a function that decides whether the route can solve a problem of its class.
        cost: the estimated seconds on one core. The estimate is a formula in the sizes of the problem, so the same
            problem always uses the same routes. By default 0: the route is never skipped.
    """

    name: str
    solve: Callable[[Problem, RationalLevels], RouteResult]
    accepts: Callable[[Problem], bool] = _accepts_every
    cost: Callable[[Problem], float] = _zero_cost


class DesignClass(ABC, Generic[Found]):
    """A class of problems: how to solve them, compare the results, and certify them.

    Attributes:
        name: the printed name.
        specificity: the rank among the classes that accept the same problem. The largest wins; among equals, the class
            registered first. A class for a subset of another class's problems has a larger rank.
        routes: the independent methods for the optimum.
        found: the type of results that can be certified; other results are brackets that only have to agree.
        refines_rejected: whether a problem whose certificate is rejected is solved again in a finer bracket.
    """

    name: ClassVar[str]
    specificity: ClassVar[int] = 0
    routes: ClassVar[tuple[Route, ...]]
    found: type[Found]
    refines_rejected: ClassVar[bool] = False

    @abstractmethod
    def accepts(self, problem: Problem) -> bool:
        """Return whether the class solves a problem; never raise an error."""

    def refusal(self, problem: Problem) -> str | None:
        """Return, in one sentence, which limit a problem of this kind exceeds.

        Return ``None`` if the class accepts the problem or the problem is of another kind. If no other class accepts
        the problem, the sentence is the error message.
        """
        return None

    @abstractmethod
    def certificate(self, problem: Problem, levels: RationalLevels, best: Found) -> Certificate:
        """Return the certificate of a result at its levels; the caller has it checked."""

    def is_certified(self, problem: Problem) -> bool:
        """Return whether the checker supports the objective; otherwise the result is not certified."""
        return True

    def recorded(self, problem: Problem, certificate: Certificate) -> RouteResult:
        """Return the result that an accepted certificate proves, without solving the problem; used to read files.

        By default the certificate's problem must be this one, and its claim must contain the bracket and the mechanism.
        A class with another form of certificate overrides this method.

        Raises:
            FileFormatError: the certificate belongs to another problem.
        """
        return recorded_design(problem, certificate)

    def digits(self, problem: Problem) -> tuple[int, int]:
        """Return the significant digits of the first bracket of the level, and the maximum after doubling."""
        return FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS

    def is_settled(self, best: Found) -> bool:
        """Return whether a result is final; otherwise the problem is solved again in a finer bracket."""
        return True

    def results(self, problem: Problem, levels: RationalLevels, routes: Sequence[Route]) -> dict[str, RouteResult]:
        """Run the routes and return their results by name.

        Raises:
            UndecidedLevelError: a finer bracket is needed.
        """
        return {route.name: route.solve(problem, levels) for route in routes}

    def agreed(self, problem: Problem, results: Mapping[str, RouteResult]) -> Found:
        """Return the narrowest result that can be certified, after checking that all brackets agree."""
        require_agreement(results, problem)
        deciding = [result for result in results.values() if isinstance(result, self.found)]
        if not deciding:
            raise _undecided(results)
        return min(deciding, key=lambda result: result.gap)

    def solve(self, problem: Problem, routes: Iterable[str] | None) -> Solution:
        """Return the certified solution of a problem; the bracket of its level is refined as far as needed.

        An objective that the checker does not know is tested first.
        """
        if not self.is_certified(problem):
            require_valid(problem)
        chosen, is_checked = self.chosen(problem, routes)
        skipped: dict[str, str] = {}
        if _is_default(routes):
            skipped = self.costly(problem, chosen)
            chosen = [route for route in chosen if route.name not in skipped]
        (digits, most), bits = self.digits(problem), WORD_BITS  # bits is 0 if the design cannot be drawn
        is_first = True
        while True:
            levels = levels_around(problem.region, digits, bits, is_first=is_first)
            if levels is None:
                bits = 0
                continue
            is_last = not bits and 2 * digits > most
            try:
                results = self.results(problem, levels, chosen)
                best = self.drawn(problem, levels, self.agreed(problem, results))
                beyond = max(map(word_bits, best.designs), default=0) - MOST_BITS if bits else 0
                if beyond > 0:
                    shorter = bits if is_first and levels.is_exact else bits - beyond
                    bits, is_first = (shorter if shorter >= LEAST_BITS else 0), False
                    continue
                is_fine = not bits or levels.is_exact or best.gap <= NEAR * max(abs(best.lower), abs(best.upper))
                if is_last or (is_fine and self.is_settled(best)):
                    proof = self.proof(problem, levels, best)
                    is_final = not proof.failure or proof.is_missing or not (bits or self.refines_rejected)
                    if is_last or is_final:
                        if is_checked:
                            try:
                                results[CONVEX] = cross_check(problem, best.lower, best.upper)
                            except OutOfReachError as reason:
                                skipped[CONVEX] = str(reason)
                        known = self.is_certified(problem) and not proof.failure
                        return Solution(
                            best.lower, best.upper, problem, best, results, proof, skipped=skipped, is_certified=known
                        )
            except UndecidedLevelError:
                if is_last:
                    raise
            digits, bits = (digits, 0) if bits else (2 * digits, 0)

    def proof(self, problem: Problem, levels: RationalLevels, best: Found) -> Certificate:
        """Return the accepted certificate of a result, or one with the reason why there is none."""

        def make() -> Certificate:
            return self.certificate(problem, levels, best)

        return Certificate.attempt(make, problem.certified_dict()) if self.is_certified(problem) else make()

    def drawn(self, problem: Problem, levels: RationalLevels, best: Found) -> Found:
        """Return a result whose mechanism has short numbers, if the certificate allows other mechanisms.

        By default the result itself; its level is then shortened.
        """
        return best

    def costly(self, problem: Problem, chosen: Sequence[Route]) -> dict[str, str]:
        """Return the routes that are skipped by default, with the reason."""
        answer = min((route.cost(problem) for route in chosen), default=0.0)
        return {
            route.name: f"a cross-check that takes an estimated {cost:.0f} s; routes all runs it"
            for route in chosen
            if (cost := route.cost(problem)) > max(LEAST_COST, TIMES_COST * answer)
        }

    def chosen(self, problem: Problem, names: Iterable[str] | None) -> tuple[list[Route], bool]:
        """Return the routes with these names, or all that accept the problem, and whether CVXPY checks the result.

        ``"exact"`` selects the route of that name, or otherwise the cheapest route.
        """
        known = {route.name: route for route in self.routes}
        fitting = [route.name for route in self.routes if route.accepts(problem)]
        if _listed(names) == ["exact"] and "exact" not in fitting and fitting:
            return [min((known[name] for name in fitting), key=lambda route: route.cost(problem))], False
        wanted = chosen_routes(names, [*known, CONVEX], [*fitting, CONVEX], f"the problem: {problem}")
        deciding = [known[name] for name in wanted if name != CONVEX]
        if not deciding:
            raise _undecided(wanted)
        return deciding, CONVEX in wanted


def _undecided(names: Iterable[str]) -> UnsupportedProblemError:
    return UnsupportedProblemError(
        f"the named routes do not decide which designs are optimal: received {', '.join(names)}; "
        "add closed-form or exact"
    )


def require_valid(problem: Problem) -> None:
    """Test at random points that the theory of rays applies to an objective that the checker does not know.

    Raises:
        InvalidParameterError: a test fails; the message contains the point.
    """
    has_zeros = False
    if not problem.region.has_divergences:
        k = problem.region.inputs
        parts = problem.region.bracket(FIRST_BRACKET_DIGITS).parts(k)
        compared = {pair for part in parts if not part.above.delta for pair in part.pairs}
        has_zeros = len(compared) < k * (k - 1)
    problem.objective.on_rays(problem.population, Fraction(2)).require_valid(has_zeros)


def is_of_one_population(problem: Problem) -> bool:
    """Return whether a problem has one distribution and a privacy level; other classes solve the other problems."""
    return not isinstance(problem, (UniformProblem, WorstCaseProblem)) and problem.region.criterion is None


def no_staircases(problem: Problem) -> str | None:
    """Return why staircase rows do not apply to a problem; ``None`` for one level with delta = 0 and no bounds."""
    region, objective = problem.region, f"the objective {problem.objective.kind}"
    if region.form == "parity" and region.bounds is None and region.family == "all":
        return None
    if region.bounds is not None:
        limit, advice = "no bounds on the entries", "leave out the bounds"
    elif region.form == "excess":
        limit, advice = "delta = 0", "set delta to 0"
    elif region.form == "pairwise":
        limit, advice = "one level for all pairs of categories", "give one epsilon"
    else:
        limit, advice = "a region of one privacy level with delta = 0", "give epsilon"
    return f"{objective} is solved over staircase rows: received {region}; allowed is {limit}; {advice}"


def require_agreement(results: Mapping[str, RouteResult], what: object) -> None:
    """Check that the brackets of all routes overlap.

    Raises:
        RouteDisagreementError: two brackets are disjoint.
    """
    for (left, a), (right, b) in combinations(results.items(), 2):
        if max(a.lower, b.lower) > min(a.upper, b.upper):
            raise RouteDisagreementError(
                f"routes {left} and {right} disagree on {what}: [{decimal_text(a.lower, 17)}, "
                f"{decimal_text(a.upper, 17)}] against [{decimal_text(b.lower, 17)}, {decimal_text(b.upper, 17)}]"
            )


def _listed(names: Iterable[str] | None) -> list[Any]:
    return [] if names is None else [names] if isinstance(names, str) or not isinstance(names, Iterable) else [*names]


def _is_default(names: Iterable[str] | None) -> bool:
    return names is None or _listed(names) == ["auto"]


def chosen_routes(names: Iterable[str] | None, known: Sequence[str], fitting: Sequence[str], what: str) -> list[str]:
    """Return the named routes, or all that accept the problem.

    Args:
        names: the names that the caller gave; ``"auto"``, ``"all"`` and ``None`` select all that accept the problem.
        known: the names of all routes.
        fitting: the names of the routes that accept the problem.
        what: the problem, for the error message of a route that does not accept it.

    Raises:
        InvalidParameterError: a name is unknown, or no route is named.
        UnsupportedProblemError: a named route does not accept the problem.
    """
    wanted = _listed(names)
    if _is_default(names) or wanted == ["all"]:
        return list(fitting)
    for name in wanted:
        if name not in known:
            raise InvalidParameterError(
                f"route is unknown: received {shown(name)}; allowed are {', '.join(known)}, auto, all"
            )
        if name not in fitting:
            raise UnsupportedProblemError(f"route {name} does not accept {what}")
    if not wanted:
        raise InvalidParameterError(f"no route is named; allowed are {', '.join(known)}, or auto, all")
    return wanted


def solve(problem: Problem, routes: str | Iterable[str] | None = "auto", budget: str | None = None) -> Solution:
    """Solve a problem with all routes that accept it, or with the named routes; compare and certify the results.

    At a rational level the optimum is exact, except for objectives with logarithms and for designs whose bracket is not
    closed. At an irrational level, the mechanism is private at a rational gamma just below, and the bound is proved
    just above. The bracket is then narrow:

    * for n Var of binary designs, narrower than 1e-12, relative and absolute;
    * for trace and loss, narrower than 1e-12 times the largest weight or loss, absolute;
    * for other objectives, ``solution.gap`` is the width. A design is called optimal if the width is at most 1e-6 of
      the value.

    Args:
        problem: the problem to solve.
        routes: the methods to run. ``"auto"`` or ``None``: every route that accepts the problem, except for
            cross-checks whose estimated time exceeds five seconds and ten times that of the main route;
            ``solution.skipped`` names these. ``"all"``: these too. ``"exact"``: one route, the fastest. Or the names
            of routes.
        budget: the checker's limit on work: ``"default"``, or ``"large"`` for designs with many categories (seven with
            delta > 0, 20 with delta = 0). ``None`` keeps the limit in effect.

    Warns:
        RroptWarning: an optimal mechanism with k categories never uses an output, or does not identify the
            distribution of the categories; or the certificate failed, and ``status`` is ``not certified``.

    Raises:
        InvalidParameterError: a route is unknown, or the argument is not a problem.
        UnsupportedProblemError: no design class accepts the problem, or a named route does not.
        InfeasibleDesignError: no private mechanism satisfies the bounds of the region; the error contains the
            certificate.
        UndecidedLevelError: feasibility depends on an irrational level that agrees with the smallest feasible level to
            384 digits.
        RouteDisagreementError: two routes contradict each other.

    >>> from rropt.designs.problem import binary_problem
    >>> solution = solve(binary_problem(epsilon="log(2)", delta="1/4", prevalence="1/4"))
    >>> print(solution.value, len(solution.optima), solution.certificate.check())
    15/16 2 accepted
    """
    if not isinstance(problem, Problem):
        raise InvalidParameterError(f"solve takes a Problem: received {shown(problem)}; see rropt.binary_problem")
    with budget_allowed(budget):
        solution: Solution = design_class(problem).solve(problem, routes)
    for remark in remarks_of(solution):
        warnings.warn(remark, RroptWarning, stacklevel=2)
    return solution
