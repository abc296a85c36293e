"""Designs at rational levels on both sides of the bound B(h) of a criterion, where B(h) was rounded.

B(h) need not be rational. Regions grow with gamma. So if ``gamma <= B(h) <= gamma_above``, the optimum under the
criterion lies between the optima at these two levels. The returned mechanism is optimal at gamma, and it satisfies the
criterion. (A problem over a ``CriterionRegion`` needs no second solution: its dual is computed at the level above.)"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Epsilon, both_texts
from rropt.core.exact.display import bracket_text
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.core.results import Result, Table, merged_records, record_of, unverified_lines
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.problem import Problem
from rropt.designs.routes import listed_routes
from rropt.designs.solution import Solution, found_lines
from rropt.designs.solving import solve
from rropt.privacy.criterion_region import CriterionLevel

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism


@dataclass(frozen=True, slots=True)
class BothSides(Result):
    """A design at a level below B(h), which was rounded, with the bound of a design at a level above.

    Attributes:
        below: the design at the level that was used; its mechanism is returned.
        above: the design at a higher level, which gives the other bound; None if no higher level is known.
        unverified: the names of the values that no certificate proves.
    """

    below: Any  # a Solution, or a design with ``bracketed``
    above: Any = None
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
        unproved: tuple[str, ...] = (*below.unverified, "is_rounded")
        above = None
        if level_above is not None and bound_certificate is not None:
            _require_level_above(problem, level_above)
            unproved += ("level_above",)
            above = Solution.from_proof(level_above, bound_certificate)
        return cls(below, above, (*unproved, cls(below).far))

    @property
    def far(self) -> str:
        """The bound that the design below does not attain: ``lower`` when minimizing."""
        is_maximised = isinstance(self.below, Solution) and self.below.problem.objective.sense == "maximise"
        return "upper" if is_maximised else "lower"

    @property
    def lower(self) -> Fraction | None:
        """A lower bound on the optimum, or ``None`` if none is known."""
        return self._end("lower")

    @property
    def upper(self) -> Fraction | None:
        """An upper bound on the optimum, or ``None`` if none is known."""
        return self._end("upper")

    def _end(self, end: str) -> Fraction | None:
        side = self.above if end == self.far else self.below
        value: Fraction | None = None if side is None else getattr(side.bracketed()[1], end)
        return value

    @property
    def mechanism(self) -> Mechanism:
        """The returned mechanism."""
        made: Mechanism = self.below.mechanism
        return made

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the mechanism."""
        own: Certificate | None = self.below.certificate
        return own

    @property
    def bound_certificate(self) -> Certificate | None:
        """The certificate of the bound at the higher level, or None if there is no such certificate."""
        return None if self.above is None else self.above.bracketed()[2]

    def solution(self) -> Any:
        """Return the design; a solution has the bounds for the requested level.

        Raises:
            UnsupportedProblemError: one bound is not known.
        """
        if not isinstance(self.below, Solution):
            return self.below
        if self.lower is None or self.upper is None:
            raise UnsupportedProblemError(
                "no report is written: B(h) has no finite upper end, so that one end of the optimum is not known; "
                "rewrite the function, or give `gamma`"
            )
        return replace(self.below, lower=self.lower, upper=self.upper)

    def to_dict(self) -> dict[str, Any]:
        """Return the design for JSON with the bound for the requested level; an unknown bound is null."""
        record = merged_records(self.below.to_dict(), record_of({self.far: self._end(self.far)}))
        if not isinstance(self.below, Solution):
            return record
        above = self.above.problem.to_dict() if isinstance(self.above, Solution) else None
        proof = {} if self.bound_certificate is None else {"bound_certificate": self.bound_certificate.to_dict()}
        return {**record, "level_above": above, "is_rounded": True, **proof}

    def as_tables(self) -> list[Table]:
        """Return the tables of the design, with the bounds for the requested level."""
        if isinstance(self.below, Solution):
            return [("", None, found_lines(self.lines()))]
        *others, (title, header, rows) = self.below.as_tables()
        return [*others, (title, header, [*rows, self._optimum])]

    @property
    def _optimum(self) -> tuple[str, str]:
        text = bracket_text(self.lower, self.upper, minimising=self.far == "lower")
        return f"{self.below.bracketed()[0]} under the criterion", text

    def lines(self) -> list[tuple[str, str]]:
        """Return the summary of the design, with the bounds for the requested level."""
        lines = [line for line in self.below.lines() if line not in unverified_lines(self.below)]
        if isinstance(self.below, Solution):
            own = (self.below.problem.objective.title, both_texts(self.below.value))
            lines = [own if what == own[0] else (what, value) for what, value in lines]
        return [*lines, *unverified_lines(self), self._optimum]

    def matrices(self) -> Mapping[str, Any]:
        """Return the matrices of the design: the optimal mechanism, if the design displays one."""
        shown: Mapping[str, Any] = self.below.matrices()
        return shown

    def remarks(self) -> tuple[str, ...]:
        """Return the warnings about the mechanism of a solution."""
        return self.below.remarks() if isinstance(self.below, Solution) else ()


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


def design_under_criterion(level: CriterionLevel | None, design_at: Callable[[Epsilon | None], Any]) -> Any:
    """Return a design at its level; under a rounded criterion, with the bound of the design at the level above B(h).

    Args:
        level: the level of the criterion, or ``None`` if the level was given directly.
        design_at: a function that returns the design at a given level; ``None`` means its own level.

    Returns:
        The design itself, or ``BothSides`` if the level was rounded.

    Raises:
        InfeasibleDesignError: no mechanism satisfies the bounds, which a certificate at the higher level proves.
        UnsupportedProblemError: the bounds are feasible above B(h) but not below it, so feasibility is undecided.
    """
    if level is None or not level.is_rounded:
        return design_at(None)
    above = level.epsilon_above
    try:
        found = design_at(None)
    except InfeasibleDesignError as error:
        if above is not None:
            design_at(above)  # raises an error if the bounds are infeasible at B(h) too
        raise UnsupportedProblemError(
            "not decided: the bounds cannot be met at the rational gamma below B(h), and are not shown to be out of "
            f"reach at B(h): {error}; loosen the bounds, rewrite the function, or give `gamma`"
        ) from None
    return BothSides(found, None if above is None else design_at(above))


def solve_under_criterion(
    level: CriterionLevel | None,
    problem_at: Callable[[Epsilon | None], Problem],
    routes: Iterable[str] | None = None,
    *,
    fast: bool = False,
) -> Solution | BothSides:
    """Solve a problem at its level and, under a rounded criterion, also at the level above B(h).

    Args:
        level: the level of the criterion, or ``None`` if the level was given directly.
        problem_at: a function that returns the problem at a given level; ``None`` means its own level.
        routes: the names of the solution methods to use; ``None`` for all.
        fast: as for ``solve``; the solution above B(h) never has twins.

    Raises:
        InfeasibleDesignError, UnsupportedProblemError: as for ``design_under_criterion``.
    """
    names = listed_routes(routes)  # the first side would use up an iterator

    def solution_at(at: Epsilon | None) -> Solution:
        return solve(problem_at(at), names, fast=fast or at is not None)

    found: Solution | BothSides = design_under_criterion(level, solution_at)
    return found
