"""``solve``, and a row of the table of ways: a kind of problems with common methods and one checker rule.

To add a row, pass it to ``register_way``; ``solve`` then accepts its problems.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, Generic, NamedTuple, TypeVar

from rropt.core.certificates import Certificate
from rropt.core.certificates.record import budget_allowed
from rropt.core.errors import (
    InvalidParameterError,
    RouteDisagreementError,
    RroptWarning,
    UnsupportedProblemError,
    shown,
)
from rropt.core.exact import decimal_text, split_list
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.results import remarks_of
from rropt.designs.drawing import LEAST_BITS, MOST_BITS, NEAR, WORD_BITS, is_drawable, levels_around, word_bits
from rropt.designs.problem import Problem
from rropt.designs.registry import register_way, way_of
from rropt.designs.solution import NoDesignError, RouteResult, Solution, recorded_design
from rropt.privacy.region import RationalLevels

__all__ = [
    "Route",
    "UndecidedLevelError",
    "Way",
    "register_way",
    "solve",
]

Found = TypeVar("Found", bound=RouteResult)


class UndecidedLevelError(UnsupportedProblemError):
    """Feasibility differs between the endpoints of the level's bracket; a finer bracket may decide it."""


LEAST_COST = 5.0
"""By default a route is skipped if it takes an estimated 5 s or more, and another one has no such estimate."""


@dataclass(frozen=True, slots=True)
class Route:
    """One method (route) that computes an optimum.

    Attributes:
        name: the name for ``solve(problem, routes=[...])``.
        solve: a function from a problem and rational levels around its level to a bracket of the optimum.
        accepts: a function that decides whether the route can solve a problem of its class; None if it solves all.
        cost: the estimated seconds on one core. The estimate is a formula in the sizes of the problem, so the same
            problem always uses the same routes. None if the route is fast: it is never skipped.
    """

    name: str
    solve: Callable[[Problem, RationalLevels], RouteResult]
    accepts: Callable[[Problem], bool] | None = None
    cost: Callable[[Problem], float] | None = None


@dataclass(frozen=True)
class Way(Generic[Found]):
    """A row of the table of ways: which problems it solves, by which routes, and how their results are proved.

    The facts of a problem are compared first (``facts_of``); None allows each value.

    Attributes:
        name: the printed name.
        routes: the independent methods for the optimum.
        certify: a function from problem, levels and result to its certificate; the caller has it checked. None if the
            bound is computed without a certificate.
        found: the type of results that can be certified; other results are brackets that only have to agree.
        population: ``"one"`` distribution, ``"equal"`` proportions stored as one number, or a ``"range"``.
        levels: the kinds of privacy levels.
        outputs: ``"any"``, ``"given"``, or a number.
        has_bounds: False for no bounds on the entries.
        objective: the name of an attribute of the objective that is true, such as ``is_linear``.
        fits: whether a problem with these facts is of this kind; None if each one is.
        reason: in one sentence, which limit a problem of this kind exceeds; None if the way solves it. If no other way
            solves the problem, the sentence is the error message. None if there is no limit.
        read: a function from a problem and an accepted certificate to the result that it proves, without solving.
        knows: whether the checker supports the objective; otherwise the result is not certified. None if it supports
            all that the way solves.
        digits: the significant digits of the first bracket of the level; None for the usual number.
        most_digits: the maximum after doubling.
        width: the widest final bracket, absolute and relative; a wider one is solved again in a finer bracket.
        refines_rejected: whether a problem whose certificate is rejected is solved again in a finer bracket.
        shorter: a function that returns a result with short numbers; by default the level is shortened.
    """

    name: str
    routes: tuple[Route, ...]
    certify: Callable[[Problem, RationalLevels, Any], Certificate] | None
    found: type[Found]
    population: str | None = None
    levels: tuple[str, ...] | None = None
    outputs: str | int | None = None
    has_bounds: bool | None = None
    objective: str | None = None
    fits: Callable[[Problem], bool] | None = None
    reason: Callable[[Problem], str | None] | None = None
    read: Callable[[Problem, Certificate], RouteResult] = recorded_design
    knows: Callable[[Problem], bool] | None = None
    digits: Callable[[Problem], int] | None = None
    most_digits: int = MAX_BRACKET_DIGITS
    width: Fraction | None = None
    refines_rejected: bool = False
    shorter: Callable[[Problem, RationalLevels, Any], Any] | None = None

    def takes(self, problem: Problem, facts: Facts) -> bool:
        """Return whether a problem with these facts is of this kind."""
        return (
            self.population in (None, *facts.populations)
            and (self.levels is None or facts.levels in self.levels)
            and (self.outputs in (None, facts.outputs) or (self.outputs == "given" and facts.outputs != "any"))
            and self.has_bounds in (None, facts.has_bounds)
            and (self.objective is None or getattr(problem.objective, self.objective))
            and (self.fits is None or self.fits(problem))
        )

    def solve(self, problem: Problem, routes: Sequence[str]) -> Solution:
        """Return the certified solution of a problem; the bracket of its level is refined as far as needed.

        An objective that the checker does not know is tested first.
        """
        is_known = self.knows is None or self.knows(problem)
        if not is_known:
            require_valid(problem)
        chosen, skipped = self.chosen(problem, routes)
        digits = FIRST_BRACKET_DIGITS if self.digits is None else self.digits(problem)
        bits = WORD_BITS  # 0 if the design cannot be drawn
        is_first = True
        criterion = problem.region.criterion
        known_levels = None
        if criterion is not None:
            from rropt.privacy.bound_certificate import levels_around_infimum  # loads the search for B(h)

            known_levels = levels_around_infimum(criterion)
        while True:
            levels = levels_around(problem.region, digits, bits, is_first=is_first, known=known_levels)
            if levels is None:
                bits = 0
                continue
            is_rational = levels.is_exact or known_levels is not None
            is_last = not bits and (2 * digits > self.most_digits or known_levels is not None)
            try:
                results = {route.name: route.solve(problem, levels) for route in chosen}
                best = self.agreed(problem, results)
                if self.shorter is not None and not is_drawable(best.designs[0]):
                    best = self.shorter(problem, levels, best)
                beyond = max(map(word_bits, best.designs), default=0) - MOST_BITS if bits else 0
                if beyond > 0:
                    shorter = bits if is_first and is_rational else bits - beyond
                    bits, is_first = (shorter if shorter >= LEAST_BITS else 0), False
                    continue
                is_fine = not bits or is_rational or best.gap <= NEAR * max(abs(best.lower), abs(best.upper))
                is_narrow = self.width is None or best.gap <= self.width * min(Fraction(1), best.upper)
                if is_last or (is_fine and is_narrow):
                    proof: Certificate | None = None
                    if self.certify is not None:
                        make = partial(self.certify, problem, levels, best)
                        proof = Certificate.attempt(make) if is_known else make()
                    is_final = (
                        proof is None or not proof.failure or proof.is_missing or not (bits or self.refines_rejected)
                    )
                    if is_last or is_final:
                        known = proof is not None and is_known and not proof.failure
                        return Solution(
                            best.lower, best.upper, problem, best, results, proof, skipped=skipped, is_certified=known
                        )
            except UndecidedLevelError:
                if is_last:
                    raise
            except NoDesignError as error:
                raise UnsupportedProblemError(error.args[0].format(problem)) from error
            digits, bits = (digits, 0) if bits else (2 * digits, 0)

    def agreed(self, problem: Problem, results: Mapping[str, RouteResult]) -> Found:
        """Return the narrowest result that can be certified, after checking that all brackets agree."""
        require_agreement(results, problem)
        deciding = [result for result in results.values() if isinstance(result, self.found)]
        if not deciding:
            raise _undecided(results)
        return min(deciding, key=lambda result: result.gap)

    def chosen(self, problem: Problem, names: Sequence[str]) -> tuple[list[Route], dict[str, str]]:
        """Return the routes to run, and those that are skipped, with the reason.

        ``"exact"`` selects the route of that name, or otherwise the first one; ``"auto"`` skips costly routes beside
        others.
        """
        known = {route.name: route for route in self.routes}
        fitting = [route.name for route in self.routes if route.accepts is None or route.accepts(problem)]
        if names == ["exact"] and "exact" not in fitting and fitting:
            return [known[fitting[0]]], {}
        wanted = chosen_routes(names, [*known], fitting, problem)
        if not wanted:
            raise _undecided(wanted)
        deciding = [known[name] for name in wanted]
        costs = {route.name: route.cost(problem) for route in deciding if route.cost} if names == ["auto"] else {}
        skipped = {
            name: f"a cross-check that takes an estimated {cost:.0f} s; routes all runs it"
            for name, cost in costs.items()
            if cost > LEAST_COST
        }
        if len(skipped) == len(deciding):
            skipped = {}
        return [route for route in deciding if route.name not in skipped], skipped


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


class Facts(NamedTuple):
    """The facts of a problem that choose its way (``Way``)."""

    populations: tuple[str, ...]
    levels: str
    outputs: str | int
    has_bounds: bool


def facts_of(problem: Problem) -> Facts:
    """Return the facts of a problem; each is asked once.

    The levels are ``parity``, ``excess`` and ``pairwise`` (``Region.form``), ``levels`` (several), ``warner`` (a family
    of binary designs), ``gaussian``, ``divergences`` or ``other``. Formulas for equal proportions do not know criteria,
    so that equal proportions under a criterion are one distribution too.
    """
    populations: tuple[str, ...] = ("one",)
    region = problem.region
    if problem.is_uniform:
        populations = ("equal",) if region.criterion is None else ("equal", "one")
    elif problem.populations is not None:
        populations = ("range",)
    levels: str | None = region.form
    if levels is None:
        if region.has_rays:
            levels = "levels"
        elif region.has_one_level:
            levels = "warner"
        elif region.has_divergences:
            levels = "divergences"
        else:
            levels = "other" if region.polygons is None else "gaussian"
    return Facts(populations, levels, region.outputs or "any", region.bounds is not None)


def require_agreement(results: Mapping[str, RouteResult], what: object) -> None:
    """Check that the brackets of all routes overlap, and that they find the same designs where these are decided.

    Raises:
        RouteDisagreementError: two brackets are disjoint, or two results decide differently.
    """
    for (left, a), (right, b) in combinations(results.items(), 2):
        for name in a.decided if isinstance(b, type(a)) else ():
            if getattr(a, name) != getattr(b, name):
                raise RouteDisagreementError(
                    f"routes {left} and {right} disagree on the optimal designs of {what}: {getattr(a, name)} against "
                    f"{getattr(b, name)}"
                )
        if max(a.lower, b.lower) > min(a.upper, b.upper):
            raise RouteDisagreementError(
                f"routes {left} and {right} disagree on {what}: [{decimal_text(a.lower, 17)}, "
                f"{decimal_text(a.upper, 17)}] against [{decimal_text(b.lower, 17)}, {decimal_text(b.upper, 17)}]"
            )


def listed_routes(names: Any) -> list[Any]:
    """Return the names of routes that a caller gave, as a list; ``None`` stands for ``"auto"``."""
    if names is None:
        return ["auto"]
    if isinstance(names, str):
        return split_list(names)
    return [*names] if isinstance(names, Iterable) else [names]


def chosen_routes(names: Sequence[str], known: Sequence[str], fitting: Sequence[str], problem: object) -> list[str]:
    """Return the named routes, or all that accept the problem.

    Args:
        names: the names that the caller gave; ``"auto"`` and ``"all"`` select all that accept the problem.
        known: the names of all routes.
        fitting: the names of the routes that accept the problem.
        problem: the problem, or its text, for the error message of a route that does not accept it.

    Raises:
        InvalidParameterError: a name is unknown, or no route is named.
        UnsupportedProblemError: a named route does not accept the problem.
    """
    if names in (["auto"], ["all"]):
        return list(fitting)
    for name in names:
        if name not in known:
            raise InvalidParameterError(
                f"route is unknown: received {shown(name)}; allowed are {', '.join(known)}, auto, all"
            )
        if name not in fitting:
            raise UnsupportedProblemError(f"route {name} does not accept the problem: {problem}")
    if not names:
        raise InvalidParameterError(f"no route is named; allowed are {', '.join(known)}, or auto, all")
    return list(names)


def solve(
    problem: Problem, routes: str | Iterable[str] | None = "auto", budget: str | None = None, *, fast: bool = False
) -> Solution:
    """Solve a problem with all routes that accept it, or with the named routes; compare and certify the results.

    At a rational level the optimum is exact, except for objectives with logarithms, for designs whose bracket is not
    closed, and for weights with numbers so long that their dual is rounded. At an irrational level, the mechanism is
    private at a rational gamma just below, and the bound is proved just above. The bracket is then narrow:

    * for n Var of binary designs with two outputs, narrower than 1e-12, relative and absolute;
    * for n Var of binary designs with more outputs, narrower than 1e-10, relative: their numbers are kept short, so
      that a client can draw them;
    * for trace and loss, narrower than 1e-12 times the largest weight or loss, absolute;
    * for other objectives, ``solution.gap`` is the width. A design is called optimal if the width is at most 1e-6 of
      the value.

    Args:
        problem: the problem to solve.
        routes: the methods to run. ``"auto"`` or ``None``: every route that accepts the problem, except for
            cross-checks that take an estimated five seconds or more beside a fast route;
            ``solution.skipped`` names these. ``"all"``: these too. Or the names of routes, such as ``"exact"``.
        budget: the checker's limit on work: ``"default"``, or ``"large"`` for designs with many categories (seven with
            delta > 0, 20 with delta = 0). ``None`` keeps the limit in effect.
        fast: whether to run one route only, unless routes are named, and to leave out the twins: the comparison with
            the same problem in SymPy and CVXPY (``solution.twins``).

    Returns:
        A ``Solution``: ``lower`` and ``upper`` bound the optimum, in the unit of the objective (n Var, for example, or
        nats of information); ``mechanism``, ``optima``, ``status``, ``routes`` and ``certificate``.

    Warns:
        RroptWarning: an optimal mechanism with k categories never uses an output, or does not identify the
            distribution of the categories; or the certificate failed, and ``status`` is ``not certified``.

    Raises:
        InvalidParameterError: a route is unknown, or the argument is not a problem.
        UnsupportedProblemError: no way solves the problem, or a named route does not.
        InfeasibleDesignError: no private mechanism satisfies the bounds of the region; the error contains the
            certificate.
        UndecidedLevelError: feasibility depends on an irrational level that agrees with the smallest feasible level to
            384 digits.
        RouteDisagreementError: two routes contradict each other, or a twin contradicts the certified bracket.

    >>> from rropt.designs.problem import binary_problem
    >>> solution = solve(binary_problem(epsilon="log(2)", delta="1/4", prevalence="1/4"))
    >>> print(solution.value, len(solution.optima), solution.certificate.check())
    15/16 2 accepted
    """
    if not isinstance(problem, Problem):
        raise InvalidParameterError(
            f"solve takes a Problem: received {shown(problem)}; see rropt.designs.binary_problem"
        )
    names = listed_routes(routes)
    with budget_allowed(budget):
        solution: Solution = way_of(problem).solve(problem, ["exact"] if fast and names == ["auto"] else names)
    if not fast:
        solution.compared_twice()
    for remark in remarks_of(solution):
        warnings.warn(remark, RroptWarning, stacklevel=2)
    return solution
