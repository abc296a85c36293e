"""The table of ways: rows that solve problems, and the row that solves a given one.

A row (``Way``) is a kind of problems with common methods and one checker rule. The rows of the library stand in
``designs.ways``, which imports all of their methods, so it is loaded late. ``register_way`` adds the row of a third
party; those come last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Generic, NamedTuple, Protocol, TypeVar

from rropt.core.argument_checks import clear_calls
from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.designs.drawable_designs import LEAST_BITS, MOST_BITS, NEAR, WORD_BITS, is_drawable, levels_around, word_bits
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design
from rropt.designs.routes import (
    NoDesignError,
    Route,
    RouteResult,
    UndecidedLevelError,
    chosen_routes,
    require_agreement,
)
from rropt.privacy.region import RationalLevels, Region

Found = TypeVar("Found", bound=RouteResult)

LEAST_COST = 5.0
"""By default a route is skipped if it takes an estimated 5 s or more, and another one has no such estimate."""

_TABLE = "rropt.designs.ways"


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


class ComparedRoutes(NamedTuple):
    """What the routes of a way found: the best result with its certificate, beside the results of all routes.

    Attributes:
        best: the narrowest result that can be certified.
        results: the result of each route, by name.
        skipped: the routes omitted because of their cost, with the reason.
        certificate: the certificate of the best result; None if the row has none.
        is_certified: whether the checker accepted it.
    """

    best: RouteResult
    results: Mapping[str, RouteResult]
    skipped: Mapping[str, str]
    certificate: Certificate | None
    is_certified: bool


class LevelRound(NamedTuple):
    """Rational levels around the level of a problem in a round of ``Way.solve``, and the length of the numbers there.

    Attributes:
        region: the region of the problem.
        digits: the significant digits of the levels.
        most_digits: their maximum, after doubling.
        known: the levels, if no finer ones are known.
        is_first: whether a rational level stays as it is.
        bits: the length of the numbers of a design; 0 if it need not be drawn.
        levels: the levels.
    """

    region: Region
    digits: int
    most_digits: int
    known: RationalLevels | None
    is_first: bool
    bits: int
    levels: RationalLevels

    @classmethod
    def first(
        cls, region: Region, digits: int = FIRST_BRACKET_DIGITS, most_digits: int = MAX_BRACKET_DIGITS
    ) -> LevelRound:
        """Return the first bracket: the level itself, if it is rational and its designs can be drawn."""
        known = None
        if region.criterion is not None:
            from rropt.privacy.bound_certificate import levels_around_infimum  # loads the search for B(h)

            known = levels_around_infimum(region.criterion)
        return cls._at(region, digits, most_digits, known, WORD_BITS, is_first=True)

    @classmethod
    def _at(
        cls, region: Region, digits: int, most: int, known: RationalLevels | None, bits: int, *, is_first: bool
    ) -> LevelRound:
        levels = levels_around(region, digits, bits, is_first=is_first, known=known)
        if levels is None:  # short numbers would lose too much
            return cls._at(region, digits, most, known, 0, is_first=is_first)
        return cls(region, digits, most, known, is_first, bits, levels)

    @property
    def is_rational(self) -> bool:
        """Whether the levels are as good as the level."""
        return self.levels.is_exact or self.known is not None

    def is_fine(self, best: RouteResult) -> bool:
        """Return whether short numbers lose next to nothing."""
        return not self.bits or self.is_rational or best.gap <= NEAR * max(abs(best.lower), abs(best.upper))

    def shorter(self, best: RouteResult) -> LevelRound | None:
        """Return the bracket with numbers that can be drawn; with any numbers, if too few bits are left.

        None if the designs of a result can be drawn, or need not.
        """
        beyond = max(map(word_bits, best.designs), default=0) - MOST_BITS if self.bits else 0
        if beyond <= 0:
            return None
        bits = self.bits if self.is_first and self.is_rational else self.bits - beyond
        bits = bits if bits >= LEAST_BITS else 0
        return self._at(self.region, self.digits, self.most_digits, self.known, bits, is_first=False)

    def finer(self) -> LevelRound | None:
        """Return the bracket with numbers of any length, and after it those with twice as many digits; None at last."""
        digits = self.digits if self.bits else 2 * self.digits
        if not self.bits and (digits > self.most_digits or self.known is not None):
            return None
        return self._at(self.region, digits, self.most_digits, self.known, 0, is_first=self.is_first)


class WayRow(Protocol):
    """A ``Way``, whatever the type of its results: what the table asks of a row."""

    @property
    def name(self) -> str:
        """The printed name."""

    @property
    def has_certificate(self) -> bool:
        """Whether the checker decides its results."""

    @property
    def reason(self) -> Callable[[Problem], str | None] | None:
        """Which limit a problem of this kind exceeds."""

    @property
    def read(self) -> Callable[[Problem, Certificate], RouteResult]:
        """The result that a certificate proves."""

    def takes(self, problem: Problem, facts: Facts) -> bool:
        """Return whether a problem with these facts is of this kind."""

    def solve(self, problem: Problem, routes: Sequence[str]) -> ComparedRoutes:
        """Return the certified result of a problem."""


@dataclass(frozen=True)
class Way(Generic[Found]):
    """A row of the table of ways: which problems it solves, by which routes, and how their results are proved.

    The facts of a problem are compared first (``facts_of``); None allows each value. A row that brackets the level
    in another way is a subclass: it replaces ``first_bracket`` or ``finer_bracket``.

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
    """

    name: str
    routes: tuple[Route, ...]
    certify: Callable[[Problem, RationalLevels, Found], Certificate] | None
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
    shorter: Callable[[Problem, RationalLevels, Found], Found] | None = None

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

    @property
    def has_certificate(self) -> bool:
        """Whether the checker decides its results; otherwise a bound is computed again when it is read."""
        return self.certify is not None

    def solve(self, problem: Problem, routes: Sequence[str]) -> ComparedRoutes:
        """Return the certified result of a problem.

        Each round brackets the level, compares the routes, shortens the numbers of the design, and certifies it. The
        bracket is refined as far as needed. An objective that the checker does not know is tested first.
        """
        is_known = self.knows is None or self.knows(problem)
        if not is_known:
            require_valid(problem)
        chosen, skipped = self.chosen(problem, routes)
        at = self.first_bracket(problem)
        while True:
            try:
                results = {route.name: route.solve(problem, at.levels) for route in chosen}
                best = self.compared(problem, results)
                if self.shorter is not None and not is_drawable(best.designs[0]):
                    best = self.shorter(problem, at.levels, best)
                following, proof = at.shorter(best) or self.finer_bracket(at, best), None
                if following is None:
                    proof = self.certified(problem, at.levels, best, is_known=is_known)
                    following = self.after_rejection(at) if proof and proof.failure and not proof.is_missing else None
            except UndecidedLevelError:
                following = at.finer()
                if following is None:
                    raise
            except NoDesignError as error:
                raise UnsupportedProblemError(error.args[0].format(problem)) from error
            if following is None:
                accepted = proof is not None and is_known and not proof.failure
                return ComparedRoutes(best, results, skipped, proof, accepted)
            at = following

    def first_bracket(self, problem: Problem) -> LevelRound:
        """Return the bracket of the level in the first round."""
        return LevelRound.first(problem.region)

    def finer_bracket(self, at: LevelRound, best: Found) -> LevelRound | None:
        """Return the bracket that a better result needs; None if the result is good enough."""
        return None if at.is_fine(best) else at.finer()

    def after_rejection(self, at: LevelRound) -> LevelRound | None:
        """Return the bracket that may mend a rejected certificate; None if a finer one would change nothing."""
        return at.finer() if at.bits else None

    def certified(self, problem: Problem, levels: RationalLevels, best: Found, *, is_known: bool) -> Certificate | None:
        """Return the certificate of a result; None if the row has none, unchecked if its objective is not known."""
        if self.certify is None:
            return None
        make = partial(self.certify, problem, levels, best)
        return Certificate.attempt(make) if is_known else make()

    def compared(self, problem: Problem, results: Mapping[str, RouteResult]) -> Found:
        """Return the narrowest result that can be certified, after checking that all brackets agree."""
        require_agreement(results, problem)
        deciding = [result for result in results.values() if isinstance(result, self.found)]
        if not deciding:
            raise _undecided(results)
        return min(deciding, key=lambda result: result.gap)

    def chosen(self, problem: Problem, names: Sequence[str]) -> tuple[list[Route], dict[str, str]]:
        """Return the routes to run, and those that are skipped, with the reason.

        ``"exact"`` selects the route of that name, or otherwise the first one; ``"fast"`` selects the same route, but
        not one of more than ``LEAST_COST`` seconds if another one fits; ``"auto"`` skips such routes beside others.
        """
        known = {route.name: route for route in self.routes}
        fitting = [route.name for route in self.routes if route.accepts is None or route.accepts(problem)]
        if names == ["fast"] and fitting:
            cheap = [name for name in fitting if (cost := known[name].cost) is None or cost(problem) <= LEAST_COST]
            return [known["exact" if "exact" in (cheap or fitting) else (cheap or fitting)[0]]], {}
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


REGISTERED: list[WayRow] = []
"""The rows of third parties, in the order of registration."""


@clear_calls
def register_way(way: WayRow) -> None:
    """Register a ``Way``; it is asked for the problems that the rows of the library refuse.

    Args:
        way: the row: which problems it fits, its routes, and the function that writes its certificate.
    """
    REGISTERED.append(way)


def way_of(problem: Problem) -> WayRow:
    """Return the first row that solves a problem.

    Raises:
        UnsupportedProblemError: no row solves the problem; each row of the problem's kind states which limit the
            problem exceeds. If there is no such row, the message lists the rows.
    """
    rows: list[WayRow] = import_module(_TABLE).WAYS
    ways = [*rows, *REGISTERED]
    facts, reasons = facts_of(problem), list[str]()
    for way in ways:
        if way.takes(problem, facts):
            reason = way.reason and way.reason(problem)
            if reason is None:
                return way
            reasons.append(reason)
    names = ", ".join(way.name for way in ways)
    none_fits = f"no way solves the problem: received {problem}; allowed are {names}"
    raise UnsupportedProblemError("; or: ".join(dict.fromkeys(reasons)) or none_fits)
