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
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

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
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.results import remarks_of
from rropt.designs.drawable_designs import LEAST_BITS, MOST_BITS, NEAR, WORD_BITS, is_drawable, levels_around, word_bits
from rropt.designs.problem import Problem
from rropt.designs.solution import NoDesignError, RouteResult, Solution, recorded_design
from rropt.designs.way_table import Facts, register_way, way_of
from rropt.privacy.region import RationalLevels, Region

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

    The facts of a problem are compared first (``facts_of``); None allows each value. A row that brackets the level
    in another way is a subclass: it replaces ``digits``, ``most_digits``, ``is_narrow`` or ``refines_rejected``.

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
        shorter: a function that returns a result with short numbers; by default the level is shortened.
        most_digits: the maximum of the significant digits of a bracket of the level, after doubling.
        refines_rejected: whether a problem whose certificate is rejected is solved again in a finer bracket.
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
    shorter: Callable[[Problem, RationalLevels, Any], Any] | None = None
    most_digits: ClassVar[int] = MAX_BRACKET_DIGITS
    refines_rejected: ClassVar[bool] = False

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

    def digits(self, problem: Problem) -> int:
        """Return the significant digits of the first bracket of the level."""
        return FIRST_BRACKET_DIGITS

    def is_narrow(self, best: Found) -> bool:
        """Return whether a bracket of the optimum is narrow enough; a wider one is solved again at a finer level."""
        return True

    def solve(self, problem: Problem, routes: Sequence[str]) -> Solution:
        """Return the certified solution of a problem; the bracket of its level is refined as far as needed.

        Each round brackets the level, compares the routes, shortens the numbers of the design, and certifies it. An
        objective that the checker does not know is tested first.
        """
        is_known = self.knows is None or self.knows(problem)
        if not is_known:
            require_valid(problem)
        chosen, skipped = self.chosen(problem, routes)
        at = _Round.first(problem.region, self.digits(problem))
        while True:
            is_last, beyond = at.is_last(self.most_digits), 0
            try:
                results = {route.name: route.solve(problem, at.levels) for route in chosen}
                best = self.shortened(problem, at.levels, self.agreed(problem, results))
                beyond = at.bits_beyond(best)
                if not beyond and (is_last or (at.is_fine(best) and self.is_narrow(best))):
                    proof = self.proof(problem, at.levels, best, is_known=is_known)
                    if is_last or self.is_final(proof, at):
                        known = proof is not None and is_known and not proof.failure
                        return Solution(
                            best.lower, best.upper, problem, best, results, proof, skipped=skipped, is_certified=known
                        )
            except UndecidedLevelError:
                if is_last:
                    raise
            except NoDesignError as error:
                raise UnsupportedProblemError(error.args[0].format(problem)) from error
            at = at.shorter(problem.region, beyond) if beyond else at.finer(problem.region)

    def shortened(self, problem: Problem, levels: RationalLevels, best: Found) -> Found:
        """Return the result with short numbers, if it cannot be drawn and the row can shorten it."""
        if self.shorter is None or is_drawable(best.designs[0]):
            return best
        found: Found = self.shorter(problem, levels, best)
        return found

    def proof(self, problem: Problem, levels: RationalLevels, best: Found, *, is_known: bool) -> Certificate | None:
        """Return the certificate of a result; None if the row has none, unchecked if its objective is not known."""
        if self.certify is None:
            return None
        make = partial(self.certify, problem, levels, best)
        return Certificate.attempt(make) if is_known else make()

    def is_final(self, proof: Certificate | None, at: _Round) -> bool:
        """Return whether a finer bracket would not change what the checker says of a certificate."""
        return proof is None or not proof.failure or proof.is_missing or not (at.bits or self.refines_rejected)

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
            raise UnsupportedProblemError(f"no route of the way {self.name!r} accepts the problem: received {problem}")
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


class _Round(NamedTuple):
    """A round of ``Way.solve``: rational levels around the level, and the length of the numbers of a design there.

    Attributes:
        levels: the levels.
        digits: their significant digits.
        bits: the length of the numbers; 0 if the design need not be drawn.
        is_first: whether a rational level stays as it is.
        known: the levels, if no finer ones are known.
    """

    levels: RationalLevels
    digits: int
    bits: int
    is_first: bool
    known: RationalLevels | None

    @classmethod
    def first(cls, region: Region, digits: int) -> _Round:
        """Return the first round: at the level itself, if it is rational and its designs can be drawn."""
        known = None
        if region.criterion is not None:
            from rropt.privacy.bound_certificate import levels_around_infimum  # loads the search for B(h)

            known = levels_around_infimum(region.criterion)
        return cls._at(region, digits, WORD_BITS, is_first=True, known=known)

    @classmethod
    def _at(cls, region: Region, digits: int, bits: int, *, is_first: bool, known: RationalLevels | None) -> _Round:
        levels = levels_around(region, digits, bits, is_first=is_first, known=known)
        if levels is None:  # short numbers would lose too much
            return cls._at(region, digits, 0, is_first=is_first, known=known)
        return cls(levels, digits, bits, is_first, known)

    @property
    def is_rational(self) -> bool:
        """Whether the levels are as good as the level."""
        return self.levels.is_exact or self.known is not None

    def is_last(self, most_digits: int) -> bool:
        """Return whether no finer bracket follows."""
        return not self.bits and (2 * self.digits > most_digits or self.known is not None)

    def bits_beyond(self, best: RouteResult) -> int:
        """Return by how many bits the numbers of the designs are too long to be drawn."""
        return max(0, max(map(word_bits, best.designs), default=0) - MOST_BITS) if self.bits else 0

    def is_fine(self, best: RouteResult) -> bool:
        """Return whether short numbers lose next to nothing."""
        return not self.bits or self.is_rational or best.gap <= NEAR * max(abs(best.lower), abs(best.upper))

    def shorter(self, region: Region, beyond: int) -> _Round:
        """Return the round with shorter numbers; with numbers of any length, if too few bits are left."""
        bits = self.bits if self.is_first and self.is_rational else self.bits - beyond
        return self._at(region, self.digits, bits if bits >= LEAST_BITS else 0, is_first=False, known=self.known)

    def finer(self, region: Region) -> _Round:
        """Return the round with numbers of any length, and after it the one with twice as many digits."""
        digits = self.digits if self.bits else 2 * self.digits
        return self._at(region, digits, 0, is_first=self.is_first, known=self.known)


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


def _at_every_level(problem: Problem, names: Sequence[str], *, fast: bool) -> Any:
    """Return the ``EveryLevel`` of a problem whose optimum is asked as a function of the level."""
    from rropt.designs.parametric.closed_levels import is_closed, solve_closed_levels
    from rropt.designs.parametric.every_level import solve_every_level  # loads the parametric simplex

    chosen_routes(names, ["exact"], ["exact"], problem)
    if is_closed(problem):
        return solve_closed_levels(problem)
    found = solve_every_level(problem)
    return found if fast else found.compared_twice()


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
        nats of information); ``mechanism``, ``optima``, ``status``, ``routes`` and ``certificate``. A problem on an
        ``EveryLevelRegion`` gives an ``EveryLevel``: the optimum as a function of gamma.

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
    if problem.region.is_of_every_level:
        return _at_every_level(problem, names, fast=fast)  # type: ignore[no-any-return]
    with budget_allowed(budget):
        solution: Solution = way_of(problem).solve(problem, ["exact"] if fast and names == ["auto"] else names)
    if not fast:
        solution.compared_twice()
    for remark in remarks_of(solution):
        warnings.warn(remark, RroptWarning, stacklevel=2)
    return solution
