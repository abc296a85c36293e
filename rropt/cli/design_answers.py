"""The answer of ``rropt design``: certificate, report, JSON, and the table for people."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import add_json
from rropt.cli.criteria import criterion_record, criterion_rows
from rropt.cli.criterion_optima import optimum_record, optimum_rows, page_solution, put_certificates, with_bound
from rropt.cli.output import OutputFile, note, print_json, print_table, print_text

if TYPE_CHECKING:
    from rropt.solvers.criterion_designs import BothSides
    from rropt.solvers.infeasible_designs import InfeasibleDesignError


def add_answers(parser: argparse.ArgumentParser) -> None:
    """Add the options that every kind of design has."""
    parser.add_argument("--routes", metavar="NAME,...", help="solve by these routes only (default: all)")
    parser.add_argument("--certificate", metavar="FILE", type=OutputFile, help="write the certificate to FILE")
    parser.add_argument("--report", metavar="FILE", type=OutputFile, help="write one self-contained HTML page")
    add_json(parser)


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
    asked = criterion_rows(args) if hasattr(args, "rho") else []
    if args.report is not None:
        from rropt.report import design_page

        args.pending.put(args.report, lambda: design_page(page_solution(optimum), [*asked, *more]), "report")
    if args.json:
        criterion = with_bound(criterion_record(args), bound) if asked else {}
        print_json({**optimum_record(optimum), **(record or {}), **criterion})
        return 0
    print_table([*asked, *optimum_rows(optimum), *more], title=title)
    print_text(plain_text("mechanism (rows are answers, columns truths)", solution.mechanism.matrix))
    print_text(f"certificate {solution.certificate.check()}")
    return 0


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
