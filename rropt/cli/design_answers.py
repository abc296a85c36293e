"""The answer of ``rropt design``: certificate, report, JSON, and the table for people.

Under a criterion whose B(h) was rounded or enclosed the problem is solved on both sides of B(h). Regions grow with
gamma: with ``gamma <= B(h) <= gamma_above`` the optimum lies between the optima at these two levels; the mechanism
handed out is the one at gamma, which meets the criterion.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.cli.arguments import criterion_record, criterion_rows, whole_number
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.cli.pending import second_path
from rropt.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.mechanisms import Mechanism
    from rropt.privacy.criterion_region import CriterionLevel
    from rropt.results import Result
    from rropt.solvers import Solution
    from rropt.solvers.bits import BitsDesign
    from rropt.solvers.criterion_designs import BothSides
    from rropt.solvers.device_designs import DeviceDesigns
    from rropt.solvers.infeasible_designs import InfeasibleDesignError
    from rropt.solvers.prevalence_intervals import IntervalSolution


OUTPUT = """\
--output >FILE            write the mechanism to FILE, with its name, level and population: every --mechanism takes it
--json"""
FILES = f"--certificate\n{OUTPUT}"  # the options of every kind of design, and of those that solve a problem by routes
REPORT = """\
--report >FILE            write one HTML page, its first sheet in plain words
--question TEXT           with --report: the question, as respondents are asked it"""
ANSWERS = f"""\
--routes NAME,...         solve by these routes only (default: all)
{FILES}
{REPORT}"""


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
    beside: Sequence[Result] = (),
) -> int:
    """Hand over the certificate and the report, and print the design, and what else is told of it."""
    from rropt.results import joined

    solution, more = optimum.below, [line for one in beside for line in one.lines()]
    put_certificates(args, solution.certificate, optimum.bound)
    put_mechanism(args, solution.mechanism, title, solution.certificate)
    for remark in solution.remarks():
        args.pending.remark(f"remark: {remark}")
    asked = criterion_rows(args) if hasattr(args, "rho") else []
    if args.report is not None:
        put_report(args, optimum.solution(), [*asked, *more], optimum.bound)
    if args.json:
        criterion = criterion_record(args, optimum.bound) if asked else {}
        print_json(joined(optimum.to_dict(), *(one.to_dict() for one in beside), criterion))
        return 0
    print_table([*asked, *optimum.lines(), *more], title=title)
    print_text(solution.mechanism.displayed("mechanism (rows are answers, columns truths)"))
    print_text(f"certificate {solution.certificate.check()}")
    return 0


def put_report(
    args: argparse.Namespace,
    solution: Solution | IntervalSolution | BitsDesign | DeviceDesigns,
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
        file=Path(getattr(args, "certificate", None) or "certificate.json").name,
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


def expect_bound(args: argparse.Namespace, level: CriterionLevel | None) -> None:
    """Look, before the work, at a question without its page, and at the second certificate of a rounded criterion."""
    if getattr(args, "question", None) is not None and args.report is None:
        raise InvalidParameterError(
            f"--question stands on the page of --report: received {shown(args.question)} without it; add --report FILE"
        )
    if level is not None and args.certificate is not None and level.is_rounded and level.epsilon_above is not None:
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
