"""The best design under a privacy criterion whose B(h) was rounded or enclosed: solved on both sides of B(h).

Regions grow with gamma. With ``gamma <= B(h) <= gamma_above`` the optimum under the criterion lies between the optima
at these two levels; the mechanism handed out is the one at gamma, which meets the criterion.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.output import second_path
from rropt.errors import UnsupportedProblemError
from rropt.exact.display import bracket_text

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.exact import Epsilon
    from rropt.privacy.parity_bounds import CriterionLevel
    from rropt.problem import Problem
    from rropt.solvers import Solution
    from rropt.solvers.criterion_designs import BothSides

OPTIMA_HELP = """\
"lower" and "upper" then bracket the optimum at B(h) itself, by a second solution at a
rational gamma above it; --certificate FILE.json writes its proof to FILE-bound.json."""


def optimum_record(optimum: BothSides) -> dict[str, Any]:
    """Return the contract of ``rropt design --json``; an unknown end is null."""
    return {**optimum.below.to_dict(), "lower": _text(optimum.lower), "upper": _text(optimum.upper)}


def optimum_rows(optimum: BothSides) -> list[tuple[str, str]]:
    """Return the rows of the table for people."""
    lines = optimum.below.lines()
    if not optimum.is_rounded:
        return lines
    from rropt.exact import both_texts

    objective = optimum.below.problem.objective
    own = (objective.title, both_texts(optimum.below.value))
    rows = [own if what == objective.title else (what, value) for what, value in lines]
    text = bracket_text(optimum.lower, optimum.upper, minimising=objective.sense == "minimise")
    return [*rows, ("optimum under the criterion", text)]


def page_solution(optimum: BothSides) -> Solution:
    """Return the solution with the bracket of the problem asked, for a page.

    Raises:
        UnsupportedProblemError: one end is not known.
    """
    if optimum.lower is None or optimum.upper is None:
        raise UnsupportedProblemError(
            "no report is written: B(h) has no finite upper end, so that one end of the optimum is not known; "
            "rewrite the function, or give --gamma"
        )
    return replace(optimum.below, lower=optimum.lower, upper=optimum.upper)


def optimum_under(
    level: CriterionLevel | None, problem_at: Callable[[Epsilon | None], Problem], routes: Sequence[str] | None
) -> BothSides:
    """Solve a problem at its level, and under a rounded criterion at the level above B(h) too.

    Args:
        level: of the criterion, if the level was given by one.
        problem_at: the problem at another level; ``None``: at its own.
        routes: solve by these only.
    """
    from rropt.solvers.criterion_designs import solve_both_sides

    is_rounded = level is not None and level.is_rounded
    end = level.epsilon_above if level is not None and is_rounded else None
    above = None if end is None else problem_at(end)
    return solve_both_sides(problem_at(None), above, is_rounded=is_rounded, routes=routes)


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
