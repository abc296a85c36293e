"""The best design under a privacy criterion whose B(h) was rounded or enclosed: solved on both sides of B(h).

Regions grow with gamma. With ``gamma <= B(h) <= gamma_above`` the optimum under the criterion lies between the optima
at these two levels; the mechanism handed out is the one at gamma, which meets the criterion.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.criteria import decimal_outwards
from rropt.cli.pending import second_path
from rropt.errors import UnsupportedProblemError

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.exact import Epsilon
    from rropt.privacy.parity_bounds import CriterionLevel
    from rropt.problem import Problem
    from rropt.solvers import Solution

__all__ = [
    "OPTIMA_HELP",
    "CriterionOptimum",
    "bracket_text",
    "expect_bound",
    "optimum_under",
    "put_certificates",
    "with_bound",
]

OPTIMA_HELP = """\
"lower" and "upper" then bracket the optimum at B(h) itself, by a second solution at a
rational gamma above it; --certificate FILE.json writes its proof to FILE-bound.json."""

GAP_DIGITS = 2  # significant digits of a gap for people


@dataclass(frozen=True, slots=True)
class CriterionOptimum:
    """A solution, and the bracket of the optimum of the problem that was asked.

    Attributes:
        solution: at the level that was used; its mechanism is handed out.
        lower, upper: the optimum asked for lies between; ``None``: not known, since B(h) has no finite upper end.
        rounded: whether the level was that of a criterion and not B(h) itself.
        bound: the certificate at ``gamma_above``, of the end that the mechanism does not reach.
    """

    solution: Solution
    lower: Fraction | None
    upper: Fraction | None
    rounded: bool = False
    bound: Certificate | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the contract of ``rropt design --json``; an unknown end is null."""
        return {**self.solution.to_dict(), "lower": _text(self.lower), "upper": _text(self.upper)}

    def lines(self) -> list[tuple[str, str]]:
        """Return the rows of the table for people."""
        lines = self.solution.lines()
        if not self.rounded:
            return lines
        from rropt.exact import both_texts

        title = self.solution.problem.objective.title
        minimising = self.solution.problem.objective.sense == "minimise"
        own = (title, both_texts(self.solution.value))
        rows = [own if what == title else (what, value) for what, value in lines]
        text = bracket_text(self.lower, self.upper, minimising=minimising)
        return [*rows, ("optimum under the criterion", text)]

    def page_solution(self) -> Solution:
        """Return the solution with the bracket of the problem asked, for a page.

        Raises:
            UnsupportedProblemError: one end is not known.
        """
        if self.lower is None or self.upper is None:
            raise UnsupportedProblemError(
                "no report is written: B(h) has no finite upper end, so that one end of the optimum is not known; "
                "rewrite the function, or give --gamma"
            )
        return replace(self.solution, lower=self.lower, upper=self.upper)

    def put(self, args: argparse.Namespace) -> None:
        """Hand over the certificate, where it is asked for, and that of the bound."""
        put_certificates(args, self.solution.certificate, self.bound)


def optimum_under(
    level: CriterionLevel | None, problem_at: Callable[[Epsilon | None], Problem], routes: Sequence[str] | None
) -> CriterionOptimum:
    """Solve a problem at its level, and under a rounded criterion at the level above B(h) too.

    Args:
        level: of the criterion, if the level was given by one.
        problem_at: the problem at another level; ``None``: at its own.
        routes: solve by these only.

    Raises:
        InfeasibleDesignError: bounds that no mechanism under the criterion meets: the certificate is at gamma_above.
        UnsupportedProblemError: bounds that can be met above B(h) and not below it: not decided.
    """
    from rropt.solvers import solve
    from rropt.solvers.linear_designs.infeasible_designs import InfeasibleDesignError

    names = list(routes) if routes else None
    try:
        solution = solve(problem_at(None), names)
    except InfeasibleDesignError as error:
        if level is not None and level.is_rounded:
            _require_infeasible_above(level, problem_at, error)
        raise
    if level is None or not level.is_rounded:
        return CriterionOptimum(solution, solution.lower, solution.upper)
    minimising = solution.problem.objective.sense == "minimise"
    reached = {"upper": solution.upper} if minimising else {"lower": solution.lower}
    ends: dict[str, Fraction | None] = {"lower": None, "upper": None, **reached}
    if level.epsilon_above is None:
        return CriterionOptimum(solution, ends["lower"], ends["upper"], True)
    beyond = solve(problem_at(level.epsilon_above), names)
    ends |= {"lower": beyond.lower} if minimising else {"upper": beyond.upper}
    return CriterionOptimum(solution, ends["lower"], ends["upper"], True, beyond.certificate)


def _require_infeasible_above(
    level: CriterionLevel, problem_at: Callable[[Epsilon | None], Problem], error: Exception
) -> None:
    """Solve above B(h): raises that bounds cannot be met there, so neither at B(h); or that this is not decided."""
    from rropt.solvers import solve

    if level.epsilon_above is not None:
        solve(problem_at(level.epsilon_above))
    raise UnsupportedProblemError(
        "not decided: the bounds cannot be met at the rational gamma below B(h), and are not shown to be out of reach "
        f"at B(h): {error}; loosen the bounds, rewrite the function, or give --gamma"
    ) from None


def bracket_text(lower: Fraction | None, upper: Fraction | None, *, minimising: bool) -> str:
    """Return a bracket for people, rounded outwards; the end that the design reaches comes first."""
    least = "no lower bound is known" if lower is None else f"at least {decimal_outwards(lower, up=False)}"
    most = "no upper bound is known" if upper is None else f"at most {decimal_outwards(upper, up=True)}"
    ends = f"{most}, {least}" if minimising else f"{least}, {most}"
    if lower is None or upper is None:
        return ends
    return f"{ends} (gap at most {decimal_outwards(upper - lower, up=True, digits=GAP_DIGITS)})"


def expect_bound(args: argparse.Namespace, level: CriterionLevel | None) -> None:
    """Look, before the work, at the file of the second certificate of a rounded criterion."""
    if args.certificate is not None and level is not None and level.is_rounded and level.epsilon_above is not None:
        args.pending.expect(_bound_path(args.certificate))


def put_certificates(args: argparse.Namespace, certificate: Certificate, bound: Certificate | None) -> None:
    """Hand over the certificate, where it is asked for, and that of the bound: ``-bound`` is put to its name."""
    if args.certificate is None:
        return
    args.pending.put(args.certificate, certificate.file_text, "certificate")
    if bound is not None:
        args.pending.put(_bound_path(args.certificate), bound.file_text, "certificate of the bound")


def _bound_path(path: str) -> str:
    """Return the file of the second certificate: ``design.json`` has ``design-bound.json``."""
    return second_path(path, "-bound")


def with_bound(record: dict[str, Any], bound: Certificate | None) -> dict[str, Any]:
    """Return the record of a criterion with ``bound_certificate``, null where there is none."""
    if not record:
        return record
    return {"criterion": {**record["criterion"], "bound_certificate": None if bound is None else bound.to_dict()}}


def _text(value: Fraction | None) -> str | None:
    from rropt.exact import as_text

    return None if value is None else as_text(value)
