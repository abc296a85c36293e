"""``rropt design``: optimal mechanisms with certificates."""

from __future__ import annotations

import argparse

from rropt.cli.arguments import Commands, add_json, add_level, read_level
from rropt.cli.output import print_json, print_table, print_text

__all__ = ["add"]

_BINARY = """\
The binary design (p00, p11) of least variance at a privacy level and a guessed
prevalence: by theorem and by enumeration, cross-checked, with a certificate."""


def add(commands: Commands) -> None:
    """Add the command and its kinds of design."""
    design = commands.add_parser("design", help="optimal mechanisms with certificates")
    kinds = design.add_subparsers(metavar="KIND", required=True)
    binary = kinds.add_parser("binary", help="two categories, two answers", description=_BINARY)
    add_level(binary)
    binary.add_argument("--prevalence", metavar="PI", required=True, help="guess of the prevalence, in [0, 1]")
    binary.add_argument("--family", choices=("all", "warner"), default="all", help="warner: only p00 = p11")
    binary.add_argument("--routes", metavar="NAME,...", help="solve by these routes only (default: all)")
    binary.add_argument("--certificate", metavar="FILE", help="write the certificate to FILE")
    add_json(binary)
    binary.set_defaults(run=run_binary)


def run_binary(args: argparse.Namespace) -> int:
    """Solve, print, and write the certificate."""
    from rropt.mechanisms.rendering import plain_text
    from rropt.problem import binary_problem
    from rropt.solvers import solve

    epsilon, delta = read_level(args)
    problem = binary_problem(epsilon=epsilon, delta=delta, prevalence=args.prevalence, family=args.family)
    solution = solve(problem, args.routes.split(",") if args.routes else None)
    if args.certificate:
        solution.certificate.save(args.certificate)
    if args.json:
        print_json(solution.to_dict())
        return 0
    print_table(solution.lines(), title="Optimal binary design")
    print_text(plain_text("mechanism (rows are answers, columns truths)", solution.mechanism.matrix))
    where = f", written to {args.certificate}" if args.certificate else ""
    print_text(f"certificate {solution.certificate.check()}{where}")
    return 0
