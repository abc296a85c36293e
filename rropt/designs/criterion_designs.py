"""Solve design problems whose privacy level is the bound B(h) of a criterion, at rational levels on both sides of B(h).

B(h) need not be rational. Regions grow with gamma. So if ``gamma <= B(h) <= gamma_above``, the optimum under the
criterion lies between the optima at these two levels. The returned mechanism is optimal at gamma, and it satisfies the
criterion. The solver for the corresponding problem with a fixed level computes both optima."""

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
from rropt.core.results import Result, Table, merged_records, record_of, unverified_lines
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.problem import Problem
from rropt.designs.registry import refusal, way_of
from rropt.designs.solution import RouteResult, Solution, found_lines
from rropt.designs.solving import solve
from rropt.mechanisms.columns import required_list
from rropt.privacy.criterion_region import CriterionLevel
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from rropt.designs.bits import BitsDesign
    from rropt.designs.closed_forms import ClosedForm
    from rropt.designs.prevalence_intervals import IntervalSolution
    from rropt.mechanisms import Mechanism

Split = TypeVar("Split", bound="BitsDesign | IntervalSolution")


class _Certified(Problem):
    """A problem whose dictionary has the form used in certificates."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "region": self.region.certified_dict()}


def _at_a_level(problem: Problem) -> Problem:
    """Replace the criterion of a problem by a fixed level; the result determines the way of the problem."""
    return Problem(problem.region.at(Epsilon.of("log(2)")), problem.objective, problem.population)


def limit_at_a_level(problem: Problem) -> str | None:
    """Return why no way solves the problem at a fixed level, or None."""
    return refusal(_at_a_level(problem))


def read_at_a_level(problem: Problem, certificate: Certificate) -> RouteResult:
    """Read the design from a certificate, by the way that solves the problem at a fixed level."""
    certified = _Certified(problem.region, problem.objective, problem.population)
    found: RouteResult = way_of(_at_a_level(problem)).read(certified, certificate)
    return found


def form_at_a_level(problem: Problem, mechanism: Mechanism) -> ClosedForm:
    """Return the closed form of a design, by the way that solves the problem at a fixed level."""
    form: ClosedForm = way_of(_at_a_level(problem)).formula(problem, mechanism)
    return form


def certify_criterion(problem: Problem, levels: RationalLevels, best: RouteResult) -> Certificate:
    """Write the certificate for the region of the criterion; the way of a fixed level writes its content."""
    region, level = problem.region, Epsilon.of_gamma(levels.below.gamma)
    inner = way_of(Problem(region.at(level), problem.objective, problem.population))
    certificate: Certificate = inner.certify(_Certified(region, problem.objective, problem.population), levels, best)
    return certificate


def solve_at_criterion(problem: Problem, routes: Iterable[str] | None) -> Solution:
    """Return the optimal design at a rational gamma below B(h), with the bound at a rational gamma above B(h).

    The certificate includes the proof of B(h) (checker/parity_bound).
    """
    from rropt.privacy.bound_certificate import levels_around_infimum  # imports python-flint, so only on use

    region, objective = problem.region, problem.objective
    assert region.criterion is not None  # a fact of its way
    levels = levels_around_infimum(region.criterion)
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
    proof = Certificate.attempt(lambda: certify_criterion(problem, levels, best))
    known, skipped = sides.below.is_certified and not proof.failure, sides.below.skipped
    return Solution(best.lower, best.upper, problem, best, found, proof, skipped=skipped, is_certified=known)


@dataclass(frozen=True, slots=True)
class BothSides(Result):
    """A solution at or below the requested level, with bounds on the optimum at the requested level.

    Attributes:
        below: the solution at the level that was used; its mechanism is returned.
        above: the solution at a higher level, which gives the other bound. It is None if the requested level was not
            rounded, or if no higher level is known.
        is_rounded: whether the level that was used is a rounding of the requested level.
        unverified: the names of the values that no certificate proves.
    """

    below: Solution
    above: Solution | None = None
    is_rounded: bool = False
    unverified: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def from_proof(
        cls,
        problem: Problem,
        certificate: Certificate | None,
        level_above: Problem | None,
        is_rounded: bool,
        routes: Mapping[str, Bracket] | None = None,
        skipped: Mapping[str, str] | None = None,
        bound_certificate: Certificate | None = None,
    ) -> BothSides:
        """Read a record: return the bounds that its certificates prove on both sides of the level, without solving.

        A record does not contain the criterion, so ``is_rounded`` and the higher level are not verified.

        Raises:
            FileFormatError: the checker rejects a certificate, or a certificate belongs to another problem.
        """
        below = Solution.from_proof(problem, certificate, routes, skipped)
        far = "lower" if problem.objective.sense == "minimise" else "upper"
        unproved = (*below.unverified, "is_rounded")
        above = None
        if level_above is not None and bound_certificate is not None:
            _require_level_above(problem, level_above)
            unproved += ("level_above",)
            above = Solution.from_proof(level_above, bound_certificate)
        if above is not None or is_rounded:
            unproved += (far,)
        return cls(below, above, is_rounded, unproved)

    @property
    def lower(self) -> Fraction | None:
        """A lower bound on the optimum, or ``None`` if none is known."""
        return self._end("minimise", "lower")

    @property
    def upper(self) -> Fraction | None:
        """An upper bound on the optimum, or ``None`` if none is known."""
        return self._end("maximise", "upper")

    @property
    def mechanism(self) -> Mechanism:
        """The returned mechanism."""
        return self.below.mechanism

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the mechanism."""
        return self.below.certificate

    @property
    def bound_certificate(self) -> Certificate | None:
        """The certificate of the bound at the higher level, or None if ``certificate`` proves both bounds."""
        return None if self.above is None else self.above.certificate

    def solution(self) -> Solution:
        """Return the solution with the bounds for the requested level.

        Raises:
            UnsupportedProblemError: one bound is not known.
        """
        if self.lower is None or self.upper is None:
            raise UnsupportedProblemError(
                "no report is written: B(h) has no finite upper end, so that one end of the optimum is not known; "
                "rewrite the function, or give `gamma`"
            )
        return replace(self.below, lower=self.lower, upper=self.upper)

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON with the bounds for the requested level; an unknown bound is null."""
        ends = record_of({"lower": self.lower, "upper": self.upper})
        above = None if self.above is None else self.above.problem.to_dict()
        more = {"level_above": above, "is_rounded": self.is_rounded}
        proof = {} if self.bound_certificate is None else {"bound_certificate": self.bound_certificate.to_dict()}
        return merged_records(self.below.to_dict(), ends, more, proof)

    def as_tables(self) -> list[Table]:
        """Return what was found; in full, also by which routes."""
        return [("", None, found_lines(self.lines()))]

    def lines(self) -> list[tuple[str, str]]:
        """Return the summary of the solution; if the level was rounded, add the bounds for the requested level."""
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
        """Return the matrices of the solution: the optimal mechanism."""
        return self.below.matrices()

    def remarks(self) -> tuple[str, ...]:
        """Return the warnings about the mechanism."""
        return self.below.remarks()

    def _end(self, sense: str, end: str) -> Fraction | None:
        """Return one bound on the optimum.

        Args:
            sense: the sense of the problems for which the higher level gives this bound.
            end: the bound, ``lower`` or ``upper``.
        """
        far = self.is_rounded and self.below.problem.objective.sense == sense
        value: Fraction | None = getattr(self.above if far else self.below, end, None)
        return value


def _without_level(region: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in region.items() if key != "epsilon"}
    return {**kept, "region": _without_level(kept["region"])} if "region" in kept else kept


def _require_level_above(below: Problem, above: Problem) -> None:
    """Require that two problems differ only in their levels and that the second level is not lower."""
    texts = [problem.to_dict() for problem in (below, above)]
    for text in texts:
        text["region"] = _without_level(text["region"])
    ends = [problem.region.bracket(FIRST_BRACKET_DIGITS) for problem in (below, above)]
    if texts[0] != texts[1] or ends[1].above.gamma < ends[0].below.gamma:
        raise FileFormatError(
            f"the record of a solution has another problem at the level above: received {shown(str(above))}; use the "
            "record as it was written"
        )


def solve_both_sides(
    below: Problem, above: Problem | None = None, *, is_rounded: bool = False, routes: Iterable[str] | None = None
) -> BothSides:
    """Solve a problem at a level and, if this level was rounded, also at a higher level.

    Args:
        below: the problem at the requested level, or at a lower level.
        above: the problem at a higher level, or ``None`` if none is known or needed.
        is_rounded: whether the level of ``below`` is a rounding of the requested level.
        routes: the names of the solution methods to use; ``None`` for all.

    Raises:
        InfeasibleDesignError: no mechanism satisfies the bounds, which a certificate at the higher level proves.
        UnsupportedProblemError: the bounds are feasible above B(h) but not below it, so feasibility is undecided.
    """
    names = (
        None
        if routes is None
        else [routes]
        if isinstance(routes, str)
        else required_list(routes, "`routes`", "a list of names of routes")
    )
    try:
        found = solve(below, names)
    except InfeasibleDesignError as error:
        if not is_rounded:
            raise
        if above is not None:
            solve(above)  # raises an error if the bounds are infeasible at B(h) too
        raise UnsupportedProblemError(
            "not decided: the bounds cannot be met at the rational gamma below B(h), and are not shown to be out of "
            f"reach at B(h): {error}; loosen the bounds, rewrite the function, or give `gamma`"
        ) from None
    return BothSides(found, solve(above, names) if is_rounded and above is not None else None, is_rounded)


def solve_under_criterion(
    level: CriterionLevel | None,
    problem_at: Callable[[Epsilon | None], Problem],
    routes: Iterable[str] | None = None,
) -> BothSides:
    """Solve a problem at its level and, under a rounded criterion, also at the level above B(h).

    Args:
        level: the level of the criterion, or ``None`` if the level was given directly.
        problem_at: a function that returns the problem at a given level; ``None`` means its own level.
        routes: the names of the solution methods to use; ``None`` for all.

    Raises:
        InfeasibleDesignError, UnsupportedProblemError: as for ``solve_both_sides``.
    """
    is_rounded, end = _level_above(level)
    return solve_both_sides(
        problem_at(None), None if end is None else problem_at(end), is_rounded=is_rounded, routes=routes
    )


@dataclass(frozen=True, slots=True)
class DesignUnder(Generic[Split]):
    """A design for several questions or an interval of prevalences, with a lower bound at the requested level.

    Attributes:
        below: the design at the level that was used, which is at most the requested level.
        above: the design at a higher level, or None if the level was not rounded or no higher level is known.
        is_rounded: whether the level that was used is a rounding of the requested level.
    """

    below: Split
    above: Split | None
    is_rounded: bool

    @property
    def lower(self) -> Fraction | None:
        """A lower bound on the optimum, or ``None`` if none is known."""
        side = self.above if self.is_rounded else self.below
        return None if side is None else side.bracketed()[1].lower

    @property
    def bound_certificate(self) -> Certificate | None:
        """The certificate of ``lower`` at the higher level, or None if there is no such certificate."""
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
        """Return the design for JSON with the lower bound for the requested level, or null if none is known."""
        return merged_records(self.below.to_dict(), record_of({"lower": self.lower}))

    def as_tables(self) -> list[Table]:
        """Return the tables of the design; if the level was rounded, add the bounds for the requested level."""
        *others, (title, header, rows) = self.below.as_tables()
        if self.is_rounded:
            name, between, _ = self.below.bracketed()
            text = bracket_text(self.lower, between.upper, minimising=True)
            rows = [*rows, (f"{name} under the criterion", text)]
        return [*others, (title, header, rows)]

    def matrices(self) -> Mapping[str, Any]:
        """Return the matrices of the design: the optimal mechanism, if the design displays one."""
        return self.below.matrices()


def design_under_criterion(
    level: CriterionLevel | None, design_at: Callable[[Epsilon | None], Split]
) -> DesignUnder[Split]:
    """Return a design at its level and, under a rounded criterion, also the design at the level above B(h).

    Args:
        level: the level of the criterion, or ``None`` if the level was given directly.
        design_at: a function that returns the design at a given level; ``None`` means its own level.
    """
    is_rounded, end = _level_above(level)
    return DesignUnder(design_at(None), None if end is None else design_at(end), is_rounded)


def _level_above(level: CriterionLevel | None) -> tuple[bool, Epsilon | None]:
    """Return whether the level is a rounded B(h), and the level above B(h) if it was rounded and one is known."""
    is_rounded = level is not None and level.is_rounded
    return is_rounded, level.epsilon_above if level is not None and is_rounded else None
