"""The answer of ``rropt design``: certificate, report, JSON, and the table for people.

Under a criterion whose B(h) was rounded or enclosed the problem is solved on both sides of B(h). Regions grow with
gamma: with ``gamma <= B(h) <= gamma_above`` the optimum lies between the optima at these two levels; the mechanism
handed out is the one at gamma, which meets the criterion.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import add_json, criterion_record, criterion_rows, whole_number
from rropt.cli.output import OutputFile, note, print_json, print_table, print_text, second_path
from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact.display import bracket_text

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.exact import Epsilon
    from rropt.mechanisms import Mechanism
    from rropt.privacy.criterion_region import CriterionLevel
    from rropt.problem import Problem
    from rropt.solvers import Solution
    from rropt.solvers.criterion_designs import BothSides
    from rropt.solvers.infeasible_designs import InfeasibleDesignError
    from rropt.solvers.prevalence_intervals import IntervalSolution


def add_answers(parser: argparse.ArgumentParser) -> None:
    """Add the options that every kind of design has."""
    parser.add_argument("--routes", metavar="NAME,...", help="solve by these routes only (default: all)")
    add_files(parser)
    parser.add_argument(
        "--report", metavar="FILE", type=OutputFile, help="write one HTML page, its first sheet in plain words"
    )
    parser.add_argument("--question", metavar="TEXT", help="with --report: the question, as respondents are asked it")
    add_json(parser)


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the files that every kind of design writes."""
    parser.add_argument("--certificate", metavar="FILE", type=OutputFile, help="write the certificate to FILE")
    add_output(parser)


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the file of the mechanism."""
    parser.add_argument(
        "--output",
        metavar="FILE",
        type=OutputFile,
        help="write the mechanism to FILE, with its name, level and population: every --mechanism takes it",
    )


def put_mechanism(args: argparse.Namespace, mechanism: Mechanism, title: str, certificate: Certificate) -> None:
    """Hand over the file of the mechanism, where it is asked for; level and population are those of the certificate."""
    if args.output is not None:
        data = {**mechanism.to_dict(), "name": title, "problem": certificate.to_dict()["problem"]}
        args.pending.put(args.output, json.dumps(data, indent=1) + "\n", "mechanism")


def route_names(args: argparse.Namespace) -> list[str] | None:
    """Return the routes of ``--routes``; ``None``: all."""
    return args.routes.split(",") if args.routes else None


def give_design(
    args: argparse.Namespace,
    optimum: BothSides,
    title: str,
    record: dict[str, Any] | None = None,
    rows: list[tuple[str, str]] | None = None,
) -> int:
    """Hand over the certificate and the report, and print the design; ``record`` and ``rows`` are what is added."""
    from rropt.mechanisms.decimals import plain_text

    solution, more = optimum.below, rows or []
    bound = optimum.above.certificate if optimum.above else None
    put_certificates(args, solution.certificate, bound)
    put_mechanism(args, solution.mechanism, title, solution.certificate)
    for remark in solution.remarks():
        args.pending.remark(f"remark: {remark}")
    asked = criterion_rows(args) if hasattr(args, "rho") else []
    if args.report is not None:
        put_report(args, page_solution(optimum), [*asked, *more], bound)
    if args.json:
        criterion = with_bound(criterion_record(args), bound) if asked else {}
        print_json({**optimum_record(optimum), **(record or {}), **criterion})
        return 0
    print_table([*asked, *optimum_rows(optimum), *more], title=title)
    print_text(plain_text("mechanism (rows are answers, columns truths)", solution.mechanism.matrix))
    print_text(f"certificate {solution.certificate.check()}")
    return 0


def put_report(
    args: argparse.Namespace,
    solution: Solution | IntervalSolution,
    more: list[tuple[str, str]],
    bound: Certificate | None,
) -> None:
    """Hand over the page of a design."""
    from rropt.report import Survey, design_page

    n, confidence = getattr(args, "n", None), getattr(args, "confidence", None)
    survey = Survey(
        question=args.question,
        n=None if n is None else whole_number(n, "--n", 1),
        confidence=confidence or "0.95",
        file="certificate.json" if args.certificate is None else Path(args.certificate).name,
    )
    args.pending.put(args.report, lambda: design_page(solution, more, survey=survey, bound=bound), "report")


def give_infeasible(args: argparse.Namespace, error: InfeasibleDesignError) -> int:
    """Hand over the certificate that bounds cannot be met, and print why."""
    if args.report is not None:
        note("no report is written: there is no design")
    put_certificates(args, error.certificate, None)
    if args.json:
        print_json({"infeasible": True, "reason": error.reason, "certificate": error.certificate.to_dict()})
        return 1
    print_text(f"infeasible: {error.reason}")
    print_text(f"certificate {error.certificate.check()}")
    return 1


OPTIMA_HELP = """\
"lower" and "upper" then bracket the optimum at B(h) itself, by a second solution at a
rational gamma above it; --certificate FILE.json writes its proof to FILE-bound.json."""


def optimum_record(optimum: BothSides) -> dict[str, Any]:
    """Return the contract of ``rropt design --json``; an unknown end is null."""
    from rropt.results import joined, record_of

    return joined(optimum.below.to_dict(), record_of({"lower": optimum.lower, "upper": optimum.upper}))


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
    """Look, before the work, at a question without its page, and at the second certificate of a rounded criterion."""
    if getattr(args, "question", None) is not None and args.report is None:
        raise InvalidParameterError(
            f"--question stands on the page of --report: received {shown(args.question)} without it; add --report FILE"
        )
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
