"""The class of designs under a criterion: solved on both sides of B(h) by the class of the same designs at a level.

B(h) may be not a number that can be written. Regions grow with gamma. With ``gamma <= B(h) <= gamma_above`` the optimum
under the criterion lies between the optima at these two levels; the returned mechanism is the one at gamma, which
meets the criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Epsilon, both_texts
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS
from rropt.core.exact.display import bracket_text
from rropt.core.results import Result, Table, joined, record_of, unverified_lines
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.problem import Problem, WorstCaseProblem
from rropt.designs.registry import accepting_class, design_class, refusal
from rropt.designs.solution import RouteResult, Solution
from rropt.designs.solving import DesignClass, solve
from rropt.privacy.criterion_region import CriterionLevel
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from rropt.designs.bits import BitsDesign
    from rropt.designs.prevalence_intervals import IntervalSolution
    from rropt.mechanisms import Mechanism

Split = TypeVar("Split", bound="BitsDesign | IntervalSolution")


class _Certified(Problem):
    """A problem as its certificate writes it."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "region": self.region.certified_dict()}


def _at_a_level(problem: Problem) -> Problem:
    """Return the problem at a level in place of its criterion: its kind and its sizes decide which class solves it."""
    return Problem(problem.region.at(Epsilon.of("log(2)")), problem.objective, problem.population)


@dataclass(frozen=True)
class CriterionDesigns(DesignClass[RouteResult]):
    """Any objective over a region whose level is a B(h): the certificate holds the proof of B(h) (rule 12)."""

    name = "under a criterion"
    specificity = 1
    routes = ()
    found = RouteResult

    def accepts(self, problem: Problem) -> bool:
        """Return whether the region has a criterion and a class accepts the same problem at a level."""
        return self._is_own(problem) and accepting_class(_at_a_level(problem)) is not None

    def refusal(self, problem: Problem) -> str | None:
        """Return why no class accepts the problem at a level."""
        return refusal(_at_a_level(problem)) if self._is_own(problem) else None

    def _is_own(self, problem: Problem) -> bool:
        return problem.region.criterion is not None and not isinstance(problem, WorstCaseProblem)

    def recorded(self, problem: Problem, certificate: Certificate) -> RouteResult:
        """Return what the class of the same designs at a level reads from the certificate."""
        at_level = _at_a_level(problem)
        certified = _Certified(problem.region, problem.objective, problem.population)
        found: RouteResult = design_class(at_level).recorded(certified, certificate)
        return found

    def certificate(self, problem: Problem, levels: RationalLevels, best: RouteResult) -> Certificate:
        """Return the certificate of the class of the same designs at a level, over the region of the criterion."""
        region, level = problem.region, Epsilon.of_gamma(levels.one_level().below.gamma)
        inner = design_class(Problem(region.at(level), problem.objective, problem.population))
        certified = _Certified(region, problem.objective, problem.population)
        certificate: Certificate = inner.certificate(certified, levels, best)
        return certificate

    def solve(self, problem: Problem, routes: Iterable[str] | None) -> Solution:
        """Return the design at a rational gamma below B(h), with the bound at one above."""
        from rropt.privacy.bound_certificate import InfimumBracket  # python-flint: only when it is used

        region, objective = problem.region, problem.objective
        if region.criterion is None:
            raise UnsupportedProblemError(f"the region has no criterion: received {region}; allowed is a criterion")
        levels = InfimumBracket.of(region.criterion)
        below, above = (
            Problem(region.at(Epsilon.of_gamma(end.gamma)), objective, problem.population)
            for end in (levels.below, levels.above)
        )
        sides = solve_both_sides(below, above, is_rounded=not levels.is_exact, routes=routes)
        beyond = sides.above or sides.below
        best = sides.below.found.bounded_by(beyond.found, objective.sense)
        found = {
            name: result.bounded_by(beyond.routes[name], objective.sense)
            for name, result in sides.below.routes.items()
            if name in beyond.routes
        }
        certificate = self.certificate(problem, levels, best).require_accepted()
        skipped = sides.below.skipped
        return Solution(best.lower, best.upper, problem, best, found, certificate, skipped=skipped)


@dataclass(frozen=True, slots=True)
class BothSides(Result):
    """A solution at or below a level, and what bounds the optimum at the level itself.

    Attributes:
        below: at the level that was used; its mechanism is returned.
        above: at a level above, where the level was rounded and such a level is known; its bound is the other end.
        is_rounded: whether the level that was used is not the level itself.
    """

    below: Solution
    above: Solution | None = None
    is_rounded: bool = False
    unverified: tuple[str, ...] = field(default=(), compare=False)
    stated: tuple[Problem, Fraction | None] | None = field(default=None, compare=False)

    @classmethod
    def from_proof(
        cls,
        problem: Problem,
        certificate: Certificate,
        level_above: Problem | None,
        is_rounded: bool,
        routes: Mapping[str, Bracket] | None = None,
        skipped: Mapping[str, str] | None = None,
        bound_certificate: Certificate | None = None,
        lower: Fraction | None = None,
        upper: Fraction | None = None,
    ) -> BothSides:
        """Return what the certificates prove on both sides of the level: how a record is read, without solving.

        A record does not hold the criterion, so that ``is_rounded`` and the level above are not verified. A record of
        version 0.1.0 has no certificate of the bound at the level above: that end is not verified either.

        Raises:
            FileFormatError: the checker rejects a certificate, or it is of another problem.
        """
        below = Solution.from_proof(problem, certificate, routes, skipped)
        far = "lower" if problem.objective.sense == "minimise" else "upper"
        unproved = (*below.unverified, "is_rounded")
        above, stated = None, None
        if level_above is not None:
            _require_level_above(problem, level_above)
            unproved += ("level_above", far)
            if bound_certificate is None:
                stated = level_above, lower if far == "lower" else upper
            else:
                above = Solution.from_proof(level_above, bound_certificate)
        unproved = tuple(dict.fromkeys((*unproved, *(far,) * is_rounded)))
        return cls(below, above, is_rounded, unproved, stated)

    @property
    def lower(self) -> Fraction | None:
        """The optimum is at least this; ``None``: not known."""
        return self._end("minimise", "lower")

    @property
    def upper(self) -> Fraction | None:
        """The optimum is at most this; ``None``: not known."""
        return self._end("maximise", "upper")

    @property
    def mechanism(self) -> Mechanism:
        """The returned mechanism."""
        return self.below.mechanism

    @property
    def certificate(self) -> Certificate:
        """The certificate of the mechanism."""
        return self.below.certificate

    @property
    def bound_certificate(self) -> Certificate | None:
        """The certificate of the end that no mechanism here reaches, where it is another than that of ``below``."""
        return None if self.above is None else self.above.certificate

    def solution(self) -> Solution:
        """Return the solution with the bracket of the problem asked.

        Raises:
            UnsupportedProblemError: one end is not known.
        """
        if self.lower is None or self.upper is None:
            raise UnsupportedProblemError(
                "no report is written: B(h) has no finite upper end, so that one end of the optimum is not known; "
                "rewrite the function, or give `gamma`"
            )
        return replace(self.below, lower=self.lower, upper=self.upper)

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON with the bracket of the problem asked; an end that is not known is null."""
        ends = record_of({"lower": self.lower, "upper": self.upper})
        known = self.above.problem if self.above is not None else self.stated and self.stated[0]
        more = {"level_above": known and known.to_dict(), "is_rounded": self.is_rounded}
        proof = {} if self.above is None else {"bound_certificate": self.above.certificate.to_dict()}
        return joined(self.below.to_dict(), ends, more, proof)

    def lines(self) -> list[tuple[str, str]]:
        """Return what the solution says, and where the level was rounded the bracket of the problem asked."""
        objective = self.below.problem.objective
        lines = [line for line in self.below.lines() if line not in unverified_lines(self.below)]
        lines += unverified_lines(self)
        if not self.is_rounded:
            return lines
        own = (objective.title, both_texts(self.below.value))
        text = bracket_text(self.lower, self.upper, minimising=objective.sense == "minimise")
        rows = [own if what == objective.title else (what, value) for what, value in lines]
        return [*rows, ("optimum under the criterion", text)]

    def matrices(self) -> Mapping[str, Any]:
        """Return the optimal mechanism."""
        return self.below.matrices()

    def _end(self, sense: str, end: str) -> Fraction | None:
        """Return the endpoint that no mechanism proves for problems of this sense."""
        far = self.is_rounded and self.below.problem.objective.sense == sense
        if far and self.stated is not None:
            return self.stated[1]
        value: Fraction | None = getattr(self.above if far else self.below, end, None)
        return value


def _without_level(region: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in region.items() if key != "epsilon"}
    return {**kept, "region": _without_level(kept["region"])} if "region" in kept else kept


def _require_level_above(below: Problem, above: Problem) -> None:
    """Raise unless two problems differ only in their levels, and the second level is not smaller."""
    texts = [problem.to_dict() for problem in (below, above)]
    for text in texts:
        text["region"] = _without_level(text["region"])
    ends = [problem.region.bracket(FIRST_BRACKET_DIGITS).one_level() for problem in (below, above)]
    if texts[0] != texts[1] or ends[1].above.gamma < ends[0].below.gamma:
        raise FileFormatError(
            f"the record of a solution has another problem at the level above: received {shown(str(above))}; use the "
            "record as it was written"
        )


def solve_both_sides(
    below: Problem, above: Problem | None = None, *, is_rounded: bool = False, routes: Iterable[str] | None = None
) -> BothSides:
    """Solve a problem at a level, and if that was rounded at the level above too.

    Args:
        below: the problem at the level, or at a level below it.
        above: at a level above it; ``None``: none is known, or none is needed.
        is_rounded: whether ``below`` is not the problem itself.
        routes: solve by these only.

    Raises:
        InfeasibleDesignError: bounds that no mechanism meets: the certificate is at the level above.
        UnsupportedProblemError: bounds that can be met above B(h) and not below it: not decided.
    """
    names = None if routes is None else [routes] if isinstance(routes, str) else list(routes)
    try:
        found = solve(below, names)
    except InfeasibleDesignError as error:
        if not is_rounded:
            raise
        if above is not None:
            solve(above)  # raises where the bounds cannot be met at B(h) either
        raise UnsupportedProblemError(
            "not decided: the bounds cannot be met at the rational gamma below B(h), and are not shown to be out of "
            f"reach at B(h): {error}; loosen the bounds, rewrite the function, or give `gamma`"
        ) from None
    return BothSides(found, solve(above, names) if is_rounded and above is not None else None, is_rounded)


def solve_under(
    level: CriterionLevel | None,
    problem_at: Callable[[Epsilon | None], Problem],
    routes: Iterable[str] | None = None,
) -> BothSides:
    """Solve a problem at its level, and under a rounded criterion at the level above B(h) too.

    Args:
        level: the level of the criterion, if the level was given by one.
        problem_at: the problem at another level; ``None``: at its own.
        routes: solve by these only.

    Raises:
        As ``solve_both_sides``.
    """
    is_rounded, end = _beyond(level)
    return solve_both_sides(
        problem_at(None), None if end is None else problem_at(end), is_rounded=is_rounded, routes=routes
    )


@dataclass(frozen=True, slots=True)
class DesignUnder(Generic[Split]):
    """A design for several questions, or over an interval of prevalences, at or below a level, with the bound at it.

    Attributes:
        below: at the level that was used.
        above: at a level above, where the level was rounded and such a level is known.
        is_rounded: whether the level that was used is not the level itself.
    """

    below: Split
    above: Split | None
    is_rounded: bool

    @property
    def lower(self) -> Fraction | None:
        """The optimum is at least this; ``None``: not known."""
        side = self.above if self.is_rounded else self.below
        return None if side is None else side.bracketed()[1].lower

    @property
    def bound_certificate(self) -> Certificate | None:
        """The certificate of ``lower``, where it is another than that of ``below``."""
        return None if self.above is None else self.above.bracketed()[2]

    @property
    def mechanism(self) -> Mechanism:
        """The returned mechanism."""
        return self.below.mechanism

    @property
    def certificate(self) -> Certificate:
        """The certificate of the mechanism."""
        return self.below.certificate

    def solution(self) -> Split:
        """Return the design at the level that was used."""
        return self.below

    def to_dict(self) -> dict[str, Any]:
        """Return the design for JSON with the bound at the level itself, null where none is known."""
        return joined(self.below.to_dict(), record_of({"lower": self.lower}))

    def as_tables(self) -> list[Table]:
        """Return the tables of the design, and where the level was rounded the bracket at the level itself."""
        *others, (title, header, rows) = self.below.as_tables()
        if self.is_rounded:
            name, between, _ = self.below.bracketed()
            text = bracket_text(self.lower, between.upper, minimising=True)
            rows = [*rows, (f"{name} under the criterion", text)]
        return [*others, (title, header, rows)]

    def matrices(self) -> Mapping[str, Any]:
        """Return the optimal mechanism, if it is shown."""
        return self.below.matrices()


def design_under(level: CriterionLevel | None, design_at: Callable[[Epsilon | None], Split]) -> DesignUnder[Split]:
    """Return a design at its level, and under a rounded criterion the one at the level above B(h) too.

    Args:
        level: the level of the criterion, if the level was given by one.
        design_at: the design at another level; ``None``: at its own.
    """
    is_rounded, end = _beyond(level)
    return DesignUnder(design_at(None), None if end is None else design_at(end), is_rounded)


def _beyond(level: CriterionLevel | None) -> tuple[bool, Epsilon | None]:
    """Return whether a level is that of a criterion, rounded, and the level above B(h) if there is one."""
    is_rounded = level is not None and level.is_rounded
    return is_rounded, level.epsilon_above if level is not None and is_rounded else None
